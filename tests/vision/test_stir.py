"""Stirring: cards shown after the bottom was buried, told by what becomes of them and of the bottom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.events import BottomTaken, Buried, CardsPlayed, Corrected, Declared, TakenBack
from engine.referee import expectation, rulings
from tests.vision.refereed import Refereed
from tests.vision.test_plays import card, look
from vision.zones import Zone


def opened() -> Refereed:
    """W has declared one two, taken the bottom and buried."""
    table = Refereed("shuangsheng-2deck-to10")
    table.centre(0.5, occupied=True)
    table.see(look("W", card("S2", "W"), still=1.0))
    table.see(replace(look("W", still=2.0, paper=0.0), reverted=True))
    table.centre(5.0, occupied=False)
    told = table.centre(8.0, occupied=True)
    assert isinstance(told[-1], Buried)
    return table


@pytest.mark.parametrize("seat", ["W", "E"])
def test_pair_that_is_shown_after_burying_and_taken_up_with_the_bottom_has_stirred(seat: str) -> None:
    table = opened()
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


@pytest.mark.parametrize("seat", ["W", "E"])
def test_stirring_pair_of_which_one_card_hardly_shows_is_a_stir_and_no_lead_that_was_taken_back(seat: str) -> None:
    table = opened()
    faint = card("S2", seat, 20, presence=0.1, ends=1, p=0.4)
    told = table.see(look(seat, card("S2", seat), faint, still=10.0), 10.3) + table.told(10.9)
    table.tracker.disturbed(Zone(seat))
    told += table.centre(12.0, occupied=False)
    told += table.see(replace(look(seat, still=11.0, paper=0.0), bare=(card("S2", seat),), touched=(card("S2", seat),), reverted=True), 13.0)
    told += table.centre(15.0, occupied=True)
    assert [type(event) for event in told if not isinstance(event, CardsPlayed | Corrected)] == [Declared, BottomTaken, Buried]
    assert not rulings(table.state)


def test_pair_of_twos_that_stays_is_the_first_lead() -> None:
    table = opened()
    told = table.see(look("W", card("S2", "W"), card("S2", "W", 24), still=10.0), 10.3)
    assert [type(event) for event in told] == [CardsPlayed]
    follow = table.see(look("S", card("S3", "S"), card("S4", "S", 24), still=12.0), 12.3)
    assert [type(event) for event in follow] == [CardsPlayed]
    assert not rulings(table.state)


def test_lead_taken_back_where_the_bottom_stays_is_a_take_back() -> None:
    table = opened()
    pair = (card("S2", "W"), card("S2", "W", 24))
    table.see(look("W", *pair, still=10.0), 10.3)
    table.tracker.disturbed(Zone.W)
    table.see(replace(look("W", still=11.0, paper=0.0), bare=pair, touched=pair, reverted=True), 11.3)
    assert [type(event) for event in table.told(13.0)] == [TakenBack]


def test_joker_that_hid_its_equal_and_is_taken_up_with_the_bottom_has_stirred() -> None:
    table = opened()
    shown = (card("BJ", "W"),)
    told = table.see(look("W", *shown, still=10.0), 10.8)
    table.tracker.disturbed(Zone.W)
    told += table.centre(12.0, occupied=False)
    told += table.see(replace(look("W", still=11.0, paper=0.0), bare=shown, touched=shown, reverted=True), 13.0)
    told += table.centre(15.0, occupied=True)
    assert not any(isinstance(event, TakenBack) for event in told)
    assert [event.cards for event in told if isinstance(event, Declared)] == [("BJ", "BJ")]
    assert [event.seat for event in told if isinstance(event, BottomTaken | Buried)] == ["W", "W"]
    assert not rulings(table.state)
