"""A play that was told for what lay there already, or for a mark on an old card, and the real one that is laid after it.

Whoever has played lays no second card before the trick is over, unless he has won it and leads the next one. Where he has not, and what was told of
him was not surely seen, the second card is his play. If this were not put right, it would begin the next trick, and everything after it
would be told one play too early.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import UNKNOWN, Seat, seats_from
from engine.events import CardsPlayed
from vision.laid import SURELY, Play
from vision.looks import Look
from vision.table_card import TableCard
from vision.told import Told

MORE_SECONDS: Final = 1.0
"""Cards that come sooner after a play may belong to it."""


def mistaken(told: Told, seat: Seat, look: Look, new: Sequence[TableCard]) -> bool:
    """What was told for the latest play is none, and what surely lies there now is."""
    play = told.plays[seat]
    if not _in_place_of(play, new):
        return False
    return _old(told, play) or (_weak(play) and look.still - play.t > MORE_SECONDS and not has_won(told, seat))


def left_over(told: Told, seat: Seat, look: Look) -> bool:
    """What lies there was laid by one who has not won the trick before, when no hand had brought its last play yet: it is of that trick.

    A hand may rest for long on what it has laid, so it is not asked since when the last play is seen.
    """
    return seat in told.before and look.still < max(play.began for play in told.before.values())


def real(told: Told, seat: Seat, new: Sequence[TableCard]) -> bool:
    """What is left over from the trick before takes the place of what was told of it there."""
    play = told.before[seat]
    return _in_place_of(play, new) and (_old(told, play) or _weak(play))


def may_lead(told: Told, seat: Seat) -> bool:
    """A seat that has played may lead the next trick though a play of this one was not seen: it has won it, or some card was not surely read."""
    return has_won(told, seat) or any(play.weak(told.ledger, SURELY) for play in told.plays.values())


def has_won(told: Told, seat: Seat) -> bool:
    """A seat has won the running trick, as far as it was seen."""
    lead = told.lead
    if told.what_if is None or lead is None:
        return True
    unseen = [one for one in seats_from(next(iter(told.plays))) if one not in told.plays]
    events = [CardsPlayed(seat=one, trick=told.trick, cards=(UNKNOWN,) * len(lead.slots)) for one in unseen]
    return told.what_if(events)[0].seat is seat


def _in_place_of(play: Play, new: Sequence[TableCard]) -> bool:
    return len(new) == len(play.slots) == len(play.cards) and all(card.ends > 1 for card in new)


def _old(told: Told, play: Play) -> bool:
    """An equal lay before where each card of a play lies, or the pack has no more of it."""
    return all(card.among(play.again) or told.too_many(slot) for card, slot in zip(play.cards, play.slots, strict=True))


def _weak(play: Play) -> bool:
    """No card of a play showed both its ends and was surely read."""
    return all(card.ends < 2 or card.n_best[0][1] < SURELY for card in play.cards)
