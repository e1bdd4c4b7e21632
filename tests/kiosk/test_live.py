"""Live updates on a real port: nothing is lost, and nobody who is slow or rude disturbs the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import select
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
import websockets
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from kiosk.direct import text_frame
from kiosk.errors import KioskError
from kiosk.host import bind
from kiosk.live import QUEUE, Hub, Viewer, encode
from tests.kiosk.serving import serving
from tests.kiosk.tables import Maker, until_trick

T = TypeVar("T")


def in_own_thread(what: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine where no browser's event loop is running already."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, what).result()


async def states(socket: Any, last: int) -> list[int]:
    """The places of the state messages until one of them is the last."""
    seen: list[int] = []
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "state":
            seen.append(message["seq"])
            if message["seq"] >= last:
                return seen
    return seen


def test_thirty_viewers_see_every_step_in_order(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    steps = 12

    async def look(port: int) -> list[list[int]]:
        sockets = [await connect(f"ws://127.0.0.1:{port}/api/live") for _ in range(30)]
        for one in sockets:
            for _ in range(3):
                await one.recv()
        first = made.table.seq

        def play() -> None:
            for i in range(steps):
                made.table.set_score(5 * i + 5, 3, {}, None, "local")

        writer = threading.Thread(target=play)
        writer.start()
        seen = await asyncio.gather(*(states(one, first + steps) for one in sockets))
        writer.join()
        for one in sockets:
            await one.close()
        return [[place - first for place in places] for places in seen]

    with serving(made) as port:
        found = in_own_thread(look(port))
    assert found == [list(range(1, steps + 1))] * 30


def test_viewer_that_never_reads_disturbs_nobody(make_table: Maker) -> None:
    made = make_table(until_trick(12))
    with serving(made) as port:
        rude = socket.create_connection(("127.0.0.1", port))
        rude.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        rude.sendall(
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

        async def look() -> list[int]:
            async with connect(f"ws://127.0.0.1:{port}/api/live") as polite:
                for _ in range(3):
                    await polite.recv()
                first = made.table.seq
                writer = threading.Thread(target=lambda: [made.table.set_score(5 * i + 5, 3, {}, None, "local") for i in range(60)])
                writer.start()
                seen = await states(polite, first + 60)
                writer.join()
                return [place - first for place in seen]

        seen = in_own_thread(look())
        assert seen[-1] == 60
        assert seen == sorted(set(seen))
        rude.close()


LENGTH = b"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n"


@pytest.mark.parametrize("garbage", [b"\x00" * 200, b"GET / HTTP/9.9\r\n\r\n", LENGTH])
def test_garbage_on_the_port(make_table: Maker, garbage: bytes) -> None:
    made = make_table(until_trick(1))
    with serving(made) as port:
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(garbage)
            raw.settimeout(5)
            answer = raw.recv(100)
            assert b" 5" not in answer[:13]

        async def look() -> str:
            async with connect(f"ws://127.0.0.1:{port}/api/live") as polite:
                return str(json.loads(await polite.recv())["type"])

        assert in_own_thread(look()) == "hello"


@pytest.mark.parametrize("length", ["Content-Length: 100000000", "Transfer-Encoding: chunked"])
def test_a_body_of_a_hundred_megabytes_is_refused_unread_and_the_table_goes_on(make_table: Maker, length: str) -> None:
    made = make_table(until_trick(1))
    before = made.table.seq
    with serving(made) as port:
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.settimeout(30)
            raw.sendall(f"POST /api/score HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n{length}\r\n\r\n".encode())
            sent = 0
            with contextlib.suppress(ConnectionError):  # the table hangs up while it is still being talked to
                while sent < 100_000_000 and not select.select([raw], [], [], 0)[0]:
                    raw.sendall((b"10000\r\n" if "chunked" in length else b"") + b" " * 65536 + (b"\r\n" if "chunked" in length else b""))
                    sent += 65536
            assert sent < 20_000_000, "it must be refused long before it is there"
            with contextlib.suppress(ConnectionError):
                assert raw.recv(100).startswith(b"HTTP/1.1 413")

        async def look() -> str:
            async with connect(f"ws://127.0.0.1:{port}/api/live") as polite:
                return str(json.loads(await polite.recv())["type"])

        assert in_own_thread(look()) == "hello"
    assert made.table.seq == before


def test_long_messages_of_a_viewer_are_refused(make_table: Maker) -> None:
    made = make_table(until_trick(1))

    async def shout(port: int) -> int | None:
        async with connect(f"ws://127.0.0.1:{port}/api/live", max_size=None) as one:
            await one.send("x" * 1_000_000)
            try:
                while True:
                    await one.recv()
            except websockets.ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None

    with serving(made) as port:
        assert in_own_thread(shout(port)) in (1009, 1008, None)
        assert made.kiosk.hub.count() <= 1


def test_server_ends_though_viewers_look_on(make_table: Maker) -> None:
    made = make_table(until_trick(1))

    there = threading.Event()

    async def stay(port: int) -> None:
        async with connect(f"ws://127.0.0.1:{port}/api/live") as one:
            there.set()
            with contextlib.suppress(websockets.ConnectionClosed):
                async for _ in one:
                    pass

    with serving(made) as port:
        staying = threading.Thread(target=lambda: asyncio.run(stay(port)), daemon=True)
        staying.start()
        assert there.wait(30)
    staying.join(20)
    assert not staying.is_alive()


def test_full_queue_keeps_the_newest_of_each_topic() -> None:
    async def fill() -> tuple[int, list[str]]:
        viewer = Viewer()
        for i in range(QUEUE + 3):
            viewer.offer("state" if i else "status", str(i))
        left = [await viewer.next() for _ in range(4)]
        return viewer.resynchronised, left

    resynchronised, left = in_own_thread(fill())
    assert resynchronised == 1
    assert left == ["0", "16", "17", "18"]


def test_publishing_without_a_server_is_no_error() -> None:
    hub = Hub()
    hub.publish(encode({"type": "state"}))
    loop = asyncio.new_event_loop()
    hub.attach(loop)
    loop.close()
    hub.publish(encode({"type": "state"}))
    assert hub.count() == 0


def test_port_in_use_gives_the_next_free_one() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with bind("127.0.0.1", port) as other:
            assert other.getsockname()[1] > port


def test_no_free_port_is_said() -> None:
    with bind("127.0.0.1", 0) as taken, pytest.raises(KioskError, match="--port"):
        bind("127.0.0.1", taken.getsockname()[1], 1)


def test_address_that_is_not_ours_is_said() -> None:
    with pytest.raises(KioskError, match=r"203\.0\.113\.1"):
        bind("203.0.113.1", 8000, 1)


@pytest.mark.parametrize("size", [5, 125, 126, 65535, 65536])
def test_frame_that_is_made_once_is_what_a_client_reads(size: int) -> None:
    """Framed by hand for all viewers, read by the library's own parser."""
    text = "庄" * (size // 3) + "x" * (size % 3)
    parser = ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN)
    parser.receive_data(text_frame(text))
    (frame,) = parser.events_received()
    assert isinstance(frame, Frame)
    assert (frame.opcode, frame.fin, bytes(frame.data).decode()) == (Opcode.TEXT, True, text)


def test_message_never_overtakes_one_that_waits() -> None:
    """A connection that could not take one message gets the next behind it, though it is free again."""

    async def both() -> tuple[list[str], list[bytes]]:
        taken: list[bytes] = []
        free = [False, True]

        def write(frame: bytes) -> bool:
            if not free.pop(0):
                return False
            taken.append(frame)
            return True

        viewer = Viewer(write=write)
        sent: list[str] = []

        async def tell() -> None:
            while True:
                sent.append(await viewer.next())

        task = asyncio.create_task(tell())
        await asyncio.sleep(0)
        for text in ("first", "second"):
            viewer.give("state", text, text_frame(text))
        await asyncio.sleep(0.01)
        viewer.give("state", "third", text_frame("third"))
        task.cancel()
        return sent, taken

    assert in_own_thread(both()) == (["first", "second"], [text_frame("third")])
