"""``trickwatch calibrate``: where the table lies in the picture, whether the camera will do, and what a calibration says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.setup import Lens
    from vision.setup_checks import Check

NOT_GOOD = 1
FRAMES = 12


def register(app: typer.Typer) -> None:
    """Add the verb ``calibrate``."""
    app.command("calibrate")(calibrate)


def _fail(message: str) -> None:
    typer.echo(f"trickwatch calibrate: {message}", err=True)
    raise typer.Exit(2)


def calibrate(
    source: Annotated[str | None, typer.Argument(help="A film, a picture folder, a device number or a URL. 影片或摄像头")] = None,
    out: Annotated[Path, typer.Option(help="File to write. 写到")] = Path("table.json"),
    size: Annotated[float, typer.Option(min=20, max=200, help="Side of a marker's black square in mm. 标记边长")] = 50.0,
    spacing: Annotated[str, typer.Option(help="Measured distances between the markers' centres in mm, across x down. 标记中心距")] = "1200x740",
    clicks: Annotated[str | None, typer.Option(help="No markers: corners of the playing square, 'x,y x,y x,y x,y' from top left. 四角坐标")] = None,
    side: Annotated[float, typer.Option(min=300, max=2000, help="With --clicks: side of that square in mm. 方形边长")] = 800.0,
    straight: Annotated[
        list[str] | None,
        typer.Option(help="With --clicks: three or more points along a straight edge, 'x,y x,y x,y'; gives the lens. 桌边直线上的点"),
    ] = None,
    views: Annotated[
        Path | None, typer.Option(help="Folder of pictures of the printed sheet from several sides: gives the lens. 标记纸的多角度照片")
    ] = None,
    lens: Annotated[Path | None, typer.Option(help="Another table.json of the same camera whose lens is taken over. 沿用镜头")] = None,
    rulebook: Annotated[str | None, typer.Option(help="Rulebook of the table, kept in the file. 规则")] = None,
    habit: Annotated[str | None, typer.Option(help="The table's habit, kept in the file: auto, stack, turn or sweep. 出过的牌怎样放")] = None,
    show: Annotated[Path | None, typer.Option(help="Only say what this table.json says (with a source: whether it still fits). 只查看")] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Also write the camera's picture with seats and markers drawn in (.png or .jpg). 画出座位和标记")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences. 输出 JSON")] = False,
) -> None:
    """Find the table in the picture, by the printed markers or by four clicks, check the camera, and write table.json.

    The exit status is 0 when every check passes, 1 when one does not (the file is written all the same), 2 when the table cannot be found.
    """
    from dataclasses import replace

    from vision.calibration import CalibrationError, load, save
    from vision.camera import SourceError
    from vision.setup_checks import check, report

    if source is None and show is None:
        _fail("请给出视频来源，或用 --show 查看标定 / name a source, or give --show FILE")
    try:
        frames, fps = _frames(source) if source is not None else ([], 0.0)
        if show is not None:
            found, error = load(show), None
        else:
            found, error = _find(frames, clicks, side, straight or [], _lens(views, lens), size, spacing)
            match = found.match if rulebook is None else {**found.match, "rulebook": rulebook}
            found = replace(found, match=match, habit=habit or found.habit)
            save(found, out)
        checks = check(frames, found, fps=fps) if frames else ()
        if picture is not None and frames:
            _draw(frames[-1], found, picture)
    except (CalibrationError, SourceError, ValueError) as problem:
        _fail(str(problem))
        return
    except OSError as problem:
        _fail(f"无法读写文件 / cannot read or write {problem.filename}: {problem.strerror}")
        return
    if as_json:
        from vision.setup import describe

        typer.echo(json.dumps({**report(checks, found), "described": describe(found)}, ensure_ascii=False))
    else:
        _say(show or out, found, error, checks)
    if not all(one.ok for one in checks):
        raise typer.Exit(NOT_GOOD)


def _say(path: Path, found: Calibration, error: float | None, checks: tuple[Check, ...]) -> None:
    """The calibration and the checks in words."""
    from vision.setup import describe

    told = describe(found)
    width, height = told["size"]
    words = [f"{path}: {width}x{height}", f"{told['px_per_mm']:.2f} px/mm", f"牌宽 card width {told['card_px']:.0f} px"]
    words.append(f"镜头 lens {told['lens']}" + (f" k1 {told['distortion'][0]:+.3f}" if told["lens"] == "measured" else ""))
    words.append(f"标记 markers {told['markers'] or '–'}")
    if told["match"].get("rulebook"):
        words.append(f"规则 rulebook {told['match']['rulebook']}")
    if error is not None:
        words.append(f"±{error:.1f} mm")
    typer.echo(", ".join(words))
    for one in checks:
        figure = "" if one.figure is None else f"{one.figure:g} {one.unit} ({one.needed})".replace("  ", " ")
        typer.echo(f"{'✓' if one.ok else '✗'} {one.name:11}{figure:24} {one.zh} / {one.en}")


def _frames(source: str) -> tuple[list[Any], float]:
    """The first pictures of a source, and how many it delivers a second."""
    from vision.camera import Frame, Source

    camera = Source(source)
    out = []
    times = []
    try:
        for signal in camera.signals():
            if isinstance(signal, Frame):
                out.append(signal.image)
                times.append(signal.t)
            if len(out) >= FRAMES:
                break
    finally:
        camera.close()
    span = times[-1] - times[0] if len(times) > 1 else 0.0
    return out or [camera.first], (len(times) - 1) / span if span > 0 else 0.0


def _lens(views: Path | None, lens: Path | None) -> Lens | None:
    """The lens, measured from a folder of pictures or taken over from another calibration."""
    from vision.calibration import load
    from vision.setup import Lens, lens_of
    from vision.stills import load as picture_of

    if views is not None:
        from vision.openers import PICTURES

        files = sorted(path for path in views.iterdir() if path.suffix.lower() in PICTURES)
        return lens_of([picture_of(path) for path in files])
    if lens is not None:
        other = load(lens)
        return Lens(other.size, other.matrix, other.distortion, 0.0, 0)
    return None


def _find(
    frames: list[Any], clicks: str | None, side: float, straight: list[str], lens: Lens | None, size: float, spacing: str
) -> tuple[Calibration, float | None]:
    """The calibration, by clicks or by markers (then with its error in mm)."""
    from vision.setup import by_clicks, by_markers

    if clicks is None:
        from cli.markers import markers_at

        return by_markers(frames, markers_at(size, spacing), lens)
    corners = _points(clicks, "--clicks")
    if len(corners) != 4:
        raise ValueError(f"--clicks {clicks!r}: expected four points like '100,80 900,80 900,880 100,880'")
    return by_clicks(frames, corners, side / 2, [_points(line, "--straight") for line in straight], lens), None


def _points(text: str, option: str) -> list[list[float]]:
    try:
        points = [[float(v) for v in point.split(",")] for point in text.split()]
    except ValueError:
        points = []
    if not points or any(len(point) != 2 for point in points):
        raise ValueError(f"{option} {text!r}: expected points like '100,80 900,80 900,880'")
    return points


def _draw(image: Any, found: Calibration, path: Path) -> None:
    """Write a picture with the seats' places and the markers drawn in."""
    import cv2
    import numpy as np

    from vision.setup_checks import outlines

    drawn = image.copy()
    shapes = outlines(found)
    for name, points in [*shapes["seats"].items(), ("", shapes["centre"]), *shapes["markers"].items()]:
        corners = np.round(np.array(points)).astype(np.int32)
        cv2.polylines(drawn, [corners.reshape(-1, 1, 2)], isClosed=True, color=(60, 220, 60), thickness=2)
        x, y = corners.mean(0)
        cv2.putText(drawn, name, (int(x) - 12, int(y) + 12), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (40, 40, 255), 3)
    if not cv2.imwrite(str(path), drawn):
        raise OSError(None, "expected a name that ends in .png or .jpg", str(path))
