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


class Seer:
    """Stands in for the recogniser: notes what pictures it is given."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.means: list[float] = []

    def read(self, image: np.ndarray, card_width: float | None, *, least: float) -> list[object]:
        assert image.dtype == np.uint8
        self.shapes.append(image.shape)
        self.means.append(float(image.mean()))
        return []


@pytest.fixture
def seer(monkeypatch: pytest.MonkeyPatch) -> Seer:
    made = Seer()
    monkeypatch.setattr(read, "_open", lambda weights, deck: made)
    return made


def test_grey_16_bit_and_transparent_pictures_are_read_as_colour(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    grey = write(tmp_path / "grey.png", table()[..., 0])
    deep = write(tmp_path / "deep.png", table().astype(np.uint16) * 257)
    clear = write(tmp_path / "clear.png", np.dstack([table(), np.full(table().shape[:2], 128, np.uint8)]))
    result = CliRunner().invoke(app, ["read", "--json", str(grey), str(deep), str(clear)])
    assert result.exit_code == 0
    assert seer.shapes == [(300, 400, 3)] * 3
    assert seer.means[1] == pytest.approx(float(table().mean()), abs=1)


def test_a_picture_is_turned_as_its_camera_noted(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    from PIL import Image

    picture = Image.fromarray(table())
    noted = picture.getexif()
    noted[0x0112] = 6
    picture.save(tmp_path / "turned.jpg", exif=noted)
    result = CliRunner().invoke(app, ["read", "--json", str(tmp_path / "turned.jpg")])
    assert json.loads(result.stdout)["size"] == [300, 400]
    assert seer.shapes == [(400, 300, 3)]


def test_names_in_any_script_are_read_and_told(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    good = write(tmp_path / "牌桌 ♠ é.png", table())
    result = CliRunner().invoke(app, ["read", "--json", str(good)])
    assert result.exit_code == 0
    assert "牌桌 ♠ é.png" in result.stdout
    drawn = CliRunner().invoke(app, ["read", str(good)])
    assert drawn.exit_code == 0
    assert (tmp_path / "牌桌 ♠ é.read.png").is_file()


def test_a_folder_is_said_to_be_one(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    result = CliRunner().invoke(app, ["read", "--json", str(tmp_path)])
    assert result.exit_code == 2
    assert "a folder" in json.loads(result.stdout)["error"]


def test_a_missing_file_among_good_ones_does_not_stop_them(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    first, last = write(tmp_path / "a.png", table()), write(tmp_path / "c.png", table())
    result = CliRunner().invoke(app, ["read", str(first), str(tmp_path / "b.png"), str(last)])
    assert result.exit_code == 2
    assert len(seer.shapes) == 2
    assert "b.png" in result.stderr
    assert (tmp_path / "c.read.png").is_file()


def test_a_folder_that_cannot_be_written_is_said(app: typer.Typer, tmp_path: Path, seer: Seer) -> None:
    good = write(tmp_path / "a.png", table())
    (tmp_path / "out").write_text("a file")
    result = CliRunner().invoke(app, ["read", str(good), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_a_picture_too_large_to_hold_is_said(app: typer.Typer, tmp_path: Path, seer: Seer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.stills.MOST_PIXELS", 100_000)
    result = CliRunner().invoke(app, ["read", "--json", str(write(tmp_path / "large.png", table()))])
    assert result.exit_code == 2
    assert "too large (400x300" in json.loads(result.stdout)["error"]
