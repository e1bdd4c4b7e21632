"""The words of a refused follow: what was owed, with which cards, by which clause; and which cards a legal follow gives away."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards, parse_trump
from engine.follow import FollowError, can_follow, legal_follow, verify_follow
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import preset

OFFICIAL = preset("official-2deck-shengji")
PROTECTED = depart(preset("online-tractor"), decks=3, policy={"draw": "longer_protected"})
BOMBS = depart(preset("online-tractor"), decks=4, policy={"bomb": "suit_following"})


def refusal(rules: Rulebook, trump: str, lead: str, hand: str, play: str) -> FollowError:
    with pytest.raises(FollowError) as caught:
        verify_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))
    return caught.value


def test_a_suit_that_was_held_is_told_with_how_many_and_which() -> None:
    error = refusal(preset("shuangsheng-2deck-to10"), "2/H", "S8 S8 S9", "S3 S5 D4 D6", "S3 D4 D6")
    assert error.reason["zh"] == "首引黑桃，手中有黑桃2张，须跟2张，例如S3 S5"
    assert error.reason["en"] == str(error) == "spades were led and 2 held: 2 of them must be played, for example S3 S5"
    assert (error.kind, error.owed, error.clause) == ("suit", ("S3", "S5"), "有对必须跟对")


def test_of_a_long_suit_no_more_is_owed_than_was_led() -> None:
    error = refusal(OFFICIAL, "2/H", "H8 H9", "H3 LJ BJ D4", "H3 D4")
    assert error.reason["zh"] == "首引主牌，手中有主牌3张，须跟2张，例如H3 LJ"


def test_a_pair_that_was_held_is_told_with_the_clause_that_owes_it() -> None:
    error = refusal(preset("shuangsheng-2deck-to10"), "2/H", "S8 S8", "S5 S5 SK", "S5 SK")
    assert error.reason["zh"] == "手中黑桃可跟对子（S5 S5），不得跟更差的牌型"
    assert error.reason["en"] == str(error) == "a pair could be made (S5 S5), so nothing less may be played"
    assert error.clause == "有对必须跟对"


def test_a_sheet_without_such_a_clause_is_said_to_be_silent() -> None:
    assert refusal(OFFICIAL, "2/H", "S8 S8", "S5 S5 SK", "S5 SK").clause == "silent"
    assert refusal(OFFICIAL, "2/H", "S8", "S5 D4", "D4").clause == "silent"


def test_where_a_ladder_is_printed_its_clause_is_named_and_the_principle_where_none_is() -> None:
    union = preset("union-3deck-3toK")
    ladder = refusal(union, "5/H", "S8 S8 S8", "S4 S4 S9 SK", "S4 S9 SK").clause
    assert ladder.startswith("三条/一对+一张散牌")
    assert refusal(union, "5/H", "S8 S8", "S4 S4 S9", "S4 S9").clause == "按顺序先出"


def test_a_wrong_count_is_told_with_both_numbers_and_the_clause_on_it() -> None:
    rules = preset("reverse-dig-4deck-bombs")
    error = refusal(rules, "7/H", "S8 S8", "S9 S9 S10", "S9")
    assert error.reason == {"zh": "首引2张，须跟2张，实出1张", "en": "2 cards were led, so 2 must be played, not 1"}
    assert (error.kind, error.owed, error.clause) == ("count", (), rules.clause("penalties.wrong_count"))
    assert error.clause != "silent"


def test_where_triples_are_protected_only_free_pairs_are_owed_and_named() -> None:
    error = refusal(PROTECTED, "4/C", "S3 S3 S5 S5", "S7 S7 S7 S9 S9 SJ SK", "S7 S9 SJ SK")
    assert (error.kind, error.owed) == ("pair", ("S9", "S9"))
    assert error.reason["en"] == "a pair could be made (S9 S9), so nothing less may be played"
    assert legal_follow(PROTECTED, parse_trump("4/C"), parse_cards("S3 S3"), parse_cards("SK SK SK S5 S6")) == ("S5", "S6")


def test_a_bomb_of_the_led_suit_may_be_laid_over_a_tractor_that_is_held() -> None:
    trump, lead = parse_trump("4/H"), parse_cards("S8 S8 S9 S9")
    hand, bomb = parse_cards("S2 S2 S2 S2 S5 S5 S6 S6"), parse_cards("S2 S2 S2 S2")
    assert can_follow(BOMBS, trump, lead, hand, bomb)
    assert not can_follow(depart(BOMBS, decks=4, policy={"bomb": "none"}), trump, lead, hand, bomb)


def test_a_void_hand_gives_away_its_lowest_cards_and_no_trump() -> None:
    trump = parse_trump("2/H")
    assert legal_follow(OFFICIAL, trump, parse_cards("S8"), parse_cards("D10 D9 H3")) == ("D9",)
    assert legal_follow(OFFICIAL, trump, parse_cards("S8 S9"), parse_cards("S3 C10 C9 H3")) == ("S3", "C9")


def test_of_two_pairs_the_one_that_costs_less_is_given() -> None:
    cost = {"S3": 5.0, "SK": 1.0}.__getitem__
    assert legal_follow(OFFICIAL, parse_trump("2/H"), parse_cards("S8 S8"), parse_cards("S3 S3 SK SK"), cost) == ("SK", "SK")


TRIPLES = "S9 S9 S9 SJ SJ SJ SQ SQ"


@pytest.mark.parametrize(
    ("decks", "lead", "hand", "play", "kind", "words"),
    [
        (3, "S9 S9 S9 S10 S10 S10", "S5 S5 S5 S6 S6 S6 S8 S8 S8 SJ", "S5 S5 S5 S8 S8 S8", "tractor", "a bulldozer of 2 × 3 cards"),
        (3, TRIPLES, "S5 S5 S5 S6 S6 S7 S7 S8 SK SK", "S5 S5 S6 S6 S7 S7 S8 SK", "shape", "a triple and a tractor of 2 pairs"),
        (3, TRIPLES, "S5 S5 S5 S6 S6 S7 S7 S8 SK SK", "S5 S5 S5 S6 S6 S8 SK S7", "tractor", "a triple and a tractor of 2 pairs"),
        (3, "S9 S9 S9", "S5 S5 S7 S8", "S5 S7 S8", "pair", "a pair"),
        (4, "S9 S9 S9 S9", "S5 S5 S7 S7 S8", "S5 S5 S7 S8", "pair", "2 × pair"),
        (4, "S9 S9 S9 S9", "S5 S5 S5 S7 S8", "S5 S5 S7 S8", "shape", "a triple"),
        (2, "S9 S9 S10 S10 SK SK", "S3 S3 S5 S5 S7 S7 SQ SQ SA", "S3 S3 S7 S7 SQ SQ", "tractor", "a tractor of 2 pairs and a pair"),
    ],
)
def test_what_could_be_made_without_a_ladder_is_told_unit_by_unit(decks: int, lead: str, hand: str, play: str, kind: str, words: str) -> None:
    error = refusal(depart(preset("online-tractor"), decks=decks), "4/H", lead, hand, play)
    assert (error.kind, error.reason["en"].partition(" could be made")[0]) == (kind, words)


def test_on_a_ladder_with_protected_triples_the_rung_that_is_owed_is_named() -> None:
    rules = depart(preset("union-3deck-3toK"), policy={"draw": "longer_protected"})
    error = refusal(rules, "5/H", "S8 S8 S9 S9", "S3 S3 S3 S4 S4 S4 SJ SQ SK S7", "SJ SQ SK S7")
    assert (error.kind, error.owed, error.reason["en"].partition(" could")[0]) == ("shape", ("S3", "S3", "S3"), "a triple")
