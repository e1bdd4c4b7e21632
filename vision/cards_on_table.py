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
from vision.patch import at_right
from vision.reader import REJECT

N_BEST: Final = 8
_CORNER_SPREAD: Final = 0.05
"""Standard deviation of the mean corner distance between two predictions of one card, in card widths."""
_FARTHEST: Final = 0.2
"""Two predictions farther apart than this (card widths) are two cards; identical cards fanned by 8 mm are 0.127 apart."""
_SAME_CORNER: Final = 0.1
"""Card widths between the index corners of two finds of one index with one face; identical cards fanned by 8 mm are 0.127 apart."""
_OPPOSITE_DEG: Final = 25.0
_PRIOR: Final = 2.0
"""Log odds that two indices predicting exactly the same corners are one card, before their faces are looked at."""
_FLOOR: Final = 1e-4
_TRUST: Final = (0.33, 0.29, 0.42, -1.87)
"""Weights of the detector's score, the reader's rejection and its likeliest face (all as log odds), and the constant: a logistic regression
on held-out rendered scenes."""
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
    kept = _once(found, probabilities)
    found, probabilities = found.take(kept), probabilities[kept]
    faces = probabilities[:, :REJECT] + np.float32(1e-6)
    faces = faces / faces.sum(1, keepdims=True)
    there = np.minimum(index_confidence(found.scores, probabilities) / faces.max(1), 1)
    cards: list[SeenCard] = []
    quads: list[Floats] = []
    groups: list[tuple[int, ...]] = []
    for group in _groups(found, faces):
        best_first = tuple(sorted(group, key=lambda k: (-float(there[k] * faces[k].max()), k)))
        seen, quad = _card(found, faces, there, best_first)
        if seen.confidence >= least:
            cards.append(seen)
            quads.append(quad)
            groups.append(group)
    order = sorted(range(len(cards)), key=lambda k: -cards[k].confidence)
    corners = np.array([quads[k] for k in order], np.float32).reshape(-1, 4, 2)
    return _stack([cards[k] for k in order], corners, found, [groups[k] for k in order])


def _once(found: Detections, probabilities: Floats) -> NDArray[np.int64]:
    """Leave out second finds of one index: its corner of the card is where another, surer find has it.

    Finds of one index may lie farther apart than indices of two cards do, but their corners agree; two cards' corners differ by their step.
    """
    widths = np.maximum(found.widths, 1.0)
    corners, centres = found.quads[:, 0], found.centres
    across = found.quads[:, 1] - corners
    turn = np.arctan2(across[:, 1], across[:, 0])
    top = probabilities[:, :REJECT].argmax(1)
    sure = index_confidence(found.scores, probabilities)
    kept: list[int] = []
    for i in np.argsort(-sure, kind="stable"):
        rivals = np.array(kept, np.int64)
        if len(rivals):
            turned = np.abs((turn[rivals] - turn[i] + np.pi) % (2 * np.pi) - np.pi)
            corner = np.hypot(*(corners[rivals] - corners[i]).T) / widths[i]
            apart = np.hypot(*(centres[rivals] - centres[i]).T) / widths[i]
            limit = np.where(top[rivals] == top[i], _SAME_CORNER, _SAME_CORNER * 0.6)
            if bool(((turned < np.deg2rad(_OPPOSITE_DEG)) & (corner < limit) & (apart < 2 * _SAME_CORNER)).any()):
                continue
        kept.append(int(i))
    return np.array(sorted(kept), np.int64)


def index_confidence(scores: Floats, probabilities: Floats) -> Floats:
    """How likely it is that an index stands there and is the face it was read as, N numbers.

    The detector's score alone says too little: an index that it hardly dared to box is there all the same when the reader is certain.
    """
    rejected, top = probabilities[:, REJECT], probabilities[:, :REJECT].max(1)
    said = _TRUST[0] * _log_odds(scores) - _TRUST[1] * _log_odds(rejected) + _TRUST[2] * _log_odds(top) + _TRUST[3]
    return np.asarray(1 / (1 + np.exp(-said)), np.float32)


def _log_odds(p: Floats) -> Floats:
    clipped = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(clipped / (1 - clipped)), np.float32)


