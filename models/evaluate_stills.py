"""Labelled photographs shown as a film, listed without rules: how many of the labelled faces are on the list, and how many that are not there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.film.stills_film import STILLS, Still, make_stills_film
from engine.cards import Card
from models.measure import Example
from vision.camera import Frame, Source
from vision.listing import Listing, StillReader


@dataclass(frozen=True, slots=True)
class StillResult:
    """One photograph: the faces labelled, those of them that the list held at its end, and those on the list that are not labelled."""

    name: str
    labelled: int
    told: int
    missed: tuple[Card, ...]
    false: tuple[Card, ...]


def stills_of(examples: Sequence[Example], most: int) -> list[Still]:
    """Photographs of a labelled set, evenly chosen, with their faces (a face that two indices show counts once)."""
    step = max(1, len(examples) // max(1, most))
    out = []
    for example in examples[::step][:most]:
        picture, labels = example.load()
        faces = sorted({label.card for label in labels if label.card is not None})
        if faces:
            out.append(Still(example.name, picture, tuple(faces)))
    return out


def film_of(stills: Sequence[Still], folder: Path) -> None:
    """Make the film, large enough for the largest photograph but no larger than 1920 x 1440."""
    width = min(1920, max(still.image.shape[1] for still in stills))
    height = min(1440, max(still.image.shape[0] for still in stills))
    make_stills_film(stills, folder, size=(width // 4 * 4, height // 4 * 4))


def evaluate_stills(folder: Path, reader: StillReader) -> list[StillResult]:
    """Follow a film of stills in free mode and compare what the list holds when each was shown.

    :raises vision.camera.SourceError: when the film cannot be read.
    """
    shown = json.loads((folder / STILLS).read_text(encoding="utf-8"))["stills"]
    held: list[Counter[Card]] = [Counter() for _ in shown]
    source, listing = Source(str(folder)), Listing(reader)
    try:
        for signal in source.signals():
            if isinstance(signal, Frame):
                listing.see(signal.image, signal.t)
                at = next((k for k, still in enumerate(shown) if still["t0"] <= signal.t < still["t1"]), None)
                if at is not None:
                    held[at] = listing.listed
    finally:
        source.close()
    out = []
    for still, listed in zip(shown, held, strict=True):
        wanted = {Card(card) for card in still["cards"]}
        missed, false = sorted(wanted - set(listed)), sorted(set(listed) - wanted)
        out.append(StillResult(still["name"], len(wanted), len(wanted) - len(missed), tuple(missed), tuple(false)))
    return out
