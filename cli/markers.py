"""``trickwatch markers``: the printed sheet of the table's markers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vision.calibration import Markers


def register(app: typer.Typer) -> None:
    """Add the verb ``markers``."""
    app.command("markers")(markers)


def _fail(message: str) -> None:
    typer.echo(f"trickwatch markers: {message}", err=True)
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


def markers_at(size: float, spacing: str) -> Markers:
    """The four markers of a size (mm) at measured distances ``1200x740`` (mm).

    :raises ValueError: when the distances cannot be read.
    """
    from vision.calibration import standard_markers

    wide, deep = _spacing(spacing)
    return standard_markers(size, wide / 2, deep / 2)


def markers(
    out: Annotated[Path, typer.Option(help="File to write: .svg, .pdf or .png. 写到")] = Path("markers.pdf"),
    size: Annotated[float, typer.Option(min=20, max=70, help="Side of a marker's black square in mm. 标记边长")] = 50.0,
    spacing: Annotated[str, typer.Option(help="Distances between the markers' centres in mm, across x down. 标记中心距")] = "1200x740",
) -> None:
    """Write the printable A4 sheet of the four table markers, with instructions."""
    from vision.sheet import A4_MM, sheet_svg

    try:
        svg = sheet_svg(markers_at(size, spacing))
    except ValueError as error:
        _fail(str(error))
        return
    kind = out.suffix.lower()
    if kind not in (".svg", ".pdf", ".png"):
        _fail(f"{out}: 不支持的格式 / expected a name that ends in .svg, .pdf or .png")
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
        _fail(f"无法写入 / cannot write {out}: {error.strerror or error}")
    typer.echo(f"{out}  A4, 100 %")
