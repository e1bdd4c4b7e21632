"""The results of a competition as a TOML or CSV file, read for ``trickwatch standings``."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from engine.competition import Result, game_by_points
from engine.rulebook import Rulebook
from engine.rulebook_terms import Format, Tie
from engine.rulebook_toml import Fault, RulebookError, load
from engine.score import ladder
from engine.toml_lines import key_lines

DRAW: Final = ("draw", "平")
COLUMNS: Final = ("round", "one", "two", "level_one", "level_two", "points", "winner", "forfeit")
KEYS: Final = ("round", "teams", "levels", "points", "winner", "forfeit")
Rows = list[tuple[dict[str, Any], Mapping[str, int]]]
"""Each result as it was written, and the line of each of its keys ("" for the result itself)."""


def read(file: Path, rulebook: str | None) -> tuple[Rulebook, list[str], list[Result]]:
    """The rulebook, the teams in the order of the draw, and the results of a file.

    :param rulebook: instead of the one that the file names.
    :raises RulebookError: with every fault: key, line, what was expected.
    :raises OSError: when the file cannot be read.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
        head, rows = _csv(text) if file.suffix.lower() == ".csv" else _toml(text)
    except UnicodeDecodeError:
        raise RulebookError([Fault("UTF-8", 0, "文件不是UTF-8编码", "the file is not UTF-8", str(file))]) from None
    except (tomllib.TOMLDecodeError, csv.Error) as error:
        kind = "TOML" if isinstance(error, tomllib.TOMLDecodeError) else "CSV"
        raise RulebookError([Fault(kind, 0, f"无法读懂：{error}", str(error), str(file))]) from None
    name = rulebook or head.get("rulebook")
    if not isinstance(name, str):
        zh, en = "没有写明规则，应在文件中或以--rulebook给出", "is missing; expected it here or as --rulebook"
        raise RulebookError([Fault("rulebook", 0, zh, en, str(file))])
    rules = load(name)
    teams = head.get("teams", list(dict.fromkeys(team for row, _ in rows for team in _teams(row))))
    if not (isinstance(teams, list) and all(isinstance(team, str) and team for team in teams) and len(set(teams)) == len(teams) >= 2):
        zh, en = f"{teams!r}，应为至少两队，名称各异", f"is {teams!r}; expected two or more different names"
        raise RulebookError([Fault("teams", head.get("line", 0), zh, en, str(file))])
    faults: list[Fault] = []
    results: list[Result] = []
    for row, lines in rows:
        found = list(_wrong(row, rules, teams, results))
        faults += [Fault(key, lines.get(key) or lines[""], zh, en, str(file)) for key, zh, en in found]
        if not found:
            results.append(_result(row, rules))
    if faults:
        raise RulebookError(faults)
    return rules, teams, results


def _toml(text: str) -> tuple[dict[str, Any], Rows]:
    data, at = tomllib.loads(text), key_lines(text)
    rows: Rows = []
    written = data.pop("results", [])
    for i, row in enumerate(written if isinstance(written, list) else [written]):
        start = f"results[{i}]"
        lines = {key.removeprefix(start).lstrip("."): line for key, line in at.items() if key == start or key.startswith(start + ".")}
        held = row if isinstance(row, dict) else {}
        if isinstance(held.get("levels"), list):
            held["levels"] = [str(level) for level in held["levels"]]
        rows.append((held, {"": at.get("results", 0)} | lines))
    return {**data, "line": at.get("teams", 0)}, rows


def _csv(text: str) -> tuple[dict[str, Any], Rows]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    rows: Rows = []
    for line in reader:
        row: dict[str, Any] = {str(key): value for key, value in line.items() if value and key not in COLUMNS[1:5]}
        row["teams"] = [line.get("one") or "", line.get("two") or ""]
        if line.get("level_one") or line.get("level_two"):
            row["levels"] = [line.get("level_one") or "", line.get("level_two") or ""]
        if str(row.get("round", "")).isdecimal():
            row["round"] = int(row["round"])
        if "points" in row:
            row["points"] = [int(game) if game.isdecimal() else game for game in str(row["points"]).split()]
        rows.append((row, {"": reader.line_num}))
    return {}, rows


