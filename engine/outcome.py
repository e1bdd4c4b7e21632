"""Whether a match is over, and who has won it: by its games, by its number of deals, or by its time."""

from __future__ import annotations

from engine import clock, match, referee
from engine.cards import Team
from engine.deal import Phase
from engine.deal_state import Deal
from engine.match import Outcome, Why
from engine.referee import MatchState
from engine.rulebook_terms import Effect, Side


def games(state: MatchState) -> tuple[Team, ...]:
    """The winners of the games that are over, in order."""
    out: list[Team] = []
    for deal in state.deals:
        reckoning = referee.reckon(state, deal)
        if reckoning is not None:
            won = match.winner_of(deal, reckoning, referee.confirmed_costs(state, deal))
            out += [won] if won is not None else []
    return tuple(out)


def _stage(state: MatchState, deal: Deal) -> Team | None:
    """The side that has the stage after a deal."""
    reckoning = referee.reckon(state, deal)
    if deal.declarer is None:
        return None
    if reckoning is None:
        return deal.declarer.team
    return deal.declarer.team if reckoning.scored.stage is Side.DECLARERS else deal.declarer.team.other


def outcome(state: MatchState, t: float | None = None) -> Outcome | None:
    """The end of a match, or None while it goes on.

    :param t: the time (s, the table's clock), where the match has a limit.
    """
    deal = state.deal
    if deal is None:
        return None
    for done in state.deals:
        loser = next((team for team, cost in referee.confirmed_costs(state, done) if cost.effect is Effect.MATCH_LOST), None)
        if loser is not None:
            return Outcome(loser.other, Why.PENALTY)
    winner = match.best_of(state.rules, games(state))
    if winner is not None:
        return Outcome(winner, Why.GAMES if state.rules.match.best_of > 1 else Why.PASSED)
    ended = deal.phase is Phase.ENDED
    played = sum(referee.reckon(state, done) is not None for done in state.deals)
    if state.rules.match.deals and ended and played >= state.rules.match.deals:
        return match.at_time(state.rules, state.levels, _stage(state, deal))
    limit = clock.match_clock(state, t) if t is not None else None
    if limit is not None and t is not None and limit.up and (ended or not clock.plays_on(state, t)):
        return match.at_time(state.rules, state.levels, _stage(state, deal))
    return None
