"""The pipeline on a toy table: every habit and mishap as pixels."""

from __future__ import annotations

import numpy as np
import pytest

from engine.events import BottomTaken, Buried, CameraBack, CameraLost, CardsPlayed, Corrected, Declared, Event, TakenBack
from tests.vision.toy import CLOTH, H, ToyReader, ToyReferee, ToySource, ToyTable, W, toy_calibration
from vision.camera import Back, Frame, Lost, shrink
from vision.pipeline import Pipeline


def run(table: ToyTable, referee: ToyReferee, reader: ToyReader | None = None) -> list[Event]:
    pipeline = Pipeline(ToySource(table.signals), toy_calibration(), reader or ToyReader())  # type: ignore[arg-type]
    out = []
    for fact in pipeline.facts(referee.expect):
        referee.take(fact)
        out.append(fact)
    return out


def plays(events: list[Event]) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(e.seat.value, e.trick, e.cards) for e in events if isinstance(e, CardsPlayed)]


def trick(table: ToyTable, *cards: str, leader: str = "E", jitter: int = 0, pause: float = 0.7) -> None:
    order = ["E", "N", "W", "S"]
    start = order.index(leader)
    for k, text in enumerate(cards):
        shift = jitter * ((k * 7) % 5 - 2)
        table.lay(order[(start + k) % 4], text.split(), along=shift, near=215 + shift)
        table.wait(pause)


def test_four_singles_are_four_plays_in_order() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6")
    assert plays(run(table, ToyReferee("E"))) == [("E", 1, ("HA",)), ("N", 1, ("H4",)), ("W", 1, ("HK",)), ("S", 1, ("H6",))]


def test_play_is_told_within_700_ms_of_lying_still() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6", pause=1.2)
    events = [e for e in run(table, ToyReferee("E")) if isinstance(e, CardsPlayed)]
    assert len(events) == 4
    for event, (still, _, _) in zip(events, table.truth, strict=True):
        assert -0.2 < event.t - still < 0.7


def test_pair_of_identical_cards_stays_two() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA HA", "H4 H4", "HK S3", "H6 H7")
    assert plays(run(table, ToyReferee("E")))[:2] == [("E", 1, ("HA", "HA")), ("N", 1, ("H4", "H4"))]


def test_habit_stack_only_the_new_cards_on_a_pile_are_a_play() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6", jitter=3)
    trick(table, "SA SA", "S4 S5", "SK S7", "S6 S8", jitter=-4)
    trick(table, "DA", "D4", "DK", "D6", jitter=2)
    found = plays(run(table, ToyReferee("EEE")))
    assert [cards for _, number, cards in found if number == 2] == [("SA", "SA"), ("S4", "S5"), ("SK", "S7"), ("S6", "S8")]
    assert [cards for _, number, cards in found if number == 3] == [("DA",), ("D4",), ("DK",), ("D6",)]


def test_habit_turn_backs_are_no_play() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6")
    for seat in "ENWS":
        table.hand(seat, 215, 9)
        table.wipe(*table.at(seat, 0))
        table.put(None, *table.at(seat, 150, 330), seat)
        table.hand(seat, 300, 7)
    trick(table, "C3", "C4", "C5", "C6", leader="W")
    found = plays(run(table, ToyReferee("EW")))
    assert found[4:] == [("W", 2, ("C3",)), ("S", 2, ("C4",)), ("E", 2, ("C5",)), ("N", 2, ("C6",))]


def test_cards_laid_one_by_one_are_one_play() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA", "HA"])
    table.wait(0.8)
    table.lay("N", ["H3", "H4"], one_by_one=True)
    table.wait(0.8)
    assert plays(run(table, ToyReferee("E"))) == [("E", 1, ("HA", "HA")), ("N", 1, ("H3", "H4"))]


def test_lead_that_grows_before_the_next_player_plays_is_corrected() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"], along=-12)
    table.wait(1.0)
    table.lay("E", ["HA"], along=12)
    table.wait(1.0)
    events = run(table, ToyReferee("E"))
    assert plays(events) == [("E", 1, ("HA",))]
    assert [(e.seat, e.trick, e.cards) for e in events if isinstance(e, Corrected)] == [("E", 1, ("HA", "HA"))]


def test_one_misread_frame_makes_no_play_and_three_copies_are_put_right() -> None:
    table = ToyTable()
    table.wait(0.5)
    for k in range(3):
        trick(table, f"H{k + 2}", f"S{k + 2}", f"D{k + 2}", f"C{k + 2}", jitter=2 + k, pause=1.0)
    found = plays(run(table, ToyReferee("EEE"), ToyReader(noise=0.12)))
    right = sum(cards == (f"{suit}{number + 1}",) for (_, number, cards), suit in zip(found, "HSDC" * 3, strict=False))
    assert len(found) == 12
    assert right >= 11


