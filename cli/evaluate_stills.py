"""``trickwatch evaluate stills``: labelled photographs shown as a slowly changing film and listed without rules."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def stills(
    photos: Annotated[Path, typer.Argument(help="Folder of labelled photo sets (SET/images, SET/labels).")],
    only: Annotated[list[str] | None, typer.Option("--set", help="Only the set of this name; may be repeated.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Photographs of each set, evenly chosen.")] = 10,
    keep: Annotated[Path | None, typer.Option(help="Folder to keep the films in.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a photograph.")] = False,
) -> None:
    """Show photographs as a film (zoom, shake, light), watch it in free mode, and count the labelled faces that are listed."""
    from models.evaluate_stills import evaluate_stills, film_of, stills_of
    from models.photo_sets import PhotoSetError, photo_sets
    from vision.camera import SourceError
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    try:
        recogniser = Recogniser.load(weights)
        with tempfile.TemporaryDirectory() as scratch:
            for name, examples in ((n, e) for n, e in photo_sets(photos).items() if not only or n in only):
                folder = (keep or Path(scratch)) / name
                chosen = stills_of(examples, most)
                if not chosen:
                    continue
                film_of(chosen, folder)
                results = evaluate_stills(folder, recogniser)
                for one in results:
                    if as_json:
                        typer.echo(json.dumps({"set": name, **asdict(one)}, ensure_ascii=False))
                    else:
                        wrong = f"  missed {' '.join(one.missed) or '–'}  false {' '.join(one.false) or '–'}"
                        typer.echo(f"{one.told:3}/{one.labelled:<3} {one.name}{wrong if one.missed or one.false else ''}")
                told, labelled = sum(one.told for one in results), sum(one.labelled for one in results)
                false = sum(len(one.false) for one in results)
                say = f"{name}: {told} of {labelled} labelled faces listed ({100 * told / labelled:.1f} %), {false} listed that are not labelled"
                typer.echo(say, err=as_json)
    except (WeightsError, PhotoSetError, SourceError, OSError) as error:
        typer.echo(f"trickwatch evaluate stills: {error}", err=True)
        raise typer.Exit(2) from error
