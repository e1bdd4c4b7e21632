"""Whatever is misread or hidden for a while, nobody is accused of what was only concluded: no alert, not even one that is withdrawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import FACES, UNKNOWN, Card, Seat
from engine.deal_state import UNSURE
from engine.events import BottomTaken, CardsPlayed, Corrected
from engine.referee import expectation, start
from tests.vision.refereed import Refereed
from tests.vision.test_plays import card, look
from vision.fusion import Ledger
from vision.laid import proven, unsure
from vision.pile import Sorted
from vision.table_card import TableCard
from vision.told import Told
from vision.zones import Zone


def begun(rulebook: str = "official-2deck-shengji", decks: int = 2) -> Refereed:
    """E has declared with hearts as trump, taken the bottom and buried."""
    table = Refereed(rulebook, decks=decks)
    table.centre(0.5, occupied=True)
    table.see(look("E", card("H2", "E"), still=1.0))
    table.see(replace(look("E", still=2.0, paper=0.0), reverted=True))
    table.centre(4.0, occupied=False)
    table.centre(6.0, occupied=True)
    assert expectation(table.state).phase == "trick"
    return table


def pair(face: str, seat: str) -> tuple[TableCard, TableCard]:
    return card(face, seat), card(face, seat, 24)


def on_pile(table: Refereed, *seats: str) -> None:
    """Old cards lie before these seats."""
    for seat in seats:
        old = card("D9", seat, 10, fresh=False)
        table.tracker.lying.known[Zone(seat)] = (old,)


@pytest.mark.parametrize("hidden", ["lead", "lead and first follower"])
def test_lead_whose_second_card_was_hidden_accuses_nobody_when_it_is_found(hidden: str) -> None:
    table = begun()
    on_pile(table, "E", "N", "W", "S")
    table.see(look("E", card("CA", "E"), still=10.0), 11.5)
    first = (card("C6", "N"),) if hidden != "lead" else pair("C6", "N")
    table.see(look("N", *first, still=12.0), 14.8)
    table.see(look("W", *pair("C4", "W"), still=16.0), 18.8)
    table.see(look("S", *pair("C3", "S"), still=20.0), 22.8)
    assert not table.alerts
    assert expectation(table.state).trick == 2


def test_seat_that_only_seems_to_have_taken_the_bottom_is_not_a_wrong_declarer() -> None:
    table = Refereed("elimination-4deck-2toA", decks=4)
    table.centre(0.5, occupied=True)
    for k, (seat, faces) in enumerate((("N", ("S2",)), ("W", ("H2", "H2")), ("W", ("H2", "H2", "H2")))):
        table.see(look(seat, *(card(face, seat, 24 * i) for i, face in enumerate(faces)), still=1.0 + 3 * k))
        table.see(replace(look(seat, still=2.5 + 3 * k, paper=0.0), reverted=True))
    told = table.centre(14.0, occupied=False)
    assert isinstance(told[0], BottomTaken)
    assert not table.alerts


def test_jokers_that_were_guessed_stay_alike_when_the_pack_leaves_too_few() -> None:
    table = begun()
    for k, (seat, faces) in enumerate((("E", ("C9", "C9")), ("N", ("C3", "C4")), ("W", ("C5", "C6")))):
        table.see(look(seat, *(card(face, seat, 24 * i) for i, face in enumerate(faces)), still=10.0 + 3 * k))
    table.see(look("S", still=20.0), 20.3)
    table.told(24.0)
    table.see(look("S", card("DA", "S"), still=25.0), 27.0)
    guessed = [table.tracker.told.ledger.faces[slot] for slots in table.tracker.told.guessed.values() for slot in slots]
    assert guessed == ["BJ", "BJ"]
    for k, seat in enumerate("ENW"):
        face = "BJ" if seat == "E" else f"D{4 + k}"
        table.see(look(seat, card(face, seat), still=30.0 + 3 * k))
    guessed = [table.tracker.told.ledger.faces[slot] for slots in table.tracker.told.guessed.values() for slot in slots]
    assert len(set(guessed)) == 1
    assert guessed[0] != "BJ"


def test_correction_by_the_pack_that_proves_an_offence_leaves_the_card_unknown() -> None:
    table = begun()
    # E leads clubs and N throws a diamond, so N has no club; later a third nine of clubs makes N's diamond of a later trick doubtful.
    for k, (seat, face) in enumerate((("E", "CA"), ("N", "D3"), ("W", "C5"), ("S", "C6"))):
        table.see(look(seat, card(face, seat), still=10.0 + 3 * k))
    table.see(look("E", card("SA", "E"), still=30.0))
    table.see(look("N", card("D9", "N", p=0.6, other="C9"), still=33.0))
    for k, (seat, face) in enumerate((("W", "S5"), ("S", "S6"), ("E", "D9"), ("N", "D4"), ("W", "D9"), ("S", "D6"))):
        table.see(look(seat, card(face, seat, p=0.999999, other="D8"), still=36.0 + 3 * k), 39.0 + 3 * k)
    assert not table.alerts
    assert table.state.deal is not None
    plays = [fact for fact in table.state.deal.facts if isinstance(fact, CardsPlayed)] if table.state.deal is not None else []
    assert any(play.trick == 2 and play.seat.value == "N" and play.cards == (UNKNOWN,) for play in plays)
    assert table.tracker.told.ledger.readings[1, 2, plays[5].seat, 0][0][0] == Card("D9")


def test_lead_of_which_one_joker_was_read_and_a_play_that_nobody_could_read_give_the_next_lead_to_who_leads() -> None:
    table = begun()
    table.see(look("E", card("SA", "E"), still=10.0))
    for k, (seat, face) in enumerate((("N", "S3"), ("W", "S4"), ("S", "S5"))):
        table.see(look(seat, card(face, seat), still=12.0 + 2 * k))
    table.see(look("E", card("LJ", "E"), still=20.0))
    table.see(look("N", card("H8", "N"), card("H9", "N", 24), still=22.0), 24.8)
    table.see(look("W", card("H7", "W"), card("HJ", "W", 24), still=26.0), 28.8)
    table.see(look("S", still=30.0), 30.3)
    table.told(33.0)
    table.see(look("S", card("CA", "S"), still=35.0), 36.0)
    assert not table.alerts
    assert expectation(table.state).trick == 3
    assert expectation(table.state).seat == "E"


def misread_winner(table: Refereed, p: float) -> None:
    """N leads S6, which is read as S9, and W takes the trick with S8; then W leads and S follows."""
    for k, (seat, face) in enumerate((("E", "SA"), ("N", "S3"), ("W", "S4"), ("S", "S5"))):
        table.see(look(seat, card(face, seat), still=10.0 + 2 * k))
    table.see(look("E", card("C9", "E", p=p, other="D9"), still=20.0), 21.0)
    for k, (seat, face) in enumerate((("N", "C3"), ("W", "C8"), ("S", "C4"))):
        table.see(look(seat, card(face, seat), still=22.0 + 2 * k))
    table.see(look("W", card("DK", "W"), still=30.0))
    table.see(look("S", card("D4", "S"), still=31.5), 32.2)
    table.see(look("E", card("D5", "E"), still=33.0), 33.4)
    table.see(look("N", card("D6", "N"), still=35.0), 36.0)


def test_seat_that_the_next_one_follows_has_won_where_a_card_of_the_trick_before_was_not_read_surely() -> None:
    table = begun()
    misread_winner(table, 0.89)
    assert not table.alerts
    assert expectation(table.state).trick == 4
    assert expectation(table.state).seat == "W"


def test_lead_out_of_turn_after_a_trick_that_was_read_surely_is_told_as_one() -> None:
    table = begun()
    misread_winner(table, 0.999)
    assert [alert.kind for alert in table.alerts][:1] == ["turn"]


def test_lead_of_which_a_card_is_found_when_it_is_read_again_is_longer_before_anybody_seems_to_have_thrown() -> None:
    table = begun()
    faces = ("C9", "C9", "C10")
    table.see(look("E", *(card(face, "E", 20 * i - 40) for i, face in enumerate(faces)), still=10.0))
    tracker = table.tracker
    tracker.review(look("E", *(card(face, "E", 20 * i - 40) for i, face in enumerate((*faces, "C10"))), still=10.0))
    table.told(12.0)
    assert expectation(table.state).count == 4
    for k, (seat, own) in enumerate((("N", ("C3", "C4", "C5", "C6")), ("W", ("C3", "C4", "C7", "C8")), ("S", ("CJ", "CQ", "CK", "CA")))):
        table.see(look(seat, *(card(face, seat, 20 * i - 40) for i, face in enumerate(own)), still=13.0 + 2 * k))
    assert not table.alerts
    assert expectation(table.state).trick == 2


def test_old_card_that_is_taken_for_part_of_a_lead_of_another_suit_is_none() -> None:
    table = begun()
    told = table.see(look("E", card("CA", "E", -5, ends=1, presence=0.9), card("DK", "E", 6), still=10.0), 11.5)
    assert isinstance(told[-1], CardsPlayed)
    assert told[-1].cards == ("DK",)
    table.see(look("N", card("D5", "N"), still=13.0))
    assert expectation(table.state).count == 1
    assert not table.alerts


def test_half_hidden_card_of_a_lead_that_is_torn_between_two_suits_is_known_when_the_followers_play_two() -> None:
    table = begun()
    table.tracker.lying.known.clear()
    torn = card("SJ", "E", -12, ends=1, presence=0.99, p=0.53, other="CJ")
    table.see(look("E", torn, card("CJ", "E", 12, p=0.9, other="SJ"), still=10.0), 11.5)
    told = table.see(look("N", card("C5", "N", -12), card("C6", "N", 12), still=13.0), 15.0)
    assert [event.cards for event in told if isinstance(event, Corrected)] == [("CJ", "SJ")]
    table.tracker.review(look("E", card("CJ", "E", -12, ends=1, presence=0.99, p=0.82, other="SJ"), card("CJ", "E", 12, p=0.9), still=10.0))
    told = table.told(16.0)
    assert [event.cards for event in told if isinstance(event, Corrected)] == [("CJ", "CJ")]
    assert not table.alerts


def test_black_card_led_on_a_black_pile_that_is_not_read_makes_the_next_player_no_offender() -> None:
    table = begun()
    top, below = card("C2", "E", fresh=False, presence=0.99), card("D9", "E", 40, fresh=False, presence=0.85, ends=1)
    table.tracker.lying.known[Zone("E")] = (top, below)
    faint = card("BJ", "E", 3, presence=0.15, ends=1, p=0.64, other="LJ")
    dark = replace(look("E", below, faint, still=10.0, paper=361.0), changed_mm2=997.0, touched=(top,))
    table.see(dark, 11.0)
    table.see(look("N", card("D10", "N"), still=12.0), 12.4)
    table.see(look("W", card("D5", "W"), still=13.5), 14.2)
    table.see(look("S", card("D6", "S"), still=15.0), 16.0)
    assert not table.alerts
    assert expectation(table.state).trick == 2


def test_two_suits_that_surely_lie_there_are_led_together_and_alerted() -> None:
    table = begun()
    table.see(look("E", card("CA", "E", -40, p=0.999), card("DK", "E", 40, p=0.999), still=10.0), 11.5)
    assert [alert.kind for alert in table.alerts] == ["lead"]


def test_pair_whose_lead_proves_that_it_was_withheld_before_is_told_whole_though_one_card_shows_a_single_index() -> None:
    table = begun()
    table.see(look("E", *pair("CA", "E"), still=10.0))
    table.see(look("N", card("C3", "N"), card("C4", "N", 24), still=13.0))
    table.see(look("W", card("C5", "W"), card("C6", "W", 24), still=16.0))
    table.see(look("S", card("C7", "S"), card("C8", "S", 24), still=19.0))
    for k, (seat, face) in enumerate((("E", "S3"), ("N", "SA"), ("W", "S4"), ("S", "S6"))):
        table.see(look(seat, card(face, seat), still=25.0 + 3 * k))
    told = table.see(look("N", card("C9", "N", ends=1, p=0.999), card("C9", "N", 24, p=0.999), still=40.0), 41.5)
    (lead,) = [event for event in told if isinstance(event, CardsPlayed)]
    assert lead.cards == ("C9", "C9")
    assert [(alert.kind, alert.seat, alert.trick) for alert in table.alerts] == [("pair", Seat.N, 1)]


def test_card_that_can_only_be_unknown_without_an_offence_stays_unknown() -> None:
    waiting = expectation(begun().state)
    told = Told(what_if=lambda corrections: (waiting, 4 * len(corrections)))
    nine = Card("D9")
    early, others = (1, 1, Seat.N, 0), [(1, 2, seat, 0) for seat in (Seat.E, Seat.W, Seat.S)]
    told._slots[1, Seat.N], told._faces[1, Seat.N] = [early], (nine,)
    told._put({early: ((nine, 0.6), (Card("C9"), 0.4))})
    for slot in others:
        told._put({slot: ((nine, 0.999999),)})
    assert [told.ledger.faces[slot] for slot in (early, *others)] == [UNKNOWN, nine, nine, nine]


def test_lead_that_is_straightened_while_it_is_laid_is_not_told_without_its_cards() -> None:
    table = begun()
    lying, told = table.tracker.lying, table.tracker.told
    lying.stale[Zone("E")], lying.stale_trick = look("E", *pair("SQ", "E"), still=10.0), told.trick
    fact = table.tracker.trick._in_turn(12.0, look("E", still=11.0), Seat.E, Sorted((), (), ()), expectation(table.state))
    assert fact is None
    assert not told.plays


@pytest.mark.parametrize("left", [(), ("D3",)])
def test_play_that_a_person_took_out_or_shortened_may_get_another_card(left: tuple[str, ...]) -> None:
    table = begun()
    table.see(look("E", *pair("CA", "E"), still=10.0))
    table.see(look("N", card("D3", "N"), card("D4", "N", 24), still=13.0))
    told = table.tracker.told
    table.tracker.correct(Seat.N, 1, [Card(face) for face in left])
    assert (Seat.N in told.plays) is bool(left)
    assert tuple(told._faces[1, Seat.N]) == left
    if left:
        told.add(Seat.N, [card("D8", "N", 48)])
        assert [told.ledger.faces[slot] for slot in told.plays[Seat.N].slots] == ["D3", "D8"]


def whole_pack(**read: float) -> Corrected:
    """What is told of N's card, which nobody read, when all others of the pack were read with probability 1, or these with less (0: not at all)."""
    told = Told(1)
    unread = (1, 1, Seat.N, 0)
    told._slots[1, Seat.N], told._faces[1, Seat.N] = [unread], (UNKNOWN,)
    faces = {face: read.get(face, 1.0) for face in FACES if face != "LJ"}
    told.ledger.put({unread: ()} | {face: ((face, p), (Card("BJ"), 1 - p)) if p else () for face, p in faces.items()})
    told.bottom((), 0)
    fact = told.revised(9.0)
    assert isinstance(fact, Corrected)
    return fact


