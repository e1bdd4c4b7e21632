"""Tables without cards: cloth, wood, tiles, paper and noise, and what else lies on a table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from datasets.prints import PRINTS
from datasets.things import THINGS, Maker

Floats = NDArray[np.float32]

_SKINS: Final = ((224, 172, 150), (198, 134, 110), (240, 200, 180), (150, 100, 75), (110, 70, 50), (250, 215, 195))


def table(size: int, rng: random.Random, nrng: np.random.Generator) -> Floats:
    """A bare table, ``size x size x 3``, RGB 0..255."""
    kind = rng.choices(("felt", "wood", "cloth", "plain", "tiles", "busy"), (0.34, 0.2, 0.14, 0.14, 0.09, 0.09))[0]
    base = np.array([rng.randint(0, 255) for _ in range(3)], np.float32)
    if kind == "felt":
        base = np.array(rng.choice(((20, 95, 45), (25, 120, 70), (30, 70, 140), (120, 20, 30), (60, 60, 66), (15, 60, 40))), np.float32)
        base += nrng.normal(0, 14, 3).astype(np.float32)
    elif kind == "wood":
        base = np.array(rng.choice(((150, 105, 65), (190, 150, 105), (95, 60, 35), (215, 185, 150), (60, 40, 28), (140, 85, 50))), np.float32)
    elif kind == "plain":
        base = np.repeat(np.float32(rng.choice((20, 60, 110, 170, 225, 245))), 3) + nrng.normal(0, 6, 3).astype(np.float32)
    out = np.ascontiguousarray(np.broadcast_to(base, (size, size, 3)), np.float32).copy()
    for scale, strength in ((1, 5), (3, 6), (14, 7), (60, 12), (200, 18)):
        out += _noise(size, scale, scale, rng.uniform(0.1, 1) * strength, nrng, 3 if rng.random() < 0.2 else 1)
    if kind == "wood":
        along = _noise(size, 260, rng.uniform(2, 7), rng.uniform(6, 22), nrng) + _noise(size, 300, rng.uniform(14, 40), rng.uniform(6, 20), nrng)
        rings = np.sin(_noise(size, 300, 40, 6, nrng) + np.mgrid[0:size, 0:size][0][..., None] / rng.uniform(5, 16)) * rng.uniform(2, 10)
        out += along + rings.astype(np.float32)
        if rng.random() < 0.5:
            out[:: rng.randint(size // 6, size // 2)] *= 0.6
    elif kind == "cloth":
        y, x = np.mgrid[0:size, 0:size]
        step = rng.uniform(1.5, 6)
        weave = np.sin(x * 2 * np.pi / step) * np.sin(y * 2 * np.pi / step)
        out += (weave * rng.uniform(4, 24))[..., None].astype(np.float32)
        if rng.random() < 0.5:
            period = rng.randint(20, 160)
            other = np.array([rng.uniform(-90, 90) for _ in range(3)], np.float32)
            out += ((x // period % 2)[..., None] * 0.5 + (y // period % 2)[..., None] * 0.5).astype(np.float32) * other
    elif kind == "tiles":
        period = rng.randint(60, 300)
        out[::period] += rng.uniform(-70, 70)
        out[:, ::period] += rng.uniform(-70, 70)
        out = cv2.GaussianBlur(out, (0, 0), 1.2)
    elif kind == "busy":
        for _ in range(rng.randint(10, 60)):
            centre = (rng.randint(0, size), rng.randint(0, size))
            colour = [rng.randint(0, 255) for _ in range(3)]
            if rng.random() < 0.5:
                cv2.ellipse(out, centre, (rng.randint(5, 90), rng.randint(5, 90)), rng.uniform(0, 360), 0, 360, colour, rng.choice((-1, 2, 4)))
            else:
                cv2.line(out, centre, (rng.randint(0, size), rng.randint(0, size)), colour, rng.randint(1, 14))
    if kind != "felt" and rng.random() < 0.5:
        turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.5)
        out = np.asarray(cv2.warpAffine(out, turn, (size, size), borderMode=cv2.BORDER_REFLECT), np.float32)
    return np.clip(out, 0, 255)


def _noise(size: int, along: float, across: float, strength: float, nrng: np.random.Generator, channels: int = 1) -> Floats:
    shape = (max(2, round(size / across)), max(2, round(size / along)), channels)
    drawn = cv2.resize(nrng.normal(0, strength, shape).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray(drawn if drawn.ndim == 3 else drawn[..., None], np.float32)


def _paste(picture: Floats, piece: Image.Image, at: tuple[float, float], angle: float, cover: NDArray[np.int32] | None, rng: random.Random) -> None:
    """Lay a picture with transparency on the table, turned, with a soft shadow; marks what it covers with -2."""
    size = picture.shape[0]
    turn = cv2.getRotationMatrix2D((piece.width / 2, piece.height / 2), angle, 1.0)
    turn[:, 2] += np.array(at) - [piece.width / 2, piece.height / 2]
    corners = np.array([[0, 0, 1], [piece.width, 0, 1], [piece.width, piece.height, 1], [0, piece.height, 1]]) @ turn.T
    room = 10
    x0, y0 = (max(0, int(v) - room) for v in corners.min(0))
    x1, y1 = (min(size, int(v) + room) for v in corners.max(0))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    turn[:, 2] -= [x0, y0]
    # only the part that is seen is turned; transparent pixels are black, so what comes out is already weighed by its coverage
    pixels = np.asarray(piece, np.uint8)
    solid = pixels[..., 3] == 255
    if not solid.all():
        pixels = pixels.copy()
        pixels[..., :3] = (pixels[..., :3].astype(np.float32) * (pixels[..., 3:] / np.float32(255))).astype(np.uint8)
    part = np.asarray(cv2.warpAffine(pixels, turn, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.float32)
    alpha = part[..., 3] / np.float32(255)
    shade = cv2.blur(cv2.blur(alpha, (9, 9)), (9, 9)) * np.float32(rng.uniform(0.1, 0.5))
    spot = picture[y0:y1, x0:x1]
    spot *= ((1 - shade) * (1 - alpha))[..., None]
    spot += part[..., :3]
    if cover is not None:
        cover[y0:y1, x0:x1][alpha > 0.5] = -2


def clutter(
    picture: Floats,
    count: int,
    unit: float,
    rng: random.Random,
    cover: NDArray[np.int32] | None = None,
    makers: Sequence[Maker] = (*THINGS, *PRINTS),
) -> None:
    """Put things on the table that are no cards (see :mod:`datasets.things`, :mod:`datasets.prints`); ``unit`` = a card's width."""
    size = picture.shape[0]
    for _ in range(count):
        piece = rng.choice(makers)(unit, rng)
        # most things lie as cards lie, straight to somebody
        angle = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 6) if rng.random() < 0.5 else rng.uniform(0, 360)
        _paste(picture, piece, (rng.uniform(0, size), rng.uniform(0, size)), angle, cover, rng)


