"""Named departures from a rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulebook import Rulebook
from engine.rulebook_policy import PolicyError, depart
from engine.rulebook_terms import Bombs, Principle, ThrowRuffs
from engine.rulebook_toml import load


@pytest.fixture(scope="module")
def online() -> Rulebook:
    return load("online-tractor")


def result(rules: Rulebook, points: int) -> tuple[str, int]:
    band = rules.scoring.band(points)
    return band.stage.value, band.steps_at(points)


def test_nothing_asked_nothing_changed(online: Rulebook) -> None:
    assert depart(online) is online
    assert depart(online, decks=2, policy={}) is online


@pytest.mark.parametrize(("decks", "bottom", "hand"), [(1, 6, 12), (2, 8, 25), (3, 6, 39), (4, 8, 52), (5, 6, 66), (6, 8, 79)])
def test_more_packs_deal_evenly_and_widen_the_units(online: Rulebook, decks: int, bottom: int, hand: int) -> None:
    rules = depart(online, decks=decks)
    assert (rules.pack.decks, rules.pack.bottom, rules.pack.hand, rules.shapes.max_width) == (decks, bottom, hand, decks)


def test_the_result_table_grows_with_the_packs(online: Rulebook) -> None:
    rules = depart(online, decks=3)
    assert result(rules, 0) == ("declarers", 3)
    assert result(rules, 50) == ("declarers", 2)
    assert result(rules, 120) == ("attackers", 0)
    assert result(rules, 180) == ("attackers", 1)


def test_declarations_grow_with_the_packs(online: Rulebook) -> None:
    assert depart(online, decks=3).declaring.ladder == ("level*1", "level*2", "level*3", "LJ*2", "BJ*2")
    assert depart(online, decks=1).declaring.ladder == ("level*1",)


def test_draw(online: Rulebook) -> None:
    assert depart(online, policy={"draw": "no_format_draw"}).following.principle is Principle.SUIT
    both = depart(online, policy={"draw": "longer_protected_and_tractor_only"}).following
    assert (both.protect_longer, both.tractor_only_for_tractor) == (True, True)


def test_throw_eval_bomb_and_tractor(online: Rulebook) -> None:
    rules = depart(online, policy={"throw_eval": "all", "bomb": "any_suit", "tractor": {"min_width": 2, "min_length": 3}})
    assert rules.beating.throw_ruffs is ThrowRuffs.ALL
    assert rules.beating.bombs is Bombs.ANY_SUIT
    assert rules.shapes.min_length == 3


def test_scoring_without_a_dead_zone(online: Rulebook) -> None:
    rules = depart(online, policy={"scoring": {"step_per_deck": 20, "steps_to_turnover": 2, "deadzone_steps": 0, "zero_special": True}})
    assert result(rules, 80) == ("attackers", 1)
    assert result(rules, -80) == ("declarers", 5)


def test_scoring_without_a_shutout(online: Rulebook) -> None:
    rules = depart(online, policy={"scoring": {"zero_special": False}})
    assert [result(rules, points) for points in (35, 0, -5, -40, -45)] == [("declarers", steps) for steps in (2, 2, 3, 3, 4)]


@pytest.mark.parametrize(
    ("policy", "named"),
    [
        ({"draws": "no_protections"}, "draws"),
        ({"draw": "none"}, "no_protections"),
        ({"throw_eval": "best"}, "unit_length"),
        ({"bomb": "yes"}, "suit_following"),
        ({"tractor": {"width": 2}}, "tractor.width"),
        ({"tractor": 2}, "min_width"),
        ({"scoring": {"step_per_deck": -20}}, "step_per_deck"),
        ({"scoring": {"step_per_deck": 1}}, "multiple of 5"),
        ({"tractor": {"min_length": 1}}, "length of at least 2"),
    ],
)
def test_what_is_not_known_is_named(online: Rulebook, policy: dict[str, Any], named: str) -> None:
    with pytest.raises(PolicyError, match=named):
        depart(online, policy=policy)


@pytest.mark.parametrize("decks", [0, -1, 2.5, "3", True])
def test_decks_must_be_a_number(online: Rulebook, decks: Any) -> None:
    with pytest.raises(PolicyError, match="decks"):
        depart(online, decks=decks)
