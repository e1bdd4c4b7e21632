"""A match as tables for a spreadsheet: its deals and its tricks, one row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine import referee
from engine.cards import SEATS, format_cards
from engine.referee import MatchState

_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")
DEALS: Final = (
    "deal", "declarer", "trump", "level_EW", "level_NS", "points", "trick_points", "dig_points", "multiplier", "fines", "stage", "steps_declarers",
    "steps_attackers", "after_EW", "after_NS", "next_declarer",
)  # fmt: skip
TRICKS: Final = ("deal", "trick", "leader", *(str(seat) for seat in SEATS), "winner", "points", "t")


def deals(state: MatchState) -> str:
    """A row a deal."""
    rows: list[list[Any]] = []
    for deal in state.deals:
        found = referee.reckon(state, deal)
        head = [deal.number, deal.declarer or "", deal.trump or "", deal.opening.get("EW", ""), deal.opening.get("NS", "")]
        if found is None:
            rows.append([*head, deal.points, *[""] * (len(DEALS) - len(head) - 1)])
            continue
        steps = found.scored.steps
        rows.append(
            [*head, found.points, found.trick_points, found.dig_points, found.multiplier, found.fines, found.scored.stage, steps.get("declarers", 0),
             steps.get("attackers", 0), found.levels["EW"], found.levels["NS"], found.next_declarer or ""]
        )  # fmt: skip
    return _csv(DEALS, rows)


def tricks(state: MatchState) -> str:
    """A row a trick; cards as the notation prints them, the time is that of the last card (s of the table's clock)."""
    rows: list[list[Any]] = []
    for deal in state.deals:
        for trick in deal.tricks:
            plays = {play.seat: play for play in trick.plays}
            cards = [format_cards(plays[seat].cards) if seat in plays else "" for seat in SEATS]
            last = max((play.t for play in trick.plays), default=0.0)
            rows.append([deal.number, trick.number, trick.leader, *cards, trick.winner or "", trick.points, round(last, 2)])
    return _csv(TRICKS, rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula; a level below the start (-A) is kept as it is."""
    text = str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_RISKY) and text != "-A" else cell
