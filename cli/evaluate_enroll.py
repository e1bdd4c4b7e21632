"""``trickwatch evaluate enroll``: what enrolling a deck gains."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def enroll(
    decks: Annotated[list[str], typer.Argument(help="Decks to draw with: names of card art, or folders of faces.")],
    spreads: Annotated[int, typer.Option(min=1, help="Pictures of the deck spread out.")] = 2,
    scenes: Annotated[int, typer.Option(min=1, help="Pictures of plays and fans to read before and after.")] = 8,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a deck.")] = False,
) -> None:
    """Draw a deck spread out, enrol it as a person would, and read tables with it before and after."""
    from datasets.art import ArtError
    from models.evaluate_enrol import evaluate_deck
    from vision.enrol import EnrolError
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    try:
        for deck in decks:
            gain = evaluate_deck(Recogniser.load(weights), deck, spreads, scenes)
            if as_json:
                typer.echo(json.dumps({**asdict(gain), "deck": deck}))
                continue
            before, after = gain.found_before / max(1, gain.indices), gain.found_after / max(1, gain.indices)
            wrong = f"misread {gain.misread_before} -> {gain.misread_after}, false {gain.false_before} -> {gain.false_after}"
            learnt = f"{gain.learnt} faces learnt, {gain.asked} of them by asking, {gain.seconds:.0f} s"
            typer.echo(f"{deck}: {learnt}; of {gain.indices} indices {before:.1%} -> {after:.1%} found, {wrong}")
    except (WeightsError, EnrolError, ArtError) as error:
        typer.echo(f"trickwatch evaluate enroll: {error}", err=True)
        raise typer.Exit(2) from error
