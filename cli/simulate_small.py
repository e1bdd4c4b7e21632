"""The audit on packs so small that every deal which fits what was shown can be tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from engine.audit import Verdict, Watch, observe
from engine.cards import SEATS, Card, Seat, parse_cards, parse_trump, seats_from
from engine.kit import Kit
from engine.prng import SplitMix64
from engine.rulebook import Rulebook

PACK = "S3 S4 S5 S6 S7 D3 D4 D5 H3 H4"
"""The faces of one small pack at trump 2/H: five spades, three diamonds, two trumps."""
SIZE = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """A follow at a moment: which, what the audit says of it, what it is under every hand that fits what was shown, and whether all is played."""

    trick: int
    seat: Seat
    verdict: Verdict
    fitting: frozenset[bool]
    over: bool

    @property
    def holds(self) -> bool:
        """Whether the verdict is true of every hand that fits; in the end everything is decided."""
        if self.verdict is Verdict.PROVEN:
            return self.fitting == {False}
        if self.verdict is Verdict.LEGAL:
            return self.fitting == {True}
        return not self.over


@dataclass(slots=True)
class SmallTally:
    """What came of small deals: follows, verdicts compared, those that were false, offences, and those that brute force knew sooner."""

    deals: int = 0
    follows: int = 0
    compared: int = 0
    false: int = 0
    offences: int = 0
    sooner: int = 0


def moments(rules: Rulebook, pack: str, size: int, seed: int) -> Iterator[Moment]:
    """Deal a small pack, let everybody play anything, and compare every verdict at every moment with all hands that fit what was shown."""
    kit = Kit(replace(rules, pack=replace(rules.pack, hand=size, bottom=0)), parse_trump("2/H"))
    rng = SplitMix64(seed)
    cards = list(parse_cards(pack)) * rules.pack.decks
    rng.shuffle(cards)
    hands = {seat: cards[i * size : i * size + size] for i, seat in enumerate(SEATS)}
    rest = cards[4 * size :]
    watch, leader, number = Watch(kit), Seat.E, 0
    history: list[tuple[int, Seat, tuple[Card, ...], tuple[Card, ...]]] = []
    while hands[Seat.E]:
        number += 1
        plays: list[tuple[Card, ...]] = []
        for seat in seats_from(leader):
            hand = hands[seat]
            if plays:
                rng.shuffle(hand)
                play = tuple(hand[: len(plays[0])])
            else:
                play = rng.choice([u.cards for g in "SDT" if (held := [c for c in hand if kit.group(c) == g]) for u in kit.units(held)])
            for card in play:
                hand.remove(card)
            watch = observe(watch, number, seat, play, plays[0] if plays else None)
            plays.append(play)
            history.append((number, seat, plays[0], play))
            unseen = sorted([card for held in hands.values() for card in held] + rest)
            for trick, who, lead, done in history:
                if who is not _leader_of(history, trick):
                    shown = tuple(c for t, s, _, p in history if s is who and t >= trick for c in p)
                    fitting = frozenset(kit.legal(lead, shown + more, done) for more in set(combinations(unseen, len(hands[who]))))
                    yield Moment(trick, who, watch.verdicts[trick, who], fitting, not any(hands.values()))
        leader = seats_from(leader)[kit.winner(plays)]


def _leader_of(history: list[tuple[int, Seat, tuple[Card, ...], tuple[Card, ...]]], trick: int) -> Seat:
    return next(seat for number, seat, _, _ in history if number == trick)


def small(rules: Rulebook, deals: int, first: int) -> SmallTally:
    """Compare so many small deals from a seed on."""
    out = SmallTally()
    for seed in range(first, first + deals):
        out.deals += 1
        certain: dict[tuple[int, Seat], bool] = {}
        for moment in moments(rules, PACK, SIZE, seed):
            key = moment.trick, moment.seat
            out.compared += 1
            out.false += not moment.holds
            if moment.verdict is Verdict.PROVEN:
                certain.setdefault(key, False)
            elif moment.fitting == {False}:
                certain[key] = True
            if moment.over:
                out.follows += 1
        out.offences += len(certain)
        out.sooner += sum(certain.values())
    return out
