"""``trickwatch film``: a film comes out, and what is wrong is said in words with a status that is not 0."""

from __future__ import annotations

import json
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cli import evaluate_films, film
from engine.cards import FACES


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("art")
    for face in [*FACES, "back"]:
        name = {"LJ": "black_joker", "BJ": "red_joker"}.get(face, face)
        cv2.imwrite(str(folder / f"{name}.png"), np.full((88, 63, 3), 200, np.uint8))
    return folder


def _run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.callback()(lambda: None)
    film.register(app)
    result = CliRunner().invoke(app, ["film", *arguments])
    return result.exit_code, result.output


def test_a_small_film_comes_out_with_its_progress(tmp_path: Path, art: Path) -> None:
    small = ("--tricks", "1", "--draw", "8", "--pace", "0.5", "--size", "320x240", "--fps", "3")
    status, said = _run("--out", str(tmp_path / "f"), "--art", str(art), "--habit", "sweep", *small)
    assert status == 0, said
    assert "frames" in said
    assert json.loads((tmp_path / "f" / "table.json").read_text(encoding="utf-8"))["habit"] == "sweep"
    assert (tmp_path / "f" / "film.mp4").stat().st_size > 1000


def test_a_film_begins_where_the_match_stands(tmp_path: Path, art: Path) -> None:
    small = ("--tricks", "1", "--draw", "8", "--pace", "0.5", "--size", "320x240", "--fps", "3")
    match = ("--deal", "3", "--level", "EW=5", "--level", "ns=7", "--declarer", "N")
    status, said = _run("--out", str(tmp_path / "f"), "--art", str(art), *small, *match)
    assert status == 0, said
    assert json.loads((tmp_path / "f" / "table.json").read_text(encoding="utf-8"))["match"] == {
        "rulebook": "official-2deck-shengji", "deal": 3, "levels": {"EW": "5", "NS": "7"}, "declarer": "N",
    }  # fmt: skip


def test_two_deals_come_out_as_one_film(tmp_path: Path, art: Path) -> None:
    small = ("--tricks", "1", "--draw", "8", "--pace", "0.4", "--size", "320x240", "--fps", "3")
    status, said = _run("--out", str(tmp_path / "f"), "--art", str(art), "--deals", "2", "--offences", "1", *small)
    assert status == 0, said
    truth = [json.loads(line) for line in (tmp_path / "f" / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["deal"] for line in truth if line["event"] == "DealStarted"] == [1, 2]
    assert [line["event"] for line in truth].count("MatchStarted") == 1


def test_a_film_is_recorded_whole_while_it_is_followed(tmp_path: Path, art: Path) -> None:
    small = ("--tricks", "1", "--draw", "8", "--pace", "0.5", "--size", "320x240", "--fps", "3")
    assert _run("--out", str(tmp_path / "f"), "--art", str(art), "--habit", "sweep", *small)[0] == 0
    app = typer.Typer()
    app.command("films")(evaluate_films.films)
    app.callback()(lambda: None)
    result = CliRunner().invoke(app, ["films", str(tmp_path / "f"), "--record", str(tmp_path / "video"), "--json"])
    assert result.exit_code == evaluate_films.NOT_PERFECT, result.output  # the cards are bare
    assert " 0 pictures dropped" in result.output
    with av.open(str(tmp_path / "f" / "film.mp4")) as film_:
        shown = sum(1 for _ in film_.decode(video=0))
    kept = 0
    for segment in sorted((tmp_path / "video" / "f").glob("*.mp4")):
        with av.open(str(segment)) as video:
            kept += sum(1 for _ in video.decode(video=0))
    assert kept > 0.9 * shown, f"{kept} of {shown}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--size", "1921x1080"), "multiples of 4"),
        (("--size", "large"), "WIDTHxHEIGHT"),
        (("--habit", "throw"), "stack, turn, sweep"),
        (("--light", "moon"), "even, lamp, dim, window"),
        (("--mishap", "cat"), "none, bump, rest, unplug, freeze, absent, drop"),
        (("--rulebook", "bridge"), "bridge"),
        (("--art", "nowhere"), "nowhere"),
        (("--offences", "9"), "less than or equal to 3"),
        (("--quirk", "early-turn"), "early-turn does not go with the habit stack"),
        (("--camera", "8k"), "1080p, 4k, 720p"),
        (("--level", "5"), "expected EW=5 or NS=5"),
        (("--level", "EW=1"), "no such level"),
        (("--declarer", "X"), "expected one of E, N, W, S"),
        (("--deals", "0"), "--deals"),
        (("--suite", "s"), "--out FOLDER for one film, or --suite FOLDER"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    status, said = _run("--out", str(tmp_path / "f"), *arguments)
    assert status == 2
    assert words in " ".join(said.replace("│", " ").split())
    assert not (tmp_path / "f").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, art: Path) -> None:
    (tmp_path / "f").write_text("a file", encoding="utf-8")
    status, said = _run("--out", str(tmp_path / "f" / "g"), "--art", str(art), "--tricks", "1")
    assert status == 2
    assert str(tmp_path / "f") in said.replace("\n", "")


def test_a_deck_that_training_saw_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise OSError("enough")

    monkeypatch.setattr("datasets.film.make.make_film", stop)
    status, said = _run("--out", str(tmp_path / "f"), "--art", "dondorf")
    assert status == 2
    assert "has seen dondorf in training" in said
