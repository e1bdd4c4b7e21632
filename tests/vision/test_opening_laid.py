"""What is laid while the pack is drawn and before the first lead."""

from __future__ import annotations

import pytest

from engine.cards import Seat
from engine.events import BottomTaken, Buried, CardsPlayed, Declared
from tests.vision.laying import follow
from tests.vision.test_plays import ask, card, look, turn
from tests.vision.toy import ToyExpected
from vision.looks import Look
from vision.plays import PlayTracker
from vision.zones import Zone


def test_game_without_a_bottom_begins_with_the_first_lead_when_the_pack_is_drawn() -> None:
    tracker = PlayTracker(decks=4, levels=frozenset({"3"}))
    dealing = ToyExpected("dealing", None, 0, 0)
    assert ask(tracker, 0.1, dealing) is None
    tracker.see(Look(Zone.CENTRE, 1.0, 0.8, occupied=True))
    assert ask(tracker, 1.0, dealing) is None
    tracker.see(Look(Zone.CENTRE, 60.0, 59.8))
    assert ask(tracker, 60.0, dealing) is None
    tracker.see(look("E", card("HK", "E", -24), card("HK", "E", 0), card("HK", "E", 24), still=63.0))
    told = ask(tracker, 63.4, dealing)
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.trick, told.cards) == ("E", 1, ("HK", "HK", "HK"))
    assert isinstance(follow(tracker, "N", "H3", "H3", "H4", count=3, still=65.0), CardsPlayed)


@pytest.mark.parametrize("faces", [("D3", "D3", "HK"), ("D3", "D3"), ("BJ", "BJ"), ("LJ", "D3"), ("C3", "H2"), ("D2",)])
def test_level_cards_or_jokers_with_a_card_that_marks_the_suit_declare(faces: tuple[str, ...]) -> None:
    tracker = PlayTracker(levels=frozenset({"3"}))
    tracker.see(look("W", *(card(face, "W", 24 * i) for i, face in enumerate(faces))))
    told = ask(tracker, 0.3, ToyExpected("dealing", None, 8, 0))
    assert isinstance(told, Declared)
    assert told.cards == faces


def test_first_lead_of_a_game_without_a_bottom_by_the_one_who_declared_takes_no_bottom() -> None:
    tracker = PlayTracker(levels=frozenset({"3"}))
    tracker.see(look("W", card("D3", "W")))
    assert isinstance(ask(tracker, 0.3, ToyExpected("dealing", None, 0, 0)), Declared)
    tracker.see(look("W", card("S4", "W"), card("S4", "W", 24), still=9.0))
    told = ask(tracker, 9.3, ToyExpected("declaring", Seat.W, 0, 0))
    assert isinstance(told, CardsPlayed)
    assert (told.trick, told.cards) == (1, ("S4", "S4"))


def test_plain_card_that_falls_while_cards_are_drawn_declares_nothing() -> None:
    tracker = PlayTracker(levels=frozenset({"3"}))
    tracker.see(look("W", card("C9", "W")))
    assert ask(tracker, 0.3, ToyExpected("dealing", None, 8, 0)) is None


def test_level_cards_of_two_suits_of_the_one_who_declared_are_the_first_lead_when_the_bottom_was_not_seen() -> None:
    tracker = PlayTracker(levels=frozenset({"2"}))
    tracker.see(look("S", card("C2", "S")))
    assert isinstance(ask(tracker, 0.3, ToyExpected("dealing", None, 8, 0)), Declared)
    tracker.see(look("S", *(card(face, "S", 24 * i) for i, face in enumerate(("C2", "C2", "D2", "D2"))), still=9.0))
    assert isinstance(ask(tracker, 9.3, ToyExpected("declaring", Seat.S, 8, 0)), BottomTaken)
    assert isinstance(ask(tracker, 9.3, ToyExpected("burying", Seat.S, 8, 0)), Buried)
    told = ask(tracker, 9.3, turn("S"))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("C2", "C2", "D2", "D2")
