"""Logs of older forms open, and names can be deleted without breaking the chain."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from engine import referee
from engine.events import MatchStarted, from_json
from kiosk import migrations, upcast
from kiosk.chain import ROOT, chain
from kiosk.errors import StoreError
from kiosk.names import Names, is_token
from kiosk.service import RunningTable
from kiosk.store import SCHEMA, Store
from tests.kiosk import tables

OLD = Path(__file__).with_name("log-v1.sqlite")
"""Three tricks, written by the program that kept names in the rows (form 1); two seats bear the same name."""
NAMES = {"E": "王东", "N": "李北", "W": "赵西", "S": "王东"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(OLD, tmp_path / "table.db"))


def raw_rows(path: Path) -> list[tuple[int, str, str, str, str]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT seq, at, author, body, hash FROM log ORDER BY seq").fetchall()
    connection.close()
    return rows


def holds(path: Path, text: str) -> bool:
    """Whether a text lies anywhere in the log's files."""
    return any(text.encode() in found.read_bytes() for found in path.parent.glob(f"{path.name}*"))


def test_log_of_the_first_form_opens_with_the_same_match(old: Path) -> None:
    before = raw_rows(old)
    with Store.open(old) as store:
        assert [json.dumps(row.body, ensure_ascii=False, separators=(",", ":")) for row in store.read()] == [row[3] for row in before]
        assert [(row.seq, row.at, row.author) for row in store.read()] == [row[:3] for row in before]
        table = RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock())
        _, shown = table.shown()
        assert shown["names"] == NAMES
        assert shown["trick"]["number"] == 4
        table.record(tables.until_trick(4)[-4])
    with Store.open(old) as store:
        assert store.seq > len(before)


def test_migrated_rows_hold_tokens_and_the_chain_is_whole(old: Path) -> None:
    was = raw_rows(old)[-1][4]
    with Store.open(old) as store:
        names = store.names()
        resealed = json.loads(store.setting("resealed") or "{}")
    last = ROOT
    for seq, at, author, body, found in raw_rows(old):
        last = chain(last, seq, at, author, body)
        assert found == last
    first = json.loads(raw_rows(old)[0][3])
    assert {seat: names[token] for seat, token in first["names"].items()} == NAMES
    assert first["names"]["E"] == first["names"]["S"]
    assert resealed == {"was": was, "now": last}


def test_no_name_is_left_in_the_file_once_it_is_deleted(old: Path) -> None:
    with Store.open(old) as store:
        assert store.forget("王东") == 1
        assert store.forget("王东") == 0
        assert store.read()[0].body["names"] == {"N": "李北", "W": "赵西"}
        assert not holds(old, "王东")
    assert not holds(old, "王东")
    assert holds(old, "李北")
    with Store.open(old) as store:
        assert sorted(store.names().values()) == ["李北", "赵西"]
        table = RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock())
        assert table.shown()[1]["names"] == {"N": "李北", "W": "赵西"}


