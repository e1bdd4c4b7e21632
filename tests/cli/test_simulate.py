"""``trickwatch simulate``."""

from __future__ import annotations

import json

import typer
from typer.testing import CliRunner

from cli import simulate
from cli.simulate_check import Tally, check
from engine.notation import parse_deal
from engine.rulebook_toml import load


def run(*args):
    app = typer.Typer()
    simulate.register(app)
    app.command("other")(lambda: None)
    return CliRunner().invoke(app, ["simulate", *args])


def test_deals_are_checked_and_counted():
    done = run("--preset", "intro-1deck", "--seeds", "3", "--offences", "1", "--json")
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)
    assert (row["preset"], row["deals"], row["failures"]) == ("intro-1deck", 3, 0)
    assert row["found_at_first_proof"] == row["planted"] > 0


def test_a_deal_is_shown_as_text_that_parses():
    done = run("--preset", "intro-1deck", "--show", "--first", "4")
    assert done.exit_code == 0
    assert len(parse_deal(done.stdout).hands) == 4


def test_a_rulebook_that_is_none_is_refused():
    done = run("--preset", "no-such-sheet")
    assert done.exit_code == 2
    assert "no-such-sheet" in done.output


def test_what_does_not_hold_is_reported_with_its_seed(monkeypatch):
    rules, tally = load("intro-1deck"), Tally()
    monkeypatch.setattr("cli.simulate_check._first_proof", lambda kit, follow: 3)
    check(rules, 5, 0, tally)
    assert any(failure.startswith("intro-1deck seed 5: the audit proves {}") for failure in tally.failures)
