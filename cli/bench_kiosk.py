"""How fast a committed play reaches the pages, with many viewers on one table over the loopback.

The table and its server run in this process, the viewers in another, as they would be other machines; both read the same monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

AIM_MS: Final = 150.0
"""From the committed play to the page: 95 of 100 within so long, with 50 viewers."""
_SEQ: Final = re.compile(r'"type":"state","seq":(\d+)')
_PATIENCE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Load:
    """What was measured: latencies (ms) over all viewers and plays, steps not seen, and what a play costs the camera's thread (ms)."""

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
        cost_alone = [_record(table, fact, interval_s / 4)[1] for fact in alone]
        command = [sys.executable, "-m", "cli.bench_kiosk", str(sock.getsockname()[1]), str(viewers)]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()  # all viewers have their first state
        begun = table.seq
        sent, costs = {}, []
        for fact in watched:
            at, cost = _record(table, fact, interval_s)
            sent[table.seq] = at
            costs.append(cost)
        size = len(kiosk.newest()[1])
        child.stdin.write(f"{table.seq}\n")
        child.stdin.close()
        seen: list[list[tuple[int, float]]] = json.loads(child.stdout.read())
        child.wait(_PATIENCE_S)
        host.stop()
        thread.join(_PATIENCE_S)
    return _summary(viewers, sent, begun, seen, size, cost_alone, costs)


def _record(table: Any, fact: Any, rest_s: float) -> tuple[float, float]:
    """Commit a fact as the camera's thread does; gives when it was handed over and how long that took (ms)."""
    at = time.monotonic()
    table.record(fact)
    cost = (time.monotonic() - at) * 1000
    time.sleep(rest_s)
    return at, cost


def _summary(
    viewers: int, sent: dict[int, float], begun: int, seen: list[list[tuple[int, float]]], size: int, alone: list[float], watched: list[float]
) -> Load:
    late: list[float] = []
    lost = viewers * len(sent)
    disorder = 0
    for places in seen:
        mine = [(place, at) for place, at in places if place > begun]
        disorder += sum(a[0] >= b[0] for a, b in pairwise(mine))
        found = dict(mine)
        lost -= sum(place in found for place in sent)
        late += [(found[place] - at) * 1000 for place, at in sent.items() if place in found]
    return Load(
        viewers, len(sent), round(_percentile(late, 0.5), 1), round(_percentile(late, 0.95), 1), round(max(late, default=0.0), 1), lost, disorder,
        size, round(statistics.median(alone), 2), round(statistics.median(watched), 2),
    )  # fmt: skip


# ---- the other process


async def _look(port: int, count: int) -> None:
    """Connect so many viewers, say when all have a state, and note what they receive until the last place, which comes on standard input."""
    from websockets.asyncio.client import connect

    seen: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    there = 0
    all_there = asyncio.Event()
    gate = asyncio.Semaphore(20)
    last = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)

    async def one(number: int) -> None:
        nonlocal there
        async with gate:
            socket = await connect(f"ws://127.0.0.1:{port}/api/live?topics=state", compression=None, open_timeout=_PATIENCE_S, max_size=None)
        async with socket:
            async for message in socket:
                at = time.monotonic()
                found = _SEQ.search(str(message)[:60])
                if found is None:
                    continue
                if not seen[number]:
                    there += 1
                    if there == count:
                        all_there.set()
                seen[number].append((int(found.group(1)), at))

    tasks = [asyncio.create_task(one(number)) for number in range(count)]
    await all_there.wait()
    print("there", flush=True)
    place = int(await last or 0)
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end and any(places[-1][0] < place for places in seen):
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(seen), flush=True)


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
