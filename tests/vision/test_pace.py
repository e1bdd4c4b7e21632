"""Too few pictures a second are told, whatever else stops and starts."""

from __future__ import annotations

import pytest

from vision.pace import LEAST_FPS, Pace


def _pace(*steps: float) -> Pace:
    pace, t = Pace(), 0.0
    pace.take(t, 0)
    for index, step in enumerate(steps, 1):
        t += step
        pace.take(t, index)
    return pace


def test_three_pictures_a_second_are_too_few_and_said_in_both_languages() -> None:
    slow = _pace(*[1 / 3] * 20).slow()
    assert slow is not None
    assert "3 幅画面" in slow["zh"]
    assert "only 3 pictures a second" in slow["en"]


@pytest.mark.parametrize("fps", [LEAST_FPS, 15, 30, 60])
def test_enough_pictures_a_second_are_enough(fps: float) -> None:
    assert _pace(*[1 / fps] * 40).slow() is None


def test_a_variable_rate_is_judged_by_most_of_its_pictures() -> None:
    assert _pace(*[1 / 15, 1 / 15, 0.4] * 12).slow() is None
    assert _pace(*[0.3, 0.3, 1 / 15] * 12).slow() is not None


def test_a_gap_and_the_first_pictures_tell_nothing() -> None:
    assert _pace(0.4, 0.4, 0.4).slow() is None
    assert _pace(*[1 / 15] * 10, 30.0, *[1 / 15] * 3).fps == pytest.approx(15)


def test_pictures_that_pass_unseen_count_as_pictures() -> None:
    pace = Pace()
    for k in range(0, 40, 2):
        pace.take(k / 15, k)
    assert pace.fps == pytest.approx(15)
