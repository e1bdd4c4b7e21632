"""Decks that print an index in all four corners: the right one of a card is no left one of another card.

The detector takes an index at a card's upper right corner for the upper left one of a card further to the right. One such find could be a card; many
at one and the same distance, each showing what stands at the left, tell the deck. Where both left ends of a card are seen, nothing lies on it that
could show an index at its right corners: what stands there is printed on it, however the detector believes its card to lie (:func:`beside_ends`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.patch import at_right
from vision.plane import Placed, Plane, end_to_end, place
from vision.reader import JOKERS, REJECT
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

_MIRRORED: Final = (0.2, 0.1)
"""How far from the mirror image of a left index its card's right one may stand, across and down, card widths: while right ones are thought to be left
ones of other cards, all cards look narrower than they are."""
_PRINTED: Final = 2
"""Right indices of cards of which both ends are seen tell the deck."""
_KINDS: Final = 3
_SURE_RIGHT: Final = 0.5
"""Right indices of so many faces, each so sure, tell it for all that is done with a still."""
_READS: Final = 0.9
"""What stands at the right must read as what stands at the left, at least so likely."""


@dataclass(frozen=True, slots=True)
class Beside:
    """M finds that may be right indices: ``at`` their numbers, ``left`` those of the left ones, ``sure`` whether that card shows both left ends;
    ``found`` the finds with the card's quad where they show its right corner."""

    at: NDArray[np.int64]
    left: NDArray[np.int64]
    sure: NDArray[np.bool_]
    found: Detections


def beside_ends(found: Detections, read: Floats, plane: Plane) -> Beside:
    """Find what stands where a deck with four indices prints the right ones; none unless cards that show both left ends have such.

    :param found: N indices, with quads (pixels) as if they stood at the left.
    :param read: Nx55 probabilities of them as left ones.
    :param plane: the plane that the cards lie in.
    """
    placed, faces = place(found, plane), read[:, :REJECT]
    at = plane.to_plane(found.centres)
    sure = faces.max(1) > _SURE
    likely = sure[:, None] & ~np.eye(len(found), dtype=bool)
    turn, seen = np.abs(placed.turns), placed.seen_from(at)
    own = placed.own(at)[:, None]
    other = np.hypot(seen[..., 0] - 1 + own[..., 0], seen[..., 1] - plane.aspect + own[..., 1])
    ends = likely & sure & (other < _END[0]) & (turn > np.pi - _TURNED) & (faces @ faces.T > _ALIKE)
    whole = (ends & ends.T).any(1)
    off = seen - np.stack([1 - own[..., 0], own[..., 1]], -1)
    left, right = np.nonzero((np.abs(off) < _MIRRORED).all(-1) & likely & ~whole[None])
    if whole[left].sum() < _PRINTED:
        left, right = left[:0], right[:0]
    quads = plane.to_picture(placed.moved(left, off[left, right]).quads())
    return Beside(right, left, whole[left], Detections(found.boxes[right], quads, found.scores[right]))


def settled(found: Detections, read: Floats, beside: Beside, said: Floats) -> tuple[Detections, Floats]:
    """The indices and readings; right ones get the quad of their card and what they say as such, and second finds of them are left out.

    :param found: N indices, and ``read`` their Nx55 probabilities, as for :func:`beside_ends`.
    :param said: Mx55, what the finds of ``beside`` read as right indices of their cards.
    """
    agree = said[np.arange(len(said)), read[beside.left, :REJECT].argmax(1)] if len(said) else np.zeros(0)
    if int((beside.sure & (agree > _READS)).sum()) < _PRINTED:
        return found, read
    quads, read, of, again = found.quads.copy(), read.copy(), dict[int, int](), set[int]()
    for m in np.argsort(-agree - beside.sure - beside.found.scores, kind="stable"):
        k, i = int(beside.at[m]), int(beside.left[m])
        if agree[m] > _READS and not {k, i} & (of.keys() | again):
            if i in of.values():
                again.add(k)
            else:
                of[k] = i
                quads[k], read[k] = found.quads[i], said[m]
    kept = [k for k in range(len(found)) if k not in again]
    return Detections(found.boxes, quads, found.scores).take(kept), read[kept]


def prints_four(found: Detections, faces: Floats) -> bool:
    """Whether the right indices among N finds tell a deck with four: they are of several faces. A joker has two in any deck.

    :param faces: NxC, how likely each is each face.
    """
    sure = at_right(found.quads, found.centres) & (faces.max(1) > _SURE_RIGHT)
    return len(set(faces[sure].argmax(1).tolist()) - set(JOKERS)) >= _KINDS


def with_right_indices(found: Detections, faces: Floats, sure: Floats, plane: Plane) -> Detections:
    """The same indices; of a deck with four, those at right corners get the quad of the card that they stand on.

    :param found: N indices, each with a quad as if it stood at the left, or known already to stand at the right.
    :param faces: Nx54 probabilities, rows sum to one.
    :param sure: N, how likely each is there and read right.
    """
    placed = place(found, plane)
    turn = np.abs(placed.turns)
    across, down = np.moveaxis(placed.seen_from(placed.corners), -1, 0)
    known = at_right(found.quads, found.centres)
    printed = placed.own(plane.to_plane(found.centres))[:, 0]
    if known.any() and not known.all():
        # A known one has its card's corner; as a left one it would have one as far to the right as it stands.
        across = across + np.where(known, printed - np.median(printed[~known]), 0.0)[None]
    fits = (across > _ACROSS[0]) & (across < _ACROSS[1]) & (np.abs(down) < _LEVEL) & (turn < _TURNED) & ~known[:, None]
    fits &= (faces @ faces.T > _ALIKE) & (sure[:, None] > _SURE) & (sure[None] > _SURE)
    left, right = np.nonzero(fits)
    if not len(left) or (not known.any() and len({int(face) for face in faces[left].argmax(1)}) < _FACES):
        return found
    step = float(np.median(across[left, right]))
    quads, marked = found.quads.copy(), known.copy()
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
    turn = np.abs(placed.turns)
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
