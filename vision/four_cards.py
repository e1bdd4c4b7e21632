"""The cards of a deck that prints an index in all four corners, found together: the fewest cards that explain what shows and what does not.

An index by itself does not tell at which end of its card's short side it stands. But a card that lies there shows its other three too, unless another
card covers them or they are beyond the picture's border; and two indices of a card stand at distances that are printed. So cards are thought of from
every index and every two, and those are kept that leave the least unsaid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.linked import linked_groups
from vision.patch import CARD_ASPECT, at_right
from vision.plane import Doubles, Placed, Plane, fit_plane, place

Ints = NDArray[np.int64]

SPOTS: Final = 4
"""A card's indices: upper left, upper right, and the same two seen from its other end."""
_TURNED: Final = np.deg2rad(20.0)
"""Headings that differ more are not one card's."""
_MISS: Final = 0.08
"""How far an index may stand from where a card shows one, and two from their printed distance, card widths."""
_SPREAD: Final = 0.035
"""Standard deviation of an index's place, card widths."""
_FACES: Final = 0.02
"""Two indices that agree less than this are not one card's."""
_SURE: Final = 0.3
"""Finds less sure than this make no cards."""
_CARD: Final = 2.0
"""Costs (log odds): of one card more,"""
_UNSEEN: Final = np.array([0.0, 2.2, 3.2, 3.8, 4.0])
"""of so many indices that should show and are not found (a hand that covers one covers others too),"""
_FALSE: Final = 3.0
"""of calling a find false, beside the log odds that it is none,"""
_AGAIN: Final = 0.7
_BESIDE: Final = 0.11
"""of calling it another's second find, so near to it (card widths),"""
_ACROSS: Final = 4.0
"""and of two cards that each lie on the other."""
_MANY: Final = 0.5
"""A distance that is said by this share of what the commonest has is said by many."""
_LEVEL: Final = 0.12
"""Two indices at one side of a card stand no further aside of each other, card widths."""
_WIDE: Final = (0.5, 1.05, 0.78)
_HIGH: Final = (0.75, 1.5, 1.1)
"""From a card's left index to its right one, and to those of its other end, card widths as finds foretell them: least, most, usual."""
_EDGE_OF_INDEX: Final = 0.11
"""An index is usually so far from its card's long side, card widths."""
_EDGE: Final = 0.02
"""A card covers so much more than its outline, card widths, since that is not known better."""
_BORDER: Final = 4.0
"""An index so near the picture's border need not show, pixels."""
_SWEEPS: Final = 4
_ROUNDS: Final = 2
"""Most changes in a heap, for each of its finds; and how often the cards are found, each time in the view that those before tell."""
_SAME: Final = (0.03, np.deg2rad(2.5))
"""Places so near to each other, and so alike turned, are one."""
_TOUCH: Final = 1.75
"""Cards whose middles are further apart do not cover each other, card widths."""


@dataclass(frozen=True, slots=True)
class _Poses:
    """K places for a card: its middle (Kx2, card widths), heading (K), and the find at each of its spots (Kx4, -1 none) with its cost (Kx4)."""

    middles: Doubles
    headings: Doubles
    at: Ints
    costs: Doubles


