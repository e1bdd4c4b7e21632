"""``trickwatch standings``: who stands where in a competition, by the match points and tie-breaks of its rulebook, and who meets whom next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated
from unicodedata import east_asian_width

import typer

from cli.standings_file import read
from engine.competition import CompetitionError, Standing, next_round, standings
from engine.rulebook import Rulebook
from engine.rulebook_toml import RulebookError
from engine.score import ladder

HEAD = ("名次 place", "队 team", "积分 points", "场 played", "胜 won", "级差 levels", "末轮级数 last level")


def register(app: typer.Typer) -> None:
    """Add the verb ``standings``."""
    app.command("standings")(show)


def show(
    file: Annotated[Path, typer.Argument(help="Results, TOML or CSV. 各轮结果")],
    rulebook: Annotated[str | None, typer.Option(help="Preset or TOML file; else the one that the file names. 规则")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a team, then the next round. 输出 JSON")] = False,
) -> None:
    """The standing of a competition by the rulebook's match points and tie-breaks, and the pairs of the next round.

    A CSV file needs `--rulebook`; its teams stand in the order of the draw by their first appearance:

        round,one,two,level_one,level_two,winner,forfeit
        1,红队,蓝队,8,2,,
        1,绿队,黄队,,,,黄队

    A TOML file holds `rulebook`, `teams` in the order of the draw, and a table `[[results]]` a match: `round = 1`, `teams = ["红队", "蓝队"]`,
    `levels = ["8", "2"]`. The higher level has won; where that does not decide, `winner` names a team or says "draw". `forfeit` names who did not
    play. `points` (of the first team in each game) stands in place of the levels where the rulebook counts games by points.
    """
    try:
        rules, teams, results = read(file, rulebook)
        table, pairs = standings(rules, teams, results), next_round(rules, teams, results)
    except RulebookError as error:
        typer.echo("\n".join(str(fault) for fault in error.faults), err=True)
        raise typer.Exit(2) from None
    except CompetitionError as error:
        typer.echo(f"{file}: 无法排出名次 / {error}", err=True)
        raise typer.Exit(2) from None
    except OSError as error:
        typer.echo(f"{file}: 读不了 / cannot be read: {error}", err=True)
        raise typer.Exit(2) from None
    number = max((r.round for r in results), default=0) + 1
    if as_json:
        for row in table:
            typer.echo(json.dumps(_row(rules, row), ensure_ascii=False))
        typer.echo(json.dumps({"next_round": number if pairs else None, "pairs": pairs}, ensure_ascii=False))
        return
    breaks = " > ".join(f"{term.zh} {term.en}" for term in rules.match.tie_breaks) or "– none"
    typer.echo(f"{rules.name}  {rules.match.format.zh} {rules.match.format.en}  积分相同 equal points: {breaks}")
    rows: list[tuple[str, ...]] = [HEAD, *(tuple("–" if value is None else str(value) for value in _row(rules, row).values()) for row in table)]
    widths = [max(_width(row[i]) for row in rows) for i in range(len(HEAD))]
    for cells in rows:
        typer.echo("  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)).rstrip())
    if pairs:
        typer.echo(f"第{number}轮 round {number}: " + "  ".join(f"{one} – {two}" for one, two in pairs))
    else:
        typer.echo("各轮已完 no further round")


def _row(rules: Rulebook, row: Standing) -> dict[str, object]:
    last = ladder(rules.levels)[row.last_level] if row.played else None
    return {
        "place": row.place,
        "team": row.entrant,
        "points": row.points,
        "played": row.played,
        "won": row.won,
        "level_difference": row.level_difference,
        "last_level": last,
    }


def _width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
