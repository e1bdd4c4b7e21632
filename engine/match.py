"""The match around the deals: what confirmed penalties do to a deal's result, who has won, and what happens at time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique

from engine.cards import FACES, Team, points_of
from engine.deal import Deal, Reckoning, next_declarer, result_of
from engine.penalty import Cost
from engine.rulebook import Rulebook
from engine.rulebook_terms import Effect, Side, Tie
from engine.score import ScoreResult, fall, ladder


def rise(rules: Rulebook, level: str, steps: int) -> str:
    """A level so many steps up, at most the last one; a penalty's steps do not stop at must-play levels."""
    rungs = ladder(rules.levels)
    return rungs[min(rungs.index(level) + steps, len(rungs) - 1)]


def after_penalties(deal: Deal, plain: Reckoning, costs: Sequence[tuple[Team, Cost]]) -> Reckoning:
    """A reckoning with the confirmed penalties that are not points: deal lost, stage lost, levels down or up."""
    if not costs or deal.declarer is None:
        return plain
    declarers, attackers = deal.declarer.team, deal.declarer.team.other
    out = plain
    lost = [team for team, cost in costs if cost.effect is Effect.DEAL_LOST]
    if lost:
        points = 0 if lost[0] is attackers else deal.rules.pack.decks * points_of(FACES)
        out = replace(result_of(deal, points), bottom=plain.bottom)
    steps_down = any(cost.effect is Effect.STAGE_LOST and team is declarers for team, cost in costs)
    if steps_down and out.scored.stage is Side.DECLARERS:
        out = _unchanged(deal, out, Side.ATTACKERS)
    if deal.stopped and any(cost.effect is Effect.LEVELS_TO_OTHER for _, cost in costs):
        offended = next(team.other for team, cost in costs if cost.effect is Effect.LEVELS_TO_OTHER)
        out = _unchanged(deal, out, Side.DECLARERS if offended is declarers else Side.ATTACKERS)
    if any(cost.effect is Effect.RACE for _, cost in costs):
        return replace(_unchanged(deal, out, out.scored.stage), next_declarer=None)
    after = dict(out.levels)
    for team, cost in costs:
        if cost.effect is Effect.LEVELS:
            after[team.value] = fall(deal.rules.levels, after[team.value], cost.amount)
        elif cost.effect is Effect.LEVELS_TO_OTHER:
            after[team.other.value] = rise(deal.rules, after[team.other.value], cost.amount)
    return replace(out, levels=after)


def _unchanged(deal: Deal, reckoning: Reckoning, stage: Side) -> Reckoning:
    """A reckoning in which the levels stay as they were and a side has the stage."""
    declarers = deal.declarer.team if deal.declarer is not None else Team.EW
    levels = {"declarers": deal.standing[declarers.value], "attackers": deal.standing[declarers.other.value]}
    scored = ScoreResult(stage, {"declarers": 0, "attackers": 0}, levels)
    return replace(reckoning, scored=scored, levels=dict(deal.standing), next_declarer=next_declarer(deal, stage))


def winner_of(deal: Deal, reckoning: Reckoning, costs: Sequence[tuple[Team, Cost]]) -> Team | None:
    """The side that a deal makes the winner of the game: by passing the last level, or because the other side lost the match by a penalty."""
    for team, cost in costs:
        if cost.effect is Effect.MATCH_LOST:
            return team.other
    if reckoning.scored.winner is None or deal.declarer is None:
        return None
    return deal.declarer.team if reckoning.scored.winner is Side.DECLARERS else deal.declarer.team.other


@unique
class Why(StrEnum):
    """Why a match is over."""

    PASSED = "passed"
    LEVELS = "levels"
    STAGE = "stage"
    GAMES = "games"
    PENALTY = "penalty"
    DRAW = "draw"
    EXTRA_DEAL = "extra_deal"
    RACE = "race"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: the winner (None: a draw, or undecided where ``why`` says what decides), and why."""

    winner: Team | None
    why: Why


def at_time(rules: Rulebook, levels: Mapping[str, str], stage: Team | None) -> Outcome:
    """Who wins when the time is up or the deals are over: the higher level, else what the sheet says of equal levels.

    :param levels: after the last deal that counts.
    :param stage: the side that has the stage next.
    """
    rungs = ladder(rules.levels)
    high = {team: rungs.index(levels[team.value]) for team in Team}
    if high[Team.EW] != high[Team.NS]:
        return Outcome(max(high, key=lambda team: high[team]), Why.LEVELS)
    match rules.match.tie:
        case Tie.DECLARERS:
            return Outcome(stage, Why.STAGE)
        case Tie.EXTRA_DEAL:
            return Outcome(None, Why.EXTRA_DEAL)
        case Tie.RACE_FOR_LAST:
            return Outcome(None, Why.RACE)
        case Tie.DRAW:
            return Outcome(None, Why.DRAW)
        case _:
            return Outcome(None, Why.REFEREE)


def best_of(rules: Rulebook, games: Sequence[Team]) -> Team | None:
    """The winner of a match of several games, or None while it is open (rulebook: match.best_of)."""
    need = rules.match.best_of // 2 + 1
    return next((team for team in Team if sum(won is team for won in games) >= need), None)
