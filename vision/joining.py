"""Which indices are the ends of one card: the likeliest reading of a heap of corners.

Three kinds of evidence are weighed together. *Geometry*: the far corner that one end foretells is where the other end is. *What hides
what*: an index that shows inside another card's outline lies on that card, and two cards cannot both lie on each other; a card whose other end is
not seen must be covered there. *Second finds*: the detector may find one index twice, the second time weakly and beside the place.
Faces count little: in a game of several packs the neighbour is often the same card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.four import prints_four, with_right_indices
from vision.four_cards import whole_cards
from vision.linked import linked_groups
from vision.patch import at_right
from vision.plane import Doubles, Placed, Plane, end_to_end, fit_plane, place
from vision.reader import JOKERS
from vision.stacking import INSIDE, depths, index_points

Flags = NDArray[np.bool_]

_SPREADS: Final = (0.05, 0.045, 0.035)
"""Standard deviation of where one end foretells the other, card widths: as the cards' size gets better known."""
_SHIFT: Final = 0.06
"""Standard deviation of the error that all cards' ends have in common before pairs have told the size."""
_TRIED: Final = 3
_CHANCE: Final = 4.0
_CHANCE_STILL: Final = 1.5
"""How often, in a square of one card width, the end of another card lies where it could be taken for this one's; in a still, taken from anywhere, a
card's own ends miss each other by more, so that those of another are seldom the likelier ones."""
_OPPOSITE: Final = np.deg2rad(20.0)
_TURN_SPREAD: Final = np.deg2rad(4.0)
_BENT: Final = 0.2
_BENT_SPREAD: Final = 0.16
_MOST_BENT: Final = 4.0
"""How many cards are bent, held up or found badly; the standard deviation for them; and the most that a turn speaks against two ends."""
_REACH: Final = 0.35
_FACES: Final = (0.5, 1.5)
_MOST_FACES: Final = 1.5
_LEAST_FACES: Final = -6.0
"""How much the faces count when they agree and when they do not, and the most (log odds) that it may speak for one card and against it."""
_ACROSS: Final = 4.0
"""Cost (log odds) of two cards that each lie on the other."""
_WORST: Final = -2.0
_CERTAIN: Final = 4.0
"""Pairs of worse log odds are not thought of; cards of better ones are not parted."""
_FALSE: Final = 1.5
_SURE_INDEX: Final = 0.85
"""What it costs to call a find false is the log odds that it is one, and this; surer finds are never called so."""
_UNSEEN: Final = 2.2
"""Cost of an end that should show and is not found."""
_NEAR_ENDS: Final = -0.3
"""Ends of better log odds lie too near each other to hide each other."""
_TWICE: Final = (1.4, -1.8, -0.4, 0.65, -5.0, -1.35, -0.15)
"""Log odds that the weaker of two like finds is the other's second: constant, distance (tenths of a card width), what is missing to a tenth, the
part of the distance along the card, how like the picture is at both (beyond ``_NEITHER``), log odds of the weaker's score and confidence; a
logistic regression on rendered fans."""
_NEITHER: Final = 0.6
_NEAR: Final = 0.3
_BESIDE: Final = 0.2
_LITTLE: Final = 0.02
_SWEEPS: Final = 4
_ALIKE: Final = 0.2
_SURE_TWICE: Final = 0.5
_SAME_CORNER: Final = 0.065
_SAME_PLACE: Final = 0.06
"""Corners nearer than this (card widths) are of one card, when the faces agree, and when they do not."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The outcome: ``groups`` of indices, a card each, best index first; the indices' places; and the plane they lie in."""

    groups: tuple[tuple[int, ...], ...]
    placed: Placed