def test_missing_card_of_a_follower_is_unknown_not_a_short_play() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA", "HA"])
    table.wait(0.8)
    table.lay("N", ["H3"])
    table.wait(4.0)
    assert plays(run(table, ToyReferee("E")))[1] == ("N", 1, ("H3", "??"))


def test_card_taken_back_before_the_next_player_plays() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"])
    table.wait(1.0)
    table.hand("E", 215, 8)
    table.wipe(*table.at("E", 0))
    table.hand("E", 300, 6)
    table.wait(1.0)
    events = run(table, ToyReferee("E"))
    assert [(e.seat, e.trick, e.cards) for e in events if isinstance(e, TakenBack)] == [("E", 1, ("HA",))]


def test_out_of_turn_play_is_told_after_a_moment() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"])
    table.wait(0.8)
    table.lay("W", ["H4"])
    table.wait(2.5)
    assert plays(run(table, ToyReferee("E"))) == [("E", 1, ("HA",)), ("W", 1, ("H4",))]


def test_resting_hand_holds_the_play_until_it_is_gone() -> None:
    table = ToyTable()
    table.wait(0.5)
    for far in (420, 340, 260):
        table.show(table.with_hand("E", far))
    table.put("HA", *table.at("E", 0), "E")
    table.show(table.with_hand("E", 300), frames=24)
    gone = table.t
    table.wait(1.0)
    events = [e for e in run(table, ToyReferee("E")) if isinstance(e, CardsPlayed)]
    assert [e.cards for e in events] == [("HA",)]
    assert events[0].t >= gone


def test_declared_level_card_then_the_bottom_taken_and_buried() -> None:
    table = ToyTable()
    table.declare_and_bury()
    table.lay("S", ["HA"])
    table.wait(1.0)
    events = run(table, ToyReferee("S", phase="dealing"))
    assert [type(e) for e in events] == [Declared, BottomTaken, Buried, CardsPlayed]
    assert events[0].cards == ("S2",)  # type: ignore[attr-defined]
    assert events[1].seat == "S"  # type: ignore[attr-defined]


def test_film_that_ends_in_the_middle_of_a_trick_keeps_the_plays_so_far() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"])
    table.wait(0.8)
    table.lay("N", ["H4"])
    table.wait(0.8)
    assert len(plays(run(table, ToyReferee("E")))) == 2


def test_camera_lost_and_back_are_told_and_plays_go_on() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"])
    table.wait(0.8)
    table.signals.append(Lost(table.t, "unplugged"))
    table.t += 20
    table.signals.append(Back(table.t, 20.0))
    table.wait(0.5)
    table.lay("N", ["H4"])
    table.wait(0.8)
    events = run(table, ToyReferee("E"))
    assert [type(e) for e in events] == [CardsPlayed, CameraLost, CameraBack, CardsPlayed]


def test_frames_of_another_shape_are_a_lost_camera_and_of_another_size_are_not() -> None:
    table = ToyTable()
    table.wait(0.5)
    table.lay("E", ["HA"])
    table.wait(0.8)
    odd = np.full((W, H, 3), CLOTH, np.uint8)
    table.signals.append(Frame(odd, shrink(odd), table.t, 0))
    table.wait(0.5)
    events = run(table, ToyReferee("E"))
    assert [type(e) for e in events] == [CardsPlayed, CameraLost, CameraBack]


def test_idle_table_is_never_read() -> None:
    table = ToyTable()
    table.wait(6.0)
    reader = ToyReader()
    assert run(table, ToyReferee("E"), reader) == []
    assert reader.calls == 0


@pytest.mark.parametrize("fps", [3, 30])
def test_other_frame_rates_read_the_same(fps: int) -> None:
    table = ToyTable()
    table.wait(1.0)
    trick(table, "HA", "H4", "HK", "H6", pause=2.0)
    last = -1.0
    signals: list[Frame | Lost | Back] = []
    for signal in table.signals:
        if fps > 15 and isinstance(signal, Frame):
            signals += [signal, Frame(signal.image, signal.small, signal.t + 1 / 30, 0)]
        elif signal.t - last >= 1 / fps - 1e-6:
            signals.append(signal)
            last = signal.t
    table.signals = list(signals)
    assert len(plays(run(table, ToyReferee("E")))) == 4
