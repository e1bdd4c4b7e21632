"""What goes wrong in a film: the camera knocked or gone, hands resting on cards, a card dropped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.film.actions import rest, take
from datasets.film.layout import THICKNESS, Place
from datasets.film.running import Film
from datasets.film.script import Blank, Gone
from datasets.film.style import GAP, Mishap
from engine.cards import Card
from engine.events import CameraBack, CameraLost, CameraMoved, CardsPlayed, Event, TakenBack


def after_trick(film: Film, events: Sequence[Event], trick: int) -> None:
    """Let the film's mishap happen between two tricks."""
    desk, mishap = film.desk, film.style.mishap
    if mishap is Mishap.BUMP and film.bump is None:
        desk.now += 0.4
        film.bump = desk.now
        film.tell(CameraMoved(moved_mm=0.0))  # how far is known when the camera is hung: make.py
        desk.now += 0.8
    elif mishap.gone is not None and not film.blanks:
        _go(film, mishap.gone)
    elif mishap in (Mishap.DROP, Mishap.HOME):
        _drop(film, events, trick)


def after_play(film: Film, event: CardsPlayed) -> None:
    """Let a hand rest on the cards that were just laid, in every sixth trick."""
    desk = film.desk
    if film.style.mishap in (Mishap.REST, Mishap.HOME) and event.trick % 6 == 3 and len(film.trick) in (1, 3):
        desk.now -= desk.span(0.1, 0.2)
        rest(desk, event.seat, [desk.sheet.poses[i] for i in film.trick[event.seat]], 5.0)


def _go(film: Film, how: Gone) -> None:
    """The camera is away for a while."""
    desk = film.desk
    desk.now += 0.3
    film.blanks.append(Blank(desk.now, desk.now + GAP, how))
    film.tell(CameraLost(reason=f"no picture ({how})"))
    desk.now += GAP
    film.tell(CameraBack(gap=GAP))
    desk.now += 1.0


def _drop(film: Film, events: Sequence[Event], trick: int) -> None:
    """A card slips out of a hand, lies face up at the border of the zone and is picked up."""
    desk = film.desk
    just = {(e.seat, card) for e in events if isinstance(e, CardsPlayed) and e.trick == trick for card in e.cards}
    later = [e for e in events if isinstance(e, CardsPlayed) and e.trick > trick + 1 and (e.seat, e.cards[0]) not in just]
    if not later:
        return
    pick = later[int(desk.rng.integers(len(later)))]
    place = Place(pick.seat)
    card: Card = pick.cards[0]
    item = desk.sheet.new(card)
    u, d = desk.rng.uniform(-120, 120), desk.rng.uniform(270, 320)
    end = place.pose(float(u), float(d), THICKNESS * (film.lying[pick.seat] + 1), float(np.radians(desk.rng.uniform(-50, 50))))
    start = place.pose(float(u) * 0.6, 520.0, 90.0, 0.4, 0.9)
    desk.sheet.move(item, (desk.now, desk.now + 0.45), end, None, start=start)
    desk.now += 0.45 + desk.span(1.8, 2.6)
    take(desk, pick.seat, [item])
    film.tell(TakenBack(seat=pick.seat, trick=trick, cards=(card,), evidence={"dropped": True}))
