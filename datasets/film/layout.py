"""Where cards lie: plays before their seat, piles of backs, packets, the bottom. Millimetres in a seat's own frame are (u, d):
u to that player's right, d from the middle of the table towards him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from itertools import pairwise
from typing import Final

import numpy as np

from datasets.film.sprites import Pose
from engine.cards import RANK_INDEX, RANK_OF, SUIT_OF, Card, Rank, Seat

THICKNESS: Final = 0.3
"""Height of a card in millimetres."""
PLAY_D: Final = 215.0
"""How far from the middle plays lie."""

_ANGLE: Final = {Seat.S: 0.0, Seat.E: -np.pi / 2, Seat.N: np.pi, Seat.W: np.pi / 2}


@unique
class Habit(StrEnum):
    """What happens to the cards of a trick that is over."""

    STACK = "stack"  # they stay face up before their players, the next play on top
    TURN = "turn"  # each player turns his own face down onto his pile
    SWEEP = "sweep"  # the winner takes all of them away, face down


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's frame on the table."""

    seat: Seat

    @property
    def angle(self) -> float:
        """The turn of a card that lies upright for this player."""
        return float(_ANGLE[self.seat])

    @property
    def side(self) -> bool:
        """Whether the player sits at the left or right border of the picture."""
        return self.seat in (Seat.E, Seat.W)

    def xy(self, u: float, d: float) -> tuple[float, float]:
        """Table millimetres of (u, d)."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        return float(u * c - d * s), float(u * s + d * c)

    def pose(self, u: float, d: float, z: float = 0.0, turn: float = 0.0, flip: float = 0.0) -> Pose:
        """A card at (u, d), turned by ``turn`` against upright."""
        x, y = self.xy(u, d)
        return Pose(x, y, z, self.angle + turn, flip)


def in_order(cards: Sequence[Card]) -> list[Card]:
    """The cards as a player lays them: equal ones together, by suit and rank."""

    def key(card: Card) -> tuple[str, int]:
        return (str(SUIT_OF.get(card, "~")), RANK_INDEX[RANK_OF.get(card, Rank("2"))])

    return sorted(cards, key=key)


ROW: Final = 12
"""Most cards in one row of a play; more go into a second row nearer to the player."""


def row_of_play(cards: Sequence[Card], place: Place, height: float, habit: Habit, rng: np.random.Generator) -> list[Pose]:
    """Poses of a play's cards (in :func:`in_order`), the next one always over the one before and further right.

    :param height: how high the cards below reach (mm).
    """
    loose = 10.0 if len(cards) == 1 else 5.0
    lean = np.radians(rng.uniform(-loose, loose))
    spread = 14.0 if habit is Habit.STACK else 10.0
    u0, d0 = rng.uniform(-spread, spread) * 1.1, PLAY_D + rng.uniform(-spread, spread)
    rows = -(-len(cards) // ROW)
    per = -(-len(cards) // rows)
    out: list[Pose] = []
    for row in range(rows):
        part = cards[row * per : (row + 1) * per]
        shift = 46.0 * (row - (rows - 1) / 2)
        out += _row(part, place, (float(u0), float(d0 + shift)), float(lean), height + THICKNESS * len(out), rng)
    return out


def _row(cards: Sequence[Card], place: Place, centre: tuple[float, float], lean: float, height: float, rng: np.random.Generator) -> list[Pose]:
    n = len(cards)
    gap = rng.uniform(16.0, 29.0) if n <= 6 else rng.uniform(15.0, 17.0)
    fan = np.radians(rng.uniform(0.0, 4.5)) if 1 < n <= 8 and rng.random() < 0.4 else 0.0
    wide = rng.random() < 0.5
    steps = [0.0]
    for before, card in pairwise(cards):
        extra = 1.0 if before == card or not wide else max(1.0, min(1.5, 180.0 / (gap * n)))
        steps.append(steps[-1] + max(15.0, gap * extra + rng.uniform(-1.5, 1.5)))
    middle = steps[-1] / 2
    out: list[Pose] = []
    for i, step in enumerate(steps):
        along = step - middle
        bend = fan * (i - (n - 1) / 2)
        u = centre[0] + along * np.cos(lean) + rng.uniform(-0.8, 0.8)
        d = centre[1] + along * np.sin(lean) + 130.0 * (1 - np.cos(bend)) + rng.uniform(-2.2, 2.2)
        turn = lean + bend + np.radians(rng.normal(0, 1.0))
        out.append(place.pose(float(u), float(d), height + THICKNESS * (i + 1), float(turn)))
    return out


def packet(place: Place, u: float, d: float, count: int, rng: np.random.Generator, *, height: float = 0.0, flip: float = 0.0,
           untidy: float = 2.5) -> list[Pose]:  # fmt: skip
    """Poses of cards squared up to a packet, lowest first."""
    out = []
    for i in range(count):
        du, dd = rng.normal(0, untidy, 2)
        out.append(place.pose(u + float(du), d + float(dd), height + THICKNESS * (i + 1), float(np.radians(rng.normal(0, untidy))), flip))
    return out


def bottom_row(place: Place, count: int, rng: np.random.Generator) -> list[Pose]:
    """Poses of the bottom turned up: a row across the middle, upright for the player who turns it."""
    gap = min(26.0, 190.0 / max(1, count - 1)) - rng.uniform(0, 2.0)
    lean = float(np.radians(rng.uniform(-4, 4)))
    out = []
    for i in range(count):
        along = (i - (count - 1) / 2) * gap
        u = along * np.cos(lean) + float(rng.uniform(-1, 1))
        d = along * np.sin(lean) + float(rng.uniform(-2, 2))
        out.append(place.pose(float(u), float(d), THICKNESS * (i + 1), lean + float(np.radians(rng.normal(0, 1.0)))))
    return out
