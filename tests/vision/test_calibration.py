from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibration import (
    Calibration,
    CalibrationError,
    dictionary,
    find_markers,
    from_clicks,
    from_markers,
    load,
    moved_mm,
    plain_lens,
    save,
    standard_markers,
    whole_picture,
)


def camera(shift: tuple[float, float] = (0.0, 0.0), tilt: float = 6e-5) -> Calibration:
    """A camera with a bent lens, a little askew."""
    to_px = np.array([[1.15, 0.02, 960 + shift[0]], [-0.03, 1.16, 530 + shift[1]], [tilt, -tilt, 1.0]])
    matrix = np.array([[1600.0, 0, 955], [0, 1600, 545], [0, 0, 1]])
    return Calibration((1920, 1080), matrix, np.array([-0.09, 0.012, 2e-4, -3e-4, 0.0]), np.linalg.inv(to_px), standard_markers())


def picture(table: Calibration, hide: tuple[int, ...] = ()) -> np.ndarray:
    """What the camera sees: grey cloth and the four markers, drawn through lens and homography."""
    canvas = np.full((1080, 1920), 110, np.uint8)
    grid = np.stack(np.meshgrid(np.arange(1920), np.arange(1080)), -1).reshape(-1, 2).astype(np.float64)
    mm = table.to_mm(grid).reshape(1080, 1920, 2)
    for number, corners in table.markers.corners_mm.items():
        if number in hide:
            continue
        (x0, y0), (x1, y1) = corners[0], corners[2]
        bits = np.pad(cv2.aruco.generateImageMarker(dictionary("36h11"), number, 80), 10, constant_values=255)
        u = (mm[..., 0] - x0) / (x1 - x0) * 80 + 10
        v = (mm[..., 1] - y0) / (y1 - y0) * 80 + 10
        inside = (u >= 0) & (v >= 0) & (u < 99) & (v < 99)
        canvas[inside] = bits[v[inside].astype(int), u[inside].astype(int)]
    return cv2.GaussianBlur(canvas, (5, 5), 0)


def test_pixels_to_millimetres_and_back_through_the_lens() -> None:
    table = camera()
    points = np.array([[-400.0, -390], [0, 0], [310, 222], [400, 390]])
    assert np.allclose(table.to_mm(table.to_px(points)), points, atol=0.05)


def test_markers_give_the_table_back_to_a_millimetre() -> None:
    table = camera()
    found, error = from_markers(picture(table), table.markers, (table.matrix, table.distortion))
    points = np.array([[-200.0, -200], [0, 0], [150, 230]])
    assert error < 1.0
    assert np.abs(found.to_mm(table.to_px(points)) - points).max() < 1.5


def test_the_barrel_of_a_lens_that_nobody_measured_is_read_off_the_markers() -> None:
    table = camera()
    points = np.array([[-380.0, 0], [0, -380], [0, 0], [150, 380], [380, -100]])

    def off(found: Calibration) -> float:
        return float(np.linalg.norm(found.to_mm(table.to_px(points)) - points, axis=1).max())

    plain, _ = from_markers(picture(table), table.markers, plain_lens(table.size))
    guessed, error = from_markers(picture(table), table.markers)
    assert off(plain) > 4
    assert off(guessed) < 1.5
    assert error < 1


def test_three_markers_are_too_few_to_tell_a_lens() -> None:
    table = camera()
    found, _ = from_markers(picture(table, hide=(2,)), table.markers)
    assert not found.distortion.any()


def test_too_few_markers_are_an_error_that_says_how_many() -> None:
    table = camera()
    with pytest.raises(CalibrationError, match="1 of the markers"):
        from_markers(picture(table, hide=(1, 2, 3)), table.markers)


def test_moved_is_zero_where_nothing_moved() -> None:
    table = camera()
    seen = find_markers(picture(table))
    assert sorted(seen) == [0, 1, 2, 3]
    moved = moved_mm(table, seen)
    assert moved is not None
    assert moved < 1


def test_four_clicks_without_markers() -> None:
    table = from_clicks((1000, 1000), [[100, 90], [900, 100], [910, 900], [95, 905]])
    assert np.allclose(table.to_mm([[100, 90], [910, 900]]), [[-400, -400], [400, 400]], atol=1e-6)


@pytest.mark.parametrize("points", [[[0, 0], [10, 0], [10, 10]], [[100, 90], [910, 900], [900, 100], [95, 905]], [[0, 0]] * 4])
def test_clicks_that_go_round_no_square_are_refused(points: list[list[int]]) -> None:
    with pytest.raises(CalibrationError, match="top left"):
        from_clicks((1000, 1000), points)


def test_file_round_trip(tmp_path: Path) -> None:
    table = camera()
    save(table, tmp_path / "table.json")
    again = load(tmp_path / "table.json")
    assert again.size == table.size
    assert np.allclose(again.homography, table.homography)
    assert again.markers == table.markers


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"v": 9}, "version"),
        ({"homography": [[1, 2], [3, 4]]}, "homography"),
        ({"homography": [[0, 0, 0]] * 3}, "inverted"),
        ({"camera": None}, "camera"),
        ({"camera": {"matrix": "x", "distortion": [0] * 5}}, "matrix"),
        ({"markers": {"corners_mm": {"a": 1}}}, "markers"),
    ],
)
def test_broken_file_names_the_key(tmp_path: Path, change: dict[str, object], says: str) -> None:
    save(camera(), tmp_path / "table.json")
    data = {**json.loads((tmp_path / "table.json").read_text()), **change}
    (tmp_path / "table.json").write_text(json.dumps(data))
    with pytest.raises(CalibrationError, match=says):
        load(tmp_path / "table.json")


def test_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="calibrate"):
        load(tmp_path / "table.json")


def test_smaller_pictures_of_the_same_view_keep_the_table() -> None:
    table = camera()
    small = table.scaled((960, 540))
    point = table.to_px([[120, -80]])
    assert np.allclose(small.to_mm(point / 2), [[120, -80]], atol=0.01)
    with pytest.raises(CalibrationError, match="shape"):
        table.scaled((1080, 1920))


def test_guess_without_anything_is_the_middle_square() -> None:
    assert np.allclose(whole_picture((1920, 1080)).to_mm([[960, 540]]), [[0, 0]], atol=1e-6)
