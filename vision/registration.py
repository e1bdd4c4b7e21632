"""Watching the camera's place: are the markers where they should be, and if not, where is the table now?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration, CalibrationError, Floats, Image, find_markers, from_markers, moved_mm

EVERY_SECONDS: Final = 0.8
MOVED_MM: Final = 4.0
"""Less than this, above what the calibration itself is off by, is the markers' own noise."""
COARSE_MM: Final = 12.0
"""A calibration is not off by more than this (a lens that nobody measured) when nothing has moved."""
TRIES: Final = 3
"""After so many searches of the whole picture in vain it is searched less often (a hand may cover the markers for long)."""
SELDOM_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Moved:
    """The camera stands elsewhere: how far (mm on the table), and the calibration measured anew, if it could be."""

    moved_mm: float
    calibration: Calibration | None


class Registration:
    """Looks for the markers now and then: for one of them in turn where it should be, and for the others only when it is not there."""

    def __init__(self, t: float = 0.0) -> None:
        self._checked = t
        self._turn = 0
        self._vain = 0
        self._searched = t
        self._astray = False
        self._limit: float | None = None
        self.error_mm: float | None = None

    def check(self, image: Image, t: float, calibration: Calibration) -> Moved | None:
        """What became of the camera's place; None when all is as it was, cannot be told, or was told already."""
        known = sorted(calibration.markers.corners_mm)
        if not known or t - self._checked < EVERY_SECONDS:
            return None
        self._checked = t
        self._turn += 1
        first = known[self._turn % len(known)]
        seen: dict[int, Floats] = {}
        if self._limit is not None:
            seen = self._near(image, calibration, [first])
            if self._at_home(seen, calibration, self._limit):
                self._home()
                return None
        seen |= self._near(image, calibration, [number for number in known if number not in seen])
        self.error_mm = moved_mm(calibration, seen)
        if self._limit is None and self.error_mm is not None and self.error_mm < COARSE_MM:
            self._limit = MOVED_MM + self.error_mm
        limit = self._limit if self._limit is not None else MOVED_MM
        if self.error_mm is not None and self.error_mm < limit:
            self._home()
            return None
        if self._vain >= TRIES and t - self._searched < SELDOM_SECONDS:
            return None
        self._searched = t
        return self._search(image, calibration, limit)

    def _home(self) -> None:
        self._vain, self._astray = 0, False

    def _at_home(self, seen: dict[int, Floats], calibration: Calibration, limit: float) -> bool:
        """Every marker seen lies at its place."""
        if not seen:
            return False
        away = [np.linalg.norm(calibration.to_mm(px) - np.asarray(calibration.markers.corners_mm[i]), axis=1).mean() for i, px in seen.items()]
        return float(max(away)) < limit

    def _search(self, image: Image, calibration: Calibration, limit: float) -> Moved | None:
        """Look for the markers in the whole picture and measure anew."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        seen = {i: px for i, px in find_markers(grey, calibration.markers.family).items() if i in calibration.markers.corners_mm}
        far = moved_mm(calibration, seen)
        if far is None or far < limit:
            self._vain += 1
            return None
        self.error_mm = far
        try:
            found, error = from_markers(grey, calibration.markers, (calibration.matrix, calibration.distortion), least=3)
        except CalibrationError:
            found, error = calibration, float("inf")
        if error > limit:
            self._vain += 1
            if self._astray:
                return None
            self._astray = True
            return Moved(far, None)
        self._home()
        return Moved(far, replace(calibration, homography=found.homography))

    def _near(self, image: Image, calibration: Calibration, numbers: Iterable[int]) -> dict[int, Floats]:
        """Some markers, found at their own places, a marker's width around."""
        height, width = image.shape[:2]
        out: dict[int, Floats] = {}
        for number in numbers:
            px = calibration.to_px(calibration.markers.corners_mm[number])
            if not np.isfinite(px).all():
                continue
            reach = float(np.ptp(px, axis=0).max()) * 0.8
            x0, y0 = np.maximum(px.min(0) - reach, 0).astype(int)
            x1, y1 = np.minimum(px.max(0) + reach, (width, height)).astype(int)
            if x1 - x0 < 16 or y1 - y0 < 16:
                continue
            grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(image[y0:y1, x0:x1]), cv2.COLOR_BGR2GRAY), np.uint8)
            found = find_markers(grey, calibration.markers.family)
            if number in found:
                out[number] = found[number] + (x0, y0)
        return out
