"""The pages in a real Chromium: what is on the wall, corrected by a tap, in both languages, offline and back."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.cards import Seat
from kiosk.access import Mode
from tests.kiosk.serving import serving
from tests.kiosk.tables import Fixture, Maker, facts, until_trick

WALL = {"width": 1920, "height": 1080}
TABLET = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def page_of(browser: Browser, made: Fixture, path: str, size: dict[str, int] = WALL, query: str = "") -> Iterator[Page]:
    """Open a page of a table; any error in its scripts fails the test."""
    problems: list[str] = []
    with serving(made) as port:
        context = browser.new_context(viewport=size)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script("localStorage.setItem('trickwatch.noteSeconds', '600')")  # notes must outlast a slow machine
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"http://localhost:{port}{path}{query}")
        expect(page.locator("#app")).not_to_have_attribute("aria-busy", "true")
        yield page
        context.close()
        assert problems == []
        own = (f"http://localhost:{port}/", "data:", f"blob:http://localhost:{port}/")
        assert [url for url in asked if not url.startswith(own)] == [], "a page asked somebody else"


def current_play(made: Fixture) -> tuple[int, dict[str, Any]]:
    shown = made.table.shown()[1]
    trick = shown["trick"] if shown["trick"] and shown["trick"]["plays"] else shown["last_trick"]
    return trick["number"], trick["plays"][0]


@pytest.fixture
def mid(make_table: Maker) -> Fixture:
    return make_table(until_trick(5))


def test_table_shows_what_the_room_wants_to_know(browser: Browser, mid: Fixture) -> None:
    shown = mid.table.shown()[1]
    with page_of(browser, mid, "/table") as page:
        for team in ("EW", "NS"):
            expect(page.locator(f'.level[data-team="{team}"] .key')).to_have_text(shown["levels"][team])
        expect(page.locator(".level.declares")).to_have_attribute("data-team", shown["declarers"])
        expect(page.locator(".level.declares .badge")).to_have_text("庄")
        expect(page.locator(".trump")).to_have_attribute("data-suit", shown["trump"].split("/")[1])
        expect(page.locator(".points .key")).to_have_text(str(shown["points"]))
        last = shown["last_trick"]
        for play in last["plays"]:
            cards = page.locator(f'.slot[data-seat="{play["seat"]}"] .card')
            assert [cards.nth(i).get_attribute("data-card") for i in range(cards.count())] == play["cards"]
        expect(page.locator(".slot.winning")).to_have_attribute("data-seat", last["winner"])
        expect(page.locator(".meta.number")).to_have_text(f"{last['number']}墩")


def test_table_shows_threshold_forecast_and_multiplier(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(2))
    shown = made.table.shown()[1]
    assert not shown["rulings"]
    with page_of(browser, made, "/table") as page:
        expect(page.locator(".to-next")).to_have_text(f"差{shown['points_to_next']}到{shown['next_threshold']}")
        expect(page.locator(".now .result")).to_contain_text("庄升")
        seat = Seat(shown["trick"]["turn"])
        made.table.play(shown["trick"]["number"], seat, ["SA"], "local")
        expect(page.locator(f'.slot[data-seat="{seat}"] .card').first).to_have_attribute("data-card", "SA")
        now = made.table.shown()[1]
        dig = page.locator(".meta.dig")
        expect(dig).to_have_text(f"底×{now['bottom']['multiplier']}") if now["bottom"]["multiplier"] else expect(dig).to_have_count(0)


def ink(page: Page, selector: str) -> float:
    """How high the glyphs of an element are (px): of a digit for key figures, of the given text otherwise."""
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


SECONDARY = (
    ".level .stack span", ".points .stack span", ".trump .stack span", ".to-next", ".now .label", ".now .result", ".seat .name", ".meta.number",
    ".meta.worth",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_key_figures_and_chinese_text_can_be_read_from_five_metres(browser: Browser, make_table: Maker, lang: str) -> None:
    made = make_table(until_trick(2))
    with page_of(browser, made, "/table", query=f"?lang={lang}") as page:
        for selector in (".level[data-team=EW] .key", ".level[data-team=NS] .key", ".points .key"):
            assert arc_minutes(ink(page, selector)) >= 60, selector
        suit = page.locator(".trump svg").bounding_box()
        assert suit is not None
        assert arc_minutes(suit["height"]) >= 60
        if lang == "zh":
            for selector in SECONDARY:
                assert arc_minutes(ink(page, selector)) >= 30, selector


@pytest.mark.parametrize("size", [WALL, TABLET, PHONE], ids=["wall", "tablet", "phone"])
@pytest.mark.parametrize("tricks", [0, 2, 5, 99])
def test_nothing_on_the_table_page_is_cut_off(browser: Browser, make_table: Maker, size: dict[str, int], tricks: int) -> None:
    made = make_table(facts() if tricks == 99 else until_trick(tricks))
    with page_of(browser, made, "/table", size) as page:
        outside = page.evaluate(
            """() => { const low = innerHeight > innerWidth ? 1e6 : innerHeight + 1;
            const parts = [".key", "p", ".card", ".stack span", ".badge", ".meta", ".name", "button", "h1"].map((part) => `#app ${part}`);
            return [...document.querySelectorAll(parts.join())].map((node) => [node.className || node.tagName, node.getBoundingClientRect()])
              .filter(([, box]) => box.width && (box.left < -1 || box.right > innerWidth + 1 || box.top < -.03 * innerHeight || box.bottom > low))
              .map(([name, box]) => [name, box.left, box.top, box.right, box.bottom].join(" ")); }"""
        )
        assert outside == []


def luminance(rgb: tuple[float, ...]) -> float:
    parts = [c / 255 / 12.92 if c / 255 <= 0.03928 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("tricks", [2, 6, 99])
def test_text_on_the_table_page_has_seven_to_one(browser: Browser, make_table: Maker, tricks: int) -> None:
    made = make_table(facts() if tricks == 99 else until_trick(tricks))
    with page_of(browser, made, "/table") as page:
        pairs = page.evaluate(
            r"""() => { const numbers = (text) => text.match(/[\d.]+/g).map(Number);
            const ground = (node) => { for (; node; node = node.parentElement) { const c = numbers(getComputedStyle(node).backgroundColor);
              if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [11, 15, 20]; };
            const written = (n) => [...n.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
            return [...document.querySelectorAll("#app *")].filter((n) => !(n instanceof SVGElement) && written(n))
              .map((n) => [n.className + ":" + n.textContent.trim(), numbers(getComputedStyle(n).color).slice(0, 3), ground(n)]); }"""
        )
        assert len(pairs) > 10
        for name, ink_colour, ground in pairs:
            high, low = sorted((luminance(tuple(ink_colour)), luminance(tuple(ground))), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 7, name


def test_card_is_corrected_in_two_taps_and_taken_back_in_one(browser: Browser, mid: Fixture) -> None:
    number, play = current_play(mid)
    with page_of(browser, mid, "/table") as page:
        slot = page.locator(f'.slot[data-seat="{play["seat"]}"]')
        slot.locator(".card").first.click()
        suggestions = page.locator(".sheet .suggestions .card")
        expect(suggestions.first).to_be_visible()
        assert 1 <= suggestions.count() <= 6
        chosen = suggestions.first.get_attribute("data-card")
        suggestions.first.click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", str(chosen))
        assert current_play(mid)[1]["cards"][0] == chosen
        expect(page.locator(".toast")).to_contain_text(f"第 {number} 墩")
        page.locator(".toast .undo").click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", play["cards"][0])
        expect(page.locator(".toast")).to_contain_text("已撤销")
        page.locator(".toast .undo").click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", str(chosen))


def test_points_follow_a_correction(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(5))
    shown = made.table.shown()[1]
    trick = shown["last_trick"]
    assert trick["winner"] not in shown["declarers"], "the test needs a trick of the attackers"
    with page_of(browser, made, "/table") as page:
        loser = next(p for p in trick["plays"] if p["seat"] != trick["winner"])
        page.locator(f'.slot[data-seat="{loser["seat"]}"] .card').first.click()
        page.get_by_role("button", name="其他牌…").click()
        page.locator('.sheet .faces [data-card="C10"], .sheet .faces [data-card="CK"]').first.click()
        expect(page.locator(".toast")).to_be_visible()
        expect(page.locator("[data-points]")).to_have_text(str(made.table.shown()[1]["points"]))
        assert made.table.shown()[1]["points"] != shown["points"]


def test_keyboard_alone_corrects_and_undoes(browser: Browser, mid: Fixture) -> None:
    _, play = current_play(mid)
    with page_of(browser, mid, "/table") as page:
        page.locator(f'.slot[data-seat="{play["seat"]}"] .card').first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".sheet .suggestions .card").first).to_be_focused()
        page.keyboard.press("1")
        expect(page.locator(".toast")).to_be_visible()
        assert current_play(mid)[1]["cards"][0] != play["cards"][0]
        page.keyboard.press("Backspace")
        expect(page.locator(".toast")).to_contain_text("已撤销")
        assert current_play(mid)[1]["cards"] == play["cards"]
        page.locator(f'.slot[data-seat="{play["seat"]}"] .card').first.click()
        expect(page.locator(".sheet .suggestions .card").first).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(".sheet")).to_have_count(0)


def test_alert_stands_beside_the_score_until_it_is_decided(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(6))
    ruling = made.table.shown()[1]["rulings"][0]
    with page_of(browser, made, "/table") as page:
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(f"第{ruling['trick']}墩")
        expect(alert).to_contain_text("可能")
        expect(alert).to_contain_text("裁判复核中")
        expect(page.locator(".points .key")).to_be_visible()
        made.table.decide(ruling["ruling"], "later", "local")
        expect(alert).to_contain_text("裁判复核中")
        made.table.decide(ruling["ruling"], "confirmed", "local")
        expect(page.locator(".alert.confirmed")).to_contain_text("判罚成立")
        expect(page.locator(".alert.confirmed")).not_to_contain_text("可能")


def test_reckoning_stays_until_it_is_confirmed(browser: Browser, make_table: Maker) -> None:
    made = make_table(facts())
    reckoning = made.table.shown()[1]["reckoning"]
    with page_of(browser, made, "/table") as page:
        expect(page.locator(".reckoning .points .key")).to_have_text(str(reckoning["points"]))
        assert page.locator(".reckoning .bottom .card").count() == 8
        page.get_by_role("button", name="确认，下一局").click()
        expect(page.locator(".reckoning")).to_have_count(0)
        expect(page.locator(".phase").first).to_have_text("发牌")
        assert made.table.shown()[1]["deal"] == 2
        page.keyboard.press("Backspace")
        expect(page.locator(".reckoning")).to_have_count(1)


@pytest.mark.parametrize("path", ["/table", "/referee"])
def test_language_is_switched_without_reload_and_kept(browser: Browser, mid: Fixture, path: str) -> None:
    with page_of(browser, mid, path) as page:
        page.evaluate("window.same = true")
        page.get_by_role("button", name="切换到英文").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.get_by_role("button", name="Switch to Chinese")).to_be_visible()
        assert page.evaluate("window.same") is True
        text = page.locator("#app").inner_text()
        left = [c for c in text if "\u4e00" <= c <= "\u9fff" and c not in "中文东西南北"]
        assert left == []
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_network_cut_is_said_and_made_good(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/table") as page:
        page.context.set_offline(True)
        page.evaluate("() => performance.now()")
        mid.table.set_score(145, 6, {}, None, "local")
        page.context.set_offline(False)
        expect(page.locator("[data-points]")).to_have_text("145")


def test_server_that_comes_back_finds_its_pages_again(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(5))
    context = browser.new_context(viewport=WALL)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    with serving(made) as port:
        page.goto(f"http://localhost:{port}/table")
        expect(page.locator("[data-points]")).to_be_visible()
    expect(page.locator(".line .bad")).to_contain_text("重连")
    made.table.set_score(170, 6, {}, None, "local")
    with serving(made, port):
        expect(page.locator("[data-points]")).to_have_text("170")
        expect(page.locator(".line .bad")).to_have_count(0)
    context.close()


def test_referee_decides_from_the_inbox(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(6))
    ruling = made.table.shown()[1]["rulings"][0]
    with page_of(browser, made, "/referee", TABLET) as page:
        card = page.locator(".ruling.proposed")
        expect(card).to_contain_text(f"第 {ruling['trick']} 墩违规，第 {ruling['proved_by']} 墩证实")
        assert page.locator(".ruling .evidence").count() == 2
        card.get_by_role("button", name="暂缓").click()
        later = page.locator(".ruling.later")
        later.get_by_label("理由").fill("看过录像")
        later.get_by_role("button", name="不成立").click()
        expect(page.locator(".ruling.overruled")).to_contain_text("看过录像")
        decided = made.table.shown()[1]["rulings"][0]
        assert (decided["state"], decided["by"], decided["why"]) == ("overruled", "local", "看过录像")
        page.locator(".toast .undo").click()
        expect(page.locator(".ruling.later")).to_have_count(1)


def test_referee_corrects_an_earlier_trick(browser: Browser, mid: Fixture) -> None:
    play = mid.table.shown()[1]["tricks"][1]["plays"][3]
    with page_of(browser, mid, "/referee", TABLET) as page:
        page.get_by_role("button", name="第 2 墩", exact=True).click()
        page.locator(f'.slots .slot[data-seat="{play["seat"]}"] .card').first.click()
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast")).to_contain_text("第 2 墩")
        assert mid.table.shown()[1]["tricks"][1]["plays"][3]["cards"][0] != play["cards"][0]


def test_referee_sets_the_score_by_hand_and_enters_a_play(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/referee", TABLET) as page:
        page.get_by_role("button", name="手工记分").click()
        page.get_by_label("闲家得分").fill("65")
        page.get_by_label("第几墩").fill("9")
        page.get_by_label("下一墩谁先出").select_option("N")
        page.get_by_role("button", name="设定").click()
        expect(page.locator(".facts .points b")).to_have_text("65")
        page.get_by_role("button", name="补录出牌").click()
        page.locator('.sheet [data-card="DA"]').click()
        page.locator('.sheet [data-card="DA"]').click()
        page.get_by_role("button", name="记录", exact=True).click()
        expect(page.locator('.slots .slot[data-seat="N"] .card')).to_have_count(2)
        assert mid.table.shown()[1]["trick"]["plays"][0]["cards"] == ["DA", "DA"]


def test_what_is_touched_on_the_referees_page_is_large_enough(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(6))
    with page_of(browser, made, "/referee", TABLET) as page:
        small = page.evaluate(
            """() => [...document.querySelectorAll("#app button:not(.card)")].map((n) => [n.textContent, n.getBoundingClientRect()])
               .filter(([, box]) => box.height < 64 || box.width < 64).map(([text]) => text)"""
        )
        assert small == []


def test_looker_on_is_asked_for_the_pin(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")
    _, play = current_play(made)
    with page_of(browser, made, "/table") as page:
        page.set_extra_http_headers({"X-Forwarded-For": "10.0.0.5"})  # as through a proxy: not the local console
        page.locator(f'.slot[data-seat="{play["seat"]}"] .card').first.click()
        page.locator(".sheet .suggestions .card").first.click()
        pin = page.get_by_label("密码", exact=True)
        pin.fill("0000")
        page.get_by_role("button", name="确认", exact=True).click()
        expect(page.locator(".problem")).to_have_text("密码不对")
        pin.fill("4711")
        page.get_by_role("button", name="确认", exact=True).click()
        expect(page.locator(".toast")).to_be_visible()
        assert current_play(made)[1]["cards"][0] != play["cards"][0]
        assert any(row.author.startswith("referee@") for row in made.store.read())


def test_two_panels_on_one_card_the_second_is_told(browser: Browser, mid: Fixture) -> None:
    _, play = current_play(mid)
    with page_of(browser, mid, "/table") as page:
        page.locator(f'.slot[data-seat="{play["seat"]}"] .card').first.click()
        expect(page.locator(".sheet .suggestions .card").first).to_be_visible()
        number, _ = current_play(mid)
        mid.table.correct(number, Seat(play["seat"]), play["cards"], ["S3"] * len(play["cards"]), "referee@other")
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast.bad")).to_contain_text("刚才已被别人改为")
        assert current_play(mid)[1]["cards"] == ["S3"] * len(play["cards"])


@pytest.mark.parametrize("path", ["/table", "/referee"])
def test_names_for_a_screen_reader(browser: Browser, mid: Fixture, path: str) -> None:
    with page_of(browser, mid, path) as page:
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("#app button, #app [role=img], #app input")]
               .filter((n) => !(n.getAttribute("aria-label") || n.textContent.trim())).map((n) => n.outerHTML)"""
        )
        assert nameless == []
        _, play = current_play(mid)
        suit = {"S": "黑桃", "H": "红桃", "D": "方块", "C": "梅花"}[play["cards"][0][0]]
        assert page.get_by_role("button", name=f"{suit}{play['cards'][0][1:]}").count() >= 1
