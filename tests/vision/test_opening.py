"""Declarations as they are seen: what is told of cards that hardly show."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.cards import Card, Seat
from engine.events import Declared, Event
from engine.referee import Expectation, expectation, rulings, start, step
from tests.vision.test_plays import ask, card, look
from tests.vision.toy import ToyExpected
from vision.opening import completed
from vision.plays import PlayTracker

DEALING = ToyExpected("dealing", None, 8, levels=frozenset({"2"}))


def tracker() -> PlayTracker:
    """A tracker that may ask what would follow, where a big joker has no say alone."""
    made = PlayTracker(levels=frozenset({"2"}))
    state = start("online-tractor")

    def what_if(events: Sequence[Event]) -> tuple[Expectation, int]:
        after = state
        for event in events:
            after, _ = step(after, event)
        return expectation(after), len(rulings(after)) if after.deal is not None else 0

    made.told.what_if = what_if
    made.joined.first = False
    return made


@pytest.mark.parametrize("face", ["LJ", "BJ"])
def test_a_joker_alone_is_no_declaration_where_another_hardly_shows_beside_it(face: str) -> None:
    made = tracker()
    made.see(look("N", card(face, "N"), card(face, "N", 15, presence=0.34, ends=1, p=0.48, other="C10")))
    told = ask(made, 0.5, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == (face, face)
    assert made.opening.declared[Seat.N] == (face, face)


def test_a_joker_alone_is_told_as_it_was_seen() -> None:
    made = tracker()
    made.see(look("N", card("LJ", "N")))
    told = ask(made, 0.5, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == ("LJ",)


def test_a_level_card_is_not_made_a_pair_by_what_hardly_shows() -> None:
    made = tracker()
    made.see(look("N", card("H2", "N"), card("H2", "N", 15, presence=0.34, ends=1, p=0.48, other="C10")))
    told = ask(made, 0.5, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == ("H2",)


def test_a_third_big_joker_of_two_packs_is_no_card_of_the_declaration() -> None:
    """The upper joker's picture, or the lower one's index once more, is read as a further one between the two."""
    made = tracker()
    made.see(look("N", card("BJ", "N"), card("BJ", "N", 20, ends=1, presence=0.7), card("BJ", "N", 28, ends=1, presence=0.97)))
    told = ask(made, 0.5, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == ("BJ", "BJ")
    assert told.evidence["presence"] == [0.9, 0.97]
    assert made.opening.declared[Seat.N] == ("BJ", "BJ")


def test_an_index_that_hardly_shows_beside_the_marking_card_does_not_hide_a_declaration() -> None:
    """A row of a pair of level cards and the card that marks them: one index in it is read as one more of that."""
    made = tracker()
    made.see(look("S", card("D2", "S"), card("H8", "S", 20)))
    assert isinstance(ask(made, 0.5, DEALING), Declared)
    ghost = card("H8", "N", 30, ends=1, presence=0.48, p=0.96)
    made.see(look("N", card("H2", "N"), card("H2", "N", 20), card("H8", "N", 60), ghost))
    told = ask(made, 2.0, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == ("H2", "H2", "H8")


def test_a_part_of_what_stands_is_no_weaker_declaration_of_the_same_seat() -> None:
    made = tracker()
    made.see(look("N", card("H2", "N"), card("H2", "N", 20), card("H8", "N", 60)))
    assert isinstance(ask(made, 0.5, DEALING), Declared)
    made.see(look("N", card("H2", "N"), card("H8", "N", 60), still=2.0))
    assert ask(made, 3.0, DEALING) is None
    made.see(look("N", card("H2", "N"), card("H2", "N", 20), card("H2", "N", 40), card("H8", "N", 60), still=4.0))
    told = ask(made, 5.0, DEALING)
    assert isinstance(told, Declared)
    assert told.cards == ("H2", "H2", "H2", "H8")


@pytest.mark.parametrize(("apart", "told"), [(22.0, ("H3", "H3", "H3")), (70.0, ("H3", "H3"))], ids=["fanned", "side by side"])
def test_a_fan_of_equal_cards_that_declares_too_little_has_one_more_that_was_not_found(apart: float, told: tuple[str, ...]) -> None:
    """Three overturn a pair and two do not; of cards that lie apart none is hidden, so that they were surely too few."""
    seen = look("N", card("H3", "N"), card("H3", "N", apart))
    declared = Declared(t=1.0, seat=Seat.N, cards=(Card("H3"), Card("H3")))

    def what_if(events: Sequence[Event]) -> tuple[Expectation, int]:
        return expectation(start("online-tractor")), sum(isinstance(event, Declared) and len(event.cards) < 3 for event in events)

    assert completed(declared, seen, what_if).cards == told
    assert completed(declared, seen, None) == declared
