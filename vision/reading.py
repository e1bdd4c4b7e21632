"""Reading the zones of a table: which one lies still and looks different, what lies there now, and when to read it once more.

A zone is read in a few frames that vote, at the camera's own resolution and only where it has changed, and what was seen is handed to the
tracker as a look; the tracker says when a look is dealt with, so that it becomes the ground for the next.

Where the reading is behind the camera it saves: no more than one reading a picture, so that the next picture is soon looked at, first of what lies
there unread, longest first; one frame is enough where it is sure; and the picture of a zone that lay still is kept, so that it can be read after
it has been disturbed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.cards import Seat
from vision.calibration import Calibration, Image
from vision.camera import Frame
from vision.cloth import Cloth
from vision.ends import Inset
from vision.looks import Box, CropReader, Look, grow, read_frame, vote
from vision.lying import PAPER_MM2
from vision.motion import CHANGE_PIXELS, Gate, Ground, ZoneState
from vision.plays import PlayTracker
from vision.table_card import TableCard
from vision.zones import SEAT_ZONES, Zone, to_small

STILL_SECONDS: Final = 0.19
"""A zone must lie still this long before it is read."""
FRAMES: Final = 3
"""Frames that vote for a look; two are enough when they agree and are sure."""
HURRIED_FRAMES: Final = 2
PLAIN: Final = 0.95
"""Where the reading is behind, one frame is enough in which all new cards are so sure and show both their indices."""
SURE: Final = 0.9
MARGIN_MM: Final = 42.0
AGAIN_SECONDS: Final = (0.2, 0.2, 0.3, 0.45)
"""What is doubtful is read again after so long, at first sooner: most of it is clear by the second careful reading."""
BLANK_MM2: Final = 150.0
"""Less new white than this is no card's face."""
GROUND_SECONDS: Final = 4.0


@dataclass(slots=True)
class _Work:
    """One zone's reading in progress; ``past`` and ``past_small`` show it before its latest play, which was read in ``box``.

    ``careful`` readings were made since it lies still; it first moved at ``began`` (s) since it looked like the ground. ``kept`` is how it lay when
    there was no time to read it.
    """

    before: Image | None = None
    past: Image | None = None
    past_small: Ground | None = None
    box: Box | None = None
    ground_t: float = 0.0
    frames: list[tuple[TableCard, ...]] = field(default_factory=list)
    answered: bool = False
    read_t: float = -1.0
    careful: int = 0
    began: float = -1.0
    kept: tuple[Frame, ZoneState] | None = None


