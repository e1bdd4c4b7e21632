"""Whether a picture shows anything: black, too dark, covered, or frozen. Works on the small pictures of the change gate."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.calibration import Image

BLACK: Final = 25.0
DARK: Final = 45.0
"""Grey level of the brightest hundredth, below which a white card cannot be read."""
FLAT: Final = 7.0
"""Spread of the grey levels below which nothing is seen in a picture."""
OTHER: Final = 30.0
FROZEN_SECONDS: Final = 10.0
POP: Final = 1.5
"""Mean grey levels by which the key pictures of a frozen film may differ from those between them."""

_BLACK: Final = "画面全黑：没有光，或镜头被盖住 / the picture is black: no light, or the lens is covered"
_DARK: Final = "画面太暗，看不清牌：请开灯 / the picture is too dark to read cards: switch a lamp on"
_COVERED: Final = "镜头被遮住 / the lens is covered"
_FROZEN: Final = "画面冻结 / the picture is frozen"


class Sight:
    """Looks at one camera's pictures, one after another."""

    def __init__(self) -> None:
        self._before: Image | None = None
        self._same = False
        self._fresh_t: float | None = None
        self._level: float | None = None
        self._spread = 0.0
        self.since = 0.0

    def blind(self, small: Image, t: float) -> str | None:
        """Why nothing is seen in this picture at ``t`` (s), in Chinese and English; None when something is. :attr:`since` tells from when on."""
        reason = self._dull(small)
        if reason is not None:
            self._fresh_t = None
            return reason
        reason = self._still(small, t)
        if reason is None:
            self.since = t
        return reason

    def _dull(self, small: Image) -> str | None:
        grey = cv2.cvtColor(np.ascontiguousarray(small[::4, ::4]), cv2.COLOR_BGR2GRAY)
        bright = float(np.searchsorted(np.cumsum(np.bincount(grey.ravel(), minlength=256)), 0.99 * grey.size))
        mean, deviation = cv2.meanStdDev(grey)
        level, spread = float(mean[0, 0]), float(deviation[0, 0])
        if bright < BLACK:
            return _BLACK
        if bright < DARK:
            return _DARK
        if self._level is not None and spread < FLAT and self._spread > 2 * FLAT and abs(level - self._level) > OTHER:
            return _COVERED
        if self._level is None:
            self._level, self._spread = level, spread
        self._level += 0.05 * (level - self._level)
        self._spread += 0.05 * (spread - self._spread)
        return None

    def _still(self, small: Image, t: float) -> str | None:
        """Frozen: the same picture for long. A film's key pictures differ a little from those between them; two such in a row are life."""
        before, self._before = self._before, small
        if before is None or before.shape != small.shape or self._fresh_t is None:
            self._fresh_t = t
            return None
        same = bool(np.array_equal(before, small))
        alive = not same and (not self._same or float(np.abs(before[::4, ::4].astype(np.int16) - small[::4, ::4]).mean()) > POP)
        self._same = same
        if alive:
            self._fresh_t = t
        if t - self._fresh_t <= FROZEN_SECONDS:
            return None
        self.since = min(self.since, self._fresh_t)
        return _FROZEN
