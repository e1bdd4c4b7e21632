"""Thinking times: from the card before, none over a gap, medians over follows."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Seat
from engine.deal import start
from engine.deal_state import Deal, Play, Trick
from engine.lessons.tempo import medians, thinking
from tests.engine.lessons.tables import RULES


def deal(*times: float) -> Deal:
    seats = (Seat.E, Seat.N, Seat.W, Seat.S)
    tricks = tuple(
        Trick(n + 1, Seat.E, tuple(Play(seat, (Card("HA"),), t) for seat, t in zip(seats, times[4 * n : 4 * n + 4], strict=True)), Seat.E)
        for n in range(len(times) // 4)
    )
    return replace(start(RULES, 1, {"EW": "2", "NS": "2"}), tricks=tricks)


def test_time_runs_from_the_card_before() -> None:
    found = thinking(deal(10, 12, 15, 16, 20, 21, 29, 30))
    assert [(t.seat.value, t.seconds, t.led) for t in found] == [
        ("N", 2, False), ("W", 3, False), ("S", 1, False), ("E", 4, True), ("N", 1, False), ("W", 8, False), ("S", 1, False),
    ]  # fmt: skip
    assert medians(found) == {Seat.N: 1.5, Seat.W: 5.5, Seat.S: 1, Seat.E: 4}


def test_play_over_a_gap_has_no_time() -> None:
    found = thinking(deal(10, 12, 15, 16), gaps=[(12.5, 14.0)])
    assert [t.seat.value for t in found] == ["N", "S"]


def test_plays_without_times_have_none() -> None:
    assert thinking(deal(0, 0, 0, 0)) == ()
