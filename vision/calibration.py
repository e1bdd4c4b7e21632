"""Where things lie: from a picture's pixels to millimetres on the table, and back.

The table's millimetres have their origin in the centre of the table, x to the right and y down in the picture (seat N is at
the top). A calibration is a ``table.json``: picture size, the lens (camera matrix and five distortion terms), the homography
from *undistorted* pixels to millimetres, and the printed markers (AprilTag 36h11) that tell when the camera was bumped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

VERSION: Final = 1
CARD_MM: Final = (63.0, 88.0)
PLAY_AREA_MM: Final = 400.0
"""Half the side of the square in which cards are played."""
CENTRE_MM: Final = 130.0
"""Half the side of the bottom's place."""


class CalibrationError(ValueError):
    """A calibration that cannot be used; the message names the file and key, what was expected and what to do."""


@dataclass(frozen=True, slots=True)
class Markers:
    """Printed markers on the table: the dictionary's name, the black square's side (mm), and the corners (mm) by id."""

    family: str = "36h11"
    size_mm: float = 50.0
    corners_mm: Mapping[int, tuple[tuple[float, float], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera over a table.

    ``size`` is width, height in pixels; ``matrix`` 3x3 and ``distortion`` (k1 k2 p1 p2 k3) are the lens, ``homography`` 3x3
    maps undistorted pixels to millimetres. ``match`` and ``habit`` are what the file says about the game, as found.
    """

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    homography: Floats
    markers: Markers = field(default_factory=Markers)
    card_mm: tuple[float, float] = CARD_MM
    fps: float = 0.0
    habit: str = "auto"
    match: Mapping[str, Any] = field(default_factory=dict)

    def to_mm(self, points_px: npt.ArrayLike) -> Floats:
        """Map picture points (n, 2) in pixels to millimetres (n, 2)."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(points, self.matrix, self.distortion, P=self.matrix)
        return np.asarray(cv2.perspectiveTransform(flat, self.homography), np.float64).reshape(-1, 2)

    def to_px(self, points_mm: npt.ArrayLike) -> Floats:
        """Map table points (n, 2) in millimetres to picture pixels (n, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 2)
        flat = cv2.perspectiveTransform(points, np.linalg.inv(self.homography)).reshape(-1, 2)
        rays = np.column_stack([(flat - self.matrix[:2, 2]) / self.matrix[[0, 1], [0, 1]], np.ones(len(flat))])
        picture, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, self.distortion)
        return np.asarray(picture, np.float64).reshape(-1, 2)

    def px_per_mm(self) -> float:
        """The picture's scale at the centre of the table, in pixels a millimetre."""
        centre, right, down = self.to_px([[0, 0], [10, 0], [0, 10]])
        return float((np.linalg.norm(right - centre) + np.linalg.norm(down - centre)) / 20)

    def scaled(self, size: tuple[int, int]) -> Calibration:
        """The same camera delivering pictures of another size (same field of view).

        :raises CalibrationError: when the shape of the picture differs, so that the field of view cannot be the same.
        """
        if size == self.size:
            return self
        fx, fy = size[0] / self.size[0], size[1] / self.size[1]
        if abs(fx / fy - 1) > 0.02:
            raise CalibrationError(
                f"画面尺寸 {size[0]}x{size[1]} 与标定 {self.size[0]}x{self.size[1]} 的宽高比不同，请重新标定 / "
                f"pictures of {size[0]}x{size[1]} do not have the shape of the calibration ({self.size[0]}x{self.size[1]}); calibrate again"
            )
        scale = np.diag([fx, fy, 1.0])
        return replace(self, size=size, matrix=scale @ self.matrix, homography=self.homography @ np.linalg.inv(scale))

    def rectifier(self, mm_per_px: float = 2.0, half_mm: float = PLAY_AREA_MM) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Maps for ``cv2.remap`` that turn a picture into a view straight from above, ``2 * half_mm`` on a side."""
        n = round(2 * half_mm / mm_per_px)
        axis = (np.arange(n) + 0.5) * mm_per_px - half_mm
        grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
        px = self.to_px(grid).reshape(n, n, 2).astype(np.float32)
        return np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])


def to_json(calibration: Calibration) -> dict[str, Any]:
    """The form of a calibration in ``table.json``; :func:`from_json` reads it back."""
    return {
        "v": VERSION,
        "size": list(calibration.size),
        "fps": calibration.fps,
        "camera": {"matrix": calibration.matrix.tolist(), "distortion": calibration.distortion.tolist()},
        "homography": calibration.homography.tolist(),
        "markers": {
            "family": calibration.markers.family,
            "size_mm": calibration.markers.size_mm,
            "corners_mm": {str(i): [list(p) for p in corners] for i, corners in calibration.markers.corners_mm.items()},
        },
        "card_mm": list(calibration.card_mm),
        "match": dict(calibration.match),
        "habit": calibration.habit,
    }


def _array(data: Mapping[str, Any], key: str, shape: tuple[int, ...], where: str) -> Floats:
    """Read an array of numbers of a given shape."""
    try:
        value = np.asarray(data[key], np.float64)
    except KeyError:
        raise CalibrationError(f"{where}: key {key!r} is missing; expected numbers of shape {shape}; run `trickwatch calibrate`") from None
    except (TypeError, ValueError):
        raise CalibrationError(f"{where}: key {key!r} holds no numbers; expected shape {shape}; run `trickwatch calibrate`") from None
    if value.shape != shape or not np.isfinite(value).all():
        raise CalibrationError(f"{where}: key {key!r} has shape {value.shape}; expected finite numbers of shape {shape}; run `trickwatch calibrate`")
    return value


def from_json(data: Mapping[str, Any], where: str = "table.json") -> Calibration:
    """Read the form that :func:`to_json` gives.

    :raises CalibrationError: naming the key that is missing or wrong.
    """
    if data.get("v") != VERSION:
        raise CalibrationError(f"{where}: version {data.get('v')!r} is not known; expected {VERSION}; run `trickwatch calibrate`")
    camera = data.get("camera")
    if not isinstance(camera, Mapping):
        raise CalibrationError(f"{where}: key 'camera' is missing; expected matrix and distortion; run `trickwatch calibrate`")
    size = _array(data, "size", (2,), where)
    homography = _array(data, "homography", (3, 3), where)
    if abs(np.linalg.det(homography)) < 1e-12:
        raise CalibrationError(f"{where}: the homography cannot be inverted; run `trickwatch calibrate`")
    marks = data.get("markers") or {}
    try:
        markers = Markers(
            family=str(marks.get("family", "36h11")),
            size_mm=float(marks.get("size_mm", 50.0)),
            corners_mm={int(i): tuple((float(x), float(y)) for x, y in corners) for i, corners in (marks.get("corners_mm") or {}).items()},
        )
        card_mm = data.get("card_mm") or CARD_MM
        return Calibration(
            size=(int(size[0]), int(size[1])),
            matrix=_array(camera, "matrix", (3, 3), where),
            distortion=_array(camera, "distortion", (5,), where),
            homography=homography,
            markers=markers,
            card_mm=(float(card_mm[0]), float(card_mm[1])),
            fps=float(data.get("fps") or 0.0),
            habit=str(data.get("habit") or "auto"),
            match=dict(data.get("match") or {}),
        )
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, CalibrationError):
            raise
        raise CalibrationError(f"{where}: markers, card_mm, fps or match is of the wrong form ({error}); run `trickwatch calibrate`") from None


def load(path: Path) -> Calibration:
    """Read a ``table.json``.

    :raises CalibrationError: when the file cannot be read or is no calibration.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CalibrationError(
            f"没有标定文件 {path}，请先运行 trickwatch calibrate / there is no calibration {path}; run `trickwatch calibrate` first"
        ) from None
    except (OSError, ValueError) as error:
        raise CalibrationError(f"无法读取标定文件 {path} / cannot read the calibration {path}: {error}; run `trickwatch calibrate`") from None
    if not isinstance(data, Mapping):
        raise CalibrationError(f"{path}: expected a JSON object; run `trickwatch calibrate`")
    return from_json(data, str(path))


def save(calibration: Calibration, path: Path) -> None:
    """Write a ``table.json``."""
    path.write_text(json.dumps(to_json(calibration), indent=1), encoding="utf-8")


def plain_lens(size: tuple[int, int], diagonal_deg: float = 78.0) -> tuple[Floats, Floats]:
    """A lens without distortion for a camera nothing is known of: matrix (3, 3) and distortion (5,)."""
    focal = float(np.hypot(*size)) / 2 / np.tan(np.radians(diagonal_deg) / 2)
    return np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]]), np.zeros(5)


