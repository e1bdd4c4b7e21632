"""From the events of a deal to the script of a film: who moves what when, and the events with their film times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from itertools import pairwise
from math import ceil

import numpy as np

from datasets.film.actions import Desk, lay, rest, take
from datasets.film.clearing import sweep, turn_over
from datasets.film.dealing import PILE, Shown, bury, declare, draw, show_bottom, take_bottom
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Habit, Place, in_order, row_of_play
from datasets.film.script import Pile, Script
from datasets.film.sprites import Pose
from engine.cards import SEATS, Card, Seat
from engine.events import (
    BottomShown,
    BottomTaken,
    Buried,
    CameraBack,
    CameraLost,
    CardsPlayed,
    DealStarted,
    Declared,
    Event,
    Source,
    TakenBack,
    TrickClosed,
)


@unique
class Mishap(StrEnum):
    """What goes wrong in the middle of a film."""

    NONE = "none"
    BUMP = "bump"  # somebody knocks against the camera's stand
    COVER = "cover"  # hands rest on the cards after plays
    UNPLUG = "unplug"  # the camera gives no picture for twenty seconds
    DROP = "drop"  # a card drops face up and is picked up again


GAP: float = 20.0
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
    pace: float = 1.0
    per_reach: int = 1
    pack: int = 108
    bottom: int = 8
    tilt: float = 0.0
    fps: int = 15


@dataclass(slots=True)
class _Film:
    desk: Desk
    style: Style
    truth: list[Event] = field(default_factory=list)
    trick: dict[Seat, list[int]] = field(default_factory=dict)
    lying: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    shown: list[Shown] = field(default_factory=list)
    buried: list[int] = field(default_factory=list)
    dark: list[tuple[float, float]] = field(default_factory=list)
    bump: float | None = None

    def tell(self, event: Event) -> None:
        """Write an event to the truth with the present film time, rounded up to a frame."""
        at = ceil(round(self.desk.now * self.style.fps, 6)) / self.style.fps
        self.truth.append(replace(event, t=at, source=Source.TRUTH))


def _corners(poses: Sequence[Pose]) -> list[list[list[float]]]:
    return [pose.corners()[:, :2].round(1).tolist() for pose in poses]


def _play(film: _Film, event: CardsPlayed) -> None:
    desk, seat = film.desk, event.seat
    place, cards = Place(seat), in_order(event.cards)
    height = THICKNESS * film.lying[seat]
    poses = row_of_play(cards, place, height, film.style.habit, desk.rng)
    items = [desk.sheet.new(card) for card in cards]
    began, n = desk.now, len(cards)
    chance = desk.rng.random()
    singly = 1 < n <= 4 and chance < 0.3
    by_pairs = not singly and n % 2 == 0 and 4 <= n <= 8 and chance < 0.5
    size = 1 if singly else 2 if by_pairs else n
    for k in range(0, n, size):
        part = slice(k, k + size)
        last = k + size >= n
        x, y = place.xy(40.0 * desk.hand(seat), 415.0)
        lay(desk, seat, items[part], poses[part], grip=Grip.PRESS if desk.rng.random() < 0.55 else Grip.PINCH, back_to=None if last else (x, y, 50.0))
        if not last:
            desk.now += desk.span(0.05, 0.15)
    film.trick[seat] = items
    film.lying[seat] += n
    if film.style.mishap is Mishap.COVER and event.trick % 6 == 3 and len(film.trick) in (1, 3):
        desk.now -= desk.span(0.1, 0.2)
        rest(desk, seat, [desk.sheet.poses[i] for i in items], 5.0)
    last_poses = [desk.sheet.poses[i] for i in items]
    film.tell(replace(event, cards=tuple(cards), evidence={"began": round(began, 3), "corners_mm": _corners(last_poses)}))


def _take_back(film: _Film, event: TakenBack) -> None:
    """A player takes cards back into the hand (a throw that does not stand)."""
    desk, items = film.desk, film.trick.get(event.seat, [])
    wanted = list(event.cards)
    gone: list[int] = []
    for item in items:
        face = desk.sheet.faces[item]
        if face in wanted:
            wanted.remove(face)
            gone.append(item)
    if gone:
        take(desk, event.seat, gone)
    film.trick[event.seat] = [item for item in items if item not in gone]
    film.lying[event.seat] -= len(gone)
    film.tell(event)


def _clear(film: _Film, winner: Seat) -> None:
    desk = film.desk
    desk.now += desk.span(0.5, 1.1)
    if film.style.habit is Habit.TURN:
        turn_over(desk, film.trick)
    elif film.style.habit is Habit.SWEEP:
        sweep(desk, winner, film.trick)
    if film.style.habit is not Habit.STACK:
        film.lying = dict.fromkeys(SEATS, 0)
    film.trick = {}


def _deal(film: _Film, bids: Sequence[Declared]) -> None:
    """Draw the whole pack; the bids come in between, the later the further on."""
    desk, style = film.desk, film.style
    per = style.per_reach
    left = style.pack
    turns = (style.pack - style.bottom) // per
    first = int(desk.rng.integers(4))
    desk.sheet.pile.append((0.0, left))
    marks = sorted(int(turns * share) for share in desk.rng.uniform(0.3, 0.95, len(bids)))
    done = 0
    for mark, bid in zip(marks, bids, strict=True):
        if mark > done:
            left = draw(desk, mark - done, left, per, (first + done) % 4)
        done = mark
        desk.now += desk.span(0.2, 0.5)
        _declare(film, bid)
    left = draw(desk, turns - done, left, per, (first + done) % 4)
    desk.sheet.pile.append((desk.now, style.bottom))


def _declare(film: _Film, bid: Declared) -> None:
    """Lay a declaration; cards of the same suit on the same side stay, an overturned declaration goes back into its hand."""
    desk, sheet = film.desk, film.desk.sheet
    stays = [old for old in film.shown if old.seat.team is bid.seat.team and sheet.faces[old.items[0]] == bid.cards[0]]
    own = [item for old in stays if old.seat is bid.seat for item in old.items]
    fresh = bid.cards[len(own) :] if len(bid.cards) > len(own) else bid.cards
    gone = [old for old in film.shown if old not in stays]
    film.shown = [*stays, declare(desk, bid.seat, fresh, beside=len(own))]
    film.tell(bid)
    desk.now += desk.span(0.3, 0.7)
    for old in gone:
        take(desk, old.seat, old.items)


def _pick_up(film: _Film) -> None:
    """Declared cards go back into the hands."""
    for shown in film.shown:
        take(film.desk, shown.seat, shown.items)
        film.desk.now += film.desk.span(0.2, 0.5)
    film.shown = []


def _bottom(film: _Film, event: BottomTaken) -> None:
    desk = film.desk
    desk.now += desk.span(0.8, 1.4)
    _pick_up(film)
    if film.buried:  # somebody stirs: the buried cards are taken up again
        take(desk, event.seat, film.buried)
    else:
        take_bottom(desk, event.seat, film.style.bottom)
    film.buried = []
    film.tell(event)


def _drop(film: _Film, events: Sequence[Event], trick: int) -> None:
    """A card slips out of a hand, lies face up at the border of the zone and is picked up."""
    desk = film.desk
    later = [e for e in events if isinstance(e, CardsPlayed) and e.trick > trick + 1]
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


def _mishap(film: _Film, events: Sequence[Event], trick: int) -> None:
    """Let the film's mishap happen after a trick."""
    desk = film.desk
    if film.style.mishap is Mishap.BUMP and film.bump is None:
        desk.now += 0.4
        film.bump = desk.now
        desk.now += 0.8
    elif film.style.mishap is Mishap.UNPLUG and not film.dark:
        desk.now += 0.3
        film.dark.append((desk.now, desk.now + GAP))
        film.tell(CameraLost(reason="no picture"))
        desk.now += GAP
        film.tell(CameraBack(gap=GAP))
        desk.now += 1.0
    elif film.style.mishap is Mishap.DROP:
        _drop(film, events, trick)


