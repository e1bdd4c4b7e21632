"""Things that have to do with each other, directly or through others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def linked_groups(linked: NDArray[np.bool_], free: NDArray[np.bool_] | None = None) -> list[list[int]]:
    """The groups into which N things fall, each in the order of its numbers.

    :param linked: NxN, symmetric: whether two have directly to do with each other.
    :param free: N, which of them count; None for all.
    """
    left = np.ones(len(linked), bool) if free is None else free.copy()
    out = []
    while left.any():
        frontier = [int(np.flatnonzero(left)[0])]
        left[frontier[0]] = False
        members = []
        while frontier:
            members.append(frontier.pop())
            new = np.flatnonzero(linked[members[-1]] & left)
            left[new] = False
            frontier += [int(k) for k in new]
        out.append(sorted(members))
    return out
