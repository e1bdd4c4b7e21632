"""The smaller pages in a real Chromium: the front page with its codes, the player's phone, the overlay, setting up."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from kiosk.access import Mode
from tests.kiosk.browsing import PHONE, TABLET, WALL, arc_minutes, page_of
from tests.kiosk.tables import Fixture, Maker, facts, until_trick


@pytest.fixture
def mid(make_table: Maker) -> Fixture:
    return make_table(until_trick(5))


def read_code(page: Page, url: str) -> str:
    """What a phone's camera reads from a QR code of the table."""
    page.goto(url)
    data = np.frombuffer(page.screenshot(), np.uint8)
    return str(cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE))[0])


def test_codes_of_the_front_page_lead_a_phone_to_this_table(browser: Browser, mid: Fixture) -> None:
    mid.kiosk.addresses = ("http://192.168.1.5:8000",)
    with page_of(browser, mid, "/", TABLET) as page:
        codes = page.locator("img.qr")
        expect(codes).to_have_count(6)
        assert codes.nth(2).get_attribute("alt") == "牌手手机的二维码"
        expect(page.locator(".address")).to_have_text("http://192.168.1.5:8000")
        assert read_code(page, page.url.rstrip("/") + str(codes.nth(2).get_attribute("src"))) == "http://192.168.1.5:8000/player"


