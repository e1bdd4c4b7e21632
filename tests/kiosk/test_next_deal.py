"""A match goes on from deal to deal by what the camera sees; nobody has to tap."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.events import DealEnded, DealStarted, Event, MatchStarted, Ruled, Source, TrickClosed
from engine.simulate import play_deal
from kiosk.errors import ConflictError
from tests.kiosk.tables import RULEBOOK, Fixture, Maker, facts, planted

DERIVED = (TrickClosed, Ruled, DealEnded, MatchStarted, DealStarted)


def played(made: Fixture) -> dict[str, str]:
    """Play the first deal to its end as a camera reports it; the levels that it gives."""
    for fact in facts():
        made.table.record(fact)
    reckoning = made.table.shown()[1]["reckoning"]
    assert reckoning is not None
    return dict(reckoning["levels"])


def second(levels: dict[str, str], declarer: str) -> list[Event]:
    """What a camera reports of the next deal: never that it begins."""
    deal = play_deal(RULEBOOK, 5, levels=levels, declarer=Seat(declarer), deal=2)
    return [replace(event, source=Source.CAMERA) for event in deal.events if not isinstance(event, DERIVED)]


def test_the_next_deal_begins_with_the_first_that_is_seen_of_it(make_table: Maker) -> None:
    made = make_table()
    levels = played(made)
    declarer = made.table.shown()[1]["reckoning"]["next_declarer"]
    for fact in second(levels, declarer):
        made.table.record(fact)
    shown = made.table.shown()[1]
    assert (shown["deal"], shown["levels"]) == (2, levels)
    assert shown["reckoning"] is not None
    assert [r for r in shown["rulings"] if r["deal"] == 2] == []


def test_a_tap_for_the_next_deal_comes_too_late_then_and_changes_nothing(make_table: Maker) -> None:
    made = make_table()
    levels = played(made)
    made.table.record(second(levels, made.table.shown()[1]["reckoning"]["next_declarer"])[0])
    with pytest.raises(ConflictError):
        made.table.next_deal(1, "local")
    assert made.table.shown()[1]["deal"] == 2


def test_a_ruling_that_was_left_open_can_still_be_decided_in_the_next_deal(make_table: Maker) -> None:
    made = make_table()
    levels = played(made)
    made.table.record(second(levels, made.table.shown()[1]["reckoning"]["next_declarer"])[0])
    ruling = planted().ruling
    made.table.decide(ruling, "confirmed", "local", why="seen")
    state = next(r["state"] for r in made.table.shown()[1]["rulings"] if r["ruling"] == ruling)
    assert state == "confirmed"
