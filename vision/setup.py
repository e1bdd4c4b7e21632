"""Setting a table up: the calibration by markers or four clicks, and the lens measured from views of the sheet or from straight edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision import calibration as tables
from vision.calibration import PLAY_AREA_MM, Calibration, CalibrationError, Floats, Image, Markers, find_markers, standard_markers

LEAST_VIEWS: Final = 3
MOST_RMS_PX: Final = 1.5
LEAST_TILT: Final = 12.0
"""Degrees between the two views that differ most."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A measured lens: matrix 3x3, distortion (k1 k2 p1 p2 k3), how far it fits (pixels), and from how many views."""

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rms_px: float
    views: int


def _grey(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def by_markers(frames: Sequence[Image], markers: Markers | None = None, lens: Lens | None = None) -> tuple[Calibration, float]:
    """Calibrate from pictures in which the printed markers lie at known places; hands may cover them in some.

    :returns: the best picture's calibration, and how far the markers' corners lie from their places on average (mm).
    :raises CalibrationError: when no picture shows enough of them, or one of them lies twice.
    """
    known = markers if markers is not None else standard_markers()
    best: tuple[Calibration, float] | None = None
    problem: CalibrationError | None = None
    for image in frames:
        grey = _grey(image)
        numbers = [number for number, _ in tables.find_marker_list(grey, known.family)]
        twice = sorted({n for n in numbers if numbers.count(n) > 1 and n in known.corners_mm})
        if twice:
            problem = CalibrationError(f"标记 {twice} 出现两次，请收起多余的 / the markers {twice} are there twice: take the extra ones away")
            continue
        try:
            found = tables.from_markers(grey, known, _lens_for(grey, lens))
        except CalibrationError as error:
            problem = error
            continue
        if best is None or found[1] < best[1]:
            best = found
    if best is None:
        raise problem or CalibrationError("没有画面 / no picture")
    return best


def _lens_for(grey: Image, lens: Lens | None) -> tuple[Floats, Floats] | None:
    """A lens for pictures of this size.

    :raises CalibrationError: when the lens was measured with pictures of another shape.
    """
    if lens is None:
        return None
    size = (grey.shape[1], grey.shape[0])
    fx, fy = size[0] / lens.size[0], size[1] / lens.size[1]
    if abs(fx / fy - 1) > 0.02:
        raise CalibrationError(
            f"镜头是用 {lens.size[0]}x{lens.size[1]} 的画面测的，现在是 {size[0]}x{size[1]} / the lens was measured with pictures of "
            f"{lens.size[0]}x{lens.size[1]}, these are {size[0]}x{size[1]}: measure it again"
        )
    return np.diag([fx, fy, 1.0]) @ lens.matrix, lens.distortion


def by_clicks(
    frames: Sequence[Image],
    corners_px: npt.ArrayLike,
    half_mm: float = PLAY_AREA_MM,
    straight: Sequence[npt.ArrayLike] = (),
    lens: Lens | None = None,
) -> Calibration:
    """Calibrate without markers: the corners NW, NE, SE, SW of a square of ``2 * half_mm`` as clicked (4, 2).

    :param straight: lines of three or more pixels each along edges that are straight in truth (the table's rim): they give the lens.
    :raises CalibrationError: when the points do not go round a square, or a line has fewer than three points.
    """
    size = (frames[-1].shape[1], frames[-1].shape[0])
    found = tables.from_clicks(size, corners_px, half_mm)
    if lens is None and straight:
        lens = lens_from_edges(size, straight)
    if lens is None:
        return found
    matrix, distortion = _lens_for(_grey(frames[-1]), lens) or (lens.matrix, lens.distortion)
    points = np.asarray(corners_px, np.float64).reshape(-1, 1, 2)
    flat = np.asarray(cv2.undistortPoints(points, matrix, distortion, P=matrix), np.float64).reshape(-1, 2)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half_mm
    homography, _ = cv2.findHomography(flat, square)
    return replace(found, matrix=matrix, distortion=distortion, homography=np.asarray(homography, np.float64))


def lens_of(views: Sequence[Image], markers: Markers | None = None) -> Lens:
    """Measure the lens from pictures of the printed sheet (or of the table's markers) taken from different sides.

    :param markers: where the markers lie on the sheet, as :func:`vision.sheet.sheet_markers` tells; the printed sheet's when left out.
    :raises CalibrationError: when fewer than three views show three markers, or they do not fit one lens.
    """
    if markers is None:
        from vision.sheet import sheet_markers

        markers = sheet_markers()
    world: list[npt.NDArray[np.float32]] = []
    pixels: list[npt.NDArray[np.float32]] = []
    size: tuple[int, int] | None = None
    for image in views:
        grey = _grey(image)
        if size is not None and (grey.shape[1], grey.shape[0]) != size:
            raise CalibrationError("各张画面尺寸不同 / the views differ in size: take all with the same camera and resolution")
        size = (grey.shape[1], grey.shape[0])
        seen = {i: c for i, c in find_markers(grey, markers.family).items() if i in markers.corners_mm}
        if len(seen) < 3:
            continue
        mm = np.concatenate([np.asarray(markers.corners_mm[i], np.float64) for i in sorted(seen)])
        world.append(np.column_stack([mm, np.zeros(len(mm))]).astype(np.float32))
        pixels.append(np.concatenate([seen[i] for i in sorted(seen)]).astype(np.float32))
    if size is None or len(world) < LEAST_VIEWS:
        raise CalibrationError(
            f"只有 {len(world)} 张画面看得到三个以上标记，至少要 {LEAST_VIEWS} 张 / only {len(world)} views show three markers or more, "
            f"{LEAST_VIEWS} are needed: hold the sheet at several places and tilts"
        )
    start, _ = tables.plain_lens(size)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST
    if len(world) < 8:
        flags |= cv2.CALIB_FIX_PRINCIPAL_POINT
    rms, matrix, distortion, turns, _ = cv2.calibrateCamera(world, pixels, size, start.copy(), np.zeros(5), flags=flags)
    normals = np.array([cv2.Rodrigues(np.asarray(turn, np.float64))[0][:, 2] for turn in turns])
    apart = float(np.degrees(np.arccos(np.clip((normals @ normals.T).min(), -1, 1))))
    if apart < LEAST_TILT:
        raise CalibrationError(
            f"各画面角度太接近（{apart:.0f}°），请倾斜纸再拍 / the views are all from one side ({apart:.0f} degrees apart): tilt the sheet"
        )
    focal = float(matrix[0, 0]) / float(np.hypot(*size))
    if not np.isfinite(rms) or rms > MOST_RMS_PX or not 0.3 < focal < 5:
        raise CalibrationError(
            f"镜头测不准（误差 {rms:.1f} px）：请把纸压平，多换角度 / the views do not fit one lens (off by {rms:.1f} px): "
            "keep the sheet flat and show it at more tilts"
        )
    return Lens(size, np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).reshape(-1)[:5], float(rms), len(world))


