"""Evaluating the recogniser: photographs, rendered scenes with art that training never saw; and what goes into the model card."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2

from models import figures
from models.label_faults import put_right
from models.measure import Example, Judged, Picture, Tally, Verdict, calibration_error, judge, reliability
from vision.annotate import annotate
from vision.cards_on_table import SeenCard
from vision.recogniser import Recogniser

SHIPPED: Final = 0.3
"""The least confidence that ``trickwatch read`` prints unless told otherwise."""
_MARKS: Final = ("<!-- figures -->", "<!-- /figures -->")


@dataclass
class SetResult:
    """What became of one set.

    :ivar judged: each picture's verdicts by the labels as they are.
    :ivar put_right: the same with labels that are known to be wrong put right.
    :ivar wrong_labels: how many those are.
    :ivar seconds: of processor time that a picture took.
    """

    name: str
    judged: list[Judged] = field(default_factory=list)
    seconds: float = 0.0
    put_right: list[Judged] = field(default_factory=list)
    wrong_labels: int = 0

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
    keep: Keeper | None = None,
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
        result.judged.append(judged)
        shown = put_right(example.name, labels)
        wrong = sum(label is not old for label, old in zip(shown, labels, strict=True))
        result.wrong_labels += wrong
        result.put_right.append(judge(example.name, shown, cards) if wrong else judged)
        if keep is not None:
            keep(picture, cards, judged)
        progress(k + 1)
    return result


Keeper = Callable[[Picture, Sequence[SeenCard], Judged], None]


def each(keepers: Sequence[Keeper]) -> Keeper:
    """Several keepers as one."""

    def keep(picture: Picture, cards: Sequence[SeenCard], judged: Judged) -> None:
        for keeper in keepers:
            keeper(picture, cards, judged)

    return keep


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

    def sheet(self, columns: int = 5) -> Picture | None:
        """All of them on one picture, worst first; None when there was no error."""
        return figures.contact_sheet([(f"{errors}: {name}", picture) for errors, name, picture in self._kept], columns) if self._kept else None

    def write(self, folder: Path) -> list[Path]:
        """Write them as PNG, worst first."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for rank, (errors, name, picture) in enumerate(self._kept):
            path = folder / f"{rank:02d}-{errors}-errors-{Path(name).stem[:40].replace(' ', '_')}.png"
            path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
            paths.append(path)
        return paths


def write_card(card: Path, text: str, results: Sequence[SetResult], worst: WorstPictures | None = None) -> None:
    """Put the figures between the marks of the model card, and the pictures beside it."""
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
    sheet = worst.sheet() if worst is not None else None
    if sheet is not None:
        (folder / "worst.jpg").write_bytes(cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
