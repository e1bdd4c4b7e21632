"""The cards of one suit group as piles of equal cards, and the search for shapes among them.

A pile is ``(place, count, card)``; places that differ by one are neighbours. Everything here is polynomial: runs are found by scanning places, equal
cards by counting; where several placements tie, they are tried within a fixed budget of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card
from engine.order import Order

Shape = tuple[int, int]
"""Width and length: (1, 1) a single, (2, 1) a pair, (2, 3) a tractor of three pairs, (3, 2) a bulldozer."""

Cost = Callable[[Card], float]

BUDGET: Final = 400
"""Placements tried before the search settles for the best so far."""

LOWEST: Final = -1
"""The place of the A A 2 2 that ranks below all other tractors."""


def count_cards(cards: Iterable[Card]) -> dict[Card, int]:
    """How many of each face."""
    counts: dict[Card, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return counts


@dataclass(slots=True)
class Piles:
    """The piles of one group: the faces at every place with their counts; taken from and put back during a search."""

    order: Order
    at: dict[int, dict[Card, int]]
    cost: Cost | None = None
    protect: bool = False
    steps: int = field(default=0)

    @classmethod
    def of(cls, order: Order, cards: Iterable[Card], *, protect: bool = False, cost: Cost | None = None) -> Piles:
        """Sort cards of one group into piles.

        :param protect: a shape may only use piles of exactly its width (wider units need not be broken).
        :param cost: prefer cheap cards where the choice is free.
        """
        at: dict[int, dict[Card, int]] = {}
        place = order.place
        for card in cards:
            faces = at.setdefault(place[card], {})
            faces[card] = faces.get(card, 0) + 1
        return cls(order, at, cost, protect)

    def fitting(self, place: int, width: int) -> list[Card]:
        """The faces at a place that can give ``width`` equal cards, the one that loses least first."""
        faces = self.at.get(place)
        if not faces:
            return []
        if self.protect and width > 1:
            return [card for card, count in faces.items() if count == width]
        fit = [card for card, count in faces.items() if count >= width]
        if len(fit) > 1:
            fit.sort(key=lambda card: (faces[card], self.cost(card) if self.cost else 0.0))
        return fit

    def take(self, card: Card, number: int) -> None:
        """Take equal cards away."""
        self.at[self.order.place[card]][card] -= number

    def put(self, card: Card, number: int) -> None:
        """Put equal cards back."""
        self.at[self.order.place[card]][card] += number

    def capacity(self, width: int) -> dict[int, int]:
        """How many groups of ``width`` equal cards every place could give."""
        out: dict[int, int] = {}
        for place, faces in self.at.items():
            total = 0
            for count in faces.values():
                if count >= width:
                    total += (count == width) if self.protect else count // width
            if total:
                out[place] = total
        return out

    def windows(self, width: int, length: int) -> Iterator[tuple[int, list[Card]]]:
        """Every run of a shape as its top place and one face a place (the one that loses least), cheapest or lowest first.

        The A A 2 2 that ranks lowest comes first where the rulebook has it.
        """
        pair = self.order.low_pair
        if pair and length == 2:
            ace, two = pair
            low = [c for c in (two, ace) if c in self.fitting(self.order.place[c], width)]
            if len(low) == 2:
                yield LOWEST, low
        starts = [p for p in self.at if all(self.fitting(p + i, width) for i in range(length))]
        if self.cost is not None:
            cost = self.cost
            starts.sort(key=lambda p: (sum(cost(self.fitting(p + i, width)[0]) for i in range(length)), p))
        else:
            starts.sort()
        for start in starts:
            yield start + length - 1, [self.fitting(start + i, width)[0] for i in range(length)]

    def remaining(self) -> list[Card]:
        """The cards not taken, lowest place first."""
        return [card for place in sorted(self.at) for card, count in self.at[place].items() for _ in range(count)]

    def find(self, shapes: Sequence[Shape]) -> list[list[Card]] | None:
        """Cards for all the shapes at once (one list a shape, in the order of :func:`search_order`), or None; the piles stay as they were."""
        self.steps = 0
        return self._find([s for s in search_order(shapes) if s != (1, 1)])

    def _find(self, shapes: list[Shape]) -> list[list[Card]] | None:
        if not shapes:
            return []
        width, length = shapes[0]
        if length == 1 and all(shape[1] == 1 for shape in shapes):
            return self._equal([shape[0] for shape in shapes])
        for _, faces in self.windows(width, length):
            self.steps += 1
            if self.steps > BUDGET:
                return None
            for card in faces:
                self.take(card, width)
            rest = self._find(shapes[1:])
            for card in faces:
                self.put(card, width)
            if rest is not None:
                return [[card for card in faces for _ in range(width)], *rest]
        return None

    def _equal(self, widths: list[int]) -> list[list[Card]] | None:
        """Groups of equal cards, widest first, each from the pile that loses least (exact for up to four packs)."""
        out: list[list[Card]] = []
        taken: list[tuple[Card, int]] = []
        for width in widths:
            best: Card | None = None
            best_key: tuple[int, float, int] | None = None
            for place, faces in self.at.items():
                for card, count in faces.items():
                    if count >= width and (not self.protect or count == width):
                        key = (count, self.cost(card) if self.cost else 0.0, place)
                        if best_key is None or key < best_key:
                            best, best_key = card, key
            if best is None:
                break
            self.take(best, width)
            taken.append((best, width))
            out.append([best] * width)
        for card, width in taken:
            self.put(card, width)
        return out if len(out) == len(widths) else None


def search_order(shapes: Iterable[Shape]) -> list[Shape]:
    """Shapes in the order in which they are looked for: runs before equal cards, the widest and longest first."""
    return sorted(shapes, key=lambda s: (s[1] > 1, s[0], s[1]), reverse=True)


def best_runs(capacity: dict[int, int], targets: Sequence[int], least: int) -> tuple[tuple[int, int], ...]:
    """The best runs that a row of places can give to runs wanted, the longest first.

    :param capacity: groups of equal cards a place (1 or more).
    :param targets: lengths wanted; what a target does not get is a target again.
    :param least: the least length of a run.
    :returns: (length, top place) of each run; the lengths are the lexicographically greatest that were found.
    """
    wanted = sorted((t for t in targets if t >= least), reverse=True)
    if not wanted or len(capacity) < least:
        return ()
    budget = [BUDGET]
    return _best_runs(capacity, wanted, least, budget)


def _longest(capacity: dict[int, int]) -> int:
    best = 0
    for place in capacity:
        if place - 1 not in capacity:
            end = place + 1
            while end in capacity:
                end += 1
            best = max(best, end - place)
    return best


def _best_runs(capacity: dict[int, int], wanted: list[int], least: int, budget: list[int]) -> tuple[tuple[int, int], ...]:
    length = min(wanted[0], _longest(capacity))
    if length < least:
        return ()
    rest = wanted[1:]
    if wanted[0] - length >= least:
        rest = sorted([*rest, wanted[0] - length], reverse=True)
    best: tuple[tuple[int, int], ...] = ()
    best_lengths: list[int] = []
    for start in sorted(capacity):
        if not all(start + i in capacity for i in range(length)):
            continue
        if not rest:
            return ((length, start + length - 1),)
        left = dict(capacity)
        for place in range(start, start + length):
            if left[place] == 1:
                del left[place]
            else:
                left[place] -= 1
        found = ((length, start + length - 1), *_best_runs(left, rest, least, budget))
        lengths = [run[0] for run in found]
        if lengths > best_lengths:
            best, best_lengths = found, lengths
        budget[0] -= 1
        if budget[0] <= 0 or lengths == wanted:
            break
    return best
