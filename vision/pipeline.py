"""From pictures to facts: source, calibration, change gate, recogniser on changed regions, looks, plays.

Pictures are decoded in a thread of the source; everything else runs in the thread that iterates :meth:`Pipeline.facts`, so that
the same film gives the same facts. Other threads may ask for :meth:`Pipeline.status` and :meth:`Pipeline.rectified`.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Any, Final

import cv2
import numpy as np

from engine.cards import Card, Seat
from engine.events import CameraBack, CameraLost, CameraMoved, CardsPlayed, Event
from vision.calibration import Calibration, CalibrationError, Image
from vision.camera import Back, Frame, Lost, Pictures
from vision.desync import Reason
from vision.expected import Expected
from vision.guard import Guard
from vision.haste import Haste
from vision.joined import Joined
from vision.looks import CropReader
from vision.motion import ZoneState
from vision.overhead import Overhead
from vision.pace import Pace
from vision.pause import OPENING
from vision.plays import PlayTracker
from vision.reading import Reading
from vision.recall import Record
from vision.refit import refit
from vision.registration import Registration
from vision.table_card import TableCard
from vision.told import WhatIf
from vision.zones import Zone

FLUSH_SECONDS: Final = 20.0
DECKS: Final = 2


@unique
class Detection(StrEnum):
    """What the camera's side is doing."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"
    UNSURE = "unsure"
    LOST = "camera lost"


@dataclass(slots=True)
class Timing:
    """What the pipeline did, in seconds and counts."""

    frames: int = 0
    reads: int = 0
    read_s: float = 0.0
    behind_s: float = 0.0
    table_s: float = 0.0


