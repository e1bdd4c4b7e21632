"""The API's description is current and whole, and nothing that it allows breaks the table or gets past its rights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode

from kiosk.access import Mode
from kiosk.openapi import TARGET, describe, text
from kiosk.web import create_app
from tests.kiosk.tables import Fixture, Maker, until_trick

EXAMPLES = 6
"""Requests of each kind a route gets; enough to reach every field, few enough for a busy machine."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return describe()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, ways in document["paths"].items():
        for method, operation in ways.items():
            yield path, method, operation


def test_the_file_is_current(document: dict[str, Any]) -> None:
    assert TARGET.read_text("utf-8") == text(document), "run python -m kiosk.openapi"


def test_every_route_says_what_it_does_what_it_gives_and_how_it_refuses(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert operation.get("description"), where
        good = [answer for code, answer in operation["responses"].items() if code.startswith(("2", "3"))]
        assert good, where
        assert any("content" in answer for answer in good) or path == "/pair", where
        if path.startswith("/api/review"):
            continue
        refused = operation["responses"].get("422", {})
        assert refused["content"]["application/json"]["schema"]["$ref"].endswith("/Problem"), where
        assert "403" in operation["responses"], where


def _fuzz(made: Fixture, *, headers: dict[str, str]) -> list[tuple[str, str, int]]:
    """Send generated requests, those that fit and those that do not, to every route; gives what was answered."""
    app = create_app(made.kiosk, clock=made.clock)
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers={"host": "localhost:8000"})
    schema.config.generation.modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    answers: list[tuple[str, str, int]] = []
    for result in schema.get_all_operations():
        operation = result.ok()
        answers += _ask(operation, made, headers)
    return answers


def _ask(operation: Any, made: Fixture, headers: dict[str, str]) -> list[tuple[str, str, int]]:
    out: list[tuple[str, str, int]] = []

    @given(case=operation.as_strategy())
    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        made.clock.now += 1
        answer = case.call(headers=headers)
        case.validate_response(answer, checks=[not_a_server_error])
        out.append((operation.method, operation.path, answer.status_code))

    ask()
    return out


@pytest.mark.parametrize("who", ["console", "looker"])
def test_no_request_breaks_the_table_and_none_changes_it_without_rights(make_table: Maker, who: str) -> None:
    made = make_table(until_trick(3), mode=Mode.COMPETITION, pin="4711")
    before = (made.table.seq, json.dumps(made.table.shown()[1], default=str), made.store.setting("pin"))
    headers = {"host": "localhost:8000"} if who == "console" else {"host": "192.168.1.7:8000"}
    answers = _fuzz(made, headers=headers)
    assert len({(method, path) for method, path, _ in answers}) > 25
    assert not [found for found in answers if found[2] >= 500]
    if who == "looker":
        assert (made.table.seq, json.dumps(made.table.shown()[1], default=str), made.store.setting("pin")) == before
        writes = [status for method, path, status in answers if method.upper() == "POST" and path not in ("/api/login", "/api/logout")]
        assert writes
        assert all(400 <= status < 500 for status in writes)
