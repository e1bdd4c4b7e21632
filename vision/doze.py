"""While nothing stirs on the table only a few pictures a second are looked at: an idle table then costs a third as much.

What is let pass is not even decompressed. Anything that moves is seen a fifth of a second later at the worst, and from then on every picture is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.calibration import Image
from vision.motion import MOTION_LEVEL, MOTION_PIXELS, difference

QUIET_SECONDS: Final = 3.0
"""So long nothing must have moved; cards that were laid are read by then."""
IDLE_FPS: Final = 5.0
"""So many pictures a second are looked at all the same; of a camera that gives less than twice as many every one is."""


class Doze:
    """Watches one camera's small pictures for motion."""

    def __init__(self, fps: float) -> None:
        self._most = max(0, int(fps / IDLE_FPS) - 1)
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

    def passing(self, t: float) -> int:
        """How many pictures after the one that was looked at, at ``t``, may pass unseen."""
        return self._most if t - self._stirred >= QUIET_SECONDS else 0
