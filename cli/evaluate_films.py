"""``trickwatch evaluate films``: film folders followed from their pixels and compared with their truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

NOT_PERFECT = 1


def films(
    folders: Annotated[list[Path], typer.Argument(help="Film folders (film.mp4, table.json, truth.jsonl).")],
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`.")] = None,
    told: Annotated[Path | None, typer.Option(help="Folder to keep what was told of each film in, as JSON lines.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a film instead of a table.")] = False,
) -> None:
    """Follow films and say what came right: cards before and after conservation, plays, tricks, score, offences, latency, speed.

    The exit status is 0 when everything was right in every film, 1 when not, 2 when a film could not be followed.
    """
    from engine.events import to_json
    from engine.rulebook_toml import RulebookError
    from models.evaluate_films import evaluate_film, table_text
    from vision.calibration import CalibrationError
    from vision.camera import SourceError
    from vision.compare import TruthError
    from vision.enrol import EnrolError, use_deck
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    results = []
    try:
        recogniser = Recogniser.load(weights)
        if deck is not None:
            use_deck(recogniser, deck)
        for folder in folders:
            result = evaluate_film(folder, recogniser)
            results.append(result)
            if told is not None:
                told.mkdir(parents=True, exist_ok=True)
                lines = (json.dumps(to_json(event), ensure_ascii=False) for event in result.events)
                (told / f"{result.name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            if as_json:
                typer.echo(json.dumps({"film": result.name, **result.report.to_json()}, ensure_ascii=False))
            else:
                typer.echo(f"{result.name}\n{result.report.text()}", err=True)
    except (WeightsError, EnrolError, CalibrationError, SourceError, TruthError, RulebookError, OSError) as error:
        typer.echo(f"trickwatch evaluate films: {error}", err=True)
        raise typer.Exit(2) from error
    if not as_json:
        typer.echo(table_text(results))
    if not all(result.report.perfect for result in results):
        raise typer.Exit(NOT_PERFECT)
