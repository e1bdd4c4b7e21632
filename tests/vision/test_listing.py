"""Cards listed without rules: votes over readings, two of a face, new scenes, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pytest

from engine.cards import Card, Seat
from engine.events import CameraBack, CameraLost, CardsPlayed, Event
from tests.vision.toy import ToySeen
from vision.calibration import Image
from vision.camera import Back, Frame, Lost, Signal
from vision.listing import EVERY_SECONDS, Listing, list_cards

SIZE = (400, 400)
PLACES = {"E": (330, 200), "N": (200, 60), "W": (60, 200), "S": (200, 330)}


def _card(word: str) -> ToySeen:
    """``S:H10`` lies before south."""
    seat, face = word.split(":")
    x, y = PLACES[seat]
    corners = ((x - 10.0, y - 15.0), (x + 10.0, y - 15.0), (x + 10.0, y + 15.0), (x - 10.0, y + 15.0))
    return ToySeen(Card(face), corners, ((x, y, x + 4, y + 8),), 0.9, ((Card(face), 0.9),))


class Script:
    """A recogniser that reads what is written, picture after picture; and a source that shows so many."""

    def __init__(self, *readings: str, between: Iterable[Signal] = ()) -> None:
        self.readings = list(readings)
        self.asked = 0
        self.between = list(between)
        self.count = len(readings)

    def read(self, image: Image, *, scale_hint: float | None = None, vote: bool = True, least: float = 0.4) -> Sequence[ToySeen]:
        self.asked += 1
        return [_card(word) for word in self.readings[self.asked - 1].split()]

    def signals(self) -> Iterator[Signal]:
        picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        for number in range(self.count * 4):
            yield Frame(picture, picture, number * (EVERY_SECONDS + 0.01) / 4, number)
            if number == 3:
                yield from self.between


def _told(script: Script) -> list[Event]:
    return list(list_cards(script, script))  # type: ignore[arg-type]


def _cards(events: Sequence[Event]) -> list[str]:
    return sorted(f"{e.seat}:{card}" for e in events if isinstance(e, CardsPlayed) for card in e.cards)


def test_a_card_is_told_when_two_of_three_readings_have_it() -> None:
    events = _told(Script("S:H10 E:SA", "S:H10", "S:H10 W:C3", "S:H10"))
    assert _cards(events) == ["S:H10"]


def test_readings_are_not_asked_for_every_picture() -> None:
    script = Script("S:H10", "S:H10", "S:H10")
    _told(script)
    assert script.asked == 3


def test_two_of_a_face_are_two_when_two_readings_have_two() -> None:
    assert _cards(_told(Script("S:H10 N:H10", "S:H10", "S:H10 N:H10"))) == ["N:H10", "S:H10"]
    assert _cards(_told(Script("S:H10 N:H10", "S:H10", "S:H10"))) == ["S:H10"]


def test_each_card_belongs_to_the_seat_that_it_lies_before() -> None:
    words = "E:SA N:S2 W:S3 S:S4"
    events = _told(Script(words, words))
    assert {e.seat: e.cards for e in events if isinstance(e, CardsPlayed)} == {
        Seat.E: (Card("SA"),), Seat.N: (Card("S2"),), Seat.W: (Card("S3"),), Seat.S: (Card("S4"),)
    }  # fmt: skip


def test_another_scene_is_told_anew_also_where_a_card_is_the_same() -> None:
    first, second = "S:H10 E:SA N:C4", "S:H10 E:D5 N:D6 W:D7"
    events = _told(Script(first, first, second, second, second))
    assert [c for c in _cards(events) if c == "S:H10"] == ["S:H10", "S:H10"]
    assert "W:D7" in _cards(events)


def test_the_same_faces_at_other_places_are_another_scene() -> None:
    first, second = "S:H10 E:SA N:C4 W:D7", "E:H10 S:SA W:C4 N:D7"
    events = _told(Script(first, first, second, second, second))
    assert _cards(events) == sorted(first.split() + second.split())


def test_a_card_that_is_pushed_aside_is_not_told_again() -> None:
    words = "S:H10 E:SA N:C4"
    assert _cards(_told(Script(words, words, "S:H10 W:SA N:C4", "S:H10 W:SA N:C4"))) == sorted(words.split())


def test_gaps_are_told() -> None:
    events = _told(Script("S:H10", "S:H10", between=[Lost(0.5, "gone"), Back(0.9, 0.4)]))
    assert [type(e) for e in events][:2] == [CameraLost, CameraBack]


def test_an_empty_table_tells_nothing() -> None:
    assert _told(Script("", "", "")) == []


def test_the_list_holds_what_still_lies_there_and_not_what_has_gone() -> None:
    script = Script(*["S:H10 E:SA"] * 3, *["S:H10 E:SA W:C3 N:D4"] * 3, *["S:H10 W:C3 N:D4"] * 3)
    listing, held = Listing(script), []
    for signal in script.signals():
        if isinstance(signal, Frame):
            listing.see(signal.image, signal.t)
            held.append(sorted(listing.listed))
    assert held[11] == ["H10", "SA"]
    assert held[23] == ["C3", "D4", "H10", "SA"]
    assert held[-1] == ["C3", "D4", "H10"]


def test_the_same_cards_shown_again_stay_on_the_list_without_being_told_twice() -> None:
    script = Script(*["S:H10 E:SA"] * 6)
    listing = Listing(script)
    told = [play for signal in script.signals() if isinstance(signal, Frame) for play in listing.see(signal.image, signal.t)]
    assert _cards(told) == ["E:SA", "S:H10"]
    assert sorted(listing.listed) == ["H10", "SA"]


def test_a_picture_that_cannot_be_worked_out_is_given_up_and_the_next_is_read(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(Script):
        def read(self, image: Image, *, scale_hint: float | None = None, vote: bool = True, least: float = 0.4) -> Sequence[ToySeen]:
            out = super().read(image, scale_hint=scale_hint, vote=vote, least=least)
            if self.asked == 2:
                raise ValueError("a fault of the reader")
            return out

    assert _cards(_told(Faulty("S:H10", "S:H10", "S:H10", "S:H10"))) == ["S:H10"]
    assert "a fault of the reader" in caplog.text
