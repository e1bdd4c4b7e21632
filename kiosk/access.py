"""Who may change things: everybody at home, the holder of the referee's PIN in a competition, the local console always."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from enum import StrEnum, unique
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from kiosk.errors import ForbiddenError, TooManyAttemptsError
from kiosk.sessions import AGE_S, Sessions
from kiosk.store import Store

COOKIE: Final = "trickwatch_referee"
COOKIE_AGE_S: Final = AGE_S
WRONG_PINS: Final = 5
LOCKED_S: Final = 60.0
CODE_S: Final = 120.0
"""So long a pairing code may be used, once."""
_MOST_CODES: Final = 20
_LONGEST_PIN: Final = 64


@unique
class Mode(StrEnum):
    """How a table is run."""

    HOME = "home"
    COMPETITION = "competition"
    PRACTICE = "practice"


class Access:
    """The rights at one table; the PIN is kept as an argon2 hash in the table's file, and so are the hashes of the pairings' tokens."""

    def __init__(self, store: Store, mode: Mode, clock: Callable[[], float] = time.monotonic, hasher: PasswordHasher | None = None) -> None:
        self.mode = mode
        self._store = store
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._lock = threading.Lock()
        self._wrong: dict[str, list[float]] = {}
        self._codes: dict[str, float] = {}
        self.sessions = Sessions(store)

    def has_pin(self) -> bool:
        """Whether a PIN was ever set at this table."""
        return self._store.setting("pin") is not None

    def set_pin(self, pin: str) -> None:
        """Set the referee's PIN; all pairings end."""
        self._store.remember("pin", self._hasher.hash(pin))
        self._codes.clear()
        self.sessions.close_all()

    def use(self, store: Store) -> None:
        """Go on with another table file, which holds the PIN and the pairings too."""
        self._store = store
        self.sessions.use(store)

    def code(self) -> str:
        """A code that pairs one browser, once, within :data:`CODE_S`.

        :raises ForbiddenError: when no PIN has been set, which is what a pairing stands for.
        """
        if self._store.setting("pin") is None:
            raise ForbiddenError("请先设置裁判密码", "set the referee's PIN first")
        with self._lock:
            now = self._clock()
            self._codes = dict(list({code: end for code, end in self._codes.items() if end > now}.items())[-_MOST_CODES + 1 :])
            code = secrets.token_urlsafe(16)
            self._codes[code] = now + CODE_S
            return code

    def redeem(self, code: str, address: str) -> str:
        """Use up a pairing code and give the cookie's value; wrong codes count as wrong PINs do.

        :raises ForbiddenError: when it was never given out, has been used, or is too old.
        """
        with self._lock:
            now = self._clock()
            recent = self._tries(address, now)
            known = self._store.setting("pin")
            found = next((given for given in self._codes if secrets.compare_digest(given.encode(), code.encode())), None)
            if found is None or known is None or self._codes.pop(found) <= now:
                self._note_wrong(address, recent, now)
                raise ForbiddenError("配对码无效或已使用，请重新扫描", "this pairing code is not valid any more; scan a new one")
            return self.sessions.open(address)

    def pair(self, pin: str, address: str) -> str:
        """Check a PIN and give the cookie's value.

        :raises ForbiddenError: when it is wrong.
        :raises TooManyAttemptsError: after five wrong ones within a minute from one address.
        """
        with self._lock:
            now = self._clock()
            recent = self._tries(address, now)
            known = self._store.setting("pin")
            if known is None or not self._fits(known, pin):
                self._note_wrong(address, recent, now)
                raise ForbiddenError("密码不对", "wrong PIN")
            self._wrong.pop(address, None)
            return self.sessions.open(address)

    def _tries(self, address: str, now: float) -> list[float]:
        """When an address was wrong lately.

        :raises TooManyAttemptsError: when that was too often.
        """
        recent = [at for at in self._wrong.get(address, ()) if now - at < LOCKED_S]
        if len(recent) >= WRONG_PINS:
            raise TooManyAttemptsError("输错次数过多，请一分钟后再试", "too many wrong PINs, try again in a minute")
        return recent

    def _note_wrong(self, address: str, recent: list[float], now: float) -> None:
        self._wrong = {other: times for other, times in self._wrong.items() if now - times[-1] < LOCKED_S}
        self._wrong[address] = [*recent, now]

    def _fits(self, known: str, pin: str) -> bool:
        try:
            return len(pin) <= _LONGEST_PIN and self._hasher.verify(known, pin)
        except VerificationError:
            return False

    def author(self, address: str, *, local: bool, cookie: str | None) -> str | None:
        """Who writes, as the log names it, or None for somebody who may only look."""
        if local:
            return "local"
        if self.sessions.find(cookie) is not None:
            return f"referee@{address}"
        return None if self.mode is Mode.COMPETITION else f"{self.mode.value}@{address}"
