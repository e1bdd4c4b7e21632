"""The tracker on scripted looks: when a fact is told, and what is told of cards that are doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.cards import Card, Seat
from engine.events import BottomShown, CardsPlayed, Corrected, Event
from tests.vision.toy import ToyExpected
from vision.looks import Look
from vision.lying import LOOSE_MM2
from vision.plays import PlayTracker
from vision.table_card import TableCard
from vision.zones import OUT, Zone


def card(
    face: str, seat: str, along: float = 0.0, *, presence: float = 0.9, ends: int = 2, p: float = 0.97, other: str = "C9", fresh: bool = True
) -> TableCard:
    """A card as read, in a seat's row."""
    if seat == "centre":
        x, y = along, 0.0
    else:
        ox, oy = OUT[Zone(seat)]
        x, y = 215 * ox + along * oy, 215 * oy - along * ox
    corners = ((x - 31, y - 44), (x + 31, y - 44), (x + 31, y + 44), (x - 31, y + 44))
    if seat in ("E", "W"):
        corners = ((x + 44, y - 31), (x + 44, y + 31), (x - 44, y + 31), (x - 44, y - 31))
    return TableCard(((Card(face), p), (Card(other), 1 - p)), corners, presence=presence, ends=ends, fresh=fresh)


def look(seat: str, *cards: TableCard, still: float = 0.0, t: float | None = None, paper: float = 3000.0) -> Look:
    return Look(Zone(seat), still + 0.3 if t is None else t, still, tuple(cards), 3, 5000.0, paper)


def ask(tracker: PlayTracker, t: float, expected: ToyExpected, busy: Sequence[Zone] = ()) -> Event | None:
    return tracker.facts(t, expected, busy)


def turn(seat: str, count: int | None = None, trick: int = 1) -> ToyExpected:
    return ToyExpected("trick", Seat(seat), count, trick)


def test_lead_is_told_at_once_and_a_follower_when_the_count_is_the_leads() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", -12), card("HA", "E", 12)))
    lead = ask(tracker, 0.3, turn("E"))
    assert isinstance(lead, CardsPlayed)
    assert lead.cards == ("HA", "HA")
    tracker.see(look("N", card("H4", "N"), still=2.0))
    assert ask(tracker, 2.3, turn("N", 2)) is None
    tracker.see(look("N", card("H4", "N", -12), card("H6", "N", 12), still=3.0))
    follow = ask(tracker, 3.3, turn("N", 2))
    assert isinstance(follow, CardsPlayed)
    assert follow.cards == ("H4", "H6")


def test_raw_reading_is_kept_in_the_evidence() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", p=0.8, other="DA")))
    lead = ask(tracker, 0.3, turn("E"))
    assert lead is not None
    assert lead.evidence["raw"] == ["HA"]
    assert lead.evidence["n_best"][0][:2] == [["HA", 0.8], ["DA", 0.2]]
    assert lead.evidence["frames"] == [0.0, 0.3]


def test_ghost_card_of_a_follower_is_left_out_and_a_firm_one_is_told() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", card("H4", "N"), card("H9", "N", 20, presence=0.55, ends=1), still=2.0))
    follow = ask(tracker, 2.3, turn("N", 1))
    assert isinstance(follow, CardsPlayed)
    assert follow.cards == ("H4",)
    tracker.see(look("W", card("H7", "W"), still=4.0))
    ask(tracker, 4.3, turn("W", 1))
    tracker.see(look("S", card("H5", "S"), card("H6", "S", 20), still=6.0))
    assert ask(tracker, 6.3, turn("S", 1)) is None
    late = ask(tracker, 8.0, turn("S", 1))
    assert isinstance(late, CardsPlayed)
    assert late.cards == ("H5", "H6")


def test_revoke_is_never_read_away_when_a_follow_would_be_legal() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", card("D4", "N", p=0.6, other="H4"), still=2.0))
    follow = ask(tracker, 2.3, turn("N", 1))
    assert isinstance(follow, CardsPlayed)
    assert follow.cards == ("D4",)