def test_front_page_of_a_lonely_machine_says_how_to_let_phones_in(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/", TABLET) as page:
        expect(page.locator(".address")).to_contain_text("--host 0.0.0.0")
        expect(page.locator("img.qr")).to_have_count(0)
        expect(page.locator(".mode")).to_contain_text("家庭模式")


def test_referees_code_pairs_a_tablet_when_asked(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(2), mode=Mode.COMPETITION, pin="4711")
    made.kiosk.addresses = ("http://192.168.1.5:8000",)
    with page_of(browser, made, "/", TABLET) as page:
        page.locator('[data-key="pair"]').click()
        expect(page.locator('[data-key="pair"]')).to_contain_text("现在可以配对")
        assert "pair" in str(page.locator('a[data-page="referee"] img.qr').get_attribute("src"))


def test_player_sees_score_and_last_trick_and_cannot_touch_them(browser: Browser, mid: Fixture) -> None:
    shown = mid.table.shown()[1]
    with page_of(browser, mid, "/player", PHONE) as page:
        expect(page.locator("[data-points]")).to_have_text(str(shown["points"]))
        for play in shown["last_trick"]["plays"]:
            cards = page.locator(f'.play[data-seat="{play["seat"]}"] .card')
            assert [cards.nth(i).get_attribute("data-card") for i in range(cards.count())] == play["cards"]
        expect(page.locator(".play.winning")).to_have_attribute("data-seat", shown["last_trick"]["winner"])
        assert [b.get_attribute("data-key") for b in page.get_by_role("button").all()] == ["lang"]
        mid.table.set_score(95, 6, {}, None, "local")
        expect(page.locator("[data-points]")).to_have_text("95")


def test_player_hears_of_a_review_and_of_the_end(browser: Browser, make_table: Maker) -> None:
    made = make_table(facts())
    with page_of(browser, made, "/player", PHONE) as page:
        expect(page.locator(".review")).to_contain_text("裁判复核中")
        made.table.decide(made.table.shown()[1]["rulings"][0]["ruling"], "overruled", "local")
        expect(page.locator(".review")).to_have_count(0)
        expect(page.locator(".score .next")).to_contain_text("闲家上台")


def test_overlay_lets_the_video_through(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/overlay", WALL) as page:
        picture = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
        assert picture.shape[2] == 4
        assert picture[200, 960, 3] == 0, "above the bar the video shows"
        assert picture[-60, 960, 3] > 200, "the bar is there"
        assert (picture[:, :, 3] == 0).mean() > 0.7
        expect(page.locator("[data-points]")).to_have_text(str(mid.table.shown()[1]["points"]))
        assert page.get_by_role("button").count() == 0


SETUP: dict[str, Any] = {
    "camera": {"source": "0", "size": [1920, 1080], "problem": None},
    "calibration": {
        "kind": "guess", "expected": [0, 1, 2, 3], "square": [[0.3, 0.1], [0.7, 0.1], [0.7, 0.9], [0.3, 0.9]],
        "markers": [{"id": n, "corners": [[0.1, n / 10], [0.14, n / 10], [0.14, n / 10 + 0.06], [0.1, n / 10 + 0.06]]} for n in (0, 1, 3)],
    },
    "checks": [
        {"name": "focus", "state": "pass", "zh": "清晰", "en": "Sharp"},
        {"name": "glare", "state": "fail", "zh": "右上角反光，请移开灯", "en": "Glare in the upper right corner: move the lamp"},
    ],
    "rulebook": "official-2deck-shengji", "names": {"E": "李", "N": "", "W": "", "S": ""}, "levels": {"EW": "2", "NS": "2"},
    "started": True, "trick": 6,
    "deck": {"state": "looking", "found": 37, "of": 54, "missing": ["SA", "BJ"], "problem": None},
}  # fmt: skip


def with_camera(page: Page, asked: list[tuple[str, Any]]) -> None:
    """Let the page believe in a camera: what it asks for is kept, what it gets is SETUP."""

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            asked.append((route.request.url.rpartition("/api/")[2], json.loads(route.request.post_data or "{}")))
        route.fulfill(json=SETUP)

    for path in ("setup", "setup/checks", "setup/corners", "setup/markers", "setup/deck"):
        page.route(f"**/api/{path}", answer)
    page.reload()
    expect(page.locator(".checks li").first).to_be_visible()


def test_set_up_shows_markers_checks_and_what_to_do(browser: Browser, mid: Fixture) -> None:
    asked: list[tuple[str, Any]] = []
    with page_of(browser, mid, "/setup", TABLET) as page:
        with_camera(page, asked)
        expect(page.locator(".drawn .marker")).to_have_count(3)
        expect(page.locator(".markers .missing")).to_have_text("✗ 标记 2")
        expect(page.locator(".checks .is-fail")).to_contain_text("右上角反光，请移开灯")
        expect(page.locator('[data-part="deck"]')).to_contain_text("已认出 37 / 54 张")
        for key, path in (("checks", "checks"), ("markers", "markers"), ("deck.look", "deck")):
            with page.expect_response(f"**/api/setup/{path}"):
                page.locator(f'[data-key="{key}"]').click()
        assert asked == [("setup/checks", {}), ("setup/markers", {}), ("setup/deck", {"do": "look"})]


def test_four_points_are_set_by_mouse_and_by_arrow_keys(browser: Browser, mid: Fixture) -> None:
    asked: list[tuple[str, Any]] = []
    with page_of(browser, mid, "/setup", TABLET) as page:
        with_camera(page, asked)
        page.locator('[data-key="points"]').click()
        frame = page.locator(".frame").bounding_box()
        assert frame is not None
        for x, y in ((0.25, 0.2), (0.75, 0.2), (0.75, 0.8), (0.25, 0.8)):
            page.locator(".frame").click(position={"x": x * frame["width"], "y": y * frame["height"]})
        page.locator('[data-key="handle.NW"]').focus()
        page.keyboard.press("ArrowRight")
        with page.expect_response("**/api/setup/corners"):
            page.locator('[data-key="points.use"]').click()
        expect(page.locator('[data-key="points"]')).to_be_visible()
        assert [path for path, _ in asked] == ["setup/corners"]
        assert np.allclose(asked[0][1]["square"], [[0.254, 0.2], [0.75, 0.2], [0.75, 0.8], [0.25, 0.8]], atol=0.004)


def test_names_and_rulebook_are_chosen_with_their_words(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/setup", TABLET) as page:
        for seat, name in zip("ENWS", ("李", "王", "张", "陈"), strict=True):
            page.locator(f'[data-key="name.{seat}"]').fill(name)
        page.locator('[data-key="names"]').click()
        expect(page.locator(".toast")).to_contain_text("姓名已保存")
        assert mid.table.shown()[1]["names"] == {"E": "李", "N": "王", "W": "张", "S": "陈"}
        page.locator('[data-key="rulebook"]').select_option("swiss-3deck")
        expect(page.locator('[data-part="rulebook"] .note')).to_be_visible()
        page.locator('[data-key="words"]').click()
        expect(page.locator(".words dt").first).to_be_visible()
        mid.table.set_score(95, 6, {}, None, "local")
        expect(page.locator(".words[open] dt").first).to_be_visible()
        expect(page.locator(".words q").first).to_be_visible()


def test_chair_test_shows_the_sizes_of_the_wall_and_takes_the_answer(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/setup", WALL) as page:
        expect(page.locator(".angles .good")).to_have_count(3)
        page.locator('[data-key="metres"]').fill("9")
        page.locator('[data-key="metres"]').press("Tab")
        expect(page.locator(".angles .small")).to_have_count(3)
        page.locator('[data-key="chart"]').click()
        size = "n => parseFloat(getComputedStyle(n).fontSize)"
        rows = {name: float(page.locator(f".chart .{name}").evaluate(size)) for name in ("row-key", "row-text")}
        assert arc_minutes(0.733 * rows["row-key"]) >= 60
        assert arc_minutes(0.92 * rows["row-text"]) >= 30
        page.locator(".chart .row-text").click()
        expect(page.locator(".verdict")).to_contain_text("文字看得清")
