"""The matches of a table: the logs in its folder, kept in step with the index."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from engine.referee import MatchState
from engine.rulebook_toml import RulebookError
from kiosk.errors import KioskError, NotFoundError
from kiosk.review.archive import NAME, Archive, Found
from kiosk.review.digest import Memo, digest
from kiosk.review.logs import Log, people_in, read_log
from kiosk.rulebooks import rulebook_of
from kiosk.store import Store

IMPORTED: Final = "matches"
"""The folder beside a table's log for matches that came from elsewhere."""


class Library:
    """The recorded matches of a folder."""

    def __init__(self, folder: Path, archive: Archive) -> None:
        self.folder = folder
        self.archive = archive
        self._running: Path | None = None
        self._state: Callable[[], MatchState | None] = lambda: None
        self._lock = threading.Lock()
        self._memo: tuple[str, Memo] = ("", {})
        self.behind = 0
        """How many logs the index does not yet hold as they are."""
        self._catching_up: threading.Thread | None = None
        self._closed = threading.Event()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index of a folder.

        :raises StoreError: when it cannot be written.
        """
        return cls(folder, Archive.open(folder / NAME))

    def close(self) -> None:
        """Close the index."""
        self._closed.set()
        if self._catching_up is not None:
            self._catching_up.join()
        self.archive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def attach(self, path: Path, state: Callable[[], MatchState | None]) -> None:
        """Name the log that is being written in this process, and who has its state already folded."""
        self._running, self._state = path, state

    @property
    def running(self) -> str | None:
        """The name of the match that is being written in this process, once the index holds it."""
        if self._running is None:
            return None
        rows = self.archive.ask("SELECT match FROM match WHERE path = ?", (self._running.name,))
        return str(rows[0]["match"]) if rows else None

    def files(self) -> dict[str, str]:
        """Every file that may be a log, by its path in the folder, with what tells whether it has changed: its size and time, and its journal's."""
        found: dict[str, tuple[int, int]] = {}
        for under in ("", IMPORTED):
            with contextlib.suppress(FileNotFoundError), os.scandir(self.folder / under) as entries:
                for entry in entries:
                    if entry.name.endswith((".db", ".db-wal")) and entry.is_file():
                        seen = entry.stat()
                        found[f"{under}/{entry.name}" if under else entry.name] = (seen.st_size, seen.st_mtime_ns)
        return {name: stamp_of(found[name], found.get(f"{name}-wal")) for name in sorted(found) if name.endswith(".db") and name != NAME}

    def refresh(self, most: int | None = None) -> list[str]:
        """Bring the index in step with the logs; gives the problems of files that cannot be shown, as ``name: why``.

        :param most: so many logs are taken in now, the newest first; the others are left to a thread of its own, and :attr:`behind` says how many.
        """
        with self._lock:
            due, gone = self._due()
            now = len(due) if most is None else most
            for item in due[:now]:
                self._take(*item)
            del due[:now]
            for name in gone:
                self.archive.drop(name)
            self.behind = len(due)
            if due and (self._catching_up is None or not self._catching_up.is_alive()):
                self._catching_up = threading.Thread(target=self._catch_up, name="review", daemon=True)
                self._catching_up.start()
        rows = self.archive.ask("SELECT path, problem FROM source WHERE problem IS NOT NULL ORDER BY path")
        return [f"{row['path']}: {row['problem']}" for row in rows]

    def _due(self) -> tuple[list[tuple[Path, str, str]], set[str]]:
        """What is to be taken in anew (file, name, stamp), the newest first; and what is gone."""
        known, present = self.archive.stamps(), self.files()
        changed = [(self.folder / name, name, stamp) for name, stamp in present.items() if known.get(name) != stamp]
        return sorted(changed, key=lambda item: _written(item[2]), reverse=True), known.keys() - present.keys()

    def _catch_up(self) -> None:
        """Take in what is left, one log after the other, and between two of them leave the processor to the table."""
        while not self._closed.is_set():
            began = time.monotonic()
            with self._lock:
                due, _ = self._due()
                self.behind = len(due)
                if not due or self._closed.is_set():
                    return
                self._take(*due[0])
                self.behind = len(due) - 1
            self._closed.wait(time.monotonic() - began)

    def _take(self, path: Path, name: str, stamp: str) -> None:
        try:
            log = read_log(path)
            if not log.entries:
                self.archive.note_problem(name, stamp, None)
                return
            state = self._state() if self._running is not None and path.samefile(self._running) else None
            if state is not None and self._memo[0] != log.match:
                self._memo = (log.match, {})
            memo = self._memo[1] if state is not None else None
            self.archive.add(digest(log, rulebook_of(path, log.rulebook), state, memo), name, stamp)
        except (KioskError, RulebookError, ValueError, OSError) as error:
            self.archive.note_problem(name, stamp, str(error))

    def path_of(self, found: Found) -> Path:
        """The log of a match."""
        return self.folder / found.path

    def log(self, name: str) -> Log:
        """The log of a match by its name (or its beginning), ``last``, or a file.

        :raises NotFoundError: when there is none.
        :raises StoreError: when it cannot be read.
        """
        return read_log(self.find(name))

    def find(self, name: str) -> Path:
        """The file of a match by its name (or its beginning), ``last``, or the file itself.

        :raises NotFoundError: when there is none.
        """
        if name.endswith(".db") and Path(name).is_file():
            return Path(name)
        self.refresh()
        if name == "last":
            newest = self.archive.matches(limit=1)
            if not newest:
                raise NotFoundError(f"{self.folder} 里没有比赛", f"there is no match in {self.folder}")
            return self.path_of(newest[0])
        return self.path_of(self.archive.match(name))

    def forget(self, name: str, running: Store | None = None) -> int:
        """Delete a person's name from every log and from the index; the chains stay whole. Gives from how many logs.

        :param running: the log that is open for writing in this process.
        :raises StoreError: when a log that has it is of the old form, or cannot be written.
        """
        count = 0
        for path in self.files():  # also those that cannot be shown, and those in which somebody else sits in the player's place by now
            file = self.folder / path
            if name not in people_in(file):
                continue
            if running is not None and file.exists() and file.samefile(running.path):
                count += running.forget(name)
            else:
                with contextlib.closing(Store.open(file)) as store:  # opening brings a log of the old form to the present one
                    count += store.forget(name)
        self.archive.tell("UPDATE seat SET name = NULL WHERE name = ?", (name,))
        self.archive.tell("DELETE FROM consent WHERE name = ?", (name,))
        self.refresh()
        self.archive.ask("PRAGMA wal_checkpoint(TRUNCATE)")  # nor in the index's journal
        return count


def _written(stamp: str) -> int:
    """When a log was written last (ns), by its stamp."""
    return max(int(part.partition(".")[2]) for part in stamp.split("+"))


def stamp_of(file: tuple[int, int], journal: tuple[int, int] | None = None) -> str:
    """What tells whether a log has changed: size (bytes) and time (ns) of it, and of its journal if that holds anything."""
    return "+".join(f"{size}.{at}" for size, at in (file, journal or (0, 0)) if size or (size, at) == file)
