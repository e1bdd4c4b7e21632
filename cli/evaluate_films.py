"""``trickwatch evaluate films``: film folders followed from their pixels and compared with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from models.evaluate_films import FilmResult, Kept

NOT_PERFECT = 1


def films(
    folders: Annotated[list[Path] | None, typer.Argument(help="Film folders (film.mp4, table.json, truth.jsonl).")] = None,
    suite: Annotated[Path | None, typer.Option(help="A folder of film folders: all of them.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`.")] = None,
    habit: Annotated[str, typer.Option(help="What players do with played cards: auto, stack, turn or sweep.")] = "auto",
    told: Annotated[Path | None, typer.Option(help="Folder to keep what was told of each film in, as JSON lines.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Follow all films anew, also those whose result with this code and weights is known.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a film instead of a table.")] = False,
) -> None:
    """Follow films and say what came right: cards before and after conservation, plays, tricks, score, offences, latency, speed.

    Results are kept by film, code and weights, so that a suite that was broken off goes on where it stopped. The exit
    status is 0 when everything was right in every film, 1 when not, 2 when a film could not be followed.
    """
    from engine.rulebook_toml import RulebookError
    from models.evaluate_films import find_films, table_text
    from vision.calibration import CalibrationError
    from vision.camera import SourceError
    from vision.compare import TruthError
    from vision.enrol import EnrolError
    from vision.weights import WeightsError

    results = []
    try:
        found = [*(folders or []), *(find_films(suite) if suite is not None else [])]
        if not found:
            raise FileNotFoundError("没有影片：请给出影片文件夹或 --suite / no film: name film folders, or --suite FOLDER")
        for number, result in enumerate(_follow(found, weights, deck, habit, told, fresh=fresh), 1):
            results.append(result)
            if as_json:
                typer.echo(json.dumps(result.to_json(), ensure_ascii=False))
            else:
                kept = " (kept)" if result.kept else ""
                typer.echo(f"[{number}/{len(found)}] {result.name}{kept}\n{result.report.text()}", err=True)
    except (WeightsError, EnrolError, CalibrationError, SourceError, TruthError, RulebookError, OSError) as error:
        typer.echo(f"trickwatch evaluate films: {error}", err=True)
        raise typer.Exit(2) from error
    if not as_json:
        typer.echo(table_text(results))
    if not all(result.report.perfect for result in results):
        raise typer.Exit(NOT_PERFECT)


def _follow(found: list[Path], weights: Path | None, deck: Path | None, habit: str, told: Path | None, *, fresh: bool) -> Iterator[FilmResult]:
    """Each film's result, from an earlier run where there is one; the networks are loaded when the first film needs them."""
    from engine.events import to_json
    from models.evaluate_films import evaluate_film
    from vision.recogniser import Recogniser

    kept = _kept(weights, deck, habit)
    recogniser = None
    for number, folder in enumerate(found, 1):
        known = None if fresh or told is not None else kept.get(folder)
        if known is not None:
            yield known
            continue
        if recogniser is None:
            recogniser = Recogniser.load(weights)
            if deck is not None:
                from vision.enrol import use_deck

                use_deck(recogniser, deck)
        typer.echo(f"[{number}/{len(found)}] {folder} ...", err=True)
        result = evaluate_film(folder, recogniser, habit=habit)
        kept.put(folder, result)
        if told is not None:
            told.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(to_json(event), ensure_ascii=False) for event in result.events)
            (told / f"{result.name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        yield result


def _kept(weights: Path | None, deck: Path | None, habit: str) -> Kept:
    """Where results are kept: in the user's cache folder."""
    import os

    from models.evaluate_films import Kept
    from vision.weights import default_folder

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trickwatch" / "films"
    more = [habit, deck.read_text(encoding="utf-8", errors="replace") if deck is not None else ""]
    return Kept(cache, weights or default_folder(), more)
