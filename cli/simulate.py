"""``trickwatch simulate``: deals played by simulated players, to look at one or to check the engine on many."""

from __future__ import annotations

import json
from dataclasses import asdict
from time import perf_counter
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the verb ``simulate``."""
    app.command("simulate")(simulate)


def simulate(
    preset: Annotated[str, typer.Option("--preset", "--rulebook", help="A rulebook, or `all` presets.")] = "official-2deck-shengji",
    seeds: Annotated[int, typer.Option(min=1, help="How many deals of each.")] = 10,
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    offences: Annotated[int, typer.Option(min=0, help="Offences to plant in each deal.")] = 1,
    kind: Annotated[list[str] | None, typer.Option(help="Kinds to plant: suit, pair, tractor, shape; may be repeated. Default: all.")] = None,
    small: Annotated[
        bool, typer.Option("--small", help="Small packs instead: compare every verdict with all deals that fit what was shown.")
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the first deal as text instead of checking.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a rulebook.")] = False,
) -> None:
    """Play whole deals and check what must hold.

    Legal follows exist and are found, refused plays (the planted ones and a random one a follow) are told a legal alternative, cards and points are
    conserved, the fold and its undo are exact, the text parses back, and the audit finds every planted offence and every planted throw that does
    not stand at the first trick that proves it, never before, never later, accuses nobody else, and has decided every play in the end. Exit status
    1 when anything does not hold. Times of the audit are processor time.
    """
    from cli.simulate_check import Tally, check
    from cli.simulate_check import simulate as deal_of
    from cli.simulate_small import small as compare
    from engine import notation, referee
    from engine.offences import Offence
    from engine.rulebook_toml import RulebookError, RulebookRefusedError, load, names

    try:
        kinds = tuple(Offence(word) for word in kind or [*Offence])
    except ValueError:
        raise typer.BadParameter(f"应为 {'、'.join(Offence)} / {' '.join(kind or ())}: expected {', '.join(Offence)}", param_hint="--kind") from None
    failed = False
    for name in names() if preset == "all" else (preset,):
        try:
            rules = load(name)
        except RulebookRefusedError:
            continue
        except (RulebookError, OSError) as error:
            typer.echo(f"trickwatch simulate: {error}", err=True)
            raise typer.Exit(2) from None
        if show:
            done = deal_of(rules, first, offences, kinds)
            typer.echo(notation.format_events([e for e in done.events if not referee.is_derived(e)], done.hands))
            continue
        if small:
            seen = compare(rules, seeds, first)
            failed = failed or bool(seen.false)
            line = {"preset": name, **asdict(seen)}
            typer.echo(json.dumps(line, ensure_ascii=False) if as_json else "  ".join(f"{key} {value}" for key, value in line.items()))
            continue
        tally, started = Tally(), perf_counter()
        for seed in range(first, first + seeds):
            check(rules, seed, offences, tally, kinds)
        took = perf_counter() - started
        failed = failed or bool(tally.failures)
        audits = sorted(tally.audit_s)
        row = {
            "preset": name, "deals": tally.deals, "plays": tally.plays, "follows": tally.follows, "planted": tally.planted,
            "found_at_first_proof": tally.found, "found_before": tally.before, "found_later": tally.later, "never_found": tally.never,
            "accused_wrongly": tally.accused, "sooner_by_conservation": tally.sooner, "throws": tally.throws,
            "bad_throws_planted": tally.throws_planted, "bad_throws_found_at_first_proof": tally.throws_found,
            "refused_with_a_legal_alternative": tally.refused, "failures": len(tally.failures),
            "audit_ms_median": round(audits[len(audits) // 2] * 1000, 1), "audit_ms_worst": round(audits[-1] * 1000, 1), "seconds": round(took, 1),
        }  # fmt: skip
        if as_json:
            typer.echo(json.dumps(row, ensure_ascii=False))
        else:
            typer.echo(
                f"{name:30} {tally.deals:6} deals {tally.plays:8} plays {tally.planted:6} planted {tally.found:6} found at first proof "
                f"{len(tally.failures):4} failures  audit {row['audit_ms_median']} ms (worst {row['audit_ms_worst']})"
            )
        for failure in tally.failures:
            typer.echo(failure, err=True)
    if failed:
        raise typer.Exit(1)
