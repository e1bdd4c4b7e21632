"""How fast a committed play reaches the pages, with many viewers on one table over the loopback.

The table and its server run in this process, the viewers in another, as they would be other machines; both read the same monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

AIM_MS: Final = 150.0
"""From the committed play to the page: 95 of 100 within so long, with 50 viewers."""
_SEQ: Final = re.compile(rb'"type":"state","seq":(\d+)')
_PING: Final = 0x9
_PONG: Final = 0x8A
_PATIENCE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Load:
    """What was measured: latencies (ms) over all viewers and plays, steps not seen, and what a play costs (ms).

    ``alone`` and ``watched`` are the camera's thread without and with the viewers: waiting (wall clock) and working (processor time);
    ``server_cpu_ms`` is what all threads of the table spend on a play, ``viewers_cpu_ms`` what the viewers' process does; ``load`` is the machine's
    load average meanwhile.
    """

    viewers: int
    plays: int
    p50_ms: float
    p95_ms: float
    worst_ms: float
    lost: int
    out_of_order: int
    message_bytes: int
    alone_ms: float
    watched_ms: float
    alone_cpu_ms: float
    watched_cpu_ms: float
    server_cpu_ms: float
    viewers_cpu_ms: float
    load: float

    def as_dict(self) -> dict[str, Any]:
        """For a JSON line."""
        return {name: getattr(self, name) for name in self.__slots__}


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _plays(count: int) -> tuple[list[Any], list[Any]]:
    """A simulated deal: what comes before its plays, and so many plays of its end (the longest messages)."""
    from engine.events import CardsPlayed
    from engine.referee import is_derived
    from engine.rulebook_toml import load
    from engine.simulate import play_deal

    done = play_deal(load("official-2deck-shengji"), 3, levels={"EW": "2", "NS": "2"}, declarer=None)
    facts = [event for event in done.events if not is_derived(event) and type(event).__name__ not in ("MatchStarted", "DealStarted", "BottomShown")]
    places = [i for i, event in enumerate(facts) if isinstance(event, CardsPlayed)]
    cut = places[-count] if count < len(places) else places[0]
    return facts[:cut], facts[cut:]


def measure(viewers: int, plays: int = 40, interval_s: float = 0.5) -> Load:
    """Play the end of a deal before so many viewers.

    :param interval_s: between two plays (s).
    """
    from engine.rulebook_toml import load
    from kiosk.access import Access, Mode
    from kiosk.host import Host, bind
    from kiosk.service import RunningTable
    from kiosk.store import Store
    from kiosk.web import Kiosk, create_app

    before, after = _plays(2 * plays)
    alone, watched = after[: len(after) // 2], after[len(after) // 2 :]
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "bench.db") as store:
        table = RunningTable(store, rulebooks=load)
        table.begin("official-2deck-shengji", {}, {"EW": "2", "NS": "2"})
        for fact in before:
            table.record(fact)
        kiosk = Kiosk(table, Access(store, Mode.HOME))
        sock = bind("127.0.0.1", 0)
        host = Host(create_app(kiosk), sock)
        ready = threading.Event()
        thread = threading.Thread(target=host.run, args=(ready.set,), daemon=True)
        thread.start()
        ready.wait(_PATIENCE_S)
        cost_alone = [_record(table, fact, interval_s / 4) for fact in alone]
        command = [sys.executable, "-m", "cli.bench_kiosk", str(sock.getsockname()[1]), str(viewers)]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()  # all viewers have their first state
        begun = table.seq
        sent, costs, spent = {}, [], time.process_time()
        for fact in watched:
            cost = _record(table, fact, interval_s)
            sent[table.seq] = cost.at
            costs.append(cost)
        spent = time.process_time() - spent
        size = len(kiosk.newest()[1])
        child.stdin.write(f"{table.seq}\n")
        child.stdin.close()
        told = json.loads(child.stdout.read())
        child.wait(_PATIENCE_S)
        host.stop()
        thread.join(_PATIENCE_S)
    return _summary(viewers, sent, begun, told["seen"], size, cost_alone, costs, spent, told["cpu_s"])


@dataclass(frozen=True, slots=True)
class _Cost:
    """When a fact was handed over (s), and how long the thread that did it waited and worked (ms)."""

    at: float
    wall_ms: float
    cpu_ms: float


def _record(table: Any, fact: Any, rest_s: float) -> _Cost:
    """Commit a fact as the camera's thread does."""
    at, spent = time.monotonic(), time.thread_time()
    table.record(fact)
    cost = _Cost(at, (time.monotonic() - at) * 1000, (time.thread_time() - spent) * 1000)
    time.sleep(rest_s)
    return cost


