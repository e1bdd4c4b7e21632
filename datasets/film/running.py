"""A film while it is being written: what lies where, and the truth so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from datasets.film.actions import Desk
from datasets.film.dealing import Shown
from datasets.film.script import Blank
from datasets.film.sprites import Pose
from datasets.film.style import Style
from engine.cards import SEATS, Seat
from engine.events import Event, Source


@dataclass(slots=True)
class Film:
    """The state of a film in the making.

    :ivar trick: the numbers of the cards that each seat has played to the running trick.
    :ivar lying: how many cards lie in each seat's place, one over the other.
    :ivar apart: seats that have turned their play of the running trick over already.
    :ivar points: numbers of the point cards that lie beside the bottom.
    """

    desk: Desk
    style: Style
    truth: list[Event] = field(default_factory=list)
    trick: dict[Seat, list[int]] = field(default_factory=dict)
    lying: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    apart: set[Seat] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)
    buried: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    blanks: list[Blank] = field(default_factory=list)
    bump: float | None = None

    def tell(self, event: Event) -> None:
        """Write an event to the truth with the present film time, rounded up to a frame."""
        at = ceil(round(self.desk.now * self.style.fps, 6)) / self.style.fps
        self.truth.append(replace(event, t=at, source=Source.TRUTH))


def corners_mm(poses: Sequence[Pose]) -> list[list[list[float]]]:
    """Where cards lie, as the truth has it: TL TR BR BL of each, in millimetres."""
    return [pose.corners()[:, :2].round(1).tolist() for pose in poses]
