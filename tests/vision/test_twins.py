import cv2
import numpy as np
import pytest

from vision.detector import Detections
from vision.patch import Image
from vision.plane import Placed, fit_plane, place, replaced
from vision.twins import Repeats, likenesses, looks, repeats, shared

from .quads import card_quad, see

WIDTH = 100.0
BLACK, RED = (20, 20, 20), (30, 30, 210)


def _table(*cards: tuple[float, str], ink: tuple[int, int, int] = BLACK) -> Image:
    """Cards on each other, each at so many millimetres to the right of the first, later ones on top, with a text as index at both ends."""
    picture = np.full((400, 600, 3), (60, 110, 40), np.uint8)
    for mm, text in cards:
        card = np.full((141, 101, 3), 245, np.uint8)
        cv2.rectangle(card, (0, 0), (100, 140), (120, 120, 120), 1)
        for _ in range(2):
            card = np.ascontiguousarray(card[::-1, ::-1])
            if text == "court":
                cv2.rectangle(card, (2, 3), (12, 42), RED, -1)
                continue
            cv2.putText(card, text, (1, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 2, cv2.LINE_AA)
            cv2.circle(card, (6, 26), 4, ink, -1, cv2.LINE_AA)
        x = round(200 + mm / 63 * WIDTH)
        picture[150:291, x : x + 101] = card
    return picture


def _placed(*mm: float, lower: bool = False) -> tuple[Detections, Placed]:
    found = see([(card_quad(250 + step / 63 * WIDTH, 220), lower) for step in mm])
    plane = fit_plane(found, found.scores)
    found = replaced(found, plane)
    return found, place(found, plane)


def _likeness(picture: Image, *mm: float) -> np.ndarray:
    return likenesses(looks(picture), _placed(*mm)[1])


def _repeats(picture: Image, *mm: float, lower: bool = False) -> tuple[Repeats, Detections]:
    found, placed = _placed(*mm, lower=lower)
    return repeats(looks(picture), found, placed, np.linspace(0.95, 0.9, len(found)).astype(np.float32)), found


def test_the_same_index_again_looks_alike() -> None:
    like = _likeness(_table((0, "8"), (12, "8")), 0, 12)
    assert like[1, 0] == like[0, 1] > 0.8


def test_a_find_beside_the_place_looks_unlike() -> None:
    assert _likeness(_table((0, "8")), 0, 9)[1, 0] < 0.6


def test_red_ink_is_unlike_black_ink_of_the_same_shape() -> None:
    picture = _table((0, "8"), (12, "8"))
    other = _table((0, "8"), (12, "8"), ink=RED)
    right = 200 + round(12 / 63 * WIDTH)
    picture[:, right:] = other[:, right:]
    assert _likeness(picture, 0, 12)[1, 0] < 0.8


@pytest.mark.parametrize("step_mm", [8, 10, 16])
def test_an_identical_neighbour_that_was_not_found_is_found(step_mm: float) -> None:
    again, found = _repeats(_table((0, "4"), (step_mm, "4")), 0)
    near = [k for k in range(len(again.of)) if np.abs(again.more.quads[k] - found.quads[0] - [step_mm / 63 * WIDTH, 0]).max() < 2.5]
    assert len(near) == 1
    assert set(again.of) == {0}


def test_a_doubtful_find_half_way_does_not_hide_an_identical_neighbour() -> None:
    found, placed = _placed(0, 5)
    found = Detections(found.boxes, found.quads, np.array([0.7, 0.05], np.float32))
    again = repeats(looks(_table((0, "4"), (8, "4"))), found, placed, np.array([0.95, 0.8], np.float32))
    assert any(np.abs(quad - found.quads[0] - [8 / 63 * WIDTH, 0]).max() < 2.5 for quad in again.more.quads)


def test_the_other_end_of_a_card_shows_what_two_blurred_neighbours_are() -> None:
    again, _ = _repeats(_table((0, "4"), (8, "4")), 8, lower=True)
    starts = sorted(float(quad[0, 0]) for quad in again.more.quads if quad[0, 1] < 200)
    assert len(starts) == 2
    assert np.abs(np.array(starts) - [200, 200 + 8 / 63 * WIDTH]).max() < 2.5


def test_another_card_beside_it_is_no_neighbour() -> None:
    again, _ = _repeats(_table((0, "4"), (10, "court")), 0)
    assert not any(quad[0, 1] < 200 for quad in again.more.quads)


def test_a_blank_corner_is_compared_with_nothing() -> None:
    blank = np.full((400, 600, 3), 200, np.uint8)
    assert np.isnan(_likeness(blank, 0, 10)).all()
    assert len(_repeats(blank, 0, 10)[0].of) == 0


def _read(*rows: tuple[float, float, float]) -> np.ndarray:
    out = np.full((len(rows), 11), 0.001, np.float32)
    for k, row in enumerate(rows):
        out[k, [0, 1, 10]] = row
    return out


def test_an_unsure_index_is_read_as_the_one_beside_it_that_looks_the_same() -> None:
    like = np.array([[np.nan, 0.95], [0.95, np.nan]])
    read = shared(_read((0.9, 0.05, 0.04), (0.3, 0.6, 0.09)), like)
    assert read[:, :10].argmax(1).tolist() == [0, 0]
    assert read[:, 10] == pytest.approx([0.04, 0.09])
    assert read.sum(1) == pytest.approx(_read((0.9, 0.05, 0.04), (0.3, 0.6, 0.09)).sum(1), abs=1e-4)


@pytest.mark.parametrize("like", [np.nan, 0.6])
def test_an_index_that_looks_otherwise_keeps_its_face(like: float) -> None:
    read = shared(_read((0.9, 0.05, 0.04), (0.3, 0.6, 0.09)), np.array([[np.nan, like], [like, np.nan]]))
    assert read[:, :10].argmax(1).tolist() == [0, 1]


def test_two_alike_cards_that_are_surely_read_differently_stay_two_faces() -> None:
    like = np.array([[np.nan, 0.9], [0.9, np.nan]])
    read = shared(_read((0.98, 0.0001, 0.01), (0.0001, 0.98, 0.01)), like)
    assert read[:, :10].argmax(1).tolist() == [0, 1]
