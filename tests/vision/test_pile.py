"""New cards on old ones."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Corrected, Event, TakenBack
from tests.vision.toy import ToyExpected
from vision.looks import Look
from vision.lying import Lying
from vision.pile import came, inside, sort, was
from vision.plays import PlayTracker
from vision.table_card import TableCard
from vision.zones import Zone

W, H = 63.0, 88.0


def lying(face: str, x: float, y: float = 215.0, *, p: float = 0.99, other: str = "C9", end: int | None = None, fresh: bool = True, turn: float = 0.0,
          presence: float = 0.97) -> TableCard:  # fmt: skip
    """A card upright before S with its middle at x, y; with ``end`` only its first (0) or second (1) index is read."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def at(u: float, v: float) -> tuple[float, float]:
        return x + u * c - v * s, y + u * s + v * c

    corners = (at(-W / 2, -H / 2), at(W / 2, -H / 2), at(W / 2, H / 2), at(-W / 2, H / 2))
    places = (at(5 - W / 2, 10.5 - H / 2), at(W / 2 - 5, H / 2 - 10.5))
    if end is not None:
        corners = corners if end == 0 else corners[2:] + corners[:2]
        places = (places[end],)
    return TableCard(((Card(face), p), (Card(other), 1 - p)), corners, presence, fresh=fresh, ends=len(places), places=places)


def seen(*cards: TableCard, touched: tuple[TableCard, ...] = (), bare: tuple[TableCard, ...] = ()) -> Look:
    return Look(Zone.S, 1.0, 0.5, cards, 3, 4000, 2500, touched, bare)


def led_by_east() -> PlayTracker:
    """E has led an ace of hearts."""
    tracker = PlayTracker()
    tracker.see(replace(seen(lying("HA", 300)), zone=Zone.E))
    tracker.facts(1.1, ToyExpected("trick", Seat.E, None, 1))
    return tracker


def test_old_card_of_a_pile_that_is_read_anew_beside_a_new_card_is_no_play() -> None:
    old = lying("S10", -9, 203, end=0, fresh=False)
    again = lying("S10", -10, 203, p=0.72, other="D10", end=0)
    assert was(old, again)
    assert [c.card for c in came(seen(lying("S7", -5, 202), again, touched=(old,)))] == ["S7"]


def test_card_that_was_covered_long_ago_and_looks_out_again_is_no_play() -> None:
    below = lying("S10", -9, 203, end=0, fresh=False)
    assert [c.card for c in came(seen(lying("S7", 20, 202), lying("S10", -10, 203, end=0)), [below])] == ["S7"]


def test_new_card_whose_index_falls_on_an_old_ones_is_one_when_both_its_ends_are_read() -> None:
    old = lying("S10", -9, 203, end=0, fresh=False)
    assert [c.card for c in came(seen(lying("S10", -9, 203), touched=(old,)), [])] == ["S10"]


def test_unclear_reading_where_an_old_index_was_is_asked_for_only_when_a_card_is_missing() -> None:
    old = lying("S6", -9, 203, end=0, fresh=False)
    parts = sort([lying("H5", 19, 203), lying("H5", -9, 203, p=0.5, other="HJ", end=0)], on_pile=True, old=[old])
    assert [c.card for c in parts.sure] == ["H5"]
    assert [c.card for c in parts.faint] == ["H5"]


def test_clear_reading_of_the_old_cards_rank_at_its_index_is_the_old_card_unless_a_card_is_missing() -> None:
    old = lying("S8", -9, 203, end=0, fresh=False)
    parts = sort([lying("C4", 19, 203), lying("C8", -9, 203, end=0)], on_pile=True, old=[old])
    assert ([c.card for c in parts.sure], [c.card for c in parts.faint]) == (["C4"], ["C8"])


def test_card_of_the_other_colour_surely_read_on_an_old_one_of_its_rank_is_new() -> None:
    old = lying("H10", -9, 203, end=0, fresh=False)
    parts = sort([lying("SJ", 19, 203), lying("S10", -9, 203, p=0.999, end=0)], on_pile=True, old=[old])
    assert [c.card for c in parts.sound] == ["SJ", "S10"]
    parts = sort([lying("SJ", 19, 203), lying("S10", -9, 203, p=0.985, presence=0.8, end=0)], on_pile=True, old=[old])
    assert [c.card for c in parts.faint] == ["S10"]


