"""Pictures of another shape than the calibration's: turned, or cut, the markers in them say where the table is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_calibration import camera, picture
from vision.calibration import CalibrationError, Image, Markers
from vision.refit import refit

TABLE = replace(camera(), match={"rulebook": "official-2deck-shengji"}, habit="turn")
SEEN = picture(TABLE)
POINTS = np.array([[-300.0, -300.0], [0.0, 0.0], [350.0, 200.0], [-200.0, 390.0]])
HEIGHT, WIDTH = SEEN.shape


def _turned(points: np.ndarray, clockwise: bool) -> np.ndarray:
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([HEIGHT - 1 - y, x] if clockwise else [y, WIDTH - 1 - x])


@pytest.mark.parametrize("clockwise", [True, False])
def test_a_picture_turned_by_90_degrees_is_fitted_within_a_millimetre_and_a_half(clockwise: bool) -> None:
    how = cv2.ROTATE_90_CLOCKWISE if clockwise else cv2.ROTATE_90_COUNTERCLOCKWISE
    found = refit(TABLE, np.asarray(cv2.rotate(SEEN, how), np.uint8))
    assert found.size == (HEIGHT, WIDTH)
    assert np.abs(found.to_mm(_turned(TABLE.to_px(POINTS), clockwise)) - POINTS).max() < 1.5
    assert (found.match, found.habit, found.card_mm) == (TABLE.match, "turn", TABLE.card_mm)


def test_a_picture_whose_rims_are_cut_is_fitted() -> None:
    edge = 40
    found = refit(TABLE, np.ascontiguousarray(SEEN[edge:-edge]))
    assert np.abs(found.to_mm(TABLE.to_px(POINTS) - (0, edge)) - POINTS).max() < 1.5


def test_markers_that_are_not_in_view_or_not_known_are_a_sentence_that_names_both_shapes() -> None:
    blank: Image = np.full((WIDTH, HEIGHT), 120, np.uint8)
    for table in (TABLE, replace(TABLE, markers=Markers(corners_mm={}))):
        with pytest.raises(CalibrationError, match=r"1080x1920.*1920x1080") as problem:
            refit(table, blank)
        assert "turned by 90°" in str(problem.value)
        assert "calibrate again" in str(problem.value)
