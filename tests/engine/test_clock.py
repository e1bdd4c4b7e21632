"""Clocks run by the times that events carry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import clock, referee
from engine.cards import Card, Seat
from engine.clock import Limit
from engine.events import (
    BottomTaken,
    Buried,
    CameraBack,
    CameraLost,
    CardsPlayed,
    ClocksStarted,
    ClocksStopped,
    DealStarted,
    Declared,
    Desynced,
    Drawn,
    MatchStarted,
    Resynced,
    Ruled,
    Source,
)
from engine.rulebook import Penalty, Sanction
from engine.rulebook_terms import Effect
from tests.engine.deals import deal, facts, preset
from tests.engine.test_referee import opening_facts


def timed_events(name, *times):
    """The opening facts at given times."""
    return [replace(event, t=t) for event, t in zip(opening_facts(name), times, strict=False)]


def timed(name, *times, cards=()):
    """The state after the opening facts at given times, and cards."""
    return referee.fold([*timed_events(name, *times), *cards], preset(name))


def play(seat, card, t):
    return CardsPlayed(seat=seat, trick=1, cards=(Card(card),), t=t)


def test_stir_burying_may_take_ninety_seconds():
    state = timed("stir-2deck-chaodipi", 0, 0, 1, 10)
    running = clock.running(state.deal, clock.last_time(state))
    assert (running.limit, running.seat, running.seconds) == (Limit.BURY, Seat.E, 90)
    assert running.left(40.0) == 60
    assert not running.up(100.0)
    assert running.up(100.5)
    assert clock.overtimes(timed("stir-2deck-chaodipi", 0, 0, 1, 10, 100).deal) == ()
    late = clock.overtimes(timed("stir-2deck-chaodipi", 0, 0, 1, 10, 101).deal)
    assert [(o.limit, o.seat, o.trick, o.took) for o in late] == [(Limit.BURY, Seat.E, 0, 91)]


@pytest.mark.parametrize(("name", "seconds"), [("stir-2deck-chaodipi", 15), ("staff-4deck-to4", 30), ("reverse-dig-4deck-bombs", 10)])
def test_a_play_may_take_what_the_sheet_says(name, seconds):
    plays = (play(Seat.E, "SA", 20), play(Seat.N, "S3", 20 + seconds), play(Seat.W, "S4", 21 + 2 * seconds))
    state = timed(name, 0, 0, 1, 10, 12, cards=plays)
    running = clock.running(state.deal, clock.last_time(state))
    assert (running.limit, running.seat, running.seconds) == (Limit.PLAY, Seat.S, seconds)
    assert [(o.seat, o.trick) for o in clock.overtimes(state.deal)] == [(Seat.W, 1)]


def test_elimination_overturning_ends_ten_seconds_after_the_draw():
    name = "elimination-4deck-2toA"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=2, levels={"EW": "2", "NS": "2"}, declarer=Seat.E), Drawn(t=100)]
    state = referee.fold(begun, preset(name))
    assert [(c.limit, c.since, c.seconds) for c in clock.now(state, 101.0) if c.limit is Limit.OVERTURN] == [(Limit.OVERTURN, 100, 10)]

    def faults(t, source=Source.CAMERA):
        after = referee.fold([*begun, Declared(seat=Seat.N, cards=(Card("S2"),), t=t, source=source)], preset(name))
        return [(r.kind, r.seat, r.proposal.clause) for r in referee.rulings(after)]

    assert faults(110.0) == []
    assert faults(110.5) == [("declaration", Seat.N, "10秒钟内为反主考虑时间")]
    assert faults(110.5, Source.REFEREE) == [], "what is entered by hand has no time of its own"


def test_no_clock_of_the_draw_runs_where_the_draw_is_not_known_to_be_over():
    name = "elimination-4deck-2toA"
    state = referee.fold([MatchStarted(rulebook=name), Declared(seat=Seat.N, cards=(Card("S2"),), t=5)], preset(name))
    assert [c.limit for c in clock.now(state, 6.0)] == [Limit.MATCH]


def test_threedeck_the_declarer_waits_five_seconds_before_taking_the_bottom():
    name = "threedeck-2start-6bottom"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=2, levels={"EW": "2", "NS": "2"}, declarer=Seat.E), Drawn(t=100)]
    running = clock.now(referee.fold(begun, preset(name)), 101.0)
    assert [(c.limit, c.since, c.seconds) for c in running] == [(Limit.PAUSE, 100, 5)]

    def taken(t, *before):
        state = referee.fold([*begun[: 2 + len(before)], BottomTaken(seat=Seat.E, t=t)], preset(name))
        assert state.deal.taken == (Seat.E,), "it was taken, too soon or not"
        return [(r.kind, r.trick, r.proposal.clause, r.proposal.offence) for r in referee.rulings(state)]

    assert taken(103.0, "drawn") == [("too_soon", 0, "需停5秒钟再收底牌", "bottom_too_soon")]
    assert taken(105.0, "drawn") == []
    assert taken(3.0) == [], "nobody told the end of the draw"


def test_staff_the_whole_draw_is_timed():
    name = "staff-4deck-to4"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=2, levels={"EW": "2", "NS": "2"}, declarer=Seat.E, t=7)]
    state = referee.fold(begun, preset(name))
    assert [(c.limit, c.since, c.seconds) for c in clock.now(state, 8.0)] == [(Limit.DRAW, 7, 4 * 52 * 5)]
    assert clock.now(referee.fold([*begun, Drawn(t=900)], preset(name)), 901.0) == ()


def test_stir_burying_is_timed_from_the_end_of_the_draw():
    name = "stir-2deck-chaodipi"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=2, levels={"EW": "2", "NS": "2"}, declarer=Seat.E), Drawn(t=100)]
    assert next((c.limit, c.since, c.seconds) for c in clock.now(referee.fold(begun, preset(name)), 101.0)) == (Limit.BURY, 100, 90)
    taken = [*begun, BottomTaken(seat=Seat.E, t=150)]
    assert clock.running(referee.fold(taken, preset(name)).deal, 150.0).since == 100
    for t, took in ((190.0, []), (191.0, [91.0])):
        state = referee.fold([*taken, Buried(seat=Seat.E, count=8, t=t)], preset(name))
        assert [o.took for o in clock.overtimes(state.deal)] == took


LATE = ("stir-2deck-chaodipi", 0, 0, 1, 10, 12)


def ruled(*plays, name="stir-2deck-chaodipi", others=()):
    """The rulings on overtime after an opening buried at 12 s and plays."""
    state = timed(name, 0, 0, 1, 10, 12, cards=(*plays, *others))
    return [(r.ruling, r.proved_by, r.over.limit.value, r.over.took, r.over.seconds) for r in referee.rulings(state) if r.kind == "overtime"]


def test_a_play_out_of_time_is_a_proposed_ruling_under_the_clause_of_the_limit():
    state = timed(*LATE, cards=(play(Seat.E, "SA", 20), play(Seat.N, "S3", 41)))
    (ruling,) = referee.rulings(state)
    assert (ruling.ruling, ruling.state, ruling.proved_by) == ("1.1.N.overtime", "proposed", 1)
    assert ruling.proposal.clause == "出牌时间不得超过15秒"
    assert [cost.effect.value for cost in ruling.proposal.costs] == ["referee"], "the sheet prints no price"
    assert ruling.breach.zh == "出牌用时21.0秒，限15秒"


def test_the_play_out_of_time_is_told_when_it_is_laid():
    state = timed(*LATE, cards=(play(Seat.E, "SA", 20),))
    _, told = referee.step(state, play(Seat.N, "S3", 41))
    assert [(e.ruling, e.kind, e.t) for e in told if isinstance(e, Ruled)] == [("1.1.N.overtime", "overtime", 41)]


def test_a_sheet_that_prices_overtime_has_its_price_proposed():
    rules = replace(preset("stir-2deck-chaodipi"), penalties={"overtime": Penalty(choices=(Sanction(effect=Effect.POINTS, amount=5),))})
    facts_ = [*timed_events("stir-2deck-chaodipi", 0, 0, 1, 10, 12), play(Seat.E, "SA", 20), play(Seat.N, "S3", 41)]
    (ruling,) = referee.rulings(referee.fold(facts_, rules))
    assert [(c.effect, c.amount) for c in ruling.proposal.costs] == [(Effect.POINTS, 5)]


def test_burying_out_of_time_is_ruled_before_the_first_trick():
    state = timed("staff-4deck-to4", 0, 0, 1, 10, 191)
    assert [(r.ruling, r.over.took, r.proposal.clause) for r in referee.rulings(state)] == [("1.0.E.overtime", 181, "埋底牌時間3分鐘")]


def test_time_that_is_not_known_is_held_against_nobody():
    first, late = play(Seat.E, "SA", 20), play(Seat.N, "S3", 41)
    assert [name for name, *_ in ruled(first, late)] == ["1.1.N.overtime"]
    by_hand = CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S3"),), t=41, source=Source.REFEREE)
    assert ruled(first, by_hand) == []
    assert ruled(first, play(Seat.W, "S4", 60)) == [], "N's play was not seen: the time was not W's alone"
    assert ruled(first, CameraLost(reason="cable", t=25), CameraBack(gap=5, t=30), late) == []
    assert ruled(first, Desynced(reason="x", zh="x", en="x", t=25), Resynced(t=40), late) == []
    seen_again = (CameraLost(reason="cable", t=14), CameraBack(gap=1, t=16), first, late)
    assert [name for name, *_ in ruled(*seen_again)] == ["1.1.N.overtime"]


def test_stopped_clocks_are_not_counted():
    first, late = play(Seat.E, "SA", 20), play(Seat.N, "S3", 41)
    assert ruled(first, ClocksStopped(t=25), ClocksStarted(t=35), late) == []


def test_the_leader_of_the_next_trick_is_timed_from_the_fourth_card():
    trick = (play(Seat.E, "SA", 20), play(Seat.N, "S3", 21), play(Seat.W, "S4", 22), play(Seat.S, "S6", 23))
    second = CardsPlayed(seat=Seat.E, trick=2, cards=(Card("SK"),), t=39)
    assert ruled(*trick, second) == [("1.2.E.overtime", 2, "play", 16, 15)]
    assert ruled(*trick[:3], second) == [], "a play of the first trick was not seen"


def test_a_sheet_without_limits_runs_no_clock():
    state = timed("official-2deck-shengji", 0, 0, 1, 10, 500)
    assert clock.now(state, 501.0) == ()
    assert clock.match_clock(state, 1e6) is None
    assert clock.plays_on(state, 1e6)


def test_swiss_warns_ten_minutes_before_the_hour_and_plays_one_more_deal():
    name = "swiss-3deck"
    done = deal(name, 3)
    state = referee.fold(facts(done), preset(name))
    early, late = clock.match_clock(state, 49 * 60.0), clock.match_clock(state, 51 * 60.0)
    assert (early.warning, early.up, early.may_begin) == (False, False, True)
    assert (late.warning, late.up, late.may_begin) == (True, False, True)
    state, _ = referee.step(state, BottomTaken(seat=Seat.N, t=51.5 * 60))
    assert not clock.match_clock(state, 52 * 60.0).may_begin
    assert clock.match_clock(state, 61 * 60.0).up
    assert clock.plays_on(state, 61 * 60.0)


def test_union_a_deal_still_being_drawn_ends_at_time_and_one_that_is_drawn_is_played_out():
    name = "union-3deck-3toK"
    begun = [MatchStarted(rulebook=name), Declared(seat=Seat.E, cards=(Card("S3"), Card("H2")), t=9010)]
    state = referee.fold(begun, preset(name))
    assert not clock.plays_on(state, 9001.0)
    drawn = referee.fold([*begun, BottomTaken(seat=Seat.E, t=9020), Buried(seat=Seat.E, count=6, t=9030)], preset(name))
    assert clock.plays_on(drawn, 9040.0)


def test_at_time_play_may_stop_at_once():
    state = timed("detailed-80-2deck", 0, 0, 1, 10, 20)
    assert clock.plays_on(state, 3599.0)
    assert not clock.plays_on(state, 3601.0)


def test_a_final_may_have_another_limit():
    state = timed("stir-2deck-chaodipi", 0, 0, 1, 10, 20)
    assert clock.match_clock(state, 0.0).left == 3600
    assert clock.match_clock(state, 0.0, final=True).left == 5400
