"""Made-up indices for tests: cards of known place, seen with as much error as wanted, without a network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.cards import FACES, Card
from vision.detector import Detections, Floats
from vision.reader import REJECT

WIDTH = 100.0
HEIGHT = WIDTH * 88 / 63


def card_quad(x: float, y: float, degrees: float = 0.0, width: float = WIDTH) -> Floats:
    """Corners of a card centred at (x, y)."""
    w, h = width / 2, width * 88 / 63 / 2
    a = np.deg2rad(degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) @ turn.T + [x, y], np.float32)


def index_of(quad: Floats, u: float = 0.12, v: float = 0.13, side: float = 0.42) -> Floats:
    """The box around the index at card coordinates (u, v)."""
    centre = quad[0] + u * (quad[1] - quad[0]) + v * (quad[3] - quad[0])
    half = side * float(np.hypot(*(quad[1] - quad[0]))) / 2
    return np.array([centre[0] - half, centre[1] - half, centre[0] + half, centre[1] + half], np.float32)


def see(views: Sequence[tuple[Floats, bool]], error: float = 0.0, seed: int = 0, u: float = 0.12) -> Detections:
    """Indices of cards: each view is a card's corners and whether its lower index is meant; ``error`` in pixels moves each corner."""
    random = np.random.default_rng(seed)
    quads, boxes = [], []
    for quad, lower in views:
        seen = np.roll(quad, 2, 0) if lower else quad
        boxes.append(index_of(seen, u))
        quads.append(seen + random.normal(0, error, (4, 2)))
    return Detections(np.array(boxes, np.float32), np.array(quads, np.float32), np.full(len(views), 0.9, np.float32))


def sure_of(*faces: str, p: float = 0.98) -> Floats:
    """Probabilities that name each face with certainty ``p``."""
    out = np.full((len(faces), REJECT + 1), (1 - p) / REJECT, np.float32)
    for row, face in enumerate(faces):
        out[row, FACES.index(Card(face))] = p
    return out
