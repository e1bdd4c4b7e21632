"""Clauses on following, beating, throwing and digging."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.beat import winner
from engine.cards import Seat, parse_cards, parse_trump
from engine.dig import dig as dig_last
from engine.follow import can_follow
from engine.rulebook import Rulebook
from engine.throw import judge_throw
from tests.engine.clauses.checks.base import Check


def follow(trump: str, lead: str, hand: str, **plays: bool) -> Check:
    """Which plays follow legally: ``S5S5=True`` means that S5 S5 is legal."""

    def check(rules: Rulebook) -> None:
        for text, wanted in plays.items():
            play = parse_cards(_spaced(text))
            assert can_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), play) is wanted, text

    return check


def _spaced(text: str) -> str:
    """``S5S10LJ`` as ``S5 S10 LJ``."""
    return " ".join(re.findall(r"10|[SHDC](?:10|[2-9JQKA])|LJ|BJ", text))


def trick(trump: str, plays: Sequence[str], wins: int) -> Check:
    """Which of four plays wins."""

    def check(rules: Rulebook) -> None:
        assert winner(rules, parse_trump(trump), [parse_cards(play) for play in plays]) == wins

    return check


def throw(trump: str, lead: str, others: Sequence[str], played: str = "", fine: int | None = None) -> Check:
    """A throw that stands (``played`` is empty), or what must be led instead and the fine."""

    def check(rules: Rulebook) -> None:
        verdict = judge_throw(rules, parse_trump(trump), parse_cards(lead), [parse_cards(hand) for hand in others])
        assert verdict.stands is not bool(played)
        assert sorted(verdict.played) == sorted(parse_cards(played or lead))
        if fine is not None:
            assert verdict.penalty == fine

    return check


def dig(
    trump: str, last: Sequence[str], multiplier: int, points: int, *, leader: str = "N", declarer: str = "E", bottom: str = "S5 S10", burier: str = ""
) -> Check:
    """What the last trick digs: the multiplier and the points added to the attackers."""

    def check(rules: Rulebook) -> None:
        plays = [parse_cards(play) for play in last]
        buried = parse_cards(bottom) if rules.pack.bottom else ()
        found = dig_last(rules, parse_trump(trump), Seat(declarer), Seat(leader), plays, buried, Seat(burier) if burier else None)
        assert (found.multiplier, found.points) == (multiplier, points)

    return check
