"""Pages in a real Chromium: opening one over a running table, and looking at it as a person far away or without sight would."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.kiosk.serving import serving
from tests.kiosk.tables import Fixture

WALL = {"width": 1920, "height": 1080}
TABLET = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SIZES = (WALL, TABLET, PHONE)
PAGES = ("/", "/table", "/referee", "/player", "/setup", "/overlay")
PATIENCE_MS = 240_000
"""Nothing here depends on how fast the machine is: a page has four minutes for what takes it a moment."""
expect.set_options(timeout=PATIENCE_MS)
_EXPECTED = ("404 (Not Found)", "409 (Conflict)", "403 (Forbidden)", "ERR_", "WebSocket")
"""Console lines about answers that the pages take for what they are: no picture, a refusal, no network."""


@contextmanager
def page_of(
    browser: Browser, made: Fixture, path: str, size: dict[str, int] = WALL, query: str = "", *, quiet: bool = False, port: int = 0
) -> Iterator[Page]:
    """Open a page of a table; an error in its scripts or a request to somebody else fails the test.

    :param quiet: as for somebody who asked for less motion.
    """
    problems: list[str] = []
    with serving(made, port) as found:
        context = browser.new_context(viewport=size, reduced_motion="reduce" if quiet else "no-preference")  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script("localStorage.setItem('trickwatch.noteSeconds', '600')")  # notes must outlast a slow machine
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" and not any(e in line.text for e in _EXPECTED) else None)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"http://localhost:{found}{path}{query}")
        expect(page.locator("#app")).not_to_have_attribute("aria-busy", "true")
        yield page
        context.close()
        assert problems == []
        own = (f"http://localhost:{found}/", "data:", f"blob:http://localhost:{found}/")
        assert [url for url in asked if not url.startswith(own)] == [], "a page asked somebody else"


def current_play(made: Fixture) -> tuple[int, dict[str, Any]]:
    """The number of the trick that lies on the table and its first play."""
    shown = made.table.shown()[1]
    trick = shown["trick"] if shown["trick"] and shown["trick"]["plays"] else shown["last_trick"]
    return trick["number"], trick["plays"][0]


def ink(page: Page, selector: str) -> float:
    """How high the glyphs of an element are (px)."""
    height: float = page.locator(selector).first.evaluate(
        """node => { const style = getComputedStyle(node); const pen = document.createElement("canvas").getContext("2d");
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`; const m = pen.measureText(node.textContent.trim());
        return m.actualBoundingBoxAscent + m.actualBoundingBoxDescent; }"""
    )
    return height


def arc_minutes(pixels: float, screen_px: int = 1080) -> float:
    """The angle of a height on a 32 inch 16:9 screen from 5 m."""
    millimetres = pixels / screen_px * 32 * 25.4 * 9 / math.hypot(16, 9)
    return math.degrees(math.atan(millimetres / 5000)) * 60


def outside(page: Page, parts: tuple[str, ...]) -> list[str]:
    """Parts of the page that stick out of the window (below only where the page does not scroll)."""
    found: list[str] = page.evaluate(
        """parts => { const low = document.scrollingElement.scrollHeight > innerHeight + 1 ? 1e6 : innerHeight + 1;
        return [...document.querySelectorAll(parts.map((part) => `#app ${part}`).join())]
          .map((node) => [node.className || node.tagName, node.getBoundingClientRect()])
          .filter(([, box]) => box.width > 1 && (box.left < -1 || box.right > innerWidth + 1 || box.top < -.03 * innerHeight || box.bottom > low))
          .map(([name, box]) => [name, box.left, box.top, box.right, box.bottom].join(" ")); }""",
        list(parts),
    )
    return found


def sideways(page: Page) -> float:
    """By how many pixels a page can be scrolled sideways."""
    found: float = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return found


def luminance(rgb: tuple[float, ...]) -> float:
    """Relative luminance of a colour (0..255 each), as WCAG reckons it."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.03928 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrasts(page: Page) -> list[tuple[str, float]]:
    """Every written text of a page with the contrast of its colour on its ground."""
    pairs = page.evaluate(
        r"""() => { const numbers = (text) => text.match(/[\d.]+/g).map(Number);
        const ground = (node) => { for (; node; node = node.parentElement) { const c = numbers(getComputedStyle(node).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [11, 15, 20]; };
        const written = (n) => [...n.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
        return [...document.querySelectorAll("#app *")].filter((n) => !(n instanceof SVGElement) && written(n))
          .map((n) => [n.className + ":" + n.textContent.trim(), numbers(getComputedStyle(n).color).slice(0, 3), ground(n)]); }"""
    )
    out = []
    for name, ink_colour, ground in pairs:
        high, low = sorted((luminance(tuple(ink_colour)), luminance(tuple(ground))), reverse=True)
        out.append((str(name), (high + 0.05) / (low + 0.05)))
    return out


def chinese_left(page: Page) -> list[str]:
    """Chinese characters on a page that is set to English, but for the language button, seats and people's names."""
    text = page.locator("#app").inner_text()
    return [c for c in text if "\u4e00" <= c <= "\u9fff" and c not in "中文东西南北"]
