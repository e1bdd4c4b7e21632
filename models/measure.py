"""Measuring a recogniser: what became of every labelled index, and of every card that was read.

An index is *found* when a card of its face has an index box centred in the label grown by half its size, *misread* when only cards of
other faces have, else *missed*. A card is *false* when none of its boxes is centred in any label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import SUIT_OF, Card
from vision.cards_on_table import SeenCard

Box = tuple[float, float, float, float]
Picture = NDArray[np.uint8]

_GROW: Final = 0.5


@unique
class Outcome(StrEnum):
    """What became of a labelled index."""

    FOUND = "found"
    MISREAD = "misread"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Label:
    """One index of a picture.

    :ivar card: its face; None for a label that asks for nothing and forgives everything (a back, an index half covered).
    :ivar box: pixels.
    :ivar width: the card's width in pixels, where known.
    :ivar owner: which physical card of the picture it belongs to, where known; of two, the one with the greater number lies higher.
    :ivar quad: that card's corners (4x2 pixels, as seen from the index), where known.
    :ivar half: the face of a label that asks for nothing because its index is half covered.
    """

    card: Card | None
    box: Box
    width: float | None = None
    owner: int | None = None
    quad: tuple[tuple[float, float], ...] | None = None
    half: Card | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled picture, loaded when it is asked for."""

    name: str
    load: Callable[[], tuple[Picture, tuple[Label, ...]]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A labelled index, what became of it, what it was read as (None when missed) and how surely."""

    label: Label
    outcome: Outcome
    read: Card | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Group:
    """Identical cards of a picture: the face, how many lie there, how many were read, and their width in pixels."""

    face: Card
    lying: int
    read: int
    width: float

    @property
    def right(self) -> bool:
        """Whether they were counted right."""
        return self.lying == self.read


@dataclass(frozen=True, slots=True)
class Stacking:
    """Of the pairs of cards that were read and overlap: how often the right one was said to lie on the other, the wrong one, none."""

    right: int = 0
    wrong: int = 0
    unsaid: int = 0

    def __add__(self, other: Stacking) -> Stacking:
        return Stacking(self.right + other.right, self.wrong + other.wrong, self.unsaid + other.unsaid)


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture's verdicts; ``false`` are the cards on no label; ``cards`` how many were read; groups of identical cards; what lies on what."""

    name: str
    verdicts: tuple[Verdict, ...]
    false: tuple[SeenCard, ...]
    cards: int
    groups: tuple[Group, ...] = ()
    stacking: Stacking = Stacking()

    @property
    def errors(self) -> int:
        """Indices not found and false cards."""
        return sum(v.outcome is not Outcome.FOUND for v in self.verdicts) + len(self.false)


def centred(box: Box, label: Box) -> bool:
    """Tell whether a box's middle lies in a label grown by half its size on each side."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    gx, gy = (label[2] - label[0]) * _GROW, (label[3] - label[1]) * _GROW
    return label[0] - gx <= x <= label[2] + gx and label[1] - gy <= y <= label[3] + gy


def judge(name: str, labels: Sequence[Label], cards: Sequence[SeenCard]) -> Judged:
    """Compare what was read with what is there."""
    verdicts = []
    for label in labels:
        if label.card is None:
            continue
        hits = [card for card in cards if any(centred(box, label.box) for box in card.indices_px)]
        right = [card for card in hits if card.card == label.card]
        if right:
            verdicts.append(Verdict(label, Outcome.FOUND, label.card, max(card.confidence for card in right)))
        elif hits:
            nearest = min(hits, key=lambda card: min(_distance(box, label.box) for box in card.indices_px))
            verdicts.append(Verdict(label, Outcome.MISREAD, nearest.card, nearest.confidence))
        else:
            verdicts.append(Verdict(label, Outcome.MISSED, None, 0.0))
    false = tuple(card for card in cards if not any(centred(box, label.box) for box in card.indices_px for label in labels))
    return Judged(name, tuple(verdicts), false, len(cards), groups(labels, cards), stacking(labels, cards))


def _distance(box: Box, label: Box) -> float:
    return abs(box[0] + box[2] - label[0] - label[2]) + abs(box[1] + box[3] - label[1] - label[3])


@dataclass
class Tally:
    """Counts over pictures."""

    pictures: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    cards: int = 0
    false: int = 0

    @classmethod
    def of(cls, judged: Sequence[Judged], keep: Callable[[Verdict], bool] = lambda _: True) -> Tally:
        """Count, of each picture the verdicts that are kept."""
        tally = cls(len(judged), Counter(v.outcome for j in judged for v in j.verdicts if keep(v)))
        tally.cards, tally.false = sum(j.cards for j in judged), sum(len(j.false) for j in judged)
        return tally

    @property
    def indices(self) -> int:
        """How many labelled indices there were."""
        return self.outcomes.total()

    def share(self, outcome: Outcome) -> float:
        """Which part of the indices had an outcome."""
        return self.outcomes[outcome] / max(1, self.indices)

    @property
    def on_label(self) -> float:
        """Which part of the cards read lay on a label."""
        return 1 - self.false / max(1, self.cards)


def groups(labels: Sequence[Label], cards: Sequence[SeenCard]) -> tuple[Group, ...]:
    """The faces of which a picture shows at least two cards, and how often each was read.

    Only cards that show a readable index count. Where a card of the face shows no more than half of one, it is open whether it should be
    read; such a face is left out.
    """
    lying: dict[Card, dict[int, float]] = {}
    for label in labels:
        if label.card is not None and label.owner is not None:
            lying.setdefault(label.card, {})[label.owner] = label.width or 0.0
    open_faces = {label.half for label in labels if label.half is not None and label.owner not in lying.get(label.half, {})}
    read = Counter(card.card for card in cards)
    return tuple(
        Group(face, len(owners), read[face], sum(owners.values()) / len(owners))
        for face, owners in lying.items()
        if len(owners) > 1 and face not in open_faces
    )


def stacking(labels: Sequence[Label], cards: Sequence[SeenCard]) -> Stacking:
    """Compare which card was said to lie on which with what is known of the picture."""
    number: dict[int, tuple[int, Label]] = {}
    for n, card in enumerate(cards):
        at = [label for label in labels if label.card == card.card and label.quad and any(centred(box, label.box) for box in card.indices_px)]
        if at:
            nearest = min(at, key=lambda label: min(_distance(box, label.box) for box in card.indices_px))
            if nearest.owner is not None:
                number.setdefault(nearest.owner, (n, nearest))
    out = Counter[str]()
    for low, (a, first) in number.items():
        for high, (b, second) in number.items():
            if low < high and _overlap(first, second):
                out["wrong" if b in cards[a].over else "right" if a in cards[b].over else "unsaid"] += 1
    return Stacking(out["right"], out["wrong"], out["unsaid"])


def _overlap(a: Label, b: Label) -> bool:
    """Whether one card covers at least a twentieth of the other."""
    first, second = (np.asarray(label.quad, np.float32) for label in (a, b))
    return float(cv2.intersectConvexConvex(first, second)[0]) > 0.05 * abs(float(cv2.contourArea(first)))


def suit_errors(verdicts: Sequence[Verdict]) -> Counter[tuple[str, str]]:
    """How often one suit was read as another, rank right or wrong."""
    out: Counter[tuple[str, str]] = Counter()
    for v in verdicts:
        if v.label.card is None or v.read is None:
            continue
        true, read = SUIT_OF.get(v.label.card), SUIT_OF.get(v.read)
        if true is not None and read is not None and true is not read:
            out[true.value, read.value] += 1
    return out


def reliability(judged: Sequence[Judged], bins: int = 10) -> list[tuple[float, float, int]]:
    """Calibration: for each bin of confidence its mean, the share of cards that were right, and how many there were."""
    pairs = [(v.confidence, v.outcome is Outcome.FOUND) for j in judged for v in j.verdicts if v.outcome is not Outcome.MISSED]
    pairs += [(card.confidence, False) for j in judged for card in j.false]
    out = []
    for k in range(bins):
        here = [(c, ok) for c, ok in pairs if k / bins <= c < (k + 1) / bins or (k == bins - 1 and c >= 1)]
        if here:
            out.append((float(np.mean([c for c, _ in here])), float(np.mean([ok for _, ok in here])), len(here)))
    return out


def calibration_error(bins: Sequence[tuple[float, float, int]]) -> float:
    """Mean distance between confidence and the share that was right, weighted by how many there were."""
    total = sum(n for _, _, n in bins)
    return sum(abs(confidence - right) * n for confidence, right, n in bins) / max(1, total)
