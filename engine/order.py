"""The order of the cards under a rulebook and a trump: suit groups, strength, and which cards are neighbours in a tractor.

Every card has a group (``T`` for the trumps, else its suit letter) and a place in it. A higher place is a stronger card, equal cards (the
off-suit level cards, off-suit constant twos) share a place, and two places are neighbours exactly when they differ by one: where a rulebook
does not let two cards join in a tractor, a place is left out between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, RANKS, UNKNOWN, Card, Rank, Suit, Trump
from engine.rulebook import Rulebook
from engine.rulebook_terms import Link, Position

TRUMPS: Final = "T"
"""The group of all trumps."""
NOWHERE: Final = "?"
"""The group of an unknown card: it follows nothing and beats nothing."""

_LINKS: Final[Mapping[tuple[Position, Position], Link]] = {
    (Position.SUIT, Position.SIDE_LEVEL): Link.TOP_LEVEL,
    (Position.SUIT, Position.MAIN_LEVEL): Link.TOP_LEVEL,
    (Position.SUIT, Position.SIDE_TWO): Link.TOP_TWO,
    (Position.SIDE_TWO, Position.MAIN_TWO): Link.SIDE_MAIN_TWO,
    (Position.MAIN_TWO, Position.SIDE_LEVEL): Link.MAIN_TWO_LEVEL,
    (Position.SIDE_TWO, Position.SIDE_LEVEL): Link.MAIN_TWO_LEVEL,
    (Position.SIDE_LEVEL, Position.MAIN_LEVEL): Link.SIDE_MAIN_LEVEL,
    (Position.MAIN_LEVEL, Position.LITTLE_JOKER): Link.LEVEL_JOKER,
    (Position.SIDE_LEVEL, Position.LITTLE_JOKER): Link.LEVEL_JOKER,
    (Position.LITTLE_JOKER, Position.BIG_JOKER): Link.JOKERS,
}
"""The rule that makes two places of the trump order neighbours; at no-trump all level cards (and all twos) stand as one place."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The cards ordered under one rulebook and trump; built once by :func:`order_of`.

    ``low_pair`` holds the trump ace and main two where A A 2 2 is the smallest tractor by itself (reverse-dig-4deck-bombs: AA22为最小).
    """

    rules: Rulebook
    trump: Trump | None
    group: Mapping[Card, str]
    place: Mapping[Card, int]
    low_pair: tuple[Card, Card] | None


def _suit_places(ranks: list[Rank], level: Rank | None, skip_level: bool, first: int) -> Iterator[tuple[Rank, int]]:
    """The places of a suit's ranks from the lowest; without skipping, the level rank leaves a gap behind it."""
    place = first
    for rank in ranks:
        if rank == level:
            place += 0 if skip_level or place == first else 1
            continue
        yield rank, place
        place += 1


def _trump_faces(position: Position, level: Rank | None, suit: Suit | None, constant_two: bool) -> list[Card]:
    """The faces that stand at a place of the trump order (none for a place that this trump does not have)."""
    match position:
        case Position.BIG_JOKER:
            return [BIG_JOKER]
        case Position.LITTLE_JOKER:
            return [LITTLE_JOKER]
        case Position.MAIN_LEVEL:
            return [Card(suit + level)] if suit and level else []
        case Position.SIDE_LEVEL:
            return [Card(s + level) for s in Suit if s is not suit] if level else []
        case Position.MAIN_TWO:
            return [Card(suit + "2")] if suit and constant_two and level != "2" else []
        case Position.SIDE_TWO:
            return [Card(s + "2") for s in Suit if s is not suit] if constant_two and level != "2" else []
        case Position.SUIT:
            return []


def _build(rules: Rulebook, trump: Trump | None) -> Order:
    level, suit = (trump.level, trump.suit) if trump else (None, None)
    twos = rules.trumps.constant_two
    group: dict[Card, str] = {UNKNOWN: NOWHERE}
    place: dict[Card, int] = {UNKNOWN: 0}
    ranks = [r for r in RANKS if not (twos and r == "2")]
    for s in Suit:
        for rank, at in _suit_places(ranks, level, rules.shapes.skip_level, 1):
            card = Card(s + rank)
            group[card] = TRUMPS if s is suit else s.value
            place[card] = at
    before = Position.SUIT if suit else None
    top = max(place[c] for c in place if group[c] == TRUMPS) if suit else 0
    for position in reversed(rules.trumps.order):
        faces = _trump_faces(position, level, suit, twos)
        if not faces:
            continue
        joined = before is not None and _LINKS.get((before, position)) in rules.shapes.links
        top += 1 if joined else 2
        before = position
        for card in faces:
            group[card] = TRUMPS
            place[card] = top
    ace_two = rules.shapes.lowest_ace_two and suit is not None and level not in ("2", "A")
    return Order(rules, trump, group, place, (Card(f"{suit}A"), Card(f"{suit}2")) if ace_two else None)


_ORDERS: Final[dict[tuple[int, str], Order]] = {}
_MOST: Final = 512


def order_of(rules: Rulebook, trump: Trump | None) -> Order:
    """The order of the cards under a rulebook and a trump (None: no level card and no trump suit, only jokers are trumps).

    Orders are kept: asking again for the same rulebook object is cheap.
    """
    key = (id(rules), trump.level + (trump.suit or "") if trump else "")
    order = _ORDERS.get(key)
    if order is None or order.rules is not rules:
        if len(_ORDERS) >= _MOST:
            _ORDERS.clear()
        order = _ORDERS[key] = _build(rules, trump)
    return order


def group(rules: Rulebook, trump: Trump | None, card: Card) -> str:
    """The suit group of a card: ``T`` for trumps, else the letter of its suit."""
    return order_of(rules, trump).group[card]


def strength(rules: Rulebook, trump: Trump | None, card: Card) -> int:
    """The strength of a card inside its group; equal cards have equal strength."""
    return order_of(rules, trump).place[card]


def adjacent(rules: Rulebook, trump: Trump | None, low: Card, high: Card) -> bool:
    """Whether ``high`` is the next card up from ``low`` for building a tractor.

    Where A A 2 2 is a tractor by itself its two cards are neighbours whichever is named first: the main two is higher, the tractor the lowest.
    """
    order = order_of(rules, trump)
    if order.low_pair is not None and {low, high} == set(order.low_pair):
        return True
    return order.group[low] == order.group[high] != NOWHERE and order.place[high] - order.place[low] == 1
