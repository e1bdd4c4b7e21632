"""Who may do what: every route has a rule, and who may only look is refused by every route that changes or shows more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kiosk import rights
from kiosk.access import CODE_S, COOKIE, Mode
from kiosk.web import create_app
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_web import TABLET, client

ANYBODY = {("GET", path) for path in (
    "/api/state", "/api/status", "/api/events", "/api/clocks", "/api/deals", "/api/deals/{deal}", "/api/offences", "/api/me", "/api/suggestions",
    "/api/rulebooks", "/api/rulebooks/{name}", "/pair",
)} | {("POST", "/api/login"), ("POST", "/api/logout")}  # fmt: skip
"""What a looker-on may ask for; a new route belongs here only if it shows no more than the wall does."""
PAGES = {"/", "/table", "/referee", "/player", "/overlay", "/setup", "/review", "/qr.svg"}
"""Shells without any state of their own, and pictures of addresses."""
HALL = "192.168.1.7:8000"
FILLED = {"deal": "1", "name": "official-2deck-shengji", "ruling": "1.4.S.suit", "trick": "1", "seat": "E"}


@pytest.fixture
def hall(make_table: Maker) -> Fixture:
    return make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")


def routes(made: Fixture) -> Iterator[APIRoute]:
    """Every route of the application, those of included routers too."""

    def walk(found: Any) -> Iterator[APIRoute]:
        for route in found:
            if isinstance(route, APIRoute):
                yield route
            else:
                yield from walk(getattr(getattr(route, "original_router", route), "routes", None) or ())

    return walk(create_app(made.kiosk).routes)


def needs(dependant: Dependant) -> set[Any]:
    """Everything that a route depends on."""
    return {dependant.call} | {call for inner in dependant.dependencies for call in needs(inner)}


def test_every_route_has_a_rule(hall: Fixture) -> None:
    found = {(method, route.path): needs(route.dependant) for route in routes(hall) for method in route.methods}
    assert len(found) > 25
    for (method, path), calls in found.items():
        if (method, path) in ANYBODY:
            assert rights.looker in calls, f"{path} must say that anybody may look"
        elif path not in PAGES:
            named = {getattr(call, "__name__", "") for call in calls if getattr(call, "__module__", "").startswith("kiosk.")}
            assert named & {"writer", "reader", "owner"}, f"{path} has no rule: make it depend on kiosk.rights.writer, or list it as open to anybody"


def test_who_may_only_look_is_refused_by_every_other_route(hall: Fixture) -> None:
    seq, volumes = hall.table.seq, hall.store.setting("volume.alert")
    with client(hall, TABLET, HALL) as found:
        found.cookies.set(COOKIE, "forged.cookie.value")
        asked = 0
        for route in routes(hall):
            if route.path in PAGES:
                continue
            for method in route.methods - {m for m, path in ANYBODY if path == route.path}:
                answer = found.request(method, route.path_format.format_map(Filled()), json={} if method != "GET" else None)
                assert answer.status_code == 403, (method, route.path, answer.text)
                assert "裁判" in answer.json()["zh"]
                asked += 1
        assert asked >= 12
        assert found.get("/api/state").status_code == 200
        assert found.get("/api/me").json()["may_write"] is False
    assert (hall.table.seq, hall.store.setting("volume.alert")) == (seq, volumes)


class Filled(dict[str, str]):
    """Values for a route's path."""

    def __missing__(self, key: str) -> str:
        return FILLED.get(key, "1")


