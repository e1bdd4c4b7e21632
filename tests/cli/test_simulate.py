"""``trickwatch simulate``."""

from __future__ import annotations

import json
from dataclasses import replace

import typer
from typer.testing import CliRunner

from cli import simulate
from cli.simulate_check import Tally, check
from cli.simulate_sooner import Follow, sooner
from engine.audit import Verdict, audit, observe
from engine.cards import FACES, Seat, parse_trump
from engine.kit import Kit
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
    assert (row["found_before"], row["found_later"], row["never_found"], row["accused_wrongly"]) == (0, 0, 0, 0)
    assert row["bad_throws_found_at_first_proof"] == row["bad_throws_planted"] > 0
    assert row["refused_with_a_legal_alternative"] > 0


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


def changed(monkeypatch, **changes):
    """Let the audit say something else than it found."""
    monkeypatch.setattr("cli.simulate_check.audit", lambda *given: replace(audit(*given), **changes))


def test_a_throw_that_the_audit_misses_is_reported(monkeypatch):
    rules, tally = load("intro-1deck"), Tally()
    changed(monkeypatch, others=())
    check(rules, 5, 1, tally)
    assert any("the audit proves the throws {}, a recomputation {(" in failure for failure in tally.failures)


def test_an_undecided_play_at_the_end_is_reported(monkeypatch):
    rules, tally = load("intro-1deck"), Tally()
    changed(monkeypatch, verdicts=((Verdict.LEGAL, Verdict.UNDECIDED),))
    check(rules, 5, 0, tally)
    assert tally.failures == ["intro-1deck seed 5: a play is not decided at the end of the deal"]


def tricks_with_trumps_last(kit, last):
    """Twelve tricks led by E: N discards on a trump in the first, and the last cards unseen are trumps but for some."""
    faces = [face for face in FACES if face in kit.order.group]
    trumps = [face for face in faces if kit.group(face) == "T"]
    plain = [face for face in faces if kit.group(face) != "T"]
    spare = len(trumps) - 10 + last
    shown = [trumps[0], *plain[last:], *trumps[1:spare]]
    unseen = [*plain[:last], *trumps[spare:]]
    cards = [*shown, *unseen]
    return [[(cards[4 * i + j],) for j in range(4)] for i in range(12)], len(unseen)


def test_a_player_whose_last_card_can_only_be_a_trump_has_revoked_before_showing_it():
    rules = load("intro-1deck")
    kit = Kit(rules, parse_trump("2/H"))
    for others, wanted in ((0, True), (4, False)):
        tricks, unseen = tricks_with_trumps_last(kit, others)
        assert unseen == 10
        later = tuple((number, trick[1]) for number, trick in enumerate(tricks[1:], 2))
        follow = Follow(1, Seat.N, tricks[0][0], tricks[0][1], (), later)
        assert sooner(rules, kit, follow, tricks, [Seat.E] * 13, 12) is wanted


def test_on_small_packs_no_verdict_is_false_and_what_brute_force_knows_sooner_is_counted():
    done = run("--preset", "official-2deck-shengji", "--small", "--seeds", "3", "--json")
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)
    assert (row["deals"], row["false"]) == (3, 0)
    assert row["compared"] > row["follows"] > row["offences"] >= row["sooner"]


def test_a_false_verdict_on_a_small_pack_fails(monkeypatch):
    monkeypatch.setattr("cli.simulate_small.observe", lambda watch, trick, seat, cards, lead: accuse(observe(watch, trick, seat, cards, lead)))
    assert run("--preset", "official-2deck-shengji", "--small", "--seeds", "1").exit_code == 1


def accuse(watch):
    """Say of every play that it was an offence."""
    return replace(watch, verdicts=dict.fromkeys(watch.verdicts, Verdict.PROVEN))
