"""A match of simulated deals as the log of a table: for benches, tests and pictures of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from engine import referee
from engine.cards import Seat
from engine.events import CardsPlayed, DealStarted, Event, MatchStarted, Ruled, Source, to_json
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.simulate import play_deal
from kiosk.store import Store

NAMES: Final[Mapping[str, str]] = {"E": "王芳", "N": "李伟", "W": "张敏", "S": "刘洋"}
_PAUSE_S: Final = 20.0
Facts = list[tuple[Event, tuple[Event, ...]]]


def timed(events: list[Event], t: float, rng: SplitMix64) -> tuple[list[Event], float]:
    """Give events the times of a table: a play every two to nine seconds."""
    out: list[Event] = []
    for event in events:
        t += 2.0 + 4.0 * rng.random() + (3.0 if isinstance(event, CardsPlayed) and rng.random() < 0.15 else 0.0)
        seen = {"n_best": [[[card, 0.97], ["??", 0.02]] for card in event.cards]} if isinstance(event, CardsPlayed) else {}
        out.append(replace(event, t=round(t, 2), source=Source.CAMERA, evidence=seen))
    return out, t


def simulated(
    rules: Rulebook,
    deals: int,
    seed: int,
    *,
    names: Mapping[str, str] = NAMES,
    offences: int = 1,
    change: Callable[[list[Event]], list[Event]] = list,
) -> Facts:
    """The facts of a match, each with what follows from it.

    :param change: puts in (or takes out) facts of a deal before the referee sees them.
    """
    rng = SplitMix64(seed)
    state = referee.start(rules)
    out: Facts = []

    def take(event: Event) -> None:
        nonlocal state
        state, follows = referee.step(state, event)
        out.append((event, follows))

    take(MatchStarted(rulebook=rules.name, names=dict(names), source=Source.REFEREE))
    t, levels, declarer = 0.0, dict(referee.first_levels(rules)), None
    for number in range(1, deals + 1):
        take(DealStarted(t=t, deal=number, levels=levels, declarer=declarer, source=Source.REFEREE))
        played = play_deal(rules, seed * 1000 + number, levels=levels, declarer=declarer, deal=number, offences=offences)
        facts = [e for e in played.events if not referee.is_derived(e) and not isinstance(e, (MatchStarted, DealStarted, Ruled))]
        facts, t = timed(facts, t, rng)
        for event in change(facts):
            take(event)
        reckoning = referee.reckon(state, state.deal) if state.deal is not None else None
        if reckoning is None or referee.winner(state) is not None:
            break
        levels, declarer = dict(reckoning.levels), _seat(reckoning.next_declarer)
        t += _PAUSE_S
    return out


def _seat(seat: Seat | None) -> Seat | None:
    return seat


def write(path: Path, facts: Facts, began: datetime | None = None) -> Path:
    """Write facts and what follows from them as a table's log.

    :param began: the wall-clock time of the first.
    """
    at = began or datetime.now(UTC)
    batches: list[list[Event]] = [[]]
    for event, follows in facts:
        if isinstance(event, DealStarted) and event.deal > 1:
            batches.append([])
        batches[-1] += [event, *follows]
    with Store.open(path) as store:
        for batch in batches:
            store.append([to_json(event) for event in batch], "camera", at + timedelta(seconds=batch[0].t))
    return path
