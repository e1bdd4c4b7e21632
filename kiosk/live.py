"""Live updates: one encoded message for all viewers, a bounded queue each, and a fresh start for whoever is too slow."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any, Final

QUEUE: Final = 16
"""Messages that may wait for one viewer. Each carries the whole state, so a viewer that lags is given the newest and nothing is lost."""


def encode(message: Mapping[str, Any]) -> str:
    """One message as JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Viewer:
    """One connected page."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[str] = asyncio.Queue(QUEUE)
        self.resynchronised = 0

    def offer(self, text: str) -> None:
        """Queue a message; when the queue is full everything older is dropped, as this message says all of it."""
        if self.queue.full():
            self.resynchronised += 1
            while not self.queue.empty():
                self.queue.get_nowait()
        self.queue.put_nowait(text)


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

    def publish(self, text: str) -> None:
        """Hand a message to every viewer."""
        with self._lock:
            loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._deliver, text)
            except RuntimeError:  # the loop has just been closed: nobody looks any more
                return

    def _deliver(self, text: str) -> None:
        for viewer in tuple(self._viewers):
            viewer.offer(text)

    def join(self) -> Viewer:
        """A new viewer; called on the loop."""
        viewer = Viewer()
        self._viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget a viewer."""
        self._viewers.discard(viewer)

    def count(self) -> int:
        """How many pages look on."""
        return len(self._viewers)
