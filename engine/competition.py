"""A competition's arithmetic as data: match points, tie-breaks, and who meets whom in round robin, Swiss and knock-out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.rulebook import Match, Rulebook
from engine.rulebook_terms import Format, ScoreBy, TieBreak
from engine.score import ladder


@dataclass(frozen=True, slots=True)
class Result:
    """A played match of two entrants: the level each reached; ``winner`` is None for a draw; ``forfeit`` names who did not play."""

    round: int
    one: str
    two: str
    levels: tuple[str, str]
    winner: str | None
    forfeit: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's place: match points (level differences where those count), their sum, the level reached in the last round, and matches won."""

    entrant: str
    points: int
    level_difference: int
    last_level: int
    won: int
    played: int
    place: int = 0


class CompetitionError(ValueError):
    """A result that cannot be counted; the message says which and what was expected."""


def match_points(match: Match, result: Result, entrant: str) -> int:
    """The match points that an entrant has from a result (rulebook: match.win, draw, loss, forfeit)."""
    if result.forfeit is not None:
        return 0 if result.forfeit == entrant else match.forfeit
    if result.winner is None:
        return match.draw
    return match.win if result.winner == entrant else match.loss


def standings(rules: Rulebook, entrants: Sequence[str], results: Sequence[Result]) -> tuple[Standing, ...]:
    """Everybody's standing, the first first; those whom no tie-break parts share a place, in the entrants' order.

    :raises CompetitionError: for a result of somebody who is no entrant, or a level off the path.
    """
    rungs = ladder(rules.levels)
    for result in results:
        for name in (result.one, result.two):
            if name not in entrants:
                raise CompetitionError(f"round {result.round}: {name!r} is no entrant; expected one of {', '.join(entrants)}")
        for level in result.levels:
            if level not in rungs:
                raise CompetitionError(f"round {result.round}: level {level!r} is not on the path {' '.join(rungs)}")
    rows = [_standing(rules, rungs, name, results) for name in entrants]
    rows.sort(key=lambda row: _key(rules.match, row), reverse=True)
    out: list[Standing] = []
    for i, row in enumerate(rows, 1):
        same = bool(out) and _key(rules.match, out[-1]) == _key(rules.match, row)
        place = out[-1].place if same else i
        out.append(Standing(row.entrant, row.points, row.level_difference, row.last_level, row.won, row.played, place))
    return tuple(out)


def _standing(rules: Rulebook, rungs: Sequence[str], name: str, results: Sequence[Result]) -> Standing:
    own = [r for r in results if name in (r.one, r.two)]
    difference = 0
    last = (0, 0)
    for r in own:
        mine, theirs = r.levels if r.one == name else (r.levels[1], r.levels[0])
        if r.forfeit is None:
            difference += rungs.index(mine) - rungs.index(theirs)
            last = max(last, (r.round, rungs.index(mine)))
    points = difference if rules.match.score_by is ScoreBy.LEVEL_DIFFERENCE else sum(match_points(rules.match, r, name) for r in own)
    return Standing(name, points, difference, last[1], sum(r.winner == name for r in own), len(own))


def _key(match: Match, row: Standing) -> tuple[int, ...]:
    values = {TieBreak.LEVEL_DIFFERENCE: row.level_difference, TieBreak.LAST_LEVEL: row.last_level, TieBreak.SMALL_POINTS: row.won}
    return (row.points, *(values[tie] for tie in match.tie_breaks))


BYE: Final = ""
"""Stands for nobody: who meets it has the round off."""


