"""Between two deals: everything that lies there is swept together and taken away, the pack is shuffled, and laid face down in the middle again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.film.actions import Desk, Point, carried
from datasets.film.dealing import PILE
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Place
from datasets.film.running import Film
from datasets.film.script import Sheet
from datasets.film.sprites import BACK, Pose
from engine.cards import SEATS, Seat

Group = list[int]
"""Cards that lie together, by number on the sheet, lowest first."""

_CENTRE: Final = 130.0  # half the side of the middle of the table (mm)
_TOUCHING: Final = 60.0  # cards nearer to each other than this lie together
_REACH: Final = 260.0  # how far beyond the middle one arm sweeps
_LOAD: Final = 120  # most cards that an arm takes away at once
_STEP: Final = 6  # one card is drawn for so many of a pack
_EDGE: Final = (-42.0, 42.0, 520.0)  # where two halves of the pack are shuffled, in the frame of a seat at the side: two u, one d


def next_pack(film: Film) -> None:
    """Clear the table of a deal that is over and lay the whole pack down for the next one."""
    desk = film.desk
    desk.now += desk.span(2.5, 4.5)  # everybody looks at the bottom and counts
    taker = SEATS[int(desk.rng.integers(4))]
    _clear_table(desk, taker)
    film.trick, film.lying, film.apart = {}, dict.fromkeys(SEATS, 0), set()
    film.shown, film.buried, film.points = [], [], []
    desk.heights = dict.fromkeys(SEATS, 0)
    at_edge = Place(taker).side and desk.rng.random() < 0.6
    desk.now += desk.span(1.0, 2.0) if at_edge else desk.span(5.0, 9.0)
    pack = _shuffled_at_edge(desk, taker, film.style.pack) if at_edge else [desk.sheet.new(BACK) for _ in _levels(film.style.pack)]
    _lay_pack(desk, taker, pack, film.style.pack)
    desk.now += desk.span(0.3, 0.9)


# --- away with what lies there ----------------------------------------------------------------------------------------------------------------


def _clear_table(desk: Desk, taker: Seat) -> None:
    """Take everything out of the picture: one arm all of it, two arms a half each, or one arm what all have pushed to the middle."""
    groups = _groups(desk.sheet)
    chance = desk.rng.random()
    if chance < 0.35:
        begin, end = desk.now, desk.now
        near = [_along(desk.sheet, group, taker) >= 0 for group in groups]
        for seat in (taker, taker.partner):
            desk.now = begin + desk.span(0.0, 0.8)
            _take_away(desk, seat, [group for group, own in zip(groups, near, strict=True) if own is (seat is taker)])
            end = max(end, desk.now)
        desk.now = end
        return
    if chance < 0.75 or min((_along(desk.sheet, g, taker) for g in groups), default=0.0) < -_REACH:
        groups = _pushed(desk, groups)
        desk.now += desk.span(0.2, 0.6)
    _take_away(desk, taker, groups)


def _pushed(desk: Desk, groups: Sequence[Group]) -> list[Group]:
    """Every player pushes what lies before him towards the middle; what lies together afterwards."""
    zones = [_zone(desk.sheet, group) for group in groups]
    out = [group for group, zone in zip(groups, zones, strict=True) if zone is None]
    begin, end = desk.now, desk.now
    for seat in desk.rng.permutation(np.array(SEATS, dtype=object)):
        own = [group for group, zone in zip(groups, zones, strict=True) if zone is seat]
        if own:
            desk.now = begin + desk.span(0.0, 1.4)
            place = Place(seat)
            u, d = desk.rng.uniform(-25, 25), desk.rng.uniform(150, 190)
            out.append(_gather(desk, seat, _far_first(desk.sheet, own, seat), place.xy(float(u), float(d))))
            end = max(end, desk.now)
    desk.now = end
    return out


def _take_away(desk: Desk, seat: Seat, groups: Sequence[Group]) -> None:
    """An arm takes groups out of the picture, more than it can hold in several reaches."""
    load: list[Group] = []
    for group in (part for g in _far_first(desk.sheet, groups, seat) for part in _loads(g)):
        if load and sum(map(len, load)) + len(group) > _LOAD:
            _gather(desk, seat, load, None)
            load = []
        load.append(group)
    if load:
        _gather(desk, seat, load, None)


def _loads(group: Group) -> list[Group]:
    """A group in parts that an arm can hold, the upper ones first."""
    return [group[max(0, end - _LOAD) : end] for end in range(len(group), 0, -_LOAD)]


def _gather(desk: Desk, seat: Seat, groups: Sequence[Group], to: tuple[float, float] | None) -> Group:
    """An arm sweeps groups together, one after another, and brings the heap to a place, or out of the picture; the heap."""
    sheet, place = desk.sheet, Place(seat)
    t = desk.now
    points: list[tuple[float, Point]] = [(t, desk.home(seat))]
    t += desk.span(0.5, 0.75)
    points.append((t, desk.grip(seat, [sheet.poses[i] for i in groups[0]], back=10.0)))
    held: Group = []
    for group, then in zip(groups, [*groups[1:], None], strict=True):
        held += group
        x, y = _centre(sheet, then if then is not None else group)
        if then is None and to is not None:
            x, y = to
        stop = t + desk.span(0.35, 0.6)
        for item, pose in zip(held, _heap(desk, held, x, y), strict=True):
            sheet.move(item, (t, stop), pose, seat)
        t = stop
        points.append((t, desk.grip(seat, [sheet.poses[i] for i in held])))
    far = desk.home(seat)
    if to is None:
        out = place.xy(0.0, 130.0)
        far = (far[0] + out[0], far[1] + out[1], far[2])
        stop = t + desk.span(0.7, 1.0)
        for item in held:
            sheet.move(item, (t, stop), carried(far, points[-1][1], sheet.poses[item]), seat, leaves=True)
    else:
        stop = t + desk.span(0.4, 0.55)
    points.append((stop, far))
    sheet.stroke(seat, points, desk.shoulder(seat, lean=200.0), Grip.PRESS, desk.sway())
    desk.now = stop
    return held


def _heap(desk: Desk, items: Sequence[int], x: float, y: float) -> list[Pose]:
    """Poses of cards swept together at a place: each keeps its side up."""
    spread = 8.0 + min(16.0, 0.2 * len(items))
    out = []
    for k, item in enumerate(items):
        du, dv = desk.rng.normal(0, spread, 2)
        old = desk.sheet.poses[item]
        out.append(Pose(x + float(du), y + float(dv), THICKNESS * (k + 1), old.turn + float(desk.rng.normal(0, 0.12)), old.flip))
    return out


# --- the pack comes back ----------------------------------------------------------------------------------------------------------------------


def _levels(count: int) -> list[int]:
    """At which heights (cards) a pack's cards are drawn: every so many, and the top one."""
    return [*range(0, count - 1, _STEP), count - 1]


