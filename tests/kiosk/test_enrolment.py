"""A deck is enrolled at a running table: spread, looked at, asked about, kept, and read from then on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.cards import FACES, UNKNOWN
from kiosk.enrolment import LEAST, Enrolment
from kiosk.errors import NotFoundError, RefusedError
from tests.kiosk.browsing import TABLET, page_of
from tests.kiosk.spread import draw, face_at
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_rights import HALL
from tests.kiosk.test_setup_camera import Camera
from tests.kiosk.test_web import TABLET as TABLET_ADDRESS
from tests.kiosk.test_web import client
from tests.vision.test_enrol import make_reader, sample
from vision import enrol

READING_MS = 600_000
"""Reading a pack and fitting to it take some seconds of a processor, however long those last here."""
PICTURE = np.full((60, 80, 3), 90, np.uint8)


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> list[enrol.Sample]:
    """What lies spread out: the samples that a look finds."""
    found: list[enrol.Sample] = []
    monkeypatch.setattr(enrol, "collect", lambda recogniser, image: list(found))
    return found


@pytest.fixture
def enrolment(tmp_path: Path) -> Enrolment:
    made = Enrolment(lambda: SimpleNamespace(reader=make_reader()), tmp_path / "table.deck")
    made.start()
    return made


def unsure(k: int, guess: int) -> enrol.Sample:
    """A card that is face number k and is taken for another, not surely."""
    found = sample(k, 0.5)
    seen = replace(found.seen, n_best=((FACES[guess], 0.5), (FACES[k], 0.4)))
    return replace(found, face=FACES[guess], seen=seen)


def test_a_pack_that_does_not_fit_is_shown_in_several_looks(enrolment: Enrolment, lying: list[enrol.Sample], tmp_path: Path) -> None:
    for part in (range(30), range(30, 54)):
        lying[:] = [sample(k) for k in part]
        enrolment.look([PICTURE])
    running = SimpleNamespace(reader=make_reader())
    assert (enrolment.describe()["found"], enrolment.describe()["missing"]) == (54, [])
    enrolment.keep(running)
    patches = np.concatenate([sample(k).patches[:1] for k in range(54)])
    assert running.reader.run(patches)[0].argmax(1).tolist() == list(range(54)), "the running reader must know the deck at once"
    assert set(enrol.load(tmp_path / "table.deck").faces) == set(FACES)
    assert (enrolment.describe()["state"], enrolment.describe()["kept"]) == ("done", True)
    enrolment.forget(running)
    assert running.reader.head is None
    assert (enrolment.describe()["state"], enrolment.describe()["kept"]) == ("idle", False)


def test_what_is_not_sure_is_asked_for_with_its_picture_and_an_answer_settles_it(enrolment: Enrolment, lying: list[enrol.Sample]) -> None:
    lying[:] = [unsure(5, 6), *(sample(k) for k in range(7, 54))]
    enrolment.look([PICTURE])
    (question,) = enrolment.describe()["unsure"]
    assert question["picture"].startswith("data:image/jpeg;base64,")
    assert question["choices"][:2] == [FACES[6], FACES[5]]
    assert len(question["choices"]) <= 6
    enrolment.answer(question["number"], FACES[5])
    shown = enrolment.describe()
    assert (shown["unsure"], shown["missing"]) == ([], [FACES[k] for k in (0, 1, 2, 3, 4, 6)])
    with pytest.raises(NotFoundError):
        enrolment.answer(question["number"], FACES[5])


def test_an_unsure_card_that_is_none_of_the_deck_is_left_out(enrolment: Enrolment, lying: list[enrol.Sample]) -> None:
    lying[:] = [unsure(5, 6)]
    enrolment.look([PICTURE])
    number = enrolment.describe()["unsure"][0]["number"]
    with pytest.raises(RefusedError):
        enrolment.answer(number, UNKNOWN)
    enrolment.answer(number, None)
    assert (enrolment.describe()["unsure"], enrolment.describe()["found"]) == ([], 0)


def test_a_face_that_is_known_is_not_asked_for_again(enrolment: Enrolment, lying: list[enrol.Sample]) -> None:
    lying[:] = [sample(6)]
    enrolment.look([PICTURE])
    lying[:] = [unsure(5, 6)]
    enrolment.look([PICTURE])
    assert enrolment.describe()["unsure"] == []


def test_what_cannot_be_done_is_refused_with_a_reason(enrolment: Enrolment, lying: list[enrol.Sample], tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="no card is seen"):
        enrolment.look([PICTURE])
    lying[:] = [sample(k) for k in range(LEAST - 1)]
    enrolment.look([PICTURE])
    with pytest.raises(RefusedError, match=f"only {LEAST - 1} faces"):
        enrolment.keep(None)
    lying[:] = [sample(k) for k in range(LEAST)]
    enrolment.look([PICTURE])
    enrolment.file = tmp_path / "none" / "table.deck"
    with pytest.raises(RefusedError, match="cannot be written"):
        enrolment.keep(None)
    enrolment.cancel()
    for step in (lambda: enrolment.look([PICTURE]), lambda: enrolment.answer(1, None), lambda: enrolment.keep(None)):
        with pytest.raises(RefusedError, match="begin the enrolment first"):
            step()


def test_enrolling_is_for_the_referee_and_needs_a_camera(make_table: Maker, enrolment: Enrolment) -> None:
    from kiosk.access import Mode

    made = make_table(until_trick(1), mode=Mode.COMPETITION, pin="4711")
    with client(made) as console, client(made, TABLET_ADDRESS, HALL) as looker:
        assert looker.post("/api/setup/deck", json={"do": "start"}).status_code == 403
        assert console.post("/api/setup/deck", json={"do": "start"}).status_code == 404
        assert console.get("/api/setup").json()["deck"] is None
        made.kiosk.enrolment = enrolment
        assert console.post("/api/setup/deck", json={"do": "start"}).json()["deck"]["state"] == "looking"
        assert console.post("/api/setup/deck", json={"do": "look"}).status_code == 404, "there is no camera"
        assert console.post("/api/setup/deck/answer", json={"number": 1, "face": "ZZ"}).status_code == 422


@pytest.fixture
def spread_table(browser: Browser, make_table: Maker, tmp_path: Path) -> tuple[Fixture, Any]:
    """A table with a pack spread before its camera; the suits of four cards are worn off, so that nobody could be sure of them."""
    from vision.recogniser import Recogniser

    made = make_table(until_trick(1))
    running = Recogniser.load()
    camera = Camera(draw(browser, worn=("H8", "D8", "S4", "C4")))
    camera.recogniser = running  # type: ignore[attr-defined]
    made.kiosk.feed = SimpleNamespace(feed=camera, status=dict)  # type: ignore[assignment]
    made.kiosk.enrolment = Enrolment(Recogniser.load, tmp_path / "table.deck")
    return made, running


def test_a_spread_pack_is_enrolled_from_the_page(browser: Browser, spread_table: tuple[Fixture, Any], tmp_path: Path) -> None:
    made, running = spread_table
    with page_of(browser, made, "/setup", TABLET) as page:
        page.set_default_timeout(READING_MS)
        part = page.locator('[data-part="deck"]')
        part.locator('[data-key="deck.start"]').click()
        expect(part.locator(".steps li")).to_have_count(4)
        part.locator('[data-key="deck.look"]').click()
        expect(part.locator(".questions li").first).to_be_visible(timeout=READING_MS)
        shown = made.kiosk.enrolment.describe()  # type: ignore[union-attr]
        assert len(shown["unsure"]) >= 2, "worn suits must be asked for"
        assert shown["found"] >= 40
        while shown["unsure"]:
            number = shown["unsure"][0]["number"]
            corners = made.kiosk.enrolment._asked[number].sample.seen.corners_px  # type: ignore[union-attr]
            face = face_at(*np.mean(corners, 0))
            expect(part.locator(".questions li")).to_have_count(len(shown["unsure"]))
            choice = part.locator(f'[data-key="deck.is.{number}.{face}"]')
            if choice.count():
                choice.click()
            else:
                part.locator(f'[data-key="deck.other.{number}"]').click()
                page.locator(f'.faces [data-card="{face}"]').click()
            expect(part.locator(".questions li")).to_have_count(len(shown["unsure"]) - 1)
            shown = made.kiosk.enrolment.describe()  # type: ignore[union-attr]
        assert not {"H8", "D8", "S4", "C4"} & set(shown["missing"])
        part.locator('[data-key="deck.keep"]').click()
        expect(part.get_by_role("status")).to_contain_text("登记完成", timeout=READING_MS)
        expect(page.locator(".toast")).to_contain_text("已经开始使用")
    assert running.reader.head is not None
    deck = enrol.load(tmp_path / "table.deck")
    assert len(set(deck.faces)) == shown["found"]
