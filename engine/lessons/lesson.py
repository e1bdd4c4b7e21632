"""What a lesson is: something that happened in a deal, named by what a sheet says about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, Card, Seat, Team, format_cards
from engine.lessons.clauses import CLAUSES, RULEBOOK
from engine.lessons.played import Played

_ZH: Final = {Seat.E: "东家", Seat.N: "北家", Seat.W: "西家", Seat.S: "南家"}
_SIGNS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_CARD: Final = re.compile(r"(?<![A-Za-z0-9])(?:[SHCD](?:10|[2-9AJQK])|[BL]J)(?![A-Za-z0-9])")
_SIDE_ZH: Final = {Team.EW: "东西", Team.NS: "南北"}


@dataclass(frozen=True, slots=True)
class Lesson:
    """Something worth looking at: its kind, the trick (0: before the first), the seats it concerns, a sentence in both languages, the cards,
    and the sheet with its words by which it is named.

    It says only what the cards show; whether it was meant is the players' own matter.
    """

    kind: str
    trick: int
    seats: tuple[Seat, ...]
    zh: str
    en: str
    cards: tuple[Card, ...]
    source: str
    clause: str
    says: str

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "kind": self.kind, "trick": self.trick, "seats": [str(s) for s in self.seats], "zh": self.zh, "en": self.en, "cards": list(self.cards),
            "source": self.source, "clause": self.clause, "says": self.says,
        }  # fmt: skip


def lesson(deal: Played, kind: str, trick: int, seats: Sequence[Seat], zh: str, en: str, cards: Sequence[Card] = ()) -> Lesson:
    """Name something by its clause; for what the deal's own rulebook says, its quote stands there (``silent`` where the sheet does not say)."""
    clause = CLAUSES[kind]
    own = clause.source == RULEBOOK
    rules = deal.kit.rules
    return Lesson(
        kind,
        trick,
        tuple(seats),
        in_words(zh, "大王", "小王"),
        in_words(en, "big joker", "little joker"),
        tuple(cards),
        rules.name if own else clause.source,
        rules.clause(clause.zh) if own else clause.zh,
        clause.en,
    )


def in_words(text: str, big: str, little: str) -> str:
    """A sentence with its cards as people write them: ``♦10``, and the jokers by their names."""

    def card(found: re.Match[str]) -> str:
        jokers = {str(BIG_JOKER): big, str(LITTLE_JOKER): little}
        return jokers.get(found[0]) or _SIGNS[found[0][0]] + found[0][1:]

    return _CARD.sub(card, text)


def who(seat: Seat) -> str:
    """A seat in Chinese."""
    return _ZH[seat]


def side(team: Team) -> str:
    """A side in Chinese."""
    return _SIDE_ZH[team]


def show(cards: Sequence[Card]) -> str:
    """Cards as the notation prints them."""
    return format_cards(cards)
