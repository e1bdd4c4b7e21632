"""The change gate: which zones of the table move, hide under a hand, or look different from before.

It works on the small picture only (about 3 mm a pixel), so that an idle table costs next to nothing. A zone is *moving*
while neighbouring frames differ, under a *hand* while something crosses the rim of the playing area that was not there when
the table was quiet, and *changed* where it differs from the picture that was last settled, shown in the present light.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, Image
from vision.light import Light, Moment
from vision.zones import Zone, edge, outline, to_small

Mask = npt.NDArray[np.bool_]

MOTION_LEVEL: Final = 14
"""Grey levels between neighbouring frames that count as motion (sensor noise of a small pixel is about 3)."""
CHANGE_LEVEL: Final = 22
"""Grey levels from the settled picture that count as a change."""
MOTION_PIXELS: Final = 7
CHANGE_PIXELS: Final = 14
EDGE_SHARE: Final = 0.02
"""Share of a rim that must differ before it is a hand: a finger is about 15 mm of 660 mm."""
LONG_STEP_SECONDS: Final = 0.25
"""Pictures that come less often than this are taken for long steps."""
ABSORB_SECONDS: Final = 2.5
"""After this long without motion, what lies over the rim is taken for furniture (a sleeve resting, a cup)."""


@dataclass(frozen=True, slots=True)
class ZoneState:
    """What the gate sees of a zone.

    ``still_since`` is the time (s) of the first frame of the present stillness, without a hand; None while it moves or a
    hand is there. ``changed`` counts pixels of the small picture that differ from the settled one.
    """

    moving: bool
    hand: bool
    changed: int
    still_since: float | None


@dataclass(frozen=True, slots=True)
class Ground:
    """A part of an earlier small picture, and the light in which it was taken."""

    image: Image
    light: Moment


class _ZoneGate:
    """One zone's masks and clocks."""

    def __init__(self, zone: Zone, calibration: Calibration, size: tuple[int, int]) -> None:
        self.zone = zone
        points = to_small(calibration, outline(zone), size)
        x, y, w, h = cv2.boundingRect(points)
        x0, y0, x1, y1 = max(0, x - 1), max(0, y - 1), min(size[0], x + w + 1), min(size[1], y + h + 1)
        if x1 - x0 < 2 or y1 - y0 < 2:
            x0, y0, x1, y1 = 0, 0, 2, 2
        self.box = (slice(y0, y1), slice(x0, x1))
        self.origin = (x0, y0)
        self.mask = _fill(points, size)[self.box]
        self.edge_mask: Mask | None = None
        self.edge_box = self.box
        if zone is not Zone.CENTRE:
            rim = to_small(calibration, edge(zone), size)
            rx, ry, rw, rh = cv2.boundingRect(rim)
            self.edge_box = (slice(max(0, ry), max(0, min(size[1], ry + rh))), slice(max(0, rx), max(0, min(size[0], rx + rw))))
            mask = _fill(rim, size)[self.edge_box]
            self.edge_mask = mask if int(mask.sum()) >= 30 else None
        self.hand = False
        self.settled: Ground | None = None
        self.rim: Ground | None = None
        self.still_since: float | None = None
        self.rim_still_since = 0.0


