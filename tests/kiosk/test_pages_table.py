"""The audience's page in a real Chromium: what is on the wall, how large it is, and that nothing is cut off, whatever is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from engine.cards import Card, Seat
from engine.events import Event, Source
from engine.simulate import play_deal
from kiosk import models
from kiosk.access import Mode
from tests.kiosk import tables
from tests.kiosk.browsing import PHONE, TABLET, WALL, arc_minutes, contrasts, current_play, ink, outside, page_of
from tests.kiosk.serving import serving
from tests.kiosk.tables import Fixture, Maker, facts, until_trick

PARTS = (".key", "p", ".card", ".stack span", ".badge", ".meta", ".name", "button", "h1.stage", ".at", ".practice", ".match")
LONG = {"E": "欧阳修远之介大人", "N": "Maximilian Featherstonehaugh-Cholmondeley", "W": "司马相如", "S": "Ng"}


@pytest.fixture
def mid(make_table: Maker) -> Fixture:
    return make_table(until_trick(5))


def played(rulebook: str, seed: int) -> tuple[Event, ...]:
    """What a camera would tell of a simulated deal."""
    return tuple(replace(e, source=Source.CAMERA) for e in play_deal(rulebook, seed).events if not isinstance(e, tables._NO_FACT))


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


def test_table_shows_threshold_ladder_forecast_and_multiplier(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(2))
    shown = made.table.shown()[1]
    assert not shown["rulings"]
    with page_of(browser, made, "/table") as page:
        expect(page.locator(".to-next")).to_have_text(f"差 {shown['points_to_next']} 分到 {shown['next_threshold']}")
        assert page.locator(".ladder .at").all_inner_texts() == ["40", "80", "120"]
        expect(page.locator(".ladder .at.change")).to_have_text("80")
        expect(page.locator(".now .result")).to_contain_text("庄升")
        seat = Seat(shown["trick"]["turn"])
        made.table.play(shown["trick"]["number"], seat, [Card("SA")], "local")
        expect(page.locator(f'.slot[data-seat="{seat}"] .card').first).to_have_attribute("data-card", "SA")
        now = made.table.shown()[1]
        due = {"E": "东", "N": "北", "W": "西", "S": "南"}[now["trick"]["turn"]]
        expect(page.get_by_role("img", name=f"该{due}家出")).to_be_visible()
        dig = page.locator(".meta.dig")
        expect(dig).to_have_text(f"底×{now['bottom']['multiplier']}") if now["bottom"]["multiplier"] else expect(dig).to_have_count(0)


def test_the_way_to_the_next_threshold_is_never_cut_off(browser: Browser, make_table: Maker) -> None:
    tables = (make_table(until_trick(trick), name=f"{trick}.db") for trick in range(2, 14))
    made = next(made for made in tables if (made.table.shown()[1]["points_to_next"] or 0) >= 10)
    with page_of(browser, made, "/table") as page:
        line = page.locator(".to-next")
        expect(line).to_contain_text("分到")
        right = line.evaluate("line => { const r = document.createRange(); r.selectNodeContents(line); return r.getBoundingClientRect().right; }")
        assert right <= page.locator(".score").evaluate("box => box.getBoundingClientRect().right"), line.inner_text()


KEYS = (".level[data-team=EW] .key", ".level[data-team=NS] .key", ".points .key")
SECONDARY = (
    ".level .stack span", ".points .stack span", ".trump .stack span", ".to-next", ".now .label", ".now .result", ".seat .name", ".meta.number",
    ".meta.worth",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_key_figures_and_chinese_text_can_be_read_from_five_metres(browser: Browser, make_table: Maker, lang: str) -> None:
    with page_of(browser, make_table(until_trick(2)), "/table", query=f"?lang={lang}") as page:
        sizes = {selector: arc_minutes(ink(page, selector)) for selector in KEYS}
        assert min(sizes.values()) >= 60, sizes
        suit = page.locator(".trump svg").bounding_box()
        assert suit is not None
        assert arc_minutes(suit["height"]) >= 60
        assert arc_minutes(ink(page, ".card .rank")) >= 16, "a card's rank"
        if lang == "zh":
            sizes = {selector: arc_minutes(ink(page, selector)) for selector in SECONDARY}
            assert min(sizes.values()) >= 30, sizes


def test_reckoning_and_alert_can_be_read_from_five_metres(browser: Browser, make_table: Maker) -> None:
    with page_of(browser, make_table(facts()), "/table") as page:
        assert arc_minutes(ink(page, ".reckoning .points .key")) >= 60
        for selector in (".parts", ".stage", ".next"):
            assert arc_minutes(ink(page, selector)) >= 30, selector
    with page_of(browser, make_table(until_trick(6), name="other.db"), "/table") as page:
        for selector in (".alert .where", ".alert .what", ".alert .verdict"):
            assert arc_minutes(ink(page, selector)) >= 25, selector


@pytest.mark.parametrize("size", [WALL, TABLET, PHONE], ids=["wall", "tablet", "phone"])
def test_nothing_on_the_table_page_is_cut_off(browser: Browser, make_table: Maker, size: dict[str, int]) -> None:
    for tricks in (0, 2, 5, 99):
        made = make_table(facts() if tricks == 99 else until_trick(tricks), name=f"{tricks}.db")
        with page_of(browser, made, "/table", size, quiet=True) as page:
            assert outside(page, PARTS) == [], tricks


def dozen(made: Fixture, count: int) -> None:
    """Let the newest trick hold plays of so many cards."""
    trick = made.table.shown()[1]["last_trick"]
    faces = [Card(f"{suit}{rank}") for suit in "SHDC" for rank in ("10", "9", "8", "7", "6", "5")] + [Card("BJ"), Card("LJ")]
    for play in trick["plays"]:
        made.table.correct(trick["number"], Seat(play["seat"]), play["cards"], faces[-count:], "local")


def meet(a: Mapping[str, float], b: Mapping[str, float]) -> bool:
    """Whether two boxes lie over each other by more than a pixel."""
    across = a["x"] + a["width"] > b["x"] + 1 and b["x"] + b["width"] > a["x"] + 1
    return across and a["y"] + a["height"] > b["y"] + 1 and b["y"] + b["height"] > a["y"] + 1


@pytest.mark.parametrize("count", [3, 5, 12, 24])
def test_plays_of_many_cards_do_not_overflow_and_their_ranks_can_be_read(browser: Browser, make_table: Maker, count: int) -> None:
    made = make_table(until_trick(2), mode=Mode.PRACTICE)
    dozen(made, count)
    with page_of(browser, made, "/table", quiet=True) as page:
        assert arc_minutes(ink(page, ".slot .card .rank:not(.ten)")) >= 16, "a card's rank"
        for size in (WALL, TABLET, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert outside(page, PARTS) == [], size
            cards = page.locator(".slot .card")
            assert cards.count() == 4 * count
            boxes = [box for box in (card.bounding_box() for card in cards.all()) if box]
            cloth = page.locator(".trick").bounding_box()
            assert cloth is not None
            assert min(box["y"] for box in boxes) >= cloth["y"] - 1
            assert max(box["y"] + box["height"] for box in boxes) <= cloth["y"] + cloth["height"] + 1
            overlapping = [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if meet(a, b)]
            metas = [box for box in (meta.bounding_box() for meta in page.locator(".meta, .line .practice").all()) if box]
            overlapping += [(a, b) for a in boxes for b in metas if meet(a, b)]
            assert overlapping == [], size


@pytest.mark.parametrize("tricks", [2, 6, 99])
def test_text_on_the_table_page_has_seven_to_one(browser: Browser, make_table: Maker, tricks: int) -> None:
    made = make_table(facts() if tricks == 99 else until_trick(tricks))
    with page_of(browser, made, "/table", quiet=True) as page:
        found = contrasts(page)
        assert len(found) > 10
        assert [(name, round(ratio, 1)) for name, ratio in found if ratio < 7] == []


def test_game_without_a_bottom_speaks_of_none(browser: Browser, make_table: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "RULEBOOK", "nanning-4deck-nobottom")
    made = make_table(played("nanning-4deck-nobottom", 4))
    assert made.table.shown()[1]["bottom"]["size"] == 0
    with page_of(browser, made, "/table", quiet=True) as page:
        expect(page.locator(".parts").nth(1)).to_have_text("没有底牌")
        expect(page.locator(".bottom .card")).to_have_count(0)
        assert outside(page, PARTS) == []


def test_negative_points_and_long_names_fit(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(2))
    made.table.set_score(-120, 3, {}, None, "local")
    with page_of(browser, made, "/table", quiet=True) as page:
        expect(page.locator(".points .key")).to_have_text("−120")
        assert outside(page, PARTS) == []
        points, cloth = page.locator(".points .key").bounding_box(), page.locator(".trick").bounding_box()
        assert points is not None
        assert cloth is not None
        assert points["x"] + points["width"] <= cloth["x"]
    early = make_table((), name="early.db")
    early.table.set_names(LONG, "local")
    with page_of(browser, early, "/table", quiet=True) as page:
        expect(page.locator(".player.at-N")).to_contain_text("Maximilian")
        for size in (WALL, TABLET, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert outside(page, (*PARTS, ".player", ".player span")) == [], size


def test_what_is_not_known_yet_is_said_as_such(browser: Browser, make_table: Maker) -> None:
    with page_of(browser, make_table(()), "/table") as page:
        expect(page.get_by_role("img", name="主牌：未定")).to_be_visible()
        expect(page.locator(".level.declares")).to_have_count(0)
        expect(page.locator(".to-next")).to_have_text("")


@pytest.mark.parametrize(("began", "state", "shown"), [(78.0, "warning", "8"), (60.0, "over", "+10")])
def test_time_that_is_left_runs_in_the_place_of_the_card_that_is_due(
    browser: Browser, mid: Fixture, monkeypatch: pytest.MonkeyPatch, began: float, state: str, shown: str
) -> None:
    mid.table.play(6, Seat(mid.table.shown()[1]["trick"]["turn"]), [Card("C3")], "local")
    due = mid.table.shown()[1]["trick"]["turn"]
    play = {"kind": "play", "seat": due, "since": began, "limit_s": 30, "warn_s": 10}
    match = {"kind": "match", "seat": None, "since": 0.0, "limit_s": 9000, "warn_s": 600}
    running = models.ClockList.model_validate({"type": "clocks", "now": 100.0, "paused": True, "running": [play, match]})
    monkeypatch.setattr(mid.kiosk, "clocks", lambda: running)
    with page_of(browser, mid, "/table") as page:
        expect(page.locator(f'.slot[data-seat="{due}"] .place.is-{state} .left')).to_have_text(shown)
        expect(page.get_by_role("timer", name="比赛剩余时间")).to_have_text("2:28:20")


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
        page.get_by_role("button", name="恢复").click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", str(chosen))


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


def test_winner_of_a_game_is_shown_until_it_is_confirmed(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(3))
    made.table.set_score(0, 13, {"EW": "A", "NS": "9"}, None, "local", declarer=Seat.E, trump="A/H", end=True)
    with page_of(browser, made, "/table") as page:
        expect(page.locator(".stage")).to_have_text("东西获胜")
        page.get_by_role("button", name="从头再打").click()
        expect(page.locator(".level[data-team=EW] .key")).to_have_text("2")


def test_reckoning_stays_until_it_is_confirmed(browser: Browser, make_table: Maker) -> None:
    made = make_table(facts())
    reckoning = made.table.shown()[1]["reckoning"]
    with page_of(browser, made, "/table") as page:
        expect(page.locator(".reckoning .points .key")).to_have_text(str(reckoning["points"]))
        assert page.locator(".reckoning .bottom .card").count() == 8
        page.get_by_role("button", name="确认，下一局").click()
        expect(page.locator(".reckoning")).to_have_count(0)
        expect(page.locator(".phase").first).to_have_text("抓牌")
        assert made.table.shown()[1]["deal"] == 2
        page.keyboard.press("Backspace")
        expect(page.locator(".reckoning")).to_have_count(1)


def test_network_that_is_cut_is_said_and_made_good(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/table") as page:
        page.context.set_offline(True)
        expect(page.locator(".line .bad")).to_contain_text("重连")
        for points in (100, 120, 145):
            mid.table.set_score(points, 6, {}, None, "local")
        page.clock.install()
        page.clock.fast_forward(30_000)
        expect(page.locator("[data-points]")).not_to_have_text("145")
        page.context.set_offline(False)
        page.clock.fast_forward(10_000)
        expect(page.locator("[data-points]")).to_have_text("145")
        expect(page.locator(".line .bad")).to_have_count(0)


def test_server_that_comes_back_finds_its_pages_again(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(5))
    context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]
    context.set_default_timeout(120_000)
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
