"""What the audit says of a play at once, in which words, and when an open play becomes decided."""

from __future__ import annotations

import pytest

from engine.audit import Proven, Verdict, Watch, observe, unseen
from engine.cards import SEATS, Seat, parse_cards, parse_trump, seats_from
from engine.kit import Kit
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import deal, preset, tricks

OFFICIAL = preset("official-2deck-shengji")
ONE_PACK = preset("intro-1deck")
Verdicts = list[dict[tuple[int, Seat], Verdict]]


def watched(rules: Rulebook, trump: str, tricks: list[tuple[Seat, str]]) -> tuple[Watch, Verdicts]:
    """Plays given trick by trick with their leader, and the verdicts after each trick."""
    watch, after = Watch(Kit(rules, parse_trump(trump))), []
    for number, (leader, plays) in enumerate(tricks, 1):
        cards = [parse_cards(play) for play in plays.split("|")]
        for i, (seat, play) in enumerate(zip(seats_from(leader), cards, strict=False)):
            watch = observe(watch, number, seat, play, cards[0] if i else None)
        after.append(dict(watch.verdicts))
    return watch, after


def only(watch: Watch) -> Proven:
    (found,) = watch.proven
    return found


def test_a_wrong_number_of_cards_is_told_with_both_numbers_and_how_many_are_wrong() -> None:
    told = only(watched(OFFICIAL, "2/H", [(Seat.E, "D3 | D4 | D6 | D7"), (Seat.E, "SA SA SK | S3")])[0])
    assert (told.seat, told.trick, told.by, told.kind) == (Seat.N, 2, 2, "count")
    few = told.breach
    assert (few.zh, few.en, few.wrong_cards) == ("应出3张，实出1张", "1 cards were played, 3 were led", 2)
    many = only(watched(OFFICIAL, "2/H", [(Seat.E, "SA | S3 S4")])[0]).breach
    assert (many.zh, many.en, many.wrong_cards) == ("应出1张，实出2张", "2 cards were played, 1 were led", 1)


def test_a_card_too_many_is_told_with_the_card_and_the_clause_on_the_pack() -> None:
    breach = only(watched(preset("union-3deck-3toK"), "3/H", [(Seat.E, "SA SA SA | SA S4 S5")])[0]).breach
    assert (breach.zh, breach.en) == ("SA超过3张", "more than 3 of SA were shown")
    assert breach.clause == preset("union-3deck-3toK").clause("pack.decks") != "silent"


def test_what_has_not_been_shown_is_all_unseen() -> None:
    assert unseen(OFFICIAL, {}).total() == 108
    assert unseen(OFFICIAL, parse_counts("S3 S3 S4"))["S4"] == 1
    assert "S3" not in unseen(OFFICIAL, parse_counts("S3 S3 S3"))


def parse_counts(text: str) -> dict:
    cards = parse_cards(text)
    return {card: cards.count(card) for card in cards}


def test_a_discard_is_legal_once_every_card_of_the_suit_has_been_shown_and_not_before() -> None:
    """In no trump with one pack six cards are trumps; North has none of them."""
    tricks = [(Seat.E, "LJ | S3 | BJ | D2"), (Seat.W, "C2 | S4 | H2 | S5"), (Seat.S, "D3 | S2")]
    _, after = watched(ONE_PACK, "2/NT", tricks)
    assert [verdicts[1, Seat.N] for verdicts in after] == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.LEGAL]


def test_a_discard_is_legal_once_its_players_hand_is_played_out() -> None:
    tricks = [(Seat.E, "SA SA | D3 D4 | S3 S4 | S5 S6")]
    tricks += [(Seat.N, f"{card} {card}") for card in ("D6", "D7", "D8", "D9", "D10", "DJ", "DQ", "DK", "DA", "C3", "C4")]
    watch, after = watched(OFFICIAL, "2/H", [*tricks, (Seat.N, "C5")])
    assert after[-2][1, Seat.N] is Verdict.UNDECIDED
    assert after[-1][1, Seat.N] is Verdict.LEGAL
    assert {item.seat for item in watch.follows} == {Seat.W, Seat.S}


def test_singles_on_a_pair_are_legal_once_no_pair_can_be_left() -> None:
    """Twelve cards are trumps in no trump with two packs; of every face but North's own two one card at most is left."""
    tricks = [(Seat.E, "LJ LJ | S2 D2 | BJ H2 | C2 S3")]
    _, after = watched(OFFICIAL, "2/NT", tricks)
    assert after[0][1, Seat.N] is Verdict.UNDECIDED
    _, after = watched(OFFICIAL, "2/NT", [*tricks, (Seat.E, "S2 | S4 | S5 | S6"), (Seat.E, "D2 | S7 | S8 | S9")])
    assert [verdicts[1, Seat.N] for verdicts in after] == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.LEGAL]


def test_where_triples_are_protected_singles_on_a_pair_are_legal_once_every_card_has_been_shown() -> None:
    rules = depart(preset("online-tractor"), decks=2, policy={"draw": "longer_protected"})
    tricks = [(Seat.E, "LJ LJ | S2 D2 | BJ H2 | C2 S3"), *((Seat.E, card) for card in ("S2", "D2", "BJ", "H2", "C2"))]
    watch, after = watched(rules, "2/NT", tricks)
    assert [verdicts[1, Seat.N] for verdicts in after] == [Verdict.UNDECIDED] * 5 + [Verdict.LEGAL]
    assert watch.proven == ()


