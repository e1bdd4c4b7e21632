"""The audit of a deal whose hands nobody has seen: which plays are proven illegal, by which trick, and which cannot be decided yet.

The cards that a player has shown from trick *t* on are a lower bound of the hand held at *t*; a follow that is illegal for them is illegal for
the hand. A play is decided as legal as soon as no unseen card could make it illegal. After the last trick every hand is known and everything
is decided: the bottom is the pack minus what was played, and a buried card is not part of the declarer's hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from itertools import product
from typing import Final

from engine.cards import FACES, SEATS, UNKNOWN, Card, Seat, Trump, seats_from
from engine.kit import Breach, Kit
from engine.rulebook import Rulebook


@unique
class Verdict(StrEnum):
    """What is known of a play."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    PROVEN = "proven"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Proven:
    """An offence: who, in which trick, the trick whose cards prove it, and why."""

    seat: Seat
    trick: int
    by: int
    breach: Breach

    @property
    def kind(self) -> str:
        """``suit``, ``pair``, ``tractor``, ``shape``, ``throw``; or what is wrong at sight: ``count``, ``lead``, ``pack``."""
        return self.breach.kind


@dataclass(frozen=True, slots=True)
class _Open:
    """An undecided follow: what its player has shown of the led group since, the play included."""

    seat: Seat
    trick: int
    lead: tuple[Card, ...]
    play: tuple[Card, ...]
    group: str
    shown: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _OpenThrow:
    """An undecided throw: what each of the others has shown of its group since."""

    seat: Seat
    trick: int
    lead: tuple[Card, ...]
    group: str
    shown: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """The audit so far; :func:`observe` adds a play. Plays are named by (trick, seat).

    ``suits`` are follows of a lead that is not known altogether: its suit is owed all the same, by as many cards as are known of it.
    """

    kit: Kit
    follows: tuple[_Open, ...] = ()
    suits: tuple[_Open, ...] = ()
    throws: tuple[_OpenThrow, ...] = ()
    proven: tuple[Proven, ...] = ()
    verdicts: Mapping[tuple[int, Seat], Verdict] = field(default_factory=dict)
    seen: Mapping[Card, int] = field(default_factory=dict)
    counts: Mapping[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))

    @property
    def complete(self) -> bool:
        """Whether every hand has been played out."""
        return all(count >= self.kit.rules.pack.hand for count in self.counts.values())

    @property
    def bottom(self) -> tuple[Card, ...] | None:
        """The pack minus everything played, once the deal is complete and nothing contradicts; None before."""
        if not self.complete or UNKNOWN in self.seen:
            return None
        left = unseen(self.kit.rules, self.seen)
        return tuple(left.elements()) if left.total() == self.kit.rules.pack.bottom else None


