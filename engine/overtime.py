"""Limits that were passed in a deal, by the times that its facts carry; times are seconds of the table's clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from engine.cards import SEATS, Seat, seats_from
from engine.deal_state import Deal
from engine.events import BottomTaken, Buried, CardsPlayed, Event, Source
from engine.kit import Breach
from engine.rulebook_terms import BuryFrom

Stops = tuple[tuple[float, float | None], ...]
"""When something stood still (the clocks, the reading of the table) and when it went on (s); None while it stands."""


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


def held(stops: Stops, since: float, t: float) -> float:
    """For how long it stood still between two times (s)."""
    return sum(max(0.0, min(t, end if end is not None else t) - max(since, begin)) for begin, end in stops)


def stand(stops: Stops) -> bool:
    """Whether what was stopped and started so stands still now."""
    return bool(stops) and stops[-1][1] is None


@dataclass(frozen=True, slots=True)
class Overtime:
    """A limit that was passed: by whom, in which trick (0 = before the first), how long it took, and the limit (s)."""

    limit: Limit
    seat: Seat
    trick: int
    took: float
    seconds: int

    def breach(self, clause: str) -> Breach:
        """The offence that it is, under the clause that sets the limit."""
        zh, en = NAMES[self.limit]
        took = f"{self.took:.1f}"
        return Breach("overtime", f"{zh}用时{took}秒，限{self.seconds}秒", f"{en} took {took} s, {self.seconds} s are allowed", clause)


def overtimes(deal: Deal, stops: Stops = (), blind: Stops = ()) -> tuple[Overtime, ...]:
    """The limits that were passed in a deal, by the times of its facts.

    Nobody is held to a time that is not known: what was entered by hand has no time of its own, and a play after one that was not seen, or while the
    table was not read, may have lain there before.

    :param stops: when the clocks stood still.
    :param blind: when the table was not seen or was not as the record has it.
    """
    clocks = deal.rules.clocks
    if not clocks.play_s and not clocks.bury_s:
        return ()
    out: list[Overtime] = []
    before: Event | None = None
    laid: Counter[int] = Counter()
    buried = 0
    for fact in deal.facts:
        began: float | None = None
        limit, trick, seconds = Limit.PLAY, 0, 0
        if isinstance(fact, CardsPlayed):
            laid[fact.trick] += 1
            trick, seconds = fact.trick, clocks.play_s
            if seconds and before is not None and fact.t - before.t > seconds and _next(before, fact, laid):
                began = before.t
        elif isinstance(fact, Buried) and isinstance(before, BottomTaken):
            limit, seconds = Limit.BURY, clocks.bury_s
            from_draw = not buried and clocks.bury_from is BuryFrom.DRAWN and deal.drawn_at is not None
            began = deal.drawn_at if from_draw else before.t
            buried += 1
        if began is not None and seconds and fact.source is not Source.REFEREE and not held(blind, began, fact.t):
            took = fact.t - began - held(stops, began, fact.t)
            if took > seconds and isinstance(fact, (Buried, CardsPlayed)):
                out.append(Overtime(limit, fact.seat, trick, took, seconds))
        before = fact
    return tuple(out)


def _next(before: Event, play: CardsPlayed, laid: Counter[int]) -> bool:
    """Whether a play is the very next thing that was due after a fact."""
    if isinstance(before, CardsPlayed):
        if before.trick == play.trick:
            return seats_from(before.seat)[1] is play.seat
        return play.trick == before.trick + 1 and laid[before.trick] == len(SEATS)
    return isinstance(before, Buried) and play.trick == 1
