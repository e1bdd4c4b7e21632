"""A match as text: simulated deals of every preset parse back to the same state. More of them: ``trickwatch bench notation``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.bench_notation import check
from engine import referee
from engine.cards import NotationError
from engine.events import ScoreSet, Source
from engine.rulebook_toml import load, playable
from kiosk.export.text import match_text, parse_match
from tests.kiosk.recorded import match_log


@pytest.mark.parametrize("preset", playable())
def test_text_of_a_simulated_deal_parses_back_to_the_same_state(preset: str) -> None:
    assert check(load(preset), 1) is None


def test_check_of_the_text_sees_a_card_that_is_lost() -> None:
    assert check(load("official-2deck-shengji"), 1, spoil=lambda page: page.replace("1 ", "1 ", 1).replace(" | ", " | S3 ", 1)) is not None


def test_match_is_one_page_a_deal() -> None:
    state = referee.fold(match_log(2).events)
    pages = parse_match(match_text(state))
    assert [next(e for e in page.events if type(e).__name__ == "DealStarted").deal for page in pages] == [1, 2]  # type: ignore[attr-defined]
    assert all(page.count("\n") <= 60 for page in match_text(state).split("\f"))


def test_score_that_was_set_by_hand_stands_on_the_page_as_a_remark() -> None:
    state = referee.fold([*match_log().events[:20], ScoreSet(points=45, trick=3, source=Source.REFEREE)])
    assert "; 手工记分 score set by hand: 45, trick 3" in match_text(state)
    parse_match(match_text(replace(state, names={})))


def test_error_names_page_and_line() -> None:
    text = match_text(referee.fold(match_log(2).events)).replace("deal: 2", "deal: two")
    with pytest.raises(NotationError, match=r"page 2: line \d+: not a deal's number: 'two'"):
        parse_match(text)
