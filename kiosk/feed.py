"""Where facts come from: a camera's pipeline, or a recorded log in practice; run on a thread of its own."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from engine.cards import Card, Seat
from engine.deal import Deal
from engine.events import (
    CameraLost,
    CardsPlayed,
    Corrected,
    DealEnded,
    DealStarted,
    Event,
    MatchStarted,
    Ruled,
    ScoreSet,
    Source,
    TrickClosed,
    TrumpFixed,
    Undone,
    from_json,
)
from engine.referee import Expectation
from kiosk.errors import KioskError
from kiosk.service import RunningTable
from kiosk.table import NOT_TAKEN, Update

WhatIf = Callable[[Sequence[Event]], tuple[Expectation, int]]
"""What would be expected next if some events came, and how many offences the deal would have then."""

Record = Callable[[], Deal | None]
"""The deal in hand as the record has it."""

_FOLLOWED: Final = frozenset({CardsPlayed.__name__, ScoreSet.__name__, TrumpFixed.__name__, Undone.__name__})
"""What changes the record behind the camera's back."""
_DERIVED: Final = (TrickClosed, Ruled, DealEnded, MatchStarted, DealStarted)


class Feed(Protocol):
    """A source of facts."""

    def facts(self, expect: Callable[[], Expectation], what_if: WhatIf | None = None, record: Record | None = None) -> Iterator[Event]:
        """Facts as they are committed, until the source ends or is closed."""
        ...

    def jpeg(self) -> bytes | None:
        """The newest picture of the table seen from above, with what was read drawn on it, as a JPEG; None while there is none."""
        ...

    def status(self) -> Mapping[str, Any]:
        """``table`` and ``detection`` state, ``fps``, ``frame_age_s``."""
        ...

    def correct(self, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
        """A person put a play right: what lies there reads so from now on."""
        ...

    def follow(self) -> None:
        """The record was changed by hand in another way: a play entered, an undo, a score."""
        ...

    def refused(self, error: Exception) -> None:
        """A fact was not taken into the record."""
        ...

    def close(self) -> None:
        """End :meth:`facts`; may be called from any thread."""
        ...


class Replay:
    """A recorded log played again by its times: practice without a camera."""

    def __init__(self, path: Path, speed: float = 1.0) -> None:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise KioskError(f"无法读取 {path}：{error}", f"{path} cannot be read: {error}") from error
        self.events: list[Event] = []
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    self.events.append(from_json(json.loads(line)))
                except (ValueError, TypeError, AttributeError) as error:
                    raise KioskError(f"{path} 第 {number} 行不是事件：{error}", f"{path}, line {number} is no event: {error}") from error
        self._speed = speed
        self._ended = threading.Event()

    def facts(self, expect: Callable[[], Expectation], what_if: WhatIf | None = None, record: Record | None = None) -> Iterator[Event]:
        """The recorded facts, each at its time; derived entries are left to the referee."""
        del expect, what_if, record
        began = time.monotonic()
        for event in self.events:
            if isinstance(event, _DERIVED):
                continue
            if self._ended.wait(max(0.0, event.t / self._speed - (time.monotonic() - began))):
                return
            yield replace(event, source=Source.CAMERA)

    def jpeg(self) -> bytes | None:
        """A recording has no picture."""
        return None

    def status(self) -> Mapping[str, Any]:
        """A recording is always in step."""
        return {"table": "practice", "detection": "still", "fps": 0.0, "frame_age_s": 0.0}

    def correct(self, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
        """A recording does not look again."""

    def follow(self) -> None:
        """Nor does it follow anybody."""

    def refused(self, error: Exception) -> None:
        """Nor does it mind."""

    def close(self) -> None:
        """End the replay."""
        self._ended.set()


class FeedRunner:
    """Feeds a table from a source until it ends; a source that fails is said, logged as a lost camera, and the table goes on by hand."""

    def __init__(self, feed: Feed, table: RunningTable, *, notice: Callable[[KioskError], None] = lambda _: None) -> None:
        self.feed = feed
        self._table = table
        self._notice = notice
        self.ended = threading.Event()
        self.shift = table.shift()
        """What is added to the source's times to give the table's (s)."""
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="facts", daemon=True)

    def status(self) -> Mapping[str, Any]:
        """The source's own status, and whether it has ended."""
        return {**self.feed.status(), "ended": self.ended.is_set()}

    def start(self) -> None:
        """Begin."""
        self._table.listen(self._on_update)
        self._thread.start()

    def _on_update(self, update: Update) -> None:
        for row in update.rows:
            if row.body.get("event") == NOT_TAKEN:
                self.feed.refused(RuntimeError(str(row.body.get("reason"))))
            elif row.body.get("event") in _FOLLOWED and row.body.get("source") == Source.REFEREE:
                self.feed.follow()
            event = from_json(row.body) if row.body.get("event") == Corrected.__name__ else None
            if isinstance(event, Corrected) and event.source is Source.REFEREE and event.deal in (None, update.state.get("deal")):
                self.feed.correct(event.seat, event.trick, event.cards)

    def _deal(self) -> Deal | None:
        match = self._table.match
        return match.deal if match is not None else None

    def _run(self) -> None:
        try:
            for fact in self.feed.facts(self._table.expectation, self._table.what_if, self._deal):
                self._table.record(replace(fact, t=fact.t + self.shift) if self.shift else fact)
        except Exception as error:  # noqa: BLE001  whatever a camera or a model raises, the score must stay on the wall
            if not self._closing:
                self._table.record(CameraLost(reason=str(error) or type(error).__name__, t=self._table.now()))
                self._notice(KioskError(f"摄像头停止：{error}；请人工记分", f"the camera stopped: {error}; keep score by hand"))
        finally:
            self.ended.set()

    def close(self) -> None:
        """End the source and wait for its thread."""
        self._closing = True
        self.feed.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