def _groups(found: Detections, faces: Floats) -> list[tuple[int, ...]]:
    """Which indices belong to one card: first the two diagonal ones, then the pairs of a deck with four indices."""
    gains, turned = _gains(found, faces)
    right = at_right(found.quads, found.centres)
    diagonal = {pair: gain for pair, gain in gains.items() if turned[pair] and right[pair[0]] == right[pair[1]]}
    partner = _match(len(found), diagonal)
    group_of = [(i,) if j is None else (min(i, j), max(i, j)) for i, j in enumerate(partner)]
    for pair in sorted(gains.keys() - diagonal.keys(), key=lambda pair: -gains[pair]):
        a, b = (group_of[k] for k in pair)
        joined = tuple(sorted({*a, *b}))
        # Relative to the first, each of the four places of a card holds one index at most.
        places = {(bool(right[k]), k != joined[0] and turned.get((joined[0], k), False)) for k in joined}
        if a != b and len(places) == len(joined) and sum(gains.get((min(x, y), max(x, y)), -_PRIOR) for x in a for y in b) > 0:
            for k in joined:
                group_of[k] = joined
    return sorted(set(group_of))


def _gains(found: Detections, faces: Floats) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], bool]]:
    """For index pairs that may be one card: the log odds that they are, and whether they see the card from opposite ends."""
    quads = found.quads
    widths = np.maximum(found.widths, 1.0)
    middle = quads.mean(1)
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    turn = np.arctan2(across[:, 1], across[:, 0])
    gains: dict[tuple[int, int], float] = {}
    turned: dict[tuple[int, int], bool] = {}
    for i in range(len(found)):
        for j in np.flatnonzero(np.hypot(*(middle - middle[i]).T) < _FARTHEST * 2 * widths[i]):
            if j <= i:
                continue
            apart = np.abs((turn[j] - turn[i] + np.pi) % (2 * np.pi) - np.pi)
            opposite = bool(apart > np.pi / 2)
            if min(apart, np.pi - apart) > np.deg2rad(_OPPOSITE_DEG):
                continue
            other = np.roll(quads[j], 2, 0) if opposite else quads[j]
            distance = float(np.linalg.norm(quads[i] - other, axis=1).mean() / ((widths[i] + widths[j]) / 2))
            if distance > _FARTHEST:
                continue
            same = float(np.log(max(REJECT * float((faces[i] * faces[j]).sum()), _FLOOR)))
            gain = _PRIOR + same - distance**2 / (2 * _CORNER_SPREAD**2)
            if gain > 0:
                gains[i, int(j)] = gain
                turned[i, int(j)] = opposite
    return gains, turned


def _match(n: int, gains: dict[tuple[int, int], float]) -> list[int | None]:
    """The likeliest matching: greedy, then partners are exchanged while the sum of gains grows.

    In a fan of identical cards the best single pair can be a wrong one.
    """
    partner: list[int | None] = [None] * n
    for i, k in sorted(gains, key=lambda pair: -gains[pair]):
        if partner[i] is None and partner[k] is None:
            partner[i], partner[k] = k, i

    def gain(a: int, b: int) -> float:
        return gains.get((min(a, b), max(a, b)), -np.inf)

    for _ in range(4):
        changed = False
        pairs = [(i, j) for i, j in enumerate(partner) if j is not None and i < j]
        for x, (a, b) in enumerate(pairs):
            for c, d in pairs[x + 1 :]:
                if partner[a] != b or partner[c] != d:
                    continue
                for e, f in ((c, d), (d, c)):
                    if gain(a, e) + gain(b, f) > gain(a, b) + gain(c, d) + 1e-6:
                        partner[a], partner[e], partner[b], partner[f] = e, a, f, b
                        changed = True
                        break
        if not changed:
            break
    return partner


def _card(found: Detections, faces: Floats, there: Floats, group: tuple[int, ...]) -> tuple[SeenCard, Floats]:
    """One card from its indices: corners averaged, probabilities multiplied."""
    first = found.quads[group[0]]
    # Seen from the other end the corners come in the opposite order.
    quads = [min((found.quads[k], np.roll(found.quads[k], 2, 0)), key=lambda q: float(np.abs(q - first).sum())) for k in group]
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
    return [SeenCard(c.card, c.corners_px, c.indices_px, c.confidence, c.n_best, int(layers[k]), tuple(sorted(over[k]))) for k, c in enumerate(cards)]


def _within(points: Floats, quad: Floats) -> NDArray[np.bool_]:
    """Tell which points (Mx2) lie inside a convex clockwise quad by at least ``_INSIDE`` card widths."""
    edges = np.roll(quad, -1, 0) - quad
    lengths = np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-6)
    offset = points[:, None] - quad[None]
    depth = (edges[None, :, 0] * offset[:, :, 1] - edges[None, :, 1] * offset[:, :, 0]) / lengths
    return np.asarray((depth > _INSIDE * lengths.min()).all(1))
