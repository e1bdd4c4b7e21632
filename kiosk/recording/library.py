"""Looking into a video folder, while it is written or years later."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from kiosk.errors import NotFoundError
from kiosk.recording.folder import parse_name
from kiosk.recording.index import FILE, Index, Medium, Session, read_media, read_sessions, scan

GAP_S: Final = 1.2
"""Longer than this between two segments is shown as a gap."""


class Library:
    """The media of one log. A folder that does not exist is an empty library; without an index the files speak for themselves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Look into a folder."""
        return cls(folder)

    def media(
        self, kind: str | None = None, deal: int | None = None, trick: int | None = None, seat: str | None = None, *, name: str | None = None
    ) -> tuple[Medium, ...]:
        """The files, oldest first, of a kind (``segment``, ``clip``, ``still``, ``play``, ``thumb``), deal, trick or seat, or of a name."""
        asked = (("name", name), ("kind", kind), ("deal", deal), ("trick", trick), ("seat", seat))
        wanted = {key: value for key, value in asked if value is not None}
        return self._find(" AND ".join(f"{key} = ?" for key in wanted), tuple(wanted.values()))

    def _find(self, where: str, values: tuple[object, ...]) -> tuple[Medium, ...]:
        try:
            connection = self._connect()
        except sqlite3.Error:
            return self._scan(where, values)
        try:
            return tuple(medium for medium in read_media(connection, where, values) if (self.folder / medium.name).is_file())
        except sqlite3.Error:
            return self._scan(where, values)
        finally:
            connection.close()

    def _scan(self, where: str, values: tuple[object, ...]) -> tuple[Medium, ...]:
        """The same from the files alone."""
        if not self.folder.is_dir():
            return ()
        keys = [part.split(" = ")[0] for part in where.split(" AND ") if part]
        found = sorted(scan(path for path in self.folder.iterdir() if parse_name(path.name)), key=lambda medium: (medium.t0, medium.name))
        return tuple(m for m in found if all(getattr(m, key) == value for key, value in zip(keys, values, strict=True)))

    def _connect(self) -> sqlite3.Connection:
        path = self.folder / FILE
        if not path.is_file():
            raise sqlite3.OperationalError("no index")
        uri = f"file:{quote(str(path.absolute()))}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, timeout=2.0)
        try:
            connection.execute("SELECT count(*) FROM media").fetchone()
        except sqlite3.Error:
            connection.close()
            connection = sqlite3.connect(f"{uri}&immutable=1", uri=True)
        return connection

    def sessions(self) -> tuple[Session, ...]:
        """The runs of the recorder, oldest first."""
        try:
            connection = self._connect()
        except sqlite3.Error:
            return ()
        try:
            return read_sessions(connection)
        except sqlite3.Error:
            return ()
        finally:
            connection.close()

    def session(self, t: float) -> Session | None:
        """The run that recorded a time (s), or None."""
        before = [session for session in self.sessions() if session.t0 <= t + 1e-3]
        return before[-1] if before else None

    def at(self, t: float) -> tuple[Medium, float] | None:
        """The segment that shows a time of the table's clock (s), and where in it; None in a gap."""
        for medium in reversed(self.media("segment")):
            if medium.t0 <= t <= medium.t1 + 0.5:
                return medium, min(t, medium.t1) - medium.t0
        return None

    def gaps(self) -> tuple[tuple[float, float], ...]:
        """Times between the first and the last segment that no segment shows (s)."""
        out = []
        last: float | None = None
        for medium in self.media("segment"):
            if last is not None and medium.t0 - last > GAP_S:
                out.append((last, medium.t0))
            last = medium.t1 if last is None else max(last, medium.t1)
        return tuple(out)

    def path(self, name: str) -> Path:
        """A file of the folder by its name.

        :raises NotFoundError: when it is no name of a medium, or the file is gone.
        """
        path = self.folder / name
        if parse_name(name) is None or not path.is_file():
            raise NotFoundError(f"没有这段录像 {name[:80]}", f"there is no such recording {name[:80]!r}")
        return path

    def protect(self, t0: float, t1: float) -> int:
        """Make everything between two times evidence, which retention never takes; gives how many files.

        :raises OSError: when the index cannot be written.
        """
        if not self.folder.is_dir():
            return 0
        try:
            index = Index.open(self.folder, reconcile=False)
        except sqlite3.Error as error:
            raise OSError(str(error)) from error
        try:
            return index.protect(t0, t1)
        except sqlite3.Error as error:
            raise OSError(str(error)) from error
        finally:
            index.close()
