"""Drawn decks: one seed, one style, 54 faces and a back.

A style fixes the font, the size, width and place of the index, the pips, the colours, the paper, the court pictures and the habit
of the jokers, so that all cards of a deck belong together as printed ones do. Seeds below 1000 draw with the fonts that training
never sees; all others draw with the rest.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from datasets import fonts
from datasets.art import FACE_H, FACE_W, Deck, Pixels, load_deck
from datasets.glyphs import Colour, glyphs, stack
from datasets.jokers import ACROSS, PLAIN, RICH, jester, joker_index
from datasets.splits import split
from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, Card

HELD_OUT_SEEDS: Final = 1000
"""Seeds below this draw with held-out fonts and held-out court pictures."""

RICH_SEEDS: Final = (60, HELD_OUT_SEEDS), (3000, 1_000_000)
"""Seeds (from, to) whose decks have any habit of jokers and small indices too; the others have those of the first drawn decks."""

_SIGN: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_U: Final = FACE_W / 252
"""Lengths in the tables below are in 252nds of a card's width."""


@dataclass(frozen=True, slots=True)
class Style:
    """Everything that the cards of one drawn deck share; lengths in 252nds of the card's width."""

    font: Path
    pip_font: Path
    rank_height: float
    rank_width: float
    ten_width: float
    pip_size: float
    gap: float
    margin: tuple[float, float]
    beside: bool
    corners: int
    paper: Colour
    ink: Mapping[str, Colour]
    bold: int
    frame: bool
    court: str
    court_scale: float
    joker: str
    joker_font: Path
    joker_height: float
    joker_ink: tuple[Colour, Colour]
    seed: int


def style_of(seed: int) -> Style:
    """Choose a deck's style."""
    rng = random.Random(f"style {seed}")
    held = seed < HELD_OUT_SEEDS
    text = [file for file in fonts.text_fonts() if fonts.held_out(file) == held]
    pips = [file for file in fonts.pip_fonts() if fonts.held_out(file) == held] or list(fonts.pip_fonts())
    ink, paper = _inks(rng)
    rich = is_rich(seed)
    kind = rng.choices(("thin", "normal", "jumbo"), (0.3, 0.5, 0.2))[0]
    height = {"thin": rng.uniform(34, 62), "normal": rng.uniform(30, 50), "jumbo": rng.uniform(52, 84)}[kind]
    if rich and rng.random() < 0.15:  # bridge and patience cards
        height = rng.uniform(23, 32)
    habits = (RICH if held else ACROSS) if rich else PLAIN
    width = height * {"thin": rng.uniform(0.3, 0.5), "normal": rng.uniform(0.5, 0.85), "jumbo": rng.uniform(0.5, 0.8)}[kind]
    return Style(
        font=rng.choice(text),
        pip_font=rng.choice(pips),
        rank_height=height,
        rank_width=width,
        ten_width=rng.uniform(1.05, 1.5),
        pip_size=min(rng.uniform(0.5, 0.95) * height, rng.uniform(0.85, 1.35) * width + 6),
        gap=rng.uniform(1, 9),
        margin=(rng.uniform(6, 17), rng.uniform(6, 20)),
        beside=rng.random() < 0.05,
        corners=4 if rng.random() < (0.3 if rich and not held else 0.15) else 2,
        paper=paper,
        ink=ink,
        bold=rng.choice((0, 0, 0, 1)),
        frame=rng.random() < 0.6,
        court=rng.choice(split("held_out" if held else "train", "court_decks")),
        court_scale=rng.uniform(0.9, 1.0),
        joker=rng.choices([name for name, _ in habits], [often for _, often in habits])[0],
        joker_font=rng.choice(text),
        joker_height=rng.uniform(14 if rich else 17, 34),
        joker_ink=_joker_inks(ink),
        seed=seed,
    )


