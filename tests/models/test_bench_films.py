"""The bench's own parts: a camera that is played, and the figures worked out."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from models.bench_films import UsbCamera, VisionBench


def test_a_camera_on_usb_gives_no_picture_before_its_time_and_passes_some_undecoded() -> None:
    pictures = [cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes() for grey in (40, 90, 200)]
    camera = UsbCamera(pictures, 50.0, 4)
    begin = time.monotonic()
    greys = [camera.read()[1], camera.grab(), camera.read()[1], camera.read()[1]]
    assert time.monotonic() - begin >= 3 / 50
    assert [int(g[0, 0, 0]) if isinstance(g, np.ndarray) else g for g in greys] == [90, True, 40, 90]
    assert camera.read() == (False, None)


def test_the_ratio_is_of_whole_films_with_decoding_on_both_sides() -> None:
    bench = VisionBench(
        film="x", frames=1000, seconds=100.0, cards=100, pipeline_cards=99, pipeline_cpu_s=20.0, sampled=10, frame_s=0.19, baseline_cards=80,
        idle_share=0.1, decode_share=0.1,
    )  # fmt: skip
    assert bench.baseline_cpu_s == pytest.approx(200.0)
    assert bench.ratio == pytest.approx(10.0)
