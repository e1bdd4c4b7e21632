"""Whether a camera over a table will do: focus, exposure, glare, size of the cards, flicker, seats and markers in view.

Each check gives a figure, what is needed, and a sentence in Chinese and English. Grey levels are 0..255 of the luma.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import numpy as np

from vision.calibration import PLAY_AREA_MM, Calibration, Floats, Image, find_marker_list, to_json
from vision.pace import LEAST_FPS
from vision.zones import OUT, SEAT_ZONES, Zone, dense, outline

LEAST_LINES: Final = 720
LEAST_CARD_PX: Final = 54.0
"""Width of a card in pixels at the farthest seat, below which indices are not read well enough."""
MOST_EDGE_PX: Final = 4.0
DARK: Final = 70.0
BURNT: Final = 252
MOST_BURNT: Final = 20.0
"""Hundredths of the table that may be burnt out."""
MOST_GLARE: Final = 0.15
MOST_FLICKER: Final = 2.0
LEAST_SEAT: Final = 97.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; ``figure`` in ``unit``, None where it cannot be told yet; ``needed`` in words of figures."""

    name: str
    ok: bool
    figure: float | None
    unit: str
    needed: str
    zh: str
    en: str


def check(frames: Sequence[Image], calibration: Calibration | None, *, fps: float = 0.0) -> tuple[Check, ...]:
    """Look at some neighbouring pictures (BGR, one size, eight or more for the flicker) of a camera.

    :param calibration: where the table lies in them; None before it is known: the whole picture is looked at then.
    :param fps: pictures a second that the camera delivers; 0 when not known.
    :raises ValueError: when there is no picture.
    """
    if not frames:
        raise ValueError("没有画面 / no picture to look at")
    size = (frames[-1].shape[1], frames[-1].shape[0])
    if calibration is not None and calibration.size != size:
        calibration = None
    luma = [np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8) for frame in frames if frame.shape == frames[-1].shape]
    area = _area(size, calibration)
    return (
        _picture(size, fps),
        _focus(luma[-1], calibration),
        _exposure(luma[-1], area),
        _glare(luma[-1], area),
        _resolution(calibration),
        _flicker(luma),
        _seats(calibration),
        _markers(luma[-1], calibration),
    )


def report(checks: Sequence[Check], calibration: Calibration | None) -> dict[str, Any]:
    """The checks as one JSON object, with the calibration and the outlines (pixels of the picture) to draw over the live picture."""
    return {
        "v": 1,
        "ok": all(one.ok for one in checks),
        "checks": [asdict(one) for one in checks],
        "calibration": None if calibration is None else to_json(calibration),
        "outlines": None if calibration is None else outlines(calibration),
    }


def outlines(calibration: Calibration) -> dict[str, Any]:
    """Where the seats' places, the bottom's place and the markers lie in the picture: polygons of pixels."""

    def points(mm: Floats) -> list[list[float]]:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in calibration.to_px(mm)]

    return {
        "size": list(calibration.size),
        "seats": {zone.value: points(dense(outline(zone), 6)) for zone in SEAT_ZONES},
        "centre": points(dense(outline(Zone.CENTRE), 6)),
        "markers": {str(i): points(np.asarray(mm, np.float64)) for i, mm in calibration.markers.corners_mm.items()},
    }


def _area(size: tuple[int, int], calibration: Calibration | None) -> Image:
    """The playing square as a mask of the picture; all of it when nothing is known."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    if calibration is None:
        mask[:] = 255
        return mask
    a = PLAY_AREA_MM
    square = np.array([[-a, -a], [a, -a], [a, a], [-a, a]])
    cv2.fillPoly(mask, [np.round(calibration.to_px(dense(square))).astype(np.int32)], 255)
    return mask


def _picture(size: tuple[int, int], fps: float) -> Check:
    width, height = size
    needed = f"≥ {LEAST_LINES}"
    if height > width:
        zh, en = "画面竖着：请把摄像头转 90°", "the picture stands upright: turn the camera by 90°"
        return Check("picture", False, float(height), "px", needed, zh, en)
    if height < LEAST_LINES:
        zh, en = f"画面只有 {width}x{height}：请选更高的分辨率", f"the picture is only {width}x{height}: choose a higher resolution"
        return Check("picture", False, float(height), "px", needed, zh, en)
    if 0 < fps < LEAST_FPS:
        zh = f"每秒只有 {fps:.0f} 帧（至少 {LEAST_FPS:.0f}）：请增加光线、降低分辨率（如 0@1280x720）或换 USB 接口"
        en = (
            f"only {fps:.0f} pictures a second (at least {LEAST_FPS:.0f}): add light, lower the resolution (as in 0@1280x720) or use another USB port"
        )
        return Check("picture", False, float(height), "px", needed, zh, en)
    rate = f", {fps:.0f} fps" if fps > 0 else ""
    return Check("picture", True, float(height), "px", needed, f"画面 {width}x{height}{rate}", f"picture {width}x{height}{rate}")


def edge_width(grey: Image) -> float | None:
    """How wide the sharpest strong edges of a picture are, in pixels (about 2 when sharp, 2.5 sigma when blurred); None without edges."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=1) / 2
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=1) / 2
    slope = cv2.magnitude(dx, dy)
    kernel = np.ones((15, 15), np.uint8)
    contrast = cv2.dilate(smooth, kernel) - cv2.erode(smooth, kernel)
    crest = (slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8)) - 1e-3) & (contrast > 60) & (slope > 2)
    if int(crest.sum()) < 60:
        return None
    return float(np.percentile(contrast[crest] / slope[crest], 10))


