"""Throws: whether several units led at once stand against the other hands, what must be led instead, and the fine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card, Trump
from engine.order import Order, order_of
from engine.piles import Piles, Shape
from engine.rulebook import Rulebook
from engine.rulebook_terms import FinePer, Forced, Parts
from engine.shapes import Unit, read_in, strength
from engine.upsets import upsets


@dataclass(frozen=True, slots=True)
class Stopped:
    """A part of a throw that another hand can beat: the part, which of the other hands (0 is the next seat), and the cards that beat it."""

    part: tuple[Card, ...]
    by: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ThrowVerdict:
    """Whether a lead stands, what must be led (the lead itself if it stands), the fine in points to the other side, and what stopped it."""

    stands: bool
    played: tuple[Card, ...]
    penalty: int
    stopped: tuple[Stopped, ...]


def is_throw(rules: Rulebook, trump: Trump | None, lead: Sequence[Card]) -> bool:
    """Whether a lead is a throw: more than one unit, and no full house where the rulebook has that shape."""
    if len(lead) < 2:
        return False
    return _throws(order_of(rules, trump), read_in(order_of(rules, trump), lead))


def _throws(order: Order, units: Sequence[Unit]) -> bool:
    if len(units) < 2:
        return False
    return not (order.rules.shapes.full_house and [unit.shape for unit in units] == [(3, 1), (2, 1)])


def _parts(order: Order, units: Sequence[Unit]) -> list[tuple[Shape, int, tuple[Card, ...]]]:
    """The parts of a throw with the place of their top card."""
    if order.rules.throws.parts is Parts.UNITS:
        return [(unit.shape, strength(order, unit), unit.cards) for unit in units]
    parts: list[tuple[Shape, int, tuple[Card, ...]]] = []
    for unit in units:
        for i in range(0, unit.size, unit.width):
            cards = unit.cards[i : i + unit.width]
            parts.append(((unit.width, 1), order.place[cards[0]], cards))
    return parts


def _higher(order: Order, piles: Piles, shape: Shape, top: int) -> tuple[Card, ...] | None:
    """Cards of the suit that beat a part: the same shape with a higher top, or a shape that upsets it."""
    width, length = shape
    if length == 1:
        for place in sorted(piles.at):
            if place > top and (fit := piles.fitting(place, width)):
                return (fit[0],) * width
    else:
        for place, faces in piles.windows(width, length):
            if place > top:
                return tuple(card for card in faces for _ in range(width))
    size = width * length
    if order.rules.beating.upsets:
        for other in range(2, size + 1):
            if size % other == 0 and upsets(order.rules, (other, size // other), shape):
                found = piles.find([(other, size // other)])
                if found is not None:
                    return tuple(found[0])
    return None


def judge_throw(rules: Rulebook, trump: Trump | None, lead: Sequence[Card], others: Sequence[Sequence[Card]]) -> ThrowVerdict:
    """Judge a lead against the hands of the three other seats, the next seat first.

    A lead of one unit always stands. A part is stopped by a higher unit of the same shape in any other hand; where the rulebook does not
    allow throws, the lead fails as if every part were stopped.
    """
    order = order_of(rules, trump)
    units = read_in(order, lead)
    if not _throws(order, units):
        return ThrowVerdict(stands=True, played=tuple(lead), penalty=0, stopped=())
    led = order.group[lead[0]]
    hands = [Piles.of(order, [card for card in hand if order.group[card] == led]) for hand in others]
    beaten: list[tuple[Shape, int, tuple[Card, ...]]] = []
    stopped: list[Stopped] = []
    parts = _parts(order, units)
    for shape, top, cards in parts:
        for i, piles in enumerate(hands):
            higher = _higher(order, piles, shape, top)
            if higher is not None:
                beaten.append((shape, top, cards))
                stopped.append(Stopped(cards, i, higher))
                break
    if not rules.throws.allowed:
        beaten = parts
    if not beaten:
        return ThrowVerdict(stands=True, played=tuple(lead), penalty=0, stopped=())
    played = _as_laid(lead, _forced(order, lead, beaten))
    return ThrowVerdict(stands=False, played=played, penalty=_fine(rules, lead, played, beaten), stopped=tuple(stopped))


def _as_laid(lead: Sequence[Card], part: Sequence[Card]) -> tuple[Card, ...]:
    """A part of a lead in the order in which it was laid."""
    left = list(part)
    out = []
    for card in lead:
        if card in left:
            left.remove(card)
            out.append(card)
    return tuple(out)


def _forced(order: Order, lead: Sequence[Card], beaten: Sequence[tuple[Shape, int, tuple[Card, ...]]]) -> tuple[Card, ...]:
    """What must be led instead of a throw that fails."""
    match order.rules.throws.forced:
        case Forced.SMALLEST_CARD:
            return (min(lead, key=lambda card: order.place[card]),)
        case Forced.SMALLEST_OF_WIDEST:
            widest = max(shape[0] for shape, _, _ in beaten)
            return min((part for part in beaten if part[0][0] == widest), key=lambda part: (len(part[2]), part[1]))[2]
        case Forced.SMALLEST_BEATEN:
            return min(beaten, key=lambda part: (len(part[2]), part[1]))[2]


def _fine(rules: Rulebook, lead: Sequence[Card], played: Sequence[Card], beaten: Sequence[tuple[Shape, int, tuple[Card, ...]]]) -> int:
    """The points that a failed throw costs."""
    match rules.throws.fine_per:
        case FinePer.FLAT:
            number = 1
        case FinePer.TAKEN_BACK:
            number = len(lead) - len(played)
        case FinePer.STOPPED_CARD:
            number = sum(len(cards) for _, _, cards in beaten)
        case FinePer.PAIR:
            number = sum(len(cards) // 2 for _, _, cards in beaten)
        case FinePer.CARD | FinePer.THROW_CARD:
            number = len(lead)
    return rules.throws.fine * number
