"""Evaluating the recogniser: photographs, rendered scenes with art that training never saw, speeds; and the model card with the figures."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import BIG_JOKER, LITTLE_JOKER
from models import figures
from models.measure import Example, Judged, Label, Outcome, Picture, Tally, Verdict, calibration_error, counted_right, judge, reliability, suit_errors
from vision.annotate import annotate
from vision.cards_on_table import SeenCard
from vision.recogniser import Recogniser

SHIPPED: Final = 0.3
"""The least confidence that ``trickwatch read`` prints unless told otherwise."""
WIDTHS: Final = ((0, 45), (45, 60), (60, 90), (90, 150), (150, 10_000))
_MARKS: Final = ("<!-- figures -->", "<!-- /figures -->")
_HEAD: Final = "| set | pictures | indices | found | misread | missed | cards | on a label |\n|---|---|---|---|---|---|---|---|\n"


@dataclass
class SetResult:
    """What became of one set: each picture's verdicts, groups of identical cards counted right, seconds of processor time a picture."""

    name: str
    judged: list[Judged] = field(default_factory=list)
    groups_right: int = 0
    groups: int = 0
    seconds: float = 0.0

    @property
    def tally(self) -> Tally:
        """All verdicts counted."""
        return Tally.of(self.judged)

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts in one list."""
        return [v for j in self.judged for v in j.verdicts]


def run_set(
    recogniser: Recogniser,
    name: str,
    examples: Sequence[Example],
    *,
    least: float = SHIPPED,
    keep: Callable[[Picture, Sequence[SeenCard], Judged], None] | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> SetResult:
    """Read every picture of a set and judge it.

    :param keep: called with each picture, its cards and its verdicts (to draw the worst).
    :param progress: called with the number of pictures done.
    """
    result = SetResult(name)
    for k, example in enumerate(examples):
        picture, labels = example.load()
        started = time.process_time()
        cards = recogniser.read(picture, least=least)
        result.seconds += (time.process_time() - started) / len(examples)
        judged = judge(example.name, labels, cards)
        right, groups = counted_right(labels, cards)
        result.groups_right += right
        result.groups += groups
        result.judged.append(judged)
        if keep is not None:
            keep(picture, cards, judged)
        progress(k + 1)
    return result


class WorstPictures:
    """Keeps the pictures with most errors of a set, drawn, to be looked at."""

    def __init__(self, count: int = 10) -> None:
        self._count = count
        self._kept: list[tuple[int, str, Picture]] = []

    def __call__(self, picture: Picture, cards: Sequence[SeenCard], judged: Judged) -> None:
        """Take a picture if it is among the worst so far."""
        if not judged.errors or (len(self._kept) == self._count and judged.errors <= self._kept[-1][0]):
            return
        self._kept.append((judged.errors, judged.name, figures.mark_errors(annotate(picture, cards), judged)))
        self._kept = sorted(self._kept, key=lambda entry: -entry[0])[: self._count]

    def write(self, folder: Path) -> list[Path]:
        """Write them as PNG, worst first."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for rank, (errors, name, picture) in enumerate(self._kept):
            path = folder / f"{rank:02d}-{errors}-errors-{Path(name).stem[:40].replace(' ', '_')}.png"
            path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
            paths.append(path)
        return paths


def table_of_sets(results: Sequence[SetResult]) -> str:
    """The table of sets, Markdown."""
    return _HEAD + "\n".join(_row(result.name, result.tally) for result in results) + "\n"


def _row(name: str, t: Tally) -> str:
    shares = " | ".join(f"{t.share(outcome):.2%}" for outcome in Outcome)
    return f"| {name} | {t.pictures} | {t.indices} | {shares} | {t.cards} | {t.on_label:.2%} |"


def table_by(results: Sequence[SetResult], title: str, parts: Mapping[str, Callable[[Verdict], bool]]) -> str:
    """A table of parts of the indices, Markdown."""
    verdicts = [v for result in results for v in result.verdicts]
    lines = [f"| {title} | indices | found | misread | missed |", "|---|---|---|---|---|"]
    for name, keep in parts.items():
        counts = Counter(v.outcome for v in verdicts if keep(v))
        total = max(1, counts.total())
        lines.append(f"| {name} | {counts.total()} | " + " | ".join(f"{counts[outcome] / total:.2%}" for outcome in Outcome) + " |")
    return "\n".join(lines) + "\n"


def by_width() -> dict[str, Callable[[Verdict], bool]]:
    """Parts by card width."""

    def part(low: int, high: int) -> Callable[[Verdict], bool]:
        return lambda v: v.label.width is not None and low <= v.label.width < high

    return {f"{low} to {high} px" if high < 10_000 else f"over {low} px": part(low, high) for low, high in WIDTHS}


def by_joker() -> dict[str, Callable[[Verdict], bool]]:
    """Parts by joker."""
    jokers = (LITTLE_JOKER, BIG_JOKER)
    return {
        "little joker": lambda v: v.label.card == LITTLE_JOKER,
        "big joker": lambda v: v.label.card == BIG_JOKER,
        "jokers, read as some joker or missed": lambda v: v.label.card in jokers and (v.read in jokers or v.read is None),
        "other cards": lambda v: v.label.card not in jokers,
    }


