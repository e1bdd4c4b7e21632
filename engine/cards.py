"""Cards, suits, ranks, seats, teams and the trump: the words every room shares.

Text forms (one line each, they parse back): a card ``SA`` ``H10`` ``LJ`` ``BJ`` or ``??`` (unknown), a seat ``E`` ``N``
``W`` ``S``, a team ``EW`` ``NS``, a trump ``10/H`` or ``2/NT``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, NewType


@unique
class Suit(StrEnum):
    """The four suits in the order spades, hearts, diamonds, clubs."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


Card = NewType("Card", str)
"""A face: suit letter and rank, or a joker, or unknown. Two identical cards are equal."""

Rank = NewType("Rank", str)
"""``2`` .. ``10`` ``J`` ``Q`` ``K`` ``A``."""

RANKS: Final[tuple[Rank, ...]] = tuple(Rank(r) for r in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))
RANK_INDEX: Final[Mapping[Rank, int]] = {rank: i for i, rank in enumerate(RANKS)}

LITTLE_JOKER: Final = Card("LJ")
BIG_JOKER: Final = Card("BJ")
UNKNOWN: Final = Card("??")

SUIT_OF: Final[Mapping[Card, Suit]] = {Card(suit + rank): suit for suit in Suit for rank in RANKS}
"""The printed suit of the 52 suited faces; jokers are not in it."""
RANK_OF: Final[Mapping[Card, Rank]] = {Card(suit + rank): rank for suit in Suit for rank in RANKS}
"""The printed rank of the 52 suited faces; jokers are not in it."""

FACES: Final[tuple[Card, ...]] = (*SUIT_OF, LITTLE_JOKER, BIG_JOKER)
"""The 54 faces of one pack."""

POINTS: Final[Mapping[Card, int]] = {card: {"5": 5, "10": 10, "K": 10}.get(RANK_OF.get(card, Rank("")), 0) for card in FACES}
"""Points of a face: 5, 10 and 10 for K (official-2deck-shengji: 两副扑克牌的总分是200分)."""

_KNOWN: Final = frozenset(FACES)


class NotationError(ValueError):
    """A text that is not a card, seat, trump, play or deal; the message says what was read and what was expected."""


def parse_card(text: str, *, unknown: bool = False) -> Card:
    """Read one card.

    :param unknown: admit ``??``.
    :raises NotationError: when the text is no card.
    """
    card = Card(text.strip().upper())
    if card in _KNOWN or (unknown and card == UNKNOWN):
        return card
    raise NotationError(f"not a card: {text!r}; expected a suit letter S H D C and a rank 2..10 J Q K A (like SA, H10), or LJ, BJ")


def parse_cards(text: str | Iterable[str], *, unknown: bool = False) -> tuple[Card, ...]:
    """Read cards separated by blanks, or given one by one.

    :raises NotationError: naming the first text that is no card.
    """
    parts = text.split() if isinstance(text, str) else text
    return tuple(parse_card(part, unknown=unknown) for part in parts)


def format_cards(cards: Iterable[Card]) -> str:
    """Print cards so that :func:`parse_cards` reads them back."""
    return " ".join(cards)


def points_of(cards: Iterable[Card]) -> int:
    """Add up the points of cards (unknown cards count 0)."""
    return sum(POINTS.get(card, 0) for card in cards)


def parse_rank(text: str) -> Rank:
    """Read a rank.

    :raises NotationError: when it is none of 2..10 J Q K A.
    """
    rank = Rank(text.strip().upper())
    if rank not in RANK_INDEX:
        raise NotationError(f"not a rank: {text!r}; expected one of {' '.join(RANKS)}")
    return rank


@unique
class Team(StrEnum):
    """The two sides, named by their seats."""

    EW = "EW"
    NS = "NS"

    @property
    def other(self) -> Team:
        """The opposing side."""
        return Team.NS if self is Team.EW else Team.EW


@unique
class Seat(StrEnum):
    """The four seats in playing order (counter-clockwise)."""

    E = "E"
    N = "N"
    W = "W"
    S = "S"

    @property
    def next(self) -> Seat:
        """下家: the player to the right, who plays next (official-2deck-shengji: 下家位于本家右方)."""
        return SEATS[(SEATS.index(self) + 1) % 4]

    @property
    def previous(self) -> Seat:
        """上家: the player to the left, who played before."""
        return SEATS[(SEATS.index(self) + 3) % 4]

    @property
    def partner(self) -> Seat:
        """对家: the player opposite."""
        return SEATS[(SEATS.index(self) + 2) % 4]

    @property
    def team(self) -> Team:
        """The side that this seat plays for."""
        return Team.EW if self in (Seat.E, Seat.W) else Team.NS


SEATS: Final[tuple[Seat, ...]] = (Seat.E, Seat.N, Seat.W, Seat.S)


def parse_seat(text: str) -> Seat:
    """Read a seat.

    :raises NotationError: when it is none of E N W S.
    """
    try:
        return Seat(text.strip().upper())
    except ValueError:
        raise NotationError(f"not a seat: {text!r}; expected one of E N W S") from None


def seats_from(first: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats in playing order, beginning with one."""
    i = SEATS.index(first)
    return SEATS[i], SEATS[(i + 1) % 4], SEATS[(i + 2) % 4], SEATS[(i + 3) % 4]


@dataclass(frozen=True, slots=True)
class Trump:
    """The level being played and the trump suit; ``suit`` is None at no-trump."""

    level: Rank
    suit: Suit | None

    def __str__(self) -> str:
        return f"{self.level}/{self.suit.value if self.suit else 'NT'}"


def parse_trump(text: str) -> Trump:
    """Read ``10/H`` or ``2/NT``.

    :raises NotationError: when the text is no trump.
    """
    level, slash, suit = text.strip().upper().partition("/")
    if not slash or suit not in {"S", "H", "D", "C", "NT"}:
        raise NotationError(f"not a trump: {text!r}; expected level/suit like 10/H or 2/NT")
    return Trump(parse_rank(level), None if suit == "NT" else Suit(suit))
