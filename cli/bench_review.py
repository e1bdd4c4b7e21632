"""The measurements of ``trickwatch bench review`` and ``bench notation``: many deals in one index, and texts that parse back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

from cli.simulated_match import simulated, write
from engine.prng import SplitMix64
from engine.rulebook_toml import load, playable
from kiosk.review.archive import deal_row
from kiosk.review.digest import MatchDigest, digest
from kiosk.review.library import Library, stamp_of
from kiosk.review.logs import read_log

DEALS_A_MATCH: Final = 20
AIM_MS: Final = 200.0
AIM_BYTES: Final = 300_000
_PLAYERS: Final = ("王芳", "李伟", "张敏", "刘洋", "陈静", "杨磊", "赵娜", "黄强", "周杰", "吴霞", "徐勇", "孙丽")


@dataclass(frozen=True, slots=True)
class Timed:
    """A measurement: how often, the median and the 95th percentile in ms, and the processor's part of the latter."""

    name: str
    count: int
    median_ms: float
    p95_ms: float
    cpu_p95_ms: float
    aim: float | None = AIM_MS

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"name": self.name, "count": self.count, "median_ms": round(self.median_ms, 2), "p95_ms": round(self.p95_ms, 2),
                "cpu_p95_ms": round(self.cpu_p95_ms, 2), "aim_ms": self.aim}  # fmt: skip