def whole_cards(
    found: Detections, faces: Floats, sure: Floats, plane: Plane, size: tuple[int, int] | None, known: Plane | None = None
) -> tuple[Detections, list[tuple[int, ...]], Plane]:
    """Find the cards of a deck with four indices.

    :param found: N indices, with quads as if they stood at the left or at the right (see :func:`vision.patch.at_right`).
    :param faces: Nx54 probabilities, rows sum to one.
    :param sure: N, how likely each is there and read right.
    :param plane: the plane that the cards lie in, as far as their looks tell it.
    :param size: width and height of the picture, if known.
    :param known: the plane of a calibrated table, if there is one.
    :returns: the indices with the quads of their cards, the cards as groups of indices (false and second finds are in none), and the plane.
    """
    agree = np.asarray(faces @ faces.T, np.float64)
    for more in reversed(range(_ROUNDS)):
        placed, centres = place(found, plane), plane.to_plane(found.centres)
        printed = _printed(placed, centres, at_right(found.quads, found.centres), faces, sure)
        poses = _thought_of(placed, centres, printed, agree, sure)
        near = np.hypot(*(poses.middles[:, None] - poses.middles[None]).transpose(2, 0, 1)) < _TOUCH
        heaps = [np.array(members, np.int64) for members in linked_groups(near)]
        kept = [k for members in heaps for k in _Heap(poses, members, centres, placed.headings, sure, plane, printed, size).solve()]
        quads, trust = found.quads.copy(), np.zeros(len(found), np.float32)
        outlines = _outline(poses.middles, poses.headings, printed)
        pairs: list[tuple[int, int]] = []
        for k in kept:
            for spot, i in enumerate(poses.at[k]):
                if i < 0:
                    continue
                card = outlines[k]
                if more:  # where it was seen, not where it should be, tells the view
                    card = card + centres[i] - poses.middles[k] - _turned(printed.offsets[spot], poses.headings[k])
                quads[i] = plane.to_picture(card if spot < 2 else np.roll(card, 2, 0))
                trust[i] = sure[i]
            pairs += [(int(poses.at[k, a]), int(poses.at[k, a + 2])) for a in (0, 1) if (poses.at[k, [a, a + 2]] >= 0).all()]
        if more:
            plane = fit_plane(Detections(found.boxes, quads, found.scores), trust, pairs, known)
    groups = [tuple(int(i) for i in poses.at[k] if i >= 0) for k in kept]
    return Detections(found.boxes, np.asarray(quads, np.float32), found.scores), groups, plane


@dataclass(frozen=True, slots=True)
class _Print:
    """What the deck prints, in units of the plane: ``offsets`` (4x2) of a card's indices from its middle; its ``width`` and ``height``."""

    offsets: Doubles
    width: float
    height: float


def _printed(placed: Placed, centres: Doubles, right: NDArray[np.bool_], faces: Floats, sure: Floats) -> _Print:
    """Measure the deck: how far its right index stands from the left one, and those of its other end, is what most like finds say.

    What the finds foretell of their cards' size is not asked: of right ones that are thought to be left ones it is wrong.
    """
    known = np.flatnonzero(sure > _SURE)
    c, s = np.cos(placed.headings[known]), np.sin(placed.headings[known])
    off = centres[known][None] - centres[known][:, None]
    across, down = off[..., 0] * c[:, None] + off[..., 1] * s[:, None], off[..., 1] * c[:, None] - off[..., 0] * s[:, None]
    weight = np.asarray(faces[known] @ faces[known].T, np.float64) * np.outer(sure[known], sure[known])
    turn = np.abs(placed.turns[np.ix_(known, known)])
    level = (turn < _TURNED) & (np.abs(down) < _LEVEL)
    wide = _least(across[level], weight[level], _WIDE)
    beneath = (turn > np.pi - _TURNED) & ((np.abs(across) < _LEVEL) | (np.abs(np.abs(across) - wide) < _LEVEL))
    high = _least(np.abs(down[beneath]), weight[beneath], _HIGH)
    own = placed.own(centres)[known, 0]
    edge = float(np.median(own[~right[known]])) if not right[known].all() else _EDGE_OF_INDEX
    width = wide + 2 * edge
    x, y = wide / 2, high / 2
    return _Print(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), width, width * CARD_ASPECT)


def _least(values: Doubles, weights: Doubles, usual: tuple[float, float, float]) -> float:
    """The least value between two bounds that many of the weights say; without any the usual one (given last).

    In a fan the left index of a card and the right one of the next stand further apart than those of one card, and as often.
    """
    low, high, otherwise = usual
    fits = (values > low) & (values < high)
    if not fits.any():
        return otherwise
    values, weights = values[fits], weights[fits]
    votes = np.exp(-((values[:, None] - values[None]) ** 2) / (2 * _SPREAD**2)) @ weights
    peak = float(values[votes > _MANY * votes.max()].min())
    peak = float(values[np.argmax(np.where(np.abs(values - peak) < 2 * _SPREAD, votes, 0.0))])
    near = np.abs(values - peak) < 2 * _SPREAD
    return float((values[near] * weights[near]).sum() / max(float(weights[near].sum()), 1e-9))


