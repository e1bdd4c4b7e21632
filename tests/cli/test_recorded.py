"""``export``, ``report``, ``verify``, ``import`` and ``statistics``: whole ways, and errors in one sentence."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from cli import export, statistics
from tests.kiosk.recorded import match_file, match_log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    match_file(tmp_path / "logs" / "table.db")
    return tmp_path / "logs"


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    export.register(app)
    statistics.register(app)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("form", ["jsonl", "txt", "csv", "twbundle"])
def test_match_is_exported_in_every_form(folder: Path, tmp_path: Path, form: str) -> None:
    found = run("export", "last", "--in", folder, "--to", tmp_path / f"m.{form}")
    assert found.exit_code == 0, found.output
    made = [tmp_path / name for name in (("m-deals.csv", "m-tricks.csv") if form == "csv" else (f"m.{form}",))]
    assert all(path.stat().st_size > 100 for path in made)


def test_bundle_is_verified_imported_and_found_there(folder: Path, tmp_path: Path) -> None:
    assert run("export", match_log().match[:8], "--in", folder, "--to", tmp_path / "m.twbundle").exit_code == 0
    seal = run("verify", tmp_path / "m.twbundle").output.split("seal")[1].split()[0]
    assert run("verify", tmp_path / "m.twbundle", "--seal", seal).exit_code == 0
    assert run("verify", tmp_path / "m.twbundle", "--seal", "0" * 64).exit_code == 1
    found = run("import", tmp_path / "m.twbundle", "--in", tmp_path / "there")
    assert "go on" in found.output
    assert "here already" in run("import", tmp_path / "m.twbundle", "--in", tmp_path / "there").output
    assert run("verify", tmp_path / "there" / "matches" / f"{match_log().match}.db").exit_code == 0


def test_changed_bundle_is_refused_with_the_name_of_what_was_changed(folder: Path, tmp_path: Path) -> None:
    run("export", "last", "--in", folder, "--to", tmp_path / "m.twbundle")
    whole = (tmp_path / "m.twbundle").read_bytes()
    (tmp_path / "m.twbundle").write_bytes(whole.replace(b'"CardsPlayed"', b'"CardsPlaced"', 1))
    for verb in (("verify", tmp_path / "m.twbundle"), ("import", tmp_path / "m.twbundle", "--in", tmp_path / "there")):
        found = run(*verb)
        assert found.exit_code == (1 if verb[0] == "verify" else 2)
        assert "record.jsonl was changed" in found.output


@pytest.mark.parametrize("form", ["jsonl", "db"])
def test_changed_record_and_log_are_told_from_files_that_cannot_be_read(folder: Path, tmp_path: Path, form: str) -> None:
    if form == "jsonl":
        run("export", "last", "--in", folder, "--to", tmp_path / "m.jsonl")
        lines = (tmp_path / "m.jsonl").read_text("utf-8").splitlines(keepends=True)
        (tmp_path / "m.jsonl").write_text("".join([*lines[:5], *lines[6:]]), "utf-8")
    else:
        (tmp_path / "m.db").write_bytes((folder / "table.db").read_bytes())
        with sqlite3.connect(tmp_path / "m.db") as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute("UPDATE log SET author = 'somebody' WHERE seq = 7")
    assert run("verify", tmp_path / f"m.{form}").exit_code == 1
    (tmp_path / f"m.{form}").write_bytes(b"nonsense" * 9)
    assert run("verify", tmp_path / f"m.{form}").exit_code == 2


def test_evidence_needs_to_know_what_it_is_about(folder: Path, tmp_path: Path) -> None:
    assert run("export", "last", "--in", folder, "--to", tmp_path / "e.zip").exit_code == 2
    assert run("export", "last", "--in", folder, "--to", tmp_path / "e.zip", "--deal", "1", "--trick", "3").exit_code == 0
    assert run("export", "last", "--in", folder, "--to", tmp_path / "e.zip", "--ruling", "9.9.E.suit").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [("export", "none", "--to", "x.txt"), ("export", "last", "--to", "x.exe"), ("verify", "nowhere.zip"), ("import", "nowhere.jsonl")],
)
def test_what_cannot_be_done_is_said_in_one_sentence(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    extra = () if arguments[0] == "verify" else ("--in", tmp_path)
    found = run(*arguments, *extra)
    assert found.exit_code == 2
    assert "Traceback" not in found.output


@pytest.mark.parametrize("verb", [("export", "last", "--to", "x.txt"), ("statistics",), ("import", "none.jsonl"), ("import", "none.twbundle")])
def test_folder_that_was_mistyped_is_refused_and_not_made(tmp_path: Path, verb: tuple[str, ...]) -> None:
    found = run(*verb, "--in", tmp_path / "nowhere")
    assert found.exit_code == 2
    assert (verb[1] if verb[0] == "import" else str(tmp_path / "nowhere")) in found.output
    assert not (tmp_path / "nowhere").exists()


def test_record_of_a_match_that_is_here_under_another_name_is_not_imported_twice(folder: Path, tmp_path: Path) -> None:
    run("export", "last", "--in", folder, "--to", tmp_path / "m.jsonl")
    assert "here already" in run("import", tmp_path / "m.jsonl", "--in", folder).output
    assert not (folder / "matches").exists()


def test_nobody_is_counted_without_agreeing(folder: Path) -> None:
    assert json.loads(run("statistics", "--in", folder, "--json").output)["players"] == []
    found = json.loads(run("statistics", "--in", folder, "--agree", "李伟", "--json").output)
    assert [row["name"] for row in found["players"]] == ["李伟"]
    assert run("statistics", "--in", folder, "--agree", "nobody").exit_code == 2
    assert "李伟" in run("statistics", "--in", folder).output
    run("statistics", "--in", folder, "--forget", "李伟")
    assert json.loads(run("statistics", "--in", folder, "--json").output)["agreed"] == []
