"""Watching the camera's place: are the markers where they should be, and if not, where is the table now?"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration, CalibrationError, Floats, Image, find_markers, from_markers, moved_mm

EVERY_SECONDS: Final = 1.0
MOVED_MM: Final = 4.0
"""Less than this is the markers' own noise and the lens."""


class Registration:
    """Looks for the markers now and then, first where they should be."""

    def __init__(self, t: float = 0.0) -> None:
        self._checked = t
        self.error_mm: float | None = None
        self.bumps = 0

    def check(self, image: Image, t: float, calibration: Calibration) -> Calibration | None:
        """A new calibration when the camera has moved against the markers; None when all is as it was or cannot be told."""
        if not calibration.markers.corners_mm or t - self._checked < EVERY_SECONDS:
            return None
        self._checked = t
        seen = self._near(image, calibration)
        moved = moved_mm(calibration, seen)
        self.error_mm = moved
        if moved is not None and moved < MOVED_MM:
            return None
        if moved is None and len(seen) == 1:
            return None
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        try:
            found, error = from_markers(grey, calibration.markers, (calibration.matrix, calibration.distortion), least=3)
        except CalibrationError:
            return None
        far = moved_mm(calibration, find_markers(grey, calibration.markers.family))
        if error > MOVED_MM or far is None or far < MOVED_MM:
            return None
        self.bumps += 1
        return replace(calibration, homography=found.homography)

    def _near(self, image: Image, calibration: Calibration) -> dict[int, Floats]:
        """The markers found at their own places, a marker's width around."""
        height, width = image.shape[:2]
        out: dict[int, Floats] = {}
        for number, corners in calibration.markers.corners_mm.items():
            px = calibration.to_px(corners)
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