def test_a_hands_last_card_is_legal_at_once_and_a_throw_with_everybodys_last_cards() -> None:
    kit = Kit(OFFICIAL, parse_trump("2/H"))
    watch = Watch(kit, counts=dict.fromkeys(SEATS, 24))
    watch = observe(watch, 25, Seat.E, parse_cards("SA"), None)
    watch = observe(watch, 25, Seat.N, parse_cards("D4"), parse_cards("SA"))
    assert watch.verdicts[25, Seat.N] is Verdict.LEGAL
    watch = Watch(kit, counts=dict.fromkeys(SEATS, 22))
    for seat, cards in zip(SEATS, THROW.split("|"), strict=True):
        watch = observe(watch, 23, seat, parse_cards(cards), parse_cards("SA SQ SQ") if seat is not Seat.E else None)
    assert (watch.verdicts[23, Seat.E], watch.throws, watch.complete) == (Verdict.LEGAL, (), True)


def test_a_throw_is_legal_once_no_unseen_card_could_stop_it() -> None:
    tricks = [(Seat.E, "LJ LJ S2 | S3 S4 S5 | D2 D2 S6 | H2 S7 S8"), (Seat.E, "BJ | S9 | H2 | C2"), (Seat.E, "BJ | S10 | C2 | SJ")]
    _, after = watched(OFFICIAL, "2/NT", tricks)
    assert [verdicts[1, Seat.E] for verdicts in after] == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.LEGAL]


THROW = "SA SQ SQ | S3 S4 S5 | S6 S7 S8 | S9 S10 SJ"
"""Only a pair of kings in one hand stops it."""


def test_two_kings_of_two_players_do_not_stop_a_thrown_pair() -> None:
    watch, after = watched(OFFICIAL, "2/H", [(Seat.E, THROW), (Seat.E, "D3 | SK | D4 | D5"), (Seat.E, "D6 | D7 | SK | D8")])
    assert [found for found in watch.proven if found.kind == "throw"] == []
    assert after[1][1, Seat.E] is Verdict.UNDECIDED


@pytest.mark.parametrize("seat", [Seat.N, Seat.W, Seat.S])
def test_two_kings_of_one_player_in_two_tricks_stop_a_thrown_pair(seat: Seat) -> None:
    watch, after = watched(OFFICIAL, "2/H", [(Seat.E, THROW), (seat, "SK"), (seat, "SK")])
    (found,) = [found for found in watch.proven if found.kind == "throw"]
    assert (found.seat, found.trick, found.by) == (Seat.E, 1, 3)
    assert [verdicts[1, Seat.E] for verdicts in after] == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.PROVEN]


@pytest.mark.parametrize("lead", ["?? SA", "SA D3"])
def test_what_follows_a_lead_that_cannot_be_read_is_never_accused(lead: str) -> None:
    watch = Watch(Kit(OFFICIAL, parse_trump("2/H")))
    led = parse_cards(lead, unknown=True)
    for number, (seat, cards) in enumerate([(Seat.E, lead), (Seat.N, "C3 C4"), (Seat.N, "SK SK"), (Seat.N, "D5 D5")], 1):
        watch = observe(watch, 1 if number < 3 else number, seat, parse_cards(cards, unknown=True), led if number == 2 else None)
    assert watch.verdicts[1, Seat.N] is Verdict.UNDECIDED
    assert [found for found in watch.proven if found.seat is Seat.N] == []


def test_a_throw_that_no_card_can_stop_is_legal_at_once() -> None:
    watch, after = watched(OFFICIAL, "2/H", [(Seat.E, "SA SA SK")])
    assert (after[0][1, Seat.E], watch.throws) == (Verdict.LEGAL, ())


def test_single_cards_followed_with_single_cards_are_legal_at_once() -> None:
    _, after = watched(OFFICIAL, "2/H", [(Seat.E, "SA SK | S3 S4")])
    assert after[0][1, Seat.N] is Verdict.LEGAL
    _, after = watched(OFFICIAL, "2/H", [(Seat.E, "SA SK | S3 S4 | S5 D3")])
    assert after[0][1, Seat.W] is Verdict.UNDECIDED


@pytest.mark.parametrize("pairs", [3, 7])
def test_whoever_may_hold_a_third_card_of_every_pair_shown_is_not_accused(pairs: int) -> None:
    """Where triples are protected; with seven pairs there are more hands than are tried one by one."""
    rules = depart(preset("online-tractor"), decks=4, policy={"draw": "longer_protected"})
    later = [(Seat.N, f"H{rank} H{rank}") for rank in ("7", "8", "9", "10", "J", "Q", "K")[:pairs]]
    watch, after = watched(rules, "4/S", [(Seat.E, "H3 H3 | H5 H6"), *later])
    assert watch.proven == ()
    assert after[-1][1, Seat.N] is Verdict.UNDECIDED


def test_after_the_last_card_nothing_is_open() -> None:
    done = deal("official-2deck-shengji", 4)
    kit = Kit(OFFICIAL, done.trump)
    watch, leader = Watch(kit), done.declarer
    for number, plays in enumerate(tricks(done), 1):
        for seat, play in zip(seats_from(leader), plays, strict=True):
            watch = observe(watch, number, seat, play, plays[0] if seat is not leader else None)
        leader = seats_from(leader)[kit.winner(plays)]
    assert (watch.follows, watch.throws) == ((), ())
    assert set(watch.verdicts.values()) == {Verdict.LEGAL}
