"""Training from scratch to shipped weights: scenes are drawn beside it, then the detector, the corner network, the reader, the export.

Everything lives in one working folder and is picked up again by the next run: scenes drawn, the detector's state, the reader.
"""

from __future__ import annotations

import math
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets import shards, singles
from datasets.themes import EMPTY, GAME, JOKERS, MIXED, THEMES, Theme
from models import train_corners, train_wide
from models.export import OPENVINO, export_detector, write_list
from models.merit import held_out, merit_of
from models.patches import GEOMETRY, Patches, from_detector, from_shard
from models.photo_shards import photo_patches, write_photo_shards
from models.progress import of_detector, span
from models.scene_feed import Feed
from models.train_detector import DetectorTraining, Plan, write_checkpoint
from models.train_reader import Result, judged, load_net, save_reader, strict_as, train
from vision import corners, wide
from vision.corners import Corrector
from vision.detector import Detector, TorchNetwork, open_network
from vision.patch import PatchGeometry
from vision.weights import default_folder

Tell = Callable[[str], None]

SHARES: Final[Mapping[str, float]] = {"train": 0.34, "game": 0.34, "jokers": 0.1, "empty": 0.1, "photos": 0.12}
"""Parts of a batch that come from the themes of rendered scenes (:mod:`datasets.themes`) and from photographs."""
DRAWN: Final[Mapping[Theme, float]] = {MIXED: 0.35, GAME: 0.35, JOKERS: 0.1, EMPTY: 0.2}
"""Parts of the scenes to draw."""
TEST_SHARDS: Final[Mapping[Theme, int]] = {MIXED: 8, GAME: 2, JOKERS: 2, EMPTY: 2}
"""Shards of each theme that are kept for judging."""
CORNERS_FILES: Final = (corners.MODEL_NAME, corners.LIST_NAME)
WIDE_FILES: Final = (wide.MODEL_NAME, wide.LIST_NAME, f"{wide.NAME}.pt")
"""What is taken over from the working folder, or else from the shipped weights."""
_TEST_PATCH_SHARDS: Final = 5
_MOST_SHARDS: Final = 200
_ASKED_SHARDS: Final = 40


@unique
class Part(StrEnum):
    """What a run does; the times below are its parts of the minutes, drawing goes on beside."""

    SCENES = "scenes"
    DETECTOR = "detector"
    CORNERS = "corners"
    READER = "reader"
    WIDE = "wide"


_TIMES: Final[Mapping[Part, float]] = {Part.DETECTOR: 0.56, Part.CORNERS: 0.07, Part.READER: 0.19, Part.WIDE: 0.12}


class TrainingError(RuntimeError):
    """Training that cannot go on; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to train with.

    :ivar work: folder for scenes and states, used again by the next run.
    :ivar minutes: for everything that is trained, shared out among the parts; what is left is for cutting patches and export.
    :ivar scenes: how many scenes to draw in all.
    :ivar singles: how many single indices to draw for the reader, each few of another deck.
    :ivar photos: a folder of labelled photographs to mix in, if any.
    :ivar decks: further folders of card faces to draw scenes with.
    :ivar start: a detector to begin with when there is no state yet; None begins from nothing.
    :ivar start_reader: likewise a reader.
    :ivar threads: of the networks; one more process draws scenes.
    :ivar parts: which networks to train; the others are taken as they are.
    :ivar shares: parts of a batch, see :data:`SHARES`.
    :ivar drawn: parts of the scenes to draw, and of those that the reader learns from, see :data:`DRAWN`.
    :ivar rate: the detector's highest rate of learning.
    :ivar reader_rate: the reader's; None for the usual one, which is lower when it goes on from a known reader.
    :ivar batch: pictures a step; None for 16 on a processor and 64 on a GPU.
    """

    work: Path
    minutes: float
    scenes: int = 8000
    photos: Path | None = None
    decks: tuple[str, ...] = ()
    start: Path | None = None
    start_reader: Path | None = None
    threads: int = 1
    parts: frozenset[Part] = frozenset(Part)
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)
    drawn: Mapping[Theme, float] = field(default_factory=lambda: DRAWN)
    singles: int = 24000
    rate: float = 1.2e-3
    batch: int | None = None
    reader_rate: float | None = None

    def minutes_for(self, part: Part) -> float:
        """The minutes of one network: its part among those that are trained in this run."""
        whole = sum(_TIMES.values())
        return self.minutes * whole * _TIMES[part] / sum(_TIMES[other] for other in self.parts if other in _TIMES)


