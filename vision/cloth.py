"""Is it cloth or does something lie there: colours of the small picture compared with the bare table around the centre.

Colours are compared in even light: how the cloth's own brightness differs from place to place is taken out, and the whitest thing in view (the
sheets of the markers, the cards) is made white, so that a lamp on one side, dim light and a shadow that wanders count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import RANK_OF, SUIT_OF
from vision.calibration import Calibration, Image
from vision.light import Light, Moment
from vision.table_card import WEAK, TableCard
from vision.zones import to_small

PLACE_MM: Final = 85.0
COLOUR: Final = 30.0
BACK_COLOUR: Final = 16.0
"""Nearer than this to the middle colour of the pack's backs (any of blue, green, red) is a back."""
FACE_SHARE: Final = 0.2
"""A card's face is white in more of its area than this, seen three millimetres at a time."""
WHITE: Final = 235.0
"""What the whitest thing in the picture is made."""
WHITE_SHARE: Final = 0.5
"""White is brighter than this share of it."""
TINT: Final = 1.35
"""A lamp's colour differs from white by no more than this factor."""
GAIN: Final = 5.0
COLOURLESS: Final = 45.0
FACE_COLOUR: Final = 28.0
"""Nearer than this to the colour of the deck's faces, where they are not white, is a face."""
FACES_LEAST: Final = 3
FACES_KEPT: Final = 15
"""That colour is believed when so many of the latest number cards have it, and at least half of them."""
MUCH_MM2: Final = 3300.0
THIN_MM: Final = 50.0
SOLID: Final = 0.85
"""Something new of at least so much area and breadth that fills the rectangle around it is cards, whatever colours their pictures have."""
FAR_MM: Final = 300.0
"""Played cards lie nearer to the centre than this; beyond it lie turned tricks."""
OCCUPIED_SHARE: Final = 0.085
"""A packet covers 63 x 88 of 170 x 170 mm, 0.19."""


