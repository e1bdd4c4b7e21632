"""How many pictures a second come, and that they are too few to follow a table by."""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

LEAST_FPS: Final = 8.0
"""Pictures a second; with fewer, cards that are laid quickly one after another are seen together, or not at all."""
_STEPS: Final = 24
_ENOUGH: Final = 8


class Pace:
    """Counts the steps between pictures; gaps of seconds do not count."""

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=_STEPS)
        self._last: tuple[float, int] | None = None

    def take(self, t: float, index: int) -> None:
        """The picture of this number came at ``t`` seconds of the table's clock; numbers that are left out came too and passed unseen."""
        if self._last is not None:
            step, count = t - self._last[0], index - self._last[1]
            if 0 < step < 2.0 and count > 0:
                self._steps.append(step / count)
        self._last = (t, index)

    @property
    def fps(self) -> float:
        """Pictures a second, as most of the latest came; 0 before that can be told."""
        return 1 / median(self._steps) if len(self._steps) >= _ENOUGH else 0.0

    def slow(self) -> dict[str, str] | None:
        """Why plays may be missed and what to do, in both languages; None when pictures come often enough."""
        fps = self.fps
        if not 0 < fps < LEAST_FPS * 0.95:
            return None
        return {
            "zh": f"每秒只有 {fps:.0f} 幅画面（至少 {LEAST_FPS:.0f}）：快出的牌可能漏看；请加光、降低分辨率（如 0@1280x720）或换 USB 接口",
            "en": f"only {fps:.0f} pictures a second (at least {LEAST_FPS:.0f}): quick plays may be missed; add light, lower the resolution "
            "(as in 0@1280x720) or use another USB port",
        }
