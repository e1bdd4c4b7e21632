"""A fault anywhere in the reading: the match goes on, nothing is told twice, and the score is right or the referee has been asked."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vision.reading
import vision.refereed
from engine.cards import Card, Seat
from engine.events import CameraLost, CardsPlayed, Desynced, Event, Resynced, Ruled, Source
from engine.referee import MatchState, rulings, step
from tests.vision.toy import ToyReader, ToySource, ToyTable, toy_calibration
from vision import looks
from vision.fusion import Ledger
from vision.guard import GROUND, MANY, WINDOW_SECONDS, Guard
from vision.lying import Lying
from vision.motion import Gate
from vision.pipeline import Pipeline
from vision.plays import PlayTracker
from vision.refereed import Table, final_plays
from vision.told import Told
from vision.trick import Trick

TRICKS = (("S", "HA H4 HK H6"), ("S", "D4 DA DK D5"), ("E", "CA C10 C6 CK"))
"""S has declared with spades; E wins the second trick and the third: 35 points."""
POINTS = 35
SEATS = "ENWS"


def tricks(table: ToyTable, played: tuple[tuple[str, str], ...] = TRICKS, pause: float = 0.9) -> None:
    for number, (leader, cards) in enumerate(played):
        shift = 5 * (number % 3) - 4
        for k, face in enumerate(cards.split()):
            table.lay(SEATS[(SEATS.index(leader) + k) % 4], [face], along=shift, near=215 + shift)
            table.wait(pause)


@pytest.fixture(scope="module")
def film() -> ToyTable:
    table = ToyTable()
    table.declare_and_bury()
    tricks(table)
    table.wait(3.0)
    return table


def followed(table: ToyTable, reader: ToyReader | None = None) -> tuple[Table, list[Event]]:
    pipeline = Pipeline(ToySource(table.signals), toy_calibration(), reader or ToyReader())  # type: ignore[arg-type]
    refereed = Table(pipeline, _rules())
    return refereed, list(refereed.events())


def _rules() -> Any:
    from engine.rulebook_toml import load

    return load("official-2deck-shengji")


def truth(played: tuple[tuple[str, str], ...] = TRICKS) -> dict[tuple[int, int, Seat], tuple[Card, ...]]:
    return {
        (1, number, Seat(SEATS[(SEATS.index(leader) + k) % 4])): (Card(face),)
        for number, (leader, cards) in enumerate(played, 1)
        for k, face in enumerate(cards.split())
    }


class Fails:
    """Raises at some calls of a function (counted from 1), and calls it otherwise."""

    def __init__(self, wrapped: Callable[..., Any], at: range) -> None:
        self.wrapped, self.at, self.calls = wrapped, at, 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        if self.calls in self.at:
            raise IndexError("list index out of range")
        return self.wrapped(*args, **kwargs)


def inject(patch: pytest.MonkeyPatch, place: Any, name: str, at: range) -> Fails:
    fails = Fails(getattr(place, name), at)
    patch.setattr(place, name, lambda *args, **kwargs: fails(*args, **kwargs))
    return fails


def verify_consistent(events: list[Event]) -> None:
    told = [(e.trick, e.seat) for e in events if isinstance(e, CardsPlayed)]
    assert len(told) == len(set(told))
    assert not [e for e in events if isinstance(e, CameraLost)]


def test_without_a_fault_the_deal_is_told(film: ToyTable) -> None:
    table, events = followed(film)
    assert final_plays(events) == truth()
    assert table.state.deal is not None
    assert table.state.deal.points == POINTS
    assert not any(isinstance(e, Desynced) for e in events)


STAGES = {
    "gate": (Gate, "update"),
    "reading": (vision.reading, "read_frame"),
    "ends": (looks, "join"),
    "vote": (vision.reading, "vote"),
    "lying": (Lying, "see"),
    "settled": (Lying, "settle"),
    "tracker": (PlayTracker, "facts"),
    "trick": (Trick, "play"),
    "commit": (Trick, "_commit"),
    "told": (Told, "play"),
    "revised": (Told, "revised"),
    "fusion": (Ledger, "put"),
}


@pytest.fixture(scope="module")
def calls(film: ToyTable) -> dict[str, int]:
    """How often each stage is called in the whole film."""
    with pytest.MonkeyPatch.context() as patch:
        counted = {name: inject(patch, place, what, range(0)) for name, (place, what) in STAGES.items()}
        followed(film)
    return {name: fails.calls for name, fails in counted.items()}


@pytest.mark.parametrize(("stage", "moment"), list(zip(STAGES, itertools.cycle((0.35, 0.55, 0.75, 0.9)))))
def test_fault_in_the_middle_of_a_deal_ends_nothing(
    film: ToyTable, calls: dict[str, int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, stage: str, moment: float
) -> None:
    at = 1 + round(calls[stage] * moment)
    fails = inject(monkeypatch, *STAGES[stage], range(at, at + 1))
    with caplog.at_level(logging.ERROR):
        table, events = followed(film)
    assert fails.calls >= at
    assert sum("IndexError" in record.message for record in caplog.records) == 1
    verify_consistent(events)
    asked = [e for e in events if isinstance(e, Desynced)]
    assert asked[0].reason == "fault"
    assert asked[0].evidence["faults"] == 1
    assert any(isinstance(e, Resynced) for e in events)
    assert final_plays(events) == truth()
    assert table.state.deal is not None
    assert table.state.deal.points == POINTS
    assert not rulings(table.state)


def test_play_that_can_not_be_read_at_all_is_asked_for_and_goes_on_once_it_was_entered(film: ToyTable, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline(ToySource(film.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    table = Table(pipeline, _rules())
    reads = vision.reading.read_frame
    entered = CardsPlayed(source=Source.REFEREE, seat=Seat.N, trick=1, cards=(Card("HK"),), evidence={"corrected": True})

    def fails(*args: Any, **kwargs: Any) -> Any:
        if table.expected().seat is Seat.N and table.expected().trick == 1:
            raise ValueError("cannot reshape array")
        return reads(*args, **kwargs)

    monkeypatch.setattr(vision.reading, "read_frame", fails)
    events: list[Event] = []
    for event in table.events():
        events.append(event)
        if isinstance(event, Desynced) and event.evidence["within_minute"] == GROUND:
            table.state, _ = step(table.state, entered)
            pipeline.follow()
    verify_consistent(events)
    assert any(isinstance(e, Resynced) for e in events)
    assert final_plays(events) == {key: cards for key, cards in truth().items() if key != (1, 1, Seat.N)}
    assert table.state.deal is not None
    assert table.state.deal.points == POINTS
    assert not rulings(table.state)


def test_play_that_can_not_be_read_and_is_not_entered_is_asked_for_and_accuses_nobody(film: ToyTable, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline(ToySource(film.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    told: list[Event] = []
    reads = vision.reading.read_frame

    def fails(*args: Any, **kwargs: Any) -> Any:
        if sum(isinstance(e, CardsPlayed) for e in told) == 2 and pipeline.guard.count < GROUND:
            raise ValueError("cannot reshape array")
        return reads(*args, **kwargs)

    monkeypatch.setattr(vision.reading, "read_frame", fails)
    table = Table(pipeline, _rules())
    told.extend(table.events())
    verify_consistent(told)
    assert [e.reason for e in told if isinstance(e, Desynced)][-1] == "missing"
    assert final_plays(told) == {key: cards for key, cards in truth().items() if key not in ((1, 1, Seat.N), (1, 1, Seat.W))}
    assert not [e for e in told if isinstance(e, Ruled)]


def test_reading_that_fails_with_every_picture_is_given_up_for_a_while_and_said_while_the_pictures_go_on(
    film: ToyTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = inject(monkeypatch, Gate, "update", range(150, 10_000))
    pipeline = Pipeline(ToySource(film.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    table = Table(pipeline, _rules())
    events = list(table.events())
    assert fails.calls == 149 + MANY
    assert [e.evidence["within_minute"] for e in events if isinstance(e, Desynced)][-1] == MANY
    assert table.state.desync is not None
    assert "score by hand" in table.state.desync.en
    assert pipeline.status()["faults"] == MANY
    assert pipeline.status()["t"] == round(film.signals[-1].t, 3)
    verify_consistent(events)


def test_faults_are_forgotten_after_a_while_or_when_a_person_acts() -> None:
    guard = Guard()
    for k in range(MANY):
        assert not guard.stuck(k)
        guard.take(ValueError("no"), k)
    assert guard.stuck(MANY)
    assert not guard.stuck(WINDOW_SECONDS)
    guard.forgive()
    assert not guard.stuck(MANY)
    assert guard.count == MANY


def test_fault_that_comes_again_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard()
    with caplog.at_level(logging.ERROR):
        for k in range(4):
            try:
                raise KeyError("E") if k < 3 else KeyError("N")
            except KeyError as error:
                guard.take(error, k)
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


def test_fact_that_the_engine_can_not_take_is_asked_for_and_accuses_nobody(film: ToyTable, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline(ToySource(film.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    table = Table(pipeline, _rules())
    refused: list[Event] = []

    def once(state: MatchState, event: Event) -> tuple[MatchState, tuple[Event, ...]]:
        if isinstance(event, CardsPlayed) and (event.trick, event.seat) == (2, Seat.N) and not refused and len(state.facts) < 13:
            raise LookupError("no such shape")
        return step(state, event)

    def takes(fact: Event) -> Iterator[Event]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(vision.refereed, "step", once)
            yield from Table.take(table, fact)

    monkeypatch.setattr(pipeline, "refused", lambda error: refused.append(error) or Pipeline.refused(pipeline, error))
    monkeypatch.setattr(table, "take", takes)
    events = list(table.events())
    assert len(refused) == 1
    assert [e.reason for e in events if isinstance(e, Desynced)] == ["fault", "missing"]
    assert final_plays(events) == {key: cards for key, cards in truth().items() if key not in ((1, 2, Seat.N), (1, 2, Seat.W))}
    assert not [e for e in events if isinstance(e, Ruled)]
