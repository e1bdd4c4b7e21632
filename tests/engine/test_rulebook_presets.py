"""The presets as files: all there, all quoted or assumed, and none known by name."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from engine import rulebook_toml
from engine.rulebook_toml import PRESETS, RulebookRefusedError, leaves, load, names

SHEETS = (
    "official-2deck-shengji", "cmec-2deck-510k", "shuangsheng-2deck-to10", "intro-2deck", "basic-80-10KA", "stir-2deck-chaodipi",
    "detailed-80-2deck", "community-2deck-510K-must", "twodeck-jokers-declare", "school-2deck-2J-must", "campus-2deck-2toA", "union-3deck-3toK",
    "threedeck-2start-6bottom", "threedeck-to6", "swiss-3deck", "staff-4deck-to4", "elimination-4deck-2toA", "fivedeals-4deck-from3",
    "fourdeck-150min", "nanning-4deck-nobottom", "reverse-dig-4deck-bombs",
)  # fmt: skip

USABLE = [name for name in names() if "refused" not in tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))]


def test_every_sheet_has_its_preset() -> None:
    assert set(SHEETS) <= set(USABLE)
    assert "online-tractor" in USABLE


def test_the_sheet_that_is_not_this_game_is_refused_with_the_reason() -> None:
    assert set(names()) - set(USABLE) == {"labin-not-shengji"}
    with pytest.raises(RulebookRefusedError):
        load("labin-not-shengji")


@pytest.mark.parametrize("name", USABLE)
def test_the_file_is_named_as_the_rulebook(name: str) -> None:
    rules = load(name)
    assert rules.name == name
    assert rules.title.zh
    assert rules.title.en


@pytest.mark.parametrize("name", USABLE)
def test_quotes_have_at_most_twelve_characters(name: str) -> None:
    for quotes in load(name).clauses.values():
        assert all(0 < len(quote) <= 12 for quote in quotes)


@pytest.mark.parametrize("name", USABLE)
def test_quotes_are_verbatim(name: str) -> None:
    """Against the sheets in the folder that ``TRICKWATCH_SHEETS`` names; without them only the form is known: no blanks around, one line."""
    rules = load(name)
    sheets = Path(os.environ.get("TRICKWATCH_SHEETS", "/nonexistent"))
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(sheets.glob(f"{rules.source}*.txt")))
    for quotes in rules.clauses.values():
        assert len(set(quotes)) == len(quotes)
        for quote in quotes:
            assert quote == quote.strip()
            assert "\n" not in quote
            assert not text or quote in text


@pytest.mark.parametrize("name", USABLE)
def test_every_value_is_quoted_or_listed_as_assumed(name: str) -> None:
    rules = load(name)
    listed = tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))["assumed"]
    for key in (*leaves(), *(f"penalties.{offence}" for offence in rules.penalties)):
        assert key in rules.clauses or any(key == at or key.startswith(f"{at}.") for at in listed), key


@pytest.mark.parametrize("name", USABLE)
def test_notes_are_in_both_languages(name: str) -> None:
    for note in load(name).notes:
        zh, sign, en = note.partition(" / ")
        assert sign
        assert re.search(r"[\u4e00-\u9fff]", zh)
        assert not re.search(r"[\u4e00-\u9fff]", en)


def test_the_engine_knows_no_rulebook_by_name() -> None:
    engine = Path(rulebook_toml.__file__).parent
    known = "|".join(re.escape(name) for name in names())
    compare = re.compile(rf"""(?:==|!=|\bin\b|\bcase\b)\s*[(\[{{]?\s*["'](?:{known})["']""")
    for path in engine.rglob("*.py"):
        assert not compare.search(path.read_text(encoding="utf-8")), path
