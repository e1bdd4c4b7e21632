"""Whole small films: what is written, that it decodes, that it is the same again, that nothing half remains."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.art import ArtError
from datasets.film import stage as stage_module
from datasets.film.layout import Habit
from datasets.film.light import Light
from datasets.film.make import FilmOrder, deals_of, make_film, scene_of, script_of
from datasets.film.script import Script
from datasets.film.sprites import Rect
from datasets.film.stage import Stage
from datasets.film.style import Mishap
from engine.events import CardsPlayed, from_json

SMALL = FilmOrder(size=(640, 360), fps=10, tricks=1, per_reach=8, pace=0.6, seed=3)


def _truth(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_film_folder_holds_a_video_its_truth_and_its_calibration(tmp_path: Path, plain_art: Path) -> None:
    seen: list[tuple[int, int]] = []
    script = make_film(replace(SMALL, art=str(plain_art), habit=Habit.TURN), tmp_path / "film", lambda done, total: seen.append((done, total)))
    assert sorted(p.name for p in (tmp_path / "film").iterdir()) == ["film.mp4", "table.json", "truth.jsonl"]
    video = cv2.VideoCapture(str(tmp_path / "film" / "film.mp4"))
    assert video.get(cv2.CAP_PROP_FPS) == pytest.approx(10)
    frames = 0
    while True:
        ok, picture = video.read()
        if not ok:
            break
        assert picture.shape == (360, 640, 3)
        frames += 1
    assert frames == int(script.duration * 10)
    assert seen[-1] == (frames, frames)
    events = [from_json(line) for line in _truth(tmp_path / "film")]
    assert sum(isinstance(e, CardsPlayed) for e in events) == 4
    assert all(e.t * 10 == pytest.approx(round(e.t * 10)) for e in events), "times are those of frames"
    table = json.loads((tmp_path / "film" / "table.json").read_text(encoding="utf-8"))
    assert table["size"] == [640, 360]
    assert table["habit"] == "turn"
    assert table["match"] == {"rulebook": "official-2deck-shengji", "deal": 1, "levels": {"EW": "2", "NS": "2"}, "declarer": None}
    assert set(table["markers"]["corners_mm"]) == {"0", "1", "2", "3"}


def test_the_same_order_gives_the_same_files(tmp_path: Path, plain_art: Path) -> None:
    order = replace(SMALL, art=str(plain_art))
    for name in ("a", "b"):
        make_film(order, tmp_path / name)
    for file in ("film.mp4", "truth.jsonl", "table.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_film_that_cannot_be_made_leaves_no_file(tmp_path: Path, plain_art: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArtError):
        make_film(replace(SMALL, art=str(tmp_path / "nothing")), tmp_path / "film")
    assert not (tmp_path / "film").exists()

    def stop(done: int, total: int) -> None:
        if done == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_film(replace(SMALL, art=str(plain_art)), tmp_path / "film", stop)
    assert list((tmp_path / "film").iterdir()) == []


def _stage(order: FilmOrder, script: Script | None = None) -> Stage:
    wanted = script if script is not None else script_of(order, deals_of(order))
    return Stage(wanted, scene_of(order, wanted), order.fps, order.seed)


@pytest.mark.parametrize("habit", Habit)
def test_drawing_only_what_moves_gives_the_same_picture_as_drawing_all(plain_art: Path, monkeypatch: pytest.MonkeyPatch, habit: Habit) -> None:
    order = replace(SMALL, size=(480, 272), art=str(plain_art), habit=habit, tricks=2, fps=4)
    part = [frame.copy() for frame in _stage(order).draw()]
    monkeypatch.setattr(stage_module, "_merge", lambda _rects, size: [Rect(0, 0, *size)])
    for number, (one, other) in enumerate(zip(part, _stage(order).draw(), strict=True)):
        assert np.array_equal(one, other), f"frame {number} differs"


def test_at_the_end_of_a_film_no_card_lies_twice(plain_art: Path) -> None:
    order = replace(SMALL, art=str(plain_art), tricks=2, fps=4)
    stage = _stage(order)
    for _ in stage.draw():
        pass
    lying = stage.lying()
    script = script_of(order, deals_of(order))
    end = {}
    for move in sorted(script.moves, key=lambda m: (m.t0, m.t1)):
        end[move.item] = None if move.leaves else move.end
    assert lying == {item: pose for item, pose in end.items() if pose is not None}


def test_an_unplugged_camera_shows_black(plain_art: Path) -> None:
    order = replace(SMALL, art=str(plain_art), fps=5, size=(320, 240), mishap=Mishap.UNPLUG, tricks=None, pace=0.4)
    script = script_of(order, deals_of(order))
    start, end = script.blanks[0].start, script.blanks[0].end
    short = replace(script, duration=end + 1.0)
    for number, frame in enumerate(_stage(order, short).draw()):
        dark = bool((frame[:240] == 16).all())
        assert dark == (start <= number / 5 < end)


def test_lights_differ(plain_art: Path) -> None:
    means = {}
    for light in Light:
        stage = _stage(replace(SMALL, art=str(plain_art), light=light, fps=3, size=(320, 240), tricks=1))
        frames = [f.copy()[:240] for _, f in zip(range(30), stage.draw(), strict=False)]
        means[light] = (float(np.mean(frames[0])), float(np.abs(frames[0].astype(int) - frames[-1]).mean()))
    assert means[Light.DIM][0] < 0.75 * means[Light.EVEN][0]
    assert means[Light.WINDOW][1] > means[Light.EVEN][1], "the shadow at the window does not wander"
