"""Faults of the machine under the log: each ends in a clear sentence, and nothing that was recorded is lost."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kiosk.errors import StoreError
from kiosk.service import RunningTable
from kiosk.store import Store
from tests.kiosk import tables


def in_a_child(action: Callable[[], str]) -> str:
    """Do something in a process of its own, whose limits and rights may be changed; gives what it says."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = action()
        except BaseException as error:  # noqa: BLE001  the parent compares what is said
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


def test_log_that_may_grow_no_more_keeps_the_facts_waiting_and_writes_them_when_there_is_room(tmp_path: Path) -> None:
    """A file-size limit stands in for the full disk: the system refuses the write, as it would there."""

    def action() -> str:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with Store.open(tmp_path / "table.db") as store:
            table = RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock())
            table.begin(tables.RULEBOOK, {}, {"EW": "2", "NS": "2"})
            facts = tables.until_trick(3)
            size = max(path.stat().st_size for path in tmp_path.iterdir())
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 5000, resource.RLIM_INFINITY))
            for fact in facts:
                table.record(fact)
            trouble = table.trouble()
            shown = store.seq
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            table.retry()
            left = table.trouble()
            trick = table.shown()[1]["trick"]["number"]
            return f"{trouble is not None} {left is None} {shown < store.seq} {trick} {trouble.en if trouble else ''}"

    said = in_a_child(action)
    assert said.startswith("True True True 4 "), said
    assert "cannot be written" in said or "the disk is full" in said
    with Store.open(tmp_path / "table.db") as store:
        assert RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock()).shown()[1]["trick"]["number"] == 4


@pytest.fixture
def open_folder() -> object:
    """A folder that a stranger can look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_a_stranger(action: Callable[[], str]) -> str:
    def without_rights() -> str:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        return action()

    return in_a_child(without_rights)


def test_read_only_disk_is_said_at_the_start_and_the_log_can_still_be_looked_at(open_folder: Path) -> None:
    path = open_folder / "table.db"
    with Store.open(path) as store:
        store.append([{"n": 1}], "camera")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    said = as_a_stranger(lambda: str(Store.open(path)))
    assert said.startswith("StoreError"), said
    assert "cannot be written" in said
    assert "--db" in said

    def look() -> str:
        with Store.open(path, readonly=True) as store:
            return f"{len(store.read())} entry"

    assert as_a_stranger(look) == "1 entry"


def test_folder_that_may_not_be_written_is_said(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    said = as_a_stranger(lambda: str(Store.open(open_folder / "new.db")))
    assert said.startswith("StoreError"), said
    assert "--db" in said


def test_clock_that_jumps_a_day_back_changes_no_order_and_no_state(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
    with Store.open(tmp_path / "a.db") as store:
        store.append([{"n": 1}], "camera", now)
        store.append([{"n": 2}], "camera", now - timedelta(days=1))
        store.append([{"n": 3}], "camera", now - timedelta(days=1) + timedelta(seconds=2))
    with Store.open(tmp_path / "a.db") as store:
        assert [row.body["n"] for row in store.read()] == [1, 2, 3]
        assert store.read()[1].at < store.read()[0].at


@pytest.mark.parametrize("page", [0, 1, 2, 8, 12])
def test_corrupted_page_is_said_and_the_file_left_as_it_is(tmp_path: Path, page: int) -> None:
    path = tmp_path / "a.db"
    with Store.open(path) as store:
        for i in range(200):
            store.append([{"n": i, "text": "x" * 50}], "camera")
    with path.open("r+b") as file:
        file.seek(4096 * page)
        file.write(os.urandom(4096))
    damaged = path.read_bytes()
    with pytest.raises(StoreError, match=r"damaged|changed afterwards|no table log"):
        Store.open(path)
    assert path.read_bytes() == damaged


def test_journal_that_was_lost_takes_nothing_older_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store.open(path) as store:
        store.append([{"n": 1}], "camera")
    with Store.open(path) as store:
        store.append([{"n": 2}], "camera")
        copy = tmp_path / "copy.db"
        copy.write_bytes(path.read_bytes())
    with Store.open(copy) as store:
        assert [row.body["n"] for row in store.read()] == [1]


def test_foreign_database_is_no_log(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("CREATE TABLE people (name TEXT)")
    connection.execute("PRAGMA user_version = 2")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"a\.db"):
        Store.open(tmp_path / "a.db")
