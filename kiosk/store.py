"""The table's log: append-only events in one SQLite file, durable before anything is shown.

WAL with ``synchronous=FULL``: a committed row survives a pulled plug. Rows are chained by SHA-256, each over its
predecessor's hash and its own content, so that a later change is found when the file is opened. Triggers refuse UPDATE and DELETE.
Names of persons lie outside the chain (:mod:`kiosk.names`); older forms are migrated when the file is opened (:mod:`kiosk.migrations`).
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

from kiosk import migrations
from kiosk.chain import ROOT, chain
from kiosk.errors import StoreError
from kiosk.names import Names, is_token, pack

SCHEMA: Final = migrations.HEAD


@dataclass(frozen=True, slots=True)
class Row:
    """One entry: place from 1, wall-clock time (ISO 8601, UTC), who wrote it, and the event's JSON form.

    ``text`` is the body as it is chained (with tokens in the place of names), ``hash`` the chain up to this row.
    """

    seq: int
    at: str
    author: str
    body: Mapping[str, Any]
    text: str = ""
    hash: str = ""


def _explain(path: Path, error: BaseException) -> StoreError:
    """Say what an error of SQLite or of the file system means for the table."""
    text = str(error)
    if isinstance(error, FileNotFoundError):
        return StoreError(f"没有记录文件 {path}", f"there is no log {path}")
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


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)


def _look(path: Path) -> sqlite3.Connection:
    """A connection that never writes; where not even the journal's index can be made, the file is taken as it lies."""
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=2.0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        connection = sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    return connection


class Store:
    """The log of one table, opened by one writer; every method may be called from any thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, readonly: bool = False) -> None:
        self.path = path
        self.readonly = readonly
        self._db = connection
        self._lock = threading.RLock()
        self._seq = 0
        self._hash = ROOT
        self._names = Names()
        self._closed = False

    @classmethod
    def open(cls, path: Path, *, readonly: bool = False) -> Self:
        """Open or create a log and check its chain.

        :param readonly: only look: another program may write the file, and it may lie where nothing can be written.
        :raises StoreError: when it cannot be written (or read), is damaged, was changed afterwards, or is of a newer version.
        """
        try:
            connection = _look(path) if readonly else _connect(path)
        except (OSError, sqlite3.Error) as error:
            raise _explain(path, error) from error
        store = cls(path, connection, readonly=readonly)
        try:
            store._prepare()
            store._load_names()
        except sqlite3.Error as error:
            connection.close()
            raise _explain(path, error) from error
        except StoreError:
            connection.close()
            raise
        return store

    def _prepare(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            raise StoreError(
                f"记录文件 {self.path} 由更新的版本写成（{version}，本程序为 {SCHEMA}）；请升级本程序",
                f"{self.path} was written by a newer version (schema {version}, this program knows {SCHEMA}); update the program",
            )
        if self.readonly:
            if version == 0:
                raise _explain(self.path, sqlite3.DatabaseError("file is not a database: it holds no log"))
            self._check()
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")  # a name that was deleted is not to be found in the file
        if version:
            self._check()
        if version < SCHEMA:
            migrations.upgrade(self._db)
            self._seq, self._hash = 0, ROOT
            self._check()
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            self._db.execute("BEGIN IMMEDIATE")  # shows now, not in the first trick, that the file can be written
            with self._transaction():
                self._db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _load_names(self) -> None:
        known = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'names'").fetchone()
        self._names = Names(dict(self._db.execute("SELECT token, name FROM names").fetchall()) if known else {})

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
        if self.readonly:
            raise StoreError(f"{self.path} 只供查看", f"{self.path} was opened only for reading")
        at = (now or datetime.now(UTC)).isoformat(timespec="milliseconds")
        rows: list[Row] = []
        with self._lock:
            seq, last = self._seq, self._hash
            names = Names(self._names.known)
            for body in bodies:
                seq += 1
                text = pack(names.close(body))
                last = chain(last, seq, at, author, text)
                rows.append(Row(seq, at, author, dict(body), text, last))
            try:
                self._db.execute("BEGIN IMMEDIATE")
                with self._transaction():
                    found = int(self._db.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()[0])
                    if found != self._seq:
                        raise StoreError(
                            f"另一个程序也在写 {self.path}（第 {found} 条）；请只留一个",
                            f"another program writes {self.path} too (entry {found}, expected {self._seq}); stop one of them",
                        )
                    self._db.executemany("INSERT INTO names VALUES (?, ?)", list(names.new.items()))
                    self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?)", [(r.seq, r.at, r.author, r.text, r.hash) for r in rows])
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error
            self._seq, self._hash, self._names = seq, last, Names(names.known)
        return tuple(rows)

    def adopt(self, rows: Sequence[tuple[int, str, str, str, str]], names: Mapping[str, str]) -> None:
        """Take over the rows (seq, at, author, text, hash) and names (by token) of another log into this one, which must be empty.

        :raises StoreError: when this log is not empty, the rows are no whole chain, or the file cannot be written.
        """
        with self._lock:
            if self._seq or self._names.known:
                raise StoreError(f"{self.path} 不是空的记录", f"{self.path} is no empty log; name a new file")
            last = ROOT
            for number, (seq, at, author, text, found) in enumerate(rows, 1):
                last = chain(last, seq, at, author, text)
                if seq != number or last != found:
                    raise StoreError(f"第 {number} 条对不上，内容被改动过", f"entry {number} does not fit those before it: it was changed afterwards")
            try:
                self._db.execute("BEGIN IMMEDIATE")
                with self._transaction():
                    self._db.executemany("INSERT INTO names VALUES (?, ?)", list(names.items()))
                    self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error
            self._seq, self._hash, self._names = len(rows), last, Names(names)

    def read(self, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        """Entries behind a place, oldest first, at most ``limit`` of them, with names in the place of tokens.

        :raises StoreError: when the file cannot be read.
        """
        with self._lock:
            try:
                found = self._db.execute(
                    "SELECT seq, at, author, body, hash FROM log WHERE seq > ? ORDER BY seq LIMIT ?", (after, -1 if limit is None else limit)
                ).fetchall()
            except sqlite3.Error as error:
                raise _explain(self.path, error) from error
            return tuple(Row(seq, at, author, self._names.open(json.loads(text)), text, hash_) for seq, at, author, text, hash_ in found)

    # ---- names of persons, outside the chain

    def names(self) -> dict[str, str]:
        """The names of persons by their tokens."""
        with self._lock:
            return dict(self._names.known)

    def forget(self, who: str) -> int:
        """Delete a name, given as it is or by its token; the chain stays whole. Gives how many were deleted (0 or 1).

        :raises StoreError: when the file cannot be written.
        """
        with self._lock:
            token = who if is_token(who) else next((t for t, name in self._names.known.items() if name == who), None)
            if token is None or self._names.name(token) is None:
                return 0
            self._write_name("DELETE FROM names WHERE token = ?", (token,))
            return 1

    def rename(self, token: str, name: str) -> None:
        """Put a name right.

        :raises StoreError: when there is no such token, or the file cannot be written.
        """
        with self._lock:
            if self._names.name(token) is None:
                raise StoreError(f"没有这个姓名代号 {token}", f"there is no name with the token {token}")
            self._write_name("UPDATE names SET name = ? WHERE token = ?", (name, token))

    def _write_name(self, statement: str, values: tuple[str, ...]) -> None:
        try:
            self._db.execute(statement, values)
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nor in the journal
            self._load_names()
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error

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
