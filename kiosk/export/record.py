"""The match record as JSON Lines: a head, then every entry of the log as it is chained; it reads back into the same log.

The form is published as a JSON schema (``docs/match-record.schema.json``, made by :func:`kiosk.export.schema.schema`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.events import from_json
from kiosk.errors import ChangedError, StoreError
from kiosk.review.logs import NOTE, Entry, Log, verify_chain

VERSION: Final = 1
FORM: Final = "trickwatch match record"
LARGEST_LINE: Final = 4 * 1024 * 1024
MOST_ENTRIES: Final = 1_000_000


def lines(log: Log, *, names: bool = True) -> Iterator[str]:
    """The lines of a record, each with its line end; without ``names`` only the tokens that stand for them."""
    people = {token: name for token, name in log.people.items() if token in log.tokens.values()} if names else {}
    head = {"form": FORM, "v": VERSION, "match": log.match, "entries": len(log.entries), "head": log.head, "names": people}
    yield _line(head)
    for entry in log.entries:
        yield _line({"seq": entry.seq, "at": entry.at, "author": entry.author, "hash": entry.hash, "event": entry.body, "text": entry.text})


def _line(value: dict[str, Any]) -> str:
    if value.get("text") == json.dumps(value.get("event"), ensure_ascii=False, separators=(",", ":")):
        del value["text"]  # what is chained is the event's text; it stands beside the event only where it is not the usual form
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def parse(text: Iterable[str]) -> Log:
    """Read a record.

    :raises StoreError: naming the line that is none of a record.
    :raises ChangedError: naming the first entry that was changed, or saying that some are missing.
    """
    head: dict[str, Any] | None = None
    entries: list[Entry] = []
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(_bounded(line, len(entries)))
            if head is None:
                head = _head(value)
            else:
                entries.append(_entry(value))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StoreError(f"第 {number} 行不是比赛记录：{error}", f"line {number} is not of a match record: {error}") from error
    if head is None:
        raise StoreError("没有比赛记录", "there is no match record: the text is empty")
    log = Log(tuple(entries), dict(head["names"]))
    verify_chain(log.entries)
    if (log.match, log.head, len(entries)) != (head["match"], head["head"], head["entries"]):
        raise ChangedError(
            f"记录不完整：应有 {head['entries']} 条，实有 {len(entries)} 条，或首行与内容不符",
            f"the record is not whole: {head['entries']} entries are announced, {len(entries)} are there, or the head does not fit them",
        )
    return log


def _bounded(line: str, before: int) -> str:
    if len(line) > LARGEST_LINE or before >= MOST_ENTRIES:
        raise ValueError(f"too long: at most {LARGEST_LINE} characters a line and {MOST_ENTRIES} entries")
    return line


def _head(value: Any) -> dict[str, Any]:
    if value["form"] != FORM or value["v"] != VERSION:
        raise ValueError(f"form {value.get('form')!r} version {value.get('v')!r}; expected {FORM!r} version {VERSION}")
    names = value["names"]
    if not all(isinstance(k, str) and isinstance(v, str) and len(v) <= 200 for k, v in names.items()) or len(names) > 64:
        raise ValueError("names are no names")
    return {"match": str(value["match"]), "head": str(value["head"]), "entries": int(value["entries"]), "names": names}


def _entry(value: Any) -> Entry:
    event = value["event"]
    if not str(event["event"]).startswith(NOTE):
        from_json(event)
    text = value.get("text") or json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    if json.loads(text) != event:
        raise ValueError("the event is not what is chained")
    if type(value["seq"]) is not int or not isinstance(value["at"], str) or not isinstance(value["author"], str):
        raise ValueError("seq, at or author is of the wrong form")
    return Entry(value["seq"], value["at"], value["author"], text, str(value["hash"]))
