"""The film's camera: a pinhole with lens distortion above the middle of the table.

Table coordinates are millimetres: origin in the middle, x to the right, y down in the picture, z up towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

HEIGHT_MM: Final = 1250.0
"""Distance from the lens to the middle of the table."""
PX_PER_MM: Final = 1.28
"""Scale in the middle of a 1920 x 1080 picture."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmCamera:
    """A calibrated camera: picture size, matrix (3x3), distortion (k1 k2 p1 p2 k3), rotation (3x3) and translation (mm)."""

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats
    skips: bool = False
    """Its sensor has twice the lines, and it delivers every second pixel of every second one."""

    @property
    def scale(self) -> float:
        """Pixels a millimetre in the middle of the table."""
        return float(self.matrix[0, 0] / self.translation[2])

    def project(self, points: npt.ArrayLike) -> Floats:
        """Picture positions (N, 2), distorted, of points (N, 3) in millimetres with z up."""
        world = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        x, y, z = self.rotation @ (world * (1.0, 1.0, -1.0)).T + self.translation[:, None]
        a, b = x / z, y / z
        k1, k2, p1, p2, k3 = self.distortion
        r2 = a * a + b * b
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        u = a * radial + 2.0 * p1 * a * b + p2 * (r2 + 2.0 * a * a)
        v = b * radial + p1 * (r2 + 2.0 * b * b) + 2.0 * p2 * a * b
        fx, fy, cx, cy = self.matrix[0, 0], self.matrix[1, 1], self.matrix[0, 2], self.matrix[1, 2]
        return np.stack([u * fx + cx, v * fy + cy], axis=1)

    def homography(self) -> Floats:
        """The 3x3 map from undistorted pixels (same matrix) to millimetres on the table."""
        plane = self.matrix @ np.column_stack([self.rotation[:, 0], self.rotation[:, 1], self.translation])
        inverse = np.linalg.inv(plane)
        unit: Floats = np.asarray(inverse / inverse[2, 2], np.float64)
        return unit

    def table_points(self, pixels: npt.ArrayLike) -> Floats:
        """Millimetres on the table (N, 2) under distorted pixels (N, 2)."""
        px = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(px, self.matrix, self.distortion, P=self.matrix)
        flat: Floats = cv2.perspectiveTransform(straight, self.homography()).reshape(-1, 2)
        return flat


@unique
class Model(StrEnum):
    """The cameras of the film suite."""

    FULL_HD = "1080p"
    UHD = "4k"  # delivers 1080p: every second pixel of every second line, sharpened, as cheap cameras shrink
    HD = "720p"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures that it delivers."""
        return (1280, 720) if self is Model.HD else (1920, 1080)


def hang(size: tuple[int, int], tilt: float, rng: np.random.Generator, *, skips: bool = False) -> FilmCamera:
    """Hang a camera over the table, nearly straight, as a person would do it.

    :param size: picture width and height in pixels.
    :param tilt: degrees by which it looks from the south side instead of straight down.
    """
    width, height = size
    zoom = min(width / 1920.0, height / 1080.0)
    focal = PX_PER_MM * HEIGHT_MM * zoom
    distance = HEIGHT_MM * (1.0 + 0.16 * np.sin(np.radians(tilt)))
    t = np.radians(tilt + rng.uniform(-1.2, 1.2))
    yaw = np.radians(rng.uniform(-1.4, 1.4))
    roll = np.radians(rng.uniform(-0.8, 0.8))
    tilted = np.array([[1, 0, 0], [0, np.cos(t), np.sin(t)], [0, -np.sin(t), np.cos(t)]])
    rolled = np.array([[np.cos(roll), 0, np.sin(roll)], [0, 1, 0], [-np.sin(roll), 0, np.cos(roll)]])
    turned = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    rotation = turned @ rolled @ tilted
    centre = np.array([rng.uniform(-8, 8), rng.uniform(-6, 6), 0.0])
    translation = np.array([0.0, 0.0, distance]) - rotation @ centre
    matrix = np.array([[focal, 0.0, width / 2 + rng.uniform(-6, 6)], [0.0, focal, height / 2 + rng.uniform(-6, 6)], [0.0, 0.0, 1.0]])
    distortion = np.array([rng.uniform(-0.11, -0.05), rng.uniform(0.01, 0.03), rng.uniform(-4e-4, 4e-4), rng.uniform(-4e-4, 4e-4), 0.0])
    return FilmCamera(size, matrix, distortion, rotation, translation, skips)


def bumped(camera: FilmCamera, rng: np.random.Generator) -> FilmCamera:
    """The same camera after somebody knocked against its stand: some centimetres and degrees off."""
    yaw = np.radians(rng.choice([-1.0, 1.0]) * rng.uniform(2.0, 3.5))
    turned = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    shift = np.array([rng.choice([-1.0, 1.0]) * rng.uniform(18, 30), rng.choice([-1.0, 1.0]) * rng.uniform(6, 14), 0.0])
    return FilmCamera(camera.size, camera.matrix, camera.distortion, turned @ camera.rotation, camera.translation + shift, camera.skips)


def calibration(camera: FilmCamera) -> dict[str, Any]:
    """The camera's part of ``table.json``."""
    return {
        "size": list(camera.size),
        "camera": {"matrix": camera.matrix.round(6).tolist(), "distortion": camera.distortion.round(9).tolist()},
        "homography": camera.homography().tolist(),
    }
