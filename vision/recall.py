"""What the referee's record says was played, as if the camera had told it so: after a fault, an edit by hand, a start in the middle of a match.

Readings come from the events' evidence, which every play keeps; a card that a person has named keeps that face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import FACES, UNKNOWN, Card
from engine.deal_state import Deal
from engine.deal_state import Play as Recorded
from vision.fusion import NBest
from vision.laid import Play, Slot
from vision.opening import Opening
from vision.table_card import TableCard
from vision.told import Told, WhatIf
from vision.zones import Zone

HERE_MM: Final = 3.0
"""Where the evidence says a card lies, and a card is known there, it is that one."""

Record = Callable[[], Deal | None]
"""The deal in hand as the referee has it; None before the first."""


def told_of(deal: Deal, decks: int, what_if: WhatIf | None, known: Mapping[Zone, Sequence[TableCard]]) -> Told:
    """What has been told of a deal, by the record alone.

    :param known: the cards that the zones are known to show.
    """
    told = Told(decks, deal.number, what_if=what_if)
    told.trick = deal.current.number if deal.current is not None else deal.next_number
    for trick in (*deal.tricks, *((deal.current,) if deal.current is not None else ())):
        running = deal.current is not None and trick is deal.current
        plays: dict[Any, Play] = {}
        for recorded in trick.plays:
            if running or recorded.evidence or any(card != UNKNOWN for card in recorded.cards):
                plays[recorded.seat] = _enter(told, deal.number, trick.number, recorded, known.get(Zone(recorded.seat.value), ()))
        if running:
            told.plays = plays
        elif trick.number == told.trick - 1:
            told.before = plays
    return told


def opening_of(deal: Deal, levels: frozenset[str], was: Opening) -> Opening:
    """The beginning of a deal by the record; what only the camera knows (the pack, the hands) stays."""
    opening = Opening(levels, was.last_hand)
    opening.declared = {bid.seat: bid.cards for bid in deal.bids}
    opening.carry(was, taken=bool(deal.taken))
    return opening


def _enter(told: Told, number: int, trick: int, recorded: Recorded, known: Sequence[TableCard]) -> Play:
    """Enter one play."""
    seat, evidence = recorded.seat, recorded.evidence
    slots: list[Slot] = [(number, trick, seat, i) for i in range(len(recorded.cards))]
    readings = _readings(evidence)
    by_hand = bool(evidence.get("corrected"))
    for i, (slot, face) in enumerate(zip(slots, recorded.cards, strict=True)):
        reading = readings[i] if i < len(readings) else ()
        if face == UNKNOWN:
            reading = ()
        told.enter(slot, face, reading, fixed=face != UNKNOWN and (by_hand or face not in dict(reading)))
    told.note(trick, seat, slots, recorded.cards)
    lying: list[TableCard] = []
    for corners, face in zip(_places(evidence), recorded.cards, strict=False):
        if corners is None:
            break
        card = TableCard(((face, 1.0),), corners, ends=2, fresh=False)
        lying.append(next((one for one in known if one.lies_like(card, HERE_MM)), card))
    return Play(slots, lying, list(lying), t=recorded.t)


def _readings(evidence: Mapping[str, Any]) -> list[NBest]:
    """The readings that an event keeps, as far as they are any (a log may hold anything)."""
    out: list[NBest] = []
    rows = evidence.get("n_best")
    for row in rows if isinstance(rows, Sequence) and not isinstance(rows, str) else ():
        try:
            out.append(tuple((Card(face), float(p)) for face, p in row if face in FACES))
        except (TypeError, ValueError):
            out.append(())
    return out


def _places(evidence: Mapping[str, Any]) -> list[tuple[tuple[float, float], ...] | None]:
    """Where an event's cards lie: four corners each (mm)."""
    out: list[tuple[tuple[float, float], ...] | None] = []
    rows = evidence.get("corners_mm")
    for row in rows if isinstance(rows, Sequence) and not isinstance(rows, str) else ():
        try:
            corners = tuple((float(x), float(y)) for x, y in row)
        except (TypeError, ValueError):
            corners = ()
        out.append(corners if len(corners) == 4 else None)
    return out