def _squared(pose: Pose, levels: Sequence[int]) -> list[Pose]:
    return [Pose(pose.x, pose.y, THICKNESS * level, pose.turn, np.pi) for level in levels]


def _shuffled_at_edge(desk: Desk, seat: Seat, count: int) -> list[int]:
    """A player at the side lays two halves of the pack on the table's edge and shuffles them together, twice or three times; the pack's cards."""
    sheet, place = desk.sheet, Place(seat)
    pack = [sheet.new(BACK) for _ in _levels(count)]
    half = len(pack) // 2
    left, right, d = _EDGE
    spots = [place.pose(u, d, 0.0, float(desk.rng.normal(0, 0.05))) for u in (left, right)]
    halves = [_squared(spots[0], [k * _STEP for k in range(half)]), _squared(spots[1], [k * _STEP for k in range(len(pack) - half)])]
    lain = [*halves[0], *halves[1]]
    home, there = desk.home(seat), desk.grip(seat, lain)
    t = desk.now
    points: list[tuple[float, Point]] = [(t, home)]
    stop = t + desk.span(0.6, 0.8)
    for item, pose in zip(pack, lain, strict=True):
        sheet.move(item, (t, stop), pose, seat, start=carried(home, there, pose))
    points.append((stop, there))
    t = stop + desk.span(0.3, 0.6)
    points.append((t, there))
    whole = _squared(spots[0], _levels(count))
    for last in (False,) * (1 + int(desk.rng.integers(2))) + (True,):
        stop = t + desk.span(0.7, 1.0)
        for item, pose in zip(pack, whole, strict=True):
            sheet.move(item, (t, stop), pose, seat)
        points.append((stop, desk.grip(seat, whole)))
        t = stop + desk.span(0.4, 0.8)
        points.append((t, points[-1][1]))
        if not last:
            pack = [pack[i] for i in desk.rng.permutation(len(pack))]
            stop = t + desk.span(0.4, 0.6)
            for item, pose in zip(pack, lain, strict=True):
                sheet.move(item, (t, stop), pose, seat)
            points.append((stop, there))
            t = stop + desk.span(0.2, 0.4)
            points.append((t, there))
    stop = t + desk.span(0.4, 0.6)
    points.append((stop, desk.home(seat)))
    sheet.stroke(seat, points, desk.shoulder(seat), Grip.PRESS, desk.sway())
    desk.now = stop + desk.span(0.5, 1.2)
    return sorted(pack, key=lambda item: sheet.poses[item].z)


