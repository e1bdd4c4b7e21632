"""``trickwatch judge`` and ``trickwatch bench engine`` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner, Result

from cli import bench, judge

GOOD = {"id": "a", "rulebook": "official-2deck-shengji", "trump": "2/H", "ask": "winner", "plays": [["S8"], ["S9"], ["H3"], ["SK"]]}


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    judge.register(app)
    bench.register(app)
    return CliRunner().invoke(app, list(arguments))


def cases(folder: Path, *lines: object) -> str:
    file = folder / "cases.jsonl"
    file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def test_one_answer_a_line_in_order(tmp_path: Path) -> None:
    result = run("judge", cases(tmp_path, GOOD, {**GOOD, "id": "b", "ask": "shapes", "cards": ["S3"]}))
    assert result.exit_code == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["a", "b"]


def test_a_bad_case_gets_an_error_and_the_rest_is_answered(tmp_path: Path) -> None:
    result = run("judge", cases(tmp_path, {**GOOD, "plays": [["S8"]]}, "{nonsense", GOOD))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 2
    assert ["error" in answer for answer in answers] == [True, True, False]
    assert [answer.get("line") for answer in answers] == [None, 2, None], "what has no id is told by its line"
    assert answers[2]["winner"] == 2


def test_check_prints_what_differs(tmp_path: Path) -> None:
    right, wrong = {**GOOD, "want": {"winner": 2}}, {**GOOD, "id": "b", "want": {"winner": 2, "points": 5}}
    assert run("judge", cases(tmp_path, right), "--check").exit_code == 0
    result = run("judge", cases(tmp_path, right, wrong), "--check")
    assert result.exit_code == 1
    assert json.loads(result.stdout.splitlines()[0]) == {"id": "b", "line": 2, "differs": {"points": {"want": 5, "got": 10}}}


def test_check_of_a_wanted_error(tmp_path: Path) -> None:
    bad = {**GOOD, "plays": [["S8"]], "want": {"error": "expected 4"}}
    assert run("judge", cases(tmp_path, bad), "--check").exit_code == 0


def test_a_line_that_cannot_even_be_read_spoils_no_other(tmp_path: Path) -> None:
    """Not UTF-8, nested too deep, a number of 5,000 digits, half a character, a separator inside a text, a mark at the file's start."""
    good = json.dumps({**GOOD, "note": "one line\u2028still"}, ensure_ascii=False).encode()
    lines = [
        good,
        b'{"id": "latin", "note": "\xe9"}',
        b"[" * 100_000,
        b'{"id": "long", "points": ' + b"9" * 5_000 + b"}",
        b'{"id": "half \\ud800", "ask": "\\ud800"}',
        b"",
        good + b"\r",
    ]
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + b"\n".join(lines))
    result = run("judge", str(file))
    assert result.exit_code == 2
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [("error" in answer, answer["id"]) for answer in answers] == [
        (False, "a"),
        (True, "latin"),
        (True, None),
        (True, "long"),
        (True, "half \ud800"),
        (False, "a"),
    ]


def test_check_names_the_line_of_the_file(tmp_path: Path) -> None:
    result = run("judge", cases(tmp_path, GOOD, "", {**GOOD, "want": {"winner": 0}}), "--check")
    assert json.loads(result.stdout)["line"] == 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run("judge", str(tmp_path / "none.jsonl"))
    assert result.exit_code == 2
    assert "none.jsonl" in result.stderr


def test_bench_engine_measures_every_row() -> None:
    result = run("bench", "engine", "--deals", "1", "--json")
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    names = {row["name"] for row in rows}
    assert {"follow check, 2 packs", "follow check, 4 packs", "audit of a deal, 4 packs", "killer: ten singles on 33 trumps"} <= names
    *timed, growth, memory = rows
    assert all(row["median_us"] > 0 and row["ratio"] > 0 for row in timed)
    assert 0 < growth["value"] < 4, "the time of a follow check grows like a power of the cards led"
    assert memory["after"] < memory["before"] + 100_000, "auditing further deals holds no further memory"
