"""From pictures to facts: source, calibration, change gate, recogniser on changed regions, looks, plays.

Pictures are decoded in a thread of the source; everything else runs in the thread that iterates :meth:`Pipeline.facts`, so that
the same film gives the same facts. Other threads may ask for :meth:`Pipeline.status` and :meth:`Pipeline.rectified`.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Card, Seat
from engine.events import CameraBack, CameraLost, CameraMoved, CardsPlayed, Event
from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError, Image
from vision.camera import Back, Frame, Lost, Source
from vision.cloth import Cloth
from vision.ends import Inset
from vision.expected import Expected
from vision.looks import Box, CropReader, Look, grow, read_frame, vote
from vision.motion import CHANGE_PIXELS, Gate, ZoneState
from vision.plays import PlayTracker
from vision.registration import Registration
from vision.table_card import TableCard
from vision.told import WhatIf
from vision.zones import Zone, to_small

STILL_SECONDS: Final = 0.19
"""A zone must lie still this long before it is read."""
FRAMES: Final = 3
"""Frames that vote for a look; two are enough when they agree and are sure."""
SURE: Final = 0.9
MARGIN_MM: Final = 42.0
AGAIN_SECONDS: Final = 0.45
BLANK_MM2: Final = 150.0
"""Less new white than this is no card's face."""
GROUND_SECONDS: Final = 4.0
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
class _Work:
    """One zone's reading in progress; ``past`` and ``past_small`` show it before its latest play, which was read in ``box``."""

    before: Image | None = None
    past: Image | None = None
    past_small: Image | None = None
    box: Box | None = None
    ground_t: float = 0.0
    frames: list[tuple[TableCard, ...]] = field(default_factory=list)
    answered: bool = False
    read_t: float = -1.0


@dataclass(slots=True)
class Timing:
    """What the pipeline did, in seconds and counts."""

    frames: int = 0
    reads: int = 0
    read_s: float = 0.0
    work_s: float = 0.0
    behind_s: float = 0.0
    table_s: float = 0.0


class Pipeline:
    """One table: a source, where things lie in it, and a recogniser.

    :param decks: packs in the game. :param deal: the number of the running deal.
    :raises CalibrationError: when the pictures do not have the shape of the calibration.
    """

    def __init__(
        self, source: Source, calibration: Calibration, recogniser: CropReader, *, decks: int = DECKS, deal: int = 1, habit: str = "auto"
    ) -> None:
        self.source = source
        self.habit = habit
        self.timing = Timing()
        levels = frozenset(str(v) for v in (calibration.match.get("levels") or {}).values())
        self.tracker = PlayTracker(decks=decks, deal=deal, levels=levels, piles=habit in ("auto", "stack"))
        self._recogniser = recogniser
        self._inset = Inset(calibration.card_mm)
        self._calibration = calibration.scaled(source.size)
        self._lock = threading.Lock()
        self._latest: Frame | None = None
        self._drawn: list[TableCard] = []
        self._detection = Detection.STILL
        self._phase = ""
        self._wall = time.monotonic()
        self._fps = 0.0
        self._maps: tuple[Any, Any] | None = None
        self._orders: queue.SimpleQueue[tuple[Seat, int, tuple[Card, ...]]] = queue.SimpleQueue()
        self._lost = False
        self._set_up: tuple[int, int] | None = None
        self._work: dict[Zone, _Work] = {}
        self._gate: Gate
        self._cloth: Cloth
        self._registration: Registration

    @property
    def calibration(self) -> Calibration:
        """Where things lie now; it follows the markers when the camera is bumped."""
        return self._calibration

    # Hooks for a kiosk; any thread may call these.

    def status(self) -> dict[str, Any]:
        """Two states (``table``: the phase, ``detection``), pictures a second, and the age of the latest picture (s).

        ``desync`` is null, or why table and model do not fit and what to do: {"reason", "zh", "en"}; ``trick`` the running trick's number.
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
                "t": round(self._latest.t, 3) if self._latest else 0.0,
                "dropped": self.source.dropped,
                "behind_s": round(self.timing.behind_s, 3),
            }

    def rectified(self, size: int = 800) -> Image | None:
        """The latest picture of the playing area from straight above, with what was last read drawn on (BGR); None before the first."""
        with self._lock:
            frame, cards, calibration, maps = self._latest, list(self._drawn), self._calibration, self._maps
        if frame is None or (frame.image.shape[1], frame.image.shape[0]) != calibration.size:
            return None
        mm_per_px = 2 * tables.PLAY_AREA_MM / size
        if maps is None or maps[0].shape[0] != size:
            maps = calibration.rectifier(mm_per_px)
            with self._lock:
                self._maps = maps
        picture = np.asarray(cv2.remap(frame.image, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)
        for card in cards:
            points = ((np.array(card.corners_mm) + tables.PLAY_AREA_MM) / mm_per_px).round().astype(np.int32)
            cv2.polylines(picture, [points.reshape(-1, 1, 2)], isClosed=True, color=(60, 220, 60), thickness=2)
            cv2.putText(picture, card.card, (int(points[0][0]), int(points[0][1]) - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 255), 2)
        return picture

    def jpeg(self, size: int = 800, quality: int = 80) -> bytes | None:
        """:meth:`rectified` as a JPEG."""
        picture = self.rectified(size)
        if picture is None:
            return None
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return data.tobytes() if ok else None

    def correct(self, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
        """A person put a play right: these copies are used up when later cards are read."""
        self._orders.put((seat, trick, cards))

    def close(self) -> None:
        """Stop: :meth:`facts` ends."""
        self.source.close()

    # The loop.

    def facts(self, expect: Callable[[], Expected], what_if: WhatIf | None = None) -> Iterator[Event]:
        """Facts as they are committed, until the source ends.

        :param expect: asked whenever the tracker must know what comes next; take each fact in before asking for the next.
        :param what_if: asked what would be expected, and how many offences there would be, if some events came (ranks corrections).
        """
        t = 0.0
        self.tracker.told.what_if = what_if
        for signal in self.source.signals():
            t = signal.t
            match signal:
                case Lost(reason=reason):
                    self._lost = True
                    self._set(Detection.LOST)
                    yield CameraLost(t=t, reason=reason)
                case Back(gap=gap):
                    self._lost = False
                    yield CameraBack(t=t, gap=round(gap, 3))
                case Frame():
                    yield from self._frame(signal, expect)
        yield from self._tell(t + FLUSH_SECONDS, t, expect, set())

    def _frame(self, frame: Frame, expect: Callable[[], Expected]) -> Iterator[Event]:
        begin = time.perf_counter()
        size = (frame.image.shape[1], frame.image.shape[0])
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
        moved = self._registration.check(frame.image, frame.t, self._calibration)
        if moved is not None:
            if moved.calibration is not None:
                self._calibration = moved.calibration
                self._prepare(frame)
            yield CameraMoved(t=frame.t, moved_mm=round(moved.moved_mm, 1), registered=moved.calibration is not None)
        states = self._gate.update(frame.small, frame.t)
        busy = {zone for zone, state in states.items() if state.still_since is None or self._reading(zone, state)}
        for zone, state in states.items():
            self._zone(frame, zone, state)
        self._note(frame, states)
        spent = time.perf_counter() - begin
        self._clock(frame, spent)
        while not self._orders.empty():
            with suppress(queue.Empty):
                self.tracker.correct(*self._orders.get_nowait())
        yield from self._tell(frame.t, frame.t, expect, busy, frame)

    def _tell(self, t: float, shown: float, expect: Callable[[], Expected], busy: set[Zone], frame: Frame | None = None) -> Iterator[Event]:
        """All facts that are due at ``t``."""
        for _ in range(64):
            expected = expect()
            self._phase = str(expected.phase)
            fact = self.tracker.facts(t, expected, busy)
            for zone in self.tracker.take_settled():
                work = self._work.get(zone)
                if work is not None and frame is not None:
                    if isinstance(fact, CardsPlayed) and zone.seat is fact.seat:
                        work.past, work.past_small = work.before, self._gate.ground(zone)
                    work.before, work.ground_t, work.frames = frame.image, frame.t, []
                    self._gate.settle(zone, frame.small)
            if fact is None:
                return
            evidence = dict(fact.evidence)
            evidence["behind_s"] = round(self.timing.behind_s, 3)
            if isinstance(fact, CardsPlayed):
                with self._lock:
                    self._drawn = list(self.tracker.cards_of(fact.seat)) + [c for c in self._drawn if self.tracker.owns(c)]
            yield replace(fact, t=min(fact.t, shown), evidence=evidence)

    def _fit(self, frame: Frame, size: tuple[int, int]) -> None:
        """Fit the calibration to pictures of this size; markers in view settle it where the shape differs.

        :raises CalibrationError: when neither helps.
        """
        try:
            self._calibration = self._calibration.scaled(size)
        except CalibrationError:
            if not self._calibration.markers.corners_mm:
                raise
            grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
            self._calibration, _ = tables.from_markers(grey, self._calibration.markers)
        self._prepare(frame)
        self._set_up = size

    def _prepare(self, frame: Frame) -> None:
        """Zones for the present calibration; what lies there now is the ground."""
        small = (frame.small.shape[1], frame.small.shape[0])
        self._gate = Gate(self._calibration, small)
        self._cloth = Cloth(self._calibration, small)
        if self._set_up is None or not hasattr(self, "_registration"):
            self._registration = Registration(frame.t)
        with self._lock:
            self._maps = None
        for zone in Zone:
            self._work[zone] = _Work(before=frame.image, ground_t=frame.t)
            self.tracker.disturbed(zone)

    def _reading(self, zone: Zone, state: ZoneState) -> bool:
        work = self._work[zone]
        return not work.answered and state.changed >= CHANGE_PIXELS

    def _zone(self, frame: Frame, zone: Zone, state: ZoneState) -> None:
        """Bring one zone's reading forward."""
        work = self._work[zone]
        if state.hand:
            self.tracker.hand(zone)
        if state.still_since is None:
            if work.frames or work.answered:
                self.tracker.disturbed(zone)
            work.frames, work.answered, work.read_t = [], False, -1.0
            return
        if frame.t - state.still_since < STILL_SECONDS:
            return
        if zone is Zone.CENTRE and not work.answered and state.changed < CHANGE_PIXELS and self._phase in ("waiting", "dealing", "declaring", ""):
            work.answered = True
            occupied = self._cloth.occupied(frame.small)
            if occupied:
                self._cloth.learn_back(frame.small)
            self.tracker.see(Look(zone, frame.t, state.still_since, occupied=occupied))
            return
        if state.changed < CHANGE_PIXELS:
            if zone in self.tracker.to_review and work.box is not None:
                self._review(frame, zone, state, work)
            elif self.tracker.was_disturbed(zone) and not work.answered:
                # What was laid has gone again, and the zone looks as before.
                work.answered = True
                self.tracker.see(Look(zone, frame.t, state.still_since))
            elif not work.answered and frame.t - work.ground_t > GROUND_SECONDS:
                work.before, work.ground_t = frame.image, frame.t
            return
        if work.answered:
            if zone in self.tracker.doubtful and frame.t - work.read_t >= AGAIN_SECONDS:
                self._read(frame, zone, work, careful=True)
                self._look(frame, zone, state, work)
            return
        self._read(frame, zone, work)
        if len(work.frames) >= FRAMES or (len(work.frames) == 2 and _agree(work.frames)) or self._blank(frame, zone, state, work):
            work.answered = True
            self._look(frame, zone, state, work)

    def _blank(self, frame: Frame, zone: Zone, state: ZoneState, work: _Work) -> bool:
        """Nothing new was read, and nothing new is as white as a face: one frame is enough (cards taken up or turned over)."""
        if any(card.fresh for card in work.frames[-1]):
            return False
        mm2 = state.changed * (frame.image.shape[1] / frame.small.shape[1] / self._calibration.px_per_mm()) ** 2
        return bool(self._cloth.paper(frame.small, self._gate.changed(zone, frame.small)) * mm2 < BLANK_MM2)

    def _read(self, frame: Frame, zone: Zone, work: _Work, *, careful: bool = False) -> None:
        box = self._gate.changed_box(zone, frame.small)
        if box is None:
            return
        begin = time.perf_counter()
        scale = frame.image.shape[1] / frame.small.shape[1]
        full: Box = (int(box[0] * scale), int(box[1] * scale), round(box[2] * scale), round(box[3] * scale))
        margin = round(MARGIN_MM * self._calibration.px_per_mm())
        full = work.box = grow(full, margin, self._calibration.size)
        cards = read_frame(self._recogniser, frame.image, work.before, full, zone, self._calibration, inset=self._inset, careful=careful)
        work.frames.append(cards)
        work.read_t = frame.t
        self.timing.reads += 1
        self.timing.read_s += time.perf_counter() - begin

    def _review(self, frame: Frame, zone: Zone, state: ZoneState, work: _Work) -> None:
        """Read a settled zone's latest play once more, against what lay there before it."""
        begin = time.perf_counter()
        box = work.box or (0, 0, 0, 0)
        cards = read_frame(self._recogniser, frame.image, work.past, box, zone, self._calibration, inset=self._inset, careful=True)
        cards = self._faces(frame, cards)
        changed = self._gate.differing(zone, frame.small, work.past_small)
        since = state.still_since if state.still_since is not None else frame.t
        self.tracker.review(Look(zone, frame.t, since, cards, loose_mm2=self._loose(frame, cards, changed)))
        self.timing.reads += 1
        self.timing.read_s += time.perf_counter() - begin

    def _faces(self, frame: Frame, cards: Sequence[TableCard]) -> tuple[TableCard, ...]:
        """Without backs that were taken for faces."""
        backs = self._cloth.backs(frame.small, [card for card in cards if card.fresh])
        return tuple(card for card in cards if card not in backs)

    def _loose(self, frame: Frame, cards: Sequence[TableCard], changed: npt.NDArray[np.bool_]) -> float:
        """How much of what changed is as white as cards are and no new card's (mm²)."""
        size = (frame.small.shape[1], frame.small.shape[0])
        outlines = [to_small(self._calibration, np.array(card.corners_mm), size) for card in cards if card.fresh]
        return self._cloth.loose(frame.small, changed, outlines)

    def _look(self, frame: Frame, zone: Zone, state: ZoneState, work: _Work) -> None:
        """Hand a zone's voted look to the tracker."""
        since = state.still_since if state.still_since is not None else frame.t
        cards = self._faces(frame, [card for card in vote(work.frames, zone) if card.share > 0.34])
        mm2 = state.changed * (frame.image.shape[1] / frame.small.shape[1] / self._calibration.px_per_mm()) ** 2
        watched = self.tracker.watched(zone)
        size = (frame.small.shape[1], frame.small.shape[0])
        outlines = [to_small(self._calibration, np.array(card.corners_mm), size) for card in watched]
        hits = self._gate.touched(zone, frame.small, outlines) if watched else []
        changed = tuple(card for card, hit in zip(watched, hits, strict=True) if hit)
        touched = tuple(card for card in changed if card in self.tracker.knows(zone))
        bare = self._cloth.bare(frame.small, changed)
        occupied = zone is Zone.CENTRE and self._cloth.occupied(frame.small)
        where = self._gate.changed(zone, frame.small)
        paper = self._cloth.paper(frame.small, where) * mm2
        loose = self._loose(frame, cards, where)
        reverted = int(np.count_nonzero(self._gate.differing(zone, frame.small, work.past_small))) < CHANGE_PIXELS
        self.tracker.see(Look(zone, frame.t, since, cards, len(work.frames), mm2, paper, touched, bare, occupied, loose, reverted))

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
        with self._lock:
            self._latest, self._detection = frame, detection

    def _clock(self, frame: Frame, spent: float) -> None:
        """Count time: how far the work would lie behind a camera that delivers these frames."""
        timing = self.timing
        step = max(0.0, frame.t - timing.table_s)
        timing.behind_s = max(0.0, timing.behind_s - step) + spent if timing.frames else spent
        timing.table_s = frame.t
        timing.frames += 1
        timing.work_s += spent
        now = time.monotonic()
        with self._lock:
            gap = now - self._wall
            self._wall = now
            if gap > 0:
                self._fps = 0.9 * self._fps + 0.1 / gap if self._fps else 1 / gap


def _agree(frames: list[tuple[TableCard, ...]]) -> bool:
    """Two frames read the same new cards, and surely."""
    first, second = ([c for c in frame if c.fresh] for frame in frames)
    return (
        len(first) == len(second) > 0
        and sorted(c.card for c in first) == sorted(c.card for c in second)
        and all(c.sure >= SURE for c in (*first, *second))
    )
