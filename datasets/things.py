"""Things that lie on a table and are no cards: dice, coins, chips, keyboards, phones, pens, tiles, markers; each an RGBA picture.

``unit`` is a card's width in pixels; everything is about as large as it is beside a real card.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets import fonts

Colour = tuple[int, int, int, int]
Maker = Callable[[float, random.Random], Image.Image]
"""Draws one thing: (a card's width, a source of chance) to an RGBA picture."""


@functools.cache
def _usable() -> tuple[Path, ...]:
    return tuple(file for file in fonts.text_fonts() if not fonts.held_out(file))


@functools.lru_cache(maxsize=256)
def _sized(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


def text_font(size: float, rng: random.Random) -> ImageFont.FreeTypeFont:
    """One of the fonts that training may use, about ``size`` pixels high."""
    step = max(6, round(size))
    return _sized(rng.choice(_usable()), step if step < 24 else round(step / 4) * 4)


def colour(rng: random.Random, low: int = 0, high: int = 255) -> Colour:
    """Any opaque colour between two levels."""
    return rng.randint(low, high), rng.randint(low, high), rng.randint(low, high), 255


def ink(rng: random.Random) -> Colour:
    """A colour that things are printed in: mostly black, often red, as the suits are."""
    if rng.random() < 0.6:
        dark = rng.randint(0, 70)
        return dark, dark, dark + rng.choice((0, 0, 20)), 255
    return (rng.randint(150, 235), rng.randint(0, 60), rng.randint(0, 60), 255) if rng.random() < 0.7 else colour(rng, 0, 150)


def sheet(width: float, height: float, fill: Colour, radius: float = 0) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """An empty sheet of one colour and a pen to draw on it."""
    out = Image.new("RGBA", (max(8, int(width)), max(8, int(height))))
    pen = ImageDraw.Draw(out)
    if radius:
        pen.rounded_rectangle((0, 0, out.width - 1, out.height - 1), radius, fill=fill)
    else:
        out.paste(fill, (0, 0, out.width, out.height))
    return out, pen


_SPOTS = {
    0: (), 1: ((1, 1),), 2: ((0, 0), (2, 2)), 3: ((0, 0), (1, 1), (2, 2)), 4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)), 6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}  # fmt: skip


def _spots(pen: ImageDraw.ImageDraw, count: int, x: float, y: float, side: float, fill: Colour) -> None:
    for a, b in _SPOTS[count]:
        cx, cy, r = x + side * (0.25 + 0.25 * a), y + side * (0.25 + 0.25 * b), side * 0.09
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=fill)


