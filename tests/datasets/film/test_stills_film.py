"""Photographs as a film: each shown for its time, moving a little, with its faces beside it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from datasets.film.stills_film import FPS, Still, make_stills_film
from engine.cards import Card


def test_each_photograph_is_shown_in_turn_and_never_stands_still(tmp_path: Path) -> None:
    pattern = np.kron((np.indices((12, 16)).sum(0) % 2)[:, :, None] * np.array([180, 120, 60]), np.ones((20, 20, 1))).astype(np.uint8) + 30
    stills = [Still("a", pattern, (Card("SA"), Card("H2"))), Still("b", 255 - pattern, (Card("C3"),))]
    make_stills_film(stills, tmp_path / "f", size=(320, 240), seconds=1.0)
    assert sorted(p.name for p in (tmp_path / "f").iterdir()) == ["film.mp4", "stills.json"]
    shown = json.loads((tmp_path / "f" / "stills.json").read_text(encoding="utf-8"))["stills"]
    assert [(s["name"], s["t0"], s["t1"], s["cards"]) for s in shown] == [("a", 0.0, 1.0, ["SA", "H2"]), ("b", 1.0, 2.0, ["C3"])]
    video = cv2.VideoCapture(str(tmp_path / "f" / "film.mp4"))
    frames = []
    while True:
        ok, picture = video.read()
        if not ok:
            break
        frames.append(picture.astype(int))
    assert len(frames) == 2 * FPS
    moves = [float(np.abs(a - b).mean()) for a, b in pairwise(frames)]
    assert min(moves) > 0.3
    assert moves[FPS - 1] > 3 * float(np.median(moves))
