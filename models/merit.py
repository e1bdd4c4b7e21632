"""A figure of merit for choosing between detectors while they are trained, on scenes of decks that training never sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from datasets import shards
from datasets.themes import MIXED, THEMES
from vision.detector import Detector


def held_out(scenes: Path, mixed: int = 2) -> list[Path]:
    """The shards that a network is judged on: the first of every theme, more of the mixed one."""
    first = [sorted(scenes.glob(f"{theme.held_name}-*.npz"))[: mixed if theme is MIXED else 1] for theme in THEMES]
    return [path for paths in first for path in paths]


def merit_of(detector: Detector, scenes: Path, shard_count: int = 2) -> float:
    """How good a detector is on held-out scenes: recall times precision of indices, less the error of their card's centre (card widths).

    What it finds on scenes without cards counts against its precision.
    """
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
