"""Simulated deals: the same seed gives the same deal, people's habits are kept, offences are planted to be proven."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SEATS, Seat
from engine.events import BottomShown, BottomTaken, Buried, CardsPlayed, DealEnded, DealStarted, Declared, MatchStarted, Ruled, TrickClosed
from engine.kit import Kit
from engine.offences import Offence
from engine.prng import SplitMix64
from engine.simulate import Style, play_deal
from tests.engine.deals import PRESETS, deal, follows, preset, tricks

OFFICIAL = "official-2deck-shengji"


def test_splitmix64_gives_its_published_stream():
    rng = SplitMix64(1234567)
    assert [rng.next64() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_random_numbers_stay_in_their_range():
    rng = SplitMix64(5)
    assert all(0 <= rng.random() < 1 for _ in range(200))
    assert {rng.randrange(3) for _ in range(60)} == {0, 1, 2}
    with pytest.raises(ValueError, match="positive stop"):
        rng.randrange(0)
    items = list(range(10))
    rng.shuffle(items)
    assert sorted(items) == list(range(10))
    assert items != list(range(10))


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_seed_gives_the_same_deal(name):
    assert play_deal(preset(name), 12, offences=2) == play_deal(preset(name), 12, offences=2)
    assert play_deal(preset(name), 12).events != play_deal(preset(name), 13).events


def test_a_deal_holds_its_events_in_order():
    done = deal(OFFICIAL, 3, 1, Style.SENSIBLE)
    kinds = [type(e) for e in done.events]
    assert kinds[:2] == [MatchStarted, DealStarted]
    bids = kinds.count(Declared)
    assert kinds[2 : 4 + bids] == [*[Declared] * bids, BottomTaken, Buried]
    assert kinds[-2:] == [BottomShown, DealEnded]
    played = [k for k in kinds[4 + bids : -2] if k is not Ruled]
    assert played == [CardsPlayed, CardsPlayed, CardsPlayed, CardsPlayed, TrickClosed] * (len(played) // 5)


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 300))
@settings(max_examples=3, deadline=None)
def test_every_play_is_legal_for_the_hand_it_comes_from(name, seed):
    for style in Style:
        done = deal(name, seed, 0, style)
        kit = Kit(preset(name), done.trump)
        left = {seat: Counter(done.hands[seat]) for seat in SEATS}
        for event in done.events:
            if isinstance(event, CardsPlayed):
                left[event.seat] -= Counter(event.cards)
        assert not any(left.values())
        for _, _, lead, play, shown in follows(name, done):
            assert kit.legal(lead, sum((cards for _, cards in shown), ()), play)
        assert all(kit.lead_breach(trick[0]) is None for trick in tricks(done))


@pytest.mark.parametrize("name", PRESETS)
def test_nobody_declares_with_cards_that_were_not_drawn(name):
    for seed in (3, 6, 9, 12):
        done = deal(name, seed)
        owned = {seat: Counter(done.hands[seat]) + Counter(done.bottom) for seat in SEATS}
        for event in done.events:
            if isinstance(event, Declared):
                assert not Counter(event.cards) - owned[event.seat]
        totals: dict[tuple[Seat, str], int] = {}
        for event in done.events:
            if isinstance(event, Declared) and len(set(event.cards)) == 1:
                key = (event.seat, event.cards[0])
                assert len(event.cards) > totals.get(key, 0) or preset(name).declaring.stir.value != "none"
                totals[key] = len(event.cards)


@given(seed=st.integers(0, 300))
@settings(max_examples=10, deadline=None)
def test_planted_offences_are_ruled_with_the_trick_that_proves_them(seed):
    done = deal(OFFICIAL, seed, 2, Style.SENSIBLE)
    ruled = [e for e in done.events if isinstance(e, Ruled)]
    assert [(r.seat, r.trick, r.kind, r.proved_by) for r in ruled] == [(p.seat, p.trick, p.kind.value, p.proved_by) for p in done.planted]
    assert all(p.trick < p.proved_by for p in done.planted)


def test_sensible_players_win_with_aces_and_give_points_to_their_partner():
    given_points, lost_points = 0, 0
    for seed in range(12):
        done = deal(OFFICIAL, seed, 0, Style.SENSIBLE)
        kit = Kit(preset(OFFICIAL), done.trump)
        leader = done.declarer
        for trick in tricks(done):
            at = kit.winner(trick)
            for i, play in enumerate(trick):
                if i != at:
                    points = sum(kit.group(c) is not None and c[1:] in ("5", "10", "K") for c in play)
                    given_points, lost_points = (given_points + points, lost_points) if (i - at) % 2 == 0 else (given_points, lost_points + points)
            leader = Seat(SEATS[(SEATS.index(leader) + at) % 4])
    assert given_points > lost_points, "one partner gets more points than two opponents"


def test_every_kind_of_offence_can_be_planted():
    done = [play_deal(preset("staff-4deck-to4"), seed, offences=3) for seed in (2, 5)]
    assert {p.kind.value for d in done for p in d.planted} == {"suit", "pair", "tractor", "shape"}


@pytest.mark.parametrize(
    ("name", "kind", "seeds"), [(OFFICIAL, "suit", 6), (OFFICIAL, "pair", 6), (OFFICIAL, "tractor", 12), ("staff-4deck-to4", "shape", 6)]
)
def test_only_the_kinds_asked_for_are_planted(name, kind, seeds):
    chosen = [play_deal(preset(name), seed, offences=1, kinds=[Offence(kind)]) for seed in range(1, seeds + 1)]
    planted = [p for done in chosen for p in done.planted]
    assert planted
    for done in chosen:
        told = {(e.seat, e.trick) for e in done.events if isinstance(e, Ruled)}
        assert told == {(p.seat, p.trick) for p in done.planted}
    if kind == "suit":
        assert {p.kind for p in planted} == {Offence.SUIT}
