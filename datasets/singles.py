"""Single indices for the reader: one corner of a card with what lies about it, each of another deck.

A whole scene shows one deck and takes long to draw. What the reader must learn is many decks, so here only the surroundings of one index are
drawn, by the same brush and the same camera as scenes.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import backgrounds, lens
from datasets.art import FACE_H, FACE_W, Pixels, load_deck, rounded
from datasets.drawn import HELD_OUT_SEEDS, draw_with_index, style_of
from datasets.indices import Box, has_top_right_index, index_boxes
from datasets.layout import MM, Lying
from datasets.scene import LEGIBLE, LEVELS, Index, label_of, lay
from datasets.shards import row_of, save
from datasets.splits import split
from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, Card

Floats = NDArray[np.float32]

NAME: Final = "singles"
"""First part of the shards' names."""
COUNT: Final = 1000
"""Singles in a shard."""
_SHARP: Final = 70.0
"""Cards wider than this are drawn at once in the size that they are seen in, narrower ones twice as large."""
_SIDE: Final = 1.0
"""Side of a single's picture in card widths."""
_WIDTHS: Final = (44.0, 165.0)
_OF_A_DECK: Final = 6
_PRINTED: Final = 0.3
_EXTRA: Final = 0.06
_JOKERS: Final = 0.09
_LAST_SEED: Final = 1_000_000
_LOOKALIKES: Final = ("SC", "HD")


@dataclass(frozen=True, slots=True)
class Single:
    """A small picture as JPEG bytes, and the label of the index that it shows."""

    jpeg: NDArray[np.uint8]
    index: Index


@dataclass(frozen=True)
class _Faces:
    """Some faces of a deck at several sizes, and where their indices are."""

    faces: Mapping[Card, tuple[Pixels, ...]]
    boxes: Mapping[Card, Box]
    four: bool

    def face(self, key: Card | None, level: int) -> Pixels:
        if key is None:
            raise ValueError("singles show no backs")
        return self.faces[key][min(level, len(self.faces[key]) - 1)]


def _levels(face: Pixels) -> tuple[Pixels, ...]:
    out = [face]
    for _ in range(LEVELS - 1):
        last = out[-1]
        out.append(np.asarray(cv2.resize(last, (last.shape[1] // 2, last.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(out)


@functools.lru_cache(maxsize=32)
def _printed(name: str) -> _Faces:
    """A printed deck, kept at half its size and less."""
    deck = load_deck(name)
    return _Faces({card: _levels(face)[1:] for card, face in deck.faces.items()}, index_boxes(deck), has_top_right_index(deck))


def _few(rng: random.Random, count: int) -> list[Card]:
    """Some faces of which two or more are easily taken for each other, and jokers now and then."""
    first = rng.choice([LITTLE_JOKER, BIG_JOKER]) if rng.random() < _JOKERS * 2 else rng.choice(FACES[:52])
    out = [first]
    if first in (LITTLE_JOKER, BIG_JOKER):
        out.append(BIG_JOKER if first == LITTLE_JOKER else LITTLE_JOKER)
    else:
        pair = next(pair for pair in _LOOKALIKES if first[0] in pair)
        out.append(Card(pair[1 - pair.index(first[0])] + first[1:]))
    while len(out) < count:
        card = rng.choice(FACES[:52])
        if card not in out:
            out.append(card)
    return out


def _drawn(seed: int, cards: Sequence[Card]) -> _Faces:
    style = style_of(seed)
    faces: dict[Card, tuple[Pixels, ...]] = {}
    boxes: dict[Card, Box] = {}
    for card in cards:
        face, box = draw_with_index(style, card)
        if box is not None:
            faces[card], boxes[card] = _levels(rounded(face)), box
    return _Faces(faces, boxes, style.corners == 4)


@functools.lru_cache(maxsize=4)
def _table(number: int) -> Floats:
    """A table top to lay cards on, larger than any single."""
    return backgrounds.table(512, random.Random(number), np.random.default_rng(number))


def _about(cards: Sequence[Card], main: Card, rng: random.Random) -> tuple[list[Lying], int]:
    """How cards lie about the one that matters, which is at the origin; and its number among them."""
    under: list[Lying] = []
    over: list[Lying] = []

    def other() -> Card:
        return main if rng.random() < 0.25 else rng.choice(cards)

    kind = rng.random()
    bend = rng.gauss(0, 3)
    step = rng.uniform(7, 30) * MM
    if kind < 0.5:  # in a row or fan: to the left under it, to the right on it
        under += [Lying(other(), -step * k, rng.gauss(0, 2) * MM, -bend * k) for k in (2, 1)]
        over.append(Lying(other(), step, rng.gauss(0, 2) * MM, bend))
    elif kind < 0.62:  # the other way round
        under += [Lying(other(), step * k, rng.gauss(0, 2) * MM, bend * k) for k in (2, 1)]
        over += [Lying(other(), -step - rng.uniform(0.5, 0.8), 0.0, -bend)] if rng.random() < 0.3 else []
    elif kind < 0.76:  # in a column
        down = rng.uniform(17, 45) * MM
        under.append(Lying(other(), rng.gauss(0, 2) * MM, -down, bend))
        over.append(Lying(other(), rng.gauss(0, 2) * MM, down, -bend))
    elif kind < 0.88:  # thrown on each other
        under += [Lying(other(), rng.gauss(0, 0.5), rng.gauss(0, 0.5), rng.uniform(0, 360)) for _ in range(2)]
        over += [Lying(other(), rng.uniform(0.2, 1.1), rng.uniform(0.1, 1.3), rng.uniform(0, 360))]
    return [*under, Lying(main, 0.0, 0.0, 0.0), *over], len(under)


def _one(pack: _Faces, cards: Sequence[Card], main: Card, rng: random.Random, nrng: np.random.Generator) -> Single | None:
    """Draw one index and take its picture; None where too little of it shows."""
    width = math.exp(rng.uniform(math.log(_WIDTHS[0]), math.log(_WIDTHS[1])))
    size = round(_SIDE * width)
    over = 1 if width > _SHARP else 2
    big, scale = size * over, width * over
    table = _table(rng.randrange(4))
    x, y = rng.randrange(table.shape[1] - size), rng.randrange(table.shape[0] - size)
    picture = np.asarray(cv2.resize(table[y : y + size, x : x + size], (big, big), interpolation=cv2.INTER_LINEAR), np.float32)
    if rng.random() < 0.5:
        picture = picture * np.array([rng.uniform(0.3, 1.4) for _ in range(3)], np.float32)
    cover = np.full((big, big), -1, np.int32)
    box = pack.boxes[main]
    right = pack.four and main not in (LITTLE_JOKER, BIG_JOKER) and rng.random() < 0.4
    spot = (FACE_W - box[2], box[1], FACE_W - box[0], box[3]) if right else box
    at = np.array([(spot[0] + spot[2]) / 2, (spot[1] + spot[3]) / 2])
    view = _view(big, rng) @ _placed(scale, at)
    lying, number = _about(cards, main, rng)
    shade = rng.uniform(0.1, 0.6)
    matrix = view
    for k, card in enumerate(lying):
        here = view @ _moved(card)
        if k == number:
            matrix = here
        lay(picture, cover, pack, card, here, k, shade, rng)
    found = label_of(main, spot, matrix, number, cover, over)
    if found is None or found[1] < LEGIBLE:
        return None
    small = picture if over == 1 else np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    lens.light(small, rng, nrng)
    if rng.random() < 0.12:
        small = lens.poor(small, width, rng, nrng)
    taken = lens.expose(small, width, rng, nrng)
    sampling = rng.choice((cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444))
    code = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(40, 96), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling])[1]
    return Single(np.asarray(code, np.uint8).reshape(-1), found[0])


def _view(size: float, rng: random.Random) -> NDArray[np.float64]:
    """A turn, foreshortening in some direction, a little perspective, about the picture's middle."""
    turn = rng.uniform(0, 2 * math.pi)
    lean, way = rng.choices((rng.uniform(0.9, 1.0), rng.uniform(0.6, 0.9)), (0.75, 0.25))[0], rng.uniform(0, math.pi)
    c, s = math.cos(way), math.sin(way)
    axis = np.array([[c, -s], [s, c]])
    flat = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ axis @ np.diag([1.0, lean]) @ axis.T
    out = np.eye(3)
    out[:2, :2] = flat
    out[2, :2] = [rng.gauss(0, 0.08) / size, rng.gauss(0, 0.08) / size]
    middle = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1]])
    return np.asarray(middle @ out, np.float64)