@pytest.mark.parametrize(("p", "face"), [(0.999, "LJ"), (0.0, "BJ")])
def test_offence_of_a_card_that_was_read_is_not_shared_out_when_the_whole_pack_is_known(p: float, face: str) -> None:
    """One who holds the little joker would be an offender; it was not told before, since what was told spoke against it."""
    told = Told(1)
    lead, other = (1, 1, Seat.N, 0), (1, 2, Seat.N, 0)
    for slot in (lead, other):
        told._slots[slot[1], Seat.N], told._faces[slot[1], Seat.N] = [slot], (UNKNOWN,)
    told.ledger.put({face: ((face, 1.0),) for face in FACES if face not in ("LJ", "BJ")})
    told.ledger.put({lead: ((Card("LJ"), p),) if p else (), other: ((Card("BJ"), p),) if p else ()})
    told.ledger.faces |= {lead: UNKNOWN, other: UNKNOWN}
    told.what_if = lambda facts: (expectation(start("official-2deck-shengji")), int(told.ledger.faces[lead] == "LJ"))
    told.bottom((), 0)
    assert told.ledger.faces[lead] == face


@pytest.mark.parametrize("read", [{"S7": 0.0}, {"S7": 0.9}])
def test_card_that_nobody_read_is_told_as_filled_in_when_the_whole_pack_is_known(read: dict[str, float]) -> None:
    fact = whole_pack(**read)
    assert (fact.cards[0] in ("LJ", "S7"), fact.evidence[UNSURE]) == (True, [0])


