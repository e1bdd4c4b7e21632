"""The match around the deals: levels, what confirmed penalties do to a deal's result, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.cards import FACES, Rank, Team, points_of
from engine.deal import Deal, Reckoning, next_declarer, result_of
from engine.kit import Scored
from engine.penalty import Cost
from engine.rulebook import Rulebook
from engine.rulebook_terms import Effect


def ladder_of(rules: Rulebook) -> tuple[str, ...]:
    """Every level a side can stand at, from the lowest (below the start) to the last."""
    return (*reversed(rules.levels.below), *(str(rank) for rank in rules.levels.path))


def move_level(rules: Rulebook, level: str, steps: int) -> str:
    """A level so many steps up or down, held within the path.

    :raises ValueError: when the level is not on the path.
    """
    levels = ladder_of(rules)
    if level not in levels:
        raise ValueError(f"level {level!r} is not on the path of {rules.name}; expected one of {' '.join(levels)}")
    return levels[min(max(levels.index(level) + steps, 0), len(levels) - 1)]


def rank_of(rules: Rulebook, level: str) -> Rank:
    """The rank that is level card at a level (a level below the start, ``-A``, is played with that rank)."""
    return Rank(level.removeprefix("-")) if level in rules.levels.below else Rank(level)


def after_penalties(deal: Deal, plain: Reckoning, costs: Sequence[tuple[Team, Cost]]) -> Reckoning:
    """A reckoning with the confirmed penalties that are not points: deal lost, stage lost, levels down or up."""
    if not costs or deal.declarer is None:
        return plain
    declarers, attackers = deal.declarer.team, deal.declarer.team.other
    out = plain
    lost = [team for team, cost in costs if cost.effect is Effect.DEAL_LOST]
    if lost:
        points = 0 if lost[0] is attackers else deal.rules.pack.decks * points_of(FACES)
        out = replace(result_of(deal, points), points=points, bottom=plain.bottom)
    if any(cost.effect is Effect.STAGE_LOST and team is declarers for team, cost in costs) and out.scored.stage == "declarers":
        scored = Scored("attackers", {"declarers": 0, "attackers": 0}, {s: deal.levels[t.value] for s, t in _sides(deal).items()})
        out = replace(out, scored=scored, levels=dict(deal.levels), next_declarer=next_declarer(deal, "attackers"))
    levels = dict(out.levels)
    for team, cost in costs:
        if cost.effect is Effect.LEVELS:
            levels[team.value] = move_level(deal.rules, levels[team.value], -cost.amount)
        elif cost.effect is Effect.LEVELS_TO_OTHER:
            levels[team.other.value] = move_level(deal.rules, levels[team.other.value], cost.amount)
    return replace(out, levels=levels)


def _sides(deal: Deal) -> Mapping[str, Team]:
    declarers = deal.declarer.team if deal.declarer is not None else Team.EW
    return {"declarers": declarers, "attackers": declarers.other}
