"""Clauses on the match and the competition."""

from __future__ import annotations

from collections.abc import Sequence

from engine import match as matches
from engine import referee
from engine.cards import Seat, Team
from engine.competition import Result, game_by_points, match_points, next_round, standings
from engine.events import DealStarted, Event, MatchStarted, ScoreSet, TrumpFixed
from engine.outcome import outcome
from engine.rulebook import Rulebook
from tests.engine.clauses.checks.base import Check


def tie(winner_: str | None, why: str) -> Check:
    """Equal levels at time, EW on the stage: who wins, or what decides."""

    def check(rules: Rulebook) -> None:
        level = str(rules.levels.path[1])
        found = matches.at_time(rules, {"EW": level, "NS": level}, Team.EW)
        assert found.winner == (Team(winner_) if winner_ else None)
        assert found.why.value == why
        higher = str(rules.levels.path[2])
        assert matches.at_time(rules, {"EW": level, "NS": higher}, Team.EW).winner is Team.NS

    return check


def best_of(games: int) -> Check:
    """How many games win a match."""

    def check(rules: Rulebook) -> None:
        need = games // 2 + 1
        assert matches.best_of(rules, [Team.NS] * need) is Team.NS
        assert need == 1 or matches.best_of(rules, [Team.NS] * (need - 1)) is None

    return check


def points_for(result: str, points: int) -> Check:
    """The match points of a win, a draw, a loss or the opponents' forfeit."""

    def check(rules: Rulebook) -> None:
        levels = (str(rules.levels.path[1]), str(rules.levels.path[0]))
        played = {
            "win": Result(1, "a", "b", levels, "a"),
            "draw": Result(1, "a", "b", levels, None),
            "loss": Result(1, "a", "b", levels, "b"),
            "forfeit": Result(1, "a", "b", levels, "a", "b"),
        }[result]
        assert match_points(rules.match, played, "a") == points

    return check


def first_in(entrants: Sequence[str], results: Sequence[Result]) -> Check:
    """The standing of the entrants, best first."""

    def check(rules: Rulebook) -> None:
        assert [row.entrant for row in standings(rules, sorted(entrants), results)] == list(entrants)

    return check


def _won(number: int, *pairs: tuple[str, str]) -> list[Result]:
    """Results of a round that the first named have won."""
    return [Result(number, one, two, ("5", "4"), one) for one, two in pairs]


def losers_are_out() -> Check:
    """Who has lost plays no further round; the last one left has won."""

    def check(rules: Rulebook) -> None:
        first = _won(1, ("a", "b"), ("c", "d"))
        assert next_round(rules, "abcd") == (("a", "b"), ("c", "d"))
        assert next_round(rules, "abcd", first) == (("a", "c"),)
        assert next_round(rules, "abcd", [*first, *_won(2, ("a", "c"))]) == ()

    return check


def everybody_meets_everybody() -> Check:
    """All pairs meet once, whoever wins."""

    def check(rules: Rulebook) -> None:
        results: list[Result] = []
        met = set()
        for number in (1, 2, 3):
            pairs = next_round(rules, "abcd", results)
            met |= {frozenset(pair) for pair in pairs}
            results += _won(number, *pairs)
        assert len(met) == 6

    return check


def so_many_rounds(number: int) -> Check:
    """Everybody plays so many rounds, and then it is over."""

    def check(rules: Rulebook) -> None:
        results: list[Result] = []
        for played in range(number):
            pairs = next_round(rules, "abcd", results)
            assert len(pairs) == 2, f"round {played + 1}"
            results += _won(played + 1, *pairs)
        assert next_round(rules, "abcd", results) == ()

    return check


def by_standing() -> Check:
    """The first round is as drawn, later the first meets the second and the third the fourth."""

    def check(rules: Rulebook) -> None:
        assert next_round(rules, "abcd") == (("a", "b"), ("c", "d"))
        results = [*_won(1, ("b", "a")), Result(1, "c", "d", ("9", "3"), "d")]
        order = [row.entrant for row in standings(rules, "abcd", results)]
        assert next_round(rules, "abcd", results) == ((order[0], order[1]), (order[2], order[3]))
        assert {order[0], order[1]} == {"b", "d"}

    return check


def drawn_anew() -> Check:
    """Every round is paired as the draw for it says, losers included."""

    def check(rules: Rulebook) -> None:
        assert next_round(rules, "abcd") == (("a", "b"), ("c", "d"))
        assert next_round(rules, "dbca", _won(1, ("a", "b"), ("c", "d"))) == (("d", "b"), ("c", "a"))

    return check


def level_differences_count() -> Check:
    """Who wins by more levels stands above who wins more often; losing narrowly takes little away."""

    def check(rules: Rulebook) -> None:
        low, middle, high = (str(rules.levels.path[i]) for i in (1, 2, 6))
        results = [
            Result(1, "a", "b", (middle, low), "a"),
            Result(1, "c", "d", (high, low), "c"),
            Result(2, "a", "c", (middle, low), "a"),
            Result(2, "b", "d", (low, low), None),
        ]
        table = standings(rules, "abcd", results)
        assert [(row.entrant, row.points) for row in table] == [("c", 4), ("a", 2), ("b", -1), ("d", -5)]

    return check


def games_by_points(**wanted: str) -> Check:
    """What a game scored by points is: ``p85="draw"``."""

    def check(rules: Rulebook) -> None:
        assert {points: game_by_points(rules, int(points[1:])) for points in wanted} == wanted

    return check


def ends_after_deals(number: int) -> Check:
    """The match is over after so many deals, and the higher level has won it."""

    def check(rules: Rulebook) -> None:
        state = referee.step(referee.start(rules), MatchStarted(rulebook=rules.name))[0]
        for played in range(1, number + 1):
            assert outcome(state) is None, f"after {played - 1} deals"
            level = str(rules.levels.path[0])
            events: tuple[Event, ...] = (
                DealStarted(deal=played, levels=dict(state.levels) if played > 1 else {"EW": level, "NS": level}, declarer=Seat.E),
                TrumpFixed(trump=f"{level}/H", declarer=Seat.E),
                ScoreSet(points=5, trick=1, leader=Seat.E, end=True),
            )
            for event in events:
                state, _ = referee.step(state, event)
        found = outcome(state)
        assert found is not None
        assert (found.winner, found.why) == (Team.EW, matches.Why.LEVELS)

    return check
