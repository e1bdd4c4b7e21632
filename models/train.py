"""Training from scratch to shipped weights: scenes are drawn beside it, then the detector, then the reader, then the export.

Everything lives in one working folder and is picked up again by the next run: scenes drawn, the detector's state, the reader.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets import shards
from datasets.themes import MIXED, THEMES
from models.export import export_detector, write_list
from models.patches import Patches, from_detector, from_shard
from models.photo_shards import photo_patches, write_photo_shards
from models.scene_feed import Feed
from models.train_detector import DetectorTraining, Plan, log_line, write_checkpoint
from models.train_reader import Result, load_net, save_reader, train
from vision.detector import Detector, TorchNetwork

SHARES: Final = {"train": 0.34, "game": 0.34, "jokers": 0.1, "empty": 0.1, "photos": 0.12}
"""Parts of a batch that come from the themes of rendered scenes (:mod:`datasets.themes`) and from photographs."""
TEST_SHARDS: Final = 8
_DETECTOR_PART: Final = 0.72
_READER_PART: Final = 0.2


class TrainingError(RuntimeError):
    """Training that cannot go on; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to train with.

    :ivar work: folder for scenes and states, used again by the next run.
    :ivar minutes: for everything: the detector gets most, the reader a fifth, the rest is for cutting patches and export.
    :ivar scenes: how many scenes to draw in all.
    :ivar photos: a folder of labelled photographs to mix in, if any.
    :ivar decks: further folders of card faces to draw scenes with.
    :ivar start: a detector to begin with when there is no state yet; None begins from nothing.
    :ivar start_reader: likewise a reader.
    """

    work: Path
    minutes: float
    scenes: int = 8000
    photos: Path | None = None
    decks: tuple[str, ...] = ()
    start: Path | None = None
    start_reader: Path | None = None
    threads: int = 1


def draw_scenes(folder: Path, total: int, decks: tuple[str, ...]) -> None:
    """Draw the scenes that are missing: the held-out ones for testing first, then the training ones."""
    import cv2

    cv2.setNumThreads(1)
    for part, count, extra in (("held_out", TEST_SHARDS * shards.SHARD, ()), ("train", total, decks)):
        for path, seed in shards.missing(folder, part, min(count, total)):
            shards.write_shard(path, seed, part, extra)


def run(settings: Settings, tell: Callable[[str], None]) -> Path:
    """Train for the given minutes; gives the folder of exported weights, ``work/weights``.

    :raises TrainingError: when no scene can be drawn.
    """
    scenes = settings.work / "scenes"
    begun = time.monotonic()
    artist = multiprocessing.get_context("spawn").Process(target=draw_scenes, args=(scenes, settings.scenes, settings.decks), daemon=True)
    artist.start()
    try:
        _wait(scenes, artist, tell)
        checkpoint = _detector(settings, scenes, tell)
        detector = Detector(TorchNetwork(checkpoint))
        if settings.photos is not None:
            count, agreed = write_photo_shards(settings.photos, detector, scenes, np.random.default_rng(5))
            tell(f"photographs: {count} scenes for the next run, {agreed:.1%} of their labels found by the detector")
        left = settings.minutes - (time.monotonic() - begun) / 60
        result = _reader(settings, scenes, detector, max(left * 0.8, settings.minutes * _READER_PART * 0.5), tell)
    finally:
        artist.terminate()
        artist.join()
    folder = settings.work / "weights"
    export_detector(checkpoint, folder)
    for name in ("reader.pt", "reader.onnx", "reader_head.npz"):
        shutil.copyfile(settings.work / name, folder / name)
    trained = [f"{settings.scenes} rendered scenes at most", *([f"photographs of {settings.photos.name}"] if settings.photos else [])]
    write_list(folder, trained, f"reader: {result.right:.4f} of unseen patches right", result.temperature)
    return folder


def _wait(scenes: Path, artist: BaseProcess, tell: Callable[[str], None]) -> None:
    while not (any(scenes.glob("train-*.npz")) and any(scenes.glob("held_out-*.npz"))):
        if not artist.is_alive():
            raise TrainingError("no scene could be drawn; run `trickwatch film --help` for where card art comes from, and see the messages above")
        tell("drawing the first scenes ...")
        time.sleep(5)


def _detector(settings: Settings, scenes: Path, tell: Callable[[str], None]) -> Path:
    checkpoint = settings.work / "detector.pt"
    feed = Feed(scenes, SHARES, np.random.default_rng(time.time_ns() % 2**32))
    plan = Plan(settings.minutes * _DETECTOR_PART, threads=settings.threads)
    training = DetectorTraining(feed, settings.work / "detector.state.pt", settings.start, plan)
    tell(f"detector: {training.seen} pictures seen so far, {plan.minutes:.1f} minutes more")

    def judge(model: Any) -> float:
        write_checkpoint(model, settings.work / "candidate.pt")
        merit = merit_of(Detector(TorchNetwork(settings.work / "candidate.pt")), scenes)
        tell(f"detector: merit {merit:.4f} on scenes of unseen decks")
        return merit

    training.run(lambda progress: tell(log_line(progress)), judge, lambda model: write_checkpoint(model, checkpoint))
    if not checkpoint.exists():
        write_checkpoint(training.mean, checkpoint)
    return checkpoint


def held_out(scenes: Path, mixed: int = 2) -> list[Path]:
    """The shards that a network is judged on: the first of every theme, more of the mixed one."""
    first = [sorted(scenes.glob(f"{theme.held_name}-*.npz"))[: mixed if theme is MIXED else 1] for theme in THEMES]
    return [path for paths in first for path in paths]


def merit_of(detector: Detector, scenes: Path, shard_count: int = 2) -> float:
    """How good a detector is on held-out scenes: recall times precision of indices, less the error of their card's centre (card widths)."""
    hits = labels = found_count = 0
    errors: list[float] = []
    for path in held_out(scenes, shard_count):
        shard = shards.read_shard(path)
        for i in range(len(shard.jpegs)):
            rows = shard.rows(i)
            found = detector.detect(shard.picture(i), 0.25)
            centres, quads = (rows[:, 3:5] + rows[:, 5:7]) / 2, rows[:, 7:].reshape(-1, 4, 2)
            widths = np.maximum(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1), 1)
            labels += int((rows[:, 2] > 0).sum())
            free = np.ones(len(rows), bool)
            for centre, quad in zip(found.centres, found.quads, strict=True):
                apart = np.where(free, np.hypot(*(centres - centre).T) / widths, np.inf) if len(rows) else np.array([np.inf])
                best = int(apart.argmin())
                found_count += 1
                if apart[best] < 0.15:
                    free[best] = False
                    found_count -= int(rows[best, 2] == 0)  # half hidden: neither asked for nor forbidden
                    hits += int(rows[best, 2] > 0)
                    errors.append(float(np.linalg.norm(quad.mean(0) - quads[best].mean(0)) / widths[best]))
    if not hits:
        return 0.0
    return hits / max(1, labels) * hits / max(1, found_count) - float(np.mean(np.minimum(errors, 1)))


