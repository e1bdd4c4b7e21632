"""The browsers that are paired as the referee's: each holds a random token, the table keeps only its hash, and any of them can be ended."""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from kiosk.errors import NotFoundError, StoreError
from kiosk.store import Store

SETTING: Final = "sessions"
AGE_S: Final = 12 * 3600
MOST: Final = 32
"""So many browsers may be paired; the one that came first makes room."""


@dataclass(frozen=True, slots=True)
class Session:
    """A paired browser: the name it is ended by, where it was paired from, and since when (s, wall clock)."""

    id: str
    digest: str
    address: str
    since: float


class Sessions:
    """The pairings of one table; they outlive a restart, as they lie in the table's file."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now
        self._lock = threading.Lock()
        self._held = {one.digest: one for one in _read(store.setting(SETTING))}

    def use(self, store: Store) -> None:
        """Go on with another table file."""
        self._store = store

    def open(self, address: str) -> str:
        """Pair one more browser; gives its cookie's value."""
        token = secrets.token_urlsafe(32)
        digest = _digest(token)
        with self._lock:
            now = self._now()
            alive = [one for one in self._held.values() if self._alive(one, now)][-MOST + 1 :]
            self._held = {one.digest: one for one in (*alive, Session(digest[:12], digest, address, now))}
            self._keep()
        return token

    def find(self, token: str | None) -> Session | None:
        """The pairing that a cookie stands for, or None when it was never given out, is too old, or was ended."""
        if not token:
            return None
        with self._lock:
            found = self._held.get(_digest(token))
            return found if found is not None and self._alive(found, self._now()) else None

    def all(self) -> list[Session]:
        """The pairings that hold, the oldest first."""
        with self._lock:
            now = self._now()
            return [one for one in self._held.values() if self._alive(one, now)]

    def close(self, name: str) -> None:
        """End one pairing.

        :raises NotFoundError: when there is none of that name.
        """
        with self._lock:
            found = next((one for one in self._held.values() if one.id == name), None)
            if found is None:
                raise NotFoundError("没有这个配对", "there is no such pairing")
            del self._held[found.digest]
            self._keep()

    def close_all(self, but: str | None = None) -> None:
        """End all pairings, or all but the one of that name."""
        with self._lock:
            self._held = {digest: one for digest, one in self._held.items() if one.id == but}
            self._keep()

    def _alive(self, one: Session, now: float) -> bool:
        return now - one.since < AGE_S

    def _keep(self) -> None:
        """Write the pairings down; a disk that is full must not keep the referee out, nor keep a browser in."""
        with contextlib.suppress(StoreError):
            self._store.remember(SETTING, json.dumps([asdict(one) for one in self._held.values()]))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _read(text: str | None) -> list[Session]:
    """The pairings as they were written down; nothing where that cannot be read, which only means pairing again."""
    try:
        return [Session(str(one["id"]), str(one["digest"]), str(one["address"]), float(one["since"])) for one in json.loads(text or "[]")]
    except (ValueError, KeyError, TypeError):
        return []
