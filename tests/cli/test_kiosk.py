"""``trickwatch run`` and ``demo``: a table that starts, says where, resumes, and ends cleanly."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli import kiosk, serving
from kiosk.store import Store

ROOT = Path(__file__).parents[2]
RULEBOOK = "official-2deck-shengji"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording") / "truth.jsonl"
    path.write_text((ROOT / "tests" / "kiosk" / "deal.jsonl").read_text())
    return path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "import typer\nfrom cli import kiosk\napp = typer.Typer()\nkiosk.register(app)\napp()", *arguments]


def env_of(folder: Path) -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**env, "XDG_DATA_HOME": str(folder), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), cwd=ROOT, env=env_of(folder), capture_output=True, text=True, timeout=300, check=False)


class Running:
    """A started table and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said = ""

    def until(self, pattern: str) -> re.Match[str]:
        """Wait until the table says something."""
        assert self.process.stdout is not None
        end = time.monotonic() + 240
        while time.monotonic() < end:
            found = re.search(pattern, self.said)
            if found:
                return found
            if select.select([self.process.stdout], [], [], 1)[0]:
                line = self.process.stdout.readline()
                assert line, self.said
                self.said += line
        raise AssertionError(f"never said {pattern}: {self.said}")

    def end(self, number: int) -> int:
        """Send a signal; gives the exit status."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=120)
        self.said += rest
        return self.process.returncode


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Running]:
    process = subprocess.Popen(command(*arguments), cwd=ROOT, env=env_of(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield Running(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_recorded_match_runs_to_its_end_and_its_log_is_whole(tmp_path: Path, recording: Path) -> None:
    log = ("--db", str(tmp_path / "a.db"))
    done = run(tmp_path, "run", "--replay", str(recording), "--speed", "1000", *log, "--no-sound", "--port", "0", "--exit-at-end")
    assert done.returncode == 0, done.stderr
    truth = [json.loads(line) for line in recording.read_text().splitlines()]
    points = next(event["points"] for event in truth if event["event"] == "DealEnded")
    assert f"闲家 {points} 分" in done.stdout
    with Store.open(tmp_path / "a.db") as store:
        logged = [row.body["event"] for row in store.read()]
    assert logged.count("CardsPlayed") == sum(event["event"] == "CardsPlayed" for event in truth)
    assert logged.count("DealEnded") == 1


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_the_table_without_a_traceback(tmp_path: Path, recording: Path, number: int, status: int) -> None:
    with started(tmp_path, "run", "--replay", str(recording), "--no-sound", "--port", "0") as table:
        address = table.until(r"(http://localhost:\d+)/table").group(1)
        with urllib.request.urlopen(f"{address}/api/state", timeout=60) as answer:
            assert json.load(answer)["state"]["deal"] == 1
        assert table.end(number) == status
        assert "Traceback" not in table.said
        assert "记录在" in table.said


def test_match_is_resumed_and_said_so(tmp_path: Path, recording: Path) -> None:
    log = ("--db", str(tmp_path / "a.db"))
    assert run(tmp_path, "run", "--replay", str(recording), "--speed", "1000", *log, "--no-sound", "--port", "0", "--exit-at-end").returncode == 0
    with Store.open(tmp_path / "a.db") as store:
        before = store.seq
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    again = run(tmp_path, "run", "--replay", str(empty), *log, "--no-sound", "--port", "0", "--exit-at-end")
    assert again.returncode == 0, again.stderr
    assert re.search(r"已恢复到第 1 局第 \d+ 墩", again.stdout)
    with Store.open(tmp_path / "a.db") as store:
        assert store.seq == before
    other = run(tmp_path, "run", "--replay", str(empty), *log, "--rulebook", "basic-80-10KA", "--no-sound", "--port", "0")
    assert other.returncode == 1
    assert "--new" in other.stderr


def test_new_match_keeps_the_old_log_aside(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with Store.open(path) as store:
        store.append([{"v": 1, "event": "MatchStarted", "t": 0, "source": "referee", "rulebook": RULEBOOK, "names": {}}], "local")
    serving.put_aside(path)
    kept = list(tmp_path.glob("table-*.db"))
    assert len(kept) == 1
    assert not path.exists()
    with Store.open(kept[0]) as store:
        assert store.seq == 1


def test_port_in_use_is_said_and_the_next_taken(tmp_path: Path, recording: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(tmp_path, "run", "--replay", str(recording), "--speed", "1000", "--no-sound", "--port", str(port), "--exit-at-end")
    assert done.returncode == 0, done.stderr
    assert f"端口 {port} 已被占用" in done.stdout
    assert f"port {port} is in use" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("run",), 2, "--camera"),
        (("run", "--camera", "0", "--replay", "x"), 2, "--camera"),
        (("run", "--replay", "{nowhere}"), 1, "cannot be read"),
        (("run", "--replay", "{garbage}"), 1, "line 1 is no event"),
        (("run", "--replay", "{recording}", "--rulebook", "no-such-sheet"), 1, "no-such-sheet"),
        (("run", "--replay", "{recording}", "--db", "{garbage}/a.db"), 4, "cannot be written"),
        (("run", "--replay", "{recording}", "--db", "{garbage}"), 4, "no table log"),
        (("run", "--replay", "{recording}", "--lang", "fr"), 2, "one of zh, en"),
        (("run", "--replay", "{recording}", "--mode", "war"), 2, "competition"),
        (("run", "--camera", "{nowhere}", "--level", "EW"), 2, "expected EW|NS"),
        (("run", "--replay", "{recording}", "--port", "70000"), 2, "65535"),
        (("run", "--replay", "{recording}", "--habit", "juggle"), 2, "sweep"),
        (("run", "--replay", "{recording}", "--pin", "12"), 2, "4 to 64"),
    ],
)
def test_bad_input_is_one_clear_sentence(tmp_path: Path, recording: Path, arguments: tuple[str, ...], status: int, words: str) -> None:
    garbage = tmp_path / "garbage.jsonl"
    garbage.write_text("this is no log\n" * 100)
    names = {"nowhere": tmp_path / "nowhere.jsonl", "garbage": garbage, "recording": recording}
    done = run(tmp_path, *(argument.format(**names) for argument in arguments), *(("--no-sound",) if len(arguments) > 1 else ()))
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert words in re.sub(r"\s+│\s*│?\s*|\s+", " ", done.stderr)
    assert garbage.read_text() == "this is no log\n" * 100


def test_camera_that_is_not_there(tmp_path: Path) -> None:
    done = run(tmp_path, "run", "--camera", str(tmp_path / "nothing.mp4"), "--no-sound", "--port", "0")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "nothing.mp4" in done.stderr


def test_port_that_must_be_had_and_is_in_use(tmp_path: Path, recording: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(tmp_path, "run", "--replay", str(recording), "--no-sound", "--port", port, "--exact-port")
    assert done.returncode == 3
    assert port in done.stderr


def test_a_log_that_another_table_runs_with_is_refused_at_the_start(tmp_path: Path, recording: Path) -> None:
    arguments = ("run", "--replay", str(recording), "--db", str(tmp_path / "table.db"), "--no-sound", "--port", "0")
    with started(tmp_path, *arguments) as first:
        first.until(r"http://localhost:\d+/table")
        second = run(tmp_path, *arguments)
        assert second.returncode == 4
        assert f"(process {first.process.pid})" in second.stderr
        assert "Traceback" not in second.stderr
        assert first.end(signal.SIGINT) == 130
    assert run(tmp_path, *arguments, "--speed", "1000", "--exit-at-end").returncode == 0, "the log is free again"


def test_calibration_that_is_not_there(tmp_path: Path) -> None:
    film = str(ROOT / "datasets" / "demo")
    done = run(tmp_path, "run", "--camera", film, "--calibration", str(tmp_path / "gone.json"), "--no-sound", "--port", "0")
    assert done.returncode == 2
    assert "gone.json" in done.stderr


def test_rulebook_and_habit_are_those_that_the_calibration_keeps_unless_others_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from vision.calibration import save, whole_picture

    table = tmp_path / "table.json"
    save(replace(whole_picture((1920, 1080)), match={"rulebook": "swiss-3deck"}, habit="turn"), table)
    opened: list[tuple[str, str]] = []
    monkeypatch.setattr(kiosk, "_camera", lambda spec, where, habit, *_, **__: habit)
    monkeypatch.setattr(kiosk, "serve", lambda _, opening, habit, *__, **___: opened.append((opening.rulebook, habit)) or 0)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = typer.Typer()
    kiosk.register(app)
    for more in ([], ["--rulebook", RULEBOOK, "--habit", "sweep"], ["--habit", "auto"]):
        done = CliRunner().invoke(app, ["run", "--camera", "0", "--calibration", str(table), *more])
        assert done.exit_code == 0, done.output
    assert opened == [("swiss-3deck", "turn"), (RULEBOOK, "sweep"), ("swiss-3deck", "auto")]
    table.write_text("{}")
    done = CliRunner().invoke(app, ["run", "--camera", "0", "--calibration", str(table)])
    assert done.exit_code == serving.BAD_SOURCE
    assert "trickwatch calibrate" in done.output


def test_demo_says_when_its_film_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kiosk, "DEMO", tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = typer.Typer()
    kiosk.register(app)
    result = CliRunner().invoke(app, ["demo", "--no-sound", "--port", "0"])
    assert result.exit_code == 1
    assert "install again" in result.output


def test_demo_decodes_its_film_and_reads_it_with_the_model(tmp_path: Path) -> None:
    with started(tmp_path, "demo", "--no-sound", "--port", "0") as table:
        address = table.until(r"(http://localhost:\d+)/table").group(1)
        table.until(r"识别模型载入")
        end = time.monotonic() + 240
        while time.monotonic() < end:
            with urllib.request.urlopen(f"{address}/api/status", timeout=60) as answer:
                camera = json.load(answer)["camera"]
            if camera and camera["t"] > 2:
                break
            time.sleep(0.5)
        assert camera["t"] > 2
        with urllib.request.urlopen(f"{address}/api/picture.jpg", timeout=60) as answer:
            assert answer.read(3) == b"\xff\xd8\xff"
        assert table.end(signal.SIGINT) == 130
        assert "Traceback" not in table.said