def _inks(rng: random.Random) -> tuple[dict[str, Colour], Colour]:
    if rng.random() < 0.12:  # gold, silver and red on black
        paper: Colour = (rng.randint(8, 40),) * 3
        light: Colour = rng.choice(((212, 175, 55), (222, 200, 140), (230, 230, 230), (190, 190, 200), (240, 215, 120)))
        warm: Colour = rng.choice(((200, 40, 40), (212, 175, 55), (225, 90, 60), (190, 110, 40)))
        return {"S": light, "C": light, "H": warm, "D": warm}, paper
    tint = rng.randint(0, 22)
    paper = (255 - rng.randint(0, 8), 255 - rng.randint(0, 8) - tint // 3, 255 - rng.randint(0, 8) - tint)
    red: Colour = (rng.randint(165, 240), rng.randint(0, 60), rng.randint(0, 60))
    dark = rng.randint(0, 45)
    black: Colour = (dark, dark, min(255, dark + rng.choice((0, 0, 10, 25))))
    if rng.random() < 0.1:
        diamond: Colour = rng.choice(((30, 80, 220), (225, 140, 20), (0, 130, 220)))
        return {"S": black, "H": red, "D": diamond, "C": (20, rng.randint(100, 150), 40)}, paper
    return {"S": black, "C": black, "H": red, "D": red}, paper


def is_rich(seed: int) -> bool:
    """Whether a drawn deck has any habit of jokers; see :data:`RICH_SEEDS`."""
    return any(low <= seed < high for low, high in RICH_SEEDS)


def _joker_inks(ink: Mapping[str, Colour]) -> tuple[Colour, Colour]:
    return ink["S"], ink["H"] if ink["H"] != ink["S"] else (200, 40, 40)


def _pip(style: Style, suit: str, size: float) -> Image.Image:
    pip = glyphs(_SIGN[suit], style.pip_font, style.ink[suit], size, None)
    return pip if pip.width <= size * 1.3 else pip.resize((round(size * 1.3), pip.height))


def _index(style: Style, card: Card) -> Image.Image | None:
    if card in (LITTLE_JOKER, BIG_JOKER):
        return joker_index(
            style.joker, style.seed, style.joker_font, style.joker_height * _U, style.joker_ink, style.paper, big=card == BIG_JOKER
        )  # fmt: skip
    suit, rank = card[0], card[1:]
    width = style.rank_width * (style.ten_width if rank == "10" else 1)
    sign = glyphs(rank, style.font, style.ink[suit], style.rank_height * _U, width * _U, style.bold)
    return stack([sign, _pip(style, suit, style.pip_size * _U)], style.gap * _U, beside=style.beside)


@functools.lru_cache(maxsize=16)
def _courts(deck: str) -> Mapping[Card, Pixels]:
    """The middles of a deck's court cards, RGB."""
    faces = load_deck(deck).faces
    cut = (slice(round(0.14 * FACE_H), round(0.86 * FACE_H)), slice(round(0.2 * FACE_W), round(0.8 * FACE_W)), slice(0, 3))
    return {Card(suit + rank): faces[Card(suit + rank)][cut].copy() for suit in "SHDC" for rank in "JQK"}


_SPOTS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.18), (0.5, 0.82)),
    3: ((0.5, 0.18), (0.5, 0.5), (0.5, 0.82)),
    4: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.82), (0.7, 0.82)),
    5: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.82), (0.7, 0.82), (0.5, 0.5)),
    6: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.3, 0.82), (0.7, 0.82)),
    7: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.3, 0.82), (0.7, 0.82), (0.5, 0.34)),
    8: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.5), (0.7, 0.5), (0.3, 0.82), (0.7, 0.82), (0.5, 0.34), (0.5, 0.66)),
    9: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39), (0.3, 0.61), (0.7, 0.61), (0.3, 0.82), (0.7, 0.82), (0.5, 0.5)),
    10: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.39), (0.7, 0.39), (0.3, 0.61), (0.7, 0.61), (0.3, 0.82), (0.7, 0.82), (0.5, 0.28), (0.5, 0.72)),
}


def _body(style: Style, card: Card, face: Image.Image, clear: int) -> None:
    """Draw what lies between the indices: pips, or a court picture; ``clear`` pixels at each side belong to the index."""
    rng = random.Random(f"body {style.seed} {card}")
    if card in (LITTLE_JOKER, BIG_JOKER) or card[1:] in ("J", "Q", "K"):
        name = Card(rng.choice("SHDC") + rng.choice("JQK")) if card in (LITTLE_JOKER, BIG_JOKER) else card
        picture = _courts(style.court)[name]
        if card == LITTLE_JOKER:
            picture = np.repeat(picture.mean(2, keepdims=True), 3, 2).astype(np.uint8)
        if sum(style.paper) < 300:
            picture = (255 - picture) // 2 + 10
        left = clear + round(3 * _U)
        top = round(rng.uniform(16, 34) * _U)
        if card in (LITTLE_JOKER, BIG_JOKER) and is_rich(style.seed) and style.seed % 3:
            drawn = jester(style.seed, FACE_W - 2 * left, FACE_H - 2 * top, style.paper, big=card == BIG_JOKER)
            face.paste(drawn, (left, top), drawn)
            return
        if FACE_W - 2 * left > 30:
            face.paste(Image.fromarray(picture).resize((FACE_W - 2 * left, FACE_H - 2 * top)), (left, top))
            if style.frame:
                ImageDraw.Draw(face).rectangle((left, top, FACE_W - left, FACE_H - top), outline=style.ink["S"], width=2)
        return
    count = 1 if card[1:] == "A" else int(card[1:])
    pip = _pip(style, card[0], (rng.uniform(60, 110) if count == 1 else 46) * _U)
    upside = pip.rotate(180)
    for x, y in _SPOTS[count]:
        used = pip if y <= 0.5 else upside
        face.paste(used, (round(x * FACE_W - pip.width / 2), round(y * FACE_H - pip.height / 2)), used)