def to_draw(total: int, drawn: Mapping[Theme, float] = DRAWN) -> Iterator[tuple[Theme, int]]:
    """The training shards of ``total`` scenes as (theme, number), the themes mingled by their parts, so that any beginning holds them all."""
    order: list[tuple[float, int, Theme, int]] = []
    for rank, (theme, part) in enumerate(drawn.items()):
        count = max(1, round(total * part / shards.SHARD / sum(drawn.values())))
        order += [((number + 0.5) / count, rank, theme, number) for number in range(count)]
    for _, _, theme, number in sorted(order, key=lambda one: one[:2]):
        yield theme, number


def draw_scenes(folder: Path, total: int, decks: tuple[str, ...], drawn: Mapping[Theme, float] = DRAWN, alone: int = 0) -> None:
    """Draw the scenes that are missing: a held-out shard of every theme first, then the training ones with single indices among them, then the
    other held-out ones.

    :param alone: how many single indices.
    """
    import cv2

    cv2.setNumThreads(1)
    kept = [(theme, number) for theme in THEMES for number in range(TEST_SHARDS[theme])]
    plan = [(theme.held_name, "held_out", theme, number) for theme, number in kept if number == 0]
    plan += [(theme.name, "train", theme, number) for theme, number in to_draw(total, drawn)]
    plan += [(theme.held_name, "held_out", theme, number) for theme, number in kept if number]
    packs = math.ceil(alone / singles.COUNT)
    for at, (name, part, theme, number) in enumerate(plan):
        for pack in range(round(packs * at / len(plan)), round(packs * (at + 1) / len(plan))):
            path = shards.path_of(folder, singles.NAME, pack)
            if not path.exists():
                singles.write_singles(path, pack, decks)
        path = shards.path_of(folder, name, number)
        if not path.exists():
            shards.write_shard(path, number * shards.SHARD, part, decks if part == "train" else (), theme=theme)


def run(settings: Settings, tell: Tell) -> Path:
    """Train for the given minutes; gives the folder of exported weights, ``work/weights``.

    :raises TrainingError: when no scene can be drawn.
    """
    scenes = settings.work / "scenes"
    artist: BaseProcess | None = None
    if Part.SCENES in settings.parts:
        wanted = (scenes, settings.scenes, settings.decks, settings.drawn, settings.singles)
        drawing = multiprocessing.get_context("spawn").Process(target=draw_scenes, args=wanted, daemon=True)
        drawing.start()
        artist = drawing
    try:
        _wait(scenes, artist, tell)
        if settings.parts == {Part.SCENES}:
            return _only_draw(settings, artist, tell)
        checkpoint, folder = _detector(settings, scenes, tell), settings.work / "weights"
        export_detector(checkpoint, folder)
        detector = Detector(open_network(folder / OPENVINO / "detector.xml", folder / "detector.pt"))
        if settings.photos is not None and Part.DETECTOR in settings.parts:
            count, agreed = write_photo_shards(settings.photos, detector, scenes, np.random.default_rng(5))
            tell(f"photographs: {count} scenes for the next run, {agreed:.1%} of their labels found by the detector")
        if Part.CORNERS in settings.parts:
            train_corners.run(scenes, settings.work, settings.minutes_for(Part.CORNERS), tell, threads=settings.threads)
        _take(CORNERS_FILES, settings.work, folder)
        corrector = Corrector.load(folder)
        result = _reader(settings, scenes, detector, corrector, tell)
        if Part.WIDE in settings.parts:
            _wide(settings, scenes, detector, corrector, tell)
        _take(WIDE_FILES, settings.work, folder)
    finally:
        if artist is not None:
            artist.terminate()
            artist.join()
    for name in ("reader.pt", "reader.onnx", "reader_head.npz"):
        shutil.copyfile(settings.work / name, folder / name)
    trained = [f"{settings.scenes} rendered scenes at most", *([f"photographs of {settings.photos.name}"] if settings.photos else [])]
    write_list(folder, trained, f"reader: {result.right:.4f} of unseen patches right", result.temperature)
    return folder


