"""The jokers of drawn decks: what stands in their corners, and their picture.

No other card differs so much from deck to deck. The word is written downwards, along the edge or across, with or without a star;
or there is a star, an emblem, one letter, or nothing at all. The big joker is the coloured (red) one, the little joker the black or grey one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from datasets.glyphs import Colour, chinese, glyphs, stack, star

PLAIN: Final = (("word", 0.7), ("symbol", 0.13), ("cross", 0.07), ("chinese", 0.1))
"""Habits of the first drawn decks, and how often each."""
RICH: Final = (
    ("word", 0.3), ("along", 0.12), ("cross", 0.11), ("symbol", 0.09), ("emblem", 0.12), ("starred", 0.08), ("letter", 0.05),
    ("chinese", 0.06), ("chinese across", 0.02), ("none", 0.05),
)  # fmt: skip
"""Habits of the others."""
ACROSS: Final = (
    ("word", 0.2), ("along", 0.1), ("cross", 0.32), ("symbol", 0.06), ("emblem", 0.1), ("starred", 0.05), ("letter", 0.07),
    ("chinese", 0.04), ("chinese across", 0.03), ("none", 0.03),
)  # fmt: skip
"""Habits of the others that training sees: the word across is what a detector learns last."""
MANY: Final[Sequence[Colour]] = ((205, 30, 35), (25, 90, 185), (20, 130, 60), (225, 140, 20), (130, 40, 140))
"""Inks of a word whose letters differ in colour."""


def joker_index(kind: str, seed: int, font: Path, height: float, inks: tuple[Colour, Colour], paper: Colour, *, big: bool) -> Image.Image | None:
    """Draw what stands in a joker's corner; None where its deck prints nothing there.

    :param kind: one of :data:`PLAIN` or :data:`RICH`.
    :param height: of a letter, in pixels of the face.
    :param inks: the little and the big joker's.
    """
    rng = random.Random(f"joker {seed}")
    colour = inks[1 if big else 0]
    word = rng.choice(("JOKER", "JOKER", "JOKER", "Joker"))
    wide = [rng.uniform(0.8, 1.0) for _ in word]
    gap = rng.uniform(0.6, 6.2)
    motley = big and rng.random() < 0.15
    han = chinese()
    if kind == "none":
        return None
    if kind.startswith("chinese") and han is not None:
        return stack([glyphs(sign, han, colour, height * 1.1, None) for sign in ("大王" if big else "小王")], 3, beside=kind.endswith("across"))
    if kind == "cross":
        return glyphs(word, font, colour, height * rng.uniform(0.7, 1.0), max(70.0, height * rng.uniform(2.6, 4.2)))
    if kind == "along":
        return glyphs(word, font, colour, height * rng.uniform(0.75, 1.1), height * rng.uniform(2.8, 4.6)).transpose(
            rng.choice((Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270))
        )
    if kind == "emblem":
        return emblem(rng.choice(_EMBLEMS), round(height * rng.uniform(1.2, 2.2)), colour, paper)
    if kind == "letter":
        what = rng.choice(("J", "JK", "JR", "Jo"))
        return stack([glyphs(what, font, colour, height * 1.5, height * 2), emblem(rng.choice(_EMBLEMS), round(height * 1.2), colour, paper)], gap)
    if kind == "symbol" and rng.random() < 0.5:
        return star(round(height * 1.2), colour, paper)
    letters = [
        glyphs(sign, font, MANY[k % len(MANY)] if motley else colour, height, height * share)
        for k, (sign, share) in enumerate(zip(word.upper(), wide, strict=True))
    ]
    if kind == "symbol":
        return stack([star(round(height * 1.2), colour, paper), *letters], 3)
    if kind == "starred":
        parts = [*letters, emblem(rng.choice(_EMBLEMS), round(height * 1.1), colour, paper)]
        return stack(parts if rng.random() < 0.6 else parts[::-1], gap)
    return stack(letters, gap)


_EMBLEMS: Final = ("star", "hollow star", "disc star", "crown", "hat", "moon", "flower", "ring")


def emblem(kind: str, size: int, colour: Colour, paper: Colour) -> Image.Image:
    """A small sign as some decks give their jokers: a star, a crown, a fool's cap, a moon, a flower, a ring."""
    if kind == "disc star":
        return star(size, colour, paper)
    s = size * 4
    out = Image.new("RGBA", (s, s))
    pen = ImageDraw.Draw(out)
    fill, line = (*colour, 255), max(2, s // 14)
    if kind in ("star", "hollow star"):
        angles = np.arange(10) * np.pi / 5 - np.pi / 2
        radii = np.where(np.arange(10) % 2 == 0, 0.5, 0.2) * s
        points = [(s / 2 + r * np.cos(a), s / 2 + r * np.sin(a)) for r, a in zip(radii, angles, strict=True)]
        pen.polygon(points, fill=fill if kind == "star" else None, outline=fill, width=line)
    elif kind == "crown":
        x = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
        y = (0.25, 0.6, 0.2, 0.6, 0.2, 0.6, 0.25)
        pen.polygon([(s * 0.15, s * 0.9), *((s * a, s * b) for a, b in zip(x, y, strict=True)), (s * 0.85, s * 0.9)], fill=fill)
    elif kind == "hat":
        for left, tip in ((0.3, 0.02), (0.5, 0.5), (0.7, 0.98)):
            high = 0.1 if tip == 0.5 else 0.35
            pen.polygon([(s * (left - 0.2), s * 0.8), (s * tip, s * high), (s * (left + 0.2), s * 0.8)], fill=fill)
            pen.ellipse((s * tip - s * 0.08, s * high - s * 0.08, s * tip + s * 0.08, s * high + s * 0.08), fill=fill)
        pen.rectangle((s * 0.2, s * 0.8, s * 0.8, s * 0.95), fill=fill)
    elif kind == "moon":
        pen.ellipse((0, 0, s - 1, s - 1), fill=fill)
        pen.ellipse((s * 0.3, -s * 0.05, s * 1.1, s * 0.85), fill=(*paper, 255))
    elif kind == "flower":
        for k in range(5):
            a = 2 * np.pi * k / 5 - np.pi / 2
            x, y = s / 2 + 0.27 * s * np.cos(a), s / 2 + 0.27 * s * np.sin(a)
            pen.ellipse((x - 0.2 * s, y - 0.2 * s, x + 0.2 * s, y + 0.2 * s), fill=fill)
        pen.ellipse((0.38 * s, 0.38 * s, 0.62 * s, 0.62 * s), fill=(*paper, 255))
    else:
        pen.ellipse((0, 0, s - 1, s - 1), outline=fill, width=line * 2)
        pen.ellipse((s * 0.35, s * 0.35, s * 0.65, s * 0.65), fill=fill)
    return out.resize((size, size), Image.Resampling.LANCZOS)


def jester(seed: int, width: int, height: int, paper: Colour, *, big: bool) -> Image.Image:
    """A fool's picture: cap, face, collar, perhaps the word beneath; in colours for the big joker, in greys for the little one."""
    rng = random.Random(f"jester {seed}")
    out = Image.new("RGBA", (width, height), (*paper, 255))
    pen = ImageDraw.Draw(out)

    def paint() -> Colour:
        level = rng.randint(20, 220)
        pick = (rng.randint(0, 255), rng.randint(0, 255), rng.randint(0, 255))
        return pick if big else (level, level, level)

    cx, cy, r = width * rng.uniform(0.4, 0.6), height * rng.uniform(0.35, 0.5), width * rng.uniform(0.15, 0.26)
    for side in (-1, 0, 1):
        tip = (cx + side * r * rng.uniform(1.4, 2.0), cy - r * (2.2 if side == 0 else rng.uniform(0.8, 1.6)))
        pen.polygon([(cx + (side - 0.8) * r * 0.6, cy - r * 0.4), tip, (cx + (side + 0.8) * r * 0.6, cy - r * 0.4)], fill=paint())
        pen.ellipse((tip[0] - r * 0.2, tip[1] - r * 0.2, tip[0] + r * 0.2, tip[1] + r * 0.2), fill=paint())
    pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=(235, 200, 170) if big else (200, 200, 200), outline=(30, 30, 30), width=2)
    for side in (-1, 1):
        pen.ellipse((cx + side * r * 0.4 - 4, cy - r * 0.2 - 4, cx + side * r * 0.4 + 4, cy - r * 0.2 + 4), fill=(20, 20, 20))
    pen.arc((cx - r * 0.5, cy - r * 0.1, cx + r * 0.5, cy + r * 0.6), 20, 160, fill=(150, 20, 20) if big else (40, 40, 40), width=3)
    for k in range(-3, 4):
        x = cx + k * r * 0.4
        pen.polygon([(x - r * 0.3, cy + r), (x, cy + r * rng.uniform(1.6, 2.6)), (x + r * 0.3, cy + r)], fill=paint())
    if rng.random() < 0.6:
        pen.rectangle((cx - r * 1.2, cy + r * 1.8, cx + r * 1.2, height), fill=paint())
    return out