def round_robin(entrants: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Rounds in which everybody meets everybody once; with an odd number one has each round off."""
    names = list(entrants) + ([BYE] if len(entrants) % 2 else [])
    rounds = []
    for _ in range(len(names) - 1):
        pairs = [(names[i], names[-1 - i]) for i in range(len(names) // 2)]
        rounds.append(tuple(pair for pair in pairs if BYE not in pair))
        names = [names[0], names[-1], *names[1:-1]]
    return tuple(rounds)


def by_standing(order: Sequence[str], met: Sequence[tuple[str, str]] = ()) -> tuple[tuple[str, str], ...]:
    """A round by standing, first against second, third against fourth (swiss-3deck: 第1名与第2名比赛).

    :param met: pairs that shall not meet again; it is given up where it cannot be kept. With an odd number the last one is off.
    """
    again = {frozenset(pair) for pair in met}
    names = list(order[: len(order) - len(order) % 2])
    found = _pair(names, again)
    return tuple(found if found is not None else [(names[i], names[i + 1]) for i in range(0, len(names), 2)])


def _pair(names: list[str], again: set[frozenset[str]]) -> list[tuple[str, str]] | None:
    if not names:
        return []
    for i in range(1, len(names)):
        if frozenset((names[0], names[i])) not in again:
            rest = _pair(names[1:i] + names[i + 1 :], again)
            if rest is not None:
                return [(names[0], names[i]), *rest]
    return None


def knockout(entrants: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The first round of a knock-out in the order of the draw; those with a :data:`BYE` are through."""
    size = 1
    while size < len(entrants):
        size *= 2
    free = size - len(entrants)
    pairs = [(name, BYE) for name in entrants[:free]]
    rest = entrants[free:]
    return (*pairs, *((rest[i], rest[i + 1]) for i in range(0, len(rest), 2)))


def next_round(rules: Rulebook, draw: Sequence[str], results: Sequence[Result] = ()) -> tuple[tuple[str, str], ...]:
    """Who meets whom in the round after these results; nothing when the competition is over (rulebook: match.format, match.rounds).

    :param draw: the entrants in the order of the draw; where every round is drawn anew (groups), of this round's draw.
    :raises CompetitionError: for a knock-out match that nobody won.
    """
    terms = rules.match
    played = max((r.round for r in results), default=0)
    if terms.rounds and played >= terms.rounds:
        return ()
    match terms.format:
        case Format.ROUND_ROBIN | Format.TEAM_OF_PAIRS:
            rounds = round_robin(draw)
            return rounds[played % len(rounds)] if terms.rounds or played < len(rounds) else ()
        case Format.SWISS:
            order = [row.entrant for row in standings(rules, draw, results)] if results else list(draw)
            return by_standing(order)
        case Format.GROUPS:
            return by_standing(draw)
        case Format.KNOCKOUT:
            return _knockout_round(draw, results)
        case Format.SINGLE:
            return () if results else by_standing(draw[:2])


def _knockout_round(draw: Sequence[str], results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """The next round of a knock-out: those who have not lost, in the order of the draw; who has the first round off comes in with the second."""
    undecided = next((r for r in results if r.winner is None), None)
    if undecided is not None:
        raise CompetitionError(f"round {undecided.round}: {undecided.one} and {undecided.two} have no winner; expected one in a knock-out")
    lost = {name for r in results for name in (r.one, r.two) if name != r.winner}
    left = [name for name in draw if name not in lost]
    return tuple(pair for pair in knockout(left) if BYE not in pair) if len(left) > 1 else ()


def game_by_points(rules: Rulebook, points: int) -> str:
    """What a game scored by points is for a side: ``win``, ``draw`` or ``loss`` (rulebook: match.draw_from, match.draw_to).

    :raises CompetitionError: where the rulebook does not count games by points.
    """
    low, high = rules.match.draw_from, rules.match.draw_to
    if not high:
        raise CompetitionError(f"{rules.name} does not count games by points; expected match.draw_from and match.draw_to")
    return "loss" if points < low else "win" if points > high else "draw"


def forfeits(rules: Rulebook, late_min: float) -> bool:
    """Whether a side that comes so many minutes late has forfeited its match (rulebook: clocks.late_min)."""
    return bool(rules.clocks.late_min) and late_min >= rules.clocks.late_min