def _think(desk: Desk, cards: int) -> float:
    """How long a player thinks before a play: mostly short, now and then long."""
    slow = 2.2 if desk.rng.random() < 0.08 else 1.0
    return desk.span(0.35, 1.3) * slow + 0.06 * cards


def write_script(events: Iterable[Event], style: Style, rng: np.random.Generator, tricks: int | None = None) -> Script:
    """Write the film of a deal.

    :param events: a deal's events in order, as :func:`engine.simulate.play_deal` gives them; their times are not used.
    :param tricks: stop after so many tricks; all when left out.
    """
    order = list(events)
    left_handed = frozenset(seat for seat in SEATS if rng.random() < 0.12)
    film = _Film(Desk(rng, style.pace, style.tilt, left_handed), style)
    desk = film.desk
    taken = next((i for i, e in enumerate(order) if isinstance(e, BottomTaken | CardsPlayed)), len(order))
    bids = [e for e in order[:taken] if isinstance(e, Declared)]
    declarer = next((e.seat for e in reversed(order) if isinstance(e, BottomTaken)), Seat.S)
    halves = {8, 16} if style.mishap is Mishap.DROP else {9}
    for event, after in pairwise([*order, None]):
        match event:
            case None:
                break
            case DealStarted():
                film.tell(event)
                _deal(film, bids)
            case Declared():
                if event not in bids:
                    desk.now += desk.span(0.8, 1.6)
                    _declare(film, event)
            case BottomTaken():
                _bottom(film, event)
            case Buried():
                desk.now += desk.span(2.0, 3.2)
                film.buried = bury(desk, event.seat, event.cards)
                film.tell(event)
                desk.now += desk.span(0.5, 0.9)
            case CardsPlayed():
                _pick_up(film)
                desk.now += _think(desk, len(event.cards))
                _play(film, event)
            case TakenBack():
                desk.now += desk.span(0.4, 0.8)
                _take_back(film, event)
            case TrickClosed():
                film.tell(event)
                if tricks is not None and event.trick >= tricks:
                    break
                if not isinstance(after, BottomShown):
                    _clear(film, event.winner)
                    if event.trick in halves:
                        _mishap(film, order, event.trick)
            case BottomShown():
                desk.now += desk.span(0.8, 1.4)
                poses = show_bottom(desk, declarer, film.buried)
                faces = tuple(desk.sheet.faces[i] for i in reversed(film.buried))
                film.tell(replace(event, cards=faces, evidence={"corners_mm": _corners(poses)}))
            case _:
                film.tell(event)
    return Script(
        faces=tuple(desk.sheet.faces),
        moves=tuple(desk.sheet.moves),
        strokes=tuple(desk.sheet.strokes),
        pile=Pile(PILE, tuple(desk.sheet.pile)),
        truth=tuple(film.truth),
        duration=desk.now + 2.5,
        left_handed=left_handed,
        dark=tuple(film.dark),
        bump=film.bump,
    )
