"""What a lead demands of its suit, and the best that cards can make of it: the profiles that following compares.

A profile is a tuple that compares as the rulebook ranks follows, higher is better. Where the rulebook prints a ladder for the led unit it is
the rung (0 for the top, then -1, -2 ...); else it holds, for every width from the widest led, how many groups of so many equal cards and the
lengths of the runs among them, as far as the lead could use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from engine.cards import Card
from engine.order import Order
from engine.piles import LOWEST, Cost, Piles, Shape, best_runs, count_cards
from engine.rulebook import Rulebook
from engine.rulebook_terms import Principle
from engine.shape_notation import parse_rung
from engine.shapes import of_one_group, read_in, shapes_name

Profile = tuple[int | tuple[int, ...], ...]
Form = tuple[Shape, ...]

DONORS: Final = 24
CHOICES: Final = 96
"""Choices of the wide piles to break that are tried at one width, and in all; only leads that hold triples or wider have more than one."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a lead asks for: its units of two cards and more, the printed rungs and the key of their ladder, and what the principle leaves out."""

    units: tuple[Shape, ...]
    rungs: tuple[tuple[Form, ...], ...] = ()
    printed: str = ""
    tuples_owed: bool = True
    tractor_only: bool = False
    least_width: int = 2
    least_length: int = 2
    pairs_only: bool = False


_DEMANDS: Final[dict[tuple[int, tuple[Shape, ...]], tuple[Rulebook, Demand]]] = {}
_MOST: Final = 4096


def demand_of(order: Order, lead: Sequence[Card]) -> Demand | None:
    """What a lead asks for beyond its suit; None when nothing, or when the lead cannot be read (several suits, unknown cards)."""
    rules = order.rules
    if rules.following.principle is Principle.SUIT or len(set(lead)) == len(lead) or not of_one_group(order, lead):
        return None
    units = tuple(unit.shape for unit in read_in(order, lead))
    key = (id(rules), units)
    known = _DEMANDS.get(key)
    if known is not None and known[0] is rules:
        return known[1]
    if len(_DEMANDS) >= _MOST:
        _DEMANDS.clear()
    demand = _demand(rules, units)
    _DEMANDS[key] = (rules, demand)
    return demand


def _demand(rules: Rulebook, shapes: tuple[Shape, ...]) -> Demand:
    units = tuple(s for s in shapes if s != (1, 1))
    following = rules.following
    rungs: tuple[tuple[Form, ...], ...] = ()
    printed = ""
    if len(units) == 1:
        printed = f"{units[0][0]}x{units[0][1]}"
        texts = following.ladders.get(printed)
        if texts is None:
            printed = ""
        else:
            rungs = tuple(tuple(tuple((u.width, u.length) for u in form) for form in parse_rung(text)) for text in texts)
    return Demand(
        units=units,
        rungs=rungs,
        printed=printed,
        tuples_owed=following.principle is Principle.SHAPE,
        tractor_only=following.tractor_only_for_tractor,
        least_width=rules.shapes.min_width,
        least_length=rules.shapes.min_length,
        pairs_only=all(width == 2 for width, _ in units),
    )


def best_profile(order: Order, cards: Sequence[Card], demand: Demand, protect: bool) -> Profile:
    """The best profile that cards of the led suit can make.

    :param protect: units may only be made from exactly so many equal cards (wider ones need not be broken).
    """
    if demand.printed:
        return (-_rung(order, cards, demand, protect, None)[0],)
    if demand.pairs_only:
        return _pairs_profile(order, cards, demand, protect)
    return _profile(order, cards, demand, protect, None)[0]


def gather(order: Order, cards: Sequence[Card], demand: Demand, protect: bool, cost: Cost | None) -> list[Card]:
    """Cards that make the best profile, without the loose cards that fill it up."""
    if demand.printed:
        return _rung(order, cards, demand, protect, cost)[2]
    return _profile(order, cards, demand, protect, cost)[1]


def _rung(order: Order, cards: Sequence[Card], demand: Demand, protect: bool, cost: Cost | None) -> tuple[int, Form, list[Card]]:
    """The highest printed rung that cards can make: its number, which of its forms, and the cards; the number after the last for none."""
    piles = Piles.of(order, cards, protect=protect, cost=cost)
    equal = _equal_groups(cards)
    for i, rung in enumerate(demand.rungs):
        for form in rung:
            if any(width >= len(equal) or equal[width] < length for width, length in form):
                continue
            found = piles.find(form)
            if found is not None:
                return i, form, [card for unit in found for card in unit]
    return len(demand.rungs), (), []


