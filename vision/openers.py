"""How pictures are opened: what a text names, the reader behind it, and what is said when there is no picture."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from enum import StrEnum, unique
from pathlib import Path
from typing import Any, Final, Protocol

import cv2

from vision.calibration import Image

FILM_NAME: Final = "film.mp4"
PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp"})
STILL_FPS: Final = 5.0
STILL_SECONDS: Final = 1.0
DEVICE_SIZE: Final = (1920, 1080)
DEVICE_FPS: Final = 15
"""What a device is asked for where nothing else is said (by themselves they give 640 x 480); it takes what it has that is nearest."""
STREAM_WAIT_MS: Final = 5000
"""A stream that gives nothing for so long is opened anew."""
_DECODE: Final = (cv2.CAP_PROP_N_THREADS, 1)
"""One thread decodes faster than real time; more of them would fight with the recogniser's."""

_DEVICE: Final = re.compile(r"(?:/dev/video)?(\d+)(?:@(\d+)x(\d+)(?:@(\d+))?)?")

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
# A camera that is gone is tried twice a second: what the libraries below have to say about each try is said once, in words, by this program.


@unique
class SourceKind(StrEnum):
    """What a source is."""

    FILE = "file"
    DEVICE = "device"
    URL = "url"
    PICTURES = "pictures"


class Reader(Protocol):
    """What a source needs of ``cv2.VideoCapture``."""

    def isOpened(self) -> bool: ...  # noqa: N802, D102 (the names of cv2.VideoCapture)
    def read(self) -> tuple[bool, Any]: ...  # noqa: D102
    def grab(self) -> bool: ...  # noqa: D102 (the next picture passes without being converted)
    def get(self, key: int) -> float: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


Opener = Callable[[], Reader]


def kind_of(spec: str) -> SourceKind:
    """What a text names: ``0`` or ``/dev/video0`` is a device, with ``@1280x720`` or ``@1280x720@30`` behind it one that is asked for such pictures;
    ``scheme://`` is a URL, a folder without a film a folder of pictures, anything else a file."""
    if _DEVICE.fullmatch(spec):
        return SourceKind.DEVICE
    if "://" in spec:
        return SourceKind.URL
    path = Path(spec)
    if path.is_dir() and not (path / FILM_NAME).exists():
        return SourceKind.PICTURES
    return SourceKind.FILE


def film_of(spec: str) -> Path:
    """The film that a file's or a folder's name means."""
    path = Path(spec)
    return path / FILM_NAME if path.is_dir() else path


class _Pictures:
    """A folder of pictures that reads like a film: each is shown for a second."""

    def __init__(self, folder: Path) -> None:
        self._files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
        self._shown = 0
        self._image: Image | None = None

    def isOpened(self) -> bool:  # noqa: N802
        return bool(self._files)

    def read(self) -> tuple[bool, Any]:
        repeat = round(STILL_FPS * STILL_SECONDS)
        while self._shown < len(self._files) * repeat:
            at, phase = divmod(self._shown, repeat)
            if phase == 0:
                self._image = cv2.imread(str(self._files[at]), cv2.IMREAD_COLOR)
            if self._image is None:
                self._shown += repeat - phase
                continue
            self._shown += 1
            return True, self._image
        return False, None

    def grab(self) -> bool:
        return self.read()[0]

    def get(self, key: int) -> float:
        if key == cv2.CAP_PROP_FPS:
            return STILL_FPS
        return 0.0

    def release(self) -> None:
        self._files = []


def _device(spec: str) -> Reader:
    """Open a device and ask it for large, compressed pictures (uncompressed ones come too seldom over USB)."""
    found = _DEVICE.fullmatch(spec)
    number, width, height, fps = found.groups() if found is not None else (spec, None, None, None)
    device = cv2.VideoCapture(int(number or 0))
    if device.isOpened():
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, int(width or DEVICE_SIZE[0]))
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, int(height or DEVICE_SIZE[1]))
        device.set(cv2.CAP_PROP_FPS, int(fps or DEVICE_FPS))
    return device


def opener(spec: str, kind: SourceKind) -> Opener:
    """How a source is opened, as often as it is asked for."""
    if kind is SourceKind.PICTURES:
        return lambda: _Pictures(Path(spec))
    if kind is SourceKind.DEVICE:
        return lambda: _device(spec)
    if kind is SourceKind.URL:
        wait = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_WAIT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_WAIT_MS)
        return lambda: cv2.VideoCapture(spec, cv2.CAP_FFMPEG, [*wait, *_DECODE])
    film = str(film_of(spec))
    return lambda: cv2.VideoCapture(film, cv2.CAP_FFMPEG, [*_DECODE])


def missing(spec: str, kind: SourceKind) -> str | None:
    """Why a source cannot be opened at all, in both languages; None when it may be tried."""
    if kind is not SourceKind.FILE:
        return None
    film = film_of(spec)
    if not film.exists():
        return f"没有这个文件：{spec} / there is no such file: {spec}; expected a film, a film folder, a device number or a URL"
    try:
        with film.open("rb") as file:
            if not file.read(1):
                return f"视频文件是空的（0 字节）：{film} / the film is empty (0 bytes): {film}; copy or record it again"
    except OSError as error:
        return f"无法打开视频 {film} / cannot open the film {film}: {error.strerror or error}; check its name and permissions"
    return None


def no_picture(spec: str, kind: SourceKind) -> str:
    """Why there is no picture, in both languages."""
    match kind:
        case SourceKind.DEVICE:
            return f"打不开摄像头 {spec}：请检查连接 / camera {spec} gives no picture: is it plugged in and free?"
        case SourceKind.URL:
            return f"打不开视频流 {spec} / the stream {spec} gives no picture: check the address and the network"
        case SourceKind.PICTURES:
            return f"文件夹 {spec} 里没有图片也没有 {FILM_NAME} / the folder {spec} holds neither pictures nor {FILM_NAME}"
        case SourceKind.FILE:
            return (
                f"无法读取视频 {spec}：不是视频、只有声音，或已损坏（例如没有录完） / "
                f"cannot read {spec}: not a film, only sound, or damaged (a recording that was broken off); expected e.g. an MP4 with pictures"
            )
