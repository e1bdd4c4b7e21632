"""The audit without seeing hands, against full knowledge and a straightforward recomputation."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli.simulate_small import PACK, SIZE, moments
from engine.audit import Verdict, Watch, audit, observe
from engine.cards import Seat, parse_cards, parse_trump
from engine.kit import Kit
from engine.rulebook_policy import depart
from engine.simulate import Style
from tests.engine.deals import PRESETS, audited, deal, follows, preset, tricks

OFFICIAL = "official-2deck-shengji"
FOLLOW_KINDS = {"suit", "pair", "tractor", "shape"}


def run(plays: list[str], *, name: str = OFFICIAL, trump: str = "2/H", leader: Seat = Seat.E):
    """The audit of tricks written as ``SA | S3 | D4 | S5``."""
    cards = [[parse_cards(play) for play in trick.split("|")] for trick in plays]
    return audit(preset(name), parse_trump(trump), leader, cards)


def found(result) -> list[tuple[str, int, int, str]]:
    return [(str(p.seat), p.trick, p.by, p.kind) for p in result.proven]


def test_a_heart_played_later_proves_a_revoke():
    assert found(run(["SA | S3 | D4 | S5", "SK | S6 | S9 | S7"])) == [("W", 1, 2, "suit")]


def test_an_equal_pair_played_later_proves_a_pair_not_followed():
    tricks_of = ["SA SA | S3 S4 | S6 S7 | S5 S8", "CA | C3 | C4 | C5", "DA DA | S9 S9 | D4 D5 | D6 D7"]
    assert found(run(tricks_of)) == [("N", 1, 3, "pair")]


def test_two_halves_of_a_pair_prove_it_only_together():
    one = ["SA SA | S3 S4 | S6 S7 | S5 S8", "CA | S9 | C4 | C5"]
    assert found(run(one)) == []
    assert found(run([*one, "CK | S9 | C6 | C7"])) == [("N", 1, 3, "pair")]


def test_a_broken_pair_is_proven_by_its_other_half():
    assert found(run(["SA SA | S3 S4 | S6 S7 | S5 S8", "CA | S3 | C4 | C5"])) == [("N", 1, 2, "pair")]


def test_a_tractor_not_followed_is_named_so():
    tricks_of = ["SA SA SK SK | S3 S4 S6 S7 | D3 D4 D6 D7 | C3 C4 C6 C7", "HA HA | S8 S8 | H3 H4 | H5 H6", "DA DA | S9 S9 | H7 H8 | D9 D10"]
    assert found(run(tricks_of)) == [("N", 1, 2, "pair")]
    together = [*tricks_of[:1], "DA DA DK DK | S8 S8 S9 S9 | C8 C9 CJ CQ | D5 D6 D8 D9"]
    assert found(run(together)) == [("N", 1, 2, "tractor")]


def test_a_level_card_of_the_suit_is_no_revoke():
    assert found(run(["SA | D4 | S3 | S5", "HA | S2 | H3 | H4"])) == []


def test_a_legal_discard_is_not_decided_while_cards_of_the_suit_are_unseen():
    result = run(["SA | S3 | D4 | S5", "DA | D3 | D6 | D7"])
    assert result.proven == ()
    assert result.verdicts[0] == (Verdict.LEGAL, Verdict.LEGAL, Verdict.UNDECIDED, Verdict.LEGAL)


def test_following_with_one_card_of_the_suit_is_legal_at_once():
    assert run(["SA | S3 | S4 | S5"]).verdicts == ((Verdict.LEGAL,) * 4,)


def test_wrong_count_and_mixed_lead_are_seen_at_once():
    result = run(["SA | S3 S4 | S6 | S7", "SK D3 | S8 S9 | S10 SJ | SQ S5"])
    assert [(str(p.seat), p.trick, p.kind) for p in result.others] == [("N", 1, "count"), ("E", 2, "lead")]
    assert result.verdicts[0][1] is Verdict.ILLEGAL
    assert result.proven == ()


def test_a_third_copy_cannot_exist():
    result = run(["SA SA | S3 S4 | S6 S7 | S5 S8", "CA | C3 | C4 | SA"])
    assert [(str(p.seat), p.trick, p.kind) for p in result.others] == [("S", 2, "pack")]


def test_a_throw_stands_until_a_card_appears_that_could_have_stopped_it():
    first = "SK SK SQ | S3 S4 S5 | S6 S7 S8 | S9 S10 SJ"
    stands = run([first])
    assert stands.others == ()
    assert stands.verdicts[0][0] is Verdict.UNDECIDED
    stopped = run([first, "CA | SA | C4 | C5"])
    assert [(str(p.seat), p.trick, p.by, p.kind) for p in stopped.others] == [("E", 1, 2, "throw")]


def test_the_leaders_own_ace_does_not_stop_a_throw():
    assert run(["SK SK SQ | S3 S4 S5 | S6 S7 S8 | S9 S10 SJ", "SA | D3 | C4 | C5"]).others == ()


def test_where_throws_are_not_allowed_a_throw_is_illegal_at_sight():
    result = run(["SA SK | S3 S4 | S6 S7 | S5 S8"], name="reverse-dig-4deck-bombs", trump="7/H")
    assert [(p.kind, p.trick) for p in result.others] == [("lead", 1)]


def test_the_bottom_is_the_pack_minus_everything_played():
    done = deal(OFFICIAL, 4)
    assert sorted(audited(OFFICIAL, done).bottom or ()) == sorted(done.bottom)
    part = audit(preset(OFFICIAL), done.trump, done.declarer, tricks(done)[:-1])
    assert part.bottom is None


def test_a_buried_card_is_not_part_of_the_declarers_hand():
    done = deal(OFFICIAL, 7)
    result = audited(OFFICIAL, done)
    assert all(p.seat is not done.declarer for p in result.proven)
    assert done.bottom


def test_unknown_cards_decide_nothing():
    kit = Kit(preset(OFFICIAL), parse_trump("2/H"))
    watch = observe(Watch(kit), 1, Seat.E, parse_cards("SA"), None)
    watch = observe(watch, 1, Seat.N, parse_cards("??", unknown=True), parse_cards("SA"))
    assert watch.verdicts[1, Seat.N] is Verdict.UNDECIDED
    watch = observe(watch, 2, Seat.N, parse_cards("S5"), None)
    assert watch.proven == ()


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 400))
@settings(max_examples=4, deadline=None)
def test_a_legal_deal_is_never_accused(name, seed):
    done = deal(name, seed)
    result = audited(name, done)
    assert result.proven == ()
    assert result.others == ()
    assert {verdict for row in result.verdicts for verdict in row} == {Verdict.LEGAL}


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 400))
@settings(max_examples=4, deadline=None)
def test_every_offence_is_found_at_the_first_trick_that_proves_it(name, seed):
    done = deal(name, seed, 3)
    kit = Kit(preset(name), done.trump)
    expected = set()
    for trick, seat, lead, play, shown in follows(name, done):
        hand: tuple = ()
        for number, cards in shown:
            hand += cards
            if not kit.legal(lead, hand, play):
                expected.add((seat, trick, number))
                break
    result = audited(name, done)
    assert {(p.seat, p.trick, p.by) for p in result.proven} == expected
    assert {(p.seat, p.trick, p.proved_by) for p in done.planted} <= expected
    full = {(seat, trick) for trick, seat, lead, play, shown in follows(name, done) if not kit.legal(lead, sum((c for _, c in shown), ()), play)}
    assert {(p.seat, p.trick) for p in result.proven} == full
    assert {p.kind for p in result.proven} <= FOLLOW_KINDS


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_on_a_small_pack_a_verdict_holds_for_every_deal_that_fits_what_was_shown(seed):
    for moment in moments(preset(OFFICIAL), PACK, SIZE, seed):
        assert moment.holds


@given(seed=st.integers(0, 2**32))
@example(seed=543)
@settings(max_examples=20, deadline=None)
def test_where_wider_units_are_protected_a_verdict_holds_for_every_deal_that_fits(seed):
    rules = depart(preset("online-tractor"), decks=3, policy={"draw": "longer_protected"})
    for moment in moments(rules, "S3 S4 S5 S6 D3 H3 H4", SIZE, seed):
        assert moment.holds


def test_protected_triples_do_not_accuse_a_player_who_may_hold_the_third_card():
    rules = depart(preset("online-tractor"), decks=3, policy={"draw": "longer_protected"})
    trump = parse_trump("4/S")
    kit = Kit(rules, trump)
    lead, play = parse_cards("H8 H8"), parse_cards("H5 H6")
    watch = observe(Watch(kit), 1, Seat.E, lead, None)
    watch = observe(watch, 1, Seat.N, play, lead)
    watch = observe(watch, 2, Seat.N, parse_cards("H3 H3"), None)
    assert watch.proven == ()
    with_third = observe(watch, 3, Seat.W, parse_cards("H3"), None)
    assert observe(with_third, 4, Seat.N, parse_cards("H9"), None).proven != ()


@pytest.mark.parametrize("name", ["official-2deck-shengji", "staff-4deck-to4"])
def test_sensible_deals_are_audited_alike(name):
    done = deal(name, 11, 2, Style.SENSIBLE)
    assert {(p.seat, p.trick, p.by, p.kind) for p in audited(name, done).proven} == {
        (p.seat, p.trick, p.proved_by, p.kind.value) for p in done.planted
    }
