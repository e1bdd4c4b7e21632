"""Indices whose quad took its corner from a neighbour, or from between two."""

from __future__ import annotations

import numpy as np

from tests.vision.quads import WIDTH, card_quad, see, sure_of
from vision.detector import Detections
from vision.plane import fit_plane
from vision.slipped import moved_back, slipped

_PLACES = [(150, 150), (450, 150), (750, 150), (150, 400), (450, 400), (750, 400)]
_FACES = ("SA", "H5", "C9", "D3", "SK", "H10")


def _seen(off: float) -> Detections:
    """Six cards; the corner of the last is believed so much (card widths) too far to the left."""
    found = see([(card_quad(x, y), False) for x, y in _PLACES])
    quads = found.quads.copy()
    quads[5, :, 0] -= np.float32(off * WIDTH)
    return Detections(found.boxes, quads, found.scores)


def test_a_corner_taken_from_the_neighbour_in_a_fan_is_moved_to_where_the_deck_prints_its_indices() -> None:
    found, read = _seen(0.13), sure_of(*_FACES[:5], "S9", p=0.8)
    rows, moved = slipped(found, read, fit_plane(found, found.scores))
    assert rows.tolist() == [5]
    assert np.abs(moved.quads[0, [0, 3]] - card_quad(*_PLACES[5])[[0, 3]]).max() < 0.03 * WIDTH
    after, said = moved_back(found, read, rows, moved, sure_of("H10"))
    assert said.argmax(1).tolist() == sure_of(*_FACES).argmax(1).tolist()
    assert np.allclose(after.quads[5], moved.quads[0])
    assert np.allclose(after.quads[:5], found.quads[:5])


def test_a_moved_corner_at_which_less_is_read_is_moved_back() -> None:
    found, read = _seen(0.13), sure_of(*_FACES)
    rows, moved = slipped(found, read, fit_plane(found, found.scores))
    after, said = moved_back(found, read, rows, moved, sure_of("S9", p=0.5))
    assert np.allclose(after.quads, found.quads)
    assert np.allclose(said, read)


def test_a_box_a_little_beside_its_usual_place_moves_nothing() -> None:
    found = _seen(0.04)
    assert slipped(found, sure_of(*_FACES), fit_plane(found, found.scores))[0].tolist() == []


def test_a_joker_has_its_index_where_it_likes() -> None:
    found = _seen(0.13)
    assert slipped(found, sure_of(*_FACES[:5], "BJ"), fit_plane(found, found.scores))[0].tolist() == []


def test_two_indices_do_not_tell_where_a_deck_prints_them() -> None:
    found = _seen(0.13).take([0, 1, 5])
    read = np.concatenate([sure_of("SA", "H5"), sure_of("H10", p=0.02)])
    assert slipped(found, read, fit_plane(found, found.scores))[0].tolist() == []
