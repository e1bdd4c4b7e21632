"""Small deals for lessons: a few tricks, the hands are what is played in them."""

from __future__ import annotations

from typing import cast

from engine.cards import SEATS, Card, Seat, parse_cards, parse_trump, points_of, seats_from
from engine.deal import Deal
from engine.kit import Kit
from engine.lessons.played import Played, Trick
from engine.notation import parse_trick
from engine.rulebook_toml import load

RULES = load("official-2deck-shengji")


def played(text: str, *, trump: str = "2/S", declarer: Seat = Seat.E, bottom: str = "") -> Played:
    """A deal of the tricks of a text (``1 E: HA | H3 | H9 | H4``), East declaring unless somebody else does."""
    kit = Kit(RULES, parse_trump(trump))
    tricks: list[Trick] = []
    hands: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
    for line in text.strip().splitlines():
        number, leader, acts = parse_trick(line)
        plays = {act.seat: act.cards for act in acts}
        for seat, cards in plays.items():
            hands[seat] += cards
        order = seats_from(leader)
        winner = order[kit.winner([plays[seat] for seat in order])]
        assert number == len(tricks) + 1
        tricks.append(Trick(number, order, plays, winner, sum(map(points_of, plays.values()))))
    known = {seat: tuple(cards) for seat, cards in hands.items()}
    return Played(cast("Deal", None), kit, declarer, tuple(tricks), known, parse_cards(bottom))