def test_card_that_nobody_read_is_proven_when_all_others_of_the_pack_were_surely_read() -> None:
    fact = whole_pack()
    assert fact.cards == ("LJ",)
    assert UNSURE not in fact.evidence


def test_nothing_is_proven_by_a_pack_that_does_not_come_out() -> None:
    ledger = Ledger(1)
    ledger.put({0: (), **{face: ((face, 1.0),) for face in FACES if face not in ("LJ", "S7")}, "twice": ((Card("S8"), 1.0),)})
    ledger.faces[0] = Card("LJ")
    assert not proven(ledger, {})
    ledger.readings["twice"], ledger.faces["twice"] = ((Card("S7"), 1.0),), Card("S7")
    assert proven(ledger, {}) == {0}


@pytest.mark.parametrize(
    ("elsewhere", "queen", "left"),
    [((0.99, 0.99), 0.7, []), ((0.99, 0.9), 0.7, [0]), ((0.99,), 0.7, [0]), ((0.99, 0.99), 0.5, [0])],
    ids=["both sixes surely read elsewhere", "one of them hardly read", "one of them not seen yet", "another face is still likely"],
)
def test_card_torn_between_two_faces_is_surely_one_of_them_when_every_copy_of_the_other_was_surely_read(
    elsewhere: tuple[float, ...], queen: float, left: list[int]
) -> None:
    ledger, torn = Ledger(2), (1, 10, Seat.N, 0)
    ledger.put({torn: ((Card("SQ"), queen), (Card("S6"), 0.29)), **{k: ((Card("S6"), p), (Card("S8"), 1 - p)) for k, p in enumerate(elsewhere)}})
    assert unsure([torn], ledger, {torn: Card("SQ")}) == left


