"""Rulings worked out by hand from the printed sheets and from online play, put to the engine as ``trickwatch judge`` would put them.

``cases/NAME.jsonl`` holds the cases of one rulebook in the form that ``judge`` reads; ``clause`` quotes what a ruling rests on ("silent": the sheet
says nothing, so that what most of the other sheets say holds).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.judge import answer_line, differences
from engine.rulebook_toml import playable

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.jsonl"))
PRESETS = [name for name in playable() if not name.startswith("intro-")]


def cases(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_engine_rules_as_the_sheet_does(file: Path) -> None:
    wrong = {}
    for case in cases(file):
        differ = differences(case["want"], answer_line(json.dumps(case)))
        if differ:
            wrong[case["id"]] = (case["clause"], differ)
    assert wrong == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_case_is_of_its_sheet_and_quotes_what_it_rests_on(file: Path) -> None:
    held = cases(file)
    assert {case["rulebook"] for case in held} == {file.stem}
    assert all(case["clause"] and case["want"] for case in held)
    assert max(Counter(case["id"] for case in held).values()) == 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_sheet_has_its_own_cases(name: str) -> None:
    assert len(cases(FOLDER / f"{name}.jsonl")) >= 15


def test_a_wrong_answer_would_be_seen() -> None:
    case = next(case for case in cases(FOLDER / "official-2deck-shengji.jsonl") if case["ask"] == "follow")
    turned: Mapping[str, Any] = {**case["want"], "legal": not case["want"]["legal"]}
    assert differences(turned, answer_line(json.dumps(case)))
