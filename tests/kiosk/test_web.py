"""The API: what it answers, what it refuses, and that bad input never breaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from kiosk.access import Mode
from kiosk.guard import LARGEST_BODY, WRITES_PER_WINDOW
from kiosk.web import create_app
from tests.kiosk.tables import Fixture, Maker, facts, until_trick

LOCAL = ("127.0.0.1", 50000)
TABLET = ("192.168.1.20", 50000)


def client(made: Fixture, address: tuple[str, int] = LOCAL, host: str = "localhost:8000") -> TestClient:
    return TestClient(create_app(made.kiosk, clock=made.clock), base_url=f"http://{host}", client=address, raise_server_exceptions=True)


@pytest.fixture
def mid(make_table: Maker) -> Fixture:
    return make_table(until_trick(5))


@pytest.fixture
def local(mid: Fixture) -> Iterator[TestClient]:
    with client(mid) as found:
        yield found


def first_play(made: Fixture) -> dict[str, Any]:
    play: dict[str, Any] = made.table.shown()[1]["tricks"][0]["plays"][0]
    return play


def correction(made: Fixture, **changes: Any) -> dict[str, Any]:
    play = first_play(made)
    return {"trick": 1, "seat": play["seat"], "was": play["cards"], "cards": ["S3"] * len(play["cards"]), **changes}


def test_pages_are_served_in_both_languages(local: TestClient) -> None:
    for page in ("/table", "/referee"):
        chinese = local.get(page)
        english = local.get(page, params={"lang": "en"})
        assert chinese.status_code == english.status_code == 200
        assert 'lang="zh-Hans"' in chinese.text
        assert 'lang="en"' in english.text
        assert chinese.headers["content-security-policy"].startswith("default-src 'none'")
    assert local.get("/").status_code == 200
    for name in ("base.css", "table.css", "table.js", "referee.css", "referee.js", "live.js", "icon.svg"):
        assert local.get(f"/static/{name}").status_code == 200


def test_state_has_the_place_of_the_log_and_no_evidence(mid: Fixture, local: TestClient) -> None:
    found = local.get("/api/state").json()
    assert found["seq"] == mid.table.seq
    assert "evidence" not in json.dumps(found)
    assert found["state"]["tricks"][0]["plays"][0]["sure"] == ["sure"] * len(first_play(mid)["cards"])


def test_events_come_in_pages_behind_a_place(mid: Fixture, local: TestClient) -> None:
    seen: list[int] = []
    after = 0
    while entries := local.get("/api/events", params={"after": after, "limit": 7}).json()["entries"]:
        seen += [e["seq"] for e in entries]
        after = seen[-1]
    assert seen == list(range(1, mid.table.seq + 1))


def test_correction_with_its_suggestions(mid: Fixture, local: TestClient) -> None:
    play = first_play(mid)
    found = local.get("/api/suggestions", params={"trick": 1, "seat": play["seat"], "index": 0}).json()["cards"]
    assert 1 <= len(found) <= 6
    answer = local.post("/api/correct", json=correction(mid, cards=[found[0], *play["cards"][1:]]))
    assert answer.status_code == 200
    assert first_play(mid)["cards"][0] == found[0]
    back = local.post("/api/undo", json={"seq": answer.json()["seq"]})
    assert back.status_code == 200
    assert first_play(mid)["cards"] == play["cards"]


def test_stale_correction_is_refused_with_the_reason(mid: Fixture, local: TestClient) -> None:
    body = correction(mid)
    assert local.post("/api/correct", json=body).status_code == 200
    again = local.post("/api/correct", json={**body, "cards": ["S4"] * len(body["cards"])})
    assert again.status_code == 409
    assert "刚才" in again.json()["zh"]
    assert first_play(mid)["cards"] == body["cards"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/correct", {"trick": 24, "seat": "E", "was": ["SA"], "cards": ["SK"]}, 404),
        ("/api/correct", {"trick": 0, "seat": "E", "was": [], "cards": []}, 422),
        ("/api/correct", {"trick": 1, "seat": "X", "was": [], "cards": []}, 422),
        ("/api/correct", {"trick": 1, "seat": "E", "was": ["S1"], "cards": ["SA"]}, 422),
        ("/api/correct", {"trick": 1, "seat": "E", "was": [], "cards": ["SA"] * 1000}, 422),
        ("/api/correct", {"trick": 1e400, "seat": "E", "was": [], "cards": []}, 422),
        ("/api/correct", [], 422),
        ("/api/correct-bottom", {"was": [], "cards": ["SA"]}, 404),
        ("/api/undo", {"seq": 10**12}, 404),
        ("/api/undo", {"seq": 10**30}, 422),
        ("/api/undo", {"seq": -1}, 422),
        ("/api/rulings/nothing", {"decision": "confirmed"}, 404),
        ("/api/rulings/nothing", {"decision": "perhaps"}, 422),
        ("/api/score", {"points": "many", "trick": 1}, 422),
        ("/api/score", {"points": 5, "trick": 1, "levels": {"EW": "1"}}, 422),
        ("/api/score", {"points": 5, "trick": 1, "extra": 1}, 422),
        ("/api/next-deal", {"deal": 1}, 422),
        ("/api/next-deal", {"deal": 7}, 409),
        ("/api/play", {"trick": 1, "seat": "E", "cards": ["SA"]}, 422),
        ("/api/play", {"trick": 40, "seat": "E", "cards": ["SA"]}, 404),
        ("/api/sound", {"do": "mute"}, 404),
        ("/api/sound", {"do": "shout"}, 422),
        ("/api/login", {"pin": ""}, 422),
        ("/api/nothing", {}, 404),
    ],
)
def test_senseless_request_is_refused_with_a_reason_and_changes_nothing(mid: Fixture, local: TestClient, path: str, body: Any, status: int) -> None:
    before = mid.table.shown()
    answer = local.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code == status
    words = answer.json()
    assert words["zh"]
    assert words["en"]
    assert mid.table.shown() == before


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"NaN", b'{"points": NaN, "trick": 1}', b"[" * 20000, b'"x"', b"null"])
def test_garbage_bodies(mid: Fixture, local: TestClient, body: bytes) -> None:
    before = mid.table.seq
    for path in ("/api/score", "/api/correct", "/api/login", "/api/sound"):
        assert 400 <= local.post(path, content=body, headers={"content-type": "application/json"}).status_code < 500
    assert mid.table.seq == before


@pytest.mark.parametrize(
    "path",
    [
        "/api/events?after=-1", "/api/events?after=99999999999999999999", "/api/events?after=x", "/api/events?limit=0", "/api/suggestions?trick=1",
        "/api/suggestions?trick=99&seat=E", "/api/suggestions?trick=0", "/api/suggestions?trick=1&seat=E&index=39", "/api/nothing", "/nothing",
        "/static/../web.py", "/static/%2e%2e/%2e%2e/web.py", "/api/picture.jpg",
    ],
)  # fmt: skip
def test_senseless_questions(local: TestClient, path: str) -> None:
    assert 400 <= local.get(path).status_code < 500


def test_large_body_is_refused_before_it_is_read(mid: Fixture, local: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(2 * LARGEST_BODY // 1024):
            yield b" " * 1024

    declared = local.post("/api/score", content=b" " * (LARGEST_BODY + 1), headers={"content-type": "application/json"})
    chunked = local.post("/api/score", content=endless(), headers={"content-type": "application/json"})
    assert declared.status_code == chunked.status_code == 413


@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://localhost:9999"}, {"sec-fetch-site": "cross-site"}]
)
def test_write_from_another_site_is_refused(mid: Fixture, local: TestClient, headers: dict[str, str]) -> None:
    before = mid.table.seq
    answer = local.post("/api/score", json={"points": 5, "trick": 2}, headers=headers)
    assert answer.status_code == 403
    assert mid.table.seq == before


def test_form_post_is_refused(local: TestClient) -> None:
    """A form of another site can send this without the browser asking first."""
    answer = local.post("/api/score", content='{"points": 5, "trick": 2}', headers={"content-type": "text/plain"})
    assert answer.status_code == 415


def test_own_origin_may_write(local: TestClient) -> None:
    headers = {"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}
    assert local.post("/api/score", json={"points": 5, "trick": 2}, headers=headers).status_code == 200


def test_name_that_somebody_pointed_here_is_refused(mid: Fixture) -> None:
    with client(mid, host="evil.example") as found:
        assert found.get("/api/state").status_code == 421
    with client(mid, host="192.168.1.7:8000") as found:
        assert found.get("/api/state").status_code == 200


def test_referee_pairs_by_pin_and_is_named_in_the_log(make_table: Maker) -> None:
    made = make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")
    with client(made, TABLET, "192.168.1.7:8000") as found:
        answer = found.post("/api/login", json={"pin": "4711"})
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert found.post("/api/correct", json=correction(made)).status_code == 200
        assert "referee@192.168.1.20" in {row.author for row in made.store.read()}
        found.post("/api/logout", json={})
        assert found.get("/api/me").json()["may_write"] is False


def test_five_wrong_pins_lock_that_address_for_a_minute(make_table: Maker) -> None:
    made = make_table(mode=Mode.COMPETITION, pin="4711")
    other = ("192.168.1.21", 50000)
    with client(made, TABLET, "192.168.1.7") as thief, client(made, other, "192.168.1.7") as good:
        assert [thief.post("/api/login", json={"pin": "0000"}).status_code for _ in range(6)] == [403] * 5 + [429]
        assert thief.post("/api/login", json={"pin": "4711"}).status_code == 429
        assert good.post("/api/login", json={"pin": "4711"}).status_code == 200
        made.clock.now += 61
        assert thief.post("/api/login", json={"pin": "4711"}).status_code == 200


def test_new_pin_ends_old_pairings(make_table: Maker) -> None:
    made = make_table(mode=Mode.COMPETITION, pin="4711")
    with client(made, TABLET, "192.168.1.7") as found:
        found.post("/api/login", json={"pin": "4711"})
        assert found.get("/api/me").json()["may_write"] is True
        made.kiosk.access.set_pin("1234")
        assert found.get("/api/me").json()["may_write"] is False


def test_pin_is_kept_as_an_argon2_hash(make_table: Maker) -> None:
    made = make_table(mode=Mode.COMPETITION, pin="4711")
    kept = made.store.setting("pin")
    assert kept is not None
    assert kept.startswith("$argon2")


def test_at_home_everybody_may_and_the_console_always(make_table: Maker) -> None:
    home = make_table(mode=Mode.HOME, name="home.db")
    hall = make_table(mode=Mode.COMPETITION, pin="4711", name="hall.db")
    with client(home, TABLET, "192.168.1.7") as found:
        assert found.get("/api/me").json()["author"] == "home@192.168.1.20"
    with client(hall) as found:
        assert found.get("/api/me").json()["author"] == "local"
        assert found.get("/api/me", headers={"x-forwarded-for": "1.2.3.4"}).json()["may_write"] is False
        assert found.get("/api/me", headers={"host": "192.168.1.7"}).json()["may_write"] is False


def test_flood_of_writes_is_slowed_down(mid: Fixture, local: TestClient) -> None:
    codes = [local.post("/api/sound", json={"do": "test"}).status_code for _ in range(WRITES_PER_WINDOW + 5)]
    assert codes.count(429) == 5
    mid.clock.now += 11
    assert local.post("/api/sound", json={"do": "test"}).status_code == 404


def test_reckoning_is_confirmed_through_the_page(make_table: Maker) -> None:
    made = make_table(facts())
    with client(made) as found:
        assert found.post("/api/next-deal", json={"deal": 1}).status_code == 200
        assert found.get("/api/state").json()["state"]["deal"] == 2
        assert found.post("/api/next-deal", json={"deal": 1}).status_code == 409


def test_bottom_is_corrected(make_table: Maker) -> None:
    made = make_table(facts())
    bottom = made.table.shown()[1]["bottom"]["cards"]
    with client(made) as found:
        changed = ["S10", *bottom[1:]]
        assert found.post("/api/correct-bottom", json={"was": bottom, "cards": changed}).status_code == 200
        assert found.post("/api/correct-bottom", json={"was": bottom, "cards": bottom}).status_code == 409
        assert made.table.shown()[1]["bottom"]["cards"] == changed


def test_full_disk_is_told_to_pages_and_writers(mid: Fixture, local: TestClient) -> None:
    mid.store._db.execute(f"PRAGMA max_page_count = {mid.store._db.execute('PRAGMA page_count').fetchone()[0]}")
    codes = {local.post("/api/score", json={"points": 5, "trick": 2}).status_code for _ in range(40)}
    assert codes == {200, 503} or codes == {503}
    mid.feed([f for f in facts() if type(f).__name__ == "CardsPlayed"][20:])
    assert "磁盘已满" in local.get("/api/status").json()["trouble"]["zh"]


def test_live_sends_state_then_each_step(mid: Fixture, local: TestClient) -> None:
    with local.websocket_connect("ws://localhost:8000/api/live") as socket:
        hello, state, status = (socket.receive_json() for _ in range(3))
        assert (hello["type"], state["type"], status["type"]) == ("hello", "state", "status")
        assert hello["seq"] == state["seq"] == mid.table.seq
        mid.table.set_score(45, 6, {}, None, "local")
        step = socket.receive_json()
        while step["type"] != "state":
            step = socket.receive_json()
        assert step["seq"] == mid.table.seq
        assert step["state"]["points"] == 45
        assert [e["body"]["event"] for e in step["entries"]] == ["ScoreSet"]


def test_live_resumes_after_a_gap(mid: Fixture, local: TestClient) -> None:
    seen = mid.table.seq
    mid.table.set_score(45, 6, {}, None, "local")
    mid.table.set_score(50, 7, {}, None, "local")
    with local.websocket_connect(f"ws://localhost:8000/api/live?after={seen}") as socket:
        hello = socket.receive_json()
        assert [e["seq"] for e in hello["missed"]] == list(range(seen + 1, mid.table.seq + 1))
        assert hello["reset"] is False


def test_live_tells_a_page_of_another_log_to_start_afresh(mid: Fixture, local: TestClient) -> None:
    with local.websocket_connect("ws://localhost:8000/api/live?after=999999") as socket:
        assert socket.receive_json()["reset"] is True


@pytest.mark.parametrize("after", ["x", "-5", "1e9", "9" * 40, "²"])
def test_live_with_a_senseless_place_begins_at_the_newest(mid: Fixture, local: TestClient, after: str) -> None:
    with local.websocket_connect("ws://localhost:8000/api/live", params={"after": after}) as socket:
        assert socket.receive_json()["type"] == "hello"


def drain(socket: WebSocketTestSession) -> None:
    while True:
        socket.receive_json()


@pytest.mark.parametrize("garbage", ["{}", "x" * 2000, "\x00", '{"type":"write"}'])
def test_live_lets_go_of_whoever_sends_garbage(mid: Fixture, local: TestClient, garbage: str) -> None:
    with local.websocket_connect("ws://localhost:8000/api/live") as socket:
        for _ in range(3):
            socket.receive_json()
        socket.send_text("ping")
        socket.send_text(garbage)
        with pytest.raises(WebSocketDisconnect):
            drain(socket)
    assert mid.kiosk.hub.count() == 0
    assert local.get("/api/state").status_code == 200


def test_live_from_another_site_is_refused(local: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), local.websocket_connect("ws://localhost:8000/api/live", headers={"origin": "https://evil.example"}):
        pass