@dataclass(frozen=True, slots=True)
class Audit:
    """The audit of tricks: the proven follows, the proven throws and other offences, a verdict for every play, and the bottom."""

    proven: tuple[Proven, ...]
    others: tuple[Proven, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    bottom: tuple[Card, ...] | None


FOLLOW_KINDS: Final = frozenset({"suit", "pair", "tractor", "shape"})


def unseen(rules: Rulebook, seen: Mapping[Card, int]) -> Counter[Card]:
    """The faces that have not been shown, with how many of each are left; more copies than the pack has count as none left."""
    return +Counter({face: rules.pack.decks - seen.get(face, 0) for face in FACES})


def _at_sight(watch: Watch, lead: tuple[Card, ...] | None, cards: tuple[Card, ...], seen: Mapping[Card, int]) -> Breach | None:
    """What is wrong with a play whatever the hand was."""
    rules = watch.kit.rules
    if lead is not None and (_count_known(cards) > len(lead) or len(cards) < _count_known(lead)):
        wrong = abs(len(cards) - len(lead))
        return Breach("count", f"应出{len(lead)}张，实出{len(cards)}张", f"{len(cards)} cards were played, {len(lead)} were led", wrong_cards=wrong)
    extra = next((c for c in cards if c != UNKNOWN and seen[c] > rules.pack.decks), None)
    if extra is not None:
        return Breach("pack", f"{extra}超过{rules.pack.decks}张", f"more than {rules.pack.decks} of {extra} were shown", rules.clause("pack.decks"))
    if lead is None and UNKNOWN not in cards:
        return watch.kit.lead_breach(cards)
    return None


def _count_known(cards: tuple[Card, ...]) -> int:
    """How many of some cards are known; one that nobody has surely seen may be none."""
    return sum(card != UNKNOWN for card in cards)


def observe(
    watch: Watch,
    trick: int,
    seat: Seat,
    cards: tuple[Card, ...],
    lead: tuple[Card, ...] | None,
    likely: tuple[Card, ...] = (),
    suited: tuple[Card, ...] = (),
) -> Watch:
    """Add a play; ``lead`` is None for the trick's first. Unknown cards decide nothing.

    :param likely: the lead as it was read, unsure cards too: where all are of one suit it is owed, whichever cards of it they are;
        by as many as are known of it, those of which only the suit is known (``suited`` has them too) among them.
    """
    kit = watch.kit
    seen = Counter(watch.seen)
    seen.update(cards)
    counts = {**watch.counts, seat: watch.counts[seat] + len(cards)}
    verdicts = dict(watch.verdicts)
    proven = list(watch.proven)
    by_group: dict[str, tuple[Card, ...]] = {}
    for card in cards:
        if card != UNKNOWN:
            group = kit.group(card)
            by_group[group] = (*by_group.get(group, ()), card)

    follows: list[_Open] = []
    for item in watch.follows:
        new: tuple[Card, ...] = by_group.get(item.group, ()) if item.seat is seat else ()
        # Where further copies may excuse a play, any card of its player leaves less room for them.
        if item.seat is not seat or (not new and kit.monotone()):
            follows.append(item)
            continue
        shown = item.shown + new
        hand = _known(kit, item, shown)
        guilty = not kit.legal(item.lead, hand, item.play) and not _excused(kit, item, hand, seen, kit.rules.pack.hand - counts[seat])
        breach = kit.breach(item.lead, hand, item.play) if guilty else None
        if breach is None:
            follows.append(replace(item, shown=shown))
        else:
            proven.append(Proven(item.seat, item.trick, trick, breach))
            verdicts[item.trick, item.seat] = Verdict.PROVEN

    suits: list[_Open] = []
    for item in watch.suits:
        one = replace(item, shown=item.shown + by_group.get(item.group, ())) if item.seat is seat else item
        breach = _withheld(kit, one)
        if breach is None:
            suits.append(one)
        else:
            proven.append(Proven(one.seat, one.trick, trick, breach))
            verdicts[one.trick, one.seat] = Verdict.PROVEN

    throws: list[_OpenThrow] = []
    for throw in watch.throws:
        new = by_group.get(throw.group, ()) if throw.seat is not seat else ()
        if not new:
            throws.append(throw)
            continue
        place = seats_from(throw.seat).index(seat) - 1
        hands = tuple(hand + new if i == place else hand for i, hand in enumerate(throw.shown))
        breach = kit.throw_breach(throw.lead, hands)
        if breach is None:
            throws.append(replace(throw, shown=hands))
        else:
            proven.append(Proven(throw.seat, throw.trick, trick, breach))
            verdicts[throw.trick, throw.seat] = Verdict.PROVEN

    breach = _at_sight(watch, lead, cards, seen)
    if breach is not None:
        verdicts[trick, seat] = Verdict.ILLEGAL
        proven.append(Proven(seat, trick, trick, breach))
    elif UNKNOWN in cards or (lead is not None and (UNKNOWN in lead or kit.lead_breach(lead) is not None)):
        verdicts[trick, seat] = Verdict.UNDECIDED
        led = {kit.group(card) for card in likely}
        owed = suited or lead
        if lead is not None and owed and UNKNOWN not in (*cards, *likely) and len(led) == 1 and _count_known(owed):
            group = led.pop()
            suits.append(_Open(seat, trick, owed, cards, group, by_group.get(group, ())))
    elif lead is None:
        if kit.is_throw(cards):
            throws.append(_OpenThrow(seat, trick, cards, kit.group(cards[0]), ((), (), ())))
            verdicts[trick, seat] = Verdict.UNDECIDED
        else:
            verdicts[trick, seat] = Verdict.LEGAL
    else:
        group = kit.group(lead[0])
        follows.append(_Open(seat, trick, lead, cards, group, by_group.get(group, ())))
        verdicts[trick, seat] = Verdict.UNDECIDED

    after = replace(
        watch, follows=tuple(follows), suits=tuple(suits), throws=tuple(throws), proven=tuple(proven), verdicts=verdicts, seen=seen, counts=counts
    )
    return _settle(after, by_group.keys(), trick, seat)


def _known(kit: Kit, item: _Open, shown: tuple[Card, ...]) -> tuple[Card, ...]:
    """The part of a hand that is known: what was shown of the led group since, and the play's own cards of other groups."""
    return shown + tuple(card for card in item.play if kit.group(card) != item.group)


def _withheld(kit: Kit, item: _Open) -> Breach | None:
    """The breach of a play with fewer cards of the led suit than are known of the lead, though its player has shown more of it since."""
    known = tuple(card for card in item.lead if card != UNKNOWN)
    if sum(kit.group(card) == item.group for card in item.play) >= min(len(known), len(item.shown)):
        return None
    filled = tuple(known[0] if card == UNKNOWN else card for card in item.lead)
    breach = kit.breach(filled, _known(kit, item, item.shown), item.play)
    return breach if breach is not None and breach.kind == "suit" else None


_EXCUSES: Final = 512
"""Hands that are tried before a play is let stand until more is known."""


def _excused(kit: Kit, item: _Open, hand: tuple[Card, ...], seen: Mapping[Card, int], left: int) -> bool:
    """Whether further copies of the cards shown, still in the hand, could make a play legal (rulebook: following.protect_longer).

    Everywhere else an offence against a part of the hand is one against the whole hand.
    """
    if kit.monotone() or left <= 0:
        return False
    held = Counter(card for card in hand if kit.group(card) == item.group)
    room = [[(card,) * n for n in range(kit.rules.pack.decks - seen.get(card, 0) + 1)] for card, count in held.items() if count > 1]
    for tried, more in enumerate(product(*room)):
        extra = tuple(card for cards in more for card in cards)
        if tried >= _EXCUSES:
            return True
        if 0 < len(extra) <= left and kit.legal(item.lead, (*hand, *extra), item.play):
            return True
    return False


def _settle(watch: Watch, groups: Iterable[str], trick: int, seat: Seat) -> Watch:
    """Decide as legal what no unseen card can make illegal; everything, once the hands are played out.

    What is legal with every unseen card of the group in the hand is legal with any of them, unless more cards can also excuse (see :func:`_excused`).
    """
    if not watch.follows and not watch.throws:
        return watch
    kit = watch.kit
    verdicts = dict(watch.verdicts)
    if watch.complete:
        verdicts.update(dict.fromkeys(_names(watch.follows, watch.throws), Verdict.LEGAL))
        return replace(watch, follows=(), throws=(), verdicts=verdicts)
    decks, hand, seen = kit.rules.pack.decks, kit.rules.pack.hand, watch.seen
    touched = set(groups)
    pools: dict[str, list[Card]] = {}

    def pool_of(group: str) -> list[Card]:
        """The unseen cards of a group."""
        if group not in pools:
            pools[group] = [face for face in kit.faces(group) for _ in range(decks - seen.get(face, 0))]
        return pools[group]

    def looked_at(trick_of: int, seat_of: Seat, group: str) -> bool:
        """Whether a play may have become decided: it is new, or few unseen cards of its group are left and one has just appeared."""
        return (trick_of == trick and seat_of is seat) or (group in touched and len(pool_of(group)) <= _SMALL_POOL)

    def clear(item: _Open) -> bool:
        if len(item.lead) == 1 and item.shown:
            return True
        if not looked_at(item.trick, item.seat, item.group):
            return watch.counts[item.seat] >= hand
        if watch.counts[item.seat] >= hand:
            return True
        pool = pool_of(item.group)
        if not pool:
            return kit.monotone() or kit.legal(item.lead, _known(kit, item, item.shown), item.play)
        if sum(kit.group(c) == item.group for c in item.play) < len(item.lead):
            return False
        return kit.monotone() and kit.legal(item.lead, (*item.shown, *pool), item.play)

    def clear_throw(item: _OpenThrow) -> bool:
        if not looked_at(item.trick, item.seat, item.group):
            return False
        pool = pool_of(item.group)
        return not pool or kit.throw_breach(item.lead, [(*cards, *pool) for cards in item.shown]) is None

    follows = tuple(item for item in watch.follows if not clear(item))
    throws = tuple(item for item in watch.throws if not clear_throw(item))
    gone = _names(watch.follows, watch.throws) - _names(follows, throws)
    if not gone:
        return watch
    return replace(watch, follows=follows, throws=throws, verdicts={**watch.verdicts, **dict.fromkeys(gone, Verdict.LEGAL)})


def _names(follows: Iterable[_Open], throws: Iterable[_OpenThrow]) -> set[tuple[int, Seat]]:
    """The plays that are still open, by trick and seat."""
    return {(item.trick, item.seat) for item in follows} | {(item.trick, item.seat) for item in throws}


_SMALL_POOL: Final = 16
"""With more unseen cards of a group than this an old play is not looked at again until fewer are left: it would hardly ever be decided."""


def audit(rules: Rulebook, trump: Trump, leader: Seat, tricks: Sequence[Sequence[Sequence[Card]]]) -> Audit:
    """Audit tricks, each given as its plays from the trick's leader on; the winner of a trick leads the next.

    :param leader: who led the first of them.
    """
    kit = Kit(rules, trump)
    watch = Watch(kit)
    order: list[list[tuple[int, Seat]]] = []
    for number, plays in enumerate(tricks, 1):
        cards = [tuple(play) for play in plays]
        seats = seats_from(leader)
        for i, play in enumerate(cards):
            watch = observe(watch, number, seats[i], play, cards[0] if i else None)
        order.append([(number, seats[i]) for i in range(len(cards))])
        leader = seats[kit.winner(cards)]
    return Audit(
        proven=tuple(p for p in watch.proven if p.kind in FOLLOW_KINDS),
        others=tuple(p for p in watch.proven if p.kind not in FOLLOW_KINDS),
        verdicts=tuple(tuple(watch.verdicts[key] for key in row) for row in order),
        bottom=watch.bottom,
    )
