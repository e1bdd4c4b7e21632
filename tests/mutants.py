"""Mutation testing of the rules: ``python -m tests.mutants follow audit`` tells which changes of these engine files no test notices.

``mutmut`` writes the mutants; they are judged here, each in a fork of one process that has collected the tests once. A mutant meets only the tests
that come to the function it changes, the ones that found its neighbours first, then the fastest; the first that fails ends it. A test that takes
ten times as long as it should, and two seconds, has failed too.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation import trampoline
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.format_utils import mangled_name_from_mutant_name

ROOT: Final = Path(__file__).parents[1]
TESTS: Final = (
    *("follow", "withheld", "refused_words", "ladders", "runs_owed", "beat", "beat_throws", "throw", "score", "dig"),
    *("audit", "audit_at_once", "judge", "cases", "shapes", "duties"),
)
FEWER: Final = "not (test_every_offence or test_a_legal_deal) or official or staff"
"""Whole simulated deals are audited for these rulebooks only."""


def in_child(work: Callable[[], Any]) -> Any:
    """What work gives in a fork of this process; None when the fork dies."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "wb") as out:
            pickle.dump(work(), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as told:
        data = told.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


def passes(item: pytest.Item) -> bool:
    """Run one test."""
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def measured(items: list[pytest.Item]) -> list[tuple[float, bool, frozenset[str]]]:
    """For every test, on the engine as it is: processor seconds, whether it passes, and the functions with mutants that it comes to."""
    hit: set[str] = set()
    trampoline.record_trampoline_hit = lambda name, caller=None: hit.add(name)
    trampoline.get_mutant_under_test = lambda: "stats"
    out = []
    for item in items:
        hit.clear()
        start = time.process_time()
        good = passes(item)
        out.append((time.process_time() - start, good, frozenset(hit)))
    return out


def verdict(mutant: str, tests: list[tuple[int, pytest.Item, float]]) -> tuple[str, int]:
    """What becomes of a mutant: ``found``, ``time`` or ``survives``, and the test that decided."""
    trampoline.get_mutant_under_test = lambda: mutant
    resource.setrlimit(resource.RLIMIT_DATA, (3 << 30, 3 << 30))

    def late(*_: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGPROF, late)
    for number, item, seconds in tests:
        signal.setitimer(signal.ITIMER_PROF, 2 + 10 * seconds)
        try:
            if not passes(item):
                return "found", number
        except (SystemExit, MemoryError):
            return "time", number
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return "survives", -1


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Judge the mutants named in the environment instead of running the tests."""
    wanted: list[str] = json.loads(os.environ["MUTANTS"])
    out, slowest = Path(os.environ["MUTANTS_OUT"]), float(os.environ["MUTANTS_SLOWEST"])
    items = session.items
    base = in_child(lambda: measured(items))
    bad = [item.nodeid for item, (_, good, _) in zip(items, base, strict=True) if not good]
    if bad:
        raise pytest.UsageError(f"these tests fail without any mutant: {bad}")
    slow = sum(seconds > slowest for seconds, _, _ in base)
    print(f"\n{len(items)} tests, {sum(b[0] for b in base):.0f} s; {slow} of them left out", flush=True)
    kills: Counter[tuple[str, int]] = Counter()
    found: dict[str, str] = {}
    for mutant in wanted:
        function = mangled_name_from_mutant_name(mutant)
        mine = [(n, item, base[n][0]) for n, item in enumerate(items) if function in base[n][2] and base[n][0] <= slowest]
        mine.sort(key=lambda test: (-kills[function, test[0]] if kills[function, test[0]] > 1 else 0, test[2]))
        what, number = in_child(lambda mutant=mutant, mine=mine: verdict(mutant, mine)) or ("time", -1)
        found[mutant] = f"{what} {items[number].nodeid}" if number >= 0 else what
        if number >= 0:
            kills[function, number] += 1
        out.write_text(json.dumps(found, ensure_ascii=False, indent=0), encoding="utf-8")
    return True


def changes(code: str, spans: Any, name: str) -> list[str]:
    """The lines that a mutant changes."""
    lines = code.splitlines()

    def body(of: str) -> list[str]:
        return [line.strip() for line in lines[spans[of].start : spans[of].end]]

    found = difflib.unified_diff(body(f"{name.rpartition('__mutmut_')[0]}__mutmut_orig"), body(name), n=0)
    return [line for line in found if line[0] in "+-" and line[:3] not in ("+++", "---") and "__mutmut_" not in line]


def main() -> None:
    """Make the mutants in a copy, judge them, and print the ones that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+", help="files of engine/, without .py")
    parser.add_argument("--only", default="", help="only mutants whose name holds this")
    parser.add_argument("--again", type=Path, help="only the mutants that this file, written by --out, does not say are found")
    parser.add_argument("--slowest", type=float, default=1.0, help="leave out tests that take more processor seconds than this")
    parser.add_argument("--out", type=Path, help="keep what became of each mutant here (JSON)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for part in ("engine", "tests", "cli"):
            shutil.copytree(ROOT / part, work / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", work)
        made = {m: mutate_file_contents(f"engine/{m}.py", (ROOT / "engine" / f"{m}.py").read_text(encoding="utf-8")) for m in asked.modules}
        names = [f"engine.{m}.{name}" for m, file in made.items() for name in file.mutant_names if asked.only in name]
        before: dict[str, str] = {}
        if asked.again:
            before = json.loads(asked.again.read_text(encoding="utf-8"))
            names = [name for name in names if before.get(name, "survives") == "survives"]
        for module, file in made.items():
            (work / "engine" / f"{module}.py").write_text(file.code, encoding="utf-8")
        out = asked.out.absolute() if asked.out else work / "found.json"
        tests = [path for name in TESTS if (path := work / "tests" / "engine" / f"test_{name}.py").exists()]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants", "-p", "no:cacheprovider", "--hypothesis-seed=7"]
        command += ["--assert=plain", "--tb=no", "-k", FEWER]
        told = {**os.environ, "MUTANTS": json.dumps(names), "MUTANTS_OUT": str(out), "PYTHONPATH": str(work)}
        told |= {"MUTANTS_SLOWEST": str(asked.slowest), "TRICKWATCH_EXAMPLES": "10", "TRICKWATCH_PROPERTIES": "unshrunk"}
        subprocess.run([*command, *map(str, tests), "tests/engine/clauses"], cwd=work, env=told, check=True)
        found: dict[str, str] = before | json.loads(out.read_text(encoding="utf-8"))
        out.write_text(json.dumps(found, ensure_ascii=False, indent=0), encoding="utf-8")
    for module, file in made.items():
        mine = {name: what for name, what in found.items() if name.startswith(f"engine.{module}.")}
        left = [name for name, what in mine.items() if what == "survives"]
        print(f"{module}: {len(mine)} mutants, {len(mine) - len(left)} found, {len(left)} survive")
        for name in left:
            short = name.rpartition(".")[2]
            print(f"  {short}", *changes(file.code, file.line_span_by_function_name, short), sep="\n    ")


if __name__ == "__main__":
    main()
