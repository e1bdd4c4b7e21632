"""The phases before the first trick: drawing, declaring, the bottom taken and laid back; and the bottom turned up at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.film.actions import Desk, carried, lay, take
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Place, bottom_row, in_order, packet
from datasets.film.sprites import BACK, Pose
from engine.cards import SEATS, Card, Seat

PILE: Final = Pose(0.0, 0.0, 0.0, 0.03, np.pi)
"""Where the pack lies while it is drawn."""


@dataclass(slots=True)
class Shown:
    """Level cards that lie declared: who laid them, their numbers on the sheet."""

    seat: Seat
    items: list[int]


def draw(desk: Desk, turns: int, left: int, per_reach: int, first: int) -> int:
    """Let the seats draw in turn.

    :param turns: how many reaches.
    :param left: cards in the pile before.
    :param per_reach: cards taken in one reach.
    :param first: position in ``SEATS`` of the seat that draws first.
    :returns: cards in the pile afterwards.
    """
    sheet = desk.sheet
    beat = desk.span(0.28, 0.32)
    begin = desk.now
    for i in range(turns):
        seat = SEATS[(first + i) % 4]
        home = desk.home(seat)
        t0 = begin + i * beat + desk.span(0.0, 0.06)
        t1 = t0 + 1.55 * beat
        t2 = t1 + 0.2 * beat
        t3 = t2 + 1.8 * beat
        top = Pose(PILE.x, PILE.y, THICKNESS * left + 1.0, PILE.turn, np.pi)
        place = Place(seat)
        u, d = desk.rng.uniform(-8, 8), desk.rng.uniform(30, 44)
        x, y = place.xy(float(u), float(d))
        there = (x, y, top.z)
        item = sheet.new(BACK)
        far = carried(home, there, top)
        sheet.move(item, (t1, t2), top.moved(*place.xy(0.0, 4.0), 2.0), seat, start=top)
        sheet.move(item, (t2, t3), Pose(far.x, far.y, far.z, place.angle, np.pi), seat, leaves=True)
        left -= per_reach
        sheet.pile.append((t1, left))
        sheet.stroke(seat, [(t0, home), (t1, there), (t2, there), (t3, home)], desk.shoulder(seat, lean=60.0), Grip.PINCH, desk.sway())
        desk.now = t0 + beat
    desk.now = begin + turns * beat + 3.6 * beat
    return left


def declare(desk: Desk, seat: Seat, cards: Sequence[Card], *, beside: int = 0) -> Shown:
    """A seat lays level cards before itself, face up, to the right of the ``beside`` cards that it has laid before."""
    place = Place(seat)
    u, d, gap = desk.rng.uniform(-25, 25) + 75.0 * beside, desk.rng.uniform(215, 250), desk.rng.uniform(18, 28)
    lean = float(np.radians(desk.rng.uniform(-8, 8)))
    poses = [place.pose(float(u + gap * (i - (len(cards) - 1) / 2)), float(d), THICKNESS * (i + 1), lean) for i in range(len(cards))]
    items = [desk.sheet.new(card) for card in in_order(cards)]
    lay(desk, seat, items, poses, grip=Grip.PRESS if desk.rng.random() < 0.5 else Grip.PINCH)
    return Shown(seat, items)


def take_bottom(desk: Desk, seat: Seat, count: int) -> None:
    """The declarer takes the rest of the pile into the hand."""
    sheet = desk.sheet
    items = []
    for pose in packet(Place(Seat.S), PILE.x, PILE.y, count, desk.rng, flip=np.pi, untidy=1.2):
        item = sheet.new(BACK)
        sheet.poses[item] = Pose(pose.x, pose.y, pose.z, PILE.turn, np.pi)
        items.append(item)
    before = len(sheet.moves)
    take(desk, seat, items)
    sheet.pile.append((sheet.moves[before].t0, 0))


def bury(desk: Desk, seat: Seat, cards: Sequence[Card]) -> list[int]:
    """The declarer lays the bottom back face down; the cards' numbers, lowest first."""
    place = Place(seat)
    u, d = desk.rng.uniform(-10, 10, 2)
    poses = packet(place, float(u), float(d), len(cards), desk.rng, flip=np.pi, untidy=2.2)
    items = [desk.sheet.new(card) for card in cards]
    loose = [pose.moved(*place.xy(2.5 * i, 0.0)) for i, pose in enumerate(poses)]
    lay(desk, seat, items[:2], loose[:2], grip=Grip.PRESS) if len(items) <= 2 else _lay_packet(desk, seat, items, loose, poses)
    return items


def _lay_packet(desk: Desk, seat: Seat, items: Sequence[int], loose: Sequence[Pose], poses: Sequence[Pose]) -> None:
    """Lay a packet down loosely and push it together."""
    sheet = desk.sheet
    home, there = desk.home(seat), desk.grip(seat, loose)
    t0 = desk.now
    t1 = t0 + desk.span(0.7, 0.9)
    t2 = t1 + desk.span(0.35, 0.5)
    t3 = t2 + desk.span(0.5, 0.7)
    bow = desk.sway()
    for item, first, last in zip(items, loose, poses, strict=True):
        sheet.move(item, (t0, t1), first, seat, start=carried(home, there, first), bow=bow)
        sheet.move(item, (t1, t2), last, seat)
    points = [(t0, home), (t1, there), (t2, desk.grip(seat, poses)), (t3, desk.home(seat))]
    sheet.stroke(seat, points, desk.shoulder(seat, lean=90.0), Grip.PRESS, bow)
    desk.now = t3


def show_bottom(desk: Desk, seat: Seat, items: Sequence[int]) -> list[Pose]:
    """A seat turns the bottom face up and spreads it; where the cards then lie."""
    sheet, place = desk.sheet, Place(seat)
    row = bottom_row(place, len(items), desk.rng)
    heap = [place.pose(-60.0, 0.0, THICKNESS * (i + 1), 0.0, 0.0) for i in range(len(items))]
    home, there = desk.home(seat), desk.grip(seat, [sheet.poses[i] for i in items])
    mid, last = desk.grip(seat, heap), desk.grip(seat, row)
    t0 = desk.now
    t1 = t0 + desk.span(0.6, 0.8)
    t2 = t1 + desk.span(0.55, 0.75)
    t3 = t2 + desk.span(0.8, 1.1)
    t4 = t3 + desk.span(0.5, 0.7)
    turned = list(reversed(items))  # the highest back becomes the lowest face
    for item, first, final in zip(turned, heap, row, strict=True):
        sheet.move(item, (t1, t2), first, seat, arc=45.0)
        sheet.move(item, (t2, t3), final, seat)
    points = [(t0, home), (t1, there), (t2, mid), (t3, last), (t4, desk.home(seat))]
    sheet.stroke(seat, points, desk.shoulder(seat, lean=90.0), Grip.PRESS, desk.sway())
    desk.now = t4
    return row
