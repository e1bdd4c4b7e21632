"""Scoring: result tables, must-play levels, winning, going below the start."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_cards, parse_trump
from engine.rulebook_terms import Side
from engine.score import Climb, LevelError, climb, fall, hook, ladder, score
from tests.engine.deals import PRESETS, preset
from tests.engine.strategies import quick


def scored(rulebook: str, points: int, declarers: str, attackers: str, hooked: str | None = None) -> tuple[str, int, int, str, str]:
    result = score(preset(rulebook), points, {"declarers": declarers, "attackers": attackers}, hooked)
    return result.stage.value, result.steps["declarers"], result.steps["attackers"], result.levels["declarers"], result.levels["attackers"]


@pytest.mark.parametrize(
    ("rulebook", "points", "want"),
    [
        ("shuangsheng-2deck-to10", 0, ("declarers", 4, 0, "7", "3")),
        ("shuangsheng-2deck-to10", 25, ("declarers", 3, 0, "6", "3")),
        ("shuangsheng-2deck-to10", 50, ("declarers", 2, 0, "5", "3")),
        ("shuangsheng-2deck-to10", 75, ("declarers", 1, 0, "4", "3")),
        ("shuangsheng-2deck-to10", 95, ("attackers", 0, 0, "3", "3")),
        ("shuangsheng-2deck-to10", 120, ("attackers", 0, 2, "3", "5")),
        ("union-3deck-3toK", 0, ("declarers", 3, 0, "6", "3")),
        ("union-3deck-3toK", -20, ("declarers", 3, 0, "6", "3")),
        ("union-3deck-3toK", 55, ("declarers", 2, 0, "5", "3")),
        ("union-3deck-3toK", 115, ("declarers", 1, 0, "4", "3")),
        ("union-3deck-3toK", 175, ("attackers", 0, 0, "3", "3")),
        ("union-3deck-3toK", 240, ("attackers", 0, 2, "3", "5")),
        ("union-3deck-3toK", 420, ("attackers", 0, 3, "3", "6")),
        ("threedeck-2start-6bottom", 420, ("attackers", 0, 3, "3", "6")),
        ("campus-2deck-2toA", 35, ("declarers", 2, 0, "5", "3")),
        ("campus-2deck-2toA", 40, ("declarers", 1, 0, "4", "3")),
        ("campus-2deck-2toA", 120, ("attackers", 0, 1, "3", "4")),
        ("reverse-dig-4deck-bombs", -40, ("declarers", 6, 0, "9", "3")),
        ("reverse-dig-4deck-bombs", 0, ("declarers", 5, 0, "8", "3")),
        ("reverse-dig-4deck-bombs", 120, ("declarers", 2, 0, "5", "3")),
        ("reverse-dig-4deck-bombs", 155, ("declarers", 1, 0, "4", "3")),
        ("reverse-dig-4deck-bombs", 200, ("attackers", 0, 1, "3", "4")),
        ("staff-4deck-to4", 0, ("declarers", 2, 0, "5", "3")),
        ("staff-4deck-to4", 75, ("declarers", 1, 0, "4", "3")),
        ("staff-4deck-to4", 240, ("attackers", 0, 1, "3", "4")),
        ("fivedeals-4deck-from3", 300, ("attackers", 0, 1, "3", "4")),
        ("fivedeals-4deck-from3", 320, ("attackers", 0, 2, "3", "5")),
        ("threedeck-to6", 55, ("declarers", 2, 0, "5", "3")),
        ("threedeck-to6", 300, ("attackers", 0, 3, "3", "6")),
    ],
)
def test_result_tables(rulebook: str, points: int, want: tuple[str, int, int, str, str]) -> None:
    assert scored(rulebook, points, "3", "3") == want


def test_the_short_path_of_ten_king_ace() -> None:
    """basic-80-10KA: 得分为0连升2级, 小于80升1级, 等于200抓分方连升2级，但级牌A必打."""
    assert scored("basic-80-10KA", 0, "10", "10") == ("declarers", 2, 0, "A", "10")
    assert scored("basic-80-10KA", 0, "K", "10") == ("declarers", 2, 0, "A", "10")
    assert scored("basic-80-10KA", 75, "10", "10") == ("declarers", 1, 0, "K", "10")
    assert scored("basic-80-10KA", 195, "10", "10") == ("attackers", 0, 0, "10", "10")
    assert scored("basic-80-10KA", 200, "10", "10") == ("attackers", 0, 2, "10", "A")


def test_ace_is_won_as_declarers_only() -> None:
    rules = preset("official-2deck-shengji")
    assert score(rules, 0, {"declarers": "A", "attackers": "2"}).winner is Side.DECLARERS
    assert score(rules, 160, {"declarers": "2", "attackers": "A"}).winner is None
    assert scored("official-2deck-shengji", 0, "K", "2") == ("declarers", 3, 0, "A", "2")
    assert score(rules, 0, {"declarers": "K", "attackers": "2"}).winner is None


def test_passing_six_wins() -> None:
    """threedeck-to6 六、2: 升级超过6的即为该局获胜."""
    assert score(preset("threedeck-to6"), 0, {"declarers": "5", "attackers": "2"}).winner is Side.DECLARERS
    assert score(preset("threedeck-to6"), 60, {"declarers": "5", "attackers": "2"}).winner is None


def test_levels_go_on_past_the_winning_level() -> None:
    """staff-4deck-to4: 以先打过4为勝出方, on a path that ends at 10."""
    assert scored("staff-4deck-to4", 0, "3", "2")[3] == "5"
    assert scored("staff-4deck-to4", 0, "4", "2")[3] == "6"
    assert score(preset("staff-4deck-to4"), 75, {"declarers": "3", "attackers": "2"}).winner is None
    assert score(preset("staff-4deck-to4"), 320, {"declarers": "3", "attackers": "3"}).winner is Side.ATTACKERS


def test_a_must_play_level_stops_the_climb() -> None:
    """shuangsheng-2deck-to10 三: 逢10必打; community-2deck-510K-must 一: 5、10、k必打."""
    assert scored("shuangsheng-2deck-to10", 0, "8", "2")[3] == "10"
    assert score(preset("shuangsheng-2deck-to10"), 0, {"declarers": "8", "attackers": "2"}).winner is None
    assert score(preset("shuangsheng-2deck-to10"), 0, {"declarers": "10", "attackers": "2"}).winner is Side.DECLARERS
    assert scored("community-2deck-510K-must", 200, "2", "3")[4] == "5"


def test_steps_cut_off_put_the_declarers_down() -> None:
    """school-2deck-2J-must 第五: 如遇必打级而不能升若干级，则降对方相应的级数."""
    assert scored("school-2deck-2J-must", 140, "6", "10") == ("attackers", 0, 3, "4", "J")
    assert scored("school-2deck-2J-must", 0, "10", "6") == ("declarers", 4, 0, "J", "6")
    assert scored("school-2deck-2J-must", 120, "6", "4") == ("attackers", 0, 2, "6", "6")
    assert scored("school-2deck-2J-must", 160, "6", "K") == ("attackers", 0, 4, "6", "A")


def test_below_the_lowest_level_the_match_is_lost() -> None:
    """school-2deck-2J-must 第五: 被降到-A下一级的判负."""
    rules = preset("school-2deck-2J-must")
    lost = score(rules, 200, {"declarers": "2", "attackers": "J"})
    assert (lost.winner, lost.levels["declarers"]) == (Side.ATTACKERS, ladder(rules.levels)[0])
    kept = score(rules, 100, {"declarers": "2", "attackers": "J"})
    assert (kept.winner, kept.levels["declarers"]) == (None, "-A")


def test_a_jack_on_the_last_trick_sets_the_declarers_back() -> None:
    """school-2deck-2J-must 第二: 正J勾到2，副J勾到8；亮无主的情况下，任意J可以勾到2."""
    rules = preset("school-2deck-2J-must")
    jack = parse_trump("J/H")
    assert hook(rules, jack, True, parse_cards("HJ")) == "2"
    assert hook(rules, jack, True, parse_cards("SJ")) == "8"
    assert hook(rules, parse_trump("J/NT"), True, parse_cards("SJ")) == "2"
    assert hook(rules, jack, False, parse_cards("HJ")) is None
    assert hook(rules, parse_trump("10/H"), True, parse_cards("HJ")) is None
    assert hook(rules, parse_trump("10/H"), True, parse_cards("H10")) is None
    assert scored("school-2deck-2J-must", 80, "J", "3", hooked="8")[3] == "8"
    assert scored("school-2deck-2J-must", 60, "J", "3", hooked="8")[3] != "8"


def test_a_level_off_the_path_is_refused_with_the_path() -> None:
    with pytest.raises(LevelError, match="10 K A"):
        score(preset("basic-80-10KA"), 80, {"declarers": "3", "attackers": "10"})


@quick
@given(st.sampled_from(PRESETS), st.integers(-40, 120).map(lambda n: 5 * n), st.data())
def test_levels_stay_on_the_path_and_only_the_stage_climbs(name: str, points: int, data: st.DataObject) -> None:
    rules = preset(name)
    levels = {side: data.draw(st.sampled_from(ladder(rules.levels))) for side in ("declarers", "attackers")}
    result = score(rules, points, levels)
    rungs = ladder(rules.levels)
    other = "attackers" if result.stage is Side.DECLARERS else "declarers"
    assert result.steps[other] == 0
    assert rungs.index(result.levels[result.stage.value]) >= rungs.index(levels[result.stage.value])
    assert rungs.index(result.levels[other]) <= rungs.index(levels[other])
    assert rungs.index(result.levels[result.stage.value]) - rungs.index(levels[result.stage.value]) <= result.steps[result.stage.value]


@quick
@given(st.sampled_from(PRESETS), st.integers(-40, 120).map(lambda n: 5 * n))
def test_more_points_never_help_the_declarers(name: str, points: int) -> None:
    def worth(result_points: int) -> int:
        band = preset(name).scoring.band(result_points)
        return band.steps_at(result_points) * (1 if band.stage is Side.ATTACKERS else -1) + (1000 if band.stage is Side.ATTACKERS else 0)

    assert worth(points) <= worth(points + 5)


def test_steps_down_stop_at_the_lowest_level() -> None:
    levels = preset("official-2deck-shengji").levels
    assert fall(levels, "4", 1) == "3"
    assert fall(levels, "3", 5) == "2"
    assert climb(levels, "2", 0, True).level == "2"


def test_where_a_climb_stands_says_the_level_the_steps_left_over_and_whether_it_won() -> None:
    official = preset("official-2deck-shengji").levels
    assert climb(official, "5", 2, declarers=True) == Climb("7", 0, won=False)
    assert climb(official, "A", 3, declarers=True) == Climb("A", 0, won=True)
    assert climb(official, "A", 3, declarers=False) == Climb("A", 0, won=False), "nothing is left over for the other side to fall by"
    assert climb(official, "K", 3, declarers=True) == Climb("A", 0, won=False), "the ace itself must be won"
    assert climb(preset("shuangsheng-2deck-to10").levels, "8", 4, declarers=True) == Climb("10", 2, won=False)


def test_hooks_of_other_levels_are_passed_over() -> None:
    school = preset("school-2deck-2J-must")
    jack = school.levels.hooks[0]
    rules = replace(school, levels=replace(school.levels, hooks=(replace(jack, level="10", to="5"), *school.levels.hooks)))
    assert hook(rules, parse_trump("J/H"), True, parse_cards("HJ")) == hook(school, parse_trump("J/H"), True, parse_cards("HJ")) == "2"
