"""Which calibration a source is opened with, and what is said where it is not the one that was named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_calibration import camera, picture
from tests.vision.toy import ToyReader
from vision.calibration import Calibration, CalibrationError, Image, save
from vision.open_table import open_table, table_file

TABLE = replace(camera(), habit="turn")


def _film(path: Path, grey: Image) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (grey.shape[1], grey.shape[0]))
    assert writer.isOpened()
    for _ in range(3):
        writer.write(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def _opened(spec: Path, calibration: Calibration | Path | None = None) -> tuple[Calibration, list[str]]:
    said: list[str] = []
    pipeline = open_table(str(spec), calibration=calibration, recogniser=ToyReader(), notice=said.append)
    pipeline.close()
    return pipeline.calibration, said


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _film(tmp_path_factory.mktemp("marked") / "film.mp4", picture(TABLE))


def test_a_films_own_calibration_is_taken_whether_folder_or_film_is_named(film: Path, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(film.read_bytes())
    save(TABLE, tmp_path / "table.json")
    for spec in (tmp_path, tmp_path / "film.mp4"):
        table, said = _opened(spec)
        assert (table.habit, said) == ("turn", [])


def test_without_a_calibration_the_markers_are_taken_and_it_is_said(film: Path) -> None:
    table, said = _opened(film)
    assert table.markers.corners_mm
    assert len(said) == 1
    assert "found by the markers" in said[0]


def test_without_calibration_and_markers_the_middle_is_taken_and_the_remedy_is_said(tmp_path: Path) -> None:
    table, said = _opened(_film(tmp_path / "a.mp4", np.full((480, 640), 120, np.uint8)))
    assert np.abs(table.to_mm([[320, 240]])).max() < 1
    assert "trickwatch calibrate" in said[0]
    assert "没有标记" in said[0]


def test_a_film_that_is_turned_by_90_degrees_is_fitted_by_its_markers_and_it_is_said(tmp_path: Path) -> None:
    turned = np.asarray(cv2.rotate(picture(TABLE), cv2.ROTATE_90_CLOCKWISE), np.uint8)
    table, said = _opened(_film(tmp_path / "a.mp4", turned), TABLE)
    assert table.size == (1080, 1920)
    assert table.habit == "turn"
    assert "turned by 90°" in said[0]


def test_a_turned_film_without_markers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="turned by 90°"):
        _opened(_film(tmp_path / "a.mp4", np.full((640, 480), 120, np.uint8)), TABLE)


def test_what_lies_beside_a_device_or_a_stream_is_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(TABLE, tmp_path / "table.json")
    monkeypatch.chdir(tmp_path)
    assert table_file("0") is None
    assert table_file("rtsp://camera/stream") is None
    assert table_file("film.mp4") == Path("table.json")
    assert table_file("0", Path("mine.json")) == Path("mine.json")
