"""Training pictures from a recording: the picture of each play, with what the referee let stand as its labels.

Only the play's own cards stay in a picture; everything around them, hands and faces with it, is painted over with the colour of
the cloth. Where each card lies is known from the reading (its corners, from the index that was read); which card it is, from the
corrected log. A play whose cards cannot be matched to what was seen is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import UNKNOWN, Card
from engine.events import CardsPlayed, Event
from kiosk.recording.index import Medium
from kiosk.recording.library import Library
from kiosk.recording.truth import Recorded
from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError
from vision.stills import PictureError, load

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

AROUND_MM: Final = 4.0
"""So much of the cloth around each card stays in the picture."""
CARD_MM: Final = (63.0, 88.0)
INDEX_MM: Final = (1.5, 2.5, 11.5, 25.5)
"""The box of an index on a card: left, top, right, bottom."""
SURE: Final = 0.5
"""A card put right is matched to the place whose reading gave it at least this share of what was left."""


@dataclass(frozen=True)
class Example:
    """A training picture: its name, the picture (BGR), and each visible index: the card and its box (x0, y0, x1, y1, pixels)."""

    name: str
    image: Image
    labels: tuple[tuple[Card, tuple[float, float, float, float]], ...]
    corrected: bool


def harvest(library: Library, deal: Recorded) -> Iterator[Example]:
    """The training pictures of a deal, in the order of the table."""
    truth = {(event.trick, event.seat): event for event in deal.truth if isinstance(event, CardsPlayed)}
    told = {(event.trick, event.seat.value): event for event in deal.told if isinstance(event, CardsPlayed) and event.evidence.get("corners_mm")}
    for medium in library.media("still", deal.start.deal):
        seen = told.get((medium.trick, medium.seat))
        true = next((event for (trick, seat), event in truth.items() if (trick, seat.value) == (medium.trick, medium.seat)), None)
        session = library.session(medium.t0)
        if seen is None or true is None or session is None or not medium.box:
            continue
        cards = assign(seen, true.cards)
        if cards is None:
            continue
        try:
            calibration = tables.from_json(session.calibration)
            image = load(library.folder / medium.name)
        except (CalibrationError, PictureError):
            continue
        found = _picture(medium, image, calibration, seen.evidence["corners_mm"], cards)
        if found is not None:
            yield Example(medium.name.removesuffix(".jpg"), *found, (true.trick, true.seat) in deal.corrected)


def assign(seen: CardsPlayed, true: Sequence[Card]) -> tuple[Card, ...] | None:
    """Which true card lies at each place that was read; None when that cannot be told."""
    places = seen.evidence.get("corners_mm") or ()
    read = [str(card) for card in seen.evidence.get("raw") or seen.cards]
    n_best = seen.evidence.get("n_best") or ()
    if len(places) != len(true) or len(read) != len(true) or UNKNOWN in true:
        return None
    left = Counter(true)
    out: list[Card | None] = [None] * len(places)
    for i, card in enumerate(read):
        if left[Card(card)] > 0:
            out[i] = Card(card)
            left[Card(card)] -= 1
    open_places = [i for i, card in enumerate(out) if card is None]
    rest = list(left.elements())
    if len(open_places) > 1 and len(set(rest)) > 1:
        for i in open_places:
            shares = _shares(n_best, i, rest)
            best = max(rest, key=lambda card: shares.get(card, 0.0))
            if shares.get(best, 0.0) < SURE:
                return None
            out[i] = best
            rest.remove(best)
    else:
        for i, card in zip(open_places, rest, strict=True):
            out[i] = card
    return tuple(card for card in out if card is not None)


def _shares(n_best: Sequence[Any], place: int, cards: Sequence[Card]) -> Mapping[Card, float]:
    """How the reading of a place shares out among some cards."""
    try:
        found = {Card(str(card)): float(p) for card, p in n_best[place] if card in cards}
    except (IndexError, TypeError, ValueError):
        return {}
    total = sum(found.values())
    return {card: p / total for card, p in found.items()} if total > 0 else {}


def _picture(
    medium: Medium, image: Image, calibration: Calibration, corners_mm: Any, cards: Sequence[Card]
) -> tuple[Image, tuple[tuple[Card, tuple[float, float, float, float]], ...]] | None:
    """The cut picture and its labels; None when a card does not lie in it."""
    try:
        x, y, width, height = (int(v) for v in medium.box.split(","))
        quads_mm = np.asarray(corners_mm, np.float64).reshape(-1, 4, 2)
    except ValueError:
        return None
    if (image.shape[1], image.shape[0]) != (width, height):
        return None
    offset = np.array([x, y])
    mask = np.zeros(image.shape[:2], np.uint8)
    for quad in quads_mm:
        grown = quad + (quad - quad.mean(axis=0)) / np.linalg.norm(quad - quad.mean(axis=0), axis=1, keepdims=True) * AROUND_MM * 1.5
        cv2.fillConvexPoly(mask, (calibration.to_px(grown) - offset).round().astype(np.int32), 255)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows) or not len(columns):
        return None
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    ring = (cv2.dilate(mask, np.ones((9, 9), np.uint8)) > 0) & (mask == 0)
    cloth = np.median(image[ring], axis=0).astype(np.uint8) if ring.any() else np.full(3, 96, np.uint8)
    cut = image.copy()
    cut[mask == 0] = cloth
    labels = []
    doubtful = []
    for card, box_mm in _visible(quads_mm, cards):
        points = calibration.to_px(box_mm) - offset
        x0, y0 = points.min(axis=0)
        x1, y1 = points.max(axis=0)
        if x0 < left or y0 < top or x1 > right or y1 > bottom:
            return None
        if card is None:
            doubtful.append((points, (x0, y0, x1, y1)))
        else:
            labels.append((card, (float(x0 - left), float(y0 - top), float(x1 - left), float(y1 - top))))
    paper = np.percentile(image[mask > 0], 75, axis=0).astype(np.uint8)
    for points, (x0, y0, x1, y1) in doubtful:
        if not any(x0 - left < b[2] and b[0] < x1 - left and y0 - top < b[3] and b[1] < y1 - top for _, b in labels):
            cv2.fillConvexPoly(cut, points.round().astype(np.int32), paper.tolist())
    return np.ascontiguousarray(cut[top:bottom, left:right]), tuple(labels)


def _visible(quads: Points, cards: Sequence[Card]) -> Iterator[tuple[Card | None, Points]]:
    """The indices that can be seen (4x2 mm each): the one that was read, and the opposite one where no card above covers it.

    Where it cannot be told which of two cards lies above, the opposite index comes without a card.
    """
    for i, (quad, card) in enumerate(zip(quads, cards, strict=True)):
        yield card, _on_card(quad, INDEX_MM)
        box = _on_card(quad[[2, 3, 0, 1]], INDEX_MM)
        there = [other for j, other in enumerate(quads) if j != i and _inside(box.mean(axis=0), other)]
        if any(_above(other, quad) for other in there):
            continue
        yield (card if all(_above(quad, other) for other in there) else None), box


def _on_card(quad: Points, box: tuple[float, float, float, float]) -> Points:
    """Where a box of a card (mm from its top left corner) lies on the table (4x2 mm)."""
    unit = np.array([[0, 0], [CARD_MM[0], 0], [CARD_MM[0], CARD_MM[1]], [0, CARD_MM[1]]], np.float32)
    turn = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    corners = np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]], np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(corners, turn), np.float64).reshape(-1, 2)


def _inside(point: Points, quad: Points) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32).reshape(-1, 1, 2), (float(point[0]), float(point[1])), measureDist=False) >= 0


def _above(quad: Points, other: Points) -> bool:
    """Whether a card lies on another: its read index is seen where the other one lies, and not the other way round."""
    mine = _inside(_on_card(quad, INDEX_MM).mean(axis=0), other)
    its = _inside(_on_card(other, INDEX_MM).mean(axis=0), quad)
    return mine and not its


def yolo(example: Example, numbers: Mapping[Card, int]) -> str:
    """The labels as YOLO text: class, centre and size as shares of the picture."""
    height, width = example.image.shape[:2]
    lines = []
    for card, (x0, y0, x1, y1) in example.labels:
        lines.append(f"{numbers[card]} {(x0 + x1) / 2 / width:.6f} {(y0 + y1) / 2 / height:.6f} {(x1 - x0) / width:.6f} {(y1 - y0) / height:.6f}")
    return "".join(f"{line}\n" for line in lines)


def plays_told(events: Sequence[Event]) -> int:
    """How many plays the camera told."""
    return sum(isinstance(event, CardsPlayed) and event.source.value == "camera" for event in events)
