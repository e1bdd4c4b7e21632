"""The camera's place: bumps found and measured anew within a second, hidden and missing markers no bumps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.test_calibration import camera, picture
from vision.calibration import Calibration, Image, Markers, from_markers, plain_lens
from vision.registration import EVERY_SECONDS, SELDOM_SECONDS, Moved, Registration

TABLE = camera()
POINTS = np.array([[-200.0, -200], [0, 0], [150, 230]])


def _seen(table: Calibration, hide: tuple[int, ...] = ()) -> Image:
    return np.asarray(cv2.cvtColor(picture(table, hide), cv2.COLOR_GRAY2BGR), np.uint8)


STILL = _seen(TABLE)


def _watch(*pictures: Image, table: Calibration = TABLE, watch: Registration | None = None) -> list[Moved | None]:
    """What is told of pictures a second apart."""
    registration = watch or Registration()
    return [registration.check(image, k + 1.0, table) for k, image in enumerate(pictures)]


def test_a_bumped_camera_is_registered_anew_within_a_second() -> None:
    after = camera(shift=(25.0, -18.0))
    moved_picture = _seen(after)
    for still in range(1, 6):  # whichever marker's turn it is
        watch = Registration()
        told = _watch(*([STILL] * still), moved_picture, watch=watch)
        assert told[:-1] == [None] * still
        moved = told[-1]
        assert moved is not None
        assert moved.calibration is not None
        assert moved.moved_mm == pytest.approx(np.hypot(25, 18) / 1.15, rel=0.1)
        assert np.abs(moved.calibration.to_mm(after.to_px(POINTS)) - POINTS).max() < 2
    assert EVERY_SECONDS < 1


def test_a_camera_that_stands_still_is_left_alone_and_only_one_marker_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    near = Registration._near
    monkeypatch.setattr(
        Registration, "_near", lambda self, image, table, numbers: looked.append(len(list(numbers))) or near(self, image, table, numbers)
    )
    assert _watch(*[STILL] * 6) == [None] * 6
    assert looked == [4, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("hide", [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3)])
def test_hidden_markers_are_no_bump(hide: tuple[int, ...]) -> None:
    covered = _seen(TABLE, hide)
    assert _watch(STILL, covered, covered, covered, covered, STILL) == [None] * 6


def test_a_bump_with_a_covered_marker_is_measured_from_the_three_others() -> None:
    after = camera(shift=(-20.0, 12.0))
    moved = _watch(STILL, _seen(after, (2,)))[-1]
    assert moved is not None
    assert moved.calibration is not None
    assert np.abs(moved.calibration.to_mm(after.to_px(POINTS)) - POINTS).max() < 3


def test_a_bump_that_cannot_be_measured_is_told_once() -> None:
    after = _seen(camera(shift=(22.0, 14.0)), (0, 1))
    told = _watch(STILL, after, after, after)
    assert [moved for moved in told if moved is not None] == [told[1]]
    assert told[1] is not None
    assert told[1].calibration is None
    assert told[1].moved_mm > 10


def test_after_searches_in_vain_the_whole_picture_is_searched_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[float] = []
    monkeypatch.setattr(Registration, "_search", lambda self, *_: searched.append(self._checked) or setattr(self, "_vain", self._vain + 1))
    bare = np.full((1080, 1920, 3), 90, np.uint8)
    _watch(STILL, *[bare] * 20)
    assert searched[:3] == [2.0, 3.0, 4.0]
    assert min(b - a for a, b in pairwise(searched[2:])) >= SELDOM_SECONDS


def test_a_table_without_markers_and_looks_too_soon_are_left_alone() -> None:
    bare = replace(TABLE, markers=Markers(corners_mm={}))
    assert _watch(_seen(camera(shift=(25.0, 0.0))), table=bare) == [None]
    watch = Registration()
    assert watch.check(_seen(camera(shift=(25.0, 0.0))), 0.1, TABLE) is None


def test_a_lens_that_nobody_measured_is_no_bump() -> None:
    rough, error = from_markers(picture(TABLE), TABLE.markers, plain_lens(TABLE.size))
    assert error > 0.5
    told = _watch(*[STILL] * 5, table=rough)
    assert told == [None] * 5