def join(
    found: Detections,
    faces: Floats,
    sure: Floats,
    size: tuple[int, int] | None = None,
    known: Plane | None = None,
    likeness: Doubles | None = None,
    still: bool = False,
) -> Joined:
    """Find the cards.

    :param found: N indices, N at least 1.
    :param faces: Nx54 probabilities, rows sum to one.
    :param sure: N, how likely each index is there and read right.
    :param size: width and height of the picture, if known: ends beyond its border cannot show.
    :param known: the plane of a calibrated table, if there is one.
    :param likeness: NxN, how like the picture is at two indices, nan where unknown; see :func:`vision.twins.compare`.
    :param still: whether the view is any still's rather than a table's camera's.
    """
    found = with_right_indices(found, faces, sure, known or fit_plane(found, sure))
    right = at_right(found.quads, found.centres)
    alike = np.full((len(found), len(found)), np.nan) if likeness is None else likeness
    chance = _CHANCE_STILL if still else _CHANCE
    plane = fit_plane(found, sure, known=known)
    if still and prints_four(found, faces):
        return _of_four(found, faces, sure, size, plane, known, likeness)
    scenes: list[tuple[float, int, _Scene, list[tuple[int, ...]]]] = []
    for shift in _shifts(place(found, plane), faces) if known is None else [np.zeros(2)]:
        scene = _Scene(place(found, plane), faces, found.scores, sure, right, size, _SPREADS[0], alike, chance, shift)
        groups, cost = scene.solve()
        scenes.append((cost + float((shift**2).sum()) / (2 * _SHIFT**2), len(scenes), scene, groups))
    _, _, scene, groups = min(scenes, key=lambda entry: entry[:2])
    for spread in _SPREADS[1:]:
        pairs = scene.ends(groups)
        if not scene.doubtful:
            break
        scene = _Scene(place(found, fit_plane(found, sure, pairs, known)), faces, found.scores, sure, right, size, spread, alike, chance)
        groups, _ = scene.solve()
        if scene.ends(groups) == pairs:
            break
    order = [tuple(sorted(group, key=lambda k: (-float(sure[k]), k))) for group in groups]
    return Joined(tuple(order), scene.placed)


def _of_four(
    found: Detections, faces: Floats, sure: Floats, size: tuple[int, int] | None, plane: Plane, known: Plane | None, likeness: Doubles | None
) -> Joined:
    """The cards of a deck with four indices; its jokers, which have two, apart."""
    joker = np.isin(faces.argmax(1), JOKERS)
    rows, others = np.flatnonzero(joker), np.flatnonzero(~joker)
    four, whole, plane = whole_cards(found.take(others), faces[others], sure[others], plane, size, known)
    quads = found.quads.copy()
    quads[others] = four.quads
    groups = [tuple(int(others[k]) for k in group) for group in whole]
    if len(rows):
        alike = None if likeness is None else likeness[np.ix_(rows, rows)]
        two = join(found.take(rows), faces[rows], sure[rows], size, known, alike, still=True)
        groups += [tuple(int(rows[k]) for k in group) for group in two.groups]
    ordered = tuple(tuple(sorted(group, key=lambda k: (-float(sure[k]), k))) for group in groups)
    return Joined(ordered, place(Detections(found.boxes, quads, found.scores), plane))


