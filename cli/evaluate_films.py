"""``trickwatch evaluate films``: film folders followed from their pixels and compared with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from models.evaluate_films import FilmResult, Kept
    from vision.camera import Frame
    from vision.pipeline import Pipeline
    from vision.recogniser import Recogniser

NOT_PERFECT = 1


def films(
    folders: Annotated[list[Path] | None, typer.Argument(help="Film folders (film.mp4, table.json, truth.jsonl).")] = None,
    suite: Annotated[Path | None, typer.Option(help="A folder of film folders: all of them.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`.")] = None,
    habit: Annotated[str, typer.Option(help="What players do with played cards: auto, stack, turn or sweep.")] = "auto",
    told: Annotated[Path | None, typer.Option(help="Folder to keep what was told of each film in, as JSON lines.")] = None,
    record: Annotated[
        Path | None, typer.Option(help="Record the pictures into this folder meanwhile; speed and latency are then with recording.")
    ] = None,
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
        for number, result in enumerate(_follow(found, weights, deck, habit, told, record, fresh=fresh), 1):
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


def _follow(
    found: list[Path], weights: Path | None, deck: Path | None, habit: str, told: Path | None, record: Path | None, *, fresh: bool
) -> Iterator[FilmResult]:
    """Each film's result, from an earlier run where there is one; the networks are loaded when the first film needs them."""
    from engine.events import to_json
    from models.evaluate_films import evaluate_film
    from vision.recogniser import Recogniser

    kept = _kept(weights, deck, habit)
    recogniser = None
    for number, folder in enumerate(found, 1):
        known = None if fresh or told is not None or record is not None else kept.get(folder)
        if known is not None:
            yield known
            continue
        if recogniser is None:
            recogniser = Recogniser.load(weights)
            if deck is not None:
                from vision.enrol import use_deck

                use_deck(recogniser, deck)
        typer.echo(f"[{number}/{len(found)}] {folder} ...", err=True)
        if record is not None:
            result = _recorded(folder, recogniser, habit, record / folder.name)
        else:
            result = evaluate_film(folder, recogniser, habit=habit)
            kept.put(folder, result)
        if told is not None:
            told.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(to_json(event), ensure_ascii=False) for event in result.events)
            (told / f"{result.name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        yield result


def _recorded(folder: Path, recogniser: Recogniser, habit: str, target: Path) -> FilmResult:
    """Follow a film while its pictures are recorded; no picture is dropped for being delivered faster than a camera would."""
    import time

    from kiosk.recording.recorder import Recorder
    from models.evaluate_films import evaluate_film
    from vision.camera import Source

    recorders: list[Recorder] = []

    def prepare(pipeline: Pipeline) -> None:
        recorder = Recorder(target, lambda: pipeline.calibration, source=str(folder))
        recorder.start()
        recorders.append(recorder)

        def tap(frame: Frame) -> None:
            while recorder.full:
                time.sleep(0.002)
            recorder.frame(frame)

        assert isinstance(pipeline.source, Source), "a film is followed from its file"
        pipeline.source.taps.append(tap)

    try:
        result = evaluate_film(folder, recogniser, habit=habit, prepare=prepare)
    finally:
        for recorder in recorders:
            recorder.close()
    size = sum(path.stat().st_size for path in target.glob("*.mp4"))
    dropped, fast = recorders[0].status()["dropped"], result.report.speed * result.cpu_s / max(result.wall_s, 1e-6)
    typer.echo(f"录像 / recorded: {size / 1e6:.1f} MB, {dropped} pictures dropped; {fast:.2f} x real time on the clock", err=True)
    return result


def _kept(weights: Path | None, deck: Path | None, habit: str) -> Kept:
    """Where results are kept: in the user's cache folder."""
    import os

    from models.evaluate_films import Kept
    from vision.weights import default_folder

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trickwatch" / "films"
    more = [habit, deck.read_text(encoding="utf-8", errors="replace") if deck is not None else ""]
    return Kept(cache, weights or default_folder(), more)
