"""Is it cloth or does something lie there: colours of the small picture compared with the bare table around the centre."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import SUIT_OF
from vision.calibration import Calibration, Image
from vision.table_card import WEAK, TableCard
from vision.zones import to_small

RING_MM: Final = (128.0, 162.0)
"""Between the bottom's place and the played cards the table is bare."""
PLACE_MM: Final = 85.0
COLOUR: Final = 30.0
BACK_COLOUR: Final = 16.0
"""Nearer than this to the middle colour of the pack's backs (any of blue, green, red) is a back."""
FACE_SHARE: Final = 0.2
"""A card's face is white in more of its area than this, seen three millimetres at a time."""
WHITE_SHARE: Final = 0.48
"""White is brighter than this share of the brightest thing in the picture (the sheets of the markers, the cards), so that dim light is as good."""
FAR_MM: Final = 300.0
"""Played cards lie nearer to the centre than this; beyond it lie turned tricks."""
OCCUPIED_SHARE: Final = 0.085
"""A packet covers 63 x 88 of 170 x 170 mm, 0.19."""


class Cloth:
    """Knows where the small picture shows bare table.

    :param calibration: of full-size pictures. :param size: width, height of the small picture.
    """

    def __init__(self, calibration: Calibration, size: tuple[int, int]) -> None:
        self._calibration, self._size = calibration, size
        self._ring = self._square(RING_MM[1]) & ~self._square(RING_MM[0])
        self._place = self._square(PLACE_MM)
        self._back: npt.NDArray[np.float32] | None = None
        self._px_per_mm2 = float(self._place.sum()) / (2 * PLACE_MM) ** 2

    def _square(self, half: float) -> npt.NDArray[np.bool_]:
        return self._filled(np.array([[-half, -half], [half, -half], [half, half], [-half, half]]))

    def _filled(self, points_mm: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        mask = np.zeros((self._size[1], self._size[0]), np.uint8)
        cv2.fillPoly(mask, [to_small(self._calibration, points_mm, self._size).reshape(-1, 1, 2)], 1)
        return mask.astype(bool)

    def _foreign(self, pixels: npt.NDArray[np.float32], cloth: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Which pixels (n, 3) are not cloth: another colour, after the best common brightness is taken out within a quarter."""
        gain = np.clip(pixels.sum(1) / max(1.0, float(cloth.sum())), 0.75, 1.3)[:, None]
        return np.asarray(np.abs(pixels - cloth * gain).max(1) > COLOUR, np.bool_)

    def colour(self, small: Image) -> npt.NDArray[np.float32]:
        """The cloth's colour (BGR) around the centre."""
        ring = small[self._ring]
        return np.asarray(np.median(ring, axis=0) if len(ring) else np.zeros(3), np.float32)

    def occupied(self, small: Image) -> bool:
        """Something of at least half a card's size lies in the bottom's place."""
        place = small[self._place].astype(np.float32)
        return len(place) > 0 and float(self._foreign(place, self.colour(small)).mean()) >= OCCUPIED_SHARE

    def paper(self, small: Image, where: npt.NDArray[np.bool_]) -> float:
        """The share of some pixels (a mask of the small picture) that is as white as cards are: brighter than the cloth, without colour."""
        pixels = small[where].astype(np.float32)
        if not len(pixels):
            return 0.0
        low, high = pixels.min(1), pixels.max(1)
        brightest = float(np.percentile(small[::3, ::3].min(-1), 99.5))
        return float(((low > max(WHITE_SHARE * brightest, float(self.colour(small).max()) * 1.15)) & (high - low < 45)).mean())

    def loose(self, small: Image, where: npt.NDArray[np.bool_], outlines: Sequence[npt.NDArray[np.int32]]) -> float:
        """How much (mm²) of some pixels is as white as cards are and lies in none of the outlines, nor just beside one."""
        covered = np.zeros((self._size[1], self._size[0]), np.uint8)
        for points in outlines:
            cv2.fillPoly(covered, [points.reshape(-1, 1, 2)], 1)
        rest = where & ~(cv2.dilate(covered, np.ones((3, 3), np.uint8)) > 0)
        return self.paper(small, rest) * float(np.count_nonzero(rest)) / self._px_per_mm2

    def learn_back(self, small: Image) -> None:
        """Take the colour of this deck's backs from the pack in the centre, as long as cards are drawn from it."""
        where = np.argwhere(self._place)
        place = small[self._place].astype(np.float32)
        lying = where[self._foreign(place, self.colour(small))]
        if len(lying) < 2500 * self._px_per_mm2:
            return
        middle = np.median(lying, axis=0)
        near = np.abs(lying - middle).max(1) < 20 * self._px_per_mm2**0.5
        self._back = np.asarray(np.median(small[tuple(lying[near].T)], axis=0), np.float32)

    def backs(self, small: Image, cards: Sequence[TableCard]) -> tuple[TableCard, ...]:
        """Those of some new cards that are backs, whose ornaments were taken for a joker or a faint index.

        Told by the colour of the pack's backs, by a place that is hardly white, and by lying where turned tricks lie.
        """
        out = []
        for card in (c for c in cards if c.presence < WEAK or c.card not in SUIT_OF):
            inner = self._filled((np.array(card.corners_mm) - card.centre) * 0.6 + card.centre)
            tinted = self._back is not None and inner.any() and float(np.abs(np.median(small[inner], axis=0) - self._back).max()) < BACK_COLOUR
            dark = self.paper(small, self._filled(np.array(card.corners_mm))) < FACE_SHARE
            far = max(abs(card.centre[0]), abs(card.centre[1])) > FAR_MM and card.presence < 0.75
            if tinted or dark or far:
                out.append(card)
        return tuple(out)

    def bare(self, small: Image, cards: Sequence[TableCard]) -> tuple[TableCard, ...]:
        """Those of some cards whose place shows nothing but cloth."""
        out = []
        colour = self.colour(small) if cards else None
        for card in cards:
            pixels = small[self._filled(np.array(card.corners_mm))].astype(np.float32)
            if colour is not None and len(pixels) and float(self._foreign(pixels, colour).mean()) < 0.12:
                out.append(card)
        return tuple(out)
