"""Pictures that show nothing: black, too dark, covered, frozen; and those that only look like it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration import Image
from vision.sight import FROZEN_SECONDS, Sight

RNG = np.random.default_rng(3)
TABLE = np.clip(RNG.normal(110, 25, (90, 160, 3)), 0, 235).astype(np.uint8)


def _noisy(image: Image) -> Image:
    return np.clip(image.astype(np.int16) + RNG.integers(-2, 3, image.shape), 0, 255).astype(np.uint8)


def _told(pictures: list[Image], step: float = 0.1) -> list[str | None]:
    sight = Sight()
    return [sight.blind(picture, k * step) for k, picture in enumerate(pictures)]


def test_a_table_is_seen() -> None:
    assert _told([_noisy(TABLE) for _ in range(200)]) == [None] * 200


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.zeros_like(TABLE), "black"),
        (np.full_like(TABLE, 14), "black"),
        ((TABLE * 0.2).astype(np.uint8), "too dark"),
        (np.full_like(TABLE, 60), "covered"),
        (np.full_like(TABLE, 170), "covered"),
    ],
)
def test_pictures_that_show_nothing_are_told(picture: Image, words: str) -> None:
    told = _told([_noisy(TABLE), _noisy(TABLE), picture])
    assert told[:2] == [None, None]
    assert words in str(told[2])


def test_a_dim_room_is_still_seen() -> None:
    assert _told([(_noisy(TABLE) * 0.45).astype(np.uint8) for _ in range(5)]) == [None] * 5


def test_a_plain_cloth_without_cards_is_not_covered() -> None:
    busy = np.full((90, 160, 3), 80, np.uint8)
    busy[30:60, 60:110] = 230
    bare = np.full((90, 160, 3), 80, np.uint8)
    assert _told([_noisy(busy)] * 40 + [_noisy(bare)] * 40)[40:] == [None] * 40


def test_the_same_picture_for_long_is_frozen_from_its_first_on() -> None:
    sight = Sight()
    for k in range(10):
        assert sight.blind(_noisy(TABLE), k * 0.1) is None
    last = _noisy(TABLE)
    told = [(t, sight.blind(last, t)) for t in np.arange(1.0, 1.0 + FROZEN_SECONDS + 1, 0.1)]
    first = next(t for t, reason in told if reason is not None)
    assert first == pytest.approx(1.0 + FROZEN_SECONDS, abs=0.21)
    assert sight.since == pytest.approx(1.0, abs=0.11)
    assert sight.blind(_noisy(TABLE), 20.0) is None


def test_key_pictures_of_a_frozen_film_are_no_life() -> None:
    last = _noisy(TABLE)
    popped = np.clip(last.astype(np.int16) + 1, 0, 255).astype(np.uint8)
    told = _told([popped if k // 40 % 2 else last for k in range(160)])
    assert told[-1] is not None


def test_stills_that_change_are_life() -> None:
    slides = [np.roll(TABLE, 7 * (k // 40), axis=1) for k in range(400)]
    assert _told(slides) == [None] * 400


def test_after_the_dark_a_still_table_is_seen_at_once() -> None:
    told = _told([TABLE] * 50 + [np.zeros_like(TABLE)] * 200 + [TABLE] * 20)
    assert told[250:] == [None] * 20
