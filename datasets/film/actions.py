"""What a player's arm does: lays cards, takes cards, turns cards. Each action writes moves to the sheet and returns when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from datasets.film.hands import Grip
from datasets.film.layout import Place
from datasets.film.script import Sheet
from datasets.film.sprites import Pose
from engine.cards import SEATS, Seat

Point = tuple[float, float, float]
_CARRY: Final = 42.0  # height at which cards are carried (mm)


@dataclass(slots=True)
class Desk:
    """The table while a film is written.

    :ivar rng: the film's chance.
    :ivar pace: factor on all times (1 = lively home game, less = quicker).
    :ivar tilt: degrees by which the camera looks from the south; arms must start further out in the north.
    """

    rng: np.random.Generator
    pace: float
    tilt: float
    left_handed: frozenset[Seat]
    sheet: Sheet = field(default_factory=Sheet)
    now: float = 1.0
    heights: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))

    def span(self, low: float, high: float) -> float:
        """A time in seconds between two bounds, scaled by the pace."""
        return float(self.rng.uniform(low, high)) * self.pace

    def hand(self, seat: Seat) -> float:
        """1 for a right-handed player, -1 for a left-handed one."""
        return -1.0 if seat in self.left_handed else 1.0

    def shoulder(self, seat: Seat, lean: float = 0.0) -> tuple[float, float]:
        """Where the seat's arm comes from (mm); ``lean`` brings it nearer to the table."""
        place = Place(seat)
        return place.xy(170.0 * self.hand(seat), (940.0 if place.side else 700.0) - lean)

    def home(self, seat: Seat) -> Point:
        """Where the seat's hand waits, out of the picture."""
        place = Place(seat)
        out = 850.0 if place.side else 520.0 + (11.0 * self.tilt if seat is Seat.N else 0.0)
        x, y = place.xy(self.hand(seat) * float(self.rng.uniform(40, 120)), out)
        return x, y, 60.0

    def grip(self, seat: Seat, poses: Sequence[Pose], back: float = 30.0) -> Point:
        """Where a hand holds cards that lie at poses: at their near edge."""
        place = Place(seat)
        x = float(np.mean([p.x for p in poses]))
        y = float(np.mean([p.y for p in poses]))
        z = float(max(p.z for p in poses))
        du, dd = place.xy(self.hand(seat) * float(self.rng.uniform(4, 14)), back)
        return x + du, y + dd, z

    def sway(self) -> tuple[float, float]:
        """The sideways swing of a reach (mm)."""
        x, y = self.rng.normal(0, 14, 2)
        return float(x), float(y)


def carried(grip: Point, target: Point, pose: Pose) -> Pose:
    """Where a card is that will lie at ``pose`` when the hand is at ``target``, while the hand is at ``grip``."""
    return pose.moved(grip[0] - target[0], grip[1] - target[1], grip[2] - target[2] + _CARRY)


def squeezed(poses: Sequence[Pose], share: float) -> list[Pose]:
    """The same cards pushed together towards the first one."""
    first = poses[0]
    out = []
    for pose in poses:
        near = first.between(pose, share)
        out.append(Pose(near.x, near.y, pose.z, near.turn, pose.flip))
    return out


