"""Light over the table: even, a lamp from the side, dim, or a window with a shadow that wanders over the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique

import cv2
import numpy as np
import numpy.typing as npt

from datasets.film.camera import FilmCamera

Picture = npt.NDArray[np.uint8]

UNIT = 128
"""Value of the light map that leaves a colour as it is."""


@unique
class Light(StrEnum):
    """The lightings of the film suite."""

    EVEN = "even"
    LAMP = "lamp"  # from one side
    DIM = "dim"
    WINDOW = "window"  # bright panes, and a shadow that wanders


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The light of a whole film.

    :ivar map: (H, W, 3), 128 = unchanged.
    :ivar slant: the way shadows fall, mm a mm of height; :ivar depth: their depth 0..1; :ivar noise: grey levels.
    :ivar moving: a shadow wanders over the table.
    """

    map: Picture
    slant: tuple[float, float]
    depth: float
    noise: float
    moving: bool


class Wandering:
    """A soft shadow (somebody between the window and the table) that wanders to and fro over the finished picture (I420).

    It has one form and only slides along x, so that it is drawn once, wider than the picture.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        width, height = size
        self._range = int(0.75 * width) // 2 * 2
        wide = width + 2 * self._range
        x = (np.arange(wide, dtype=np.float32)[None, :] - self._range) / width
        y = np.arange(height, dtype=np.float32)[:, None] / height
        across = (x - 0.5) * 0.94 + (y - 0.5) * 0.34
        keep = 255.0 * (1.0 - 0.42 * np.exp(-((across / 0.11) ** 2)))
        self._keep: Picture = keep.astype(np.uint8)
        self._coarse: Picture = np.ascontiguousarray(self._keep[::2, ::2])
        self._black = cv2.convertScaleAbs(255.0 - self._keep.astype(np.float32), alpha=16 / 255)
        self._grey = cv2.convertScaleAbs(255.0 - self._coarse.astype(np.float32), alpha=128 / 255)

    def fall(self, frame: Picture, t: float) -> None:
        """Let it fall on a frame at film time ``t`` (s)."""
        width, height = self._size
        left = int(self._range * (1.0 - np.sin(t / 9.0))) // 2 * 2
        luma, at = frame[:height], slice(left, left + width)
        cv2.multiply(luma, self._keep[:, at], dst=luma, scale=1 / 255)
        cv2.add(luma, self._black[:, at], dst=luma)
        half = slice(left // 2, left // 2 + width // 2)
        for plane in frame[height:].reshape(2, height // 2, width // 2):
            cv2.multiply(plane, self._coarse[:, half], dst=plane, scale=1 / 255)
            cv2.add(plane, self._grey[:, half], dst=plane)


def lighting(kind: Light, camera: FilmCamera, rng: np.random.Generator) -> Lighting:
    """Work out the light of a whole film once."""
    width, height = camera.size
    small_w, small_h = width // 4, height // 4
    x, y = np.meshgrid(np.linspace(-1, 1, small_w, dtype=np.float32), np.linspace(-1, 1, small_h, dtype=np.float32))
    vignette = 1.0 - rng.uniform(0.10, 0.18) * (x * x * 0.8 + y * y * 0.35)
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(angle) + y * np.sin(angle)
    tint = np.array([1.0, 1.0, 1.0], np.float32)
    slant, depth, noise, moving = (0.25 * np.cos(angle), 0.25 * np.sin(angle)), 0.34, 1.8, False
    level = vignette * (1.02 + 0.05 * along)
    if kind is Light.LAMP:
        lamp = np.exp(-(((x - 1.2 * np.cos(angle)) ** 2) * 0.35 + ((y - 1.2 * np.sin(angle)) ** 2) * 0.35))
        level = vignette * (0.5 + 0.75 * lamp)
        tint = np.array([0.84, 0.97, 1.06], np.float32)
        slant, depth = (-0.75 * np.cos(angle), -0.75 * np.sin(angle)), 0.5
        noise = 2.4
    elif kind is Light.DIM:
        level = vignette * (0.46 + 0.06 * along)
        tint = np.array([0.82, 0.96, 1.05], np.float32)
        noise = 4.2
    elif kind is Light.WINDOW:
        shear = x + 0.35 * y + rng.uniform(-0.2, 0.2)
        panes = 1.0 / (1.0 + np.exp(-(0.62 - np.abs(shear)) / 0.03)) * (1.0 - 0.8 * np.exp(-((shear / 0.035) ** 2)))
        level = vignette * (0.62 + 0.5 * cv2.GaussianBlur(panes.astype(np.float32), (0, 0), 4))
        tint = np.array([1.05, 1.0, 0.97], np.float32)
        slant, depth, moving = (0.6, 0.25), 0.46, True
    full = cv2.resize(level.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    out = np.clip(full[:, :, None] * tint[None, None, :] * UNIT + 0.5, 0, 255).astype(np.uint8)
    return Lighting(np.ascontiguousarray(out), slant, depth, noise, moving)
