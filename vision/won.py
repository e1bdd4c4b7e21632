"""Who leads next has won: what that tells of cards of the trick before that were misread, or that nobody could read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from engine.cards import UNKNOWN, Card, Seat
from engine.events import Corrected, Source
from vision.fusion import NBest
from vision.guess import upside_down, ways
from vision.laid import SURELY, Slot
from vision.told import LED, Told

POSSIBLE: Final = 0.02
LEADS: Final = 8.0
"""How much dearer a face is with which another would lead than the one who does."""
SPARE: Final = 2
"""Plays that show a card more than was told of them, for their number to be doubted."""


def rethink(told: Told, seat: Seat, *, followed: bool = False) -> bool:
    """A seat leads although another was thought to have won: was a card of the trick before misread, with which the seat has won it?

    A reading that the recogniser itself held for possible is taken then, and told as a correction; it ranks above a lead out of turn, which
    is rarer, and nothing is taken that was not read.

    :param followed: the player after the seat has followed it: where no reading explains it, the least sure card that does is not known.
    """
    if told.what_if is None:
        return False
    best: tuple[float, Slot, Card] | None = None
    for other, play in told.before.items():
        for i, slot in enumerate(play.slots):
            reading, now = dict(told.ledger.readings.get(slot, ())), told.ledger.faces.get(slot, UNKNOWN)
            for face, p in reading.items():
                if face == now or p < POSSIBLE or slot in told.ledger.fixed or (best is not None and p <= best[0]):
                    continue
                faces = tuple(face if j == i else told.ledger.faces[s] for j, s in enumerate(play.slots))
                event = Corrected(source=Source.INFERRED, seat=other, trick=told.trick - 1, cards=faces, by="camera")
                expected, _ = told.what_if((event,))
                if expected.seat is seat and expected.trick == told.trick:
                    best = (p, slot, face)
    if best is None:
        return followed and _doubt(told, seat)
    p, slot, face = best
    if p < LED:
        told.prefer(slot, face, p)
    if told.ledger.faces[slot] not in (face, UNKNOWN):
        # The pack has no copy of it left: then another card was misread that was taken for one.
        told.ledger.rather(slot, face, LEADS)
    return told.ledger.faces[slot] == face


def _doubt(told: Told, seat: Seat) -> bool:
    """The others follow a seat, so it has won: of the trick before, the least sure card that speaks against it is not known."""
    slots = [slot for play in told.before.values() for slot in play.slots if told.ledger.faces[slot] != UNKNOWN]
    read = [(told.ledger.readings[slot][0][1], slot) for slot in slots if told.ledger.readings[slot] and slot not in told.ledger.fixed]
    for p, slot in sorted(read, key=lambda one: one[0]):
        face = told.ledger.faces[slot]
        if p < SURELY and _would_lead(told, seat, {slot: ((UNKNOWN, 1.0),)}):
            told.ledger.barred.add((slot, face))
            told.ledger.faces[slot] = UNKNOWN
            return True
        turned = upside_down(face)
        if p < SURELY and turned is not None and _would_lead(told, seat, {slot: ((turned, 1.0),)}):
            told.prefer(slot, turned, 0.0)
            return True
    return False


def guess(told: Told, seat: Seat, leads: Collection[Card] = ()) -> bool:
    """A seat leads although another was thought to have won: where its last play could not be read, that play has won.

    This is a guess and is told as one (:mod:`vision.guess`). A play that was read is never changed for it, so a lead out of turn stays one.
    What the seat ``leads`` now is guessed last: two equal jokers of one hand would look like a pair that was withheld.
    """
    last, trick = told.before.get(seat), told.trick - 1
    if last is None or (trick, seat) in told.guessed:
        return False
    leader, lead = next(iter(told.before.items()))
    own, first = ([slot for slot in play.slots if told.ledger.faces.get(slot) == UNKNOWN] for play in (last, lead))
    beside = dict.fromkeys(told.ledger.faces[slot] for slot in reversed(lead.slots) if slot not in first and lead is not last)
    found = ways(own, first, beside, lambda face: told.decks - told.count(face), leads)
    taken = next((way for way in found if _would_lead(told, seat, way)), found[0] if own and found else None)
    if taken is None:
        return False
    told.guessed |= {(trick, seat): own, **({(trick, leader): first} if any(slot in taken for slot in first) else {})}
    told.ledger.put(dict(taken), guessed=True)
    return True


def renumber(told: Told, seat: Seat) -> bool:
    """A seat leads although another was thought to have won: with one card more in each play it has, and two plays at least show one more.

    The trick before is told anew then, with the cards that were left out of it; those that nobody saw are unknown.
    """
    plays = told.before
    if told.what_if is None or not plays or sum(bool(play.spare) for play in plays.values()) < SPARE:
        return False
    count = 1 + len(next(iter(plays.values())).slots)
    events = []
    for other, play in plays.items():
        more = [card.card for card in play.spare] + [UNKNOWN] * count
        faces = tuple([*(told.ledger.faces[slot] for slot in play.slots), *more][:count])
        events.append(Corrected(source=Source.INFERRED, seat=other, trick=told.trick - 1, cards=faces, by="camera"))
    if told.what_if(events)[0].seat is not seat:
        return False
    for play in plays.values():
        told.resize(play, count)
    return True


def _would_lead(told: Told, seat: Seat, way: Mapping[Slot, NBest]) -> bool:
    events = []
    for other, play in told.before.items():
        if any(slot in way for slot in play.slots):
            faces = tuple(way[slot][0][0] if slot in way else told.ledger.faces[slot] for slot in play.slots)
            events.append(Corrected(source=Source.INFERRED, seat=other, trick=told.trick - 1, cards=faces, by="camera"))
    return told.what_if is not None and told.what_if(events)[0].seat is seat
