"""What people do with their cards, as scripted looks: each test is named after the habit or mishap."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.events import CardsPlayed, Corrected, Desynced, Resynced, TakenBack
from tests.vision.laying import follow, lead
from tests.vision.test_pile import lying, seen
from tests.vision.test_plays import ask, card, look, turn
from tests.vision.toy import ToyExpected
from vision.looks import Look
from vision.plays import PlayTracker
from vision.zones import Zone


def test_weak_reading_is_voted_on_again_while_the_card_lies_there() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("SA", "E", p=0.55, other="S4")))
    assert isinstance(ask(tracker, 0.4, turn("E")), CardsPlayed)
    assert ask(tracker, 1.0, turn("N", 1)) is None
    assert Zone.E in tracker.to_review
    tracker.review(look("E", card("S4", "E", p=0.9, other="SA")))
    put = ask(tracker, 1.1, turn("N", 1))
    assert isinstance(put, Corrected)
    assert put.cards == ("S4",)


def test_card_taken_back_from_a_pile_is_a_take_back() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    tracker.see(replace(look("E", card("D7", "E", 3), still=2.0), reverted=True))
    assert ask(tracker, 2.4, turn("N", 1)) is None
    back = ask(tracker, 3.8, turn("N", 1))
    assert isinstance(back, TakenBack)
    assert back.cards == ("HA",)


@pytest.mark.parametrize(("turned", "seconds", "dropped"), [(40.0, 1.0, True), (25.0, 1.0, False), (40.0, 5.0, False)])
def test_card_that_lay_askew_before_the_seat_in_turn_and_is_picked_up_soon_was_dropped(turned: float, seconds: float, dropped: bool) -> None:
    tracker = PlayTracker()
    tracker.see(replace(seen(lying("HA", 0, 250, turn=turned)), t=1.3, still=1.0))
    assert isinstance(ask(tracker, 1.4, turn("S")), CardsPlayed)
    tracker.disturbed(Zone.S)
    tracker.see(replace(seen(), t=1.7 + seconds, still=1.4 + seconds, reverted=True, changed_mm2=5000.0))
    assert ask(tracker, 1.8 + seconds, turn("W", 1)) is None
    fact = ask(tracker, 3.2 + seconds, turn("W", 1))
    assert isinstance(fact, Corrected if dropped else TakenBack)
    assert (fact.seat, fact.cards) == (Seat.S, () if dropped else ("HA",))


def test_dropped_card_that_is_picked_up_at_once_is_never_told() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    tracker.see(look("W", card("C4", "W", 60), still=2.0))
    for t in (2.4, 3.5, 4.6):
        assert ask(tracker, t, turn("N", 1)) is None
    tracker.disturbed(Zone.W)
    tracker.see(Look(Zone.W, 5.2, 5.0))
    assert ask(tracker, 5.6, turn("N", 1)) is None
    assert isinstance(follow(tracker, "N", "H3", count=1, still=7.0), CardsPlayed)


def test_play_out_of_turn_that_stays_is_told_as_it_lies() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    tracker.see(look("W", card("H4", "W"), still=2.0))
    assert ask(tracker, 4.0, turn("N", 1)) is None
    told = ask(tracker, 5.4, turn("N", 1))
    assert isinstance(told, CardsPlayed)
    assert told.seat == "W"


def test_lead_out_of_turn_that_the_next_player_follows_is_told_without_waiting() -> None:
    tracker = PlayTracker()
    tracker.see(look("W", card("D3", "W"), still=20.0))
    tracker.see(look("S", card("D4", "S"), still=20.4))
    assert ask(tracker, 20.5, turn("E", None, 2)) is None
    told = ask(tracker, 21.1, turn("E", None, 2))
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.trick) == ("W", 2)


def test_seat_that_leads_has_won_when_a_card_of_the_trick_before_may_be_read_so() -> None:
    tracker = PlayTracker()
    for k, (seat, face, p) in enumerate((("E", "H5", 0.99), ("N", "H6", 0.99), ("W", "HK", 0.7), ("S", "HQ", 0.99))):
        tracker.see(look(seat, card(face, seat, p=p, other="HA" if seat == "W" else "C9"), still=2.0 * k))
        ask(tracker, 2.0 * k + 0.4, turn(seat, None if k == 0 else 1))

    def what_if(events: object) -> tuple[ToyExpected, int]:
        won = any(isinstance(e, Corrected) and e.seat == "W" and e.cards == ("HA",) for e in events)  # type: ignore[attr-defined]
        return turn("W" if won else "E", None, 2), 0

    tracker.told.what_if = what_if
    tracker.see(look("W", card("D3", "W"), still=12.0))
    assert ask(tracker, 12.5, turn("E", None, 2)) is None
    put = ask(tracker, 15.4, turn("E", None, 2))
    assert isinstance(put, Corrected)
    assert (put.seat, put.trick, put.cards) == ("W", 1, ("HA",))


def test_correction_by_the_pack_that_would_make_an_offender_comes_after_one_that_does_not() -> None:
    tracker = PlayTracker()
    for k, (seat, other) in enumerate((("E", "D10"), ("N", "S8"), ("W", "C9"))):
        tracker.told.what_if = lambda events: (turn("W", 1), sum(isinstance(e, Corrected) and e.seat == "E" for e in events))
        tracker.see(look(seat, card("S10", seat, p=(0.9, 0.93, 0.999)[k], other=other), still=2.0 * k))
        assert isinstance(ask(tracker, 2.0 * k + 0.4, turn(seat, None if k == 0 else 1)), CardsPlayed)
    put = ask(tracker, 5.0, turn("S", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("N", ("S8",))


def test_hand_laid_down_pauses_the_table_until_it_is_taken_up() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    hand = [card(f, "N", 22.0 * k - 80) for k, f in enumerate(("H3", "D4", "S5", "C6", "C7", "D8"))]
    tracker.see(look("N", *hand, still=2.0))
    assert ask(tracker, 2.4, turn("N", 1)) is None
    stop = ask(tracker, 3.2, turn("N", 1))
    assert isinstance(stop, Desynced)
    assert stop.reason == "hands"
    assert "摊牌" in stop.zh
    assert ask(tracker, 9.0, turn("N", 1)) is None
    tracker.disturbed(Zone.N)
    tracker.lying.stale.clear()
    tracker.see(Look(Zone.N, 10.2, 10.0))
    assert isinstance(ask(tracker, 10.4, turn("N", 1)), Resynced)
    assert isinstance(follow(tracker, "N", "H3", count=1, still=12.0), CardsPlayed)


def test_hand_laid_down_is_over_when_the_score_was_entered_by_hand() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    tracker.see(look("N", *(card(f, "N", 22.0 * k - 80) for k, f in enumerate(("H3", "D4", "S5", "C6", "C7", "D8"))), still=2.0))
    assert isinstance(ask(tracker, 3.2, turn("N", 1)), Desynced)
    assert isinstance(ask(tracker, 20.0, ToyExpected("bottom", None, 8)), Resynced)


def test_trick_taken_up_before_all_plays_were_seen_pauses_until_the_next_lead() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    follow(tracker, "N", "H3", count=1, still=2.0)
    for seat in "EN":
        mine = tracker.cards_of(Seat(seat))
        tracker.see(Look(Zone(seat), 6.2, 6.0, touched=mine, bare=mine))
    assert ask(tracker, 6.5, turn("W", 1)) is None
    assert ask(tracker, 8.0, turn("W", 1)) is None
    stop = ask(tracker, 10.5, turn("W", 1))
    assert isinstance(stop, Desynced)
    assert "西" in stop.zh
    assert "W S" in stop.en
    tracker.see(look("N", card("D9", "N"), still=12.0))
    assert isinstance(ask(tracker, 12.4, turn("W", 1)), Resynced)
    told = ask(tracker, 12.5, turn("W", 1))
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.trick) == ("N", 2)


def test_last_trick_that_is_turned_up_again_to_be_seen_is_no_play() -> None:
    tracker = PlayTracker()
    for k, seat in enumerate("ENWS"):
        tracker.see(look(seat, card(f"H{k + 3}", seat), still=2.0 * k))
        ask(tracker, 2.0 * k + 0.4, turn(seat, None if k == 0 else 1))
    far = card("H3", "E")
    far = replace(far, corners_mm=tuple((x + 125, y) for x, y in far.corners_mm))
    tracker.see(look("E", far, still=10.0))
    assert ask(tracker, 10.4, turn("S", None, 2)) is None
    assert ask(tracker, 15.0, turn("S", None, 2)) is None


def test_early_turning_over_by_one_player_is_neither_a_play_nor_a_take_back() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    follow(tracker, "N", "H3", count=1, still=2.0)
    mine = tracker.cards_of(Seat.E)
    tracker.see(Look(Zone.E, 4.3, 4.0, touched=mine, changed_mm2=5000.0, paper_mm2=300.0))
    assert ask(tracker, 4.4, turn("W", 1)) is None
    assert ask(tracker, 9.0, turn("W", 1)) is None
    assert isinstance(follow(tracker, "W", "H6", count=1, still=10.0), CardsPlayed)


def test_latest_play_turned_over_beside_where_it_lay_is_no_take_back_and_cards_that_are_gone_are_one() -> None:
    for changed, kinds in ((10500.0, []), (5200.0, [TakenBack])):
        tracker = PlayTracker()
        lead(tracker, "HA")
        mine = tracker.cards_of(Seat.E)
        tracker.see(Look(Zone.E, 4.3, 4.0, touched=mine, bare=mine, changed_mm2=changed, paper_mm2=300.0))
        told = [ask(tracker, t, turn("N", 1)) for t in (4.4, 6.0)]
        assert [type(fact) for fact in told if fact is not None] == kinds


def test_part_of_the_last_trick_turned_up_again_far_out_is_no_lead() -> None:
    tracker = PlayTracker()
    lead(tracker, "DK", "DA")
    for seat, faces, still in (("N", ("D3", "D4"), 2.0), ("W", ("D5", "D6"), 4.0), ("S", ("D7", "D8"), 6.0)):
        follow(tracker, seat, *faces, count=2, still=still)
    far = card("DK", "E", 0)
    far = replace(far, corners_mm=tuple((px + 115.0, py) for px, py in far.corners_mm), places=tuple((px + 115.0, py) for px, py in far.places))
    tracker.see(look("E", far, still=9.0))
    assert ask(tracker, 9.4, turn("E", None, 2)) is None
    assert ask(tracker, 12.0, turn("E", None, 2)) is None


def test_point_cards_moved_to_the_middle_are_no_play_and_no_bottom() -> None:
    tracker = PlayTracker()
    for k, seat in enumerate("ENWS"):
        tracker.see(look(seat, card(("H5", "HK", "H10", "HA")[k], seat), still=2.0 * k))
        ask(tracker, 2.0 * k + 0.4, turn(seat, None if k == 0 else 1))
    tracker.see(look("centre", card("H5", "centre", -30), card("HK", "centre", 0), card("H10", "centre", 30), still=10.0))
    assert ask(tracker, 10.5, turn("S", None, 2)) is None
    assert ask(tracker, 11.0, ToyExpected("bottom", None, 8)) is None


def test_lead_of_the_next_trick_by_one_who_has_played_closes_a_trick_with_a_play_that_nobody_could_read() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    follow(tracker, "N", "H3", count=1, still=2.0)
    follow(tracker, "W", "H6", count=1, still=4.0)
    tracker.see(look("N", replace(card("H3", "N", 0), fresh=False), card("D9", "N", 10), still=14.0))
    assert ask(tracker, 14.4, turn("S", 1)) is None
    assert ask(tracker, 15.2, turn("S", 1)) is None
    assert isinstance(ask(tracker, 15.3, turn("S", 1)), Desynced)
    assert isinstance(ask(tracker, 15.4, turn("S", 1)), Resynced)
    told = ask(tracker, 15.5, turn("S", 1))
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.trick, told.cards) == ("N", 2, ("D9",))


def test_played_card_that_is_straightened_by_some_centimetres_is_no_lead_of_the_next_trick() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    follow(tracker, "N", "H3", count=1, still=2.0)
    follow(tracker, "W", "H6", count=1, still=4.0)
    mine = tracker.cards_of(Seat.N)
    tracker.see(replace(look("N", card("H3", "N", 40), still=14.0), touched=mine))
    assert ask(tracker, 14.4, turn("S", 1)) is None
    assert ask(tracker, 16.0, turn("S", 1)) is None
    assert isinstance(follow(tracker, "S", "H7", count=1, still=20.0), CardsPlayed)


def test_offence_that_hangs_on_a_card_which_may_be_misread_is_not_alerted_and_the_raw_reading_stays() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")

    def what_if(events: object) -> tuple[ToyExpected, int]:
        return turn("W", 1), sum(isinstance(e, CardsPlayed) and e.cards == ("D4",) for e in events)  # type: ignore[attr-defined]

    tracker.told.what_if = what_if
    tracker.see(look("N", card("D4", "N", p=0.99, other="H4"), still=2.0))
    told = ask(tracker, 2.4, turn("N", 1))
    assert isinstance(told, CardsPlayed)
    assert (told.cards, told.evidence["raw"]) == (("H4",), ["D4"])
    assert told.evidence["doubted"] is True


def test_offence_that_is_read_surely_is_alerted_at_once() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    tracker.told.what_if = lambda events: (turn("W", 1), sum(isinstance(e, CardsPlayed) for e in events))
    tracker.see(look("N", card("D4", "N", p=0.9995, other="H4"), still=2.0))
    told = ask(tracker, 2.4, turn("N", 1))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("D4",)
    assert "doubted" not in told.evidence


def test_dark_joker_on_a_pile_that_nobody_can_read_is_told_as_unknown_when_play_goes_on() -> None:
    tracker = PlayTracker()
    assert ask(tracker, 0.5, turn("W")) is None
    old = replace(card("S8", "W", 3), fresh=False)
    tracker.see(Look(Zone.W, 2.3, 2.0, changed_mm2=4600.0, paper_mm2=260.0, touched=(old,)))
    assert ask(tracker, 2.5, turn("W")) is None
    assert ask(tracker, 4.0, turn("W")) is None
    tracker.see(look("S", card("C8", "S"), still=5.0))
    told = ask(tracker, 5.7, turn("W"))
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.cards) == ("W", ("??",))


def test_card_taken_back_for_which_another_is_laid_at_once_is_a_take_back_and_no_lead_of_the_next_trick() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    follow(tracker, "N", "S10", count=1, still=2.0)
    tracker.disturbed(Zone.N)
    old = card("S10", "N")
    tracker.see(replace(look("N", still=3.0, paper=0.0), touched=(old,), bare=(old,)))
    assert ask(tracker, 3.4, turn("W", 1)) is None
    tracker.disturbed(Zone.N)
    tracker.see(replace(look("N", card("HK", "N", 20), still=4.6), touched=(old,)))
    back = ask(tracker, 4.9, turn("W", 1))
    assert isinstance(back, TakenBack)
    assert (back.seat, back.cards) == (Seat.N, ("S10",))
    again = ask(tracker, 4.9, turn("N", 1))
    assert isinstance(again, CardsPlayed)
    assert (again.seat, again.trick, again.cards) == (Seat.N, 1, ("HK",))