def _equal_groups(cards: Sequence[Card]) -> list[int]:
    """For every width the number of faces with at least so many cards."""
    counts = count_cards(cards).values()
    return [sum(1 for c in counts if c >= w) for w in range(max(counts, default=0) + 1)]


def _pairs_profile(order: Order, cards: Sequence[Card], demand: Demand, protect: bool) -> Profile:
    """The profile where only pairs and tractors of pairs were led: exact, as runs never cost pairs."""
    place = order.place
    pairs = 0
    capacity: dict[int, int] = {}
    for card, count in count_cards(cards).items():
        if count >= 2:
            number = (count == 2) if protect else count // 2
            if number:
                pairs += number
                at = place[card]
                capacity[at] = capacity.get(at, 0) + number
    if not pairs:
        return (0, ())
    slots = 0
    targets = []
    for _, length in demand.units:
        slots += length
        if length >= demand.least_length and demand.least_width <= 2:
            targets.append(length)
    runs: tuple[int, ...] = ()
    if targets and pairs > 1:
        runs = tuple(r[0] for r in _runs(order, capacity, targets, demand.least_length, 2, cards))
    return (min(slots, pairs) if demand.tuples_owed else 0, runs)


def _runs(order: Order, capacity: dict[int, int], targets: list[int], least: int, width: int, cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """The best runs, the A A 2 2 that ranks lowest among them where the rulebook has it."""
    found = best_runs(capacity, targets, least)
    low = order.low_pair
    if low is None or least > 2 or any(cards.count(card) < width for card in low):
        return found
    left = dict(capacity)
    for card in low:
        place = order.place[card]
        left[place] -= 1
        if not left[place]:
            del left[place]
    least_target = min(t for t in targets if t >= 2)
    wanted = sorted(targets, reverse=True)
    wanted.remove(least_target)
    if least_target - 2 >= least:
        wanted.append(least_target - 2)
    other = sorted([*best_runs(left, wanted, least), (2, LOWEST)], reverse=True)
    return tuple(other) if [r[0] for r in other] > [r[0] for r in found] else found


def _profile(order: Order, cards: Sequence[Card], demand: Demand, protect: bool, cost: Cost | None) -> tuple[Profile, list[Card]]:
    """The profile of any lead, and cards that make it."""
    pieces = [(width, i) for i, (width, length) in enumerate(demand.units) for _ in range(length)]
    piles = Piles.of(order, cards, protect=protect, cost=cost)
    widest = max(width for width, _ in demand.units)
    return _level(demand, piles, pieces, widest)


def _level(demand: Demand, piles: Piles, pieces: list[tuple[int, int]], width: int) -> tuple[Profile, list[Card]]:
    """The best profile from one width down: runs first, then further groups of equal cards, then the next width with what is left."""
    if width < 2:
        return (), []
    slots: dict[int, int] = {}
    for piece, unit in pieces:
        if piece >= width:
            slots[unit] = slots.get(unit, 0) + piece // width
    capacity = piles.capacity(width)
    number = min(sum(slots.values()), sum(capacity.values()))
    runs = _run_faces(demand, piles, slots, capacity, width)
    in_runs = sum(len(faces) for faces in runs)
    lower = _fill(pieces, width, number)
    best: tuple[Profile, list[Card]] | None = None
    for faces in runs:
        for card in faces:
            piles.take(card, width)
    wanted = number - in_runs if demand.tuples_owed else 0
    more = width > 2 and piles.steps < CHOICES and any(piece >= 2 for piece, _ in lower)
    for donors in _donors(piles, width, wanted, more=more):
        piles.steps += 1
        for card in donors:
            piles.take(card, width)
        below, below_cards = _level(demand, piles, lower, width - 1)
        for card in donors:
            piles.put(card, width)
        head: Profile = (number if demand.tuples_owed else 0, tuple(len(faces) for faces in runs))
        profile = (*head, *below)
        if best is None or profile > best[0]:
            chosen = [card for faces in (*runs, donors) for card in faces for _ in range(width)]
            best = (profile, [*chosen, *below_cards])
    for faces in runs:
        for card in faces:
            piles.put(card, width)
    if best is None:
        raise AssertionError("no way to choose equal cards")
    return best


def _run_faces(demand: Demand, piles: Piles, slots: dict[int, int], capacity: dict[int, int], width: int) -> list[list[Card]]:
    """The faces of the best runs of one width, from the lowest up."""
    targets = []
    for unit, count in slots.items():
        was_run = demand.units[unit][1] > 1
        if count >= demand.least_length and width >= demand.least_width and (was_run or not demand.tractor_only):
            targets.append(count)
    if not targets:
        return []
    cards = piles.remaining() if piles.order.low_pair else ()
    runs: list[list[Card]] = []
    for length, top in _runs(piles.order, capacity, targets, demand.least_length, width, cards):
        if top == LOWEST and piles.order.low_pair:
            faces = list(piles.order.low_pair)
        else:
            faces = [piles.fitting(place, width)[0] for place in range(top - length + 1, top + 1)]
        for card in faces:
            piles.take(card, width)
        runs.append(faces)
    for faces in runs:
        for card in faces:
            piles.put(card, width)
    return runs


def _fill(pieces: list[tuple[int, int]], width: int, number: int) -> list[tuple[int, int]]:
    """The pieces of the lead that are left for narrower groups once some were filled, the narrowest first as that loses least."""
    left = []
    for piece, unit in sorted(pieces):
        filled = max(0, min(number, piece // width))
        number -= filled
        if piece - filled * width >= 2:
            left.append((piece - filled * width, unit))
    return left


def _donors(piles: Piles, width: int, number: int, *, more: bool) -> Iterator[list[Card]]:
    """Choices of the piles that give further groups of equal cards: the ones that lose least first, others only when it may matter below."""
    groups: list[tuple[tuple[int, float, int], Card]] = []
    for place, faces in piles.at.items():
        for card, count in faces.items():
            if count >= width and (not piles.protect or count == width):
                price = piles.cost(card) if piles.cost else 0.0
                times = 1 if piles.protect else count // width
                groups += [((count, price, place), card)] * times
    groups.sort()
    choices = combinations([card for _, card in groups], number)
    return (list(choice) for choice in islice(choices, DONORS if more else 1))


def name_owed(order: Order, cards: Sequence[Card], demand: Demand, protect: bool, made: Profile) -> tuple[tuple[str, str], str]:
    """What cards could make of a demand in Chinese and English words, and the kind of what was withheld: pair, tractor or shape.

    Where a printed rung has several forms, the one that the cards can make is named.

    :param made: the profile that was played instead.
    """
    if demand.printed:
        _, form, _ = _rung(order, cards, demand, protect, None)
        reached = -_number(made[0])
        other = demand.rungs[reached][0] if reached < len(demand.rungs) else ()
        return shapes_name(form), _kind_of_forms(form, other)
    best = best_profile(order, cards, demand, protect)
    widest = max(width for width, _ in demand.units)
    shapes: list[Shape] = []
    for i, width in enumerate(range(widest, 1, -1)):
        number, runs = _number(best[2 * i]), best[2 * i + 1]
        lengths = runs if isinstance(runs, tuple) else ()
        shapes += [(width, length) for length in lengths]
        shapes += [(width, 1)] * (number - sum(lengths))
    return shapes_name(shapes), _kind_of_profiles(widest, best, made)


def _kind_of_profiles(widest: int, best: Profile, made: Profile) -> str:
    """What a better profile has and a worse one has not: a longer run, else pairs, else wider groups."""
    first = next((i for i, (b, m) in enumerate(zip(best[::2], made[::2], strict=True)) if b != m), None)
    if first is None or _all_runs(best) > _all_runs(made):
        return "tractor"
    return "pair" if widest - first == 2 else "shape"


def _all_runs(profile: Profile) -> list[int]:
    """The lengths of all runs of a profile, the longest first."""
    return sorted((length for runs in profile[1::2] if isinstance(runs, tuple) for length in runs), reverse=True)


def _number(value: int | tuple[int, ...]) -> int:
    return value if isinstance(value, int) else len(value)


def _kind_of_forms(form: Form, other: Form) -> str:
    """What a better form has and a worse one has not: a longer run, else pairs where it is made of pairs alone."""

    def runs(units: Form) -> list[int]:
        return sorted((length for _, length in units if length > 1), reverse=True)

    if runs(form) > runs(other):
        return "tractor"
    return "pair" if all(width == 2 for width, _ in form) else "shape"
