"""A look: what a zone shows while it lies still, voted over several frames, and which of its cards are new.

A card of a look is *fresh* when the picture at its index differs from the picture that was settled before; the old cards of a
pile, whose indices still show at the rim, are not. One frame never makes a card: it must be found again in the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from engine.cards import Card
from vision.calibration import Calibration, Floats, Image
from vision.ends import End, Inset, heading_of, join
from vision.table_card import SAME_MM, TableCard
from vision.zones import Zone, zone_at

SAME_PICTURE: Final = 0.72
"""Correlation above which an index's picture is the one that was there before: that card is not new."""
SAME_RED: Final = 0.35
"""Ink whose redness (0 black, 1 red) differs by more is another card's, however alike the shapes."""
INDEX_MM: Final = (3.6, 7.2)
"""Half the size of an index, across and down: a little less than the print, so that neighbours do not count."""
PATCH: Final = (12, 24)
LEAST: Final = 0.12
LEAST_CAREFUL: Final = 0.06
"""Weaker readings are not asked for; a second look at a zone where cards are missing asks for weaker ones."""
FLOOR: Final = 1e-4
"""The least probability of a face in one frame's reading: no frame may rule a face out alone."""


class Seen(Protocol):
    """What a recogniser finds (:class:`vision.cards_on_table.SeenCard`)."""

    @property
    def card(self) -> Card: ...  # noqa: D102
    @property
    def corners_px(self) -> Sequence[Sequence[float]]: ...  # noqa: D102
    @property
    def indices_px(self) -> Sequence[Sequence[float]]: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def n_best(self) -> Sequence[tuple[Card, float]]: ...  # noqa: D102


class CropReader(Protocol):
    """What the pipeline needs of a recogniser."""

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> Sequence[Seen]:
        """The cards that a crop (BGR, height x width x 3) at the camera's own resolution shows, in its pixels."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """A zone as it lies still from ``still`` (s) on, seen until ``t``: its cards from left to right of the player's view.

    ``changed_mm2`` is how much of the zone differs from before, ``paper_mm2`` how much of that is white as cards are. Of the cards
    known from before, those in ``touched`` lie where the picture has changed, and where ``bare`` ones lay is cloth now.
    ``began`` is when it first moved since it was settled (s; -1: not known): what is new was laid no earlier.
    ``occupied`` (for the centre): something lies there. ``loose_mm2`` is new white that no new card explains; ``reverted`` says that
    the zone looks as it did before its latest play.
    """

    zone: Zone
    t: float
    still: float
    cards: tuple[TableCard, ...] = ()
    frames: int = 1
    changed_mm2: float = 0.0
    paper_mm2: float = 0.0
    touched: tuple[TableCard, ...] = ()
    bare: tuple[TableCard, ...] = ()
    occupied: bool = False
    loose_mm2: float = 0.0
    reverted: bool = False
    began: float = -1.0

    @property
    def fresh(self) -> tuple[TableCard, ...]:
        """The cards that were not there before."""
        return tuple(card for card in self.cards if card.fresh)


Box = tuple[int, int, int, int]


def grow(box: Box, margin: int, size: tuple[int, int]) -> Box:
    """A box x0, y0, x1, y1 with a margin, inside a picture of ``size`` width, height."""
    x0, y0, x1, y1 = box
    return max(0, x0 - margin), max(0, y0 - margin), min(size[0], x1 + margin), min(size[1], y1 + margin)


def likeness(now: Image, before: Image, place: Floats, heading: float, origin: tuple[int, int], calibration: Calibration) -> float:
    """How alike an index's picture is to what was there before, -1..1, whatever the light has done.

    :param now: a crop and the same crop of ``before``, their upper left corner at ``origin``.
    :param place: the middle of the index (mm); ``heading`` the direction of the card's upper edge (deg).
    """
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    (u, v), (w, h) = INDEX_MM, PATCH
    corners_mm = [[place[0] + x * c - y * s, place[1] + x * s + y * c] for x, y in ((-u, -v), (u, -v), (u, v), (-u, v))]
    corners = (calibration.to_px(corners_mm) - np.array(origin)).astype(np.float32)
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    turn = cv2.getPerspectiveTransform(corners, target)
    a, b = (cv2.warpPerspective(cv2.GaussianBlur(p, (3, 3), 0), turn, (w, h), flags=cv2.INTER_LINEAR).astype(np.float32) for p in (now, before))
    a, b = a - a.mean((0, 1)), b - b.mean((0, 1))
    if abs(_redness(a) - _redness(b)) > SAME_RED:
        return 0.0
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale > w * h * 3 * 4.0 else 0.0


def _redness(patch: Floats) -> float:
    """How much less a print shows in red light than in the rest: 0 for black, nearly 1 for red; 0.5 for a patch without print."""
    blue, green, red = (float(v) for v in np.sqrt((patch * patch).mean((0, 1))))
    return 0.5 if blue + green < 16 else max(0.0, 1 - 2 * red / (blue + green))


def read_frame(
    reader: CropReader,
    image: Image,
    before: Image | None,
    box: Box,
    zone: Zone,
    calibration: Calibration,
    *,
    inset: Inset | None = None,
    careful: bool = False,
) -> tuple[TableCard, ...]:
    """Read one frame's crop ``box`` of a zone: the cards whose middle lies in the zone, in millimetres.

    :param before: the settled picture, of the same size; without it every card is new.
    :param inset: what is known of where the deck prints its indices.
    """
    x0, y0, x1, y1 = box
    crop = np.ascontiguousarray(image[y0:y1, x0:x1])
    seen = reader.read_crop(crop, vote=careful, least=LEAST_CAREFUL if careful else LEAST)
    if not seen:
        return ()
    old = np.ascontiguousarray(before[y0:y1, x0:x1]) if before is not None and before.shape == image.shape else None
    inset = inset or Inset(calibration.card_mm)
    ends = [end for number, card in enumerate(seen) for end in _ends(card, number, (x0, y0), crop, old, calibration)]
    cards = (TableCard(j.faces, j.corners, j.presence, fresh=j.fresh, ends=j.ends, places=j.places) for j in join(ends, inset))
    return tuple(card for card in cards if zone_at(*card.centre) is zone)


def _ends(card: Seen, number: int, origin: tuple[int, int], crop: Image, before: Image | None, calibration: Calibration) -> Iterator[End]:
    """The indices of a card that was read, in millimetres; nothing when it has not a card's size."""
    corners = calibration.to_mm(np.asarray(card.corners_px, np.float64) + np.array(origin))
    if not _like_a_card(corners, calibration.card_mm):
        return
    n_best = tuple((face, float(p)) for face, p in card.n_best) or ((card.card, float(card.confidence)),)
    presence = min(1.0, float(card.confidence) / max(n_best[0][1], 1e-3))
    if len(card.indices_px) > 1:
        presence = 1 - math.sqrt(max(0.0, 1 - presence))
    down = (corners[3] - corners[0]) + (corners[2] - corners[1])
    for left, top, right, bottom in card.indices_px:
        place = calibration.to_mm([[(left + right) / 2 + origin[0], (top + bottom) / 2 + origin[1]]])[0]
        # A deck with four indices shows any of them, and the surest two may stand at the same short side.
        quad = np.roll(corners, 2 * int(float((place - corners.mean(0)) @ down) > 0), axis=0)
        heading = heading_of(quad)
        along = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
        mirrored = float((place - quad[0]) @ along) > calibration.card_mm[0] / 2
        fresh = before is None or likeness(crop, before, place, heading, origin, calibration) < SAME_PICTURE
        yield End(n_best, (float(place[0]), float(place[1])), heading, presence, fresh, mirrored, number)