def test_lead_taken_for_three_is_put_right_when_the_followers_play_two() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", -12), card("HA", "E", 12), card("HK", "E", 30, presence=0.55, ends=1)))
    lead = ask(tracker, 1.2, turn("E"))
    assert isinstance(lead, CardsPlayed)
    assert len(lead.cards) == 3
    tracker.see(look("N", card("H4", "N", -12), card("H6", "N", 12), still=2.0))
    put_right = ask(tracker, 4.6, turn("N", 3))
    assert isinstance(put_right, Corrected)
    assert (put_right.seat, put_right.cards) == ("E", ("HA", "HA"))
    follow = ask(tracker, 4.6, turn("N", 2))
    assert isinstance(follow, CardsPlayed)
    assert follow.cards == ("H4", "H6")


def test_unreadable_play_is_told_as_unknown_when_play_has_gone_on() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", still=2.0))
    assert ask(tracker, 2.3, turn("N", 1)) is None
    tracker.see(look("W", card("H5", "W"), still=3.0))
    blind = ask(tracker, 3.6, turn("N", 1))
    assert isinstance(blind, CardsPlayed)
    assert (blind.seat, blind.cards) == ("N", ("??",))


def test_hidden_card_of_the_last_player_is_waited_for_until_the_next_trick_is_led() -> None:
    tracker = PlayTracker()
    for place, (seat, faces) in enumerate({"E": ("HA", "HA"), "N": ("H4", "H6"), "W": ("H7", "H8")}.items()):
        tracker.see(look(seat, *(card(face, seat, 24.0 * k) for k, face in enumerate(faces)), still=2.0 * place))
        assert isinstance(ask(tracker, 2.0 * place + 0.3, turn(seat, 2 if place else None)), CardsPlayed)
    one = look("S", card("H9", "S"), still=6.0)
    tracker.see(one)
    tracker.see(look("E", card("DA", "E", 90), still=7.0))
    assert ask(tracker, 7.6, turn("S", 2)) is None, "a play that is one card short is not told before its time"
    tracker.see(replace(one, loose_mm2=LOOSE_MM2))
    assert ask(tracker, 7.3, turn("S", 2)) is None
    last = ask(tracker, 7.6, turn("S", 2))
    assert isinstance(last, CardsPlayed)
    assert (last.seat, last.cards) == ("S", ("H9", "??"))


def test_something_unreadable_that_lay_there_before_a_seats_turn_is_not_its_play_at_once() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("W", still=1.0))
    tracker.see(look("N", card("H5", "N"), still=5.0))
    assert isinstance(ask(tracker, 5.3, turn("N", 1)), CardsPlayed)
    assert ask(tracker, 5.3, turn("W", 1)) is None
    tracker.disturbed(Zone.W)
    tracker.see(look("W", card("H6", "W"), still=6.5))
    told = ask(tracker, 6.8, turn("W", 1))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("H6",)


def test_backs_turned_over_are_no_unreadable_play() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", still=2.0, paper=600.0))
    tracker.see(look("W", card("H5", "W"), still=3.0))
    assert ask(tracker, 3.6, turn("N", 1)) is None


def test_seat_that_leads_after_an_unread_play_has_won_with_it() -> None:
    tracker = PlayTracker()
    for k, seat in enumerate("ENWS"):
        tracker.see(look(seat, *([] if seat == "W" else [card(f"H{k + 3}", seat)]), still=2.0 * k))
        ask(tracker, 2.0 * k + (2.6 if seat == "W" else 0.6), turn(seat, None if k == 0 else 1))
    tracker.see(look("W", card("D3", "W", fresh=True), still=20.0))
    guess = ask(tracker, 20.5, turn("S", None, 2))
    assert isinstance(guess, Corrected)
    assert (guess.seat, guess.trick, guess.cards) == ("W", 1, ("BJ",))
    assert guess.evidence["guessed"] is True


