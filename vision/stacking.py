"""Which card lies on which, by what shows and what does not.

An index that shows inside another card's outline lies on that card. A card whose far end does not show, though it is in the picture, is covered
there: where only one other card can be what covers it, that one lies on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.plane import Doubles, Placed

INDEX: Final = (0.1, 0.15)
"""Where an index is, card widths from its corner."""
INSIDE: Final = 0.06
"""A point lies on a card when it is this far inside its outline, card widths."""


def depths(points: Doubles, placed: Placed) -> Doubles:
    """MxN: how far each point (Mx2, card widths) lies inside each card's outline, below zero outside."""
    offset = points[:, None] - placed.corners[None]
    c, s = np.cos(placed.headings), np.sin(placed.headings)
    across = (offset[..., 0] * c + offset[..., 1] * s) / placed.sizes
    down = (offset[..., 1] * c - offset[..., 0] * s) / placed.sizes
    return np.minimum(np.minimum(across, 1 - across), np.minimum(down, placed.plane.aspect - down))


def index_points(placed: Placed, right: NDArray[np.bool_]) -> tuple[Doubles, Doubles]:
    """Nx2 each: where each index is, and where its card's opposite one is; those marked ``right`` stand at the upper right corner."""
    along = np.where(right, 1 - INDEX[0], INDEX[0])
    return placed.points(along, INDEX[1]), placed.points(1 - along, placed.plane.aspect - INDEX[1])


def stack(groups: Sequence[tuple[int, ...]], placed: Placed, right: NDArray[np.bool_]) -> list[tuple[int, tuple[int, ...]]]:
    """For each card its layer (0 for one that lies on no other) and the cards that it lies on.

    :param groups: the indices of each card.
    :param placed: N indices.
    :param right: N, which of them stand at the upper right corner.
    """
    n = len(groups)
    if n < 2:
        return [(0, ())] * n
    at, opposite = index_points(placed, right)
    shown, hidden = depths(at, placed), depths(opposite, placed)
    member = np.zeros((len(right), n))
    for card, group in enumerate(groups):
        member[list(group), card] = 1
    sizes = member.sum(0)
    # How many of the indices of each card (row) show inside the outline of each (column), which all its own indices foretell together.
    within = (shown @ member) / sizes > INSIDE
    inside = np.asarray(member.T @ within, np.float64)
    np.fill_diagonal(inside, 0)
    over = inside > inside.T
    covered = (hidden @ member) / sizes > 0
    for b, group in enumerate(groups):
        if len(group) > 1:
            continue
        covering = np.flatnonzero(covered[group[0]] & ~over[b])
        covering = covering[covering != b]
        if len(covering) == 1:
            over[covering[0], b] = True
    layers = np.zeros(n, np.int64)
    for _ in range(n):
        below = np.where(over, layers[None], -1).max(1) + 1
        if (below == layers).all():
            break
        layers = np.minimum(below, n)
    return [(int(layers[a]), tuple(int(b) for b in np.flatnonzero(over[a]))) for a in range(n)]
