"""A running table: facts come in, the referee steps, the log is written, and only then are the listeners told.

State is only ever a fold of the log. Everything that a person decides (correction, undo, ruling, score by hand, the next deal)
is a fact like what the camera saw, with its author beside it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import referee, view
from engine.cards import Card, Seat
from engine.events import (
    BottomCorrected,
    CameraBack,
    CameraLost,
    CardsPlayed,
    Corrected,
    DealStarted,
    Event,
    MatchStarted,
    RulingDecided,
    ScoreSet,
    Source,
    Undone,
    from_json,
    to_json,
)
from engine.referee import Expectation, MatchState
from engine.rulebook import Rulebook
from kiosk.errors import ConflictError, KioskError, NotFoundError, RefusedError, StoreError
from kiosk.plays import count_seen, find_play
from kiosk.store import Row, Store

CAMERA: Final = "camera"
DECISIONS: Final = ("confirmed", "overruled", "later")
_FIRST: Final = (MatchStarted, DealStarted)
_NOTE: Final = "kiosk."
"""Entries of the kiosk itself (a fact that the referee could not take) carry this before their name; the fold leaves them out."""


@dataclass(frozen=True, slots=True)
class Update:
    """A step of the table: the log's place after it, the new entries, and what every page shows before and after."""

    seq: int
    rows: tuple[Row, ...]
    before: Mapping[str, Any]
    state: Mapping[str, Any]


