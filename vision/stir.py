"""Stirring: after the bottom was buried, level cards or jokers shown by somebody, who then takes it up and buries anew.

Laid by the one who leads they look like the first lead; they are taken up again, and the bottom with them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from engine.cards import Card, Seat
from engine.events import BottomTaken, Corrected, Declared, Event, Source, TakenBack
from vision.expected import Expected
from vision.looks import Look
from vision.opening import Opening, completed, evidence, laid
from vision.told import Told
from vision.zones import SEAT_ZONES, Zone


@dataclass(slots=True)
class Stir:
    """Who has stirred and has not taken the bottom yet, and whether the bottom's place is bare."""

    seat: Seat | None = None
    bare: bool = False

    def shown(self, t: float, expected: Expected, pending: Mapping[Zone, Look], told: Told, opening: Opening) -> tuple[Event | None, Zone | None]:
        """What belongs to stirring, before the first card is led, and the zone that is dealt with by it."""
        centre = pending.get(Zone.CENTRE)
        if centre is not None:
            self.bare = not centre.occupied
        if self.seat is not None and self.bare:
            taker, self.seat = self.seat, None
            return BottomTaken(t=t, seat=taker), None
        for zone in SEAT_ZONES:
            look, seat = pending.get(zone), zone.seat
            if look is None or seat is None or seat is expected.seat or told.plays:
                continue
            cards = laid(look)
            show = Declared(t=t, seat=seat, cards=tuple(c.card for c in cards), evidence=evidence(look, cards))
            if cards:
                show = completed(show, look, told.what_if)
            if self._may(told, opening, show):
                self.seat = seat
                return show, zone
        return None, None

    def taken_up(self, back: TakenBack, told: Told, opening: Opening) -> list[Event]:
        """A lead of the first trick that was taken up again may have been no lead: what is told instead, or nothing.

        Where the bottom has gone with it, a card that hid its equal may be what makes it a declaration.
        """
        none = Corrected(t=back.t, source=Source.INFERRED, seat=back.seat, trick=back.trick, cards=(), by="camera")
        show = Declared(t=back.t, seat=back.seat, cards=back.cards, evidence=back.evidence)
        if not self.bare or told.plays or back.trick != 1:
            return []
        shows = (replace(show, cards=show.cards * copies) for copies in range(1, told.decks + 1 if len(show.cards) == 1 else 2))
        stirs = next((one for one in shows if self._may(told, opening, one, [none])), None)
        if stirs is None:
            return []
        self.seat = back.seat
        return [none, stirs]

    @staticmethod
    def _may(told: Told, opening: Opening, show: Declared, before: Collection[Event] = ()) -> bool:
        """The cards declare, and the rulebook lets them stir."""
        if told.what_if is None or not show.cards or not opening.declares(tuple(Card(c) for c in show.cards)):
            return False
        offences = told.what_if(tuple(before))[1]
        expected, after = told.what_if((*before, show, BottomTaken(t=show.t, seat=show.seat)))
        return after <= offences and str(expected.phase) == "burying"
