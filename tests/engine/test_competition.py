"""Match points, tie-breaks and who meets whom."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from engine.competition import (
    BYE,
    CompetitionError,
    Result,
    by_standing,
    forfeits,
    game_by_points,
    knockout,
    match_points,
    next_round,
    round_robin,
    standings,
)
from engine.rulebook_terms import TieBreak
from tests.engine.deals import preset

SWISS = "swiss-3deck"


def test_swiss_win_two_draw_one_forfeit_two():
    rules = preset(SWISS).match
    won = Result(1, "a", "b", ("8", "2"), "a")
    assert [match_points(rules, won, n) for n in "ab"] == [2, 0]
    assert [match_points(rules, Result(1, "a", "b", ("5", "5"), None), n) for n in "ab"] == [1, 1]
    assert [match_points(rules, Result(1, "a", "b", ("2", "2"), "a", forfeit="b"), n) for n in "ab"] == [2, 0]


def test_swiss_equal_points_are_parted_by_level_differences_then_by_the_last_level():
    first = [Result(1, "a", "b", ("8", "2"), "a"), Result(1, "c", "d", ("5", "3"), "c")]
    results = [*first, Result(2, "a", "c", ("3", "6"), "c"), Result(2, "b", "d", ("7", "3"), "b")]
    table = standings(preset(SWISS), "abcd", results)
    assert [(row.entrant, row.points, row.level_difference, row.last_level) for row in table] == [
        ("c", 4, 5, 4),
        ("a", 2, 3, 1),
        ("b", 2, -2, 5),
        ("d", 0, -6, 1),
    ]
    assert [row.place for row in table] == [1, 2, 3, 4]


def test_whom_nothing_parts_shares_a_place():
    rules = preset(SWISS)
    rules = replace(rules, match=replace(rules.match, tie_breaks=(TieBreak.LEVEL_DIFFERENCE,)))
    table = standings(rules, "ab", [])
    assert [row.place for row in table] == [1, 1]


def test_a_result_that_cannot_be_counted_is_refused():
    with pytest.raises(CompetitionError, match="'x' is no entrant"):
        standings(preset(SWISS), "ab", [Result(1, "a", "x", ("3", "2"), "a")])
    with pytest.raises(CompetitionError, match="level 'Z' is not on the path"):
        standings(preset(SWISS), "ab", [Result(1, "a", "b", ("Z", "2"), "a")])


@pytest.mark.parametrize("number", [2, 3, 4, 5, 8])
def test_in_a_round_robin_everybody_meets_everybody_once(number):
    names = [str(i) for i in range(number)]
    rounds = round_robin(names)
    assert sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs) == sorted(combinations(names, 2))
    assert all(len({n for pair in pairs for n in pair}) == 2 * len(pairs) for pairs in rounds)


def test_by_standing_the_first_meets_the_second_and_nobody_twice():
    assert by_standing("abcd") == (("a", "b"), ("c", "d"))
    assert by_standing("abcd", [("a", "b")]) == (("a", "c"), ("b", "d"))
    assert by_standing("abc") == (("a", "b"),)
    every = list(combinations("abcd", 2))
    assert by_standing("abcd", every) == (("a", "b"), ("c", "d"))


def test_in_a_knock_out_the_first_drawn_have_the_round_off():
    assert knockout("abcde") == (("a", BYE), ("b", BYE), ("c", BYE), ("d", "e"))
    assert knockout("abcd") == (("a", "b"), ("c", "d"))


def test_who_has_the_first_round_of_a_knockout_off_comes_in_with_the_second():
    rules = preset("staff-4deck-to4")
    assert next_round(rules, "abc") == (("b", "c"),)
    assert next_round(rules, "abc", [Result(1, "b", "c", ("5", "6"), "c")]) == (("a", "c"),)


def test_a_knockout_match_without_a_winner_stops_the_pairing():
    with pytest.raises(CompetitionError, match="round 1: a and b have no winner; expected one in a knock-out"):
        next_round(preset("staff-4deck-to4"), "ab", [Result(1, "a", "b", ("5", "5"), None)])


def test_a_single_match_has_one_round():
    rules = preset("official-2deck-shengji")
    assert next_round(rules, "ab") == (("a", "b"),)
    assert next_round(rules, "ab", [Result(1, "a", "b", ("5", "4"), "a")]) == ()


def test_a_round_robin_without_a_number_of_rounds_ends_when_all_have_met():
    rules = preset("union-3deck-3toK")
    results = []
    for number in (1, 2, 3):
        (pair,) = next_round(rules, "abc", results)
        results.append(Result(number, *pair, ("5", "4"), pair[0]))
    assert next_round(rules, "abc", results) == ()


def test_a_sheet_that_does_not_count_games_by_points_says_so():
    with pytest.raises(CompetitionError, match=r"official-2deck-shengji does not count games by points; expected match.draw_from"):
        game_by_points(preset("official-2deck-shengji"), 90)


def test_nobody_forfeits_by_coming_late_where_the_sheet_has_no_such_rule():
    assert not forfeits(preset("official-2deck-shengji"), 600)