class Pipeline:
    """One table: a source, where things lie in it, and a recogniser.

    :param recogniser: reads the cards; a deck may be put into it while it runs (:func:`vision.enrol.apply`).
    :param decks: packs in the game. :param deal: the number of the running deal.
    :param habit: what becomes of played cards. ``stack``: they stay, later ones on top, so that covered cards are remembered and known
        again when they look out; ``turn`` and ``sweep``: they go, and nothing is remembered below what lies there; ``auto``: either.
    :ivar clock: tells what the work takes (s); another one than the wall's may be put there.
    :raises CalibrationError: when the pictures do not have the shape of the calibration.
    """

    def __init__(
        self, source: Pictures, calibration: Calibration, recogniser: CropReader, *, decks: int = DECKS, deal: int = 1, habit: str = "auto"
    ) -> None:
        self.source = source
        self.habit = habit
        self.clock: Callable[[], float] = time.perf_counter
        self.timing = Timing()
        levels = frozenset(str(v) for v in (calibration.match.get("levels") or {}).values())
        self.tracker = PlayTracker(decks=decks, deal=deal, levels=levels, piles=habit in ("auto", "stack"))
        self._calibration = calibration.scaled(source.size)
        self.recogniser = recogniser
        self._reading = Reading(self._calibration, recogniser, self.tracker)
        self.guard = Guard()
        self._lock = threading.Lock()
        self._overhead = Overhead(self._calibration)
        self._detection = Detection.STILL
        self._phase = ""
        self._wall = time.monotonic()
        self._fps = 0.0
        self._pace = Pace()
        self._haste = Haste()
        self._orders: queue.SimpleQueue[Callable[[Frame], None]] = queue.SimpleQueue()
        self._lost = False
        self._set_up: tuple[int, int] | None = None
        self._known: tuple[dict[Zone, tuple[TableCard, ...]], dict[Zone, tuple[TableCard, ...]]] = ({}, {})
        self._refused = False
        self._unsettled: tuple[set[Zone], Seat | None] | None = None
        self._registration: Registration

    @property
    def calibration(self) -> Calibration:
        """Where things lie now; it follows the markers when the camera is bumped."""
        return self._calibration

    # Hooks for a kiosk; any thread may call these.

    def status(self) -> dict[str, Any]:
        """Two states (``table``: the phase, ``detection``), pictures a second, and the age of the latest picture (s).

        ``desync`` is null, or why table and model do not fit and what to do: {"reason", "zh", "en"}; ``slow`` null, or that too few pictures
        come, and what to do: {"zh", "en"}; ``trick`` the running trick's number; ``faults`` how often the reading itself has failed.
        """
        with self._lock:
            age = time.monotonic() - self._wall
            return {
                "table": self._phase,
                "trick": self.tracker.told.trick,
                "desync": self.tracker.desync.to_json(),
                "detection": self._detection.value,
                "fps": round(self._fps, 1),
                "frame_age_s": round(age, 2),
                "t": round(self._overhead.t, 3),
                "slow": self._haste.slow() or self._pace.slow(),
                "faults": self.guard.count,
                "dropped": self.source.dropped,
                "behind_s": round(self.timing.behind_s, 3),
            }

    def rectified(self, size: int = 800) -> Image | None:
        """The latest picture of the playing area from straight above, with what was last read drawn on (BGR); None before the first."""
        return self._overhead.rectified(size)

    def jpeg(self, size: int = 800, quality: int = 80) -> bytes | None:
        """:meth:`rectified` as a JPEG."""
        return self._overhead.jpeg(size, quality)

    def correct(self, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
        """A person put a play right: these copies are used up when later cards are read."""
        self._order(lambda _: self.tracker.correct(seat, trick, cards))

    def follow(self) -> None:
        """The record was changed by hand in another way (a play entered, an undo, a score): what was played is what it says."""
        self._order(lambda _: self.tracker.recall())

    def refused(self, error: Exception) -> None:
        """A fact that was told could not be taken into the record; what it was told for is not read again."""

        def fail(_: Frame) -> None:
            self._refused = True
            raise error

        self._orders.put(fail)

    def recalibrate(self, calibration: Calibration) -> None:
        """From the next picture on things lie where this calibration says (the set-up was done anew)."""

        def take(frame: Frame) -> None:
            self._calibration = calibration.scaled((frame.image.shape[1], frame.image.shape[0]))
            self._prepare(frame)

        self._order(take)

    def restart(self) -> None:
        """A new match begins: nothing was played, and what lies on the table is the ground."""

        def clear(frame: Frame) -> None:
            self.tracker.restart()
            self._prepare(frame)

        self._order(clear)

    def _order(self, do: Callable[[Frame], None]) -> None:
        """A person's order is carried out with the next picture, and whatever has failed so far is tried again."""

        def carry_out(frame: Frame) -> None:
            self.guard.forgive()
            do(frame)

        self._orders.put(carry_out)

    def close(self) -> None:
        """Stop: :meth:`facts` ends."""
        self.source.close()

    # The loop.

    def facts(self, expect: Callable[[], Expected], what_if: WhatIf | None = None, record: Record | None = None) -> Iterator[Event]:
        """Facts as they are committed, until the source ends.

        Whatever fails while a picture is worked out, the next ones are: see :mod:`vision.guard`.

        :param expect: asked whenever the tracker must know what comes next; take each fact in before asking for the next.
        :param what_if: asked what would be expected, and how many offences there would be, if some events came (ranks corrections).
        :param record: asked for the referee's deal where what was told can not be relied on: after a fault, an entry by hand, at the start.
        """
        t = 0.0
        self.tracker.told.what_if, self.tracker.record = what_if, record
        for signal in self.source.signals():
            t = signal.t
            match signal:
                case Lost(reason=reason):
                    self._lost = True
                    self._set(Detection.LOST)
                    yield CameraLost(t=t, reason=reason)
                case Back(gap=gap):
                    self._lost = False
                    self._haste.forget()
                    yield CameraBack(t=t, gap=round(gap, 3))
                case Frame():
                    try:
                        if self._tried(signal):
                            yield from self._frame(signal, expect)
                    except Exception as error:  # noqa: BLE001  whatever fails, the match goes on
                        yield from self._failed(error, signal, expect)
        try:
            yield from self._tell(t + FLUSH_SECONDS, t, expect, set())
        except Exception as error:  # noqa: BLE001
            self.guard.take(error, t)

    def _tried(self, frame: Frame) -> bool:
        """Whether the picture is worked out; after too many faults it is only shown, until there is an order."""
        if not self.guard.stuck(frame.t) or not self._orders.empty():
            return True
        self._note(frame, {})
        self._clock(frame, 0.0)
        return False

    def _failed(self, error: Exception, frame: Frame, expect: Callable[[], Expected]) -> Iterator[Event]:
        """The picture is given up: what the record says and what lies there take the place of what was believed."""
        t = frame.t
        self.guard.take(error, t)
        held, self.tracker.trick.held = self.tracker.trick.held, []
        yield from held
        expected, blind = None, self.guard.blind(t)
        try:
            if self._unsettled is not None:
                self._reading.settle(frame, *self._unsettled)
            self.tracker.renew(*(({}, {}) if blind else self._known))
            expected = expect()
            if blind:
                self._prepare(frame)
            else:
                self._reading.again()
        except Exception as other:  # noqa: BLE001  then the record itself is not to be had
            self.guard.take(other, t)
            blind = True
        blind, self._unsettled, self._refused = blind or self._refused, None, False
        self.tracker.pause(t, Reason.FAULT, expected, blind=blind, many=self.guard.stuck(t), why=self.guard.evidence(t))
        yield from filter(None, (self.tracker.desync.event(t),))

    def _frame(self, frame: Frame, expect: Callable[[], Expected]) -> Iterator[Event]:
        begin = self.clock()
        size = (frame.image.shape[1], frame.image.shape[0])
        first = self._set_up is None
        if size != self._set_up:
            try:
                self._fit(frame, size)
            except CalibrationError as error:
                if not self._lost:
                    self._lost = True
                    self._set(Detection.LOST)
                    yield CameraLost(t=frame.t, reason=str(error))
                return
        if self._lost:
            self._lost = False
            yield CameraBack(t=frame.t, gap=round(frame.t - self.timing.table_s, 3))
        if first:
            self._begin(frame, expect())
        moved = self._registration.check(frame.image, frame.t, self._calibration)
        if moved is not None:
            if moved.calibration is not None:
                self._calibration = moved.calibration
                self._prepare(frame)
            yield CameraMoved(t=frame.t, moved_mm=round(moved.moved_mm, 1), registered=moved.calibration is not None)
        self._haste.take(frame.t, self.source.dropped, live=self.source.live)
        if self._haste.gap:
            self.tracker.unseen(frame.t, self._haste.gap)
        states, busy = self._reading.update(frame, self._phase, hurried=self._haste.hurried)
        self._note(frame, states)
        spent = self.clock() - begin
        self._clock(frame, spent)
        while not self._orders.empty():
            with suppress(queue.Empty):
                self._orders.get_nowait()(frame)
        yield from self._tell(frame.t, frame.t, expect, busy, frame)

    def _tell(self, t: float, shown: float, expect: Callable[[], Expected], busy: set[Zone], frame: Frame | None = None) -> Iterator[Event]:
        """All facts that are due at ``t``; concluding them, and what is made of them by who asked, takes time too."""
        begin = self.clock()
        for _ in range(64):
            self._known = dict(self.tracker.lying.known), dict(self.tracker.lying.under)
            expected = expect()
            self._phase = str(self.tracker.phase(expected))
            fact = self.tracker.facts(t, expected, busy)
            self._unsettled = self.tracker.take_settled(), fact.seat if isinstance(fact, CardsPlayed) else None
            self._known = dict(self.tracker.lying.known), dict(self.tracker.lying.under)
            now = self.clock()
            self.timing.behind_s += now - begin
            begin = now
            if fact is not None:
                evidence = dict(fact.evidence)
                evidence["behind_s"] = round(self.timing.behind_s, 3)
                if isinstance(fact, CardsPlayed):
                    self._overhead.draw(self.tracker.cards_of(fact.seat), [c for c in self._overhead.cards if self.tracker.owns(c)])
                yield replace(fact, t=min(fact.t, shown), evidence=evidence)
            if frame is not None:
                self._reading.settle(frame, *self._unsettled)
            self._unsettled = None
            if fact is None:
                return

    def _begin(self, frame: Frame, expected: Expected) -> None:
        """The first picture: where does the game stand?"""
        if expected.phase in OPENING:
            if Joined.lies(self._reading.faces(frame)):
                self.tracker.pause(frame.t, Reason.JOINED, expected, blind=True, why={})
            return
        self.tracker.recall()
        if expected.phase == "trick" and self.tracker.record is not None and self.tracker.record() is not None:
            self.tracker.pause(frame.t, Reason.BEGUN, expected, blind=True, why={})

    def _fit(self, frame: Frame, size: tuple[int, int]) -> None:
        """Fit the calibration to pictures of this size; markers in view settle it where the shape differs.

        :raises CalibrationError: when neither helps.
        """
        try:
            self._calibration = self._calibration.scaled(size)
        except CalibrationError:
            self._calibration = refit(self._calibration, np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8))
        self._prepare(frame)
        self._set_up = size

    def _prepare(self, frame: Frame) -> None:
        """Zones for the present calibration; what lies there now is the ground."""
        self._reading.prepare(frame, self._calibration)
        if self._set_up is None or not hasattr(self, "_registration"):
            self._registration = Registration(frame.t)
        self._overhead.placed(self._calibration)

    # Bookkeeping.

    def _set(self, detection: Detection) -> None:
        with self._lock:
            self._detection = detection

    def _note(self, frame: Frame, states: Mapping[Zone, ZoneState]) -> None:
        """Keep the two states and the latest picture for other threads."""
        if any(state.hand for state in states.values()):
            detection = Detection.HAND
        elif any(state.moving for state in states.values()):
            detection = Detection.MOVING
        elif self.tracker.unsure or self.tracker.doubtful:
            detection = Detection.UNSURE
        else:
            detection = Detection.STILL
        self._overhead.take(frame)
        self._set(detection)

    def _clock(self, frame: Frame, spent: float) -> None:
        """Count time: how far the work would lie behind a camera that delivers these frames."""
        timing = self.timing
        self._pace.take(frame.t, frame.index)
        step = max(0.0, frame.t - timing.table_s)
        timing.behind_s = max(0.0, timing.behind_s - step) + spent if timing.frames else spent
        timing.table_s = frame.t
        timing.frames += 1
        timing.reads, timing.read_s = self._reading.reads, self._reading.read_s
        now = time.monotonic()
        with self._lock:
            gap = now - self._wall
            self._wall = now
            if gap > 0:
                self._fps = 0.9 * self._fps + 0.1 / gap if self._fps else 1 / gap
