"""`replay` and `harvest` on a recorded match; what today's program tells is put in the place of a recogniser."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from cli import harvest, replay
from engine.events import CardsPlayed, DealStarted, Event, MatchStarted, to_json
from kiosk.recording.folder import folder_of
from kiosk.recording.index import Index, Session
from kiosk.recording.segments import Segment, finish
from kiosk.store import Store
from tests.kiosk import films, tables
from vision import calibration as tables_of

CLI = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    replay.register(made)
    harvest.register(made)
    return made


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of two tricks with 3 s of video."""
    path = tmp_path / "table.db"
    folder = folder_of(path)
    index = Index.open(folder)
    index.begin(Session(0.0, "test", tables_of.to_json(films.calibration())))
    segment = Segment(folder, 0.0, films.SIZE)
    for frame in films.frames(0.0, 3.0):
        segment.add(frame.image, frame.t)
    assert finish(segment.end()) is not None
    index.reconcile()
    index.close()
    start = DealStarted(deal=1, levels={"EW": "2", "NS": "2"})
    with Store.open(path) as store:
        store.append([to_json(e) for e in (MatchStarted(rulebook=tables.RULEBOOK, names={"E": "王"}), start, *tables.until_trick(2))], "camera")
    return path


def today(monkeypatch: pytest.MonkeyPatch, told: tuple[Event, ...]) -> None:
    monkeypatch.setattr("vision.recogniser.Recogniser.load", lambda *_: None)
    monkeypatch.setattr("models.evaluate_films.evaluate_film", lambda *_: SimpleNamespace(events=told))


def test_recording_that_reads_the_same_today_is_exit_0(app: typer.Typer, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    today(monkeypatch, tables.until_trick(2))
    answer = CLI.invoke(app, ["replay", str(log), "--json"])
    assert answer.exit_code == 0, answer.output
    (line,) = [json.loads(text) for text in answer.stdout.splitlines()]
    assert (line["line"], line["plays"], line["same"]) == ("deal", 8, 8)


def test_what_reads_differently_today_is_told_play_by_play_and_exit_1(app: typer.Typer, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = tables.until_trick(2)
    last = next(f for f in reversed(facts) if isinstance(f, CardsPlayed))
    today(monkeypatch, tuple(f for f in facts if f is not last))
    answer = CLI.invoke(app, ["replay", str(log), "--json"])
    assert answer.exit_code == 1, answer.output
    first = json.loads(answer.stdout.splitlines()[0])
    assert first == {
        "line": "play", "trick": 2, "seat": last.seat.value, "then": list(last.cards), "truth": list(last.cards), "now": [], "kind": "worse",
    }  # fmt: skip
    words = CLI.invoke(app, ["replay", str(log)])
    assert "现在读错" in words.stdout
    assert "1 worse" in words.stdout
    everything = CLI.invoke(app, ["replay", str(log), "--json", "--all"])
    assert len(everything.stdout.splitlines()) == 9


def test_recording_becomes_a_film_folder(app: typer.Typer, log: Path, tmp_path: Path) -> None:
    answer = CLI.invoke(app, ["replay", str(log), "--film", str(tmp_path / "films")])
    assert answer.exit_code == 0, answer.output
    assert sorted(path.name for path in (tmp_path / "films" / "deal-01").iterdir()) == ["film.mp4", "table.json", "truth.jsonl"]


@pytest.mark.parametrize("arguments", [["{log}", "--deal", "7"], ["unknown", "--in", "{there}"], ["last", "--in", "{nowhere}"]])
def test_what_cannot_be_replayed_is_a_sentence_and_exit_2(app: typer.Typer, log: Path, tmp_path: Path, arguments: list[str]) -> None:
    answer = CLI.invoke(app, ["replay", *(text.format(log=log, there=log.parent, nowhere=tmp_path / "nowhere") for text in arguments)])
    assert answer.exit_code == 2
    assert "trickwatch replay:" in answer.stderr
    assert not (tmp_path / "nowhere").exists()


def test_recording_whose_video_is_gone_is_said(app: typer.Typer, log: Path) -> None:
    for path in folder_of(log).iterdir():
        path.unlink()
    answer = CLI.invoke(app, ["replay", str(log)])
    assert answer.exit_code == 2
    assert "no video of deal 1 is left" in answer.stderr


def test_harvest_says_how_many_plays_gave_pictures(app: typer.Typer, log: Path, tmp_path: Path) -> None:
    answer = CLI.invoke(app, ["harvest", str(log), "--out", str(tmp_path / "out")])
    assert answer.exit_code == 0, answer.output
    assert "0 pictures (0 put right) of 8 plays" in answer.stdout
    missing = CLI.invoke(app, ["harvest", "unknown", "--in", str(tmp_path), "--out", str(tmp_path / "out")])
    assert missing.exit_code == 2