def _placed(scale: float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """From a face's pixels to the picture's, with a point of the face at the origin."""
    k = scale / FACE_W
    return np.asarray(np.diag([k, k, 1.0]) @ np.array([[1, 0, -at[0]], [0, 1, -at[1]], [0, 0, 1]]), np.float64)


def _moved(card: Lying) -> NDArray[np.float64]:
    """A card's place by that of the one that matters, in pixels of the face; turned about its own middle."""
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    back = np.array([[1, 0, -FACE_W / 2], [0, 1, -FACE_H / 2], [0, 0, 1]])
    to = np.array([[1, 0, FACE_W * (0.5 + card.x)], [0, 1, FACE_H / 2 + FACE_W * card.y], [0, 0, 1]])
    return np.asarray(to @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ back, np.float64)


def singles(seed: int, extra: tuple[str, ...] = ()) -> Iterator[Single]:
    """Draw singles without end, a few of each deck of the training part; the same seed gives the same ones.

    :param extra: further decks (folders of faces).
    """
    rng, nrng = random.Random(f"singles {seed}"), np.random.default_rng(seed)
    while True:
        chance = rng.random()
        cards = _few(rng, 4)
        if extra and chance < _EXTRA:
            pack = _printed(rng.choice(extra))
        elif chance < _PRINTED:
            pack = _printed(rng.choice(split("train", "decks")))
        else:
            pack = _drawn(rng.randrange(HELD_OUT_SEEDS, _LAST_SEED), cards)
        known = [card for card in cards if card in pack.boxes]
        for _ in range(_OF_A_DECK if known else 0):
            made = _one(pack, known, rng.choice(known[:2] if rng.random() < 0.6 else known), rng, nrng)
            if made is not None:
                yield made


def write_singles(path: Path, seed: int, extra: tuple[str, ...] = (), count: int = COUNT) -> None:
    """Draw a shard of singles, in the form of scenes with one index each; it appears when it is whole."""
    made = list(itertools.islice(singles(seed, extra), count))
    save(path, [one.jpeg for one in made], [row_of(i, one.index, visible=True) for i, one in enumerate(made)])
