"""Digging: what the winner of the last trick takes from the bottom, or from the trick itself where there is no bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.beat import trick_points, winner_in
from engine.cards import Card, Seat, Trump, points_of, seats_from
from engine.order import TRUMPS, Order, order_of
from engine.piles import Shape
from engine.rulebook import Digging, Rulebook
from engine.rulebook_terms import DigBasis, DigBy, Diggers, Digs, DigSuits, Growth
from engine.shapes import of_one_group, read_in


@dataclass(frozen=True, slots=True)
class DigResult:
    """The winner of the last trick, the multiplier (0: nothing is dug) and the points added to the attackers (may be negative)."""

    winner: Seat
    multiplier: int
    points: int


def unit_multiplier(digging: Digging, width: int, length: int) -> int:
    """The multiplier of one unit: by its shape, by its cards, or fixed.

    A tractor of more pairs grows from the two-pair tractor (doubling or adding); a bulldozer counts as the pairs that its cards would make.
    """
    match digging.by:
        case DigBy.FIXED:
            return digging.fixed
        case DigBy.COUNT:
            return digging.per_card * width * length
        case DigBy.SHAPE:
            if length == 1:
                return (digging.single, digging.pair, digging.triple, digging.quad)[min(width, 4) - 1]
            further = max(0, width * length // 2 - 2)
            if digging.growth is Growth.DOUBLE:
                return digging.tractor << further
            return digging.tractor + digging.growth_add * further


def multiplier(rules: Rulebook, trump: Trump | None, play: Sequence[Card]) -> int:
    """The multiplier of a play that wins the last trick, if its side may dig with it; 0 for a suit that does not dig."""
    order = order_of(rules, trump)
    digging = rules.digging
    if digging.digs is Digs.NOTHING or (digging.suits is DigSuits.TRUMP and any(order.group[card] != TRUMPS for card in play)):
        return 0
    if digging.basis is DigBasis.WHOLE_PLAY:
        return digging.per_card * len(play) if digging.by is DigBy.COUNT else unit_multiplier(digging, len(play), 1)
    return max(unit_multiplier(digging, width, length) for width, length in _shapes(order, play))


def _shapes(order: Order, play: Sequence[Card]) -> list[Shape]:
    """The shapes of the winning play; single cards where it cannot be read (a lead of several suits that stood)."""
    if not of_one_group(order, play):
        return [(1, 1)]
    return [unit.shape for unit in read_in(order, play)]


def dig(
    rules: Rulebook,
    trump: Trump | None,
    declarer: Seat,
    leader: Seat,
    plays: Sequence[Sequence[Card]],
    bottom: Sequence[Card],
    burier: Seat | None = None,
) -> DigResult:
    """Reckon the last trick.

    :param plays: the last trick from its leader on.
    :param bottom: the buried cards (empty in a game without a bottom).
    :param burier: who buried last, where that is not the declarer (a stirred bottom).
    """
    order = order_of(rules, trump)
    at = winner_in(order, plays)
    seat = seats_from(leader)[at]
    digging = rules.digging
    attackers = seat.team is not declarer.team
    size = max(w * n for w, n in _shapes(order, plays[at])) if digging.basis is DigBasis.LARGEST_UNIT else len(plays[at])
    sign = _sign(digging, attackers, (burier or declarer).team is seat.team, (burier or declarer).team is declarer.team)
    if sign == 0 or (sign < 0 and size < digging.declarers_from):
        return DigResult(seat, 0, 0)
    factor = multiplier(rules, trump, plays[at])
    base = trick_points(plays) if digging.digs is Digs.LAST_TRICK else points_of(bottom)
    return DigResult(seat, factor, sign * factor * base)


def _sign(digging: Digging, attackers: bool, own_bottom: bool, declarers_buried: bool) -> int:
    """Whether the winner's side digs for the attackers (1), against them (-1) or not at all (0).

    Against the one who buried last (school-2deck-2J-must: 底分如果没有守住，在所得分中减去底分): declarers who win dig only a bottom
    that the attackers buried.
    """
    match digging.who:
        case Diggers.ATTACKERS:
            return 1 if attackers else 0
        case Diggers.BOTH:
            return 1 if attackers else -1
        case Diggers.AGAINST_BURIER:
            if own_bottom:
                return 0
            return 1 if declarers_buried else -1