def _summary(
    viewers: int, sent: dict[int, float], begun: int, seen: list[list[tuple[int, float]]], size: int, alone: list[_Cost], watched: list[_Cost],
    server_s: float = 0.0, viewers_s: float = 0.0,
) -> Load:  # fmt: skip
    late: list[float] = []
    lost = viewers * len(sent)
    disorder = 0
    for places in seen:
        mine = [(place, at) for place, at in places if place > begun]
        disorder += sum(a[0] >= b[0] for a, b in pairwise(mine))
        found = dict(mine)
        lost -= sum(place in found for place in sent)
        late += [(found[place] - at) * 1000 for place, at in sent.items() if place in found]
    each = 1000 / max(len(sent), 1)
    return Load(
        viewers=viewers, plays=len(sent), p50_ms=round(_percentile(late, 0.5), 1), p95_ms=round(_percentile(late, 0.95), 1),
        worst_ms=round(max(late, default=0.0), 1), lost=lost, out_of_order=disorder, message_bytes=size,
        alone_ms=_median(cost.wall_ms for cost in alone), watched_ms=_median(cost.wall_ms for cost in watched),
        alone_cpu_ms=_median(cost.cpu_ms for cost in alone), watched_cpu_ms=_median(cost.cpu_ms for cost in watched),
        server_cpu_ms=round(server_s * each, 2), viewers_cpu_ms=round(viewers_s * each, 2), load=round(os.getloadavg()[0], 1),
    )  # fmt: skip


def _median(values: Iterable[float]) -> float:
    return round(statistics.median(values), 2)


# ---- the other process


class _Viewer(asyncio.Protocol):
    """One viewer, as cheap as it can be: it takes frames as they come and notes the places of the states in them."""

    def __init__(self, port: int, first: Callable[[], None]) -> None:
        self.seen: list[tuple[int, float]] = []
        self._port = port
        self._first = first
        self._rest = bytearray()
        self._open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the live updates."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET /api/live?topics=state HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take whole frames out of what has come."""
        at = time.monotonic()
        self._rest += data
        if not self._open:
            end = self._rest.find(b"\r\n\r\n")
            if end < 0:
                return
            self._open = True
            del self._rest[: end + 4]
        while (frame := _frame(self._rest)) is not None:
            kind, start, end = frame
            if kind == _PING and self._transport is not None:
                self._transport.write(bytes((_PONG, 0x80 | end - start)) + bytes(4) + self._rest[start:end])
            found = _SEQ.search(self._rest, start, min(end, start + 60))
            if found is not None:
                self.seen.append((int(found.group(1)), at))
                if len(self.seen) == 1:
                    self._first()
            del self._rest[:end]


def _frame(data: bytearray) -> tuple[int, int, int] | None:
    """The kind of the first frame and where its payload lies, or None while it is not whole (RFC 6455, 5.2; a server masks nothing)."""
    if len(data) < 2:
        return None
    size, start = data[1], 2
    if size >= 126:
        start = 4 if size == 126 else 10
        size = int.from_bytes(data[2:start], "big")
    return (data[0] & 0x0F, start, start + size) if len(data) >= max(start, start + size) else None


async def _look(port: int, count: int) -> None:
    """Connect so many viewers, say when all have a state, and note what they receive until the last place, which comes on standard input."""
    loop = asyncio.get_running_loop()
    there = 0
    all_there = asyncio.Event()

    def first() -> None:
        nonlocal there
        there += 1
        if there == count:
            all_there.set()

    last = loop.run_in_executor(None, sys.stdin.readline)
    viewers: list[_Viewer] = []
    for number in range(count):
        _, viewer = await loop.create_connection(lambda: _Viewer(port, first), "127.0.0.1", port)
        viewers.append(viewer)
        if number % 20 == 19:
            await asyncio.sleep(0.02)
    await asyncio.wait_for(all_there.wait(), _PATIENCE_S)
    print("there", flush=True)
    spent = time.process_time()
    place = int(await last or 0)
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end and any(viewer.seen[-1][0] < place for viewer in viewers):
        await asyncio.sleep(0.05)
    print(json.dumps({"cpu_s": time.process_time() - spent, "seen": [viewer.seen for viewer in viewers]}), flush=True)


def more_files(count: int) -> None:
    """Let this process have so many connections open, where the system allows it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


if __name__ == "__main__":
    more_files(int(sys.argv[2]) + 200)
    asyncio.run(_look(int(sys.argv[1]), int(sys.argv[2])))
