"""Two ruffs of one throw, and bombs: which unit counts first, the best reading of a ruff, and that of equal plays the first wins."""

from __future__ import annotations

import pytest

from engine.beat import winner
from engine.cards import parse_cards, parse_trump
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import preset

FIVE = preset("fivedeals-4deck-from3")
ONLINE = preset("online-tractor")


def wins(rules: Rulebook, trump: str, *plays: str) -> int:
    return winner(rules, parse_trump(trump), [parse_cards(play) for play in plays])


TRIPLE_AND_TRACTOR = "S3 S3 S3 S8 S8 S9 S9"


def test_the_tractor_of_a_throw_counts_before_its_triple() -> None:
    """fivedeals-4deck-from3 7: 毙牌时按拖拉机、三条、对、单的顺序计算大小."""
    high_triple, high_tractor = "HA HA HA H5 H5 H6 H6", "H3 H3 H3 H9 H9 H10 H10"
    assert wins(FIVE, "7/H", TRIPLE_AND_TRACTOR, high_triple, high_tractor, "D3 D4 D5 D6 D8 D9 D10") == 2
    assert wins(FIVE, "7/H", TRIPLE_AND_TRACTOR, high_tractor, high_triple, "D3 D4 D5 D6 D8 D9 D10") == 1
    longest = depart(ONLINE, decks=3)
    assert wins(longest, "7/H", TRIPLE_AND_TRACTOR, high_triple, high_tractor, "D3 D4 D5 D6 D8 D9 D10") == 2


def test_the_tractor_of_a_throw_counts_before_a_quad_of_as_many_cards() -> None:
    lead = "S3 S3 S3 S3 S8 S8 S9 S9"
    high_quad, high_tractor = "HA HA HA HA H5 H5 H6 H6", "H3 H3 H3 H3 H9 H9 H10 H10"
    assert wins(FIVE, "7/H", lead, high_quad, high_tractor, "D3 D4 D5 D6 D8 D9 D10 DJ") == 2


def test_of_two_runs_of_as_many_cards_the_wider_counts_first() -> None:
    lead = "S3 S3 S3 S4 S4 S4 S8 S8 S9 S9 S10 S10"
    high_bulldozer, high_tractor = "HQ HQ HQ HK HK HK H4 H4 H5 H5 H6 H6", "H8 H8 H8 H9 H9 H9 HJ HJ HQ HQ HK HK"
    rest = "D3 D4 D5 D6 D8 D9 D10 DJ DQ DK DA C3"
    assert wins(FIVE, "7/H", lead, high_tractor, high_bulldozer, rest) == 2
    assert wins(FIVE, "7/H", lead, high_bulldozer, high_tractor, rest) == 1


def test_a_ruff_is_read_with_its_highest_tractor() -> None:
    lead, rest = "S3 S3 S4 S4 S6 S6 S9 S9", "D3 D4 D5 D6 D8 D9 D10 DJ"
    first, second = "H9 H9 H10 H10 HA HA HQ HQ", "H8 H8 H9 H9 H10 H10 HJ HJ"
    assert wins(FIVE, "7/H", lead, first, second, rest) == 2


def test_a_ruff_is_read_with_its_highest_pair() -> None:
    lead, rest = "S3 S3 S6 S9 SJ SK", "D3 D4 D5 D6 D8 D9"
    assert wins(FIVE, "7/H", lead, "H9 H9 HA HK HQ HJ", "H9 H9 H8 H8 H10 H10", rest) == 2


@pytest.mark.parametrize("evaluation", ["highest", "unit_length", "all"])
def test_of_equal_ruffs_the_first_wins(evaluation: str) -> None:
    rules = depart(ONLINE, decks=2, policy={"throw_eval": evaluation})
    assert wins(rules, "7/H", "S3 S3 S9", "HA HA HK", "D3 D4 D5", "H4 H4 HA") == 1
    assert wins(rules, "7/H", "S3 S9", "HA HK", "HA HK", "D3 D4") == 1


def test_of_equal_ruffs_compared_unit_by_unit_the_first_wins() -> None:
    assert wins(FIVE, "7/H", "S3 S3 S9", "H5 H5 H8", "H5 H5 H8", "D3 D4 D5") == 1


def test_by_the_longest_units_a_pair_decides_between_equal_triples() -> None:
    """Level cards of two side suits are equal; the singles do not count."""
    rules = depart(ONLINE, decks=3, policy={"throw_eval": "unit_length"})
    lead = "S3 S3 S3 S8 S8"
    assert wins(rules, "7/H", lead, "D7 D7 D7 H4 H4", "C7 C7 C7 H9 H9", "D3 D4 D5 D6 D8") == 2
    assert wins(rules, "7/H", lead, "D7 D7 D7 H9 H9", "C7 C7 C7 H4 H4", "D3 D4 D5 D6 D8") == 1


def test_of_two_side_bombs_the_higher_wins_and_of_equal_ones_the_first() -> None:
    rules = depart(ONLINE, decks=4, policy={"bomb": "any_suit"})
    lead, rest = "S8 S8 S9 S9", "D3 D5 D6 D8"
    assert wins(rules, "4/H", lead, "D9 D9 D9 D9", "C10 C10 C10 C10", rest) == 2
    assert wins(rules, "4/H", lead, "D10 D10 D10 D10", "C9 C9 C9 C9", rest) == 1
    assert wins(rules, "4/H", lead, "D9 D9 D9 D9", "C9 C9 C9 C9", rest) == 1
