"""The plane that the cards lie in: all cards of a picture are of one size, so each tells where the others' far corners are.

The corner network sees a card's upper left part; it knows where that corner is and how the long side runs, but hardly how long the sides
are, and in what it believes about them it errs for all cards of a deck alike. The size that fits all cards of a picture at once, and the
distance between the two ends of a card, tell it. In the plane's own coordinates a card is one unit wide; its place is a corner and a heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections, Floats
from vision.patch import CARD_ASPECT, at_right

Doubles = NDArray[np.float64]

_WIDTH_SPREAD: Final = 0.07
_HEIGHT_SPREAD: Final = 0.065
_SQUARE_SPREAD: Final = 0.045
_PAIR_SPREAD: Final = 0.03
"""Standard deviations of one index's quad: logarithm of the upper and of the left side's length, angle between them (radians);
and of what a card's two ends say about its size (card widths)."""
_VIEW: Final = np.array([np.inf, 0.2, 0.2, 0.2, 0.2, 0.05])
"""Standard deviations of the view before a card is seen: size, two numbers of stretch, two of perspective over half the picture,
the cards' aspect."""
_ROUNDS: Final = 10
_STEP: Final = 1e-4
_FAR: Final = 2.5
"""Deviations beyond this many standard deviations pull no harder."""
_OFF: Final = 0.24
"""A card whose own size differs more than this (logarithm) does not lie in the plane: it is held up, or lies on something."""


_SAME_CORNER: Final = 0.045
_SAME_TURN: Final = np.deg2rad(20)


@dataclass(frozen=True, slots=True)
class Plane:
    """A view of the plane: ``matrix`` (3x3) maps pixels to card widths, ``aspect`` is a card's height by its width."""

    matrix: Doubles
    aspect: float

    def to_plane(self, points: Floats | Doubles) -> Doubles:
        """Map pixels (... x 2) to card widths."""
        return _mapped(self.matrix, points)

    def to_picture(self, points: Doubles) -> Floats:
        """Map card widths (... x 2) to pixels."""
        return np.asarray(_mapped(np.asarray(np.linalg.inv(self.matrix), np.float64), points), np.float32)

    def moved(self, scale: float, dx: float, dy: float) -> Plane:
        """The same plane for pixels of a whole, of which this one's picture is a part: ``whole = part * scale + (dx, dy)``."""
        back = np.array([[1 / scale, 0, -dx / scale], [0, 1 / scale, -dy / scale], [0, 0, 1]])
        return Plane(self.matrix @ back, self.aspect)


@dataclass(frozen=True, slots=True)
class Placed:
    """N indices in the plane: the card's corner at each (Nx2, card widths), its heading (N, radians, along the upper side as seen from
    the index), its size by that of the others (N; 1 for all that lie in the plane)."""

    plane: Plane
    corners: Doubles
    headings: Doubles
    sizes: Doubles

    def points(self, across: float | Doubles, down: float | Doubles) -> Doubles:
        """Nx2: the point of each card at so many card widths across and down from its corner."""
        c, s = np.cos(self.headings), np.sin(self.headings)
        x, y = self.sizes * across, self.sizes * down
        return self.corners + np.stack([c * x - s * y, s * x + c * y], 1)

    @property
    def turns(self) -> Doubles:
        """NxN: how far each card (columns) is turned against each other (rows), radians, -pi..pi."""
        return np.asarray((self.headings[None] - self.headings[:, None] + np.pi) % (2 * np.pi) - np.pi, np.float64)

    def seen_from(self, points: Doubles) -> Doubles:
        """NxMx2: how far across and down from each card's corner (rows) each of M points of the plane is, in widths of that card."""
        c, s = np.cos(self.headings)[:, None], np.sin(self.headings)[:, None]
        off = (points[None] - self.corners[:, None]) / self.sizes[:, None, None]
        return np.stack([off[..., 0] * c + off[..., 1] * s, off[..., 1] * c - off[..., 0] * s], -1)

    def own(self, points: Doubles) -> Doubles:
        """Nx2: the same for N points, each as seen from its own card."""
        c, s = np.cos(self.headings), np.sin(self.headings)
        off = (points - self.corners) / self.sizes[:, None]
        return np.stack([off[:, 0] * c + off[:, 1] * s, off[:, 1] * c - off[:, 0] * s], -1)

    def moved(self, rows: NDArray[np.int64], off: Doubles) -> Placed:
        """The M cards of ``rows``, each moved across and down by ``off`` (Mx2, in its own widths)."""
        cards = Placed(self.plane, self.corners[rows], self.headings[rows], self.sizes[rows])
        return Placed(self.plane, cards.points(off[:, 0], off[:, 1]), cards.headings, cards.sizes)

    def quads(self) -> Doubles:
        """Nx4x2: the corners of each card in the plane, as seen from its index."""
        high = self.plane.aspect
        return np.stack([self.corners, self.points(1, 0), self.points(1, high), self.points(0, high)], 1)