def _reader(settings: Settings, scenes: Path, detector: Detector, minutes: float, tell: Callable[[str], None]) -> Result:
    rng = np.random.default_rng(time.time_ns() % 2**32)
    files = sorted(scenes.glob("train-*.npz"))
    parts = [from_shard(shards.read_shard(path), rng) for path in files]
    parts += [from_detector(shards.read_shard(path), detector) for path in files[:: max(1, len(files) // 40)]]
    if settings.photos is not None:
        parts.append(photo_patches(settings.photos, detector, rng))
    held = [shards.read_shard(path) for path in sorted(scenes.glob("held_out-*.npz"))[:TEST_SHARDS]]
    test = Patches.join([*(from_detector(shard, detector) for shard in held), *(from_shard(shard, rng, repeats=1) for shard in held)])
    patches = Patches.join(parts)
    tell(f"reader: {len(patches)} patches, {minutes:.1f} minutes")
    known = settings.work / "reader.pt"
    if not known.exists() and settings.start_reader is not None:
        known = settings.start_reader
    result = train(patches, test, 40, tell, load_net(known) if known.exists() else None, minutes=minutes, threads=settings.threads)
    save_reader(result.net, settings.work)
    tell(json.dumps({"reader": {"right": result.right, "rejected": result.rejected, "temperature": result.temperature}}))
    return result
