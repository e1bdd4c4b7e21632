"""How long players thought: neutral figures, for the referee."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from engine.cards import Seat
from engine.deal import Deal


@dataclass(frozen=True, slots=True)
class Thought:
    """A play's thinking time (s): from the card before it in the trick, for a lead from the last card of the trick before."""

    trick: int
    seat: Seat
    seconds: float
    led: bool


def thinking(deal: Deal, gaps: Sequence[tuple[float, float]] = ()) -> tuple[Thought, ...]:
    """The thinking times of a deal; plays without a time, and those over a gap in which the table was not seen, have none.

    :param gaps: times (s) from and to which the camera did not see the table.
    """
    out: list[Thought] = []
    before: float | None = None
    for trick in (*deal.tricks, *((deal.current,) if deal.current is not None else ())):
        for i, play in enumerate(trick.plays):
            unseen = before is None or any(start < play.t and end > before for start, end in gaps)
            if before is not None and not unseen and play.t > before:
                out.append(Thought(trick.number, play.seat, round(play.t - before, 2), i == 0))
            before = play.t or None
    return tuple(out)


def medians(thoughts: Iterable[Thought]) -> Mapping[Seat, float]:
    """Each player's median (s) over follows; over leads where there are no follows."""
    by: dict[Seat, list[float]] = {}
    leads: dict[Seat, list[float]] = {}
    for thought in thoughts:
        (leads if thought.led else by).setdefault(thought.seat, []).append(thought.seconds)
    return {seat: round(median(by.get(seat) or leads[seat]), 2) for seat in {*by, *leads}}
