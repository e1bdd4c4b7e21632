"""Labelled stills: cards of one deck on a table, seen by a camera, with a label for every corner index that can be read.

A label is a face, a box around the index and the four corners of its card as seen from that index (top left, top right, bottom
right, bottom left), at their true places even when they lie outside the picture or under another card.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import backgrounds, game_layout, layout, lens
from datasets.art import FACE_H, FACE_W, Deck, Pixels, load_deck
from datasets.drawn import HELD_OUT_SEEDS, RICH_SEEDS
from datasets.indices import Box, has_top_right_index, index_boxes
from datasets.splits import split
from datasets.themes import MIXED, Theme
from engine.cards import Card

Floats = NDArray[np.float32]

SIZE: Final = 416
"""Side of a scene in pixels."""
_OVER: Final = 2
"""Scenes are drawn at this many times their size and reduced by averaging, because a warp alone does not anti-alias."""
LEGIBLE: Final = 0.8
"""An index is labelled when at least this share of its box is seen."""
_UNCOVERED: Final = 0.98
"""The same in clear scenes."""
SMALLEST_BOX: Final = 0.42
"""Least side of a label's box in card widths: the loss of the corners is scaled by the box."""
BOX_ROOM: Final = 1.25


@dataclass(frozen=True, slots=True)
class Index:
    """One visible index: the face, its box (x0, y0, x1, y1) and its card's corners (4x2), in pixels of the picture."""

    card: Card
    box: tuple[float, float, float, float]
    quad: Floats


@dataclass(frozen=True, slots=True)
class Scene:
    """A still, BGR, and its labels; ``covered`` holds indices of which a part is hidden, as examples of what is not to be read."""

    picture: NDArray[np.uint8]
    indices: tuple[Index, ...]
    covered: tuple[Index, ...]
    card_width: float


LEVELS: Final = 3
"""A face is kept at its own size, half and a quarter of it."""


class Pack(Protocol):
    """A deck made ready for drawing."""

    def face(self, key: Card | None, level: int) -> Pixels:
        """A face (None: the back) at its own size (level 0), half, a quarter."""
        ...


@dataclass(frozen=True)
class _Pack:
    """A deck made ready for drawing: faces at several sizes, where their indices are."""

    deck: Deck
    boxes: Mapping[Card, Box]
    four: bool

    def face(self, key: Card | None, level: int) -> Pixels:
        return _level(self.deck.back if key is None else self.deck.faces[key], level)


def _level(picture: Pixels, level: int) -> Pixels:
    for _ in range(level):
        picture = np.asarray(cv2.resize(picture, (picture.shape[1] // 2, picture.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8)
    return picture


@functools.lru_cache(maxsize=24)
def _pack(name: str) -> _Pack:
    deck = load_deck(name)
    return _Pack(deck, index_boxes(deck), has_top_right_index(deck))


_TURN_OVER: Final = np.array([[-1, 0, FACE_W], [0, -1, FACE_H], [0, 0, 1]], np.float64)


def choose_deck(part: str, rng: random.Random, extra: tuple[str, ...] = (), *, rich: bool = False) -> str:
    """Pick a deck of a part (``train`` or ``held_out``): printed art, a drawn one, or one of ``extra`` (folders).

    :param rich: only a drawn one that may have any habit of jokers.
    """
    if extra and rng.random() < 0.12:
        return rng.choice(extra)
    if rich:
        low, high = RICH_SEEDS[0 if part == "held_out" else 1]
        return f"drawn/{rng.randrange(low, min(high, low + DRAWN_DECKS))}"
    if part == "train":
        return rng.choice(split("train", "decks")) if rng.random() < 0.4 else f"drawn/{HELD_OUT_SEEDS + rng.randrange(2 * DRAWN_DECKS)}"
    return rng.choice(split("held_out", "decks")) if rng.random() < 0.6 else f"drawn/{rng.randrange(60)}"


DRAWN_DECKS: Final = 2000
"""How many drawn decks of the first kind training uses, and of those with any habit of jokers."""
SAME_DECK: Final = 10
"""Held-out scenes with neighbouring seeds share a deck, because drawing one takes longer than drawing a scene."""


def _camera(size: float, rng: random.Random, tilts: tuple[float, float, float]) -> NDArray[np.float64]:
    """A view of the table: tilt up to 60 degrees, perspective, a slight stretch and shear; maps centre to centre."""
    tilt = math.radians(rng.choices((rng.uniform(0, 10), rng.uniform(10, 32), rng.uniform(32, 58)), tilts)[0])
    azimuth, distance = rng.uniform(0, 2 * math.pi), size * rng.uniform(1.2, 3.5)
    c, s = math.cos(azimuth), math.sin(azimuth)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt) / distance, 1]])
    stretch = np.array([[math.exp(rng.gauss(0, 0.06)), rng.gauss(0, 0.03), 0], [0, math.exp(rng.gauss(0, 0.06)), 0], [0, 0, 1]])
    middle = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1]])
    back = np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 1]])
    return np.asarray(middle @ stretch @ turn.T @ lean @ turn @ back, np.float64)


