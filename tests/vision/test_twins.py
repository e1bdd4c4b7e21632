import cv2
import numpy as np
import pytest

from vision.detector import Detections
from vision.patch import Image
from vision.plane import fit_plane, place, replaced
from vision.twins import Twins, compare

from .quads import card_quad, see

WIDTH = 100.0


def _table(*cards: tuple[float, str]) -> Image:
    """Cards beside each other, each at so many millimetres to the right of the first, later ones on top, with a text as index."""
    picture = np.full((400, 600, 3), (60, 110, 40), np.uint8)
    for mm, text in cards:
        x, y = round(200 + mm / 63 * WIDTH), 150
        cv2.rectangle(picture, (x, y), (x + 100, y + 140), (245, 245, 245), -1)
        cv2.rectangle(picture, (x, y), (x + 100, y + 140), (120, 120, 120), 1)
        if text == "court":
            cv2.rectangle(picture, (x + 2, y + 3), (x + 12, y + 42), (40, 40, 200), -1)
            continue
        cv2.putText(picture, text, (x + 1, y + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 2, cv2.LINE_AA)
        cv2.circle(picture, (x + 6, y + 26), 4, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def _compare(picture: Image, *mm: float) -> tuple[Twins, Detections]:
    found = see([(card_quad(250 + step / 63 * WIDTH, 220), False) for step in mm])
    plane = fit_plane(found, found.scores)
    found = replaced(found, plane)
    n = len(found)
    return compare(picture, found, place(found, plane), np.linspace(0.95, 0.9, n).astype(np.float32), np.ones((n, n))), found


def test_the_same_index_again_looks_alike() -> None:
    twins, _ = _compare(_table((0, "8"), (12, "8")), 0, 12)
    assert twins.likeness[1, 0] > 0.8
    assert len(twins.more) == 0


def test_a_find_beside_the_place_looks_unlike() -> None:
    twins, _ = _compare(_table((0, "8")), 0, 9)
    assert twins.likeness[1, 0] < 0.6


@pytest.mark.parametrize("step_mm", [8, 10, 16])
def test_an_identical_neighbour_that_was_not_found_is_found(step_mm: float) -> None:
    twins, found = _compare(_table((0, "4"), (step_mm, "4")), 0)
    assert twins.of == (0,)
    assert np.abs(twins.more.quads[0] - found.quads[0] - [step_mm / 63 * WIDTH, 0]).max() < 2.5
    assert np.isnan(twins.likeness).all()
    assert twins.with_more(np.array([True]))[1, 0] > 0.7


def test_another_card_beside_it_is_no_neighbour() -> None:
    twins, _ = _compare(_table((0, "4"), (10, "court")), 0)
    assert len(twins.more) == 0


def test_a_blank_corner_is_compared_with_nothing() -> None:
    twins, _ = _compare(np.full((400, 600, 3), 200, np.uint8), 0, 10)
    assert np.isnan(twins.likeness).all()