def _mapped(matrix: Doubles, points: Floats | Doubles) -> Doubles:
    flat = np.asarray(points, np.float64)
    out = flat @ matrix[:2, :2].T + matrix[:2, 2]
    depth = flat @ matrix[2, :2] + matrix[2, 2]
    return np.asarray(out / depth[..., None], np.float64)


def place(found: Detections, plane: Plane) -> Placed:
    """Bring indices into the plane.

    The long side tells a heading to one degree, the upper one to three, so it counts little.
    """
    quads = plane.to_plane(found.quads)
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    wide, high = np.hypot(across[:, 0], across[:, 1]) + 1e-9, np.hypot(down[:, 0], down[:, 1]) + 1e-9
    both = 0.12 * across / wide[:, None] + 0.88 * np.stack([down[:, 1], -down[:, 0]], 1) / high[:, None]
    size = np.log(high / plane.aspect)
    return Placed(plane, quads[:, 0], np.arctan2(both[:, 1], both[:, 0]), np.where(np.abs(size) > _OFF, np.exp(size), 1.0))


def replaced(found: Detections, plane: Plane) -> Detections:
    """The same indices, with quads as large as the plane's cards are."""
    return Detections(found.boxes, plane.to_picture(place(found, plane).quads()), found.scores)


def once(found: Detections, plane: Plane) -> Detections:
    """Leave out weaker finds at the corner of a stronger one: no two cards lie so exactly on each other that both show that corner."""
    placed = place(found, plane)
    right = at_right(found.quads, found.centres)
    kept: list[int] = []
    for k in np.argsort(-found.scores, kind="stable"):
        near = np.hypot(*(placed.corners[kept] - placed.corners[k]).T) < _SAME_CORNER
        turn = np.abs((placed.headings[kept] - placed.headings[k] + np.pi) % (2 * np.pi) - np.pi)
        if not (near & (turn < _SAME_TURN) & (right[kept] == right[k])).any():
            kept.append(int(k))
    return found.take(sorted(kept))


def known_plane(matrix: Doubles, card_width: float, aspect: float = CARD_ASPECT) -> Plane:
    """The plane of a calibrated table.

    :param matrix: 3x3, undistorted pixels to millimetres (or any unit).
    :param card_width: a card's width in that unit.
    """
    return Plane(np.diag([1 / card_width, 1 / card_width, 1.0]) @ np.asarray(matrix, np.float64), aspect)


