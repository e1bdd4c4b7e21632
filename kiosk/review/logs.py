"""Reading the log of a match without disturbing who writes it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from engine.events import Event, MatchStarted, from_json
from kiosk.chain import ROOT, chain
from kiosk.errors import ChangedError, StoreError
from kiosk.names import is_token

NOTE: Final = "kiosk."
"""Entries of the kiosk itself carry this before their name; the fold leaves them out."""
NAMING: Final = (MatchStarted.__name__, "NamesSet")
"""Events that name the players."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as it stands in the log: place, wall-clock time (ISO 8601, UTC), author, the event's JSON text, and its hash."""

    seq: int
    at: str
    author: str
    text: str
    hash: str

    @property
    def body(self) -> dict[str, Any]:
        """The event's JSON form."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def kind(self) -> str:
        """The event's name, without reading all of it."""
        start = self.text.find('"event":')
        return self.text[start + 8 : self.text.find(",", start)].strip(' "}') if start >= 0 else ""


@dataclass(frozen=True)
class Log:
    """The log of one match: its entries from the first, and the names that its tokens stand for."""

    entries: tuple[Entry, ...]
    people: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None

    @property
    def match(self) -> str:
        """The match's name: the beginning of its first entry's hash, the same on every machine; empty for an empty log."""
        return self.entries[0].hash[:16] if self.entries else ""

    @property
    def head(self) -> str:
        """The hash of the last entry, which stands for everything before it."""
        return self.entries[-1].hash if self.entries else ROOT

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events for a fold, names filled in.

        :raises StoreError: naming the entry that is no event.
        """
        return tuple(event for _, event in self.placed())

    def placed(self) -> list[tuple[Entry, Event]]:
        """The entries that are events, each with its event.

        :raises StoreError: naming the entry that is no event.
        """
        out: list[tuple[Entry, Event]] = []
        for entry in self.entries:
            if entry.kind.startswith(NOTE):
                continue
            try:
                body = entry.body
                if body.get("event") in NAMING:
                    body["names"] = named(body.get("names") or {}, self.people)
                out.append((entry, from_json(body)))
            except (ValueError, TypeError, AttributeError) as error:
                raise StoreError(f"记录第 {entry.seq} 条无法识别：{error}", f"entry {entry.seq} of the log is not understood: {error}") from error
        return out

    @cached_property
    def tokens(self) -> Mapping[str, str]:
        """What the log itself has for each seat's name, as it was last set: a token, or (in an old log) the name."""
        out: dict[str, str] = {}
        for entry in self.entries:
            if entry.kind in NAMING:
                out.update({seat: str(name) for seat, name in (entry.body.get("names") or {}).items()})
        return out

    @property
    def rulebook(self) -> str:
        """What the match calls its rulebook: a preset's name or a file; empty before a match has begun."""
        first = next((entry for entry in self.entries if entry.kind == MatchStarted.__name__), None)
        return str(first.body.get("rulebook") or "") if first is not None else ""

    @property
    def names(self) -> Mapping[str, str]:
        """The players by seat, as far as they are known."""
        return named(self.tokens, self.people)


def named(tokens: Mapping[str, str], people: Mapping[str, str]) -> dict[str, str]:
    """Names by seat; a token whose name was deleted stands for nobody."""
    out: dict[str, str] = {}
    for seat, token in tokens.items():
        name = people.get(token, "" if is_token(token) else token)
        if name:
            out[seat] = name
    return out


def read_log(path: Path, after: int = 0) -> Log:
    """Read the entries of a log behind a place.

    :raises StoreError: when it is no log or cannot be read.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2.0)) as db:
            rows = db.execute("SELECT seq, at, author, body, hash FROM log WHERE seq > ? ORDER BY seq", (after,)).fetchall()
            people = _people(db)
    except sqlite3.Error as error:
        raise StoreError(f"无法读取记录 {path}（{error}）", f"the log {path} cannot be read ({error})") from error
    return Log(tuple(Entry(*row) for row in rows), people, path)


def people_in(path: Path) -> frozenset[str]:
    """The names of persons that a log's file holds, also of those who were replaced; none where it is no log or cannot be read."""
    try:
        log = read_log(path)
    except StoreError:
        return frozenset()
    written = [name for entry in log.entries if entry.kind in NAMING for name in (entry.body.get("names") or {}).values()]
    return frozenset({*log.people.values(), *(str(name) for name in written if not is_token(name))})


def _people(db: sqlite3.Connection) -> dict[str, str]:
    """The names that tokens stand for, where the file has them."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'names'").fetchone() is None:
        return {}
    return {str(token): str(name) for token, name in db.execute("SELECT token, name FROM names") if name}


def verify_chain(entries: Sequence[Entry]) -> None:
    """Check that entries are a whole log from its first on, unchanged.

    :raises ChangedError: naming the first entry that does not fit.
    """
    previous = ROOT
    for place, entry in enumerate(entries, 1):
        if entry.seq != place or chain(previous, entry.seq, entry.at, entry.author, entry.text) != entry.hash:
            raise ChangedError(
                f"记录第 {place} 条与之前的记录对不上：内容被改动过",
                f"entry {place} of the log does not fit those before it: it was changed",
            )
        previous = entry.hash
