"""What lies in a video folder: ``media.db``, an index that can be made again from the files."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from kiosk.recording.folder import parse_name
from kiosk.recording.probe import span

FILE: Final = "media.db"
VIDEO, TRICK, EVIDENCE = "video", "trick", "evidence"
"""The tiers: continuous video goes first, tricks later, evidence never."""


@dataclass(frozen=True, slots=True)
class Medium:
    """One file: what it shows (``deal``, ``trick``, ``seat``, the log's ``seq``), when (``t0`` to ``t1``, s of the table's clock), its size
    (bytes), tier, when it was made (``at``, s since 1970), and for a picture the box of the camera's picture that it shows (x, y, w, h)."""

    name: str
    kind: str
    deal: int = 0
    trick: int = 0
    seat: str = ""
    seq: int = 0
    t0: float = 0.0
    t1: float = 0.0
    size: int = 0
    tier: str = TRICK
    at: float = 0.0
    box: str = ""

    def to_json(self) -> dict[str, Any]:
        """For a page."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("box", "at")}


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the recorder: from ``t0`` (s of the table's clock), what the source was, and where things lay in its picture."""

    t0: float
    source: str
    calibration: Mapping[str, Any]


_COLUMNS: Final = ", ".join(f.name for f in fields(Medium))
_SCHEMA: Final = (
    f"CREATE TABLE IF NOT EXISTS media ({_COLUMNS}, PRIMARY KEY (name)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS media_time ON media (kind, t0)",
    "CREATE INDEX IF NOT EXISTS media_play ON media (deal, trick)",
    "CREATE TABLE IF NOT EXISTS session (t0 REAL, source TEXT, calibration TEXT)",
)


class Index:
    """The index of one folder, open for writing; every method may be called from any thread and raises ``sqlite3.Error`` or ``OSError``."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._db = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, folder: Path, *, reconcile: bool = True) -> Self:
        """Open or make the index; one that is damaged is made anew from the files."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        try:
            index = cls(folder, _connect(path))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            for end in ("", "-wal", "-shm"):
                path.with_name(FILE + end).unlink(missing_ok=True)
            index = cls(folder, _connect(path))
            reconcile = True
        if reconcile:
            index.reconcile()
        return index

    def reconcile(self) -> None:
        """Make the index say what the folder holds: files that it does not know are added, those that are gone are taken out."""
        with self._lock:
            known = {name for (name,) in self._db.execute("SELECT name FROM media")}
            there = {path.name: path for path in self.folder.iterdir() if parse_name(path.name) is not None}
            self.remove(known - set(there))
            self.add(*scan(path for name, path in there.items() if name not in known))

    def add(self, *media: Medium) -> None:
        """Add files, or put them right."""
        marks = ", ".join("?" for _ in fields(Medium))
        with self._lock:
            self._db.executemany(f"INSERT OR REPLACE INTO media ({_COLUMNS}) VALUES ({marks})", [astuple(medium) for medium in media])

    def begin(self, session: Session) -> None:
        """Note a run of the recorder."""
        with self._lock:
            self._db.execute("INSERT INTO session VALUES (?, ?, ?)", (session.t0, session.source, json.dumps(session.calibration)))

    def remove(self, names: Iterable[str]) -> None:
        """Forget files."""
        with self._lock:
            self._db.executemany("DELETE FROM media WHERE name = ?", [(name,) for name in names])

    def protect_trick(self, deal: int, tricks: Iterable[int]) -> None:
        """Make everything of these tricks evidence."""
        with self._lock:
            self._db.executemany(f"UPDATE media SET tier = '{EVIDENCE}' WHERE deal = ? AND trick = ?", [(deal, trick) for trick in tricks])

    def protect(self, t0: float, t1: float) -> int:
        """Make everything that shows a time evidence; gives how many files."""
        with self._lock:
            return self._db.execute(f"UPDATE media SET tier = '{EVIDENCE}' WHERE t1 >= ? AND t0 <= ?", (t0, t1)).rowcount

    def media(self) -> tuple[Medium, ...]:
        """All files, oldest first."""
        with self._lock:
            return read_media(self._db)

    def close(self) -> None:
        """Close the file."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._db.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        for statement in _SCHEMA:
            connection.execute(statement)
        damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except BaseException:
        connection.close()
        raise
    if damage != "ok":
        connection.close()
        raise sqlite3.DatabaseError(f"the index is damaged: {damage}")
    return connection


def read_media(connection: sqlite3.Connection, where: str = "", values: tuple[object, ...] = ()) -> tuple[Medium, ...]:
    """Files by a condition, oldest first."""
    query = f"SELECT {_COLUMNS} FROM media {'WHERE ' + where if where else ''} ORDER BY t0, name"
    return tuple(Medium(*row) for row in connection.execute(query, values))


def read_sessions(connection: sqlite3.Connection) -> tuple[Session, ...]:
    """The runs of the recorder, oldest first."""
    rows = connection.execute("SELECT t0, source, calibration FROM session ORDER BY t0, rowid")
    return tuple(Session(t0, source, json.loads(text)) for t0, source, text in rows)


def scan(paths: Iterable[Path]) -> list[Medium]:
    """What files say of themselves by their names and, for video, their length; a video that cannot be read is left out."""
    out = []
    for path in paths:
        name = parse_name(path.name)
        if name is None:
            continue
        length = 0.0
        if path.suffix == ".mp4":
            found = span(path)
            if found is None:
                continue
            length = found
        stat = path.stat()
        tier = VIDEO if name.kind == "segment" else TRICK
        out.append(Medium(path.name, name.kind, name.deal, name.trick, name.seat, 0, name.t0, name.t0 + length, stat.st_size, tier, stat.st_mtime))
    return out