def _lay_pack(desk: Desk, seat: Seat, pack: Sequence[int], count: int) -> None:
    """An arm lays the pack in the middle, from where it lies at the edge or from outside the picture."""
    sheet = desk.sheet
    goal = _squared(PILE, _levels(count))
    home, target = desk.home(seat), desk.grip(seat, goal)
    t0 = desk.now
    points: list[tuple[float, Point]] = [(t0, home)]
    if pack[0] in sheet.poses:
        there = desk.grip(seat, [sheet.poses[i] for i in pack])
        t0 += desk.span(0.4, 0.6)
        points.append((t0, there))
        starts = [sheet.poses[i] for i in pack]
    else:
        starts = [carried(home, target, pose) for pose in goal]
    t1 = t0 + desk.span(0.8, 1.1)
    for item, start, pose in zip(pack, starts, goal, strict=True):
        sheet.move(item, (t0, t1), pose, seat, start=start, arc=25.0, leaves=True)
    sheet.pile.append((t1, count))
    t2 = t1 + desk.span(0.2, 0.5)
    points += [(t1, target), (t2, target), (t2 + desk.span(0.45, 0.65), desk.home(seat))]
    sheet.stroke(seat, points, desk.shoulder(seat, lean=90.0), Grip.PRESS, desk.sway())
    desk.now = points[-1][0]


# --- what lies where --------------------------------------------------------------------------------------------------------------------------


def _groups(sheet: Sheet) -> list[Group]:
    """What lies in the picture, cards that lie together in one group."""
    last = {move.item: move for move in sheet.moves}
    todo = sorted((item for item, move in last.items() if not move.leaves), key=lambda item: sheet.poses[item].z)
    out: list[Group] = []
    while todo:
        group = [todo.pop(0)]
        for item in group:
            here = sheet.poses[item]
            near = [o for o in todo if np.hypot(sheet.poses[o].x - here.x, sheet.poses[o].y - here.y) < _TOUCHING]
            todo = [o for o in todo if o not in near]
            group += near
        out.append(sorted(group, key=lambda item: sheet.poses[item].z))
    return out


def _centre(sheet: Sheet, group: Sequence[int]) -> tuple[float, float]:
    return float(np.mean([sheet.poses[i].x for i in group])), float(np.mean([sheet.poses[i].y for i in group]))


def _along(sheet: Sheet, group: Sequence[int], seat: Seat) -> float:
    """How far from the middle towards a seat a group lies (mm)."""
    x, y = _centre(sheet, group)
    ux, uy = Place(seat).xy(0.0, 1.0)
    return x * ux + y * uy


def _zone(sheet: Sheet, group: Sequence[int]) -> Seat | None:
    """Before which seat a group lies; None in the middle."""
    if max(map(abs, _centre(sheet, group))) < _CENTRE:
        return None
    return max(SEATS, key=lambda seat: _along(sheet, group, seat))


def _far_first(sheet: Sheet, groups: Sequence[Group], seat: Seat) -> list[Group]:
    """Groups in the order in which a seat's arm comes to them on its way back."""
    return sorted(groups, key=lambda group: _along(sheet, group, seat))
