"""One deal after another without a tap: when the next one is noticed, and what declares in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.events import BottomTaken, CardsPlayed, Declared, Event
from tests.vision.test_plays import ask, card, look
from tests.vision.toy import ToyExpected
from vision.looks import Look
from vision.plays import PlayTracker
from vision.renewed import ROUNDS, Renewed
from vision.zones import Zone

ENDED = ToyExpected("ended", Seat.N, 8, levels=frozenset({"5"}))
BARE = Look(Zone.CENTRE, 10.0, 9.5)
PACK = Look(Zone.CENTRE, 12.0, 11.5, occupied=True)


def reach(renewed: Renewed, t: float, *seats: str) -> bool:
    """Each seat reaches in, one after another; whether a deal has begun by then."""
    begun = False
    for k, seat in enumerate(seats):
        renewed.hand(Seat(seat))
        begun |= renewed.begun(t + k, {})
        begun |= renewed.begun(t + k + 0.5, {})
    return begun


def test_a_deal_begins_when_three_players_draw_from_a_pack_on_a_bare_middle() -> None:
    renewed = Renewed()
    assert not renewed.begun(1.0, {Zone.CENTRE: BARE})
    assert not renewed.begun(2.0, {Zone.CENTRE: PACK})
    assert not reach(renewed, 3.0, "E", "N")
    assert reach(renewed, 6.0, "W")


def test_one_player_who_looks_at_the_bottom_and_lays_it_back_begins_no_deal() -> None:
    renewed = Renewed()
    renewed.begun(1.0, {Zone.CENTRE: BARE})
    renewed.begun(2.0, {Zone.CENTRE: PACK})
    assert not reach(renewed, 3.0, "E", "N", "E", "N", "E", "N", "E", "N")


def test_a_bottom_that_lies_there_since_the_deal_is_no_pack() -> None:
    renewed = Renewed()
    renewed.begun(1.0, {Zone.CENTRE: PACK})
    assert not reach(renewed, 2.0, "E", "N", "W", "S")


def test_a_bottom_that_is_shown_is_no_pack() -> None:
    renewed = Renewed(bare=True)
    renewed.begun(1.0, {Zone.CENTRE: replace(PACK, cards=(card("H5", "centre"),))})
    assert not reach(renewed, 2.0, "E", "N", "W", "S")


def test_hands_that_cover_the_pack_all_the_time_tell_it_after_some_rounds() -> None:
    assert not reach(Renewed(), 1.0, *"ENWS" * (ROUNDS - 1))
    assert reach(Renewed(), 1.0, *"ENWS" * ROUNDS)


def test_one_hand_that_stays_is_one_reach() -> None:
    renewed = Renewed(bare=True)
    for k in range(40):
        for seat in Seat:
            renewed.hand(seat)
        assert not renewed.begun(1.0 + k, {})


def draw(tracker: PlayTracker, seats: str) -> list[Event | None]:
    """A pack is laid in the middle, and these seats draw from it; what is told meanwhile."""
    tracker.see(PACK)
    told = []
    for k, seat in enumerate(seats):
        tracker.hand(Zone(seat))
        told.append(ask(tracker, 12.0 + k, ENDED))
    return told


def begun() -> PlayTracker:
    """A tracker that has noticed that the deal after the first is drawn."""
    tracker = PlayTracker(levels=frozenset({"2"}))
    tracker.see(BARE)
    ask(tracker, 10.0, ENDED)
    draw(tracker, "ENWS")
    return tracker


def test_the_next_deals_level_declares_and_its_declarer_takes_the_bottom() -> None:
    tracker = begun()
    assert tracker.phase(ENDED) == "dealing"
    tracker.see(look("W", card("S5", "W"), still=20.0))
    declared = ask(tracker, 20.5, ENDED)
    assert isinstance(declared, Declared)
    assert (declared.seat, declared.cards) == (Seat.W, ("S5",))
    declaring = replace(ENDED, phase="declaring")
    assert ask(tracker, 21.0, declaring) is None
    tracker.see(replace(BARE, t=40.0, still=39.5))
    taken = ask(tracker, 40.0, declaring)
    assert isinstance(taken, BottomTaken)
    assert taken.seat is Seat.N


def test_a_card_of_the_last_deals_level_declares_nothing_in_the_next() -> None:
    tracker = begun()
    tracker.see(look("W", card("S6", "W"), still=20.0))
    assert ask(tracker, 20.5, ENDED) is None


@pytest.mark.parametrize("phase", ["dealing", "declaring"])
def test_a_referee_who_starts_the_deal_that_was_noticed_changes_nothing(phase: str) -> None:
    tracker = begun()
    told = tracker.told
    ask(tracker, 20.0, replace(ENDED, phase=phase))
    assert tracker.told is told
    assert tracker.deal == 2


def test_a_declaration_that_lies_there_before_the_drawing_is_noticed_is_told() -> None:
    tracker = PlayTracker()
    tracker.see(BARE)
    ask(tracker, 10.0, ENDED)
    tracker.see(look("S", card("D5", "S"), still=11.0))
    assert ask(tracker, 11.5, ENDED) is None
    found = [*draw(tracker, "ENWS"), ask(tracker, 17.0, ENDED)]
    assert [type(e) for e in found if e is not None] == [Declared]


def test_the_packs_are_whole_again_in_the_next_deal() -> None:
    tracker = PlayTracker(decks=1)
    tracker.see(look("E", card("HA", "E")))
    assert isinstance(ask(tracker, 0.3, ToyExpected("trick", Seat.E, None, 1)), CardsPlayed)
    assert tracker.told.count(card("HA", "E").card) == 1
    tracker.see(BARE)
    ask(tracker, 10.0, ENDED)
    draw(tracker, "ENW")
    assert tracker.told.count(card("HA", "E").card) == 0
