"""A trick's number of cards: what all its plays say."""

from __future__ import annotations

from vision.counts import Shown, likeliest, stands_alone

ONE = Shown(1, clear=True)
TWO = Shown(2, clear=True)


def test_lead_read_as_one_is_two_when_a_follower_surely_plays_two_and_something_white_is_left_over_at_the_lead() -> None:
    assert likeliest([Shown(1, loose=True), TWO], 1) == 2


def test_lead_that_is_clear_stands_against_one_follower() -> None:
    assert likeliest([ONE, TWO], 1) == 1


def test_clear_lead_gives_way_to_two_followers() -> None:
    assert likeliest([ONE, TWO, TWO], 1) == 2


def test_doubtful_card_of_a_follower_changes_no_lead() -> None:
    assert likeliest([Shown(1), Shown(1, 1)], 1) == 1


def test_lead_with_a_doubtful_card_has_as_many_as_the_followers_play() -> None:
    assert likeliest([Shown(2, 1), TWO], 3) == 2
    assert likeliest([Shown(2, 1), Shown(3, clear=True)], 2) == 3


def test_wrong_number_is_an_offence_only_when_two_others_speak_against_it() -> None:
    assert not stands_alone(TWO, [ONE], 1)
    assert stands_alone(TWO, [ONE, ONE], 1)
    assert not stands_alone(TWO, [ONE, TWO, ONE], 1)


def test_short_play_is_an_offence_only_when_it_is_clear() -> None:
    assert stands_alone(ONE, [TWO, TWO], 2)
    assert not stands_alone(Shown(1), [TWO, TWO], 2)
    assert not stands_alone(Shown(1, loose=True), [TWO, TWO], 2)


def test_play_that_could_not_be_read_is_no_offence() -> None:
    assert not stands_alone(Shown(0), [ONE, ONE, ONE], 1)


def test_on_piles_a_wrong_number_is_an_offence_only_when_all_three_others_speak_against_it() -> None:
    pile = Shown(1)
    assert not stands_alone(Shown(2), [pile, pile], 1)
    assert not stands_alone(Shown(2), [pile, pile, Shown(1, doubtful=1)], 1)
    assert stands_alone(Shown(2), [pile, pile, pile], 1)


def test_a_card_that_was_not_surely_read_is_none_too_many() -> None:
    assert stands_alone(Shown(2, clear=True), [ONE, ONE, ONE], 1)
    assert not stands_alone(Shown(2, clear=True, weak=1), [ONE, ONE, ONE], 1)
    assert stands_alone(Shown(3, clear=True, weak=1), [ONE, ONE, ONE], 1)


def test_who_surely_shows_no_card_speaks_for_no_number() -> None:
    """A led pair of which the lower card was not made out, a play that could not be read, and one who plays two."""
    assert stands_alone(TWO, [Shown(1), Shown(1), Shown(1)], 1)
    assert not stands_alone(TWO, [Shown(1), Shown(0), Shown(1)], 1)
