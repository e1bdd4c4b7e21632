"""Where pictures come from: a film, a film folder, a device, a URL or a folder of pictures, decoded in a thread of its own.

A source delivers :class:`Frame`, and says so with :class:`Lost` and :class:`Back` when the pictures stop and come again.
A file is delivered frame by frame as fast as it is taken (nothing is dropped, so that the same film always gives the same
events), or paced to real time; a device is always taken as it comes. Who takes them too slowly gets the newest picture. In real time an idle
table is looked at less often.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision import openers
from vision.calibration import Image
from vision.doze import Doze
from vision.openers import Opener, SourceKind, kind_of
from vision.sight import Sight

SMALL_WIDTH: Final = 480
"""Width of the small picture that the change gate works on."""
SILENT_SECONDS: Final = 2.0
BLIND_SECONDS: Final = 0.5
"""A picture that shows nothing for less than this is somebody leaning over the table."""
WAIT_SECONDS: Final = 0.2
HUNG_WAITS: Final = 20
"""After so many waits for a live camera that has not said anything it hangs."""


class SourceError(RuntimeError):
    """Pictures cannot be had at all; the message says from where, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (BGR, height x width x 3) at ``t`` seconds of the table's clock, with the small picture for the change gate."""

    image: Image
    small: Image
    t: float
    index: int


@dataclass(frozen=True, slots=True)
class Lost:
    """No pictures from ``t`` on; ``final`` when none will come again."""

    t: float
    reason: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Back:
    """Pictures again at ``t`` after ``gap`` seconds."""

    t: float
    gap: float


Signal = Frame | Lost | Back


