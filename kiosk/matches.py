"""Another match at the same table: the old log is put aside with its video, and everybody begins anew."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.deal import verify_levels
from engine.rulebook import Rulebook
from kiosk.errors import ConflictError, RefusedError
from kiosk.recording import set_aside
from kiosk.sessions import SETTING
from kiosk.setup_models import NewMatch
from kiosk.sound import Kind
from kiosk.store import Store
from kiosk.web import Kiosk

KEPT: Final = ("pin", SETTING, *(f"volume.{kind.name.lower()}" for kind in Kind))
"""Settings that go with the table, not with the match."""
_OPEN: Final = ("declaring", "burying", "trick", "bottom")


class Matches:
    """The match of a table in its file.

    :param stop: called before the file is put aside, ``go`` once there is a new one (the recorder's video lies beside it).
    """

    def __init__(
        self, kiosk: Kiosk, store: Store, rulebooks: Callable[[str], Rulebook], *,
        stop: Callable[[], None] = lambda: None, go: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.store = store
        self._kiosk = kiosk
        self._rulebooks = rulebooks
        self._stop, self._go = stop, go
        self._lock = threading.Lock()

    def begin(self, request: NewMatch, author: str) -> None:
        """Put the running match aside and begin another.

        :raises ConflictError: in the middle of a deal, unless it is given up.
        :raises RefusedError: when a level is not on the rulebook's path.
        :raises engine.rulebook_toml.RulebookError: when there is no such rulebook.
        """
        with self._lock:
            rules = self._rulebooks(request.rulebook)
            first = str(rules.levels.path[0])
            levels = {"EW": first, "NS": first, **{team.value: level for team, level in request.levels.items()}}
            try:
                verify_levels(rules, levels)
            except ValueError as error:
                raise RefusedError(f"级别不对：{error}", f"this level cannot be: {error}") from error
            table = self._kiosk.table
            _, shown = table.shown()
            if shown.get("phase") in _OPEN and not request.give_up:
                raise ConflictError("这一局还没有打完；请先结束，或选择放弃", "a deal is being played; end it, or give it up")
            names = {seat.value: name for seat, name in request.names.items()}
            self._stop()
            table.renew(self._exchange)
            self._kiosk.access.use(self.store)
            self._kiosk.restored = None
            table.begin(request.rulebook, names, levels, request.declarer, author=author)
            self._kiosk.hub.disconnect()
            restart = getattr(self._kiosk.feed.feed, "restart", None) if self._kiosk.feed is not None else None
            if restart is not None:  # a camera that remembers the last deal forgets it
                restart()
            self._go()

    def _exchange(self) -> Store:
        """Put the file aside and give a new one with the same settings."""
        path: Path = self.store.path
        kept = {key: value for key in KEPT if (value := self.store.setting(key)) is not None}
        self.store.close()
        try:
            set_aside(path)
        finally:
            self.store = Store.open(path)
        for key, value in kept.items():
            self.store.remember(key, value)
        return self.store

    def close(self) -> None:
        """Close the file."""
        self.store.close()
