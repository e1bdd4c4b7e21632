"""What some tables do besides their habit: take-backs, turning over early, a look at the last trick, point cards laid out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final

import numpy as np

from datasets.film.actions import Desk, take
from datasets.film.clearing import turn_own
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Place
from datasets.film.running import Film
from datasets.film.sprites import Pose
from datasets.film.style import Quirk
from engine.cards import Card, Seat, Team, points_of
from engine.events import CardsPlayed, Event, TakenBack

TAKE_BACKS: Final = 3


def with_take_backs(events: Sequence[Event], group: Callable[[Card], Hashable], rng: np.random.Generator) -> list[Event]:
    """Put some plays in that are taken back: another card of the same group that the player still holds is laid first.

    Only single cards of the first three players of a trick: a fourth card would end the trick.

    :param group: the group (trump or suit) that a card follows in, so that the card laid first is legal too.
    """
    plays = [e for e in events if isinstance(e, CardsPlayed)]
    wrong: dict[int, Card] = {}
    for at, play in enumerate(plays):
        own = [e for e in plays[at + 1 :] if e.seat is play.seat]
        others = [c for e in own for c in e.cards if group(c) == group(play.cards[0]) and c != play.cards[0]]
        if len(play.cards) == 1 and at % 4 < 3 and others and play.trick > 1:
            wrong[id(play)] = others[int(rng.integers(len(others)))]
    chosen = {int(i) for i in rng.permutation(np.array(list(wrong), dtype=object))[:TAKE_BACKS]}
    out: list[Event] = []
    for event in events:
        if isinstance(event, CardsPlayed) and id(event) in chosen:
            first = (wrong[id(event)],)
            out += [CardsPlayed(seat=event.seat, trick=event.trick, cards=first), TakenBack(seat=event.seat, trick=event.trick, cards=first)]
        out.append(event)
    return out


def turn_early(film: Film) -> None:
    """Before the last player plays, one of the others may turn his play over already."""
    desk = film.desk
    if Quirk.EARLY_TURN not in film.style.quirks or len(film.trick) != 3 or film.apart or desk.rng.random() > 0.3:
        return
    seats = list(film.trick)
    seat = seats[int(desk.rng.integers(len(seats)))]
    if not film.trick[seat]:  # he has just taken his card back
        return
    desk.now += desk.span(0.3, 0.6)
    turn_own(desk, seat, film.trick[seat])
    film.apart.add(seat)
    film.lying[seat] = 0


def look_back(film: Film, seat: Seat, items: Sequence[int]) -> None:
    """A player turns the cards that he has just turned over up again, looks, and turns them back."""
    desk, place = film.desk, Place(seat)
    if Quirk.LOOK_BACK not in film.style.quirks or desk.rng.random() > 0.2 or not items:
        return
    lay = [desk.sheet.poses[i] for i in items]
    up = [Pose(p.x, p.y, p.z + 1.0, place.angle + 0.05, 0.0) for p in (pose.moved(*place.xy(-14.0 * k, -30.0)) for k, pose in enumerate(lay))]
    desk.now += desk.span(0.3, 0.5)
    take(desk, seat, list(items), to=up, leaves=False)
    desk.now += desk.span(1.2, 2.0)
    home, there = desk.home(seat), desk.grip(seat, up)
    t0, t1 = desk.now, desk.now + desk.span(0.45, 0.6)
    t2 = t1 + desk.span(0.5, 0.7)
    for item, pose in zip(items, lay, strict=True):
        desk.sheet.move(item, (t1, t2), pose, seat, arc=24.0)
    desk.now = t2 + desk.span(0.4, 0.6)
    points = [(t0, home), (t1, there), (t2, desk.grip(seat, lay)), (desk.now, desk.home(seat))]
    desk.sheet.stroke(seat, points, desk.shoulder(seat), Grip.PRESS, desk.sway())


def points_out(film: Film, winner: Seat, attackers: Team) -> None:
    """The attackers' winner lays the trick's point cards face up beside the bottom."""
    if Quirk.POINTS_OUT not in film.style.quirks or winner.team is not attackers:
        return
    desk = film.desk
    for seat, items in film.trick.items():
        if seat in film.apart:
            continue
        worth = [i for i in items if points_of([desk.sheet.faces[i]])]
        if worth:
            poses = [_heap(desk, len(film.points) + k) for k in range(len(worth))]
            take(desk, winner, worth, to=poses, leaves=False)
            film.points += worth
            film.trick[seat] = [i for i in items if i not in worth]


def _heap(desk: Desk, number: int) -> Pose:
    """Where the next point card lies: one over the other, left of the bottom, so that each index shows."""
    row, at = divmod(number, 6)
    turn = float(np.radians(desk.rng.uniform(-4, 4)))
    return Place(Seat.S).pose(-96.0 + 3.0 * row, -42.0 + 17.0 * at, THICKNESS * (number + 1), turn)
