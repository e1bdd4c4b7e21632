"""Whole deals played by simulated players, as the events a table would give, from a seed; offences can be planted.

The same rulebook and seed give the same deal. Every event has ``t`` 0 and source ``truth``; a film gives them their times.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from engine import dealing, offences, players, referee
from engine.cards import SEATS, Card, Seat, Team, Trump, points_of, seats_from
from engine.events import BottomShown, CardsPlayed, DealEnded, DealStarted, Event, MatchStarted, Ruled, Source, TrickClosed
from engine.kit import Kit
from engine.offences import Offence, Planted
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.rulebook_toml import load

NAMES: Final[Mapping[str, str]] = {"E": "东", "N": "北", "W": "西", "S": "南"}
_THROWS_OFTEN: Final = 0.3
"""How often a leader tries a throw that does not stand, where one is asked for."""


@unique
class Style(StrEnum):
    """How the simulated players play: sensibly like people, or any legal way."""

    SENSIBLE = "sensible"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class SimulatedDeal:
    """A played deal: its events in order, the hands after the bottom was buried, the buried bottom, and what was planted.

    Throws that do not stand, by seat and trick, lie as they were thrown.
    """

    events: tuple[Event, ...]
    hands: Mapping[Seat, tuple[Card, ...]]
    bottom: tuple[Card, ...]
    declarer: Seat
    trump: Trump
    planted: tuple[Planted, ...]
    bad_throws: tuple[tuple[Seat, int], ...] = ()


def play_deal(
    rulebook: Rulebook | str,
    seed: int,
    *,
    levels: Mapping[str, str] | None = None,
    declarer: Seat | None = None,
    deal: int = 1,
    offences: int = 0,
    kinds: Collection[Offence] = tuple(Offence),
    style: Style = Style.SENSIBLE,
    bad_throws: int = 0,
) -> SimulatedDeal:
    """Play a deal to its end.

    :param levels: level by team (``{"EW": "2", "NS": "2"}``), the first level when left out.
    :param declarer: the declarer where fixed before the deal; None = who declares becomes declarer.
    :param offences: how many offences to plant, each of another kind where the cards allow it.
    :param kinds: the kinds that may be planted; where the cards never allow them fewer offences are planted.
    :param bad_throws: how many throws to plant that another hand could have stopped and nobody does.
    """
    rules = load(rulebook) if isinstance(rulebook, str) else rulebook
    at = {team: (levels or {}).get(team.value, str(rules.levels.path[0])) for team in Team}
    rng = SplitMix64(seed)
    dealt = dealing.deal_out(rules, rng.fork(1), deal, at, declarer)
    return _Simulation(rules, rng.fork(2), dealt, offences, frozenset(kinds), deal, style, bad_throws).run(
        [
            MatchStarted(source=Source.TRUTH, rulebook=rules.name, names=NAMES),
            DealStarted(source=Source.TRUTH, deal=deal, levels={t.value: at[t] for t in Team}, declarer=declarer),
            *dealt.events,
        ]
    )


class _Simulation:
    """A deal while it is being played."""

    def __init__(
        self, rules: Rulebook, rng: SplitMix64, dealt: dealing.Dealt, wanted: int, kinds: frozenset[Offence], number: int, style: Style, throws: int
    ) -> None:
        self.rules, self.rng, self.dealt, self.wanted, self.kinds, self.number, self.style = rules, rng, dealt, wanted, kinds, number, style
        self.throws = throws if rules.throws.allowed else 0
        self.bad_throws: list[tuple[Seat, int]] = []
        self.kit = Kit(rules, dealt.trump)
        self.table = players.Table(self.kit, rules.pack.decks)
        self.attackers = dealt.declarer.team.other
        self.tricks: list[tuple[Seat, list[tuple[Card, ...]]]] = []
        self.pending: list[tuple[Seat, int, Offence]] = []
        self.planted: list[Planted] = []

    def run(self, events: list[Event]) -> SimulatedDeal:
        """Play to the end."""
        dealt, kit = self.dealt, self.kit
        hands = {seat: tuple(sorted(cards, key=lambda c: (kit.group(c), kit.strength(c), c))) for seat, cards in dealt.hands.items()}
        leader = dealt.declarer
        while dealt.hands[leader]:
            trick = len(self.tricks) + 1
            plays: list[tuple[Card, ...]] = []
            self.tricks.append((leader, plays))
            for seat in seats_from(leader):
                play = self._play(trick, seat, plays)
                for card in play:
                    dealt.hands[seat].remove(card)
                self.table.seen.update(play)
                plays.append(play)
                events.append(CardsPlayed(source=Source.TRUTH, seat=seat, trick=trick, cards=play))
                events += self._proofs(trick, seat)
            leader = seats_from(leader)[kit.winner(plays)]
            events.append(TrickClosed(source=Source.TRUTH, trick=trick, winner=leader, points=sum(map(points_of, plays))))
        bottom = tuple(dealt.bottom)
        if bottom:
            events.append(BottomShown(source=Source.TRUTH, cards=bottom))
        events.append(_ended(self.rules, events, self.number))
        return SimulatedDeal(tuple(events), hands, bottom, dealt.declarer, dealt.trump, tuple(self.planted), tuple(self.bad_throws))

    def _play(self, trick: int, seat: Seat, plays: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
        hand = self.dealt.hands[seat]
        if not plays:
            others = [self.dealt.hands[s] for s in seats_from(seat)[1:]]
            if self.throws > len(self.bad_throws) and self.rng.random() < _THROWS_OFTEN:
                thrown = offences.bad_throw(self.kit, hand, others, self.rng)
                if thrown is not None:
                    self.bad_throws.append((seat, trick))
                    return thrown
            if self.style is Style.RANDOM:
                return players.random_lead(self.kit, hand, others, self.rng)
            return players.lead(self.table, hand, seat.team is not self.attackers, self.rng)
        if self.wanted > len(self.pending) + len(self.planted) and trick > 1:
            play = self._offend(trick, seat, plays, hand)
            if play is not None:
                return play
        if self.style is Style.RANDOM:
            return players.random_follow(self.kit, plays[0], hand, self.rng)
        return players.follow(self.table, plays, hand, self.rng)

    def _offend(self, trick: int, seat: Seat, plays: Sequence[tuple[Card, ...]], hand: Sequence[Card]) -> tuple[Card, ...] | None:
        """An illegal play, where the cards allow one of a kind that was not planted yet and chance wills it."""
        if len(hand) == len(plays[0]):
            return None
        used = {p.kind for p in self.planted} | {kind for _, _, kind in self.pending}
        found = [c for c in offences.chances(self.kit, plays[0], hand, self.rng) if c.kind in self.kinds]
        fresh = [c for c in found if c.kind not in used] or (found if used >= self.kinds & {Offence.SUIT, Offence.PAIR} else [])
        if not fresh:
            return None
        rare = next((c for c in fresh if c.kind is not Offence.SUIT), fresh[0])
        asked_for = len(self.kinds) < len(Offence)
        if self.rng.random() > (0.1 if rare.kind is Offence.SUIT else 1.0 if asked_for else 0.6):
            return None
        self.pending.append((seat, trick, rare.kind))
        return rare.play

    def _proofs(self, trick: int, seat: Seat) -> list[Event]:
        """The rulings on planted offences that a play has just proven."""
        out: list[Event] = []
        for culprit, when, kind in tuple(self.pending):
            if culprit is not seat or when == trick:
                continue
            shown = [(n, plays[_place(leader, culprit)]) for n, (leader, plays) in enumerate(self.tricks[when - 1 :], when)]
            found = offences.proof(self.kit, self.tricks[when - 1][1][0], shown[0][1], shown[1:])
            if found is None:
                continue
            proved_by, as_proven = found
            self.pending.remove((culprit, when, kind))
            self.planted.append(Planted(culprit, when, as_proven, proved_by))
            name = f"{self.number}.{when}.{culprit}.{as_proven.value}"
            out.append(Ruled(source=Source.TRUTH, ruling=name, kind=as_proven.value, seat=culprit, trick=when, proved_by=proved_by))
        return out


def _place(leader: Seat, seat: Seat) -> int:
    """At which place a seat plays when a leader leads."""
    return (SEATS.index(seat) - SEATS.index(leader)) % 4


def _ended(rules: Rulebook, events: Sequence[Event], number: int) -> DealEnded:
    """The reckoning of the deal's facts."""
    state = referee.fold([e for e in events if not isinstance(e, Ruled)], rules)
    found = referee.reckon(state, state.deal) if state.deal is not None else None
    if found is None:
        raise AssertionError(f"deal {number} was played out but not reckoned")
    return DealEnded(
        source=Source.TRUTH, deal=number, points=found.points, dig_points=found.dig_points, multiplier=found.multiplier, bottom=found.bottom,
        stage=found.scored.stage, steps=dict(found.scored.steps), levels=dict(found.levels), next_declarer=found.next_declarer,
    )  # fmt: skip
