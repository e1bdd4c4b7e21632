"""Films followed from their pixels, compared with their truth."""

from __future__ import annotations

import hashlib
import json
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.events import Event
from engine.referee import fold, rulings
from engine.rulebook_toml import load as load_rulebook
from vision import calibration
from vision.compare import FilmReport, compare, read_events
from vision.looks import CropReader
from vision.open_table import open_table
from vision.pipeline import Pipeline
from vision.refereed import Table

RULEBOOK: Final = "official-2deck-shengji"
FILM: Final = "film.mp4"
PARTS: Final = (FILM, "truth.jsonl", "table.json")
CODE: Final = ("engine", "vision")
AIM_RAW: Final = 99.3
AIM_FUSED: Final = 99.95
AIM_PROOF: Final = 95.0
AIM_LATE_MS: Final = 700.0
AIM_SPEED: Final = 1.5
READ_BY: Final = (".py", ".toml")


@dataclass(frozen=True, slots=True)
class FilmResult:
    """One film: its folder's name, the comparison, everything that was told (empty when ``kept``), the processor's seconds, its mishap, and the
    clock's seconds (0 when ``kept``)."""

    name: str
    report: FilmReport
    events: tuple[Event, ...] = ()
    cpu_s: float = 0.0
    kept: bool = False
    mishap: str = ""
    wall_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        return {
            "film": self.name,
            "cpu_s": round(self.cpu_s, 1),
            "wall_s": round(self.wall_s, 1),
            "kept": self.kept,
            "mishap": self.mishap,
            **self.report.to_json(),
        }

    @property
    def score_right(self) -> bool:
        """Points, bottom and levels are right, as far as the film tells them."""
        return all(right is not False for right in (self.report.points_right, self.report.bottom_right, self.report.levels_right))


def evaluate_film(
    folder: Path,
    recogniser: CropReader,
    told: Callable[[Event], None] | None = None,
    habit: str = "auto",
    prepare: Callable[[Pipeline], None] | None = None,
) -> FilmResult:
    """Follow a film folder to its end and compare. Latency and speed are in the processor's time, so that other work on the machine does not count.

    :param prepare: gets the pipeline before it begins, e.g. to record the pictures; what that takes counts.
    :raises vision.compare.TruthError: when the truth cannot be read.
    :raises vision.calibration.CalibrationError: when the table cannot be.
    :raises vision.camera.SourceError: when the film cannot be.
    """
    truth = read_events(folder / "truth.jsonl")
    table = calibration.load(folder / "table.json")
    rules = load_rulebook(str(table.match.get("rulebook") or RULEBOOK))
    pipeline = open_table(
        str(folder), calibration=table, recogniser=recogniser, decks=rules.pack.decks, deal=int(table.match.get("deal") or 1), habit=habit
    )
    pipeline.clock = time.process_time
    if prepare is not None:
        prepare(pipeline)
    cpu, wall = time.process_time(), time.perf_counter()
    events = []
    try:
        for event in Table(pipeline, rules, table.match).events():
            events.append(event)
            if told is not None:
                told(event)
    finally:
        pipeline.close()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    state = fold(truth, rules)
    follow = {(deal.number, ruling.kind, ruling.seat, ruling.trick) for deal in state.deals for ruling in rulings(state, deal)}
    speed = pipeline.timing.table_s / max(cpu, 1e-6)
    return FilmResult(folder.name, compare(truth, events, speed, follow), tuple(events), cpu, mishap=_mishap(folder), wall_s=wall)


def _mishap(folder: Path) -> str:
    """What happens in a film by its own description, or nothing."""
    told = json.loads((folder / "table.json").read_text(encoding="utf-8")).get("film") or {}
    return "" if told.get("mishap") in (None, "none") else str(told["mishap"])


def find_films(folder: Path) -> list[Path]:
    """The film folders in a folder, by name; itself when it is one.

    :raises FileNotFoundError: when there is none.
    """
    found = [folder] if (folder / FILM).is_file() else sorted(path.parent for path in folder.glob(f"*/{FILM}"))
    if not found:
        raise FileNotFoundError(f"{folder}: 没有影片文件夹 / no film folder (with {FILM}) in it")
    return found


