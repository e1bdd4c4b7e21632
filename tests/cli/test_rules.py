"""``trickwatch rules``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from cli.rules import register


@pytest.fixture
def run() -> object:
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)
    runner = CliRunner()

    def call(*args: str) -> Result:
        return runner.invoke(app, ["rules", *args])

    return call


def test_list_tells_every_rulebook_and_why_one_is_refused(run) -> None:
    out = run("list")
    assert out.exit_code == 0
    assert "official-2deck-shengji" in out.output
    assert "online-tractor" in out.output
    assert "labin-not-shengji" in out.output
    assert "拒绝" in out.output
    assert "refused" in out.output


def test_list_as_json_lines(run) -> None:
    rows = [json.loads(line) for line in run("list", "--json").output.splitlines()]
    by_name = {row["name"]: row for row in rows}
    assert by_name["union-3deck-3toK"]["base"] == 120
    assert by_name["union-3deck-3toK"]["step"] == 60
    assert "climbing" in by_name["labin-not-shengji"]["refused"]["en"]


def test_show_in_both_languages(run) -> None:
    assert "「应扣N*10分」" in run("show", "shuangsheng-2deck-to10").output
    assert "fine for a failed throw: 10" in run("show", "shuangsheng-2deck-to10", "--lang", "en").output


def test_show_as_json_lines(run) -> None:
    rows = [json.loads(line) for line in run("show", "swiss-3deck", "--json").output.splitlines()]
    by_key = {row["key"]: row for row in rows if "key" in row}
    assert by_key["match.win"] == {"key": "match.win", "label": "胜积分", "value": "2", "clause": ["胜2分"], "assumed": False}
    assert "scoring" in rows[-1]["assumed"]


def test_show_of_an_unknown_or_refused_rulebook_fails_with_the_reason(run) -> None:
    unknown = run("show", "nothing")
    assert unknown.exit_code == 2
    assert "official-2deck-shengji" in unknown.output
    refused = run("show", "labin-not-shengji")
    assert refused.exit_code == 2
    assert "climbing game" in refused.output


def test_check_names_key_line_and_what_was_expected(run, tmp_path: Path) -> None:
    good = tmp_path / "good.toml"
    good.write_text('version = 1\nname = "good"\ninherits = "swiss-3deck"\n[clocks]\nplay_s = 30\n', encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text('version = 1\nname = "bad"\ninherits = "swiss-3deck"\n\n[clocks]\nplay = 30\n', encoding="utf-8")
    assert run("check", str(good)).exit_code == 0
    out = run("check", str(good), str(bad))
    assert out.exit_code == 2
    assert f"{bad}:6: clocks.play: " in out.output
    assert "expected one of at_time" in out.output
    rows = [json.loads(line) for line in run("check", str(bad), "--json").output.splitlines()]
    assert rows[0]["key"] == "clocks.play"
    assert rows[0]["line"] == 6
    assert rows[0]["zh"]


def test_check_of_a_file_that_is_not_there_or_no_text(run, tmp_path: Path) -> None:
    assert run("check", str(tmp_path / "none.toml")).exit_code == 2
    blob = tmp_path / "blob.toml"
    blob.write_bytes(b"\xff\xfe\x00")
    out = run("check", str(blob))
    assert out.exit_code == 2
    assert "blob.toml" in out.output


def test_doc_writes_the_page_and_finds_it_out_of_date(run, tmp_path: Path) -> None:
    page = tmp_path / "docs" / "rulebooks.md"
    assert run("doc", "--out", str(page), "--check").exit_code == 1
    assert run("doc", "--out", str(page)).exit_code == 0
    assert run("doc", "--out", str(page), "--check").exit_code == 0
    page.write_text(page.read_text(encoding="utf-8") + "x", encoding="utf-8")
    assert run("doc", "--out", str(page), "--check").exit_code == 1
