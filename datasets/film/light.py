"""Light over the table: even, a lamp from the side, dim, or a window with a shadow that wanders."""

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
    SIDE = "side"
    DIM = "dim"
    WINDOW = "window"


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """A light map (H, W, 3, 128 = unchanged), the way shadows fall (mm a mm of height), their depth 0..1, noise (grey levels), a wandering shadow."""

    map: Picture
    slant: tuple[float, float]
    depth: float
    noise: float
    moving: bool

    def at(self, t: float) -> Picture:
        """The light map at film time ``t`` (s)."""
        if not self.moving:
            return self.map
        height, width = self.map.shape[:2]
        x = np.arange(width, dtype=np.float32)[None, :] / width
        y = np.arange(height, dtype=np.float32)[:, None] / height
        centre = 0.5 + 0.75 * np.sin(t / 9.0)
        across = (x - centre) * 0.94 + (y - 0.5) * 0.34
        band = (255 * (1.0 - 0.42 * np.exp(-((across / 0.11) ** 2)))).astype(np.uint8)
        out: Picture = cv2.multiply(self.map, cv2.merge([band, band, band]), scale=1 / 255)
        return out


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
    if kind is Light.SIDE:
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
