"""Clauses on what is done before a deal: shuffling, cutting, the first draw."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import SEATS, Seat, Team, parse_card, parse_cards, parse_trump
from engine.duties import first_draw, first_draw_by_cards, hands_for, may_redeal
from engine.rulebook import Rulebook
from tests.engine.clauses.checks.base import Check


def shuffled_by(seats: str) -> Check:
    """Who shuffles when E will be declarer and EW have won the deal before."""

    def check(rules: Rulebook) -> None:
        assert "".join(hands_for(rules.pack.shuffles, Seat.E, Team.EW)) == seats

    return check


def cut_by(seats: str) -> Check:
    """Who cuts when E will be declarer and EW have won the deal before."""

    def check(rules: Rulebook) -> None:
        assert "".join(hands_for(rules.pack.cuts, Seat.E, Team.EW)) == seats

    return check


def counted_from_the_flipped_card() -> Check:
    """One counts from who flipped a card, by its pips, in playing order: the ace is the player, 2 the next one, 5 again the player."""

    def check(rules: Rulebook) -> None:
        for card, seat in (("SA", "W"), ("H2", "S"), ("C3", "E"), ("D4", "N"), ("S5", "W"), ("SK", "W"), ("SJ", "E")):
            assert first_draw_by_cards(rules, {Seat.W: parse_card(card)}) == Seat(seat), card
        assert first_draw_by_cards(rules, {Seat.W: parse_card("BJ")}) is None

    return check


def highest_card_draws_first() -> Check:
    """Of the cards that everybody turns the highest draws first; of equal ones none does."""

    def check(rules: Rulebook) -> None:
        for cards, seat in (("S9 HK D2 CQ", "N"), ("SA HK LJ CQ", "W"), ("S9 HK DK CQ", None)):
            shown = dict(zip(SEATS, parse_cards(cards), strict=True))
            assert first_draw_by_cards(rules, shown) == (Seat(seat) if seat else None), cards

    return check


def declarer_draws_first() -> Check:
    """Later the declarer draws first, whoever did before."""

    def check(rules: Rulebook) -> None:
        assert first_draw(rules, Seat.N, Seat.E) is Seat.N

    return check


def first_draw_goes_round() -> Check:
    """Later the next player draws first, whoever is declarer."""

    def check(rules: Rulebook) -> None:
        assert first_draw(rules, Seat.N, Seat.E) is Seat.N
        assert first_draw(rules, Seat.N, Seat.S) is Seat.E

    return check


def no_new_deal_for_a_bad_hand() -> Check:
    """A hand without trumps or points is played; where the rule were the other way, it could be thrown in."""

    def check(rules: Rulebook) -> None:
        trump = parse_trump("3/H")
        other = replace(rules, pack=replace(rules.pack, bad_hand_redeals=True))
        for hand, bad in (("S4 S6 SK D10", True), ("S4 H6 D7 D8", True), ("S4 H6 SK D8", False)):
            assert not may_redeal(rules, trump, parse_cards(hand))
            assert may_redeal(other, trump, parse_cards(hand)) is bad

    return check