def from_clicks(size: tuple[int, int], corners_px: npt.ArrayLike, half_mm: float = PLAY_AREA_MM) -> Calibration:
    """Calibrate without markers: the corners of the playing square NW, NE, SE, SW as clicked (4, 2) in pixels.

    :raises CalibrationError: when the four points do not go round a square clockwise.
    """
    corners = np.asarray(corners_px, np.float64).reshape(-1, 2)
    hull = corners.astype(np.float32)
    if len(corners) != 4 or not cv2.isContourConvex(hull) or cv2.contourArea(hull, oriented=True) < 100:
        raise CalibrationError(
            "四个点应依次为打牌区的左上、右上、右下、左下角 / the four clicks must be the corners of the playing square: "
            f"top left, top right, bottom right, bottom left; got {corners.tolist()}"
        )
    matrix, distortion = plain_lens(size)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half_mm
    homography, _ = cv2.findHomography(corners, square)
    return Calibration(size, matrix, distortion, np.asarray(homography, np.float64), Markers())


def whole_picture(size: tuple[int, int]) -> Calibration:
    """Where nothing is known of the table: the picture's middle square is taken for the playing square, seen from above."""
    w, h = size
    half = min(w, h) / 2
    cx, cy = w / 2, h / 2
    return from_clicks(size, [[cx - half, cy - half], [cx + half, cy - half], [cx + half, cy + half], [cx - half, cy + half]])


