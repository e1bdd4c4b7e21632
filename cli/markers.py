"""``trickwatch markers`` and ``trickwatch calibrate``: the printed sheet, and where the table lies in the picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from vision.calibration import Calibration, Markers


def register(app: typer.Typer) -> None:
    """Add the verbs ``markers`` and ``calibrate``."""
    app.command("markers")(markers)
    app.command("calibrate")(calibrate)


def _fail(verb: str, message: str) -> None:
    typer.echo(f"trickwatch {verb}: {message}", err=True)
    raise typer.Exit(2)


def _spacing(text: str) -> tuple[float, float]:
    """Read ``1200x740``: the distances (mm) between the markers' centres."""
    parts = text.lower().replace("×", "x").split("x")
    try:
        wide, deep = (float(part) for part in parts)
    except ValueError:
        raise ValueError(f"--spacing {text!r}: expected millimetres across x down, like 1200x740") from None
    if not (100 <= wide <= 5000 and 100 <= deep <= 5000):
        raise ValueError(f"--spacing {text!r}: expected 100 to 5000 mm each way")
    return wide, deep


def _markers(size: float, spacing: str) -> Markers:
    from vision.calibration import standard_markers

    wide, deep = _spacing(spacing)
    return standard_markers(size, wide / 2, deep / 2)


def markers(
    out: Annotated[Path, typer.Option(help="File to write: .svg, .pdf or .png.")] = Path("markers.pdf"),
    size: Annotated[float, typer.Option(min=20, max=70, help="Side of a marker's black square in mm.")] = 50.0,
    spacing: Annotated[str, typer.Option(help="Distances between the markers' centres in mm, across x down.")] = "1200x740",
) -> None:
    """Write the printable A4 sheet of the four table markers, with instructions."""
    from vision.sheet import A4_MM, sheet_svg

    try:
        svg = sheet_svg(_markers(size, spacing))
    except ValueError as error:
        _fail("markers", str(error))
        return
    kind = out.suffix.lower()
    if kind not in (".svg", ".pdf", ".png"):
        _fail("markers", f"{out}: 不支持的格式 / expected a name that ends in .svg, .pdf or .png")
    try:
        if kind == ".svg":
            out.write_text(svg, encoding="utf-8")
        else:
            import io

            import resvg_py
            from PIL import Image

            dots = round(A4_MM[0] / 25.4 * 300)
            unitless = svg.replace('mm"', '"', 2)
            picture = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=unitless, width=dots)))).convert("RGB")
            if kind == ".png":
                picture.save(out, dpi=(300, 300))
            else:
                picture.save(out, resolution=300.0)
    except OSError as error:
        _fail("markers", f"无法写入 / cannot write {out}: {error.strerror or error}")
    typer.echo(f"{out}  A4, 100 %")


def calibrate(
    source: Annotated[str, typer.Argument(help="A film, a picture folder, a device number or a URL.")],
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("table.json"),
    size: Annotated[float, typer.Option(min=20, max=200, help="Side of a marker's black square in mm.")] = 50.0,
    spacing: Annotated[str, typer.Option(help="Measured distances between the markers' centres in mm, across x down.")] = "1200x740",
    clicks: Annotated[str | None, typer.Option(help="No markers: corners of the playing square, 'x,y x,y x,y x,y' from top left.")] = None,
    side: Annotated[float, typer.Option(min=300, max=2000, help="With --clicks: side of that square in mm.")] = 800.0,
    lens: Annotated[Path | None, typer.Option(help="Another table.json of the same camera whose lens is taken over.")] = None,
    rulebook: Annotated[str | None, typer.Option(help="Rulebook of the table, kept in the file.")] = None,
) -> None:
    """Find the table in the picture, by the printed markers or by four clicks, and write table.json."""
    from vision.calibration import CalibrationError, load, save
    from vision.camera import SourceError

    try:
        camera = load(lens) if lens is not None else None
        frames = _frames(source)
        if clicks is not None:
            found = _by_clicks(frames[0], clicks, side)
            error = None
        else:
            found, error = _by_markers(frames, _markers(size, spacing), camera)
    except (CalibrationError, SourceError, ValueError) as problem:
        _fail("calibrate", str(problem))
        return
    if rulebook is not None:
        from dataclasses import replace

        found = replace(found, match={**found.match, "rulebook": rulebook})
    try:
        save(found, out)
    except OSError as problem:
        _fail("calibrate", f"无法写入 / cannot write {out}: {problem.strerror or problem}")
    scale = found.px_per_mm()
    card = scale * found.card_mm[0]
    typer.echo(f"{out}: {found.size[0]}x{found.size[1]}, {scale:.2f} px/mm, 牌宽 card width {card:.0f} px" + (f", ±{error:.1f} mm" if error else ""))
    if card < 50:
        say = "牌在画面里太小（宽不到 50 px），请靠近或提高分辨率 / cards are smaller than 50 px across: move closer or raise the resolution"
        typer.echo(say, err=True)


def _frames(source: str, count: int = 5) -> list[Any]:
    """The first pictures of a source."""
    from vision.camera import Frame, Source

    camera = Source(source)
    out = []
    try:
        for signal in camera.signals():
            if isinstance(signal, Frame):
                out.append(signal.image)
            if len(out) >= count:
                break
    finally:
        camera.close()
    return out or [camera.first]


def _by_clicks(image: Any, text: str, side: float) -> Calibration:
    from vision.calibration import from_clicks

    try:
        points = [[float(v) for v in point.split(",")] for point in text.split()]
    except ValueError:
        raise ValueError(f"--clicks {text!r}: expected four points like '100,80 900,80 900,880 100,880'") from None
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise ValueError(f"--clicks {text!r}: expected four points like '100,80 900,80 900,880 100,880'")
    return from_clicks((image.shape[1], image.shape[0]), points, side / 2)


def _by_markers(frames: list[Any], known: Markers, camera: Calibration | None) -> tuple[Calibration, float]:
    """The best calibration of several pictures."""
    import cv2

    from vision.calibration import CalibrationError, from_markers

    best: tuple[Calibration, float] | None = None
    problem: CalibrationError | None = None
    for image in frames:
        try:
            found = from_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), known, (camera.matrix, camera.distortion) if camera else None)
        except CalibrationError as error:
            problem = error
            continue
        if best is None or found[1] < best[1]:
            best = found
    if best is None:
        raise problem or CalibrationError("没有画面 / no picture")
    return best
