"""How many cards a play has, where some are hidden, doubtful or laid later."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Seat
from engine.events import BottomTaken, Buried, CardsPlayed, Corrected, Declared, Event
from tests.vision.laying import follow, lead
from tests.vision.test_pile import lying, seen
from tests.vision.test_plays import ask, card, look, turn
from vision.looks import Look
from vision.plays import PlayTracker
from vision.zones import Zone


def test_first_follower_with_a_card_too_many_is_alerted_as_soon_as_the_next_plays_as_many_as_the_lead() -> None:
    tracker = PlayTracker()
    lead(tracker, "HA")
    assert follow(tracker, "N", "H3", "H4", count=1, still=2.0) is None
    told = ask(tracker, 3.5, turn("N", 1))
    assert isinstance(told, CardsPlayed)
    assert len(told.cards) == 1
    assert tracker.unsure
    follow(tracker, "W", "H6", count=1, still=5.0)
    put = ask(tracker, 5.5, turn("S", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, sorted(put.cards)) == ("N", ["H3", "H4"])


def test_two_followers_with_two_cards_show_that_the_lead_was_two() -> None:
    tracker = PlayTracker()
    lead(tracker, "C10")
    follow(tracker, "N", "S8", "SJ", count=1, still=2.0)
    assert isinstance(ask(tracker, 3.5, turn("N", 1)), CardsPlayed)
    follow(tracker, "W", "C6", "CJ", count=1, still=5.0)
    put = ask(tracker, 6.5, turn("W", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("N", ())
    put = ask(tracker, 6.5, turn("W", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("E", ("C10", "??"))
    put = ask(tracker, 6.5, turn("W", 2))
    assert isinstance(put, Corrected)
    assert (put.seat, sorted(put.cards)) == ("N", ["S8", "SJ"])
    last = ask(tracker, 6.5, turn("W", 2))
    assert isinstance(last, CardsPlayed)
    assert sorted(last.cards) == ["C6", "CJ"]


def test_lead_that_hides_its_second_card_is_read_again_when_a_follower_plays_two() -> None:
    tracker = PlayTracker()
    tracker.see(replace(look("E", card("C10", "E", 0)), loose_mm2=900.0))
    assert ask(tracker, 0.4, turn("E")) is None
    assert Zone.E in tracker.doubtful
    assert isinstance(ask(tracker, 1.2, turn("E")), CardsPlayed)
    assert follow(tracker, "N", "S8", "SJ", count=1, still=2.0) is None
    assert Zone.E in tracker.to_review
    tracker.review(look("E", card("C10", "E", 0), card("C10", "E", -17, ends=1, presence=0.97)))
    put = ask(tracker, 3.4, turn("N", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("E", ("C10", "C10"))


def test_follower_who_lays_the_second_card_after_the_first_was_told_speaks_for_a_longer_lead() -> None:
    tracker = PlayTracker()
    tracker.see(replace(look("E", card("C10", "E", 0)), loose_mm2=900.0))
    ask(tracker, 1.2, turn("E"))
    assert isinstance(follow(tracker, "N", "S8", count=1, still=2.0), CardsPlayed)
    tracker.see(look("N", replace(card("S8", "N", 0), fresh=False), card("SJ", "N", 24), still=3.0))
    put = ask(tracker, 3.4, turn("W", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("N", ())
    put = ask(tracker, 3.4, turn("W", 1))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("E", ("C10", "??"))
    put = ask(tracker, 3.4, turn("W", 2))
    assert isinstance(put, Corrected)
    assert (put.seat, put.cards) == ("N", ("S8", "SJ"))


def test_doubtful_card_of_a_lead_that_names_its_neighbour_is_read_as_a_pair() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("C9", "E", -16, p=0.86, other="C5"), card("C5", "E", 0, p=0.99)))
    told = ask(tracker, 0.4, turn("E"))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("C5", "C5")
    assert told.evidence["raw"] == ["C9", "C5"]


def test_twelve_cards_of_three_packs_are_one_play() -> None:
    tracker = PlayTracker(decks=3)
    faces = ["H3", "H3", "H3", "H4", "H4", "H4", "H5", "H5", "H5", "H6", "H6", "H6"]
    told = lead(tracker, *faces)
    assert isinstance(told, CardsPlayed)
    assert sorted(told.cards) == sorted(map(Card, faces))


def test_lead_that_is_lengthened_makes_no_offender_of_those_who_followed_it() -> None:
    from engine.events import DealStarted, Ruled
    from engine.referee import start, step

    def play(seat: Seat, *cards: str) -> CardsPlayed:
        return CardsPlayed(seat=seat, trick=1, cards=tuple(map(Card, cards)))

    def put(seat: Seat, *cards: str) -> Corrected:
        return Corrected(seat=seat, trick=1, cards=tuple(map(Card, cards)), by="camera")

    state = start("official-2deck-shengji")
    opening = [DealStarted(deal=1, levels={"EW": "2", "NS": "2"}), Declared(seat=Seat.E, cards=(Card("H2"),)), BottomTaken(seat=Seat.E)]
    told = [play(Seat.E, "C10"), play(Seat.N, "S8"), put(Seat.N), put(Seat.E, "C10", "C10"), put(Seat.N, "S8", "SJ"), play(Seat.W, "C6", "CJ")]
    seen: list[Event] = []
    for event in [*opening, Buried(seat=Seat.E, count=8), *told]:
        state, more = step(state, event)
        seen += more
    assert not [e for e in seen if isinstance(e, Ruled)]
    assert state.deal is not None
    assert state.deal.current is not None
    assert [(p.seat, p.cards) for p in state.deal.current.plays] == [("E", ("C10", "C10")), ("N", ("S8", "SJ")), ("W", ("C6", "CJ"))]


def test_lead_whose_second_card_is_not_found_again_has_one_when_the_next_player_lays_one() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("H7", "E"), card("H7", "E", 14, ends=1, presence=0.96), still=1.0))
    first = ask(tracker, 1.3, turn("E"))
    assert isinstance(first, CardsPlayed)
    assert first.cards == ("H7", "H7")
    tracker.see(look("N", card("C2", "N"), still=3.0))
    assert ask(tracker, 3.3, turn("N", 2)) is None
    for _ in range(2):
        tracker.review(look("E", card("H7", "E"), still=1.0))
    told = ask(tracker, 6.0, turn("N", 2))
    assert isinstance(told, Corrected)
    assert (told.seat, told.cards) == (Seat.E, ("H7",))
    told = ask(tracker, 6.0, turn("N", 1))
    assert isinstance(told, CardsPlayed)
    assert told.cards == ("C2",)


def test_two_equal_cards_that_are_once_taken_for_one_between_them_are_not_three() -> None:
    first, second = lying("LJ", -13, 215, end=0), lying("LJ", 13, 215)
    tracker = PlayTracker()
    tracker.see(seen(first, second))
    assert isinstance(ask(tracker, 1.2, turn("S")), CardsPlayed)
    (left,), (_, right) = first.places, second.places
    between = lying("LJ", 0, 215, turn=-14.0)
    tracker.review(seen(replace(between, places=(left, right))))
    assert len({*tracker.told.plays[Seat.S].sure, *tracker.told.plays[Seat.S].doubtful}) == 2
    tracker.review(seen(between))
    assert len({*tracker.told.plays[Seat.S].sure, *tracker.told.plays[Seat.S].doubtful}) == 3


def test_last_play_that_is_swept_away_before_its_time_speaks_for_the_number_of_cards_too() -> None:
    tracker = PlayTracker()
    tracker.see(look("E", card("HA", "E", -12), card("SQ", "E", 12)))
    assert isinstance(ask(tracker, 0.3, turn("E")), CardsPlayed)
    for k, (seat, face) in enumerate((("N", "H9"), ("W", "H3"))):
        tracker.see(look(seat, card(face, seat, ends=1, presence=0.97), still=2.0 + 4 * k))
        told = ask(tracker, 5.0 + 4 * k, turn(seat, 2))
        assert isinstance(told, CardsPlayed)
        assert len(told.cards) == 2
    tracker.see(look("S", card("H4", "S", ends=1, presence=0.97), still=10.0))
    assert ask(tracker, 10.4, turn("S", 2)) is None
    tracker.disturbed(Zone.S)
    tracker.see(Look(Zone.S, 12.0, 11.8))
    facts: list[Event] = []
    while not facts or not (isinstance(facts[-1], CardsPlayed) and facts[-1].seat == "S"):
        fact = ask(tracker, 12.0, turn("S", 1))
        assert fact is not None
        facts.append(fact)
    assert facts[-1].cards == ("H4",)
    assert {len(fact.cards) for fact in facts if isinstance(fact, Corrected) and fact.cards} == {1}


def test_joker_of_a_lead_that_is_dim_and_torn_is_the_further_card_that_the_others_follow() -> None:
    tracker = PlayTracker()
    dim = replace(card("LJ", "E", 24, p=0.6, other="BJ", presence=0.5, ends=1), n_best=((Card("LJ"), 0.52), (Card("BJ"), 0.47)))
    tracker.see(look("E", card("BJ", "E", 0, p=0.6, other="LJ"), dim))
    assert isinstance(ask(tracker, 1.2, turn("E")), CardsPlayed)
    follow(tracker, "N", "S8", "SJ", count=1, still=2.0)
    put = ask(tracker, 3.5, turn("N", 1))
    while isinstance(put, CardsPlayed):
        follow(tracker, "W", "C6", "CJ", count=1, still=5.0)
        put = ask(tracker, 6.5, turn("W", 1))
    led = [put, *(ask(tracker, 6.6, turn("W", 1)) for _ in range(3))]
    lengthened = [event for event in led if isinstance(event, Corrected) and event.seat == "E" and len(event.cards) == 2]
    assert set(lengthened[0].cards) == {"BJ", "LJ"}
    assert lengthened[0].evidence["either"] == {"0": ["BJ", "LJ"], "1": ["LJ", "BJ"]}