class Reading:
    """The zones of one table, read for a tracker; ``reads`` and ``read_s`` count what the recogniser did."""

    def __init__(self, calibration: Calibration, recogniser: CropReader, tracker: PlayTracker) -> None:
        self.tracker = tracker
        self.reads = 0
        self.read_s = 0.0
        self._recogniser = recogniser
        self._inset = Inset(calibration.card_mm)
        self._calibration = calibration
        self._work: dict[Zone, _Work] = {}
        self._hurried = False
        self._spare = self._calm = True
        self._t = 0.0
        self._gate: Gate
        self._cloth: Cloth

    def prepare(self, frame: Frame, calibration: Calibration) -> None:
        """Zones for a calibration; what lies there now is the ground."""
        self._calibration = calibration
        self._gate = Gate(calibration, frame.small)
        self._cloth = Cloth(calibration, self._gate.light)
        for zone in Zone:
            self._work[zone] = _Work(before=frame.image, ground_t=frame.t)
            self.tracker.disturbed(zone)

    def again(self) -> None:
        """All zones are read anew, against what they showed when they were last settled."""
        for work in self._work.values():
            work.frames, work.answered, work.read_t, work.careful = [], False, -1.0, 0

    def faces(self, frame: Frame) -> tuple[TableCard, ...]:
        """The cards that lie before the seats, old or new; only what has a card's white is read."""
        scale = frame.image.shape[1] / frame.small.shape[1]
        out: list[TableCard] = []
        for zone in SEAT_ZONES:
            mask, (rows, columns) = self._gate.mask(zone)
            where = np.zeros(frame.small.shape[:2], np.bool_)
            where[rows, columns] = mask
            white = self._cloth.paper(frame.small, where) * float(where.sum()) * (scale / self._calibration.px_per_mm()) ** 2
            if white >= PAPER_MM2:
                box = tuple(round(v * scale) for v in (columns.start, rows.start, columns.stop, rows.stop))
                full = grow((box[0], box[1], box[2], box[3]), 0, self._calibration.size)
                out += read_frame(self._recogniser, frame.image, None, full, zone, self._calibration, inset=self._inset)
                self.reads += 1
        return tuple(out)

    def update(self, frame: Frame, phase: str, *, hurried: bool = False) -> tuple[Mapping[Zone, ZoneState], set[Zone]]:
        """Take the next picture in: the zones' states, and which of them move, are under a hand or are being read.

        :param hurried: the reading is behind the camera.
        """
        states = self._gate.update(frame.small, frame.t)
        unread = {zone for zone, state in states.items() if self._reading(zone, state)}
        busy = {zone for zone, state in states.items() if state.still_since is None} | unread
        self._hurried, self._spare, self._calm = hurried, True, not (hurried and busy)
        order = list(states)
        if hurried:
            order.sort(key=lambda zone: (zone not in unread, states[zone].still_since or 0.0))
        for zone in order:
            self._zone(frame, zone, states[zone], phase)
        self._t = frame.t
        lying = self.tracker.lying
        lying.hurried, lying.unread = hurried, {z for z in unread if states[z].still_since is not None and self._reading(z, states[z])}
        return states, busy

    def settle(self, frame: Frame, zones: set[Zone], played: Seat | None) -> None:
        """What these zones show is dealt with and is the ground from now on.

        :param played: whose play was told by it: that zone's earlier ground is kept, for reading the play again.
        """
        for zone in zones:
            work = self._work[zone]
            if played is not None and zone.seat is played:
                work.past, work.past_small = work.before, self._gate.ground(zone)
            work.before, work.ground_t, work.frames, work.began, work.kept = frame.image, frame.t, [], -1.0, None
            self._gate.settle(zone, frame.small)

    def _reading(self, zone: Zone, state: ZoneState) -> bool:
        work = self._work[zone]
        return not work.answered and state.changed >= CHANGE_PIXELS

    def _zone(self, frame: Frame, zone: Zone, state: ZoneState, phase: str) -> None:
        """Bring one zone's reading forward."""
        work = self._work[zone]
        if state.hand:
            self.tracker.hand(zone)
        if state.still_since is None:
            if work.kept is not None and not work.answered:
                self._late(zone, work, *work.kept)
            # It moved after the picture before, at the earliest.
            work.began = work.began if work.began >= 0 else self._t if self._hurried else frame.t
            if work.frames or work.answered:
                self.tracker.disturbed(zone)
            work.frames, work.answered, work.read_t, work.careful, work.kept = [], False, -1.0, 0, None
            return
        if self._hurried and not work.answered and state.changed >= CHANGE_PIXELS and zone is not Zone.CENTRE:
            work.kept = frame, state
        if frame.t - state.still_since < STILL_SECONDS:
            return
        if zone is Zone.CENTRE and not work.answered and state.changed < CHANGE_PIXELS and phase in ("waiting", "dealing", "declaring", ""):
            work.answered = True
            occupied = self._cloth.occupied(frame.small)
            if occupied:
                self._cloth.learn_back(frame.small)
            self.tracker.see(Look(zone, frame.t, state.still_since, occupied=occupied))
            return
        if state.changed < CHANGE_PIXELS:
            work.began = -1.0
            if zone in self.tracker.to_review and work.box is not None and self._calm and self._time():
                self._review(frame, zone, state, work)
            elif self.tracker.was_disturbed(zone) and not work.answered:
                # What was laid has gone again, and the zone looks as before.
                work.answered = True
                self.tracker.see(Look(zone, frame.t, state.still_since))
            elif not work.answered and frame.t - work.ground_t > GROUND_SECONDS:
                work.before, work.ground_t = frame.image, frame.t
            return
        if work.answered:
            due = frame.t - work.read_t >= AGAIN_SECONDS[min(work.careful, len(AGAIN_SECONDS) - 1)] - 0.01
            if due and zone in self.tracker.doubtful and self._time():
                work.careful += 1
                self._read(frame, zone, work, careful=True)
                self._look(frame, zone, state, work)
            return
        if not self._time():
            return
        self._read(frame, zone, work)
        enough = len(work.frames) >= (HURRIED_FRAMES if self._hurried else FRAMES) or (len(work.frames) == 2 and _agree(work.frames))
        if enough or (self._hurried and _plain(work.frames[-1])) or self._blank(frame, zone, state, work):
            work.answered = True
            self._look(frame, zone, state, work)

    def _time(self) -> bool:
        """Whether there is time for a reading in this picture; when the reading is behind, there is for one."""
        free = self._spare
        self._spare = not self._hurried
        return free

    def _late(self, zone: Zone, work: _Work, frame: Frame, state: ZoneState) -> None:
        """A zone is disturbed that lay still unread: it is read as it lay."""
        if not work.frames:
            self._read(frame, zone, work)
        if work.frames:
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
        self.reads += 1
        self.read_s += time.perf_counter() - begin

    def _review(self, frame: Frame, zone: Zone, state: ZoneState, work: _Work) -> None:
        """Read a settled zone's latest play once more, against what lay there before it."""
        begin = time.perf_counter()
        box = work.box or (0, 0, 0, 0)
        cards = read_frame(self._recogniser, frame.image, work.past, box, zone, self._calibration, inset=self._inset, careful=True)
        cards = self._faces(frame, cards)
        changed = self._gate.differing(zone, frame.small, work.past_small)
        since = state.still_since if state.still_since is not None else frame.t
        self.tracker.review(Look(zone, frame.t, since, cards, loose_mm2=self._loose(frame, cards, changed)))
        self.reads += 1
        self.read_s += time.perf_counter() - begin

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
        if zone is not Zone.CENTRE and not any(card.fresh for card in cards):
            paper = max(paper, self._cloth.cards(frame.small, where))
        self._cloth.learn_face(frame.small, cards)
        loose = self._loose(frame, cards, where)
        reverted = int(np.count_nonzero(self._gate.differing(zone, frame.small, work.past_small))) < CHANGE_PIXELS
        self.tracker.see(Look(zone, frame.t, since, cards, len(work.frames), mm2, paper, touched, bare, occupied, loose, reverted, work.began))


def _plain(frame: tuple[TableCard, ...]) -> bool:
    """All new cards of a frame were surely read, by both their indices."""
    fresh = [card for card in frame if card.fresh]
    return bool(fresh) and all(card.ends > 1 and card.sure >= PLAIN for card in fresh)


def _agree(frames: list[tuple[TableCard, ...]]) -> bool:
    """Two frames read the same new cards, and surely."""
    first, second = ([c for c in frame if c.fresh] for frame in frames)
    return (
        len(first) == len(second) > 0
        and sorted(c.card for c in first) == sorted(c.card for c in second)
        and all(c.sure >= SURE for c in (*first, *second))
    )
