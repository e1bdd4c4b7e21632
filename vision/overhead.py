"""The latest picture of the table from straight above, with what was last read drawn on it, for whoever asks in another thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from vision import calibration as tables
from vision.calibration import Calibration, Image
from vision.camera import Frame
from vision.table_card import TableCard


class Overhead:
    """Holds the latest picture, where the table lies in it, and the cards to be drawn; any thread may ask."""

    def __init__(self, calibration: Calibration) -> None:
        self._lock = threading.Lock()
        self._calibration = calibration
        self._frame: Frame | None = None
        self._cards: list[TableCard] = []
        self._maps: tuple[Any, Any] | None = None

    @property
    def t(self) -> float:
        """The latest picture's time on the table's clock (s); 0 before the first."""
        with self._lock:
            return self._frame.t if self._frame is not None else 0.0

    def take(self, frame: Frame) -> None:
        """A picture has come."""
        with self._lock:
            self._frame = frame

    def placed(self, calibration: Calibration) -> None:
        """The table lies where this calibration says."""
        with self._lock:
            self._calibration, self._maps = calibration, None

    def draw(self, new: Sequence[TableCard], kept: Sequence[TableCard]) -> None:
        """These cards were read now, and of those before, these lie there still."""
        with self._lock:
            self._cards = [*new, *kept]

    @property
    def cards(self) -> list[TableCard]:
        """The cards that are drawn."""
        with self._lock:
            return list(self._cards)

    def rectified(self, size: int = 800) -> Image | None:
        """The playing area as a square of so many pixels (BGR); None before the first picture."""
        with self._lock:
            frame, cards, calibration, maps = self._frame, list(self._cards), self._calibration, self._maps
        if frame is None or (frame.image.shape[1], frame.image.shape[0]) != calibration.size:
            return None
        mm_per_px = 2 * tables.PLAY_AREA_MM / size
        if maps is None or maps[0].shape[0] != size:
            maps = calibration.rectifier(mm_per_px)
            with self._lock:
                if self._calibration is calibration:
                    self._maps = maps
        picture = np.asarray(cv2.remap(frame.image, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)
        for card in cards:
            points = ((np.array(card.corners_mm) + tables.PLAY_AREA_MM) / mm_per_px).round().astype(np.int32)
            cv2.polylines(picture, [points.reshape(-1, 1, 2)], isClosed=True, color=(60, 220, 60), thickness=2)
            cv2.putText(picture, card.card, (int(points[0][0]), int(points[0][1]) - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 255), 2)
        return picture

    def jpeg(self, size: int = 800, quality: int = 80) -> bytes | None:
        """:meth:`rectified` as a JPEG."""
        picture = self.rectified(size)
        if picture is None:
            return None
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return data.tobytes() if ok else None
