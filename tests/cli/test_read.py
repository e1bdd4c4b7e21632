import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cli import read


@pytest.fixture(scope="module")
def app() -> typer.Typer:
    made = typer.Typer()
    made.callback()(lambda: None)
    read.register(made)
    return made


def write(path: Path, picture: np.ndarray) -> Path:
    path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    return path


def table(height: int = 300, width: int = 400) -> np.ndarray:
    return (np.random.default_rng(0).normal(0, 6, (height, width, 3)) + np.array([70, 110, 60])).clip(0, 255).astype(np.uint8)


def test_each_bad_picture_gets_an_error_line_and_the_others_are_read(app: typer.Typer, tmp_path: Path) -> None:
    good = write(tmp_path / "table.png", table())
    text = tmp_path / "notes.jpg"
    text.write_text("not a picture")
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(cv2.imencode(".jpg", table())[1].tobytes()[:200])
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    dot = write(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8))
    names = [text, dot, empty, tmp_path / "none.png", tmp_path, good]
    result = CliRunner().invoke(app, ["read", "--json", *map(str, names)])
    assert result.exit_code == 2
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["image"] for line in lines] == [str(name) for name in names]
    assert ["error" in line for line in lines] == [True] * 5 + [False]
    assert "not a picture" in lines[0]["error"]
    assert "1x1" in lines[1]["error"]
    assert "empty" in lines[2]["error"]
    assert "no such file" in lines[3]["error"]
    assert lines[-1] == {"image": str(good), "size": [400, 300], "cards": []}


def test_a_hundred_megapixels_are_read(app: typer.Typer, tmp_path: Path) -> None:
    huge = write(tmp_path / "huge.jpg", np.full((10000, 10000, 3), 90, np.uint8))
    result = CliRunner().invoke(app, ["read", "--json", str(huge)])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"image": str(huge), "size": [10000, 10000], "cards": []}


def test_without_json_an_annotated_picture_is_written(app: typer.Typer, tmp_path: Path) -> None:
    good = write(tmp_path / "table.png", table())
    result = CliRunner().invoke(app, ["read", str(good), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert cv2.imread(str(tmp_path / "out" / "table.read.png")).shape == (300, 400, 3)


def test_missing_weights_are_said(app: typer.Typer, tmp_path: Path) -> None:
    good = write(tmp_path / "table.png", table())
    result = CliRunner().invoke(app, ["read", str(good), "--weights", str(tmp_path)])
    assert result.exit_code == 2
    assert "trickwatch train" in result.output


def test_a_file_that_is_no_deck_is_said(app: typer.Typer, tmp_path: Path) -> None:
    good = write(tmp_path / "table.png", table())
    result = CliRunner().invoke(app, ["read", str(good), "--deck", str(good)])
    assert result.exit_code == 2
    assert "trickwatch enroll" in result.output