def test_name_put_right_shows_everywhere(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append([{"event": "MatchStarted", "names": NAMES}, {"event": "NamesSet", "names": {"W": "钱西"}}], "local")
        token = next(token for token, name in store.names().items() if name == "王东")
        store.rename(token, "王冬")
        assert store.read()[0].body["names"]["S"] == "王冬"
        with pytest.raises(StoreError, match="no name with the token"):
            store.rename("#00000000", "x")
    with Store.open(tmp_path / "a.db") as store:
        assert store.read()[0].body["names"] == {"E": "王冬", "N": "李北", "W": "赵西", "S": "王冬"}
        assert "王" not in store.read()[0].text


def test_names_in_an_entry_about_a_refused_fact_are_kept_apart_too(tmp_path: Path) -> None:
    body = {"event": "kiosk.NotTaken", "fact": {"event": "MatchStarted", "names": {"E": "王东"}}}
    with Store.open(tmp_path / "a.db") as store:
        (row,) = store.append([body], "camera")
        assert "王东" not in row.text
        assert store.read()[0].body == body


def test_rows_of_another_log_are_taken_over_as_they_are(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as one:
        one.append([{"event": "MatchStarted", "names": NAMES}, {"n": 2}], "local")
        rows, names = [(r.seq, r.at, r.author, r.text, r.hash) for r in one.read()], one.names()
    with Store.open(tmp_path / "b.db") as two:
        with pytest.raises(StoreError, match="entry 2 does not fit"):
            two.adopt([rows[0], (2, rows[1][1], "x", *rows[1][3:])], names)
        two.adopt(rows, names)
        assert two.append([{"n": 3}], "camera")[0].seq == 3
        with pytest.raises(StoreError, match="no empty log"):
            two.adopt(rows, names)
    with Store.open(tmp_path / "b.db") as two:
        assert two.read()[0].body["names"] == NAMES


def test_a_name_that_looks_like_a_token_is_a_name(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append([{"event": "MatchStarted", "names": {"E": "#3fa9c2d1"}}], "local")
        assert store.read()[0].body["names"] == {"E": "#3fa9c2d1"}
        assert store.names() != {}


def test_old_log_that_was_changed_is_not_sealed_anew(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("DROP TRIGGER log_is_append_only_u")
    connection.execute("UPDATE log SET author = 'x' WHERE seq = 4")
    connection.commit()
    connection.close()
    before = old.read_bytes()
    with pytest.raises(StoreError, match=r"entry 4 .* changed afterwards"):
        Store.open(old)
    assert raw_rows(old)[3][2] == "x"
    assert len(old.read_bytes()) == len(before)


def test_migration_that_fails_leaves_the_old_log(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = raw_rows(old)

    def fail(*_: object) -> dict[str, object]:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(upcast, "UPCASTERS", {1: fail})
    with pytest.raises(StoreError, match="the disk is full"):
        Store.open(old)
    monkeypatch.undo()
    assert raw_rows(old) == before
    with Store.open(old) as store:
        assert store.seq == len(before)


def test_old_log_is_read_where_it_cannot_be_written(old: Path) -> None:
    before = old.read_bytes()
    with Store.open(old, readonly=True) as store:
        assert store.read()[0].body["names"] == NAMES
        events = [from_json(row.body) for row in store.read()]
        first = events[0]
        assert isinstance(first, MatchStarted)
        assert referee.fold(events, tables.rulebook(first.rulebook)).rulebook == tables.RULEBOOK
    assert old.read_bytes() == before


def test_reader_looks_on_while_the_writer_goes_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as writer:
        writer.append([{"n": 1}], "camera")
        with Store.open(tmp_path / "a.db", readonly=True) as reader:
            writer.append([{"n": 2}], "camera")
            assert [row.body["n"] for row in reader.read()] == [1, 2]
            with pytest.raises(StoreError, match="only for reading"):
                reader.append([{"n": 3}], "x")


def test_reading_what_is_not_there_or_no_log(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.db"):
        Store.open(tmp_path / "none.db", readonly=True)
    assert not (tmp_path / "none.db").exists()
    sqlite3.connect(tmp_path / "empty.db").close()
    (tmp_path / "empty.db").write_bytes(b"")
    with pytest.raises(StoreError, match="no table log"):
        Store.open(tmp_path / "empty.db", readonly=True)


def test_a_new_log_has_the_newest_form(tmp_path: Path) -> None:
    Store.open(tmp_path / "a.db").close()
    connection = sqlite3.connect(tmp_path / "a.db")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA == migrations.HEAD == upcast.FORM
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(str(SCHEMA),)]
    assert sorted(name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")) == [
        "log_is_append_only_d",
        "log_is_append_only_u",
    ]
    connection.close()


def test_row_of_a_newer_form_is_refused() -> None:
    with pytest.raises(ValueError, match="forms up to"):
        upcast.lift({}, upcast.FORM + 1, Names())
    assert is_token("#0123abcd")
    assert not is_token("#0123abc")