class Cloth:
    """Knows where the small picture shows bare table.

    :param calibration: of full-size pictures. :param light: how the light falls, kept up to date by the change gate.
    """

    def __init__(self, calibration: Calibration, light: Light) -> None:
        self._calibration, self._size, self._light = calibration, light.size, light
        self._place = self._square(PLACE_MM)
        self._near = self._square(FAR_MM)
        self._back: npt.NDArray[np.float32] | None = None
        self._face: npt.NDArray[np.float32] | None = None
        self._faces: list[npt.NDArray[np.float32] | None] = []
        self._px_per_mm2 = float(self._place.sum()) / (2 * PLACE_MM) ** 2
        self._lit: tuple[Image, Moment, npt.NDArray[np.float32]] | None = None

    def _even(self, small: Image) -> npt.NDArray[np.float32]:
        """A small picture in even white light (BGR)."""
        if self._lit is not None and self._lit[0] is small and self._lit[1] is self._light.now:
            return self._lit[2]
        lit = small / np.exp(self._light.spread(self._light.shade))[..., None]
        some = lit[::3, ::3].reshape(-1, 3)
        low = some.min(1)
        white = some[low >= np.percentile(low, 99.5)].mean(0)
        gain = np.clip(WHITE / np.maximum(white, max(1.0, float(white.max())) / TINT), 0.8, GAIN)
        even = np.asarray(np.minimum(lit * gain, 255.0), np.float32)
        self._lit = (small, self._light.now, even)
        return even

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
        """The cloth's colour (BGR) around the centre, in even light."""
        ring = self._even(small)[self._light.ring]
        return np.asarray(np.median(ring, axis=0) if len(ring) else np.zeros(3), np.float32)

    def occupied(self, small: Image) -> bool:
        """Something of at least half a card's size lies in the bottom's place."""
        place = self._even(small)[self._place]
        return len(place) > 0 and float(self._foreign(place, self.colour(small)).mean()) >= OCCUPIED_SHARE

    def paper(self, small: Image, where: npt.NDArray[np.bool_]) -> float:
        """The share of some pixels (a mask of the small picture) that is as white as cards are: brighter than the cloth, without colour.

        Where this deck's faces have another colour, that counts as well.
        """
        pixels = self._even(small)[where]
        if not len(pixels):
            return 0.0
        low, high = pixels.min(1), pixels.max(1)
        white = (low > max(WHITE_SHARE * WHITE, float(self.colour(small).max()) * 1.15)) & (high - low < COLOURLESS)
        if self._face is not None:
            white |= np.abs(pixels - self._face).max(1) < FACE_COLOUR
        return float(white.mean())

    def learn_face(self, small: Image, cards: Sequence[TableCard]) -> None:
        """Take the colour of this deck's faces from number cards that are surely read, where most of them are not white."""
        for card in cards:
            if card.fresh and card.ends > 1 and card.sure > 0.95 and RANK_OF.get(card.card, "").isdigit():
                inner = self._filled((np.array(card.corners_mm) - card.centre) * 0.8 + card.centre)
                colour = np.median(self._even(small)[inner], axis=0)
                white = float(colour.min()) > WHITE_SHARE * WHITE
                if not white and (_near(colour, self.colour(small)) or (self._back is not None and _near(colour, self._back))):
                    continue
                self._faces = [*self._faces, None if white else np.asarray(colour, np.float32)][-FACES_KEPT:]
        coloured = [colour for colour in self._faces if colour is not None]
        if len(coloured) >= max(FACES_LEAST, len(self._faces) / 2):
            middle = np.asarray(np.median(coloured, axis=0), np.float32)
            self._face = middle if np.mean([_near(colour, middle) for colour in coloured]) > 0.5 else None
        else:
            self._face = None

    def cards(self, small: Image, where: npt.NDArray[np.bool_]) -> float:
        """How much (mm²) of some pixels is covered by something as large and as straight as cards, which is neither cloth nor the backs."""
        even = self._even(small)
        foreign = np.zeros(where.shape, np.uint8)
        foreign[where & self._near] = self._foreign(even[where & self._near], self.colour(small))
        if self._back is not None:
            foreign[np.abs(even - self._back).max(2) < BACK_COLOUR] = 0
        solid = cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        area = 0.0
        for contour in cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            (width, height), filled = cv2.minAreaRect(contour)[1], cv2.contourArea(contour)
            if filled >= MUCH_MM2 * self._px_per_mm2 and min(width, height) >= THIN_MM * self._px_per_mm2**0.5 and filled >= SOLID * width * height:
                area += filled / self._px_per_mm2
        return area

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
        even = self._even(small)
        place = even[self._place]
        lying = where[self._foreign(place, self.colour(small))]
        if len(lying) < 2500 * self._px_per_mm2:
            return
        middle = np.median(lying, axis=0)
        near = np.abs(lying - middle).max(1) < 20 * self._px_per_mm2**0.5
        self._back = np.asarray(np.median(even[tuple(lying[near].T)], axis=0), np.float32)

    def backs(self, small: Image, cards: Sequence[TableCard]) -> tuple[TableCard, ...]:
        """Those of some new cards that are backs, whose ornaments were taken for a joker or a faint index.

        Told by the colour of the pack's backs, by a place that is hardly white, and by lying where turned tricks lie.
        """
        out = []
        even = self._even(small)
        for card in (c for c in cards if c.presence < WEAK or c.card not in SUIT_OF):
            inner = self._filled((np.array(card.corners_mm) - card.centre) * 0.6 + card.centre)
            tinted = self._back is not None and inner.any() and float(np.abs(np.median(even[inner], axis=0) - self._back).max()) < BACK_COLOUR
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
            pixels = self._even(small)[self._filled(np.array(card.corners_mm))]
            if colour is not None and len(pixels) and float(self._foreign(pixels, colour).mean()) < 0.12:
                out.append(card)
        return tuple(out)


def _near(colour: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    return float(np.abs(colour - other).max()) < FACE_COLOUR
