"""A soak: one film followed again and again as one table for hours of table time, watched for memory, files and threads that grow."""

from __future__ import annotations

import gc
import os
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.rulebook_toml import load as load_rulebook
from models.bench_films import RULEBOOK
from vision import calibration as tables
from vision.calibration import Image
from vision.camera import Back, Frame, Lost, Signal, Source
from vision.looks import CropReader, Seen
from vision.pipeline import Pipeline
from vision.refereed import Table

REMEMBERED: Final = 4096
"""Readings that are kept; a deal has some hundreds."""


class Remembering:
    """A recogniser that reads each picture once: a film's second round shows the same ones. ``read`` and ``asked`` count."""

    def __init__(self, reader: CropReader, most: int = REMEMBERED) -> None:
        self.read = self.asked = 0
        self._reader, self._most = reader, most
        self._known: OrderedDict[tuple[int, tuple[int, ...], bool, float], Sequence[Seen]] = OrderedDict()

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> Sequence[Seen]:
        """The cards of a crop, from memory where the same was read before."""
        self.asked += 1
        key = (zlib.crc32(image.tobytes()), image.shape, vote, least)
        if key not in self._known:
            self.read += 1
            self._known[key] = self._reader.read_crop(image, vote=vote, least=least)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class Soaked:
    """A round of a soak: table time so far (s), processor time (s), memory (MB), open files, threads, events; readings asked for and made."""

    rounds: int
    table_s: float
    cpu_s: float
    memory_mb: float
    files: int
    threads: int
    events: int
    asked: int
    read: int


class Looped:
    """A film again and again as one source whose clock goes on, opened anew for each round (so that file handles show)."""

    def __init__(self, folder: Path, until_s: float, each: Callable[[int, float], None]) -> None:
        self._folder, self._until, self._each = folder, until_s, each
        source = Source(str(folder))
        self.size, self.fps, self.dropped, self.live = source.size, source.fps, 0, False
        source.close()
        self._now: Source | None = None
        self._stop = threading.Event()

    def signals(self) -> Iterator[Signal]:
        """Frames and gaps of round after round, till the time is over."""
        offset, rounds = 0.0, 0
        while offset < self._until and not self._stop.is_set():
            self._now = Source(str(self._folder))
            t = 0.0
            for signal in self._now.signals():
                t = signal.t
                match signal:
                    case Frame():
                        yield Frame(signal.image, signal.small, offset + t, signal.index)
                    case Lost():
                        yield Lost(offset + t, signal.reason, signal.final)
                    case Back():
                        yield Back(offset + t, signal.gap)
                if offset + t >= self._until or self._stop.is_set():
                    break
            self._now.close()
            offset += t + 1 / self.fps
            rounds += 1
            self._each(rounds, offset)

    def close(self) -> None:
        """Stop."""
        self._stop.set()
        if self._now is not None:
            self._now.close()


def soak(folder: Path, recogniser: CropReader, hours: float) -> Iterator[Soaked]:
    """Follow a film again and again as one table, one deal after another, faster than real time; one line a round.

    Everything runs as at a table, but a crop that was read before is not computed again.

    :param hours: of table time.
    """
    reader = Remembering(recogniser)
    table = tables.load(folder / "table.json")
    rules = load_rulebook(str(table.match.get("rulebook") or RULEBOOK))
    done: list[tuple[int, float, int]] = []
    told = 0

    def over(rounds: int, t: float) -> None:
        """A referee confirms the deal, and the next one begins."""
        done.append((rounds, t, told))
        deal = referee.state.deal
        for _ in referee.take(referee.deal(deal.number + 1 if deal is not None else 1)):
            pass

    source = Looped(folder, hours * 3600, over)
    pipeline = Pipeline(source, table, reader, decks=rules.pack.decks)
    referee = Table(pipeline, rules, table.match)
    begin = time.process_time()
    for _ in referee.events():
        told += 1
        while done:
            yield _state(*done.pop(0), begin, reader)
    while done:
        yield _state(*done.pop(0), begin, reader)


def _state(rounds: int, table_s: float, told: int, begin: float, reader: Remembering) -> Soaked:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) if Path("/proc/self/statm").exists() else 0
    files = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Soaked(rounds, table_s, time.process_time() - begin, memory, files, threading.active_count(), told, reader.asked, reader.read)