def lay(desk: Desk, seat: Seat, items: Sequence[int], poses: Sequence[Pose], *, grip: Grip, start: Sequence[Pose] | None = None,
        back_to: Point | None = None) -> float:  # fmt: skip
    """Bring cards to their poses and go; more than two arrive pushed together and are spread by the hand.

    :param start: where the cards come from, in the picture; out of the hand when left out.
    :param back_to: where the hand goes afterwards; out of the picture when left out.
    :returns: the time at which the cards lie still.
    """
    sheet = desk.sheet
    spread = len(items) > 2
    first = squeezed(poses, 0.25) if spread else list(poses)
    home = desk.home(seat)
    target, last = desk.grip(seat, first), desk.grip(seat, poses)
    bow = desk.sway()
    t0, t1 = desk.now, desk.now + desk.span(0.5, 0.78)
    for k, (item, pose) in enumerate(zip(items, first, strict=True)):
        begin = start[k] if start is not None else carried(home, target, pose)
        sheet.move(item, (t0, t1), pose, seat, start=begin, bow=bow)
    points = [(t0, home), (t1, target)]
    t = t1
    if spread:
        t += desk.span(0.35, 0.65)
        for item, pose in zip(items, poses, strict=True):
            sheet.move(item, (t1, t), pose, seat)
        points.append((t, last))
    still = t
    if desk.rng.random() < 0.25:  # the hand straightens what it laid
        du, dv = desk.rng.uniform(-5, 5, 2)
        turn = float(np.radians(desk.rng.uniform(-2.5, 2.5)))
        still = t + desk.span(0.15, 0.3)
        for item in items:
            pose = sheet.poses[item]
            sheet.move(item, (t, still), Pose(pose.x + float(du), pose.y + float(dv), pose.z, pose.turn + turn, pose.flip), seat)
        here = points[-1][1]
        points.append((still, (here[0] + float(du), here[1] + float(dv), here[2])))
    pause = still + desk.span(0.06, 0.2)
    away = back_to if back_to is not None else desk.home(seat)
    points += [(pause, points[-1][1]), (pause + desk.span(0.42, 0.66), away)]
    sheet.stroke(seat, points, desk.shoulder(seat), grip, bow)
    desk.now = points[-1][0]
    return still


def take(desk: Desk, seat: Seat, items: Sequence[int], *, to: Sequence[Pose] | None = None, leaves: bool = True, flip: float | None = None) -> float:
    """Fetch cards from the table into the hand (or to poses ``to``).

    :param flip: the flip that the cards have afterwards.
    :returns: the time at which the hand is gone.
    """
    sheet = desk.sheet
    poses = [sheet.poses[item] for item in items]
    home = desk.home(seat)
    there = desk.grip(seat, poses)
    t0 = desk.now
    t1 = t0 + desk.span(0.5, 0.75)
    t2 = t1 + desk.span(0.15, 0.3)
    t3 = t2 + desk.span(0.5, 0.75)
    close = squeezed(poses, 0.3)
    for item, pose in zip(items, close, strict=True):
        sheet.move(item, (t1, t2), pose, seat)
    if to is None:
        ends = [carried(home, there, pose) for pose in close]
        away = home
    else:
        ends = list(to)
        away = desk.grip(seat, ends)
    for item, end in zip(items, ends, strict=True):
        final = end if flip is None else Pose(end.x, end.y, end.z, end.turn, flip)
        sheet.move(item, (t2, t3), final, seat, arc=30.0 if to is not None else 0.0, leaves=leaves and to is None)
    points = [(t0, home), (t1, there), (t2, there), (t3, away)]
    if to is not None:
        t3 += desk.span(0.45, 0.65)
        points.append((t3, desk.home(seat)))
    sheet.stroke(seat, points, desk.shoulder(seat, lean=90.0), Grip.PRESS, desk.sway())
    desk.now = t3
    return t3


def rest(desk: Desk, seat: Seat, poses: Sequence[Pose], seconds: float) -> float:
    """Lay the flat hand on cards for a while; the time at which it is gone."""
    home, there = desk.home(seat), desk.grip(seat, poses, back=12.0)
    t0 = desk.now
    t1 = t0 + desk.span(0.45, 0.6)
    t2 = t1 + seconds
    t3 = t2 + desk.span(0.45, 0.6)
    fidget = (there[0] + 5.0, there[1] - 4.0, there[2])
    points = [(t0, home), (t1, there), (t1 + seconds * 0.45, there), (t1 + seconds * 0.55, fidget), (t2, fidget), (t3, desk.home(seat))]
    desk.sheet.stroke(seat, points, desk.shoulder(seat), Grip.FLAT, desk.sway())
    desk.now = t3
    return t3