def fit_plane(found: Detections, weights: Floats, pairs: Sequence[tuple[int, int]] = (), known: Plane | None = None) -> Plane:
    """The plane that fits all indices best.

    :param found: N indices, at least one.
    :param weights: N, how far each is to be believed (0..1).
    :param pairs: indices that are the two ends of one card.
    :param known: the plane of a calibrated table; then only the cards' size and aspect are fitted, near the known ones.
    """
    quads = np.asarray(found.quads, np.float64)
    middle = quads.reshape(-1, 2).mean(0)
    half = max(float(np.abs(quads.reshape(-1, 2) - middle).max()), 1.0)
    shift = np.array([[1 / half, 0, -middle[0] / half], [0, 1 / half, -middle[1] / half], [0, 0, 1]])
    if known is None:
        local = _mapped(shift, quads[:, [0, 1, 3]])
        width = float(np.median(np.maximum(np.linalg.norm(local[:, 2] - local[:, 0], axis=1) / CARD_ASPECT, 1e-3)))
        start, spread = np.array([-np.log(width), 0, 0, 0, 0, np.log(CARD_ASPECT)]), _VIEW
    else:
        local, shift = known.to_plane(quads[:, [0, 1, 3]]), known.matrix
        start, spread = np.array([0, 0, 0, 0, 0, np.log(known.aspect)]), np.array([0.02, 1e-3, 1e-3, 1e-4, 1e-4, 0.02])
    trust = np.sqrt(np.clip(np.asarray(weights, np.float64), 0.02, 1))
    ends = np.array(list(pairs), np.int64).reshape(-1, 2)
    p, steps = start.copy(), np.concatenate([np.zeros((1, len(start))), np.eye(len(start)) * _STEP])
    for _ in range(_ROUNDS):
        r, *stepped = _deviations(p + steps, local, trust, ends)
        jacobian = (np.stack(stepped, 1) - r[:, None]) / _STEP
        pull = 1 / np.maximum(np.abs(r) / _FAR, 1)
        weighted = (jacobian * pull[:, None]).T
        change = np.linalg.solve(weighted @ jacobian + np.diag(spread**-2.0 + 1e-9), -weighted @ r - spread**-2.0 * (p - start))
        p = p + np.clip(change, -0.3, 0.3)
        if float(np.abs(change).max()) < 3e-4:
            break
    return Plane(_matrices(p[None])[0] @ shift, float(np.exp(p[5])))


def _deviations(views: Doubles, local: Doubles, trust: Doubles, ends: NDArray[np.int64]) -> Doubles:
    """How far the quads (corner, right, below: Nx3x2) are from cards of one size, in standard deviations, for each of K views (Kx6): K rows."""
    seen = np.concatenate([local, np.ones((*local.shape[:2], 1))], 2) @ _matrices(views)[:, None].transpose(0, 1, 3, 2)
    at = seen[..., :2] / seen[..., 2:]
    across, down = at[..., 1, :] - at[..., 0, :], at[..., 2, :] - at[..., 0, :]
    wide, high = np.hypot(across[..., 0], across[..., 1]) + 1e-9, np.hypot(down[..., 0], down[..., 1]) + 1e-9
    square = (across * down).sum(-1) / (wide * high)
    aspect = views[:, 5:]
    parts = [np.log(wide) / _WIDTH_SPREAD * trust, (np.log(high) - aspect) / _HEIGHT_SPREAD * trust, square / _SQUARE_SPREAD * trust]
    if len(ends):
        along = down / high[..., None]
        x, y = end_to_end(at[:, ends[:, 0], 0], at[:, ends[:, 1], 0], along[:, ends[:, 0]], along[:, ends[:, 1]])
        parts += [(x - 1) / _PAIR_SPREAD, (y - np.exp(aspect)) / _PAIR_SPREAD]
    return np.concatenate(parts, 1)


def end_to_end(first: Doubles, second: Doubles, down_first: Doubles, down_second: Doubles) -> tuple[Doubles, Doubles]:
    """From one end's corner to the other's: how far across and how far down, along the mean of both ends' directions (... x 2 each)."""
    down = down_first - down_second
    down = down / np.maximum(np.hypot(down[..., 0], down[..., 1]), 1e-9)[..., None]
    between = second - first
    return between[..., 0] * down[..., 1] - between[..., 1] * down[..., 0], (between * down).sum(-1)


def _matrices(views: Doubles) -> Doubles:
    """Kx3x3: the map into the plane of each of K views (Kx6)."""
    scale, lean = np.exp(views[:, 0]), np.clip(views[:, 3:5], -0.7, 0.7)
    out = np.zeros((len(views), 3, 3))
    out[:, 0, 0], out[:, 1, 1] = scale * np.exp(views[:, 1]), scale * np.exp(-views[:, 1])
    out[:, 0, 1] = out[:, 1, 0] = scale * views[:, 2]
    out[:, 2, :2], out[:, 2, 2] = lean, 1
    return out
