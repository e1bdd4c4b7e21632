"""Whole deals played by simulated players, as the events a table would give, from a seed; offences can be planted.

The same rulebook and seed give the same deal. Every event has ``t`` 0 and source ``truth``; a film gives them their times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from engine import players, referee
from engine.cards import FACES, SEATS, SUIT_OF, Card, Rank, Seat, Team, Trump, points_of, seats_from
from engine.events import (
    BottomShown,
    BottomTaken,
    Buried,
    CardsPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Event,
    MatchStarted,
    Ruled,
    Source,
    TrickClosed,
)
from engine.kit import Kit
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.rulebook_toml import load

NAMES: Final[Mapping[str, str]] = {"E": "东", "N": "北", "W": "西", "S": "南"}


@unique
class Offence(StrEnum):
    """What can be planted."""

    SUIT = "suit"
    PAIR = "pair"
    TRACTOR = "tractor"


@dataclass(frozen=True, slots=True)
class Planted:
    """An offence that a simulated player committed: who, in which trick, and the trick that shows it."""

    seat: Seat
    trick: int
    kind: Offence
    proved_by: int


@dataclass(frozen=True, slots=True)
class SimulatedDeal:
    """A played deal: its events in order, the hands after the bottom was buried, the buried bottom, and what was planted."""

    events: tuple[Event, ...]
    hands: Mapping[Seat, tuple[Card, ...]]
    bottom: tuple[Card, ...]
    declarer: Seat
    trump: Trump
    planted: tuple[Planted, ...]


@dataclass(slots=True)
class _Dealt:
    hands: dict[Seat, list[Card]]
    bottom: list[Card]
    bids: list[Declared]
    declarer: Seat
    trump: Trump


def _draw(rules: Rulebook, seed: int, levels: Mapping[Team, Rank], declarer: Seat | None) -> _Dealt:
    """Shuffle, draw card by card, and let the players declare and overturn; again with the next seed when nobody can."""
    rng = SplitMix64(seed)
    while True:
        pack = list(FACES) * rules.pack.decks
        rng.shuffle(pack)
        first = declarer or rng.choice(SEATS)
        hands: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
        bids: list[Declared] = []
        order = seats_from(first)
        talk = len(pack) - rules.pack.bottom
        for i in range(talk):
            seat = order[i % 4]
            hands[seat].append(pack[i])
            last = i >= talk - 4
            level = levels[(declarer or seat).team]
            for suit in players.suits_by_wish(rules, hands[seat], level)[:1]:
                card = Card(suit + level)
                held = hands[seat].count(card)
                if not bids and (last or players.likes_to_declare(rules, hands[seat], level, suit, i // 4, declarer is None, rng)):
                    bids.append(Declared(seat=seat, cards=(card,), source=Source.TRUTH))
                elif bids and held >= 2 and bids[-1].seat is not seat and len(bids[-1].cards) == 1 and rng.random() < 0.5:
                    bids.append(Declared(seat=seat, cards=(card, card), source=Source.TRUTH))
        if bids:
            suit = SUIT_OF[bids[-1].cards[0]]
            holder = declarer or bids[-1].seat
            return _Dealt(hands, pack[talk:], bids, holder, Trump(levels[holder.team], suit))


@dataclass(slots=True)
class _Chance:
    """An offence that a seat could commit now, with the play that commits it."""

    kind: Offence
    play: tuple[Card, ...]


def _chances(table: players.Table, lead: Sequence[Card], hand: Sequence[Card]) -> list[_Chance]:
    """The offences open to a hand on a lead, each leaving cards that must show it later."""
    kit = table.kit
    group = kit.group(lead[0])
    suit = [c for c in hand if kit.group(c) == group]
    other = sorted((c for c in hand if kit.group(c) != group), key=table.keep)
    out: list[_Chance] = []
    if suit and len(other) >= len(lead) and len(lead) <= 2:
        out.append(_Chance(Offence.SUIT, tuple(other[: len(lead)])))
    shape = kit.units(lead)
    if len(shape) == 1 and shape[0].width == 2:
        pairs = [c for c, n in Counter(suit).items() if n >= 2]
        singles = sorted((c for c, n in Counter(suit).items() if n == 1), key=table.keep)
        if shape[0].length == 1 and pairs and len(singles) >= 2:
            out.append(_Chance(Offence.PAIR, tuple(singles[:2])))
        if shape[0].length == 2:
            tractors = kit.units_of(suit, (2, 2))
            rest = Counter(suit) - Counter(tractors[0].cards) if tractors else Counter()
            if sum(rest.values()) >= 4:
                out.append(_Chance(Offence.TRACTOR, tuple(sorted(rest.elements(), key=table.keep)[:4])))
    return [c for c in out if not kit.legal(lead, hand, c.play)]


def _proof(kit: Kit, lead: Sequence[Card], play: Sequence[Card], later: Sequence[tuple[int, Sequence[Card]]]) -> int | None:
    """The trick whose cards show that a play was illegal: the first at which the shown part of the hand makes it so."""
    shown = list(play)
    for trick, cards in later:
        shown += cards
        if not kit.legal(lead, shown, play):
            return trick
    return None


def _ended(rules: Rulebook, events: Sequence[Event], deal: int) -> DealEnded:
    """The reckoning of the deal's facts."""
    state = referee.fold([e for e in events if not isinstance(e, Ruled)], rules)
    found = referee.reckon(state, state.deal) if state.deal is not None else None
    if found is None:
        raise AssertionError(f"deal {deal} was played out but not reckoned")
    return DealEnded(
        source=Source.TRUTH, deal=deal, points=found.points, dig_points=found.dig_points, multiplier=found.multiplier, bottom=found.bottom,
        stage=found.scored.stage, steps=dict(found.scored.steps), levels=dict(found.levels), next_declarer=found.next_declarer,
    )  # fmt: skip