def _like_a_card(corners_mm: Floats, card_mm: tuple[float, float]) -> bool:
    """The quadrilateral is about as large as a card; a reading of something else is not."""
    area = abs(float(cv2.contourArea(corners_mm.astype(np.float32))))
    return 0.45 <= area / (card_mm[0] * card_mm[1]) <= 2.0


def vote(frames: Sequence[Sequence[TableCard]], zone: Zone) -> tuple[TableCard, ...]:
    """Put the readings of several frames together, card by card.

    Faces are averaged by their logarithms (frames of one still scene err alike, so they are not independent); ``share`` tells
    in how many frames a card was found.
    """
    groups: list[list[TableCard]] = []
    for frame in frames:
        free = list(range(len(groups)))
        for card in sorted(frame, key=lambda c: -c.sure):
            near = [g for g in free if card.lies_like(groups[g][0], SAME_MM * 1.5)]
            same = [g for g in near if groups[g][0].card == card.card]
            pick = min(same or near, key=lambda g: math.dist(groups[g][0].centre, card.centre), default=None)
            if pick is None:
                groups.append([card])
            else:
                groups[pick].append(card)
                free.remove(pick)
    return tuple(sorted((_merge(group, len(frames)) for group in groups), key=lambda c: place_along(c, zone)))


def _merge(group: Sequence[TableCard], frames: int) -> TableCard:
    """One card of several readings."""
    best = max(group, key=lambda c: (c.ends, c.sure))
    return TableCard(
        n_best=mix([dict(card.n_best) for card in group]),
        corners_mm=best.corners_mm,
        presence=sum(card.presence for card in group) / len(group),
        share=len(group) / frames,
        fresh=sum(card.fresh for card in group) * 2 >= len(group),
        ends=max(card.ends for card in group),
        places=best.places,
    )


def mix(readings: Sequence[Mapping[Card, float]], keep: int = 6) -> tuple[tuple[Card, float], ...]:
    """The geometric mean of several readings of one card: faces with probabilities, best first."""
    faces = {face for reading in readings for face in reading}
    logs = {face: sum(math.log(max(reading.get(face, 0.0), FLOOR)) for reading in readings) / len(readings) for face in faces}
    if not logs:
        return ()
    top = max(logs.values())
    total = sum(math.exp(v - top) for v in logs.values())
    ranked = sorted(((face, math.exp(v - top) / total) for face, v in logs.items()), key=lambda item: (-item[1], item[0]))
    return tuple((face, round(p, 5)) for face, p in ranked[:keep])


def place_along(card: TableCard, zone: Zone) -> float:
    """Where a card lies along its player's row, from the player's left to the right (mm)."""
    x, y = card.centre
    return {Zone.N: -x, Zone.E: -y, Zone.W: y}.get(zone, x)
