"""Writing H.264 video through PyAV, whose wheels bring their own encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import av

from datasets.film.sprites import Picture


def encode(frames: Iterable[Picture | None], path: Path, size: tuple[int, int], fps: int, *, quality: int = 25, preset: str = "ultrafast",
           each: Callable[[int], None] | None = None) -> int:  # fmt: skip
    """Encode I420 frames (H * 3 / 2, W) to an MP4 file; the same frames give the same file. None leaves a gap of a frame.

    :param quality: x264's constant rate factor; less is better and larger.
    :param each: called with the number of frames written so far.
    :returns: the number of frames, those left out too.
    """
    count = 0
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=fps, options={"preset": preset, "crf": str(quality), "threads": "1", "g": str(4 * fps)})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, fps)
        for picture in frames:
            if picture is not None:
                frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
                frame.pts = count
                frame.time_base = Fraction(1, fps)
                container.mux(stream.encode(frame))
            count += 1
            if each is not None:
                each(count)
        container.mux(stream.encode(None))
    return count
