"""Who shuffles, cuts and draws first before a deal."""

from __future__ import annotations

from engine import referee
from engine.cards import Card, Seat
from engine.duties import Duties, duties, first_draw, first_draw_by_cards
from engine.events import CardsPlayed, DealStarted, MatchStarted, ScoreSet, TrumpFixed
from engine.view import snapshot
from tests.engine.deals import preset

ALL = tuple(Seat)


def after(name, points, *more):
    """The state after a deal of E as declarer that gave the attackers so many points."""
    level = str(preset(name).levels.path[0])
    begun = (
        MatchStarted(rulebook=name),
        DealStarted(deal=1, levels={"EW": level, "NS": level}, declarer=Seat.E),
        TrumpFixed(trump=f"{level}/H", declarer=Seat.E),
    )
    return referee.fold([*begun, ScoreSet(points=points, trick=1, leader=Seat.E, end=True), *more], preset(name))


def test_before_the_first_deal_nothing_is_settled_yet():
    state = referee.start(preset("official-2deck-shengji"))
    assert duties(state) == Duties(ALL, ALL, None)


def test_official_the_next_declarers_partner_shuffles_and_the_player_before_cuts():
    assert duties(after("official-2deck-shengji", 40)) == Duties((Seat.E,), (Seat.N,), Seat.W)
    assert duties(after("official-2deck-shengji", 120)) == Duties((Seat.S,), (Seat.E,), Seat.N)


def test_threedeck_the_winners_shuffle_and_the_losers_cut():
    won = duties(after("threedeck-2start-6bottom", 40))
    lost = duties(after("threedeck-2start-6bottom", 200))
    assert (set(won.shuffle), set(won.cut)) == ({Seat.E, Seat.W}, {Seat.N, Seat.S})
    assert (set(lost.shuffle), set(lost.cut)) == ({Seat.N, Seat.S}, {Seat.E, Seat.W})


def test_community_the_first_draw_goes_round():
    state = after("community-2deck-510K-must", 40)
    assert duties(state, drew_first=Seat.S).first is Seat.E
    assert duties(state).first is None
    assert first_draw(preset("fivedeals-4deck-from3"), Seat.E) is Seat.E


def test_a_declarer_named_for_the_deal_in_hand_comes_first():
    state = after("official-2deck-shengji", 40, DealStarted(deal=2, levels={"EW": "3", "NS": "2"}, declarer=Seat.S))
    assert duties(state) == Duties((Seat.N,), (Seat.W,), Seat.S)


def test_the_snapshot_tells_the_duties_while_no_cards_are_in_play():
    state = after("official-2deck-shengji", 40)
    assert snapshot(state)["duties"] == {"shuffle": ["E"], "cut": ["N"], "first_draw": "W"}
    playing, _ = referee.step(state, CardsPlayed(seat=Seat.W, trick=1, cards=(Card("SA"),)))
    assert snapshot(playing)["duties"] is None


def test_cards_that_do_not_settle_the_first_draw_settle_nothing():
    assert first_draw_by_cards(preset("staff-4deck-to4"), {}) is None
    flipped_by_two = {Seat.E: Card("S5"), Seat.N: Card("S6")}
    assert first_draw_by_cards(preset("official-2deck-shengji"), flipped_by_two) is None
