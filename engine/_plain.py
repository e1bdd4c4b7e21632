"""The plain two-pack rules that the simulated players use until they are given a rulebook's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cards import BIG_JOKER, LITTLE_JOKER, RANK_INDEX, RANK_OF, SUIT_OF, Card, Trump

Cost = Callable[[Card], float]


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of ``length`` adjacent faces, each held ``width`` times; ``top`` is the strength of its highest face."""

    width: int
    length: int
    top: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Kit:
    """What a player needs of the rules, for one trump."""

    trump: Trump

    def group(self, card: Card) -> str:
        """``T`` for trumps, else the suit letter."""
        if card in (LITTLE_JOKER, BIG_JOKER) or RANK_OF[card] == self.trump.level or SUIT_OF[card] is self.trump.suit:
            return "T"
        return SUIT_OF[card].value

    def strength(self, card: Card) -> int:
        """The place of a face in its group, adjacent faces differing by one."""
        main = self.trump.suit is not None
        if card == BIG_JOKER:
            return 15 if main else 14
        if card == LITTLE_JOKER:
            return 14 if main else 13
        rank = RANK_OF[card]
        if rank == self.trump.level:
            return 13 if main and SUIT_OF[card] is self.trump.suit else 12
        index = RANK_INDEX[rank]
        return index - 1 if index > RANK_INDEX[self.trump.level] else index

    def chains(self, cards: Sequence[Card], limit: int = 99) -> list[Unit]:
        """Every run of pairs up to ``limit`` long in cards of one group."""
        pairs: dict[int, Card] = {}
        for card, count in Counter(cards).items():
            if count >= 2:
                pairs.setdefault(self.strength(card), card)
        out = []
        for start in sorted(pairs):
            end = start
            while end in pairs and end - start < limit:
                faces = [pairs[s] for s in range(start, end + 1)]
                out.append(Unit(2, len(faces), end, tuple(c for face in faces for c in (face, face))))
                end += 1
        return out

    def units(self, cards: Sequence[Card]) -> list[Unit]:
        """Cards of one group as tractors, pairs and singles, biggest first."""
        left = Counter(cards)
        out: list[Unit] = []
        while True:
            chains = self.chains(list(left.elements()))
            if not chains:
                break
            best = max(chains, key=lambda u: (u.length, u.top))
            out.append(best)
            left -= Counter(best.cards)
        out += [Unit(1, 1, self.strength(c), (c,)) for c in sorted(left.elements(), key=self.strength, reverse=True)]
        return out

    def owed(self, lead: Sequence[Card], cards: Sequence[Card], cost: Cost) -> tuple[list[int], list[Card]]:
        """The lengths of the runs that cards of the led group can give to a lead, and the cheapest cards that give them."""
        left = Counter(cards)
        got: list[int] = []
        chosen: list[Card] = []
        for unit in self.units(lead):
            need = unit.length if unit.width == 2 else 0
            while need:
                chains = self.chains(list(left.elements()), need)
                if not chains:
                    break
                longest = max(u.length for u in chains)
                best = min((u for u in chains if u.length == longest), key=lambda u: sum(map(cost, u.cards)))
                got.append(longest)
                chosen += best.cards
                left -= Counter(best.cards)
                need -= longest
        return got, chosen

    def legal_follow(self, lead: Sequence[Card], hand: Sequence[Card], cost: Cost) -> tuple[Card, ...]:
        """A legal play that takes the cheapest cards where it may choose."""
        group = self.group(lead[0])
        suit = [c for c in hand if self.group(c) == group]
        if len(suit) <= len(lead):
            rest = sorted((c for c in hand if self.group(c) != group), key=cost)
            return tuple(suit + rest[: len(lead) - len(suit)])
        _, chosen = self.owed(lead, suit, cost)
        left = Counter(suit) - Counter(chosen)
        fill = sorted(left.elements(), key=cost)
        return tuple(chosen + fill[: len(lead) - len(chosen)])

    def legal(self, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> bool:
        """Whether a play follows."""
        group = self.group(lead[0])
        suit = [c for c in hand if self.group(c) == group]
        played = [c for c in play if self.group(c) == group]
        if len(played) < min(len(lead), len(suit)):
            return False
        flat: Cost = lambda _: 0.0  # noqa: E731
        return self.owed(lead, played, flat)[0] >= self.owed(lead, suit, flat)[0] or len(suit) <= len(lead)

    def winner(self, plays: Sequence[Sequence[Card]]) -> int:
        """The place of the play that wins."""
        lead = self.units(plays[0])
        shape = [(u.width, u.length) for u in lead]
        best, best_group, best_top = 0, self.group(plays[0][0]), lead[0].top
        for i, play in enumerate(plays[1:], 1):
            groups = {self.group(c) for c in play}
            if len(groups) != 1:
                continue
            group = groups.pop()
            if group not in (self.group(plays[0][0]), "T"):
                continue
            units = self.units(play)
            if shape != [(1, 1)] * len(shape) and [(u.width, u.length) for u in units] != shape:
                continue
            top = units[0].top if shape[0] != (1, 1) else max(self.strength(c) for c in play)
            if (group == "T" and best_group != "T") or (group == best_group and top > best_top and len(lead) == 1) or (
                group == best_group == "T" and self.group(plays[0][0]) != "T" and top > best_top
            ):
                best, best_group, best_top = i, group, top
        return best
