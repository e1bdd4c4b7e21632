"""The printable sheet of markers: an A4 page as SVG, with what to do with it in Chinese and English."""

from __future__ import annotations

from typing import Final

import cv2

from vision.calibration import Markers, dictionary

A4_MM: Final = (210, 297)
_CELLS: Final = 8
_PLACES: Final = {0: ("左上 NW", 55.0, 62.0), 1: ("右上 NE", 155.0, 62.0), 3: ("左下 SW", 55.0, 147.0), 2: ("右下 SE", 155.0, 147.0)}


def sheet_markers(size_mm: float = 50.0) -> Markers:
    """Where the markers lie on the printed sheet itself (mm from its top left), for measuring a lens with it."""
    half = size_mm / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    return Markers("36h11", size_mm, {i: tuple((cx + dx, cy + dy) for dx, dy in square) for i, (_, cx, cy) in _PLACES.items()})


def _marker(family: str, number: int, size_mm: float, cx: float, cy: float) -> str:
    """One marker as black cells, centred at a place of the page (mm)."""
    bits = cv2.aruco.generateImageMarker(dictionary(family), number, _CELLS)
    cell, left, top = size_mm / _CELLS, cx - size_mm / 2, cy - size_mm / 2
    black = [(left + x * cell, top + y * cell) for y in range(_CELLS) for x in range(_CELLS) if not bits[y][x]]
    dark = "".join(f"M{x:.4f} {y:.4f}h{cell:.4f}v{cell:.4f}h-{cell:.4f}z" for x, y in black)
    return f'<path d="{dark}" fill="#000" shape-rendering="crispEdges"/>'


def _text(x: float, y: float, words: str, size: float = 4.0, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'font-family="Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, sans-serif">{words}</text>'
    )


def sheet_svg(markers: Markers) -> str:
    """The page for four markers (ids 0 to 3) of one size, to be printed at 100 %."""
    width, height = A4_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _text(105, 14, "trickwatch 桌面标记 / table markers", 6, "middle", "bold"),
        _text(105, 21, "按 100% 打印，沿虚线剪开 / print at 100 %, cut along the dashed lines", 4, "middle"),
    ]
    half = markers.size_mm / 2 + 10
    for number, (name, cx, cy) in _PLACES.items():
        parts.append(
            f'<rect x="{cx - half}" y="{cy - half}" width="{2 * half}" height="{2 * half}" fill="none" stroke="#888" stroke-width="0.2" '
            'stroke-dasharray="2 1.5"/>'
        )
        parts.append(_marker(markers.family, number, markers.size_mm, cx, cy))
        parts.append(_text(cx, cy + markers.size_mm / 2 + 7, f"{number}  {name}", 4, "middle"))
    xs = [sum(x for x, _ in c) / 4 for c in markers.corners_mm.values()]
    ys = [sum(y for _, y in c) / 4 for c in markers.corners_mm.values()]
    wide, deep = round(max(xs) - min(xs)), round(max(ys) - min(ys))
    parts += [
        '<path d="M55 190h100M55 188v4M155 188v4" stroke="#000" stroke-width="0.3" fill="none"/>',
        _text(105, 197, "量一量：应为 100 mm / measure: this is 100 mm", 4, "middle"),
    ]
    steps = [
        "1. 摄像头装在牌桌正上方，画面要看到四家打牌的地方。",
        "    Hang the camera over the table so that the places where all four play are in view.",
        f"2. 四个标记平贴在桌上，中心相距 横 {wide} mm、竖 {deep} mm（可另量后告诉程序），不要压在打牌区里。",
        f"    Stick them flat, centres {wide} mm apart across, {deep} mm down (or measure), outside the playing square.",
        "3. 编号方向：从摄像头画面看，0 左上、1 右上、2 右下、3 左下，字都朝同一边。",
        "    As the camera sees it: 0 top left, 1 top right, 2 bottom right, 3 bottom left, all the same way up.",
        f"4. trickwatch calibrate 0 --spacing {wide}x{deep} --out table.json",
        "    然后 / then: trickwatch run --camera 0 --calibration table.json",
        "5. 避免反光；摄像头碰动后会自动重新对准。 / Avoid glare; after a bump the camera is re-registered by itself.",
    ]
    parts += [_text(18, 210 + 7.2 * i, line, 3.5) for i, line in enumerate(steps)]
    return "\n".join([*parts, "</svg>"])
