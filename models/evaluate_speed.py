"""How long the recogniser takes on this machine, on the clock and of the processor: a crop of a table, and large stills."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.measure import Example, Label, Picture
from vision.recogniser import Recogniser

STILL: Final = (3840, 2160)
_CARDS: Final = 8


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds on the clock, and of processor time (of all threads together)."""

    wall_ms: float
    processor_ms: float


@dataclass(frozen=True, slots=True)
class Speeds:
    """What reading takes.

    :ivar crop: a crop of 640 x 640 with eight cards: detector, corner network and reader together, median of 15.
    :ivar still: the same eight cards as a still of 3840 x 2160, of a scale that is not known; the faster of two.
    :ivar full: a still of that size with cards all over; the faster of two.
    :ivar cards: how many cards were read on each of the three.
    :ivar network: what runs the networks.
    :ivar cores: of this machine.
    :ivar load: how many processes wanted a core just before (the last minute's mean); above the number of cores the clock says too much.
    """

    crop: Timing
    still: Timing
    full: Timing
    cards: tuple[int, int, int]
    network: str
    cores: int
    load: float


def measure_speed(recogniser: Recogniser, crop: Picture, repeats: int = 15) -> Speeds:
    """Time both ways of reading on this machine.

    :param crop: 640 x 640 with about eight cards.
    """
    load = os.getloadavg()[0]
    width, height = STILL
    enlarged = cv2.resize(crop, (height, height), interpolation=cv2.INTER_CUBIC)
    side = width - height
    still = np.asarray(cv2.copyMakeBorder(enlarged, 0, 0, side // 2, side - side // 2, cv2.BORDER_REFLECT_101), np.uint8)
    still[:, : side // 2] = still[:, side // 2 : side // 2 + 1]
    still[:, -(side - side // 2) :] = still[:, width - (side - side // 2) - 1 : width - (side - side // 2)]
    rows, columns = -(-height // crop.shape[0]), -(-width // crop.shape[1])
    full = np.ascontiguousarray(np.tile(crop, (rows, columns, 1))[:height, :width])
    recogniser.read_crop(crop)
    crops = [_timed(lambda: len(recogniser.read_crop(crop))) for _ in range(repeats)]
    stills = [_timed(lambda: len(recogniser.read(still))) for _ in range(2)]
    fulls = [_timed(lambda: len(recogniser.read(full))) for _ in range(2)]
    median = Timing(statistics.median(t.wall_ms for t, _ in crops), statistics.median(t.processor_ms for t, _ in crops))
    counts = (crops[0][1], stills[0][1], fulls[0][1])
    return Speeds(median, _fastest(stills), _fastest(fulls), counts, recogniser.detector.network.name, os.cpu_count() or 1, load)


def _timed(work: Callable[[], int]) -> tuple[Timing, int]:
    wall, processor = time.perf_counter(), time.process_time()
    cards = work()
    return Timing((time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000), cards


def _fastest(timed: Sequence[tuple[Timing, int]]) -> Timing:
    return min((timing for timing, _ in timed), key=lambda timing: timing.wall_ms)


def eight_cards(examples: Sequence[Example]) -> Picture:
    """The first picture of a set whose number of cards is nearest to eight.

    :raises ValueError: when there is no picture.
    """

    def cards(labels: Sequence[Label]) -> int:
        return len({label.owner for label in labels if label.owner is not None})

    best: tuple[int, Picture] | None = None
    for example in examples:
        picture, labels = example.load()
        off = abs(cards(labels) - _CARDS)
        if best is None or off < best[0]:
            best = off, picture
        if off == 0:
            break
    if best is None:
        raise ValueError("no pictures to choose from; give at least one")
    return best[1]


def speed_text(speeds: Speeds) -> str:
    """The figures as one line and a table, Markdown."""
    crop, still, full = speeds.cards
    rows = (
        (f"640x640 crop, {crop} cards: detector, corner network and reader", speeds.crop),
        (f"3840x2160 still, {still} cards", speeds.still),
        (f"3840x2160 still, {full} cards", speeds.full),
    )
    lines = [f"{speeds.network}, {speeds.cores} cores, load {speeds.load:.1f} before:\n", "| what | on the clock | processor time |", "|---|---|---|"]
    lines += [f"| {name} | {timing.wall_ms:.0f} ms | {timing.processor_ms:.0f} ms |" for name, timing in rows]
    return "\n".join(lines) + "\n"