def _turned(points: Doubles, angles: Doubles) -> Doubles:
    """Points (...x2) turned by angles (...); either may be one for all."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([points[..., 0] * c - points[..., 1] * s, points[..., 0] * s + points[..., 1] * c], -1)


def _set_down(shape: Doubles, middles: Doubles, headings: Doubles) -> Doubles:
    """KxMx2: the M points of a shape, given from its middle, at each of K places."""
    return np.asarray(middles[:, None] + _turned(shape[None], headings[:, None]), np.float64)


def _between(a: Doubles, b: Doubles) -> Doubles:
    """The least angle between two headings."""
    return np.asarray(np.abs((a - b + np.pi) % (2 * np.pi) - np.pi), np.float64)


def _outline(middles: Doubles, headings: Doubles, printed: _Print) -> Doubles:
    """Kx4x2: the corners of cards, as seen from their upper left."""
    x, y = printed.width / 2, printed.height / 2
    flat = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    return _set_down(flat, middles, headings)


def _thought_of(placed: Placed, centres: Doubles, printed: _Print, agree: Doubles, sure: Floats) -> _Poses:
    """Every card that one index or two may belong to, with what stands at its spots."""
    offsets = printed.offsets
    turn = np.array([0.0, 0.0, np.pi, np.pi])
    known = np.flatnonzero(sure > _SURE)
    middles, headings = [], []
    for spot in (0, 1):
        heading = placed.headings[known]
        middles.append(centres[known] - _turned(offsets[spot], heading))
        headings.append(heading)
    for first in range(SPOTS):
        for second in range(first + 1, SPOTS):
            a, b = (part.ravel() for part in np.meshgrid(known, known, indexing="ij"))
            step = offsets[second] - offsets[first]
            apart = centres[b] - centres[a]
            heading = np.arctan2(apart[:, 1], apart[:, 0]) - np.arctan2(step[1], step[0])
            fits = (np.abs(np.hypot(*apart.T) - np.hypot(*step)) < _MISS) & (agree[a, b] > _FACES) & (a != b)
            fits &= (_between(placed.headings[a] - turn[first], heading) < _TURNED) & (_between(placed.headings[b] - turn[second], heading) < _TURNED)
            mid = (centres[a] + centres[b]) / 2 - _turned((offsets[first] + offsets[second]) / 2, heading)
            middles.append(mid[fits])
            headings.append(heading[fits])
    middle, heading = _once(np.concatenate(middles), np.concatenate(headings))
    spots = _set_down(offsets, middle, heading)
    off = np.hypot(*(spots[:, :, None] - centres[None, None]).transpose(3, 0, 1, 2))
    turned = _between(heading[:, None, None] + turn[None, :, None], placed.headings[None, None])
    costs = np.where((off < _MISS) & (turned < _TURNED), off**2 / (2 * _SPREAD**2), np.inf)
    at = np.where(np.isfinite(costs.min(2)), costs.argmin(2), -1) if len(centres) else np.zeros((0, SPOTS), np.int64)
    at = _of_one_face(at, agree, sure)
    cost = np.where(at >= 0, np.take_along_axis(costs, np.maximum(at, 0)[..., None], 2)[..., 0], 0.0)
    some = (at >= 0).any(1)
    return _Poses(middle[some], heading[some], at[some], cost[some])


def _once(middles: Doubles, headings: Doubles) -> tuple[Doubles, Doubles]:
    """Leave out places that another one tells, also from the other end; those of two indices, which come last, are told best."""
    kept: list[int] = []
    for k in range(len(middles) - 1, -1, -1):
        near = np.hypot(*(middles[kept] - middles[k]).T) < _SAME[0]
        turned = _between(2 * headings[kept], np.asarray(2 * headings[k])) / 2
        if not (near & (turned < _SAME[1])).any():
            kept.append(k)
    return middles[kept], headings[kept]


def _of_one_face(at: Ints, agree: Doubles, sure: Floats) -> Ints:
    """Only what agrees with the surest find of a card is its own."""
    out = at.copy()
    for row in out:
        have = row[row >= 0]
        if len(have) > 1:
            best = have[np.asarray(sure)[have].argmax()]
            row[(row >= 0) & (row != best) & (agree[best, np.maximum(row, 0)] <= _FACES)] = -1
    return out


class _Heap:
    """The search among the poses of one heap."""

    def __init__(
        self,
        poses: _Poses,
        members: Ints,
        centres: Doubles,
        headings: Doubles,
        sure: Floats,
        plane: Plane,
        printed: _Print,
        size: tuple[int, int] | None,
    ) -> None:
        self.members = members
        self.at, self.costs = poses.at[members], poses.costs[members]
        self.finds = np.unique(self.at[self.at >= 0])
        middle, heading = poses.middles[members], poses.headings[members]
        spots = _set_down(printed.offsets, middle, heading)
        self.inside = _within(spots.reshape(-1, 2), middle, heading, printed).reshape(len(members), SPOTS, len(members))
        self.inside[np.arange(len(members)), :, np.arange(len(members))] = False
        pixels = plane.to_picture(spots.reshape(-1, 2)).reshape(len(members), SPOTS, 2)
        self.out = np.zeros((len(members), SPOTS), bool)
        if size is not None:
            self.out = np.asarray((pixels < _BORDER).any(2) | (pixels[..., 0] > size[0] - _BORDER) | (pixels[..., 1] > size[1] - _BORDER))
        p = np.clip(np.asarray(sure, np.float64), 1e-3, 1 - 1e-3)
        self.false = np.maximum(0.0, np.log(p / (1 - p)) + _FALSE)
        apart = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
        self.again = (apart < _BESIDE) & (_between(headings[:, None], headings[None]) < 2 * _TURNED)
        np.fill_diagonal(self.again, False)

    def solve(self) -> list[int]:
        """Add what explains most, then change one thing at a time while it helps; gives the numbers of the poses."""
        chosen: list[int] = []
        best = self._cost(chosen)
        for _ in range(_SWEEPS * len(self.finds)):
            options = [[*chosen, k] for k in range(len(self.members)) if k not in chosen]
            options += [[*chosen[:n], *chosen[n + 1 :]] for n in range(len(chosen))]
            options += [[*chosen[:n], *chosen[n + 1 :], k] for n in range(len(chosen)) for k in self._near(chosen[n]) if k not in chosen]
            costs = [self._cost(option) for option in options]
            if not costs or min(costs) > best - 1e-6:
                break
            best = min(costs)
            chosen = options[int(np.argmin(costs))]
        return [int(self.members[k]) for k in chosen]

    def _near(self, k: int) -> list[int]:
        """Poses that explain a find which this one explains."""
        mine = self.at[k][self.at[k] >= 0]
        return [int(n) for n in np.flatnonzero(np.isin(self.at, mine).any(1)) if n != k]

    def _cost(self, chosen: Sequence[int]) -> float:
        """How unlikely it all is (minus log odds)."""
        rows = list(chosen)
        at = self.at[rows]
        taken = at[at >= 0]
        if len(taken) != len(set(taken.tolist())):
            return float("inf")
        unexplained = self.finds[~np.isin(self.finds, taken)]
        cost = float(self.false[unexplained].sum())
        if len(unexplained) and len(taken):
            second = self.again[np.ix_(unexplained, taken)].any(1)
            cost -= float(np.maximum(self.false[unexplained] - _AGAIN, 0)[second].sum())
        if not rows:
            return cost
        shows = at >= 0
        under = self.inside[rows][:, :, rows]
        cost += _CARD * len(rows) + float(self.costs[rows][shows].sum())
        missing = ~shows & ~self.out[rows] & ~under.any(2)
        cost += float(_UNSEEN[missing.sum(1)].sum())
        on = (under & shows[:, :, None]).any(1)
        return cost + _ACROSS * float((on & on.T).sum()) / 2


def _within(points: Doubles, middles: Doubles, headings: Doubles, printed: _Print) -> NDArray[np.bool_]:
    """MxK: whether each point lies inside the outline of each card."""
    off = points[:, None] - middles[None]
    c, s = np.cos(headings), np.sin(headings)
    across, down = np.abs(off[..., 0] * c + off[..., 1] * s), np.abs(off[..., 1] * c - off[..., 0] * s)
    return np.asarray((across < printed.width / 2 + _EDGE) & (down < printed.height / 2 + _EDGE))
