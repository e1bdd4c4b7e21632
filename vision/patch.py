"""The upright index patch: the part of a card that is read, cut out by the card's corners.

A *quad* is 4x2 pixels: the card's corners top-left, top-right, bottom-right, bottom-left as seen from one index, which then stands
upright at the top left. Training and reading cut patches with the same function, so what the reader learnt is what it gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Quad = NDArray[np.float32]

CARD_ASPECT: Final = 88.0 / 63.0
"""Height by width of a poker-sized card; bridge-sized ones have 88 / 57."""

_MAX_SUPERSAMPLING: Final = 8
_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class PatchGeometry:
    """Which part of a card a patch shows: ``x`` in card widths, ``y`` in card heights, ``size`` = (width, height) in pixels."""

    size: tuple[int, int] = (64, 112)
    x: tuple[float, float] = (-0.03, 0.31)
    y: tuple[float, float] = (-0.03, 0.39)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PatchGeometry:
        """Read the form that :meth:`to_json` writes.

        :raises ValueError: when a value is missing or no area is left.
        """
        try:
            geometry = cls(
                (int(data["size"][0]), int(data["size"][1])),
                (float(data["x"][0]), float(data["x"][1])),
                (float(data["y"][0]), float(data["y"][1])),
            )
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"not a patch geometry: {data!r}; expected size [w, h], x [from, to], y [from, to]") from error
        if min(geometry.size) < 8 or geometry.x[0] >= geometry.x[1] or geometry.y[0] >= geometry.y[1]:
            raise ValueError(f"a patch geometry without area: {data!r}")
        return geometry

    def mirrored(self) -> PatchGeometry:
        """The same window at the card's top right corner, for decks with four indices; the patch itself is not turned over."""
        return PatchGeometry(self.size, (1 - self.x[1], 1 - self.x[0]), self.y)

    def to_json(self) -> dict[str, list[float]]:
        """The plain form for ``weights.json``."""
        return {"size": list(self.size), "x": list(self.x), "y": list(self.y)}


PATCH: Final = PatchGeometry()
"""About 21 x 37 mm at 3 pixels a millimetre: a jumbo index with its pip, or the vertical word JOKER."""


def is_sane(quad: Quad) -> bool:
    """Tell whether a quad is convex, clockwise in the picture and of a shape that a card on a table can take.

    Opposite sides may differ by perspective up to 2.2 times; the picture of a card is never thinner than a fifth of its length.
    """
    edges = np.roll(quad, -1, 0) - quad
    following = np.roll(edges, -1, 0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if not bool((turns > 0).all()):
        return False
    top, right, bottom, left = (float(v) for v in np.hypot(edges[:, 0], edges[:, 1]))
    width, height = (top + bottom) / 2, (left + right) / 2
    if max(top, bottom) > 2.2 * min(top, bottom) or max(left, right) > 2.2 * min(left, right):
        return False
    return 0.45 < height / width < 4.5 and float(turns.min()) > 0.2 * width * height


def transform(quad: Quad, geometry: PatchGeometry = PATCH) -> NDArray[np.float64]:
    """The 3x3 matrix from picture pixels to patch pixels; a quad that is not sane counts as a parallelogram at its index."""
    quad = np.asarray(quad, np.float32).reshape(4, 2)
    corners = quad if is_sane(quad) else _parallelogram(quad)
    to_card = cv2.getPerspectiveTransform(corners, _UNIT)
    width, height = geometry.size
    sx, sy = width / (geometry.x[1] - geometry.x[0]), height / (geometry.y[1] - geometry.y[0])
    to_patch = np.array([[sx, 0, -geometry.x[0] * sx], [0, sy, -geometry.y[0] * sy], [0, 0, 1]])
    return np.asarray(to_patch @ to_card, np.float64)


def cut(image: Image, quad: Quad, geometry: PatchGeometry = PATCH) -> Image:
    """Cut the upright patch of one index.

    :param image: BGR, uint8.
    :param quad: 4x2 pixels, corners as seen from the index.
    :returns: ``geometry.size`` as height x width x 3, uint8; beyond the picture its border is repeated. Averaged when it shrinks.
    """
    quad = np.asarray(quad, np.float32).reshape(4, 2)
    width, height = geometry.size
    pixels_per_card = width / (geometry.x[1] - geometry.x[0])
    shrink = float(np.hypot(*(quad[1] - quad[0]))) / pixels_per_card
    factor = int(np.clip(np.ceil(shrink - 0.25), 1, _MAX_SUPERSAMPLING))
    matrix = np.diag([float(factor), float(factor), 1.0]) @ transform(quad, geometry)
    # Pixel centres sit at half integers: without this shift every factor would see the card moved by half a pixel.
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    matrix = half @ matrix @ np.linalg.inv(half)
    large = cv2.warpPerspective(image, matrix, (width * factor, height * factor), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if factor > 1:
        large = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(large, np.uint8)


def cut_many(image: Image, quads: NDArray[np.float32], geometry: PatchGeometry = PATCH, right: NDArray[np.bool_] | None = None) -> Image:
    """Cut N patches: N x 4 x 2 quads give N x height x width x 3; those marked ``right`` at the top right corner (see :func:`at_right`)."""
    width, height = geometry.size
    if len(quads) == 0:
        return np.zeros((0, height, width, 3), np.uint8)
    mirrored = geometry.mirrored()
    sides = np.zeros(len(quads), bool) if right is None else right
    return np.stack([cut(image, quad, mirrored if side else geometry) for quad, side in zip(quads, sides, strict=True)])


def at_right(quads: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which of N indices (``centres`` Nx2, pixels) stand at the right end of their card's upper edge, as a deck with four indices has them."""
    across = quads[:, 1] - quads[:, 0]
    along = ((centres - quads[:, 0]) * across).sum(1)
    return np.asarray(along > 0.5 * np.maximum((across * across).sum(1), 1e-6))


def _parallelogram(quad: Quad) -> Quad:
    """Keep the index's corner and the longer evidence for both directions; give a collapsed card a least size."""
    origin = quad[0]
    across, down = quad[1] - origin, quad[3] - origin
    width = max(float(np.hypot(*across)), 1.0)
    if float(np.hypot(*down)) < 1.0:
        down = np.array([-across[1], across[0]], np.float32) * np.float32(CARD_ASPECT)
    if float(across[0] * down[1] - across[1] * down[0]) < 0.2 * width * float(np.hypot(*down)):
        # The two sides are nearly parallel or mirrored: believe the long one, which is measured best.
        length = float(np.hypot(*down))
        direction = down / length
        across = np.array([direction[1], -direction[0]], np.float32) * np.float32(length / CARD_ASPECT)
    return np.array([origin, origin + across, origin + across + down, origin + down], np.float32)