def hand(picture: Floats, cover: NDArray[np.int32], unit: float, rng: random.Random, nrng: np.random.Generator, at: Any = None) -> None:
    """Let a hand with a sleeve reach in from the border to ``at`` (or anywhere); what it covers is marked with -2."""
    size = picture.shape[0]
    tip = np.array(at if at is not None else (rng.uniform(0.1, 0.9) * size, rng.uniform(0.1, 0.9) * size))
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-way[1], way[0]])
    palm = unit * rng.uniform(0.55, 0.95)
    mask = np.zeros((size, size), np.uint8)

    def line(start: NDArray[np.float64], end: NDArray[np.float64], width: float, to: NDArray[np.uint8]) -> None:
        cv2.line(to, (round(start[0]), round(start[1])), (round(end[0]), round(end[1])), 255, max(2, round(width)), cv2.LINE_AA)

    centre = tip - way * palm * 1.1
    line(centre, centre - way * palm * 0.5, palm * 1.1, mask)
    for finger in range(4):
        root = centre + side * (finger - 1.5) * palm * 0.28 + way * palm * 0.3
        end = root + way * palm * rng.uniform(0.3, 1.0) + side * (finger - 1.5) * palm * rng.uniform(0, 0.2)
        line(root, end, palm * 0.24, mask)
    line(centre - side * palm * 0.5, centre - side * palm * 0.8 + way * palm * rng.uniform(0, 0.7), palm * 0.26, mask)
    sleeve = np.zeros_like(mask)
    line(centre - way * palm * 0.9, centre - way * size * 2, palm * 0.8, mask)
    line(centre - way * palm * rng.uniform(1.0, 2.5), centre - way * size * 2, palm * rng.uniform(1.1, 1.6), sleeve)
    everything = np.maximum(mask, sleeve)
    rows, columns = np.flatnonzero(everything.any(1)), np.flatnonzero(everything.any(0))
    if not len(rows):
        return
    room = round(unit * 0.3) + 4
    part = (slice(max(0, rows[0] - room), rows[-1] + room), slice(max(0, columns[0] - room), columns[-1] + room))
    mask, sleeve, everything, spot = mask[part], sleeve[part], everything[part], picture[part]
    shade = cv2.resize(nrng.normal(0, 18, (12, 12)).astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    edge = _soft(mask, palm * 0.12)
    skin = np.array(rng.choice(_SKINS), np.float32) * (np.float32(0.55) + np.float32(0.5) * edge) + shade
    cloth = np.array([rng.randint(10, 230) for _ in range(3)], np.float32) + shade * np.float32(1.5)
    dark = _soft(everything, unit * 0.12)
    spot *= 1 - dark * np.float32(rng.uniform(0.1, 0.4))
    for layer, colour in ((mask, skin), (sleeve, cloth)):
        alpha = cv2.GaussianBlur(layer, (0, 0), 1.0).astype(np.float32)[..., None] / np.float32(255)
        spot *= 1 - alpha
        spot += colour * alpha
        cover[part][layer > 127] = -2


def _soft(mask: NDArray[np.uint8], sigma: float) -> Floats:
    """A mask blurred widely, worked out at a quarter of its size; 0..1, one channel."""
    small = cv2.resize(mask, (mask.shape[1] // 4, mask.shape[0] // 4), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / 4))
    return np.asarray(cv2.resize(small, (mask.shape[1], mask.shape[0])), np.float32)[..., None] / np.float32(255)
