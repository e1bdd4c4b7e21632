"""Printed ladders where they meet throws, protected triples and dear cards; and tractors of other least sizes."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards, parse_trump
from engine.follow import FollowError, can_follow, legal_follow, verify_follow
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import preset

UNION = preset("union-3deck-3toK")
REVERSE = preset("reverse-dig-4deck-bombs")
ONLINE = preset("online-tractor")


def legal(rules: Rulebook, trump: str, lead: str, hand: str, play: str) -> bool:
    return can_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))


def test_the_ladder_of_a_tractor_holds_for_the_tractor_of_a_throw() -> None:
    """union-3deck-3toK 九: 二对/三条+一张散牌: a triple is owed where two pairs are not held."""
    hand = "S3 S3 S3 S6 SK SQ"
    assert not legal(UNION, "5/H", "S8 S8 S9 S9 SA", hand, "S3 S3 S6 SK SQ")
    assert legal(UNION, "5/H", "S8 S8 S9 S9 SA", hand, "S3 S3 S3 SK SQ")


def test_on_a_ladder_too_a_protected_triple_need_not_be_broken() -> None:
    protected = depart(UNION, policy={"draw": "longer_protected"})
    hand = "S3 S3 S3 S4 S4 S4 SJ SQ SK S7"
    assert legal(protected, "5/H", "S8 S8 S9 S9", hand, "S3 S3 S3 SJ")
    assert not legal(UNION, "5/H", "S8 S8 S9 S9", hand, "S3 S3 S3 SJ")
    given = legal_follow(protected, parse_trump("5/H"), parse_cards("S8 S8 S9 S9"), parse_cards(hand))
    assert given == ("S3", "S3", "S3", "S4")


def test_of_two_pairs_that_a_ladder_asks_for_the_cheaper_one_is_given() -> None:
    cost = {"S3": 5.0, "SK": 1.0, "S9": 3.0}.__getitem__
    given = legal_follow(UNION, parse_trump("5/H"), parse_cards("S8 S8 S8"), parse_cards("S3 S3 SK SK S9"), cost)
    assert given == ("SK", "SK", "S9")


def test_a_lone_bomb_that_is_owed_is_named_as_a_bomb() -> None:
    """reverse-dig-4deck-bombs 第四章 2: 有连牌或“炸弹”的必须要跟; the hand has no two pairs besides it."""
    with pytest.raises(FollowError) as caught:
        verify_follow(REVERSE, parse_trump("7/H"), parse_cards("S8 S8 S9 S9"), parse_cards("S5 S5 S5 S5 SJ SK"), parse_cards("S5 S5 SJ SK"))
    assert (caught.value.kind, caught.value.reason["zh"]) == ("shape", "手中黑桃可跟四张（S5 S5 S5 S5），不得跟更差的牌型")


@pytest.mark.parametrize(("length", "want"), [(2, False), (3, True)])
def test_a_run_shorter_than_the_least_tractor_is_not_owed(length: int, want: bool) -> None:
    rules = depart(ONLINE, decks=3, policy={"tractor": {"min_width": 2, "min_length": length}})
    hand, play = "S2 S2 S3 S3 S6 S6 S8 S8 SJ", "S2 S2 S6 S6 S8 S8"
    assert legal(rules, "4/H", "S9 S9 S10 S10 SJ SJ", hand, play) is want
    wide = "S2 S2 S2 S3 S3 S3 S6 S6 S6 SK SA SA SA"
    assert legal(rules, "4/H", "S9 S9 S9 S10 S10 S10 SJ SJ SJ", wide, "S2 S2 S2 S6 S6 S6 SA SA SA") is want


@pytest.mark.parametrize(("width", "want"), [(2, False), (3, True)])
def test_a_run_narrower_than_the_least_tractor_is_not_owed(width: int, want: bool) -> None:
    rules = depart(ONLINE, decks=3, policy={"tractor": {"min_width": width, "min_length": 2}})
    hand = "S2 S2 S3 S3 S6 S6 S8 S8 SJ"
    assert legal(rules, "4/H", "S9 S9 S9 S10 S10 S10", hand, "S2 S2 S6 S6 S8 S8") is want
