"""The recorded files over HTTP, and that a browser plays them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from kiosk.recording import folder_of
from kiosk.recording.folder import clip_name, segment_name, still_name
from kiosk.recording.index import Index, Medium
from kiosk.recording.segments import Segment, finish
from tests.kiosk import films
from tests.kiosk.browsing import page_of
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_web import TABLET, client

JPEG = b"\xff\xd8\xff\xe0 not looked at"


@pytest.fixture
def recorded(make_table: Maker) -> Fixture:
    """A table in the second trick with a segment, and a picture of a play."""
    made = make_table(until_trick(1))
    folder = folder_of(made.store.path)
    folder.mkdir()
    segment = Segment(folder, 0.0, films.SIZE)
    for frame in films.frames(0.0, 4.0):
        segment.add(frame.image, frame.t)
    whole = finish(segment.end())
    assert whole is not None
    (folder / clip_name(1, 1)).write_bytes(whole.read_bytes())
    (folder / still_name(1, 1, "E", "play")).write_bytes(JPEG)
    index = Index.open(folder)
    index.add(Medium(still_name(1, 1, "E", "play"), "play", 1, 1, "E", 6, 3.0, 3.0, len(JPEG)))
    index.close()
    return made


def test_media_are_listed_by_deal_trick_and_kind(recorded: Fixture) -> None:
    with client(recorded) as local:
        found = local.get("/api/media").json()
        assert [medium["name"] for medium in found["media"]] == [clip_name(1, 1), segment_name(0), still_name(1, 1, "E", "play")]
        assert found["gaps"] == []
        assert [m["kind"] for m in local.get("/api/media", params={"deal": 1, "trick": 1, "kind": "clip"}).json()["media"]] == ["clip"]
        assert local.get("/api/media", params={"kind": "everything"}).status_code == 422


def test_any_part_of_a_film_can_be_asked_for(recorded: Fixture) -> None:
    whole = (folder_of(recorded.store.path) / segment_name(0)).read_bytes()
    with client(recorded, TABLET, "192.168.1.5:8000") as tablet:
        answer = tablet.get(f"/api/media/{segment_name(0)}")
        assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, "video/mp4", whole)
        part = tablet.get(f"/api/media/{segment_name(0)}", headers={"Range": "bytes=100-199"})
        assert (part.status_code, part.content) == (206, whole[100:200])


def test_picture_of_a_play(recorded: Fixture) -> None:
    with client(recorded) as local:
        answer = local.get("/api/evidence/plays/1/1/E.jpg")
        assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, "image/jpeg", JPEG)
        missing = local.get("/api/evidence/plays/1/1/N.jpg")
        assert missing.status_code == 404
        assert missing.json() == {"zh": "这次出牌没有照片", "en": "there is no picture of this play"}
        assert local.get("/api/evidence/plays/1/1/X.jpg").status_code == 422


@pytest.mark.parametrize("name", ["media.db", "..%2Ftable.db", "seg-000000000.mp4.part", "nothing.mp4"])
def test_nothing_else_of_the_folder_is_given_out(recorded: Fixture, name: str) -> None:
    (folder_of(recorded.store.path) / "seg-000000000.mp4.part").write_bytes(b"x")
    with client(recorded) as local:
        assert local.get(f"/api/media/{name}").status_code == 404


def test_table_without_video_has_an_empty_list(make_table: Maker) -> None:
    made = make_table(until_trick(1))
    with client(made) as local:
        assert local.get("/api/media").json() == {"media": [], "gaps": []}
    assert not folder_of(made.store.path).exists()
    assert made.kiosk.status()["record"] is None


def test_status_tells_of_the_recorder(recorded: Fixture, tmp_path: Path) -> None:
    from kiosk.recording.recorder import Recorder

    recorded.kiosk.recorder = Recorder(tmp_path / "x.video", films.calibration)
    assert recorded.kiosk.status()["record"]["state"] == "recording"
    recorded.kiosk.recorder = None


_PLAY = """async name => {
    const video = document.createElement('video');
    video.muted = true;
    const wait = what => new Promise((good, bad) => {
        video.addEventListener(what, good, {once: true});
        video.addEventListener('error', () => bad(new Error(video.error && video.error.message)), {once: true});
    });
    const loaded = wait('loadeddata');
    video.src = '/api/media/' + name;
    await loaded;
    const sought = wait('seeked');
    video.currentTime = 2.5;
    await sought;
    return [video.duration, video.videoWidth, video.videoHeight, video.currentTime];
}"""


def test_segment_and_clip_play_and_seek_in_a_browser(browser: Browser, recorded: Fixture) -> None:
    with page_of(browser, recorded, "/table") as page:
        for name in (segment_name(0), clip_name(1, 1)):
            duration, width, height, at = page.evaluate(_PLAY, name)
            assert (width, height) == films.SIZE
            assert duration == pytest.approx(4.0, abs=0.2)
            assert at == pytest.approx(2.5)
