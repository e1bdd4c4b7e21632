"""The deals that a film shows: one after another, each at the levels and with the declarer that the ones before have brought."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from engine.cards import Seat
from engine.events import DealEnded, DealStarted, Drawn, Event, MatchStarted, Ruled
from engine.offences import Offence
from engine.referee import fold, reckon, step
from engine.rulebook_toml import load
from engine.simulate import SimulatedDeal, play_deal

_APART: Final = 100_000
"""How far the seeds of a match's deals are apart."""


def play_deals(
    rulebook: str,
    seed: int,
    count: int,
    *,
    levels: Mapping[str, str],
    declarer: Seat | None,
    deal: int,
    offences: int,
    kinds: Collection[Offence],
) -> tuple[SimulatedDeal, ...]:
    """Let consecutive deals of a match be played; the first one's events begin with ``MatchStarted``.

    :param levels: level by team before the first of them; the first level where left out.
    :param declarer: who is declarer of the first of them where that is fixed.
    :param deal: the number of the first of them.
    :param offences: how many offences to plant in each deal.
    :raises ValueError: when a level is none of the rulebook's.
    """
    rules = load(rulebook)
    path = [str(level) for level in rules.levels.path]
    for team, level in levels.items():
        if level not in path:
            raise ValueError(f"level {team}={level}: {rulebook} has no such level; expected one of {' '.join(path)}")
    done: list[SimulatedDeal] = []
    facts: list[Event] = []
    number = deal
    while len(done) < count:
        played = play_deal(rules, seed + _APART * len(done), levels=levels, declarer=declarer, deal=number, offences=offences, kinds=kinds)
        events = [e for e in played.events if not (done and isinstance(e, MatchStarted))]
        facts += [e for e in events if not isinstance(e, Ruled)]
        state = fold(facts, rules)
        found = reckon(state, state.deal) if state.deal is not None else None
        if found is not None:  # the deals before may count in who is declarer next
            events = [replace(e, next_declarer=found.next_declarer) if isinstance(e, DealEnded) else e for e in events]
        done.append(replace(played, events=tuple(events)))
        _, follows = step(state, Drawn())
        after = next(e for e in follows if isinstance(e, DealStarted))
        number, levels, declarer = after.deal, after.levels, after.declarer
    return tuple(done)
