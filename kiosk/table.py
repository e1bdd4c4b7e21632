"""A running table: facts come in, the referee steps, the log is written, and only then are the listeners told.

State is only ever a fold of the log.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engine import clock as clocks
from engine import referee, view
from engine.cards import Seat
from engine.clock import Running
from engine.events import CameraBack, CameraLost, DealStarted, Event, MatchStarted, Source, from_json, to_json
from engine.referee import Expectation, MatchState
from engine.rulebook import Rulebook
from kiosk import acts
from kiosk.acts import Logged
from kiosk.errors import KioskError, NotFoundError, RefusedError, StoreError
from kiosk.plays import count_seen
from kiosk.store import Row, Store

CAMERA: Final = "camera"
_NOTE: Final = "kiosk."
"""Entries of the kiosk itself carry this before their name; the fold leaves them out."""
NOT_TAKEN: Final = f"{_NOTE}NotTaken"
"""A fact that the referee could not take."""


@dataclass(frozen=True, slots=True)
class Update:
    """A step of the table: the log's place after it, the new entries, and what every page shows before and after."""

    seq: int
    rows: tuple[Row, ...]
    before: Mapping[str, Any]
    state: Mapping[str, Any]


class Table:
    """One table with its log; every method may be called from any thread, and listeners are called in order."""

    def __init__(self, store: Store, *, rulebooks: Callable[[str], Rulebook], clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._clock = clock
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Update], None]] = []
        self._clear()
        self._load()

    def _clear(self) -> None:
        self._log: list[Logged] = []
        self._waiting: list[tuple[Event, str]] = []
        self._trouble: KioskError | None = None
        self._camera: str | None = None
        self._t, self._t_at = 0.0, self._clock()
        self._match: MatchState | None = None
        self._shown: Mapping[str, Any] = {}

    # ---- the log and its fold

    def _load(self) -> None:
        """Fold what the file holds."""
        for row in self._store.read():
            if str(row.body.get("event", "")).startswith(_NOTE):
                continue
            try:
                event = from_json(row.body)
            except ValueError as error:
                raise StoreError(f"记录第 {row.seq} 条无法识别：{error}", f"entry {row.seq} of the log is not understood: {error}") from error
            self._remember(event, row)
        if self._log:
            first = next((entry.event for entry in self._log if isinstance(entry.event, MatchStarted)), None)
            if first is None:
                raise StoreError("记录里没有比赛开始", "the log does not begin with a match")
            self._match = referee.fold((entry.event for entry in self._log), self._rulebooks(first.rulebook))
            self._shown = view.snapshot(self._match)

    def _remember(self, event: Event, row: Row) -> None:
        self._log.append(Logged(event, row.seq, row.at, row.author))
        if isinstance(event, CameraLost):
            self._camera = event.reason
        elif isinstance(event, CameraBack):
            self._camera = None
        if event.source is not Source.REFEREE or event.t > self._t:
            self._t, self._t_at = max(self._t, event.t), self._clock()

    def listen(self, listener: Callable[[Update], None]) -> None:
        """Call back after every durable step, in order."""
        with self._lock:
            self._listeners.append(listener)

    def renew(self, exchange: Callable[[], Store]) -> None:
        """Go on with another log; nothing is written while ``exchange`` puts the old one away and opens the new one."""
        with self._lock:
            self._store, t = exchange(), self.shift()
            self._clear()
            self._t = t
            self._load()

    @property
    def store(self) -> Store:
        """The log that is being written."""
        return self._store

    @property
    def match(self) -> MatchState | None:
        """The match as it stands, or None before it."""
        with self._lock:
            return self._match

    @property
    def rulebook(self) -> str | None:
        """The rulebook of the match, or None before it."""
        with self._lock:
            return None if self._match is None else self._match.rulebook

    @property
    def rules(self) -> Rulebook:
        """The rules of the match.

        :raises RefusedError: before the match.
        """
        with self._lock:
            return self._state().rules

    @property
    def started(self) -> bool:
        """Whether the log holds a match."""
        with self._lock:
            return self._match is not None

    @property
    def seq(self) -> int:
        """The place of the last entry in the log."""
        return self._store.seq

    def shown(self) -> tuple[int, Mapping[str, Any]]:
        """The log's place and what every page shows there."""
        with self._lock:
            return self._store.seq, self._shown

    def deal(self, number: int) -> tuple[int, Mapping[str, Any]]:
        """The log's place and one deal of the match in the form in which the deal in hand is shown.

        :raises NotFoundError: when there is no such deal.
        """
        with self._lock:
            if number == self._shown.get("deal"):
                return self._store.seq, self._shown
            found = next((deal for deal in reversed(self._state().deals) if deal.number == number), None)
            if found is None:
                raise NotFoundError(f"没有第 {number} 局", f"there is no deal {number}")
            rulings = [ruling for ruling in self._shown.get("rulings", ()) if ruling["deal"] == number]
            return self._store.seq, {"names": self._shown.get("names", {}), "rulings": rulings, **view.deal_view(self._state(), found)}

    def trouble(self) -> KioskError | None:
        """Why the log cannot be written at the moment, if so."""
        return self._trouble

    def camera_lost(self) -> str | None:
        """Why the camera does not see the table, if so."""
        return self._camera

    def rows(self, after: int, limit: int) -> tuple[Row, ...]:
        """Entries behind a place."""
        return self._store.read(after, limit)

    def expectation(self) -> Expectation:
        """What is expected next, for the camera."""
        with self._lock:
            return referee.expectation(self._state())

    def what_if(self, facts: Sequence[Event]) -> tuple[Expectation, int]:
        """What would be expected next if these facts came, and how many offences the deal would have; nothing is changed."""
        with self._lock:
            state = self._state()
        for fact in facts:
            state, _ = referee.step(state, fact)
        return referee.expectation(state), len(referee.rulings(state))

    def now(self) -> float:
        """The table's clock (s): the time of the last fact and what has passed since; the machine's own clock may jump as it likes."""
        with self._lock:
            return self._t + (self._clock() - self._t_at)

    def shift(self) -> float:
        """What is added to the times of a camera that begins to count now, so that the table's clock never goes back (s)."""
        with self._lock:
            return self.now() if self._t > 0 else 0.0

    def clocks(self) -> tuple[float, tuple[Running, ...]]:
        """The table's time and the clocks that run."""
        with self._lock:
            t = self.now()
            return t, clocks.now(self._match, t) if self._match is not None else ()

    def turn_since(self) -> float:
        """Since when the seat in turn may play (s, the table's clock, pauses worked in)."""
        with self._lock:
            since = clocks.last_time(self._state())
            return since + clocks.held(self._state().stops, since, self.now())

    def _state(self) -> MatchState:
        if self._match is None:
            raise RefusedError("比赛还没有开始", "no match has been started")
        return self._match

    def _commit(self, facts: Sequence[Event], author: str) -> Update:
        """Step, write, remember, tell. Called with the lock held."""
        state = self._match
        entries: list[Event] = []
        for fact in facts:
            if state is None:
                if not isinstance(fact, MatchStarted):
                    raise RefusedError("比赛还没有开始", "no match has been started")
                state = referee.start(self._rulebooks(fact.rulebook))
            state, derived = referee.step(state, fact)
            entries += [fact, *derived]
        if state is None:
            raise RefusedError("比赛还没有开始", "no match has been started")
        shown = view.snapshot(state)
        rows = self._store.append([to_json(entry) for entry in entries], author)
        before, self._match, self._shown = self._shown, state, shown
        for entry, row in zip(entries, rows, strict=True):
            self._remember(entry, row)
        update = Update(self._store.seq, rows, before, self._shown)
        for listener in self._listeners:
            listener(update)
        return update

    # ---- facts

    def begin(
        self,
        rulebook: str,
        names: Mapping[str, str],
        levels: Mapping[str, str],
        declarer: Seat | None = None,
        deal: int = 1,
        *,
        author: str = "local",
    ) -> None:
        """Start a match with its first deal.

        :raises RefusedError: when the log already holds a match.
        """
        with self._lock:
            if self._match is not None:
                raise RefusedError("这份记录里已经有一场比赛", "this log already holds a match")
            t = self.shift()
            started = MatchStarted(rulebook=rulebook, names=dict(names), source=Source.REFEREE, t=t)
            self._commit([started, DealStarted(deal=deal, levels=dict(levels), declarer=declarer, source=Source.REFEREE, t=t)], author)

    def record(self, fact: Event, author: str = CAMERA) -> None:
        """Take a fact from the camera. While the log cannot be written, facts wait in order and are tried again with the next."""
        with self._lock:
            self._waiting.append((fact, author))
            self.retry()

    def retry(self) -> bool:
        """Write what waits; says whether nothing waits any more."""
        with self._lock:
            while self._waiting:
                fact, author = self._waiting[0]
                try:
                    self._take(fact, author)
                except StoreError as error:
                    self._trouble = error
                    return False
                self._waiting.pop(0)
            self._trouble = None
            return True

    def _take(self, fact: Event, author: str) -> None:
        try:
            self._commit([fact], author)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  what the referee cannot take, for whatever reason, is kept for review, and the table goes on
            body = {"v": 1, "event": NOT_TAKEN, "fact": to_json(fact), "reason": str(error) or type(error).__name__}
            rows = self._store.append([body], author)
            for listener in self._listeners:
                listener(Update(self._store.seq, rows, self._shown, self._shown))

    def _decide(self, facts: Sequence[Event], author: str) -> Update:
        """Take facts from a person: refused, they leave no trace.

        :raises RefusedError: when the referee does not take them.
        :raises StoreError: when the log cannot be written.
        """
        if not self.retry():
            assert self._trouble is not None
            raise self._trouble
        try:
            return self._commit(facts, author)
        except KioskError:
            raise
        except Exception as error:
            raise RefusedError(f"无法执行：{error}", f"this cannot be done: {error}") from error

    # ---- settings and the log's past

    def setting(self, key: str) -> str | None:
        """A remembered setting of this table, or None."""
        return self._store.setting(key)

    def remember(self, key: str, value: str) -> None:
        """Keep a setting of this table.

        :raises StoreError: when it cannot be written.
        """
        self._store.remember(key, value)

    def acts(self, limit: int) -> list[dict[str, Any]]:
        """The entries that an undo would take back one after the other, the newest first."""
        with self._lock:
            return [acts.act(self._log[i]) for i in islice(acts.undoable(self._log), limit)]

    def ruling_times(self) -> Mapping[str, tuple[str | None, str | None]]:
        """When each ruling was found and decided (wall clock, ISO 8601, UTC)."""
        with self._lock:
            return acts.ruling_times(self._log)

    def cards_seen(self, deal: int | None = None) -> Mapping[str, int]:
        """How often each face has been seen in a deal (the one in hand)."""
        with self._lock:
            return count_seen(self._shown if deal is None else self.deal(deal)[1])

    def decks(self) -> int:
        """How many packs are played with."""
        return int(self.rules.pack.decks)