def dice(unit: float, rng: random.Random) -> Image.Image:
    """A die, one face up."""
    side = max(10, int(unit * rng.uniform(0.2, 0.4)))
    dark = rng.random() < 0.3
    out, pen = sheet(side, side, colour(rng, 0, 120) if dark else (245, 245, 240, 255), side // 6)
    _spots(pen, rng.randint(1, 6), 0, 0, side, (250, 250, 250, 255) if dark else (rng.choice((15, 200)), 15, 15, 255))
    return out


def domino(unit: float, rng: random.Random) -> Image.Image:
    """A domino, or a Chinese one of black bone with red and white spots."""
    side = max(12, int(unit * rng.uniform(0.3, 0.55)))
    dark = rng.random() < 0.5
    out, pen = sheet(side, side * 2, (25, 25, 28, 255) if dark else (245, 240, 225, 255), side // 8)
    for half in (0, 1):
        fill: Colour = rng.choice(((250, 250, 250, 255), (220, 40, 40, 255))) if dark else rng.choice(((20, 20, 20, 255), (200, 20, 20, 255)))
        _spots(pen, rng.randint(0, 6), 0, half * side, side, fill)
    pen.line((side * 0.1, side, side * 0.9, side), fill=(130, 130, 130, 255), width=max(1, side // 20))
    return out


def keyboard(unit: float, rng: random.Random) -> Image.Image:
    """A keyboard or a calculator: keys with letters, figures and signs, some with two of them one above the other."""
    key = max(8, int(unit * rng.uniform(0.2, 0.4)))
    cols, rows = rng.randint(3, 12), rng.randint(2, 5)
    dark = rng.random() < 0.6
    out, pen = sheet(cols * key, rows * key, (25, 25, 28, 255) if dark else (200, 200, 205, 255))
    font, small = text_font(key * rng.uniform(0.35, 0.6), rng), text_font(key * 0.3, rng)
    cap: Colour = (50, 50, 54, 255) if dark else (240, 240, 240, 255)
    sign_ink: Colour = (230, 230, 230, 255) if dark else ink(rng)
    two = rng.random() < 0.3
    for row in range(rows):
        for col in range(cols):
            box = (col * key + 1, row * key + 1, (col + 1) * key - 2, (row + 1) * key - 2)
            pen.rounded_rectangle(box, key // 8, fill=cap)
            pen.text((box[0] + key * 0.2, box[1] + key * 0.05), rng.choice(_SIGNS), font=small if two else font, fill=sign_ink)
            if two:
                pen.text((box[0] + key * 0.2, box[1] + key * 0.45), rng.choice("123456789*+-&%$#@!;,."), font=small, fill=sign_ink)
    return out


_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789234567890QKAJ"


def coin(unit: float, rng: random.Random) -> Image.Image:
    """A coin."""
    side = max(8, int(unit * rng.uniform(0.25, 0.6)))
    out = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(out)
    pen.ellipse((0, 0, side - 1, side - 1), fill=colour(rng, 30, 220))
    pen.ellipse((side * 0.12, side * 0.12, side * 0.88, side * 0.88), outline=colour(rng), width=max(1, side // 16))
    pen.text((side * 0.36, side * 0.25), rng.choice("1250"), font=text_font(side * 0.45, rng), fill=colour(rng))
    return out


def chip(unit: float, rng: random.Random) -> Image.Image:
    """A poker chip: stripes on its edge, a figure or a sign in the middle."""
    side = max(16, int(unit * rng.uniform(0.5, 0.7)))
    out = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(out)
    first, second = colour(rng), colour(rng, 150)
    pen.ellipse((0, 0, side - 1, side - 1), fill=first)
    for k in range(rng.choice((6, 8))):
        pen.pieslice((0, 0, side - 1, side - 1), k * 60, k * 60 + 20, fill=second)
    pen.ellipse((side * 0.2, side * 0.2, side * 0.8, side * 0.8), fill=rng.choice((first, second)))
    label = rng.choice(("1", "5", "10", "25", "50", "100", "500", *fonts.SUIT_SIGNS))
    font = _sized(rng.choice(fonts.pip_fonts()) if label in fonts.SUIT_SIGNS else rng.choice(_usable()), max(8, round(side * 0.3 / 4) * 4))
    pen.text((side / 2, side / 2), label, font=font, fill=ink(rng), anchor="mm")
    return out


def phone(unit: float, rng: random.Random) -> Image.Image:
    """A phone: dark, of one colour, with lines of text, or with a pad of figures."""
    width = int(unit * rng.uniform(1, 1.3))
    out, pen = sheet(width, width * 2, (12, 12, 14, 255), width // 8)
    kind = rng.random()
    back: Colour = (20, 20, 24, 255) if kind < 0.25 else colour(rng, 160) if kind < 0.75 else colour(rng)
    pen.rectangle((width * 0.06, width * 0.12, width * 0.94, width * 1.88), fill=back)
    if kind < 0.25:
        return out
    text_ink = (240, 240, 240, 255) if sum(back[:3]) < 380 else ink(rng)
    if kind < 0.5:
        font = text_font(width * rng.uniform(0.06, 0.14), rng)
        y = width * 0.2
        while y < width * 1.7:
            pen.text((width * 0.1, y), words(rng, rng.randint(1, 3)), font=font, fill=text_ink)
            y += width * rng.uniform(0.1, 0.25)
        pen.rectangle((width * 0.94, 0, width, width * 2), fill=(12, 12, 14, 255))
    elif kind < 0.75:
        font = text_font(width * 0.16, rng)
        for k, sign in enumerate("123456789*0#"):
            pen.text((width * (0.25 + 0.25 * (k % 3)), width * (0.7 + 0.28 * (k // 3))), sign, font=font, fill=text_ink, anchor="mm")
    return out


def words(rng: random.Random, count: int) -> str:
    """Some words that mean nothing, of letters and figures; never the word on a joker."""
    out = []
    for _ in range(count):
        kind = rng.random()
        letters = "0123456789" if kind < 0.25 else "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if kind < 0.45 else "abcdefghijklmnopqrstuvwxyzaeiouaeiou"
        out.append("".join(rng.choice(letters) for _ in range(rng.randint(1, 9))))
    return " ".join(word for word in out if word.upper() != "JOKER") or "-"


def pen(unit: float, rng: random.Random) -> Image.Image:
    """A pen or a stick."""
    width, length = max(3, int(unit * rng.uniform(0.1, 0.18))), int(unit * rng.uniform(1.6, 2.4))
    out = Image.new("RGBA", (width, length), colour(rng))
    ImageDraw.Draw(out).rectangle((0, 0, width // 3, length), fill=colour(rng, 60))
    return out


def ruler(unit: float, rng: random.Random) -> Image.Image:
    """A ruler with its figures."""
    width, length = int(unit * rng.uniform(0.4, 0.6)), int(unit * rng.uniform(2, 4))
    out, brush = sheet(width, length, rng.choice(((235, 220, 170, 255), (245, 245, 245, 255), (190, 190, 195, 255))))
    font, step = text_font(width * 0.35, rng), unit / 6.3
    for k in range(int(length / step)):
        brush.line((0, k * step, width * (0.3 if k % 5 else 0.45), k * step), fill=(30, 30, 30, 255), width=max(1, width // 40))
        brush.text((width * 0.7, k * step), str(k), font=font, fill=(30, 30, 30, 255), anchor="mm")
    return out


def sign(unit: float, rng: random.Random) -> Image.Image:
    """A sticker or coaster with one big letter, figure or suit sign."""
    side = max(16, int(unit * rng.uniform(0.4, 1.3)))
    out = Image.new("RGBA", (side, side))
    brush = ImageDraw.Draw(out)
    if rng.random() < 0.5:
        brush.ellipse((0, 0, side - 1, side - 1), fill=colour(rng, 120))
    else:
        brush.rounded_rectangle((0, 0, side - 1, side - 1), side // 8, fill=colour(rng, 120))
    if rng.random() < 0.25:
        font = _sized(rng.choice(fonts.pip_fonts()), max(8, round(side * 0.6 / 4) * 4))
        brush.text((side / 2, side / 2), rng.choice(fonts.SUIT_SIGNS), font=font, fill=ink(rng), anchor="mm")
    else:
        brush.text((side / 2, side / 2), rng.choice("ABDEFGHMNRSTXZ1234567890+%KQJA"), font=text_font(side * 0.6, rng), fill=ink(rng), anchor="mm")
    return out


def tile(unit: float, rng: random.Random) -> Image.Image:
    """A row of letter tiles or mahjong tiles."""
    side = max(12, int(unit * rng.uniform(0.28, 0.45)))
    count = rng.randint(1, 8)
    tall = rng.choice((1.0, 1.0, 1.35))
    out, brush = sheet(side * count, side * tall, (0, 0, 0, 0))
    font, small = text_font(side * 0.6, rng), text_font(side * 0.25, rng)
    face = rng.choice(((238, 220, 175, 255), (245, 243, 235, 255), (230, 240, 230, 255)))
    for k in range(count):
        brush.rounded_rectangle((k * side, 0, (k + 1) * side - 2, side * tall - 1), side // 8, fill=face)
        brush.text((k * side + side * 0.45, side * tall * 0.45), rng.choice(_SIGNS), font=font, fill=ink(rng), anchor="mm")
        brush.text((k * side + side * 0.82, side * tall * 0.82), rng.choice("1234568"), font=small, fill=ink(rng), anchor="mm")
    return out


def marker(unit: float, rng: random.Random) -> Image.Image:
    """A square black and white marker on white paper, as one lies at each corner of a watched table."""
    cell = max(2, int(unit * rng.uniform(0.07, 0.14)))
    bits = np.zeros((10, 10), np.uint8)
    bits[0], bits[-1], bits[:, 0], bits[:, -1] = 255, 255, 255, 255
    bits[2:8, 2:8] = np.array([[rng.choice((0, 255)) for _ in range(6)] for _ in range(6)], np.uint8)
    return Image.fromarray(bits).resize((cell * 10, cell * 10), Image.Resampling.NEAREST).convert("RGBA")


def box(unit: float, rng: random.Random) -> Image.Image:
    """A box, a case or a folded cloth: a rectangle of about a card's size in some colour."""
    out, brush = sheet(unit * rng.uniform(0.7, 2), unit * rng.uniform(0.7, 2.2), colour(rng))
    if rng.random() < 0.6:
        edge = (out.width * 0.08, out.height * 0.08, out.width * 0.92, out.height * 0.92)
        brush.rectangle(edge, outline=colour(rng), width=max(1, out.width // 20))
    if rng.random() < 0.4:
        brush.text((out.width / 2, out.height / 2), words(rng, 1), font=text_font(unit * rng.uniform(0.12, 0.4), rng), fill=colour(rng), anchor="mm")
    return out


def cup(unit: float, rng: random.Random) -> Image.Image:
    """A cup, plate or ashtray seen from above."""
    side = int(unit * rng.uniform(0.8, 2))
    out = Image.new("RGBA", (side, side))
    brush = ImageDraw.Draw(out)
    for share in sorted((rng.uniform(0.5, 1), 1.0, rng.uniform(0.3, 0.8)), reverse=True):
        edge = side * (1 - share) / 2
        brush.ellipse((edge, edge, side - 1 - edge, side - 1 - edge), fill=colour(rng))
    return out


THINGS: tuple[Maker, ...] = (dice, domino, keyboard, keyboard, coin, chip, phone, pen, ruler, sign, tile, marker, box, cup)
"""Every kind of thing that bears little writing; see :mod:`datasets.prints` for those that bear much."""