class Kept:
    """Results of earlier runs, by film, code and weights: a suite that was broken off goes on where it stopped.

    :param folder: where they lie. :param weights: the weights' folder. :param more: whatever else the result depends on.
    """

    def __init__(self, folder: Path, weights: Path, more: Sequence[str] = ()) -> None:
        self.folder = folder
        root = Path(__file__).resolve().parent.parent
        code = [p for room in CODE for p in sorted((root / room).rglob("*")) if p.suffix in READ_BY]
        self._base = _digest([*code, *sorted(p for p in weights.rglob("*") if p.is_file())], more)

    def _path(self, film: Path) -> Path:
        return self.folder / f"{_digest([film / part for part in PARTS if (film / part).is_file()], [self._base])}.json"

    def get(self, film: Path) -> FilmResult | None:
        """The film's result, if it was followed with the same code and weights."""
        try:
            data = json.loads(self._path(film).read_text(encoding="utf-8"))
            cpu, mishap = float(data.pop("cpu_s")), str(data.pop("mishap"))
            report = FilmReport.from_json({k: v for k, v in data.items() if k not in ("film", "kept", "wall_s")})
            return FilmResult(film.name, report, (), cpu, kept=True, mishap=mishap)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, film: Path, result: FilmResult) -> None:
        """Keep a result; it appears whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(film)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(result.to_json(), ensure_ascii=False), encoding="utf-8")
        part.replace(path)


def _digest(files: Iterable[Path], more: Sequence[str] = ()) -> str:
    total = hashlib.sha256()
    for path in files:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    for text in more:
        total.update(text.encode() + b"\0")
    return total.hexdigest()[:24]


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else "–"


HEADER: Final = """\
| film | cards raw | cards fused | plays | tricks | points, bottom, levels | offences found / missed / false | latency median, p95 | speed | cpu s |
|---|---|---|---|---|---|---|---|---|---|"""


def film_row(result: FilmResult) -> str:
    """A film's figures as a row of a Markdown table."""
    mark = {True: "✓", False: "✗", None: "–"}
    r = result.report
    late = "–" if r.latency_median_ms is None or r.latency_p95_ms is None else f"{r.latency_median_ms:.0f}, {r.latency_p95_ms:.0f} ms"
    return (
        f"| {result.name} | {_share(r.cards_raw, r.cards)} | {_share(r.cards_fused, r.cards)} | {_share(r.plays_right, r.plays)} "
        f"| {_share(r.tricks_right, r.tricks)} | {mark[r.points_right]} {mark[r.bottom_right]} {mark[r.levels_right]} "
        f"| {r.offences_found} / {len(r.offences_missed)} / {len(r.offences_false)} | {late} | {r.speed:.2f}x | {result.cpu_s:.0f} |"
    )


def total_row(results: Sequence[FilmResult]) -> str:
    """All films together: sums, how many have every final score right, the latencies of all plays, and the slowest film's speed."""
    reports = [result.report for result in results]

    def total(name: str) -> int:
        return sum(int(getattr(r, name)) for r in reports)

    late = sorted(ms for r in reports for ms in r.latencies_ms)
    shown = f"{statistics.median(late):.0f}, {late[min(len(late) - 1, int(len(late) * 0.95))]:.0f} ms" if late else "–"
    scores = sum(result.score_right for result in results)
    raw, fused, cards = total("cards_raw"), total("cards_fused"), max(1, total("cards"))
    return (
        f"| **{sum(r.perfect for r in reports)}/{len(reports)} perfect** | {raw}/{cards} ({100 * raw / cards:.2f} %) "
        f"| {fused}/{cards} ({100 * fused / cards:.2f} %) | {total('plays_right')}/{total('plays')} | {total('tricks_right')}/{total('tricks')} "
        f"| {scores}/{len(reports)} | {total('offences_found')} / {sum(len(r.offences_missed) for r in reports)} / "
        f"{sum(len(r.offences_false) for r in reports)} | {shown} | ≥ {min((r.speed for r in reports), default=0.0):.2f}x "
        f"| {sum(result.cpu_s for result in results):.0f} |"
    )


def table_text(results: Sequence[FilmResult]) -> str:
    """The films' figures as a Markdown table, one row a film and a row for all."""
    rows = [HEADER, *map(film_row, results)]
    return "\n".join([*rows, total_row(results), "", aims_text(results)] if len(results) > 1 else rows)


def aims_text(results: Sequence[FilmResult]) -> str:
    """One line: what a suite reached, each figure with its aim and whether that was reached."""
    reports = [result.report for result in results]
    cards, offences = max(1, sum(r.cards for r in reports)), sum(r.offences for r in reports)
    raw, fused = (100 * sum(part) / cards for part in ([r.cards_raw for r in reports], [r.cards_fused for r in reports]))
    calm = [result.score_right for result in results if not result.mishap]
    false = sum(len(r.offences_false) for r in reports)
    proof = 100 * sum(r.offences_at_proof for r in reports) / offences if offences else 100.0
    late = sorted(ms for r in reports for ms in r.latencies_ms)
    p95 = late[min(len(late) - 1, int(len(late) * 0.95))] if late else 0.0
    slowest = min((r.speed for r in reports), default=0.0)
    parts = [
        (raw >= AIM_RAW, f"raw {raw:.2f} % (≥ {AIM_RAW})"),
        (fused >= AIM_FUSED, f"fused {fused:.2f} % (≥ {AIM_FUSED})"),
        (all(calm), f"scores {sum(calm)}/{len(calm)} without mishap (all)"),
        (not false, f"false alerts {false} (0)"),
        (proof >= AIM_PROOF, f"offences at the proving trick {proof:.0f} % (≥ {AIM_PROOF:.0f})"),
        (p95 <= AIM_LATE_MS, f"p95 {p95:.0f} ms (≤ {AIM_LATE_MS:.0f})"),
        (slowest >= AIM_SPEED, f"slowest {slowest:.2f}x (≥ {AIM_SPEED})"),
    ]
    return "; ".join(f"{'✓' if reached else '✗'} {text}" for reached, text in parts)
