"""Clocks: the sheet's limits as data, run by the times that events carry. The engine never asks for the time; it is told.

Times are seconds of the table's clock, as in the events.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from engine.cards import Seat
from engine.deal import Deal, Phase
from engine.events import BottomTaken, Buried, CardsPlayed, Declared, Event, MatchStarted, TakenBack
from engine.referee import MatchState
from engine.rulebook import Clocks
from engine.rulebook_terms import AtTime

_MINUTE: Final = 60


@unique
class Limit(StrEnum):
    """What a limit is for."""

    DRAW = "draw"
    OVERTURN = "overturn"
    PAUSE = "pause"
    BURY = "bury"
    PLAY = "play"
    MATCH = "match"


NAMES: Final = {
    Limit.DRAW: ("抓牌", "drawing a card"),
    Limit.OVERTURN: ("反主时间", "time to overturn"),
    Limit.PAUSE: ("收底前停顿", "pause before the bottom"),
    Limit.BURY: ("扣底", "burying the bottom"),
    Limit.PLAY: ("出牌", "a play"),
    Limit.MATCH: ("比赛", "the match"),
}
"""The limits in words."""


@dataclass(frozen=True, slots=True)
class Running:
    """A clock that runs: whose (None: everybody's), since when and for how long (s)."""

    limit: Limit
    seat: Seat | None
    since: float
    seconds: int

    def left(self, t: float) -> float:
        """Seconds left at a time; negative once the time is up."""
        return self.since + self.seconds - t

    def up(self, t: float) -> bool:
        """Whether the time is up."""
        return self.left(t) < 0


@dataclass(frozen=True, slots=True)
class Overtime:
    """A limit that was passed: by whom, in which trick (0 = before the first), and how long it took (s)."""

    limit: Limit
    seat: Seat
    trick: int
    took: float
    seconds: int


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The match's clock at a time: seconds left, whether the warning is due, whether time is up, and whether a further deal may begin."""

    left: float
    warning: bool
    up: bool
    may_begin: bool


def running(deal: Deal, t_last: float) -> Running | None:
    """The clock that a deal's phase runs since its last fact, or None where the sheet has no limit.

    :param t_last: the time of the last fact.
    """
    clocks = deal.rules.clocks
    match deal.phase:
        case Phase.DECLARING if clocks.overturn_s:
            return Running(Limit.OVERTURN, None, t_last, clocks.overturn_s)
        case Phase.BURYING if clocks.bury_s and deal.taken:
            return Running(Limit.BURY, deal.taken[-1], t_last, clocks.bury_s)
        case Phase.TRICK if clocks.play_s and deal.turn is not None:
            return Running(Limit.PLAY, deal.turn, t_last, clocks.play_s)
        case Phase.BOTTOM if clocks.pause_s:
            return Running(Limit.PAUSE, None, t_last, clocks.pause_s)
        case _:
            return None


def last_time(state: MatchState) -> float:
    """The time of the last fact of a match (0 before the first)."""
    return state.facts[-1][1].t if state.facts else 0.0


def now(state: MatchState, t: float) -> tuple[Running, ...]:
    """The clocks that run at a time: the deal's and the match's."""
    out: list[Running] = []
    if state.deal is not None:
        clock = running(state.deal, last_time(state))
        out += [clock] if clock is not None else []
    if state.rules.clocks.match_min:
        out.append(Running(Limit.MATCH, None, started(state), state.rules.clocks.match_min * _MINUTE))
    return tuple(clock for clock in out if t >= clock.since)


def started(state: MatchState) -> float:
    """When the match began: the time of ``MatchStarted``, else of its first fact."""
    first = next((event for _, event in state.facts if isinstance(event, MatchStarted)), None)
    if first is None and state.facts:
        first_any: Event = state.facts[0][1]
        return first_any.t
    return first.t if first is not None else 0.0


def overtimes(deal: Deal) -> tuple[Overtime, ...]:
    """The limits that were passed in a deal, by the times of its facts."""
    clocks = deal.rules.clocks
    out: list[Overtime] = []
    before: Event | None = None
    for fact in deal.facts:
        limit = _limit_before(clocks, before, fact)
        if before is not None and limit is not None:
            kind, seconds = limit
            took = fact.t - before.t
            if seconds and took > seconds and isinstance(fact, (Buried, CardsPlayed)):
                out.append(Overtime(kind, fact.seat, fact.trick if isinstance(fact, CardsPlayed) else 0, took, seconds))
        if isinstance(fact, (BottomTaken, Buried, CardsPlayed, TakenBack, Declared)):
            before = fact
    return tuple(out)


def _limit_before(clocks: Clocks, before: Event | None, fact: Event) -> tuple[Limit, int] | None:
    """The limit that a fact ends, given the one before it."""
    if isinstance(fact, Buried) and isinstance(before, BottomTaken):
        return Limit.BURY, clocks.bury_s
    if isinstance(fact, CardsPlayed) and isinstance(before, (CardsPlayed, Buried)):
        return Limit.PLAY, clocks.play_s
    return None


def match_clock(state: MatchState, t: float, *, final: bool = False) -> MatchClock | None:
    """The match's clock, or None where the sheet has no limit (``final``: a semi-final or final, which may have another)."""
    clocks = state.rules.clocks
    minutes = clocks.final_min if final and clocks.final_min else clocks.match_min
    if not minutes:
        return None
    left = started(state) + minutes * _MINUTE - t
    warning = bool(clocks.warning_min) and left <= clocks.warning_min * _MINUTE
    ended = state.deal is None or state.deal.phase is Phase.ENDED
    if clocks.at_time is AtTime.ONE_MORE_DEAL:
        may_begin = ended and not (warning and _begun_since(state, t + left - clocks.warning_min * _MINUTE))
    else:
        may_begin = ended and left > 0
    return MatchClock(left, warning, left <= 0, may_begin)


def _begun_since(state: MatchState, t: float) -> bool:
    """Whether a deal has begun at or after a time."""
    return any(deal.facts and deal.facts[0].t >= t for deal in state.deals)


def plays_on(state: MatchState, t: float) -> bool:
    """Whether the deal in hand goes on although the match's time is up (rulebook: clocks.at_time)."""
    clock = match_clock(state, t)
    if clock is None or not clock.up or state.deal is None:
        return True
    drawn = state.deal.phase not in (Phase.DEALING, Phase.DECLARING)
    match state.rules.clocks.at_time:
        case AtTime.STOP:
            return False
        case AtTime.FINISH_IF_DRAWN:
            return drawn
        case _:
            return True
