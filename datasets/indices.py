"""Where the corner indices of a deck's faces are: boxes in face pixels, found by their ink."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art import FACE_H, FACE_W, Deck, Pixels
from engine.cards import BIG_JOKER, LITTLE_JOKER, RANK_OF, Card

Box = tuple[int, int, int, int]
_INK: Final = 100
_EDGE: Final = 4
_RIM: Final = 8
_LINE: Final = 0.9
_WIDEST: Final = 0.36
_TALLEST: Final = 0.37


def _ink(face: Pixels) -> NDArray[np.bool_]:
    """Which pixels of the top left part of a face differ from its paper."""
    part = face[: round(_TALLEST * FACE_H), : round(_WIDEST * FACE_W), :3].astype(int)
    paper = np.median(part[_EDGE:24].reshape(-1, 3), axis=0)
    out = np.asarray(np.abs(part - paper).sum(2) > _INK)
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(out.astype(np.uint8), connectivity=8)
    # A line around the card comes from its edge and runs on along it; an index does neither.
    for piece, (x, y, wide, high, _) in enumerate(stats):
        if piece and min(x, y) < _RIM and (wide > _LINE * part.shape[1] or high > _LINE * part.shape[0]):
            out[pieces == piece] = False
    out[:_EDGE] = out[:, :_EDGE] = False
    return out


def _span(marks: NDArray[np.bool_], gap: int) -> tuple[int, int] | None:
    """The first run of marks, in which no gap is wider than ``gap``."""
    places = np.flatnonzero(marks)
    if not len(places):
        return None
    breaks = np.flatnonzero(np.diff(places) > gap)
    return int(places[0]), int(places[breaks[0]] if len(breaks) else places[-1])


def _reach(deck: Deck) -> tuple[int, int]:
    """How far right and down the indices of a deck reach, told by aces, twos and threes, which have no pips at the side."""
    rights, downs = [], []
    for rank in ("A", "2", "3"):
        for suit in "SHDC":
            ink = _ink(deck.faces[Card(suit + rank)])
            across = _span(np.any(ink, axis=0), 12)
            if across is None:
                continue
            down = _span(np.any(ink[:, : across[1] + 1], axis=1), 26)
            rights.append(across[1])
            downs.append(down[1] if down else round(0.25 * FACE_H))
    if not rights:
        return round(0.17 * FACE_W), round(0.28 * FACE_H)
    return int(np.median(rights)) + 3, int(np.median(downs)) + 4


def index_boxes(deck: Deck) -> Mapping[Card, Box]:
    """The box (x0, y0, x1, y1) of each face's top left index; the bottom right one is the same, turned by 180 degrees.

    Faces without an index (some decks' jokers) have no box.
    """
    right, down = _reach(deck)
    out: dict[Card, Box] = {}
    for card, face in deck.faces.items():
        if card in deck.bare:
            continue
        if card in (LITTLE_JOKER, BIG_JOKER):
            far_x, far_y = round(0.26 * FACE_W), round(_TALLEST * FACE_H)
        else:
            far_x, far_y = min(round(right * (1.4 if RANK_OF[card] == "10" else 1.15)), round(_WIDEST * FACE_W)), down
        ink = _ink(face)[:far_y, :far_x]
        across = _span(np.any(ink, axis=0), 10) if ink.any() else None
        rows = np.flatnonzero(ink[:, : across[1] + 1].any(1)) if across else np.zeros(0, int)
        if across is None or len(rows) < 12 or across[1] - across[0] < 7:
            out[card] = (round(0.03 * FACE_W), round(0.03 * FACE_H), right, down)
        else:
            out[card] = (across[0], int(rows[0]), across[1] + 1, int(rows[-1]) + 1)
    return out


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
