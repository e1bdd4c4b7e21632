"""Whether the conservation of the pack alone would have proven an offence sooner than the cards that its player has shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.cards import Card, Seat, seats_from
from engine.kit import Kit
from engine.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Follow:
    """A follow with the hand it was played from and everything the seat played from then on."""

    trick: int
    seat: Seat
    lead: tuple[Card, ...]
    play: tuple[Card, ...]
    hand: tuple[Card, ...]
    later: tuple[tuple[int, tuple[Card, ...]], ...]


def sooner(rules: Rulebook, kit: Kit, follow: Follow, tricks: list[list[tuple[Card, ...]]], leaders: list[Seat], by: int) -> bool:
    """Whether an offence was certain at the end of a trick before the one whose cards prove it.

    The unseen cards lie in four hands and the bottom. Where fewer of them are of other groups than the player has cards left, the player holds
    some of the led group, and the play is an offence when it is one with any choice of them.
    """
    group = kit.group(follow.lead[0])
    seen: Counter[Card] = Counter()
    shown = follow.play
    left = rules.pack.hand
    for number, trick in enumerate(tricks[: by - 1], 1):
        for play in trick:
            seen.update(play)
        own = trick[seats_from(leaders[number - 1]).index(follow.seat)]
        left -= len(own)
        if number < follow.trick:
            continue
        shown = follow.play if number == follow.trick else (*shown, *own)
        unseen = {card: rules.pack.decks - seen[card] for card, where in kit.order.group.items() if where != "?" and rules.pack.decks > seen[card]}
        pool = {card: count for card, count in unseen.items() if kit.group(card) == group}
        certain = left - (sum(unseen.values()) - sum(pool.values()))
        if certain <= 0:
            continue
        most = certain if kit.monotone() else min(left, sum(pool.values()))
        hands = (more for number_of in range(certain, most + 1) for more in _choices(pool, number_of))
        if not any(kit.legal(follow.lead, (*shown, *more), follow.play) for more in hands):
            return True
    return False


def _choices(pool: Mapping[Card, int], number: int) -> Iterator[tuple[Card, ...]]:
    """All ways to take so many cards from faces with so many copies of each."""
    if number == 0:
        yield ()
        return
    for i, (card, count) in enumerate(pool.items()):
        later = dict(list(pool.items())[i + 1 :])
        for taken in range(1, min(count, number) + 1):
            for rest in _choices(later, number - taken):
                yield ((card,) * taken) + rest
