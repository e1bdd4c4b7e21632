"""The service manager hears that the table is up, that it lives, and that it ends."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.host import Host, bind
from kiosk.watchdog import Watchdog, interval, notify
from kiosk.web import create_app
from tests.kiosk.tables import Maker


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """A socket as systemd gives it."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(path))
        ear.settimeout(20)
        yield ear, {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "40000", "WATCHDOG_PID": str(os.getpid())}


def test_up_alive_and_ending_are_said(manager: tuple[socket.socket, dict[str, str]]) -> None:
    ear, env = manager
    dog = Watchdog(lambda: True, env=env)
    dog.start("audience http://localhost:8000/table")
    assert ear.recv(4096) == b"READY=1\nSTATUS=audience http://localhost:8000/table"
    assert ear.recv(4096) == b"WATCHDOG=1"
    assert ear.recv(4096) == b"WATCHDOG=1"
    dog.close()
    while (said := ear.recv(4096)) == b"WATCHDOG=1":
        pass
    assert said == b"STOPPING=1"


def test_a_table_that_hangs_falls_silent(manager: tuple[socket.socket, dict[str, str]]) -> None:
    ear, env = manager
    asked = []
    dog = Watchdog(lambda: bool(asked.append(1)), env=env)
    dog.start("x")
    ear.recv(4096)
    while len(asked) < 3:
        pass
    dog.close()
    assert ear.recv(4096) == b"STOPPING=1"


def test_an_abstract_socket_is_known() -> None:
    name = f"\0trickwatch-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(name)
        ear.settimeout(20)
        assert notify("READY=1", {"NOTIFY_SOCKET": "@" + name[1:]})
        assert ear.recv(100) == b"READY=1"


def test_without_a_manager_nothing_happens(tmp_path: Path) -> None:
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    assert interval({}) is None
    assert interval({"WATCHDOG_USEC": "x"}) is None
    assert interval({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) is None
    assert interval({"WATCHDOG_USEC": "30000000"}) == 15.0


def test_a_server_is_alive_while_its_loop_answers(make_table: Maker) -> None:
    made = make_table()
    sock = bind("127.0.0.1", 0, 1)
    host = Host(create_app(made.kiosk), sock)
    assert not host.alive(0.1)
    ready = threading.Event()
    thread = threading.Thread(target=host.run, args=(ready.set,), daemon=True)
    thread.start()
    assert ready.wait(60)
    assert host.alive(60)
    hang = threading.Event()
    made.kiosk.hub.call(lambda: hang.wait(120) and None)  # the loop stands still
    assert not host.alive(0.2)
    hang.set()
    assert host.alive(60)
    host.stop()
    thread.join(60)
    assert not host.alive(0.1)
