"""The review page in a real Chromium, over a folder with recorded matches (one with video) and a running one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from kiosk.recording.segments import Segment, finish
from tests.kiosk.browsing import PHONE, TABLET, WALL, chinese_left, page_of, sideways
from tests.kiosk.recorded import match_file
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_pages_everywhere import nameless, violations


def with_video(log: Path) -> None:
    """A clip of trick 2 and pictures of its plays beside a log."""
    folder = log.with_name(f"{log.stem}.video")
    folder.mkdir()
    segment = Segment(folder, 0.0, (320, 240))
    for i in range(12):
        segment.add(np.full((240, 320, 3), 20 * i, np.uint8), i / 10)
    part = segment.end()
    whole = finish(part)
    assert whole is not None
    whole.rename(folder / "d01-t02.mp4")
    for seat in "ENWS":
        for form in ("", ".play", ".thumb"):
            cv2.imwrite(str(folder / f"d01-t02-{seat}{form}.jpg"), np.full((60, 80, 3), 128, np.uint8))


@pytest.fixture
def made(make_table: Maker, tmp_path: Path) -> Fixture:
    with_video(match_file(tmp_path / "old.db", lively=True))
    match_file(tmp_path / "older.db", deals=2, seed=2)
    return make_table(until_trick(5))


WATCH_OUTPUT = """() => {
    const output = document.querySelector(".controls output");
    const moments = [];
    window.moments = new Promise((enough) => {
        new MutationObserver(() => {
            const text = output.textContent.trim();
            if (moments[moments.length - 1] !== text) moments.push(text);
            if (moments.length === 3) enough(moments);
        }).observe(output, {childList: true, characterData: true, subtree: true});
    });
}"""
"""Keeps the first moments that the page names, however fast it goes on."""


def open_match(page: Page, deals: int) -> None:
    """Open the recorded match of so many deals."""
    page.locator(".match", has_text="王芳").filter(has_text=re.compile(rf"(?<!\d){deals} 局")).click()
    expect(page.locator(".tile").first).to_be_visible()
    expect(page.locator(".item").first).to_be_visible()


def cards(page: Page, seat: str) -> list[str | None]:
    found = page.locator(f".place-{seat} > .cards .card")
    return [found.nth(i).get_attribute("data-card") for i in range(found.count())]


def test_matches_are_found_and_a_deal_is_stepped_through_card_by_card(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", WALL) as page:
        expect(page.locator(".match")).to_have_count(3)
        page.get_by_label("牌手").fill("张敏")
        expect(page.locator(".match")).to_have_count(2)
        page.get_by_label("到哪天").fill("2026-03-06")
        expect(page.locator(".empty")).to_have_text("没有找到比赛")
        page.get_by_label("到哪天").fill("")
        expect(page.locator(".match")).to_have_count(2)
        open_match(page, 1)
        assert [cards(page, seat) for seat in "ENWS"] == [[], [], [], []]
        leader = page.locator(".dealer").locator("xpath=ancestor::div[contains(@class, 'place')]").get_attribute("data-seat")
        page.keyboard.press("ArrowRight")
        assert [bool(cards(page, seat)) for seat in "ENWS"].count(True) == 1
        assert cards(page, str(leader))
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        assert all(cards(page, seat) for seat in "ENWS")
        expect(page.locator(".place.winning")).to_have_count(1)
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".place.winning")).to_have_count(0)
        page.keyboard.press("End")
        expect(page.locator(".facts .result")).to_contain_text("共")
        page.evaluate(WATCH_OUTPUT)
        page.get_by_role("button", name="播放").click()
        expect(page.get_by_role("button", name="暂停")).to_be_visible()
        shown = [re.sub(r" \d\d:\d\d:\d\d$", "", text) for text in page.evaluate("window.moments")]
        page.get_by_role("button", name="暂停").click()
        assert shown == ["第 1 墩 第 0 家", "第 1 墩 第 1 家", "第 1 墩 第 2 家"]
        expect(page.locator(".chart canvas")).to_be_visible()


def test_hands_are_shown_on_demand_once_the_deal_is_over_and_never_before(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", WALL) as page:
        page.locator(".match").first.click()
        expect(page.locator(".tile")).to_have_count(5)
        expect(page.locator(".controls .soft")).to_have_text("本局结束后可看手牌")
        assert page.locator(".hand").count() == 0
        page.get_by_role("button", name="返回列表").click()
        open_match(page, 1)
        assert page.locator(".hand").count() == 0
        page.get_by_role("button", name="显示四家手牌").click()
        for seat in "ENWS":
            expect(page.locator(f".place-{seat} .hand .card")).to_have_count(25)
        played = len(cards(page, "E"))
        page.locator('[data-key="trick.1"]').click()
        played = len(cards(page, "E"))
        expect(page.locator(".place-E .hand .card")).to_have_count(25 - played)
        page.get_by_role("button", name="隐藏手牌").click()
        expect(page.locator(".hand")).to_have_count(0)


def test_inbox_leads_to_the_moment_and_is_ticked_off_and_comments_stay(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET) as page:
        open_match(page, 1)
        expect(page.locator(".gap")).to_have_text("未见牌桌 20 秒")
        page.get_by_role("button", name="判罚", exact=True).click()
        alert = page.locator(".item.alert").first
        trick = str(re.search(r"第 (\d+) 墩", alert.inner_text()).group(1))  # type: ignore[union-attr]
        alert.locator(".go").click()
        expect(page.locator(".controls output")).to_contain_text(f"第 {trick} 墩 第 4 家")
        alert.get_by_role("button", name="标为已看").click()
        expect(alert.get_by_role("button", name="已看")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("tab", name="评论").click()
        page.get_by_label("对此刻的评论").fill("此处应先吊主 <i>")
        page.get_by_role("button", name="发表").click()
        expect(page.locator(".panel .item b")).to_have_text("此处应先吊主 <i>")
        page.reload()
        expect(page.locator(".controls output")).to_contain_text(f"第 {trick} 墩 第 4 家")
        page.get_by_role("tab", name="评论").click()
        expect(page.locator(".panel .item b")).to_have_text("此处应先吊主 <i>")


def test_address_leads_to_a_moment(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET) as page:
        open_match(page, 2)
        page.locator('[data-key="deal.1"]').click()
        expect(page.locator('[data-key="deal.1"]')).to_have_attribute("aria-current", "true")
        page.locator('[data-key="trick.4"]').click()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".controls output")).to_contain_text("第 4 墩 第 3 家")
        address = page.url
        assert re.search(r"\?match=[0-9a-f]{16}&deal=2&trick=4&play=3$", address)
        page.goto(page.url.split("?")[0])
        expect(page.locator(".match")).to_have_count(3)
        page.goto(address)
        expect(page.locator(".controls output")).to_contain_text("第 4 墩 第 3 家")


def test_lessons_name_their_clause_and_the_clip_of_a_trick_plays(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET) as page:
        open_match(page, 1)
        page.get_by_role("tab", name="要点").click()
        assert page.locator(".lesson").count() >= 2
        for i in range(page.locator(".lesson small").count()):
            expect(page.locator(".lesson small").nth(i)).to_contain_text(re.compile("《|原文未写明"))
        page.get_by_role("tab", name="录像").click()
        expect(page.locator(".panel .empty")).to_have_text("本墩没有录像")
        page.locator('[data-key="trick.2"]').click()
        expect(page.locator(".tile .thumb")).to_have_count(1)
        page.locator("video").evaluate("video => video.play()")
        page.wait_for_function("document.querySelector('video').currentTime > 0")
        expect(page.locator(".stills img")).to_have_count(4)


def test_statistics_are_of_those_who_agreed_and_a_name_is_deleted(browser: Browser, made: Fixture) -> None:
    with page_of(browser, made, "/review", TABLET, query="?page=statistics") as page:
        expect(page.locator(".statistics .empty")).to_have_text("还没有人同意统计")
        page.locator('.people [data-name="王芳"] input').check()
        expect(page.locator('tr[data-name="王芳"] td').nth(1)).to_have_text("3")
        page.locator('.people [data-name="王芳"]').get_by_role("button", name="删除姓名").click()
        page.locator('.sheet [data-key="forget.yes"]').click()
        expect(page.locator('[data-name="王芳"]')).to_have_count(0)
        expect(page.locator('.people [data-name="李伟"]')).to_have_count(1)


@pytest.mark.parametrize("query", ["", "match", "?page=statistics"])
def test_review_holds_in_both_languages_at_every_size(browser: Browser, made: Fixture, query: str) -> None:
    with page_of(browser, made, "/review", WALL, query=query if query.startswith("?") else "", quiet=True) as page:
        ready: Callable[[], None] = lambda: expect(page.locator(".match, .tile, .people").first).to_be_visible()  # noqa: E731
        ready()
        if query == "match":
            open_match(page, 1)
        assert violations(page) == []
        assert nameless(page) == []
        page.get_by_role("button", name="切换到英文").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        assert [c for c in chinese_left(page) if c not in "王芳李伟张敏刘洋东西南北"] == []
        for size in (WALL, TABLET, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert sideways(page) <= 0, size
        assert violations(page) == []
