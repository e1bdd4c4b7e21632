"""Shapes: how leads are read, and all their readings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_cards, parse_trump
from engine.rulebook_policy import depart
from engine.shapes import Kind, ShapeError, kind_of, read, readings, shape_name
from tests.engine.deals import preset
from tests.engine.strategies import Game, clump, games, quick


def units(rulebook: str, trump: str, cards: str, decks: int | None = None) -> list[tuple[str, int, int, str]]:
    rules = depart(preset(rulebook), decks=decks) if decks else preset(rulebook)
    return [(u.kind.value, u.width, u.length, str(u.top)) for u in read(rules, parse_trump(trump), parse_cards(cards))]


def test_a_tractor_of_three_pairs_and_a_single() -> None:
    assert units("official-2deck-shengji", "2/H", "S7 S7 S8 S8 S9 S9 SA") == [("tractor", 2, 3, "S9"), ("single", 1, 1, "SA")]


def test_the_longest_unit_is_read_first_and_a_tractor_before_equal_cards() -> None:
    assert units("online-tractor", "4/S", "H2 H2 H2 H3 H3", 3) == [("tractor", 2, 2, "H3"), ("single", 1, 1, "H2")]
    assert units("online-tractor", "4/H", "S2 S2 S2 S2 S2 S2 S2 S3 S3 S5 S5", 7) == [("bomb", 7, 1, "S2"), ("tractor", 2, 2, "S5")]


def test_triple_and_pair_are_read_as_a_throw() -> None:
    """staff-4deck-to4 9: AAAKK一侓視為三條加任意一對牌型的甩牌."""
    assert units("staff-4deck-to4", "10/H", "SA SA SA SK SK") == [("triple", 3, 1, "SA"), ("pair", 2, 1, "SK")]


def test_bulldozers_and_quads() -> None:
    assert units("staff-4deck-to4", "10/H", "S9 S9 S9 SJ SJ SJ") == [("bulldozer", 3, 2, "SJ")]
    assert units("staff-4deck-to4", "10/H", "S9 S9 S9 S9") == [("quad", 4, 1, "S9")]


def test_a_full_house_is_triple_and_pair() -> None:
    """threedeck-2start-6bottom 二、3: 俘虏."""
    assert units("threedeck-2start-6bottom", "2/H", "S8 S8 S8 S9 S9") == [("triple", 3, 1, "S8"), ("pair", 2, 1, "S9")]


def test_off_level_pairs_of_two_suits() -> None:
    assert units("official-2deck-shengji", "7/H", "HA HA S7 S7 D7 D7 H7 H7")[0] == ("tractor", 2, 3, "H7")
    assert units("official-2deck-shengji", "7/H", "S7 D7") == [("single", 1, 1, "D7"), ("single", 1, 1, "S7")]


def test_two_aces_and_two_twos_are_one_unit_by_themselves_only() -> None:
    """reverse-dig-4deck-bombs 第三章 3: 22AAKK不能作为连牌."""
    assert units("reverse-dig-4deck-bombs", "7/H", "H2 H2 HA HA") == [("tractor", 2, 2, "H2")]
    assert [u[:3] for u in units("reverse-dig-4deck-bombs", "7/H", "H2 H2 HA HA HK HK")] == [("tractor", 2, 2), ("pair", 2, 1)]


@pytest.mark.parametrize(
    ("cards", "decks", "want"),
    [
        ("H2 H2 H3 H3", 2, [["H2 H2 H3 H3"]]),
        ("H2 H2 H2 H3 H3", 3, [["H2 H2 H3 H3", "H2"], ["H2 H2 H2", "H3 H3"]]),
        ("H3 H3 H3 H5 H5 H5", 3, [["H3 H3 H3 H5 H5 H5"]]),
        (
            "H2 H2 H3 H3 H3 H5 H5 H5",
            3,
            [["H3 H3 H3 H5 H5 H5", "H2 H2"], ["H2 H2 H3 H3 H5 H5", "H3", "H5"], ["H2 H2 H3 H3", "H3", "H5 H5 H5"]],
        ),
    ],
)
def test_all_readings_into_maximal_units(cards: str, decks: int, want: list[list[str]]) -> None:
    rules = depart(preset("online-tractor"), decks=decks)
    got = readings(rules, parse_trump("4/S"), parse_cards(cards))
    assert sorted(sorted(" ".join(u.cards) for u in reading) for reading in got) == sorted(sorted(reading) for reading in want)


def test_aces_and_level_pairs_can_be_two_tractors_or_a_longer_one() -> None:
    got = readings(preset("online-tractor"), parse_trump("7/H"), parse_cards("HA HA S7 S7 D7 D7 H7 H7"))
    shapes = [sorted((u.width, u.length) for u in reading) for reading in got]
    assert shapes.count([(2, 2), (2, 2)]) == 2
    assert shapes.count([(2, 1), (2, 3)]) == 2


def test_cards_of_two_suits_are_refused() -> None:
    with pytest.raises(ShapeError, match="several suits"):
        read(preset("official-2deck-shengji"), parse_trump("2/H"), parse_cards("S3 D3"))


def test_least_length_of_a_tractor() -> None:
    rules = depart(preset("online-tractor"), policy={"tractor": {"min_width": 2, "min_length": 3}})
    assert [u.shape for u in read(rules, parse_trump("4/S"), parse_cards("H2 H2 H3 H3"))] == [(2, 1), (2, 1)]
    assert [u.shape for u in read(rules, parse_trump("4/S"), parse_cards("H2 H2 H3 H3 H5 H5"))] == [(2, 3)]


@quick
@given(games(), st.data())
def test_a_reading_holds_every_card_once_and_the_biggest_unit_first(game: Game, data: st.DataObject) -> None:
    cards = data.draw(clump(game.faces, game.rules.pack.decks, most=12))
    got = read(game.rules, game.trump, cards)
    assert sorted(card for unit in got for card in unit.cards) == sorted(cards)
    sizes = [unit.size for unit in got]
    assert sizes == sorted(sizes, reverse=True)


@quick
@given(games(most_faces=5), st.data())
def test_the_engines_reading_is_among_all_readings(game: Game, data: st.DataObject) -> None:
    cards = data.draw(clump(game.faces, min(game.rules.pack.decks, 3), most=8))
    first = sorted(sorted(unit.cards) for unit in read(game.rules, game.trump, cards))
    every = [sorted(sorted(unit.cards) for unit in reading) for reading in readings(game.rules, game.trump, cards)]
    assert every
    assert len({str(reading) for reading in every}) == len(every)
    if not game.rules.shapes.full_house and game.rules.shapes.max_width >= game.rules.pack.decks:
        assert first in every


def test_every_shape_has_a_name_in_both_languages() -> None:
    assert kind_of((3, 2)) is Kind.BULLDOZER
    assert shape_name((2, 1)) == ("对子", "a pair")
    assert "3" in shape_name((2, 3))[0]
