"""The bare table as the camera sees it: cloth or wood, the four AprilTags, tea cups beside the players."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.film.camera import FilmCamera
from datasets.film.sprites import sharpened

Picture = npt.NDArray[np.uint8]

MARKER_MM: Final = 50.0
MARKER_CENTRES: Final[dict[int, tuple[float, float]]] = {0: (-600.0, -350.0), 1: (600.0, -350.0), 2: (600.0, 350.0), 3: (-600.0, 350.0)}
"""Centres of the markers 0 NW, 1 NE, 2 SE, 3 SW in millimetres."""

_TOP_W: Final = 2000
_TOP_H: Final = 1400
_DENSITY: Final = 2.0  # pixels a millimetre in the flat table picture


def marker_corners() -> dict[str, list[list[float]]]:
    """Corners of each marker's black square (TL, TR, BR, BL as printed), in millimetres, by id."""
    h = MARKER_MM / 2
    return {str(i): [[x - h, y - h], [x + h, y - h], [x + h, y + h], [x - h, y + h]] for i, (x, y) in MARKER_CENTRES.items()}


def _clouds(rng: np.random.Generator, height: int, width: int, cells: int) -> npt.NDArray[np.float32]:
    small = rng.normal(0, 1, (max(2, height // cells), max(2, width // cells))).astype(np.float32)
    big: npt.NDArray[np.float32] = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return big


def _cloth(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Felt or a table cloth in one colour: fibres and faint folds."""
    colours = ((62, 104, 44), (112, 74, 42), (58, 44, 120), (96, 110, 58), (120, 128, 132), (70, 66, 62))
    base = np.array(colours[rng.integers(len(colours))], np.float32)
    tile = cv2.GaussianBlur(rng.normal(0, 1, (1000, 1000)).astype(np.float32), (0, 0), 1.2) * 9.0
    fibres = np.tile(tile, (-(-height // 1000), -(-width // 1000)))[:height, :width]
    tone = 1.0 + 0.03 * _clouds(rng, height // 4, width // 4, 100) + 0.012 * _clouds(rng, height // 4, width // 4, 10)
    tone = cv2.resize(tone, (width, height), interpolation=cv2.INTER_LINEAR)
    out: Picture = cv2.merge([cv2.convertScaleAbs(tone * float(value) + fibres) for value in base])
    return out


def _wood(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A wooden table of planks: grain along x, a darker joint between planks."""
    colours = ((96, 140, 184), (70, 104, 150), (52, 74, 104), (120, 158, 190))
    base = np.array(colours[rng.integers(len(colours))], np.float32)
    out = np.empty((height, width, 3), np.uint8)
    plank = int(rng.uniform(110, 190) * _DENSITY)
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        grain = cv2.resize(rng.normal(0, 1, (rows, max(2, width // 90))).astype(np.float32), (width, rows), interpolation=cv2.INTER_LINEAR)
        grain = cv2.GaussianBlur(grain, (0, 0), 1.4)
        waves = np.sin(np.linspace(0, rng.uniform(14, 30), rows, dtype=np.float32)[:, None] + 1.8 * _clouds(rng, rows, width, 160))
        tone = rng.uniform(0.9, 1.06) + 0.06 * grain + 0.035 * waves
        tone[:3] *= 0.72
        out[top : top + rows] = cv2.merge([cv2.convertScaleAbs(tone * float(value)) for value in base])
    return out


def _print_markers(flat: Picture) -> None:
    """Paste the tags on white paper into the flat table picture."""
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = int(MARKER_MM * _DENSITY)
    rim = int(9 * _DENSITY)
    for number, (x, y) in MARKER_CENTRES.items():
        tag = cv2.aruco.generateImageMarker(tags, number, side)
        paper = np.full((side + 2 * rim, side + 2 * rim), 232, np.uint8)
        paper[rim : rim + side, rim : rim + side] = np.where(tag > 0, 232, 26)
        left = round((x + _TOP_W / 2) * _DENSITY) - side // 2 - rim
        top = round((y + _TOP_H / 2) * _DENSITY) - side // 2 - rim
        flat[top : top + paper.shape[0], left : left + paper.shape[1]] = paper[:, :, None]


def _clutter(flat: Picture, rng: np.random.Generator) -> None:
    """Put tea cups at places where nobody plays."""

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x + _TOP_W / 2) * _DENSITY), round((y + _TOP_H / 2) * _DENSITY)

    for side in (-1, 1):
        if rng.random() < 0.7:
            x, y = side * rng.uniform(600, 690), rng.uniform(-230, 230)
            radius = int(rng.uniform(34, 42) * _DENSITY)
            left, top = at(x - 70, y - 70)
            near = flat[top : top + 320, left : left + 320]
            mask = np.zeros(near.shape[:2], np.float32)
            cv2.circle(mask, (156, 160), radius, 0.28, -1, cv2.LINE_AA)
            near[:] = near * (1 - cv2.GaussianBlur(mask, (0, 0), 9)[:, :, None])
            china = tuple(int(c) for c in rng.integers(190, 240, 3))
            cv2.circle(flat, at(x, y), radius, china, -1, cv2.LINE_AA)
            cv2.circle(flat, at(x, y), radius - 9, tuple(int(c * 0.8) for c in china), 3, cv2.LINE_AA)
            cv2.circle(flat, at(x, y), radius - 13, (38, 84, 132), -1, cv2.LINE_AA)
            cv2.circle(flat, at(x - 8, y - 9), radius // 4, (90, 140, 180), -1, cv2.LINE_AA)


def flat_table(rng: np.random.Generator) -> Picture:
    """The table from straight above without lens or light, 2000 x 1400 mm at 2 pixels a millimetre, BGR."""
    height, width = int(_TOP_H * _DENSITY), int(_TOP_W * _DENSITY)
    surface = _cloth if rng.random() < 0.6 else _wood
    flat = surface(rng, height, width)
    _clutter(flat, rng)
    _print_markers(flat)
    return flat


def seen_table(camera: FilmCamera, flat: Picture) -> Picture:
    """The table through the camera: lens distortion and perspective, shrunk from twice the size, BGR."""
    width, height = camera.size
    step = 8
    xs = np.arange(-step, width + 2 * step, step, dtype=np.float64)
    ys = np.arange(-step, height + 2 * step, step, dtype=np.float64)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    coarse = camera.table_points(grid.reshape(-1, 2)).reshape(len(ys), len(xs), 2).astype(np.float32)
    px = (np.arange(2 * width, dtype=np.float32) + 0.5) / 2 - 0.5
    py = (np.arange(2 * height, dtype=np.float32) + 0.5) / 2 - 0.5
    out = np.empty((height, width, 3), np.uint8)
    band = 120
    for top in range(0, height, band):
        rows = py[2 * top : 2 * min(height, top + band)]
        gx, gy = np.meshgrid(px / step + 1, rows / step + 1)
        mm = cv2.remap(coarse, gx, gy, cv2.INTER_LINEAR)
        u = (mm[..., 0] + _TOP_W / 2) * _DENSITY - 0.5
        v = (mm[..., 1] + _TOP_H / 2) * _DENSITY - 0.5
        big = cv2.remap(flat, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        if camera.skips:
            big = cv2.convertScaleAbs(np.clip(sharpened(big.astype(np.float32)), 0, 255))
        shrink = cv2.INTER_NEAREST if camera.skips else cv2.INTER_AREA
        out[top : top + len(rows) // 2] = cv2.resize(big, (width, len(rows) // 2), interpolation=shrink)
    return out
