"""Throws: what stops them, what must be led then, and the fine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, parse_cards, parse_trump
from engine.rulebook_terms import FinePer, Forced
from engine.throw import ThrowVerdict, is_throw, judge_throw
from tests.engine.deals import preset
from tests.engine.strategies import Game, clump, games, quick


def judged(rulebook: str, trump: str, lead: str, *others: str) -> ThrowVerdict:
    hands = [parse_cards(hand) for hand in others] + [parse_cards("C3 C4 C5")] * (3 - len(others))
    return judge_throw(preset(rulebook), parse_trump(trump), parse_cards(lead), hands)


def test_the_smallest_part_that_is_stopped_is_led() -> None:
    verdict = judged("shuangsheng-2deck-to10", "2/H", "SA SA S9", "SK D3 D4", "S3 D5 D6")
    assert (verdict.stands, verdict.played, verdict.penalty) == (False, ("S9",), 30)
    assert [(s.part, s.by, s.cards) for s in verdict.stopped] == [(("S9",), 0, ("SK",))]


def test_a_throw_that_nobody_can_stop_stands() -> None:
    verdict = judged("shuangsheng-2deck-to10", "2/H", "SA SA SK", "SQ SQ D4", "S3 D5 D6")
    assert (verdict.stands, verdict.played, verdict.penalty, verdict.stopped) == (True, ("SA", "SA", "SK"), 0, ())


def test_a_flat_fine() -> None:
    """staff-4deck-to4 11: 甩牌失敗方倒扣20分."""
    verdict = judged("staff-4deck-to4", "3/H", "SA SA SA SJ", "SK D4 D5 D6", "S4 D5 D6 D7")
    assert (verdict.played, verdict.penalty) == (("SJ",), 20)


def test_ten_a_card_that_is_stopped() -> None:
    """campus-2deck-2toA 五: 双大可压单小，每压一张，罚10分."""
    assert judged("campus-2deck-2toA", "2/H", "SQ SQ SA", "SK SK D3").played == ("SQ", "SQ")
    assert judged("campus-2deck-2toA", "2/H", "SQ SQ SA", "SK SK D3").penalty == 20


def test_a_higher_single_never_stops_a_pair() -> None:
    """campus-2deck-2toA 五: 单大不能压双小."""
    assert judged("campus-2deck-2toA", "2/H", "SQ SQ SA", "SK D3 D4").stands


def test_a_higher_pair_stops_a_lower_single() -> None:
    assert judged("campus-2deck-2toA", "2/H", "SA SA SQ", "SK SK D3").played == ("SQ",)


def test_ten_a_card_taken_back() -> None:
    """official-2deck-shengji, silent: 10 points a card taken back."""
    assert judged("official-2deck-shengji", "2/H", "SA SA S9", "SK D3 D4").penalty == 20


def test_a_single_card_is_no_throw() -> None:
    assert not is_throw(preset("official-2deck-shengji"), parse_trump("2/H"), parse_cards("SA"))


def test_each_pair_of_a_long_tractor_is_stopped_by_itself() -> None:
    """basic-80-10KA: 试图连出KKQQJ."""
    verdict = judged("basic-80-10KA", "10/H", "S8 S8 S9 S9 SJ SJ SA", "SQ SQ C5 C6 C7 C8 C9")
    assert sorted(stopped.part for stopped in verdict.stopped) == [("S8", "S8"), ("S9", "S9"), ("SJ", "SJ")]
    assert verdict.played == ("S8", "S8")


def test_the_pairs_of_a_tractor_are_stopped_one_by_one() -> None:
    """basic-80-10KA: 试图连出KKQQJ, 有J或大于J则强制出J, 有AA则强制出QQ."""
    assert judged("basic-80-10KA", "10/H", "SK SK SQ SQ SJ", "SA SA C5").played == ("SQ", "SQ")
    assert judged("basic-80-10KA", "10/H", "SK SK SQ SQ SJ", "SA C5 C6").played == ("SJ",)


def test_a_tractor_is_stopped_by_a_tractor_only() -> None:
    assert judged("official-2deck-shengji", "2/H", "S8 S8 S9 S9 SA", "SK SK SJ SJ").stands
    assert not judged("official-2deck-shengji", "2/H", "S8 S8 S9 S9 SA", "SK SK SQ SQ").stands


def test_a_lower_tractor_does_not_stop() -> None:
    assert judged("official-2deck-shengji", "2/H", "S8 S8 S9 S9 SA", "S3 S3 S4 S4").stands
    assert judged("staff-4deck-to4", "10/H", "SK SK SQ SQ SA", "S3 S3 S4 S4 S4").stands


def test_a_part_that_two_hands_stop_is_fined_once() -> None:
    """campus-2deck-2toA 五: 每压一张，罚10分."""
    verdict = judged("campus-2deck-2toA", "2/H", "SQ SQ S10 S10", "SK SK D3", "SA SA D4")
    assert (verdict.played, verdict.penalty) == (("S10", "S10"), 40)


def test_equal_cards_do_not_stop() -> None:
    assert judged("official-2deck-shengji", "4/S", "H4 S4", "D4 S2").stands


def test_a_wider_shape_stops_a_tractor_where_it_beats_one() -> None:
    """staff-4deck-to4 8: 特拖比同花色同張數的普通拖拉機要大."""
    verdict = judged("staff-4deck-to4", "10/H", "SK SK SQ SQ SJ SJ SA", "S3 S3 S3 S4 S4 S4 S5")
    assert verdict.played == ("SK", "SK", "SQ", "SQ", "SJ", "SJ")


def test_what_must_be_led_stands_in_the_order_in_which_it_was_laid() -> None:
    verdict = judged("official-2deck-shengji", "2/H", "SA S9 S9 S8 S8", "SJ SJ S10 S10", "D3 D4", "C3 C4")
    assert verdict.played == ("S9", "S9", "S8", "S8")


def test_no_throws_where_the_rulebook_forbids_them() -> None:
    """reverse-dig-4deck-bombs 第四章 6: 不允许甩牌."""
    verdict = judged("reverse-dig-4deck-bombs", "7/H", "SA SK", "S3 S4")
    assert (verdict.stands, verdict.played) == (False, ("SK",))


def test_a_full_house_is_no_throw() -> None:
    """threedeck-2start-6bottom 二、3: 俘虏 is a shape."""
    rules = preset("threedeck-2start-6bottom")
    assert not is_throw(rules, parse_trump("4/H"), parse_cards("S8 S8 S8 S9 S9"))
    assert is_throw(preset("union-3deck-3toK"), parse_trump("4/H"), parse_cards("S8 S8 S8 SJ SJ"))
    assert judged("threedeck-2start-6bottom", "4/H", "S8 S8 S8 S9 S9", "SA SA SA SK SK").stands


def test_one_unit_is_no_throw() -> None:
    assert not is_throw(preset("official-2deck-shengji"), parse_trump("2/H"), parse_cards("S8 S8 S9 S9"))
    assert judged("official-2deck-shengji", "2/H", "S3 S3", "SA SA S5").stands


@quick
@given(games(), st.data())
def test_what_must_be_led_is_part_of_the_throw_and_can_be_beaten(game: Game, data: st.DataObject) -> None:
    decks = game.rules.pack.decks
    lead = data.draw(clump(game.faces, decks, most=8))
    hands = [data.draw(clump((*game.faces, *game.others[:5]), decks, most=8)) for _ in range(3)]
    verdict = judge_throw(game.rules, game.trump, lead, hands)
    rest: list[Card] = list(lead)
    for card in verdict.played:
        rest.remove(card)
    if verdict.stands:
        assert not rest
        assert not verdict.stopped
        assert verdict.penalty == 0
    elif game.rules.throws.allowed:
        assert verdict.stopped
        for stopped in verdict.stopped:
            held = list(hands[stopped.by])
            for card in stopped.cards:
                held.remove(card)
            assert len(stopped.cards) == len(stopped.part)


@pytest.mark.parametrize("name", ["official-2deck-shengji", "union-3deck-3toK", "staff-4deck-to4"])
def test_the_highest_cards_of_a_suit_always_stand(name: str) -> None:
    rules = preset(name)
    lead = parse_cards("SA SA SK SK") if rules.pack.decks == 2 else parse_cards("SA SA SA SK SK SK")
    hands = [parse_cards("SQ SQ SJ SJ S9 S9")] * 3
    assert judge_throw(rules, parse_trump("5/H"), lead, hands).stands


def judged_by(lead: str, *others: str, **terms: object) -> ThrowVerdict:
    """A throw under official rules with other terms for throws, trump 2/H."""
    official = preset("official-2deck-shengji")
    rules = replace(official, throws=replace(official.throws, **terms))
    hands = [parse_cards(hand) for hand in others] + [parse_cards("C3 C4 C5")] * (3 - len(others))
    return judge_throw(rules, parse_trump("2/H"), parse_cards(lead), hands)


def test_where_the_smallest_card_is_led_it_need_not_be_one_that_was_stopped() -> None:
    assert judged_by("SA S10 S9", "SK D3 D4", forced=Forced.SMALLEST_CARD).played == ("S9",)
    assert judged_by("SA SA S9 S9 S10", "SJ D3 D4", forced=Forced.SMALLEST_CARD).played == ("S9",)


def test_a_fine_by_the_pair_counts_the_pairs_that_were_stopped() -> None:
    verdict = judged_by("S5 S5 S6 S6 S9", "S7 S7 S8 S8 SK", fine=20, fine_per=FinePer.PAIR)
    assert verdict.penalty == 40, "two pairs of the tractor; the single counts for none"


def test_an_equal_tractor_does_not_stop_one() -> None:
    assert judged("staff-4deck-to4", "10/H", "S9 S9 S8 S8 SA SA SA SA", "S9 S9 S8 S8 D3 D4 D5 D6").stands


def test_four_equal_cards_stop_a_tractor_of_two_pairs_where_they_beat_one() -> None:
    """elimination-4deck-2toA 4: 4条比2连拖大."""
    verdict = judged("elimination-4deck-2toA", "A/H", "S8 S8 S7 S7 SK SK SK SK", "S2 S2 S2 S2 D3 D4 D5 D6")
    assert [(s.part, s.cards) for s in verdict.stopped] == [(("S7", "S7", "S8", "S8"), ("S2", "S2", "S2", "S2"))]
