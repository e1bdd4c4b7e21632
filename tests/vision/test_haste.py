"""A reading that is behind the camera is known by the pictures that were dropped, and is said while it lasts."""

from __future__ import annotations

import pytest

from vision.haste import GAP_SECONDS, HURRIED_SECONDS, Haste

FPS = 15


def seen(haste: Haste, *, every: int, seconds: float, start: int = 0, dropped: int = 0) -> tuple[int, int]:
    """One picture in so many is looked at; gives the number of the next and how many were dropped."""
    index = start
    while index < start + seconds * FPS:
        haste.take(index / FPS, dropped)
        index, dropped = index + every, dropped + every - 1
    return index, dropped


def test_pictures_that_pass_unseen_are_said_in_both_languages_until_they_are_seen_again() -> None:
    haste = Haste()
    index, dropped = seen(haste, every=5, seconds=20)
    slow = haste.slow()
    assert slow is not None
    assert "100% 的时间没看画面" in slow["zh"]
    assert "does not look 100 % of the time" in slow["en"]
    assert haste.hurried
    seen(haste, every=1, seconds=20, start=index, dropped=dropped)
    assert haste.slow() is None
    assert not haste.hurried


@pytest.mark.parametrize("every", [1, 5])
def test_few_pictures_of_which_none_is_dropped_are_no_haste(every: int) -> None:
    haste = Haste()
    for k in range(60):
        haste.take(k * every / FPS, 0)
    assert haste.slow() is None
    assert not haste.hurried


def test_pictures_dropped_one_or_two_at_a_time_are_neither_said_nor_hurry() -> None:
    haste = Haste()
    seen(haste, every=3, seconds=20)
    assert not haste.hurried
    assert haste.slow() is None


def test_a_long_step_is_a_gap_where_pictures_were_dropped_or_nobody_counts_them() -> None:
    for dropped, live, gap in ((20, False, True), (0, False, False), (0, True, True)):
        haste = Haste()
        haste.take(0.0, 0)
        haste.take(GAP_SECONDS + 0.1, dropped, live=live)
        assert (haste.gap > 0) is gap
        haste.take(GAP_SECONDS + 0.2, dropped, live=live)
        assert haste.gap == 0


def test_what_was_lost_with_the_camera_is_no_gap_of_the_reading() -> None:
    haste = Haste()
    haste.take(0.0, 0)
    haste.forget()
    haste.take(20.0, 0, live=True)
    assert haste.gap == 0


def test_hurry_lasts_a_while() -> None:
    haste = Haste()
    haste.take(0.0, 0)
    haste.take(0.5, 6)
    assert haste.hurried
    haste.take(0.5 + HURRIED_SECONDS, 6)
    assert not haste.hurried
