"""The log survives what happens to machines."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.errors import StoreError
from kiosk.store import Store


def body(n: int) -> dict[str, object]:
    return {"v": 1, "event": "CardsPlayed", "n": n}


def test_entries_come_back_in_order_after_reopening(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append([body(1), body(2)], "camera")
        store.append([body(3)], "local")
    with Store.open(tmp_path / "a.db") as store:
        assert [(r.seq, r.author, r.body["n"]) for r in store.read()] == [(1, "camera", 1), (2, "camera", 2), (3, "local", 3)]
        assert [r.seq for r in store.read(after=1, limit=1)] == [2]
        assert store.append([body(4)], "camera")[0].seq == 4


def test_journal_is_wal_and_synchronous_is_full(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2


@pytest.mark.parametrize("statement", ["UPDATE log SET body = '{}' WHERE seq = 1", "DELETE FROM log"])
def test_log_refuses_change(tmp_path: Path, statement: str) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append([body(1)], "camera")
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            store._db.execute(statement)
        assert len(store.read()) == 1


@pytest.mark.parametrize(
    "change", ["UPDATE log SET author = 'x' WHERE seq = 2", "DELETE FROM log WHERE seq = 1", "UPDATE log SET at = '' WHERE seq = 3"]
)
def test_change_behind_the_back_is_found(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.db"
    with Store.open(path) as store:
        store.append([body(1), body(2), body(3)], "camera")
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER log_is_append_only_u")
    raw.execute("DROP TRIGGER log_is_append_only_d")
    raw.execute(change)
    raw.commit()
    raw.close()
    with pytest.raises(StoreError, match="changed afterwards"):
        Store.open(path)


def test_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Store.open(path).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(StoreError, match="newer version"):
        Store.open(path)


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="--db"):
        Store.open(tmp_path / "file" / "a.db")


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        Store.open(tmp_path)


def test_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear club\n" * 200)
    with pytest.raises(StoreError, match="no table log"):
        Store.open(path)
    assert path.read_text() == "dear club\n" * 200


def test_damaged_page_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store.open(path) as store:
        for i in range(300):
            store.append([body(i)], "camera")
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xff" * 4096)
    with pytest.raises(StoreError, match=r"damaged|changed afterwards"):
        Store.open(path)


def test_full_disk_writes_nothing_and_recovers(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append([body(1)], "camera")
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="disk is full"):
            store.append([{"n": 2}, {"n": 3, "long": "x" * 20000}], "camera")
        assert [r.seq for r in store.read()] == [1]
        store._db.execute("PRAGMA max_page_count = 1000000")
        assert store.append([body(2)], "camera")[0].seq == 2
    with Store.open(tmp_path / "a.db") as store:
        assert store.seq == 2


def test_second_writer_is_noticed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as one, Store.open(tmp_path / "a.db") as two:
        one.append([body(1)], "camera")
        with pytest.raises(StoreError, match="another program"):
            two.append([body(1)], "camera")
        assert len(one.read()) == 1


def test_settings_are_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        assert store.setting("pin") is None
        store.remember("pin", "a")
        store.remember("pin", "b")
    with Store.open(tmp_path / "a.db") as store:
        assert store.setting("pin") == "b"


WRITER = """
import sys
from pathlib import Path
from kiosk.store import Store
store = Store.open(Path(sys.argv[1]))
n = 0
while True:
    n += 1
    row = store.append([{"n": n}, {"n": -n}], "camera")[-1]
    print(row.seq, flush=True)
"""


def test_killed_writer_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    root = Path(__file__).parents[2]
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=root, env={**os.environ})
    assert writer.stdout is not None
    shown = 0
    for line in writer.stdout:
        shown = int(line)
        if shown >= 40:
            break
    writer.send_signal(signal.SIGKILL)
    shown = max([shown, *(int(line) for line in writer.stdout.read().split("\n") if line)])
    writer.wait()
    with Store.open(path) as store:
        assert store.seq >= shown
        assert store.seq % 2 == 0, "the two entries of one append belong together"