def test_card_that_was_hardly_read_accuses_nobody_until_it_is_read_surely() -> None:
    table = begun()
    for k, (seat, face) in enumerate((("E", "CA"), ("N", "D3"), ("W", "C5"), ("S", "C6"))):
        table.see(look(seat, card(face, seat), still=10.0 + 3 * k))
    table.see(look("E", card("SA", "E"), still=30.0))
    table.see(look("N", card("C9", "N", p=0.7, other="D6"), still=33.0))
    assert not table.alerts
    slots = table.tracker.told.plays[Seat.N].slots
    table.tracker.told._put(dict.fromkeys(slots, ((Card("C9"), 0.99),)))
    table.told(34.0)
    assert [(alert.kind, alert.seat, alert.trick) for alert in table.alerts] == [("suit", Seat.N, 1)]


def test_lead_that_is_followed_is_told_first_where_it_is_not_surely_known_who_has_won() -> None:
    table = begun()
    for k, (seat, face) in enumerate((("E", "C9"), ("N", "C3"), ("W", "C4"))):
        table.see(look(seat, card(face, seat), still=10.0 + 3 * k))
    table.see(look("S", card("C6", "S", p=0.6, other="D3"), still=19.0), 20.0)
    assert expectation(table.state).seat is Seat.E
    table.see(look("S", card("D9", "S", 70), still=25.0))
    told = table.see(look("E", card("D10", "E", 70), still=26.5))
    assert [event.seat for event in told if isinstance(event, CardsPlayed)] == [Seat.S, Seat.E]
    assert not table.alerts


