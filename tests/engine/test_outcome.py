"""Whether a match is over, and who has won it."""

from __future__ import annotations

from dataclasses import replace

from engine import referee
from engine.cards import Card, Seat, Team
from engine.events import BottomTaken, CardsPlayed, Declared, MatchStarted, Ruled, RulingDecided, Source
from engine.match import Outcome, Why
from engine.outcome import games, outcome
from tests.engine.deals import deal, facts, preset
from tests.engine.test_match import holding_a
from tests.engine.test_referee import opening_facts

OFFICIAL = "official-2deck-shengji"


def test_a_match_that_has_not_begun_has_no_outcome():
    assert outcome(referee.start(preset(OFFICIAL))) is None


def test_a_match_goes_on_after_a_deal():
    assert outcome(referee.fold(facts(deal(OFFICIAL, 3)), preset(OFFICIAL)), 9e9) is None


def test_who_passes_the_last_level_has_won():
    state = referee.fold(facts(holding_a()), preset(OFFICIAL))
    assert games(state) == (Team.EW,)
    assert outcome(state) == Outcome(Team.EW, Why.PASSED)


def test_in_a_best_of_three_one_game_is_not_the_match():
    rules = preset(OFFICIAL)
    rules = replace(rules, match=replace(rules.match, best_of=3))
    state = referee.fold(facts(holding_a()), rules)
    assert games(state) == (Team.EW,)
    assert outcome(state) is None


def test_fivedeals_ends_after_five_deals_with_the_higher_level():
    name = "fivedeals-4deck-from3"
    rules = preset(name)
    short = replace(rules, match=replace(rules.match, deals=1))
    state = referee.fold(facts(deal(name, 3)), short)
    levels = referee.reckon(state, state.deal).levels
    found = outcome(state)
    assert rules.match.deals == 5
    assert outcome(referee.fold(facts(deal(name, 3)), rules)) is None
    if levels["EW"] == levels["NS"]:
        assert found.why is not Why.LEVELS
    else:
        path = rules.levels.path
        assert found.winner is max(Team, key=lambda team: path.index(levels[team.value]))


def test_at_time_a_deal_that_is_drawn_is_played_out():
    name = "union-3deck-3toK"
    begun = [MatchStarted(rulebook=name), Declared(seat=Seat.E, cards=(Card("S3"), Card("H2")), t=9010)]
    assert outcome(referee.fold(begun, preset(name)), 9100.0).why is Why.STAGE
    drawn = referee.fold([*begun, BottomTaken(seat=Seat.E, t=9020)], preset(name))
    assert outcome(drawn, 9100.0) is None


def test_a_match_lost_by_penalty_is_won_by_the_other_side():
    name = "campus-2deck-2toA"
    plays = [CardsPlayed(seat=Seat.E, trick=1, cards=(Card("SA"),))]
    state = referee.fold([*opening_facts(name), *plays], preset(name))
    ruled = Ruled(ruling="talk-1", kind="talk", seat=Seat.N, trick=1, proved_by=1, source=Source.REFEREE)
    state, _ = referee.step(state, ruled)
    assert outcome(state) is None
    state, _ = referee.step(state, RulingDecided(ruling="talk-1", decision="confirmed", by="R"))
    assert (outcome(state).winner, outcome(state).why) == (Team.EW, Why.PENALTY)
