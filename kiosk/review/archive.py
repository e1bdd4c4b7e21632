"""The index of all recorded matches: ``review.db`` beside the logs. It can be made anew from them at any time, except for what people wrote.

What is derived (matches, deals) is dropped and made anew when its form changes; what people wrote (comments, reviewed flags, consents) stays.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from kiosk.errors import NotFoundError, StoreError
from kiosk.review.digest import DealDigest, MatchDigest

FORM: Final = 3
"""Of the derived tables; another one makes them anew."""
NAME: Final = "review.db"

_DERIVED: Final = """
CREATE TABLE source (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, match TEXT, problem TEXT) WITHOUT ROWID;
CREATE TABLE match (
    match TEXT PRIMARY KEY, path TEXT NOT NULL, started TEXT NOT NULL, ended TEXT NOT NULL, rulebook TEXT NOT NULL, entries INTEGER NOT NULL,
    head TEXT NOT NULL, winner TEXT, deals INTEGER NOT NULL, alerts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX match_by_time ON match (started DESC);
CREATE TABLE seat (match TEXT NOT NULL, seat TEXT NOT NULL, token TEXT NOT NULL, name TEXT, PRIMARY KEY (match, seat)) WITHOUT ROWID;
CREATE INDEX seat_by_name ON seat (name);
CREATE TABLE deal (
    match TEXT NOT NULL, place INTEGER NOT NULL, deal INTEGER NOT NULL, over INTEGER NOT NULL, started TEXT NOT NULL,
    t0 REAL NOT NULL, t1 REAL NOT NULL, declarer TEXT, trump TEXT,
    points INTEGER NOT NULL, stage TEXT, steps TEXT NOT NULL, alerts INTEGER NOT NULL, figures TEXT NOT NULL,
    inbox TEXT NOT NULL, view BLOB NOT NULL, tempo BLOB NOT NULL,
    PRIMARY KEY (match, place)
);
"""
_WRITTEN: Final = """
CREATE TABLE IF NOT EXISTS reviewed (match TEXT NOT NULL, item TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (match, item));
CREATE TABLE IF NOT EXISTS comment (
    id INTEGER PRIMARY KEY, match TEXT NOT NULL, deal INTEGER NOT NULL, trick INTEGER, seat TEXT, by TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS comment_by_match ON comment (match, deal);
CREATE TABLE IF NOT EXISTS consent (name TEXT PRIMARY KEY, at TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A match in a list: its row, the names by seat."""

    match: str
    path: str
    started: str
    ended: str
    rulebook: str
    entries: int
    head: str
    winner: str | None
    deals: int
    alerts: int
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Span:
    """A deal's number, from when to when it was played (s of the table's clock), and whether it is over."""

    deal: int
    t0: float
    t1: float
    over: bool


def _span(row: sqlite3.Row) -> Span:
    return Span(row["deal"], row["t0"], row["t1"], bool(row["over"]))


def pack(value: Mapping[str, Any]) -> bytes:
    """JSON, compressed: a deal's view is some ten kilobytes of much repetition."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack(blob: bytes) -> dict[str, Any]:
    """What :func:`pack` made."""
    found: dict[str, Any] = json.loads(zlib.decompress(blob))
    return found


def unpack_text(blob: bytes) -> str:
    """The JSON text of what :func:`pack` made."""
    return zlib.decompress(blob).decode()


class Archive:
    """The index in one file; every method may be called from any thread."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or create the index.

        :raises StoreError: when it cannot be written or is damaged.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA secure_delete = ON")  # a name that was deleted is not to be found in the file
            if int(db.execute("PRAGMA user_version").fetchone()[0]) != FORM:
                dropped = "".join(f"DROP TABLE IF EXISTS {table};" for table in ("source", "match", "seat", "deal"))
                db.executescript(f"BEGIN IMMEDIATE; {dropped}{_DERIVED}{_WRITTEN} PRAGMA user_version = {FORM}; COMMIT;")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"复盘索引 {path} 无法使用（{error}）；它可以由记录重新生成，请改名保留后再试",
                f"the review index {path} cannot be used ({error}); it can be made anew from the logs: put it aside under another name",
            ) from error
        return cls(path, db)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def ask(self, query: str, values: Iterable[Any] = ()) -> list[sqlite3.Row]:
        """Rows of a query."""
        with self._lock:
            return self._db.execute(query, tuple(values)).fetchall()

    def tell(self, statement: str, values: Iterable[Any] = ()) -> int:
        """Change one thing; gives how many rows it changed."""
        with self._lock:
            return self._db.execute(statement, tuple(values)).rowcount

    # ---- what is derived

    def stamps(self) -> dict[str, str]:
        """By each file that was looked at, what it looked like then."""
        return {row["path"]: row["stamp"] for row in self.ask("SELECT path, stamp FROM source")}

    def add(self, made: MatchDigest, path: str, stamp: str) -> None:
        """Put a match in, in the place of what was known of it."""
        self.add_rows(made, path, stamp, [deal_row(deal) for deal in made.deals])

    def add_rows(self, made: MatchDigest, path: str, stamp: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """The same with the deals' rows (see :func:`deal_row`) made already."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for table in ("match", "seat", "deal"):
                    self._db.execute(f"DELETE FROM {table} WHERE match = ?", (made.match,))
                self._db.execute("INSERT OR REPLACE INTO source VALUES (?, ?, ?, NULL)", (path, stamp, made.match))
                self._db.execute(
                    "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (made.match, path, made.started, made.ended, made.rulebook, made.entries, made.head, made.winner, len(made.deals),
                     sum(deal.alerts for deal in made.deals)),
                )  # fmt: skip
                seats = [(made.match, seat, token, made.names.get(seat)) for seat, token in made.tokens.items()]
                self._db.executemany("INSERT INTO seat VALUES (?, ?, ?, ?)", seats)
                marks = ", ".join("?" * 17)
                self._db.executemany(f"INSERT INTO deal VALUES ({marks})", [(made.match, i, *row) for i, row in enumerate(rows)])
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def note_problem(self, path: str, stamp: str, problem: str | None) -> None:
        """Remember that a file is no log that can be shown (no problem: it is empty), so that it is not tried at every look."""
        self.tell("INSERT OR REPLACE INTO source VALUES (?, ?, NULL, ?)", (path, stamp, problem))

    def drop(self, path: str) -> None:
        """Take out what came from a file that is no longer there."""
        with self._lock:
            for row in self.ask("SELECT match FROM match WHERE path = ?", (path,)):
                for table in ("match", "seat", "deal"):
                    self.tell(f"DELETE FROM {table} WHERE match = ?", (row["match"],))
            self.tell("DELETE FROM source WHERE path = ?", (path,))

    # ---- looking

    def matches(
        self, *, player: str = "", rulebook: str = "", since: str = "", until: str = "", after: tuple[str, str] | None = None, limit: int = 50
    ) -> tuple[Found, ...]:
        """Matches, the newest first.

        :param player: a part of a player's name.
        :param since: the first day (``YYYY-MM-DD``, UTC); ``until`` the last.
        :param after: time and name of the match behind which to go on.
        """
        where, values = ["1"], list[Any]()
        if player:
            where.append("match IN (SELECT match FROM seat WHERE name LIKE ? ESCAPE '\\')")
            values.append(f"%{_plain(player)}%")
        if rulebook:
            where.append("rulebook = ?")
            values.append(rulebook)
        if since:
            where.append("started >= ?")
            values.append(since)
        if until:
            where.append("started < ?")
            values.append(until + "~")
        if after:
            where.append("(started, match) < (?, ?)")
            values += after
        found = self.ask(f"SELECT * FROM match WHERE {' AND '.join(where)} ORDER BY started DESC, match DESC LIMIT ?", (*values, limit))
        return tuple(self._found(row) for row in found)

    def _found(self, row: sqlite3.Row) -> Found:
        names = {seat["seat"]: seat["name"] for seat in self.ask("SELECT seat, name FROM seat WHERE match = ? AND name IS NOT NULL", (row["match"],))}
        return Found(**dict(row), names=names)

    def match(self, name: str) -> Found:
        """A match by its name or the beginning of it.

        :raises NotFoundError: when there is none, or more than one.
        """
        found = self.ask("SELECT * FROM match WHERE match >= ? AND match < ? LIMIT 2", (name, name + "~")) if name else []
        if len(found) != 1:
            raise NotFoundError(f"没有比赛 {name}", f"there is no match {name}" if not found else f"more than one match begins with {name}")
        return self._found(found[0])

    def deals(self, match: str) -> list[dict[str, Any]]:
        """The deals of a match in a list."""
        rows = self.ask(
            "SELECT place, deal, over, started, declarer, trump, points, stage, steps, alerts FROM deal WHERE match = ? ORDER BY place", (match,)
        )
        return [{**dict(row), "over": bool(row["over"]), "steps": json.loads(row["steps"])} for row in rows]

    def deal(self, match: str, place: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The view of a deal by its place in the match (from 0), and its thinking times.

        :raises NotFoundError: when there is none.
        """
        rows = self.ask("SELECT view, tempo FROM deal WHERE match = ? AND place = ?", (match, place))
        if not rows:
            raise NotFoundError("没有这一局", "there is no such deal")
        return unpack(rows[0]["view"]), unpack(rows[0]["tempo"])

    def deal_text(self, match: str, place: int) -> tuple[Span, str, str]:
        """When a deal was played, and its view and its thinking times as JSON text.

        :raises NotFoundError: when there is none.
        """
        rows = self.ask("SELECT deal, over, t0, t1, view, tempo FROM deal WHERE match = ? AND place = ?", (match, place))
        if not rows:
            raise NotFoundError("没有这一局", "there is no such deal")
        return _span(rows[0]), unpack_text(rows[0]["view"]), unpack_text(rows[0]["tempo"])

    def spans(self, match: str) -> list[Span]:
        """When each deal of a match was played."""
        return [_span(row) for row in self.ask("SELECT deal, over, t0, t1 FROM deal WHERE match = ? ORDER BY place", (match,))]

    def inbox(self, match: str) -> list[dict[str, Any]]:
        """The items of all deals of a match, each with its deal and the deal's place."""
        rows = self.ask("SELECT place, deal, inbox FROM deal WHERE match = ? ORDER BY place", (match,))
        return [{**item, "place": row["place"], "deal": row["deal"]} for row in rows for item in json.loads(row["inbox"])]

    def rulebooks(self) -> list[str]:
        """The rulebooks that were played by."""
        return [row["rulebook"] for row in self.ask("SELECT DISTINCT rulebook FROM match ORDER BY rulebook")]


def deal_row(deal: DealDigest) -> tuple[Any, ...]:
    """The row of a deal without its match and its place in it."""
    return (
        deal.deal, int(deal.over), deal.started, deal.t0, deal.t1, deal.declarer, deal.trump, deal.points, deal.stage, json.dumps(dict(deal.steps)),
        deal.alerts, json.dumps(deal.figures), json.dumps(deal.view["inbox"]), pack(deal.view), pack(deal.tempo),
    )  # fmt: skip


def _plain(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
