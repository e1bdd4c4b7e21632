"""Identical neighbours, judged by the picture itself: the same index, in the same light, looks the same a few millimetres beside.

The detector may find one index twice, the second time a little beside the place, and it may find two identical cards lying 8 mm apart as one.
Both are settled by sliding the index of a sure find over its surroundings: where a second card lies its index shows again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.patch import Image, PatchGeometry, transform
from vision.plane import Doubles, Placed

_PX: Final = 52.0
"""Pixels a card width at which indices are compared."""
_AROUND_X: Final = (-0.42, 0.55)
_AROUND_Y: Final = (-0.06, 0.41)
_INDEX_X: Final = (0.0, 0.125)
_INDEX_Y: Final = (0.015, 0.33)
"""The surroundings and the index, in card widths from the corner; of a card fanned by 8 mm no more than 0.125 shows."""
_NEAR: Final = 0.32
_SLACK: Final = 0.03
"""A find's corner is known no better than this."""
_FLAT: Final = 4.0
_SURE: Final = 0.5
_SCORE: Final = 0.4
_LIKE: Final = 0.8
"""A place that looks so like the index shows the index of another card (correlation)."""
_LEAST_STEP: Final = 0.095
_LEVEL: Final = 0.06
"""Cards of one fan lie at least this far apart and at most so much higher or lower, card widths."""
_TURNED: Final = np.deg2rad(30)


@dataclass(frozen=True, slots=True)
class Twins:
    """``likeness`` NxN: how like the picture at index k (row) is to index i (column), -1..1, nan where not compared; ``more``: places where
    an index shows again that was not found, with the same box and quad, moved; ``of``: whose index each of them repeats."""

    likeness: Doubles
    more: Detections
    of: tuple[int, ...]

    def with_more(self, kept: NDArray[np.bool_]) -> Doubles:
        """``likeness`` with rows and columns for those of ``more`` that are kept."""
        n, of = len(self.likeness), [i for i, keep in zip(self.of, kept, strict=True) if keep]
        out = np.full((n + len(of), n + len(of)), np.nan)
        out[:n, :n] = self.likeness
        out[n + np.arange(len(of)), of] = _LIKE
        return out


def compare(image: Image, found: Detections, placed: Placed, sure: Floats, same: Doubles) -> Twins:
    """Compare each sure index with its surroundings.

    :param image: BGR, uint8, in whose pixels the indices are.
    :param found: N indices, their quads as large as the plane's cards.
    :param sure: N, how likely each is there and read right.
    :param same: NxN, how likely two indices show one face.
    """
    # Red ink is dark in blue and green, black ink in all colours.
    grey = np.asarray(cv2.addWeighted(image[..., 0], 0.5, image[..., 1], 0.5, 0), np.uint8)
    likeness = np.full((len(found), len(found)), np.nan)
    moved: list[Detections] = []
    of: list[int] = []
    taken = [placed.corners[k] for k in range(len(found))]
    headings = list(placed.headings)
    for i in np.argsort(-sure, kind="stable"):
        if sure[i] < _SURE or found.scores[i] < _SCORE:
            continue
        like = _correlation(grey, found.quads[i], placed.plane.aspect)
        if like is None:
            continue
        c, s = float(np.cos(placed.headings[i])), float(np.sin(placed.headings[i]))
        apart = np.hypot(*(placed.corners - placed.corners[i]).T) / placed.sizes[i]
        turn = np.abs((placed.headings - placed.headings[i] + np.pi) % (2 * np.pi) - np.pi)
        for k in np.flatnonzero((apart < _NEAR) & (apart > _LEAST_STEP * 0.6) & (turn < _TURNED) & (same[:, i] > 0.2)):
            likeness[k, i] = like.of(grey, found.quads[k], placed.plane.aspect)
        for x, y in like.peaks():
            place = placed.corners[i] + placed.sizes[i] * np.array([c * x - s * y, s * x + c * y])
            alike = np.abs((np.array(headings) - placed.headings[i] + np.pi) % (2 * np.pi) - np.pi) < _TURNED
            if (alike & (np.hypot(*(np.array(taken) - place).T) < _LEAST_STEP * 0.7)).any():
                continue
            taken.append(place)
            headings.append(placed.headings[i])
            step = placed.plane.to_picture(np.stack([placed.corners[i], place]))
            moved.append(found.take([i]).moved(1, float(step[1, 0] - step[0, 0]), float(step[1, 1] - step[0, 1])))
            of.append(int(i))
    return Twins(likeness, Detections.join(moved), tuple(of))


@dataclass(frozen=True, slots=True)
class _Index:
    """An index as it looks, the correlations of its surroundings with it, and the pixel of no shift in these."""

    picture: Floats
    map: Floats
    zero: tuple[int, int]

    def of(self, grey: Image, quad: Floats, aspect: float) -> float:
        """How like the index at another card's corner is."""
        window = (_INDEX_X[0] - _SLACK, _INDEX_X[1] + _SLACK), (_INDEX_Y[0] - _SLACK, _INDEX_Y[1] + _SLACK)
        return float(cv2.matchTemplate(_window(grey, quad, aspect, *window), self.picture, cv2.TM_CCOEFF_NORMED).max())

    def peaks(self) -> list[tuple[float, float]]:
        """Shifts (card widths) at which the index shows again."""
        left = self.map.copy()
        out = []
        for _ in range(4):
            y, x = (int(v) for v in np.unravel_index(int(left.argmax()), left.shape))
            if left[y, x] < _LIKE:
                break
            across, down = (x - self.zero[0]) / _PX, (y - self.zero[1]) / _PX
            if abs(across) >= _LEAST_STEP and abs(down) < _LEVEL:
                out.append((across, down))
            left[max(0, y - 5) : y + 6, max(0, x - 5) : x + 6] = -1
        return out


def _correlation(grey: Image, quad: Floats, aspect: float) -> _Index | None:
    """Slide a card's index over what lies around it; None when the index is a blank."""
    around = _window(grey, quad, aspect, _AROUND_X, _AROUND_Y)
    x, y = round((_INDEX_X[0] - _AROUND_X[0]) * _PX), round((_INDEX_Y[0] - _AROUND_Y[0]) * _PX)
    index = around[y : y + round((_INDEX_Y[1] - _INDEX_Y[0]) * _PX), x : x + round((_INDEX_X[1] - _INDEX_X[0]) * _PX)]
    if float(index.std()) < _FLAT:
        return None
    return _Index(index, np.asarray(cv2.matchTemplate(around, index, cv2.TM_CCOEFF_NORMED), np.float32), (x, y))


def _window(grey: Image, quad: Floats, aspect: float, x: tuple[float, float], y: tuple[float, float]) -> Floats:
    """A window of a card (card widths from its corner)."""
    size = (round((x[1] - x[0]) * _PX), round((y[1] - y[0]) * _PX))
    matrix = transform(quad, PatchGeometry(size, x, (y[0] / aspect, y[1] / aspect)))
    return np.asarray(cv2.warpPerspective(grey, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
