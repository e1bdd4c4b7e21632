"""The picture of the table that pages show: from straight above, with the cards that lie played drawn on it."""

from __future__ import annotations

from engine.cards import Card
from tests.vision.toy import ToyTable, toy_calibration
from vision.camera import Frame
from vision.overhead import Overhead
from vision.table_card import TableCard

GREEN = (60, 220, 60)


def test_cards_are_drawn_where_they_lie_until_others_are() -> None:
    table, overhead = ToyTable(), Overhead(toy_calibration())
    assert overhead.rectified(400) is None
    assert overhead.jpeg() is None
    table.show()
    frame = table.signals[0]
    assert isinstance(frame, Frame)
    overhead.take(frame)
    east = TableCard(((Card("SA"), 1.0),), ((200.0, -40.0), (288.0, -40.0), (288.0, 40.0), (200.0, 40.0)))
    overhead.draw([east], [])
    picture = overhead.rectified(400)
    assert picture is not None
    assert picture.shape == (400, 400, 3)
    green = (picture == GREEN).all(axis=2).nonzero()
    assert min(green[1]) >= 295
    overhead.draw([], [])
    bare = overhead.rectified(400)
    assert bare is not None
    assert not (bare == GREEN).all(axis=2).any()
    assert overhead.jpeg() is not None


def test_picture_of_another_size_than_the_calibration_is_not_shown() -> None:
    table, overhead = ToyTable(), Overhead(toy_calibration())
    table.show()
    frame = table.signals[0]
    assert isinstance(frame, Frame)
    overhead.take(frame)
    overhead.placed(toy_calibration().scaled((550, 430)))
    assert overhead.rectified(400) is None
