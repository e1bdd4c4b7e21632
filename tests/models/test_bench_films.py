"""The bench's own parts: frames replayed, and the figures worked out."""

from __future__ import annotations

import numpy as np
import pytest

from models.bench_films import Replayed, VisionBench
from vision.camera import Frame


def test_replayed_frames_go_on_in_time() -> None:
    picture = np.full((48, 64, 3), 90, np.uint8)
    source = Replayed([Frame(picture, picture, 0.0, 0), Frame(picture + 1, picture + 1, 0.1, 1)], 10.0, 1.5)
    frames = [s for s in source.signals() if isinstance(s, Frame)]
    assert [round(f.t, 2) for f in frames] == [round(0.1 * k, 2) for k in range(15)]
    assert [int(f.image[0, 0, 0]) for f in frames[:4]] == [90, 91, 90, 91]
    assert source.size == (64, 48)


def test_the_ratio_is_of_whole_films_with_decoding_on_both_sides() -> None:
    bench = VisionBench(
        film="x", frames=1000, seconds=100.0, cards=100, pipeline_cards=99, pipeline_cpu_s=20.0, sampled=10, frame_s=0.19, baseline_cards=80,
        idle_share=0.1, decode_share=0.1,
    )  # fmt: skip
    assert bench.baseline_cpu_s == pytest.approx(200.0)
    assert bench.ratio == pytest.approx(10.0)
