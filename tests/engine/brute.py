"""Following by brute force: every rung that a lead can step down to, every way to make it. Slow, and written apart from the engine's own search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from engine.cards import Card
from engine.order import Order

Shape = tuple[int, int]
Rung = tuple[Shape, ...]


def partitions(number: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum, biggest part first."""
    most = number if most is None else most
    if number == 0:
        yield ()
    for first in range(min(number, most), 0, -1):
        for rest in partitions(number - first, first):
            yield (first, *rest)


@cache
def unit_rungs(width: int, length: int, tractor_only: bool) -> frozenset[Rung]:
    """Everything that one led unit can step down to: its equal cards split, and the groups of one width joined into runs again."""
    out = set()
    for splits in set(product(list(partitions(width)), repeat=length)):
        widths = Counter(w for split in splits for w in split)
        ways: list[list[Rung]] = []
        for w, count in widths.items():
            if w == 1 or (length == 1 and tractor_only):
                ways.append([((w, 1),) * count])
            else:
                ways.append([tuple((w, n) for n in lengths) for lengths in partitions(count)])
        for choice in product(*ways):
            out.add(tuple(sorted(shape for part in choice for shape in part)))
    return frozenset(out)


def rungs(lead: Sequence[Shape], tractor_only: bool = False) -> set[Rung]:
    """Everything that a lead of several units can step down to."""
    out: set[Rung] = {()}
    for width, length in lead:
        out = {tuple(sorted((*a, *b))) for a in out for b in unit_rungs(width, length, tractor_only)}
    return out


def worth(rung: Rung, widest: int) -> tuple[int | tuple[int, ...], ...]:
    """How a rung ranks: by groups of equal cards from the widest, each with its runs from the longest."""
    out: list[int | tuple[int, ...]] = []
    for width in range(widest, 1, -1):
        lengths = [length for w, length in rung if w == width]
        out += [sum(lengths), tuple(sorted((n for n in lengths if n > 1), reverse=True))]
    return tuple(out)


def makes(order: Order, cards: Sequence[Card], rung: Rung, protect: bool = False) -> bool:
    """Whether cards hold all the units of a rung at once."""
    counts = Counter(cards)
    full = dict(counts)

    def usable(card: Card, width: int) -> bool:
        return counts[card] >= width and (not protect or width == 1 or full[card] == width)

    def walk(shapes: list[Shape]) -> bool:
        if not shapes:
            return True
        width, length = shapes[0]
        for start in {order.place[c] for c in counts}:
            rows = [[c for c in counts if order.place[c] == start + i and usable(c, width)] for i in range(length)]
            for faces in product(*rows):
                for card in faces:
                    counts[card] -= width
                done = walk(shapes[1:])
                for card in faces:
                    counts[card] += width
                if done:
                    return True
        return False

    return walk(sorted((s for s in rung if s != (1, 1)), key=lambda s: -s[0] * s[1]))


Worth = tuple[int | tuple[int, ...], ...]


def best(order: Order, cards: Sequence[Card], lead: Sequence[Shape], protect: bool = False, tractor_only: bool = False) -> Worth:
    """The worth of the best rung that cards can make."""
    widest = max(width for width, _ in lead)
    ranked = sorted(rungs(lead, tractor_only), key=lambda r: worth(r, widest), reverse=True)
    return next(worth(r, widest) for r in ranked if makes(order, cards, r, protect))
