"""What is said after a step: alerts with their offence, scores after tricks, and after a correction only what changed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.cards import Card, Seat
from engine.events import CameraBack, CameraLost, CardsPlayed
from kiosk import phrases
from kiosk.announce import Announcer, Message, messages
from kiosk.service import Update
from kiosk.sound import ALERT, RESULT, SCORE
from tests.kiosk.tables import Fixture, Maker, facts, planted, until_trick


def heard(made: Fixture, *, scores: bool = True) -> list[Message]:
    said: list[Message] = []
    made.table.listen(lambda update: said.extend(messages(update, scores=scores)))
    return said


def keys(said: Sequence[Message]) -> list[list[str]]:
    return [[piece.key for piece in message.pieces] for message in said]


def test_planted_revoke_is_called_out_with_its_seat_when_it_is_proven(make_table: Maker) -> None:
    found = planted()
    made = make_table(until_trick(found.proved_by - 1))
    said = heard(made)
    made.feed([f for f in facts() if isinstance(f, CardsPlayed) and f.trick == found.proved_by])
    alerts = [message for message in said if message.urgency == ALERT]
    assert keys(alerts) == [[f"seat.{found.seat}", "offence.revoke", "call"]]
    assert alerts[0].ruling == f"1.{found.trick}.{found.seat}.suit"


def test_points_are_said_after_a_trick_that_changed_them(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    before = made.table.shown()[1]["points"]
    said = heard(made)
    made.feed([f for f in facts() if isinstance(f, CardsPlayed) and f.trick == 5])
    now = made.table.shown()[1]["points"]
    assert now != before
    assert keys([m for m in said if m.urgency == SCORE]) == [[f"points.{now}"]]
    quiet = make_table(until_trick(4), name="quiet.db")
    said = heard(quiet, scores=False)
    quiet.feed([f for f in facts() if isinstance(f, CardsPlayed) and f.trick == 5])
    assert said == []


def test_after_a_correction_only_the_new_points_are_said(make_table: Maker) -> None:
    made = make_table(until_trick(5))
    shown = made.table.shown()[1]
    trick = shown["last_trick"]
    assert trick["winner"] not in shown["declarers"]
    loser = next(p for p in trick["plays"] if p["seat"] != trick["winner"])
    said = heard(made)
    cards = [Card("C10" if c != "C10" else "C3") for c in loser["cards"]]
    update = made.table.correct(trick["number"], Seat(loser["seat"]), loser["cards"], cards, "local")
    assert keys(said) == [["corrected", f"points.{update.state['points']}"]]


def test_correction_that_changes_no_points_says_nothing(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    said = heard(made)
    play = made.table.shown()[1]["tricks"][0]["plays"][1]
    cards = [Card({"C3": "C4"}.get(c, c)) for c in play["cards"]]
    made.table.correct(1, Seat(play["seat"]), play["cards"], cards, "local")
    assert said == []


def test_end_of_the_deal_is_said_with_its_result(make_table: Maker) -> None:
    events = facts()
    made = make_table(events[:-1] if type(events[-1]).__name__ == "BottomShown" else events)
    said = heard(made)
    made.table.record(events[-1])
    reckoning = made.table.shown()[1]["reckoning"]
    assert reckoning is not None
    assert ["deal_over", f"points.{reckoning['points']}"] == keys(said)[-1][:2]
    assert keys(said)[-1][2].startswith("up.")


def test_camera_that_goes_and_comes_is_said(make_table: Maker) -> None:
    made = make_table(until_trick(1))
    said = heard(made)
    made.table.record(CameraLost(reason="unplugged", t=60))
    made.table.record(CameraBack(gap=3.0, t=63))
    assert keys(said) == [["camera_lost"], ["camera_back"]]
    assert {m.urgency for m in said} == {RESULT}


class Recorder:
    """A loudspeaker that writes down what it is told."""

    def __init__(self) -> None:
        self.alerts: list[str] = []
        self.ended: list[str | None] = []
        self.said: list[str] = []

    def alert(self, ruling: str, pieces: Sequence[phrases.Spoken]) -> None:
        self.alerts.append(ruling)

    def acknowledge(self, ruling: str | None = None) -> None:
        self.ended.append(ruling)

    def say(self, pieces: Sequence[phrases.Spoken], urgency: int = SCORE) -> None:
        self.said.append(pieces[0].key)


@pytest.mark.parametrize("decision", ["confirmed", "overruled", "later"])
def test_decision_ends_the_alert(make_table: Maker, decision: str) -> None:
    found = planted()
    made = make_table(until_trick(found.proved_by - 1))
    recorder = Recorder()
    made.table.listen(Announcer(recorder))  # type: ignore[arg-type]
    made.feed([f for f in facts() if isinstance(f, CardsPlayed) and f.trick == found.proved_by])
    assert len(recorder.alerts) == 1
    assert recorder.ended == []
    made.table.decide(recorder.alerts[0], decision, "local")
    assert recorder.ended == recorder.alerts


def test_correction_that_clears_an_offence_ends_its_alert(make_table: Maker) -> None:
    found = planted()
    made = make_table(until_trick(found.proved_by))
    recorder = Recorder()
    made.table.listen(Announcer(recorder))  # type: ignore[arg-type]
    ruling = made.table.shown()[1]["rulings"][0]["ruling"]
    last = made.table.undoable()
    while made.table.shown()[1]["rulings"]:
        made.table.undo(None, "local")
    assert ruling in recorder.ended
    assert last is not None


def test_update_that_changes_nothing_says_nothing() -> None:
    shown = {"rulings": [], "points": 5, "deal": 1, "reckoning": None}
    assert messages(Update(9, (), shown, shown), scores=True) == []


KINDS = ("suit", "pair", "tractor", "shape", "count", "turn", "throw", "pack", "taken_back", "declaration", "bottom_miscount", "never heard of")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_offence_has_words(kind: str) -> None:
    piece = phrases.offence(kind)
    assert piece.key.startswith("offence.")
    assert piece.zh
    assert piece.en
    assert (piece.key == "offence.other") == (kind == "never heard of")


def test_after_a_correction_of_an_earlier_deal_only_its_new_points_are_said(make_table: Maker) -> None:
    made = make_table(facts())
    made.table.next_deal(1, "local")
    said = heard(made)
    trick = next(t for t in made.table.deal(1)[1]["tricks"] if t["winner"] not in made.table.deal(1)[1]["declarers"])
    loser = next(p for p in trick["plays"] if p["seat"] != trick["winner"])
    cards = [Card("C10" if c != "C10" else "C3") for c in loser["cards"]]
    before = made.table.shown()[1]["deals"][0]["points"]
    made.table.correct(trick["number"], Seat(loser["seat"]), loser["cards"], cards, "local", deal=1)
    now = made.table.shown()[1]["deals"][0]["points"]
    assert now != before
    assert keys([m for m in said if m.urgency == RESULT]) == [["corrected", "deal.1", f"points.{now}"]]


def test_an_offence_that_the_referee_reports_rings_no_bell(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    said = heard(made)
    made.table.report("talk", Seat.N, "local")
    assert said == []


def test_an_overrun_that_the_gong_has_called_rings_no_alarm(make_table: Maker) -> None:
    shown = make_table(until_trick(3)).table.shown()[1]
    ruling = {"ruling": "1.3.N.overtime", "kind": "overtime", "seat": "N", "trick": 3, "state": "proposed"}
    assert messages(Update(9, (), shown, {**shown, "rulings": [ruling]}), scores=True) == []
    assert len(messages(Update(9, (), shown, {**shown, "rulings": [{**ruling, "kind": "revoke"}]}), scores=True)) == 1
