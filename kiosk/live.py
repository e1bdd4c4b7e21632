"""Live updates: one message for all viewers, encoded and framed once, a bounded queue for whoever lags, and a fresh start for whoever is too slow.

Messages belong to topics. What a viewer may not have it does not get: a topic that is not public is given out only while its right still holds.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kiosk.direct import text_frame

QUEUE: Final = 16
"""Messages that may wait for one viewer. Each says all of its topic, so a viewer that lags is given the newest and nothing is lost."""

STATE: Final = "state"
STATUS: Final = "status"
CLOCKS: Final = "clocks"
PRESENCE: Final = "presence"
PUBLIC: Final = frozenset({STATE, STATUS, CLOCKS})
TOPICS: Final = PUBLIC | {PRESENCE}


def encode(message: Mapping[str, Any]) -> str:
    """One message as JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Panel:
    """A page that can change things, as others see it: its own id, who sits there, and since when (s, monotonic)."""

    id: str
    page: str
    author: str
    since: float


class Viewer:
    """One connected page.

    :param may: says whether the viewer still has the right to topics that are not public.
    :param write: hands a whole frame to the connection, or says that it cannot be taken now.
    """

    def __init__(
        self, topics: frozenset[str] = PUBLIC, *, panel: Panel | None = None, may: Callable[[], bool] = lambda: False,
        write: Callable[[bytes], bool] | None = None,
    ) -> None:  # fmt: skip
        self.topics = topics
        self.panel = panel
        self.resynchronised = 0
        self.dropped = asyncio.Event()
        self.active = time.monotonic()
        self._may = may
        self._write = write
        self._idle = False
        self._waiting: deque[tuple[str, str]] = deque()
        self._some = asyncio.Event()

    def wants(self, topic: str) -> bool:
        """Whether it asked for a topic and may have it."""
        return topic in self.topics and (topic in PUBLIC or self._may())

    def give(self, topic: str, text: str, frame: bytes) -> None:
        """Hand a message over at once where nothing is before it and the connection takes it; else queue it."""
        if not (self._idle and not self._waiting and self._write is not None and self._write(frame)):
            self.offer(topic, text)

    def offer(self, topic: str, text: str) -> None:
        """Queue a message; when too many wait only the newest of each topic are kept, as these say all of it."""
        self._waiting.append((topic, text))
        if len(self._waiting) > QUEUE:
            self.resynchronised += 1
            newest = dict(self._waiting)
            self._waiting = deque(newest.items())
        self._some.set()

    async def next(self) -> str:
        """The oldest message that waits; comes back when there is one."""
        while not self._waiting:
            self._some.clear()
            self._idle = True
            await self._some.wait()
        self._idle = False
        return self._waiting.popleft()[1]


class Hub:
    """All viewers of one table. :meth:`publish` may be called from any thread and never waits."""

    def __init__(self) -> None:
        self._viewers: set[Viewer] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Name the event loop that the viewers live on, or None when it ends."""
        with self._lock:
            self._loop = loop

    def publish(self, text: str, topic: str = STATE) -> None:
        """Hand a message to every viewer of a topic."""
        self.call(self._deliver, topic, text)

    def disconnect(self) -> None:
        """Let every viewer go, so that it comes back and begins anew."""
        self.call(self._drop)

    def recheck(self) -> None:
        """Let the panels go whose right has ended, so that they come back as lookers-on."""
        self.call(self._let_go)

    def call(self, what: Callable[..., None], *values: str) -> bool:
        """Call something on the viewers' loop, from any thread; says whether there is one."""
        with self._lock:
            loop = self._loop
        if loop is None:
            return False
        try:
            loop.call_soon_threadsafe(what, *values)
        except RuntimeError:  # the loop has just been closed: nobody looks any more
            return False
        return True

    def _deliver(self, topic: str, text: str) -> None:
        frame = text_frame(text)
        for viewer in tuple(self._viewers):
            if viewer.wants(topic):
                viewer.give(topic, text, frame)

    def _drop(self) -> None:
        for viewer in self._viewers:
            viewer.dropped.set()

    def _let_go(self) -> None:
        for viewer in self._viewers:
            if viewer.panel is not None and not viewer.wants(PRESENCE):
                viewer.dropped.set()

    def join(self, viewer: Viewer) -> None:
        """Take a viewer in; called on the loop."""
        self._viewers.add(viewer)
        if viewer.panel is not None:
            self.announce()

    def leave(self, viewer: Viewer) -> None:
        """Forget a viewer."""
        self._viewers.discard(viewer)
        if viewer.panel is not None:
            self.announce()

    def announce(self) -> None:
        """Tell the panels which panels there are; called on the loop."""
        self._deliver(PRESENCE, encode(self.presence()))

    def presence(self) -> dict[str, Any]:
        """The panels that are connected, the first to come first."""
        now = time.monotonic()
        found = sorted((viewer for viewer in self._viewers if viewer.panel is not None), key=lambda viewer: viewer.panel.since if viewer.panel else 0)
        panels = [
            {"id": viewer.panel.id, "page": viewer.panel.page, "author": viewer.panel.author, "idle_s": round(now - viewer.active)}
            for viewer in found
            if viewer.panel is not None
        ]
        return {"type": PRESENCE, "panels": panels}

    def count(self) -> int:
        """How many pages look on."""
        return len(self._viewers)
