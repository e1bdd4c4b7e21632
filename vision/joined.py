"""Pictures that begin in the middle of a deal: plays lie there already, or are laid one after another while cards should be drawn.

Nothing is concluded from such cards, above all no declaration: whoever plays a level card has not declared with it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import RANK_OF, Seat
from engine.events import Declared
from vision.looks import Look
from vision.opening import Opening, laid
from vision.table_card import CLEAR, TableCard
from vision.told import WhatIf
from vision.zones import SEAT_ZONES, Zone

FACES: Final = 2
"""So many faces before the seats in the first picture are plays."""
SEATS_LAID: Final = 3
PLAIN: Final = 2
"""Cards of so many seats, of which so many declare nothing, are a trick."""
TRICK_SECONDS: Final = 40.0
"""They are laid within so long."""
SURE: Final = 0.7
HELD_SECONDS: Final = 6.0
"""A declaration that would be an offence waits so long for the others' plays, while nobody draws."""
DRAWING: Final = 0.2
"""The pack is being drawn when the centre moves in such a share of the time."""
DRAW_SECONDS: Final = 5.0


@dataclass(slots=True)
class Joined:
    """What speaks for a deal that began before the pictures: who has laid cards (when), and which of them declare nothing.

    ``first``: it is the first deal that is seen, which may have begun before.
    """

    first: bool = True
    laid: dict[Seat, float] = field(default_factory=dict)
    plain: set[Seat] = field(default_factory=set)
    _drawn: float = 0.0
    _t: float = 0.0
    _looks: set[tuple[Seat, float]] = field(default_factory=set)

    @staticmethod
    def lies(cards: Collection[TableCard]) -> bool:
        """These faces lay before the seats in the first picture, so plays do."""
        return sum(card.sound and card.n_best[0][1] >= CLEAR for card in cards) >= FACES

    def shown(self, t: float, pending: Mapping[Zone, Look], opening: Opening) -> bool:
        """A trick is being played though cards should be drawn."""
        for zone in SEAT_ZONES:
            look, seat = pending.get(zone), zone.seat
            if look is None or seat is None or (seat, look.still) in self._looks:
                continue
            cards = laid(look)
            if cards:
                self._looks.add((seat, look.still))
                self.laid[seat] = look.still
                known = [card.card for card in cards if card.sure >= SURE]
                if known and not opening.declares(known) and any(face in RANK_OF for face in known):
                    self.plain.add(seat)
        self.laid = {seat: at for seat, at in self.laid.items() if t - at < TRICK_SECONDS}
        self.plain &= self.laid.keys()
        return len(self.laid) >= SEATS_LAID and len(self.plain) >= PLAIN

    def drawing(self, t: float, *, moves: bool) -> None:
        """Take in whether the centre moves now, as it does again and again while cards are drawn."""
        share = 1 - math.exp(-max(0.0, t - self._t) / DRAW_SECONDS)
        self._t, self._drawn = t, self._drawn + share * (moves - self._drawn)

    def held(self, t: float, pending: Mapping[Zone, Look], opening: Opening, what_if: WhatIf | None) -> set[Zone]:
        """Where cards lie that would be an offence if they declared, and may be plays."""
        if not self.first or what_if is None or self._drawn >= DRAWING:
            return set()
        out = set()
        for zone in SEAT_ZONES:
            look, seat = pending.get(zone), zone.seat
            cards = tuple(card.card for card in laid(look)) if look is not None and t - look.still < HELD_SECONDS else ()
            if seat is not None and cards and opening.declares(cards) and what_if((Declared(t=t, seat=seat, cards=cards),))[1] > what_if(())[1]:
                out.add(zone)
        return out
