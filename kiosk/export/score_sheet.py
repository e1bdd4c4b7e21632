"""The score sheet on paper: players, every deal with its result, rulings, and lines to sign; Chinese fonts embedded."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine import referee
from engine.referee import MatchState
from engine.view import snapshot
from kiosk.export import fonts
from kiosk.i18n import catalogue
from kiosk.review.logs import Log

if TYPE_CHECKING:
    from fpdf import FPDF

_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "NT": "NT"}
_WIDTHS: Final = (12, 24, 18, 26, 22, 26, 32, 22)
_MARGIN: Final = 14.0
_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "title": ("升级比赛记分表", "Score sheet"), "rulebook": ("规则", "Rulebook"), "time": ("时间", "Time"), "match": ("比赛编号", "Match"),
    "deal": ("局", "Deal"), "declarer": ("庄家", "Declarer"), "trump": ("主牌", "Trump"), "levels": ("打级 东西/南北", "Levels EW/NS"),
    "points": ("闲家得分", "Points"), "dig": ("其中抠底", "Of it dug"), "result": ("结果", "Result"), "after": ("局后 东西/南北", "After EW/NS"),
    "rulings": ("判罚", "Rulings"), "none": ("无", "none"), "sign": ("签名", "Signature"), "referee": ("裁判", "Referee"),
    "EW": ("东西方", "East-West"), "NS": ("南北方", "North-South"), "head": ("记录校验码", "Check value of the record"),
    "open": ("未完", "not over"), "winner": ("获胜方", "Winner"), "final": ("终局级数", "Levels at the end"),
}  # fmt: skip


def score_sheet(log: Log, state: MatchState, lang: str = "zh") -> bytes:
    """The sheet of a match as a PDF file.

    :raises kiosk.errors.KioskError: when the machine has no Chinese font.
    """
    from fpdf import FPDF

    rows = [_row(state, i, lang) for i in range(len(state.deals))]
    rulings = _rulings(state, lang)
    text = "".join([str(_TEXT), _all_words(lang), state.rulebook, *state.names.values(), *(cell for row in rows for cell in row), *rulings])
    pdf = FPDF(format="A4")
    characters = text + "0123456789:-/.,%()[]×–— abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ♠♥♦♣"
    with tempfile.TemporaryDirectory() as folder:
        for style, weight in (("", "Regular"), ("B", "Bold")):
            file = Path(folder) / f"{weight}.ttf"
            file.write_bytes(fonts.subset(characters, weight))
            pdf.add_font("hei", style, file)
        return _written(pdf, log, state, rows, rulings, lang)


def _written(pdf: FPDF, log: Log, state: MatchState, rows: Sequence[Sequence[str]], rulings: Sequence[str], lang: str) -> bytes:
    pdf.set_title(_t("title", lang))
    pdf.set_creator("trickwatch")
    pdf.set_margins(_MARGIN, _MARGIN)
    pdf.set_auto_page_break(True, 20)
    pdf.add_page()
    _head(pdf, log, state, lang)
    _table(pdf, rows, lang)
    _ending(pdf, state, rulings, lang)
    _signatures(pdf, log, lang)
    return bytes(pdf.output())


def _t(key: str, lang: str) -> str:
    return _TEXT[key][0 if lang == "zh" else 1]


def _all_words(lang: str) -> str:
    return "".join(catalogue(lang).values())


def _head(pdf: FPDF, log: Log, state: MatchState, lang: str) -> None:
    pdf.set_font("hei", "B", 20)
    pdf.cell(0, 12, _t("title", lang), align="C", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("hei", "", 10)
    words = catalogue(lang)
    first = datetime.fromisoformat(log.entries[0].at).astimezone()
    last = datetime.fromisoformat(log.entries[-1].at).astimezone()
    until = f"{last:%H:%M}" if last.date() == first.date() else f"{last:%Y-%m-%d %H:%M}"
    pdf.cell(0, 6, f"{_t('rulebook', lang)}: {state.rulebook}    {_t('time', lang)}: {first:%Y-%m-%d %H:%M} – {until}", new_x="LMARGIN", new_y="NEXT")
    pdf.cell(0, 6, f"{_t('match', lang)}: {log.match}", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("hei", "B", 12)
    width = (pdf.w - 2 * _MARGIN) / 2
    for team, seats in (("EW", ("E", "W")), ("NS", ("S", "N"))):
        names = "    ".join(f"{words[f'seat.{seat}']} {state.names.get(seat, '')}" for seat in seats)
        pdf.cell(width, 10, f"{_t(team, lang)}:  {names}", border=1, new_x="RIGHT", new_y="TOP")
    pdf.ln(14)


def _row(state: MatchState, place: int, lang: str) -> list[str]:
    deal = state.deals[place]
    words = catalogue(lang)
    level, _, suit = str(deal.trump or "/").partition("/")
    trump = f"{_SUITS.get(suit, '–')} {level}".strip()
    head = [str(deal.number), words[f"seat.{deal.declarer}"] if deal.declarer else "–", trump, f"{deal.opening.get('EW')} / {deal.opening.get('NS')}"]
    found = referee.reckon(state, deal)
    if found is None:
        return [*head, str(deal.points), "", _t("open", lang), ""]
    dug = f"{found.dig_points} (×{found.multiplier})" if found.dig_points else "–"
    return [*head, str(found.points), dug, _stage(found.scored.steps, found.scored.stage, words), f"{found.levels['EW']} / {found.levels['NS']}"]


def _stage(steps: Mapping[str, int], stage: str, words: Mapping[str, str]) -> str:
    side = "attackers" if stage == "attackers" or steps.get("attackers", 0) > 0 else "declarers"
    count = steps.get(side, 0)
    return words[f"stage.{side}" if count > 0 else f"stage.{side}.0"].replace("{n}", str(count))


def _table(pdf: FPDF, rows: Sequence[Sequence[str]], lang: str) -> None:
    pdf.set_font("hei", "", 10)
    heads = [_t(key, lang) for key in ("deal", "declarer", "trump", "levels", "points", "dig", "result", "after")]
    pdf.set_font_size(9)
    with pdf.table(col_widths=_WIDTHS, text_align="CENTER", line_height=6.4, padding=0.6) as table:
        for cells in (heads, *rows):
            row = table.row()
            for cell in cells:
                row.cell(cell)
    pdf.ln(4)


def _rulings(state: MatchState, lang: str) -> list[str]:
    words = catalogue(lang)
    out = []
    for ruling in snapshot(state)["rulings"]:
        if ruling["state"] in ("confirmed", "proposed", "later"):
            kind = words.get(f"kind.done.{ruling['kind']}", words["kind.done.other"])
            out.append(
                f"{words['deal'].replace('{deal}', str(ruling['deal']))} {words['trick.long'].replace('{n}', str(ruling['trick']))} "
                f"{words['seat.long.' + ruling['seat']]}: {kind} — {words['state.' + ruling['state']]} {ruling['why']}".strip()
            )
    return out


def _ending(pdf: FPDF, state: MatchState, rulings: Sequence[str], lang: str) -> None:
    pdf.set_font("hei", "B", 11)
    winner = referee.winner(state)
    levels = f"{_t('final', lang)}: {_t('EW', lang)} {state.levels['EW']}    {_t('NS', lang)} {state.levels['NS']}"
    if winner is not None:
        levels += f"    {_t('winner', lang)}: {_t(winner.value, lang)}"
    pdf.cell(0, 8, levels, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("hei", "", 10)
    pdf.multi_cell(0, 6, f"{_t('rulings', lang)}: " + ("\n".join(rulings) or _t("none", lang)), align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(6)


def _signatures(pdf: FPDF, log: Log, lang: str) -> None:
    if pdf.get_y() > pdf.h - 62:
        pdf.add_page()
    width = (pdf.w - 2 * _MARGIN) / 3
    pdf.ln(12)
    top = pdf.get_y()
    for i, who in enumerate(("EW", "NS", "referee")):
        x = _MARGIN + i * width
        pdf.line(x + 2, top, x + width - 6, top)
        pdf.set_xy(x, top + 1)
        pdf.cell(width, 6, f"{_t(who, lang)} {_t('sign', lang)}", align="L")
    pdf.set_xy(_MARGIN, top + 14)
    pdf.set_font("hei", "", 8)
    pdf.multi_cell(0, 4.5, f"{_t('head', lang)}: {log.head}", align="L", new_x="LMARGIN", new_y="NEXT")
