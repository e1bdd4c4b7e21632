"""Simulated deals for the engine's tests, kept once made."""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.audit import Audit, audit
from engine.cards import SEATS, Card, Seat, seats_from
from engine.events import CardsPlayed, Event
from engine.kit import Kit
from engine.referee import is_derived
from engine.rulebook import Rulebook
from engine.rulebook_toml import load, playable
from engine.simulate import SimulatedDeal, Style, play_deal


@cache
def preset(name: str) -> Rulebook:
    """A preset, always the same object."""
    return load(name)


PRESETS = playable()
"""The presets that can be played."""


@cache
def deal(name: str, seed: int, offences: int = 0, style: Style = Style.RANDOM) -> SimulatedDeal:
    """A deal whose levels, declarer and number change with the seed."""
    rules = preset(name)
    first = seed % 3 == 0
    level = str(rules.levels.path[0 if first else seed * 5 % len(rules.levels.path)])
    declarer = None if first else SEATS[seed % 4]
    levels = {"EW": level, "NS": level}
    return play_deal(rules, seed, levels=levels, declarer=declarer, deal=1 if first else 2, offences=offences, style=style)


def facts(done: SimulatedDeal) -> list[Event]:
    """The facts of a deal without what follows from them."""
    return [event for event in done.events if not is_derived(event)]


def tricks(done: SimulatedDeal) -> list[list[tuple[Card, ...]]]:
    """The plays of each trick from its leader on."""
    out: dict[int, list[tuple[Card, ...]]] = {}
    for event in done.events:
        if isinstance(event, CardsPlayed):
            out.setdefault(event.trick, []).append(event.cards)
    return [out[number] for number in sorted(out)]


def audited(name: str, done: SimulatedDeal) -> Audit:
    """The audit of the whole deal."""
    return audit(preset(name), done.trump, done.declarer, tricks(done))


def follows(name: str, done: SimulatedDeal) -> list[tuple[int, Seat, tuple[Card, ...], tuple[Card, ...], list[tuple[int, tuple[Card, ...]]]]]:
    """Every follow: trick, seat, lead, play, and what the seat played from that trick on with the tricks' numbers."""
    kit = Kit(preset(name), done.trump)
    leader = done.declarer
    by_seat: dict[Seat, list[tuple[int, tuple[Card, ...]]]] = {seat: [] for seat in SEATS}
    leads: dict[int, tuple[Seat, tuple[Card, ...]]] = {}
    for number, plays in enumerate(tricks(done), 1):
        leads[number] = (leader, plays[0])
        for seat, play in zip(seats_from(leader), plays, strict=True):
            by_seat[seat].append((number, play))
        leader = seats_from(leader)[kit.winner(plays)]
    out = []
    for seat in SEATS:
        for i, (number, play) in enumerate(by_seat[seat]):
            if leads[number][0] is not seat:
                out.append((number, seat, leads[number][1], play, by_seat[seat][i:]))
    return out


def pack_count(done: SimulatedDeal) -> Counter[Card]:
    """Everything that was played and buried."""
    count = Counter(done.bottom)
    for plays in tricks(done):
        for play in plays:
            count.update(play)
    return count
