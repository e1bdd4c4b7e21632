"""Both languages are complete, and pages ask only for words that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kiosk.i18n import LANGUAGES, catalogue
from kiosk.web import PAGES

SCRIPTS = sorted((PAGES / "static").glob("*.js"))


def test_both_languages_have_the_same_keys() -> None:
    assert catalogue("zh").keys() == catalogue("en").keys()


def test_both_languages_fill_in_the_same_values() -> None:
    for key, text in catalogue("zh").items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", catalogue("en")[key])), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_is_missing_or_left_in_the_other_language(lang: str) -> None:
    for key, text in catalogue(lang).items():
        if not text:
            assert key == "attackers.2"
            assert lang == "en"
        words = re.sub(r"\{\w+\}|trickwatch|JavaScript", "", text)
        if key.startswith("lang.") or not re.search(r"[A-Za-z\u4e00-\u9fff]", words):
            continue
        assert bool(re.search(r"[\u4e00-\u9fff]", words)) == (lang == "zh"), key


def test_every_key_that_a_page_asks_for_exists() -> None:
    asked: set[str] = set()
    for script in SCRIPTS:
        asked |= set(re.findall(r"""\bt\(\s*["']([\w.?]+)["']""", script.read_text("utf-8")))
    assert len(asked) > 80
    assert asked - catalogue("zh").keys() == set()


def test_every_key_is_used() -> None:
    text = "\n".join(script.read_text("utf-8") for script in SCRIPTS) + (PAGES / "routes.py").read_text("utf-8")
    literal = set(re.findall(r"[\"'`]([\w.?]+)[\"'`]", text))
    built = [found for found in re.findall(r"`([\w.?](?:[\w.?]|\$\{[^}]*\})+)`", text) if "${" in found]
    patterns = [re.compile(re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w?]+", re.escape(found))) for found in built]
    forms = {f"{form}.{side}{end}" for form in ("stage", "stage.long") for side in ("declarers", "attackers") for end in ("", ".0")}
    forms |= {key for key in catalogue("zh") if key.startswith(("kind.", "title.")) or key == "noscript"}
    unused = [key for key in catalogue("zh") if key not in literal | forms and not any(p.fullmatch(key) for p in patterns)]
    assert not unused, " ".join(unused)


def test_pages_load_nothing_from_elsewhere() -> None:
    for path in sorted(PAGES.rglob("*")):
        if path.suffix in (".js", ".css", ".html", ".svg"):
            text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            if path.parent.name == "vendor":  # its comments name its home; what counts is that it asks nobody
                assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(|\.src\s*=", text), path.name
                continue
            assert not re.search(r"https?://|//[a-z]+\.|@import", text.replace("${scheme}://", "")), path.name


def test_catalogue_is_part_of_the_package() -> None:
    assert {p.name for p in (Path(PAGES).parent / "i18n").glob("*.json")} == {"zh.json", "en.json"}
