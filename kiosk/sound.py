"""The machine's loudspeaker: chime and speech by ``sounddevice``, on a thread of its own that the table never waits for.

Without PortAudio or an audio device it says so once through ``notice`` and goes on silently; a device that comes back is used again.
"""

from __future__ import annotations

import heapq
import io
import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, unique
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kiosk.errors import KioskError
from kiosk.phrases import Spoken
from kiosk.synth import speak

Samples = npt.NDArray[np.float32]

CLIPS: Final = Path(__file__).parent / "clips"
RATE: Final = 48000
CHUNK: Final = 2400
"""Samples written at a time (50 ms): so long an acknowledgement takes to be heard."""
BUFFER_S: Final = 0.08
"""Sound that the device holds: a busy machine may be late by so much before there is a gap."""
GAP_S: Final = 0.04
REPEAT_S: Final = 10.0
MUTE_S: Final = 60.0
LONGEST_QUEUE: Final = 12


@unique
class Kind(IntEnum):
    """What is being said, the most urgent first."""

    ALERT = 0
    CLOCK = 1
    RESULT = 2
    SCORE = 3


ALERT: Final = Kind.ALERT
CLOCK: Final = Kind.CLOCK
RESULT: Final = Kind.RESULT
SCORE: Final = Kind.SCORE


def gong() -> Samples:
    """Two equal notes for a clock, unlike the rising three of an alert."""
    t = np.arange(int(0.16 * RATE)) / RATE
    note = np.sin(2 * np.pi * 523 * t) + 0.4 * np.sin(4 * np.pi * 523 * t)
    shaped = np.asarray(note * np.minimum(1, t / 0.006) * np.exp(-t * 9) * np.minimum(1, (t[-1] - t) / 0.02), dtype=np.float32)
    return np.asarray(np.concatenate((shaped, shaped)) * (0.7 / np.abs(shaped).max()), dtype=np.float32)


def chime() -> Samples:
    """Three rising notes, each with overtones so that they carry through a hall, at nearly full scale."""
    notes: list[Samples] = []
    for pitch in (784.0, 988.0, 1319.0):
        t = np.arange(int(0.19 * RATE)) / RATE
        tone = np.sin(2 * np.pi * pitch * t) + 0.45 * np.sin(4 * np.pi * pitch * t) + 0.25 * np.sin(6 * np.pi * pitch * t)
        envelope = np.minimum(1, t / 0.006) * np.exp(-t * 5.5) * np.minimum(1, (t[-1] - t) / 0.02)
        notes.append((tone * envelope).astype(np.float32))
    sound = np.concatenate(notes)
    return np.asarray(sound * (0.92 / np.abs(sound).max()), dtype=np.float32)


def tick() -> Samples:
    """A short soft note before a score."""
    t = np.arange(int(0.08 * RATE)) / RATE
    return np.asarray(0.25 * np.sin(2 * np.pi * 660 * t) * np.exp(-t * 30), dtype=np.float32)


def at_rate(samples: Samples, rate: int) -> Samples:
    """Resample mono samples to the loudspeaker's rate."""
    if rate == RATE:
        return samples
    at = np.arange(0, len(samples), rate / RATE)
    return np.asarray(np.interp(at, np.arange(len(samples)), samples), dtype=np.float32)


class ClipBook:
    """The pre-rendered pieces of speech of both languages, loaded once; what has no clip is synthesised or silent."""

    def __init__(self, folder: Path = CLIPS) -> None:
        self._folder = folder
        self._clips: dict[tuple[str, str], Samples | None] = {}

    def load(self) -> int:
        """Read every clip once; gives their number."""
        if self._clips:
            return len(self._clips)
        for path in sorted(self._folder.glob("*/*.ogg")):
            self._clips[path.parent.name, path.stem] = self._read(path)
        return len(self._clips)

    @staticmethod
    def _read(source: Path | io.BytesIO) -> Samples:
        import soundfile

        samples, rate = soundfile.read(source, dtype="float32")
        return at_rate(np.asarray(samples, dtype=np.float32), int(rate))

    def piece(self, spoken: Spoken, lang: str) -> Samples | None:
        """The samples of a piece of speech, or None when neither a clip nor a synthesiser has it."""
        key = (lang, spoken.key)
        if key not in self._clips:
            data = speak(spoken.words(lang), lang)
            self._clips[key] = None if data is None else self._read(io.BytesIO(data))
        return self._clips[key]


