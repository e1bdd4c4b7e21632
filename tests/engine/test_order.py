"""The order of the cards and what is adjacent, sheet by sheet."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import FACES, Card, parse_cards, parse_trump
from engine.order import TRUMPS, adjacent, group, order_of, strength
from tests.engine.deals import PRESETS, preset
from tests.engine.strategies import quick, trumps


def chain(rulebook: str, trump: str, faces: str) -> list[bool]:
    """For each two neighbours in a list from low to high whether they are adjacent."""
    cards = parse_cards(faces)
    return [adjacent(preset(rulebook), parse_trump(trump), low, high) for low, high in itertools.pairwise(cards)]


def test_default_chain_runs_ace_side_level_main_level_little_joker_big_joker() -> None:
    assert chain("official-2deck-shengji", "4/H", "H3 H5 HK HA S4 H4 LJ BJ") == [True, False, True, True, True, True, True]


def test_at_level_ace_the_king_is_next_to_the_side_ace() -> None:
    assert chain("official-2deck-shengji", "A/S", "SQ SK HA SA LJ") == [True, True, True, True]
    assert chain("official-2deck-shengji", "A/S", "HQ HK HA") == [True, False]


def test_at_level_two_the_suits_begin_with_three() -> None:
    assert chain("official-2deck-shengji", "2/H", "H3 H4 HA S2 H2") == [True, False, True, True]
    assert not adjacent(preset("official-2deck-shengji"), parse_trump("2/H"), Card("H2"), Card("H3"))


def test_ace_and_two_are_not_adjacent() -> None:
    """campus-2deck-2toA: “AA”与“22”不为相连级."""
    assert chain("campus-2deck-2toA", "5/H", "SA S2") == [False]
    assert chain("campus-2deck-2toA", "5/H", "S2 S3") == [True]


def test_campus_level_three_makes_neighbours() -> None:
    """campus-2deck-2toA 四: 打3时2244为拖拉机, 主AA与副33, 主33与副33, 主33与小王."""
    assert chain("campus-2deck-2toA", "3/H", "S2 S4") == [True]
    assert chain("campus-2deck-2toA", "3/H", "HA S3 H3 LJ") == [True, True, True]


def test_staff_skips_the_level_rank() -> None:
    """staff-4deck-to4 牌型 3: 主副牌都可以隔拖."""
    assert chain("staff-4deck-to4", "10/H", "S9 SJ") == [True]
    assert chain("staff-4deck-to4", "10/H", "HA S10 H10 LJ BJ") == [True, True, True, True]


@pytest.mark.parametrize("rulebook", ["fivedeals-4deck-from3", "fourdeck-150min"])
def test_no_skipping_of_the_level_rank(rulebook: str) -> None:
    """fourdeck-150min 4: 打“4”时，副牌“3”与“5”不算“拖拉机”; fivedeals-4deck-from3 5: 不能隔拖."""
    assert chain(rulebook, "4/H", "S3 S5") == [False]
    assert chain(rulebook, "4/H", "H3 H5") == [False]
    assert chain(rulebook, "4/H", "S5 S6") == [True]


def test_level_cards_form_no_tractor_with_cards_of_the_suit() -> None:
    """fivedeals-4deck-from3 5: 级牌不能与相同花色的付牌构成拖拉机."""
    assert chain("fivedeals-4deck-from3", "4/H", "S4 H4 LJ BJ") == [True, True, True]
    assert chain("fivedeals-4deck-from3", "4/H", "HA S4") == [False]


def test_jokers_form_no_tractor() -> None:
    """basic-80-10KA: 大小王不构成拖拉机."""
    assert chain("basic-80-10KA", "10/H", "LJ BJ") == [False]


def test_constant_twos() -> None:
    """reverse-dig-4deck-bombs 第三章: 主2副2不能相连, 打4时3与5也算; 第六章: AA22为最小."""
    rules = preset("reverse-dig-4deck-bombs")
    assert group(rules, parse_trump("7/H"), Card("S2")) == TRUMPS
    assert chain("reverse-dig-4deck-bombs", "7/H", "S2 H2") == [False]
    assert chain("reverse-dig-4deck-bombs", "4/H", "S3 S5") == [True]
    assert adjacent(rules, parse_trump("7/H"), Card("H2"), Card("HA"))
    assert adjacent(rules, parse_trump("7/H"), Card("HA"), Card("H2"))
    assert not adjacent(rules, parse_trump("7/H"), Card("HA"), Card("S2"))


def test_no_trump_orders_level_cards_and_jokers_only() -> None:
    rules, trump = preset("official-2deck-shengji"), parse_trump("2/NT")
    assert {card for card in FACES if group(rules, trump, card) == TRUMPS} == set(parse_cards("S2 H2 D2 C2 LJ BJ"))
    assert strength(rules, trump, Card("S2")) == strength(rules, trump, Card("D2")) < strength(rules, trump, Card("LJ"))
    assert chain("official-2deck-shengji", "2/NT", "S2 LJ BJ") == [True, True]


@quick
@given(st.sampled_from(PRESETS), trumps())
def test_every_face_has_one_place_and_equal_cards_are_only_off_suit_level_cards_and_twos(name: str, trump: object) -> None:
    rules = preset(name)
    order = order_of(rules, trump)  # type: ignore[arg-type]
    assert set(order.group) >= set(FACES)
    at: dict[tuple[str, int], list[Card]] = {}
    for card in FACES:
        at.setdefault((order.group[card], order.place[card]), []).append(card)
    for faces in at.values():
        assert len(faces) == 1 or {card[1:] for card in faces} in ({order.trump.level}, {"2"})  # type: ignore[union-attr]
    assert max(FACES, key=lambda card: (order.group[card] == TRUMPS, order.place[card])) == "BJ"
