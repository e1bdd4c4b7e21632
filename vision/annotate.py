"""Pictures with what was read drawn in, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.cards import RANK_OF, SUIT_OF, Card
from vision.cards_on_table import SeenCard
from vision.patch import Image

_COLOURS: Final = {"S": (60, 30, 20), "H": (40, 40, 220), "D": (30, 120, 240), "C": (40, 130, 30)}
_JOKER: Final = (160, 40, 160)


def annotate(image: Image, cards: Sequence[SeenCard]) -> Image:
    """Draw each card's corners, its indices, its face and its confidence.

    :param image: BGR, uint8; left as it is.
    :returns: a copy with the drawing.
    """
    picture = image.copy()
    for card in reversed(cards):
        quad = np.array(card.corners_px, np.float32)
        colour = _COLOURS.get(SUIT_OF[card.card].value, _JOKER) if card.card in SUIT_OF else _JOKER
        side = float(np.hypot(*(quad[1] - quad[0])))
        line = max(1, round(side / 60))
        cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, colour, line, cv2.LINE_AA)
        for x0, y0, x1, y1 in card.indices_px:
            middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
            inward = quad.mean(0) - middle
            place = middle + inward * 0.30
            _label(picture, f"{_short(card.card)} {card.confidence:.2f}".replace(" 1.00", ""), place, colour, max(0.35, side / 220))
            cv2.circle(picture, (round(float(middle[0])), round(float(middle[1]))), max(2, line * 2), colour, -1, cv2.LINE_AA)
    return picture


def _short(card: Card) -> str:
    return f"{RANK_OF[card]}{SUIT_OF[card].value.lower()}" if card in SUIT_OF else str(card)


def _label(picture: Image, text: str, place: np.ndarray[tuple[int], np.dtype[np.float64]], colour: tuple[int, int, int], size: float) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = int(place[0] - width / 2), int(place[1] + height / 2)
    cv2.rectangle(picture, (x - 2, y - height - 2), (x + width + 2, y + 3), (255, 255, 255), -1)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(size * 1.6)), cv2.LINE_AA)
