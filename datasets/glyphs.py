"""Writing on drawn cards: glyphs stretched to a size, stacked or side by side, and a star."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]


@functools.lru_cache(maxsize=128)
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


def glyphs(text: str, path: Path, colour: Colour, height: float, width: float | None, bold: int = 0) -> Image.Image:
    """Draw a text and stretch it to a height and, if given, at most a width (pixels)."""
    font = _font(path, 120)
    picture = Image.new("L", (int(font.getlength(text)) + 120, 300))
    ImageDraw.Draw(picture).text((50, 60), text, font=font, fill=255, stroke_width=bold * 3)
    box = picture.getbbox()
    if box is None:
        box = (0, 0, 10, 10)
    picture = picture.crop(box)
    scale = height / picture.height
    wide = picture.width * scale if width is None else min(picture.width * scale * 1.15, width)
    size = (max(4, round(wide)), max(4, round(height)))
    out = Image.new("RGBA", size, (*colour, 0))
    out.putalpha(picture.resize(size, Image.Resampling.LANCZOS))
    return out


def stack(parts: list[Image.Image], gap: float, *, beside: bool = False) -> Image.Image:
    """Put pictures under each other on one axis, or beside each other, ``gap`` pixels apart."""
    space = round(gap)
    if beside:
        out = Image.new("RGBA", (sum(p.width for p in parts) + space * (len(parts) - 1), max(p.height for p in parts)))
        x = 0
        for part in parts:
            out.paste(part, (x, 0), part)
            x += part.width + space
        return out
    out = Image.new("RGBA", (max(p.width for p in parts), sum(p.height for p in parts) + space * (len(parts) - 1)))
    y = 0
    for part in parts:
        out.paste(part, ((out.width - part.width) // 2, y), part)
        y += part.height + space
    return out


def star(size: int, colour: Colour, paper: Colour) -> Image.Image:
    """A disc with a star cut out of it, ``size`` pixels wide."""
    out = Image.new("RGBA", (size * 4, size * 4))
    pen = ImageDraw.Draw(out)
    pen.ellipse((0, 0, size * 4 - 1, size * 4 - 1), fill=(*colour, 255))
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    radii = np.where(np.arange(10) % 2 == 0, 1.7, 0.7) * size
    pen.polygon([(size * 2 + r * np.cos(a), size * 2 + r * np.sin(a)) for r, a in zip(radii, angles, strict=True)], fill=(*paper, 255))
    return out.resize((size, size), Image.Resampling.LANCZOS)


@functools.cache
def chinese() -> Path | None:
    """A font of the machine with Chinese signs, or None."""
    for file in (Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"), Path("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc")):
        if file.exists():
            return file
    return None
