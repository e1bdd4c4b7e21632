"""Films followed from their pixels, compared with their truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.events import Event
from engine.rulebook_toml import load as load_rulebook
from vision import calibration
from vision.compare import FilmReport, compare, read_events
from vision.looks import CropReader
from vision.open_table import open_table
from vision.refereed import Table

RULEBOOK: Final = "official-2deck-shengji"


@dataclass(frozen=True, slots=True)
class FilmResult:
    """One film: its folder's name, the comparison, and everything that was told."""

    name: str
    report: FilmReport
    events: tuple[Event, ...]


def evaluate_film(folder: Path, recogniser: CropReader, told: Callable[[Event], None] | None = None) -> FilmResult:
    """Follow a film folder to its end and compare.

    :raises vision.compare.TruthError: when the truth cannot be read.
    :raises vision.calibration.CalibrationError: when the table cannot be.
    :raises vision.camera.SourceError: when the film cannot be.
    """
    truth = read_events(folder / "truth.jsonl")
    table = calibration.load(folder / "table.json")
    rules = load_rulebook(str(table.match.get("rulebook") or RULEBOOK))
    pipeline = open_table(str(folder), calibration=table, recogniser=recogniser, decks=rules.pack.decks, deal=int(table.match.get("deal") or 1))
    begin = time.monotonic()
    events = []
    try:
        for event in Table(pipeline, rules, table.match).events():
            events.append(event)
            if told is not None:
                told(event)
    finally:
        pipeline.close()
    speed = pipeline.timing.table_s / max(time.monotonic() - begin, 1e-6)
    return FilmResult(folder.name, compare(truth, events, speed), tuple(events))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else "–"


def table_text(results: Sequence[FilmResult]) -> str:
    """The films' figures as a Markdown table, one row a film."""
    rows = [
        "| film | cards raw | cards fused | plays | tricks | points, bottom, levels | offences found / missed / false | latency ms | speed |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    mark = {True: "✓", False: "✗", None: "–"}
    for result in results:
        r = result.report
        late = "–" if r.latency_median_ms is None or r.latency_p95_ms is None else f"{r.latency_median_ms:.0f}, {r.latency_p95_ms:.0f}"
        rows.append(
            f"| {result.name} | {_share(r.cards_raw, r.cards)} | {_share(r.cards_fused, r.cards)} | {_share(r.plays_right, r.plays)} "
            f"| {_share(r.tricks_right, r.tricks)} | {mark[r.points_right]} {mark[r.bottom_right]} {mark[r.levels_right]} "
            f"| {r.offences_found} / {len(r.offences_missed)} / {len(r.offences_false)} | {late} | {r.speed:.2f}x |"
        )
    return "\n".join(rows)
