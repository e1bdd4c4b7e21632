"""Digging, sheet by sheet."""

from __future__ import annotations

import pytest

from engine.cards import Seat, parse_cards, parse_trump
from engine.dig import DigResult, dig, multiplier
from tests.engine.deals import preset

BOTTOM = "S5 S10 D3 D4 C3 C4 C6 C7"


def dug(rulebook: str, trump: str, leader: str, plays: str, bottom: str = BOTTOM, burier: Seat | None = None) -> DigResult:
    last = [parse_cards(play) for play in plays.split(" / ")]
    return dig(preset(rulebook), parse_trump(trump), Seat.E, Seat(leader), last, parse_cards(bottom) if bottom else (), burier)


@pytest.mark.parametrize(
    ("plays", "factor", "points"),
    [
        ("SA / S3 / D5 / C9", 2, 30),
        ("SA SA / S3 S4 / D5 D6 / C9 C9", 4, 60),
        ("S8 S8 S9 S9 / S3 S4 S6 S7 / D3 D4 D6 D7 / C8 C8 CJ CJ", 8, 120),
        ("S8 S8 S9 S9 S10 S10 / S3 S4 S6 S7 SJ SK / D3 D4 D6 D7 DJ DK / C8 C8 CJ CJ C3 C4", 12, 180),
        ("SA SA SK / S3 S4 S6 / D5 D6 D7 / C9 C9 C3", 4, 60),
    ],
)
def test_campus_multipliers(plays: str, factor: int, points: int) -> None:
    """campus-2deck-2toA 二: 单抠乘2，双抠乘4，两连对乘8，三连对乘12，含对算双抠."""
    assert dug("campus-2deck-2toA", "2/H", "N", plays) == DigResult(Seat.N, factor, points)


def test_each_further_pair_doubles() -> None:
    """detailed-80-2deck 8: 用连对挖8倍，用三连对挖16倍."""
    plays = "S8 S8 S9 S9 S10 S10 / S3 S4 S6 S7 SJ SK / D3 D4 D6 D7 DJ DK / C8 C8 CJ CJ C3 C4"
    assert dug("detailed-80-2deck", "2/H", "N", plays).multiplier == 16


def test_declarers_who_win_the_last_trick_lose_nothing() -> None:
    assert dug("official-2deck-shengji", "2/H", "W", "SA / S3 / D5 / C9") == DigResult(Seat.W, 0, 0)


def test_only_trumps_dig() -> None:
    """staff-4deck-to4 扣底 2: 主牌才能扣底."""
    assert dug("staff-4deck-to4", "3/H", "N", "SA SA / S4 S6 / D5 D6 / C9 C9") == DigResult(Seat.N, 0, 0)
    assert dug("staff-4deck-to4", "3/H", "N", "HA HA HA / H4 H6 H7 / D5 D6 D7 / C9 C9 C9") == DigResult(Seat.N, 3, 45)
    assert dug("staff-4deck-to4", "3/H", "N", "HA HA HK HK / H4 H6 H7 H8 / D5 D6 D7 D8 / C9 C9 C9 C8").multiplier == 4


def test_a_ruff_digs_with_the_winners_cards() -> None:
    assert dug("staff-4deck-to4", "3/H", "E", "SA SA / H4 H4 / S5 S6 / C9 C9") == DigResult(Seat.N, 2, 30)


def test_declarers_deduct_from_two_cards_on() -> None:
    """union-3deck-3toK 八: 庄家所出一张单牌为大则保住底分；一对牌为大则扣除攻庄方底分*2."""
    bottom = "S5 S10 D3 D4 C3 C4"
    assert dug("union-3deck-3toK", "4/H", "W", "HA HA / H5 H6 / D5 D6 / C9 C9", bottom) == DigResult(Seat.W, 2, -30)
    assert dug("union-3deck-3toK", "4/H", "W", "HA / H5 / D5 / C9", bottom).points == 0
    assert dug("union-3deck-3toK", "4/H", "N", "HA / H5 / D5 / C9", bottom) == DigResult(Seat.N, 1, 15)


def test_twice_the_cards_of_the_highest_kind_only() -> None:
    """threedeck-2start-6bottom 7: 抠底牌张数乘以2，只计算级数最高的一项."""
    bottom = "S5 S10 D3 D4 C3 C4"
    assert dug("threedeck-2start-6bottom", "4/H", "N", "HA HA / H5 H6 / D5 D6 / C9 C9", bottom) == DigResult(Seat.N, 4, 60)
    assert dug("threedeck-2start-6bottom", "4/H", "E", "SA SA SK / H6 H6 H9 / D5 D6 D7 / C9 C9 C8", bottom) == DigResult(Seat.N, 4, 60)


def test_the_reverse_dig_takes_the_last_trick_times_the_cards() -> None:
    """reverse-dig-4deck-bombs 第七章 3: 最后一次出的所有的牌面值分，按张数的倍数计分."""
    assert dug("reverse-dig-4deck-bombs", "4/H", "N", "HA HA / H5 H10 / D6 D7 / C9 CK", "") == DigResult(Seat.N, 2, 50)
    assert dug("reverse-dig-4deck-bombs", "4/H", "E", "HA HA / H5 H10 / D6 D7 / C9 CK", "") == DigResult(Seat.E, 2, -50)


def test_a_fixed_multiplier() -> None:
    """basic-80-10KA: 若最后一圈是抓分方大，底牌分数牌将翻倍."""
    assert dug("basic-80-10KA", "10/H", "N", "SA SA / S3 S4 / D5 D6 / C9 C9").multiplier == 2


def test_whoever_buried_last_guards_the_bottom() -> None:
    """school-2deck-2J-must 第四: 拣分一方反牌后扣底，没有守住，在所得分中减去底分."""
    won_by_declarers = "SA / S4 / D5 / C9"
    assert dug("school-2deck-2J-must", "3/H", "E", won_by_declarers, burier=Seat.N) == DigResult(Seat.E, 2, -30)
    assert dug("school-2deck-2J-must", "3/H", "E", won_by_declarers).points == 0
    assert dug("school-2deck-2J-must", "3/H", "N", won_by_declarers, burier=Seat.S).points == 0
    assert dug("school-2deck-2J-must", "3/H", "N", won_by_declarers) == DigResult(Seat.N, 2, 30)


def test_nothing_is_dug_without_a_bottom() -> None:
    assert multiplier(preset("nanning-4deck-nobottom"), parse_trump("3/H"), parse_cards("HA HA")) == 0


def test_a_last_lead_of_several_suits_digs_as_single_cards() -> None:
    assert dug("official-2deck-shengji", "2/H", "N", "SA SA DA / S3 S4 S6 / D5 D6 D7 / C9 C9 C3") == DigResult(Seat.N, 2, 30)


def test_the_online_multiplier_is_twice_the_largest_unit() -> None:
    rules = preset("online-tractor")
    assert [multiplier(rules, parse_trump("2/H"), parse_cards(cards)) for cards in ("SA", "SA SA", "SK SK SA SA", "SA SA SK")] == [2, 4, 8, 4]
