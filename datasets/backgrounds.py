"""Tables without cards: cloth, wood, tiles, paper and noise, and what else lies on a table."""

from __future__ import annotations

import random
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets import fonts

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
    turned = np.asarray(piece.rotate(angle, expand=True, resample=Image.Resampling.BILINEAR), np.float32)
    height, width = turned.shape[:2]
    size = picture.shape[0]
    x, y = round(at[0] - width / 2), round(at[1] - height / 2)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(size, x + width), min(size, y + height)
    if x1 <= x0 or y1 <= y0:
        return
    part = turned[y0 - y : y1 - y, x0 - x : x1 - x]
    alpha = part[..., 3:] / 255
    shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), 5)[..., None] * rng.uniform(0.1, 0.5)
    spot = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = spot * (1 - shade) * (1 - alpha) + part[..., :3] * alpha
    if cover is not None:
        cover[y0:y1, x0:x1][alpha[..., 0] > 0.5] = -2


def clutter(picture: Floats, count: int, unit: float, rng: random.Random, cover: NDArray[np.int32] | None = None) -> None:
    """Put things on the table that are no cards: paper with writing, dice, keyboards, coins, phones, pens; ``unit`` = a card's width."""
    size = picture.shape[0]
    makers = (_paper, _paper, _dice, _keyboard, _coin, _phone, _pen, _sign, _box)
    for _ in range(count):
        piece = rng.choice(makers)(unit, rng)
        _paste(picture, piece, (rng.uniform(0, size), rng.uniform(0, size)), rng.uniform(0, 360), cover, rng)


def _text_font(size: float, rng: random.Random) -> ImageFont.FreeTypeFont:
    usable = [file for file in fonts.text_fonts() if not fonts.held_out(file)]
    return ImageFont.truetype(str(rng.choice(usable)), max(6, round(size)))


def _colour(rng: random.Random, low: int = 0, high: int = 255) -> tuple[int, int, int, int]:
    return rng.randint(low, high), rng.randint(low, high), rng.randint(low, high), 255


def _paper(unit: float, rng: random.Random) -> Image.Image:
    width, height = int(unit * rng.uniform(0.8, 3)), int(unit * rng.uniform(0.8, 3.5))
    shade = rng.randint(200, 255)
    out = Image.new("RGBA", (width, height), (shade, shade, shade - rng.randint(0, 25), 255))
    pen = ImageDraw.Draw(out)
    size = unit * rng.uniform(0.07, 0.4)
    font = _text_font(size, rng)
    y = size * 0.5
    ink = _colour(rng, 0, 90) if rng.random() < 0.7 else (rng.randint(150, 230), 30, 30, 255)
    while y < height - size:
        words = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789   abcdefghijklmnopqrstuvwxyz") for _ in range(40))
        pen.text((size * 0.6, y), words, font=font, fill=ink)
        y += size * rng.uniform(1.1, 1.5)
    return out


def _dice(unit: float, rng: random.Random) -> Image.Image:
    side = max(10, int(unit * rng.uniform(0.2, 0.4)))
    dark = rng.random() < 0.3
    out = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(out)
    pen.rounded_rectangle((0, 0, side - 1, side - 1), side // 6, fill=_colour(rng, 0, 120) if dark else (245, 245, 240, 255))
    spots = {1: [(1, 1)], 2: [(0, 0), (2, 2)], 3: [(0, 0), (1, 1), (2, 2)], 4: [(0, 0), (0, 2), (2, 0), (2, 2)]}
    for x, y in spots[rng.randint(1, 4)]:
        cx, cy, r = side * (0.25 + 0.25 * x), side * (0.25 + 0.25 * y), side * 0.09
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=(250, 250, 250, 255) if dark else (rng.choice((15, 200)), 15, 15, 255))
    return out


