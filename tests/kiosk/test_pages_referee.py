"""The referee's page in a real Chromium: rulings, offences by hand, every way of correcting, undo after undo, the score by hand, two panels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Event
from kiosk.access import Mode
from tests.kiosk.browsing import PHONE, TABLET, WALL, current_play, page_of
from tests.kiosk.tables import Fixture, Maker, facts, until_trick

TOO_SMALL = """() => [...document.querySelectorAll("button, a, input:not([type=checkbox]), select, summary")].filter((n) => n.getClientRects().length)
    .map((n) => [n.textContent || n.name, n.getBoundingClientRect(), n.classList.contains("card")])
    .filter(([, box, card]) => box.height < 63.5 || (box.width < 63.5 && !card)).map(([text, box]) => `${text} ${box.width}x${box.height}`)"""


@pytest.fixture
def mid(make_table: Maker) -> Fixture:
    return make_table(until_trick(5))


def doubtful(events: tuple[Event, ...], trick: int, seat: str) -> tuple[Event, ...]:
    """The same facts, but one play is read with little confidence."""
    out: list[Event] = []
    for event in events:
        if isinstance(event, CardsPlayed) and (event.trick, event.seat) == (trick, seat):
            event = replace(event, evidence={"n_best": [[[card, 0.55], ["C8", 0.4]] for card in event.cards]})
        out.append(event)
    return tuple(out)


def cards_of(made: Fixture, trick: int, seat: str) -> list[str]:
    return list(next(p["cards"] for t in made.table.shown()[1]["tricks"] if t["number"] == trick for p in t["plays"] if p["seat"] == seat))


def test_referee_decides_from_the_inbox(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(6))
    ruling = made.table.shown()[1]["rulings"][0]
    with page_of(browser, made, "/referee", TABLET) as page:
        card = page.locator(".ruling.proposed")
        expect(card).to_contain_text(f"第 {ruling['trick']} 墩违规，第 {ruling['proved_by']} 墩证实")
        expect(card).to_contain_text("建议处罚")
        assert page.locator(".ruling .evidence").count() == 2
        card.get_by_role("button", name="暂缓").click()
        later = page.locator(".ruling.later")
        later.get_by_label("理由").fill("看过录像")
        later.get_by_role("button", name="不成立").click()
        expect(page.locator(".ruling.overruled")).to_contain_text("看过录像")
        expect(page.locator(".ruling.overruled .by")).to_contain_text("local")
        decided = made.table.shown()[1]["rulings"][0]
        assert (decided["state"], decided["by"], decided["why"]) == ("overruled", "local", "看过录像")
        page.locator(".toast .undo").first.click()
        expect(page.locator(".ruling.later")).to_have_count(1)


def test_what_is_typed_as_a_reason_outlives_the_next_play(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(6))
    with page_of(browser, made, "/referee", TABLET) as page:
        why = page.locator(f'[data-why="{made.table.shown()[1]["rulings"][0]["ruling"]}"]')
        why.fill("先看录像")
        made.table.play(7, Seat(made.table.shown()[1]["trick"]["turn"]), [Card("C3")], "local")
        expect(page.locator(".slots .slot .card")).to_have_count(1)
        expect(why).to_have_value("先看录像")


def test_offence_that_no_camera_sees_is_two_taps(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/referee", TABLET) as page:
        page.get_by_role("button", name="北家违规").click()
        page.locator(".sheet .kind").first.click()
        expect(page.locator(".ruling.proposed")).to_contain_text("裁判记录")
        ruling = mid.table.shown()[1]["rulings"][-1]
        assert (ruling["kind"], ruling["seat"], ruling["state"]) == ("talk", "N", "proposed")
        page.locator(".ruling.proposed").get_by_role("button", name="成立", exact=True).click()
        expect(page.locator(".ruling.confirmed")).to_have_count(1)


def test_unsure_play_comes_first_and_is_one_key_away(browser: Browser, make_table: Maker) -> None:
    made = make_table(doubtful(until_trick(5), 3, "W"))
    with page_of(browser, made, "/referee", TABLET) as page:
        expect(page.locator(".check")).to_contain_text("待核对")
        page.get_by_role("button", name="第 3 墩", exact=True).click()
        slots = page.locator(".slots .slot")
        expect(slots.first).to_have_attribute("data-seat", "W")
        expect(slots.first.locator(".class b")).to_have_text("待核对")
        page.keyboard.press("/")
        expect(page.locator(".sheet")).to_contain_text("西家 第 3 墩")
        page.keyboard.press("1")
        expect(page.locator(".check")).to_have_count(0)
        assert cards_of(made, 3, "W")[0] == "C8"


def _fix(page: Page, trick: int, seat: str) -> None:
    page.get_by_role("button", name=f"第 {trick} 墩", exact=True).click()
    page.locator(f'.slots .slot[data-seat="{seat}"] .card').first.click()
    expect(page.locator(".sheet")).to_be_visible()


def test_every_way_of_correcting_an_earlier_trick(browser: Browser, mid: Fixture) -> None:
    seat = mid.table.shown()[1]["tricks"][1]["plays"][3]["seat"]
    was = cards_of(mid, 2, seat)
    with page_of(browser, mid, "/referee", TABLET) as page:
        _fix(page, 2, seat)
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast")).to_contain_text("第 2 墩")
        assert cards_of(mid, 2, seat)[0] != was[0]
        slot = page.locator(f'.slots .slot[data-seat="{seat}"]')
        slot.locator(".card").first.click()
        page.get_by_role("button", name="其他牌…").click()
        page.locator('.sheet .faces [data-card="BJ"]').click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", "BJ")
        slot.locator(".card").first.click()
        page.get_by_role("button", name="少一张牌").click()
        page.locator('.sheet .faces [data-card="LJ"]').click()
        expect(slot.locator(".card")).to_have_count(len(was) + 1)
        slot.locator(".card").last.click()
        page.get_by_role("button", name="不是牌").click()
        expect(slot.locator(".card")).to_have_count(len(was))
        assert cards_of(mid, 2, seat) == ["BJ", *was[1:]]


def test_play_that_was_none_is_taken_out_and_told_anew(browser: Browser, mid: Fixture) -> None:
    tricks = mid.table.shown()[1]["tricks"]
    trick, play = next((t["number"], p) for t in tricks for p in t["plays"] if len(p["cards"]) == 1)
    with page_of(browser, mid, "/referee", TABLET) as page:
        _fix(page, trick, play["seat"])
        page.get_by_role("button", name="不是牌").click()
        slot = page.locator(f'.slots .slot[data-seat="{play["seat"]}"]')
        expect(slot.locator(".card")).to_have_attribute("data-card", "??")
        expect(slot.locator(".class b")).to_have_text("未识别")
        slot.locator(".card").click()
        page.get_by_role("button", name="其他牌…").click()
        page.locator(f'.sheet .faces [data-card="{play["cards"][0]}"]').click()
        expect(slot.locator(".card")).to_have_attribute("data-card", play["cards"][0])
        assert cards_of(mid, trick, play["seat"]) == play["cards"]


def test_trick_of_an_earlier_deal_is_corrected(browser: Browser, make_table: Maker) -> None:
    made = make_table(facts())
    made.table.next_deal(1, "local")
    with page_of(browser, made, "/referee", TABLET) as page:
        page.get_by_role("button", name="第 1 局", exact=True).click()
        page.get_by_role("button", name="第 4 墩", exact=True).click()
        slot = page.locator('.slots .slot[data-seat="S"]')
        expect(slot.locator(".card").first).to_be_visible()
        was = slot.locator(".card").first.get_attribute("data-card")
        slot.locator(".card").first.click()
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast")).to_be_visible()
        expect(slot.locator(".card").first).not_to_have_attribute("data-card", str(was))
        assert made.store.read()[-1].body.get("event") != "CardsPlayed"
        corrected = [row.body for row in made.store.read() if row.body.get("event") == "Corrected"]
        assert [(c["deal"], c["trick"], c["seat"]) for c in corrected] == [(1, 4, "S")]
        page.get_by_role("button", name="回到当前").click()
        expect(page.locator(".slots h2")).not_to_contain_text("第 1 局")


def test_undo_after_undo_and_instead(browser: Browser, mid: Fixture) -> None:
    number, play = current_play(mid)
    with page_of(browser, mid, "/referee", TABLET) as page:
        slot = page.locator(f'.slots .slot[data-seat="{play["seat"]}"]')
        slot.locator(".card").first.click()
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast")).to_be_visible()
        chosen = current_play(mid)[1]["cards"][0]
        page.locator('[data-key="undo"]').click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", play["cards"][0])
        page.get_by_role("button", name="恢复").click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", str(chosen))
        page.locator(".toast .undo").first.click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", play["cards"][0])
        page.locator(".toast .undo").first.click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", str(chosen))
        page.keyboard.press("Backspace")
        page.get_by_role("button", name="应该是…").click()
        page.get_by_role("button", name="其他牌…").click()
        page.locator('.sheet .faces [data-card="D3"]').click()
        expect(slot.locator(".card").first).to_have_attribute("data-card", "D3")
        assert current_play(mid) == (number, {**current_play(mid)[1], "cards": ["D3", *play["cards"][1:]]})


def test_score_is_set_by_hand_and_the_gap_is_marked(browser: Browser, mid: Fixture) -> None:
    with page_of(browser, mid, "/referee", TABLET) as page:
        page.keyboard.press("*")
        expect(page.get_by_label("闲家得分")).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type("65")
        page.get_by_label("已打完几墩").fill("9")
        page.get_by_label("下一墩谁先出").select_option("N")
        page.get_by_role("button", name="设定").click()
        expect(page.locator(".facts .points b")).to_have_text("65")
        expect(page.locator(".history .gap")).to_have_count(1)
        page.keyboard.press("+")
        page.locator('.sheet [data-card="DA"]').click()
        page.locator('.sheet [data-card="DA"]').click()
        page.get_by_role("button", name="记录", exact=True).click()
        expect(page.locator('.slots .slot[data-seat="N"] .card')).to_have_count(2)
        assert mid.table.shown()[1]["trick"]["plays"][0]["cards"] == ["DA", "DA"]


def test_score_is_set_by_hand_though_the_camera_saw_nothing_of_the_deal(browser: Browser, make_table: Maker) -> None:
    made = make_table()
    with page_of(browser, made, "/referee", TABLET) as page:
        page.locator('[data-key="score"]').click()
        for name, value in (("EW", "5"), ("declarer", "E"), ("trump", "H")):
            page.locator(f'.sheet [name="{name}"]').select_option(value)
        page.get_by_role("button", name="设定").click()
        expect(page.locator(".facts .trump")).to_contain_text("红桃")
        shown = made.table.shown()[1]
        assert (shown["declarer"], shown["trump"], shown["levels"]["EW"]) == ("E", "5/H", "5")


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_what_is_touched_on_the_referees_page_is_large_enough(browser: Browser, make_table: Maker, size: dict[str, int]) -> None:
    made = make_table(doubtful(until_trick(6), 3, "W"))
    with page_of(browser, made, "/referee", size, quiet=True) as page:
        assert page.evaluate(TOO_SMALL) == []
        for key in ("offence.N", "score", "missed"):
            page.locator(f'[data-key="{key}"]').click()
            expect(page.locator(".sheet button").first).to_be_visible()
            assert page.evaluate(TOO_SMALL) == [], key
            page.keyboard.press("Escape")


def test_looker_on_is_asked_for_the_pin(browser: Browser, make_table: Maker) -> None:
    made = make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")
    _, play = current_play(made)
    with page_of(browser, made, "/table", TABLET) as page:
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


def test_two_panels_warn_each_other_and_the_second_correction_is_told(browser: Browser, mid: Fixture) -> None:
    _, play = current_play(mid)
    with page_of(browser, mid, "/referee", WALL) as page:
        expect(page.locator(".notes")).to_have_count(0)
        other = page.context.new_page()
        other.goto(page.url)
        for panel in (page, other):
            expect(panel.locator(".notes")).to_contain_text("同时开着 2 个裁判台")
        slot = f'.slots .slot[data-seat="{play["seat"]}"] .card'
        page.locator(slot).first.click()
        expect(page.locator(".sheet .suggestions .card").first).to_be_visible()
        number, _ = current_play(mid)
        mid.table.correct(number, Seat(play["seat"]), play["cards"], [Card("S3")] * len(play["cards"]), "referee@other")
        page.locator(".sheet .suggestions .card").first.click()
        expect(page.locator(".toast.bad")).to_contain_text("刚才已被别人改为")
        assert current_play(mid)[1]["cards"] == ["S3"] * len(play["cards"])
        other.close()
        expect(page.get_by_text("个裁判台")).to_have_count(0)
