"""Levels over deals, penalties after a deal, time, and series of games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import match, referee
from engine.cards import Seat, Team
from engine.events import BottomTaken, DealStarted, MatchStarted, RulingDecided, TrumpFixed
from engine.match import Why
from engine.penalty import Cost
from engine.rulebook_terms import Effect, Side, Tie
from engine.simulate import play_deal
from tests.engine.deals import deal, facts, preset

OFFICIAL = "official-2deck-shengji"


def reckoned(name=OFFICIAL, seed=3):
    state = referee.fold(facts(deal(name, seed)), preset(name))
    return state.deal, referee.reckon(state, state.deal)


def cost(effect, amount=0):
    return Cost(effect, amount, "…", "...")


def test_a_level_penalty_is_taken_after_the_deal():
    done, plain = reckoned()
    team = Team.EW
    raised = replace(plain, levels={**plain.levels, "EW": "5"})
    after = match.after_penalties(done, raised, [(team, cost(Effect.LEVELS, 2))])
    assert after.levels["EW"] == "3"
    assert match.after_penalties(done, raised, [(team, cost(Effect.LEVELS, 9))]).levels["EW"] == "2"
    assert match.after_penalties(done, raised, [(team.other, cost(Effect.LEVELS_TO_OTHER, 1))]).levels["EW"] == "6"


@pytest.mark.parametrize("whose", ["attackers", "declarers"])
def test_a_lost_deal_scores_nothing_or_everything(whose):
    done, plain = reckoned()
    team = done.attackers if whose == "attackers" else done.attackers.other
    after = match.after_penalties(done, plain, [(team, cost(Effect.DEAL_LOST))])
    assert after.points == (0 if whose == "attackers" else 200)
    assert after.scored.stage is (Side.DECLARERS if whose == "attackers" else Side.ATTACKERS)


def test_a_lost_stage_moves_no_levels_and_the_declarer():
    done, plain = reckoned()
    held = replace(plain, scored=replace(plain.scored, stage=Side.DECLARERS), next_declarer=done.declarer.partner)
    after = match.after_penalties(done, held, [(done.declarer.team, cost(Effect.STAGE_LOST))])
    assert (after.scored.stage, after.levels, after.next_declarer) == (Side.ATTACKERS, dict(done.levels), done.declarer.next)


def test_both_sides_at_fault_race_anew():
    done, plain = reckoned()
    after = match.after_penalties(done, plain, [(Team.EW, cost(Effect.RACE))])
    assert (after.levels, after.next_declarer) == (dict(done.levels), None)


def test_a_lost_match_is_won_by_the_other_side():
    done, plain = reckoned()
    assert match.winner_of(done, plain, [(Team.EW, cost(Effect.MATCH_LOST))]) is Team.NS
    assert match.winner_of(done, plain, []) is None


def holding_a():
    """A deal at A that the declarers hold."""
    for seed in range(40):
        done = play_deal(preset(OFFICIAL), seed, levels={"EW": "A", "NS": "7"}, declarer=Seat.E, deal=9)
        if done.events[-1].stage == "declarers":
            return done
    raise AssertionError("no such deal")


def test_who_wins_at_the_last_level_as_declarers_has_won_and_the_next_game_begins_at_the_first():
    state = referee.fold(facts(holding_a()), preset(OFFICIAL))
    assert referee.winner(state) is Team.EW
    state, told = referee.step(state, BottomTaken(seat=Seat.N))
    begun = next(e for e in told if isinstance(e, DealStarted))
    assert (dict(begun.levels), begun.declarer) == ({"EW": "2", "NS": "2"}, None)


def test_the_higher_level_wins_at_time():
    assert match.at_time(preset(OFFICIAL), {"EW": "7", "NS": "10"}, Team.EW) == match.Outcome(Team.NS, Why.LEVELS)


@pytest.mark.parametrize(
    ("tie", "winner", "why"),
    [
        (Tie.DECLARERS, Team.EW, Why.STAGE),
        (Tie.EXTRA_DEAL, None, Why.EXTRA_DEAL),
        (Tie.RACE_FOR_LAST, None, Why.RACE),
        (Tie.DRAW, None, Why.DRAW),
        (Tie.REFEREE, None, Why.REFEREE),
    ],
)
def test_equal_levels_at_time_are_parted_as_the_sheet_says(tie, winner, why):
    rules = preset(OFFICIAL)
    rules = replace(rules, match=replace(rules.match, tie=tie))
    assert match.at_time(rules, {"EW": "7", "NS": "7"}, Team.EW) == match.Outcome(winner, why)


def test_best_of_three_needs_two_games():
    rules = preset(OFFICIAL)
    rules = replace(rules, match=replace(rules.match, best_of=3))
    assert match.best_of(rules, [Team.EW]) is None
    assert match.best_of(rules, [Team.EW, Team.NS]) is None
    assert match.best_of(rules, [Team.EW, Team.NS, Team.NS]) is Team.NS


def test_a_whole_match_is_played_to_its_end():
    rules = preset("threedeck-to6")
    state = referee.start(rules)
    declarer, levels = None, {"EW": "2", "NS": "2"}
    for number in range(1, 40):
        done = play_deal(rules, number, levels=levels, declarer=declarer, deal=number)
        for event in facts(done):
            if not isinstance(event, MatchStarted) or number == 1:
                state, _ = referee.step(state, event)
        if referee.winner(state) is not None:
            break
        ended = referee.reckon(state, state.deal)
        levels, declarer = dict(ended.levels), ended.next_declarer
    assert referee.winner(state) is not None
    assert len(state.deals) == number


def test_a_decision_on_an_earlier_deal_changes_only_that_deals_reckoning():
    name = "detailed-80-2deck"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=1, levels={"EW": "2", "NS": "2"}), TrumpFixed(trump="2/H", declarer=Seat.E)]
    done = [e for e in facts(deal(name, 3)) if not isinstance(e, (MatchStarted, DealStarted))]
    state = referee.fold([*begun[:2], *done], preset(name))
    state, _ = referee.step(state, BottomTaken(seat=Seat.N))
    running = state.deal
    state, _ = referee.step(state, RulingDecided(ruling="1.1.N.turn", decision="confirmed"))
    assert state.deal == running
