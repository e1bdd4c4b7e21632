"""A source feeds the table on a thread of its own, and may fail without taking the score with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import referee
from engine.cards import Card, Seat
from engine.events import CardsPlayed, Event
from engine.referee import Expectation, MatchState
from kiosk.errors import KioskError
from kiosk.feed import FeedRunner, Replay
from tests.kiosk.tables import DEAL, Maker, facts, until_trick


class Scripted:
    """A source that gives what it is told to, asks what is expected before each, and may fail at the end."""

    def __init__(self, events: Sequence[Event], error: Exception | None = None) -> None:
        self.events = events
        self.error = error
        self.expected: list[Expectation] = []
        self.corrected: list[tuple[Seat, int, tuple[Card, ...]]] = []
        self.followed = 0
        self.refusals: list[str] = []
        self.closed = False

    def facts(self, expect: Callable[[], Expectation], what_if: Any = None, record: Any = None) -> Iterator[Event]:
        for event in self.events:
            self.expected.append(expect())
            yield event
        if self.error is not None:
            raise self.error

    def jpeg(self) -> bytes | None:
        return b"\xff\xd8\xff"

    def status(self) -> Mapping[str, Any]:
        return {"table": "trick", "detection": "still", "fps": 15.0, "frame_age_s": 0.1}

    def correct(self, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
        self.corrected.append((seat, trick, cards))

    def follow(self) -> None:
        self.followed += 1

    def refused(self, error: Exception) -> None:
        self.refusals.append(str(error))

    def close(self) -> None:
        self.closed = True


def test_source_feeds_the_table_and_is_told_what_is_expected(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    rest = facts()[len(until_trick(2)) :]
    source = Scripted([e for e in facts() if e not in until_trick(2)])
    runner = FeedRunner(source, made.table)
    runner.start()
    assert runner.ended.wait(60)
    assert rest
    assert made.table.shown()[1]["phase"] == "ended"
    assert source.expected[0].trick == 3
    assert source.expected[1].lead is not None
    assert runner.status()["ended"] is True


def test_source_that_fails_leaves_the_score_and_is_said(make_table: Maker) -> None:
    made = make_table()
    said: list[KioskError] = []
    source = Scripted(until_trick(3), RuntimeError("the model has gone"))
    runner = FeedRunner(source, made.table, notice=said.append)
    runner.start()
    assert runner.ended.wait(60)
    assert made.table.camera_lost() == "the model has gone"
    assert len(made.table.shown()[1]["tricks"]) == 3
    assert "the model has gone" in said[0].en
    made.table.set_score(40, 4, {}, None, "local")
    assert made.table.shown()[1]["points"] == 40


def test_correction_by_a_person_is_told_to_the_camera(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    source = Scripted([])
    runner = FeedRunner(source, made.table)
    runner.start()
    play = made.table.shown()[1]["tricks"][0]["plays"][0]
    cards = [Card("S3")] * len(play["cards"])
    made.table.correct(1, Seat(play["seat"]), play["cards"], cards, "local")
    assert source.corrected == [(Seat(play["seat"]), 1, tuple(cards))]
    runner.close()
    assert source.closed


def test_play_entered_by_a_person_an_undo_and_a_score_are_followed(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    source = Scripted([])
    FeedRunner(source, made.table).start()
    shown = made.table.shown()[1]
    made.table.play(4, Seat(shown["turn"]), [Card("S3")], "local")
    made.table.undo(None, "local")
    made.table.set_score(40, 6, {}, Seat.E, "local")
    made.table.set_clocks("pause", "local")
    assert source.followed == 3
    assert source.corrected == []


def test_fact_that_the_engine_fails_at_is_kept_and_holds_up_nothing_that_comes_after(make_table: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_table(until_trick(2))
    rest = [e for e in facts() if e not in until_trick(2)]
    taken, second = referee.step, rest[1]
    assert isinstance(second, CardsPlayed)

    def step(state: MatchState, event: Event) -> tuple[MatchState, tuple[Event, ...]]:
        if isinstance(event, CardsPlayed) and event.cards == second.cards and event.seat is second.seat:
            raise IndexError("tuple index out of range")
        return taken(state, event)

    monkeypatch.setattr(referee, "step", step)
    source = Scripted(rest[:4])
    runner = FeedRunner(source, made.table)
    runner.start()
    assert runner.ended.wait(60)
    assert source.refusals == ["tuple index out of range"]
    assert made.table.camera_lost() is None
    assert len(made.table.shown()[1]["trick"]["plays"]) == 3
    assert [row.body["reason"] for row in made.table.rows(0, 1000) if row.body["event"] == "kiosk.NotTaken"] == ["tuple index out of range"]
    made.table.set_score(40, 4, {}, None, "local")
    assert made.table.shown()[1]["points"] == 40


def test_replay_gives_the_facts_of_a_log_in_order() -> None:
    replay = Replay(DEAL, speed=1e6)
    found = [type(event).__name__ for event in replay.facts(lambda: Expectation("trick"))]
    wanted = [json.loads(line)["event"] for line in DEAL.read_text().splitlines()]
    derived = ("MatchStarted", "DealStarted", "TrickClosed", "Ruled", "DealEnded")
    assert found == [name for name in wanted if name not in derived]


def test_replay_ends_when_it_is_closed() -> None:
    replay = Replay(DEAL, speed=0.001)
    replay.close()
    assert list(replay.facts(lambda: Expectation("trick"))) == []


@pytest.mark.parametrize("text", ["{", "[]", '{"v": 2, "event": "Declared"}', '{"v": 1, "event": "Nothing"}', "null", "5"])
def test_replay_names_the_line_that_is_no_event(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(DEAL.read_text().splitlines()[0] + "\n" + text + "\n")
    with pytest.raises(KioskError, match="line 2"):
        Replay(path)


def test_replay_of_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(KioskError, match="cannot be read"):
        Replay(path)
