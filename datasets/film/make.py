"""Making a film: ``film.mp4``, ``truth.jsonl`` and ``table.json`` in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from datasets.art import load_deck
from datasets.film.camera import Model, bumped, calibration, hang
from datasets.film.choreography import write_script
from datasets.film.encode import encode
from datasets.film.hands import draw_arms
from datasets.film.layout import Habit
from datasets.film.light import Light, lighting
from datasets.film.match import play_deals
from datasets.film.quirks import with_take_backs
from datasets.film.script import Script
from datasets.film.sprites import CARD_H, CARD_W
from datasets.film.stage import Scene, Stage, seats_with_arms
from datasets.film.style import NEEDS, Mishap, Quirk, Style
from datasets.film.table import MARKER_MM, flat_table, marker_corners
from engine.cards import SEATS, Seat, Team
from engine.events import CameraMoved, DealStarted, Event, to_json
from engine.kit import Kit
from engine.offences import Offence
from engine.rulebook_toml import load
from engine.simulate import SimulatedDeal


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmOrder:
    """What film is wanted: game, looks and camera.

    :ivar offences: how many offences are planted in each deal; :ivar kinds: the kinds that may be.
    :ivar deals: how many deals of one match follow each other; :ivar deal: the number of the first of them.
    :ivar levels: level by team before it (``{"EW": "5", "NS": "7"}``), the first one where left out; :ivar declarer: its declarer where fixed.
    :ivar tricks: the last deal stops after so many.
    :ivar size: width and height of the picture, where it is not the camera's own.
    :ivar per_reach: cards drawn in one reach; :ivar quality: x264's rate factor; :ivar preset: its effort.
    """

    rulebook: str = "official-2deck-shengji"
    seed: int = 1
    art: str = "anglo_poker"
    habit: Habit = Habit.STACK
    quirks: tuple[Quirk, ...] = ()
    offences: int = 0
    kinds: tuple[Offence, ...] = tuple(Offence)
    camera: Model = Model.FULL_HD
    size: tuple[int, int] | None = None
    fps: int = 15
    light: Light = Light.EVEN
    tilt: float = 0.0
    mishap: Mishap = Mishap.NONE
    tricks: int | None = None
    pace: float = 1.0
    per_reach: int = 1
    quality: int = 25
    preset: str = "ultrafast"
    deals: int = 1
    deal: int = 1
    levels: Mapping[str, str] = field(default_factory=dict)
    declarer: Seat | None = None

    def __post_init__(self) -> None:
        if self.deals < 1 or self.deal < 1:
            raise ValueError(f"deals = {self.deals}, deal = {self.deal}: expected 1 or more")
        for team in self.levels:
            if team not in {t.value for t in Team}:
                raise ValueError(f"levels: no side {team!r}; expected {' or '.join(t.value for t in Team)}")
        for quirk in self.quirks:
            if self.habit not in NEEDS[quirk]:
                raise ValueError(f"{quirk} does not go with the habit {self.habit}; expected {' or '.join(sorted(NEEDS[quirk]))}")

    @property
    def picture(self) -> tuple[int, int]:
        """Width and height of the film's picture."""
        return self.size or self.camera.size

    def to_json(self) -> dict[str, Any]:
        """The order in plain values, as ``table.json`` keeps it under ``film``."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def deals_of(order: FilmOrder) -> tuple[SimulatedDeal, ...]:
    """Let the deals be played that a film shows.

    :raises ValueError: when the rulebook has no such level.
    """
    return play_deals(
        order.rulebook, order.seed, order.deals, levels=order.levels, declarer=order.declarer, deal=order.deal, offences=order.offences,
        kinds=order.kinds,
    )  # fmt: skip


def script_of(order: FilmOrder, deals: Sequence[SimulatedDeal]) -> Script:
    """Write the script for deals that follow each other."""
    bottom = len(deals[0].bottom)
    held = sum(len(hand) for hand in deals[0].hands.values())
    style = Style(
        habit=order.habit, mishap=order.mishap, quirks=frozenset(order.quirks), pace=order.pace, per_reach=order.per_reach, pack=held + bottom,
        bottom=bottom, tilt=order.tilt, fps=order.fps,
    )  # fmt: skip
    chance = np.random.default_rng([order.seed, 3])
    events: list[Event] = []
    for deal in deals:
        own = list(deal.events)
        if Quirk.TAKE_BACK in order.quirks:
            own = with_take_backs(own, Kit(load(order.rulebook), deal.trump).group, chance)
        events += own
    return write_script(events, style, np.random.default_rng([order.seed, 1]), order.tricks)


def scene_of(order: FilmOrder, script: Script) -> Scene:
    """Build what does not change through the film."""
    rng = np.random.default_rng([order.seed, 2])
    camera = hang(order.picture, order.tilt, rng, skips=order.camera is Model.UHD)
    return Scene(
        camera=camera,
        table=flat_table(rng),
        light=lighting(order.light, camera, rng),
        deck=load_deck(order.art),
        arms=seats_with_arms(draw_arms(rng, [seat in script.left_handed for seat in SEATS])),
        softness=float(rng.uniform(0.28, 0.5)) * (0.6 if camera.skips else 1.0),
        after_bump=bumped(camera, rng),
    )


def table_json(order: FilmOrder, scene: Scene, deals: Sequence[SimulatedDeal]) -> dict[str, object]:
    """The calibration and the match that a reader of the film is told, as it is before the first deal."""
    start = next(e for e in deals[0].events if isinstance(e, DealStarted))
    return {
        "v": 1,
        **calibration(scene.camera),
        "fps": order.fps,
        "markers": {"family": "36h11", "size_mm": MARKER_MM, "corners_mm": marker_corners()},
        "card_mm": [CARD_W, CARD_H],
        "match": {"rulebook": order.rulebook, "deal": start.deal, "levels": dict(start.levels), "declarer": start.declarer},
        "habit": order.habit.value,
        "film": order.to_json(),
    }


def with_bump_measured(script: Script, scene: Scene) -> Script:
    """The script whose truth says how far (mm, median over the markers' corners) the camera's place on the table moves."""
    corners = np.array([corner for marker in marker_corners().values() for corner in marker])
    if scene.after_bump is None:
        return script
    seen = scene.after_bump.project(np.column_stack([corners, np.zeros(len(corners))]))
    far = float(np.median(np.linalg.norm(scene.camera.table_points(seen) - corners, axis=1)))
    truth = tuple(replace(e, moved_mm=round(far, 1)) if isinstance(e, CameraMoved) else e for e in script.truth)
    return replace(script, truth=truth)


def make_film(order: FilmOrder, out: Path, progress: Callable[[int, int], None] | None = None) -> Script:
    """Render a film into a folder; every file appears only when it is whole.

    :param progress: called with frames done and frames in all.
    :raises datasets.art.ArtError: when the card art cannot be had.
    :raises OSError: when the folder cannot be written.
    """
    deals = deals_of(order)
    script = script_of(order, deals)
    scene = scene_of(order, script)
    script = with_bump_measured(script, scene)
    stage = Stage(script, scene, order.fps, order.seed)
    out.mkdir(parents=True, exist_ok=True)
    part = out / ".film.part.mp4"
    try:
        encode(stage.draw(), part, order.picture, order.fps, quality=order.quality, preset=order.preset,
               each=None if progress is None else lambda done: progress(done, stage.frames))  # fmt: skip
        _write(out / "truth.jsonl", "".join(json.dumps(to_json(event), ensure_ascii=False) + "\n" for event in script.truth))
        _write(out / "table.json", json.dumps(table_json(order, scene, deals), ensure_ascii=False, indent=1) + "\n")
        part.replace(out / "film.mp4")
    finally:
        part.unlink(missing_ok=True)
    return script


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


__all__ = ["FilmOrder", "deals_of", "make_film", "scene_of", "script_of", "table_json", "with_bump_measured"]
