"""Simulated players who play like people at a club: tractors, pairs and aces first, points to a winning partner, low otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.cards import FACES, POINTS, Card, Rank, Suit, Trump, points_of
from engine.kit import Kit
from engine.order import TRUMPS, order_of
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.shapes import Unit


@dataclass(slots=True)
class Table:
    """What everybody has seen: the faces played, out of ``decks`` packs."""

    kit: Kit
    decks: int
    seen: Counter[Card] = field(default_factory=Counter)

    def unseen(self, hand: Sequence[Card]) -> Counter[Card]:
        """What the others and the bottom may still hold, from the point of view of a hand."""
        out = Counter(dict.fromkeys(FACES, self.decks))
        out.subtract(self.seen)
        out.subtract(hand)
        return +out

    def keep(self, card: Card) -> float:
        """How much a player would rather keep a card: points, high cards and trumps are dear."""
        trump = 14.0 if self.kit.group(card) == TRUMPS else 0.0
        return self.kit.strength(card) + trump + 1.2 * POINTS[card]

    def give(self, card: Card) -> float:
        """The same when the trick goes to the partner: points are given first."""
        trump = 20.0 if self.kit.group(card) == TRUMPS else 0.0
        return self.kit.strength(card) * 0.8 + trump - 4.0 * POINTS[card]


def trump_wish(rules: Rulebook, hand: Sequence[Card], level: Rank, suit: Suit | None) -> float:
    """How good a suit would be as trump for a hand (number of trumps, the high ones weigh more)."""
    order = order_of(rules, Trump(level, suit))
    trumps = [c for c in hand if order.group[c] == TRUMPS]
    high = max(order.place.values()) - 5
    return len(trumps) + sum(0.4 for c in trumps if order.place[c] >= high) + sum(0.5 for c, n in Counter(trumps).items() if n > 1)


def bury(table: Table, hand: Sequence[Card], count: int) -> tuple[Card, ...]:
    """The cards a declarer lays back: short plain suits first, low cards, no trumps, no aces, no pairs, few points."""
    kit = table.kit
    held = Counter(hand)
    sizes = Counter(kit.group(c) for c in hand)

    def dear(card: Card) -> tuple[float, Card]:
        value = table.keep(card) + 1.5 * sizes[kit.group(card)] + (6.0 if held[card] > 1 else 0.0)
        if kit.group(card) != TRUMPS and kit.strength(card) >= 11:
            value += 14.0
        return value, card

    return tuple(sorted(hand, key=dear)[:count])


def _stands(table: Table, unit: Unit, unseen: Counter[Card], group: str) -> bool:
    """Whether no unseen cards of the group can beat a unit."""
    rivals = [c for c in unseen.elements() if table.kit.group(c) == group]
    top = table.kit.strength(unit.top)
    return not any(table.kit.strength(u.top) > top for u in table.kit.units_of(rivals, unit.shape))


def lead(table: Table, hand: Sequence[Card], declarers: bool, rng: SplitMix64) -> tuple[Card, ...]:
    """What a player leads."""
    kit = table.kit
    groups: dict[str, list[Card]] = {}
    for card in hand:
        groups.setdefault(kit.group(card), []).append(card)
    unseen = table.unseen(hand)
    options: list[tuple[float, tuple[Card, ...]]] = []
    for group in sorted(groups):
        plain = group != TRUMPS
        units = kit.units(groups[group])
        sure = [u for u in units if _stands(table, u, unseen, group)]
        others_hold = any(kit.group(c) == group for c in unseen)
        for unit in units:
            value = 8.0 * len(unit.cards) if unit.width > 1 else 0.0
            if unit in sure and others_hold:
                value += 22.0 if plain else 12.0
            elif unit.width == 1:
                value -= 1.2 * points_of(unit.cards) + 0.5 * kit.strength(unit.top)
                value += 5.0 if not plain and declarers else 0.0
            if not plain and unit.width > 1 and not declarers:
                value -= 12.0
            value -= 0.3 * len(groups[group]) if plain else 0.0
            options.append((value + 6.0 * rng.random(), unit.cards))
        if len(sure) > 1 and plain and others_hold:
            thrown = tuple(c for u in sure for c in u.cards)
            if len(thrown) <= 6 and kit.rules.throws.allowed and kit.throw_breach(thrown, [list(unseen.elements())]) is None:
                options.append((24.0 + 5.0 * len(thrown) + 8.0 * rng.random(), thrown))
    return max(options)[1]


def _cheapest_beating(table: Table, plays: Sequence[tuple[Card, ...]], hand: Sequence[Card]) -> tuple[Card, ...] | None:
    """The cheapest legal play that takes the trick as it lies, for leads of one unit."""
    kit = table.kit
    shape = kit.units(plays[0])
    if len(shape) > 1:
        return None
    by_group: dict[str, list[Card]] = {}
    for card in hand:
        by_group.setdefault(kit.group(card), []).append(card)
    tried = sorted({kit.group(plays[0][0]), TRUMPS} & by_group.keys())
    options = [u.cards for g in tried for u in kit.units_of(by_group[g], shape[0].shape)]
    beating = [o for o in options if kit.winner([*plays, o]) == len(plays) and kit.legal(plays[0], hand, o)]
    return min(beating, key=lambda o: sum(map(table.keep, o))) if beating else None


def follow(table: Table, plays: Sequence[tuple[Card, ...]], hand: Sequence[Card], rng: SplitMix64) -> tuple[Card, ...]:
    """What a player puts on a trick that ``plays`` (1 to 3, the leader's first) have begun."""
    kit = table.kit
    best = kit.winner(plays)
    partner_wins = (len(plays) - best) % 2 == 0
    last = len(plays) == 3
    stake = sum(map(points_of, plays))
    winning = plays[best]
    unseen = table.unseen(hand)
    group = kit.group(winning[0])
    strong = len(winning) > 1 or not any(kit.group(c) == group and kit.strength(c) > kit.strength(winning[0]) for c in unseen)
    if partner_wins and (last or strong):
        return kit.legal_follow(plays[0], hand, table.give)
    beat = _cheapest_beating(table, plays, hand)
    if beat is not None:
        ruffs = kit.group(beat[0]) == TRUMPS and kit.group(plays[0][0]) != TRUMPS
        worth = 5 * stake + (25 if last else 10) + 10 * (len(plays) == 1) - (0 if not ruffs else 15) - (25 if partner_wins else 0)
        if worth + 20 * rng.random() > 1.2 * sum(map(table.keep, beat)) / len(beat):
            return beat
    return kit.legal_follow(plays[0], hand, table.keep)


def likes_to_declare(rules: Rulebook, hand: Sequence[Card], level: Rank, suit: Suit | None, drawn: int, race: bool, rng: SplitMix64) -> bool:
    """Whether a player declares a suit after ``drawn`` cards: soon in a race, with enough trumps otherwise."""
    return trump_wish(rules, hand, level, suit) + 3 * rng.random() >= (2.0 if race else 3.0 + drawn * 0.28)


def random_lead(kit: Kit, hand: Sequence[Card], others: Sequence[Sequence[Card]], rng: SplitMix64) -> tuple[Card, ...]:
    """Any lead that stands: a card, a unit, or a throw that no other hand can stop."""
    group = kit.group(rng.choice(hand))
    held = [card for card in hand if kit.group(card) == group]
    units = kit.units(held)
    chance = rng.random()
    if chance < 0.3:
        return (rng.choice(held),)
    if chance < 0.6 or len(units) == 1 or not kit.rules.throws.allowed:
        return rng.choice(units).cards
    parts = list(units)
    rng.shuffle(parts)
    thrown = tuple(card for unit in parts[: 2 + rng.randrange(3)] for card in unit.cards)
    return thrown if kit.throw_breach(thrown, others) is None else rng.choice(units).cards


def random_follow(kit: Kit, lead: Sequence[Card], hand: Sequence[Card], rng: SplitMix64) -> tuple[Card, ...]:
    """Any legal follow."""
    cards = list(hand)
    group = kit.group(lead[0])
    for _ in range(2):
        rng.shuffle(cards)
        cards.sort(key=lambda card: kit.group(card) != group)
        play = tuple(cards[: len(lead)])
        if kit.legal(lead, hand, play):
            return play
    price = {card: rng.random() for card in sorted(set(hand))}
    return kit.legal_follow(lead, hand, price.__getitem__)