def _laid_out(style: Style, card: Card) -> tuple[Image.Image, int, int] | None:
    """A face's index and where it stands; None for a joker without one."""
    index = _index(style, card)
    if index is None:
        return None
    x, y = round(style.margin[0] * _U), round(style.margin[1] * _U)
    if card[1:] != "10" and card not in (LITTLE_JOKER, BIG_JOKER) and not style.beside:  # ranks stand on one axis
        x += max(0, round((style.rank_width * _U - index.width) / 2))
    return index, x, y


def draw_with_index(style: Style, card: Card) -> tuple[Pixels, tuple[int, int, int, int] | None]:
    """Draw one face, and say where its top left index stands (x0, y0, x1, y1, pixels of the face; None where there is none)."""
    face = Image.new("RGBA", (FACE_W, FACE_H), (*style.paper, 255))
    placed = _laid_out(style, card)
    if placed is None:
        _body(style, card, face, round(40 * _U))
        return np.asarray(face, np.uint8), None
    index, x, y = placed
    _body(style, card, face, min(x + index.width, round(0.3 * FACE_W)))
    layer = Image.new("RGBA", (FACE_W, FACE_H))
    layer.paste(index, (x, y), index)
    if style.corners == 4 and card not in (LITTLE_JOKER, BIG_JOKER):
        layer.paste(index, (FACE_W - x - index.width, y), index)
    face.alpha_composite(layer)
    face.alpha_composite(layer.rotate(180))
    return np.asarray(face, np.uint8), (x, y, x + index.width, y + index.height)


def back_for(name: str) -> Pixels:
    """Draw a back; the same name always gets the same one."""
    rng = np.random.default_rng(list(name.encode()))
    ink = rng.integers(10, 215, 3)
    other = 255 - rng.integers(0, 40, 3) if rng.random() < 0.7 else rng.integers(0, 255, 3)
    y, x = np.mgrid[0:FACE_H, 0:FACE_W] * (2 * np.pi / (rng.uniform(7, 40) * _U))
    waves = {
        0: np.sin(x) * np.sin(y),
        1: np.sin(x + y) * np.sin(x - y),
        2: np.sin(x + 2 * np.sin(y)),
        3: np.sin(np.hypot(x - x.mean(), y - y.mean())),
        4: np.sin(x) + np.sin(y * rng.uniform(0.3, 1)) * 0.8,
    }[int(rng.integers(5))]
    mix = np.clip(waves * 3 + 0.5, 0, 1)[..., None] * rng.uniform(0.2, 1)
    picture = np.empty((FACE_H, FACE_W, 4), np.uint8)
    picture[..., :3] = ink * (1 - mix) + other * mix
    picture[..., 3] = 255
    edge = int(rng.choice([0, 8, 14, 20]))
    if edge:
        paper = np.full((FACE_H, FACE_W, 4), 250, np.uint8)
        paper[..., 3] = 255
        paper[edge:-edge, edge:-edge] = picture[edge:-edge, edge:-edge]
        return paper
    return picture


def jokers_for(name: str, faces: Mapping[Card, Pixels]) -> Mapping[Card, tuple[Pixels, tuple[int, int, int, int] | None]]:
    """Draw the jokers for a deck that lacks them, each with its index's place (pixels of the face): the word JOKER downwards in its inks."""
    seed = 1000 + sum(name.encode())
    base = style_of(seed)
    light = np.median(faces[Card("SA")][20:60, 120:200].reshape(-1, 4), axis=0)
    paper: Colour = (int(light[0]), int(light[1]), int(light[2]))
    inks = (_ink_of(faces[Card("SA")], paper), _ink_of(faces[Card("HA")], paper))
    ink = dict(zip("SCHD", (inks[0], inks[0], inks[1], inks[1]), strict=True))
    style = replace(base, paper=paper, ink=ink, joker_ink=inks, joker="word", margin=(11, 12), joker_height=22.0)
    return {card: draw_with_index(style, card) for card in (LITTLE_JOKER, BIG_JOKER)}


def _ink_of(face: Pixels, paper: Colour) -> Colour:
    corner = face[6 : FACE_H // 4, 6 : FACE_W // 6, :3].reshape(-1, 3).astype(int)
    far = np.abs(corner - np.array(paper)).sum(1)
    if far.max() < 90:
        return (20, 20, 20)
    ink = np.median(corner[far >= np.percentile(far, 97)], axis=0)
    return int(ink[0]), int(ink[1]), int(ink[2])


def draw_deck(seed: int) -> Deck:
    """Draw a whole deck in one style."""
    from datasets.art import rounded

    style = style_of(seed)
    made = {card: draw_with_index(style, card) for card in FACES}
    faces = {card: rounded(face) for card, (face, _) in made.items()}
    indices = {card: box for card, (_, box) in made.items() if box is not None}
    bare = frozenset((LITTLE_JOKER, BIG_JOKER)) if style.joker == "none" else frozenset[Card]()
    return Deck(f"drawn/{seed}", faces, rounded(back_for(f"drawn/{seed}")), frozenset(FACES), bare, indices)


__all__ = ["HELD_OUT_SEEDS", "Style", "back_for", "draw_deck", "draw_with_index", "jokers_for", "style_of"]