def suits_text(results: Sequence[SetResult]) -> str:
    """One line: which suits were taken for which."""
    errors = suit_errors([v for result in results for v in result.verdicts])
    return ", ".join(f"{true} as {read}: {n}" for (true, read), n in errors.most_common()) or "none"


@dataclass(frozen=True)
class Speeds:
    """Milliseconds: a 640 x 640 crop with eight cards (detector and reader), a 3840 x 2160 still; and what ran the networks."""

    crop_ms: float
    still_ms: float
    network: str


def measure_speed(recogniser: Recogniser, crop: Picture, repeats: int = 15) -> Speeds:
    """Time both ways of reading on this machine; the crop is the median, the still the faster of two.

    :param crop: 640 x 640 with about eight cards.
    """
    recogniser.read_crop(crop)
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        recogniser.read_crop(crop)
        times.append(time.perf_counter() - started)
    still = np.tile(crop, (4, 6, 1))[:2160, :3840]
    stills = []
    for _ in range(2):
        started = time.perf_counter()
        recogniser.read(np.ascontiguousarray(still))
        stills.append(time.perf_counter() - started)
    return Speeds(float(np.median(times)) * 1000, min(stills) * 1000, recogniser.detector.network.name)


def eight_cards(examples: Sequence[Example]) -> Picture:
    """The picture of a set whose number of cards is nearest to eight."""

    def cards(labels: Sequence[Label]) -> int:
        return len({label.owner for label in labels if label.owner is not None})

    loaded = (example.load() for example in examples)
    return min(loaded, key=lambda pair: abs(cards(pair[1]) - 8))[0]


def report(photos: Sequence[SetResult], rendered: Sequence[SetResult], speeds: Speeds | None, commands: str) -> str:
    """All figures as Markdown."""
    everything = [*photos, *rendered]
    bins = reliability([j for result in everything for j in result.judged])
    parts = [f"Least confidence: {SHIPPED}. Repeat with:\n\n```\n{commands}\n```\n"]
    if photos:
        parts += ["### Photographs that training never saw\n", table_of_sets(photos)]
    if rendered:
        parts += ["### Rendered scenes with art that training never saw\n", table_of_sets(rendered)]
        parts += [f"Pairs and triples of identical cards counted right: {_groups(rendered)}.\n"]
        parts += ["By card width:\n", table_by(rendered, "card width", by_width())]
        parts += ["By how many of a card's indices show:\n", table_by(rendered, "shown", _by_shown(rendered))]
    parts += ["### Jokers and suits\n", table_by(everything, "card", by_joker()), f"Suits taken for others: {suits_text(everything)}.\n"]
    parts += [
        "### Calibration\n",
        f"Mean distance between confidence and the share that is right: {calibration_error(bins):.3f}.\n",
        "![confusion](figures/confusion.png) ![reliability](figures/reliability.png)\n",
    ]
    if speeds is not None:
        parts += [
            "### Speed\n",
            (
                f"{speeds.network}, {_cores()} cores: a 640x640 crop with eight cards {speeds.crop_ms:.0f} ms (detector and reader), "
                f"a 3840x2160 still {speeds.still_ms / 1000:.2f} s.\n"
            ),
        ]
        parts += ["| set | processor seconds a picture |\n|---|---|\n" + "\n".join(f"| {r.name} | {r.seconds:.2f} |" for r in everything) + "\n"]
    return "\n".join(parts)


def _groups(rendered: Sequence[SetResult]) -> str:
    right, total = sum(r.groups_right for r in rendered), sum(r.groups for r in rendered)
    return f"{right} of {total} ({right / max(1, total):.2%})"


def _by_shown(rendered: Sequence[SetResult]) -> dict[str, Callable[[Verdict], bool]]:
    """Parts by whether the card's other index shows too."""
    twice: set[int] = set()
    for result in rendered:
        for j in result.judged:
            seen = Counter(v.label.owner for v in j.verdicts)
            twice |= {id(v) for v in j.verdicts if v.label.owner is not None and seen[v.label.owner] > 1}
    return {"one index, the rest covered or cut": lambda v: id(v) not in twice, "two or more indices": lambda v: id(v) in twice}


def _cores() -> int:
    import os

    return os.cpu_count() or 1


def write_card(card: Path, text: str, results: Sequence[SetResult]) -> None:
    """Put the figures between the marks of the model card, and the two pictures beside it."""
    old = card.read_text(encoding="utf-8") if card.is_file() else f"# Model card\n\n{_MARKS[0]}\n{_MARKS[1]}\n"
    if _MARKS[0] not in old or _MARKS[1] not in old:
        old += f"\n{_MARKS[0]}\n{_MARKS[1]}\n"
    before, after = old.split(_MARKS[0])[0], old.split(_MARKS[1])[1]
    card.write_text(f"{before}{_MARKS[0]}\n{text}\n{_MARKS[1]}{after}", encoding="utf-8")
    folder = card.parent / "figures"
    folder.mkdir(exist_ok=True)
    judged = [j for result in results for j in result.judged]
    bins = reliability(judged)
    for name, picture in (("confusion", figures.confusion(judged)), ("reliability", figures.reliability_plot(bins, calibration_error(bins)))):
        (folder / f"{name}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
