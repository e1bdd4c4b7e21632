"""Rendered sets for measuring: art, fonts and seeds that training never sees, with every card's place known."""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.layout import Lying
from datasets.scene import SAME_DECK, Index, Layout, Scene, render
from datasets.themes import CLEAR, EMPTY, GAME, JOKERS, MIXED, Theme
from engine.cards import FACES
from models.measure import Example, Label, Picture

SIDE: Final = 640
_SAME_CARD: Final = 0.02
"""Corners of one card's labels agree within this many card widths."""


FANS: Final = (8, 10, 12, 16, None)
"""Millimetres from one card of a group to the next; None beside each other."""


def identical(extent: float, rng: random.Random) -> list[Lying]:
    """Pairs and triples of one face, fanned by 8 to 22 mm, across or downwards, thrown on each other."""
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


def fanned(step_mm: float | None, extent: float, rng: random.Random) -> list[Lying]:
    """Pairs and triples of one face, each group of another face and by itself, laid as hands lay them: some looseness, to either side."""
    step = rng.uniform(1.03, 1.12) if step_mm is None else step_mm / 63
    faces = list(FACES)
    rng.shuffle(faces)
    out: list[Lying] = []
    taken: list[tuple[float, float, float]] = []
    wanted = max(1, round(extent * extent / (9 if step_mm is None else 5.5)))
    for _ in range(60):
        count = rng.choice((2, 2, 3))
        reach = 0.5 * math.hypot(1 + (count - 1) * step, 1.4) + 0.05
        x, y = rng.uniform(0.9, max(0.95, extent - 0.9)), rng.uniform(0.9, max(0.95, extent - 0.9))
        if len(taken) == wanted or any(math.hypot(x - a, y - b) < reach + far for a, b, far in taken):
            continue
        taken.append((x, y, reach))
        face, turn, bend = faces.pop(), rng.uniform(0, 360), rng.choice((0.0, 0.0, rng.uniform(-4, 4)))
        way, sink = (1 if rng.random() < 0.75 else -1), rng.gauss(0, 1.5 / 63)
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        for k in range(count):
            across, down = way * (k - (count - 1) / 2) * step + rng.gauss(0, 0.3 / 63), sink * k
            out.append(Lying(face, x + c * across - s * down, y + s * across + c * down, turn + bend * k + rng.gauss(0, 0.4)))
    return out


@dataclass(frozen=True, slots=True)
class _Set:
    """How a set is drawn: first seed, theme, way to lie (None: the theme's), and whether cards are 60 to 120 pixels wide."""

    seed: int
    theme: Theme = MIXED
    kind: Layout | None = None
    sized: bool = False


def fan_name(step_mm: float | None) -> str:
    """The name of a set of fans."""
    return "fans, side by side" if step_mm is None else f"fans, {step_mm} mm"


def rendered_sets(count: int) -> dict[str, tuple[Example, ...]]:
    """The sets, each of ``count`` pictures, of decks, fonts and seeds that training never sees.

    Clear pictures of anything; anything, taken as badly as can be; a game from above; jokers of all styles; identical cards thrown on each
    other, and fanned by 8 to 16 mm and laid side by side; tables without a face: writing, other games' cards, things, hands, backs.
    """
    sets = {
        "clear": _Set(6_000_000, CLEAR, None, True),
        "mixed": _Set(1_000_000),
        "game": _Set(1_500_000, GAME),
        "jokers": _Set(3_000_000, JOKERS, None, True),
        "identical, thrown": _Set(2_000_000, MIXED, identical, True),
        **{fan_name(step): _Set(5_000_000 + 100_000 * n, MIXED, functools.partial(fanned, step), True) for n, step in enumerate(FANS)},
        "no cards": _Set(4_000_000, EMPTY),
    }
    return {name: tuple(Example(f"{name} {k}", functools.partial(_draw, drawn, k)) for k in range(count)) for name, drawn in sets.items()}


def _draw(drawn: _Set, k: int) -> tuple[Picture, tuple[Label, ...]]:
    seed = drawn.seed + SAME_DECK * k  # another deck in each picture
    width = math.exp(random.Random(seed).uniform(math.log(60), math.log(120))) if drawn.sized else None
    return labelled(render(seed, "held_out", size=SIDE, kind=drawn.kind, card_width=width, theme=drawn.theme))


def labelled(scene: Scene) -> tuple[Picture, tuple[Label, ...]]:
    """A scene as an example for measuring."""
    owners: list[Index] = []
    labels = [Label(index.card, index.box, _width(index), _owner(index, owners), _corners(index)) for index in scene.indices]
    labels += [Label(None, index.box, owner=_owner(index, owners), half=index.card) for index in scene.covered]
    return scene.picture, tuple(labels)


def _corners(index: Index) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in index.quad)


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