def _focus(grey: Image, calibration: Calibration | None) -> Check:
    limit = MOST_EDGE_PX if calibration is None else max(3.4, 0.05 * _card_px(calibration))
    width = edge_width(grey)
    needed = f"≤ {limit:.1f}"
    if width is None:
        zh, en = "画面里没有清晰的轮廓：请放几张牌或标记再看", "no edges to judge the focus by: lay some cards or the markers down"
        return Check("focus", False, None, "px", needed, zh, en)
    if width > limit:
        zh, en = f"不够清晰（边缘宽 {width:.1f} px）：请重新对焦、擦镜头", f"not sharp (edges {width:.1f} px wide): focus anew, wipe the lens"
        return Check("focus", False, round(width, 2), "px", needed, zh, en)
    return Check("focus", True, round(width, 2), "px", needed, "清晰", "sharp")


def _exposure(grey: Image, area: Image) -> Check:
    inside = grey[area > 0]
    bright = float(np.percentile(inside, 99.0)) if inside.size else 0.0
    burnt = 100.0 * float(np.mean(inside >= BURNT)) if inside.size else 0.0
    needed = f"{DARK:.0f}–{BURNT}"
    if bright < DARK:
        zh, en = f"太暗（最亮处 {bright:.0f}）：请加光或延长曝光", f"too dark (brightest {bright:.0f} of 255): add light or expose longer"
        return Check("exposure", False, round(bright, 1), "0–255", needed, zh, en)
    if burnt > MOST_BURNT:
        zh, en = f"太亮（{burnt:.0f}% 过曝）：请缩短曝光", f"too bright ({burnt:.0f} % burnt out): expose less"
        return Check("exposure", False, round(bright, 1), "0–255", needed, zh, en)
    return Check("exposure", True, round(bright, 1), "0–255", needed, "曝光合适", "well exposed")


