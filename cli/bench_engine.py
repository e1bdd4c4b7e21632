"""The measurements of ``trickwatch bench engine``: processor time, so that other work on the machine does not count."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from statistics import linear_regression, median
from time import process_time
from typing import Any, Final

from engine.audit import audit
from engine.beat import winner
from engine.cards import FACES, Card, Seat, Trump, parse_trump
from engine.follow import can_follow, legal_follow
from engine.order import order_of
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.rulebook_toml import load
from engine.shapes import read_in
from engine.throw import judge_throw

BASELINE_CARDS: Final = 25
REPEATS: Final = 5
LIMITS: Final[dict[str, tuple[str, float]]] = {
    "follow check, 2 packs": ("median", 50.0),
    "follow check on leads of several cards, 2 packs": ("median", 50.0),
    "follow check, 4 packs": ("worst", 10_000.0),
    "audit of a deal, 4 packs": ("median", 50_000.0),
    "killer: 13-pair tractor led, 4 packs": ("worst", 10_000.0),
    "killer: throw of 20 mixed cards, follow": ("worst", 10_000.0),
    "killer: throw of 20 mixed cards, winner": ("worst", 10_000.0),
    "killer: throw of 20 mixed cards, stands?": ("worst", 10_000.0),
    "killer: ten singles on 33 trumps": ("worst", 10_000.0),
}
"""What is to be reached: median or worst, in microseconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: how many different inputs, median and worst time of a call in µs, and the median against the baseline's."""

    name: str
    count: int
    median_us: float
    worst_us: float
    ratio: float

    def holds(self, limit: tuple[str, float]) -> bool:
        """Whether a limit is kept."""
        return (self.median_us if limit[0] == "median" else self.worst_us) <= limit[1]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        limit = LIMITS.get(self.name)
        out: dict[str, Any] = {
            "name": self.name,
            "n": self.count,
            "median_us": round(self.median_us, 2),
            "worst_us": round(self.worst_us, 2),
            "ratio": round(self.ratio, 2),
        }
        if limit is not None:
            out["limit"] = {limit[0]: limit[1]}
            out["reached"] = self.holds(limit)
        return out


@dataclass(frozen=True, slots=True)
class _Deal:
    """A random legal deal: the follows with the hands before them, and the tricks."""

    rules: Rulebook
    trump: Trump
    follows: list[tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]]
    tricks: list[tuple[tuple[Card, ...], ...]]
    leader: Seat


def _best_of(call: Callable[[], object]) -> float:
    """The least of a few timings (processor seconds): what the call costs when nothing else runs."""
    least = float("inf")
    for _ in range(REPEATS):
        start = process_time()
        call()
        least = min(least, process_time() - start)
    return least


def _row(name: str, calls: Iterable[Callable[[], object]], baseline: float) -> Row:
    times = [_best_of(call) * 1e6 for call in calls]
    return Row(name, len(times), median(times), max(times), median(times) / baseline)


def _count(cards: Sequence[Card]) -> dict[Card, int]:
    table: dict[Card, int] = {}
    for card in cards:
        table[card] = table.get(card, 0) + 1
    return table


def _play(rules: Rulebook, trump: Trump, seed: int) -> _Deal:
    """Play a deal: leads are often the biggest unit or a small throw, follows legal and otherwise random."""
    rng = SplitMix64(seed)
    pack = list(FACES) * rules.pack.decks
    rng.shuffle(pack)
    size = rules.pack.hand
    hands = [pack[i * size : (i + 1) * size] for i in range(4)]
    order = order_of(rules, trump)
    deal = _Deal(rules, trump, [], [], Seat.E)
    leader = 0
    while hands[0]:
        lead = _lead(order, hands[leader], rng)
        plays: list[tuple[Card, ...]] = []
        for i in range(4):
            hand = hands[(leader + i) % 4]
            play = lead if i == 0 else legal_follow(rules, trump, lead, hand, lambda _: rng.random())
            if i:
                deal.follows.append((lead, tuple(hand), play))
            plays.append(play)
            for card in play:
                hand.remove(card)
        deal.tricks.append(tuple(plays))
        leader = (leader + winner(rules, trump, plays)) % 4
    return deal


def _lead(order: Any, hand: list[Card], rng: SplitMix64) -> tuple[Card, ...]:
    groups: dict[str, list[Card]] = {}
    for card in hand:
        groups.setdefault(order.group[card], []).append(card)
    suit = groups[rng.choice(sorted(groups))]
    units = read_in(order, suit)
    if rng.random() < 0.2 and len(units) > 1:
        return (*units[0].cards, *units[-1].cards)
    return (units[0] if rng.random() < 0.6 else rng.choice(units)).cards