def test_half_hidden_index_of_an_old_card_that_is_read_with_the_sign_beside_it_is_not_surely_a_card() -> None:
    old = lying("C9", 29, 228, end=1, fresh=False)
    new = (lying("H3", 2, 220, end=0), lying("H3", 24, 228), lying("H5", 28, 230, p=0.997, end=1))
    parts = sort(new, on_pile=True, old=[old])
    assert ([c.card for c in parts.sure], [c.card for c in parts.doubtful]) == (["H3", "H3"], ["H5"])


@pytest.mark.parametrize(("nearest", "doubtful", "faint"), [(0, ["C8"], []), (-28, [], ["C8"])])
def test_old_index_that_no_new_card_comes_near_is_not_half_hidden(nearest: float, doubtful: list[str], faint: list[str]) -> None:
    old = lying("S8", -30, 214, end=0, fresh=False)
    new = lying("C8", -28, 215, p=0.998, end=0, turn=1)
    parts = sort((new, lying("CJ", nearest, 217, turn=9)), on_pile=True, old=[old])
    assert [c.card for c in parts.sure] == ["CJ"]
    assert ([c.card for c in parts.doubtful], [c.card for c in parts.faint]) == (doubtful, faint)


def test_lower_card_of_a_pair_is_no_half_hidden_old_card_of_its_rank_where_the_upper_one_is_far_from_that() -> None:
    old = lying("CA", -30, 214, end=0, fresh=False)
    lower = lying("SA", -28, 215, p=0.98, presence=0.88, end=0)
    assert [c.card for c in sort((lower, lying("SA", -4, 217, turn=6)), on_pile=True, old=[old]).sound] == ["SA", "SA"]
    assert [c.card for c in sort((lower, lying("SK", -4, 217, turn=6)), on_pile=True, old=[old]).faint] == ["SA"]


@pytest.mark.parametrize(("presence", "sound"), [(0.67, ["SA"]), (0.95, ["SA", "LJ"])])
def test_what_shows_of_an_old_index_that_a_new_card_half_hides_is_found_beside_it_and_is_faint(presence: float, sound: list[str]) -> None:
    old = lying("SJ", -14, 214, end=0, fresh=False)
    shows = lying("LJ", -21, 219, p=0.97, presence=presence, end=0)
    assert [c.card for c in sort((lying("SA", -6, 216), shows), on_pile=True, old=[old]).sound] == sound


def test_lower_card_of_a_pair_whose_index_falls_on_an_old_ones_is_surely_a_card() -> None:
    old = lying("C2", -17, 214, end=0, fresh=False)
    parts = sort((lying("H2", -19, p=0.999, end=0), lying("H2", -2)), on_pile=True, old=[old])
    assert [c.card for c in parts.sure] == ["H2", "H2"]


def test_card_whose_other_end_a_resting_hand_uncovers_is_not_new() -> None:
    half = lying("D2", 4, end=1, fresh=False)
    assert came(seen(half, lying("D2", 4), lying("HA", -14), touched=(half,))) == [lying("HA", -14)]
    alone = seen(half, lying("D2", 4), touched=(half,))
    assert came(alone) == []
    assert Lying().new(alone).all == ()


def test_pile_that_is_pushed_brings_no_new_cards() -> None:
    pile = (lying("D10", -20, fresh=False), lying("S5", 0, fresh=False), lying("H8", 25, fresh=False))
    after = [lying("D10", 8, 230), lying("S5", 28, 229, end=0), lying("H8", 53, 231)]
    assert came(seen(*after, touched=pile)) == []
    assert [c.card for c in came(seen(*after, lying("CK", 60), touched=pile))] == ["CK"]


def test_lower_card_of_a_pair_is_sure_as_the_upper_one_hides_its_other_end() -> None:
    parts = sort([lying("C10", -2), lying("C10", -19, end=0)], on_pile=True)
    assert len(parts.sure) == 2


def test_lower_card_of_a_pair_that_is_less_surely_there_is_sure_as_its_face_is() -> None:
    new = (lying("C4", -12, 215, end=0, presence=0.83), lying("C4", 3, 215))
    assert [c.ends for c in sort(new, on_pile=True).sure] == [1, 2]
    unsure = (lying("C4", -12, 215, end=0, presence=0.83, p=0.93), lying("C4", 3, 215))
    assert [c.ends for c in sort(unsure, on_pile=True).sure] == [2]


def test_lone_index_on_a_pile_whose_other_end_nothing_hides_is_doubtful() -> None:
    parts = sort([lying("C10", 60), lying("S4", -60, end=0)], on_pile=True)
    assert [c.card for c in parts.doubtful] == ["S4"]
    assert not sort([lying("C10", 60), lying("S4", -60, end=0)], on_pile=False).doubtful


