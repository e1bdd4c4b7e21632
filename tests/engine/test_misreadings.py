"""Whatever a camera reads, the referee takes it: it is recorded, judged or left undecided, and nothing raises."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import notation, referee
from engine.cards import FACES, SEATS, UNKNOWN, Card, Seat
from engine.deal_state import EITHER, UNSURE
from engine.events import BottomShown, BottomTaken, Buried, CardsPlayed, Corrected, Declared, RulingDecided, ScoreSet, TakenBack, Undone
from engine.view import snapshot
from tests.engine.deals import PRESETS, deal, facts, preset
from tests.engine.test_referee import opening_facts, play, trick

OFFICIAL = "official-2deck-shengji"
CARDS = st.lists(st.sampled_from([*FACES, UNKNOWN, Card("SA"), Card("SA")]), max_size=5).map(tuple)
SEAT = st.sampled_from(SEATS)
FACT = st.one_of(
    st.builds(CardsPlayed, seat=SEAT, trick=st.integers(0, 6), cards=CARDS),
    st.builds(CardsPlayed, seat=SEAT, trick=st.integers(1, 3), cards=st.sampled_from([(Card("SA"),), (Card("S3"), Card("S3"))])),
    st.builds(TakenBack, seat=SEAT, trick=st.integers(0, 4), cards=CARDS),
    st.builds(Corrected, seat=SEAT, trick=st.integers(0, 4), cards=CARDS),
    st.builds(Declared, seat=SEAT, cards=CARDS, face_down=st.booleans()),
    st.builds(BottomTaken, seat=SEAT),
    st.builds(Buried, seat=SEAT, count=st.integers(0, 9)),
    st.builds(BottomShown, cards=CARDS),
    st.builds(Undone, target=st.integers(0, 30)),
    st.builds(ScoreSet, points=st.integers(-50, 300), trick=st.integers(0, 20), leader=st.none() | SEAT),
    st.builds(RulingDecided, ruling=st.sampled_from(["1.1.N.turn", "1.1.E.lead", "x", "..."]), decision=st.sampled_from(["confirmed", "overruled"])),
)


@given(name=st.sampled_from(PRESETS), events=st.lists(FACT, max_size=25), opened=st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_readings_are_taken_and_shown(name, events, opened):
    state = referee.start(preset(name))
    for event in [*(opening_facts(name)[1:] if opened else ()), *events]:
        state, _ = referee.step(state, event)
        json.dumps(snapshot(state))
        referee.expectation(state)


@given(seed=st.integers(0, 50), data=st.data())
@settings(max_examples=15, deadline=None)
def test_a_whole_deal_with_misread_cards_is_taken_to_its_end(seed, data):
    events = facts(deal(OFFICIAL, seed))
    state = referee.start(preset(OFFICIAL))
    misread = data.draw(st.lists(st.integers(0, len(events) - 1), max_size=6))
    for i, event in enumerate(events):
        read = event
        if i in misread and isinstance(event, CardsPlayed):
            read = CardsPlayed(seat=event.seat, trick=event.trick, cards=data.draw(CARDS.filter(bool)))
        state, _ = referee.step(state, read)
        snapshot(state)


def test_a_lead_of_two_suits_is_ruled_and_wins():
    state, told = play([*opening_facts(), *trick(1, "E", "S3 D3|SA SA|DA DA|C3 C4")])
    assert [(r.kind, r.seat) for r in referee.rulings(state)] == [("lead", Seat.E)]
    assert state.deal.tricks[0].winner is Seat.E
    assert told


def test_a_play_of_the_wrong_number_of_cards_does_not_win():
    state, _ = play([*opening_facts(), *trick(1, "E", "S3|SA SA|S4|S5")])
    assert state.deal.tricks[0].winner is Seat.S
    assert [r.kind for r in referee.rulings(state)] == ["count"]


def test_an_unknown_lead_is_not_beaten_and_an_unknown_follow_does_not_beat():
    events = [*opening_facts(), *trick(1, "E", "SA|S3|S4|S5")]
    hidden = [CardsPlayed(seat=e.seat, trick=1, cards=(UNKNOWN,)) if isinstance(e, CardsPlayed) and e.seat is Seat.E else e for e in events]
    state, _ = play(hidden)
    assert state.deal.tricks[0].winner is Seat.E
    assert referee.rulings(state) == ()
    assert "??" in notation.format_deal(state.deal)


def test_a_card_that_nobody_has_surely_seen_is_none_too_many_or_too_few():
    for cards in ("S3|SA ??|S4|S5", "S3 ??|SA|S4 S4|S5"):
        state, _ = play([*opening_facts(), *trick(1, "E", cards)])
        assert referee.rulings(state) == ()
    state, _ = play([*opening_facts(), *trick(1, "E", "S3|SA SA ??|S4|S5")])
    assert [r.kind for r in referee.rulings(state)] == ["count"]


@pytest.mark.parametrize(("either", "accused"), [({"0": ["LJ", "BJ"], "1": ["BJ", "LJ"]}, True), ({"0": ["LJ", "SK"], "1": ["BJ", "LJ"]}, True),
                                                 ({"0": ["LJ", "SK"], "1": ["BJ", "CK"]}, False), ({}, False)])  # fmt: skip
def test_jokers_led_of_which_none_is_surely_read_are_owed_trump_whichever_they_are(either, accused):
    events = [*opening_facts(), *trick(1, "E", "LJ LJ|D4 C4|D6 D7|D9 D10"), *trick(2, "E", "BJ|BJ|C8|C9")]
    read = {**events[len(opening_facts())].evidence, UNSURE: (0, 1), EITHER: either}
    seen = [replace(e, evidence=read) if isinstance(e, CardsPlayed) and e.trick == 1 and e.seat is Seat.E else e for e in events]
    found = [(r.kind, r.seat, r.trick, r.proved_by) for r in referee.rulings(play(seen)[0])]
    assert (("suit", Seat.N, 1, 2) in found) is accused


@pytest.mark.parametrize(("lead", "unsure", "accused"), [("S3 S3 S5", (2,), True), ("S3 ?? S5", (2,), False), ("S3 S3 D5", (2,), False)])
def test_a_lead_with_an_unsure_card_of_its_suit_is_followed_in_it_whichever_it_is(lead, unsure, accused):
    events = [*opening_facts(), *trick(1, "E", f"{lead}|SA C4 C4|S4 S4 S6|S5 S6 S7"), *trick(2, "E", "SQ|SK|S8|S9")]
    read = {**events[len(opening_facts())].evidence, UNSURE: unsure}
    seen = [replace(e, evidence=read) if isinstance(e, CardsPlayed) and e.trick == 1 and e.seat is Seat.E else e for e in events]
    found = [(r.kind, r.seat, r.trick, r.proved_by) for r in referee.rulings(play(seen)[0])]
    assert (("suit", Seat.N, 1, 2) in found) is accused
    held_once = [*seen[:-3], *trick(2, "E", "SQ|D4|D5|D6")[1:]]
    assert not any(r.kind == "suit" and r.seat is Seat.N for r in referee.rulings(play(held_once)[0]))