def _bend(points: Floats, matrix: Floats, distortion: Floats) -> float:
    """How far points are from one line once the lens is taken out: sum of squares (pixels)."""
    flat = np.asarray(cv2.undistortPoints(points.reshape(-1, 1, 2), matrix, distortion, P=matrix), np.float64).reshape(-1, 2)
    spread = np.linalg.svd(flat - flat.mean(0), compute_uv=False)
    length = float(np.linalg.norm(points[-1] - points[0])) / max(1e-6, float(np.linalg.norm(flat[-1] - flat[0])))
    return float(spread[1] * length) ** 2


def lens_from_edges(size: tuple[int, int], lines: Sequence[npt.ArrayLike]) -> Lens:
    """Measure the barrel or cushion of a lens from edges that are straight in truth; the focal length stays a guess.

    :param lines: each three or more pixels (n, 2) along one edge; edges near the picture's rim say most.
    :raises CalibrationError: when a line has fewer than three points, or no lens makes them straight.
    """
    points = [np.asarray(line, np.float64).reshape(-1, 2) for line in lines]
    if not points or min(len(line) for line in points) < 3:
        raise CalibrationError("每条直边至少点三个点 / each straight edge needs three points or more")
    matrix, _ = tables.plain_lens(size)
    best, cost = 0.0, np.inf
    low, high = -0.45, 0.45
    for _ in range(5):
        grid = np.linspace(low, high, 31)
        costs = [sum(_bend(line, matrix, np.array([k, 0.0, 0.0, 0.0, 0.0])) for line in points) for k in grid]
        at = int(np.argmin(costs))
        best, cost = float(grid[at]), float(costs[at])
        step = float(grid[1] - grid[0])
        low, high = best - step, best + step
    rms = float(np.sqrt(cost / sum(len(line) for line in points)))
    if rms > MOST_RMS_PX * max(1.0, size[0] / 1280):
        raise CalibrationError(
            f"这些点不在直线上（相差 {rms:.1f} px），请重新点 / these points do not lie on straight edges (off by {rms:.1f} px): click again"
        )
    return Lens(size, matrix, np.array([best, 0.0, 0.0, 0.0, 0.0]), rms, 0)


def describe(calibration: Calibration) -> dict[str, Any]:
    """What a calibration says, in plain values."""
    scale = calibration.px_per_mm()
    return {
        "size": list(calibration.size),
        "px_per_mm": round(scale, 3),
        "card_px": round(scale * calibration.card_mm[0], 1),
        "markers": sorted(calibration.markers.corners_mm),
        "lens": "measured" if np.any(calibration.distortion) else "plain",
        "distortion": [round(float(k), 5) for k in calibration.distortion],
        "habit": calibration.habit,
        "match": dict(calibration.match),
    }
