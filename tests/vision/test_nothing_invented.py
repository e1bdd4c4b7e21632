"""With the weights that come with the program: of what shows no face, none is read; of another game's cards none surely."""

from __future__ import annotations

import random

import numpy as np
import pytest

from datasets.drawn import back_for
from datasets.prints import other_card
from vision.recogniser import Recogniser

SIDE = 480


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.load()


def _table() -> np.ndarray:
    return (np.random.default_rng(3).normal(0, 5, (SIDE, SIDE, 3)) + np.array([60, 105, 50])).clip(0, 255).astype(np.uint8)


def _laid(*pictures: np.ndarray) -> np.ndarray:
    """Pictures (RGBA) laid side by side on a cloth, BGR."""
    table, x = _table(), 30
    for picture in pictures:
        height, width = picture.shape[:2]
        opaque = picture[..., 3:] / 255.0
        spot = table[150 : 150 + height, x : x + width]
        spot[:] = (spot * (1 - opaque) + picture[..., 2::-1] * opaque).astype(np.uint8)
        x += width + 25
    return table


def _read(recogniser: Recogniser, picture: np.ndarray, least: float = 0.3) -> list[str]:
    return [card.card for card in recogniser.read(picture, least=least)]


@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_backs_show_no_face(recogniser: Recogniser, name: str) -> None:
    back = np.asarray(back_for(name)[::3, ::3])
    assert _read(recogniser, _laid(back, back, back)) == []


@pytest.mark.parametrize("seed", range(6))
def test_cards_of_other_games_are_not_taken_for_sure(recogniser: Recogniser, seed: int) -> None:
    rng = random.Random(seed)
    cards = [np.asarray(other_card(110.0, rng)) for _ in range(3)]
    # A title in a corner may be taken for a joker's word across, which is said to be unsure.
    assert _read(recogniser, _laid(*[card[:300] for card in cards]), 0.65) == []


def test_a_bare_cloth_shows_no_face(recogniser: Recogniser) -> None:
    assert _read(recogniser, _table()) == []
