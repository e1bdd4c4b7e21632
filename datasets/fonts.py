"""The fonts that decks are drawn with: Debian's font packages, fetched and unpacked into the cache, not installed."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.art import ArtError, cache_dir, debian_package

PACKAGES: Final = (
    "fonts-adf-accanthis", "fonts-adf-baskervald", "fonts-adf-berenis", "fonts-adf-gillius", "fonts-adf-ikarius", "fonts-adf-libris",
    "fonts-adf-romande", "fonts-adf-solothurn", "fonts-adf-switzera", "fonts-adf-tribun", "fonts-adf-universalis", "fonts-allerta",
    "fonts-arapey", "fonts-averia-sans-gwf", "fonts-averia-serif-gwf", "fonts-b612", "fonts-bebas-neue", "fonts-cabin", "fonts-cantarell",
    "fonts-cardo", "fonts-century-catalogue", "fonts-clear-sans", "fonts-cmu", "fonts-comic-neue", "fonts-courier-prime",
    "fonts-crosextra-caladea", "fonts-crosextra-carlito", "fonts-dejavu-core", "fonts-dejavu-extra", "fonts-dosis", "fonts-ebgaramond",
    "fonts-freefont-ttf", "fonts-gfs-bodoni-classic", "fonts-gfs-didot", "fonts-goudybookletter", "fonts-junction", "fonts-jura",
    "fonts-karla", "fonts-lato", "fonts-league-spartan", "fonts-levien-typoscript", "fonts-liberation", "fonts-linuxlibertine",
    "fonts-lobstertwo", "fonts-manrope", "fonts-national-park", "fonts-oldstandard", "fonts-open-sans", "fonts-opendin", "fonts-play",
    "fonts-prociono", "fonts-quattrocento", "fonts-quicksand", "fonts-roadgeek", "fonts-roboto-slab", "fonts-roboto-unhinted",
    "fonts-sil-charis", "fonts-symbola", "fonts-texgyre", "fonts-tiresias", "fonts-ubuntu-title", "fonts-urw-base35", "fonts-vollkorn",
    "fonts-yanone-kaffeesatz",
)  # fmt: skip
"""Packages of Latin text faces; display faces whose figures cannot be told apart are left out."""

_UNFIT: Final = ("dingbat", "symbol", "standardsymbols", "d050", "p052-i", "ornament", "initial", "oblique", "math", "mono-b", "thin", "hairline")
_SIGNS: Final = "23456789JQKA"


def held_out(path: Path) -> bool:
    """Whether a font is kept for evaluation: its name's hash ends in 0 (``datasets/splits.toml``)."""
    return int(hashlib.sha256(path.stem.encode()).hexdigest(), 16) % 10 == 0


@functools.cache
def text_fonts() -> tuple[Path, ...]:
    """Every fit font file, sorted by name.

    :raises ArtError: when no package of :data:`PACKAGES` can be fetched.
    """
    listed = cache_dir() / "fonts.txt"
    if listed.exists():
        known = tuple(Path(line) for line in listed.read_text().splitlines())
        if known and all(file.exists() for file in known):
            return known
    found: dict[str, Path] = {}
    for package in PACKAGES:
        try:
            folder = debian_package(package)
        except ArtError:
            continue
        for file in sorted((*folder.rglob("*.ttf"), *folder.rglob("*.otf"))):
            if not any(word in file.stem.lower() for word in _UNFIT) and _fit(file):
                found.setdefault(file.stem, file)
    if not found:
        raise ArtError("no fonts: none of the Debian font packages can be fetched with apt-get; run apt-get update and try again")
    fit = tuple(found[name] for name in sorted(found))
    listed.write_text("\n".join(map(str, fit)))
    return fit


@functools.cache
def pip_fonts() -> tuple[Path, ...]:
    """The fonts among them that draw the four suit signs, each as what it is (some old fonts have them swapped)."""
    pattern = next(file for file in text_fonts() if file.stem == "DejaVuSans")
    return tuple(file for file in text_fonts() if _fit(file, SUIT_SIGNS) and _agrees(file, pattern))


SUIT_SIGNS: Final = "♠♥♦♣"


def _shape(file: Path, sign: str) -> NDArray[np.float64]:
    picture = Image.new("L", (160, 160))
    ImageDraw.Draw(picture).text((40, 20), sign, font=ImageFont.truetype(str(file), 80), fill=255)
    shape = np.asarray(picture.crop(picture.getbbox()).resize((24, 24)), np.float64)
    return np.asarray(shape - shape.mean(), np.float64)


def _agrees(file: Path, pattern: Path) -> bool:
    likeness = np.array([[float((_shape(file, a) * _shape(pattern, b)).sum()) for b in SUIT_SIGNS] for a in SUIT_SIGNS])
    filled = all(_shape(file, sign)[11:13, 11:13].min() > 0 for sign in SUIT_SIGNS)
    return filled and bool((likeness.argmax(1) == np.arange(4)).all())


def _fit(file: Path, signs: str = _SIGNS) -> bool:
    """Whether a font draws each of the signs, and each differently."""
    try:
        font = ImageFont.truetype(str(file), 24)
    except OSError:
        return False
    seen: set[bytes] = {_drawn(font, "\uffff"), _drawn(font, " ")}
    for sign in signs:
        drawn = _drawn(font, sign)
        if drawn in seen:
            return False
        seen.add(drawn)
    return True


def _drawn(font: ImageFont.FreeTypeFont, sign: str) -> bytes:
    picture = Image.new("L", (48, 48))
    ImageDraw.Draw(picture).text((8, 6), sign, font=font, fill=255)
    return picture.tobytes()
