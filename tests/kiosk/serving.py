"""A table on a real port, for tests that need a network or a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kiosk.host import Host, bind
from kiosk.web import create_app
from tests.kiosk.tables import Fixture


@contextmanager
def serving(made: Fixture, port: int = 0) -> Iterator[int]:
    """Serve a table; gives the port."""
    sock = bind("127.0.0.1", port, 1)
    found = int(sock.getsockname()[1])
    host = Host(create_app(made.kiosk), sock)
    ready = threading.Event()
    thread = threading.Thread(target=host.run, args=(ready.set,), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield found
    finally:
        host.stop()
        thread.join(20)
        assert not thread.is_alive(), "the server did not end"