Layout = Callable[[float, random.Random], list[layout.Lying]]


def render(
    seed: int,
    part: str = "train",
    extra: tuple[str, ...] = (),
    size: int = SIZE,
    kind: Layout | None = None,
    card_width: float | None = None,
    theme: Theme = MIXED,
    deck: str | None = None,
) -> Scene:
    """Draw a scene; the same seed and settings give the same scene.

    :param part: ``train`` or ``held_out``: which decks, fonts and court pictures may be used.
    :param extra: further decks (folders of faces), used in about one scene of eight.
    :param kind: how the cards lie (see :mod:`datasets.layout`); chosen by the seed among the theme's if not given.
    :param card_width: a card's width in pixels; chosen by the seed if not given.
    :param theme: what kind of scene.
    :param deck: the deck (a name or a folder) to draw with; chosen by the seed if not given.
    """
    key = part if theme is MIXED else f"{theme.name} {part}"
    rng, nrng = random.Random(f"{key} {seed}"), np.random.default_rng([seed, len(key)])
    chosen, _, (low, high) = rng.choices(theme.kinds, [k[1] for k in theme.kinds])[0]
    drawn_width = math.exp(rng.uniform(math.log(low), math.log(high)))
    kind, card_width = kind or chosen, card_width or drawn_width
    big = size * _OVER
    scale = card_width * _OVER
    pack = _pack(deck or _deck_of(seed, part, key, extra, theme))
    view = _camera(big, rng, theme.tilts)
    picture = backgrounds.table(size, rng, nrng)
    picture = np.asarray(cv2.resize(picture, (big, big), interpolation=cv2.INTER_LINEAR), np.float32)
    cover = np.full((big, big), -1, np.int32)
    bare = kind is layout.nothing
    often, most = theme.clutter
    if bare or rng.random() < often:
        backgrounds.clutter(picture, rng.randint(1, max(9, most) if bare else most), scale, rng)
    lying = kind(size / card_width, rng)
    squeeze = rng.uniform(0.9, 1.03)  # bridge-sized cards are narrower
    shade = rng.uniform(0.1, 0.6)
    placed: list[tuple[layout.Lying, NDArray[np.float64]]] = []
    for number, card in enumerate(lying):
        matrix = _place(card, scale, squeeze, view, rng)
        seen = lay(picture, cover, pack, card, matrix, number, shade, rng)
        placed.append((card, matrix if seen else np.zeros((3, 3))))
    if kind is game_layout.held and placed:
        backgrounds.hand(picture, cover, scale, rng, nrng, _grip(placed, big))
    elif rng.random() < theme.hands:
        for _ in range(rng.randint(1, 2)):
            backgrounds.hand(picture, cover, scale, rng, nrng)
    if rng.random() < 0.06:
        backgrounds.clutter(picture, rng.randint(1, 3), scale, rng, cover)
    indices, covered = _labels(placed, cover, pack, _UNCOVERED if theme.clear else LEGIBLE)
    picture = np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    if theme.clear:
        return Scene(lens.plain(picture, rng, nrng), indices, covered, card_width)
    lens.light(picture, rng, nrng)
    if rng.random() < theme.poor:
        picture = lens.poor(picture, card_width, rng, nrng)
    return Scene(lens.expose(picture, card_width, rng, nrng), indices, covered, card_width)


def _deck_of(seed: int, part: str, key: str, extra: tuple[str, ...], theme: Theme) -> str:
    rng = random.Random(f"deck {key} {seed // (theme.same_deck if part == 'train' else SAME_DECK)}")
    return choose_deck(part, rng, extra, rich=True) if theme.rich and rng.random() < theme.rich else choose_deck(part, rng, extra)


def _grip(placed: list[tuple[layout.Lying, NDArray[np.float64]]], size: int) -> tuple[float, float]:
    """Where a hand holds a fan: at the middle of its cards' lower edges."""
    lower = [_project(np.array([[FACE_W / 2, FACE_H * 0.93]], np.float32), matrix)[0] for _, matrix in placed if matrix.any()]
    middle = np.mean(lower, axis=0) if lower else np.array([size / 2, size / 2])
    return float(middle[0]), float(middle[1])


def _place(card: layout.Lying, scale: float, squeeze: float, view: NDArray[np.float64], rng: random.Random) -> NDArray[np.float64]:
    """The map from a face's pixels to the big picture."""
    k = scale / FACE_W
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    flat = np.array([[c, -s, card.x * scale], [s, c, card.y * scale], [0, 0, 1]]) @ np.array(
        [[k * squeeze, 0, -k * squeeze * FACE_W / 2], [0, k, -k * FACE_H / 2], [0, 0, 1]]
    )
    bent = np.eye(3)
    bent[2, :2] = [rng.gauss(0, 0.02) / FACE_W, rng.gauss(0, 0.02) / FACE_H]  # a card is never quite flat
    return np.asarray(view @ flat @ bent)


_CORNERS: Final = np.array([[0, 0], [FACE_W, 0], [FACE_W, FACE_H], [0, FACE_H]], np.float32)


