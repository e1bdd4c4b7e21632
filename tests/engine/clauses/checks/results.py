"""Clauses on the result of a deal, the levels and the next declarer."""

from __future__ import annotations

import pytest

from engine import deal as deals
from engine import referee
from engine.cards import Seat, parse_cards, parse_trump
from engine.rulebook import Rulebook
from engine.score import LevelError, hook
from engine.score import score as score_deal
from tests.engine.clauses.checks.base import Check


def score(
    points: int, stage: str, steps: int, *, declarers: str = "5", attackers: str = "4", after: tuple[str, str] | None = None, won: str | None = None
) -> Check:
    """The result of a deal: who has the stage, the steps, the levels (declarers, attackers) after, and who won the match."""

    def check(rules: Rulebook) -> None:
        found = score_deal(rules, points, {"declarers": declarers, "attackers": attackers})
        assert (found.stage.value, found.steps[stage]) == (stage, steps)
        if after is not None:
            assert (found.levels["declarers"], found.levels["attackers"]) == after
        assert (found.winner.value if found.winner else None) == won

    return check


def path(first: str, last: str, off: str = "") -> Check:
    """The match begins at the first level; the last one is on the path, another level is not."""

    def check(rules: Rulebook) -> None:
        state = referee.start(rules)
        assert set(state.levels.values()) == {first}
        score_deal(rules, 0, {"declarers": first, "attackers": last})
        if off:
            with pytest.raises(LevelError):
                score_deal(rules, 0, {"declarers": off, "attackers": first})

    return check


def hooked(trump: str, cards: str, to: str | None) -> Check:
    """Where a level card that wins the last trick for the attackers sends the declarers."""

    def check(rules: Rulebook) -> None:
        assert hook(rules, parse_trump(trump), True, parse_cards(cards)) == to

    return check


def hooked_levels(points: int, to: str, declarers: str, after: str) -> Check:
    """The declarers' level after a deal in which they were hooked."""

    def check(rules: Rulebook) -> None:
        found = score_deal(rules, points, {"declarers": declarers, "attackers": declarers}, to)
        assert found.levels["declarers"] == after

    return check


def next_declarer(stage: str, declarer: str, wanted: str | None) -> Check:
    """Who is declarer next when this side has the stage."""

    def check(rules: Rulebook) -> None:
        level = rules.levels.path[0]
        deal = deals.start(rules, 2, {"EW": level, "NS": level}, Seat(declarer))
        assert deals.next_declarer(deal, stage) == (Seat(wanted) if wanted else None)

    return check
