"""Clocks run by the times that events carry."""

from __future__ import annotations

import pytest

from engine import clock, referee
from engine.cards import Card, Seat
from engine.clock import Limit
from engine.events import BottomTaken, Buried, CardsPlayed, Declared, MatchStarted
from tests.engine.deals import deal, facts, preset
from tests.engine.test_referee import opening_facts


def timed(name, *times, cards=()):
    """The opening facts at given times."""
    events = [type(e)(**{f: getattr(e, f) for f in e.__dataclass_fields__} | {"t": t}) for e, t in zip(opening_facts(name), times, strict=False)]
    return referee.fold([*events, *cards], preset(name))


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


def test_elimination_overturning_ends_after_ten_seconds():
    state = timed("elimination-4deck-2toA", 0, 0, 5)
    assert [(c.limit, c.seconds) for c in clock.now(state, 6.0) if c.limit is Limit.OVERTURN] == [(Limit.OVERTURN, 10)]


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
