"""Indices that stand elsewhere on their card than the deck's others do: the card's corner was taken from a neighbour's, or from between two.

All cards of a deck print their index at one distance from the corner, and a box tells where an index is better than a quad tells where its card
is. Where the two disagree, the quad has slipped: in a dense fan to the corner of the next card, of which more shows, so that the patch shows that
card's index; and in a deck with four indices, of a right one, into the middle of its card.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards_on_table import index_confidence
from vision.detector import Detections, Floats
from vision.patch import at_right
from vision.plane import Plane, place
from vision.reader import JOKERS, REJECT

_KNOWN: Final = 3
_SURE: Final = 0.5
"""So many indices, so sure, tell where the deck prints them."""
_OFF: Final = 0.06
"""Farther from there than this, across the card (card widths), is elsewhere; tens are wider and half covered indices narrower than others by less."""


def slipped(found: Detections, read: Floats, plane: Plane) -> tuple[NDArray[np.int64], Detections]:
    """Which indices have a quad that does not suit where they stand, and these with their quads moved across to where it does.

    :param found: N indices.
    :param read: Nx55 probabilities of them.
    :param plane: the plane that the cards lie in.
    :returns: M numbers, and M indices with quads in pixels.
    """
    placed = place(found, plane)
    across = placed.own(plane.to_plane(found.centres))[:, 0]
    # A joker's index is a word or a picture, and has a place of its own.
    usual = ~at_right(found.quads, found.centres) & ~np.isin(read[:, :REJECT].argmax(1), JOKERS)
    known = usual & (index_confidence(found.scores, read) > _SURE)
    off = across - np.median(across[known]) if known.sum() >= _KNOWN else np.zeros(len(found))
    rows = np.flatnonzero(usual & (np.abs(off) > _OFF))
    quads = placed.moved(rows, np.stack([off[rows], np.zeros(len(rows))], 1)).quads()
    return rows, Detections(found.boxes[rows], plane.to_picture(quads), found.scores[rows])


def moved_back(found: Detections, read: Floats, rows: NDArray[np.int64], moved: Detections, said: Floats) -> tuple[Detections, Floats]:
    """The indices and what they read as; a moved one counts where it is read more surely than the one that it was.

    :param rows: M numbers of those moved, as :func:`slipped` gives them with ``moved``.
    :param said: Mx55, what the moved ones read as.
    """
    better = index_confidence(moved.scores, said) > index_confidence(found.scores[rows], read[rows])
    quads, read = found.quads.copy(), read.copy()
    quads[rows[better]], read[rows[better]] = moved.quads[better], said[better]
    return Detections(found.boxes, quads, found.scores), read
