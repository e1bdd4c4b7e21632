"""Shapes: the units that cards of one suit make, and the ways to read them.

A unit is ``width`` equal cards, ``length`` neighbours in a row: single, pair, triple, quad, tractor (pairs in a row), bulldozer (triples or
wider in a row). Off-suit level cards are equal in strength but never a pair with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from engine.cards import Card, Trump
from engine.order import NOWHERE, Order, order_of
from engine.piles import LOWEST, Piles, Shape, count_cards
from engine.rulebook import Rulebook
from engine.rulebook_terms import Reading


@unique
class Kind(StrEnum):
    """What a unit is called."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    QUAD = "quad"
    BOMB = "bomb"
    TRACTOR = "tractor"
    BULLDOZER = "bulldozer"


_EQUAL: Final = (Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.QUAD)
_NAMES: Final = {
    Kind.SINGLE: ("单张", "a single"),
    Kind.PAIR: ("对子", "a pair"),
    Kind.TRIPLE: ("三张", "a triple"),
    Kind.QUAD: ("四张", "four of a kind"),
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its kind, how many equal cards, how many neighbours in a row, its highest card and all its cards from the lowest."""

    kind: Kind
    width: int
    length: int
    top: Card
    cards: tuple[Card, ...]

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.width * self.length

    @property
    def shape(self) -> Shape:
        """Width and length."""
        return self.width, self.length


class ShapeError(ValueError):
    """Cards that cannot be read as shapes of one suit; the message says why."""


def kind_of(shape: Shape) -> Kind:
    """What a shape is called."""
    width, length = shape
    if length > 1:
        return Kind.TRACTOR if width == 2 else Kind.BULLDOZER
    return _EQUAL[width - 1] if width <= len(_EQUAL) else Kind.BOMB


def shape_name(shape: Shape) -> tuple[str, str]:
    """A shape in Chinese and English words."""
    width, length = shape
    kind = kind_of(shape)
    if kind is Kind.TRACTOR:
        return f"{length}连对拖拉机", f"a tractor of {length} pairs"
    if kind is Kind.BULLDOZER:
        return f"{length}连{width}张推土机", f"a bulldozer of {length} × {width} cards"
    return _NAMES.get(kind, (f"{width}张相同", f"{width} of a kind"))


def shapes_name(shapes: Iterable[Shape]) -> tuple[str, str]:
    """Several shapes in Chinese and English words, singles left out unless there is nothing else."""
    names: list[tuple[Shape, int]] = []
    for shape in shapes:
        if names and names[-1][0] == shape:
            names[-1] = (shape, names[-1][1] + 1)
        else:
            names.append((shape, 1))
    told = [n for n in names if n[0] != (1, 1)] or names[:1]
    zh = "加".join(f"{count}个{shape_name(s)[0]}" if count > 1 else shape_name(s)[0] for s, count in told)
    en = " and ".join(f"{count} × {shape_name(s)[1].removeprefix('a ')}" if count > 1 else shape_name(s)[1] for s, count in told)
    return zh, en


def _unit(width: int, faces: Sequence[Card]) -> Unit:
    top = faces[-1]
    return Unit(kind_of((width, len(faces))), width, len(faces), top, tuple(card for card in faces for _ in range(width)))


def strength(order: Order, unit: Unit) -> int:
    """The place of a unit's top card; the A A 2 2 that ranks lowest has :data:`engine.piles.LOWEST`."""
    if order.low_pair is not None and unit.length == 2 and (unit.cards[0], unit.top) == order.low_pair:
        return LOWEST
    return order.place[unit.top]


def one_group(order: Order, cards: Iterable[Card]) -> str:
    """The suit group of cards that must share one.

    :raises ShapeError: when there are none or they do not.
    """
    groups = {order.group[card] for card in cards}
    if len(groups) != 1:
        if not groups:
            raise ShapeError("no cards")
        raise ShapeError(f"cards of several suits ({', '.join(sorted(groups))}); expected one suit, level cards count as trumps")
    group = groups.pop()
    if group == NOWHERE:
        raise ShapeError("unknown cards cannot be read")
    return group


def of_one_group(order: Order, cards: Iterable[Card]) -> bool:
    """Whether cards are all known and of one suit group, so that they can be read."""
    groups = {order.group[card] for card in cards}
    return len(groups) == 1 and NOWHERE not in groups


def _limits(rules: Rulebook) -> tuple[int, int]:
    return rules.shapes.min_width, rules.shapes.min_length


def _largest(rules: Rulebook, piles: Piles) -> Unit:
    """The unit that a lead is read to hold first."""
    least_width, least_length = _limits(rules)
    widest_first = rules.shapes.reading is Reading.WIDEST
    best: Unit | None = None
    best_key: tuple[int, ...] = ()

    def offer(width: int, faces: list[Card], place: int) -> None:
        nonlocal best, best_key
        size, run = width * len(faces), len(faces) > 1
        key = (width, size, run, place) if widest_first else (size, run, width, place)
        if key > best_key:
            best, best_key = _unit(width, faces), key

    widest = max(count for faces in piles.at.values() for count in faces.values())
    for place, faces in piles.at.items():
        for card, count in faces.items():
            if count:
                offer(count, [card], place)
    for width in range(least_width, widest + 1):
        capacity = piles.capacity(width)
        for start in capacity:
            if start - 1 in capacity:
                continue
            end = start
            while end + 1 in capacity:
                end += 1
            if end - start + 1 >= least_length:
                offer(width, [piles.fitting(p, width)[0] for p in range(start, end + 1)], end)
    if best is None:
        raise ShapeError("no cards")
    return best


def _low_pair(order: Order, cards: Sequence[Card]) -> Unit | None:
    """The A A 2 2 read as the lowest tractor, when that is all there is."""
    if order.low_pair is None or len(cards) < 4 or len(cards) % 2 or set(cards) != set(order.low_pair):
        return None
    ace, two = order.low_pair
    return _unit(len(cards) // 2, [ace, two]) if cards.count(ace) == cards.count(two) else None


FULL_HOUSE: Final = 5
"""The cards of a full house (俘虏): a triple and a pair."""


def _full_house(cards: Sequence[Card]) -> tuple[Unit, ...]:
    """A full house read as triple and pair; nothing for other cards."""
    counts = count_cards(cards)
    if sorted(counts.values()) != [2, 3]:
        return ()
    return tuple(_unit(count, [card]) for card, count in sorted(counts.items(), key=lambda item: -item[1]))


def read(rules: Rulebook, trump: Trump | None, cards: Sequence[Card]) -> tuple[Unit, ...]:
    """The engine's reading of a lead of these cards, biggest unit first.

    The longest unit is read first and a tractor before equal cards, or the widest first where the rulebook says so
    (staff-4deck-to4: 一侓視為三條加任意一對).

    :raises ShapeError: when the cards are not of one suit.
    """
    return read_in(order_of(rules, trump), cards)


def read_in(order: Order, cards: Sequence[Card]) -> tuple[Unit, ...]:
    """The same as :func:`read`, for an order at hand."""
    one_group(order, cards)
    low = _low_pair(order, cards)
    if low:
        return (low,)
    if order.rules.shapes.full_house and len(cards) == FULL_HOUSE:
        triple_pair = _full_house(cards)
        if triple_pair:
            return triple_pair
    piles = Piles.of(order, cards)
    units: list[Unit] = []
    left = len(cards)
    while left:
        if max(count for faces in piles.at.values() for count in faces.values()) == 1:
            units += [_unit(1, [card]) for card in reversed(piles.remaining())]
            break
        unit = _largest(order.rules, piles)
        for card in unit.cards:
            piles.take(card, 1)
        units.append(unit)
        left -= unit.size
    place = order.place
    units.sort(key=lambda u: (u.size, u.length > 1, u.width, place[u.top]), reverse=True)
    return tuple(units)


MOST_READINGS: Final = 20_000
"""Steps after which :func:`readings` gives up with an error rather than go on."""


def readings(rules: Rulebook, trump: Trump | None, cards: Sequence[Card]) -> list[tuple[Unit, ...]]:
    """Every way to part cards of one suit into maximal units: no two or more units of a reading could be joined into one.

    :raises ShapeError: when the cards are not of one suit or there are too many ways.
    """
    order = order_of(rules, trump)
    one_group(order, cards)
    low = _low_pair(order, cards)
    if low:
        return [(low,)]
    steps = [MOST_READINGS]
    runs = list(_all_runs(rules, order, cards))
    out: dict[tuple[tuple[Card, ...], ...], tuple[Unit, ...]] = {}
    counts = count_cards(cards)

    def walk(first: int, chosen: list[Unit]) -> None:
        steps[0] -= 1
        if steps[0] < 0:
            raise ShapeError("too many readings; expected fewer cards")
        singles = [_unit(count, [card]) for card, count in counts.items() if count]
        reading = [*chosen, *singles]
        if not _can_join(runs, reading):
            reading.sort(key=lambda u: (u.size, u.length > 1, u.width, order.place[u.top]), reverse=True)
            out.setdefault(tuple(sorted(u.cards for u in reading)), tuple(reading))
        for i in range(first, len(runs)):
            run = runs[i]
            faces = run.cards[:: run.width]
            if all(counts[card] >= run.width for card in faces):
                for card in faces:
                    counts[card] -= run.width
                walk(i, [*chosen, run])
                for card in faces:
                    counts[card] += run.width

    walk(0, [])
    return list(out.values())


def _all_runs(rules: Rulebook, order: Order, cards: Sequence[Card]) -> Iterator[Unit]:
    """Every tractor and bulldozer that could be made of the cards."""
    least_width, least_length = _limits(rules)
    counts = count_cards(cards)
    at: dict[int, list[Card]] = {}
    for card in counts:
        at.setdefault(order.place[card], []).append(card)
    for width in range(least_width, max(counts.values()) + 1):
        for start in at:
            paths: list[list[Card]] = [[]]
            place = start
            while paths and place in at:
                paths = [[*path, card] for path in paths for card in at[place] if counts[card] >= width]
                place += 1
                if place - start >= least_length:
                    yield from (_unit(width, path) for path in paths)


def _can_join(runs: Sequence[Unit], reading: Sequence[Unit]) -> bool:
    """Whether some of the units together are exactly one run."""
    for run in runs:
        width = run.width
        need = dict.fromkeys(run.cards, width)
        inside = [u for u in reading if u.size < run.size and u.width <= width and all(card in need for card in u.cards)]
        if len(inside) > 1 and sum(u.size for u in inside) >= run.size and _cover(inside, need):
            return True
    return False


def _cover(units: Sequence[Unit], need: dict[Card, int]) -> bool:
    """Whether some of the units cover every face exactly as often as needed."""
    face = next((card for card, count in need.items() if count), None)
    if face is None:
        return True
    for i, unit in enumerate(units):
        faces = unit.cards[:: unit.width]
        if face in faces and all(need[card] >= unit.width for card in faces):
            for card in faces:
                need[card] -= unit.width
            done = _cover([*units[:i], *units[i + 1 :]], need)
            for card in faces:
                need[card] += unit.width
            if done:
                return True
    return False
