"""Every card can be read in what is kept: the recogniser finds the same cards in a still and in the video as in the camera's picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.recording.segments import Segment, finish
from kiosk.recording.stills import Shots, play_box
from vision import calibration as tables
from vision.recogniser import Recogniser

DEMO = Path(__file__).parents[2] / "datasets" / "demo"
AT_S = 42.0
"""Four plays of the second trick lie on the table."""


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    capture = cv2.VideoCapture(str(DEMO / "film.mp4"))
    capture.set(cv2.CAP_PROP_POS_MSEC, (AT_S - 0.4) * 1000)
    return [np.asarray(capture.read()[1]) for _ in range(6)]


def test_cards_read_the_same_in_still_video_and_camera(pictures: list[np.ndarray], tmp_path: Path) -> None:
    calibration = tables.load(DEMO / "table.json")
    recogniser = Recogniser.load()
    x, y, width, height = play_box(calibration)
    shots = Shots()
    shots.offer(pictures[-1], AT_S, (x, y, width, height))
    shot = shots.near(AT_S, AT_S)
    assert shot is not None
    segment = Segment(tmp_path, 0.0, (pictures[0].shape[1], pictures[0].shape[0]))
    for number, image in enumerate(pictures):
        segment.add(image, number / 15)
    film = finish(segment.end())
    assert film is not None
    capture = cv2.VideoCapture(str(film))
    decoded = [np.asarray(capture.read()[1]) for _ in pictures][-1]

    def read(image: np.ndarray) -> list[str]:
        return sorted(card.card for card in recogniser.read_crop(image) if card.confidence > 0.8)

    camera = read(pictures[-1][y : y + height, x : x + width])
    assert len(camera) >= 20
    assert read(shot.image()) == camera
    assert read(decoded[y : y + height, x : x + width]) == camera
