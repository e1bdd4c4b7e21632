"""What holds on every page: both languages, three sizes of screen, the accessibility rules, names for a screen reader, practice marked as such."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from kiosk.access import Mode
from tests.kiosk.browsing import PAGES, SIZES, TABLET, WALL, chinese_left, page_of, sideways
from tests.kiosk.tables import Fixture, Maker, facts, until_trick

AXE = (Path(__file__).parent / "vendor" / "axe-4.10.3.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA and good practice, with the place."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, {runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']})", RULES)
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found["violations"] for node in one["nodes"]]


def nameless(page: Page) -> list[str]:
    """Whatever can be touched or stands for something, and has no name."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, a, input, select, img, [role=img], [role=dialog]")]
           .filter((n) => n.getClientRects().length)
           .filter((n) => !(n.getAttribute("aria-label") || n.alt || n.textContent.trim() || n.labels?.[0]?.textContent.trim()))
           .map((n) => n.outerHTML)"""
    )
    return found


@pytest.fixture
def alerted(make_table: Maker) -> Fixture:
    """A table in the middle of a deal with one ruling open."""
    return make_table(until_trick(6))


@pytest.mark.parametrize("path", PAGES)
def test_page_holds_in_both_languages_at_every_size(browser: Browser, alerted: Fixture, path: str) -> None:
    with page_of(browser, alerted, path, quiet=True) as page:
        page.evaluate("window.same = true")
        assert violations(page) == []
        assert nameless(page) == []
        assert page.locator("html").get_attribute("lang") == "zh-Hans"
        if path == "/overlay":
            page.goto(page.url + "?lang=en")
            expect(page.locator("#app")).not_to_have_attribute("aria-busy", "true")
        else:
            page.get_by_role("button", name="切换到英文").click()
            assert page.evaluate("window.same") is True, "the page was loaded again"
        expect(page.locator("html")).to_have_attribute("lang", "en")
        assert "trickwatch" in page.title()
        assert chinese_left(page) == []
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert sideways(page) <= 0, size
        assert violations(page) == []


@pytest.mark.parametrize("path", ["/table", "/player"])
def test_end_of_a_deal_breaks_no_rule_either(browser: Browser, make_table: Maker, path: str) -> None:
    with page_of(browser, make_table(facts()), path, TABLET, quiet=True) as page:
        assert violations(page) == []
        assert nameless(page) == []


@pytest.mark.parametrize("path", PAGES)
def test_practice_is_marked_as_such(browser: Browser, make_table: Maker, path: str) -> None:
    made = make_table(until_trick(2), mode=Mode.PRACTICE)
    with page_of(browser, made, path, WALL) as page:
        expect(page.locator(".practice")).to_have_text("练习")


def test_language_is_kept_for_the_next_visit(browser: Browser, alerted: Fixture) -> None:
    with page_of(browser, alerted, "/player", TABLET) as page:
        page.get_by_role("button", name="切换到英文").click()
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_screen_reader_hears_suit_rank_and_doubt(browser: Browser, alerted: Fixture) -> None:
    with page_of(browser, alerted, "/table") as page:
        trick = alerted.table.shown()[1]["last_trick"]
        card = trick["plays"][0]["cards"][0]
        suit = {"S": "黑桃", "H": "红桃", "D": "方块", "C": "梅花"}[card[0]]
        tree = page.locator("#app").aria_snapshot()
        assert f'button "{suit}{card[1:]}"' in tree
        assert "闲家40分" in tree
        assert "alert" in tree
        assert "主牌：红桃" in tree


def test_nothing_moves_for_who_asked_for_less_motion(browser: Browser, alerted: Fixture) -> None:
    count = "document.getAnimations().filter((one) => one.playState === 'running').length"
    with page_of(browser, alerted, "/table", quiet=True) as page:
        assert page.evaluate(count) == 0


def test_competition_says_that_only_the_referee_corrects(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(2), mode=Mode.COMPETITION, pin="4711")
    with page_of(browser, made, "/", TABLET) as page:
        expect(page.locator(".mode")).to_contain_text("比赛模式")
        links = [link.get_attribute("href") for link in page.get_by_role("link").all()]
        assert links == ["/table", "/referee", "/player", "/setup", "/overlay", "/review"]