def test_mark_on_another_cards_picture_is_no_sure_card() -> None:
    king = lying("CK", 0)
    mark = lying("BJ", 20, 230, end=0)
    assert inside(mark.places[0], king, 1.5)
    assert [c.card for c in sort([king, mark], on_pile=False).doubtful] == ["BJ"]


@pytest.mark.parametrize(("face", "apart", "cards"), [("LJ", 13.0, ["LJ", "LJ"]), ("LJ", 5.0, ["LJ"]), ("H3", 13.0, ["LJ"])])
def test_faint_card_close_beside_its_equal_is_no_double_of_it_where_it_shows_its_own_index(face: str, apart: float, cards: list[str]) -> None:
    upper, lower = lying("LJ", 0, presence=0.54), lying(face, -apart, end=0, presence=0.31)
    assert [c.card for c in came(seen(upper, lower))] == cards


def test_covered_cards_are_remembered_until_bare_cloth_shows_that_the_pile_was_taken_up() -> None:
    zones = Lying()
    first = lying("S10", 0)
    zones.see(seen(first), 1)
    zones.settle(Zone.S)
    zones.see(seen(lying("D4", 2), touched=(first,)), 2)
    zones.settle(Zone.S)
    assert [c.card for c in zones.under[Zone.S]] == ["S10"]
    top = zones.known[Zone.S][0]
    zones.see(seen(touched=(top,), bare=(top,)), 3)
    zones.settle(Zone.S)
    assert zones.under[Zone.S] == ()


def test_without_piles_nothing_is_remembered_below() -> None:
    zones = Lying(piles=False)
    first = lying("S10", 0)
    zones.see(seen(first), 1)
    zones.settle(Zone.S)
    zones.see(seen(lying("D4", 2), touched=(first,)), 2)
    zones.settle(Zone.S)
    assert zones.under[Zone.S] == ()


def test_card_laid_on_one_that_looks_like_it_is_new_at_both_ends() -> None:
    pile = Lying()
    pile.known[Zone.S] = (lying("DK", 0, 213, fresh=False),)
    pile.see(seen(lying("HK", 1, 215, end=0), lying("HK", 0, 215, end=1, fresh=False), lying("H5", 20, 219, end=1)), 4)
    assert [(c.card, c.ends) for c in pile.new(pile.pending[Zone.S]).sure] == [("HK", 2), ("H5", 1)]


def test_third_index_of_a_card_that_is_new_at_both_ends_is_no_second_card() -> None:
    pile = Lying()
    corner = lying("S8", W - 10, 215, end=0)  # what the deck prints in the card's upper right corner, taken for another card's left one
    pile.see(seen(lying("S8", 0, 215, end=1), lying("S8", 0, 215, end=0, fresh=False), corner), 4)
    assert [(c.card, c.ends) for c in pile.new(pile.pending[Zone.S]).all] == [("S8", 2)]


def test_old_cards_that_a_take_back_uncovers_are_not_laid_with_the_next_card() -> None:
    pile = Lying()
    ace = lying("SA", 0, 215, fresh=False)
    pile.known[Zone.S] = (ace,)
    pile.see(seen(lying("C2", 6, 212), touched=(ace,)), 7)
    pile.settle(Zone.S)
    pile.see(replace(seen(lying("SA", 0, 215), touched=pile.known[Zone.S]), reverted=True), 7)
    pile.disturbed(Zone.S, 7, last_to_play=False)
    pile.see(seen(lying("LJ", 8, 218), lying("SA", -1, 214, end=0), touched=pile.known[Zone.S]), 7)
    assert [c.card for c in pile.new(pile.pending[Zone.S]).sound] == ["LJ"]


def test_whole_card_that_a_take_back_uncovers_is_not_laid_with_the_card_laid_instead() -> None:
    taken_back, below = lying("S10", 0, turn=8, fresh=False), lying("D10", 6, 208, turn=-4, fresh=False)
    look = seen(lying("S7", -20, 226), lying("D10", 6.5, 207.5, turn=-4), touched=(taken_back,))
    assert [c.card for c in came(look, [below])] == ["S7"]
    alone = seen(lying("D10", 6.5, 207.5, turn=-4), touched=(taken_back,))
    assert [c.card for c in came(alone, [below])] == ["D10"], "where nothing else has come it was laid on its equal"
    beside = seen(lying("S7", -20, 226), lying("D10", 6.5, 216, turn=-4), touched=(taken_back,))
    assert [c.card for c in came(beside, [below])] == ["S7", "D10"]


