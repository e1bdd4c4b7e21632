"""A Chinese font for printing: the machine's own, cut down to the characters that are used, as TrueType outlines."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

from kiosk.errors import KioskError

CANDIDATES: Final = (
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-{weight}.ttc", "SC"),
    ("/usr/share/fonts/noto-cjk/NotoSansCJK-{weight}.ttc", "SC"),
    ("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", "Micro Hei"),
    ("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc", "Zen Hei"),
    ("/System/Library/Fonts/PingFang.ttc", "SC"),
    ("C:/Windows/Fonts/msyh{weight}.ttc", "YaHei"),
)
"""Where a Chinese font may lie, and what its name must hold inside a collection."""
_LARGEST_ERROR: Final = 1.0
"""Of a curve, in units of the font (of a thousand)."""


def find(weight: str) -> tuple[Path, str]:
    """The file of a Chinese font; ``weight`` is Regular or Bold.

    :raises KioskError: when there is none.
    """
    for pattern, name in CANDIDATES:
        for fitting in (weight, "Regular", "" if weight == "Regular" else "bd"):
            path = Path(pattern.format(weight=fitting))
            if path.is_file():
                return path, name
    raise KioskError(
        "没有找到中文字体；请安装 Noto Sans CJK（apt install fonts-noto-cjk）",
        "there is no Chinese font; install Noto Sans CJK (apt install fonts-noto-cjk)"
    )  # fmt: skip


def subset(text: str, weight: str = "Regular") -> bytes:
    """A TrueType font with the characters of a text.

    :raises KioskError: when there is no Chinese font.
    """
    from fontTools import subset as cutting
    from fontTools.ttLib import TTCollection, TTFont

    path, name = find(weight)
    if path.suffix == ".ttc":
        members = TTCollection(str(path), lazy=True).fonts
        font = next((f for f in members if name in str(f["name"].getDebugName(4))), members[0])
    else:
        font = TTFont(str(path), lazy=True)
    options = cutting.Options(layout_features=[], name_IDs=[0, 1, 2, 4, 5, 6, 13, 14], notdef_outline=True, hinting=False, glyph_names=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "vhea", "vmtx", "VORG", "BASE"]
    cutter = cutting.Subsetter(options)
    cutter.populate(text=text + " ?")
    cutter.subset(font)
    if "CFF " in font:
        _to_truetype(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _to_truetype(font: object) -> None:
    """Put quadratic outlines in the place of cubic ones: what every reader of PDF files takes."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont, newTable

    assert isinstance(font, TTFont)
    order = font.getGlyphOrder()
    glyphs = font.getGlyphSet()
    made = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, _LARGEST_ERROR, reverse_direction=True))
        made[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = glyf = newTable("glyf")
    glyf.glyphOrder, glyf.glyphs = order, made
    for name in order:
        made[name].recalcBounds(glyf)
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    for field in (
        "maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements", "maxSizeOfInstructions",
        "maxComponentElements", "maxPoints", "maxContours", "maxCompositePoints", "maxCompositeContours", "maxComponentDepth",
    ):  # fmt: skip
        setattr(maxp, field, 1 if field == "maxZones" else 0)
    del font["CFF "]
    font["post"].formatType = 3.0
    font.sfntVersion = "\000\001\000\000"
