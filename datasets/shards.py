"""Rendered scenes on disk: a shard holds some dozens of them, JPEG-coded as a camera would, with their labels."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene import Index, render
from datasets.themes import MIXED, Theme
from engine.cards import FACES

SHARD: Final = 40
"""Scenes in a shard."""
COLUMNS: Final = 15
"""A label's row: scene, face (0..53; -1 unknown), visible (1) or partly hidden (0), box (4), quad (8)."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Pictures as JPEG bytes, and one row of :data:`COLUMNS` numbers per label."""

    jpegs: tuple[NDArray[np.uint8], ...]
    labels: NDArray[np.float32]

    def picture(self, i: int) -> NDArray[np.uint8]:
        """Decode one scene, BGR."""
        out = cv2.imdecode(self.jpegs[i], cv2.IMREAD_COLOR)
        if out is None:
            raise ValueError(f"scene {i} of a shard is damaged; delete the shard, it is drawn again")
        return np.asarray(out, np.uint8)

    def rows(self, i: int) -> NDArray[np.float32]:
        """The labels of one scene."""
        return np.asarray(self.labels[self.labels[:, 0] == i], np.float32)


def row_of(scene: int, index: Index, *, visible: bool) -> list[float]:
    """One label as numbers."""
    return [scene, FACES.index(index.card), float(visible), *index.box, *(float(v) for v in index.quad.reshape(-1))]


def write_shard(path: Path, first_seed: int, part: str, extra: tuple[str, ...] = (), count: int = SHARD, theme: Theme = MIXED) -> None:
    """Draw a shard's scenes and put it in place when it is whole."""
    jpegs: list[NDArray[np.uint8]] = []
    rows: list[list[float]] = []
    for i in range(count):
        scene = render(first_seed + i, part, extra, theme=theme)
        rng = random.Random(first_seed + i)
        sampling = rng.choice((cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444))
        ok, code = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 96), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling])
        if not ok:
            raise ValueError(f"scene {first_seed + i} cannot be encoded")
        jpegs.append(np.asarray(code, np.uint8).reshape(-1))
        rows += [row_of(i, index, visible=True) for index in scene.indices]
        rows += [row_of(i, index, visible=False) for index in scene.covered]
    save(path, jpegs, rows)


def save(path: Path, jpegs: list[NDArray[np.uint8]], rows: list[list[float]]) -> None:
    """Write pictures and label rows; the file appears only when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{os.getpid()}-{path.stem}.npz")
    ends = np.cumsum([len(code) for code in jpegs])
    np.savez(part, jpegs=np.concatenate(jpegs), ends=ends, labels=np.array(rows, np.float32).reshape(-1, COLUMNS))
    part.replace(path)


def read_shard(path: Path) -> Shard:
    """Read a shard."""
    with np.load(path) as data:
        codes = np.split(data["jpegs"], data["ends"][:-1])
        return Shard(tuple(codes), np.asarray(data["labels"], np.float32))


def path_of(folder: Path, name: str, number: int) -> Path:
    """Where a shard of a name (see :class:`datasets.themes.Theme`) lies; its first seed is ``number`` times :data:`SHARD`."""
    return folder / f"{name}-{number:05d}.npz"
