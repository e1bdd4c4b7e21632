"""A match as text: one deal on one page in the engine's notation, which parses back; pages are parted by a form feed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.deal import Deal
from engine.events import ScoreSet
from engine.notation import DealText, format_deal, parse_deal
from engine.referee import MatchState
from engine.rulebook import Rulebook

PAGE: Final = "\f\n"


def deal_text(deal: Deal, names: Mapping[str, str] | None = None) -> str:
    """One page; what the notation has no line for (a score set by hand) stands on it as a remark."""
    page = format_deal(deal, names)
    notes = [f"; 手工记分 score set by hand: {e.points}, trick {e.trick}\n" for e in deal.facts if isinstance(e, ScoreSet)]
    return page + "".join(notes)


def match_text(state: MatchState) -> str:
    """All deals of a match."""
    return PAGE.join(deal_text(deal, state.names) for deal in state.deals)


def parse_match(text: str, rulebook: Rulebook | None = None) -> tuple[DealText, ...]:
    """Read the pages of a match.

    :raises engine.cards.NotationError: naming the page, the line, what was read and what was expected.
    """
    out: list[DealText] = []
    for number, page in enumerate(text.split(PAGE), 1):
        try:
            out.append(parse_deal(page, rulebook))
        except ValueError as error:
            raise type(error)(f"page {number}: {error}") from None
    return tuple(out)
