"""``trickwatch train``: weights from rendered cards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the verb ``train``."""
    app.command("train")(train)


def train(
    minutes: Annotated[float, typer.Option(min=0.2, help="Time for everything; run it again to go on.")] = 60.0,
    out: Annotated[Path | None, typer.Option(help="Folder for the weights; default: weights in the working folder.")] = None,
    work: Annotated[Path | None, typer.Option(help="Working folder (scenes, states); default: in the user's cache directory.")] = None,
    scenes: Annotated[int, typer.Option(min=40, help="Scenes to draw in all; those already drawn are used again.")] = 8000,
    photos: Annotated[Path | None, typer.Option(help="A folder of labelled photographs to mix in: SET/images with SET/labels.")] = None,
    decks: Annotated[list[Path] | None, typer.Option("--deck", help="A further folder of card faces to draw with; may be repeated.")] = None,
    start: Annotated[Path | None, typer.Option(help="A detector to begin with (detector.pt); default: the shipped one.")] = None,
    from_nothing: Annotated[bool, typer.Option(help="Begin without any weights.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads for the networks; one more process draws scenes.")] = 1,
) -> None:
    """Train the detector and the reader, going on where the last run ended, and export the best.

    Scenes are drawn beside the training with card art that is fetched on first use. Progress is printed as it comes. A GPU is used
    where there is one.
    """
    import os

    os.environ.setdefault("YOLO_OFFLINE", "true")
    from datasets.art import ArtError, cache_dir
    from models.photo_sets import PhotoSetError
    from models.train import Settings, TrainingError, run
    from vision.weights import default_folder

    folder = work or cache_dir().parent / "training"
    shipped = default_folder() / "detector.pt"
    first = None if from_nothing else start or (shipped if shipped.exists() else None)
    reader = default_folder() / "reader.pt"
    second = None if from_nothing or not reader.exists() else reader
    settings = Settings(folder, minutes, scenes, photos, tuple(str(deck) for deck in decks or ()), first, second, threads)
    try:
        made = run(settings, typer.echo)
    except (ArtError, PhotoSetError, TrainingError, OSError) as error:
        typer.echo(f"trickwatch train: {error}", err=True)
        raise typer.Exit(2) from error
    if out is not None:
        import shutil

        shutil.copytree(made, out, dirs_exist_ok=True)
        made = out
    typer.echo(f"weights: {made}")
