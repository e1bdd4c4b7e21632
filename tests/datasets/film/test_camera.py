"""The film's camera and table: what table.json says is what the picture shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.film.camera import bumped, hang
from datasets.film.table import flat_table, marker_corners, seen_table


@pytest.mark.parametrize("tilt", [0.0, 12.0, 25.0])
def test_the_homography_takes_undistorted_pixels_to_the_millimetres_they_show(tilt: float) -> None:
    camera = hang((1920, 1080), tilt, np.random.default_rng(5))
    points = np.random.default_rng(6).uniform(-395, 395, (50, 2))
    pixels = camera.project(np.column_stack([points, np.zeros(50)]))
    assert (pixels.min(axis=0) > 0).all()
    assert (pixels.max(axis=0) < (1920, 1080)).all(), "the playing area is not wholly in the picture"
    assert np.abs(camera.table_points(pixels) - points).max() < 0.05


def test_projection_agrees_with_opencv() -> None:
    camera = hang((1280, 720), 8.0, np.random.default_rng(1))
    points = np.random.default_rng(2).uniform((-400, -400, 0), (400, 400, 80), (40, 3))
    turn, _ = cv2.Rodrigues(camera.rotation)
    theirs, _ = cv2.projectPoints(points * (1, 1, -1), turn, camera.translation, camera.matrix, camera.distortion)
    assert np.abs(camera.project(points) - theirs.reshape(-1, 2)).max() < 1e-6


def test_a_card_held_up_looks_larger() -> None:
    camera = hang((1920, 1080), 0.0, np.random.default_rng(3))
    low, high = (camera.project([[0, 0, z], [63, 0, z]]) for z in (0.0, 100.0))
    assert np.ptp(high[:, 0]) > 1.05 * np.ptp(low[:, 0])


@pytest.mark.parametrize(("size", "tilt", "seed"), [((1920, 1080), 0.0, 1), ((1920, 1080), 25.0, 2), ((1280, 720), 10.0, 3), ((1024, 768), 0.0, 4)])
def test_the_four_markers_are_found_where_the_calibration_says(size: tuple[int, int], tilt: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = hang(size, tilt, rng)
    picture = seen_table(camera, flat_table(rng))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    corners, ids, _ = detector.detectMarkers(picture)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    for found, number in zip(corners, ids.ravel(), strict=True):
        wanted = camera.project([[*corner, 0.0] for corner in marker_corners()[str(number)]])
        assert np.abs(found[0] - wanted).max() < 2.0


def test_a_bump_moves_the_picture_by_more_than_a_card_edge() -> None:
    rng = np.random.default_rng(4)
    camera = hang((1920, 1080), 0.0, rng)
    other = bumped(camera, rng)
    spots = [[-600, -350, 0], [600, 350, 0], [0, 215, 0]]
    assert np.abs(camera.project(spots) - other.project(spots)).max() > 15
