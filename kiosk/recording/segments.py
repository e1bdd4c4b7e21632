"""Continuous video in closed segments of H.264: what a crash can take is the end of the last one.

A segment is written as a fragmented file (every two seconds of it stand by themselves) under a name that ends in ``.part``; when it is
complete it is copied into a plain MP4 that any browser plays and seeks in.
"""

from __future__ import annotations

import os
from contextlib import suppress
from fractions import Fraction
from io import FileIO
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from kiosk.recording.folder import PART, segment_name
from kiosk.recording.probe import Cut, copy, span

Image = npt.NDArray[np.uint8]

SECONDS: Final = 10.0
KEY_SECONDS: Final = 2.0
"""A key picture this often: where a clip can begin, and what a crash can take."""
WIDEST: Final = 1920
CRF: Final = "26"
PRESET: Final = "superfast"
_CLOCK: Final = Fraction(1, 1000)


class Segment:
    """One segment being written, from ``t0`` (s of the table's clock).

    :raises OSError: when it cannot be written.
    """

    def __init__(self, folder: Path, t0: float, size: tuple[int, int]) -> None:
        import av

        self.t0 = t0
        self.t1 = t0
        self.pictures = 0
        self.path = folder / segment_name(t0)
        self.part = self.path.with_name(self.path.name + PART)
        self._key = -KEY_SECONDS
        scale = min(1.0, WIDEST / size[0])
        self._size = (round(size[0] * scale) // 2 * 2, round(size[1] * scale) // 2 * 2)
        self._file = FileIO(self.part, "wb")
        options = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}
        self._out: Any = av.open(self._file, "w", format="mp4", options=options)
        stream: Any = self._out.add_stream("libx264", rate=30, options={"preset": PRESET, "crf": CRF, "forced-idr": "1"})
        stream.width, stream.height = self._size
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = _CLOCK
        stream.codec_context.thread_count = 1
        stream.codec_context.max_b_frames = 0
        stream.codec_context.gop_size = 600
        self._stream = stream

    def add(self, image: Image, t: float) -> None:
        """Write a picture (BGR).

        :raises OSError: when it cannot be written.
        """
        import av
        from av.video.frame import PictureType

        if (image.shape[1], image.shape[0]) != self._size:
            image = np.asarray(cv2.resize(image, self._size, interpolation=cv2.INTER_AREA), np.uint8)
        frame: Any = av.VideoFrame.from_ndarray(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)), format="yuv420p")
        frame.pts = round((t - self.t0) * 1000)
        frame.time_base = _CLOCK
        if t - self.t0 - self._key >= KEY_SECONDS - 1e-6:
            frame.pict_type = PictureType.I
            self._key = t - self.t0
        self._out.mux(self._stream.encode(frame))
        self.t1 = t
        self.pictures += 1

    def end(self) -> Path:
        """Write what is left and give the ``.part`` file; :func:`finish` makes the segment of it."""
        try:
            self._out.mux(self._stream.encode(None))
            self._out.close()
            os.fsync(self._file.fileno())
        finally:
            self._file.close()
        return self.part

    def abandon(self) -> None:
        """Close the file as it is: what was written can still be played."""
        import av

        with suppress(av.FFmpegError, OSError, ValueError):
            self._out.close()
        with suppress(OSError):
            self._file.close()


def finish(part: Path) -> Path | None:
    """Make a plain MP4 of a ``.part`` file, also of one that breaks off; None when not one picture of it can be had (then it is gone).

    :raises OSError: when it cannot be written; the ``.part`` file stays.
    """
    whole = part.with_name(part.name.removesuffix(PART))
    if span(part) is None or copy([Cut(part, 0.0)], whole, 0.0, float("inf")) is None:
        part.unlink(missing_ok=True)
        return None
    part.unlink()
    return whole
