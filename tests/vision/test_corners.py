import json
from pathlib import Path

import numpy as np
import pytest

from vision.corners import Corrector, apply_change, change_between
from vision.weights import WeightsError

from .quads import card_quad, see


class Says:
    """A network that says the same change for every patch."""

    name = "says"

    def __init__(self, change: list[float]) -> None:
        self.change = np.array(change, np.float32)
        self.patches = 0

    def __call__(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.patches += len(patches)
        return np.tile(self.change, (len(patches), 1)), np.zeros((len(patches), 0), np.float32)


@pytest.mark.parametrize("degrees", [0, 75, 200])
def test_the_change_between_two_quads_brings_one_to_the_other(degrees: float) -> None:
    true = card_quad(300, 300, degrees)[None]
    seen = card_quad(304, 297, degrees + 7, 92)[None]
    assert np.allclose(apply_change(seen, change_between(seen, true)), true, atol=0.01)


def test_a_card_is_moved_by_what_the_network_says() -> None:
    found = see([(card_quad(300, 300), False)])
    moved = Corrector(Says([1.0, 0, 0, 0, 0, 0])).correct(np.zeros((600, 600, 3), np.uint8), found)
    assert np.allclose(moved.quads - found.quads, [5, 0], atol=0.01)  # a twentieth of a width of 100 pixels
    assert np.array_equal(moved.boxes, found.boxes)


def test_a_correction_beyond_belief_is_not_made() -> None:
    found = see([(card_quad(300, 300), False)])
    moved = Corrector(Says([0, 0, 9.0, 0, 0, 0])).correct(np.zeros((600, 600, 3), np.uint8), found)
    assert np.array_equal(moved.quads, found.quads)


def test_the_right_hand_index_of_a_four_index_deck_is_left_alone() -> None:
    network = Says([1.0, 0, 0, 0, 0, 0])
    found = see([(card_quad(300, 300), False)], u=0.88)
    assert np.array_equal(Corrector(network).correct(np.zeros((600, 600, 3), np.uint8), found).quads, found.quads)
    assert network.patches == 0


def test_a_folder_without_the_network_has_no_corrector_and_a_broken_one_is_said(tmp_path: Path) -> None:
    assert Corrector.load(tmp_path) is None
    (tmp_path / "corners.onnx").write_bytes(b"nothing")
    (tmp_path / "corners.json").write_text(json.dumps({"v": 1}))
    with pytest.raises(WeightsError, match="corner network"):
        Corrector.load(tmp_path)
