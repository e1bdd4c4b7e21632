"""An idle table is looked at a third as often, one at which something moves never less."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Frame, Source
from vision.doze import QUIET_SECONDS, Doze

FPS = 15
STILL = np.full((27, 48, 3), 110, np.uint8)


def _looked_at(moves: set[int], frames: int, fps: float = FPS) -> list[int]:
    """Which of a camera's pictures are looked at, when something moves in these."""
    doze, seen, k = Doze(fps), [], 0
    while k < frames:
        picture = STILL.copy()
        if k in moves:
            picture[5:10, 5:10] = 200
        doze.see(picture, k / fps)
        seen.append(k)
        k += 1 + doze.passing(k / fps)
    return seen


def test_two_of_three_pictures_of_an_idle_table_pass_after_some_seconds() -> None:
    seen = _looked_at(set(), 120)
    quiet = round(QUIET_SECONDS * FPS)
    assert seen[: quiet + 1] == list(range(quiet + 1))
    assert seen[quiet + 1 : quiet + 5] == [quiet + 3, quiet + 6, quiet + 9, quiet + 12]


@pytest.mark.parametrize("first", [80, 81, 82])
def test_what_moves_wakes_it_at_the_third_picture_at_the_latest(first: int) -> None:
    seen = _looked_at(set(range(first, first + 6)), 140)
    assert min(k for k in seen if k >= first) <= first + 2
    assert [k for k in range(first + 2, first + 40) if k not in seen] == []


def test_a_camera_that_delivers_few_pictures_is_always_looked_at() -> None:
    assert _looked_at(set(), 100, fps=8) == list(range(100))


def test_a_film_followed_at_its_own_pace_loses_no_picture_and_one_in_real_time_two_thirds_of_the_idle_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, (320, 240))
    rng = np.random.default_rng(1)
    for _ in range(90):
        writer.write(np.clip(rng.normal(110, 2, (240, 320, 3)), 0, 255).astype(np.uint8))
    writer.release()
    whole = [s for s in Source(str(path)).signals() if isinstance(s, Frame)]
    source = Source(str(path), realtime=True, clock=_Quick())
    signals = list(source.signals())
    frames = [s for s in signals if isinstance(s, Frame)]
    assert len(whole) == 90
    assert signals == frames  # no gap is told
    assert frames[-1].index in (87, 88, 89)
    assert len(frames) + source.dropped == pytest.approx(46 + 15, abs=2)
    for frame in frames:
        assert frame.t == pytest.approx(frame.index / FPS, abs=1e-3)


class _Quick:
    """A clock that is far ahead, so that nothing waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 100.0
        return self.now
