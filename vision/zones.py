"""The table's zones in millimetres: four seats, split along the diagonals, and the bottom's place in the centre."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.cards import Seat
from vision.calibration import CENTRE_MM, PLAY_AREA_MM, Calibration, Floats


@unique
class Zone(StrEnum):
    """A place on the table: a seat's, or the centre."""

    E = "E"
    N = "N"
    W = "W"
    S = "S"
    CENTRE = "centre"

    @property
    def seat(self) -> Seat | None:
        """The seat that the zone belongs to; None for the centre."""
        return None if self is Zone.CENTRE else Seat(self.value)


SEAT_ZONES: Final[tuple[Zone, ...]] = (Zone.E, Zone.N, Zone.W, Zone.S)
OUT: Final[Mapping[Zone, tuple[float, float]]] = {Zone.E: (1.0, 0.0), Zone.N: (0.0, -1.0), Zone.W: (-1.0, 0.0), Zone.S: (0.0, 1.0)}
"""The direction from the centre towards a seat's player."""

CORNER_MM: Final = 190.0
"""Farther than this from both axes lies a corner, which is nobody's: who lays cards there is a fifth, and plays nothing. (A play of a dozen
cards in a row reaches 165 mm to each side.)"""

EDGE_INNER_MM: Final = 398.0
"""A pile of turned tricks reaches to about 390 mm."""
EDGE_OUTER_MM: Final = 414.0
EDGE_HALF_MM: Final = 330.0


def zone_at(x: float, y: float, *, centre: float = CENTRE_MM, area: float = PLAY_AREA_MM) -> Zone | None:
    """The zone of a point in millimetres; None outside the playing area and in its corners."""
    if max(abs(x), abs(y)) > area or min(abs(x), abs(y)) > CORNER_MM:
        return None
    if abs(x) <= centre and abs(y) <= centre:
        return Zone.CENTRE
    if abs(x) >= abs(y):
        return Zone.E if x > 0 else Zone.W
    return Zone.S if y > 0 else Zone.N


def _side(out: tuple[float, float], near: float, far: float, half_near: float, half_far: float) -> Floats:
    """A trapezium in front of a player, from ``near`` to ``far`` from the centre (4, 2)."""
    ox, oy = out
    rx, ry = -oy, ox
    points = [(near, -half_near), (near, half_near), (far, half_far), (far, -half_far)]
    return np.array([[d * ox + u * rx, d * oy + u * ry] for d, u in points])


def outline(zone: Zone) -> Floats:
    """A zone's corners in millimetres: of the centre (4, 2); of a seat, which widens along the diagonals and then no more, (6, 2)."""
    if zone is Zone.CENTRE:
        c = CENTRE_MM
        return np.array([[-c, -c], [c, -c], [c, c], [-c, c]], np.float64)
    near = _side(OUT[zone], CENTRE_MM, CORNER_MM, CENTRE_MM, CORNER_MM)
    far = _side(OUT[zone], CORNER_MM, PLAY_AREA_MM, CORNER_MM, CORNER_MM)
    return np.concatenate([near[:3], far[2:], near[3:]])


def edge(zone: Zone) -> Floats:
    """The strip at the rim of the playing area that a player's arm must cross, in millimetres (4, 2)."""
    return _side(OUT[zone], EDGE_INNER_MM, EDGE_OUTER_MM, EDGE_HALF_MM, EDGE_HALF_MM)


def dense(points_mm: Floats, per_side: int = 12) -> Floats:
    """The outline with points along its sides, so that it bends with the lens when it is mapped to pixels."""
    out = [a + (b - a) * k / per_side for a, b in zip(points_mm, np.roll(points_mm, -1, 0), strict=True) for k in range(per_side)]
    return np.array(out)


def to_small(calibration: Calibration, points_mm: Floats, small_size: tuple[int, int]) -> npt.NDArray[np.int32]:
    """Map an outline to the pixels of the small picture (n, 2)."""
    scale = np.array(small_size, np.float64) / np.array(calibration.size, np.float64)
    return np.asarray(np.round(calibration.to_px(dense(points_mm)) * scale - 0.5), np.int32)
