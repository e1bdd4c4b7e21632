"""What players do with the cards of a trick that is over, by habit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from datasets.film.actions import Desk, carried, squeezed
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Place, packet
from engine.cards import Seat


def turn_over(desk: Desk, plays: Mapping[Seat, Sequence[int]]) -> None:
    """Each player pushes his cards together and turns them face down onto his own pile."""
    begin, end = desk.now, desk.now
    for seat in desk.rng.permutation(np.array(list(plays), dtype=object)):
        desk.now = begin + desk.span(0.0, 0.7)
        turn_own(desk, seat, plays[seat])
        end = max(end, desk.now)
    desk.now = end


def turn_own(desk: Desk, seat: Seat, items: Sequence[int]) -> None:
    """A player pushes his play together and turns it face down onto his pile."""
    sheet, place = desk.sheet, Place(seat)
    poses = [sheet.poses[i] for i in items]
    close = squeezed(poses, 0.15)
    below = desk.heights[seat]
    away = packet(place, 150.0, 340.0, len(items), desk.rng, height=THICKNESS * below, flip=np.pi, untidy=2.6)
    desk.heights[seat] = below + len(items)
    home, there, near, pile = desk.home(seat), desk.grip(seat, poses), desk.grip(seat, close), desk.grip(seat, away)
    t0 = desk.now
    t1 = t0 + desk.span(0.4, 0.6)
    t2 = t1 + (desk.span(0.2, 0.35) if len(items) > 1 else desk.span(0.05, 0.12))
    t3 = t2 + desk.span(0.45, 0.65)
    t4 = t3 + desk.span(0.35, 0.5)
    for k, item in enumerate(items):
        sheet.move(item, (t1, t2), close[k], seat)
        sheet.move(item, (t2, t3), away[len(items) - 1 - k], seat, arc=28.0)
    sheet.stroke(seat, [(t0, home), (t1, there), (t2, near), (t3, pile), (t4, desk.home(seat))], desk.shoulder(seat), Grip.PRESS, desk.sway())
    desk.now = t4


def sweep(desk: Desk, winner: Seat, plays: Mapping[Seat, Sequence[int]]) -> None:
    """The winner pulls all cards of the trick together, turns them face down and takes them to his side."""
    sheet, place = desk.sheet, Place(winner)
    sides = [winner.previous, winner.next] if desk.rng.random() < 0.5 else [winner.next, winner.previous]
    order = [seat for seat in (winner.partner, *sides, winner) if plays.get(seat)]
    home = desk.home(winner)
    t = desk.now
    points = [(t, home)]
    t += desk.span(0.55, 0.75)
    held: list[int] = []
    first = [sheet.poses[i] for i in plays[order[0]]]
    points.append((t, desk.grip(winner, first, back=10.0)))
    for seat, then in zip(order, [*order[1:], None], strict=True):
        fresh = list(plays[seat])
        held += fresh
        where = Place(then) if then is not None else place
        centre = where.xy(0.0, 200.0) if then is not None else place.xy(10.0, 150.0)
        heap = packet(place, 0.0, 0.0, len(held), desk.rng, untidy=7.0)
        stop = t + desk.span(0.32, 0.48)
        for item, pose in zip(held, heap, strict=True):
            sheet.move(item, (t, stop), pose.moved(centre[0], centre[1]), winner)
        t = stop
        points.append((t, desk.grip(winner, [sheet.poses[i] for i in held])))
    below = desk.heights[winner]
    desk.heights[winner] = below + len(held)
    away = packet(place, 170.0, 520.0, len(held), desk.rng, height=THICKNESS * below, flip=np.pi, untidy=3.0)
    stop = t + desk.span(0.6, 0.8)
    target = desk.grip(winner, away)
    far = desk.home(winner)
    for k, item in enumerate(held):
        end = away[len(held) - 1 - k]
        if not place.side:
            end = carried(far, target, end)
        sheet.move(item, (t, stop), end, winner, arc=35.0, leaves=not place.side)
    points.append((stop, target if place.side else far))
    if place.side:
        stop += desk.span(0.3, 0.45)
        points.append((stop, desk.home(winner)))
    sheet.stroke(winner, points, desk.shoulder(winner, lean=200.0), Grip.PRESS, desk.sway())
    desk.now = stop
