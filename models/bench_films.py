"""What seeing costs: a film followed by the pipeline, a detector run on whole frames beside it, and an idle table."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import Seat
from engine.events import CardsPlayed
from engine.rulebook_toml import load as load_rulebook
from models.evaluate_films import FilmResult, evaluate_film
from vision import calibration as tables
from vision.calibration import Calibration, Image
from vision.camera import Frame, Source
from vision.compare import read_events
from vision.looks import CropReader
from vision.pipeline import Pipeline
from vision.refereed import Table, final_plays
from vision.zones import Zone, zone_at

RULEBOOK: Final = "official-2deck-shengji"
CAMERA_QUALITY: Final = 90
"""Of the pictures that a camera on USB compresses (JPEG)."""


@dataclass(frozen=True, slots=True)
class VisionBench:
    """The pipeline against the detector on every full frame, on one film. Times are processor seconds, of all threads.

    :ivar frames: of the film; :ivar seconds: its length.
    :ivar frame_s: what one full frame costs the baseline; :ivar sampled: over how many frames that was measured.
    :ivar baseline_cards: cards that the baseline reads right when it is told in which frame each play lies still, and where.
    :ivar idle_share: of one core, at an idle table before a camera on USB. :ivar decode_share: of one core, for decoding the film in real time.
    """

    film: str
    frames: int
    seconds: float
    cards: int
    pipeline_cards: int
    pipeline_cpu_s: float
    sampled: int
    frame_s: float
    baseline_cards: int
    idle_share: float
    decode_share: float

    @property
    def baseline_cpu_s(self) -> float:
        """What the baseline would need for the whole film: decoding and every frame."""
        return self.frames * self.frame_s + self.decode_share * self.seconds

    @property
    def ratio(self) -> float:
        """How many times more processor time the baseline needs."""
        return self.baseline_cpu_s / max(self.pipeline_cpu_s, 1e-9)


def bench_film(folder: Path, recogniser: CropReader, sample: int = 40, note: Callable[[str], None] = lambda _: None) -> VisionBench:
    """Follow a film folder with the pipeline, and beside it read whole frames.

    :param sample: how many of the plays' frames the baseline reads; its time for all frames is worked out from them.
    :raises vision.compare.TruthError: when the truth cannot be read. :raises vision.camera.SourceError: when the film cannot be.
    """
    note("pipeline")
    result: FilmResult = evaluate_film(folder, recogniser)
    note(f"baseline, {sample} frames")
    table = tables.load(folder / "table.json")
    right, cards, times, frames, seconds = _baseline(folder, table, recogniser, sample)
    note("idle table")
    decode = _decode_share(folder)
    idle = _idle_share(folder, table, recogniser)
    return VisionBench(
        film=folder.name, frames=frames, seconds=seconds, cards=result.report.cards, pipeline_cards=result.report.cards_fused,
        pipeline_cpu_s=result.cpu_s, sampled=len(times), frame_s=float(np.median(times)) if times else 0.0,
        baseline_cards=round(right * result.report.cards / max(1, cards)), idle_share=idle, decode_share=decode,
    )  # fmt: skip


def _frames(source: Source) -> Iterator[Frame]:
    return (signal for signal in source.signals() if isinstance(signal, Frame))


def _baseline(folder: Path, table: Calibration, recogniser: CropReader, sample: int) -> tuple[int, int, list[float], int, float]:
    """Cards read right on whole frames and cards there, the time of each frame, and the film's frames and seconds."""
    truth = read_events(folder / "truth.jsonl")
    wanted = final_plays(truth)
    plays = [e for e in truth if isinstance(e, CardsPlayed) and e.cards == wanted.get((_deal(wanted), e.trick, e.seat))]
    step = max(1, len(plays) // max(1, sample))
    due = sorted(plays[::step], key=lambda e: e.t)
    source = Source(str(folder))
    fit = table.scaled(source.size)
    right = cards = count = 0
    times: list[float] = []
    last = 0.0
    try:
        for frame in _frames(source):
            count, last = count + 1, frame.t
            while due and frame.t >= due[0].t:
                play = due.pop(0)
                begin = time.process_time()
                seen = recogniser.read_crop(frame.image)
                times.append(time.process_time() - begin)
                zone = Zone(play.seat.value)
                there = Counter(c.card for c in seen if zone_at(*fit.to_mm(np.asarray(c.corners_px, np.float64)).mean(0)) is zone)
                right += sum((there & Counter(play.cards)).values())
                cards += len(play.cards)
    finally:
        source.close()
    return right, cards, times, count, last


def _deal(plays: Mapping[tuple[int, int, Seat], object]) -> int:
    """The number of the film's one deal."""
    return next(iter(plays))[0] if plays else 1


def _decode_share(folder: Path, seconds: float = 10.0) -> float:
    """The share of a core that decoding and shrinking the frames take in real time."""
    source = Source(str(folder))
    begin, t = time.process_time(), 0.0
    try:
        for frame in _frames(source):
            t = frame.t
            if t >= seconds:
                break
        return (time.process_time() - begin) / max(t, 1e-6)
    finally:
        source.close()


class UsbCamera:
    """A reader that gives the same compressed pictures again and again at a camera's pace; what is passed is not decompressed.

    :param pictures: JPEG. :param fps: pictures a second; none is given before its time. :param count: how many there are.
    """

    def __init__(self, pictures: Sequence[bytes], fps: float, count: int) -> None:
        self._pictures, self._fps, self._count = pictures, fps, count
        self._given, self._begin = 0, time.monotonic()

    def isOpened(self) -> bool:  # noqa: N802 (the names of cv2.VideoCapture)
        """It is."""
        return True

    def grab(self) -> bool:
        """Wait for the next picture and pass it."""
        if self._given >= self._count:
            return False
        time.sleep(max(0.0, self._begin + self._given / self._fps - time.monotonic()))
        self._given += 1
        return True

    def read(self) -> tuple[bool, Image | None]:
        """Wait for the next picture and give it."""
        if not self.grab():
            return False, None
        data = self._pictures[self._given % len(self._pictures)]
        return True, np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)

    def get(self, key: int) -> float:
        """Pictures a second; of nothing else is anything known."""
        return self._fps if key == cv2.CAP_PROP_FPS else 0.0

    def release(self) -> None:
        """Nothing is held."""


def _idle_share(folder: Path, table: Calibration, recogniser: CropReader, seconds: float = 30.0) -> float:
    """The share of a core that watching takes while nothing happens: the film's frames before the first hand, again and again, as a camera on USB
    delivers them (compressed, in real time)."""
    source = Source(str(folder))
    try:
        frames = [frame.image for frame, _ in zip(_frames(source), range(max(2, int(0.8 * source.fps))), strict=False)]
    finally:
        source.close()
    rules = load_rulebook(str(table.match.get("rulebook") or RULEBOOK))
    pictures = [cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, CAMERA_QUALITY])[1].tobytes() for frame in frames]
    camera = Source("0", opener=lambda: UsbCamera(pictures, source.fps, int(source.fps * seconds)))
    pipeline = Pipeline(camera, table, recogniser, decks=rules.pack.decks)
    threading.Timer(seconds, pipeline.close).start()
    begin = time.process_time()
    for _ in Table(pipeline, rules, table.match).events():
        pass
    return (time.process_time() - begin) / seconds