def timed(name: str, calls: list[Callable[[], object]]) -> Timed:
    """Call each once and time it."""
    took, cpu = [], []
    for call in calls:
        started, cpu_started = perf_counter(), process_time()
        call()
        took.append(1000 * (perf_counter() - started))
        cpu.append(1000 * (process_time() - cpu_started))
    took.sort()
    cpu.sort()
    at = min(len(took) - 1, int(0.95 * len(took)))
    return Timed(name, len(took), took[len(took) // 2], took[at], cpu[at])


def fill(library: Library, deals: int, distinct: int, rulebook: str, seed: int, bytes_a_deal: list[float]) -> None:
    """Put so many deals into the index: the logs of ``distinct`` simulated ones, again and again under other players and days."""
    rng = SplitMix64(seed)
    patterns: list[MatchDigest] = []
    while sum(len(p.deals) for p in patterns) < distinct:
        with tempfile.TemporaryDirectory() as folder:
            path = write(Path(folder) / "m.db", simulated(load(rulebook), min(DEALS_A_MATCH, distinct), seed + len(patterns)))
            log = read_log(path)
            made = digest(log)
            bytes_a_deal.append(sum(len(e.text.encode()) + len(e.at) + len(e.author) + len(e.hash) + 8 for e in log.entries) / len(made.deals))
            patterns.append(made)
    rows = [[deal_row(deal) for deal in p.deals] for p in patterns]
    began = datetime(2020, 1, 1, tzinfo=UTC)
    done = number = 0
    while done < deals:
        which = number % len(patterns)
        pattern = patterns[which]
        people = list(_PLAYERS)
        rng.shuffle(people)
        at = (began + timedelta(hours=5 * number)).isoformat(timespec="milliseconds")
        named = {seat: people[i] for i, seat in enumerate("ENWS")}
        tokens = {seat: f"#{number:07x}{i}" for i, seat in enumerate("ENWS")}
        copy = replace(pattern, match=f"{number:016x}", started=at, ended=at, names=named, tokens=tokens)
        file = library.folder / f"match-{number}.db"
        file.touch()  # the index looks at every file's size and time, as it does with real logs
        seen = file.stat()
        library.archive.add_rows(copy, file.name, stamp_of((seen.st_size, seen.st_mtime_ns)), rows[which])
        done += len(pattern.deals)
        number += 1


def measure(deals: int, distinct: int, rulebook: str, seed: int) -> Iterator[Timed | dict[str, Any]]:
    """Fill an index in a temporary folder and time what the page asks, over HTTP as the page does."""
    from argon2 import PasswordHasher
    from fastapi.testclient import TestClient

    from kiosk.access import Access, Mode
    from kiosk.service import RunningTable
    from kiosk.store import Store
    from kiosk.web import Kiosk, create_app

    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        sizes: list[float] = []
        started = perf_counter()
        with Store.open(folder / "table.db") as store:
            kiosk = Kiosk(RunningTable(store, rulebooks=load), Access(store, Mode.HOME, hasher=PasswordHasher(time_cost=1, memory_cost=64)))
            app = create_app(kiosk)
            library = Library.open(folder)
            library.refresh()
            fill(library, deals, distinct, rulebook, seed, sizes)
            library.close()
            index = (folder / "review.db").stat().st_size
            yield {
                "name": "log of a deal", "bytes": round(sum(sizes) / len(sizes)), "aim_bytes": AIM_BYTES, "index_bytes_a_deal": round(index / deals),
                "filled_s": round(perf_counter() - started, 1),
            }  # fmt: skip
            asking = TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000))
            app.state.library = opened = Library.open(folder)
            rng = SplitMix64(seed + 1)
            matches = max(1, deals // DEALS_A_MATCH)

            def ask(path: str) -> Callable[[], object]:
                def call() -> object:
                    answer = asking.get(path)
                    answer.raise_for_status()
                    return answer.content

                return call

            def one() -> str:
                return f"{rng.randrange(matches):016x}"

            ask("/api/review/matches")()
            yield timed("open /review (page and list)", [ask(path) for _ in range(30) for path in ("/review", "/api/review/matches")])
            yield timed("search by player", [ask(f"/api/review/matches?player={name}") for _ in range(5) for name in _PLAYERS])
            yield timed("search by player and day", [ask(f"/api/review/matches?player={n}&since=2021-01-01&until=2021-12-31") for n in _PLAYERS])
            yield timed("search that finds nothing", [ask("/api/review/matches?player=nobody") for _ in range(20)])
            yield timed("open a match", [ask(f"/api/review/matches/{one()}") for _ in range(60)])
            yield timed("open a deal", [ask(f"/api/review/matches/{one()}/deals/{rng.randrange(3)}") for _ in range(100)])
            yield timed("inbox of a match", [ask(f"/api/review/matches/{one()}/inbox") for _ in range(20)])
            for name in _PLAYERS[:8]:
                opened.archive.tell("INSERT OR REPLACE INTO consent VALUES (?, '2026-01-01')", (name,))
            yield timed("statistics of eight players", [ask("/api/review/statistics") for _ in range(5)])
            opened.close()


def review(deals: int, distinct: int, rulebook: str, seed: int, say: Callable[[str], None], *, as_json: bool) -> bool:
    """Measure and say; gives whether every aim was reached."""
    good = True
    for row in measure(deals, distinct, rulebook, seed):
        if isinstance(row, Timed):
            good = good and (row.aim is None or row.p95_ms <= row.aim)
            mark = "✓" if row.aim is None or row.p95_ms <= row.aim else "✗"
            times = f"median {row.median_ms:8.1f} ms   p95 {row.p95_ms:8.1f} ms (cpu {row.cpu_p95_ms:6.1f})"
            line = f"{row.name:34}{row.count:6}   {times}   ≤ {row.aim} ms {mark}"
            say(json.dumps(row.as_dict()) if as_json else line)
        else:
            good = good and row["bytes"] <= row["aim_bytes"]
            say(json.dumps(row) if as_json else "   ".join(f"{key} {value}" for key, value in row.items()))
    return good


def notation(deals: int, say: Callable[[str], None]) -> bool:
    """Check so many simulated deals over all presets; gives whether every text parsed back to the same state."""
    from cli.bench_notation import check

    presets = [load(name) for name in playable()]
    failures = 0
    for number in range(deals):
        problem = check(presets[number % len(presets)], 1 + number // len(presets))
        if problem:
            failures += 1
            say(problem)
    say(f"{deals} 局 deals   {len(presets)} 种规则 presets   {failures} 处不符 failures")
    return not failures
