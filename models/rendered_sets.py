"""Rendered sets for measuring: art, fonts and seeds that training never sees, with every card's place known."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from datasets import layout
from datasets.layout import Lying
from datasets.scene import Index, render
from engine.cards import FACES
from models.measure import Example, Label, Picture

SIDE: Final = 640
_SAME_CARD: Final = 0.02
"""Corners of one card's labels agree within this many card widths."""


def identical(extent: float, rng: random.Random) -> list[Lying]:
    """Pairs and triples of one face, fanned by 8 to 22 mm, across or downwards."""
    out: list[Lying] = []
    for _ in range(max(1, round(extent * extent / 5))):
        face, count = rng.choice(FACES), rng.choice((2, 2, 3))
        step, turn, bend = rng.uniform(8, 22) / 63, rng.uniform(0, 360), rng.choice((0.0, rng.uniform(-5, 5)))
        x, y = rng.uniform(0.8, max(0.9, extent - 0.8)), rng.uniform(0.8, max(0.9, extent - 0.8))
        down = rng.random() < 0.2
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        for k in range(count):
            off = (k - (count - 1) / 2) * step * (1.4 if down else 1)
            dx, dy = (0.0, off) if down else (off, 0.0)
            out.append(Lying(face, x + c * dx - s * dy, y + s * dx + c * dy, turn + bend * k))
    return out


def jokers(extent: float, rng: random.Random) -> list[Lying]:
    """Both jokers among other cards."""
    cards = layout.plays(extent, rng)
    return [Lying(rng.choice(FACES[-2:]), card.x, card.y, card.angle, card.face_up) if rng.random() < 0.6 else card for card in cards]


def rendered_sets(count: int) -> dict[str, tuple[Example, ...]]:
    """The sets, each of ``count`` pictures: mixed scenes, scenes of identical cards, scenes with jokers, scenes without any card."""
    kinds: Sequence[tuple[str, int, Callable[[float, random.Random], list[Lying]] | None]] = (
        ("mixed", 1_000_000, None),
        ("identical", 2_000_000, identical),
        ("jokers", 3_000_000, jokers),
        ("no cards", 4_000_000, layout.nothing),
    )
    return {name: tuple(Example(f"{name} {k}", functools.partial(_draw, seed + k, kind)) for k in range(count)) for name, seed, kind in kinds}


def _draw(seed: int, kind: Callable[[float, random.Random], list[Lying]] | None) -> tuple[Picture, tuple[Label, ...]]:
    width = None if kind in (None, layout.nothing) else math.exp(random.Random(seed).uniform(math.log(60), math.log(120)))
    scene = render(seed, "held_out", size=SIDE, kind=kind, card_width=width)
    owners: list[Index] = []
    labels = [Label(index.card, index.box, _width(index), _owner(index, owners)) for index in scene.indices]
    labels += [Label(None, index.box) for index in scene.covered]
    return scene.picture, tuple(labels)


def _width(index: Index) -> float:
    return float(np.linalg.norm(index.quad[1] - index.quad[0]) + np.linalg.norm(index.quad[2] - index.quad[3])) / 2


def _owner(index: Index, known: list[Index]) -> int:
    """Number physical cards: labels whose corners agree, seen from either end, are of one card."""
    for k, other in enumerate(known):
        for quad in (index.quad, np.roll(index.quad, 2, 0)):
            if index.card == other.card and float(np.abs(quad - other.quad).mean()) < _SAME_CARD * _width(index):
                return k
    known.append(index)
    return len(known) - 1