def shrink(image: Image) -> Image:
    """The small picture of the change gate: :data:`SMALL_WIDTH` wide, averaged, so that noise goes down."""
    height, width = image.shape[:2]
    if width <= SMALL_WIDTH:
        return image
    if width % 2 == 0 and height % 2 == 0 and width >= 4 * SMALL_WIDTH:  # halving first is three times as fast
        image = np.asarray(cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
    small = cv2.resize(image, (SMALL_WIDTH, round(height * SMALL_WIDTH / width)), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class Pictures(Protocol):
    """What the pipeline needs of a source: its pictures' ``size`` (width, height; px), how many were ``dropped`` till now, whether it is ``live``."""

    size: tuple[int, int]
    dropped: int
    live: bool

    def signals(self) -> Iterator[Signal]:
        """Frames and gaps in order."""
        ...

    def close(self) -> None:
        """Stop."""
        ...


class Source:
    """Pictures from one place, decoded in a thread.

    :param spec: a film, a film folder, a device number, a URL or a folder of pictures.
    :param realtime: pace a file to its own clock, and drop pictures that nobody had time for.
    :raises SourceError: when it cannot be opened, or a file holds no picture.
    """

    def __init__(self, spec: str, *, realtime: bool = False, opener: Opener | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.spec = spec
        self.kind = kind_of(spec)
        self.live = self.kind in (SourceKind.DEVICE, SourceKind.URL)
        self.realtime = realtime or self.live
        self.dropped = 0
        self.taps: list[Callable[[Frame], None]] = []
        """Called with every picture in the decoding thread; they must not wait."""
        self._clock = clock
        self._open = opener or openers.opener(spec, self.kind)
        problem = openers.missing(spec, self.kind) if opener is None else None
        if problem is not None:
            raise SourceError(problem)
        self._reader = self._open()
        ok, image = self._reader.read() if self._reader.isOpened() else (False, None)
        if not ok or image is None:
            self._reader.release()
            raise SourceError(openers.no_picture(spec, self.kind))
        self.first: Image = image
        self.size: tuple[int, int] = (image.shape[1], image.shape[0])
        fps = self._reader.get(cv2.CAP_PROP_FPS)
        self.fps = fps if 0.5 <= fps <= 240 else 15.0
        self.frames_expected = 0 if self.live else max(0, int(self._reader.get(cv2.CAP_PROP_FRAME_COUNT)))
        self._queue: queue.Queue[Signal | None] = queue.Queue(maxsize=3 if self.realtime else 8)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="trickwatch-decode", daemon=True)
        self._started = False
        self._doze = Doze(self.fps if self.realtime else 0.0)
        self._sight = None if self.kind is SourceKind.PICTURES else Sight()
        self._lost: float | None = None
        self._hung = False

    def signals(self) -> Iterator[Signal]:
        """Frames and gaps in order, until the source ends or :meth:`close` is called."""
        if not self._started:
            self._started = True
            self._thread.start()
        waits, t = 0, 0.0
        while not self._stop.is_set():
            try:
                signal = self._queue.get(timeout=WAIT_SECONDS)
            except queue.Empty:
                if not self._thread.is_alive() and self._queue.empty():
                    return
                waits += 1
                if self.live and waits == HUNG_WAITS and self._lost is None:
                    self._hung = True
                    yield Lost(t, f"摄像头没有反应 {self.spec} / the camera {self.spec} does not answer")
                continue
            if signal is None:
                return
            if isinstance(signal, Frame) and self.realtime:
                signal = self._newest(signal)
            waits, t = 0, signal.t
            yield signal

    def close(self) -> None:
        """Stop; any thread may call it."""
        self._stop.set()
        if self._started and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)
        else:
            self._reader.release()

    def _put(self, signal: Signal | None) -> None:
        """Hand a signal over; in real time a full queue loses its oldest frame."""
        if isinstance(signal, Frame):
            for tap in self.taps:
                tap(signal)
        while not self._stop.is_set():
            try:
                self._queue.put(signal, timeout=0.0 if self.realtime and isinstance(signal, Frame) else 0.2)
            except queue.Full:
                if self.realtime and isinstance(signal, Frame) and not self._drop_oldest_frame():
                    self._stop.wait(0.01)
                continue
            return

    def _newest(self, frame: Frame) -> Frame:
        """The newest picture, where so many wait that whoever takes them is behind; one or two are a breath, and are taken in order."""
        with self._queue.mutex:
            waiting = self._queue.queue
            if len(waiting) < self._queue.maxsize - 1:
                return frame
            while waiting and isinstance(waiting[0], Frame):
                frame = waiting.popleft()
                self.dropped += 1
            self._queue.not_full.notify()
        return frame

    def _drop_oldest_frame(self) -> bool:
        """Make room, where a frame waits; gaps are never dropped and keep their place, for a camera that is back must not seem to be lost again."""
        with self._queue.mutex:
            for place, waiting in enumerate(self._queue.queue):
                if isinstance(waiting, Frame):
                    del self._queue.queue[place]
                    self._queue.not_full.notify()
                    self.dropped += 1
                    return True
        return False

    def _run(self) -> None:
        try:
            if self.live:
                self._run_live()
            else:
                self._run_file()
        finally:
            self._reader.release()
            self._put(None)

    def _show(self, image: Image, t: float, index: int, seen: float) -> bool:
        """Hand a picture over, or say that nothing is seen; gives whether it was handed over.

        :param seen: the time of the picture before.
        """
        if self._hung and self._lost is None:  # the consumer has said so already
            self._lost, self._hung = seen, False
        elif self._lost is None and t - seen > SILENT_SECONDS:
            self._lose(seen, f"没有画面 {self.spec} / no picture from {self.spec}")
        small = shrink(image)
        if self.realtime:
            self._doze.see(small, t)
        reason = self._sight.blind(small, t) if self._sight is not None else None
        if self._sight is not None and reason is not None:
            since = self._sight.since
            if self._lost is None and t - since >= BLIND_SECONDS:
                self._lose(since, reason)
            return False
        if self._lost is not None:
            self._put(Back(t, t - self._lost))
            self._lost = None
        self._put(Frame(image, small, t, index))
        return True

    def _pass(self, t: float) -> int:
        """Let the next pictures pass unseen where nothing stirs; gives how many did."""
        if not self.realtime or self._lost is not None:
            return 0
        passed = 0
        while passed < self._doze.passing(t) and not self._stop.is_set() and self._reader.grab():
            passed += 1
        return passed

    def _lose(self, t: float, reason: str) -> None:
        self._lost = t
        self._put(Lost(t, reason))

    def _run_file(self) -> None:
        """Deliver a file by its own clock."""
        begin, index, last = self._clock(), 0, -1.0
        image: Any = self.first
        while not self._stop.is_set():
            stamp = self._reader.get(cv2.CAP_PROP_POS_MSEC) / 1000 if self.kind is SourceKind.FILE else 0.0
            t = stamp if stamp > last else last + 1 / self.fps if index else 0.0
            if self.realtime:
                wait = begin + t - self._clock()
                if wait > 0 and self._stop.wait(wait):
                    return
            self._show(image, t, index, last if index else t)
            last = t
            index += 1
            passed = self._pass(t)
            last, index = last + passed / self.fps, index + passed
            ok, image = self._reader.read()
            if not ok or image is None:
                break
        if self.frames_expected and index < self.frames_expected - max(2, round(self.fps)):
            self._put(
                Lost(
                    last,
                    f"视频在第 {index} 帧中断（应有 {self.frames_expected} 帧）/ the film breaks off after frame {index} of {self.frames_expected}",
                    final=True,
                )
            )

    def _run_live(self) -> None:
        """Deliver a device by the machine's clock; open it again and again when it dies."""
        begin = self._clock()
        image: Any = self.first
        index, seen = 0, 0.0
        while not self._stop.is_set():
            t = self._clock() - begin
            if image is None:
                if self._lost is None and not self._hung and t - seen > SILENT_SECONDS:
                    self._lose(seen, f"摄像头没有画面 {self.spec} / no picture from {self.spec}")
                image = self._reopen()
                continue
            index += self._show(image, t, index, seen)
            index += self._pass(t)
            seen = t
            ok, image = self._reader.read()
            if not ok:
                image = None

    def _reopen(self) -> Image | None:
        """Try once more, after a breath."""
        self._reader.release()
        if self._stop.wait(0.5):
            return None
        self._reader = self._open()
        ok, image = self._reader.read() if self._reader.isOpened() else (False, None)
        return image if ok else None
