"""The text notation prints and parses back; what is malformed or impossible is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import notation, referee
from engine.cards import NotationError, Seat, parse_cards
from engine.events import CardsPlayed, Source, TakenBack
from engine.simulate import Style
from tests.engine.deals import PRESETS, deal, facts, preset

OFFICIAL = "official-2deck-shengji"
HEAD = f"rulebook: {OFFICIAL}\ndeal: 1\nlevels: EW=2 NS=2\ndeclarer: -\nbid: E H2\ntaken: E\nburied: E 8\n"


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 300))
@settings(max_examples=3, deadline=None)
def test_a_whole_deal_parses_back(name, seed):
    done = deal(name, seed, 1)
    read = notation.parse_deal(notation.format_events(facts(done), done.hands), preset(name))
    assert list(read.events) == facts(done)
    assert read.hands == done.hands


@given(seed=st.integers(0, 300))
@settings(max_examples=10, deadline=None)
def test_a_folded_deal_prints_on_one_page_and_folds_to_the_same(seed):
    done = deal(OFFICIAL, seed, 1, Style.SENSIBLE)
    state = referee.fold(facts(done), preset(OFFICIAL))
    page = notation.format_deal(state.deal, state.names)
    assert page.count("\n") < 60
    again = referee.fold(notation.parse_deal(page).events, preset(OFFICIAL))
    assert again.deal == state.deal
    assert again.names == state.names


def test_a_trick_out_of_order_with_cards_taken_back_parses_back():
    text = "3 W: SA SA S9 | ~W SA SA | E= S3 | S4 | ..."
    number, leader, acts = notation.parse_trick(text)
    assert (number, leader) == (3, Seat.W)
    assert acts == (
        CardsPlayed(seat=Seat.W, trick=3, cards=parse_cards("SA SA S9"), source=Source.TRUTH),
        TakenBack(seat=Seat.W, trick=3, cards=parse_cards("SA SA"), source=Source.TRUTH),
        CardsPlayed(seat=Seat.E, trick=3, cards=parse_cards("S3"), source=Source.TRUTH),
        CardsPlayed(seat=Seat.S, trick=3, cards=parse_cards("S4"), source=Source.TRUTH),
    )
    assert notation.format_trick(number, leader, acts) == text


def test_a_lead_taken_back_whole_and_led_anew_parses_back():
    text = "1 E: SA | ~E SA | SK | S3 | S4 | S5"
    number, leader, acts = notation.parse_trick(text)
    assert notation.format_trick(number, leader, acts) == text
    assert [a.seat for a in acts] == [Seat.E, Seat.E, Seat.E, Seat.N, Seat.W, Seat.S]


def test_names_with_blanks_and_chinese_parse_back():
    page = HEAD.replace("deal: 1", "names: E=Ann Lee, N=北, W=, S=D\ndeal: 1")
    first = notation.parse_deal(page).events[0]
    assert first.names == {"E": "Ann Lee", "N": "北", "W": "", "S": "D"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 E: SA | S3 | S4", "3 plays; expected 4"),
        ("1 E: SA | S3 | S4 | S5 | S6", "a play too many"),
        ("1 E: SA | S3 | S4 | X5", "not a card: 'X5'"),
        ("1 E: SA | S3 | | S5", "a play without cards"),
        ("1 Q: SA | S3 | S4 | S5", "not a seat: 'Q'"),
        ("2 E: SA | S3 | S4 | S5", "trick 2 follows trick 0; expected 1"),
        ("0 E: SA | S3 | S4 | S5", "not a trick"),
        ("1 E: SA | ... | S4", "something follows"),
        ("1 E: SA | ~E SK | S3 | S4 | S5", "do not lie there"),
        ("1 E: SA SA SA | S3 S4 S5 | S6 S7 S8 | S9 SJ SQ", "3 of SA; expected at most 2"),
        ("1 E: SA | N= S3 | N= S4 | S5", "a play too many"),
        ("score: 40", "unknown line 'score'; expected rulebook"),
        ("hello", "not a line of a deal"),
        ("buried: E x", "not a burial"),
        ("buried: E 8: S3 S4", "2 cards are listed as buried; expected 8"),
        ("trump: 2/X E", "not a trump"),
        ("levels: EW=2", "leaves a side out"),
        ("deal: first", "not a deal's number"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(line, message):
    with pytest.raises(NotationError) as error:
        notation.parse_deal(HEAD + line + "\n", preset(OFFICIAL))
    assert str(error.value).startswith("line 8: ")
    assert message in str(error.value)


def test_an_unknown_rulebook_is_named():
    with pytest.raises(NotationError, match="line 1: rulebook 'no-such-sheet' cannot be read"):
        notation.parse_deal("rulebook: no-such-sheet\n")


def test_a_card_that_the_hand_does_not_hold_is_refused():
    page = HEAD + "hand E: S3 S4\n1 E: SA | S3 | S4 | S5\n"
    with pytest.raises(NotationError, match="line 9: trick 1: E plays SA, which the hand does not hold"):
        notation.parse_deal(page)


def test_a_page_without_a_deal_is_refused():
    with pytest.raises(NotationError, match="names no deal"):
        notation.parse_deal("; nothing here\n")
