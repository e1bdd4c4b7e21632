"""What a zone shows: from a recogniser's cards in pixels to cards on the table in millimetres."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from engine.cards import Card
from tests.vision.toy import H as HIGH
from tests.vision.toy import W as WIDE
from tests.vision.toy import toy_calibration
from vision.calibration import Image
from vision.looks import read_frame
from vision.zones import Zone

CALIBRATION = toy_calibration()
W, H = CALIBRATION.card_mm
CENTRE = np.array([5.0, -220.0])
S2 = Card("S2")
CORNERS = ("left of the upper side", "right of the upper side", "right of the lower side", "left of the lower side")
"""Where a deck with four indices prints them."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A card as a recogniser gives it: the indices of some corners, in some order, the corners seen from the first of them."""

    order: tuple[int, ...]
    card: Card = S2
    confidence: float = 0.95

    @property
    def n_best(self) -> Sequence[tuple[Card, float]]:
        return ((self.card, 0.98), (Card("C2"), 0.02))

    @property
    def corners_px(self) -> Sequence[Sequence[float]]:
        mm = CENTRE + np.array([[-W, -H], [W, -H], [W, H], [-W, H]]) / 2
        # Seen from an index of the lower side the card stands on its head.
        return [tuple(map(float, p)) for p in CALIBRATION.to_px(np.roll(mm, 2 * (self.order[0] > 1), 0))]

    @property
    def indices_px(self) -> Sequence[Sequence[float]]:
        at = CENTRE + np.array([[-24.0, -32.0], [24.0, -32.0], [24.0, 32.0], [-24.0, 32.0]])
        px = CALIBRATION.to_px(at[list(self.order)])
        return [(float(x - 9), float(y - 14), float(x + 9), float(y + 14)) for x, y in px]


@dataclass(frozen=True, slots=True)
class One:
    """A recogniser that sees one card."""

    seen: Printed

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> Sequence[Printed]:
        return [self.seen]


@pytest.mark.parametrize("order", [o for n in (2, 3, 4) for o in itertools.permutations(range(4), n)])
def test_a_card_that_shows_several_of_four_indices_is_one_card_whichever_are_the_surest(order: tuple[int, ...]) -> None:
    picture = np.zeros((HIGH, WIDE, 3), np.uint8)
    (card,) = read_frame(One(Printed(order)), picture, None, (0, 0, WIDE, HIGH), Zone.N, CALIBRATION)
    assert card.centre == pytest.approx(tuple(CENTRE), abs=8)
    assert abs(card.heading % 180) < 9 or abs(card.heading % 180) > 171
