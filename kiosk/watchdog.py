"""Telling systemd that the table is up and alive (``Type=notify``, ``WatchdogSec=``), over its socket; without systemd nothing happens."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Final

_MICRO: Final = 1_000_000


def notify(message: str, env: Mapping[str, str] | None = None) -> bool:
    """Send one datagram to the service manager; says whether there was one to send it to."""
    address = (os.environ if env is None else env).get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.sendto(message.encode(), address)
        return True
    return False


def interval(env: Mapping[str, str] | None = None) -> float | None:
    """How often a sign of life is due (s): twice within the service manager's limit; None where it asks for none."""
    found = os.environ if env is None else env
    text, owner = found.get("WATCHDOG_USEC", ""), found.get("WATCHDOG_PID", "")
    if not text.isdecimal() or int(text) == 0 or (owner and owner != str(os.getpid())):
        return None
    return int(text) / _MICRO / 2


class Watchdog:
    """Gives signs of life as long as a check holds; a table that hangs falls silent and is started again."""

    def __init__(self, alive: Callable[[], bool], *, every: float | None = None, env: Mapping[str, str] | None = None) -> None:
        self._alive = alive
        self._env = env
        self._every = interval(env) if every is None else every
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self, status: str) -> None:
        """Say that the table is up, and begin."""
        notify(f"READY=1\nSTATUS={status}", self._env)
        if self._every is not None:
            self._thread.start()

    def _run(self) -> None:
        assert self._every is not None
        while not self._ending.wait(self._every):
            if self._alive():
                notify("WATCHDOG=1", self._env)

    def close(self) -> None:
        """Say that the table is ending."""
        self._ending.set()
        notify("STOPPING=1", self._env)
        if self._thread.is_alive():
            self._thread.join(timeout=2)
