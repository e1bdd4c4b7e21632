"""The set-up's checks: each on a picture that is fine and on one with the fault."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_calibration import camera, picture
from vision.calibration import Calibration, Image, Markers, whole_picture
from vision.setup_checks import LEAST_CARD_PX, Check, check, edge_width, outlines, report

NAMES = ("picture", "focus", "exposure", "glare", "resolution", "flicker", "seats", "markers")
TABLE = camera()


def _colour(grey: Image) -> Image:
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def fine() -> Image:
    """A table with its markers and some cards on it."""
    grey = picture(TABLE)
    for x, y in ((-40.0, 200.0), (10.0, 210.0), (-30.0, -220.0), (220.0, 10.0)):
        quad = TABLE.to_px([[x, y], [x + 63, y], [x + 63, y + 88], [x, y + 88]]).round().astype(np.int32)
        cv2.fillPoly(grey, [quad], 232, cv2.LINE_AA)
        cv2.putText(grey, "7", (int(quad[0][0]) + 8, int(quad[0][1]) + 26), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 20, 2, cv2.LINE_AA)
    return _colour(grey)


def _one(name: str, frames: list[Image], table: Calibration | None = TABLE, fps: float = 0.0) -> Check:
    found = {one.name: one for one in check(frames, table, fps=fps)}
    assert tuple(found) == NAMES
    one = found[name]
    assert one.zh
    assert one.en
    return one


def test_a_good_set_up_passes_everything(fine: Image) -> None:
    checks = check([fine] * 8, TABLE, fps=15)
    assert [one.name for one in checks if not one.ok] == []
    told = report(checks, TABLE)
    assert told["ok"] is True
    assert told["outlines"]["size"] == [1920, 1080]


def test_a_blurred_picture_fails_the_focus(fine: Image) -> None:
    sharp = _one("focus", [fine]).figure
    for sigma in (2.0, 3.0, 5.0):
        blurred = _one("focus", [np.asarray(cv2.GaussianBlur(fine, (0, 0), sigma), np.uint8)])
        assert not blurred.ok
        assert sharp is not None
        assert blurred.figure is None or blurred.figure > sharp + 1


@pytest.mark.parametrize("sigma", [0.8, 1.5, 2.5])
def test_the_width_of_an_edge_is_two_and_a_half_sigmas(sigma: float) -> None:
    step = np.full((200, 200), 40, np.uint8)
    step[:, 100:] = 210
    width = edge_width(np.asarray(cv2.GaussianBlur(step, (0, 0), sigma), np.uint8))
    assert width == pytest.approx(2.5 * np.hypot(sigma, 0.7), rel=0.25)


def test_an_empty_picture_has_no_edges_to_judge_the_focus_by() -> None:
    one = _one("focus", [np.full((1080, 1920, 3), 120, np.uint8)])
    assert not one.ok
    assert one.figure is None


def test_a_dark_picture_fails_the_exposure(fine: Image) -> None:
    dark = _one("exposure", [(fine * 0.2).astype(np.uint8)])
    assert not dark.ok
    assert "too dark" in dark.en


def test_a_burnt_out_picture_fails_the_exposure(fine: Image) -> None:
    assert "too bright" in _one("exposure", [cv2.add(fine, 150)]).en


def test_a_lamp_that_mirrors_in_the_cards_is_glare_with_its_place(fine: Image) -> None:
    shiny = fine.copy()
    at = TABLE.to_px([[100.0, 100.0]])[0]
    cv2.circle(shiny, (int(at[0]), int(at[1])), 45, (255, 255, 255), -1)
    one = _one("glare", [shiny])
    assert not one.ok
    place = one.en.split("near ")[1].split(")")[0].split(",")
    assert [float(part) for part in place] == pytest.approx(at, abs=5)


def test_glare_outside_the_playing_square_does_no_harm(fine: Image) -> None:
    shiny = fine.copy()
    cv2.circle(shiny, (60, 540), 50, (255, 255, 255), -1)
    assert _one("glare", [shiny]).ok


def test_cards_too_small_name_the_least_width(fine: Image) -> None:
    small = cv2.resize(fine, (1280, 720), interpolation=cv2.INTER_AREA)
    one = _one("resolution", [small], TABLE.scaled((960, 540)))
    assert one.figure is None, "a calibration of another size says nothing"
    narrow = _one("resolution", [cv2.resize(fine, (960, 540))], TABLE.scaled((960, 540)))
    assert not narrow.ok
    assert narrow.figure is not None
    assert narrow.figure < LEAST_CARD_PX
    assert f"{LEAST_CARD_PX:.0f}" in narrow.en
    assert _one("resolution", [fine], None).figure is None


def test_light_that_pulses_or_rolls_through_the_rows_is_flicker(fine: Image) -> None:
    assert _one("flicker", [fine] * 8).ok
    pulsing = [(fine * (1.0 + 0.05 * np.sin(k))).clip(0, 255).astype(np.uint8) for k in range(10)]
    assert not _one("flicker", pulsing).ok
    rows = np.arange(1080)[:, None, None] / 1080
    rolling = [(fine * (0.95 + 0.05 * np.sin(12 * rows + k))).clip(0, 255).astype(np.uint8) for k in range(10)]
    assert not _one("flicker", rolling).ok
    assert "few" in _one("flicker", [fine]).en


def test_a_hand_that_moves_is_no_flicker(fine: Image) -> None:
    frames = []
    for k in range(10):
        frame = fine.copy()
        cv2.rectangle(frame, (600 + 30 * k, 300), (900 + 30 * k, 1080), (60, 90, 140), -1)
        frames.append(frame)
    assert _one("flicker", frames).ok


def test_a_seat_out_of_view_is_named(fine: Image) -> None:
    away = camera(shift=(0.0, 160.0))
    one = _one("seats", [fine], away)
    assert not one.ok
    assert "S" in one.en
    assert one.figure is not None
    assert one.figure < 90


def test_missing_and_double_markers_are_named(fine: Image) -> None:
    hidden = _one("markers", [_colour(picture(TABLE, hide=(2,)))])
    assert (hidden.ok, hidden.figure) == (False, 3.0)
    assert "[2]" in hidden.en
    double = fine.copy()
    x, y = (int(v) for v in TABLE.to_px([[-600.0, -370.0]])[0])
    patch = fine[y - 48 : y + 48, x - 48 : x + 48]
    double[400:496, 60:156] = patch
    one = _one("markers", [double])
    assert not one.ok
    assert "[0]" in one.en
    assert "twice" in one.en


def test_a_table_without_markers_is_allowed_and_says_what_is_lost(fine: Image) -> None:
    one = _one("markers", [fine], replace(whole_picture((1920, 1080)), markers=Markers(corners_mm={})))
    assert one.ok
    assert "cannot be noticed" in one.en


@pytest.mark.parametrize(("size", "fps", "words"), [((480, 640), 15, "upright"), ((640, 480), 15, "640x480"), ((1920, 1080), 3, "3 pictures")])
def test_pictures_that_stand_upright_are_small_or_few_are_told(size: tuple[int, int], fps: float, words: str) -> None:
    one = _one("picture", [np.full((size[1], size[0], 3), 90, np.uint8)], None, fps)
    assert not one.ok
    assert words in one.en


def test_no_picture_is_an_error() -> None:
    with pytest.raises(ValueError, match="no picture"):
        check([], None)


def test_outlines_lie_where_the_seats_are() -> None:
    drawn = outlines(TABLE)
    assert set(drawn["seats"]) == {"E", "N", "W", "S"}
    south = np.mean(drawn["seats"]["S"], axis=0)
    north = np.mean(drawn["seats"]["N"], axis=0)
    assert south[1] > 540 > north[1]
    assert len(drawn["markers"]) == 4
