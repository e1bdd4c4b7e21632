"""Clocks are heard before their limit and at it, once, and stand while they are stopped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.cards import Card, Seat
from engine.clock import Limit, Running
from engine.events import BottomTaken, Buried, CardsPlayed, Declared
from engine.rulebook_toml import load
from kiosk import phrases, store
from kiosk.access import Access, Mode
from kiosk.clock_watch import ClockWatch, due
from kiosk.service import RunningTable
from kiosk.sound import CLOCK
from kiosk.store import Store
from kiosk.web import Kiosk
from tests.kiosk.tables import CHEAP, Clock

SHEET = "stir-2deck-chaodipi"


class Ear:
    """A loudspeaker that notes what it is told to say."""

    def __init__(self) -> None:
        self.heard: list[list[str]] = []

    def say(self, pieces: Sequence[phrases.Spoken], urgency: Any) -> None:
        assert urgency is CLOCK
        self.heard.append([piece.key for piece in pieces])


@pytest.fixture
def table(tmp_path: Any) -> Any:
    clock = Clock()
    with Store.open(tmp_path / "t.db") as log:
        running = RunningTable(log, rulebooks=load, clock=clock)
        running.begin(SHEET, {}, {"EW": "2", "NS": "2"})
        for event in (Declared(seat=Seat.E, cards=(Card("H2"),), t=1), BottomTaken(seat=Seat.E, t=5), Buried(seat=Seat.E, count=8, t=10)):
            running.record(event)
        running.record(CardsPlayed(seat=Seat.E, trick=1, cards=(Card("SA"),), t=14))
        yield running, clock, log


def test_a_play_is_warned_and_called_once(table: Any) -> None:
    running, clock, _ = table
    ear = Ear()
    watch = ClockWatch(running, ear)  # type: ignore[arg-type]
    for step in range(1, 41):
        clock.now = step / 2
        watch.look()
    assert ear.heard == [["seat.N", "left.5"], ["seat.N", "time_up"]]
    running.record(CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S3"),), t=34))
    for step in range(41, 60):
        clock.now = step / 2
        watch.look()
    assert ear.heard[2:] == []
    clock.now = 31.0
    watch.look()
    assert ear.heard[2:] == [["seat.W", "left.5"]]


def test_a_stopped_clock_says_nothing(table: Any) -> None:
    running, clock, _ = table
    ear = Ear()
    watch = ClockWatch(running, ear)  # type: ignore[arg-type]
    running.set_clocks("pause", "local")
    clock.now = 100.0
    watch.look()
    assert ear.heard == []
    running.set_clocks("resume", "local")
    clock.now = 111.0
    watch.look()
    assert ear.heard == [["seat.N", "left.5"]]


def test_what_ran_out_long_ago_is_no_news() -> None:
    clock = Running(Limit.PLAY, Seat.N, 0.0, 15, 5)
    assert due(9.0, [clock]) == []
    assert [d.up for d in due(12.0, [clock])] == [False]
    assert [d.up for d in due(15.5, [clock])] == [True]
    assert due(60.0, [clock]) == []


def test_a_machine_whose_clock_is_set_back_a_day_goes_on(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    running, clock, log = table

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(UTC) - timedelta(days=1)

    clock.now = 3.0
    before = running.clocks()
    monkeypatch.setattr(store, "datetime", Yesterday)
    assert running.clocks() == before
    update = running.record(CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S3"),), t=18)) or running.shown()
    assert update[1]["trick"]["plays"][1]["thought_s"] == 4.0
    assert [c.left(18.0) for c in running.clocks()[1] if c.seat] == [15.0]
    stamps = [row.at for row in log.read()]
    assert stamps[-1] < stamps[-2], "the entry says what the machine's clock said, and stands where it belongs"
    path = log.path
    log.close()
    with Store.open(path) as again:
        assert RunningTable(again, rulebooks=load, clock=clock).shown()[1]["trick"]["plays"][1]["thought_s"] == 4.0


def test_a_clock_that_jumps_is_shown(table: Any) -> None:
    running, _, log = table
    kiosk = Kiosk(running, Access(log, Mode.HOME, hasher=CHEAP))
    kiosk.check_wall_clock(1000.0)
    kiosk.check_wall_clock(1000.4)
    assert kiosk.status()["clock_jump"] is False
    kiosk.check_wall_clock(1000.0 - 86400)
    assert kiosk.status()["clock_jump"] is True


def test_after_a_restart_the_camera_counts_on_from_where_the_table_was(table: Any) -> None:
    running, clock, _ = table
    clock.now = 7.0
    assert running.shift() == 21.0
