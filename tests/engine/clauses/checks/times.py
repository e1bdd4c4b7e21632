"""Clauses on time: the limits, and what happens when the match's time is up."""

from __future__ import annotations

from typing import Any

from engine import clock, referee
from engine import deal as deals
from engine.cards import Seat, parse_cards
from engine.clock import Limit, match_clock, overtimes, plays_on
from engine.competition import forfeits
from engine.events import BottomTaken, Buried, CardsPlayed, DealStarted, Drawn, MatchStarted, ScoreSet, TrumpFixed
from engine.rulebook import Rulebook
from tests.engine.clauses.checks.base import Check


def _started(rules: Rulebook) -> referee.MatchState:
    level = str(rules.levels.path[0])
    state = referee.start(rules)
    for event in (MatchStarted(t=0.0, rulebook=rules.name), DealStarted(t=1.0, deal=2, levels={"EW": level, "NS": level}, declarer=Seat.E)):
        state, _ = referee.step(state, event)
    return state


def bury_within(seconds: int) -> Check:
    """Burying takes at most so long."""

    def check(rules: Rulebook) -> None:
        for late in (0, 1):
            deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
            events = (
                TrumpFixed(t=1.0, trump=f"{rules.levels.path[0]}/H", declarer=Seat.E),
                BottomTaken(t=10.0, seat=Seat.E),
                Buried(t=10.0 + seconds + late, seat=Seat.E, count=rules.pack.bottom),
            )
            for event in events:
                deal = deals.apply(deal, event)
            assert [(o.limit, o.seat, o.seconds) for o in overtimes(deal)] == [(Limit.BURY, Seat.E, seconds)] * late

    return check


def play_within(seconds: int) -> Check:
    """A play takes at most so long."""

    def check(rules: Rulebook) -> None:
        for late in (0, 1):
            deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
            events: list[Any] = [TrumpFixed(t=1.0, trump=f"{rules.levels.path[0]}/H", declarer=Seat.E)]
            if rules.pack.bottom:
                events += [BottomTaken(t=2.0, seat=Seat.E), Buried(t=3.0, seat=Seat.E, count=rules.pack.bottom)]
            events += [
                CardsPlayed(t=4.0, seat=Seat.E, trick=1, cards=parse_cards("SA")),
                CardsPlayed(t=4.0 + seconds + late, seat=Seat.N, trick=1, cards=parse_cards("S4")),
            ]
            for event in events:
                deal = deals.apply(deal, event)
            assert [(o.limit, o.seat, o.trick) for o in overtimes(deal)] == [(Limit.PLAY, Seat.N, 1)] * late

    return check


def match_lasts(minutes: int, *, final: bool = False, warning: int = 0) -> Check:
    """A match lasts so long, with a warning before its end."""

    def check(rules: Rulebook) -> None:
        state = _started(rules)
        clock = match_clock(state, minutes * 60.0 - 1, final=final)
        over = match_clock(state, minutes * 60.0 + 1, final=final)
        assert clock is not None
        assert over is not None
        assert (clock.up, over.up) == (False, True)
        if warning:
            before = match_clock(state, (minutes - warning) * 60.0 - 1)
            after = match_clock(state, (minutes - warning) * 60.0 + 1)
            assert before is not None
            assert after is not None
            assert (before.warning, after.warning) == (False, True)

    return check


def at_time(dealing: bool, playing: bool) -> Check:
    """Whether a deal goes on at time while it is being drawn, and once it is played."""

    def check(rules: Rulebook) -> None:
        state = _started(rules)
        late = rules.clocks.match_min * 60.0 + 60
        assert plays_on(state, late) is dealing
        level = rules.levels.path[0]
        events: list[Any] = [TrumpFixed(t=1.0, trump=f"{level}/H", declarer=Seat.E)]
        if rules.pack.bottom:
            events += [BottomTaken(t=2.0, seat=Seat.E), Buried(t=3.0, seat=Seat.E, count=rules.pack.bottom)]
        events.append(CardsPlayed(t=4.0, seat=Seat.E, trick=1, cards=parse_cards("SA")))
        for event in events:
            state, _ = referee.step(state, event)
        assert plays_on(state, late) is playing

    return check


def bury_timed_from_the_draw() -> Check:
    """The time to bury runs from the end of the draw, not only once the bottom is in the hand; buried again, from taking it again."""

    def check(rules: Rulebook) -> None:
        limit = rules.clocks.bury_s
        deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
        events: list[Any] = [
            Drawn(t=100.0),
            BottomTaken(t=130.0, seat=Seat.E),
            Buried(t=101.0 + limit, seat=Seat.E, count=rules.pack.bottom),
            BottomTaken(t=500.0, seat=Seat.N),
            Buried(t=500.0 + limit, seat=Seat.N, count=rules.pack.bottom),
        ]
        for event in events:
            deal = deals.apply(deal, event)
        assert [(o.limit, o.seat, o.took) for o in overtimes(deal)] == [(Limit.BURY, Seat.E, limit + 1.0)]

    return check


def draws_within(seconds: int) -> Check:
    """Drawing takes at most so long a card: the draw is timed as a whole until it is told to be over."""

    def check(rules: Rulebook) -> None:
        state = _started(rules)
        found = [(running.since, running.seconds) for running in clock.now(state, 2.0) if running.limit is Limit.DRAW]
        assert found == [(1.0, 4 * rules.pack.hand * seconds)]
        drawn, _ = referee.step(state, Drawn(t=900.0))
        assert not [running for running in clock.now(drawn, 901.0) if running.limit is Limit.DRAW]

    return check


def waits(seconds: int) -> Check:
    """Between the draw and the bottom so long must pass: taken sooner, it is an offence under this clause."""

    def check(rules: Rulebook) -> None:
        for waited, offences in ((seconds - 1, ["too_soon"]), (seconds, [])):
            state, _ = referee.step(_started(rules), Drawn(t=100.0))
            state, _ = referee.step(state, BottomTaken(t=100.0 + waited, seat=Seat.E))
            found = referee.rulings(state)
            assert [ruling.kind for ruling in found] == offences
            assert {ruling.proposal.clause for ruling in found} <= {rules.clause("clocks.pause_s")}

    return check


def late_forfeits(minutes: int) -> Check:
    """So many minutes late the match is forfeited, a second earlier it is not."""

    def check(rules: Rulebook) -> None:
        assert (forfeits(rules, minutes - 1 / 60), forfeits(rules, minutes)) == (False, True)

    return check


def one_more_deal() -> Check:
    """After the warning one more deal may begin, and no second one, though there is time left; it is played out."""

    def check(rules: Rulebook) -> None:
        level = str(rules.levels.path[0])
        warned = (rules.clocks.match_min - rules.clocks.warning_min) * 60.0

        def ended(state: referee.MatchState, t: float) -> referee.MatchState:
            for event in (TrumpFixed(t=t, trump=f"{level}/H", declarer=Seat.E), ScoreSet(t=t, points=80, trick=1, leader=Seat.E, end=True)):
                state, _ = referee.step(state, event)
            return state

        def may_begin(state: referee.MatchState, t: float) -> bool:
            found = match_clock(state, t)
            assert found is not None
            return found.may_begin

        state = ended(_started(rules), 60.0)
        assert may_begin(state, warned + 1)
        state, _ = referee.step(state, DealStarted(t=warned + 10, deal=3, levels={"EW": level, "NS": level}, declarer=Seat.E))
        assert plays_on(state, warned + 11 + rules.clocks.warning_min * 60)
        assert not may_begin(ended(state, warned + 20), warned + 30)

    return check
