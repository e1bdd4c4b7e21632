"""From the events of a deal to the script of a film: who moves what when, and the events with their film times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from datasets.film.actions import Desk, lay, take
from datasets.film.between import next_pack
from datasets.film.clearing import sweep, turn_over
from datasets.film.dealing import PILE, bury, declare, draw, show_bottom, take_bottom
from datasets.film.hands import Grip
from datasets.film.layout import THICKNESS, Habit, Place, in_order, row_of_play
from datasets.film.mishaps import after_play, after_trick
from datasets.film.quirks import look_back, points_out, turn_early
from datasets.film.running import Film, corners_mm
from datasets.film.script import Pile, Script
from datasets.film.style import Mishap, Quirk, Style
from engine.cards import SEATS, Seat
from engine.events import BottomShown, BottomTaken, Buried, CardsPlayed, DealStarted, Declared, Event, TakenBack, TrickClosed


def _play(film: Film, event: CardsPlayed) -> None:
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
    after_play(film, event)
    last_poses = [desk.sheet.poses[i] for i in items]
    film.tell(replace(event, cards=tuple(cards), evidence={"began": round(began, 3), "corners_mm": corners_mm(last_poses)}))


def _take_back(film: Film, event: TakenBack) -> None:
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


def _clear(film: Film, winner: Seat, declarer: Seat) -> None:
    """What the players do with the cards of a trick that is over."""
    desk, habit = film.desk, film.style.habit
    desk.now += desk.span(0.5, 1.1)
    points_out(film, winner, declarer.team.other)
    left = {seat: items for seat, items in film.trick.items() if items and seat not in film.apart}
    if habit is Habit.TURN and left:
        turn_over(desk, left)
        look_back(film, winner, left.get(winner, []))
    elif habit is Habit.SWEEP and left:
        gatherer = winner if Quirk.ONE_SIDE not in film.style.quirks or winner in (Seat.E, Seat.N) else winner.partner
        sweep(desk, gatherer, left)
    if habit is not Habit.STACK:
        film.lying = dict.fromkeys(SEATS, 0)
    film.trick, film.apart = {}, set()


def _deal(film: Film, bids: Sequence[Declared], declarer: Seat | None) -> None:
    """Draw the whole pack, a declarer who is fixed before the deal first; the bids come in between, the later the further on."""
    desk, style = film.desk, film.style
    per = style.per_reach
    left = style.pack
    turns = (style.pack - style.bottom) // per
    first = int(desk.rng.integers(4)) if declarer is None else SEATS.index(declarer)
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


def _declare(film: Film, bid: Declared) -> None:
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


def _pick_up(film: Film) -> None:
    """Declared cards go back into the hands."""
    for shown in film.shown:
        take(film.desk, shown.seat, shown.items)
        film.desk.now += film.desk.span(0.2, 0.5)
    film.shown = []


def _bottom(film: Film, event: BottomTaken) -> None:
    desk = film.desk
    desk.now += desk.span(0.8, 1.4)
    _pick_up(film)
    if film.buried:  # somebody stirs: the buried cards are taken up again
        take(desk, event.seat, film.buried)
    else:
        take_bottom(desk, event.seat, film.style.bottom)
    film.buried = []
    film.tell(event)


def _think(desk: Desk, cards: int) -> float:
    """How long a player thinks before a play: mostly short, now and then long."""
    slow = 2.2 if desk.rng.random() < 0.08 else 1.0
    return desk.span(0.35, 1.3) * slow + 0.06 * cards


def by_deal(events: Iterable[Event]) -> list[list[Event]]:
    """The events of each deal; what comes before the first one is with it."""
    out: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, DealStarted) and any(isinstance(e, DealStarted) for e in out[-1]):
            out.append([])
        out[-1].append(event)
    return out


def _write_deal(film: Film, order: Sequence[Event], tricks: int | None) -> None:
    """Write a deal from the drawing to its end, or to the end of so many tricks."""
    desk = film.desk
    taken = next((i for i, e in enumerate(order) if isinstance(e, BottomTaken | CardsPlayed)), len(order))
    bids = [e for e in order[:taken] if isinstance(e, Declared)]
    opener = next((e.seat for e in order if isinstance(e, CardsPlayed)), Seat.S)
    declarer = next((e.seat for e in reversed(order) if isinstance(e, BottomTaken)), opener)
    halves = {Mishap.DROP: {8, 16}, Mishap.HOME: {4, 8, 12, 16}}.get(film.style.mishap, {9})
    for event, after in pairwise([*order, None]):
        match event:
            case None:
                break
            case DealStarted():
                film.tell(event)
                _deal(film, bids, event.declarer)
            case Declared():
                if not any(event is bid for bid in bids):  # who stirs may show what he has declared with once more
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
                turn_early(film)
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
                    _clear(film, event.winner, declarer)
                    if event.trick in halves:
                        after_trick(film, order, event.trick)
            case BottomShown():
                desk.now += desk.span(0.8, 1.4)
                poses = show_bottom(desk, declarer, film.buried)
                faces = tuple(desk.sheet.faces[i] for i in reversed(film.buried))
                film.tell(replace(event, cards=faces, evidence={"corners_mm": corners_mm(poses)}))
            case _:
                film.tell(event)


def write_script(events: Iterable[Event], style: Style, rng: np.random.Generator, tricks: int | None = None) -> Script:
    """Write the film of a match.

    :param events: the events of one deal or several in order, as :func:`engine.simulate.play_deal` gives them; their times are not used.
    :param tricks: stop after so many tricks of the last deal; all when left out.
    """
    left_handed = frozenset(seat for seat in SEATS if rng.random() < 0.12)
    film = Film(Desk(rng, style.pace, style.tilt, left_handed), style)
    desk = film.desk
    desk.sheet.pile.append((0.0, style.pack))
    deals = by_deal(events)
    for order in deals:
        if order is not deals[0]:
            next_pack(film)
        _write_deal(film, order, tricks if order is deals[-1] else None)
    return Script(
        faces=tuple(desk.sheet.faces),
        moves=tuple(desk.sheet.moves),
        strokes=tuple(desk.sheet.strokes),
        pile=Pile(PILE, tuple(desk.sheet.pile)),
        truth=tuple(film.truth),
        duration=desk.now + 2.5,
        left_handed=left_handed,
        blanks=tuple(film.blanks),
        bump=film.bump,
    )
