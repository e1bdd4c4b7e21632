"""Runs and pairs that a lead without a printed ladder owes: several at once, the longest rather than the highest, and A A 2 2."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards, parse_trump
from engine.follow import FollowError, can_follow, legal_follow, verify_follow
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import preset

OFFICIAL = preset("official-2deck-shengji")
REVERSE = preset("reverse-dig-4deck-bombs")
ONLINE = preset("online-tractor")
SIX = "H3 H3 H4 H4 H5 H5 H6 H6 H8 H8 H9 H9"
"""Six pairs in a row of trumps: no ladder is printed for them. The level is 7."""


def legal(rules: Rulebook, trump: str, lead: str, hand: str, play: str) -> bool:
    return can_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))


def test_to_two_pairs_two_pairs_are_owed() -> None:
    assert not legal(OFFICIAL, "2/H", "S8 S8 S10 S10", "S3 S3 S6 S6 SJ SQ", "S3 S3 SJ SQ")
    assert legal(OFFICIAL, "2/H", "S8 S8 S10 S10", "S3 S3 S6 S6 SJ SQ", "S3 S3 S6 S6")


def test_a_longer_low_run_is_owed_before_a_shorter_high_one() -> None:
    hand = "S3 S3 S4 S4 S5 S5 SQ SQ SK SK"
    assert not legal(OFFICIAL, "2/H", "S7 S7 S8 S8 S9 S9", hand, "S3 S3 SQ SQ SK SK")
    assert legal(OFFICIAL, "2/H", "S7 S7 S8 S8 S9 S9", hand, "S3 S3 S4 S4 S5 S5")


def test_to_two_tractors_two_are_owed_though_they_share_a_rung() -> None:
    """A with one side level, the main level with the other."""
    lead, hand = "H3 H3 H4 H4 H9 H9 H10 H10", "HA HA S7 S7 D7 D7 H7 H7 H5 H5 HJ HJ"
    assert not legal(OFFICIAL, "7/H", lead, hand, "HA HA S7 S7 H5 H5 HJ HJ")
    assert legal(OFFICIAL, "7/H", lead, hand, "HA HA S7 S7 D7 D7 H7 H7")


def test_aces_and_twos_are_a_tractor_that_three_pairs_in_a_row_ask_for() -> None:
    """reverse-dig-4deck-bombs 第六章 2: “AA22”为最小."""
    lead, hand = "H8 H8 H9 H9 H10 H10", "HA HA H2 H2 H4 H4 HJ HJ"
    assert not legal(REVERSE, "7/H", lead, hand, "HA HA H4 H4 HJ HJ")
    assert legal(REVERSE, "7/H", lead, hand, "HA HA H2 H2 H4 H4")
    assert sorted(legal_follow(REVERSE, parse_trump("7/H"), parse_cards(lead), parse_cards(hand))) == sorted(parse_cards("HA HA H2 H2 H4 H4"))


def test_aces_and_twos_are_no_tractor_where_three_pairs_are_the_least() -> None:
    rules = depart(REVERSE, policy={"tractor": {"min_width": 2, "min_length": 3}})
    assert legal(rules, "7/H", "H8 H8 H9 H9 H10 H10", "HA HA H2 H2 H4 H4 HJ HJ", "HA HA H4 H4 HJ HJ")


def test_aces_and_twos_are_owed_beside_a_longer_run() -> None:
    hand = "HA HA H2 H2 H4 H4 H9 H9 H10 H10 HJ HJ HQ HQ"
    assert not legal(REVERSE, "7/H", SIX, hand, "HA HA H4 H4 H9 H9 H10 H10 HJ HJ HQ HQ")
    assert legal(REVERSE, "7/H", SIX, hand, "HA HA H2 H2 H9 H9 H10 H10 HJ HJ HQ HQ")


def test_four_aces_make_a_tractor_downwards_and_one_with_the_twos() -> None:
    hand = "HA HA HA HA H2 H2 HK HK H4 H4 H9 H9 HJ HJ"
    assert not legal(REVERSE, "7/H", SIX, hand, "HA HA HA HA H2 H2 H4 H4 H9 H9 HJ HJ")
    assert legal(REVERSE, "7/H", SIX, hand, "HA HA HA HA H2 H2 HK HK H4 H4 H9 H9")


def test_aces_and_twos_are_owed_beside_the_lowest_run_of_four() -> None:
    hand = "HA HA H2 H2 H3 H3 H4 H4 H5 H5 H6 H6 H9 H9 HJ HJ"
    assert not legal(REVERSE, "7/H", SIX, hand, "HA HA H3 H3 H4 H4 H5 H5 H6 H6 HJ HJ")
    assert legal(REVERSE, "7/H", SIX, hand, "HA HA H2 H2 H3 H3 H4 H4 H5 H5 H6 H6")


def test_the_whole_run_is_owed_before_a_shorter_one_with_aces_and_twos() -> None:
    hand = "HA HA H2 H2 H4 H4 H5 H5 H6 H6 H8 H8 H9 H9 H10 H10"
    assert legal(REVERSE, "7/H", SIX, hand, "H4 H4 H5 H5 H6 H6 H8 H8 H9 H9 H10 H10")
    assert not legal(REVERSE, "7/H", SIX, hand, "HA HA H2 H2 H4 H4 H5 H5 H6 H6 H8 H8")


def test_another_run_of_two_serves_as_well_as_aces_and_twos() -> None:
    hand = "HA HA H2 H2 H4 H4 H5 H5 HJ HJ"
    assert legal(REVERSE, "7/H", "H8 H8 H9 H9 H10 H10", hand, "H4 H4 H5 H5 HJ HJ")
    given = legal_follow(REVERSE, parse_trump("7/H"), parse_cards("H8 H8 H9 H9 H10 H10"), parse_cards("H4 H4 H5 H5 HJ HJ HK"))
    assert sorted(given) == sorted(parse_cards("H4 H4 H5 H5 HJ HJ"))


def test_two_aces_make_one_tractor_downwards_or_with_the_twos() -> None:
    hand = "HA HA H2 H2 HK HK H4 H4 H6 H6 H9 H9 HJ HJ"
    assert legal(REVERSE, "7/H", SIX, hand, "HA HA HK HK H4 H4 H6 H6 H9 H9 HJ HJ")
    assert legal(REVERSE, "7/H", SIX, hand, "HA HA H2 H2 H4 H4 H6 H6 H9 H9 HJ HJ")
    assert not legal(REVERSE, "7/H", SIX, hand, "HK HK H2 H2 H4 H4 H6 H6 H9 H9 HJ HJ")


def test_to_a_pair_any_pair_may_be_played_though_aces_and_twos_are_held() -> None:
    assert legal(REVERSE, "7/H", "H8 H8", "HA HA H2 H2 H5", "HA HA")
    assert not legal(REVERSE, "7/H", "H8 H8", "HA HA H2 H2 H5", "HA H5")


QUAD_AND_TRACTOR = ("S3 S3 S3 S3 S7 S7 S7 S8 S8", "S10 S10 S10 S3 S3 S3 S5 S5 S5 S5 S7 S7 S7 S7 S8 S9")
TRIPLE_AND_TRACTOR = ("S5 S5 S5 S9 S9 S9 S10 S10", "S3 S3 S5 S5 S5 S6 S6 S6 S10 S10 S10 S8 S8 S9")


@pytest.mark.parametrize(
    ("decks", "thrown", "play", "want"),
    [
        (4, QUAD_AND_TRACTOR, "S5 S5 S5 S5 S3 S3 S10 S10 S9", False),
        (4, QUAD_AND_TRACTOR, "S7 S7 S7 S7 S3 S3 S5 S5 S9", True),
        (3, TRIPLE_AND_TRACTOR, "S5 S5 S5 S3 S3 S8 S8 S9", False),
        (3, TRIPLE_AND_TRACTOR, "S10 S10 S10 S5 S5 S6 S6 S9", True),
    ],
)
def test_a_tractor_is_owed_where_another_choice_of_the_wider_unit_leaves_one(decks: int, thrown: tuple[str, str], play: str, want: bool) -> None:
    """A quad and a tractor of pairs, a triple and one; the lowest quad or triple would break the only run."""
    assert legal(depart(ONLINE, decks=decks), "4/H", *thrown, play) is want


def test_where_only_tractors_are_owed_a_bulldozer_is_owed_to_a_bulldozer_and_named_whole() -> None:
    rules = depart(ONLINE, decks=3, policy={"draw": "tractor_only"})
    hand = "S5 S5 S5 S6 S6 S6 S8 S8 S8 SJ"
    with pytest.raises(FollowError) as caught:
        verify_follow(rules, parse_trump("4/H"), parse_cards("S9 S9 S9 S10 S10 S10"), parse_cards(hand), parse_cards("S5 S5 S5 S8 S8 S8"))
    assert sorted(caught.value.owed) == sorted(parse_cards("S5 S5 S5 S6 S6 S6"))


def test_where_pairs_are_optional_so_are_triples() -> None:
    rules = depart(preset("basic-80-10KA"), decks=3)
    assert legal(rules, "K/H", "S8 S8 S8", "S3 S3 S3 SJ SQ SA", "SJ SQ SA")
    assert not legal(rules, "K/H", "S8 S8 S8 S9 S9 S9", "S3 S3 S3 S4 S4 S4 SJ SQ SA", "S3 S3 S3 SJ SQ SA")
