"""The set-up: markers in several pictures, four clicks, and lenses measured from views of the sheet or from straight edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_calibration import camera, picture
from vision.calibration import CalibrationError, Floats, Image, dictionary, plain_lens
from vision.setup import by_clicks, by_markers, describe, lens_from_edges, lens_of
from vision.sheet import sheet_markers

SIZE = (1280, 720)
MATRIX = np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]])
BENT = np.array([-0.18, 0.05, 0.0, 0.0, 0.0])


def _sheet(turn: tuple[float, float, float], shift: tuple[float, float, float], size: tuple[int, int] = SIZE) -> Image:
    """The printed sheet's markers as a bent lens sees them from some side."""
    marks = sheet_markers()
    flat = np.full((2 * 297, 2 * 210), 255, np.uint8)
    for number, corners in marks.corners_mm.items():
        (x0, y0), (x1, y1) = corners[0], corners[2]
        flat[round(2 * y0) : round(2 * y1), round(2 * x0) : round(2 * x1)] = cv2.aruco.generateImageMarker(dictionary("36h11"), number, 100)
    rotation = cv2.Rodrigues(np.array(turn))[0]
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], rotation @ np.array([-105.0, -105.0, 0.0]) + np.array(shift)])
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float64), np.arange(size[1], dtype=np.float64))
    rays = cv2.undistortPoints(np.stack([xs, ys], -1).reshape(-1, 1, 2), MATRIX, BENT).reshape(-1, 2)
    mm = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
    u, v = (2 * (mm[:, k] / mm[:, 2]).reshape(size[1], size[0]).astype(np.float32) - 0.5 for k in (0, 1))
    return np.asarray(cv2.remap(flat, u, v, cv2.INTER_LINEAR, borderValue=120), np.uint8)


VIEWS = (
    ((0.0, 0.0, 0.1), (-120.0, -60.0, 330.0)),
    ((0.5, 0.1, 0.0), (90.0, 10.0, 340.0)),
    ((-0.4, 0.4, 0.3), (0.0, 0.0, 300.0)),
    ((0.1, -0.6, -0.2), (60.0, -20.0, 360.0)),
    ((0.0, 0.5, 0.0), (-80.0, 30.0, 320.0)),
)


def test_views_of_the_sheet_give_the_lens() -> None:
    lens = lens_of([_sheet(*view) for view in VIEWS])
    assert lens.views == len(VIEWS)
    assert lens.rms_px < 0.6
    assert lens.matrix[0, 0] == pytest.approx(900, rel=0.03)
    assert lens.distortion[0] == pytest.approx(-0.18, abs=0.05)


def test_too_few_views_or_views_of_several_sizes_are_errors() -> None:
    with pytest.raises(CalibrationError, match="only 2 views"):
        lens_of([_sheet(*view) for view in VIEWS[:2]])
    with pytest.raises(CalibrationError, match="differ in size"):
        lens_of([_sheet(*VIEWS[0]), _sheet(*VIEWS[1])[:600]])


def test_views_from_one_and_the_same_side_do_not_make_up_a_lens() -> None:
    same = [_sheet((0.0, 0.0, 0.1 * k), (-10.0 * k, 0.0, 330.0)) for k in range(3)]
    with pytest.raises(CalibrationError, match=r"from one side|fit one lens"):
        lens_of(same)


def _bent_line(a: tuple[float, float], b: tuple[float, float], count: int, k1: float) -> Floats:
    """Points of a straight edge as a lens with the guessed focal length bends it."""
    matrix, _ = plain_lens(SIZE)
    line = np.linspace(a, b, count)
    rays = np.column_stack([(line - matrix[:2, 2]) / matrix[0, 0], np.ones(count)])
    px, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), matrix, np.array([k1, 0, 0, 0, 0]))
    return np.asarray(px.reshape(-1, 2), np.float64)


@pytest.mark.parametrize("k1", [-0.25, -0.08, 0.0, 0.1])
def test_straight_edges_give_the_barrel_of_the_lens(k1: float) -> None:
    edges = [_bent_line((100, 40), (1180, 60), 6, k1), _bent_line((80, 100), (70, 640), 4, k1), _bent_line((100, 690), (1180, 680), 3, k1)]
    lens = lens_from_edges(SIZE, edges)
    assert lens.distortion[0] == pytest.approx(k1, abs=0.01)
    assert lens.rms_px < 0.2


def test_points_that_are_no_edge_are_refused() -> None:
    zigzag = [[100, 40], [300, 90], [500, 30], [700, 95], [900, 40]]
    with pytest.raises(CalibrationError, match="straight edges"):
        lens_from_edges(SIZE, [zigzag])
    with pytest.raises(CalibrationError, match="three points"):
        lens_from_edges(SIZE, [[[0, 0], [10, 10]]])


def test_clicks_through_a_measured_lens_are_right_away_from_the_corners_too() -> None:
    table = camera()
    frame = np.zeros((1080, 1920, 3), np.uint8)
    corners = table.to_px([[-400, -400], [400, -400], [400, 400], [-400, 400]])
    edges = [table.to_px(np.column_stack([np.linspace(-720, 720, 9), np.full(9, y)])) for y in (-420.0, 420.0)]
    middle = table.to_px([[0.0, -400.0], [400.0, 0.0]])
    plain = by_clicks([frame], corners).to_mm(middle)
    bent = by_clicks([frame], corners, straight=edges).to_mm(middle)
    wanted = np.array([[0.0, -400.0], [400.0, 0.0]])
    assert np.abs(bent - wanted).max() < 0.5 * np.abs(plain - wanted).max()
    assert np.abs(bent - wanted).max() < 4


def test_the_picture_without_a_hand_is_taken_and_a_double_marker_refused() -> None:
    table = camera()
    lens = (table.matrix, table.distortion)
    assert lens
    whole, covered = picture(table), picture(table, hide=(0, 1, 3))
    found, error = by_markers([covered, whole, covered], table.markers)
    assert error < 12
    assert found.size == (1920, 1080)
    double = whole.copy()
    x, y = (int(v) for v in table.to_px([[-600.0, -370.0]])[0])
    double[400:496, 60:156] = whole[y - 48 : y + 48, x - 48 : x + 48]
    with pytest.raises(CalibrationError, match="twice"):
        by_markers([double], table.markers)


def test_a_lens_of_another_shape_of_picture_is_refused() -> None:
    table = camera()
    lens = lens_from_edges((640, 480), [[[10, 10], [300, 10], [600, 10]]])
    with pytest.raises(CalibrationError, match="measured with pictures of"):
        by_markers([picture(table)], table.markers, lens)


def test_a_calibration_is_described_in_plain_values() -> None:
    told = describe(camera())
    assert told["card_px"] == pytest.approx(63 * told["px_per_mm"], abs=0.1)
    assert told["markers"] == [0, 1, 2, 3]
    assert told["lens"] == "measured"