def test_a_pairing_code_makes_one_browser_a_referees_once(hall: Fixture) -> None:
    with client(hall) as console, client(hall, TABLET, HALL) as phone, client(hall, ("192.168.1.66", 1), HALL) as thief:
        path = console.post("/api/pairing", json={}).json()["path"]
        answer = phone.get(path, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/referee")
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert phone.get("/api/me").json()["author"] == "referee@192.168.1.20"
        again = thief.get(path, follow_redirects=False)
        assert again.headers["location"] == "/referee#pair-failed"
        assert thief.get("/api/me").json()["may_write"] is False


def test_a_pairing_code_grows_old_and_guessing_is_slowed_down(hall: Fixture) -> None:
    with client(hall) as console, client(hall, TABLET, HALL) as phone:
        path = console.post("/api/pairing", json={}).json()["path"]
        hall.clock.now += CODE_S + 1
        assert phone.get(path, follow_redirects=False).headers["location"] == "/referee#pair-failed"
        for _ in range(6):
            phone.get("/pair?code=guess", follow_redirects=False)
        fresh = console.post("/api/pairing", json={}).json()["path"]
        assert phone.get(fresh, follow_redirects=False).headers["location"] == "/referee#pair-failed"
        assert phone.post("/api/login", json={"pin": "4711"}).status_code == 429
        hall.clock.now += 61
        assert phone.get(fresh, follow_redirects=False).headers["location"] == "/referee"


def test_without_a_pin_there_is_nothing_to_pair_for(make_table: Maker) -> None:
    made = make_table()
    with client(made) as console:
        assert console.post("/api/pairing", json={}).status_code == 403


def test_over_https_the_cookie_is_secure(hall: Fixture) -> None:
    app = create_app(hall.kiosk, clock=hall.clock)
    with TestClient(app, base_url=f"https://{HALL}", client=TABLET) as found:
        assert "; secure" in found.post("/api/login", json={"pin": "4711"}).headers["set-cookie"].lower()


def test_who_sets_a_new_pin_stays_paired_and_the_others_do_not(hall: Fixture) -> None:
    with client(hall, TABLET, HALL) as first, client(hall, ("192.168.1.21", 1), HALL) as second:
        for one in (first, second):
            assert one.post("/api/login", json={"pin": "4711"}).status_code == 200
        assert first.post("/api/setup/pin", json={"pin": "80801"}).status_code == 200
        assert first.get("/api/me").json()["may_write"] is True
        assert second.get("/api/me").json()["may_write"] is False
        assert second.post("/api/login", json={"pin": "80801"}).status_code == 200


def test_in_practice_everybody_may_and_is_named(make_table: Maker) -> None:
    made = make_table(mode=Mode.PRACTICE)
    with client(made, TABLET, HALL) as found:
        assert found.get("/api/me").json()["author"] == "practice@192.168.1.20"
        assert found.get("/api/status").json()["practice"] is True


@pytest.mark.parametrize("topics", ["presence", "state,presence", "secrets", "", "state,,status"])
def test_topics_fail_closed(hall: Fixture, topics: str) -> None:
    with (
        client(hall, TABLET, HALL) as found,
        found.websocket_connect(f"ws://{HALL}/api/live?topics={topics}") as socket,
    ):
        assert socket.receive_json()["type"] == "refused"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert hall.kiosk.hub.count() == 0


def test_a_looker_that_calls_itself_a_panel_sees_no_presence(hall: Fixture) -> None:
    with (
        client(hall, TABLET, HALL) as found,
        found.websocket_connect(f"ws://{HALL}/api/live?panel=referee&id=feed") as socket,
    ):
        kinds = [socket.receive_json()["type"] for _ in range(4)]
        assert kinds == ["hello", "state", "status", "clocks"]
        assert hall.kiosk.hub.presence()["panels"] == []


def test_two_panels_hear_of_each_other_until_one_goes(hall: Fixture) -> None:
    with client(hall) as console, console.websocket_connect("ws://localhost:8000/api/live?panel=referee&id=aa") as one:

        def presence(socket: Any) -> list[str]:
            while (message := socket.receive_json())["type"] != "presence":
                pass
            return [panel["id"] for panel in message["panels"]]

        assert presence(one) == ["aa"]
        with console.websocket_connect("ws://localhost:8000/api/live?panel=referee&id=bb") as two:
            assert presence(two) == ["aa", "bb"]
            assert presence(one) == ["aa", "bb"]
        assert presence(one) == ["aa"]
