"""A power cut at any moment: no entry that a screen has shown is missing, and the match goes on at the right place."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kiosk.service import RunningTable
from kiosk.store import Store
from kiosk.table import Update
from tests.kiosk import tables
from tests.kiosk.power import Disk, noted_disk

CUTS = 60


def play_a_deal(path: Path, disk: Disk, prepare: Callable[[Store], object] = lambda _: None) -> dict[int, str]:
    """Play a deal on a noted disk; every entry is marked when it is shown. Gives the hash of each entry."""
    hashes: dict[int, str] = {}

    def show(update: Update) -> None:
        for row in update.rows:
            hashes[row.seq] = row.hash
        disk.mark(update.seq)

    with Store.open(path) as store:
        prepare(store)
        store._db.execute("PRAGMA wal_autocheckpoint = 6")  # so that checkpoints are cut, too
        table = RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock())
        table.listen(show)
        table.begin(tables.RULEBOOK, {"E": "王"}, {"EW": "2", "NS": "2"})
        for fact in tables.facts():
            table.record(fact)
    return hashes


@cache
def noted() -> tuple[Disk, dict[int, str]]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, noted_disk() as disk:
        hashes = play_a_deal(Path(folder) / "table.db", disk)
    return disk, hashes


def shown_before(disk: Disk, at: int) -> int:
    return max((step[1] for step in disk.done[:at] if step[0] == "mark"), default=0)


def leave(folder: Path, files: dict[str, bytes]) -> Path:
    """Put what the cut left into a folder."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder / "table.db"


def test_no_shown_entry_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    disk, hashes = noted()
    chance = random.Random(7)
    kinds = {step[:2] for step in disk.done if step[0] == "sync"}
    assert ("sync", "table.db") in kinds
    for number in range(CUTS):
        at = chance.randrange(len(disk.done))
        path = leave(tmp_path / str(number), disk.after_a_cut(at, chance))
        with Store.open(path) as store:
            rows = store.read()
        shown = shown_before(disk, at)
        assert len(rows) >= shown, f"cut before step {at}: {shown} entries were shown, {len(rows)} are there"
        assert [row.hash for row in rows] == [hashes[row.seq] for row in rows]


def test_match_goes_on_after_a_power_cut_where_it_was(tmp_path: Path) -> None:
    disk, _ = noted()
    chance = random.Random(11)
    marks = [i for i, step in enumerate(disk.done) if step[0] == "mark"]
    for number, at in enumerate(chance.sample(marks[3:], 5)):
        path = leave(tmp_path / str(number), disk.after_a_cut(at + 1, chance))
        with Store.open(path) as store:
            table = RunningTable(store, rulebooks=tables.rulebook, clock=tables.Clock())
            taken = sum(row.body["source"] == "camera" for row in store.read())
            for fact in tables.facts()[taken:]:
                table.record(fact)
            assert table.shown()[1]["reckoning"]["points"] == reckoned()


@cache
def reckoned() -> int:
    from engine.events import DealEnded

    return next(event.points for event in tables.truth() if isinstance(event, DealEnded))


def test_a_disk_that_is_not_waited_for_does_lose_entries(tmp_path: Path) -> None:
    """The simulation can fail: without syncs shown entries are lost."""
    with noted_disk() as disk:
        play_a_deal(tmp_path / "table.db", disk, lambda store: store._db.execute("PRAGMA synchronous = OFF"))
    chance = random.Random(3)
    lost = 0
    for number in range(10):
        at = len(disk.done) - 1 - chance.randrange(len(disk.done) // 2)
        path = leave(tmp_path / f"cut{number}", disk.after_a_cut(at, chance))
        try:
            with Store.open(path) as store:
                lost += len(store.read()) < shown_before(disk, at)
        except Exception as error:  # noqa: BLE001  a torn file is refused, or worse; both are losses
            lost += bool(str(error))
    assert lost > 0


@pytest.mark.parametrize("torn", [0.3, 0.9])
def test_half_made_log_opens_or_says_why(tmp_path: Path, torn: float) -> None:
    """A cut while the log is being made: nothing was shown, and a new match can begin."""
    disk, _ = noted()
    first = next(i for i, step in enumerate(disk.done) if step[0] == "mark")
    path = leave(tmp_path / "x", disk.after_a_cut(int(first * torn), random.Random(1)))
    with Store.open(path) as store:
        assert store.seq == 0
        store.append([{"n": 1}], "camera")
