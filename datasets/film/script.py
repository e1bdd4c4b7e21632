"""The script of a film: which cards there are, how they move, which arms reach where and when, and the truth.

Times are seconds of film time, lengths millimetres on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum, unique
from itertools import pairwise

import numpy as np

from datasets.film.hands import Grip, Reach
from datasets.film.sprites import Pose
from engine.cards import Card, Seat
from engine.events import Event


def ease(share: float) -> float:
    """How far a hand has come after a share of its time: it starts and stops softly (least jerk)."""
    s = min(1.0, max(0.0, share))
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@dataclass(frozen=True, slots=True)
class CardMove:
    """A card moves from one pose to another between two times; ``bow`` is its sideways swing, ``arc`` the height at half way.

    :ivar seat: whose arm carries it; None when it falls or slides by itself.
    :ivar leaves: it is out of the picture afterwards.
    """

    item: int
    t0: float
    t1: float
    start: Pose
    end: Pose
    seat: Seat | None
    bow: tuple[float, float] = (0.0, 0.0)
    arc: float = 0.0
    leaves: bool = False

    def at(self, t: float) -> Pose:
        """The pose at a time."""
        s = ease((t - self.t0) / (self.t1 - self.t0))
        swing = float(np.sin(np.pi * s))
        return self.start.between(self.end, s).moved(self.bow[0] * swing, self.bow[1] * swing, self.arc * swing)


@dataclass(frozen=True, slots=True)
class Stroke:
    """An arm's grip moves from one place (x, y, z) to another between two times."""

    seat: Seat
    t0: float
    t1: float
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    shoulder: tuple[float, float]
    grip: Grip
    bow: tuple[float, float] = (0.0, 0.0)

    def at(self, t: float) -> Reach:
        """Where the arm is at a time."""
        s = ease((t - self.t0) / (self.t1 - self.t0))
        swing = float(np.sin(np.pi * s))
        x, y, z = (a + (b - a) * s for a, b in zip(self.start, self.end, strict=True))
        return Reach(x + self.bow[0] * swing, y + self.bow[1] * swing, z, self.shoulder)


@dataclass(frozen=True, slots=True)
class Pile:
    """A neat pile of backs: where it lies, and how many cards it has from which time on."""

    pose: Pose
    steps: tuple[tuple[float, int], ...]


@unique
class Gone(StrEnum):
    """What a camera delivers while it sees nothing."""

    BLACK = "black"
    FROZEN = "frozen"  # its last picture again and again
    ABSENT = "absent"  # no frames: the next one's time is later


@dataclass(frozen=True, slots=True)
class Blank:
    """A time (s) in which the camera sees nothing."""

    start: float
    end: float
    how: Gone = Gone.BLACK


@dataclass(frozen=True, slots=True)
class Script:
    """A whole film before it is drawn."""

    faces: tuple[Card, ...]
    moves: tuple[CardMove, ...]
    strokes: tuple[Stroke, ...]
    pile: Pile
    truth: tuple[Event, ...]
    duration: float
    left_handed: frozenset[Seat] = frozenset()
    blanks: tuple[Blank, ...] = ()
    bump: float | None = None
    """The time at which the camera is knocked aside."""


@dataclass(slots=True)
class Sheet:
    """A script while it is being written."""

    faces: list[Card] = field(default_factory=list)
    poses: dict[int, Pose] = field(default_factory=dict)
    moves: list[CardMove] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    pile: list[tuple[float, int]] = field(default_factory=list)

    def new(self, face: Card) -> int:
        """Take a card that was not in the picture yet; its number."""
        self.faces.append(face)
        return len(self.faces) - 1

    def move(self, item: int, span: tuple[float, float], end: Pose, seat: Seat | None, *, start: Pose | None = None,
             bow: tuple[float, float] = (0.0, 0.0), arc: float = 0.0, leaves: bool = False) -> None:  # fmt: skip
        """Let a card move; from where it is unless ``start`` says otherwise."""
        begin = start if start is not None else self.poses[item]
        self.moves.append(CardMove(item, span[0], span[1], begin, end, seat, bow, arc, leaves))
        self.poses[item] = end

    def stroke(self, seat: Seat, points: Iterable[tuple[float, tuple[float, float, float]]], shoulder: tuple[float, float], grip: Grip,
               bow: tuple[float, float] = (0.0, 0.0)) -> None:  # fmt: skip
        """Let an arm go through places at times; only the first way swings by ``bow``."""
        way = list(points)
        for i, ((t0, a), (t1, b)) in enumerate(pairwise(way)):
            self.strokes.append(Stroke(seat, t0, t1, a, b, shoulder, grip, bow if i == 0 else (0.0, 0.0)))
