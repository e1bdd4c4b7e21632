from __future__ import annotations

import threading
import time
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.camera import Back, Frame, Lost, Signal, Source, SourceError, shrink
from vision.openers import SourceKind, kind_of


def film(path: Path, frames: int = 20, fps: float = 10, size: tuple[int, int] = (320, 240)) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), fps, size)
    assert writer.isOpened()
    for k in range(frames):
        writer.write(np.full((size[1], size[0], 3), 60 + 9 * k % 180, np.uint8))
    writer.release()
    return path


class Device:
    """A device that gives numbered pictures, then nothing."""

    def __init__(self, pictures: int, opened: bool = True, frozen: bool = False) -> None:
        self.left, self.opened, self.frozen, self.count = pictures, opened, frozen, 0

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.left <= 0:
            return False, None
        self.left -= 1
        self.count += 0 if self.frozen else 1
        return True, np.full((48, 64, 3), 100 + self.count % 100, np.uint8)

    def grab(self) -> bool:
        return self.read()[0]

    def get(self, key: int) -> float:
        return 0.0

    def release(self) -> None:
        self.left = 0


class Clock:
    """Every look at it takes a tenth of a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


def test_film_gives_every_frame_with_its_own_time(tmp_path: Path) -> None:
    source = Source(str(film(tmp_path / "a.mp4")))
    frames = [s for s in source.signals() if isinstance(s, Frame)]
    assert len(frames) == 20
    assert [round(f.t, 2) for f in frames[:4]] == [0.0, 0.1, 0.2, 0.3]
    assert source.size == (320, 240)


def test_film_folder_is_its_film(tmp_path: Path) -> None:
    film(tmp_path / "film.mp4", 5)
    assert kind_of(str(tmp_path)) is SourceKind.FILE
    assert sum(isinstance(s, Frame) for s in Source(str(tmp_path)).signals()) == 5


def test_folder_of_pictures_shows_each_for_a_second(tmp_path: Path) -> None:
    for k in range(2):
        cv2.imwrite(str(tmp_path / f"{k}.png"), np.full((40, 60, 3), 80 * k, np.uint8))
    (tmp_path / "2.png").write_bytes(b"no picture")
    frames = [s for s in Source(str(tmp_path)).signals() if isinstance(s, Frame)]
    assert [int(f.image[0, 0, 0]) for f in frames] == [0] * 5 + [80] * 5
    assert frames[5].t == pytest.approx(1.0)


@pytest.mark.parametrize("make", ["missing", "text", "empty folder"])
def test_unreadable_source_is_a_clear_error(tmp_path: Path, make: str) -> None:
    path = tmp_path / "x.mp4"
    if make == "text":
        path.write_text("this is no film")
    if make == "empty folder":
        path.mkdir()
    with pytest.raises(SourceError, match=r"x\.mp4"):
        Source(str(path))


def test_a_device_is_asked_for_large_compressed_pictures_or_for_those_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, float] = {}

    class Camera(Device):
        def __init__(self, number: int) -> None:
            super().__init__(3)
            asked[-1] = number

        def set(self, key: int, value: float) -> bool:
            asked[key] = value
            return True

    monkeypatch.setattr(cv2, "VideoCapture", Camera)
    keys = (-1, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS)
    for spec, wanted in (("2", (2, 1920, 1080, 15)), ("/dev/video1@1280x720", (1, 1280, 720, 15)), ("0@640x480@30", (0, 640, 480, 30))):
        source = Source(spec)
        source.close()
        assert source.kind is SourceKind.DEVICE
        assert tuple(asked[key] for key in keys) == wanted
        assert asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_missing_device_is_a_clear_error() -> None:
    with pytest.raises(SourceError, match="camera 7"):
        Source("7", opener=lambda: Device(0, opened=False))


def test_film_cut_off_in_the_middle_says_so_and_keeps_its_frames(tmp_path: Path) -> None:
    class Cut(Device):
        def get(self, key: int) -> float:
            return {cv2.CAP_PROP_FPS: 10.0, cv2.CAP_PROP_FRAME_COUNT: 300.0}.get(key, 0.0)

    (tmp_path / "a.mp4").touch()
    signals = list(Source(str(tmp_path / "a.mp4"), opener=lambda: Cut(12)).signals())
    assert sum(isinstance(s, Frame) for s in signals) == 12
    assert isinstance(signals[-1], Lost)
    assert signals[-1].final
    assert "12" in signals[-1].reason


def test_dying_device_is_lost_and_comes_back_with_its_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    devices = [Device(3), *(Device(0, opened=False) for _ in range(40)), Device(500)]
    source = Source("0", opener=lambda: devices.pop(0) if len(devices) > 1 else devices[0], clock=Clock())
    monkeypatch.setattr(source._stop, "wait", lambda timeout: source._stop.is_set())
    seen: list[object] = []
    for count, signal in enumerate(source.signals()):
        if not isinstance(signal, Frame):
            seen.append(signal)
        if isinstance(signal, Back) or count > 400:
            source.close()
    assert isinstance(seen[0], Lost)
    assert not seen[0].final
    assert isinstance(seen[1], Back)
    assert seen[1].gap > 0.5


def test_frozen_device_is_lost() -> None:
    source = Source("0", opener=lambda: Device(100_000, frozen=True), clock=Clock())
    lost = None
    for count, signal in enumerate(source.signals()):
        lost = signal if isinstance(signal, Lost) else lost
        if lost is not None or count > 400:
            source.close()
    assert lost is not None
    assert "frozen" in lost.reason


def test_small_picture_keeps_the_shape() -> None:
    assert shrink(np.zeros((1080, 1920, 3), np.uint8)).shape == (270, 480, 3)
    assert shrink(np.zeros((240, 320, 3), np.uint8)).shape == (240, 320, 3)


def _times(path: Path, stamps: list[int], size: tuple[int, int] = (320, 240)) -> Path:
    """A film whose frames have given times (ms)."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=1000, options={"preset": "ultrafast", "threads": "1"})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, 1000)
        for k, stamp in enumerate(stamps):
            frame = av.VideoFrame.from_ndarray(np.full((size[1] * 3 // 2, size[0]), 90 + 5 * (k % 20), np.uint8), format="yuv420p")
            frame.pts, frame.time_base = stamp, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def _kinds(signals: list[Signal]) -> list[str]:
    """Runs of frames as one word, gaps as they are."""
    out: list[str] = []
    for signal in signals:
        name = type(signal).__name__
        if name != "Frame" or not out or out[-1] != "Frame":
            out.append(name)
    return out


def test_a_variable_frame_rate_keeps_every_frames_own_time(tmp_path: Path) -> None:
    stamps = [0, 40, 100, 400, 440, 900, 933, 1500]
    frames = [s for s in Source(str(_times(tmp_path / "a.mp4", stamps))).signals() if isinstance(s, Frame)]
    assert [round(f.t * 1000) for f in frames] == pytest.approx(stamps, abs=2)


def test_frames_that_are_missing_for_seconds_are_a_gap(tmp_path: Path) -> None:
    stamps = [100 * k for k in range(10)] + [5000 + 100 * k for k in range(10)]
    signals = list(Source(str(_times(tmp_path / "a.mp4", stamps))).signals())
    assert _kinds(signals) == ["Frame", "Lost", "Back", "Frame"]
    lost = next(s for s in signals if isinstance(s, Lost))
    back = next(s for s in signals if isinstance(s, Back))
    assert (lost.t, back.t, back.gap) == pytest.approx((0.9, 5.0, 4.1), abs=0.02)
    assert not lost.final


class Scenes(Device):
    """A device that gives one picture of a table after another: seen, black, frozen."""

    def __init__(self, *scenes: tuple[str, int]) -> None:
        super().__init__(10**6)
        self.script = [word for word, count in scenes for _ in range(count)]
        self.rng = np.random.default_rng(1)
        self.table = np.clip(self.rng.normal(110, 25, (48, 64, 3)), 0, 235).astype(np.uint8)

    def read(self) -> tuple[bool, np.ndarray | None]:
        word = self.script.pop(0) if self.script else "end"
        if word == "end":
            return False, None
        if word == "black":
            return True, np.zeros((48, 64, 3), np.uint8)
        if word == "seen":
            self.table = np.clip(self.table.astype(np.int16) + self.rng.integers(-1, 2, self.table.shape), 0, 255).astype(np.uint8)
        return True, self.table


def _follow(scenes: Scenes, monkeypatch: pytest.MonkeyPatch) -> list[Signal]:
    source = Source("0", opener=lambda: scenes, clock=Clock())
    monkeypatch.setattr(source._stop, "wait", lambda timeout: source._stop.is_set())
    out: list[Signal] = []
    for signal in source.signals():
        if isinstance(signal, Lost) and "no picture" in signal.reason:  # the script is over, and all that came before is here
            source.close()
            break
        out.append(signal)
    return out


def test_a_covered_or_dark_camera_is_lost_and_its_black_pictures_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = _follow(Scenes(("seen", 20), ("black", 60), ("seen", 20)), monkeypatch)
    assert _kinds(signals)[:4] == ["Frame", "Lost", "Back", "Frame"]
    lost = next(s for s in signals if isinstance(s, Lost))
    assert "black" in lost.reason
    assert all(f.image.mean() > 50 for f in signals if isinstance(f, Frame))


def test_gaps_keep_their_place_when_pictures_are_dropped_for_a_slow_table() -> None:
    source = Source("0", opener=lambda: Device(1), clock=Clock())
    picture = Frame(source.first, shrink(source.first), 0.0, 0)
    source._put(Lost(1.0, "covered"))
    source._put(Back(2.0, 1.0))
    for _ in range(3 * source._queue.maxsize):
        source._put(picture)
    waiting = list(source._queue.queue)
    assert [type(signal) for signal in waiting[:2]] == [Lost, Back]
    assert len(waiting) == source._queue.maxsize
    assert source.dropped == 2 * source._queue.maxsize + 2


def test_who_is_behind_gets_the_newest_picture_and_no_gap_is_skipped() -> None:
    source = Source("0", opener=lambda: Device(1), clock=Clock())
    source._started = True
    small = shrink(source.first)
    signals = source.signals()
    for t in range(source._queue.maxsize):
        source._put(Frame(source.first, small, float(t), t))
    assert next(signals).t == source._queue.maxsize - 1
    assert source.dropped == source._queue.maxsize - 1
    source._put(Frame(source.first, small, 10.0, 10))
    source._put(Lost(11.0, "covered"))
    source._put(Frame(source.first, small, 12.0, 12))
    assert [next(signals).t for _ in range(3)] == [10.0, 11.0, 12.0]


def test_a_head_over_the_table_for_a_moment_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = _follow(Scenes(("seen", 20), ("black", 3), ("seen", 20)), monkeypatch)
    assert _kinds(signals) == ["Frame"]


def test_a_thawed_camera_is_back_with_the_whole_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = _follow(Scenes(("seen", 20), ("frozen", 400), ("seen", 30)), monkeypatch)
    lost = next(s for s in signals if isinstance(s, Lost))
    back = next(s for s in signals if isinstance(s, Back))
    assert "frozen" in lost.reason
    assert back.gap > 15
    assert back.t - back.gap == pytest.approx(lost.t)


def test_a_camera_that_does_not_answer_is_told_by_the_reader_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.WAIT_SECONDS", 0.05)
    go = threading.Event()

    class Hangs(Scenes):
        def read(self) -> tuple[bool, np.ndarray | None]:
            if len(self.script) == 10:
                go.wait(20)
            return super().read()

    device = Hangs(("seen", 40))
    source = Source("0", opener=lambda: device, clock=Clock())
    monkeypatch.setattr(source._stop, "wait", lambda timeout: source._stop.is_set())
    seen: list[Signal] = []
    for signal in source.signals():
        seen.append(signal)
        if isinstance(signal, Lost) and "does not answer" in signal.reason:
            go.set()
        if isinstance(signal, Back):
            source.close()
    assert _kinds(seen) == ["Frame", "Lost", "Back"]


def test_pictures_that_nobody_takes_in_time_are_dropped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Scenes(("seen", 200))
    source = Source("0", opener=lambda: device, clock=Clock())
    monkeypatch.setattr(source._stop, "wait", lambda timeout: source._stop.is_set())
    signals = source.signals()
    first = next(signals)
    while device.script:
        time.sleep(0.01)
    source.close()
    assert isinstance(first, Frame)
    assert source.dropped > 60  # what passes unseen while nothing stirs is not dropped
