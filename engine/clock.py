"""Clocks: the sheet's limits as data, run by the times that events carry. The engine never asks for the time; it is told.

Times are seconds of the table's clock, as in the events.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.cards import SEATS, Seat
from engine.deal import Deal, Phase
from engine.events import Buried, CardsPlayed, DealStarted, Event, MatchStarted, ScoreSet, Source, TakenBack
from engine.overtime import NAMES, Limit, Overtime, Stops, held, overtimes, stand
from engine.rulebook_terms import AtTime, BuryFrom
from engine.rulings import MatchState

_MINUTE: Final = 60
WARN_S: Final = 10
"""A player is warned so long before a limit, or at two thirds of a short one."""


@dataclass(frozen=True, slots=True)
class Running:
    """A clock that runs: whose (None: everybody's), since when, for how long (s), when it warns before the end, and when it was stopped."""

    limit: Limit
    seat: Seat | None
    since: float
    seconds: int
    warn: int = 0
    stops: Stops = ()

    @property
    def standing(self) -> bool:
        """Whether it stands still."""
        return stand(self.stops)

    def left(self, t: float) -> float:
        """Seconds left at a time; negative once the time is up."""
        return self.since + self.seconds + held(self.stops, self.since, t) - t

    def up(self, t: float) -> bool:
        """Whether the time is up."""
        return self.left(t) < 0


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
    clocks, drawn = deal.rules.clocks, deal.drawn_at
    match deal.phase:
        case Phase.DEALING | Phase.DECLARING if drawn is not None and clocks.pause_s:
            return Running(Limit.PAUSE, None, drawn, clocks.pause_s)
        case Phase.DEALING | Phase.DECLARING if drawn is not None and clocks.overturn_s:
            return Running(Limit.OVERTURN, None, drawn, clocks.overturn_s)
        case Phase.DEALING | Phase.DECLARING if drawn is not None and clocks.bury_s and clocks.bury_from is BuryFrom.DRAWN:
            return Running(Limit.BURY, deal.declarer, drawn, clocks.bury_s)
        case Phase.BURYING if clocks.bury_s and deal.taken:
            first = len(deal.taken) == 1 and drawn is not None and clocks.bury_from is BuryFrom.DRAWN
            return Running(Limit.BURY, deal.taken[-1], drawn if first and drawn is not None else t_last, clocks.bury_s)
        case Phase.TRICK if clocks.play_s and deal.turn is not None:
            return Running(Limit.PLAY, deal.turn, t_last, clocks.play_s)
        case _:
            return None


def last_time(state: MatchState) -> float:
    """The time of the last thing that happened on the table in the deal in hand; what a referee decides does not start a player's time anew."""
    if state.deal is None or not state.deal.facts:
        return _dealt(state)
    return max(fact.t for fact in state.deal.facts)


def _dealt(state: MatchState) -> float:
    """When the deal in hand began."""
    return max((event.t for _, event in state.facts if isinstance(event, (MatchStarted, DealStarted))), default=0.0)


def _drawing(state: MatchState) -> Running | None:
    """The clock of the draw: timed as a whole, as nobody sees single cards drawn."""
    deal, seconds = state.deal, state.rules.clocks.draw_s
    if deal is None or not seconds or deal.drawn_at is not None or deal.phase not in (Phase.DEALING, Phase.DECLARING):
        return None
    return Running(Limit.DRAW, None, _dealt(state), len(SEATS) * deal.rules.pack.hand * seconds)


def now(state: MatchState, t: float) -> tuple[Running, ...]:
    """The clocks that run at a time: the deal's and the match's."""
    out: list[Running] = []
    if state.deal is not None:
        clock = running(state.deal, last_time(state)) or _drawing(state)
        out += [replace(clock, warn=min(WARN_S, clock.seconds // 3), stops=state.stops)] if clock is not None else []
    limits = state.rules.clocks
    if limits.match_min:
        out.append(Running(Limit.MATCH, None, started(state), limits.match_min * _MINUTE, limits.warning_min * _MINUTE, state.stops))
    return tuple(clock for clock in out if t >= clock.since)


def started(state: MatchState) -> float:
    """When the match's clock began: as the referee started it, else at ``MatchStarted``, else at the first fact."""
    if state.clock_from is not None:
        return state.clock_from
    first = next((event for _, event in state.facts if isinstance(event, MatchStarted)), None)
    if first is None and state.facts:
        first_any: Event = state.facts[0][1]
        return first_any.t
    return first.t if first is not None else 0.0


def thinking(deal: Deal, stops: Stops = ()) -> dict[tuple[int, Seat], float]:
    """How long each play took (s), by trick and seat; plays entered by hand, and those after one, have no time that could be known."""
    out: dict[tuple[int, Seat], float] = {}
    before: Event | None = None
    for fact in deal.facts:
        if isinstance(fact, CardsPlayed):
            known = before is not None and Source.REFEREE not in (before.source, fact.source)
            if before is not None and known and fact.t >= before.t:
                out[fact.trick, fact.seat] = fact.t - before.t - held(stops, before.t, fact.t)
        if isinstance(fact, (Buried, CardsPlayed, TakenBack, ScoreSet)):
            before = fact
    return out


def match_clock(state: MatchState, t: float, *, final: bool = False) -> MatchClock | None:
    """The match's clock, or None where the sheet has no limit (``final``: a semi-final or final, which may have another)."""
    clocks = state.rules.clocks
    minutes = clocks.final_min if final and clocks.final_min else clocks.match_min
    if not minutes:
        return None
    left = started(state) + minutes * _MINUTE + held(state.stops, started(state), t) - t
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


__all__ = [
    "NAMES", "WARN_S", "Limit", "MatchClock", "Overtime", "Running", "held", "last_time", "match_clock", "now", "overtimes", "plays_on", "running",
    "started", "thinking",
]  # fmt: skip
