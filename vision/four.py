"""Decks that print an index in all four corners: the right one of a card is no left one of another card.

The detector takes an index at a card's upper right corner for the upper left one of a card further to the right. One such find could be a card; many
at one and the same distance, each showing what stands at the left, tell the deck.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.plane import Placed, Plane, end_to_end, place
from vision.stacking import INDEX, depths

_ACROSS: Final = (0.7, 0.94)
_LEVEL: Final = 0.12
"""Where a right index stands as its card's left one would, card widths from the true left corner: across, and up or down."""
_TURNED: Final = np.deg2rad(15)
_ALIKE: Final = 0.3
_SURE: Final = 0.3
_FACES: Final = 2
_OFF: Final = 0.12
_END: Final = (0.18, 0.25)
"""How far off a card's other end may be before pairs have told the cards' size, card widths: across, and along the card, where nothing else is."""


def with_right_indices(found: Detections, faces: Floats, sure: Floats, plane: Plane) -> Detections:
    """The same indices; of a deck with four, those at right corners get the quad of the card that they stand on.

    :param found: N indices, each with a quad as if it stood at the left.
    :param faces: Nx54 probabilities, rows sum to one.
    :param sure: N, how likely each is there and read right.
    """
    placed = place(found, plane)
    turn = np.abs((placed.headings[None] - placed.headings[:, None] + np.pi) % (2 * np.pi) - np.pi)
    offset = (placed.corners[None] - placed.corners[:, None]) / placed.sizes[:, None, None]
    c, s = np.cos(placed.headings)[:, None], np.sin(placed.headings)[:, None]
    across, down = offset[..., 0] * c + offset[..., 1] * s, offset[..., 1] * c - offset[..., 0] * s
    fits = (across > _ACROSS[0]) & (across < _ACROSS[1]) & (np.abs(down) < _LEVEL) & (turn < _TURNED)
    fits &= (faces @ faces.T > _ALIKE) & (sure[:, None] > _SURE) & (sure[None] > _SURE)
    left, right = np.nonzero(fits)
    if len({int(face) for face in faces[left].argmax(1)}) < _FACES:
        return found
    step = float(np.median(across[left, right]))
    quads, marked = found.quads.copy(), np.zeros(len(found), bool)
    for k in set(right.tolist()):
        of = left[right == k]
        best = int(of[np.abs(across[of, k] - step).argmin()])
        if abs(float(across[best, k]) - step) < _OFF:
            quads[k] = found.quads[best]
            marked[k] = True
    for i, k in _left_sides(placed, faces, marked, sure, step):
        quads[k] = np.roll(found.quads[i], 2, 0)
    return Detections(found.boxes, quads, found.scores)


def _left_sides(placed: Placed, faces: Floats, marked: NDArray[np.bool_], sure: Floats, step: float) -> list[tuple[int, int]]:
    """Pairs (left, right) of opposite indices at one long side of a card, neither of which has another end as a left one.

    Which is the left one? The card's other long side must be hidden by a card that shows more.

    :param marked: N, right indices that are known.
    :param step: from a left index to the right one at the same short side, card widths.
    """
    n, high = len(sure), placed.plane.aspect
    turn = np.abs((placed.headings[None] - placed.headings[:, None] + np.pi) % (2 * np.pi) - np.pi)
    down = np.stack([-np.sin(placed.headings), np.cos(placed.headings)], 1)
    i, k = (part.ravel() for part in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    x, y = (part.reshape(n, n) / placed.sizes[:, None] for part in end_to_end(placed.corners[i], placed.corners[k], down[i], down[k]))
    ends = (turn > np.pi - _TURNED) & (np.abs(y - high) < _END[1]) & (faces @ faces.T > _ALIKE)
    lonely = ~(ends & (np.abs(x - 1) < _OFF) & ~marked[:, None]).any(0) & ~marked & (sure > _SURE)
    cover = np.where(lonely | marked, -np.inf, 0.0)
    hidden = np.minimum(*((depths(placed.points(1 - INDEX[0], at), placed) + cover).max(1) for at in (INDEX[1], high - INDEX[1])))
    off = np.where(ends & lonely[:, None] & lonely, np.abs(x - 1 + step), np.inf)
    near = (off < _END[0]) & (off == off.min(1, keepdims=True)) & (hidden[:, None] > np.maximum(hidden, -_OFF))
    return [(int(i), int(k)) for i, k in zip(*np.nonzero(near), strict=True)]
