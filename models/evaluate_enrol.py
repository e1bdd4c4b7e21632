"""What enrolling gains: a deck is drawn spread out and enrolled; tables with it are read before and after."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from datasets.layout import Lying, fan, plays
from datasets.scene import render
from engine.cards import FACES
from models.measure import Judged, Label, Outcome, Picture, Tally, centred, judge
from models.rendered_sets import SIDE, labelled
from vision import enrol
from vision.recogniser import Recogniser

_SEED: Final = 7_000_000
_SPREAD_SIDE: Final = 1280
_ACROSS: Final = 9


@dataclass(frozen=True, slots=True)
class Gain:
    """Faces learnt, how many of them a person had to name, seconds of processor time for the fit; indices of the tables found and misread, and
    false cards, before and after."""

    learnt: int
    asked: int
    seconds: float
    indices: int
    found_before: int
    found_after: int
    misread_before: int
    misread_after: int
    false_before: int
    false_after: int


def spread_out(extent: float, rng: random.Random) -> list[Lying]:
    """All 54 faces in rows, shuffled, laid with some looseness."""
    faces = list(FACES)
    rng.shuffle(faces)
    rows = math.ceil(len(faces) / _ACROSS)
    return [
        Lying(
            face,
            extent / 2 + (k % _ACROSS - (_ACROSS - 1) / 2) * 1.12 + rng.gauss(0, 0.02),
            extent / 2 + (k // _ACROSS - (rows - 1) / 2) * 1.52 + rng.gauss(0, 0.02),
            rng.gauss(0, 2),
        )
        for k, face in enumerate(faces)
    ]


def evaluate_deck(recogniser: Recogniser, deck: str, spreads: int = 2, scenes: int = 8) -> Gain:
    """Enrol a deck from drawn spreads and read drawn tables before and after.

    :param deck: a name of card art, or a folder of faces.
    :raises datasets.art.ArtError: when there is no such art.
    :raises vision.enrol.EnrolError: when no face is learnt.
    """
    tables = [_table(deck, k) for k in range(scenes)]
    before = [judge(f"table {k}", labels, recogniser.read(picture, least=0.3)) for k, (picture, labels) in enumerate(tables)]
    samples: list[enrol.Sample] = []
    asked = 0
    for k in range(spreads):
        scene = render(_SEED + k, "held_out", size=_SPREAD_SIDE, kind=spread_out, card_width=_SPREAD_SIDE / 10.4, deck=deck)
        picture, labels = labelled(scene)
        seen, questions = _answered(enrol.collect(recogniser, picture), labels)
        samples += seen
        asked += questions
    begun = time.process_time()
    made = enrol.fit(recogniser.reader, samples)
    seconds = time.process_time() - begun
    enrol.apply(recogniser, made)
    after = [judge(f"table {k}", labels, recogniser.read(picture, least=0.3)) for k, (picture, labels) in enumerate(tables)]
    one, two = Tally.of(before), Tally.of(after)
    return Gain(
        len(set(made.faces)), asked, seconds, one.indices,
        one.outcomes[Outcome.FOUND], two.outcomes[Outcome.FOUND], one.outcomes[Outcome.MISREAD], two.outcomes[Outcome.MISREAD],
        _false(before), _false(after),
    )  # fmt: skip


def _false(judged: Sequence[Judged]) -> int:
    return sum(len(j.false) for j in judged)


def _table(deck: str, k: int) -> tuple[Picture, tuple[Label, ...]]:
    width = 60 * 1.06 ** (k % 8)
    return labelled(render(_SEED + 1000 + k, "held_out", size=SIDE, kind=(plays, fan)[k % 2], card_width=width, deck=deck))


def _answered(samples: Sequence[enrol.Sample], labels: Sequence[Label]) -> tuple[list[enrol.Sample], int]:
    """Unsure cards named as a person would name them, cards that are none left out; and how many were asked about."""
    out: list[enrol.Sample] = []
    asked = 0
    for sample in samples:
        if sample.sure:
            out.append(sample)
            continue
        asked += 1
        face = next((label.card for label in labels if label.card and any(centred(box, label.box) for box in sample.seen.indices_px)), None)
        if face is not None:
            out.append(enrol.answer(sample, face))
    return out, asked
