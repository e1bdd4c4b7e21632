"""``trickwatch bench``: how fast the parts are on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cli.bench_crash import crash_verb
from cli.bench_vision import vision


def register(app: typer.Typer) -> None:
    """Add the verb ``bench`` with its parts."""
    bench = typer.Typer(no_args_is_help=True, help="Measure speed on this machine.")
    bench.command("engine")(engine)
    bench.command("review")(review)
    bench.command("notation")(notation)
    bench.command("crash")(crash_verb)
    bench.command("kiosk")(kiosk)
    bench.command("vision")(vision)
    app.add_typer(bench, name="bench")


def engine(
    deals: Annotated[int, typer.Option(min=1, help="Random deals played for two and for four packs.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a measurement.")] = False,
) -> None:
    """Time the rules: follow checks, winners, audits, the known killers, and how times grow with the cards.

    Times are processor time. Every time is also given as a ratio to a baseline that runs beside it (counting 25 cards into a table), so that
    machines compare.
    """
    from cli.bench_engine import LIMITS, growth_exponent, measure, memory_growth

    rows = measure(deals, seed)
    exponent, (before, after) = growth_exponent(rows), memory_growth(3, seed)
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row.as_dict(), ensure_ascii=False))
        typer.echo(json.dumps({"name": "growth exponent", "value": round(exponent, 2)}))
        typer.echo(json.dumps({"name": "memory held, bytes", "before": before, "after": after}))
        return
    grown = max(row.median_us for row in rows if row.name.startswith("growth:"))
    typer.echo(f"{'':48}{'n':>7}{'median µs':>12}{'worst µs':>12}{'× baseline':>12}  reach")
    for row in rows:
        limit = LIMITS.get(row.name)
        mark = "" if limit is None else f"{limit[0]} ≤ {limit[1]:g} µs {'✓' if row.holds(limit) else '✗'}"
        if row.name.startswith("growth:"):
            mark = "█" * max(1, round(40 * row.median_us / grown))
        typer.echo(f"{row.name:48}{row.count:7}{row.median_us:12.1f}{row.worst_us:12.1f}{row.ratio:12.1f}  {mark}")
    typer.echo(f"growth: time ∝ (cards led)^{exponent:.1f}")
    typer.echo(f"memory held after auditing 6 and 9 deals of four packs: {before / 1e6:.2f} and {after / 1e6:.2f} MB")


def review(
    deals: Annotated[int, typer.Option(min=1, help="Deals in the index.")] = 10_000,
    distinct: Annotated[int, typer.Option(min=1, help="How many of them are simulated; the others repeat these.")] = 200,
    rulebook: Annotated[str, typer.Option(help="The rulebook of the deals.")] = "official-2deck-shengji",
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a measurement.")] = False,
) -> None:
    """Time the review of many deals in one index, and give the size of a deal's log. Exit status 1 if an aim is missed."""
    from cli.bench_review import review as measure

    if not measure(deals, distinct, rulebook, seed, typer.echo, as_json=as_json):
        raise typer.Exit(1)


def notation(deals: Annotated[int, typer.Option(min=1, help="Simulated deals, over all presets in turn.")] = 1000) -> None:
    """Print simulated deals as text, parse and fold them again, and compare the states. Exit status 1 if any differs."""
    from cli.bench_review import notation as check

    if not check(deals, typer.echo):
        raise typer.Exit(1)


def kiosk(
    viewers: Annotated[list[int] | None, typer.Option(min=1, help="How many look on; may be given more than once (default: 50 and 500).")] = None,
    plays: Annotated[int, typer.Option(min=1, help="Plays that they see.")] = 40,
    interval: Annotated[float, typer.Option(min=0.0, help="Seconds between two plays.")] = 0.5,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a measurement.")] = False,
) -> None:
    """Time a committed play until it has reached the pages, over the loopback. Exit status 1 if a step was lost or an aim is missed."""
    from cli.bench_kiosk import AIM_MS, measure, more_files

    good = True
    for count in viewers or [50, 500]:
        more_files(count + 200)
        load = measure(count, plays, interval)
        good = good and not load.lost and not load.out_of_order and (count > 50 or load.p95_ms <= AIM_MS)
        if as_json:
            typer.echo(json.dumps(load.as_dict()))
            continue
        typer.echo(
            f"{load.viewers} viewers, {load.plays} plays: after {load.p50_ms} ms (median), {load.p95_ms} ms (p95), {load.worst_ms} ms (worst) "
            f"and {load.lost} steps lost, {load.out_of_order} out of order; {load.message_bytes} bytes a message; load average {load.load}"
        )
        typer.echo(
            f"  a play keeps the camera's thread {load.alone_ms} ms without viewers and {load.watched_ms} ms with them (it works "
            f"{load.alone_cpu_ms} and {load.watched_cpu_ms} ms of it); "
            f"all of the table works {load.server_cpu_ms} ms, the viewers' process {load.viewers_cpu_ms} ms"
        )
    if not good:
        raise typer.Exit(1)
