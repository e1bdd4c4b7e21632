"""A play that was told for what lay there already: the table does not fall out of step by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import CardsPlayed, Corrected, Desynced, Event
from engine.referee import expectation
from tests.vision.refereed import Refereed
from tests.vision.test_no_false_alert import begun
from tests.vision.test_plays import card, look
from vision.laid import SURELY


def ghost(ends: int = 1) -> Refereed:
    """E leads ace of clubs, and N seems to follow with the three."""
    table = begun()
    table.see(look("E", card("CA", "E"), still=10.0))
    table.see(look("N", card("C3", "N", ends=ends), still=13.0))
    assert expectation(table.state).seat == "W"
    return table


def rest(table: Refereed, *, still: float, rests: float = 0.0) -> list[Event]:
    """W and S play too, one after the other; S's hand ``rests`` on its card so long."""
    told = table.see(look("W", card("C4", "W"), still=still))
    return told + table.see(replace(look("S", card("C5", "S"), still=still + 0.2 + rests), began=still + 0.1))


def test_real_play_takes_the_place_of_a_mark_on_an_old_card_and_leads_no_trick() -> None:
    table = ghost()
    assert not table.see(look("N", card("C6", "N", 70), still=15.0))
    told = table.told(16.2)
    assert [(event.seat, event.trick, event.cards) for event in told if isinstance(event, Corrected)] == [("N", 1, ("C6",))]
    assert not any(isinstance(event, Desynced) for event in [*told, *rest(table, still=17.0)])
    assert expectation(table.state).trick == 2
    assert not table.alerts


def test_real_play_that_lay_there_before_the_trick_was_over_is_none_of_the_next() -> None:
    table = ghost()
    table.see(look("N", card("C6", "N", 70), still=14.5))
    rest(table, still=14.8)
    assert expectation(table.state).trick == 2
    told = table.see(look("E", card("SA", "E", 70), still=18.0))
    assert [(event.seat, event.trick, event.cards) for event in told if isinstance(event, Corrected)] == [("N", 1, ("C6",))]
    told += table.see(look("N", card("S6", "N", -70), still=20.0))
    assert [(event.seat, event.cards) for event in told if isinstance(event, CardsPlayed)] == [("E", ("SA",)), ("N", ("S6",))]
    assert not table.alerts


def test_play_that_is_laid_while_a_hand_rests_on_the_last_play_of_the_trick_before_is_of_the_next() -> None:
    table = ghost(ends=2)
    table.see(look("E", card("SA", "E", 70), still=18.0))
    table.see(look("N", card("S6", "N", -70), still=20.0))
    told = rest(table, still=17.0, rests=5.0)
    assert [(event.seat, event.trick) for event in told if isinstance(event, CardsPlayed)] == [("W", 1), ("S", 1), ("E", 2), ("N", 2)]
    assert not table.alerts


@pytest.mark.parametrize("waits", [0.5, 6.0])
def test_card_laid_beside_a_sure_play_before_the_trick_was_over_is_no_play_out_of_turn(waits: float) -> None:
    table = ghost(ends=2)
    table.see(look("N", card("C6", "N", 70), still=15.2))
    rest(table, still=15.4)
    table.told(18.0 + waits)
    told = table.see(look("E", card("SA", "E", 70), still=25.0))
    assert [event.cards for event in told if isinstance(event, CardsPlayed)] == [("SA",)]
    assert not any(isinstance(event, Corrected) for event in told)
    assert not table.alerts


def test_second_card_of_one_who_has_surely_not_won_neither_takes_the_place_of_his_play_nor_leads_the_next_trick() -> None:
    table = ghost(ends=2)
    assert not table.see(look("N", card("C6", "N", 70), still=15.0), 22.0)
    assert not any(isinstance(event, Corrected | Desynced) for event in rest(table, still=23.0))
    assert expectation(table.state).trick == 2
    assert not table.alerts


@pytest.mark.parametrize("p", [0.9, 0.99])
def test_one_who_has_won_as_far_as_is_surely_known_leads_the_next_trick_though_a_play_was_not_seen(p: float) -> None:
    table = begun()
    table.see(look("E", card("C3", "E", p=0.99), still=10.0))
    table.see(look("N", card("CA" if p > SURELY else "C2", "N", p=p), still=13.0), 15.0)
    table.see(look("N", card("C6", "N", 70), still=20.0), 22.0)
    told = table.told(22.1)
    assert [event.reason for event in told if isinstance(event, Desynced)] == ["missing"]
    assert [(event.seat, event.trick) for event in told if isinstance(event, CardsPlayed)] == [("N", 2)]
