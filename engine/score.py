"""Scoring a deal: from the attackers' points to the stage, the level steps of both sides and the levels after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import RANK_OF, SUIT_OF, Card, Trump
from engine.rulebook import Levels, Rulebook
from engine.rulebook_terms import HookSide, MustPlay, Side, Surplus, Winning


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """Who has the stage next, the steps that the table gives each side, the levels after, and the side that won the match, if any."""

    stage: Side
    steps: Mapping[str, int]
    levels: Mapping[str, str]
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class Climb:
    """Where a side stands after its steps: the level, the steps that a must-play level cut off, and whether it passed the winning level."""

    level: str
    left_over: int
    won: bool


class LevelError(ValueError):
    """A level that is not on the rulebook's path; the message names the path."""


def ladder(levels: Levels) -> list[str]:
    """All levels from the lowest below the start to the last."""
    return [*reversed(levels.below), *levels.path]


def _place(levels: Levels, level: str) -> int:
    rungs = ladder(levels)
    if level not in rungs:
        raise LevelError(f"level {level!r} is not on the path {' '.join(rungs)}")
    return rungs.index(level)


def climb(levels: Levels, level: str, steps: int, declarers: bool) -> Climb:
    """Step up a level for each step won, stopping at must-play levels and at the last one.

    :param declarers: the steps were won as declarers, playing this very level.
    :raises LevelError: when the level is not on the path.
    """
    rungs = ladder(levels)
    at = _place(levels, level)
    win = rungs.index(levels.win_after)
    for step in range(steps):
        here = rungs[at]
        if here in levels.must_play and (step > 0 or (levels.must_play_rule is MustPlay.DEFEND and not declarers)):
            return Climb(here, steps - step, won=False)
        if at >= win:
            if levels.winning is Winning.PASS_LAST or (declarers and step == 0):
                return Climb(rungs[min(at + steps - step, len(rungs) - 1)], 0, won=True)
            return Climb(here, 0, won=False)
        at += 1
    return Climb(rungs[at], 0, won=False)


def fall(levels: Levels, level: str, steps: int) -> str:
    """Step down, at most to the lowest level there is.

    :raises LevelError: when the level is not on the path.
    """
    return ladder(levels)[max(0, _place(levels, level) - steps)]


def score(rules: Rulebook, points: int, levels: Mapping[str, str], hooked: str | None = None) -> ScoreResult:
    """Reckon a deal.

    Where a must-play level cuts the attackers' steps off, the rest may put the declarers down (school-2deck-2J-must: 则降对方相应的级数); below
    the lowest level the match is lost.

    :param points: the attackers' points, dig and fines included; may be negative.
    :param levels: ``declarers`` and ``attackers`` before the deal.
    :param hooked: the level that the declarers go back to because of the last trick (:func:`hook`); only where the attackers take the stage.
    :raises LevelError: when a level is not on the path.
    """
    band = rules.scoring.band(points)
    stage = band.stage
    gained = band.steps_at(points)
    other = Side.ATTACKERS if stage is Side.DECLARERS else Side.DECLARERS
    after = {side.value: str(levels[side.value]) for side in (Side.DECLARERS, Side.ATTACKERS)}
    for level in after.values():
        _place(rules.levels, level)
    up = climb(rules.levels, after[stage.value], gained, stage is Side.DECLARERS)
    after[stage.value] = up.level
    won = up.won
    if up.left_over and not up.won and stage is Side.ATTACKERS and rules.levels.surplus is Surplus.OTHER_SIDE_DOWN:
        won = bool(rules.levels.below) and _place(rules.levels, after[other.value]) < up.left_over
        after[other.value] = fall(rules.levels, after[other.value], up.left_over)
    if hooked is not None and stage is Side.ATTACKERS:
        rungs = ladder(rules.levels)
        after["declarers"] = rungs[min(rungs.index(after["declarers"]), rungs.index(hooked))]
    steps = {stage.value: gained, other.value: 0}
    return ScoreResult(stage, steps, after, stage if won else None)


def hook(rules: Rulebook, trump: Trump, attackers_won: bool, cards: Sequence[Card]) -> str | None:
    """The level that the declarers go back to because a level card won the last trick for the attackers; None for none.

    :param cards: the winning play of the last trick.
    """
    if not attackers_won:
        return None
    held = [card for card in cards if RANK_OF.get(card) == trump.level]
    for rule in rules.levels.hooks if trump.suit else rules.levels.hooks_no_trump:
        if rule.level != trump.level:
            continue
        for card in held:
            side = HookSide.MAIN if SUIT_OF[card] is trump.suit else HookSide.SIDE
            if rule.card in (HookSide.ANY, side):
                return rule.to
    return None
