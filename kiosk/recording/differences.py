"""What today's program makes of a recording, against what was told at the table and what was true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import SEATS, Card, Seat
from engine.events import CardsPlayed, Corrected, DealEnded, Event, Ruled, Source
from kiosk.recording.truth import Recorded

Plays = dict[tuple[int, Seat], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class PlayDifference:
    """A play as the camera told it at the time (``then``), as it stands in the corrected log, and as today's program tells it."""

    trick: int
    seat: Seat
    then: tuple[Card, ...]
    truth: tuple[Card, ...]
    now: tuple[Card, ...]

    @property
    def kind(self) -> str:
        """``same`` (right then and now), ``better``, ``worse``, or ``wrong`` (then and now)."""
        then, now = (Counter(cards) == Counter(self.truth) for cards in (self.then, self.now))
        return ("same" if then else "better") if now else ("worse" if then else "wrong")

    def to_json(self) -> dict[str, Any]:
        """As a line."""
        return {
            "line": "play", "trick": self.trick, "seat": self.seat.value, "then": list(self.then), "truth": list(self.truth), "now": list(self.now),
            "kind": self.kind,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class RulingDifference:
    """A ruling that was proposed then, stands in the corrected log, or is proposed now."""

    kind: str
    seat: Seat
    trick: int
    then: bool
    truth: bool
    now: bool

    def to_json(self) -> dict[str, Any]:
        """As a line."""
        return {
            "line": "ruling", "offence": self.kind, "seat": self.seat.value, "trick": self.trick, "then": self.then, "truth": self.truth,
            "now": self.now,
        }  # fmt: skip


def plays(events: Sequence[Event]) -> Plays:
    """The plays of one deal as they stand at the end of a stream of events."""
    out: Plays = {}
    for event in events:
        if isinstance(event, (CardsPlayed, Corrected)):
            out[event.trick, event.seat] = event.cards
    return {key: cards for key, cards in out.items() if cards}


def by_camera(events: Sequence[Event]) -> Plays:
    """The plays that the camera told, with what it put right itself."""
    return plays([event for event in events if event.source is (Source.INFERRED if isinstance(event, Corrected) else Source.CAMERA)])


def compare_plays(deal: Recorded, now: Sequence[Event]) -> Iterator[PlayDifference]:
    """Every play of a deal, then, in truth and now, in the order of the table."""
    then, truth, today = by_camera(deal.told), plays(deal.truth), plays(now)
    order = {seat: i for i, seat in enumerate(SEATS)}
    for key in sorted({*then, *truth, *today}, key=lambda key: (key[0], order[key[1]])):
        yield PlayDifference(*key, then.get(key, ()), truth.get(key, ()), today.get(key, ()))


def compare_rulings(deal: Recorded, now: Sequence[Event]) -> Iterator[RulingDifference]:
    """Every ruling then, in the corrected log and now."""
    then, truth, today = ({(e.kind, e.seat, e.trick) for e in events if isinstance(e, Ruled)} for events in (deal.told, deal.truth, now))
    for key in sorted(then | truth | today, key=lambda key: (key[2], key[1].value, key[0])):
        yield RulingDifference(*key, key in then, key in truth, key in today)


def points(events: Sequence[Event]) -> int | None:
    """The attackers' points at the end, or None when the deal was not reckoned."""
    ends = [event for event in events if isinstance(event, DealEnded)]
    return ends[-1].points if ends else None


def summary(deal: Recorded, now: Sequence[Event]) -> dict[str, Any]:
    """The counts of a deal, as a line."""
    kinds = Counter(difference.kind for difference in compare_plays(deal, now))
    ruled = list(compare_rulings(deal, now))
    return {
        "line": "deal", "deal": deal.start.deal, "plays": sum(kinds.values()), **{kind: kinds[kind] for kind in ("same", "better", "worse", "wrong")},
        "rulings_differ": sum(r.truth != r.now for r in ruled), "points_then": points(deal.told), "points": points(deal.truth),
        "points_now": points(now),
    }  # fmt: skip