def _glare(grey: Image, area: Image) -> Check:
    """Burnt-out blobs; small ones are the grain of white paper."""
    burnt = cv2.morphologyEx(((grey >= BURNT) & (area > 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    share = 100.0 * float(burnt.sum()) / max(1, int((area > 0).sum()))
    needed = f"≤ {MOST_GLARE}"
    if share > MOST_GLARE:
        y, x = (float(np.mean(v)) for v in np.nonzero(burnt))
        zh = f"反光：{share:.1f}% 的桌面过曝（约在 {x:.0f},{y:.0f}），请移开灯"
        en = f"glare: {share:.1f} % of the table is burnt out (near {x:.0f},{y:.0f}): move the lamp"
        return Check("glare", False, round(share, 2), "%", needed, zh, en)
    return Check("glare", True, round(share, 2), "%", needed, "没有反光", "no glare")


def _card_px(calibration: Calibration) -> float:
    """The width of a card in pixels where it looks smallest: at the seats' places."""
    width = calibration.card_mm[0] / 2
    spots = [(0.0, 0.0), *((out[0] * 300.0, out[1] * 300.0) for out in OUT.values())]
    sizes = []
    for x, y in spots:
        a, b, c, d = calibration.to_px([[x - width, y], [x + width, y], [x, y - width], [x, y + width]])
        sizes += [float(np.linalg.norm(b - a)), float(np.linalg.norm(d - c))]
    return min(sizes)


def _resolution(calibration: Calibration | None) -> Check:
    needed = f"≥ {LEAST_CARD_PX:.0f}"
    if calibration is None:
        zh, en = "先标定，才知道牌有多大", "calibrate first, then the size of the cards is known"
        return Check("resolution", False, None, "px", needed, zh, en)
    width = _card_px(calibration)
    if width < LEAST_CARD_PX:
        zh = f"牌太小（宽 {width:.0f} px，至少 {LEAST_CARD_PX:.0f}）：请靠近或提高分辨率"
        en = f"cards are too small ({width:.0f} px wide, at least {LEAST_CARD_PX:.0f}): move closer or raise the resolution"
        return Check("resolution", False, round(width, 1), "px", needed, zh, en)
    return Check("resolution", True, round(width, 1), "px", needed, f"牌宽 {width:.0f} px", f"cards are {width:.0f} px wide")


def _flicker(luma: Sequence[Image]) -> Check:
    """How much rows of the picture brighten and darken from frame to frame; hands cover less than half of a row."""
    needed = f"≤ {MOST_FLICKER:.0f}"
    if len(luma) < 4:
        return Check("flicker", False, None, "%", needed, "画面太少，无法判断闪烁", "too few pictures to judge the flicker")
    height, width = luma[0].shape
    small = np.stack([cv2.resize(g, (64, max(8, round(64 * height / width))), interpolation=cv2.INTER_AREA) for g in luma]).astype(np.float32) + 4.0
    rows = np.median(small / np.median(small, axis=0), axis=2)
    swing = 100.0 * float(np.percentile(rows.std(axis=0), 90))
    if swing > MOST_FLICKER:
        zh = f"灯光闪烁（{swing:.1f}%）：请设 50 Hz 防闪或固定曝光"
        en = f"the light flickers ({swing:.1f} %): set 50 Hz or 60 Hz against flicker, or fix the exposure"
        return Check("flicker", False, round(swing, 2), "%", needed, zh, en)
    return Check("flicker", True, round(swing, 2), "%", needed, "没有闪烁", "no flicker")


def _seats(calibration: Calibration | None) -> Check:
    """The share of each seat's place that lies in the picture."""
    needed = f"≥ {LEAST_SEAT:.0f}"
    if calibration is None:
        return Check("seats", False, None, "%", needed, "先标定，才知道四家的位置", "calibrate first, then the seats' places are known")
    axis = np.linspace(-PLAY_AREA_MM, PLAY_AREA_MM, 41)
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    px = calibration.to_px(grid)
    width, height = calibration.size
    inside = (px >= 0).all(1) & (px[:, 0] < width) & (px[:, 1] < height)
    share = {zone: 100.0 * float(inside[_of(grid, zone)].mean()) for zone in SEAT_ZONES}
    worst = min(share, key=lambda zone: share[zone])
    least = share[worst]
    if least < LEAST_SEAT:
        out = "、".join(zone.value for zone in SEAT_ZONES if share[zone] < LEAST_SEAT)
        zh = f"{out} 家的位置没有全在画面里（只见 {least:.0f}%）：请移动摄像头"
        en = f"the places of {out.replace('、', ', ')} are not wholly in the picture ({least:.0f} %): move the camera"
        return Check("seats", False, round(least, 1), "%", needed, zh, en)
    return Check("seats", True, round(least, 1), "%", needed, "四家都在画面里", "all four seats are in view")


def _of(grid: Floats, zone: Zone) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which points lie on a seat's side of the diagonals."""
    ox, oy = OUT[zone]
    along = grid[:, 0] * ox + grid[:, 1] * oy
    return np.asarray((along >= np.abs(grid).max(1) - 1e-9) & (along > 0), np.bool_)


def _markers(grey: Image, calibration: Calibration | None) -> Check:
    """Markers seen of those known; without any the camera's being moved cannot be noticed."""
    family = calibration.markers.family if calibration is not None else "36h11"
    known = sorted(calibration.markers.corners_mm) if calibration is not None else [0, 1, 2, 3]
    seen = [number for number, _ in find_marker_list(grey, family)]
    twice = sorted({number for number in seen if seen.count(number) > 1 and number in known})
    found = [number for number in known if number in seen]
    needed = "4"
    if twice:
        zh, en = f"标记 {twice} 出现两次：请收起多余的", f"the markers {twice} are there twice: take the extra ones away"
        return Check("markers", False, float(len(found)), "", needed, zh, en)
    if calibration is not None and not known:
        zh, en = "没有标记：摄像头被碰动时无法发现", "no markers: it cannot be noticed when the camera is moved"
        return Check("markers", True, 0.0, "", needed, zh, en)
    missing = [number for number in known if number not in seen]
    if missing:
        zh = f"看到 {len(found)} 个标记，缺 {missing}：请放平，避免反光和遮挡"
        en = f"{len(found)} markers seen, {missing} missing: lay them flat, without glare and nothing over them"
        return Check("markers", False, float(len(found)), "", needed, zh, en)
    return Check("markers", True, float(len(found)), "", needed, "四个标记都看到了", "all four markers are seen")
