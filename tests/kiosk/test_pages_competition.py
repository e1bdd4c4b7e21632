"""A competition in a real Chromium: changes ask for the PIN, guesses are slowed down, a code pairs one tablet, and a pairing can be ended."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kiosk.access import LOCKED_S, WRONG_PINS, Mode
from tests.kiosk.browsing import TABLET, page_of
from tests.kiosk.tables import Fixture, Maker, until_trick

PROXIED = {"X-Forwarded-For": "10.0.0.5"}
"""As through a proxy: not the machine's own console."""


@pytest.fixture
def hall(make_table: Maker) -> Fixture:
    made = make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")
    made.kiosk.addresses = ("http://192.168.1.5:8000",)
    return made


def tablet(page: Page, path: str) -> Page:
    """Another device in the hall that opens a page of this table."""
    browser = page.context.browser
    assert browser is not None
    context: BrowserContext = browser.new_context(viewport=TABLET, extra_http_headers=PROXIED)  # type: ignore[arg-type]
    context.add_init_script("localStorage.setItem('trickwatch.noteSeconds', '600')")
    found = context.new_page()
    parts = urlsplit(page.url)
    found.goto(f"{parts.scheme}://{parts.netloc}{path}")
    expect(found.locator("#app")).not_to_have_attribute("aria-busy", "true")
    return found


def test_a_score_by_hand_needs_the_pin_and_guessing_it_is_slowed_down(browser: Browser, hall: Fixture) -> None:
    with page_of(browser, hall, "/table", TABLET) as console:
        page = tablet(console, "/referee")
        page.locator('[data-key="score"]').click()
        for name, value in (("points", "85"), ("trick", "9")):
            page.locator(f'.sheet [name="{name}"]').fill(value)
        for name, value in (("EW", "5"), ("NS", "10"), ("leader", "W")):
            page.locator(f'.sheet [name="{name}"]').select_option(value)
        before = hall.table.seq
        page.locator('.sheet button[type="submit"]').click()
        pin = page.get_by_label("密码", exact=True)
        enter = page.get_by_role("button", name="确认", exact=True)
        for _ in range(WRONG_PINS):
            pin.fill("0000")
            with page.expect_response("**/api/login"):
                enter.click()
            expect(page.locator(".problem")).to_have_text("密码不对")
        pin.fill("4711")
        enter.click()
        expect(page.locator(".problem")).to_contain_text("输错次数过多")
        assert hall.table.seq == before, "nothing was changed meanwhile"
        hall.clock.now += LOCKED_S + 1
        enter.click()
        expect(page.locator(".toast")).to_contain_text("分数已手工设定")
        shown = hall.table.shown()[1]
        assert (shown["points"], shown["levels"], shown["trick"]["number"], shown["trick"]["turn"]) == (85, {"EW": "5", "NS": "10"}, 10, "W")
        expect(console.locator(".points .key")).to_have_text("85")
        page.context.close()


def test_a_code_pairs_one_tablet_once_and_the_console_can_end_the_pairing(browser: Browser, hall: Fixture) -> None:
    with page_of(browser, hall, "/", TABLET) as console:
        console.locator('[data-key="pair"]').click()
        code = console.locator('[data-page="referee"] .qr')
        expect(console.locator('[data-key="pair"]')).to_contain_text("可以配对")
        path = parse_qs(urlsplit(str(code.get_attribute("src"))).query)["path"][0]
        assert path.startswith("/pair?code=")

        page = tablet(console, path)
        assert urlsplit(page.url).path == "/referee"
        expect(page.locator('[data-key="pair"]')).to_have_count(0)
        late = tablet(console, path)
        expect(late.locator(".toast.bad")).to_contain_text("配对码已失效")
        expect(late.locator('[data-key="pair"]')).to_be_visible()
        late.context.close()

        page.locator('[data-key="undo"]').click()
        expect(page.locator(".toast")).to_contain_text("已撤销")
        assert hall.store.read()[-1].author == "referee@10.0.0.5"

        parts = urlsplit(console.url)
        console.goto(f"{parts.scheme}://{parts.netloc}/setup")
        console.get_by_role("button", name="解除 10.0.0.5 的配对").click()
        expect(console.locator(".toast")).to_contain_text("已解除配对")
        before = hall.table.seq
        expect(page.locator('[data-key="pair"]')).to_be_visible()
        page.locator('[data-key="undo"]').click()
        expect(page.get_by_label("密码", exact=True)).to_be_visible()
        assert hall.table.seq == before
        page.context.close()
