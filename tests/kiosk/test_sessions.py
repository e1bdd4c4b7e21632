"""Pairings are kept at the table: what is ended there counts no more, whatever cookie a browser still holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kiosk.access import COOKIE, Mode
from kiosk.errors import NotFoundError
from kiosk.sessions import AGE_S, MOST, SETTING, Sessions
from kiosk.store import Store
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_rights import HALL
from tests.kiosk.test_web import TABLET, client

OTHER = ("192.168.1.21", 1)


@pytest.fixture
def hall(make_table: Maker) -> Fixture:
    return make_table(until_trick(2), mode=Mode.COMPETITION, pin="4711")


def test_a_cookie_that_was_copied_is_worth_nothing_after_logout(hall: Fixture) -> None:
    with client(hall, TABLET, HALL) as tablet, client(hall, OTHER, HALL) as thief:
        tablet.post("/api/login", json={"pin": "4711"})
        thief.cookies.set(COOKIE, tablet.cookies[COOKIE])
        assert thief.get("/api/me").json()["may_write"] is True
        assert tablet.post("/api/logout", json={}).status_code == 200
        assert thief.get("/api/me").json()["may_write"] is False
        assert thief.post("/api/score", json={"points": 5, "trick": 2, "levels": {}}).status_code == 403


def test_a_lost_tablet_is_shut_out_from_the_console_and_nobody_else_is(hall: Fixture) -> None:
    with client(hall) as console, client(hall, TABLET, HALL) as lost, client(hall, OTHER, HALL) as kept:
        for one in (lost, kept):
            one.post("/api/login", json={"pin": "4711"})
        found = console.get("/api/pairings").json()["pairings"]
        assert [(one["address"], one["mine"]) for one in found] == [("192.168.1.20", False), ("192.168.1.21", False)]
        assert [one["mine"] for one in kept.get("/api/pairings").json()["pairings"]] == [False, True]
        assert console.post("/api/pairings/end", json={"id": found[0]["id"]}).status_code == 200
        assert lost.get("/api/me").json()["may_write"] is False
        assert kept.get("/api/me").json()["may_write"] is True
        assert console.post("/api/pairings/end", json={"id": found[0]["id"]}).status_code == 404
        assert console.post("/api/pairings/end", json={}).status_code == 200
        assert kept.get("/api/me").json()["may_write"] is False


def test_pairings_outlive_a_restart_and_so_does_their_end(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        first = Sessions(store)
        ended, kept = first.open("10.0.0.1"), first.open("10.0.0.2")
        found = first.find(ended)
        assert found is not None
        first.close(found.id)
    with Store.open(tmp_path / "a.db") as store:
        second = Sessions(store)
        assert second.find(ended) is None
        again = second.find(kept)
        assert again is not None
        assert again.address == "10.0.0.2"


def test_the_file_holds_no_token_that_a_reader_of_it_could_use(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        token = Sessions(store).open("10.0.0.1")
        assert token not in str(store.setting(SETTING))
        assert Sessions(store).find(str(json.loads(str(store.setting(SETTING)))[0]["digest"])) is None


def test_pairings_grow_old_and_only_so_many_are_kept(tmp_path: Path) -> None:
    now = [1000.0]
    with Store.open(tmp_path / "a.db") as store:
        sessions = Sessions(store, lambda: now[0])
        tokens = [sessions.open("10.0.0.1") for _ in range(MOST + 1)]
        assert sessions.find(tokens[0]) is None
        assert len(sessions.all()) == MOST
        now[0] += AGE_S
        assert sessions.find(tokens[-1]) is None
        assert sessions.all() == []


@pytest.mark.parametrize("kept", ["", "{", "[1]", '[{"id": 1}]', "null"])
def test_what_cannot_be_read_means_pairing_again(tmp_path: Path, kept: str) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.remember(SETTING, kept)
        sessions = Sessions(store)
        assert sessions.all() == []
        with pytest.raises(NotFoundError):
            sessions.close("nobody")


@pytest.mark.parametrize("token", [None, "", "x", "\ud800", "a.b.c"])
def test_forged_cookies_find_nothing(tmp_path: Path, token: str | None) -> None:
    with Store.open(tmp_path / "a.db") as store:
        sessions = Sessions(store)
        sessions.open("10.0.0.1")
        assert sessions.find(token) is None