def _teams(row: Mapping[str, Any]) -> list[str]:
    value = row.get("teams")
    return [team for team in value if isinstance(team, str) and team] if isinstance(value, list) else []


def _wrong(row: Mapping[str, Any], rules: Rulebook, teams: list[str], before: list[Result]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a result: key, Chinese, English."""
    for key in row:
        if key not in KEYS:
            yield key, f"不认识，应为{' '.join(KEYS)}之一", f"is unknown; expected one of {' '.join(KEYS)}"
    number, pair, last = row.get("round"), _teams(row), rules.match.rounds
    if not isinstance(number, int) or isinstance(number, bool) or number < 1 or (last and number > last):
        yield "round", f"{number!r}，应为第几轮（1至{last or '…'}）", f"is {number!r}; expected the number of a round, 1 to {last or '...'}"
    if len(pair) != 2 or pair[0] == pair[1] or not set(pair) <= set(teams):
        yield "teams", f"{row.get('teams')!r}，应为{'、'.join(teams)}中的两队", f"is {row.get('teams')!r}; expected two of {', '.join(teams)}"
        return
    if rules.match.format is not Format.TEAM_OF_PAIRS:
        for team in pair:
            if any(r.round == number and team in (r.one, r.two) for r in before):
                yield "teams", f"{team}在第{number}轮已有一场", f"{team} has a match in round {number} already; expected one a round"
    for key, allowed in (("winner", (*pair, *DRAW)), ("forfeit", pair)):
        if key in row and row[key] not in allowed:
            yield key, f"{row[key]!r}，应为{'、'.join(allowed)}之一", f"is {row[key]!r}; expected one of {', '.join(allowed)}"
    if "forfeit" in row:
        return
    rungs, levels, points = ladder(rules.levels), row.get("levels"), row.get("points")
    most = 100 * rules.pack.decks
    if points is not None and not rules.match.draw_to:
        yield "points", "此规则不按得分论胜负，应写levels", f"{rules.name} does not count games by points; expected levels"
    elif points is not None:
        if not (isinstance(points, list) and points and all(isinstance(game, int) and 0 <= game <= most for game in points)):
            zh = f"{points!r}，应为前一队各局得分，每局0至{most}"
            yield "points", zh, f"is {points!r}; expected the first team's points of each game, 0 to {most}"
            return
    elif not (isinstance(levels, list) and len(levels) == 2 and all(level in rungs for level in levels)):
        zh = f"{levels!r}，应为两队打到的级，在{' '.join(rungs)}之中"
        yield "levels", zh, f"is {levels!r}; expected the levels of both, each of {' '.join(rungs)}"
        return
    if "winner" not in row and rules.match.tie is not Tie.DRAW and not _ahead(row, rules):
        zh, en = rules.match.tie.zh, rules.match.tie.en
        yield "winner", f"双方相平，此规则：{zh}；应写winner", f"is missing: the sides are level and the sheet says: {en}; expected a winner"


def _ahead(row: Mapping[str, Any], rules: Rulebook) -> int:
    """By how much the first team is ahead, in levels or games won."""
    if "points" in row:
        worth = {"win": 1, "draw": 0, "loss": -1}
        return sum(worth[game_by_points(rules, game)] for game in row["points"]) if rules.match.draw_to else 1
    rungs = ladder(rules.levels)
    return rungs.index(row["levels"][0]) - rungs.index(row["levels"][1])


def _result(row: Mapping[str, Any], rules: Rulebook) -> Result:
    """A result that nothing is wrong with; who is ahead has won unless it says otherwise."""
    one, two = row["teams"]
    start = str(rules.levels.path[0])
    levels = (row["levels"][0], row["levels"][1]) if "levels" in row else (start, start)
    if "forfeit" in row:
        winner = two if row["forfeit"] == one else one
    elif "winner" in row:
        winner = None if row["winner"] in DRAW else row["winner"]
    else:
        ahead = _ahead(row, rules)
        winner = None if ahead == 0 else one if ahead > 0 else two
    return Result(row["round"], one, two, levels, winner, row.get("forfeit"))
