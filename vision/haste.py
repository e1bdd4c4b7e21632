"""Whether the reading keeps up with the camera: how long nothing was seen between two pictures, and for what share of the time.

Only pictures that were dropped because nobody had time for them count; a camera that gives few is another matter (:mod:`vision.pace`).
"""

from __future__ import annotations

from collections import deque
from typing import Final

STEP_SECONDS: Final = 0.28
"""Nothing was seen for so long: the reading is behind, and saves what it can."""
HURRIED_SECONDS: Final = 6.0
"""It goes on saving for so long after."""
GAP_SECONDS: Final = 1.2
"""In so long cards can be laid and covered, or a trick be taken up: what happened is not known. (In less only the order of two plays.)"""
WINDOW_SECONDS: Final = 12.0
MANY: Final = 0.4
FEW: Final = 0.15
"""Shares of the time in which nothing is seen: from the first on it is said that the machine cannot keep up, below the second no more."""


class Haste:
    """Follows the steps between the pictures that were seen; ``gap`` is how long nothing was seen before the latest (s), 0 where that is no gap."""

    def __init__(self) -> None:
        self.gap = 0.0
        self._t: float | None = None
        self._dropped = 0
        self._late: float | None = None
        self._recent: deque[tuple[float, float, bool]] = deque()
        self._said = False

    def take(self, t: float, dropped: int, *, live: bool = False) -> None:
        """A picture is looked at, of ``t`` seconds of the table's clock; so many were dropped till now.

        :param live: of a camera whose pictures nobody counts, any long step is a gap.
        """
        step = t - self._t if self._t is not None else 0.0
        lost = dropped - self._dropped
        self.gap = step if step >= GAP_SECONDS and (lost > 0 or live) else 0.0
        late = step >= STEP_SECONDS and lost > 0
        self._late = t if late else self._late
        if self._t is not None:
            self._recent.append((t, step, late))
        while self._recent and t - self._recent[0][0] > WINDOW_SECONDS:
            self._recent.popleft()
        self._t, self._dropped = t, dropped
        self._say(t)

    def forget(self) -> None:
        """The camera was lost: that gap is told already."""
        self._t = None

    @property
    def hurried(self) -> bool:
        """The reading is behind, or was a moment ago."""
        return self._late is not None and self._t is not None and 0 <= self._t - self._late < HURRIED_SECONDS

    @property
    def share(self) -> float:
        """The share of the latest seconds that lay between pictures too far apart, 0..1."""
        seconds = sum(step for _, step, _ in self._recent)
        return sum(step for _, step, late in self._recent if late) / seconds if seconds else 0.0

    def slow(self) -> dict[str, str] | None:
        """That the machine cannot keep up and what to do, in both languages; None while it can."""
        if not self._said:
            return None
        share = round(100 * self.share)
        return {
            "zh": f"这台机器跟不上，{share}% 的时间没看画面：出牌会晚报，没看到的不判罚；请关掉其他程序、停止录像或降低分辨率（如 0@1280x720）",
            "en": f"this machine cannot keep up and does not look {share} % of the time: plays are told late, and nobody is accused of what was not "
            "seen; close other programs, stop recording or lower the resolution (as in 0@1280x720)",
        }

    def _say(self, t: float) -> None:
        if self.gap > 0 and t > 0:
            self._said = True
        elif self._recent and self._recent[-1][0] - self._recent[0][0] >= WINDOW_SECONDS / 2:
            self._said = self.share >= (FEW if self._said else MANY)
