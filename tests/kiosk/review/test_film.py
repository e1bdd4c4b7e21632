"""The review page over a real recording of the rendered demonstration match: its video plays, follows the steps, and says where there is none."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from cli.kiosk import DEMO
from engine import referee
from engine.events import CardsPlayed, DealStarted, Event, MatchStarted, Source, TrickClosed, from_json
from engine.rulebook_toml import load
from kiosk.recording import folder_of
from kiosk.recording.library import Library
from kiosk.recording.recorder import Recorder
from kiosk.service import RunningTable
from kiosk.store import Store
from tests.kiosk.browsing import PATIENCE_MS, TABLET, page_of
from tests.kiosk.tables import RULEBOOK, Clock, Fixture, Maker
from vision.calibration import whole_picture
from vision.camera import Frame, shrink

SIZE = (640, 360)
EVERY = 3
"""Of the film's fifteen pictures a second so many are taken one."""
LAST_TRICK = 3
PAUSE_S = 5.0
"""So long nothing is recorded after the first trick."""


def truth() -> list[Event]:
    return [from_json(json.loads(line)) for line in (DEMO / "truth.jsonl").read_text("utf-8").splitlines()]


def told() -> list[Event]:
    """What the camera tells of the film, by its truth."""
    facts = [event for event in truth() if not referee.is_derived(event) and not isinstance(event, (MatchStarted, DealStarted))]
    return [replace(fact, source=Source.CAMERA, evidence={"frames": [fact.t - 0.2, fact.t]}) for fact in facts]


def closed(trick: int) -> float:
    return next(event.t for event in truth() if isinstance(event, TrickClosed) and event.trick == trick)


def pictures(until: float) -> Iterator[Frame]:
    """The film's pictures from shortly before the first play."""
    begin = next(fact.t for fact in told() if isinstance(fact, CardsPlayed)) - 3.0
    film = cv2.VideoCapture(str(DEMO / "film.mp4"))
    rate = film.get(cv2.CAP_PROP_FPS)
    number = 0
    while (t := number / rate) < until and film.grab():
        if number % EVERY == 0 and t >= begin:
            image = np.asarray(cv2.resize(film.retrieve()[1], SIZE, interpolation=cv2.INTER_AREA), np.uint8)
            yield Frame(image, shrink(image), t, number)
        number += 1
    film.release()


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of the whole match, and video of its first tricks with a pause in it."""
    log = tmp_path_factory.mktemp("film") / "final.db"
    facts = told()
    pause = closed(1) + 1.5
    with Store.open(log) as store:
        table = RunningTable(store, rulebooks=load, clock=Clock())
        table.begin(RULEBOOK, {"E": "王芳", "N": "李伟", "W": "张敏", "S": "刘洋"}, {"EW": "2", "NS": "2"})
        recorder = Recorder(folder_of(log), lambda: whole_picture(SIZE))
        recorder.start()
        assert recorder._ready.wait(60)
        table.listen(recorder.on_update)
        for frame in pictures(closed(LAST_TRICK) + 2.0):
            while facts and facts[0].t <= frame.t:
                table.record(facts.pop(0))
            while recorder._frames.full():
                time.sleep(0.005)
            if not pause <= frame.t < pause + PAUSE_S:
                recorder.frame(frame)
        recorder.close()
        for fact in facts:
            table.record(fact)
    assert [m.trick for m in Library.open(folder_of(log)).media("clip")] == [1, 2, 3]
    return log


@pytest.fixture
def made(make_table: Maker, recording: Path, tmp_path: Path) -> Fixture:
    (tmp_path / recording.name).write_bytes(recording.read_bytes())
    folder_of(tmp_path / recording.name).symlink_to(folder_of(recording))
    return make_table(())


def open_film(page: Page) -> None:
    page.locator(".match", has_text="王芳").click()
    expect(page.locator(".tile").first).to_be_visible()
    page.get_by_role("tab", name="录像").click()


def wait(page: Page, condition: str) -> None:
    """Wait until a condition of the film holds."""
    for _ in range(PATIENCE_MS // 100):
        if page.locator("video").evaluate(f"film => {condition}"):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"the film never came to {condition}")


def at(page: Page) -> float:
    """Where the film stands (s), once it has got there."""
    wait(page, "film.readyState >= 2 && !film.seeking")
    return float(page.locator("video").evaluate("film => film.currentTime"))


def test_film_goes_to_the_play_that_is_chosen_and_plays(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET) as page:
        open_film(page)
        expect(page.locator(".tile .thumb")).to_have_count(LAST_TRICK)
        page.locator('[data-key="trick.2"]').click()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".controls output")).to_contain_text("第 2 墩 第 2 家")
        expect(page.locator("video")).to_have_attribute("data-clip", "d01-t02.mp4")
        second = at(page)
        page.locator(".still").nth(3).click()
        expect(page.locator(".controls output")).to_contain_text("第 2 墩 第 4 家")
        fourth = at(page)
        t0 = float(str(page.locator("video").get_attribute("data-t0")))
        plays = [fact.t for fact in told() if isinstance(fact, CardsPlayed) and fact.trick == 2]
        assert fourth - second == pytest.approx(plays[3] - plays[1], abs=0.3)
        assert t0 + fourth == pytest.approx(plays[3] - 2.0, abs=0.5)
        page.locator("video").evaluate("film => { film.muted = true; return film.play(); }")
        wait(page, f"film.currentTime > {fourth + 0.3}")
        assert re.search(r"&deal=1&trick=2&play=4$", page.url)
        page.goto(page.url)
        expect(page.locator(".controls output")).to_contain_text("第 2 墩 第 4 家")


def test_times_without_video_stand_in_the_timeline(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET) as page:
        open_film(page)
        gaps = page.locator(".gap.unrecorded")
        seconds = [int(re.findall(r"\d+", text)[0]) for text in gaps.all_inner_texts()]
        assert any(abs(s - PAUSE_S) <= 1 for s in seconds), seconds
        name = "(one) => one.classList.contains('unrecorded') ? 'gap' : one.innerText.split('\\n')[0]"
        order = page.locator(".timeline > li").evaluate_all(f"all => all.map({name})")
        assert order.index("gap", 1) == order.index("2") - 1, order
        assert max(seconds) > 60, "after the third trick nothing was recorded"
        expect(page.locator(".panel .note")).to_contain_text("没有录像")
        page.locator('[data-key="trick.9"]').click()
        expect(page.locator(".panel .empty")).to_have_text("本墩没有录像")


def test_continuous_video_is_shown_where_a_trick_has_no_clip(browser: Browser, made: Fixture, tmp_path: Path, recording: Path) -> None:
    folder = folder_of(tmp_path / recording.name)
    folder.unlink()
    folder.mkdir()
    for file in folder_of(recording).glob("seg-*.mp4"):
        (folder / file.name).write_bytes(file.read_bytes())
    with page_of(browser, made, "/review", TABLET) as page:
        open_film(page)
        page.locator('[data-key="trick.2"]').click()
        expect(page.locator(".panel")).to_contain_text("这是连续录像")
        t0 = float(str(page.locator("video").get_attribute("data-t0")))
        last = next(fact.t for fact in reversed(told()) if isinstance(fact, CardsPlayed) and fact.trick == 2)
        assert t0 + at(page) == pytest.approx(max(t0, last - 2.0), abs=0.5)