def _project(points: NDArray[np.float32], matrix: NDArray[np.float64]) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix).reshape(-1, 2), np.float32)


_FAR: Final = 3
"""Cards further out than this many sides of the picture are left out."""


def _in_front(matrix: NDArray[np.float64]) -> bool:
    """Whether all of a card lies before the camera: beyond the horizon a projection comes back from the other side."""
    depth = np.column_stack([_CORNERS, np.ones(4)]) @ matrix[2]
    return bool((depth > 0.15).all())


def lay(
    picture: Floats,
    cover: NDArray[np.int32],
    pack: Pack,
    card: layout.Lying,
    matrix: NDArray[np.float64],
    number: int,
    shade: float,
    rng: random.Random,
) -> bool:
    """Lay one card on the picture with its shadow; False when it lies outside of it or behind the camera."""
    size = picture.shape[0]
    quad = _project(_CORNERS, matrix)
    if not _in_front(matrix) or np.abs(quad).max() > _FAR * size:
        return False
    margin = 8
    x0, y0 = (int(v) - margin for v in quad.min(0))
    x1, y1 = (int(v) + margin for v in quad.max(0))
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(size, x1), min(size, y1)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return False
    width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    level = max(0, min(LEVELS - 1, int(math.log2(max(1.0, FACE_W / max(width, 1.0) / 1.1)))))
    face = pack.face(card.card if card.face_up else None, level)
    shrink = np.diag([FACE_W / face.shape[1], FACE_H / face.shape[0], 1.0])
    move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    warped = cv2.warpPerspective(face, move @ matrix @ shrink, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = warped[..., 3:] / 255
    spot = picture[y0:y1, x0:x1]
    drop = np.array([[1, 0, rng.uniform(-5, 5)], [0, 1, rng.uniform(-5, 5)]], np.float32)
    soft = 2 * round(rng.uniform(2, 8) * 0.87) + 1  # two box blurs are as good as a Gaussian one and faster
    shadow = cv2.blur(cv2.blur(cv2.warpAffine(alpha[..., 0], drop, (x1 - x0, y1 - y0)), (soft, soft)), (soft, soft))
    spot *= ((1 - shade * shadow) * (1 - alpha[..., 0]))[..., None]
    warped[..., :3] *= alpha * np.float32(rng.uniform(0.9, 1.03))
    spot += warped[..., :3]
    cover[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number
    return True


def _labels(
    placed: list[tuple[layout.Lying, NDArray[np.float64]]], cover: NDArray[np.int32], pack: _Pack, legible: float
) -> tuple[tuple[Index, ...], tuple[Index, ...]]:
    seen: list[Index] = []
    hidden: list[Index] = []
    for number, (card, matrix) in enumerate(placed):
        if not card.face_up or not matrix.any() or card.card not in pack.boxes:
            continue
        x0, y0, x1, y1 = pack.boxes[card.card]
        spots = [(x0, y0, x1, y1)]
        if pack.four and card.card not in ("LJ", "BJ"):
            spots.append((FACE_W - x1, y0, FACE_W - x0, y1))
        for turned in (matrix, matrix @ _TURN_OVER):
            for spot in spots:
                found = label_of(card.card, spot, turned, number, cover, _OVER)
                if found is not None:
                    (seen if found[1] >= legible else hidden).append(found[0])
    return tuple(seen), tuple(hidden)


def label_of(card: Card, spot: Box, matrix: NDArray[np.float64], number: int, cover: NDArray[np.int32], over: int) -> tuple[Index, float] | None:
    """The label of the index at a spot of a face and which part of it is seen; None where that is less than a third or outside the picture.

    :param over: how many of ``cover``'s pixels a pixel of the picture is wide.
    """
    x0, y0, x1, y1 = spot
    ink = _project(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32), matrix)
    big = cover.shape[0]
    left, top = np.floor(ink.min(0)).astype(int)
    right, bottom = np.ceil(ink.max(0)).astype(int) + 1
    if left >= big or top >= big or right <= 0 or bottom <= 0:
        return None
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, np.round(ink - [left, top]).astype(np.int32), 1)
    cut = (max(0, top), min(big, bottom), max(0, left), min(big, right))
    inside = mask[cut[0] - top : cut[1] - top, cut[2] - left : cut[3] - left] > 0
    share = float((inside & (cover[cut[0] : cut[1], cut[2] : cut[3]] == number)).sum() / max(1, mask.sum()))
    if share < 0.3:
        return None
    quad = _project(_CORNERS, matrix) / over
    low, high = ink.min(0) / over, ink.max(0) / over
    width = float(np.linalg.norm(quad[1] - quad[0]))
    side = max(BOX_ROOM * float((high - low).max()), SMALLEST_BOX * width)
    centre = ink.mean(0) / over
    size = big / over
    box = (
        float(max(0, centre[0] - side / 2)), float(max(0, centre[1] - side / 2)),
        float(min(size, centre[0] + side / 2)), float(min(size, centre[1] + side / 2)),
    )  # fmt: skip
    return Index(card, box, np.asarray(quad, np.float32)), share
