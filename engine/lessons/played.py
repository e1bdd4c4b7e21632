"""A deal that was played out, with the hands as they are known afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, RANK_OF, SEATS, SUIT_OF, UNKNOWN, Card, Seat, Team
from engine.deal import Deal, Phase
from engine.kit import Kit
from engine.order import TRUMPS

JOKERS: Final = (LITTLE_JOKER, BIG_JOKER)


@dataclass(frozen=True, slots=True)
class Trick:
    """A closed trick: the seats in the order of play, the cards of each, who won it and its points."""

    number: int
    order: tuple[Seat, ...]
    plays: Mapping[Seat, tuple[Card, ...]]
    winner: Seat
    points: int

    @property
    def leader(self) -> Seat:
        """Who led."""
        return self.order[0]

    @property
    def lead(self) -> tuple[Card, ...]:
        """The led cards."""
        return self.plays[self.leader]

    def before(self, seat: Seat) -> list[tuple[Card, ...]]:
        """The plays that lay when a seat played, the leader's first."""
        return [self.plays[s] for s in self.order[: self.order.index(seat)]]


@dataclass(frozen=True, slots=True)
class Played:
    """A deal with every card known: the rules of it, who declared, the tricks, the hands before the first trick, the buried bottom."""

    deal: Deal
    kit: Kit
    declarer: Seat
    tricks: tuple[Trick, ...]
    hands: Mapping[Seat, tuple[Card, ...]]
    bottom: tuple[Card, ...]

    @property
    def partner(self) -> Seat:
        """The declarer's partner."""
        return self.declarer.partner

    @property
    def attackers(self) -> Team:
        """The side that collects points."""
        return self.declarer.team.other

    def hand(self, trick: int, seat: Seat) -> Counter[Card]:
        """What a seat held before it played to a trick."""
        held = Counter(self.hands[seat])
        for done in self.tricks[: trick - 1]:
            held.subtract(done.plays[seat])
        return +held

    def seen(self, trick: int) -> Counter[Card]:
        """What had been played before a trick."""
        return Counter(card for done in self.tricks[: trick - 1] for cards in done.plays.values() for card in cards)

    def void(self, trick: int, seat: Seat) -> set[str]:
        """The groups in which a seat had failed to follow before a trick: everybody knew that it was out of them."""
        out: set[str] = set()
        for done in self.tricks[: trick - 1]:
            led = self.kit.group(done.lead[0])
            if any(self.kit.group(card) != led for card in done.plays[seat]):
                out.add(led)
        return out

    def single(self, cards: Sequence[Card]) -> Card | None:
        """The card of a play of one card."""
        return cards[0] if len(cards) == 1 else None

    def plain(self, card: Card) -> bool:
        """Whether a card is none of the trumps."""
        return self.kit.group(card) != TRUMPS

    def of_trump_suit(self, card: Card) -> bool:
        """Whether a card is an ordinary one of the trump suit: no joker, no level card, no constant trump."""
        if card in JOKERS or self.kit.trump.suit is None or SUIT_OF[card] is not self.kit.trump.suit:
            return False
        return RANK_OF[card] != self.kit.trump.level and not (self.kit.rules.trumps.constant_two and RANK_OF[card] == "2")

    def led_singles(self, seat: Seat) -> Iterator[tuple[Trick, Card]]:
        """The tricks that a seat led with one card."""
        for trick in self.tricks:
            if trick.leader is seat and len(trick.lead) == 1:
                yield trick, trick.lead[0]


def played(deal: Deal) -> Played | None:
    """The deal with its hands, or None while it is played or where a card is not known."""
    if deal.phase is not Phase.ENDED or deal.declarer is None or deal.kit is None or not deal.played_out or deal.base_trick:
        return None
    tricks: list[Trick] = []
    held: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
    for number, trick in enumerate(deal.tricks, 1):
        if trick.number != number or trick.winner is None or len(trick.plays) != len(SEATS):
            return None
        size = len(trick.plays[0].cards)
        for play in trick.plays:
            if UNKNOWN in play.cards or len(play.cards) != size:
                return None
            held[play.seat] += play.cards
        if not deal.kit.readable(trick.plays[0].cards):
            return None
        tricks.append(Trick(number, tuple(p.seat for p in trick.plays), {p.seat: p.cards for p in trick.plays}, trick.winner, trick.points))
    bottom = deal.bottom or ()
    if UNKNOWN in bottom or len(bottom) != deal.rules.pack.bottom:
        return None
    return Played(deal, deal.kit, deal.declarer, tuple(tricks), {seat: tuple(cards) for seat, cards in held.items()}, bottom)