def _keyboard(unit: float, rng: random.Random) -> Image.Image:
    key = max(8, int(unit * rng.uniform(0.2, 0.35)))
    cols, rows = rng.randint(4, 12), rng.randint(2, 5)
    dark = rng.random() < 0.7
    out = Image.new("RGBA", (cols * key, rows * key), (25, 25, 28, 255) if dark else (200, 200, 205, 255))
    pen = ImageDraw.Draw(out)
    font = _text_font(key * rng.uniform(0.35, 0.55), rng)
    for row in range(rows):
        for col in range(cols):
            box = (col * key + 1, row * key + 1, (col + 1) * key - 2, (row + 1) * key - 2)
            pen.rounded_rectangle(box, key // 8, fill=(50, 50, 54, 255) if dark else (240, 240, 240, 255))
            sign = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
            pen.text((box[0] + key * 0.2, box[1] + key * 0.1), sign, font=font, fill=(230, 230, 230, 255) if dark else (40, 40, 40, 255))
    return out


def _coin(unit: float, rng: random.Random) -> Image.Image:
    side = max(8, int(unit * rng.uniform(0.25, 0.6)))
    out = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(out)
    pen.ellipse((0, 0, side - 1, side - 1), fill=_colour(rng, 30, 220))
    pen.ellipse((side * 0.12, side * 0.12, side * 0.88, side * 0.88), outline=_colour(rng), width=max(1, side // 16))
    pen.text((side * 0.36, side * 0.25), rng.choice("1250"), font=_text_font(side * 0.45, rng), fill=_colour(rng))
    return out


def _phone(unit: float, rng: random.Random) -> Image.Image:
    width = int(unit * rng.uniform(1, 1.3))
    out = Image.new("RGBA", (width, int(width * 2)))
    pen = ImageDraw.Draw(out)
    pen.rounded_rectangle((0, 0, width - 1, width * 2 - 1), width // 8, fill=(12, 12, 14, 255))
    pen.rectangle((width * 0.06, width * 0.12, width * 0.94, width * 1.88), fill=_colour(rng) if rng.random() < 0.6 else (20, 20, 24, 255))
    return out


def _pen(unit: float, rng: random.Random) -> Image.Image:
    width, length = max(3, int(unit * rng.uniform(0.1, 0.18))), int(unit * rng.uniform(1.6, 2.4))
    out = Image.new("RGBA", (width, length), _colour(rng))
    ImageDraw.Draw(out).rectangle((0, 0, width // 3, length), fill=_colour(rng, 60))
    return out


def _sign(unit: float, rng: random.Random) -> Image.Image:
    """A sticker or coaster with one big letter or figure."""
    side = max(16, int(unit * rng.uniform(0.4, 1.3)))
    out = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(out)
    shape = (0, 0, side - 1, side - 1)
    if rng.random() < 0.5:
        pen.ellipse(shape, fill=_colour(rng, 120))
    else:
        pen.rounded_rectangle(shape, side // 8, fill=_colour(rng, 120))
    pen.text((side * 0.25, side * 0.1), rng.choice("ABDEFGHMNRSTXZ1234567890+%"), font=_text_font(side * 0.6, rng), fill=_colour(rng, 0, 140))
    return out


def _box(unit: float, rng: random.Random) -> Image.Image:
    """A box, a case or a folded cloth: a rectangle of about a card's size in some colour."""
    width, height = int(unit * rng.uniform(0.7, 2)), int(unit * rng.uniform(0.7, 2.2))
    out = Image.new("RGBA", (width, height), _colour(rng))
    if rng.random() < 0.6:
        ImageDraw.Draw(out).rectangle((width * 0.08, height * 0.08, width * 0.92, height * 0.92), outline=_colour(rng), width=max(1, width // 20))
    return out


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
    shade = cv2.resize(nrng.normal(0, 18, (12, 12)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)[..., None]
    edge = _soft(mask, palm * 0.12)
    skin = np.array(rng.choice(_SKINS), np.float32) * (0.55 + 0.5 * edge) + shade
    cloth = np.array([rng.randint(10, 230) for _ in range(3)], np.float32) + shade * 1.5
    dark = _soft(np.maximum(mask, sleeve), unit * 0.12)
    picture *= 1 - dark * rng.uniform(0.1, 0.4)
    for layer, colour in ((mask, skin), (sleeve, cloth)):
        alpha = cv2.GaussianBlur(layer, (0, 0), 1.0).astype(np.float32)[..., None] / 255
        picture *= 1 - alpha
        picture += colour * alpha
        cover[layer > 127] = -2


def _soft(mask: NDArray[np.uint8], sigma: float) -> Floats:
    """A mask blurred widely, worked out at a quarter of its size; 0..1, one channel."""
    small = cv2.resize(mask, (mask.shape[1] // 4, mask.shape[0] // 4), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / 4))
    return np.asarray(cv2.resize(small, (mask.shape[1], mask.shape[0])), np.float32)[..., None] / np.float32(255)