class _Scene:
    """All that is known about N indices for one size of the cards, and the search for the likeliest cards."""

    def __init__(
        self,
        placed: Placed,
        faces: Floats,
        scores: Floats,
        sure: Floats,
        right: Flags,
        size: tuple[int, int] | None,
        spread: float,
        likeness: Doubles,
        chance: float,
        shift: Doubles | None = None,
    ) -> None:
        self.count = len(sure)
        self.sure = sure
        self.placed = placed
        turn = placed.turns
        apart = np.hypot(*(placed.corners[None] - placed.corners[:, None]).transpose(2, 0, 1))
        agree = np.asarray(faces @ faces.T, np.float64)
        points, ends = index_points(placed, right)
        self.depth = depths(points, placed)
        self.inside = self.depth > INSIDE
        np.fill_diagonal(self.inside, False)
        self.twice = _second_finds(placed, scores, sure, right, turn, apart, agree, likeness)
        self.beside = self._second_indices(right, turn, apart, agree)
        self.gains = _gains(placed, faces.shape[1] * agree, spread, chance, np.zeros(2) if shift is None else shift)
        for k in self.beside:
            self.twice[k] = self.twice[:, k] = 0
        self.gains = {pair: gain for pair, gain in self.gains.items() if not self.beside.keys() & set(pair)}
        self.covers = depths(ends, placed) > -INSIDE
        np.fill_diagonal(self.covers, False)
        self.out = np.zeros(self.count, bool)
        if size is not None:
            px = placed.plane.to_picture(ends)
            self.out = np.asarray((px < 4).any(1) | (px[:, 0] > size[0] - 4) | (px[:, 1] > size[1] - 4))

    @property
    def doubtful(self) -> bool:
        """Whether there is anything to find out."""
        return bool(self.gains) or bool((self.twice > _LITTLE).any())

    def solve(self) -> tuple[list[tuple[int, ...]], float]:
        """The likeliest cards, each a group of indices (those that are second finds are in none), and how unlikely all of it is."""
        solved = [_Cluster(self, members).solve() for members in self._clusters()]
        groups = [group for cluster, _ in solved for group in cluster]
        at = {group[0]: n for n, group in enumerate(groups)} | {k: n for n, group in enumerate(groups) for k in group}
        for k, left in self.beside.items():
            if left in at:
                groups[at[left]] = (*groups[at[left]], k)
        return groups, sum(cost for _, cost in solved)

    def ends(self, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
        """The pairs of opposite ends among groups."""
        return sorted((a, b) for group in groups for a in group for b in group if (a, b) in self.gains)

    def _second_indices(self, right: Flags, turn: Doubles, apart: Doubles, agree: Doubles) -> dict[int, int]:
        """Decks with four indices: to each index at a right corner the one at the left of the same upper side, where it shows."""
        fits: list[tuple[float, int, int]] = []
        for k in np.flatnonzero(right):
            near = np.flatnonzero(~right & (np.abs(turn[k]) < _OPPOSITE) & (apart[k] < _BESIDE) & (agree[k] > 0.01))
            # On the card meant no other card lies that this index lies on in turn.
            free = [int(i) for i in near if not (self.inside[near, i] & self.inside[k, near]).any()]
            fits += [(float(apart[k, i]) - 0.1 * bool(agree[k, i] > 0.3), int(k), i) for i in free]
        out: dict[int, int] = {}
        for _, right_one, left_one in sorted(fits):
            if right_one not in out and left_one not in out.values():
                out[right_one] = left_one
        return out

    def _clusters(self) -> list[list[int]]:
        """Indices that may have to do with each other."""
        linked = self.inside | self.covers | (self.twice > _LITTLE)
        for a, b in self.gains:
            linked[a, b] = True
        return linked_groups(linked | linked.T, np.array([k not in self.beside for k in range(self.count)]))


Partners = dict[int, int]


class _Cluster:
    """The search in one heap: which finds are second ones, and who is whose partner."""

    def __init__(self, scene: _Scene, members: list[int]) -> None:
        self.members = members
        number = {k: n for n, k in enumerate(members)}
        best_first = sorted(scene.gains.items(), key=lambda entry: -entry[1])
        self.pairs = {(number[a], number[b]): gain for (a, b), gain in best_first if a in number}
        part = np.ix_(members, members)
        self.twice, self.depth, self.inside, self.covers = scene.twice[part], scene.depth[part], scene.inside[part], scene.covers[part]
        # Ends that may be one card's do not hide each other: two cards would have to lie on each other to a few millimetres.
        for (a, b), gain in self.pairs.items():
            if gain > _NEAR_ENDS:
                self.covers[a, b] = self.covers[b, a] = False
        self.out = scene.out[members]
        self.order = np.argsort(-scene.sure[members], kind="stable")
        sure = np.asarray(scene.sure[members], np.float64)
        self.false = _log_odds(sure) + _FALSE
        crossed = (self.inside & self.inside.T).any(1) & (sure < _SURE_INDEX)
        self.weak = [n for n in range(len(members)) if crossed[n] or (self.twice[n] > _LITTLE).any()]

    def solve(self) -> tuple[list[tuple[int, ...]], float]:
        """Start from the clear cases, then change one thing at a time while it makes the whole likelier."""
        alive = np.zeros(len(self.members), bool)
        for n in self.order:
            alive[n] = not bool((self.twice[n, alive] > _SURE_TWICE).any())
        partner: Partners = {}
        self._fill(alive, partner)
        alive, partner, cost = self._improved(alive, partner)
        return [tuple(self.members[n] for n in card) for card in _cards(alive, partner)], cost

    def _improved(self, alive: Flags, partner: Partners) -> tuple[Flags, Partners, float]:
        best = self._cost(alive, partner)
        steps: list[tuple[int, ...]] = [*self.pairs, *((n,) for n in self.weak)]
        for _ in range(_SWEEPS if len(self.members) > 1 else 0):
            before = best
            for step in steps:
                tried_alive, tried = self._changed(step, alive, partner)
                if tried is not partner:
                    cost = self._cost(tried_alive, tried)
                    if cost < best - 1e-6:
                        alive, partner, best = tried_alive, tried, cost
            if best == before:
                break
        return alive, partner, best

    def _changed(self, step: tuple[int, ...], alive: Flags, partner: Partners) -> tuple[Flags, Partners]:
        """One step: two ends joined, a card parted, or a find counted as a second or false one, or no more."""
        changed = dict(partner)
        for k in step:
            if k in changed:
                del changed[changed.pop(k)]
        if len(step) == 1:
            alive = alive.copy()
            alive[step[0]] = not alive[step[0]]
            self._fill(alive, changed)
        elif not alive[list(step)].all():
            return alive, partner
        elif partner.get(step[0]) != step[1]:
            changed[step[0]], changed[step[1]] = step[1], step[0]
            self._fill(alive, changed)
        elif self.pairs[step[0], step[1]] > _CERTAIN:
            return alive, partner
        return alive, changed

    def _fill(self, alive: Flags, partner: Partners) -> None:
        """Join what is still single and fits, best first."""
        for (a, b), gain in self.pairs.items():
            if gain > 0 and alive[a] and alive[b] and a not in partner and b not in partner:
                partner[a], partner[b] = b, a

    def _cost(self, alive: Flags, partner: Partners) -> float:
        """How unlikely it all is (minus log odds)."""
        cards = _cards(alive, partner)
        cost = -sum(self.pairs[card] for card in cards if len(card) == 2)
        seen = self.twice[:, alive]
        most = 1 - np.prod(1 - seen, 1)  # of one neighbour or the other
        cost += float(np.where(alive, -np.log(1 - most), np.minimum(-np.log(np.maximum(most, 1e-9)), self.false)).sum())
        first = np.array([card[0] for card in cards], np.int64)
        last = np.array([card[-1] for card in cards], np.int64)
        one, two = self.depth[:, first], self.depth[:, last]
        # Ends that foretell one outline are averaged; where they do not, either outline counts.
        within = np.where(np.abs(one - two) < 0.1, (one + two) / 2, np.maximum(one, two)) > INSIDE
        on = within[first] | within[last]
        np.fill_diagonal(on, False)
        cost += _ACROSS * float((on & on.T).sum()) / 2
        single = first[first == last]
        hidden = self.out[single] | (self.covers[single] & ~self.inside[single] & alive).any(1)
        return cost + _UNSEEN * float((~hidden).sum())


def _cards(alive: Flags, partner: Partners) -> list[tuple[int, ...]]:
    return [(n, partner[n]) if n in partner else (n,) for n in range(len(alive)) if alive[n] and partner.get(n, n) >= n]


def _shifts(placed: Placed, faces: Floats) -> list[Doubles]:
    """Errors of the far corner that many pairs of like indices would have in common, likeliest first; none is among them."""
    pairs = _end_pairs(placed)
    seen = np.stack([pairs.across - 1, pairs.down - placed.plane.aspect], 1)
    agree = (faces[pairs.first] * faces[pairs.second]).sum(1) if len(seen) else np.zeros(0)
    fits = (np.hypot(*seen.T) < _REACH) & (agree > _ALIKE)
    seen, agree = seen[fits], agree[fits]
    out = [np.zeros(2)]
    left = agree.copy()
    while len(out) < _TRIED and (left > 0).any():
        near = np.exp(-((seen[None] - seen[:, None]) ** 2).sum(2) / (2 * _SPREADS[2] ** 2))
        votes = near @ left - (seen**2).sum(1) / (2 * _SHIFT**2)
        best = int(np.where(left > 0, votes, -np.inf).argmax())
        weight = near[best] * left
        shift = (seen * weight[:, None]).sum(0) / weight.sum()
        left = np.where(np.hypot(*(seen - shift).T) < 2 * _SPREADS[2], 0, left)
        out.append(shift)
    return out


@dataclass(frozen=True, slots=True)
class _EndPairs:
    """Pairs of indices that may be opposite ends: their numbers; from corner to corner, across and down (card widths); how far their headings
    are from opposite (radians)."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    across: Doubles
    down: Doubles
    bent: Doubles


def _end_pairs(placed: Placed) -> _EndPairs:
    turn = np.abs(placed.turns)
    near = np.hypot(*(placed.corners[None] - placed.corners[:, None]).transpose(2, 0, 1)) < (1 + placed.plane.aspect) * placed.sizes[:, None]
    a, b = np.nonzero(np.triu((turn > np.pi - _OPPOSITE) & near & (np.abs(np.log(placed.sizes[None] / placed.sizes[:, None])) < 0.3), 1))
    down = np.stack([-np.sin(placed.headings), np.cos(placed.headings)], 1)
    x, y = end_to_end(placed.corners[a], placed.corners[b], down[a], down[b])
    size = (placed.sizes[a] + placed.sizes[b]) / 2
    return _EndPairs(a, b, x / size, y / size, np.pi - turn[a, b])


def _gains(placed: Placed, agree: Doubles, spread: float, chance: float, shift: Doubles) -> dict[tuple[int, int], float]:
    """For indices (i < j) that may be the two ends of one card: the log odds that they are."""
    pairs = _end_pairs(placed)
    off = np.hypot(pairs.across - 1 - shift[0], pairs.down - placed.plane.aspect - shift[1])
    said = np.log(np.maximum(agree[pairs.first, pairs.second], 1e-9))
    said = np.clip(said * np.where(said > 0, *_FACES), _LEAST_FACES, _MOST_FACES)
    near = (1 - _BENT) / spread**2 * np.exp(-(off**2) / (2 * spread**2)) + _BENT / _BENT_SPREAD**2 * np.exp(-(off**2) / (2 * _BENT_SPREAD**2))
    gain = np.log((near + 1e-12) / (2 * np.pi * chance)) - np.minimum((pairs.bent / _TURN_SPREAD) ** 2 / 2, _MOST_BENT) + said
    return {(int(i), int(j)): float(g) for i, j, g in zip(pairs.first, pairs.second, gain, strict=True) if g > _WORST}


def _second_finds(
    placed: Placed, scores: Floats, sure: Floats, right: Flags, turn: Doubles, apart: Doubles, agree: Doubles, likeness: Doubles
) -> Doubles:
    """NxN: how likely index k (row) is a second find of the surer index i (column)."""
    near = (apart < _NEAR) & (np.abs(turn) < np.deg2rad(40)) & (right[None] == right[:, None])
    rank = np.argsort(np.argsort(-sure * scores, kind="stable"), kind="stable")
    near &= rank[None] < rank[:, None]
    c, s = np.cos(placed.headings), np.sin(placed.headings)
    offset = placed.corners[:, None] - placed.corners[None]
    down = np.abs(offset[..., 1] * c[None] - offset[..., 0] * s[None])
    far = np.minimum(apart, _NEAR) / 0.1
    seen = np.where(np.isnan(likeness), likeness.T, likeness)
    seen = np.where(np.isnan(seen), 0.0, np.clip(seen, 0.2, 0.95) - _NEITHER)
    one, d, missing, along, like, score, certain = _TWICE
    said = one + d * far + missing * np.maximum(1 - far, 0) + along * down / 0.1 + like * seen
    said = said + score * _log_odds(scores)[:, None] + certain * _log_odds(sure)[:, None]
    said = np.where(apart < _SAME_CORNER, np.maximum(said, 3.0), said)
    like_faces = np.where(agree > _ALIKE, 1 / (1 + np.exp(-said)), np.where(apart < _SAME_PLACE, 0.95, 0.0))
    return np.where(near, np.minimum(like_faces, 1 - 1e-6), 0.0)


def _log_odds(p: Floats | Doubles) -> Doubles:
    clipped = np.clip(np.asarray(p, np.float64), 1e-3, 1 - 1e-3)
    return np.asarray(np.log(clipped / (1 - clipped)))