_FAMILIES: Final[Mapping[str, int]] = {
    "36h11": cv2.aruco.DICT_APRILTAG_36h11,
    "36h10": cv2.aruco.DICT_APRILTAG_36h10,
    "25h9": cv2.aruco.DICT_APRILTAG_25h9,
}


def dictionary(family: str) -> Any:
    """The marker dictionary of a family.

    :raises CalibrationError: when the family is not known.
    """
    if family not in _FAMILIES:
        raise CalibrationError(f"unknown marker family {family!r}; expected one of {', '.join(_FAMILIES)}")
    return cv2.aruco.getPredefinedDictionary(_FAMILIES[family])


def find_marker_list(grey: Image, family: str = "36h11") -> list[tuple[int, Floats]]:
    """Find printed markers in a grey picture, one that lies twice too: id and the four corners (4, 2), clockwise from its top left."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary(family), parameters).detectMarkers(grey)
    if ids is None:
        return []
    return [(int(i), np.asarray(c, np.float64).reshape(4, 2)) for i, c in zip(np.asarray(ids).reshape(-1), corners, strict=True)]


def find_markers(grey: Image, family: str = "36h11") -> dict[int, Floats]:
    """Find printed markers in a grey picture: the four corners (4, 2) in pixels, clockwise from the marker's top left, by id.

    A marker that is there twice tells nothing and is left out.
    """
    found = find_marker_list(grey, family)
    numbers = [number for number, _ in found]
    return {number: corners for number, corners in found if numbers.count(number) == 1}


def from_markers(grey: Image, markers: Markers, lens: tuple[Floats, Floats] | None = None, *, least: int = 2) -> tuple[Calibration, float]:
    """Calibrate from a picture that shows the printed markers at known places.

    :param least: how many of the markers must be seen.
    :returns: the calibration, and how far the markers' corners lie from their places on average (mm).
    :raises CalibrationError: when too few markers are seen.
    """
    height, width = grey.shape[:2]
    seen = {i: corners for i, corners in find_markers(grey, markers.family).items() if i in markers.corners_mm}
    if len(seen) < least:
        raise CalibrationError(
            f"看到 {len(seen)} 个标记，至少要 {least} 个（编号 {sorted(markers.corners_mm)}）/ "
            f"{len(seen)} of the markers {sorted(markers.corners_mm)} seen, at least {least} are needed: print them with `trickwatch markers`, "
            "lay them flat where the camera sees them, avoid glare"
        )
    px = np.concatenate([seen[i] for i in sorted(seen)])
    mm = np.concatenate([np.asarray(markers.corners_mm[i], np.float64) for i in sorted(seen)])
    matrix, distortion = lens if lens is not None else _lens_by_markers((width, height), px, mm)
    homography, _ = cv2.findHomography(_undistorted(px, matrix, distortion), mm, cv2.RANSAC if len(seen) > 2 else 0, 4.0)
    if homography is None:
        raise CalibrationError("标记排成一线，无法标定 / the markers seen lie on one line; lay them at the corners of the table")
    calibration = Calibration((width, height), matrix, distortion, np.asarray(homography, np.float64), markers)
    error = float(np.linalg.norm(calibration.to_mm(px) - mm, axis=1).mean())
    return calibration, error


def _undistorted(px: Floats, matrix: Floats, distortion: Floats) -> Floats:
    return np.asarray(cv2.undistortPoints(px.reshape(-1, 1, 2), matrix, distortion, P=matrix), np.float64).reshape(-1, 2)


def _lens_by_markers(size: tuple[int, int], px: Floats, mm: Floats) -> tuple[Floats, Floats]:
    """The barrel of a lens nothing is known of, as far as four markers' own shapes show it (seen corners and their places, (16, 2) each).

    Four places alone fit any lens; but a marker near the picture's rim is squeezed by the barrel, and that is what is measured here.
    """
    matrix, plain = plain_lens(size)
    if len(px) < 16:
        return matrix, plain

    def off(k1: float) -> float:
        flat = _undistorted(px, matrix, np.array([k1, 0.0, 0.0, 0.0, 0.0]))
        homography, _ = cv2.findHomography(flat, mm)
        if homography is None:
            return float("inf")
        return float(np.square(cv2.perspectiveTransform(flat.reshape(-1, 1, 2), homography).reshape(-1, 2) - mm).sum(1).mean())

    best, step = 0.0, 0.04
    for _ in range(4):
        best = float(min((best + step * k for k in range(-9, 10)), key=off))
        step /= 6
    if off(best) > 0.5 * off(0.0):
        return matrix, plain
    return matrix, np.array([best, 0.0, 0.0, 0.0, 0.0])


def standard_markers(size_mm: float = 50.0, x_mm: float = 600.0, y_mm: float = 370.0) -> Markers:
    """The four markers of the printed sheet, ids 0 NW, 1 NE, 2 SE, 3 SW, centred at ``(±x_mm, ±y_mm)``."""
    half = size_mm / 2
    centres = {0: (-x_mm, -y_mm), 1: (x_mm, -y_mm), 2: (x_mm, y_mm), 3: (-x_mm, y_mm)}
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    return Markers("36h11", size_mm, {i: tuple((cx + dx, cy + dy) for dx, dy in square) for i, (cx, cy) in centres.items()})


def moved_mm(calibration: Calibration, seen: Mapping[int, Floats]) -> float | None:
    """How far the markers have moved from their places (median, mm); None when fewer than two are seen."""
    known = [i for i in seen if i in calibration.markers.corners_mm]
    if len(known) < 2:
        return None
    px = np.concatenate([seen[i] for i in known])
    mm = np.concatenate([np.asarray(calibration.markers.corners_mm[i], np.float64) for i in known])
    return float(np.median(np.linalg.norm(calibration.to_mm(px) - mm, axis=1)))
