"""Video beside the log: segments, clips, stills, and what is left of them when things go wrong."""

from __future__ import annotations

import errno
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.errors import NotFoundError
from kiosk.recording import folder_of, place, probe, set_aside
from kiosk.recording import recorder as recording
from kiosk.recording.events import Guard, Still, Wishes
from kiosk.recording.folder import PART, clip_name, parse_name, segment_name, still_name
from kiosk.recording.index import EVIDENCE, FILE, Index
from kiosk.recording.keep import GB, Keep
from kiosk.recording.library import Library
from kiosk.recording.probe import Cut, copy, span
from kiosk.recording.recorder import Recorder, recover
from kiosk.recording.segments import Segment, finish
from kiosk.store import Store
from tests.kiosk import films

CORNERS = [[[-60.0, 40.0], [0.0, 40.0], [0.0, 124.0], [-60.0, 124.0]]]


def record(folder: Path, **options: Any) -> Recorder:
    return films.ready(Recorder(folder, films.calibration, **options), folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of 24 s with two tricks, the second of them ruled upon."""
    folder = tmp_path_factory.mktemp("rec") / "table.video"
    recorder = record(folder, free=lambda _: 100 * GB)
    seq = 1
    for trick, at in ((1, 4.0), (2, 12.0)):
        for i, seat in enumerate("ENWS"):
            t = at + i
            films.offer(recorder, t - (1 if i else at - (trick - 1) * 8.0), t)
            evidence = {"frames": [t - 0.3, t - 0.1], "corners_mm": CORNERS}
            recorder.on_update(films.told(t, ({"event": "CardsPlayed", "trick": trick, "seat": seat, "cards": ["SA"], "evidence": evidence},), seq))
            seq += 1
        recorder.on_update(films.told(at + 3, ({"event": "TrickClosed", "trick": trick, "winner": "E", "points": 0},), seq))
        films.offer(recorder, at + 3, at + 4)
        seq += 1
    recorder.on_update(films.told(16.0, ({"event": "Ruled", "trick": 2, "proved_by": 2, "seat": "N"},), seq))
    films.offer(recorder, 16.0, 24.0)
    recorder.close()
    return folder


def test_segments_are_closed_and_cover_the_match(whole: Path) -> None:
    library = Library.open(whole)
    segments = library.media("segment")
    assert len(segments) >= 2
    assert segments[0].t0 == 0
    assert segments[-1].t1 > 23
    assert library.gaps() == ()
    assert not list(whole.glob(f"*{PART}"))
    for medium in segments:
        head = (whole / medium.name).read_bytes()[:4096]
        assert b"moov" in head, "a browser finds the index at the front"
    found = library.at(13.0)
    assert found is not None
    assert found[0].t0 + found[1] == pytest.approx(13.0)
    assert library.at(500.0) is None


def test_clip_of_each_trick_shows_its_time(whole: Path) -> None:
    first, second = Library.open(whole).media("clip")
    assert (first.name, second.name) == ("d01-t01.mp4", "d01-t02.mp4")
    assert first.t0 <= 2.0
    assert first.t1 >= 7.8
    assert second.t0 >= 4.9, "it does not begin before the last trick's end, but for a key picture"
    assert span(whole / second.name) == pytest.approx(second.t1 - second.t0, abs=0.01)


def test_still_of_each_play_is_the_moment_of_its_reading(whole: Path) -> None:
    library = Library.open(whole)
    for kind in ("still", "play", "thumb"):
        found = library.media(kind)
        assert [(m.trick, m.seat) for m in sorted(found, key=lambda m: (m.trick, "ENWS".index(m.seat)))] == [(t, s) for t in (1, 2) for s in "ENWS"]
    still = library.media("still", trick=2, seat="N")[0]
    assert 12.7 - 0.05 <= still.t0 <= 12.9 + 0.05
    image = cv2.imread(str(whole / still.name))
    x, y, width, height = map(int, still.box.split(","))
    assert image.shape[:2] == (height, width) == (240, 240)
    truth = films.picture(round(still.t0 * films.FPS))[y : y + height, x : x + width]
    assert float(np.abs(image.astype(int) - truth).mean()) < 3
    play = cv2.imread(str(whole / library.media("play", trick=2, seat="N")[0].name))
    assert play.shape[1] < image.shape[1]
    assert cv2.imread(str(whole / library.media("thumb", trick=2, seat="N")[0].name)).shape[1] == 240


def test_play_that_the_camera_puts_right_itself_is_pictured_again_with_room_for_the_card_found_later() -> None:
    wishes = Wishes()
    first = {"event": "CardsPlayed", "source": "camera", "seat": "W", "trick": 8, "t": 98.2, "evidence": {"corners_mm": CORNERS}}
    list(wishes.take(1, first))
    later = {"event": "Corrected", "source": "inferred", "seat": "W", "trick": 8, "t": 99.0, "cards": ["HQ", "HQ"], "evidence": {"raw": ["HQ", "HQ"]}}
    guard, still = wishes.take(2, later)
    assert isinstance(guard, Guard)
    assert isinstance(still, Still)
    assert (still.trick, still.seat, still.t0) == (8, "W", 99.0)
    corners = np.array(still.evidence["corners_mm"])
    assert corners[..., 0].min() < -60 - 30
    assert corners[..., 1].max() > 124 + 30
    assert [type(wish) for wish in wishes.take(3, {**later, "source": "referee"})] == [Guard], "a referee's correction shows no new card"


def test_what_a_ruling_rests_on_is_evidence(whole: Path) -> None:
    tiers = {(m.trick, m.tier) for m in Library.open(whole).media(deal=1)}
    assert tiers == {(1, "trick"), (2, EVIDENCE)}


def test_everything_at_a_time_can_be_protected(whole: Path) -> None:
    library = Library.open(whole)
    assert library.protect(12.0, 12.5) >= 2
    assert {m.tier for m in library.media("segment") if m.t0 <= 12.0 <= m.t1} == {EVIDENCE}


def test_still_table_costs_few_pictures(tmp_path: Path) -> None:
    recorder = record(tmp_path / "a.video", free=lambda _: 100 * GB)
    image = films.picture(0)
    from vision.camera import Frame, shrink

    small = shrink(image)
    for number in range(150):
        recorder.frame(Frame(image, small, number / 15, number))
    recorder.close()
    assert 30 < recorder._counts.pictures + recorder._counts.dropped < 75, "ten seconds"


def test_recorder_that_is_too_slow_drops_pictures_and_counts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(tmp_path / "a.video", free=lambda _: 100 * GB)
    disk = threading.Event()
    monkeypatch.setattr(Segment, "add", lambda *_: disk.wait())
    frames = list(films.frames(0, 6))
    for frame in frames:
        recorder.frame(frame)  # whoever offers pictures never waits for the disk, else this would not end
    assert recorder.status()["dropped"] >= len(frames) - recording.QUEUE - 1
    recorder._closing.set()
    disk.set()


# ---- crashes and damage


def break_off(folder: Path, t0: float, seconds: float) -> Path:
    """A segment as a killed process leaves it."""
    folder.mkdir(exist_ok=True)
    segment = Segment(folder, t0, films.SIZE)
    for frame in films.frames(t0, t0 + seconds):
        segment.add(frame.image, frame.t)
    segment._file.close()
    return segment.part


def test_killed_recorder_leaves_all_but_the_last_seconds(tmp_path: Path) -> None:
    folder = tmp_path / "a.video"
    part = break_off(folder, 30.0, 7.0)
    index = Index.open(folder)
    assert recover(folder, index) == ["seg-000030000.mp4"]
    (medium,) = index.media()
    index.close()
    assert not part.exists()
    assert medium.t0 == 30.0
    assert 33.8 <= medium.t1 <= 37.0


def test_next_run_takes_up_what_the_last_one_left(tmp_path: Path) -> None:
    folder = tmp_path / "a.video"
    break_off(folder, 0.0, 5.0)
    (folder / "d01-t01.mp4.new").write_bytes(b"half a clip")
    recorder = record(folder, free=lambda _: 100 * GB, shift=5.5)
    films.offer(recorder, 0.0, 3.0)
    recorder.close()
    library = Library.open(folder)
    assert [m.t0 for m in library.media("segment")] == [0.0, 5.5]
    assert not list(folder.glob("*.new"))
    assert len(library.sessions()) == 1
    assert library.gaps() == ((library.media("segment")[0].t1, 5.5),)


def test_pictures_are_copied_while_their_film_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single picture is held back until the piece is read to its end; the film that it is of must not be closed by then."""
    import av

    segment = Segment(tmp_path, 0.0, films.SIZE)
    segment.add(films.picture(0), 0.0)
    part = segment.end()
    open_now: set[int] = set()

    class Film:
        def __init__(self, film: Any) -> None:
            self._film = film

        def __enter__(self) -> Any:
            open_now.add(id(self))
            return self._film.__enter__()

        def __exit__(self, *error: object) -> None:
            open_now.discard(id(self))
            self._film.__exit__(*error)

    plain, here = av.open, threading.get_ident()

    def mine() -> bool:
        """A recorder of a test before may still be finishing its last piece."""
        return threading.get_ident() == here

    monkeypatch.setattr(av, "open", lambda *a, **k: plain(*a, **k) if len(a) > 1 or not mine() else Film(plain(*a, **k)))
    at_the_end: list[int] = []
    monkeypatch.setattr(probe, "settle", lambda _: at_the_end.append(len(open_now)) if mine() else None)
    assert finish(part) is not None
    assert at_the_end == [1]


def test_segment_that_cannot_be_finished_does_not_end_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a.video"
    broken, good = break_off(folder, 0.0, 3.0), break_off(folder, 10.0, 3.0)

    def refuse(part: Path) -> Path | None:
        if part == broken:
            raise MemoryError("Cannot allocate memory")
        return finish(part)

    monkeypatch.setattr(recording, "finish", refuse)
    recorder = record(folder, free=lambda _: 100 * GB, shift=20.0)
    films.offer(recorder, 0.0, 3.0)
    recorder.close()
    assert [m.t0 for m in Library.open(folder).media("segment")] == [10.0, 20.0]
    assert broken.exists(), "what cannot be finished today is kept"
    assert not good.exists()


def test_who_has_time_may_wait_until_the_folder_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, recover = threading.Event(), recording.recover
    monkeypatch.setattr(recording, "recover", lambda *given: opened.wait(20) and recover(*given))
    recorder = Recorder(tmp_path / "a.video", films.calibration)
    recorder.start()
    assert recorder.full
    opened.set()
    while recorder.full:
        time.sleep(0.01)
    films.offer(recorder, 0.0, 3.0)
    recorder.close()
    assert [m.t0 for m in Library.open(tmp_path / "a.video").media("segment")] == [0.0]


@pytest.mark.parametrize("size", [0, 40, 600])
def test_segment_of_which_nothing_is_left_is_given_up(tmp_path: Path, size: int) -> None:
    part = break_off(tmp_path / "a.video", 0.0, 0.5)
    part.write_bytes(part.read_bytes()[:size])
    assert finish(part) is None
    assert not part.exists()


def test_truncated_segment_is_shown_as_a_gap_and_clips_do_without_it(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "b.video"
    folder.mkdir()
    segments = Library.open(whole).media("segment")
    for medium in segments[:2]:
        (folder / medium.name).write_bytes((whole / medium.name).read_bytes())
    broken = folder / segments[0].name
    broken.write_bytes(broken.read_bytes()[:300])
    library = Library.open(folder)
    assert [m.name for m in library.media("segment")] == [segments[1].name]
    found = copy([Cut(folder / m.name, m.t0) for m in segments[:2]], folder / "d01-t01.mp4", 0.0, 15.0)
    assert found is not None
    assert found[0] == pytest.approx(segments[1].t0)


def test_nothing_to_copy_leaves_no_file(tmp_path: Path) -> None:
    assert copy([], tmp_path / "x.mp4", 0.0, 1.0) is None
    assert list(tmp_path.iterdir()) == []


def test_damaged_index_is_made_anew_from_the_files(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c.video"
    folder.mkdir()
    for path in whole.iterdir():
        if path.suffix in (".mp4", ".jpg"):
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / FILE).write_bytes(b"\xff" * 8192)
    before = {(m.name, m.kind, m.deal, m.trick, m.seat, m.size) for m in Library.open(whole).media()}
    assert {(m.name, m.kind, m.deal, m.trick, m.seat, m.size) for m in Library.open(folder).media()} == before
    index = Index.open(folder)
    assert {(m.name, m.kind, m.deal, m.trick, m.seat, m.size) for m in index.media()} == before
    index.close()


# ---- the disk


def test_full_disk_stops_video_says_so_and_goes_on_when_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = [100 * GB]
    recorder = record(tmp_path / "a.video", free=lambda _: free[0])
    monkeypatch.setattr("kiosk.recording.recorder.RETRY_S", 0.3)
    films.offer(recorder, 0.0, 1.0)
    plain = Segment.add

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Segment, "add", full)
    free[0] = 0
    films.offer(recorder, 1.0, 2.0)
    until(lambda: recorder.status()["state"] == "stopped")
    assert recorder.status()["why"]["en"] == "the disk is full: video has stopped, scoring goes on"
    assert recorder.status()["why"]["zh"] == "磁盘已满，录像停止；记分照常"
    monkeypatch.setattr(Segment, "add", plain)
    free[0] = 100 * GB
    until(lambda: recorder.status()["state"] == "recording")
    time.sleep(0.4)
    films.offer(recorder, 5.0, 8.0)
    recorder.close()
    assert any(m.t0 >= 5.0 for m in Library.open(tmp_path / "a.video").media("segment"))


def test_little_room_stops_video_before_the_log_has_none(tmp_path: Path) -> None:
    recorder = record(tmp_path / "a.video", keep=Keep(free=2 * GB), free=lambda _: GB - 1)
    films.offer(recorder, 0.0, 1.0)
    until(lambda: recorder.status()["state"] == "stopped")
    recorder.close()
    assert recorder.status()["state"] == "ended"


def test_disk_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    recorder = Recorder(tmp_path / "file" / "a.video", films.calibration)
    recorder.start()
    until(lambda: recorder.status()["state"] == "stopped")
    assert "scoring goes on" in recorder.status()["why"]["en"]
    recorder.close()


def until(true: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# ---- names and places


@pytest.mark.parametrize(
    ("name", "kind", "deal", "trick", "seat"),
    [
        (segment_name(12.3456), "segment", 0, 0, ""),
        (clip_name(3, 12), "clip", 3, 12, ""),
        (still_name(3, 12, "W"), "still", 3, 12, "W"),
        (still_name(112, 2, "E", "play"), "play", 112, 2, "E"),
        (still_name(1, 0, "", "thumb"), "thumb", 1, 0, ""),
    ],
)
def test_names_say_what_is_shown(name: str, kind: str, deal: int, trick: int, seat: str) -> None:
    found = parse_name(name)
    assert found is not None
    assert (found.kind, found.deal, found.trick, found.seat) == (kind, deal, trick, seat)


@pytest.mark.parametrize(
    "name", ["../table.db", "seg-1.mp4", "d01-t01-E.mp4", "d01-t01.jpg", "media.db", "seg-000000000.mp4.part", "d01-bottom.mp4", ""]
)
def test_other_names_are_no_media(whole: Path, name: str) -> None:
    assert parse_name(name) is None
    with pytest.raises(NotFoundError):
        Library.open(whole).path(name)


def test_absent_folder_is_an_empty_library(tmp_path: Path) -> None:
    library = Library.open(tmp_path / "none.video")
    assert (library.media(), library.gaps(), library.sessions(), library.at(1.0), library.protect(0, 1)) == ((), (), (), None, 0)
    assert not (tmp_path / "none.video").exists()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "table.db"
    with Store.open(path) as store:
        store.append([{"n": 1}], "camera")
    return path


def test_log_and_video_are_set_aside_together(log: Path) -> None:
    (log.parent / "table.video").mkdir()
    (log.parent / "table.video" / "seg-000000000.mp4").write_bytes(b"x")
    kept = set_aside(log)
    assert kept is not None
    assert not log.exists()
    assert not (log.parent / "table.video").exists()
    assert (folder_of(kept) / "seg-000000000.mp4").is_file()
    assert set_aside(log) is None


def test_video_elsewhere_is_found_again_also_when_set_aside(log: Path, tmp_path: Path) -> None:
    folder = place(log, tmp_path / "big disk")
    folder.mkdir(parents=True)
    assert folder_of(log) == folder == tmp_path / "big disk" / "table.video"
    assert place(log, None) == folder
    kept = set_aside(log)
    assert kept is not None
    assert folder_of(kept).parent == tmp_path / "big disk"
    assert folder_of(kept).is_dir()
    assert folder_of(log) == log.with_suffix(".video")


def test_index_is_read_where_nothing_can_be_written(whole: Path) -> None:
    connection = sqlite3.connect(f"file:{whole / FILE}?mode=ro", uri=True)
    assert connection.execute("SELECT count(*) FROM media").fetchone()[0] == len(Library.open(whole).media())
    connection.close()
