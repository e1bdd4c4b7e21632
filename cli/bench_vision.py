"""``trickwatch bench vision``: what following a film costs, against the detector on every full frame; and a soak."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def vision(
    film: Annotated[Path | None, typer.Argument(help="A film folder; default: the demonstration.")] = None,
    sample: Annotated[int, typer.Option(min=4, help="Whole frames that the baseline reads; its time for all is worked out from them.")] = 40,
    soak: Annotated[float | None, typer.Option(min=0.01, help="Instead: follow the film again and again for so many hours of table time.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
) -> None:
    """Follow a film, and beside it run the detector on whole frames: processor time and cards right of both, and an idle table's share of a core.

    The baseline is told when and before whom each play lies still; the pipeline finds that out itself.
    """
    from datasets.film.demo import demo_folder
    from models.bench_films import bench_film
    from vision.calibration import CalibrationError
    from vision.camera import SourceError
    from vision.compare import TruthError
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    folder = film if film is not None else demo_folder()
    try:
        recogniser = Recogniser.load(weights)
        if soak is not None:
            _soak(folder, recogniser, soak, as_json=as_json)
            return
        found = bench_film(folder, recogniser, sample, lambda what: typer.echo(f"{folder.name}: {what}", err=True))
    except (WeightsError, CalibrationError, SourceError, TruthError, OSError) as error:
        typer.echo(f"trickwatch bench vision: {error}", err=True)
        raise typer.Exit(2) from error
    if as_json:
        typer.echo(json.dumps({**asdict(found), "baseline_cpu_s": found.baseline_cpu_s, "ratio": found.ratio}))
        return
    typer.echo(f"{found.film}: {found.frames} frames, {found.seconds:.0f} s")
    typer.echo(f"{'':10}{'cpu s':>10}{'of a core':>11}{'cards right':>14}")
    for name, cpu, cards in (("pipeline", found.pipeline_cpu_s, found.pipeline_cards), ("baseline", found.baseline_cpu_s, found.baseline_cards)):
        typer.echo(f"{name:10}{cpu:10.1f}{cpu / found.seconds:11.2f}{f'{cards}/{found.cards}':>14}")
    typer.echo(
        f"baseline: {1000 * found.frame_s:.0f} ms a whole frame (median of {found.sampled}), {found.ratio:.1f} times the pipeline's time\n"
        f"idle table before a camera on USB: {100 * found.idle_share:.1f} % of a core (decoding this film: {100 * found.decode_share:.1f} %)"
    )


def _soak(folder: Path, recogniser: object, hours: float, *, as_json: bool) -> None:
    """One line a round."""
    from models.soak import soak

    wide = (("round", 6), ("table min", 11), ("cpu s", 9), ("memory MB", 11), ("files", 7), ("threads", 9), ("events", 8), ("asked", 8), ("read", 7))
    typer.echo("".join(f"{name:>{width}}" for name, width in wide), err=as_json)
    for row in soak(folder, recogniser, hours):  # type: ignore[arg-type]
        if as_json:
            typer.echo(json.dumps(asdict(row)))
            continue
        parts = (row.rounds, f"{row.table_s / 60:.1f}", f"{row.cpu_s:.0f}", f"{row.memory_mb:.0f}", row.files, row.threads, row.events, row.asked)
        typer.echo("".join(f"{part:>{width}}" for part, (_, width) in zip((*parts, row.read), wide, strict=True)))
