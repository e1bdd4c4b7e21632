"""Pictures of the playing area, a few a second, kept for a while as JPEGs: when a play is told, the one that it was read from is there."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import PLAY_AREA_MM, Calibration

Image = npt.NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""x, y, width, height in the camera's picture."""

EVERY_S: Final = 0.2
KEPT: Final = 100
QUALITY: Final = 92
PLAY_QUALITY: Final = 88
THUMB_WIDTH: Final = 240
THUMB_QUALITY: Final = 75
MARGIN_MM: Final = 30.0
LARGEST_PLAY: Final = 100_000
"""Bytes of a play's picture."""


@dataclass(frozen=True, slots=True)
class Shot:
    """The playing area at ``t`` (s of the table's clock): the camera's own pixels in ``box``, as a JPEG."""

    t: float
    box: Box
    jpeg: bytes

    def image(self) -> Image:
        """The picture (BGR)."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def play_box(calibration: Calibration) -> Box:
    """The box of the camera's picture in which the playing area lies."""
    side = np.linspace(-PLAY_AREA_MM, PLAY_AREA_MM, 9)
    edge = np.full_like(side, PLAY_AREA_MM)
    points = np.concatenate([np.column_stack(pair) for pair in ((side, -edge), (side, edge), (-edge, side), (edge, side))])
    return _clip(calibration.to_px(points), calibration.size)


def cards_box(calibration: Calibration, corners_mm: Any) -> Box | None:
    """The box in which a play's cards lie, with a margin; None when the evidence says nothing usable."""
    try:
        points = np.asarray(corners_mm, np.float64).reshape(-1, 2)
    except (TypeError, ValueError):
        return None
    if not len(points) or not np.isfinite(points).all():
        return None
    low, high = points.min(axis=0) - MARGIN_MM, points.max(axis=0) + MARGIN_MM
    box = _clip(calibration.to_px([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]), calibration.size)
    return box if box[2] > 8 and box[3] > 8 else None


def _clip(points: npt.NDArray[np.float64], size: tuple[int, int]) -> Box:
    x0, y0 = np.floor(points.min(axis=0)).astype(int).clip(0, np.array(size) - 1)
    x1, y1 = np.ceil(points.max(axis=0)).astype(int).clip(1, np.array(size))
    return int(x0), int(y0), int(max(1, x1 - x0)), int(max(1, y1 - y0))


def encode(image: Image, quality: int) -> bytes:
    """A picture as JPEG."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


class Shots:
    """The latest pictures of the playing area."""

    def __init__(self) -> None:
        self._shots: deque[Shot] = deque(maxlen=KEPT)
        self._lock = threading.Lock()

    def offer(self, image: Image, t: float, box: Box) -> None:
        """Keep a picture, when the last one is old enough."""
        with self._lock:
            if self._shots and 0 <= t - self._shots[-1].t < EVERY_S - 1e-3:
                return
        x, y, w, h = box
        shot = Shot(t, box, encode(image[y : y + h, x : x + w], QUALITY))
        with self._lock:
            self._shots.append(shot)

    def newest(self) -> float:
        """The time of the last picture (s); minus infinity before the first."""
        with self._lock:
            return self._shots[-1].t if self._shots else float("-inf")

    def near(self, t0: float, t1: float) -> Shot | None:
        """The last picture between two times, or the one nearest to them."""
        with self._lock:
            shots = list(self._shots)
        if not shots:
            return None
        within = [shot for shot in shots if t0 - 0.02 <= shot.t <= t1 + 0.02]
        return within[-1] if within else min(shots, key=lambda shot: max(t0 - shot.t, shot.t - t1))


def pictures(shot: Shot, calibration: Calibration, evidence: Mapping[str, Any]) -> dict[str, bytes]:
    """The files of a play by form: the playing area as it is, only the play's cards, and a small picture of these."""
    out = {"": shot.jpeg}
    image = shot.image()
    box = cards_box(calibration, evidence.get("corners_mm"))
    part = image
    if box is not None:
        x, y = max(0, box[0] - shot.box[0]), max(0, box[1] - shot.box[1])
        cut = image[y : box[1] - shot.box[1] + box[3], x : box[0] - shot.box[0] + box[2]]
        part = cut if cut.size else image
    for quality in (PLAY_QUALITY, 75, 60, 40):
        out["play"] = encode(part, quality)
        if len(out["play"]) <= LARGEST_PLAY:
            break
    scale = THUMB_WIDTH / part.shape[1]
    small = cv2.resize(part, (THUMB_WIDTH, max(1, round(part.shape[0] * scale))), interpolation=cv2.INTER_AREA)
    out["thumb"] = encode(np.asarray(small, np.uint8), THUMB_QUALITY)
    return out
