"""Clauses on the pack and the order of the cards."""

from __future__ import annotations

import json

from engine import deal as deals
from engine.cards import Seat, Team, parse_card, parse_cards, parse_trump
from engine.dealing import deal_out
from engine.judge import answer, answer_line
from engine.order import TRUMPS, adjacent, group, strength
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.shapes import read
from tests.engine.clauses.checks.base import Check


def decks(number: int) -> Check:
    """So many of a face may be shown, and not one more."""

    def check(rules: Rulebook) -> None:
        case = {"id": 1, "rulebook": rules.name, "trump": "5/H", "ask": "shapes", "cards": ["SA"] * number}
        assert answer(case)["units"][0][1] == number
        assert "SA" in answer_line(json.dumps({**case, "cards": ["SA"] * (number + 1)}))["error"]

    return check


def dealt(hand: int, bottom: int) -> Check:
    """A simulated deal gives everybody so many cards and leaves so many."""

    def check(rules: Rulebook) -> None:
        levels = {team: str(rules.levels.path[0]) for team in Team}
        out = deal_out(rules, SplitMix64(7), 2, levels, Seat.E)
        assert {len(cards) for cards in out.hands.values()} == {hand}
        assert len(out.bottom) == bottom

    return check


def no_bottom() -> Check:
    """The declarer cannot take a bottom."""

    def check(rules: Rulebook) -> None:
        deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
        assert not deals.can_take(deal, Seat.E)

    return check


def order(trump: str, cards: str) -> Check:
    """Trumps, each higher than the next."""

    def check(rules: Rulebook) -> None:
        faces = parse_cards(cards)
        assert {group(rules, parse_trump(trump), card) for card in faces} == {TRUMPS}
        places = [strength(rules, parse_trump(trump), card) for card in faces]
        assert places == sorted(set(places), reverse=True)

    return check


def trumps(trump: str, inside: str, outside: str = "") -> Check:
    """Which cards are trumps and which are not."""

    def check(rules: Rulebook) -> None:
        at = parse_trump(trump)
        assert all(group(rules, at, card) == TRUMPS for card in parse_cards(inside))
        assert all(group(rules, at, card) != TRUMPS for card in parse_cards(outside))

    return check


def neighbours(trump: str, low: str, high: str, wanted: bool = True) -> Check:
    """Whether two faces are neighbours in a tractor."""

    def check(rules: Rulebook) -> None:
        assert adjacent(rules, parse_trump(trump), parse_card(low), parse_card(high)) is wanted

    return check


def units(trump: str, cards: str, *wanted: tuple[str, int, int, str]) -> Check:
    """How a lead is read: kind, width, length, highest card."""

    def check(rules: Rulebook) -> None:
        found = [(u.kind.value, u.width, u.length, u.top) for u in read(rules, parse_trump(trump), parse_cards(cards))]
        assert found == list(wanted)

    return check
