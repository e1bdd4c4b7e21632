"""Identical neighbours, judged by the picture itself: the same index, in the same light, looks the same a few millimetres beside.

The detector may find one index twice, the second time a little beside the place, and it may find two identical cards lying 8 mm apart as one.
Both are settled by sliding the index of a sure find over its surroundings: where a second card lies its index shows again. And two neighbours
that look alike show one face, which the reader's word on either of them tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.patch import Image
from vision.plane import Doubles, Placed

_PX: Final = 80.0
"""Pixels a card width at which indices are compared."""
_AROUND_X: Final = (-0.42, 0.55)
_AROUND_Y: Final = (-0.06, 0.41)
_INDEX_X: Final = (0.0, 0.125)
_INDEX_Y: Final = (0.015, 0.33)
"""The surroundings and the index, in card widths from the corner; of a card fanned by 8 mm no more than 0.125 shows."""
_WIDEST: Final = 0.26
"""An index is no wider; of the lower of two cards as much shows as they lie apart."""
_NEAR: Final = 0.32
_SLACK: Final = 0.045
"""A find's corner is known no better than this."""
_FLAT: Final = 4.0
_SURE: Final = 0.5
_SCORE: Final = 0.4
_LIKE: Final = 0.78
"""A place that looks so like the index shows the index of another card (correlation)."""
_LEAST_STEP: Final = 0.095
_LEVEL: Final = 0.08
"""Cards of one fan lie at least this far apart and at most so much higher or lower, card widths."""
_TAKEN: Final = 0.067
_TAKEN_BOX: Final = 0.05
"""A find is at a place when its corner or its box is so near to it."""
_TURNED: Final = np.deg2rad(30)
_SAME: Final = (-25.0, 26.0)
"""Log odds that two neighbours show one face before they are read: constant, likeness. In a fan of other cards two look alike by 0.9 now and then."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """``more``: places where an index shows again that was not found, with the same box and quad, moved; ``of``: whose index each repeats."""

    more: Detections
    of: NDArray[np.int64]


def looks(image: Image) -> Image:
    """The picture as indices are compared in: how dark its ink is, red or black alike, and how red (HxWx2)."""
    # Red ink is dark in blue and green, black ink in all colours.
    ink = cv2.addWeighted(image[..., 0], 0.5, image[..., 1], 0.5, 0)
    return np.asarray(cv2.merge([ink, cv2.addWeighted(image[..., 2], 1, ink, -1, 128)]), np.uint8)


def repeats(look: Image, found: Detections, placed: Placed, sure: Floats) -> Repeats:
    """Look around each sure index, and around the other end of its card, for places where it shows again.

    :param look: see :func:`looks`.
    :param found: N indices, their quads as large as the plane's cards.
    :param sure: N, how likely each is there and read right.
    """
    plane = placed.plane
    strong = found.scores >= _SCORE
    quads, boxes = [], []
    of: list[int] = []
    corners, headings = [*placed.corners[strong]], [*placed.headings[strong]]
    middles = [*plane.to_plane(found.centres[strong])]
    cards, back = placed.quads(), np.asarray(np.linalg.inv(plane.matrix), np.float64)
    for i in np.argsort(-sure, kind="stable"):
        if sure[i] < _SURE or not strong[i]:
            continue
        own = plane.to_plane(found.centres[i])
        frame = _frame(back, placed.corners[i], placed.headings[i], placed.sizes[i])
        for far in (False, True):
            card = np.roll(cards[i], 2, 0) if far else cards[i]
            heading = float(placed.headings[i]) + (np.pi if far else 0.0)
            middle = cards[i].mean(0) * 2 - own if far else own
            c, s = float(np.cos(heading)), float(np.sin(heading))
            for x, y in _peaks(look, frame, _frame(back, card[0], heading, placed.sizes[i]) if far else frame, far):
                shift = placed.sizes[i] * np.array([c * x - s * y, s * x + c * y])
                alike = np.abs((np.array(headings) - heading + np.pi) % (2 * np.pi) - np.pi) < _TURNED
                there = np.hypot(*(np.array(corners) - card[0] - shift).T) < _TAKEN * placed.sizes[i]
                there |= np.hypot(*(np.array(middles) - middle - shift).T) < _TAKEN_BOX * placed.sizes[i]
                if (alike & there).any():
                    continue
                corners.append(card[0] + shift)
                headings.append(heading)
                middles.append(middle + shift)
                half = (found.boxes[i, 2:] - found.boxes[i, :2]) / 2
                centre = plane.to_picture(middle + shift)
                boxes.append(np.concatenate([centre - half, centre + half]))
                quads.append(plane.to_picture(card + shift))
                of.append(int(i))
    if not of:
        return Repeats(found.take([]), np.array([], np.int64))
    return Repeats(Detections(np.array(boxes, np.float32), np.array(quads, np.float32), found.scores[of]), np.array(of, np.int64))


def likenesses(look: Image, placed: Placed) -> Doubles:
    """How alike the picture is at two neighbouring indices turned alike, as far as both show: NxN, -1..1, nan where not compared.

    :param look: see :func:`looks`.
    :param placed: N indices.
    """
    out = np.full((len(placed.sizes), len(placed.sizes)), np.nan)
    apart = np.hypot(*(placed.corners[None] - placed.corners[:, None]).transpose(2, 0, 1))
    turn = np.abs(placed.turns)
    size = np.maximum(placed.sizes[None], placed.sizes[:, None])
    back = np.asarray(np.linalg.inv(placed.plane.matrix), np.float64)
    frames = [_frame(back, *place) for place in zip(placed.corners, placed.headings, placed.sizes, strict=True)]
    for i, k in zip(*np.nonzero(np.triu((apart < _NEAR * size) & (apart > _LEAST_STEP * 0.6 * size) & (turn < _TURNED), 1)), strict=True):
        step = placed.corners[k] - placed.corners[i]
        across = float(step @ [np.cos(placed.headings[i]), np.sin(placed.headings[i])])
        wide = min(max(abs(across), _INDEX_X[1]), _WIDEST)
        out[i, k] = out[k, i] = max(_likeness(look, frames[i], frames[k], wide), _likeness(look, frames[k], frames[i], wide))
    return out


def shared(read: Floats, likeness: Doubles) -> Floats:
    """What the reader says of N indices when those that look alike, and may be read alike, are heard together.

    :param read: NxC probabilities of the faces, and of none in the last column, which stays.
    :param likeness: see :func:`likenesses`.
    """
    faces = np.maximum(np.asarray(read[:, :-1], np.float64), 1e-6)
    total = faces.sum(1, keepdims=True)
    logs = np.log(faces / total)
    agree = np.log(np.maximum((faces / total) @ (faces / total).T * faces.shape[1], 1e-3))
    same = np.where(np.isnan(likeness), 0.0, 1 / (1 + np.exp(-(_SAME[0] + _SAME[1] * likeness + agree))))
    np.fill_diagonal(same, 1.0)
    mean = (same @ logs) / same.sum(1, keepdims=True)
    out = np.exp(mean - mean.max(1, keepdims=True))
    return np.concatenate([out / out.sum(1, keepdims=True) * total, read[:, -1:]], 1).astype(np.float32)


def _likeness(look: Image, one: Doubles, other: Doubles, wide: float) -> float:
    """How like a card's index, as wide as said, is to what stands at another's corner; see :func:`_frame`."""
    index = _window(look, one, (0.0, wide), _INDEX_Y)
    if _blank(index):
        return float("nan")
    there = _window(look, other, (-_SLACK, wide + _SLACK), (_INDEX_Y[0] - _SLACK, _INDEX_Y[1] + _SLACK))
    return float(cv2.matchTemplate(there, index, cv2.TM_CCOEFF_NORMED).max())


def _peaks(look: Image, frame: Doubles, about: Doubles, far: bool) -> list[tuple[float, float]]:
    """Shifts (card widths) from another card's place at which a card's index shows again, likeliest first; none for a blank."""
    index = _window(look, frame, _INDEX_X, _INDEX_Y)
    if _blank(index):
        return []
    around = _window(look, about, _AROUND_X, _AROUND_Y)
    x0, y0 = (_INDEX_X[0] - _AROUND_X[0]) * _PX, (_INDEX_Y[0] - _AROUND_Y[0]) * _PX
    left = np.asarray(cv2.matchTemplate(around, index, cv2.TM_CCOEFF_NORMED), np.float32)
    out, near = [], round(0.09 * _PX)
    for _ in range(4):
        y, x = divmod(int(left.argmax()), left.shape[1])
        if left[y, x] < _LIKE:
            break
        across, down = (x - x0) / _PX, (y - y0) / _PX
        if (far or abs(across) >= _LEAST_STEP) and abs(down) < _LEVEL:
            out.append((across, down))
        left[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = -1
    return out


def _frame(to_picture: Doubles, corner: Doubles, heading: float, size: float) -> Doubles:
    """The map from card widths across and down a card to pixels (3x3)."""
    c, s = size * np.cos(heading), size * np.sin(heading)
    return np.asarray(to_picture @ np.array([[c, -s, corner[0]], [s, c, corner[1]], [0.0, 0.0, 1.0]]), np.float64)


def _window(look: Image, frame: Doubles, x: tuple[float, float], y: tuple[float, float]) -> Image:
    """A window of a card (card widths from its corner)."""
    size = (round((x[1] - x[0]) * _PX), round((y[1] - y[0]) * _PX))
    # The middle of a window's pixel shows the middle of a picture's.
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    matrix = half @ frame @ np.array([[1 / _PX, 0, x[0] + 0.5 / _PX], [0, 1 / _PX, y[0] + 0.5 / _PX], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(look, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _blank(index: Image) -> bool:
    return float(cv2.meanStdDev(index)[1][0, 0]) < _FLAT