def test_lead_of_one_who_surely_has_not_won_is_out_of_turn_though_another_follows_it() -> None:
    table = begun()
    for k, (seat, face) in enumerate((("E", "C9"), ("N", "C3"), ("W", "C4"), ("S", "C6"))):
        table.see(look(seat, card(face, seat, p=0.999), still=10.0 + 3 * k))
    table.see(look("S", card("D9", "S", 70, p=0.999), still=25.0))
    table.see(look("E", card("D10", "E", 70, p=0.999), still=26.5))
    table.told(36.0)
    assert {alert.kind for alert in table.alerts} == {"turn"}


@pytest.mark.parametrize("beside", [True, False])
def test_lead_beside_which_a_card_hardly_shows_does_not_surely_speak_against_one_who_lays_more(beside: bool) -> None:
    table = begun()
    table.tracker.lying.known.clear()
    faint = (card("CA", "E", 24, presence=0.4, ends=1, p=0.75),) if beside else ()
    table.see(look("E", card("CA", "E"), *faint, still=10.0), 11.5)
    assert table.tracker.told.plays[Seat.E].shown.clear is not beside


def follows_unseen_lead(old: TableCard, *, cloth: bool = False, followed: bool = True) -> Refereed:
    """E has won the first trick; something black comes to lie on E's pile and shows no index; then the others play."""
    table = begun()
    for k, (seat, face) in enumerate((("E", "CA"), ("N", "C3"), ("W", "C4"), ("S", "C6"))):
        table.see(look(seat, card(face, seat, p=0.999), still=10.0 + 3 * k))
    changed = replace(look("E", still=24.0, paper=300.0), changed_mm2=900.0, touched=(old,), bare=(old,) if cloth else ())
    table.see(changed)
    table.told(24.9)
    assert Zone.E not in table.tracker.lying.pending
    for k, (seat, face) in enumerate((("N", "S3"), ("W", "S4")) if followed else (("N", "S3"),)):
        table.see(look(seat, card(face, seat, 70, p=0.999), still=26.0 + 1.5 * k))
    table.told(36.0)
    return table