def test_read_play_is_never_changed_for_a_lead_out_of_turn() -> None:
    tracker = PlayTracker()
    for k, seat in enumerate("ENWS"):
        tracker.see(look(seat, card(f"H{k + 3}", seat), still=2.0 * k))
        ask(tracker, 2.0 * k + 0.3, turn(seat, None if k == 0 else 1))
    tracker.see(look("W", card("D3", "W"), still=20.0))
    assert ask(tracker, 20.5, turn("S", None, 2)) is None
    out_of_turn = ask(tracker, 23.5, turn("S", None, 2))
    assert isinstance(out_of_turn, CardsPlayed)
    assert (out_of_turn.seat, out_of_turn.trick) == ("W", 2)


def test_third_ace_of_spades_puts_the_earlier_reading_right() -> None:
    tracker = PlayTracker()
    for k, (seat, p) in enumerate((("E", 0.99), ("N", 0.6), ("W", 0.99))):
        tracker.see(look(seat, card("SA", seat, p=p, other="S4"), still=2.0 * k))
        assert isinstance(ask(tracker, 2.0 * k + 0.3, turn(seat, None if k == 0 else 1)), CardsPlayed)
    put_right = ask(tracker, 4.4, turn("S", 1))
    assert isinstance(put_right, Corrected)
    assert (put_right.seat, put_right.cards) == ("N", ("S4",))
    assert put_right.source == "inferred"
    assert put_right.evidence["was"] == ["SA"]


def test_cards_laid_one_by_one_keep_the_better_reading_from_before_they_were_covered() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", -12), card("HA", "E", 12)))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", card("H9", "N", 0), still=2.0))
    assert ask(tracker, 2.3, turn("N", 2)) is None
    tracker.disturbed(Zone.N)
    tracker.see(look("N", card("H6", "N", 24), still=3.0))
    follow = ask(tracker, 3.3, turn("N", 2))
    assert isinstance(follow, CardsPlayed)
    assert sorted(follow.cards) == ["H6", "H9"]


def test_incomplete_play_that_is_swept_away_is_told_as_it_lay() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", -12), card("HA", "E", 12)))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", card("H9", "N"), still=2.0))
    assert ask(tracker, 2.3, turn("N", 2)) is None
    tracker.disturbed(Zone.N)
    tracker.see(Look(Zone.N, 4.0, 3.8))
    follow = ask(tracker, 4.0, turn("N", 2))
    assert isinstance(follow, CardsPlayed)
    assert follow.cards == ("H9", "??")


def test_persons_correction_leaves_its_copy_to_nobody_else() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("SA", "E", p=0.9, other="S4")))
    ask(tracker, 0.3, turn("E"))
    tracker.correct(Seat.E, 1, (Card("S4"),))
    for k, seat in enumerate("NW"):
        tracker.see(look(seat, card("SA", seat, p=0.7, other="S7"), still=2.0 + k))
        assert isinstance(ask(tracker, 2.3 + k, turn(seat, 1)), CardsPlayed)
    assert ask(tracker, 5.0, turn("S", 1)) is None


