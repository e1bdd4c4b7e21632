"""How a film is played: habits, mishaps, and what else people do with their cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from datasets.film.layout import Habit
from datasets.film.script import Gone


@unique
class Mishap(StrEnum):
    """What goes wrong in the middle of a film."""

    NONE = "none"
    BUMP = "bump"  # somebody knocks against the camera's stand
    REST = "rest"  # hands rest on the cards after plays
    UNPLUG = "unplug"  # the camera gives black pictures for twenty seconds
    FREEZE = "freeze"  # ... one and the same picture
    ABSENT = "absent"  # ... no picture at all: the frames' times jump
    DROP = "drop"  # a card drops face up and is picked up again
    HOME = "home"  # a table at home: hands rest on cards, and cards drop

    @property
    def gone(self) -> Gone | None:
        """What the camera delivers while it is away; None when it is not."""
        return {Mishap.UNPLUG: Gone.BLACK, Mishap.FREEZE: Gone.FROZEN, Mishap.ABSENT: Gone.ABSENT}.get(self)


@unique
class Quirk(StrEnum):
    """What some tables do besides their habit."""

    TAKE_BACK = "take-back"  # a card is laid, taken back before the next player plays, and another laid
    EARLY_TURN = "early-turn"  # habit turn: somebody turns his play over before the trick is complete
    LOOK_BACK = "look-back"  # habit turn: somebody turns the last trick's cards up again for a look
    ONE_SIDE = "one-side"  # habit sweep: one player of each side gathers his side's tricks
    POINTS_OUT = "points-out"  # turn and sweep: the attackers lay the point cards that they win face up beside the bottom


NEEDS: Final[dict[Quirk, frozenset[Habit]]] = {
    Quirk.TAKE_BACK: frozenset(Habit),
    Quirk.EARLY_TURN: frozenset({Habit.TURN}),
    Quirk.LOOK_BACK: frozenset({Habit.TURN}),
    Quirk.ONE_SIDE: frozenset({Habit.SWEEP}),
    Quirk.POINTS_OUT: frozenset({Habit.TURN, Habit.SWEEP}),
}
"""With which habits a quirk goes."""

GAP: Final = 20.0
"""Seconds without a picture when the camera is unplugged."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a film is played.

    :ivar pace: factor on all times.
    :ivar per_reach: cards drawn in one reach while dealing.
    :ivar pack: cards in all; :ivar bottom: cards of the bottom.
    """

    habit: Habit
    mishap: Mishap = Mishap.NONE
    quirks: frozenset[Quirk] = frozenset()
    pace: float = 1.0
    per_reach: int = 1
    pack: int = 108
    bottom: int = 8
    tilt: float = 0.0
    fps: int = 15
