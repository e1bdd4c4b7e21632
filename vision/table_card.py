"""A card on the table in millimetres, as read, and what it takes to believe in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import UNKNOWN, Card
from vision.zones import OUT, Zone

SAME_MM: Final = 10.0
"""Two frames' readings of one card lie nearer than this (a lone index predicts its card's centre to about 6 mm)."""
SAME_DEG: Final = 20.0
WEAK: Final = 0.5
"""A card this sure to be there is a card; below, its face must be clear and every frame must have it."""
FAINT: Final = 0.15
CLEAR: Final = 0.8
LIKELY: Final = 0.55
FIRM: Final = 0.9
ASKEW_DEG: Final = 32.0
"""Whoever lays a card with his hand turns it no farther from his own direction than this."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card on the table.

    ``n_best`` faces with probabilities, best first; ``corners_mm`` clockwise from the corner of the index that was read
    (4 points); ``presence``: how surely a card is there, whichever it is; ``share`` of the frames in which it was found;
    ``fresh``: it was not there before; ``ends`` of its two indices were read, at ``places`` (mm), the surer one first.
    """

    n_best: tuple[tuple[Card, float], ...]
    corners_mm: tuple[tuple[float, float], ...]
    presence: float = 1.0
    share: float = 1.0
    fresh: bool = True
    ends: int = 1
    places: tuple[tuple[float, float], ...] = ()

    @property
    def card(self) -> Card:
        """The likeliest face."""
        return self.n_best[0][0] if self.n_best else UNKNOWN

    @property
    def sure(self) -> float:
        """How surely it is there and is this one."""
        return self.presence * (self.n_best[0][1] if self.n_best else 0.0)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the card (mm)."""
        n = len(self.corners_mm)
        return sum(p[0] for p in self.corners_mm) / n, sum(p[1] for p in self.corners_mm) / n

    @property
    def heading(self) -> float:
        """The direction of the card's upper edge, as seen from the index that was read, in degrees, 0..360."""
        (x0, y0), (x1, y1) = self.corners_mm[0], self.corners_mm[1]
        return math.degrees(math.atan2(y1 - y0, x1 - x0)) % 360.0

    @property
    def angle(self) -> float:
        """The same, 0..180: a card turned upside down lies the same."""
        return self.heading % 180.0

    def lies_like(self, other: TableCard, within_mm: float = SAME_MM) -> bool:
        """Both lie at one place in one direction."""
        turn = abs(self.angle - other.angle) % 180.0
        return math.dist(self.centre, other.centre) <= within_mm and min(turn, 180.0 - turn) <= SAME_DEG

    @property
    def sound(self) -> bool:
        """Enough was seen of it to take it for a card without anything being expected."""
        if self.presence >= WEAK:
            return self.share > 0.6 and (self.ends > 1 or self.n_best[0][1] >= LIKELY)
        return self.presence >= FAINT and self.share >= 0.99 and self.n_best[0][1] >= CLEAR

    @property
    def firm(self) -> bool:
        """So much was seen of it that it is not left out even where one card fewer is expected."""
        return self.share > 0.6 and (self.ends > 1 or self.presence >= FIRM)

    def among(self, cards: Sequence[TableCard]) -> bool:
        """It is one of these (the same reading of it)."""
        return any(self is other or (self.corners_mm == other.corners_mm and self.n_best == other.n_best) for other in cards)

    def still_in(self, cards: Sequence[TableCard]) -> bool:
        """It is there unchanged among what is seen now."""
        return any(not c.fresh and c.card == self.card and c.lies_like(self) for c in cards)

    def card_of(self, cards: Sequence[TableCard]) -> bool:
        """It is the other end of an old card that is seen there."""
        return any(not c.fresh and c.card == self.card and c.ends == 1 and c.lies_like(self) for c in cards)

    def distance(self, other: TableCard) -> float:
        """From middle to middle (mm)."""
        return math.dist(self.centre, other.centre)


def askew(card: TableCard, zone: Zone) -> bool:
    """A whole card lies as nobody lays one before that seat: it may have been dropped."""
    if card.ends < 2 or zone.seat is None:
        return False
    turn = abs(card.angle - (90.0 if OUT[zone][0] else 0.0)) % 180.0
    return min(turn, 180.0 - turn) > ASKEW_DEG


def best_faces(n_best: Sequence[tuple[Card, float]], keep: int = 5) -> list[list[Any]]:
    """Faces with probabilities as an event's evidence holds them."""
    return [[face, round(p, 4)] for face, p in n_best[:keep]]
