"""At most six cards that a misread card may really be: what the reader thought, what is often confused, what the pack still allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, RANK_OF, SUIT_OF, Card, Suit

MOST: Final = 6

_RANK_TWINS: Final[Mapping[str, str]] = {
    "6": "98", "9": "6", "J": "QK", "Q": "JK", "K": "QJ", "A": "4", "4": "A", "3": "8", "8": "36", "5": "6", "2": "7", "7": "2", "10": "",
}  # fmt: skip
"""Ranks that look alike upside down, worn or half covered."""
_SUIT_TWINS: Final[Mapping[Suit, tuple[Suit, ...]]] = {
    Suit.SPADES: (Suit.CLUBS,),
    Suit.CLUBS: (Suit.SPADES,),
    Suit.HEARTS: (Suit.DIAMONDS,),
    Suit.DIAMONDS: (Suit.HEARTS,),
}
"""Suits of one colour."""


def _confusions(card: Card) -> Iterator[Card]:
    """Usual confusions of a face, the most usual first."""
    if card in (LITTLE_JOKER, BIG_JOKER):
        yield BIG_JOKER if card == LITTLE_JOKER else LITTLE_JOKER
        return
    if card not in SUIT_OF:
        return
    suit, rank = SUIT_OF[card], RANK_OF[card]
    for twin in _SUIT_TWINS[suit]:
        yield Card(f"{twin}{rank}")
    for other in _RANK_TWINS[rank]:
        yield Card(f"{suit}{other}")
    for other_suit in Suit:
        yield Card(f"{other_suit}{rank}")


def suggest(card: Card, n_best: Sequence[tuple[str, float]], seen: Mapping[str, int], decks: int) -> tuple[Card, ...]:
    """Rank what a card may really be; the card itself and faces that have all been seen elsewhere are left out, as long as any are left.

    :param n_best: readings with their probabilities, best first.
    :param seen: how often each face lies in the deal, the card in question included.
    """
    known = frozenset(FACES) - {card}
    likely = [candidate for candidate in dict.fromkeys((*(Card(name) for name, _ in n_best), *_confusions(card))) if candidate in known]
    free = [candidate for candidate in likely if seen.get(candidate, 0) < decks]
    return tuple((free or likely)[:MOST])
