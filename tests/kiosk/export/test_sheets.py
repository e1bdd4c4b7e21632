"""Tables for a spreadsheet, and the score sheet on paper."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from engine import referee
from engine.cards import points_of
from kiosk.errors import KioskError
from kiosk.export import fonts, tables
from kiosk.export.score_sheet import score_sheet
from tests.kiosk.recorded import match_log


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_tables_add_up_to_the_reckoning() -> None:
    state = referee.fold(match_log(2).events)
    deals, tricks = rows(tables.deals(state)), rows(tables.tricks(state))
    assert len(deals) == 2
    for deal in deals:
        own = [row for row in tricks if row["deal"] == deal["deal"]]
        attackers = {"E": "NS", "W": "NS", "N": "EW", "S": "EW"}[deal["declarer"]]
        assert sum(int(row["points"]) for row in own if row["winner"] in attackers) == int(deal["trick_points"])
        assert all(points_of(" ".join(row[s] for s in "ENWS").split()) == int(row["points"]) for row in own)  # type: ignore[arg-type]


def test_no_cell_is_a_formula_for_a_spreadsheet() -> None:
    state = referee.fold(match_log().events)
    deal = replace(state.deals[0], opening={"EW": "=1+1", "NS": "-A"})
    text = tables.deals(replace(state, deal=deal))
    assert "'=1+1" in text
    assert ",-A," in text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_score_sheet_is_a_pdf_with_its_own_fonts(lang: str) -> None:
    log = match_log()
    made = score_sheet(log, referee.fold(log.events), lang)
    assert made.startswith(b"%PDF-")
    assert made.count(b"/FontFile2") == 2
    assert len(made) < 200_000


def test_machine_without_a_chinese_font_is_told_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "CANDIDATES", ())
    with pytest.raises(KioskError, match="fonts-noto-cjk"):
        fonts.subset("牌")


def test_font_has_the_characters_that_are_printed_and_few_others() -> None:

    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(fonts.subset("庄家升级♠")))
    assert {ord(c) for c in "庄家升级♠"} <= set(font.getBestCmap())
    assert len(font.getGlyphOrder()) < 20
    assert "glyf" in font
