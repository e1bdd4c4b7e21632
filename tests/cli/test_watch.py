from __future__ import annotations

import subprocess
import sys
import wave
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cli import markers, watch
from cli.texts import describe
from engine.cards import Card, Seat
from engine.events import CardsPlayed, Ruled
from tests.vision.toy import ToyReader

FULL = Path("/dev/full")
_WATCH = """
import sys, typer
from cli import watch
from tests.vision.toy import ToyReader
watch._recogniser = lambda *_: ToyReader()
app = typer.Typer()
watch.register(app)
app(sys.argv[1:])
"""


def _film(path: Path, frames: int, fps: float = 10) -> Path:
    """An empty table in a light that flickers a little."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (640, 480))
    assert writer.isOpened()
    rng = np.random.default_rng(1)
    for _ in range(frames):
        writer.write(np.clip(rng.normal(110, 12, (480, 640, 3)), 0, 255).astype(np.uint8))
    writer.release()
    return path


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    watch.register(made)
    markers.register(made)
    return made


@pytest.mark.parametrize(
    ("make", "says"),
    [
        ("missing", "no such file"),
        ("text", "cannot read"),
        ("empty folder", "neither pictures nor"),
        ("no bytes", "0 bytes"),
        ("sound only", "only sound"),
        ("cut short", "broken off"),
    ],
)
def test_source_that_cannot_be_watched_is_a_sentence_and_exit_2(app: typer.Typer, tmp_path: Path, make: str, says: str) -> None:
    path = tmp_path / "x.mp4"
    if make == "text":
        path.write_text("no film")
    if make == "empty folder":
        path.mkdir()
    if make == "no bytes":
        path.touch()
    if make == "sound only":
        with wave.open(str(path), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(8000)
            sound.writeframes(bytes(16000))
    if make == "cut short":
        whole = _film(tmp_path / "whole.mp4", 30)
        path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    result = CliRunner().invoke(app, ["watch", str(path)])
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output
    assert "/" in result.output  # Chinese and English


def test_a_film_without_a_play_says_so_and_does_not_end_well(app: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_recogniser", lambda *_: ToyReader())
    result = CliRunner().invoke(app, ["watch", str(_film(tmp_path / "a.mp4", 30)), "--json"])
    assert result.exit_code == watch.ENDED_EARLY
    assert "no play, declaration or burying was seen" in result.output
    assert "no table.json and no markers" in result.output
    assert '"event": "MatchStarted"' in result.output


def test_three_pictures_a_second_are_too_few_and_said(app: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_recogniser", lambda *_: ToyReader())
    slow = CliRunner().invoke(app, ["watch", str(_film(tmp_path / "slow.mp4", 20, fps=3))])
    assert "only 3 pictures a second" in slow.output
    quick = CliRunner().invoke(app, ["watch", str(_film(tmp_path / "quick.mp4", 20, fps=15))])
    assert "pictures a second" not in quick.output


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_events_that_cannot_be_written_are_a_sentence_not_a_traceback(tmp_path: Path) -> None:
    film = _film(tmp_path / "a.mp4", 5)
    with FULL.open("w") as full:
        command = [sys.executable, "-c", _WATCH, str(film), "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "free disk space" in done.stderr
    assert "磁盘" in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_rulebook_and_habit_are_sentences_and_exit_2(app: typer.Typer, tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_text("no film")
    for arguments, says in ((["--rulebook", "nonesuch"], "nonesuch"), (["--habit", "juggle"], "stack")):
        result = CliRunner().invoke(app, ["watch", str(tmp_path / "x.mp4"), *arguments])
        assert result.exit_code == 2
        assert says in result.output


def test_markers_are_found_again_in_the_printed_sheet(app: typer.Typer, tmp_path: Path) -> None:
    import cv2
    import numpy as np

    from vision.calibration import find_markers

    out = tmp_path / "sheet.png"
    assert CliRunner().invoke(app, ["markers", "--out", str(out)]).exit_code == 0
    page = cv2.imread(str(out), cv2.IMREAD_GRAYSCALE)
    seen = find_markers(cv2.resize(page, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA))
    assert sorted(seen) == [0, 1, 2, 3]
    side = np.linalg.norm(seen[0][1] - seen[0][0])
    assert side / page.shape[1] / 0.4 * 210 == pytest.approx(50, abs=0.6)


@pytest.mark.parametrize("arguments", [["--out", "x.doc"], ["--spacing", "wide"], ["--spacing", "10x10"]])
def test_markers_with_a_wrong_wish_say_what_is_expected(app: typer.Typer, arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["markers", *arguments])
    assert result.exit_code == 2
    assert "expected" in result.output


def test_readable_line_names_seat_trick_and_cards_in_both_languages() -> None:
    line = describe(CardsPlayed(t=12.4, seat=Seat.E, trick=3, cards=(Card("SA"), Card("??"))))
    assert "第 3 墩 trick 3" in line
    assert "东 E" in line
    assert line.endswith("SA ??")
    assert "疑似违规" in describe(Ruled(ruling="1.3.W.suit", kind="suit", seat=Seat.W, trick=3, proved_by=7))