def _take(names: tuple[str, ...], work: Path, folder: Path) -> None:
    """Put this run's files of a network, or else the shipped ones, into a folder."""
    for name in names:
        for source in (work / name, default_folder() / name):
            if source.exists():
                if source != folder / name:
                    shutil.copyfile(source, folder / name)
                break


def _only_draw(settings: Settings, artist: BaseProcess | None, tell: Tell) -> Path:
    """Draw scenes until the minutes are over, telling how far it is."""
    scenes, end = settings.work / "scenes", time.monotonic() + settings.minutes * 60
    wanted = [shards.path_of(scenes, theme.name, number) for theme, number in to_draw(settings.scenes, settings.drawn)]
    before, begun = sum(path.exists() for path in wanted), time.monotonic()
    while artist is not None and artist.is_alive() and time.monotonic() < end:
        artist.join(min(20.0, max(0.1, end - time.monotonic())))
        there = sum(path.exists() for path in wanted)
        speed = (there - before) * shards.SHARD / (time.monotonic() - begun)
        left = (len(wanted) - there) * shards.SHARD / speed if speed else None
        tell(f"scenes: {there * shards.SHARD} of {len(wanted) * shards.SHARD}, {speed:.1f}/s, {span(left)} left")
    return scenes


def _wait(scenes: Path, artist: BaseProcess | None, tell: Tell) -> None:
    while not (any(scenes.glob(f"{MIXED.name}-*.npz")) and any(scenes.glob(f"{MIXED.held_name}-*.npz"))):
        if artist is None:
            raise TrainingError(f"there are no scenes in {scenes}; draw some with `trickwatch train --part scenes`")
        if not artist.is_alive():
            raise TrainingError("no scene could be drawn; run `trickwatch film --help` for where card art comes from, and see the messages above")
        tell("drawing the first scenes ...")
        time.sleep(5)


def _detector(settings: Settings, scenes: Path, tell: Tell) -> Path:
    checkpoint = settings.work / "detector.pt"
    if Part.DETECTOR not in settings.parts:
        known = checkpoint if checkpoint.exists() else settings.start
        if known is None or not known.exists():
            raise TrainingError(f"no detector to go by in {settings.work}; train one with `trickwatch train --part detector`")
        return known
    feed = Feed(scenes, settings.shares, np.random.default_rng(time.time_ns() % 2**32))
    plan = Plan(settings.minutes_for(Part.DETECTOR), settings.batch, settings.rate, threads=settings.threads)
    measure = " ".join(path.stem for path in held_out(scenes))
    training = DetectorTraining(feed, settings.work / "detector.state.pt", settings.start, plan, measure)
    tell(f"detector: {training.seen} pictures seen so far, {plan.minutes:.1f} minutes more on {training.device}")

    def judge(model: Any) -> float:
        write_checkpoint(model, settings.work / "candidate.pt")
        merit = merit_of(Detector(TorchNetwork(settings.work / "candidate.pt")), scenes)
        tell(f"detector: merit {merit:.4f} on scenes of unseen decks, the best so far was {training.best:.4f}")
        return merit

    training.run(lambda progress: tell(of_detector(progress, plan.minutes)), judge, lambda model: write_checkpoint(model, checkpoint))
    if not checkpoint.exists():
        write_checkpoint(training.mean, checkpoint)
    return checkpoint


def patches_of(
    scenes: Path,
    photos: Path | None,
    detector: Detector,
    corrector: Corrector | None,
    rng: np.random.Generator,
    most: int = _MOST_SHARDS,
    asked: int = _ASKED_SHARDS,
    drawn: Mapping[Theme, float] = DRAWN,
    geometry: PatchGeometry = GEOMETRY,
) -> Patches:
    """What the reader learns from: single indices and those of up to ``most`` shards of scenes with jitter, and what the two networks before it
    make of ``asked`` of these.

    Of scenes without cards all that the detector takes for an index, however faintly, becomes *reject*; of photographs the labelled indices.

    :param drawn: the themes' parts of the shards.
    :param geometry: of the patches.
    """
    parts: list[Patches] = []
    for theme, part in drawn.items():
        files = sorted(scenes.glob(f"{theme.name}-*.npz"))
        files = [files[i] for i in rng.permutation(len(files))[: max(1, round(most * part))]]
        parts += [from_shard(shards.read_shard(path), rng, geometry, repeats=1 if theme is MIXED else 2) for path in files]
        some = files[: max(1, round(asked * part))]
        parts += [from_detector(shards.read_shard(path), detector, geometry, weight=1.5, corrector=corrector) for path in some]
    for path in sorted(scenes.glob(f"{singles.NAME}-*.npz")):
        parts.append(from_shard(shards.read_shard(path), rng, geometry, repeats=2, rejects=0.1))
    if photos is not None:
        parts.append(photo_patches(photos, detector, rng, geometry=geometry))
    return Patches.join(parts)


