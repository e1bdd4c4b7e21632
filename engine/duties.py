"""Before a deal: who shuffles, who cuts, who draws the first card, and whether a hand may ask for a new deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import POINTS, RANK_INDEX, RANK_OF, SEATS, Card, Seat, Team, Trump, seats_from
from engine.order import TRUMPS, order_of
from engine.rulebook import Rulebook
from engine.rulebook_terms import FirstDraw, Shuffler, Side
from engine.rulings import MatchState, reckon

_PIPS: Final[Mapping[str, int]] = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10, "J": 11, "Q": 12, "K": 13}
"""How far one counts by a flipped card."""


@dataclass(frozen=True, slots=True)
class Duties:
    """Who shuffles and who cuts (any one of these seats), and who draws first (None: a card decides, or the players agree)."""

    shuffle: tuple[Seat, ...]
    cut: tuple[Seat, ...]
    first: Seat | None


def duties(state: MatchState, drew_first: Seat | None = None) -> Duties:
    """The duties before the next deal (the one in hand, where it has no cards yet).

    :param drew_first: who drew first in the deal before, where the first draw goes round.
    """
    closed = [deal for deal in state.deals if reckon(state, deal) is not None]
    last = closed[-1] if closed else None
    declarer = state.deal.fixed if state.deal is not None and not state.deal.facts else None
    won: Team | None = None
    if last is not None and last.declarer is not None:
        reckoning = reckon(state, last)
        if reckoning is not None:
            declarer = declarer or reckoning.next_declarer
            won = last.declarer.team if reckoning.scored.stage is Side.DECLARERS else last.declarer.team.other
    pack = state.rules.pack
    draws = first_draw(state.rules, declarer, drew_first) if last is not None else None
    return Duties(hands_for(pack.shuffles, declarer, won), hands_for(pack.cuts, declarer, won), draws)


def hands_for(who: Shuffler, declarer: Seat | None, won: Team | None) -> tuple[Seat, ...]:
    """The seats that shuffle or cut; all where it is not known yet whose task it is.

    :param declarer: the declarer of the deal to come.
    :param won: the side that won the last deal.
    """
    if won is not None and who in (Shuffler.WINNERS, Shuffler.LOSERS):
        return _side(won if who is Shuffler.WINNERS else won.other)
    if declarer is not None:
        match who:
            case Shuffler.DECLARER:
                return (declarer,)
            case Shuffler.DECLARERS_PARTNER:
                return (declarer.partner,)
            case Shuffler.DECLARERS_LEFT:
                return (seats_from(declarer)[3],)
            case Shuffler.ATTACKERS:
                return _side(declarer.team.other)
            case _:
                pass
    return SEATS


def _side(team: Team) -> tuple[Seat, ...]:
    return tuple(seat for seat in SEATS if seat.team is team)


def first_draw(rules: Rulebook, declarer: Seat | None, drew_first: Seat | None = None) -> Seat | None:
    """Who draws first in a later deal; None where that is not settled by who plays what (rulebook: pack.later_draw)."""
    match rules.pack.later_draw:
        case FirstDraw.DECLARER:
            return declarer
        case FirstDraw.ROTATION:
            return seats_from(drew_first)[1] if drew_first is not None else None
        case _:
            return None


def first_draw_by_cards(rules: Rulebook, shown: Mapping[Seat, Card]) -> Seat | None:
    """Who draws first in the first deal, by the cards shown; None where they do not settle it (equal cards, a joker that cannot be counted).

    :param shown: the card of the seat that flipped one, where one counts from it by its pips (the ace is 1); else the card of every seat, of which
        the highest draws first.
    """
    if rules.pack.first_draw is FirstDraw.FLIPPED and len(shown) == 1:
        ((seat, card),) = shown.items()
        pips = _PIPS.get(str(RANK_OF.get(card, "")))
        return None if pips is None else seats_from(seat)[(pips - 1) % len(SEATS)]
    if rules.pack.first_draw is not FirstDraw.HIGHEST or not shown:
        return None
    height = {seat: _height(card) for seat, card in shown.items()}
    best = [seat for seat in shown if height[seat] == max(height.values())]
    return best[0] if len(best) == 1 else None


def _height(card: Card) -> int:
    jokers = {"LJ": len(RANK_INDEX) + 1, "BJ": len(RANK_INDEX) + 2}
    return jokers[card] if card in jokers else RANK_INDEX[RANK_OF[card]]


def may_redeal(rules: Rulebook, trump: Trump, hand: Sequence[Card]) -> bool:
    """Whether a hand without trumps or without points may ask for a new deal (造反; rulebook: pack.bad_hand_redeals)."""
    group = order_of(rules, trump).group
    return rules.pack.bad_hand_redeals and (all(group[card] != TRUMPS for card in hand) or not any(POINTS[card] for card in hand))
