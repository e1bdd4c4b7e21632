"""Cards that nobody surely saw, hardly read or filled in from what the pack leaves: they count, and accuse nobody."""

from __future__ import annotations

from dataclasses import replace

from engine import referee
from engine.cards import Card, Seat
from engine.deal_state import UNSURE
from engine.events import Corrected, Ruled, Source
from engine.view import snapshot
from tests.engine.test_referee import opening_facts, play, ruling, trick


def unsure(events, number, seat, *places):
    """The events with some cards of a play not surely seen."""
    return [replace(e, evidence={UNSURE: list(places)}) if getattr(e, "trick", 0) == number and e.seat is Seat(seat) else e for e in events]


def rulings(told):
    return [(e.kind, e.seat.value, e.trick) for e in told if isinstance(e, Ruled)]


def test_a_pair_of_which_a_card_was_filled_in_proves_nothing_against_its_player():
    assert rulings(play(ruling())[1]) == [("pair", "N", 1)]
    assert not rulings(play(unsure(ruling(), 2, "N", 1))[1])


def test_what_a_referee_has_put_right_was_seen_again():
    state, _ = play(unsure(ruling(), 2, "N", 1))
    _, told = referee.step(state, Corrected(source=Source.REFEREE, seat=Seat.N, trick=2, cards=(Card("S9"), Card("S9")), by="R"))
    assert rulings(told) == [("pair", "N", 1)]


def test_a_lead_of_filled_in_cards_is_no_throw_that_failed():
    thrown = [*opening_facts(), *trick(1, "E", "SA S5|S9 S9|S6 S7|S8 S3")]
    assert ("throw", "E", 1) in rulings(play(thrown)[1])
    assert not rulings(play(unsure(thrown, 1, "E", 1))[1])


def test_a_filled_in_card_counts_for_points_and_winner():
    state, _ = play(unsure([*opening_facts(), *trick(1, "E", "SK|SA|S5|S6")], 1, "N", 0))
    assert (snapshot(state)["points"], snapshot(state)["last_trick"]["winner"]) == (15, "N")


def test_who_leads_after_a_trick_with_an_unseen_lead_or_play_of_its_own_has_won_it_and_is_not_out_of_turn():
    for played in ("SK|S5|??|S6", "??|S5|S7|S6"):
        state, told = play([*opening_facts(), *trick(1, "E", played), *trick(2, "W", "DA|D3|D4|D5")])
        assert not rulings(told)
        assert snapshot(state)["tricks"][0]["winner"] == "W"


def test_who_leads_instead_of_a_winner_whose_card_was_filled_in_has_won():
    state, told = play(unsure([*opening_facts(), *trick(1, "E", "SK|SA|S5|S6"), *trick(2, "E", "DA|D3|D4|D5")], 1, "N", 0))
    assert not rulings(told)
    assert snapshot(state)["tricks"][0]["winner"] == "E"


def test_who_leads_without_having_won_a_trick_that_was_seen_is_out_of_turn():
    _, told = play([*opening_facts(), *trick(1, "E", "SK|S5|S7|S6"), *trick(2, "W", "DA|D3|D4|D5")])
    assert ("turn", "W", 2) in rulings(told)
    _, told = play([*opening_facts(), *trick(1, "E", "SK|S5|S7|??"), *trick(2, "W", "DA|D3|D4|D5")])
    assert ("turn", "W", 2) in rulings(told)
