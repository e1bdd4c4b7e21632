"""Tables for tests: a deal, its facts, and a running table over a log in a temporary folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher

from engine.events import CardsPlayed, DealEnded, DealStarted, Event, MatchStarted, Ruled, Source, TrickClosed, from_json
from engine.rulebook_toml import load
from kiosk.access import Access, Mode
from kiosk.service import RunningTable
from kiosk.store import Store
from kiosk.web import Kiosk

RULEBOOK = "official-2deck-shengji"
DEAL = Path(__file__).with_name("deal.jsonl")
CHEAP = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
"""Tests of rights are not tests of argon2."""
_NO_FACT = (TrickClosed, Ruled, DealEnded, MatchStarted, DealStarted)


@cache
def rulebook(name: str) -> Any:
    """A rulebook, loaded once."""
    return load(name)


@cache
def truth() -> tuple[Event, ...]:
    """A whole deal of 13 tricks with one planted revoke (a simulated deal, kept so that these tests stand still)."""
    return tuple(from_json(json.loads(line)) for line in DEAL.read_text("utf-8").splitlines())


def planted() -> Ruled:
    """The one offence of the deal."""
    return next(event for event in truth() if isinstance(event, Ruled))


@cache
def facts() -> tuple[Event, ...]:
    """What a camera would report of the deal, with readings as evidence."""
    out: list[Event] = []
    for event in truth():
        if isinstance(event, _NO_FACT):
            continue
        changed = replace(event, source=Source.CAMERA)
        if isinstance(changed, CardsPlayed):
            changed = replace(changed, evidence={"n_best": [[[card, 0.97], ["S2", 0.02]] for card in changed.cards]})
        out.append(changed)
    return tuple(out)


@cache
def until_trick(number: int) -> tuple[Event, ...]:
    """The facts up to the end of a trick."""
    return tuple(f for f in facts() if not (isinstance(f, CardsPlayed) and f.trick > number) and type(f).__name__ != "BottomShown")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Fixture:
    """A running table with its log and its kiosk."""

    store: Store
    table: RunningTable
    kiosk: Kiosk
    clock: Clock

    def feed(self, events: Sequence[Event]) -> Fixture:
        for event in events:
            self.table.record(event)
        return self


Maker = Callable[..., Fixture]


_LOGS: dict[int, tuple[Sequence[Event], bytes]] = {}
"""Logs that were written once, by the facts in them; a copy is quicker than writing again."""


def _write_once(path: Path, events: Sequence[Event]) -> None:
    if id(events) not in _LOGS:
        with Store.open(path) as store:
            table = RunningTable(store, rulebooks=rulebook, clock=Clock())
            table.begin(RULEBOOK, {"E": "东", "N": "北", "W": "西", "S": "南"}, {"EW": "2", "NS": "2"})
            for event in events:
                table.record(event)
        _LOGS[id(events)] = (events, path.read_bytes())
    path.write_bytes(_LOGS[id(events)][1])


def maker(folder: Path) -> Iterator[Maker]:
    """Make tables in a folder; their logs are closed afterwards."""
    made: list[Store] = []

    def make(events: Sequence[Event] = (), *, mode: Mode = Mode.HOME, pin: str | None = None, name: str = "table.db", speaker: Any = None) -> Fixture:
        path = folder / name
        if not path.exists():
            _write_once(path, events)
        store = Store.open(path)
        made.append(store)
        clock = Clock()
        table = RunningTable(store, rulebooks=rulebook, clock=clock)
        access = Access(store, mode, clock, CHEAP)
        if pin is not None:
            access.set_pin(pin)
        return Fixture(store, table, Kiosk(table, access, speaker), clock)

    yield make
    for store in made:
        store.close()
