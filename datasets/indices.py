"""Where the corner indices of a deck's faces are: boxes in face pixels, told by the marks in the corner that belong together.

A mark is a connected patch of ink. The index begins with the mark nearest to the corner; what stands beneath it (the suit, the next letter of
a word) and beside it (the nought of a ten, a word written across) belongs to it. Frames, border lines and pictures do not: they run on
beyond the corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art import FACE_H, FACE_W, Deck, Pixels
from engine.cards import BIG_JOKER, LITTLE_JOKER, RANK_OF, Card

Box = tuple[int, int, int, int]
_INK: Final = 100
_EDGE: Final = 4
_RIM: Final = 22
"""Between this and the edge (pixels of the face) a corner is mostly paper."""
_WIDEST: Final = 0.36
_WIDEST_JOKER: Final = 0.26
"""Of a word written across no more than this share of the card's width is asked for, since the rest is covered in a fan."""
_TALLEST: Final = 0.37
_CORNER: Final = (0.62, 0.6)
"""Marks are looked for in this part of a face; what reaches its end is no index."""
_LINE: Final = 0.03
"""Ink no thicker than this share of the card's width is a line."""
_SMALLEST: Final = 0.012
"""Marks less wide and less high than this share of the card's width are specks."""
_LETTER: Final = 0.14
"""A letter of a word written downwards is at most so wide."""
_BENEATH: Final = 0.1
_BESIDE: Final = 0.06
"""Gaps, in card widths, between marks of one index."""
_BESIDE_RANK: Final = 0.035
_START: Final = 0.3
"""The mark that an index begins with is not further from the corner than this, in card widths."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A patch of ink, or several taken together: its bounds."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def box(self) -> Box:
        return self.x0, self.y0, self.x1, self.y1

    def across(self, other: _Mark) -> float:
        """Which share of the narrower one's width both have in common."""
        return (min(self.x1, other.x1) - max(self.x0, other.x0)) / max(1, min(self.x1 - self.x0, other.x1 - other.x0))

    def down(self, other: _Mark) -> float:
        """Which share of the lower one's height both have in common."""
        return (min(self.y1, other.y1) - max(self.y0, other.y0)) / max(1, min(self.y1 - self.y0, other.y1 - other.y0))

    def holds(self, other: _Mark) -> bool:
        return self.x0 <= other.x0 and other.x1 <= self.x1 and self.y0 <= other.y0 and other.y1 <= self.y1

    def with_(self, other: _Mark) -> _Mark:
        return _Mark(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


def _ink(face: Pixels) -> NDArray[np.uint8]:
    """Which pixels of a face's top left part differ from its paper."""
    part = face[: round(_CORNER[1] * FACE_H), : round(_CORNER[0] * FACE_W), :3].astype(int)
    wide, high = round(_WIDEST * FACE_W), round(_TALLEST * FACE_H)
    rim = np.concatenate([part[_EDGE:_RIM, _EDGE:wide].reshape(-1, 3), part[_EDGE:high, _EDGE:_RIM].reshape(-1, 3)])
    values, counts = np.unique(rim // 8, axis=0, return_counts=True)
    near = np.abs(rim // 8 - values[counts.argmax()]).max(1) <= 1
    out = np.abs(part - np.median(rim[near], axis=0)).sum(2) > _INK
    card = cv2.erode((face[: out.shape[0] + 9, : out.shape[1] + 9, 3] > 250).astype(np.uint8), np.ones((9, 9), np.uint8))
    out &= card[: out.shape[0], : out.shape[1]] > 0  # not what looks out at a rounded corner
    out[:_EDGE] = out[:, :_EDGE] = False
    return np.asarray(out, np.uint8)


def _marks(face: Pixels) -> list[_Mark]:
    """The marks in a face's corner that end there, nearest to the corner first; one that a thin line joins to what runs on is cut from it."""
    ink = _ink(face)
    out, running = _ending(ink)
    thick = cv2.morphologyEx(running, cv2.MORPH_OPEN, np.ones((round(_LINE * FACE_W),) * 2, np.uint8))
    return sorted([*out, *_ending(thick)[0]], key=lambda mark: mark.x0 + mark.y0)


def _ending(ink: NDArray[np.uint8]) -> tuple[list[_Mark], NDArray[np.uint8]]:
    """The marks that end within a corner, and the ink of the others."""
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    out, running = [], np.zeros_like(ink)
    for k, (x, y, width, height, _) in enumerate(stats[1:], 1):
        mark = _Mark(int(x), int(y), int(x + width), int(y + height))
        line = min(width, height) < _LINE * FACE_W and max(width, height) > 0.3 * FACE_W
        if mark.x1 >= ink.shape[1] or mark.y1 >= ink.shape[0]:
            running |= np.asarray(numbers == k, np.uint8)
        elif max(width, height) >= _SMALLEST * FACE_W and not line:
            out.append(mark)
    return out, running


def _chain(marks: Sequence[_Mark], gap: float) -> _Mark | None:
    """The marks that stand together with the first one of some size.

    :param gap: how far apart (card widths) marks beside each other may stand; 0 where none does.
    """
    big = [mark for mark in marks if mark.y1 - mark.y0 > 0.03 * FACE_W and mark.x0 + mark.y0 < _START * FACE_W]
    if not big:
        return None
    row = big[0]
    left = [mark for mark in marks if mark is not big[0]]
    reach = gap * FACE_W
    while beside := next((m for m in left if _beside(m, row, reach) or row.holds(m)), None):
        row = row.with_(beside)
        left.remove(beside)
    whole = row
    while beneath := next((m for m in left if _beneath(m, whole, row) or whole.holds(m)), None):
        whole = whole.with_(beneath)
        left.remove(beneath)
    return whole


def _beside(mark: _Mark, row: _Mark, reach: float) -> bool:
    """Whether a mark stands on the line of those so far, no further on than ``reach``, and is not much higher."""
    return row.down(mark) > 0.6 and -reach < mark.x0 - row.x1 < reach and mark.y1 - mark.y0 < 1.25 * (row.y1 - row.y0)


def _beneath(mark: _Mark, whole: _Mark, row: _Mark) -> bool:
    """Whether a mark stands under those so far, on their axis, and is not much wider than a letter like their first one."""
    narrow = mark.x1 - mark.x0 < max(1.7 * (row.x1 - row.x0), _LETTER * FACE_W)
    return narrow and whole.across(mark) > 0.6 and -0.02 * FACE_W < mark.y0 - whole.y1 < _BENEATH * FACE_W


def _gap(card: Card) -> float:
    if card in (LITTLE_JOKER, BIG_JOKER):
        return _BESIDE
    return _BESIDE_RANK if RANK_OF[card] == "10" else 0.0


def index_boxes(deck: Deck) -> Mapping[Card, Box]:
    """The box (x0, y0, x1, y1) of each face's top left index; the bottom right one is the same, turned by 180 degrees.

    Faces without an index (some decks' jokers) have no box. What a deck says itself (``deck.indices``) is taken as it is. An index whose marks
    cannot be told from the picture beside it gets the usual box of its deck.
    """
    found: dict[Card, Box] = dict(deck.indices)
    for card, face in deck.faces.items():
        if card not in deck.bare and card not in found:
            whole = _chain(_marks(face), _gap(card))
            if whole is not None:
                found[card] = whole.box
    usual = _usual(found)
    out: dict[Card, Box] = {}
    for card in deck.faces:
        if card in deck.bare:
            continue
        box = found.get(card)
        if card not in (LITTLE_JOKER, BIG_JOKER) and card not in deck.indices and (box is None or _odd(box, usual)):
            box = _as_usual(usual, card)
        out[card] = _limited(box or usual, card)
    return out


def _limited(box: Box, card: Card) -> Box:
    """A box without what is covered in most fans, or lies too far down."""
    widest = _WIDEST_JOKER if card in (LITTLE_JOKER, BIG_JOKER) else _WIDEST
    x0, y0, x1, y1 = box
    return x0, y0, min(x1, round(widest * FACE_W)), min(y1, round(_TALLEST * FACE_H))


def _usual(found: Mapping[Card, Box]) -> Box:
    """The box that most of a deck's indices with one figure have."""
    boxes = [box for card, box in found.items() if card not in (LITTLE_JOKER, BIG_JOKER) and RANK_OF[card] != "10"]
    if not boxes:
        return round(0.03 * FACE_W), round(0.03 * FACE_H), round(0.17 * FACE_W), round(0.28 * FACE_H)
    x0, y0, x1, y1 = (int(v) for v in np.median(np.array(boxes), axis=0))
    return x0, y0, x1, y1


def _odd(box: Box, usual: Box) -> bool:
    """Whether a box begins elsewhere or is much lower or higher than its deck's usual one."""
    tall = (box[3] - box[1]) / max(1, usual[3] - usual[1])
    return abs(box[1] - usual[1]) > 0.06 * FACE_W or abs(box[0] - usual[0]) > 0.08 * FACE_W or not 0.75 < tall < 1.3


def _as_usual(usual: Box, card: Card) -> Box:
    x0, y0, x1, y1 = usual
    return (x0, y0, x1 + round(0.4 * (x1 - x0)), y1) if RANK_OF[card] == "10" else usual


def has_top_right_index(deck: Deck) -> bool:
    """Whether the deck prints an index in all four corners: the top right corner shows what the top left one shows."""
    boxes = index_boxes(deck)
    same = 0
    for suit in "SHDC":
        for rank in ("3", "2"):
            x0, y0, x1, y1 = boxes[Card(suit + rank)]
            face = deck.faces[Card(suit + rank)][..., :3].astype(int)
            left, right = face[y0:y1, x0:x1], face[y0:y1, FACE_W - x1 : FACE_W - x0]
            same += bool(np.abs(left - right).mean() < 0.35 * np.abs(left - np.median(face.reshape(-1, 3), axis=0)).mean())
    return same >= 6
