"""From indices to cards: which two indices belong to one card, what the card is, and which card lies on which.

Both indices of a card predict the same four corners. So identity comes from geometry, never from counting faces: two identical cards
a few millimetres apart stay two, and one card with both corners in view stays one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, UNKNOWN, Card
from vision.detector import Detections, Floats
from vision.reader import REJECT

N_BEST: Final = 8
_CORNER_SPREAD: Final = 0.045
"""Standard deviation of the mean corner distance between two predictions of one card, in card widths."""
_FARTHEST: Final = 0.16
"""Two predictions farther apart than this (card widths) are two cards; identical cards fanned by 8 mm are 0.127 apart."""
_OPPOSITE_DEG: Final = 25.0
_PRIOR: Final = 2.0
"""Log odds that two indices predicting exactly the same corners are one card, before their faces are looked at."""
_FLOOR: Final = 1e-4
_INSIDE: Final = 0.06
"""An index is on a card when its middle is at least this many card widths inside."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in a picture.

    ``corners_px`` are (x, y) top-left, top-right, bottom-right, bottom-left as seen from the index read best; ``indices_px`` the boxes
    (x0, y0, x1, y1) of its visible indices; ``confidence`` the probability that a card is there and is this one; ``n_best`` the likeliest
    faces with their probabilities, best first; ``layer`` 0 for a card that lies on no other; ``over`` the positions, in the same
    list, of the cards it lies on.
    """

    card: Card
    corners_px: tuple[tuple[float, float], ...]
    indices_px: tuple[tuple[float, float, float, float], ...]
    confidence: float
    n_best: tuple[tuple[Card, float], ...]
    layer: int = 0
    over: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The form that ``trickwatch read --json`` prints, pixels to a tenth."""
        return {
            "card": self.card,
            "corners_px": [[round(x, 1), round(y, 1)] for x, y in self.corners_px],
            "indices_px": [[round(v, 1) for v in box] for box in self.indices_px],
            "confidence": round(self.confidence, 4),
            "n_best": [[card, round(p, 4)] for card, p in self.n_best],
            "layer": self.layer,
            "over": list(self.over),
        }


def assemble(found: Detections, probabilities: Floats, least: float = 0.15) -> list[SeenCard]:
    """Put indices together to cards.

    :param found: N indices, one candidate each.
    :param probabilities: Nx55 as :meth:`vision.reader.Reader.read` gives them.
    :param least: cards less sure than this are left out.
    :returns: cards, best first; ``over`` refers to this order.
    """
    if len(found) == 0:
        return []
    there = found.scores * (1 - probabilities[:, REJECT])
    faces = probabilities[:, :REJECT] + np.float32(1e-6)
    faces = faces / faces.sum(1, keepdims=True)
    partner = _pair(found, faces)
    cards: list[tuple[float, SeenCard]] = []
    quads: list[Floats] = []
    members: list[tuple[int, ...]] = []
    for i in range(len(found)):
        j = partner[i]
        if j is not None and there[j] * faces[j].max() > there[i] * faces[i].max():
            continue
        if j is not None and there[j] * faces[j].max() == there[i] * faces[i].max() and j < i:
            continue
        group = (i,) if j is None else (i, j)
        seen, quad = _card(found, faces, there, group)
        if seen.confidence >= least:
            cards.append((seen.confidence, seen))
            quads.append(quad)
            members.append(group)
    order = sorted(range(len(cards)), key=lambda k: -cards[k][0])
    return _stack([cards[k][1] for k in order], np.array([quads[k] for k in order], np.float32).reshape(-1, 4, 2), found, [members[k] for k in order])


def _pair(found: Detections, faces: Floats) -> list[int | None]:
    """The other index of each index's card, by the likeliest matching."""
    n = len(found)
    quads = found.quads
    widths = np.maximum(found.widths, 1.0)
    middle = quads.mean(1)
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    turn = np.arctan2(across[:, 1], across[:, 0])
    opposite = np.roll(quads, 2, 1)
    gains: dict[tuple[int, int], float] = {}
    for i in range(n):
        for j in np.flatnonzero(np.hypot(*(middle - middle[i]).T) < 0.3 * widths[i]):
            if j <= i:
                continue
            off = np.abs((turn[j] - turn[i]) % (2 * np.pi) - np.pi)
            if off > np.deg2rad(_OPPOSITE_DEG):
                continue
            distance = float(np.linalg.norm(quads[i] - opposite[j], axis=1).mean() / ((widths[i] + widths[j]) / 2))
            if distance > _FARTHEST:
                continue
            same = float(np.log(max(REJECT * float((faces[i] * faces[j]).sum()), _FLOOR)))
            gain = _PRIOR + same - distance**2 / (2 * _CORNER_SPREAD**2)
            if gain > 0:
                gains[i, int(j)] = gain
    partner: list[int | None] = [None] * n
    for i, k in sorted(gains, key=lambda pair: -gains[pair]):
        if partner[i] is None and partner[k] is None:
            partner[i], partner[k] = k, i
    _improve(partner, gains)
    return partner


