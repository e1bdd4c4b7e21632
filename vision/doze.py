"""While nothing stirs on the table every second picture is let pass unseen: an idle table then costs half as much.

What is let pass is not even converted. Anything that moves is seen a fifteenth of a second later at the worst, and from then on every picture is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.calibration import Image
from vision.motion import MOTION_LEVEL, MOTION_PIXELS, difference

QUIET_SECONDS: Final = 3.0
"""So long nothing must have moved; cards that were laid are read by then."""
LEAST_FPS: Final = 12.0
"""Pictures a second of a camera, below which every one is looked at."""


class Doze:
    """Watches one camera's small pictures for motion."""

    def __init__(self, fps: float) -> None:
        self._able = fps >= LEAST_FPS
        self._before: Image | None = None
        self._stirred = 0.0

    def see(self, small: Image, t: float) -> None:
        """A picture was looked at, at ``t`` seconds."""
        before, self._before = self._before, small
        if before is None or before.shape != small.shape:
            self._stirred = t
            return
        if int(np.count_nonzero(difference(small, before) > MOTION_LEVEL)) >= MOTION_PIXELS:
            self._stirred = t

    def passes(self, t: float) -> bool:
        """Whether the picture after the one that was looked at, at ``t``, may pass unseen."""
        return self._able and t - self._stirred >= QUIET_SECONDS
