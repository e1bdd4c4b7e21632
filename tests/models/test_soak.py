"""A soak: a film looped with a clock that goes on, readings remembered, and what grows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from models.soak import Looped, Remembering, soak
from tests.vision.test_camera import film
from tests.vision.toy import CLOTH, ToyReader, ToySeen, ToySource, ToyTable, toy_calibration
from vision.calibration import Image, save, whole_picture
from vision.camera import Frame


def test_a_looped_film_is_one_source_whose_clock_goes_on(tmp_path: Path) -> None:
    film(tmp_path / "film.mp4", 12)
    rounds: list[tuple[int, float]] = []
    source = Looped(tmp_path, 3.0, lambda number, t: rounds.append((number, round(t, 2))))
    times = [s.t for s in source.signals() if isinstance(s, Frame)]
    assert times == sorted(times)
    assert times[-1] == pytest.approx(3.0, abs=0.11)
    assert [number for number, _ in rounds] == [1, 2, 3]
    assert rounds[0][1] == pytest.approx(1.2)


class Counting:
    """A recogniser that finds nothing and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> Sequence[ToySeen]:
        self.asked += 1
        return []


def test_a_picture_is_read_once_and_the_oldest_is_forgotten() -> None:
    counting = Counting()
    reader = Remembering(counting, most=2)
    pictures = [np.full((8, 8, 3), k, np.uint8) for k in range(3)]
    for k in (0, 1, 0, 1, 0):
        reader.read_crop(pictures[k])
    assert (reader.asked, counting.asked) == (5, 2)
    reader.read_crop(pictures[2])  # 1 is forgotten, 0 was asked for later
    reader.read_crop(pictures[0])
    assert counting.asked == 3
    reader.read_crop(pictures[1])
    assert counting.asked == 4
    reader.read_crop(pictures[1], vote=True)
    assert counting.asked == 5


def test_every_round_of_a_soak_is_a_deal_that_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(toy_calibration(), tmp_path / "table.json")
    toy = ToyTable()
    toy.wait(1)
    for seat, cards in (("E", ["S2"]), ("N", ["D2", "D2"])):
        toy.lay(seat, cards, gap=80)
        toy.wait(2)
    toy.board[:] = CLOTH
    toy.wait(2)
    monkeypatch.setattr("models.soak.Source", lambda _: ToySource(toy.signals))
    rows = list(soak(tmp_path, ToyReader(), 4 * toy.t / 3600))
    told = [b.events - a.events for a, b in pairwise(rows)]
    assert len(rows) == 4
    assert told[0] >= 2
    assert set(told) == {told[0]}, "no round is followed less than another"


def test_a_soak_tells_every_round_and_opens_no_more_files(tmp_path: Path) -> None:
    film(tmp_path / "film.mp4", 20)
    save(whole_picture((320, 240)), tmp_path / "table.json")
    rows = list(soak(tmp_path, ToyReader(), 10 / 3600))
    assert [row.rounds for row in rows] == [1, 2, 3, 4, 5]
    assert rows[-1].table_s == pytest.approx(10, abs=0.2)
    assert rows[-1].files <= rows[0].files
    assert rows[-1].threads <= rows[0].threads