class RunningTable:
    """One table with its log; every method may be called from any thread, and listeners are called in order."""

    def __init__(self, store: Store, *, rulebooks: Callable[[str], Rulebook], clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._clock = clock
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Update], None]] = []
        self._log: list[Event] = []
        self._seqs: list[int] = []
        self._waiting: list[tuple[Event, str]] = []
        self._trouble: KioskError | None = None
        self._camera: str | None = None
        self._t, self._t_at = 0.0, clock()
        self._match: MatchState | None = None
        self._shown: Mapping[str, Any] = {}
        self._load()

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
            self._remember(event, row.seq)
        if self._log:
            first = next((event for event in self._log if isinstance(event, MatchStarted)), None)
            if first is None:
                raise StoreError("记录里没有比赛开始", "the log does not begin with a match")
            self._match = referee.fold(self._log, self._rulebooks(first.rulebook))
            self._shown = view.snapshot(self._match)

    def _remember(self, event: Event, seq: int) -> None:
        self._log.append(event)
        self._seqs.append(seq)
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

    @property
    def rulebook(self) -> str | None:
        """The rulebook of the match, or None before it."""
        with self._lock:
            return None if self._match is None else self._match.rulebook

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

    def now(self) -> float:
        """The table's clock (s): the time of the last fact and what has passed since."""
        with self._lock:
            return self._t + (self._clock() - self._t_at)

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
        rows = self._store.append([to_json(entry) for entry in entries], author)
        before, self._match = self._shown, state
        self._shown = view.snapshot(self._state())
        for entry, row in zip(entries, rows, strict=True):
            self._remember(entry, row.seq)
        update = Update(self._store.seq, rows, before, self._shown)
        for listener in self._listeners:
            listener(update)
        return update

    # ---- facts

    def begin(self, rulebook: str, names: Mapping[str, str], levels: Mapping[str, str], declarer: Seat | None = None, deal: int = 1) -> None:
        """Start a match with its first deal.

        :raises RefusedError: when the log already holds a match.
        """
        with self._lock:
            if self._match is not None:
                raise RefusedError("这份记录里已经有一场比赛", "this log already holds a match")
            started = MatchStarted(rulebook=rulebook, names=dict(names), source=Source.REFEREE)
            self._commit([started, DealStarted(deal=deal, levels=dict(levels), declarer=declarer, source=Source.REFEREE)], "local")

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
        except (ValueError, RefusedError) as error:  # what the referee cannot take is kept for review, and the table goes on
            body = {"v": 1, "event": f"{_NOTE}NotTaken", "fact": to_json(fact), "reason": str(error)}
            rows = self._store.append([body], author)
            for listener in self._listeners:
                listener(Update(self._store.seq, rows, self._shown, self._shown))

    # ---- what people decide

    def _decide(self, fact: Event, author: str) -> Update:
        """Take a fact from a person: refused, it leaves no trace.

        :raises RefusedError: when the referee does not take it.
        :raises StoreError: when the log cannot be written.
        """
        if not self.retry():
            assert self._trouble is not None
            raise self._trouble
        try:
            return self._commit([fact], author)
        except ValueError as error:
            raise RefusedError(f"无法执行：{error}", f"this cannot be done: {error}") from error

    def correct(self, trick: int, seat: Seat, was: Sequence[Card], cards: Sequence[Card], author: str) -> Update:
        """Put a play right; ``was`` is what the person saw when deciding.

        :raises NotFoundError: when there is no such play.
        :raises ConflictError: when it no longer reads ``was``.
        """
        with self._lock:
            play = find_play(self._shown, trick, seat)
            if play is None:
                raise NotFoundError(f"第 {trick} 墩没有 {seat} 的出牌", f"there is no play of {seat} in trick {trick}")
            self._expect_unchanged(play["cards"], was)
            if list(cards) == list(was):
                raise RefusedError("更正前后相同", "the correction changes nothing")
            if not cards:
                raise RefusedError("出牌不能为空；要取消这次出牌请用撤销", "a play cannot be empty; use undo to take it out")
            fact = Corrected(seat=seat, trick=trick, cards=tuple(cards), by=author, t=self.now(), source=Source.REFEREE, evidence={"corrected": True})
            return self._decide(fact, author)

    def correct_bottom(self, was: Sequence[Card], cards: Sequence[Card], author: str) -> Update:
        """Put the shown bottom right.

        :raises ConflictError: when it no longer reads ``was``.
        """
        with self._lock:
            shown = self._shown.get("bottom", {}).get("cards")
            if shown is None:
                raise NotFoundError("底牌还没有亮出", "the bottom has not been shown")
            self._expect_unchanged(shown, was)
            return self._decide(BottomCorrected(cards=tuple(cards), by=author, t=self.now(), source=Source.REFEREE), author)

    @staticmethod
    def _expect_unchanged(found: Sequence[str], was: Sequence[str]) -> None:
        if list(found) != list(was):
            text = " ".join(found)
            raise ConflictError(f"刚才已被别人改为 {text}，请再看一次", f"somebody else has just changed it to {text}; please look again")

    def play(self, trick: int, seat: Seat, cards: Sequence[Card], author: str) -> Update:
        """Enter a play that the camera did not see.

        :raises RefusedError: when that seat's play is there already (then it is to be corrected).
        """
        with self._lock:
            if find_play(self._shown, trick, seat) is not None:
                raise RefusedError("这一家已经出牌，请用更正", "this seat has played already; correct the play instead")
            current = self._shown.get("trick") or {}
            if trick != current.get("number"):
                raise NotFoundError(f"现在不是第 {trick} 墩", f"trick {trick} is not being played now")
            if not cards:
                raise RefusedError("出牌不能为空", "a play cannot be empty")
            return self._decide(CardsPlayed(seat=seat, trick=trick, cards=tuple(cards), t=self.now(), source=Source.REFEREE), author)

    def decide(self, ruling: str, decision: str, author: str, why: str = "", choice: int = 0) -> Update:
        """Confirm or overrule a ruling, or put it off.

        :raises NotFoundError: when there is no such ruling.
        :raises ConflictError: when it was decided already.
        """
        with self._lock:
            found = next((entry for entry in self._shown.get("rulings", ()) if entry["ruling"] == ruling), None)
            if found is None:
                raise NotFoundError(f"没有判罚 {ruling}", f"there is no ruling {ruling}")
            if decision not in DECISIONS:
                raise RefusedError(f"未知的决定 {decision}", f"unknown decision {decision}; expected one of {', '.join(DECISIONS)}")
            if found["state"] in ("confirmed", "overruled"):
                raise ConflictError("这项判罚已有决定；要改请先撤销", "this ruling has been decided already; undo that first to change it")
            fact = RulingDecided(ruling=ruling, decision=decision, by=author, why=why, choice=choice, t=self.now(), source=Source.REFEREE)
            return self._decide(fact, author)

    def set_score(self, points: int, trick: int, levels: Mapping[str, str], leader: Seat | None, author: str) -> Update:
        """Set the score by hand; the log marks the gap."""
        with self._lock:
            fact = ScoreSet(points=points, trick=trick, levels=dict(levels), leader=leader, by=author, t=self.now(), source=Source.REFEREE)
            return self._decide(fact, author)

    @staticmethod
    def _is_no_act(event: Event) -> bool:
        """Whether an entry is nothing that can be taken back: it follows from others, or says how the camera is."""
        return referee.is_derived(event) or isinstance(event, (CameraLost, CameraBack))

    def undoable(self) -> int | None:
        """The log's place of the last entry that an undo would take back, or None."""
        with self._lock:
            gone = self._undone()
            for i in range(len(self._log) - 1, -1, -1):
                event = self._log[i]
                if i not in gone and not self._is_no_act(event) and not isinstance(event, Undone):
                    return None if isinstance(event, _FIRST) and self._is_first_deal(i) else self._seqs[i]
            return None

    def undoable_entry(self) -> dict[str, Any] | None:
        """The entry that an undo would take back, as JSON with its place, without its evidence."""
        with self._lock:
            seq = self.undoable()
            if seq is None:
                return None
            body = to_json(self._log[self._seqs.index(seq)])
            body.pop("evidence", None)
            return {"seq": seq, **body}

    def _is_first_deal(self, index: int) -> bool:
        return not any(isinstance(event, DealStarted) for event in self._log[:index])

    def _undone(self) -> set[int]:
        """Indices of entries that no longer count: a later undo that still counts itself names them."""
        gone: set[int] = set()
        for i in range(len(self._log) - 1, -1, -1):
            event = self._log[i]
            if isinstance(event, Undone) and i not in gone:
                gone.add(event.target - 1)
        return gone

    def undo(self, seq: int | None, author: str) -> Update:
        """Take back the entry at a place of the log, or the last one.

        :raises NotFoundError: when there is nothing there that can be taken back.
        :raises ConflictError: when it was taken back already.
        """
        with self._lock:
            target = self.undoable() if seq is None else seq
            if target is None or target not in self._seqs:
                raise NotFoundError("没有可以撤销的操作", "there is nothing to undo")
            index = self._seqs.index(target)
            if self._is_no_act(self._log[index]) or (isinstance(self._log[index], _FIRST) and self._is_first_deal(index)):
                raise NotFoundError(f"第 {target} 条不能撤销", f"entry {target} cannot be undone")
            if index in self._undone():
                raise ConflictError("这一步已经撤销了", "this step has been undone already")
            return self._decide(Undone(target=index + 1, by=author, t=self.now(), source=Source.REFEREE), author)

    def next_deal(self, deal: int, author: str) -> Update:
        """Confirm the reckoning of a deal and start the next one with its levels and its declarer.

        :raises ConflictError: when another deal is being played.
        """
        with self._lock:
            reckoning = self._shown.get("reckoning")
            if self._shown.get("deal") != deal:
                raise ConflictError("下一局已经开始", "the next deal has already been started")
            if reckoning is None:
                raise RefusedError("本局还没有结算", "this deal has not been reckoned yet")
            declarer = reckoning.get("next_declarer")
            started = DealStarted(
                deal=deal + 1, levels=dict(reckoning["levels"]), declarer=Seat(declarer) if declarer else None,
                t=self.now(), source=Source.REFEREE, evidence={"confirmed": deal},
            )  # fmt: skip
            return self._decide(started, author)

    def cards_seen(self) -> Mapping[str, int]:
        """How often each face has been seen in this deal."""
        with self._lock:
            return count_seen(self._shown)

    def decks(self) -> int:
        """How many packs are played with."""
        with self._lock:
            return int(self._state().rules.pack.decks)
