"""Planted offences: illegal follows and throws that do not stand, as a simulated player could commit them, and the trick that will prove them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from engine.cards import Card, Seat
from engine.kit import Kit
from engine.prng import SplitMix64


@unique
class Offence(StrEnum):
    """What can be planted: the led suit not followed, a pair, a tractor or another shape not followed."""

    SUIT = "suit"
    PAIR = "pair"
    TRACTOR = "tractor"
    SHAPE = "shape"


@dataclass(frozen=True, slots=True)
class Planted:
    """An offence that a simulated player committed: who, in which trick, of which kind as it is proven, and the trick that proves it."""

    seat: Seat
    trick: int
    kind: Offence
    proved_by: int


@dataclass(frozen=True, slots=True)
class Chance:
    """An offence that a hand could commit on a lead, with the play that commits it."""

    kind: Offence
    play: tuple[Card, ...]


def chances(kit: Kit, lead: Sequence[Card], hand: Sequence[Card], rng: SplitMix64) -> list[Chance]:
    """Offences open to a hand on a lead, at most one of each kind; each leaves cards in the hand that prove it later."""
    group = kit.group(lead[0])
    suit = [card for card in hand if kit.group(card) == group]
    other = [card for card in hand if kit.group(card) != group]
    plays: list[tuple[Card, ...]] = []
    if suit and other:
        keep = min(len(suit), 1 + rng.randrange(len(lead))) if len(lead) > 1 else 1
        number = max(0, min(len(lead), len(suit)) - keep)
        if len(other) >= len(lead) - number:
            rng.shuffle(other)
            plays.append((*_loose(suit, number), *other[: len(lead) - number]))
    if 1 < len(lead) < len(suit):
        plays.append(tuple(_loose(suit, len(lead))))
        for _ in range(4):
            rng.shuffle(suit)
            plays.append(tuple(suit[: len(lead)]))
    found: dict[Offence, Chance] = {}
    for play in plays:
        if not kit.legal(lead, hand, play):
            breach = kit.breach(lead, hand, play)
            if breach is not None and breach.kind in {kind.value for kind in Offence}:
                found.setdefault(Offence(breach.kind), Chance(Offence(breach.kind), play))
    return list(found.values())


def _loose(cards: Sequence[Card], number: int) -> list[Card]:
    """Cards of a suit that form as little as possible: those held once first."""
    held = Counter(cards)
    return sorted(cards, key=lambda card: (held[card], card))[:number]


def proof(kit: Kit, lead: Sequence[Card], play: Sequence[Card], later: Sequence[tuple[int, Sequence[Card]]]) -> tuple[int, Offence] | None:
    """The first trick at which the cards shown make a follow illegal, and the kind that they make it; None while they do not.

    :param later: what the player showed afterwards, with the trick of each play.
    """
    shown = list(play)
    for trick, cards in later:
        shown += cards
        if not kit.legal(lead, shown, play):
            breach = kit.breach(lead, shown, play)
            if breach is not None:
                return trick, Offence(breach.kind)
    return None


def bad_throw(kit: Kit, hand: Sequence[Card], others: Sequence[Sequence[Card]], rng: SplitMix64) -> tuple[Card, ...] | None:
    """A throw of two units that another hand can stop; None where chance finds none."""
    group = kit.group(rng.choice(hand))
    units = list(kit.units([card for card in hand if kit.group(card) == group]))
    if len(units) < 2:
        return None
    rng.shuffle(units)
    thrown = (*units[0].cards, *units[1].cards)
    return thrown if kit.is_throw(thrown) and kit.throw_breach(thrown, others) is not None else None
