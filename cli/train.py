"""``trickwatch train``: weights from rendered cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from models.train import Part


def register(app: typer.Typer) -> None:
    """Add the verb ``train``."""
    app.command("train")(train)


def train(
    minutes: Annotated[float, typer.Option(min=0.2, help="Time for everything; run it again to go on.")] = 60.0,
    out: Annotated[Path | None, typer.Option(help="Folder for the weights; default: weights in the working folder.")] = None,
    work: Annotated[Path | None, typer.Option(help="Working folder (scenes, states); default: in the user's cache directory.")] = None,
    scenes: Annotated[int, typer.Option(min=40, help="Scenes to draw in all; those already drawn are used again.")] = 8000,
    singles: Annotated[int, typer.Option(min=0, help="Single indices to draw for the reader, a few each of a deck.")] = 24000,
    photos: Annotated[Path | None, typer.Option(help="A folder of labelled photographs to mix in: SET/images with SET/labels.")] = None,
    decks: Annotated[list[Path] | None, typer.Option("--deck", help="A further folder of card faces to draw with; may be repeated.")] = None,
    start: Annotated[Path | None, typer.Option(help="A detector to begin with (detector.pt); default: the shipped one.")] = None,
    from_nothing: Annotated[bool, typer.Option(help="Begin without any weights.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads for the networks; one more process draws scenes.")] = 1,
    part: Annotated[
        list[str] | None, typer.Option("--part", help="Do only this: scenes, detector, corners, reader, wide; may be repeated. Default: all.")
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option("--share", help="NAME=PART of the detector's batches: train, game, jokers, empty, photos; may be repeated."),
    ] = None,
    draw: Annotated[
        list[str] | None, typer.Option("--draw", help="NAME=PART of the scenes to draw (and for the reader): train, game, jokers, empty; repeatable.")
    ] = None,
    rate: Annotated[float, typer.Option(min=1e-6, help="The detector's highest rate of learning.")] = 1.2e-3,
    batch: Annotated[int | None, typer.Option(min=1, help="Pictures a step; default: 16, on a GPU 64.")] = None,
    reader_rate: Annotated[
        float | None, typer.Option(min=1e-6, help="The reader's highest rate of learning; default: 0.0025 from nothing, 0.0015 going on.")
    ] = None,
) -> None:
    """Train the detector, the corner network and the two readers, going on where the last run ended, and export the best.

    Scenes are drawn beside the training with card art that is fetched on first use: mixed ones, a game's table, jokers, and things that
    are no cards. Progress is printed as it comes. A GPU is used where there is one.
    """
    import os

    os.environ.setdefault("YOLO_OFFLINE", "true")
    from datasets.art import ArtError, cache_dir
    from models.photo_sets import PhotoSetError
    from models.train import DRAWN, SHARES, Settings, TrainingError, run
    from vision.weights import default_folder

    folder = work or cache_dir().parent / "training"
    shipped = default_folder() / "detector.pt"
    first = None if from_nothing else start or (shipped if shipped.exists() else None)
    reader = default_folder() / "reader.pt"
    second = None if from_nothing or not reader.exists() else reader
    drawn = _shares(draw, {theme.name: part for theme, part in DRAWN.items()}, "--draw")
    settings = Settings(
        folder,
        minutes,
        scenes,
        photos,
        tuple(str(deck) for deck in decks or ()),
        first,
        second,
        threads,
        _parts(part),
        _shares(share, SHARES, "--share"),
        {theme: drawn[theme.name] for theme in DRAWN if drawn[theme.name]},
        singles,
        rate,
        batch,
        reader_rate,
    )
    try:
        made = run(settings, typer.echo)
    except (ArtError, PhotoSetError, TrainingError, ValueError, OSError) as error:
        typer.echo(f"trickwatch train: {error}", err=True)
        raise typer.Exit(2) from error
    if out is not None:
        import shutil

        shutil.copytree(made, out, dirs_exist_ok=True)
        made = out
    typer.echo(f"weights: {made}")


def _parts(words: list[str] | None) -> frozenset[Part]:
    """The parts that ``--part`` names; all without it."""
    from models.train import Part

    known = [str(one) for one in Part]
    for word in words or ():
        if word not in known:
            raise typer.BadParameter(f"{word!r}：应为 {'、'.join(known)} 之一 / {word!r}: expected one of {', '.join(known)}", param_hint="--part")
    return frozenset(Part(word) for word in words) if words else frozenset(Part)


def _shares(words: list[str] | None, usual: Mapping[str, float], option: str) -> dict[str, float]:
    """The usual parts with those that an option changes."""
    out = dict(usual)
    for word in words or ():
        name, _, text = word.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if name not in out or not 0 <= value <= 1:
            raise typer.BadParameter(
                f"{word!r}：应为 名称=0到1的份额 / {word!r}: expected NAME=PART with NAME of {', '.join(out)} and PART from 0 to 1",
                param_hint="--share",
            )
        out[name] = value
    if not any(out.values()):
        raise typer.BadParameter("没有剩下任何一类场景 / no kind of scene is left", param_hint=option)
    return out
