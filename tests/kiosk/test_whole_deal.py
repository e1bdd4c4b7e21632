"""A whole rendered deal, end to end: the shipped film through decoder, detector, reader and referee to the result that is confirmed in Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from engine.events import CardsPlayed, DealEnded, Event, Ruled, from_json
from kiosk.access import Mode
from kiosk.feed import FeedRunner
from tests.kiosk.browsing import page_of
from tests.kiosk.tables import RULEBOOK, Maker
from vision.open_table import open_table

FILM = Path(__file__).parents[2] / "datasets" / "demo"
FILM_S = 3600
"""The film is read as quickly as the machine can, whatever else it does."""
FILM_MS = 1000 * FILM_S


def truth() -> list[Event]:
    """What really happens in the film."""
    return [from_json(json.loads(line)) for line in (FILM / "truth.jsonl").read_text("utf-8").splitlines()]


def shown_plays(shown: Any) -> dict[tuple[int, str], list[str]]:
    return {(trick["number"], play["seat"]): sorted(play["cards"]) for trick in shown["tricks"] for play in trick["plays"]}


def test_a_filmed_deal_is_shown_ruled_reckoned_and_confirmed(browser: Browser, make_table: Maker) -> None:
    told = truth()
    (offence,) = (event for event in told if isinstance(event, Ruled))
    (end,) = (event for event in told if isinstance(event, DealEnded))
    match = json.loads((FILM / "table.json").read_text("utf-8"))["match"]
    assert (match["rulebook"], match["levels"], match["declarer"]) == (RULEBOOK, {"EW": "2", "NS": "2"}, None), "as the table here begins"
    made = make_table(mode=Mode.COMPETITION, pin="4711")
    pipeline = open_table(str(FILM), realtime=False)
    made.kiosk.feed = runner = FeedRunner(pipeline, made.table)
    try:
        with page_of(browser, made, "/table", quiet=True) as page:
            expect(page.locator(".trick.waiting")).to_be_visible()
            runner.start()
            expect(page.locator(".slot .card").first).to_be_visible(timeout=FILM_MS)
            seat = {"E": "东", "N": "北", "W": "西", "S": "南"}[offence.seat]
            expect(page.locator(".alert.open")).to_contain_text(f"{seat}家第{offence.trick}墩", timeout=FILM_MS)

            referee = page.context.new_page()
            referee.goto(page.url.replace("/table", "/referee"))
            ruling = referee.locator(".ruling")
            expect(ruling.locator(".evidence")).to_have_count(2)
            expect(referee.locator("img.live")).to_be_visible()
            ruling.locator("input").fill("看过两墩")
            ruling.locator('[data-key^="ok."]').click()
            expect(ruling).to_contain_text("看过两墩")
            referee.close()
            expect(page.locator(".alert.open")).to_have_count(0)

            assert runner.ended.wait(FILM_S)
            shown = made.table.shown()[1]
            assert shown_plays(shown) == {(e.trick, str(e.seat)): sorted(e.cards) for e in told if isinstance(e, CardsPlayed)}
            found = [(r["kind"], r["seat"], r["trick"], r["proved_by"], r["state"]) for r in shown["rulings"]]
            assert found == [(offence.kind, offence.seat, offence.trick, offence.proved_by, "confirmed")]
            expect(page.locator(".reckoning .points .key")).to_have_text(str(end.points))
            for team, level in end.levels.items():
                expect(page.locator(f'.change[data-team="{team}"]')).to_contain_text(level)
            page.locator('[data-key="confirm"]').click()
            expect(page.locator(".reckoning")).to_have_count(0)
            expect(page.locator(f'.level[data-team="{next(iter(end.levels))}"]')).to_be_visible()
    finally:
        runner.close()
    shown = made.table.shown()[1]
    assert (shown["deal"], shown["levels"], shown["declarer"]) == (2, dict(end.levels), end.next_declarer)
