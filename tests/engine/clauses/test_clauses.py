"""For every clause that a preset quotes there is a check of what the engine does because of it, and it holds."""

from __future__ import annotations

from functools import cache
from importlib import import_module

import pytest

from engine import rulebook_toml
from engine.rulebook import Rulebook
from tests.engine.clauses.checks import Check, Clauses

MODULES = {
    "official-2deck-shengji": "official",
    "cmec-2deck-510k": "cmec",
    "shuangsheng-2deck-to10": "shuangsheng",
    "intro-2deck": "intro",
    "intro-2deck-constant2": "intro_constant2",
    "intro-1deck": "intro_one_deck",
    "basic-80-10KA": "basic",
    "stir-2deck-chaodipi": "stir",
    "detailed-80-2deck": "detailed",
    "community-2deck-510K-must": "community",
    "twodeck-jokers-declare": "jokers_declare",
    "school-2deck-2J-must": "school",
    "campus-2deck-2toA": "campus",
    "union-3deck-3toK": "union",
    "threedeck-2start-6bottom": "threedeck_six_bottom",
    "threedeck-to6": "threedeck_to6",
    "swiss-3deck": "swiss",
    "staff-4deck-to4": "staff",
    "elimination-4deck-2toA": "elimination",
    "fivedeals-4deck-from3": "fivedeals",
    "fourdeck-150min": "fourdeck",
    "nanning-4deck-nobottom": "nanning",
    "reverse-dig-4deck-bombs": "reverse_dig",
}


@cache
def load(preset: str) -> Rulebook:
    """A preset, read once."""
    return rulebook_toml.load(preset)


def _clauses(preset: str) -> Clauses:
    found: Clauses = import_module(f"tests.engine.clauses.{MODULES[preset]}").CLAUSES
    return found


CASES = [
    pytest.param(preset, key, check, id=f"{preset}:{key}:{load(preset).clause(key)}#{i}")
    for preset in MODULES
    for key, checks in _clauses(preset).items()
    for i, check in enumerate(checks, 1)
]


@pytest.mark.parametrize(("preset", "key", "check"), CASES)
def test_clause(preset: str, key: str, check: Check) -> None:
    rules = load(preset)
    assert key in rules.clauses, f"{preset} quotes nothing for {key}"
    check(rules)


@pytest.mark.parametrize("preset", [name for name in rulebook_toml.playable() if load(name).clauses])
def test_every_quoted_clause_of_a_preset_is_tested(preset: str) -> None:
    assert sorted(set(load(preset).clauses) - set(_clauses(preset))) == []