def _fill(points: npt.NDArray[np.int32], size: tuple[int, int]) -> Mask:
    """A polygon as a mask of the small picture."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [points.reshape(-1, 1, 2)], 1)
    return mask.astype(bool)


def difference(a: Image, b: Image) -> Image:
    """The largest difference over the three colours, height x width."""
    diff = cv2.absdiff(a, b)
    return np.asarray(cv2.max(cv2.max(diff[..., 0], diff[..., 1]), diff[..., 2]), np.uint8)


class Gate:
    """Watches the small pictures of one camera.

    :param calibration: of full-size pictures; the small picture shows the same field of view.
    :param start: the first small picture (BGR).
    """

    def __init__(self, calibration: Calibration, start: Image) -> None:
        size = self.size = (start.shape[1], start.shape[0])
        self.light = Light(calibration, start)
        self._zones = {zone: _ZoneGate(zone, calibration, size) for zone in Zone}
        self._before: Image | None = None
        self._t: float | None = None

    def update(self, small: Image, t: float) -> Mapping[Zone, ZoneState]:
        """Take the next small picture (BGR) at ``t`` seconds."""
        before = self._before if self._before is not None else small
        motion = difference(small, before)
        self._before = small
        self.light.update(small)
        # What looks alike before and after a long step has lain so all the while.
        since = self._t if self._t is not None and t - self._t >= LONG_STEP_SECONDS else t
        self._t = t
        return {zone: self._update(gate, small, motion, t, since) for zone, gate in self._zones.items()}

    def _update(self, gate: _ZoneGate, small: Image, motion: Image, t: float, since: float) -> ZoneState:
        moving = int(np.count_nonzero((motion[gate.box] > MOTION_LEVEL) & gate.mask)) >= MOTION_PIXELS
        hand = self._hand(gate, small, motion, t)
        if moving or hand:
            gate.still_since = None
        elif gate.still_since is None:
            gate.still_since = t if gate.hand else since
        gate.hand = hand
        if gate.settled is None:
            gate.settled = self._now(small, gate.box)
        changed = 0
        if not moving:
            changed = int(np.count_nonzero((difference(small[gate.box], gate.settled.image) > CHANGE_LEVEL) & gate.mask))
            if changed >= CHANGE_PIXELS:
                changed = int(np.count_nonzero(self.change(gate.zone, small)))
            if changed < CHANGE_PIXELS and not hand:
                gate.settled = self._blend(gate.settled, small, gate.box, 0.03)
        return ZoneState(moving, hand, changed, gate.still_since)

    def _now(self, small: Image, box: tuple[slice, slice]) -> Ground:
        return Ground(small[box], self.light.now)

    def _relit(self, ground: Ground, box: tuple[slice, slice]) -> Image:
        return self.light.relit(ground.image, ground.light, box)

    def _blend(self, ground: Ground, small: Image, box: tuple[slice, slice], share: float) -> Ground:
        """An earlier picture, in the present light where that differs, brought nearer to what is seen now."""
        relit = self._relit(ground, box)
        light = ground.light if relit is ground.image else self.light.now
        return Ground(np.asarray(cv2.addWeighted(relit, 1 - share, small[box], share, 0), np.uint8), light)

    def _hand(self, gate: _ZoneGate, small: Image, motion: Image, t: float) -> bool:
        """Something lies over the rim that was not there before; the rim's own light is followed slowly."""
        if gate.edge_mask is None:
            return False
        now = small[gate.edge_box]
        if gate.rim is None:
            gate.rim = self._now(small, gate.edge_box)
            return False
        area = int(gate.edge_mask.sum())
        over = int(np.count_nonzero((difference(now, gate.rim.image) > CHANGE_LEVEL) & gate.edge_mask))
        if over >= max(5, EDGE_SHARE * area):
            rim = self._relit(gate.rim, gate.edge_box)
            least = CHANGE_LEVEL * self.light.slack(gate.rim.light, gate.edge_box)
            over = int(np.count_nonzero((difference(now, rim) > least) & gate.edge_mask))
        stirring = int(np.count_nonzero((motion[gate.edge_box] > MOTION_LEVEL) & gate.edge_mask)) >= 4
        if stirring:
            gate.rim_still_since = t
        hand = over >= max(5, EDGE_SHARE * area)
        if not stirring and not hand:
            gate.rim = self._blend(gate.rim, small, gate.edge_box, 0.05)
        elif hand and t - gate.rim_still_since > ABSORB_SECONDS:
            gate.rim = self._now(small, gate.edge_box)
            return False
        return hand

    def change(self, zone: Zone, small: Image) -> Mask:
        """Where a zone differs from its settled picture: a mask of the zone's box (see :meth:`box`)."""
        return self._changed(self._zones[zone], small, self._zones[zone].settled)

    def _changed(self, gate: _ZoneGate, small: Image, before: Ground | None) -> Mask:
        if before is None:
            return np.zeros_like(gate.mask)
        now = small[gate.box].astype(np.int16)
        diff = now - self._relit(before, gate.box).astype(np.int16)
        drift = np.median(diff[gate.mask][::3], axis=0) if gate.mask.any() else np.zeros(3)
        diff = np.abs(diff - np.clip(drift, -12, 12).astype(np.int16))
        least = CHANGE_LEVEL * self.light.slack(before.light, gate.box)
        return np.asarray((np.maximum(np.maximum(diff[..., 0], diff[..., 1]), diff[..., 2]) > least) & gate.mask, np.bool_)

    def changed_box(self, zone: Zone, small: Image) -> tuple[int, int, int, int] | None:
        """The box x0, y0, x1, y1 around a zone's changes, in pixels of the small picture; None when there are too few."""
        mask = self.change(zone, small)
        if int(mask.sum()) < CHANGE_PIXELS:
            return None
        ys, xs = np.nonzero(mask)
        x0, y0 = self._zones[zone].origin
        lo_x, hi_x = np.percentile(xs, [0.5, 99.5])
        lo_y, hi_y = np.percentile(ys, [0.5, 99.5])
        return int(lo_x) + x0, int(lo_y) + y0, int(hi_x) + x0 + 1, int(hi_y) + y0 + 1

    def changed(self, zone: Zone, small: Image) -> Mask:
        """:meth:`change` as a mask of the whole small picture."""
        out = np.zeros((self.size[1], self.size[0]), np.bool_)
        out[self._zones[zone].box] = self.change(zone, small)
        return out

    def touched(self, zone: Zone, small: Image, outlines: Sequence[npt.NDArray[np.int32]], share: float = 0.12) -> list[bool]:
        """Which outlines (in pixels of the small picture) lie where a zone has changed, at least in ``share`` of their area."""
        change = self.changed(zone, small)
        out = []
        for points in outlines:
            inside = _fill(points, self.size)
            area = int(inside.sum())
            out.append(area > 0 and int(np.count_nonzero(change & inside)) >= share * area)
        return out

    def ground(self, zone: Zone) -> Ground | None:
        """The settled picture of a zone's box."""
        return self._zones[zone].settled

    def differing(self, zone: Zone, small: Image, before: Ground | None) -> Mask:
        """Where a zone differs from an earlier :meth:`ground`, as a mask of the whole small picture; everywhere where there was none."""
        gate = self._zones[zone]
        out = np.zeros((self.size[1], self.size[0]), np.bool_)
        out[gate.box] = self._changed(gate, small, before) if before is not None else gate.mask
        return out

    def settle(self, zone: Zone, small: Image) -> None:
        """From now on a zone's changes are against this picture."""
        gate = self._zones[zone]
        gate.settled = self._now(small, gate.box)

    def mask(self, zone: Zone) -> tuple[Mask, tuple[slice, slice]]:
        """A zone's mask and the slices of the small picture that it covers."""
        gate = self._zones[zone]
        return gate.mask, gate.box