@dataclass(order=True)
class _Item:
    """Something to be heard, by urgency and age."""

    urgency: Kind
    number: int
    pieces: tuple[Spoken, ...] = field(compare=False)
    alert: str | None = field(compare=False, default=None)
    started: bool = field(compare=False, default=False)


class SilenceError(KioskError):
    """There is no way to make a sound."""


def open_output() -> Any:
    """Open the default loudspeaker.

    :raises SilenceError: when PortAudio or a device is missing.
    """
    try:
        import sounddevice

        stream = sounddevice.OutputStream(samplerate=RATE, channels=1, dtype="float32", blocksize=0, latency=BUFFER_S)
        stream.start()
    except Exception as error:  # PortAudio's errors are not of one family
        raise SilenceError(
            f"没有可用的音频设备（{error}）：记分照常，只是没有声音", f"no audio device can be used ({error}): the table goes on without sound"
        ) from error
    return stream


def look_again() -> None:
    """Let PortAudio search for devices anew: it only does so when it starts."""
    try:
        import sounddevice

        sounddevice._terminate()
        sounddevice._initialize()
    except Exception:  # noqa: BLE001  as above
        return


class Speaker:
    """Says things one after the other, alerts first; every method returns at once."""

    def __init__(
        self,
        lang: str = "zh",
        *,
        output: Callable[[], Any] = open_output,
        clips: ClipBook | None = None,
        notice: Callable[[KioskError], None] = lambda _: None,
        repeat_s: float = REPEAT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lang = lang
        self._output = output
        self._clips = clips or ClipBook()
        self._notice = notice
        self._repeat_s = repeat_s
        self._clock = clock
        self._signals = {Kind.ALERT: chime(), Kind.CLOCK: gong(), Kind.RESULT: tick(), Kind.SCORE: tick()}
        self._volumes = dict.fromkeys(Kind, 1.0)
        self._queue: list[_Item] = []
        self._open: dict[str, tuple[tuple[Spoken, ...], float]] = {}
        self._numbers = itertools.count()
        self._wake = threading.Condition()
        self._muted_until = 0.0
        self._broken_until = 0.0
        self._told = False
        self._ending = False
        self._current: _Item | None = None
        self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
        self._thread.start()

    def say(self, pieces: Sequence[Spoken], urgency: Kind = SCORE) -> None:
        """Queue a message; the oldest of the least urgent is dropped when too many wait."""
        with self._wake:
            if urgency == SCORE:  # only the newest score matters
                self._queue = [item for item in self._queue if item.urgency != SCORE]
            heapq.heappush(self._queue, _Item(urgency, next(self._numbers), tuple(pieces)))
            heapq.heapify(self._queue)
            del self._queue[LONGEST_QUEUE:]
            self._wake.notify_all()

    def alert(self, ruling: str, pieces: Sequence[Spoken]) -> None:
        """Chime and speak, again and again until :meth:`acknowledge` names the ruling."""
        with self._wake:
            if ruling not in self._open:
                self._open[ruling] = (tuple(pieces), self._clock())
                heapq.heappush(self._queue, _Item(ALERT, next(self._numbers), tuple(pieces), alert=ruling))
                self._wake.notify_all()

    def acknowledge(self, ruling: str | None = None) -> None:
        """Stop repeating one alert, or all of them; what is being said of it breaks off."""
        with self._wake:
            gone = set(self._open) if ruling is None else {ruling}
            for name in gone:
                self._open.pop(name, None)
            self._queue = [item for item in self._queue if item.alert is None or item.alert not in gone]
            heapq.heapify(self._queue)
            self._wake.notify_all()

    def set_volume(self, kind: Kind, value: float) -> None:
        """How loud a kind of message is, from 0 (silent) to 1."""
        with self._wake:
            self._volumes[kind] = min(1.0, max(0.0, value))

    def mute(self, seconds: float = MUTE_S) -> None:
        """Be quiet for a while; 0 ends it."""
        with self._wake:
            self._muted_until = self._clock() + seconds
            self._wake.notify_all()

    def status(self) -> Mapping[str, Any]:
        """What a page may show: seconds still muted, the alerts not acknowledged, whether a device works."""
        with self._wake:
            return {
                "muted_s": max(0, round(self._muted_until - self._clock())),
                "alerts": sorted(self._open),
                "device": self._clock() >= self._broken_until,
                "volumes": {kind.name.lower(): value for kind, value in self._volumes.items()},
            }

    def idle(self) -> bool:
        """Whether nothing is being said and nothing waits."""
        with self._wake:
            return not self._queue and self._current is None

    def close(self) -> None:
        """Stop at once."""
        with self._wake:
            self._ending = True
            self._wake.notify_all()
        self._thread.join(timeout=3)

    def _due(self) -> _Item | None:
        """The next thing to be heard; repeats an alert whose time has come. Called with the lock held."""
        now = self._clock()
        if self._queue:
            return heapq.heappop(self._queue)
        for ruling, (pieces, since) in self._open.items():
            if now - since >= self._repeat_s:
                self._open[ruling] = (pieces, now)
                return _Item(ALERT, next(self._numbers), pieces, alert=ruling)
        return None

    def _run(self) -> None:
        try:
            self._clips.load()
        except Exception as error:  # noqa: BLE001  a damaged clip must not end the table
            self._notice(SilenceError(f"语音文件无法读取（{error}）", f"the speech clips cannot be read ({error})"))
        while True:
            with self._wake:
                self._current = None
                item = self._due()
                while item is None and not self._ending:
                    self._wake.wait(timeout=0.25)
                    item = self._due()
                if self._ending or item is None:
                    return
                if self._clock() < self._muted_until:
                    continue
                self._current = item
            self._play(self._samples(item), item)

    def _samples(self, item: _Item) -> Samples:
        gap = np.zeros(int(GAP_S * RATE), dtype=np.float32)
        parts = [self._signals[item.urgency], gap]
        for piece in item.pieces:
            samples = self._clips.piece(piece, self.lang)
            if samples is not None:
                parts += [samples, gap]
        return np.asarray(np.concatenate(parts) * self._volumes[item.urgency], dtype=np.float32)

    def _interrupted(self, item: _Item) -> bool:
        with self._wake:
            return self._ending or self._clock() < self._muted_until or (item.alert is not None and item.alert not in self._open)

    def _play(self, samples: Samples, item: _Item) -> None:
        if self._clock() < self._broken_until:
            return
        stream = None
        try:
            stream = self._output()
            for start in range(0, len(samples), CHUNK):
                if self._interrupted(item):
                    stream.abort()
                    break
                stream.write(samples[start : start + CHUNK].reshape(-1, 1))
            else:
                stream.stop()
            self._told = False
        except Exception as error:  # noqa: BLE001  an unplugged loudspeaker raises what its driver likes
            self._broken_until = self._clock() + REPEAT_S
            look_again()
            if not self._told:
                self._told = True
                gone = SilenceError(f"声音设备断开（{error}）", f"the audio device is gone ({error})")
                self._notice(error if isinstance(error, SilenceError) else gone)
        finally:
            if stream is not None:
                self._close_quietly(stream)

    @staticmethod
    def _close_quietly(stream: Any) -> None:
        try:
            stream.close()
        except Exception:  # noqa: BLE001  as above
            return
