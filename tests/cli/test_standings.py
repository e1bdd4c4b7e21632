"""``trickwatch standings``: results in a file, the standing by the rulebook, the next round, and every fault with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from cli import standings

SWISS = """rulebook = "swiss-3deck"
teams = ["红队", "蓝队", "绿队", "黄队"]

[[results]]
round = 1
teams = ["红队", "蓝队"]
levels = [8, 2]

[[results]]
round = 1
teams = ["绿队", "黄队"]
forfeit = "黄队"
"""
HEAD = "round,one,two,level_one,level_two,points,winner,forfeit\n"


def run(folder: Path, text: str, *options: str, name: str = "results.toml") -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    standings.register(app)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["standings", str(file), *options])


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_equal_match_points_are_parted_by_the_sheets_tie_breaks_and_the_next_round_follows(tmp_path: Path) -> None:
    *table, last = rows(run(tmp_path, SWISS, "--json"))
    assert [(row["place"], row["team"], row["points"], row["level_difference"]) for row in table] == [
        (1, "红队", 2, 6),
        (2, "绿队", 2, 0),
        (3, "黄队", 0, 0),
        (4, "蓝队", 0, -6),
    ]
    assert last == {"next_round": 2, "pairs": [["红队", "绿队"], ["黄队", "蓝队"]]}


def test_the_table_is_written_in_both_languages(tmp_path: Path) -> None:
    out = run(tmp_path, SWISS).stdout
    assert "名次 place" in out
    assert "总级差 the sum of level differences" in out
    assert "第2轮 round 2: 红队 – 绿队  黄队 – 蓝队" in out


def test_a_csv_file_says_the_same(tmp_path: Path) -> None:
    text = HEAD + "1,红队,蓝队,8,2,,,\n1,绿队,黄队,,,,,黄队\n"
    found = run(tmp_path, text, "--json", "--rulebook", "swiss-3deck", name="r.csv")
    assert rows(found) == rows(run(tmp_path, SWISS, "--json"))


def test_a_draw_gives_both_a_point_where_the_sheet_knows_draws(tmp_path: Path) -> None:
    text = HEAD + "1,a,b,5,5,,,\n"
    assert [row.get("points") for row in rows(run(tmp_path, text, "--json", "--rulebook", "swiss-3deck", name="r.csv"))] == [1, 1, None]


def test_where_level_differences_are_the_score_they_are_the_points(tmp_path: Path) -> None:
    text = HEAD + "1,a,b,3,6,,,\n"
    table = rows(run(tmp_path, text, "--json", "--rulebook", "nanning-4deck-nobottom", name="r.csv"))
    assert [(row.get("team"), row.get("points")) for row in table[:2]] == [("b", 3), ("a", -3)]


def test_games_counted_by_points_decide_a_match(tmp_path: Path) -> None:
    """community-2deck-510K-must 3: 得分85分-----115分为平局."""
    table = rows(run(tmp_path, HEAD + "1,a,b,,,90 120 80 120,,\n", "--json", "--rulebook", "community-2deck-510K-must", name="r.csv"))
    assert [(row.get("team"), row.get("won")) for row in table[:2]] == [("a", 1), ("b", 0)]


def test_who_has_won_a_knock_out_leaves_no_further_round(tmp_path: Path) -> None:
    found = run(tmp_path, HEAD + "1,a,b,5,6,,,\n", "--json", "--rulebook", "staff-4deck-to4", name="r.csv")
    assert rows(found)[-1] == {"next_round": None, "pairs": []}
    assert "各轮已完 no further round" in run(tmp_path, HEAD + "1,a,b,5,6,,,\n", "--rulebook", "staff-4deck-to4", name="r.csv").stdout


@pytest.mark.parametrize(
    ("change", "line", "key", "expected"),
    [
        (('round = 1\nteams = ["红队"', 'round = 0\nteams = ["红队"'), 5, "round", "1 to 4"),
        (('"红队", "蓝队"]\nlevels', '"红队", "紫队"]\nlevels'), 6, "teams", "expected two of 红队, 蓝队, 绿队, 黄队"),
        (('"绿队", "黄队"]\nforfeit', '"绿队", "红队"]\nforfeit'), 11, "teams", "has a match in round 1 already"),
        (("[8, 2]", '[8, "Z"]'), 7, "levels", "expected the levels of both"),
        (('forfeit = "黄队"', 'forfeit = "红队"'), 12, "forfeit", "expected one of 绿队, 黄队"),
        (("levels = [8, 2]", "points = [90]"), 7, "points", "does not count games by points; expected levels"),
        (("levels =", "level ="), 7, "level", "is unknown; expected one of round teams levels"),
        (('["红队", "蓝队", "绿队", "黄队"]\n\n', '["红队"]\n\n'), 2, "teams", "expected two or more different names"),
    ],
)
def test_a_fault_is_told_with_its_line_its_key_and_what_was_expected(
    tmp_path: Path, change: tuple[str, str], line: int, key: str, expected: str
) -> None:
    text = SWISS.replace(*change, 1)
    assert text != SWISS
    result = run(tmp_path, text)
    assert result.exit_code == 2
    told = next(row for row in result.stderr.splitlines() if f"results.toml:{line}: {key}: " in row)
    assert expected in told


def test_all_faults_of_a_csv_file_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    text = HEAD + "x,a,b,5,6,,,\n1,a,a,5,6,,,\n1,a,b,5,5,,,\n2,a,b,5,6,,c,\n"
    result = run(tmp_path, text, "--rulebook", "staff-4deck-to4", name="r.csv")
    where = [row.partition("r.csv:")[2].split(": ")[:2] for row in result.stderr.splitlines()]
    assert where == [["2", "round"], ["3", "teams"], ["4", "winner"], ["5", "winner"]]
    assert "expected a winner" in result.stderr.splitlines()[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("teams = [", "TOML"),
        ('teams = ["a", "b"]', "expected it here or as --rulebook"),
        ('rulebook = "nosuch"', "nosuch"),
        ("results = 3", "rulebook"),
    ],
)
def test_a_file_that_is_no_list_of_results_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    result = run(tmp_path, text)
    assert result.exit_code == 2
    assert expected in result.stderr


def test_a_result_that_is_no_table_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path, 'rulebook = "swiss-3deck"\nteams = ["a", "b"]\nresults = [3]\n')
    assert result.exit_code == 2
    assert "results.toml:3: round: " in result.stderr


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "d.toml").mkdir()
    app = typer.Typer()
    app.callback()(lambda: None)
    standings.register(app)
    result = CliRunner().invoke(app, ["standings", str(tmp_path / "d.toml")])
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr
