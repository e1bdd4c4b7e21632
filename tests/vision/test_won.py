"""Who leads next has won: what that says of the cards that were played."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import UNKNOWN, Card, Seat
from engine.events import CardsPlayed, Corrected, Event
from tests.vision.toy import ToyExpected
from vision.fusion import NBest
from vision.laid import Play
from vision.told import Told
from vision.won import rethink

JACK, KING, DIAMOND = Card("HJ"), Card("HK"), Card("DJ")
JACK_OR_KING: NBest = ((JACK, 0.75), (KING, 0.25))
SURELY_JACK: NBest = ((JACK, 0.99), (DIAMOND, 0.006))


def told_with_kings_taken_for_jacks() -> Told:
    """One pack of each: E's king was taken for the jack that S has laid since, so that S's jack is taken for another."""
    told = Told(1)
    early, late = (1, 1, Seat.E, 0), (1, 2, Seat.S, 0)

    def what_if(facts: Sequence[Event]) -> tuple[ToyExpected, int]:
        faces = dict(told._faces)
        for fact in facts:
            if isinstance(fact, CardsPlayed | Corrected):
                faces[fact.trick, fact.seat] = fact.cards
        return ToyExpected("trick", Seat.S if JACK in faces[2, Seat.S] else Seat.E, None, 3), 0

    told.what_if = what_if
    told.ledger.dear[early, KING] = 9.0
    told.ledger.put({early: JACK_OR_KING, late: SURELY_JACK})
    told.note(1, Seat.E, [early], (told.ledger.faces[early],))
    told.note(2, Seat.S, [late], (told.ledger.faces[late],))
    told.trick = 3
    told.before = {Seat.S: Play([late], [])}
    return told


def test_card_with_which_the_next_leader_has_won_is_what_it_was_read_as_though_the_pack_had_no_copy_left() -> None:
    told = told_with_kings_taken_for_jacks()
    assert told.ledger.faces[1, 2, Seat.S, 0] == DIAMOND
    assert rethink(told, Seat.S)
    assert told.ledger.faces[1, 2, Seat.S, 0] == JACK
    assert told.ledger.faces[1, 1, Seat.E, 0] == KING


def test_card_with_which_the_next_leader_may_have_won_stays_unknown_where_it_is_not_known_and_the_pack_had_no_copy_left() -> None:
    told = told_with_kings_taken_for_jacks()
    late = (1, 2, Seat.S, 0)
    told.ledger.barred |= {(late, DIAMOND), (late, JACK)}
    told.ledger.faces[late] = UNKNOWN
    assert not rethink(told, Seat.S)
    told.ledger.solve()
    assert told.ledger.faces[late] == UNKNOWN


def test_plays_of_a_trick_are_known_again_when_an_earlier_one_was_told_anew_in_between() -> None:
    """While its number of cards is put right an earlier trick is open once more; who leads after it may still have won by a misread card."""
    told = Told(1, trick=1)
    first, second = {Seat.E: Play([(1, 1, Seat.E, 0)], [])}, {Seat.S: Play([(1, 2, Seat.S, 0)], [])}
    told.plays = first
    told.turn_to(2)
    told.plays |= second
    told.turn_to(1)
    assert (told.before, told.plays) == ({}, first)
    told.turn_to(2)
    assert (told.before, told.plays) == (first, second)
    told.turn_to(3)
    assert (told.before, told.plays) == (second, {})
    for trick in range(4, 8):
        told.turn_to(trick)
    assert min(told._of) >= 4
