"""Photographs shown as a film that changes slowly: a little zoom, an unsteady stand, light that comes and goes, sensor noise."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.film.encode import encode
from datasets.film.sprites import Picture
from engine.cards import Card

SECONDS: Final = 3.2
FPS: Final = 10
STILLS: Final = "stills.json"


@dataclass(frozen=True, slots=True)
class Still:
    """A photograph (BGR) with the faces that are labelled on it."""

    name: str
    image: Picture
    cards: tuple[Card, ...]


def make_stills_film(stills: Sequence[Still], out: Path, *, size: tuple[int, int] = (1600, 1200), seed: int = 1, seconds: float = SECONDS) -> None:
    """Write ``film.mp4`` and ``stills.json`` (one entry a photograph: its name, when it is shown, its faces) into a folder.

    :param size: width and height of the film, multiples of 4; photographs are shrunk to fit, never enlarged.
    :raises OSError: when the folder cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    part = out / ".film.part.mp4"
    rng = np.random.default_rng(seed)
    try:
        encode(_frames(stills, size, rng, round(seconds * FPS)), part, size, FPS, quality=20)
        shown = [{"name": s.name, "t0": k * seconds, "t1": (k + 1) * seconds, "cards": list(s.cards)} for k, s in enumerate(stills)]
        (out / STILLS).write_text(json.dumps({"v": 1, "stills": shown}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        part.replace(out / "film.mp4")
    finally:
        part.unlink(missing_ok=True)


def _frames(stills: Sequence[Still], size: tuple[int, int], rng: np.random.Generator, count: int) -> Iterator[Picture]:
    width, height = size
    for still in stills:
        fit = min(width / still.image.shape[1], height / still.image.shape[0], 1.0) / 1.04
        phase = rng.uniform(0, 2 * np.pi, 4)
        for k in range(count):
            t = k / FPS
            zoom = fit * (1.0 + 0.04 * k / max(1, count - 1))
            turn = np.radians(0.4 * np.sin(0.9 * t + phase[0]))
            c, s = zoom * np.cos(turn), zoom * np.sin(turn)
            cx, cy = still.image.shape[1] / 2, still.image.shape[0] / 2
            dx, dy = 2.5 * np.sin(2.1 * t + phase[1]) + rng.normal(0, 0.4), 2.0 * np.sin(1.7 * t + phase[2]) + rng.normal(0, 0.4)
            matrix = np.array([[c, -s, width / 2 - c * cx + s * cy + dx], [s, c, height / 2 - s * cx - c * cy + dy]])
            view = cv2.warpAffine(still.image, matrix, size, flags=cv2.INTER_AREA if zoom < 0.6 else cv2.INTER_LINEAR, borderValue=(60, 70, 66))
            light = 1.0 + 0.07 * np.sin(0.8 * t + phase[3])
            noise = rng.normal(0, 1.5, (height, width, 1)).astype(np.float32)
            lit = np.clip(view.astype(np.float32) * light + noise, 0, 255).astype(np.uint8)
            yield np.asarray(cv2.cvtColor(lit, cv2.COLOR_BGR2YUV_I420), np.uint8)