def test_old_card_of_which_another_end_looks_out_stays_old() -> None:
    pile = Lying()
    pile.known[Zone.S] = (lying("HK", 0, 215, end=1, fresh=False),)
    pile.see(seen(lying("HK", 1, 215, end=0), lying("HK", 0, 215, end=1, fresh=False), lying("H5", 40, 219)), 4)
    assert [c.card for c in pile.new(pile.pending[Zone.S]).sound] == ["H5"]


def test_card_laid_on_its_equal_is_the_play_where_nothing_else_but_a_ghost_has_come() -> None:
    old = lying("D6", -5, 220, fresh=False)
    pile = Lying()
    pile.known[Zone.S] = (old,)
    pile.see(seen(lying("D6", -7, 222), lying("D9", -16, 208, end=0, p=0.85, presence=0.18), touched=(old,)), 7)
    assert [c.card for c in pile.new(pile.pending[Zone.S]).sure] == ["D6"]


def test_card_laid_exactly_on_its_equal_is_asked_for_when_a_card_is_missing() -> None:
    pile = Lying()
    old = lying("SK", 0, 213, fresh=False)
    pile.known[Zone.S] = (old,)
    pile.see(seen(lying("D4", -40), lying("SK", 3, 215), touched=(old,)), 4)
    parts = pile.new(pile.pending[Zone.S])
    assert ([c.card for c in parts.sound], [c.card for c in parts.faint]) == (["D4"], ["SK"])


def replaced(tracker: PlayTracker, new: TableCard, *, still: float = 6.0, frames: int = 4) -> Event | None:
    """S plays J of diamonds on a pile, and later another card is seen there."""
    expected = ToyExpected("trick", Seat.E, None, 1)
    tracker.see(replace(seen(lying("HA", 300)), zone=Zone.E))
    tracker.facts(1.1, expected)
    jack = lying("DJ", -2, 199)
    tracker.see(replace(seen(jack), still=3.0, t=3.3))
    assert isinstance(tracker.facts(3.3, ToyExpected("trick", Seat.S, 1, 1)), CardsPlayed)
    tracker.disturbed(Zone.S)
    tracker.see(replace(seen(new, touched=(jack,)), still=still, t=still + 0.3, frames=frames))
    return tracker.facts(still + 0.3, ToyExpected("trick", Seat.W, 1, 1))


def test_card_of_which_an_index_should_look_out_from_under_another_and_does_not_was_taken_back() -> None:
    tracker = PlayTracker()
    back = replaced(tracker, lying("D6", -6, 219))
    assert isinstance(back, TakenBack)
    assert back.cards == ("DJ",)
    told = tracker.facts(6.4, ToyExpected("trick", Seat.S, 1, 1))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("D6",)


def test_card_that_was_taken_back_and_for_which_another_was_laid_at_once_over_where_it_lay_is_not_played_with_it() -> None:
    """Between the two the place looked as before the play, but only for a moment; what the take-back uncovers was read there whole."""
    tracker = led_by_east()
    two = lying("C2", -2, 199)
    tracker.see(replace(seen(two), still=3.0, t=3.3))
    assert isinstance(tracker.facts(3.3, ToyExpected("trick", Seat.S, 1, 1)), CardsPlayed)
    tracker.disturbed(Zone.S)
    waiting = ToyExpected("trick", Seat.W, 1, 1)
    tracker.see(replace(seen(lying("SA", -12, 216), touched=(two,)), still=4.6, t=4.9, reverted=True))
    assert tracker.facts(4.9, waiting) is None
    tracker.disturbed(Zone.S)
    tracker.see(replace(seen(lying("LJ", -2, 199), touched=(two,)), still=6.2, t=6.5))
    back = tracker.facts(6.5, waiting)
    assert isinstance(back, TakenBack)
    assert back.cards == ("C2",)


def test_card_that_another_covers_altogether_was_not_taken_back() -> None:
    assert not isinstance(replaced(PlayTracker(), lying("D6", -2, 199)), TakenBack)


def test_card_that_is_missed_in_one_look_is_looked_for_again_before_it_is_taken_for_gone() -> None:
    tracker = PlayTracker()
    assert replaced(tracker, lying("D6", -6, 219), frames=2) is None
    assert Zone.S in tracker.doubtful


