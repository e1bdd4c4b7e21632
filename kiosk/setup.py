"""Setting a table's camera up: its raw picture, the checks of the set-up, and calibrating by markers or by four clicks while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from kiosk.errors import KioskError, NotFoundError, RefusedError, StoreError
from vision import calibration as tables
from vision import setup as by
from vision import setup_checks
from vision.calibration import Calibration, CalibrationError

Image = npt.NDArray[np.uint8]

FRAMES: Final = 10
PATIENCE_S: Final = 8.0
"""So long a camera may take to deliver the pictures."""
WIDEST: Final = 1280


def collect(source: Any, count: int, patience_s: float = PATIENCE_S) -> list[Image]:
    """The next pictures of a running source.

    :raises NotFoundError: when it has no pictures, or none come.
    """
    taps: list[Callable[[Any], None]] | None = getattr(source, "taps", None)
    if taps is None:
        raise NotFoundError("没有摄像头画面", "there is no camera picture")
    found: list[Image] = []
    enough = threading.Event()

    def tap(frame: Any) -> None:
        if len(found) < count:
            found.append(frame.image)
        if len(found) >= count:
            enough.set()

    taps.append(tap)
    try:
        enough.wait(patience_s)
    finally:
        taps.remove(tap)
    if not found:
        raise NotFoundError("没有摄像头画面", "there is no camera picture")
    return found


class CameraSetup:
    """The set-up of the camera that a feed sees through.

    :param feed: a pipeline with ``source``, ``calibration`` and, where it can be calibrated while it runs, ``recalibrate``.
    :param kept: the file that a new calibration is kept in for the next start.
    """

    def __init__(self, feed: Any, kept: Path | None = None) -> None:
        self._feed = feed
        self._kept = kept
        self._kind: str | None = None
        self._checks: list[dict[str, Any]] = []
        self._markers: list[dict[str, Any]] = []

    @property
    def _source(self) -> Any:
        return getattr(self._feed, "source", None)

    @property
    def _calibration(self) -> Calibration | None:
        found = getattr(self._feed, "calibration", None)
        return found if isinstance(found, Calibration) else None

    def picture(self) -> bytes:
        """The raw picture as a JPEG, at most 1280 pixels wide.

        :raises NotFoundError: when there is none.
        """
        image = collect(self._source, 1)[-1]
        height, width = image.shape[:2]
        if width > WIDEST:
            image = np.asarray(cv2.resize(image, (WIDEST, round(height * WIDEST / width)), interpolation=cv2.INTER_AREA), np.uint8)
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])
        if not done:
            raise NotFoundError("没有摄像头画面", "there is no camera picture")
        return bytes(data.tobytes())

    def frames(self) -> list[Image]:
        """The next pictures.

        :raises NotFoundError: when there are none.
        """
        return collect(self._source, FRAMES)

    def look(self) -> None:
        """Run the checks and look for markers.

        :raises NotFoundError: when there is no picture.
        """
        frames = self.frames()
        fps = float(getattr(self._source, "fps", 0.0) or 0.0)
        self._checks = [
            {"name": one.name, "state": "pass" if one.ok else "unknown" if one.figure is None else "fail", "zh": one.zh, "en": one.en}
            for one in setup_checks.check(frames, self._calibration, fps=fps)
        ]
        self._see_markers(frames[-1])

    def _see_markers(self, image: Image) -> None:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        size = np.array([image.shape[1], image.shape[0]])
        self._markers = [
            {"id": name, "corners": np.round(corners.reshape(-1, 2) / size, 4).tolist()} for name, corners in tables.find_markers(grey).items()
        ]

    def use_markers(self) -> None:
        """Calibrate by the printed markers.

        :raises RefusedError: when they cannot be seen.
        """
        frames = self.frames()
        self._see_markers(frames[-1])
        self._use(lambda: by.by_markers(frames)[0], "markers")

    def use_corners(self, square: Sequence[Sequence[float]]) -> None:
        """Calibrate by the corners of the playing square: NW, NE, SE, SW as fractions of the picture.

        :raises RefusedError: when they do not go round a square.
        """
        frames = collect(self._source, 1)
        size = np.array([frames[-1].shape[1], frames[-1].shape[0]])
        self._use(lambda: by.by_clicks(frames, np.asarray(square, np.float64) * size), "clicks")

    def _use(self, make: Callable[[], Calibration], kind: str) -> None:
        recalibrate: Callable[[Calibration], None] | None = getattr(self._feed, "recalibrate", None)
        if recalibrate is None:
            raise NotFoundError("这个画面不能在运行中标定", "this source cannot be calibrated while it runs")
        try:
            found = make()
            recalibrate(found)
            if self._kept is not None:
                tables.save(found, self._kept)
        except OSError as error:
            raise StoreError(f"标定无法保存：{error}", f"the calibration cannot be saved: {error}") from error
        except CalibrationError as error:
            raise RefusedError(f"无法标定：{error}", f"it cannot be calibrated: {error}") from error
        self._kind = kind

    def describe(self, problem: KioskError | None) -> dict[str, Any]:
        """Camera, calibration and checks as a page shows them; places are fractions of the picture."""
        calibration = self._calibration
        source = self._source
        shown: dict[str, Any] = {"kind": None, "markers": self._markers, "expected": sorted(tables.standard_markers().corners_mm), "square": None}
        if calibration is not None:
            a = tables.PLAY_AREA_MM
            corners = calibration.to_px([[-a, -a], [a, -a], [a, a], [-a, a]])
            shown["square"] = np.round(corners / np.array(calibration.size), 4).tolist()
            shown["kind"] = self._kind or ("markers" if calibration.markers.corners_mm else None)
        return {
            "camera": {
                "source": None if source is None else str(getattr(source, "spec", "")),
                "size": None if calibration is None else list(calibration.size),
                "problem": None if problem is None else problem.words(),
            },
            "calibration": shown,
            "checks": self._checks,
        }
