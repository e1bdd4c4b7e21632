"""The live connection of a page: what it missed, then every step with the whole state."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from kiosk.direct import writer_of
from kiosk.live import PRESENCE, PUBLIC, TOPICS, Panel, Viewer, encode
from kiosk.rights import author_of
from kiosk.web import Kiosk, entry

MOST_ENTRIES: Final = 500
SEND_S: Final = 10.0
"""A viewer that has taken nothing for so long is let go."""
_WORDS: Final = frozenset({"ping", "active"})

router = APIRouter(prefix="/api")


def _asked(socket: WebSocket) -> frozenset[str] | None:
    """The topics that are asked for; None when one of them is not known."""
    text = socket.query_params.get("topics")
    topics = PUBLIC if text is None else frozenset(text.split(","))
    if socket.query_params.get("panel"):
        topics |= {PRESENCE}
    return topics if topics <= TOPICS else None


def _panel(socket: WebSocket, author: str) -> Panel | None:
    page, name = socket.query_params.get("panel", ""), socket.query_params.get("id", "")
    if not page:
        return None
    return Panel(name[:32], page[:16], author, time.monotonic())


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Everything that happens, from ``?after=SEQ`` on: missed entries first, then each step with the whole state.

    ``topics`` names what is wanted (``state``, ``status``, ``clocks``; ``presence`` needs the right to change things, and a page that names itself
    with ``panel`` and ``id`` asks for it too). A viewer sends nothing but pings; whoever sends garbage or takes nothing for a while is let go.
    """
    kiosk: Kiosk = socket.app.state.kiosk
    text = socket.query_params.get("after", "0")
    after = int(text) if text.isdecimal() and len(text) < 16 else 0
    topics, author = _asked(socket), author_of(socket, kiosk)
    await socket.accept()
    if topics is None or (author is None and PRESENCE in topics and not socket.query_params.get("panel")):
        words = ("没有这个主题或没有权限", "there is no such topic, or you may not have it")
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await _send(socket, encode({"type": "refused", "zh": words[0], "en": words[1]}))
            await socket.close(1008)
        return
    panel = _panel(socket, author) if author is not None else None
    viewer = Viewer(topics, panel=panel, may=lambda: author_of(socket, kiosk) is not None, write=writer_of(socket.scope))
    kiosk.hub.join(viewer)
    tasks: list[asyncio.Task[None]] = []
    try:
        rows = await run_in_threadpool(kiosk.table.rows, after, MOST_ENTRIES)
        seq, newest = await run_in_threadpool(kiosk.newest)
        hello = {"type": "hello", "version": socket.app.state.version, "seq": seq, "reset": after > seq, "topics": sorted(topics)}
        await _send(socket, encode({**hello, "missed": [entry(row).model_dump() for row in rows] if after else []}))
        for topic, first in (("state", newest), ("status", encode(kiosk.status())), ("clocks", encode(kiosk.clocks().model_dump()))):
            if topic in topics:
                await _send(socket, first)
        tasks = [asyncio.create_task(_tell(socket, viewer)), asyncio.create_task(_hear(socket, viewer)), asyncio.create_task(_until(viewer))]
        for task in tasks:
            task.add_done_callback(_forget)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    except (WebSocketDisconnect, RuntimeError, TimeoutError, ConnectionError):
        pass
    finally:
        kiosk.hub.leave(viewer)
        for task in tasks:
            task.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1012 if viewer.dropped.is_set() else 1008)


def _forget(task: asyncio.Task[None]) -> None:
    """Take a task's error, which only says that the viewer is gone."""
    if not task.cancelled():
        task.exception()


async def _send(socket: WebSocket, text: str) -> None:
    async with asyncio.timeout(SEND_S):
        await socket.send_text(text)


async def _tell(socket: WebSocket, viewer: Viewer) -> None:
    """Send what comes until the viewer takes nothing any more."""
    while True:
        await _send(socket, await viewer.next())


async def _until(viewer: Viewer) -> None:
    await viewer.dropped.wait()


async def _hear(socket: WebSocket, viewer: Viewer) -> None:
    """Take the viewer's pings until it says anything else or goes."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect" or message.get("text") not in _WORDS:
            return
        if message["text"] == "active":
            viewer.active = time.monotonic()
