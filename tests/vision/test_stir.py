"""Stirring: cards shown after the bottom was buried, told by what becomes of them and of the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.events import BottomTaken, Buried, CardsPlayed, Corrected, DealStarted, Declared, Event, MatchStarted, TakenBack
from engine.referee import MatchState, expectation, rulings, start, step
from tests.vision.test_plays import card, look
from vision.expected import Expected
from vision.looks import Look
from vision.plays import PlayTracker
from vision.zones import Zone


class Refereed:
    """A tracker and the engine's state, which takes every fact in."""

    def __init__(self, rulebook: str) -> None:
        self.state: MatchState = start(rulebook)
        self.tracker = PlayTracker(levels=frozenset({"2"}))
        self.tracker.told.what_if = self.what_if
        for event in (MatchStarted(rulebook=rulebook), DealStarted(deal=1, levels={"EW": "2", "NS": "2"})):
            self.state, _ = step(self.state, event)
        self.told(0.0)

    def what_if(self, facts: Sequence[Event]) -> tuple[Expected, int]:
        state = self.state
        for fact in facts:
            state, _ = step(state, fact)
        return expectation(state), len(rulings(state))

    def told(self, t: float) -> list[Event]:
        out: list[Event] = []
        while (fact := self.tracker.facts(t, expectation(self.state))) is not None:
            self.state, _ = step(self.state, fact)
            out.append(fact)
        return out

    def see(self, seen: Look, t: float) -> list[Event]:
        self.tracker.see(seen)
        return self.told(t)

    def centre(self, t: float, *, occupied: bool) -> list[Event]:
        return self.see(Look(Zone.CENTRE, t, t - 0.2, occupied=occupied), t)

    def opened(self) -> Refereed:
        """W has declared one two, taken the bottom and buried."""
        self.centre(0.5, occupied=True)
        self.see(look("W", card("S2", "W"), still=1.0), 1.3)
        self.see(replace(look("W", still=2.0, paper=0.0), reverted=True), 2.3)
        self.centre(5.0, occupied=False)
        told = self.centre(8.0, occupied=True)
        assert isinstance(told[-1], Buried)
        return self


@pytest.mark.parametrize("seat", ["W", "E"])
def test_pair_that_is_shown_after_burying_and_taken_up_with_the_bottom_has_stirred(seat: str) -> None:
    table = Refereed("shuangsheng-2deck-to10").opened()
    pair = (card("S2", seat), card("S2", seat, 24))
    told = table.see(look(seat, *pair, still=10.0), 10.3)
    table.tracker.disturbed(Zone(seat))
    told += table.centre(12.0, occupied=False)
    told += table.see(replace(look(seat, still=11.0, paper=0.0), bare=pair, touched=pair, reverted=True), 13.0)
    told += table.centre(15.0, occupied=True)
    assert not any(isinstance(event, TakenBack) for event in told)
    assert [type(event) for event in told if not isinstance(event, CardsPlayed | Corrected)] == [Declared, BottomTaken, Buried]
    assert all(event.seat is Seat(seat) for event in told if isinstance(event, Declared | BottomTaken | Buried))
    assert not rulings(table.state)
    leader = expectation(table.state).seat
    assert leader is not None
    lead = table.see(look(leader, card("CA", leader), still=20.0), 20.3)
    assert isinstance(lead[-1], CardsPlayed)
    assert lead[-1].trick == 1


def test_pair_of_twos_that_stays_is_the_first_lead() -> None:
    table = Refereed("shuangsheng-2deck-to10").opened()
    told = table.see(look("W", card("S2", "W"), card("S2", "W", 24), still=10.0), 10.3)
    assert [type(event) for event in told] == [CardsPlayed]
    follow = table.see(look("S", card("S3", "S"), card("S4", "S", 24), still=12.0), 12.3)
    assert [type(event) for event in follow] == [CardsPlayed]
    assert not rulings(table.state)


def test_lead_taken_back_where_the_bottom_stays_is_a_take_back() -> None:
    table = Refereed("shuangsheng-2deck-to10").opened()
    pair = (card("S2", "W"), card("S2", "W", 24))
    table.see(look("W", *pair, still=10.0), 10.3)
    table.tracker.disturbed(Zone.W)
    table.see(replace(look("W", still=11.0, paper=0.0), bare=pair, touched=pair, reverted=True), 11.3)
    assert [type(event) for event in table.told(13.0)] == [TakenBack]
