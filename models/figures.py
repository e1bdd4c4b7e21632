"""Pictures of a measurement: which face was read as which, and whether confidence means what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.cards import FACES, Card
from models.measure import Judged, Outcome, Picture

_CELL: Final = 15
_MARGIN: Final = 40
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def confusion(judged: Sequence[Judged]) -> Picture:
    """A table of 54 x 54 faces: rows are what lies there, columns what was read; blue right, red wrong, darker is more often."""
    counts: Counter[tuple[Card, Card]] = Counter(
        (v.label.card, v.read) for j in judged for v in j.verdicts if v.label.card is not None and v.read is not None
    )
    side = _MARGIN + _CELL * len(FACES) + 8
    picture = np.full((side, side, 3), 255, np.uint8)
    for row, true in enumerate(FACES):
        total = sum(counts[true, read] for read in FACES)
        _put(picture, true, (4, _MARGIN + row * _CELL + 11), 0.32)
        _put_down(picture, true, _MARGIN + row * _CELL)
        for column, read in enumerate(FACES):
            if not counts[true, read]:
                continue
            share = counts[true, read] / total
            shade = int(235 * (1 - share**0.5))
            colour = (235, shade, shade) if true == read else (shade, shade, 235)
            x, y = _MARGIN + column * _CELL, _MARGIN + row * _CELL
            cv2.rectangle(picture, (x, y), (x + _CELL - 2, y + _CELL - 2), colour, -1)
            if true != read:
                _put(picture, str(counts[true, read]), (x + 1, y + 11), 0.28)
    for k in (13, 26, 39, 52):
        at = _MARGIN + k * _CELL - 1
        cv2.line(picture, (at, _MARGIN), (at, side - 8), (190, 190, 190), 1)
        cv2.line(picture, (_MARGIN, at), (side - 8, at), (190, 190, 190), 1)
    return picture


def reliability_plot(bins: Sequence[tuple[float, float, int]], error: float) -> Picture:
    """Confidence to the right, share that was right upwards; the grey line is where both agree."""
    side, margin = 420, 50
    picture = np.full((side + 2 * margin, side + 2 * margin, 3), 255, np.uint8)
    cv2.line(picture, (margin, margin + side), (margin + side, margin), (190, 190, 190), 1, cv2.LINE_AA)
    cv2.rectangle(picture, (margin, margin), (margin + side, margin + side), (120, 120, 120), 1)
    most = max((n for _, _, n in bins), default=1)
    points = []
    for confidence, right, n in bins:
        at = (round(margin + confidence * side), round(margin + (1 - right) * side))
        points.append(at)
        cv2.circle(picture, at, 3 + round(9 * (n / most) ** 0.5), (200, 110, 20), -1, cv2.LINE_AA)
        _put(picture, str(n), (at[0] + 8, at[1] + 16), 0.36)
    if len(points) > 1:
        cv2.polylines(picture, [np.array(points, np.int32)], False, (200, 110, 20), 1, cv2.LINE_AA)
    for k in range(0, 11, 2):
        _put(picture, f"{k / 10:.1f}", (margin + round(k / 10 * side) - 10, margin + side + 18), 0.38)
        _put(picture, f"{k / 10:.1f}", (margin - 32, margin + side - round(k / 10 * side) + 4), 0.38)
    _put(picture, "confidence", (margin + side // 2 - 40, margin + side + 38), 0.45)
    _put(picture, f"share right; mean distance {error:.3f}", (margin, margin - 14), 0.45)
    return picture


def contact_sheet(pictures: Sequence[tuple[str, Picture]], columns: int = 5, side: int = 400) -> Picture:
    """Pictures side by side, each under its title."""
    rows = -(-len(pictures) // columns)
    out = np.full((rows * (side + 22), columns * (side + 6), 3), 255, np.uint8)
    for n, (title, picture) in enumerate(pictures):
        scale = side / max(picture.shape[:2])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        x, y = n % columns * (side + 6), n // columns * (side + 22)
        _put(out, title[:60], (x + 2, y + 14), 0.42)
        out[y + 20 : y + 20 + small.shape[0], x : x + small.shape[1]] = small
    return out


def mark_errors(picture: Picture, judged: Judged) -> Picture:
    """Box the indices that were not found: magenta misread, yellow missed, each with the face that lies there."""
    out = picture.copy()
    for v in judged.verdicts:
        if v.outcome is Outcome.FOUND:
            continue
        colour = (255, 0, 255) if v.outcome is Outcome.MISREAD else (0, 230, 255)
        x0, y0, x1, y1 = (round(value) for value in v.label.box)
        cv2.rectangle(out, (x0, y0), (x1, y1), colour, 2)
        _put(out, str(v.label.card), (x0, y0 - 3), 0.5, colour)
    return out


def _put(picture: Picture, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int] = (30, 30, 30)) -> None:
    cv2.putText(picture, text, at, _FONT, size, colour, 1, cv2.LINE_AA)


def _put_down(picture: Picture, text: str, x: int) -> None:
    """Write above a column, turned upwards."""
    strip = np.full((_CELL - 1, _MARGIN - 6, 3), 255, np.uint8)
    _put(strip, text, (2, 11), 0.32)
    picture[3 : 3 + strip.shape[1], x : x + strip.shape[0]] = cv2.rotate(strip, cv2.ROTATE_90_COUNTERCLOCKWISE)
