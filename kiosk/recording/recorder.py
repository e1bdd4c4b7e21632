"""The recorder of a running table. It takes what it can and never holds anybody up.

Pictures are offered by the decoding thread into a short queue; when that is full the picture is dropped and counted. One thread codes
them into segments and keeps pictures of the playing area; a second one closes segments, cuts clips, writes stills and applies
retention. When the disk is full, video stops and says so; the log goes on, and video begins again when there is room.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from kiosk.recording.events import Clip, Guard, Still, Wish, Wishes
from kiosk.recording.folder import PART, clip_name, parse_name, segment_name, still_name
from kiosk.recording.index import EVIDENCE, TRICK, VIDEO, Index, Medium, Session
from kiosk.recording.keep import GB, Keep, Keeper
from kiosk.recording.probe import Cut, copy, span
from kiosk.recording.segments import SECONDS, Segment, finish
from kiosk.recording.stills import Shots, pictures, play_box
from kiosk.table import Update
from vision import calibration as tables
from vision.calibration import Calibration, Image
from vision.camera import Frame

QUEUE: Final = 10
FASTEST: Final = 15.5
"""Pictures a second at most."""
STILL_FPS: Final = 4.0
LIVELY_S: Final = 1.5
"""After the last change all pictures are taken for this long, then :data:`STILL_FPS`."""
_PIXEL: Final = 14
_PIXELS: Final = 12
RETRY_S: Final = 10.0
KEEP_S: Final = 60.0
GAP_S: Final = 1.5
"""Without pictures for longer than this a new segment begins, so that the gap is seen."""
PATIENCE_S: Final = 10.0


@dataclass(slots=True)
class _Counts:
    dropped: int = 0
    pictures: int = 0
    bytes: int = 0
    seconds: float = 0.0
    last_segment: float = field(default_factory=time.monotonic)


class Recorder:
    """Records one run of a table into a folder; :meth:`frame` and :meth:`on_update` may be called from any thread and never wait.

    :param shift: what turns the source's times into the table's (s).
    """

    def __init__(
        self, folder: Path, calibration: Callable[[], Calibration], *, source: str = "", keep: Keep | None = None, shift: float = 0.0, deal: int = 1,
        free: Callable[[Path], int] | None = None, wall: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self.folder = folder
        self._calibration = calibration
        self._source = source
        self._keep = keep or Keep()
        self._shift = shift
        self._free = free
        self._wall = wall
        self._wishes = Wishes(deal, shift)
        self._frames: queue.Queue[Frame | None] = queue.Queue(QUEUE)
        self._jobs: queue.Queue[tuple[str, Any] | None] = queue.Queue()
        self._shots = Shots()
        self._index: Index | None = None
        self._keeper: Keeper | None = None
        self._why: tuple[str, str] | None = None
        self._ended = False
        self._blocked_until = float("-inf")
        self._counts = _Counts()
        self._last: Image | None = None
        self._last_t = float("-inf")
        self._lively = float("-inf")
        self._waiting: list[Clip] = []
        self._guards: set[tuple[int, int]] = set()
        self._closing = threading.Event()
        self._ready = threading.Event()
        self._coder = threading.Thread(target=self._code, name="record", daemon=True)
        self._clerk = threading.Thread(target=self._work, name="record-files", daemon=True)

    # ---- what others call

    def start(self) -> None:
        """Begin."""
        self._jobs.put(("begin", None))
        self._clerk.start()
        self._coder.start()

    def frame(self, frame: Frame) -> None:
        """Offer a picture; it is dropped when there is no time for it."""
        if self._closing.is_set() or not self._wanted(frame):
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self._counts.dropped += 1

    @property
    def full(self) -> bool:
        """Whether the next picture would be dropped, or passed over because the folder is not open yet; who has time may wait."""
        opening = not self._ready.is_set() and not self._why and self._clerk.is_alive()
        return (self._frames.full() or opening) and self._coder.is_alive()

    def _wanted(self, frame: Frame) -> bool:
        """Everything while something moves, a few a second while the table is still."""
        gap = frame.t - self._last_t
        if 0 <= gap < 1 / FASTEST - 1e-3:
            return False
        if self._last is not None and self._last.shape == frame.small.shape:
            moved = int(np.count_nonzero(cv2.absdiff(self._last, frame.small).max(axis=2) > _PIXEL)) >= _PIXELS
            if moved:
                self._lively = frame.t
            if frame.t - self._lively > LIVELY_S and 0 <= gap < 1 / STILL_FPS - 1e-3:
                return False
        self._last, self._last_t = frame.small, frame.t
        return True

    def on_update(self, update: Update) -> None:
        """Take in what the log has just written."""
        if self._closing.is_set():
            return
        for row in update.rows:
            for wish in self._wishes.take(row.seq, row.body):
                self._jobs.put(("wish", wish))

    def status(self) -> dict[str, Any]:
        """For the pages: ``state`` is recording, stopped (``why`` says why) or ended."""
        counts = self._counts
        try:
            free: float | None = round(self._keeper.free() / GB, 1) if self._keeper else None
        except OSError:
            free = None
        state = "ended" if self._ended else "stopped" if self._why else "recording"
        return {
            "state": state,
            "why": {"zh": self._why[0], "en": self._why[1]} if self._why else None,
            "dropped": counts.dropped,
            "segment_age_s": int((time.monotonic() - counts.last_segment) // 10 * 10),
            "free_gb": free,
            "gb_per_hour": round(counts.bytes / counts.seconds * 3600 / GB, 1) if counts.seconds > 5 else None,
        }

    def close(self) -> None:
        """Finish what is begun and end."""
        self._closing.set()
        with suppress(queue.Full):
            self._frames.put(None, timeout=2)
        if self._coder.is_alive():
            self._coder.join(timeout=10)
        self._jobs.put(None)
        if self._clerk.is_alive():
            self._clerk.join(timeout=20)
        self._ended = True

    # ---- coding

    def _code(self) -> None:
        segment: Segment | None = None
        while True:
            try:
                frame = self._frames.get(timeout=0.5)
            except queue.Empty:
                if self._closing.is_set():
                    break
                continue
            if frame is None:
                break
            t = frame.t + self._shift
            self._shoot(frame.image, t)
            if not self._ready.is_set() or time.monotonic() < self._blocked_until:
                segment = _abandon(segment)
                continue
            try:
                if segment is not None and (not 0 <= t - segment.t0 < SECONDS or t - segment.t1 > GAP_S):
                    self._end(segment)
                    segment = None
                if segment is None:
                    segment = Segment(self.folder, t, (frame.image.shape[1], frame.image.shape[0]))
                segment.add(frame.image, t)
                self._counts.pictures += 1
            except Exception as error:  # noqa: BLE001  whatever the coder raises, later pictures are recorded
                segment = _abandon(segment)
                self._stop(error)
        if segment is not None:
            with suppress(Exception):
                self._end(segment)

    def _shoot(self, image: Image, t: float) -> None:
        calibration = self._calibration()
        if calibration.size == (image.shape[1], image.shape[0]):
            self._shots.offer(image, t, play_box(calibration))

    def _end(self, segment: Segment) -> None:
        self._jobs.put(("segment", segment.end()))

    def _stop(self, error: BaseException) -> None:
        """Video cannot be written now: say why, and try again later."""
        self._blocked_until = time.monotonic() + RETRY_S
        text = str(error)
        if getattr(error, "errno", None) in (28, 122, 27) or "full" in text or "No space" in text:
            self._why = ("磁盘已满，录像停止；记分照常", "the disk is full: video has stopped, scoring goes on")
        elif getattr(error, "errno", None) == 30 or "readonly" in text or "read-only" in text.lower():
            self._why = ("磁盘只读，无法录像；记分照常", "the disk is read-only: no video, scoring goes on")
        else:
            self._why = (f"无法录像（{text}）；记分照常", f"video cannot be written ({text}); scoring goes on")

    # ---- files

    def _work(self) -> None:
        kept = float("-inf")
        while True:
            try:
                job = self._jobs.get(timeout=1.0)
            except queue.Empty:
                job = ("", None)
            if job is None:
                break
            try:
                if self._index is None:
                    self._begin()
                if job[0] == "segment":
                    self._segment(job[1])
                elif job[0] == "wish":
                    self._wish(job[1])
                if time.monotonic() - kept > KEEP_S or job[0] == "segment" or self._why:
                    kept = time.monotonic()
                    self._retain()
            except Exception as error:  # noqa: BLE001  one file that cannot be made is no reason to make no other
                self._stop(error)
        with suppress(Exception):
            for clip in self._waiting:
                self._clip(clip)
        if self._index is not None:
            self._index.close()

    def _begin(self) -> None:
        """Open the folder; what an earlier run left unfinished is finished."""
        index = Index.open(self.folder)
        try:
            recover(self.folder, index)
            index.begin(Session(self._shift, self._source, tables.to_json(self._calibration())))
        except BaseException:
            index.close()
            raise
        self._index, self._keeper = index, Keeper(index, self._keep, free=self._free)
        self._retain()
        self._ready.set()

    def _segment(self, part: Path) -> None:
        assert self._index is not None
        whole = finish(part)
        if whole is not None:
            medium = measure(whole, self._wall())
            self._index.add(medium)
            self._counts.bytes += medium.size
            self._counts.seconds += max(0.0, medium.t1 - medium.t0)
            self._counts.last_segment = time.monotonic()
            ready = [clip for clip in self._waiting if clip.t1 <= medium.t1]
            self._waiting = [clip for clip in self._waiting if clip.t1 > medium.t1]
            for clip in ready:
                self._clip(clip)

    def _wish(self, wish: Wish) -> None:
        assert self._index is not None
        match wish:
            case Still():
                self._still(wish)
            case Clip():
                self._waiting.append(wish)
            case Guard():
                self._guards |= {(wish.deal, trick) for trick in wish.tricks}
                self._index.protect_trick(wish.deal, wish.tricks)

    def _tier(self, deal: int, trick: int) -> str:
        return EVIDENCE if (deal, trick) in self._guards else TRICK

    def _still(self, wish: Still) -> None:
        assert self._index is not None
        patience = time.monotonic() + PATIENCE_S
        while self._shots.newest() < wish.t1 and time.monotonic() < patience and self._coder.is_alive():
            time.sleep(0.05)
        shot = self._shots.near(wish.t0, wish.t1)
        if shot is None:
            return
        for form, data in pictures(shot, self._calibration(), wish.evidence).items():
            name = still_name(wish.deal, wish.trick, wish.seat, form)
            unfinished = self.folder / f"{name}.new"
            unfinished.write_bytes(data)
            unfinished.replace(self.folder / name)
            kind, box = form or "still", "" if form else ",".join(map(str, shot.box))
            tier = self._tier(wish.deal, wish.trick)
            self._index.add(
                Medium(name, kind, wish.deal, wish.trick, wish.seat, wish.seq, shot.t, shot.t, len(data), tier, self._wall(), box)
            )  # fmt: skip

    def _clip(self, clip: Clip) -> None:
        assert self._index is not None
        segments = [m for m in self._index.media() if m.kind == "segment" and m.t1 >= clip.t0 and m.t0 <= clip.t1]
        target = self.folder / clip_name(clip.deal, clip.trick)
        found = copy([Cut(self.folder / m.name, m.t0) for m in segments], target, clip.t0, clip.t1)
        if found is not None:
            tier = self._tier(clip.deal, clip.trick)
            size = target.stat().st_size
            self._index.add(Medium(target.name, "clip", clip.deal, clip.trick, "", clip.seq, *found, size, tier, self._wall()))

    def _retain(self) -> None:
        assert self._keeper is not None
        self._keeper.apply(self._wall())
        if not self._keeper.room():
            self._stop(OSError(28, "No space left on device"))
        elif self._why and time.monotonic() >= self._blocked_until:
            self._why = None


def _abandon(segment: Segment | None) -> Segment | None:
    """Leave a segment as it is; there is none then."""
    if segment is not None:
        segment.abandon()
    return None


def measure(path: Path, at: float) -> Medium:
    """What the index says of a segment."""
    name = parse_name(path.name)
    assert name is not None
    return Medium(path.name, "segment", t0=name.t0, t1=name.t0 + (span(path) or 0.0), size=path.stat().st_size, tier=VIDEO, at=at)


def recover(folder: Path, index: Index) -> list[str]:
    """Finish the segments that a crash left behind; gives the names of those that can be played."""
    out = []
    for rest in (*folder.glob("*.new"), *folder.glob("*.new.part")):
        rest.unlink(missing_ok=True)
    for part in sorted(folder.glob(f"{segment_name(0)[:4]}*{PART}")):
        try:
            whole = finish(part)
        except OSError:
            raise
        except Exception:  # noqa: BLE001  one that cannot be finished stays as it is, and the others are
            continue
        if whole is not None:
            index.add(measure(whole, whole.stat().st_mtime))
            out.append(whole.name)
    return out
