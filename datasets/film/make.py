"""Making a film: ``film.mp4``, ``truth.jsonl`` and ``table.json`` in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.art import load_deck
from datasets.film.camera import bumped, calibration, hang
from datasets.film.choreography import Mishap, Style, write_script
from datasets.film.encode import encode
from datasets.film.hands import draw_arms
from datasets.film.layout import Habit
from datasets.film.light import Light, lighting
from datasets.film.script import Script
from datasets.film.sprites import CARD_H, CARD_W
from datasets.film.stage import Scene, Stage, seats_with_arms
from datasets.film.table import MARKER_MM, flat_table, marker_corners
from engine.cards import SEATS
from engine.events import DealStarted, to_json
from engine.simulate import SimulatedDeal, play_deal


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmOrder:
    """What film is wanted: game, looks and camera; ``quality`` is x264's rate factor, ``preset`` its effort."""

    rulebook: str = "official-2deck-shengji"
    seed: int = 1
    art: str = "anglo_poker"
    habit: Habit = Habit.STACK
    offences: int = 0
    size: tuple[int, int] = (1920, 1080)
    fps: int = 15
    light: Light = Light.EVEN
    tilt: float = 0.0
    mishap: Mishap = Mishap.NONE
    tricks: int | None = None
    pace: float = 1.0
    per_reach: int = 1
    quality: int = 25
    preset: str = "ultrafast"


def script_of(order: FilmOrder, deal: SimulatedDeal) -> Script:
    """Write the script for a deal."""
    bottom = len(deal.bottom)
    held = sum(len(hand) for hand in deal.hands.values())
    style = Style(
        habit=order.habit, mishap=order.mishap, pace=order.pace, per_reach=order.per_reach, pack=held + bottom, bottom=bottom,
        tilt=order.tilt, fps=order.fps,
    )  # fmt: skip
    return write_script(deal.events, style, np.random.default_rng([order.seed, 1]), order.tricks)


def scene_of(order: FilmOrder, script: Script) -> Scene:
    """Build what does not change through the film."""
    rng = np.random.default_rng([order.seed, 2])
    camera = hang(order.size, order.tilt, rng)
    return Scene(
        camera=camera,
        table=flat_table(rng),
        light=lighting(order.light, camera, rng),
        deck=load_deck(order.art),
        arms=seats_with_arms(draw_arms(rng, [seat in script.left_handed for seat in SEATS])),
        softness=float(rng.uniform(0.28, 0.5)),
        after_bump=bumped(camera, rng),
    )


def table_json(order: FilmOrder, scene: Scene, deal: SimulatedDeal) -> dict[str, object]:
    """The calibration and the match that a reader of the film is told."""
    start = next(e for e in deal.events if isinstance(e, DealStarted))
    return {
        "v": 1,
        **calibration(scene.camera),
        "fps": order.fps,
        "markers": {"family": "36h11", "size_mm": MARKER_MM, "corners_mm": marker_corners()},
        "card_mm": [CARD_W, CARD_H],
        "match": {"rulebook": order.rulebook, "deal": start.deal, "levels": dict(start.levels), "declarer": start.declarer},
        "habit": order.habit.value,
    }


def make_film(order: FilmOrder, out: Path, progress: Callable[[int, int], None] | None = None) -> Script:
    """Render a film into a folder; every file appears only when it is whole.

    :param progress: called with frames done and frames in all.
    :raises datasets.art.ArtError: when the card art cannot be had.
    :raises OSError: when the folder cannot be written.
    """
    deal = play_deal(order.rulebook, order.seed, offences=order.offences)
    script = script_of(order, deal)
    scene = scene_of(order, script)
    stage = Stage(script, scene, order.fps, order.seed)
    out.mkdir(parents=True, exist_ok=True)
    part = out / ".film.part.mp4"
    try:
        encode(stage.draw(), part, order.size, order.fps, quality=order.quality, preset=order.preset,
               each=None if progress is None else lambda done: progress(done, stage.frames))  # fmt: skip
        _write(out / "truth.jsonl", "".join(json.dumps(to_json(event), ensure_ascii=False) + "\n" for event in script.truth))
        _write(out / "table.json", json.dumps(table_json(order, scene, deal), ensure_ascii=False, indent=1) + "\n")
        part.replace(out / "film.mp4")
    finally:
        part.unlink(missing_ok=True)
    return script


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


__all__ = ["FilmOrder", "make_film", "scene_of", "script_of", "table_json"]
