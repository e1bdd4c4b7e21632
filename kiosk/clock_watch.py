"""Clocks that are heard: a warning before a limit and a call at it, once each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Seat
from engine.clock import Limit, Running
from kiosk import phrases
from kiosk.phrases import Spoken
from kiosk.sound import CLOCK, Speaker
from kiosk.table import Table

LOOK_S: Final = 0.2
STALE_S: Final = 5.0
"""A limit that was passed longer ago than this is no news (after a restart, say)."""


@dataclass(frozen=True, slots=True)
class Due:
    """A clock that has something to say: it warns, or its time is up."""

    clock: Running
    up: bool

    @property
    def key(self) -> tuple[Limit, Seat | None, float, bool]:
        """What it is told once for."""
        return self.clock.limit, self.clock.seat, self.clock.since, self.up


def due(now: float, running: Sequence[Running]) -> list[Due]:
    """The clocks that warn or are up at a time of the table."""
    out: list[Due] = []
    for clock in running:
        left = clock.left(now)
        if -STALE_S < left <= 0:
            out.append(Due(clock, up=True))
        elif 0 < left <= clock.warn:
            out.append(Due(clock, up=False))
    return out


def words(what: Due) -> tuple[Spoken, ...]:
    """What is said: whose clock, and that time is short or up."""
    clock = what.clock
    if clock.limit is Limit.MATCH:
        return (phrases.MATCH_UP if what.up else phrases.minutes_left(max(1, round(clock.warn / 60))),)
    said = phrases.TIME_UP if what.up else phrases.seconds_left(clock.warn)
    return (said,) if clock.seat is None else (phrases.seat(clock.seat), said)


class ClockWatch:
    """Looks at a table's clocks on a thread of its own and makes the loudspeaker speak."""

    def __init__(self, table: Table, speaker: Speaker) -> None:
        self._table = table
        self._speaker = speaker
        self._told: set[tuple[Limit, Seat | None, float, bool]] = set()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clocks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def look(self) -> None:
        """Say what has become due since the last look."""
        now, running = self._table.clocks()
        found = due(now, running)
        for what in found:
            if what.key not in self._told:
                self._speaker.say(words(what), CLOCK)
        alive = {(clock.limit, clock.seat, clock.since) for clock in running}
        self._told = {key for key in self._told if key[:3] in alive} | {what.key for what in found}

    def _run(self) -> None:
        while not self._ending.wait(LOOK_S):
            self.look()

    def close(self) -> None:
        """End."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2)