def test_end_that_a_resting_hand_uncovers_is_the_old_cards_however_often_it_is_read() -> None:
    old, end = lying("D2", 4, 207, end=1, fresh=False), lying("D2", 2, 206, end=0)
    (x, y), *_ = end.places
    assert not came(seen(old, replace(end, ends=2, places=((x, y), (x + 6, y + 2))), touched=(old,)))


def test_card_that_hides_the_end_of_its_equal_is_new() -> None:
    old = lying("D2", 4, 207, end=1, fresh=False)
    assert [c.card for c in came(seen(lying("D2", 12, 207), touched=(old,)))] == ["D2"]


def uncovered_and_laid(place: float) -> tuple[PlayTracker, Event | None]:
    """S seems to play 2 of diamonds where one lay, or beside it, and lays another card then."""
    tracker = PlayTracker()
    tracker.lying.known[Zone.S] = (lying("D2", 4, 207, fresh=False),)
    tracker.see(replace(seen(lying("HA", 300)), zone=Zone.E))
    tracker.facts(1.1, ToyExpected("trick", Seat.E, None, 1))
    tracker.see(replace(seen(lying("D2", place, 207)), still=3.0, t=3.3))
    told = tracker.facts(3.3, ToyExpected("trick", Seat.S, 1, 1))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("D2",)
    tracker.disturbed(Zone.S)
    tracker.see(replace(seen(lying("H5", -10, 216)), still=6.0, t=6.3))
    return tracker, tracker.facts(7.3, ToyExpected("trick", Seat.W, 1, 1))


def test_play_that_was_an_old_card_is_put_right_when_the_real_one_is_laid_and_is_no_lead_of_the_next_trick() -> None:
    tracker, told = uncovered_and_laid(4)
    assert isinstance(told, Corrected)
    assert (told.seat, told.trick, told.cards) == (Seat.S, 1, ("H5",))
    assert tracker.desync.reason is None


def test_card_laid_after_a_play_that_lies_where_nothing_lay_takes_not_its_place() -> None:
    _, told = uncovered_and_laid(80)
    assert not isinstance(told, Corrected)


def test_card_of_which_the_pack_has_no_more_is_the_one_that_lies_there() -> None:
    tracker = PlayTracker()
    for slot in (0, 1):
        tracker.told.ledger.put({("x", slot): ((Card("D2"), 1.0),)})
    look = seen(lying("D2", 4, 207))
    assert tracker.trick.new(look).sound
    tracker.lying.under[Zone.S] = (lying("D2", 6, 205, fresh=False),)
    assert not tracker.trick.new(look).all


def test_old_end_that_shows_where_a_play_was_taken_up_is_no_card_laid_instead() -> None:
    tracker = led_by_east()
    nine = lying("S9", -2, 199)
    tracker.see(replace(seen(nine), still=3.0, t=3.3))
    assert isinstance(tracker.facts(3.3, ToyExpected("trick", Seat.S, 1, 1)), CardsPlayed)
    tracker.disturbed(Zone.S)
    tracker.see(replace(seen(lying("C10", 42, 199, end=0), touched=(nine,), bare=(nine,)), still=6.0, t=6.3, reverted=True))
    waiting = ToyExpected("trick", Seat.W, 1, 1)
    assert [tracker.facts(t, waiting) for t in (6.3, 6.6, 7.2)] == [None, None, None]
    back = tracker.facts(7.6, waiting)
    assert isinstance(back, TakenBack)
    assert back.cards == ("S9",)
    again = ToyExpected("trick", Seat.S, 1, 1)
    tracker.see(replace(seen(lying("C10", 42, 199, end=0)), still=6.0, t=7.8, reverted=True))
    assert [tracker.facts(t, again) for t in (7.8, 9.0, 12.0)] == [None, None, None]


@pytest.mark.parametrize(("turned", "doubtful"), [(0.0, []), (12.0, ["SQ"])])
def test_clear_index_in_one_row_with_a_whole_new_card_is_no_faint_one_though_an_old_index_of_its_rank_stood_there(
    turned: float, doubtful: list[str]
) -> None:
    first, second = lying("SQ", -18, 203, p=0.999, end=0), lying("D2", -8, 203)
    (x, y), *_ = first.places
    old = lying("CQ", -18, 203, end=0, fresh=False, turn=turned)
    (u, v), *_ = old.places
    old = replace(old, places=((x + 1, y + 1),), corners_mm=tuple((a + x - u + 1, b + y - v + 1) for a, b in old.corners_mm))
    parts = sort([first, second], on_pile=True, old=[old])
    assert [c.card for c in parts.sure] == ["D2"]
    assert [c.card for c in parts.doubtful] == doubtful