def _improve(partner: list[int | None], gains: dict[tuple[int, int], float]) -> None:
    """Exchange partners between pairs while the sum of gains grows: in a fan of identical cards the best single pair can be a wrong one."""

    def gain(a: int, b: int) -> float:
        return gains.get((min(a, b), max(a, b)), -np.inf)

    for _ in range(4):
        changed = False
        pairs = [(i, j) for i, j in enumerate(partner) if j is not None and i < j]
        for x, (a, b) in enumerate(pairs):
            for c, d in pairs[x + 1 :]:
                if partner[a] != b or partner[c] != d:
                    continue
                now = gain(a, b) + gain(c, d)
                for e, f in ((c, d), (d, c)):
                    if gain(a, e) + gain(b, f) > now + 1e-6:
                        partner[a], partner[e], partner[b], partner[f] = e, a, f, b
                        changed = True
                        break
        if not changed:
            return


def _card(found: Detections, faces: Floats, there: Floats, group: tuple[int, ...]) -> tuple[SeenCard, Floats]:
    """One card from its one or two indices: corners averaged, probabilities multiplied."""
    quads = [found.quads[group[0]]] + [np.roll(found.quads[k], 2, 0) for k in group[1:]]
    weights = np.array([found.scores[k] for k in group], np.float32)
    quad = np.asarray(np.tensordot(weights / weights.sum(), np.stack(quads), 1), np.float32)
    logs = np.sum([np.log(np.maximum(faces[k], _FLOOR)) for k in group], 0)
    posterior = np.exp(logs - logs.max())
    posterior /= posterior.sum()
    best = np.argsort(-posterior)[:N_BEST]
    exists = 1 - float(np.prod([1 - there[k] for k in group]))
    confidence = exists * float(posterior[best[0]])
    card = SeenCard(
        card=FACES[best[0]] if posterior[best[0]] > 0 else UNKNOWN,
        corners_px=tuple((float(x), float(y)) for x, y in quad),
        indices_px=tuple((float(b[0]), float(b[1]), float(b[2]), float(b[3])) for b in (found.boxes[k] for k in group)),
        confidence=confidence,
        n_best=tuple((FACES[k], float(posterior[k])) for k in best),
    )
    return card, quad


def _stack(cards: list[SeenCard], quads: Floats, found: Detections, members: list[tuple[int, ...]]) -> list[SeenCard]:
    """Fill in ``over`` and ``layer``: a card whose visible index lies inside another card's corners is on top of that one."""
    n = len(cards)
    if n < 2:
        return cards
    inside = np.zeros((n, n), np.int64)
    for b in range(n):
        for a in range(n):
            if a != b:
                centres = np.array([found.centres[k] for k in members[a]])
                inside[a, b] = int(_within(centres, quads[b]).sum())
    over: list[set[int]] = [{b for b in range(n) if inside[a, b] > inside[b, a]} for a in range(n)]
    layers: NDArray[np.int64] = np.zeros(n, np.int64)
    for _ in range(n):
        before = layers.copy()
        for a in range(n):
            if over[a]:
                layers[a] = min(n, 1 + max(int(before[b]) for b in over[a]))
        if (layers == before).all():
            break
    return [
        SeenCard(c.card, c.corners_px, c.indices_px, c.confidence, c.n_best, int(layers[k]), tuple(sorted(over[k]))) for k, c in enumerate(cards)
    ]


def _within(points: Floats, quad: Floats) -> NDArray[np.bool_]:
    """Tell which points (Mx2) lie inside a convex clockwise quad by at least ``_INSIDE`` card widths."""
    edges = np.roll(quad, -1, 0) - quad
    lengths = np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-6)
    offset = points[:, None] - quad[None]
    depth = (edges[None, :, 0] * offset[:, :, 1] - edges[None, :, 1] * offset[:, :, 0]) / lengths
    return np.asarray((depth > _INSIDE * lengths.min()).all(1))
