"""A tracker and the engine's state beside it: every fact is taken in, and every ruling that was ever proposed is kept."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Seat
from engine.events import DealStarted, Event, MatchStarted, Ruled
from engine.referee import MatchState, expectation, rulings, start, step
from vision.expected import Expected
from vision.looks import Look
from vision.plays import PlayTracker
from vision.zones import Zone


class Refereed:
    """:ivar alerts: all that were proposed, also those withdrawn since."""

    def __init__(self, rulebook: str, *, decks: int = 2, declarer: Seat | None = None) -> None:
        self.state: MatchState = start(rulebook)
        self.tracker = PlayTracker(decks=decks, levels=frozenset({"2"}))
        self.tracker.told.what_if = self.what_if
        self.alerts: list[Ruled] = []
        for event in (MatchStarted(rulebook=rulebook), DealStarted(deal=1, levels={"EW": "2", "NS": "2"}, declarer=declarer)):
            self.take(event)
        self.told(0.0)

    def take(self, event: Event) -> None:
        self.state, follows = step(self.state, event)
        self.alerts += [one for one in follows if isinstance(one, Ruled)]

    def what_if(self, facts: Sequence[Event]) -> tuple[Expected, int]:
        state = self.state
        for fact in facts:
            state, _ = step(state, fact)
        return expectation(state), len(rulings(state))

    def told(self, t: float, busy: Sequence[Zone] = ()) -> list[Event]:
        """All facts that are due."""
        out: list[Event] = []
        while (fact := self.tracker.facts(t, expectation(self.state), busy)) is not None:
            self.take(fact)
            out.append(fact)
        return out

    def see(self, seen: Look, t: float | None = None) -> list[Event]:
        self.tracker.see(seen)
        return self.told(seen.still + 0.3 if t is None else t)

    def centre(self, t: float, *, occupied: bool) -> list[Event]:
        return self.see(Look(Zone.CENTRE, t, t - 0.2, occupied=occupied), t)
