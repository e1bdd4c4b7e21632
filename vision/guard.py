"""Faults while a picture is worked out: told once each, counted, and when there are too many of them, no more is tried for a while.

Whatever goes wrong in the reading, the match goes on: the picture is given up, what the camera's side believes is replaced by what the
referee's record says (:mod:`vision.recall`), and nothing is told until table and record fit (:mod:`vision.pause`).
"""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

WINDOW_SECONDS: Final = 60.0
MANY: Final = 5
"""So many faults within the window: nothing is tried until the window is over, or a person has changed the record."""
GROUND: Final = 3
"""From so many on what lies there is not read again: it may be what cannot be read."""
LOGGED: Final = 20
"""So many different faults are logged with their traceback; the others are only counted."""

_LOG: Final = logging.getLogger("trickwatch.vision")


@dataclass(slots=True)
class Guard:
    """The faults of one pipeline: ``count`` of all, and what the latest was."""

    count: int = 0
    latest: str = ""
    _times: list[float] = field(default_factory=list)
    _logged: set[str] = field(default_factory=set)

    def take(self, error: Exception, t: float) -> None:
        """A fault at ``t`` (s) is counted, and logged if it is a new one."""
        self.count += 1
        self._times = [*self._recent(t), t]
        self.latest = describe(error)
        if self.latest not in self._logged and len(self._logged) < LOGGED:
            self._logged.add(self.latest)
            _LOG.error("识别出错 / a fault in the reading at %.2f s: %s", t, self.latest, exc_info=error)

    def blind(self, t: float) -> bool:
        """What lies on the table is not to be read again."""
        return len(self._recent(t)) >= GROUND

    def stuck(self, t: float) -> bool:
        """There were too many faults of late: nothing is tried."""
        return len(self._recent(t)) >= MANY

    def forgive(self) -> None:
        """A person has changed the record, or the table is set up anew: try again."""
        self._times.clear()

    def evidence(self, t: float) -> dict[str, Any]:
        """What the log keeps of it."""
        return {"fault": self.latest, "faults": self.count, "within_minute": len(self._recent(t))}

    def _recent(self, t: float) -> list[float]:
        return [at for at in self._times if 0 <= t - at < WINDOW_SECONDS]


def describe(error: BaseException) -> str:
    """A fault in one line: its type, its words, and the innermost place of the program that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].name})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"[:300]
