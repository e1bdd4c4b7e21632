"""Batches for training: scenes drawn from the shards in a folder, turned and coloured anew each time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.shards import Shard, read_shard

ENOUGH: Final = 1000
"""A kind with fewer scenes than this gets a smaller part of the batches, so that none of its scenes is seen too often."""
UNKNOWN_QUAD: Final = -1.0e4
"""Stands in the coordinates of a corner that is not known."""


@dataclass
class Feed:
    """Scenes of a folder by their kinds (the first part of a shard's name); looks for new shards when asked.

    :ivar shares: which part of a batch each kind gets, of those present; less while it has fewer than :data:`ENOUGH` scenes.
    """

    folder: Path
    shares: Mapping[str, float]
    rng: np.random.Generator
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _shards: dict[str, dict[str, Shard]] = field(default_factory=dict)
    _queue: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def look(self) -> dict[str, int]:
        """Read shards that have appeared; gives the number of scenes of each kind."""
        for kind in self.shares:
            known = self._shards.setdefault(kind, {})
            for path in sorted(self.folder.glob(f"{kind}-*.npz")):
                if path.name not in known:
                    known[path.name] = read_shard(path)
        return {kind: self._count(kind) for kind in self._shards}

    def _count(self, kind: str) -> int:
        return sum(len(shard.jpegs) for shard in self._shards[kind].values())

    def _next(self, kind: str) -> tuple[Shard, int]:
        with self._lock:
            queue = self._queue.setdefault(kind, [])
            if not queue:
                queue += [(name, i) for name, shard in self._shards[kind].items() for i in range(len(shard.jpegs))]
                self.rng.shuffle(queue)
            name, i = queue.pop()
        return self._shards[kind][name], i

    def batch(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """A batch: pictures ``size x S x S x 3`` RGB, and label rows (scene in the batch, box (4), quad (8)) in pixels."""
        kinds = [kind for kind in self.shares if self._shards.get(kind)]
        if not kinds:
            raise ValueError(f"no scenes in {self.folder}")
        weights = np.array([self.shares[kind] * min(1.0, self._count(kind) / ENOUGH) for kind in kinds])
        pictures: list[NDArray[np.uint8]] = []
        rows: list[NDArray[np.float32]] = []
        for i in range(size):
            shard, scene = self._next(kinds[int(self.rng.choice(len(kinds), p=weights / weights.sum()))])
            labels = shard.rows(scene)
            picture, label = augment(shard.picture(scene), labels[labels[:, 2] > 0][:, 3:], self.rng)
            pictures.append(picture)
            rows.append(np.column_stack([np.full(len(label), i, np.float32), label]))
        return np.stack(pictures)[..., ::-1].copy(), np.concatenate(rows)


class Ahead:
    """Makes batches ahead of time in threads, for a network that is faster than one thread feeds it; with none, as they are asked for."""

    def __init__(self, feed: Feed, size: int, threads: int) -> None:
        self._feed, self._size = feed, size
        self._pool = ThreadPoolExecutor(threads) if threads else None
        self._made: deque[Future[tuple[NDArray[np.uint8], NDArray[np.float32]]]] = deque()
        self._many = 2 * threads

    def __enter__(self) -> Self:
        """Begin; ends with the threads stopped."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def take(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The next batch, as :meth:`Feed.batch` gives it."""
        if self._pool is None:
            return self._feed.batch(self._size)
        while len(self._made) < self._many:
            self._made.append(self._pool.submit(self._feed.batch, self._size))
        return self._made.popleft().result()


def augment(picture: NDArray[np.uint8], labels: NDArray[np.float32], rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Turn, scale, shift and colour a scene; labels (box, quad) follow, those whose index leaves the picture are dropped."""
    size = picture.shape[0]
    matrix = np.eye(3)
    if rng.random() < 0.5:
        scale = float(np.exp(rng.normal(0, 0.13)))
        shift = rng.uniform(-0.5, 0.5, 2) * size * abs(1 - scale)
        middle = size / 2
        matrix = np.array([[scale, 0, middle - scale * middle + shift[0]], [0, scale, middle - scale * middle + shift[1]], [0, 0, 1]])
    quarter = int(rng.integers(4))
    for _ in range(quarter):
        matrix = np.array([[0, -1, size - 1], [1, 0, 0], [0, 0, 1]]) @ matrix
    if not np.allclose(matrix, np.eye(3)):
        how = cv2.INTER_LINEAR if quarter == 0 or not np.allclose(abs(matrix[0, :2]).sum(), 1) else cv2.INTER_NEAREST
        picture = np.asarray(
            cv2.warpAffine(picture, matrix[:2], (size, size), flags=how, borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114)), np.uint8
        )
        labels = _moved(labels, matrix, size)
    gain, offset = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3), rng.uniform(-18, 18)
    table = np.clip(np.arange(256)[:, None] * gain + offset, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, np.ascontiguousarray(table.reshape(1, 256, 3))), np.uint8), labels


def _moved(labels: NDArray[np.float32], matrix: NDArray[np.float64], size: int) -> NDArray[np.float32]:
    if not len(labels):
        return labels
    out = labels.copy()
    linear, shift = matrix[:2, :2].astype(np.float32), matrix[:2, 2].astype(np.float32)
    quads = labels[:, 4:].reshape(-1, 4, 2)
    out[:, 4:] = np.where(quads[..., :1] > UNKNOWN_QUAD / 2, quads @ linear.T + shift, quads).reshape(-1, 8)
    corners = labels[:, [0, 1, 2, 3]].reshape(-1, 2, 2) @ linear.T + shift
    whole = np.concatenate([corners.min(1), corners.max(1)], 1)
    middle = (whole[:, :2] + whole[:, 2:]) / 2
    out[:, :4] = np.clip(whole, 0, size)
    inside = ((middle > 0.012 * size) & (middle < 0.988 * size)).all(1)
    return np.asarray(out[inside], np.float32)
