"""``trickwatch calibrate``: a table.json from pictures of a table, checked, shown and reused."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cli import calibrate, markers
from tests.vision.test_calibration import camera, picture
from vision.calibration import load

TABLE = camera()


@pytest.fixture(scope="module")
def app() -> typer.Typer:
    app = typer.Typer()
    calibrate.register(app)
    markers.register(app)
    return app


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a picture of a table whose camera will do."""
    folder = tmp_path_factory.mktemp("table")
    grey = picture(TABLE)
    quad = TABLE.to_px([[-30, 190], [33, 190], [33, 278], [-30, 278]]).round().astype(np.int32)
    cv2.fillPoly(grey, [quad], 230, cv2.LINE_AA)
    cv2.imwrite(str(folder / "a.png"), grey)
    return folder


def test_a_table_is_measured_checked_written_and_shown_again(app: typer.Typer, table: Path, tmp_path: Path) -> None:
    out, drawn = tmp_path / "table.json", tmp_path / "drawn.png"
    arguments = ["calibrate", str(table), "--out", str(out), "--rulebook", "swiss-3deck", "--habit", "turn", "--picture", str(drawn)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code in (0, 1), done.output
    found = load(out)
    assert (found.match["rulebook"], found.habit, found.size) == ("swiss-3deck", "turn", (1920, 1080))
    assert "✓ seats" in done.output
    assert "✓ markers" in done.output
    pictured = cv2.imread(str(drawn))
    assert pictured is not None
    assert pictured.shape == (1080, 1920, 3)
    shown = CliRunner().invoke(app, ["calibrate", "--show", str(out), "--json"])
    told = json.loads(shown.stdout)
    assert shown.exit_code == 0
    assert told["described"]["match"]["rulebook"] == "swiss-3deck"
    assert told["checks"] == []


def test_a_calibration_that_no_longer_fits_is_told(app: typer.Typer, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    CliRunner().invoke(app, ["calibrate", str(table), "--out", str(out)])
    small = tmp_path / "small"
    small.mkdir()
    whole = cv2.imread(str(table / "a.png"))
    assert whole is not None
    cv2.imwrite(str(small / "a.png"), cv2.resize(whole, (640, 360)))
    done = CliRunner().invoke(app, ["calibrate", str(small), "--show", str(out), "--json"])
    told = {one["name"]: one for one in json.loads(done.stdout)["checks"]}
    assert done.exit_code == 1
    assert not told["picture"]["ok"]
    assert not told["resolution"]["ok"]


def test_four_clicks_and_a_straight_edge_do_without_markers(app: typer.Typer, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.json"

    def words(mm: list[list[float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in TABLE.to_px(mm))

    corners = words([[-400, -400], [400, -400], [400, 400], [-400, 400]])
    edge = words([[x, -420.0] for x in (-700.0, -350.0, 0.0, 350.0, 700.0)])
    done = CliRunner().invoke(app, ["calibrate", str(table), "--out", str(out), "--clicks", corners, "--straight", edge])
    assert done.exit_code in (0, 1), done.output
    assert "lens measured" in done.output
    assert np.abs(load(out).to_mm(TABLE.to_px([[0.0, -400.0]])) - (0, -400)).max() < 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a source"),
        (["nowhere.mp4"], "nowhere.mp4"),
        (["TABLE", "--clicks", "1,2 3,4"], "expected four points"),
        (["TABLE", "--clicks", "a b"], "expected points"),
        (["TABLE", "--spacing", "wide"], "expected millimetres"),
        (["--show", "nothing.json"], "nothing.json"),
        (["TABLE", "--views", "TABLE"], "0 views"),
    ],
)
def test_what_cannot_be_done_is_said_with_status_2(app: typer.Typer, table: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    given = [str(table) if word == "TABLE" else word for word in arguments]
    if words == "0 views":
        bare = tmp_path / "bare"
        bare.mkdir()
        cv2.imwrite(str(bare / "a.png"), np.full((720, 1280, 3), 90, np.uint8))
        given[-1] = str(bare)
    done = CliRunner().invoke(app, ["calibrate", *given, "--out", str(tmp_path / "t.json")])
    assert done.exit_code == 2
    assert words in done.output
    assert not (tmp_path / "t.json").exists()