def test_bottom_shown_after_the_last_trick_solves_what_was_unknown() -> None:
    tracker = PlayTracker(decks=1)
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    faces = ["S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]
    tracker.see(look("centre", *(card(f, "centre", -100 + 25 * k) for k, f in enumerate(faces)), still=5.0))
    shown = ask(tracker, 5.3, ToyExpected("bottom", None, 8))
    assert isinstance(shown, BottomShown)
    assert sorted(shown.cards) == faces


def test_point_cards_that_lay_beside_the_bottom_before_are_none_of_it() -> None:
    tracker = PlayTracker()
    points = card("C5", "centre", -100, fresh=False)
    tracker.see(Look(Zone.CENTRE, 1.0, 0.5, (points, *(card(face, "centre", 24 * i) for i, face in enumerate(("D3", "S7", "HQ", "H4"))))))
    told = ask(tracker, 1.0, ToyExpected("bottom", None, 4, 25))
    assert isinstance(told, BottomShown)
    assert told.cards == ("D3", "S7", "HQ", "H4")


def test_of_more_cards_than_the_bottom_has_those_are_none_that_the_packs_do_not_have() -> None:
    tracker = PlayTracker(decks=1)
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    real = [card(face, "centre", 24 * k, ends=1, presence=0.8) for k, face in enumerate(("D7", "C9", "C5", "D5"))]
    once_more = card("C9", "centre", 110, ends=1, presence=0.7)
    played = card("HA", "centre", 140, ends=1, presence=0.9)
    tracker.see(Look(Zone.CENTRE, 6.0, 5.0, (*real, once_more, played)))
    shown = ask(tracker, 6.0, ToyExpected("bottom", None, 4))
    assert isinstance(shown, BottomShown)
    assert sorted(shown.cards) == ["C5", "C9", "D5", "D7"]


def test_new_deal_has_whole_packs_again() -> None:
    tracker = PlayTracker(decks=1)
    tracker.see(look("E", card("SA", "E")))
    ask(tracker, 0.3, turn("E"))
    ask(tracker, 1.0, ToyExpected("ended", None, None))
    ask(tracker, 2.0, ToyExpected("dealing", None, None))
    tracker.see(look("N", card("SA", "N", p=0.6, other="S4"), still=9.0))
    lead = ask(tracker, 9.3, turn("N"))
    assert isinstance(lead, CardsPlayed)
    assert lead.cards == ("SA",)
    assert tracker.deal == 2


def test_last_play_of_a_trick_that_nobody_could_read_is_told_when_the_trick_is_taken_up() -> None:
    tracker = PlayTracker()
    for i, (seat, face) in enumerate((("E", "D9"), ("N", "C3"), ("W", "H3"))):
        tracker.see(look(seat, card(face, seat), still=2.0 * i))
        assert isinstance(ask(tracker, 2.0 * i + 0.3, turn(seat, 1 if i else None)), CardsPlayed)
    tracker.see(look("S", still=6.0))
    assert ask(tracker, 6.5, turn("S", 1)) is None
    tracker.disturbed(Zone.S)
    assert ask(tracker, 7.0, turn("S", 1), [Zone.S]) is None
    told = ask(tracker, 8.0, turn("S", 1))
    assert isinstance(told, CardsPlayed)
    assert (told.seat, told.cards) == ("S", ("??",))


def test_seat_that_leads_a_joker_after_an_unread_play_is_not_given_the_pair_of_it() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E")))
    ask(tracker, 0.3, turn("E"))
    tracker.see(look("N", card("DA", "N", p=0.2, other="DK"), still=2.0))
    weak = ask(tracker, 5.3, turn("N", 1))
    assert isinstance(weak, CardsPlayed)
    assert weak.cards == ("??",)
    for i, (seat, face) in enumerate((("W", "H3"), ("S", "H5"))):
        tracker.see(look(seat, card(face, seat), still=6.0 + 2 * i))
        ask(tracker, 6.3 + 2 * i, turn(seat, 1))
    tracker.see(look("N", card("BJ", "N"), still=12.0))
    guess = ask(tracker, 12.5, turn("E", None, 2))
    assert isinstance(guess, Corrected)
    assert guess.cards == ("LJ",)


def test_card_of_one_index_that_was_not_read_beyond_doubt_is_read_once_more() -> None:
    for ends, asked in ((1, {Zone.E}), (2, set())):
        tracker = PlayTracker()
        tracker.see(look("E", card("HA", "E", p=0.99, ends=ends)))
        assert isinstance(ask(tracker, 0.8, turn("E")), CardsPlayed)
        ask(tracker, 1.6, turn("N", 1))
        assert tracker.to_review == asked
