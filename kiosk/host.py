"""Putting a table on the network of its machine: a free port, the server, the browser."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from kiosk.direct import PROTOCOL
from kiosk.errors import KioskError


class PortError(KioskError):
    """No port can be had."""


def bind(host: str, port: int, tries: int = 20) -> socket.socket:
    """Take a port, or the next free one after it.

    :raises PortError: when none of them can be had.
    """
    last: OSError | None = None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + tries, 65536)) if port else (0,):
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(256)
        except OSError as error:
            sock.close()
            last = error
            continue
        return sock
    zh, en = (f"{port}", f"{port}") if tries == 1 else (f"{port} 到 {port + tries - 1}", f"{port} to {port + tries - 1}")
    raise PortError(
        f"{host} 的端口 {zh} 不能用（{last}）；请用 --port 换一个", f"port {en} of {host} cannot be used ({last}); choose another with --port"
    )


def addresses(host: str, port: int) -> tuple[str, ...]:
    """Where other devices find the pages, the likeliest first; only this machine's own address where nobody else is let in."""
    if host not in ("0.0.0.0", "::"):
        return (f"http://{f'[{host}]' if ':' in host else host}:{port}",)
    found: list[str] = []
    for far in ("192.168.255.255", "10.255.255.255", "172.31.255.255", "198.51.100.1"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # sends nothing: it only asks which way such a packet would go
            found.append(str(probe.getsockname()[0]))
    lan = [address for address in dict.fromkeys(found) if not address.startswith("127.")]
    return tuple(f"http://{address}:{port}" for address in (*lan, "127.0.0.1"))


def has_display() -> bool:
    """Whether a browser window could be seen here."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open a page, without waiting for the browser."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


class Host:
    """The web server of a table; :meth:`run` blocks until Ctrl-C or :meth:`stop`."""

    def __init__(self, app: FastAPI, sock: socket.socket) -> None:
        self._sock = sock
        self._app = app
        config = uvicorn.Config(
            app,
            log_level="error",
            ws_max_size=4096,
            ws_max_queue=4,
            timeout_graceful_shutdown=2,
            access_log=False,
            lifespan="on",
            ws_per_message_deflate=False,
            ws=PROTOCOL,
        )
        self._server = uvicorn.Server(config)

    def run(self, ready: Callable[[], None]) -> None:
        """Serve; ``ready`` is called on a thread of its own once pages can be had."""

        def when_ready() -> None:
            while not self._server.started and not self._server.should_exit:
                waiting.wait(0.02)
            if self._server.started:
                ready()

        waiting = threading.Event()
        threading.Thread(target=when_ready, name="ready", daemon=True).start()
        try:
            self._server.run(sockets=[self._sock])
        finally:
            self._server.should_exit = True
            self._sock.close()

    def alive(self, seconds: float = 5.0) -> bool:
        """Whether the server still answers: its event loop takes a call within so long."""
        answered = threading.Event()
        state = getattr(self._app.state, "kiosk", None)
        return state is not None and state.hub.call(answered.set) and answered.wait(seconds)

    def stop(self) -> None:
        """End :meth:`run` from any thread."""
        self._server.should_exit = True
