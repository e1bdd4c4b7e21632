"""The truth of a recorded deal: its log with the referee's corrections taken in, in the form of a film's ``truth.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine import referee
from engine.cards import Seat
from engine.events import (
    BottomCorrected,
    BottomShown,
    BottomTaken,
    Buried,
    CardsPlayed,
    Corrected,
    DealStarted,
    Declared,
    Event,
    MatchStarted,
    Ruled,
    RulingDecided,
    ScoreSet,
    Source,
    TakenBack,
    TrumpFixed,
    Undone,
    from_json,
)
from engine.rulebook import Rulebook
from kiosk.errors import NotFoundError, StoreError
from kiosk.store import Store

NOTE = "kiosk."
_PLAIN = (Declared, TrumpFixed, BottomTaken, Buried, TakenBack, ScoreSet)


@dataclass(frozen=True)
class Recorded:
    """One deal of a log: how it began, what was told at the table at the time, and what was true."""

    match: MatchStarted
    start: DealStarted
    told: tuple[Event, ...]
    truth: tuple[Event, ...]
    end: float
    corrected: frozenset[tuple[int, Seat]] = field(default_factory=frozenset)
    """Plays (trick, seat) that the referee put right or entered."""


def read_log(path: Path) -> tuple[tuple[int, Event], ...]:
    """The events of a log with their places in it.

    :raises StoreError: when the log cannot be read.
    """
    with Store.open(path, readonly=True) as store:
        rows = store.read()
    try:
        return tuple((row.seq, from_json(row.body)) for row in rows if not str(row.body.get("event", "")).startswith(NOTE))
    except ValueError as error:
        raise StoreError(f"{path} 里有无法识别的记录：{error}", f"{path} holds an entry that is not understood: {error}") from error


def deals_of(events: Sequence[Event]) -> tuple[int, ...]:
    """The numbers of the deals of a log, in order."""
    return tuple(dict.fromkeys(event.deal for event in events if isinstance(event, DealStarted)))


def _dead(events: Sequence[Event]) -> set[int]:
    """Places (from 1) that no longer count; an undo that was undone undoes nothing."""
    dead: set[int] = set()
    for place in range(len(events), 0, -1):
        event = events[place - 1]
        if isinstance(event, Undone) and place not in dead and event.target < place:
            dead.add(event.target)
    return dead


def recorded(events: Sequence[Event], deal: int, rules: Rulebook) -> Recorded:
    """Work out a deal of a log.

    :raises NotFoundError: when the log holds no such deal.
    """
    match = next((event for event in events if isinstance(event, MatchStarted)), None)
    dead = _dead(events)
    number, start, live, told, end = 0, None, [], [], 0.0
    overruled: dict[str, bool] = {}
    for place, event in enumerate(events, 1):
        counts = place not in dead and not isinstance(event, Undone)
        if isinstance(event, DealStarted) and counts:
            number = event.deal
            start = event if number == deal else start
        about = getattr(event, "deal", None)
        mine = about == deal if isinstance(event, (Corrected, BottomCorrected)) and about is not None else number == deal
        if isinstance(event, RulingDecided) and counts:
            overruled[event.ruling] = event.decision == "overruled"
        if not mine:
            continue
        if number == deal:
            told.append(event)
            end = max(end, event.t)
        if counts:
            live.append(event)
    if match is None or start is None:
        raise NotFoundError(f"记录里没有第 {deal} 局", f"the log holds no deal {deal}")
    facts, corrected = _corrected(live)
    return Recorded(match, start, tuple(told), _with_consequences(match, start, facts, rules, overruled), end, corrected)


def _corrected(live: Sequence[Event]) -> tuple[list[Event], frozenset[tuple[int, Seat]]]:
    """The facts of a deal with the corrections taken in, each play once at its own time."""
    facts: list[Event] = []
    at: dict[tuple[int, Seat], int] = {}
    put_right: set[tuple[int, Seat]] = set()
    gone: set[int] = set()

    def play(event: CardsPlayed | Corrected) -> None:
        key = (event.trick, event.seat)
        if key in at and at[key] not in gone:
            old = facts[at[key]]
            assert isinstance(old, CardsPlayed)
            facts[at[key]] = replace(old, cards=event.cards)
        else:
            at[key] = len(facts)
            facts.append(CardsPlayed(t=event.t, seat=event.seat, trick=event.trick, cards=event.cards))

    for event in live:
        match event:
            case Corrected(cards=()):
                place = at.get((event.trick, event.seat))
                if place is not None:
                    gone.add(place)
            case CardsPlayed() | Corrected():
                play(event)
                if event.source is Source.REFEREE:
                    put_right.add((event.trick, event.seat))
            case BottomShown() | BottomCorrected():
                shown = next((i for i, fact in enumerate(facts) if isinstance(fact, BottomShown)), None)
                if shown is None:
                    facts.append(BottomShown(t=event.t, cards=event.cards))
                else:
                    facts[shown] = BottomShown(t=facts[shown].t, cards=event.cards)
            case _ if isinstance(event, _PLAIN):
                facts.append(event)
            case _:
                pass
    return [fact for i, fact in enumerate(facts) if i not in gone], frozenset(put_right)


def _with_consequences(
    match: MatchStarted, start: DealStarted, facts: Sequence[Event], rules: Rulebook, overruled: Mapping[str, bool]
) -> tuple[Event, ...]:
    """The facts, and what follows from them, as truth; rulings that the referee overruled are none."""
    state = referee.start(rules)
    out: list[Event] = []
    for fact in (match, replace(start, source=Source.TRUTH), *sorted(facts, key=lambda fact: fact.t)):
        state, follows = referee.step(state, fact)
        out += [fact, *follows]
    kept = [event for event in out if not (isinstance(event, Ruled) and overruled.get(event.ruling, False))]
    last = {_name(event): i for i, event in enumerate(kept)}
    return tuple(replace(event, source=Source.TRUTH, evidence={}) for i, event in enumerate(kept) if last[_name(event)] == i)


def _name(event: Event) -> object:
    """What an event is about: of two that follow about the same thing the later one holds."""
    if referee.is_derived(event):
        return type(event).__name__, getattr(event, "trick", 0), getattr(event, "ruling", "")
    return id(event)