def _killers(baseline: float) -> list[Row]:
    rules = load("staff-4deck-to4")
    trump = parse_trump("2/H")
    spades = [Card(f"S{rank}") for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")]
    trumps = [Card(f"H{rank}") for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")]
    tops = [Card(c) for c in ("S2", "D2", "C2", "H2", "LJ", "BJ")]
    long_lead = tuple(card for card in (*trumps[-9:], *tops[2:]) for _ in range(2))
    pairs = [card for card in (*trumps, *tops) for _ in range(2)][:33]
    ragged = [card for i, card in enumerate((*trumps, *tops)) for _ in range((2, 1, 3, 2, 1, 2)[i % 6])][:33]
    rows = [
        _row(
            "killer: 13-pair tractor led, 4 packs",
            [_follow_call(rules, trump, long_lead, hand) for hand in (pairs, ragged, pairs[:30])],
            baseline,
        )
    ]
    mixed = tuple(card for card, count in zip(spades, (1, 2, 3, 1, 2, 2, 1, 3, 1, 2, 1, 1), strict=True) for _ in range(count))
    hand = [card for card, count in zip(spades, (2, 2, 1, 3, 2, 2, 3, 1, 2, 2, 2, 3), strict=True) for _ in range(count)]
    ruff = tuple(card for card, count in zip(trumps, (2, 2, 2, 3, 1, 2, 1, 3, 1, 1, 1, 1), strict=True) for _ in range(count))
    over = tuple(card for card, count in zip(trumps[::-1], (2, 2, 2, 3, 1, 2, 1, 3, 1, 1, 1, 1), strict=True) for _ in range(count))
    rows += [
        _row("killer: throw of 20 mixed cards, follow", [_follow_call(rules, trump, mixed, hand)], baseline),
        _row("killer: throw of 20 mixed cards, winner", [lambda: winner(rules, trump, [mixed, ruff, over, mixed])], baseline),
        _row("killer: throw of 20 mixed cards, stands?", [lambda: judge_throw(rules, trump, mixed, [hand, hand, hand])], baseline),
        _row("killer: ten singles on 33 trumps", [_follow_call(rules, trump, tuple((*trumps, *tops)[:10]), pairs)], baseline),
    ]
    return rows


def _follow_call(rules: Rulebook, trump: Trump, lead: tuple[Card, ...], hand: Sequence[Card]) -> Callable[[], object]:
    play = legal_follow(rules, trump, lead, hand)
    return lambda: can_follow(rules, trump, lead, hand, play)


def _growth(baseline: float) -> list[Row]:
    """A follow to a throw of tractors, triples and pairs out of a hand twice as long, by the number of cards led."""
    rules = load("staff-4deck-to4")
    trump = parse_trump("2/H")
    suit = [Card(f"H{rank}") for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")] + [Card(c) for c in ("S2", "D2", "H2", "LJ")]
    rows = []
    for size in (4, 8, 12, 16, 20, 24, 28, 32):
        lead: list[Card] = []
        for i, card in enumerate(suit):
            lead += [card] * ((2, 2, 3, 1, 2, 2, 2)[i % 7])
        hand = [card for i, card in enumerate(suit) for _ in range((3, 2, 2, 4, 1)[i % 5])]
        rows.append(_row(f"growth: {size} cards led", [_follow_call(rules, trump, tuple(lead[:size]), hand[: 2 * size])], baseline))
    return rows


def growth_exponent(rows: Sequence[Row]) -> float:
    """The power of the number of cards led that the times of the growth rows follow (the slope through their logarithms)."""
    grown = [(float(row.name.split()[1]), row.median_us) for row in rows if row.name.startswith("growth:")]
    return linear_regression([log(size) for size, _ in grown], [log(us) for _, us in grown]).slope


def memory_growth(deals: int, seed: int) -> tuple[int, int]:
    """Bytes held after auditing random four-pack deals once, and after auditing as many others: flat when they hardly differ."""
    rules = load("staff-4deck-to4")
    held: list[int] = []
    tracemalloc.start()
    try:
        for turn in range(3):
            for i in range(deals):
                deal = _play(rules, parse_trump("7/H"), seed + 1000 * turn + i)
                audit(rules, deal.trump, deal.leader, deal.tricks)
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    return held[1], held[2]


def measure(deals: int, seed: int) -> list[Row]:
    """All measurements, the baseline first."""
    two, four = load("official-2deck-shengji"), load("staff-4deck-to4")
    first = [_play(rules, parse_trump(trump), seed + i) for rules, trump in ((two, "7/H"), (four, "7/H")) for i in range(deals)]
    cards = (FACES * 2)[:BASELINE_CARDS]
    timing = [_best_of(lambda: _count(cards)) * 1e6 for _ in range(2000)]
    baseline = median(timing)
    rows = [Row("baseline: counting 25 cards", len(timing), baseline, max(timing), 1.0)]
    for rules, name in ((two, "2 packs"), (four, "4 packs")):
        played = [deal for deal in first if deal.rules is rules]
        follows = [partial(can_follow, rules, deal.trump, *follow) for deal in played for follow in deal.follows]
        winners = [partial(winner, rules, deal.trump, trick) for deal in played for trick in deal.tricks]
        audits = [partial(audit, rules, deal.trump, deal.leader, deal.tricks) for deal in played[:5]]
        rows += [
            _row(f"follow check, {name}", follows, baseline),
            _row(f"follow check on leads of several cards, {name}", [call for call in follows if len(call.args[2]) > 1], baseline),
            _row(f"winner, {name}", winners, baseline),
            _row(f"audit of a deal, {name}", audits, baseline),
        ]
    return [*rows, *_killers(baseline), *_growth(baseline)]