def play_deal(rulebook: Rulebook | str, seed: int, *, levels: Mapping[str, str] | None = None, declarer: Seat | None = None, deal: int = 1,
              offences: int = 0) -> SimulatedDeal:  # fmt: skip
    """Play a deal to its end.

    :param levels: level by team (``{"EW": "2", "NS": "2"}``), the first level when left out.
    :param declarer: the declarer where fixed before the deal; None = who declares becomes declarer.
    :param offences: how many offences to plant, each of another kind where the cards allow it.
    """
    rules = load(rulebook) if isinstance(rulebook, str) else rulebook
    at = {team: Rank((levels or {}).get(team.value, rules.levels.path[0])) for team in Team}
    size = rules.pack.bottom
    rng = SplitMix64(seed).fork(1)
    dealt = _draw(rules, seed, at, declarer)
    kit = Kit(rules, dealt.trump)
    table = players.Table(kit, rules.pack.decks)
    events: list[Event] = [
        MatchStarted(source=Source.TRUTH, rulebook=rules.name, names=NAMES),
        DealStarted(source=Source.TRUTH, deal=deal, levels={t.value: at[t] for t in Team}, declarer=declarer),
        *dealt.bids,
        BottomTaken(source=Source.TRUTH, seat=dealt.declarer),
    ]
    own = dealt.hands[dealt.declarer]
    own += dealt.bottom
    buried = players.bury(table, own, size)
    for card in buried:
        own.remove(card)
    events.append(Buried(source=Source.TRUTH, seat=dealt.declarer, count=size, cards=buried))
    hands = {seat: tuple(sorted(cards, key=lambda c: (kit.group(c), kit.strength(c)))) for seat, cards in dealt.hands.items()}
    attackers = dealt.declarer.team.other
    leader, trick_points, number = dealt.declarer, 0, 0
    tricks: list[tuple[Seat, list[tuple[Card, ...]]]] = []
    pending: list[tuple[Seat, int, Offence]] = []
    planted: list[Planted] = []
    plays: list[tuple[Card, ...]] = []
    best = 0
    while own:
        number += 1
        plays = []
        for seat in seats_from(leader):
            hand = dealt.hands[seat]
            if not plays:
                play = players.lead(table, hand, seat.team is not attackers, rng)
            else:
                play = players.follow(table, plays, hand, rng)
                wanted = offences - len(pending) - len(planted)
                used = {p.kind for p in planted} | {kind for _, _, kind in pending}
                chances = [c for c in _chances(table, plays[0], hand) if c.kind not in used or len(used) == len(Offence)]
                eager = 0.15 * len(chances) + (0.3 if chances and chances[-1].kind is not Offence.SUIT else 0.0)
                if wanted > 0 and chances and 2 <= number <= 18 and rng.random() < eager:
                    play = chances[-1].play
                    pending.append((seat, number, chances[-1].kind))
            for card in play:
                hand.remove(card)
            table.seen.update(play)
            plays.append(play)
            events.append(CardsPlayed(source=Source.TRUTH, seat=seat, trick=number, cards=play))
            for culprit, when, kind in list(pending):
                if culprit is not seat or when == number:
                    continue
                first, cards = tricks[when - 1]
                at_fault = cards[(SEATS.index(culprit) - SEATS.index(first)) % 4]
                later = [(n, t[1][(SEATS.index(culprit) - SEATS.index(t[0])) % 4]) for n, t in enumerate(tricks[when:], when + 1)]
                proof = _proof(kit, cards[0], at_fault, [*later, (number, play)])
                if proof is not None:
                    pending.remove((culprit, when, kind))
                    planted.append(Planted(culprit, when, kind, proof))
                    name = f"{deal}.{when}.{culprit}.{kind.value}"
                    events.append(Ruled(source=Source.TRUTH, ruling=name, kind=kind.value, seat=culprit, trick=when, proved_by=proof))
        best = kit.winner(plays)
        tricks.append((leader, plays))
        leader = seats_from(leader)[best]
        points = sum(map(points_of, plays))
        trick_points += points if leader.team is attackers else 0
        events.append(TrickClosed(source=Source.TRUTH, trick=number, winner=leader, points=points))
    if size:
        events.append(BottomShown(source=Source.TRUTH, cards=buried))
    events.append(_ended(rules, events, deal))
    return SimulatedDeal(tuple(events), hands, buried, dealt.declarer, dealt.trump, tuple(planted))
