"""The set-up of a camera through the API: its picture, the checks, calibrating by markers and by corners."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk import setup
from kiosk.access import Mode
from tests.kiosk.tables import Fixture, Maker, until_trick
from tests.kiosk.test_rights import HALL
from tests.kiosk.test_web import TABLET, client
from vision import calibration as tables

SIZE = (1280, 720)


def picture(*, markers: bool) -> Any:
    """A grey table, with the printed markers at their places or without."""
    image = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
    where = tables.whole_picture(SIZE)
    kind = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for name, corners in (tables.standard_markers().corners_mm if markers else {}).items():
        x0, y0 = where.to_px(corners).min(axis=0).round().astype(int)
        x1, y1 = where.to_px(corners).max(axis=0).round().astype(int)
        image[max(y0 - 8, 0) : y1 + 8, max(x0 - 8, 0) : x1 + 8] = 255
        marker = cv2.resize(cv2.aruco.generateImageMarker(kind, name, 80), (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA)
        image[y0:y1, x0:x1] = marker[..., None]
    return image


class Taps(list[Any]):
    """Whoever listens is given pictures at once."""

    def __init__(self, image: Any) -> None:
        super().__init__()
        self.image = image

    def append(self, tap: Any) -> None:
        super().append(tap)
        for _ in range(20):
            tap(SimpleNamespace(image=self.image))


class Camera:
    """A feed that can be calibrated while it runs."""

    def __init__(self, image: Any) -> None:
        self.calibration = tables.whole_picture(SIZE)
        self.source = SimpleNamespace(taps=Taps(image), spec="0", fps=15.0)
        self.used: list[Any] = []

    def recalibrate(self, calibration: Any) -> None:
        self.used.append(calibration)
        self.calibration = calibration


def with_camera(made: Fixture, camera: Any) -> Fixture:
    made.kiosk.feed = SimpleNamespace(feed=camera, status=dict)  # type: ignore[assignment]
    return made


def test_the_raw_picture_the_checks_and_the_markers_are_shown(make_table: Maker) -> None:
    made = with_camera(make_table(until_trick(1)), Camera(picture(markers=True)))
    with client(made) as found:
        assert found.get("/api/setup/picture.jpg").content[:3] == b"\xff\xd8\xff"
        body = found.get("/api/setup").json()
        assert body["checks"] == []
        assert (body["camera"]["source"], body["started"], body["deal"]) == ("0", True, 1)
        assert len(body["calibration"]["square"]) == 4
        body = found.post("/api/setup/checks", json={}).json()
        assert {check["name"] for check in body["checks"]} >= {"focus", "exposure", "markers"}
        assert {check["state"] for check in body["checks"]} <= {"pass", "fail", "unknown", "warn"}
        assert all(check["zh"] and check["en"] for check in body["checks"])
        assert sorted(marker["id"] for marker in body["calibration"]["markers"]) == body["calibration"]["expected"] == [0, 1, 2, 3]
        assert made.kiosk.feed is not None
        assert not made.kiosk.feed.feed.source.taps, "nobody listens any more"  # type: ignore[attr-defined]


def test_calibrating_by_markers_and_by_corners(make_table: Maker, tmp_path: Path) -> None:
    camera = Camera(picture(markers=True))
    made = with_camera(make_table(until_trick(1)), camera)
    kept = made.kiosk.calibration_file = tmp_path / "kept.table.json"
    with client(made) as found:
        body = found.post("/api/setup/markers", json={}).json()
        assert body["calibration"]["kind"] == "markers"
        square = [[0.3, 0.1], [0.7, 0.1], [0.7, 0.9], [0.3, 0.9]]
        body = found.post("/api/setup/corners", json={"square": square}).json()
        assert body["calibration"]["kind"] == "clicks"
        assert np.allclose(body["calibration"]["square"], square, atol=0.01)
        assert len(camera.used) == 2
        assert tables.load(kept).size == SIZE
        for bad in ([[0.5, 0.5]] * 4, square[:3], [[9, 9]] * 4):
            assert found.post("/api/setup/corners", json={"square": bad}).status_code == 422
        assert len(camera.used) == 2


def test_markers_that_cannot_be_seen_are_said(make_table: Maker) -> None:
    made = with_camera(make_table(until_trick(1)), Camera(picture(markers=False)))
    with client(made) as found:
        answer = found.post("/api/setup/markers", json={})
        assert answer.status_code == 422
        assert answer.json()["zh"]


def test_a_table_without_a_camera_says_so(make_table: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "PATIENCE_S", 0.0)
    made = make_table(until_trick(1))
    with client(made) as found:
        assert found.get("/api/setup").json()["camera"]["source"] is None
        for path in ("checks", "markers"):
            assert found.post(f"/api/setup/{path}", json={}).status_code == 404
        assert found.get("/api/setup/picture.jpg").status_code == 404


def test_the_picture_is_for_the_referee_only(make_table: Maker) -> None:
    made = with_camera(make_table(until_trick(1), mode=Mode.COMPETITION, pin="4711"), Camera(picture(markers=False)))
    with client(made, TABLET, HALL) as found:
        assert found.get("/api/setup/picture.jpg").status_code == 403
        assert found.get("/api/setup").status_code == 403
