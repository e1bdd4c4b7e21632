"""The light over the table, as the bare cloth shows it: how it falls, and how it has changed since the first picture.

A cloud, a shadow that wanders over the table and a camera that changes its exposure are no change of what lies there. The small picture is cut
into blocks; where a block still has the cloth's colour its brightness tells the light, and elsewhere the light is that of the cloth around.
An earlier picture can so be shown in the present light, and then compared.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, Image
from vision.zones import to_small

Grid = npt.NDArray[np.float32]
Box = tuple[slice, slice]

RING_MM: Final = (128.0, 162.0)
"""Between the bottom's place and the played cards the table is bare."""
BLOCK: Final = 8
"""Pixels of the small picture on a side of a block (about 25 mm)."""
BLACK: Final = 4.0
"""Grey levels added before ratios are taken, so that noise in the dark does not count."""
HUE: Final = 0.07
"""The cloth's own colour (a vector of length 1) differs by less than this from place to place."""
HUE_LATER: Final = 0.04
"""And by less than this at one place while the light changes."""
STEP: Final = 0.22
"""Light changes by less than this (logarithm) from one block to the next; a border is that of something else, however alike its colour."""
LARGE: Final = 60
"""So many blocks at least that light falls on evenly are table; what is smaller and differs from its surroundings lies on it."""
SAME: Final = 0.05
"""A change of the light smaller than this (logarithm) is left alone."""
SLACK: Final = 1.5
MOST: Final = 1.4
"""Light that is stronger or weaker than this (logarithm) is none."""


class Moment:
    """The light of one picture: ``level`` by blocks (logarithm), and by pixels as a ``gain``, worked out when it is asked for."""

    def __init__(self, level: Grid, size: tuple[int, int]) -> None:
        self.level, self._size = level, size

    @cached_property
    def gain(self) -> Grid:
        """How much brighter each pixel is than in the first picture."""
        return np.asarray(cv2.resize(np.exp(self.level), self._size, interpolation=cv2.INTER_LINEAR), np.float32)


class Light:
    """The light of one camera.

    ``now`` is how much brighter it is than in the first picture, ``shade`` how bright each block is by the cloth around the centre (logarithm).

    :param calibration: of full-size pictures. :param start: the first small picture (BGR).
    """

    def __init__(self, calibration: Calibration, start: Image) -> None:
        self.size = (start.shape[1], start.shape[0])
        self.grid = (max(2, self.size[0] // BLOCK), max(2, self.size[1] // BLOCK))
        self._blocks = self._averaged(start)
        self.ring = _square(calibration, self.size, RING_MM[1]) & ~_square(calibration, self.size, RING_MM[0])
        around = start[self.ring].astype(np.float32)
        cloth = np.asarray(np.median(around, axis=0) if len(around) else np.ones(3), np.float32) + BLACK
        brightness = np.asarray(np.log(self._blocks.mean(2) / cloth.mean()), np.float32)
        self._cloth = _even(brightness, np.abs(_hue(self._blocks) - _hue(cloth)).max(2) < HUE)
        self._shade = _filled(brightness, self._cloth)
        self.now = Moment(np.zeros((self.grid[1], self.grid[0]), np.float32), self.size)

    @property
    def shade(self) -> Grid:
        """How bright the light is in each block (logarithm)."""
        return np.asarray(np.clip(self._shade + self.now.level, -MOST, MOST), np.float32)

    def update(self, small: Image) -> None:
        """Take the next small picture (BGR)."""
        blocks = self._averaged(small)
        more = np.asarray(np.log(blocks.mean(2) / self._blocks.mean(2)), np.float32)
        cloth = self._cloth & (np.abs(_hue(blocks) - _hue(self._blocks)).max(2) < HUE_LATER) & (np.abs(more) < MOST)
        if not cloth.any() or float(np.abs(more[cloth]).max()) < SAME:
            if self.now.level.any():
                self.now = Moment(np.zeros_like(more), self.size)
            return
        self.now = Moment(_filled(more, _even(more, cloth)), self.size)

    def spread(self, grid: Grid) -> npt.NDArray[np.float32]:
        """A value for each block as one for each pixel of the small picture."""
        return np.asarray(cv2.resize(grid, self.size, interpolation=cv2.INTER_LINEAR), np.float32)

    def relit(self, part: Image, then: Moment, box: Box) -> Image:
        """A part of an earlier small picture as it would look in the present light.

        :param then: :attr:`now` when it was taken. :param box: the rows and columns of the small picture that it shows.
        """
        if not self._differs(then, box):
            return part
        gain = (self.now.gain[box] / then.gain[box])[..., None]
        return np.asarray(np.clip((part + BLACK) * gain - BLACK, 0, 255), np.uint8)

    def slack(self, then: Moment, box: Box) -> npt.NDArray[np.float32] | float:
        """By what factor a difference must be greater to be one, where the light has changed since ``then``: it is known to about a block."""
        if not self._differs(then, box):
            return 1.0
        return np.asarray(1 + SLACK * np.abs(self.now.gain[box] / then.gain[box] - 1), np.float32)

    def _differs(self, then: Moment, box: Box) -> bool:
        rows, columns = (slice(s.start // BLOCK, -(-s.stop // BLOCK)) for s in box)
        more = self.now.level[rows, columns] - then.level[rows, columns]
        return more.size > 0 and float(np.abs(more).max()) >= SAME

    def _averaged(self, small: Image) -> Grid:
        """The mean colour of each block, never 0."""
        return np.asarray(cv2.resize(small, self.grid, interpolation=cv2.INTER_AREA).astype(np.float32) + BLACK, np.float32)


def _square(calibration: Calibration, size: tuple[int, int], half_mm: float) -> npt.NDArray[np.bool_]:
    points = np.array([[-half_mm, -half_mm], [half_mm, -half_mm], [half_mm, half_mm], [-half_mm, half_mm]])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [to_small(calibration, points, size).reshape(-1, 1, 2)], 1)
    return mask.astype(bool)


def _hue(colours: Grid) -> Grid:
    """Colours (... x 3) without their brightness."""
    return np.asarray(colours / np.linalg.norm(colours, axis=-1, keepdims=True), np.float32)


def _even(values: Grid, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Those of the known blocks that change little from one to the next, over a large area."""
    step = np.zeros_like(values)
    for here, there in ((np.s_[1:, :], np.s_[:-1, :]), (np.s_[:, 1:], np.s_[:, :-1])):
        change = np.abs(values[here] - values[there]) * (known[here] & known[there])
        step[here] = np.maximum(step[here], change)
        step[there] = np.maximum(step[there], change)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((known & (step < STEP)).astype(np.uint8), connectivity=4)
    large = np.array([k > 0 and stats[k, cv2.CC_STAT_AREA] >= LARGE for k in range(count)])
    return np.asarray(large[labels], np.bool_)


def _filled(values: Grid, known: npt.NDArray[np.bool_]) -> Grid:
    """Smooth values of blocks; those that are not known follow the known ones around them, the nearest first."""
    seen = known.astype(np.float32)
    out = np.full_like(values, float(values[known].mean()) if known.any() else 0.0)
    for around in (4.0, 0.7):
        weight = cv2.GaussianBlur(seen, (0, 0), around)
        mean = cv2.GaussianBlur(values * seen, (0, 0), around)
        out = np.where(weight > 0.05, mean / np.maximum(weight, 0.05), out)
    return np.asarray(out, np.float32)
