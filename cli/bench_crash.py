"""``trickwatch bench crash``: a running deal is killed again and again, and nothing that was shown may be missing."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from engine.events import Event

RULEBOOK: Final = "official-2deck-shengji"
SIZE: Final = (320, 240)
_FAILED: Final = 3


@dataclass
class CrashReport:
    """What came of the kills: ``lost`` are shown entries that were missing, ``changed`` those that were others, ``wrong`` deals that came
    to another end than without kills."""

    kills: int = 0
    shown: int = 0
    lost: int = 0
    changed: int = 0
    wrong: int = 0
    deals: int = 0
    segments: int = 0
    unplayable: int = 0

    @property
    def sound(self) -> bool:
        """Whether nothing was lost."""
        return not (self.lost or self.changed or self.wrong or self.unplayable)


def facts_of_a_deal(seed: int) -> tuple[Event, ...]:
    """The facts of a simulated deal, as a camera would tell them."""
    from dataclasses import replace

    from engine import referee
    from engine.events import DealStarted, MatchStarted, Source
    from engine.rulebook_toml import load
    from engine.simulate import play_deal

    events = play_deal(load(RULEBOOK), seed).events
    facts = [event for event in events if not referee.is_derived(event) and not isinstance(event, (MatchStarted, DealStarted))]
    return tuple(replace(fact, source=Source.CAMERA) for fact in facts)


def table_until_killed(path: Path, facts: Sequence[Event], screen: int, video: bool, pace: float) -> None:
    """A table's process: take up the match, feed what is still to come, show every step on ``screen`` (a pipe); never returns by itself."""
    from engine.rulebook_toml import load
    from kiosk.service import RunningTable
    from kiosk.store import Store

    with Store.open(path) as store:
        table = RunningTable(store, rulebooks=load)
        table.listen(lambda update: _show(screen, [[row.seq, row.hash] for row in update.rows]))
        if not table.started:
            table.begin(RULEBOOK, {"E": "E"}, {"EW": "2", "NS": "2"})
        recorder, pictures = _recorder(path, table) if video else (None, iter(()))
        taken = sum(row.body.get("source") == "camera" for row in store.read())
        for fact in facts[taken:]:
            table.record(fact)
            next(pictures, None)
            time.sleep(pace)
        if recorder is not None:
            recorder.close()
        _show(screen, "end")
        signal.pause()


def _show(screen: int, what: object) -> None:
    os.write(screen, (json.dumps(what) + "\n").encode())


def _recorder(path: Path, table: Any) -> tuple[Any, Iterator[None]]:
    import numpy as np

    from kiosk.recording import folder_of
    from kiosk.recording.recorder import Recorder
    from vision.calibration import whole_picture
    from vision.camera import Frame

    shift = table.shift()
    recorder = Recorder(folder_of(path), lambda: whole_picture(SIZE), shift=shift)
    recorder.start()
    table.listen(recorder.on_update)

    def pictures() -> Iterator[None]:
        noise = np.random.default_rng(1)
        for index in range(1_000_000):
            image = noise.integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8)
            recorder.frame(Frame(image, image, index / 2, index))
            yield

    return recorder, pictures()


def crash(folder: Path, kills: int, seed: int = 1, *, video: bool = False, pace: float = 0.001) -> CrashReport:
    """Kill a table at random moments, open its log, and let it go on; a deal that ends is followed by the next in a new log."""
    from engine import referee
    from engine.rulebook_toml import load
    from kiosk.recording.truth import read_log

    chance = random.Random(seed)
    report = CrashReport()
    rules = load(RULEBOOK)
    deal = 0
    shown: dict[int, str] = {}
    facts: tuple[Event, ...] = ()
    points: int | None = None
    path = folder / "none"
    while report.kills < kills:
        if not facts:
            deal += 1
            report.shown += len(shown)
            path, shown, facts = folder / f"{deal}.db", {}, facts_of_a_deal(seed * 1000 + deal)
            points = _points(facts, rules)
        ended = _one_life(path, facts, shown, chance, video=video, pace=pace)
        report.kills += 1
        _check(path, shown, report)
        if ended:
            state = referee.fold([event for _, event in read_log(path)])
            reckoning = referee.reckon(state, state.deals[-1])
            report.wrong += reckoning is None or reckoning.points != points
            report.deals += 1
            facts = ()
    report.shown += len(shown)
    if video:
        _check_video(folder, report)
    return report


