"""Declarations as they are seen: what is told of cards that hardly show."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.cards import Seat
from engine.events import Declared, Event
from engine.referee import Expectation, expectation, rulings, start, step
from tests.vision.test_plays import ask, card, look
from tests.vision.toy import ToyExpected
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
