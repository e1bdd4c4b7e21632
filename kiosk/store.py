"""The table's log: append-only events in one SQLite file, durable before anything is shown.

WAL with ``synchronous=FULL``: a committed row survives a pulled plug. Rows are chained by SHA-256, each over its
predecessor's hash and its own content, so that a later change is found when the file is opened. Triggers refuse UPDATE and DELETE.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from kiosk.errors import StoreError

SCHEMA: Final = 1
ROOT: Final = "0" * 64
"""The hash before the first row."""

_MIGRATIONS: Final[Mapping[int, tuple[str, ...]]] = {
    1: (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE log (
            seq INTEGER PRIMARY KEY CHECK (seq > 0), at TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
        )""",
        "CREATE TRIGGER log_is_append_only_u BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
        "CREATE TRIGGER log_is_append_only_d BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    ),
}
"""What each schema version adds to the one before."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry: place from 1, wall-clock time (ISO 8601, UTC), who wrote it, and the event's JSON form."""

    seq: int
    at: str
    author: str
    body: Mapping[str, Any]


def chain(previous: str, seq: int, at: str, author: str, body: str) -> str:
    """The hash of a row: over the hash before it and everything that the row says."""
    return hashlib.sha256("\n".join((previous, str(seq), at, author, body)).encode()).hexdigest()


def _explain(path: Path, error: BaseException) -> StoreError:
    """Say what an error of SQLite or of the file system means for the table."""
    text = str(error)
    if "full" in text or getattr(error, "errno", None) == 28:
        return StoreError(
            f"磁盘已满，无法写入记录 {path}；请腾出空间，已有记录完好",
            f"the disk is full, {path} cannot be written; free some space, what is recorded is safe",
        )
    if "malformed" in text or "not a database" in text or "corrupt" in text:
        return StoreError(
            f"记录文件 {path} 已损坏或不是记录文件（{text}）；文件未改动，请用 --db 指定另一个文件",
            f"{path} is damaged or is no table log ({text}); it was left as it is, name another file with --db",
        )
    if "locked" in text:
        return StoreError(f"记录文件 {path} 正被另一个程序使用", f"{path} is in use by another program; close it or name another file with --db")
    return StoreError(
        f"无法写入记录文件 {path}（{text}）；请检查权限，或用 --db 指定另一个文件",
        f"{path} cannot be written ({text}); check its permissions or name another file with --db",
    )


class Store:
    """The log of one table, opened by one writer; every method may be called from any thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._lock = threading.RLock()
        self._seq = 0
        self._hash = ROOT
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or create a log and check its chain.

        :raises StoreError: when it cannot be written, is damaged, was changed afterwards, or is of a newer version.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
        except (OSError, sqlite3.Error) as error:
            raise _explain(path, error) from error
        store = cls(path, connection)
        try:
            store._prepare()
            store._check()
        except sqlite3.Error as error:
            connection.close()
            raise _explain(path, error) from error
        except StoreError:
            connection.close()
            raise
        return store

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            raise StoreError(
                f"记录文件 {self.path} 由更新的版本写成（{version}，本程序为 {SCHEMA}）；请升级本程序",
                f"{self.path} was written by a newer version (schema {version}, this program knows {SCHEMA}); update the program",
            )
        self._db.execute("BEGIN IMMEDIATE")  # also shows now, not in the first trick, that the file can be written
        with self._transaction():
            for step in range(version + 1, SCHEMA + 1):
                for statement in _MIGRATIONS[step]:
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _check(self) -> None:
        """Walk the chain; it must be without gaps and every hash must fit."""
        damage = str(self._db.execute("PRAGMA quick_check(1)").fetchone()[0])
        if damage != "ok":
            raise _explain(self.path, sqlite3.DatabaseError(f"malformed: {damage}"))
        previous = ROOT
        seq = 0
        for seq, at, author, body, found in self._db.execute("SELECT seq, at, author, body, hash FROM log ORDER BY seq"):
            if seq != self._seq + 1 or chain(previous, seq, at, author, body) != found:
                raise StoreError(
                    f"记录 {self.path} 第 {seq} 条与之前的记录对不上：文件事后被改动过；请保留该文件，并用 --db 另开一个",
                    f"entry {seq} of {self.path} does not fit those before it: the file was changed afterwards; keep it, name another with --db",
                )
            self._seq = seq
            previous = found
        self._hash = previous

    @property
    def seq(self) -> int:
        """The place of the last entry; 0 when the log is empty."""
        return self._seq

    @property
    def hash(self) -> str:
        """The hash of the last entry."""
        return self._hash

    def append(self, bodies: Sequence[Mapping[str, Any]], author: str, now: datetime | None = None) -> tuple[Row, ...]:
        """Write entries, all or none, and return once they are on the disk.

        :raises StoreError: when they cannot be written; then none of them is.
        """
        at = (now or datetime.now(UTC)).isoformat(timespec="milliseconds")
        rows: list[tuple[int, str, str, str, str]] = []
        with self._lock:
            seq, last = self._seq, self._hash
            for body in bodies:
                seq += 1
                text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
                last = chain(last, seq, at, author, text)
                rows.append((seq, at, author, text, last))
            try:
                self._db.execute("BEGIN IMMEDIATE")
                with self._transaction():
                    found = int(self._db.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()[0])
                    if found != self._seq:
                        raise StoreError(
                            f"另一个程序也在写 {self.path}（第 {found} 条）；请只留一个",
                            f"another program writes {self.path} too (entry {found}, expected {self._seq}); stop one of them",
                        )
                    self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error
            self._seq, self._hash = seq, last
        return tuple(Row(row[0], at, author, dict(body)) for row, body in zip(rows, bodies, strict=True))

    def read(self, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        """Entries behind a place, oldest first, at most ``limit`` of them.

        :raises StoreError: when the file cannot be read.
        """
        with self._lock:
            try:
                found = self._db.execute(
                    "SELECT seq, at, author, body FROM log WHERE seq > ? ORDER BY seq LIMIT ?", (after, -1 if limit is None else limit)
                ).fetchall()
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error
        return tuple(Row(seq, at, author, json.loads(body)) for seq, at, author, body in found)

    def setting(self, key: str) -> str | None:
        """A remembered setting of this table, or None."""
        with self._lock:
            found = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def remember(self, key: str, value: str) -> None:
        """Keep a setting of this table.

        :raises StoreError: when it cannot be written.
        """
        with self._lock:
            try:
                self._db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value))
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error

    def close(self) -> None:
        """Close the file; further calls do nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
