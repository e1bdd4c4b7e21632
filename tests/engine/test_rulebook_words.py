"""Rulebooks in words, and the page that is written from the schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import rulebook_doc
from engine.rulebook import Band
from engine.rulebook_doc import page
from engine.rulebook_offences import OFFENCES
from engine.rulebook_terms import Side
from engine.rulebook_toml import leaves, load
from engine.rulebook_words import Language, applies, band_words, ladder_words, lines_of, penalty_words, render, rung_words

ZH, EN = Language.ZH, Language.EN


def test_a_rulebook_in_chinese_quotes_the_sheet_and_says_what_was_assumed() -> None:
    text = render(load("staff-4deck-to4"), ZH)
    assert "甩牌失败罚分：20  「甩牌失敗方倒扣20分」" in text
    assert "首引三张：三张 → 对子加1张散牌 → 同花任意牌" in text
    assert "（推定）" in text
    assert "原文未写或中断" in text


def test_a_rulebook_in_english_has_no_chinese_but_the_quotes_and_names() -> None:
    import re

    for line in lines_of(load("reverse-dig-4deck-bombs"), EN):
        assert not re.search(r"[\u3000-\u9fff]", line.label + line.value), line


@pytest.mark.parametrize(
    ("band", "zh"),
    [
        (Band(high=0, stage=Side.DECLARERS, steps=3), "0分及以下：庄家方升3级"),
        (Band(low=80, high=115, stage=Side.ATTACKERS, steps=0), "80–115分：换庄，不升级"),
        (Band(low=120, stage=Side.ATTACKERS, steps=1, every=40), "120分及以上：换庄，闲家升1级，比120分每多40分再升1级"),
        (Band(high=155, stage=Side.DECLARERS, steps=1, every=40, start=160), "155分及以下：庄家方升1级，比160分每少40分再升1级"),
    ],
)
def test_a_line_of_the_result_table(band: Band, zh: str) -> None:
    assert band_words(band, ZH) == zh


def test_rungs_of_equal_worth_are_joined_by_or() -> None:
    assert rung_words("2x2 | 4x1", 4, ZH) == "2连对或四张"
    assert rung_words("3x2+2x1", 8, EN) == "bulldozer of 2 triples and pair"
    assert rung_words("2x1*2", 6, EN) == "2 × pair and 2 others"


def test_a_ladder_without_rungs_owes_only_the_suit() -> None:
    assert ladder_words("2x1", (), ZH) == "首引对子：同花任意牌"


def test_a_penalty_tells_choice_repeat_lateness_and_claim() -> None:
    reverse = load("reverse-dig-4deck-bombs").penalties
    assert "对方升2级，或罚160分给对方" in penalty_words(reverse["revoke"], ZH)
    assert "第2次：判负" in penalty_words(reverse["talk"], ZH)
    assert "追究时限：本轮结束前" in penalty_words(load("detailed-80-2deck").penalties["revoke"], ZH)
    assert "一墩以后发现另加罚80分给对方" in penalty_words(load("campus-2deck-2toA").penalties["revoke"], ZH)


def test_declarations_are_told_by_the_cards_that_name_the_suit() -> None:
    for name, words in (("fourdeck-150min", "1张2 < 2张2 < 3张2 < 4张2"), ("swiss-3deck", "1张级牌 < 2张级牌 < 3张级牌")):
        assert next(line.value for line in lines_of(load(name), ZH) if line.key == "declaring.ladder") == words


def test_a_rule_that_another_switches_off_is_not_told() -> None:
    rules = load("reverse-dig-4deck-bombs")
    assert not applies(rules, "throws.forced")
    assert not applies(rules, "digging.single")
    assert not applies(rules, "clocks.bury_s")
    assert applies(rules, "clocks.play_s")


def test_the_page_names_every_key_word_and_offence() -> None:
    text = page()
    for key in (*leaves(), *(f"x.{offence}" for offence in OFFENCES)):
        assert f"`{key.partition('.')[2]}`" in text
    assert "`surplus`" in text
    assert "`other_side_down`" in text
    assert "labin-not-shengji" in text


def test_the_committed_page_is_current() -> None:
    committed = Path(rulebook_doc.__file__).parents[1] / "docs" / "rulebooks.md"
    assert committed.read_text(encoding="utf-8") == page(), "run: trickwatch rules doc"
