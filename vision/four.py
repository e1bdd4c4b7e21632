"""Decks that print an index in all four corners: the right one of a card is no left one of another card.

The detector takes an index at a card's upper right corner for the upper left one of a card further to the right. One such find could be a card; many
at one and the same distance, each showing what stands at the left, tell the deck.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.detector import Detections, Floats
from vision.plane import Plane, place

_ACROSS: Final = (0.7, 0.94)
_LEVEL: Final = 0.12
"""Where a right index stands as its card's left one would, card widths from the true left corner: across, and up or down."""
_TURNED: Final = np.deg2rad(15)
_ALIKE: Final = 0.3
_SURE: Final = 0.3
_FACES: Final = 2
_OFF: Final = 0.12


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
    quads = found.quads.copy()
    for k in set(right.tolist()):
        of = left[right == k]
        best = int(of[np.abs(across[of, k] - step).argmin()])
        if abs(float(across[best, k]) - step) < _OFF:
            quads[k] = found.quads[best]
    return Detections(found.boxes, quads, found.scores)