def _reader(settings: Settings, scenes: Path, detector: Detector, corrector: Corrector | None, tell: Tell) -> Result:
    """Train the reader; the one before stays where it reads unseen patches better."""
    known = settings.work / "reader.pt"
    if not known.exists() and settings.start_reader is not None:
        known = settings.start_reader
    if Part.READER not in settings.parts and not known.exists():
        raise TrainingError(f"no reader to go by in {settings.work}; train one with `trickwatch train --part reader`")
    rng = np.random.default_rng(time.time_ns() % 2**32)
    test = _test_patches(scenes, detector, corrector, rng)
    before = judged(load_net(known), test) if known.exists() else None
    if before is not None:
        tell(f"reader so far: {before.right:.2%} of unseen indices right, {before.rejected:.2%} of what is none rejected")
    if Part.READER not in settings.parts:
        assert before is not None
        save_reader(before.net, settings.work)
        return before
    tell("reader: cutting patches ...")
    patches = patches_of(scenes, settings.photos, detector, corrector, rng, drawn=settings.drawn)
    minutes = settings.minutes_for(Part.READER)
    tell(f"reader: {len(patches)} patches, {minutes:.1f} minutes")
    rate = settings.reader_rate or (2.5e-3 if before is None else 1.5e-3)
    unfinished = settings.work / "reader so far"
    begin = next((path for path in (unfinished / "reader.pt", known) if path.exists()), None)
    result = train(
        patches,
        test,
        60,
        tell,
        None if begin is None else load_net(begin),
        rate,
        minutes=minutes,
        threads=settings.threads,
        keep=lambda net: save_reader(net, unfinished),
    )
    save_reader(result.net, unfinished)
    if before is not None:
        result = strict_as(result, test, before.rejected)
    tell(f"reader: {result.right:.2%} of unseen indices right, {result.rejected:.2%} of what is none rejected")
    if before is not None and before.merit > result.merit:
        tell("reader: the one before was better and stays; the next run goes on with this one")
        save_reader(before.net, settings.work)
        return before
    save_reader(result.net, settings.work)
    shutil.rmtree(unfinished)
    return result


def _test_patches(
    scenes: Path, detector: Detector, corrector: Corrector | None, rng: np.random.Generator, geometry: PatchGeometry = GEOMETRY
) -> Patches:
    """Patches of decks that training never sees."""
    held = [shards.read_shard(path) for path in held_out(scenes, _TEST_PATCH_SHARDS)]
    seen = [from_detector(shard, detector, geometry, corrector=corrector) for shard in held]
    return Patches.join([*seen, *(from_shard(shard, rng, geometry, repeats=1) for shard in held)])


def _wide(settings: Settings, scenes: Path, detector: Detector, corrector: Corrector | None, tell: Tell) -> None:
    """Train the wide reader, from the shipped one when there is none yet, unless everything begins from nothing."""
    if settings.start_reader is not None and not (settings.work / f"{wide.NAME}.pt").exists():
        _take(WIDE_FILES, settings.work, settings.work)
    rng = np.random.default_rng(time.time_ns() % 2**32)
    test = _test_patches(scenes, detector, corrector, rng, wide.GEOMETRY)
    tell("wide reader: cutting patches ...")
    patches = patches_of(scenes, settings.photos, detector, corrector, rng, drawn=train_wide.DRAWN, geometry=wide.GEOMETRY)
    train_wide.run(patches, test, settings.work / "reader.pt", settings.work, settings.minutes_for(Part.WIDE), tell, settings.threads)
