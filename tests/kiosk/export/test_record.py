"""The match record: published form, whole on the way back, and every change of it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine import referee
from kiosk.errors import StoreError
from kiosk.export import record
from kiosk.export.schema import schema
from tests.kiosk.recorded import match_log

DOCS = Path(__file__).parents[3] / "docs" / "match-record.schema.json"


def test_schema_in_the_documents_is_the_one_of_the_events() -> None:
    assert json.loads(DOCS.read_text("utf-8")) == schema()


def test_every_line_of_a_record_fits_the_published_schema() -> None:
    validator = Draft202012Validator(json.loads(DOCS.read_text("utf-8")))
    Draft202012Validator.check_schema(schema())
    for line in record.lines(match_log()):
        assert [error.message for error in validator.iter_errors(json.loads(line))] == []


@pytest.mark.parametrize(
    "wrong", [{"event": "CardsPlayed"}, {"seat": "X"}, {"cards": ["S1"]}, {"trick": "one"}, {"colour": "red"}, {"source": "rumour"}]
)
def test_schema_refuses_what_is_no_event(wrong: dict[str, object]) -> None:
    validator = Draft202012Validator(schema())
    line = next(json.loads(text) for text in record.lines(match_log()) if '"CardsPlayed"' in text)
    assert validator.is_valid(line)
    line["event"] = {"v": 1, "event": "CardsPlayed"} if "event" in wrong else {**line["event"], **wrong}
    assert not validator.is_valid(line)


def test_record_reads_back_into_the_same_log_and_state() -> None:
    log = match_log()
    back = record.parse(record.lines(log))
    assert (back.entries, back.match, back.head) == (log.entries, log.match, log.head)
    assert referee.fold(back.events) == referee.fold(log.events)
    assert set(back.names.values()) == {"王芳", "李伟", "张敏", "刘洋"}


def test_record_without_names_holds_no_name_and_its_chain_is_whole() -> None:
    text = "".join(record.lines(match_log(), names=False))
    assert not any(name in text for name in match_log().people.values())
    assert record.parse(text.splitlines()).names == {}


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_changed_missing_or_doubled_line_is_found(place: int) -> None:
    lines = list(record.lines(match_log()))
    changed = json.loads(lines[place])
    if place:
        changed["author"] = "somebody"
    else:
        changed["head"] = "0" * 64
    for wrong in (
        [*lines[:place], json.dumps(changed), *lines[place:][1:]],
        [line for i, line in enumerate(lines) if i != place % len(lines)],
        [*lines[: place % len(lines) + 1], *lines[place % len(lines) :]],
    ):
        with pytest.raises(StoreError):
            record.parse(wrong)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "nonsense", '{"form": "other", "v": 1}', '{"form": "trickwatch match record", "v": 99}', "[" * 50_000]
)
def test_what_is_no_record_is_said_so(text: str) -> None:
    with pytest.raises(StoreError, match=r"match record|is empty"):
        record.parse([text])
