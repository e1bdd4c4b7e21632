"""Pictures that do not have their calibration's shape (turned by 90°, cut, another mode of the camera): their markers say where the table is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError, Floats, Image


def other_shape(table: Calibration, size: tuple[int, int]) -> str:
    """That pictures of this size do not have a calibration's shape, in both languages."""
    (w, h), (tw, th) = size, table.size
    zh, en = ("，画面转了 90°", ", they are turned by 90°") if (w < h) is not (tw < th) else ("", "")
    return f"画面尺寸 {w}x{h} 与标定 {tw}x{th} 的形状不同{zh} / pictures of {w}x{h} do not have the shape of the calibration ({tw}x{th}){en}"


def refit(table: Calibration, grey: Image) -> Calibration:
    """A calibration measured anew by its markers in a grey picture of another shape; what it says of the game stays.

    :raises CalibrationError: when it knows no markers, or too few of them are seen.
    """
    size = (grey.shape[1], grey.shape[0])
    again = "请让标记露出来，或重新标定 / lay its markers where they are seen, or calibrate again"
    if not table.markers.corners_mm:
        raise CalibrationError(f"{other_shape(table, size)}；{again}")
    found: list[tuple[Calibration, float]] = []
    for lens in _lenses(table, size):
        try:
            found.append(tables.from_markers(grey, table.markers, lens))
        except CalibrationError as problem:
            raise CalibrationError(f"{other_shape(table, size)}；{again}：{problem}") from problem
    best, _ = min(found, key=lambda one: one[1])
    return replace(table, size=size, matrix=best.matrix, distortion=best.distortion, homography=best.homography)


def _lenses(table: Calibration, size: tuple[int, int]) -> Iterator[tuple[Floats, Floats]]:
    """What the lens may be in pictures of this size: that of a camera nothing is known of, or the same turned, or with the rim cut off."""
    yield tables.plain_lens(size)
    bend = np.array([1.0, 1.0, 0.0, 0.0, 1.0]) * table.distortion  # what is not round about the middle turns too, and is next to nothing
    (w, h), (tw, th) = size, table.size
    (fx, cx), (fy, cy) = table.matrix[0, [0, 2]], table.matrix[1, [1, 2]]
    turned = [(fx, fy, cx, cy, tw, th), (fy, fx, th - 1 - cy, cx, th, tw), (fy, fx, cy, tw - 1 - cx, th, tw)]
    for ax, ay, ox, oy, aw, ah in turned:
        for scale in {w / aw, h / ah}:
            middle = (w / 2 + (ox - aw / 2) * scale, h / 2 + (oy - ah / 2) * scale)
            yield np.array([[ax * scale, 0, middle[0]], [0, ay * scale, middle[1]], [0, 0, 1.0]]), bend