def _points(facts: Sequence[Event], rules: Any) -> int | None:
    """The points of the deal without any kill."""
    from engine import referee
    from engine.events import DealStarted, MatchStarted

    state = referee.start(rules)
    for fact in (MatchStarted(rulebook=RULEBOOK), DealStarted(deal=1, levels={"EW": "2", "NS": "2"}), *facts):
        state, _ = referee.step(state, fact)
    reckoning = referee.reckon(state, state.deals[-1])
    return None if reckoning is None else reckoning.points


def _one_life(path: Path, facts: Sequence[Event], shown: dict[int, str], chance: random.Random, *, video: bool, pace: float) -> bool:
    """Run the table in a process of its own and kill it; what its screen showed is added. Says whether the deal had ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = _FAILED
        try:
            os.close(reader)
            table_until_killed(path, facts, writer, video, pace)
        except BaseException as error:  # noqa: BLE001  said to the parent, which fails the run
            with contextlib.suppress(OSError):
                _show(writer, f"failed: {error!r}")
        finally:
            os._exit(code)
    os.close(writer)
    text = b""
    wanted = chance.randrange(25, 50) if video else chance.randrange(1, 12)  # steps shown before the kill, and then some time
    delay = chance.random() * 0.004
    ended = False
    try:
        while text.count(b"\n") < wanted:
            ready, _, _ = select.select([reader], [], [], 60)
            piece = os.read(reader, 65536) if ready else b""
            text += piece
            ended = b'"end"' in text
            if not piece or ended:
                break
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while piece := os.read(reader, 65536):
            text += piece
    finally:
        os.close(reader)
    for line in text.decode().splitlines():
        what = json.loads(line) if line.endswith(("]", '"')) else None
        if isinstance(what, str) and what.startswith("failed"):
            raise RuntimeError(what)
        if isinstance(what, list):
            shown.update(what)
        ended = ended or what == "end"
    return ended


def _check(path: Path, shown: dict[int, str], report: CrashReport) -> None:
    """Everything that was shown is in the log, as it was shown."""
    from kiosk.store import Store

    with Store.open(path) as store:
        there = {row.seq: row.hash for row in store.read()}
    report.lost += sum(seq not in there for seq in shown)
    report.changed += sum(seq in there and there[seq] != digest for seq, digest in shown.items())


def _check_video(folder: Path, report: CrashReport) -> None:
    """Every segment that is left can be played, also the one that was being written."""
    from kiosk.recording.index import Index
    from kiosk.recording.probe import span
    from kiosk.recording.recorder import recover

    for video in sorted(folder.glob("*.video")):
        index = Index.open(video)
        recover(video, index)
        segments = [medium for medium in index.media() if medium.kind == "segment"]
        index.close()
        report.segments += len(segments)
        report.unplayable += sum(span(video / medium.name) is None for medium in segments)


def crash_verb(
    kills: Annotated[int, typer.Option(min=1, help="How often the process is killed.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the moments and the deals.")] = 1,
    video: Annotated[bool, typer.Option("--video", help="Record video meanwhile.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line.")] = False,
) -> None:
    """Kill a running table (kill -9) at random moments; every entry that its screen had shown must be in the log. Exit status 1 when not."""
    import tempfile

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="trickwatch-crash-") as folder:
        report = crash(Path(folder), kills, seed, video=video)
    values = {**report.__dict__, "seconds": round(time.monotonic() - began, 1)}
    typer.echo(json.dumps(values) if as_json else "  ".join(f"{key} {value}" for key, value in values.items()))
    sys.stdout.flush()
    if not report.sound:
        raise typer.Exit(1)