WEAK = card("D9", "E", 10, fresh=False, ends=1, presence=0.6)


def test_lead_that_nobody_made_out_on_a_pile_is_a_hidden_one_where_the_others_follow() -> None:
    table = follows_unseen_lead(WEAK)
    assert not table.alerts
    assert table.state.deal is not None
    plays = [fact for fact in table.state.deal.facts if isinstance(fact, CardsPlayed) and fact.trick == 2]
    assert [(play.seat, play.cards) for play in plays] == [("E", (UNKNOWN,)), ("N", ("S3",)), ("W", ("S4",))]


def test_lead_that_nobody_made_out_on_a_pile_accuses_nobody_before_another_follows() -> None:
    table = follows_unseen_lead(WEAK, followed=False)
    table.told(37.0)
    assert not table.alerts
    assert table.tracker.unsure


def test_where_cards_were_taken_away_no_lead_lies() -> None:
    table = follows_unseen_lead(WEAK, cloth=True)
    assert {alert.kind for alert in table.alerts} == {"turn"}


@pytest.mark.parametrize("spare", [True, False])
def test_seat_that_leads_has_won_where_two_plays_of_the_trick_before_show_a_card_more_than_was_told(spare: bool) -> None:
    """The second C9 of the lead, on a pile, was doubted when N showed a single card: with it, N's trump has not beaten the pair."""
    table = begun()
    on_pile(table, "E", "N", "W", "S")
    table.see(look("E", card("C9", "E"), card("C9", "E", 24, ends=1, presence=0.8), still=10.0), 11.5)
    table.see(look("N", card("H3", "N", p=0.999), still=12.0), 14.8)
    for k, (seat, faces) in enumerate((("W", ("C4", "C6")), ("S", ("C7", "C8")))):
        more = (card(faces[1], seat, 24, ends=1, presence=0.8),) if spare else ()
        table.see(look(seat, card(faces[0], seat), *more, still=16.0 + 4 * k), 18.8 + 4 * k)
    assert expectation(table.state).seat is Seat.N
    table.see(look("E", card("D9", "E", 70, p=0.999), still=30.0))
    table.see(look("N", card("D10", "N", 70, p=0.999), still=32.0))
    table.told(34.0)
    table.told(40.0)
    assert bool(table.alerts) is not spare
    if spare:
        assert table.state.deal is not None
        assert [play.cards for play in table.state.deal.tricks[0].plays] == [("C9", "C9"), ("H3", UNKNOWN), ("C4", "C6"), ("C7", "C8")]
        assert expectation(table.state).seat is Seat.W
