"""Card art: decks of 54 faces and a back, from Debian packages, npm packages, folders of pictures, or drawn.

A source is a name (``anglo_poker``, ``kde/oxygen``, ``npm/svg-cards``, ``drawn/17``) or a path to a folder of pictures or to
a theme file (``.svgz``, ``.svg``: five rows of thirteen). Packages are fetched once by the ordinary clients (``apt-get download``,
``npm pack``), unpacked into the user's cache and never installed; the rendered faces are cached beside them.
"""

from __future__ import annotations

import functools
import gzip
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, RANKS, Card, Suit

Pixels = NDArray[np.uint8]

FACE_W: Final = 315
FACE_H: Final = 440
"""Size of a face in pixels: five pixels a millimetre of a 63 x 88 mm card."""

GNOME: Final = (
    "anglo", "anglo_modern", "anglo_modern_4_color", "anglo_poker", "atlasnye", "bellot", "dondorf", "gnomangelo",
    "guyenne-classic", "neoclassical", "neoclassical_4_color", "ornamental", "paris", "plastic", "simplistic", "tango",
    "tango_nuevo", "tigullio",
)  # fmt: skip
"""Themes of ``gnome-cards-data`` with French suits and the ranks 2..10 J Q K A."""
KDE: Final = (
    "jolly-royal", "nicu-white",
)  # fmt: skip
"""Themes of ``kdegames-card-data-kf5`` with French suits, sharp indices and suits in their usual colours."""
NPM: Final = ("svg-cards", "younestouati", "heruka-2color", "heruka-2color-bf", "heruka-4color", "heruka-4color-bf")
"""Decks from the npm registry's packages."""

_NPM_PACKAGES: Final = {
    "svg-cards": "svg-cards",
    "younestouati": "@younestouati/playing-cards-standard-deck",
    "heruka": "@heruka_urgyen/react-playing-cards",
}
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".svg")


class ArtError(ValueError):
    """A deck that cannot be had; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Deck:
    """The pictures of one pack.

    :ivar name: where it came from.
    :ivar faces: the 54 faces, each RGBA, ``FACE_H x FACE_W x 4``.
    :ivar back: its back, the same shape.
    :ivar drawn: the faces that the source lacks and that were drawn here in its style (jokers, mostly).
    :ivar bare: the faces that have no index in their corners (some jokers).
    :ivar indices: where the top left indices stand (x0, y0, x1, y1, pixels of the face), of the faces of which the source knows it.
    """

    name: str
    faces: Mapping[Card, Pixels]
    back: Pixels
    drawn: frozenset[Card] = frozenset()
    bare: frozenset[Card] = frozenset()
    indices: Mapping[Card, tuple[int, int, int, int]] = field(default_factory=dict)


def cache_dir() -> Path:
    """The folder for fetched art: ``$TRICKWATCH_CACHE`` or the user's cache directory."""
    root = os.environ.get("TRICKWATCH_CACHE")
    base = Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))) / "trickwatch"
    return base / "art"


def known_decks() -> tuple[str, ...]:
    """Names of every deck that can be fetched."""
    return (*GNOME, *(f"kde/{name}" for name in KDE), *(f"npm/{name}" for name in NPM))


def load_deck(source: str | Path) -> Deck:
    """Load a deck by name or from a folder or theme file.

    :raises ArtError: when the name is unknown, a package cannot be fetched, or a folder lacks faces.
    """
    text = str(source)
    if text.startswith("drawn/"):
        from datasets.drawn import draw_deck

        return draw_deck(int(text.removeprefix("drawn/")))
    if text in known_decks():
        return _cached(text)
    path = Path(source)
    if path.is_dir():
        return _complete(text, _folder(path))
    if path.is_file() and path.suffix.lower() in (".svgz", ".svg"):
        return _complete(text, _grid(path))
    raise ArtError(f"no card art {text!r}: expected a folder of pictures, a theme file .svgz, drawn/SEED, or one of: {', '.join(known_decks())}")


def _cached(name: str) -> Deck:
    sheet = cache_dir() / "faces-3" / (name.replace("/", "-") + ".png")
    if sheet.exists():
        picture = cv2.imread(str(sheet), cv2.IMREAD_UNCHANGED)
        if picture is not None and picture.shape == (5 * FACE_H, 13 * FACE_W, 4):
            return _complete(name, _cut(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA)))
    found = _fetch(name)
    out = np.zeros((5 * FACE_H, 13 * FACE_W, 4), np.uint8)
    for key, picture in found.items():
        row, col = _place(key)
        out[row * FACE_H : (row + 1) * FACE_H, col * FACE_W : (col + 1) * FACE_W] = picture
    sheet.parent.mkdir(parents=True, exist_ok=True)
    part = sheet.with_name(f".{os.getpid()}-{sheet.name}")
    cv2.imwrite(str(part), cv2.cvtColor(out, cv2.COLOR_RGBA2BGRA), [cv2.IMWRITE_PNG_COMPRESSION, 2])
    part.replace(sheet)
    return _complete(name, found)


def _place(key: str) -> tuple[int, int]:
    if key == "back":
        return 4, 2
    if key in (LITTLE_JOKER, BIG_JOKER):
        return 4, 0 if key == LITTLE_JOKER else 1
    order = [Card(suit + rank) for suit in Suit for rank in RANKS]
    return divmod(order.index(Card(key)), 13)


def _cut(sheet: Pixels) -> dict[str, Pixels]:
    found: dict[str, Pixels] = {}
    for key in (*FACES, "back"):
        row, col = _place(key)
        picture = np.ascontiguousarray(sheet[row * FACE_H : (row + 1) * FACE_H, col * FACE_W : (col + 1) * FACE_W])
        if picture[..., 3].any():
            found[key] = picture
    return found


def _fetch(name: str) -> dict[str, Pixels]:
    if name in GNOME:
        return _grid(_debian("gnome-cards-data") / "usr/share/aisleriot/cards" / f"{name}.svgz")
    kind, _, deck = name.partition("/")
    if kind == "kde":
        folder = _debian("kdegames-card-data-kf5") / "usr/share/carddecks" / f"svg-{deck}"
        return _by_id(next(iter(folder.glob("*.svgz"))))
    package = _npm(_NPM_PACKAGES[deck.partition("-")[0] if deck.startswith("heruka") else deck])
    if deck == "svg-cards":
        return _by_use(package / "svg-cards.svg")
    if deck == "younestouati":
        return _folder(package / "cards", plain_joker=True)
    found = _folder(package / "src/images" / deck.removeprefix("heruka-"))
    back = package / "src/images/back.svg"
    if back.exists():
        found["back"] = _fit(_render(back.read_text(), FACE_W * 2))
    return found


def _run(command: list[str], folder: Path, what: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    except FileNotFoundError as error:
        raise ArtError(f"{what} needs the program {command[0]!r}, which is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise ArtError(f"{what}: {' '.join(command)} did not end within 300 s") from error
    if done.returncode:
        raise ArtError(f"{what}: {' '.join(command)} failed: {done.stderr.strip()[-400:] or 'no message'}")


def debian_package(name: str) -> Path:
    """Fetch and unpack (not install) a Debian package; gives the folder that it was unpacked to.

    :raises ArtError: when it cannot be fetched.
    """
    return _debian(name)


def _debian(name: str) -> Path:
    folder = cache_dir() / "debian" / name
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _run(["apt-get", "download", name], folder, f"fetching {name}")
        for file in folder.glob("*.deb"):
            _run(["dpkg", "-x", file.name, "."], folder, f"unpacking {name}")
            file.unlink()
        (folder / "done").touch()
    return folder


def _npm(name: str) -> Path:
    folder = cache_dir() / "npm" / name.replace("/", "_").replace("@", "")
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _run(["npm", "pack", "--silent", name], folder, f"fetching {name}")
        for file in folder.glob("*.tgz"):
            _run(["tar", "xzf", file.name], folder, f"unpacking {name}")
            file.unlink()
        (folder / "done").touch()
    return folder / "package"


def _render(svg: str, width: int, style: str | None = None) -> Pixels:
    import resvg_py

    try:
        png = resvg_py.svg_to_bytes(svg_string=svg, width=width, style_sheet=style, dpi=96.0)
    except ValueError as error:
        raise ArtError(f"an SVG cannot be drawn: {error}") from error
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ArtError("an SVG cannot be drawn: no picture came out")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA), np.uint8)


def _read_svg(path: Path) -> str:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
    return re.sub(r"<!DOCTYPE[^>\[]*>", "", text)


def _fit(picture: Pixels) -> Pixels:
    """Cut away what is transparent around the card and bring it to the size of a face."""
    solid = picture[..., 3] > 128
    rows, cols = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    if len(rows) < 10 or len(cols) < 10:
        raise ArtError("a face is empty")
    cut = picture[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    how = cv2.INTER_AREA if cut.shape[1] > FACE_W else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(cut, (FACE_W, FACE_H), interpolation=how), np.uint8)


_OUTLINE: Final = 5
"""Pixels of a theme's printed outline; a real card ends without one."""


def _shave(picture: Pixels) -> Pixels:
    cut = picture[_OUTLINE:-_OUTLINE, _OUTLINE:-_OUTLINE]
    return np.asarray(cv2.resize(cut, (FACE_W, FACE_H), interpolation=cv2.INTER_CUBIC), np.uint8)


@functools.cache
def _outline() -> Pixels:
    """The coverage of a card with corners of 3.5 mm radius."""
    r = round(3.5 * FACE_W / 63) * 4
    mask = np.zeros((FACE_H * 4, FACE_W * 4), np.uint8)
    cv2.rectangle(mask, (r, 0), (FACE_W * 4 - r - 1, FACE_H * 4), 255, -1)
    cv2.rectangle(mask, (0, r), (FACE_W * 4, FACE_H * 4 - r - 1), 255, -1)
    for x in (r, FACE_W * 4 - r - 1):
        for y in (r, FACE_H * 4 - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(mask, (FACE_W, FACE_H), interpolation=cv2.INTER_AREA), np.uint8)


def rounded(picture: Pixels) -> Pixels:
    """Give a card the rounded corners of a real one, whatever its picture had, on its own paper's colour."""
    out = picture.copy()
    thin = picture[..., 3] < 250
    if thin.any():
        edge = picture[3:12, 60:-60]
        solid = edge[..., 3] > 250
        paper = np.median(edge[solid], axis=0)[:3] if solid.any() else np.array([255.0, 255.0, 255.0])
        opaque = picture[thin][:, 3:].astype(np.float32) / 255
        out[thin, :3] = (picture[thin][:, :3] * opaque + paper * (1 - opaque)).astype(np.uint8)
    out[..., 3] = _outline()
    return out


def _grid(path: Path) -> dict[str, Pixels]:
    """Read a theme of five rows (clubs, diamonds, hearts, spades; black joker, red joker, back) of thirteen (A 2 .. K)."""
    sheet = _render(_read_svg(path), FACE_W * 13)
    found: dict[str, Pixels] = {}
    for row, suit in enumerate("CDHS"):
        for col, rank in enumerate(("A", *RANKS[:-1])):
            found[suit + rank] = _cell(sheet, row, col)
    for col, key in enumerate((str(LITTLE_JOKER), str(BIG_JOKER), "back")):
        try:
            found[key] = _cell(sheet, 4, col)
        except ArtError:
            continue
    return found


def _cell(sheet: Pixels, row: int, col: int) -> Pixels:
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13
    return _shave(_fit(sheet[round(row * height) : round((row + 1) * height), round(col * width) : round((col + 1) * width)]))


_ID_RANKS: Final[Mapping[str, str]] = dict(zip(RANKS, (*map(str, range(2, 11)), "jack", "queen", "king", "1"), strict=True))
_ID_SUITS: Final = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}


def _by_id(path: Path) -> dict[str, Pixels]:
    """Read a drawing in which every card is an element with an id: ``1_spade``, ``jack_heart`` or ``heart_jack``, ``back``."""
    svg = _read_svg(path)
    ids = set(re.findall(r'id="([\w-]+)"', svg))
    whole: Pixels | None = None
    found: dict[str, Pixels] = {}
    zoom = 4
    for key in (*FACES, "back"):
        for name in _ids_of(key):
            if name not in ids:
                continue
            # a small picture of this card alone says where it lies in the large picture of everything
            alone = _render(svg, _SMALL * 13, f'* {{visibility:hidden}} [id="{name}"], [id="{name}"] * {{visibility:visible}}')
            rows, cols = np.flatnonzero((alone[..., 3] > 100).any(1)), np.flatnonzero((alone[..., 3] > 100).any(0))
            if len(rows) < 20 or len(cols) < 14:
                continue
            if whole is None:
                zoom = max(1, round(FACE_W / (cols[-1] - cols[0] + 1)))
                whole = _render(svg, _SMALL * 13 * zoom)
            part = whole[max(0, (rows[0] - 1) * zoom) : (rows[-1] + 2) * zoom, max(0, (cols[0] - 1) * zoom) : (cols[-1] + 2) * zoom]
            found[key] = _fit(part)
            break
    return found


def _by_use(path: Path) -> dict[str, Pixels]:
    """Read a drawing of one card's size that defines every card under an id and shows none: each is shown in turn."""
    svg = _read_svg(path)
    ids = set(re.findall(r'id="([\w-]+)"', svg))
    end = svg.rindex("</svg>")
    found: dict[str, Pixels] = {}
    for key in (*FACES, "back"):
        name = next((name for name in _ids_of(key) if name in ids), None)
        if name is not None:
            found[key] = _fit(_render(f'{svg[:end]}<use xlink:href="#{name}" fill="{"#1a4f9c" if key == "back" else "#000000"}"/></svg>', FACE_W * 2))
    return found


_SMALL: Final = 80
"""Width in pixels of a card in the pictures that only tell where it lies, if thirteen fill the drawing."""


def _ids_of(key: str) -> tuple[str, ...]:
    if key == "back":
        return ("back", "alternate-back")
    if key in (LITTLE_JOKER, BIG_JOKER):
        colour = "black" if key == LITTLE_JOKER else "red"
        return (f"{colour}_joker", f"joker_{colour}")
    rank, suit = _ID_RANKS[key[1:]], _ID_SUITS[key[0]]
    return (f"{rank}_{suit}", f"{suit}_{rank}", f"{suit}-{rank}", f"{rank}-{suit}")


_WORDS: Final = {
    "ace": "A", "one": "A", "1": "A", "01": "A", "14": "A", "a": "A", "t": "10", "ten": "10", "10": "10", "11": "J", "12": "Q", "13": "K",
    "j": "J", "q": "Q", "k": "K", "jack": "J", "queen": "Q", "king": "K", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", **{str(n): str(n) for n in range(2, 10)}, **{f"0{n}": str(n) for n in range(2, 10)},
}  # fmt: skip
_SUIT_WORDS: Final = {"s": "S", "h": "H", "d": "D", "c": "C", "spade": "S", "heart": "H", "diamond": "D", "club": "C", "clover": "C"}


def parse_face(stem: str) -> str | None:
    """Read the face out of a file's name without its ending: ``SA``, ``AS``, ``10c``, ``ace_of_spades``, ``black_joker``, ``back``.

    :returns: a card, ``back``, or None when the name says neither.
    """
    words = [word for word in re.split(r"[^a-z0-9]+", stem.lower()) if word and word != "of"]
    text = "".join(words)
    if "joker" in text or text in ("lj", "bj", "rj"):
        big = any(word in text for word in ("red", "big", "color", "colour", "large")) or text in ("bj", "rj", "joker1")
        return str(BIG_JOKER if big else LITTLE_JOKER)
    if "back" in text:
        return "back"
    if len(words) == 2:
        for rank, suit in (words, words[::-1]):
            key = _SUIT_WORDS.get(suit) or _SUIT_WORDS.get(suit.removesuffix("s"))
            if key and rank in _WORDS:
                return key + _WORDS[rank]
    if len(words) == 1:
        match = re.fullmatch(r"(\d{1,2}|[tjqka])([shdc])", text) or re.fullmatch(r"([shdc])(\d{1,2}|[tjqka])", text)
        if match:
            first, second = match.groups()
            rank, suit = (second, first) if first in "shdc" else (first, second)
            return _SUIT_WORDS[suit] + _WORDS[rank] if rank in _WORDS else None
    return None


def _folder(path: Path, *, plain_joker: bool = False) -> dict[str, Pixels]:
    found: dict[str, Pixels] = {}
    for file in sorted(path.iterdir()):
        key = parse_face(file.stem) if file.suffix.lower() in _PICTURES else None
        if key is None or key in found or (plain_joker and file.stem == "joker"):
            continue
        if file.suffix.lower() == ".svg":
            found[key] = _fit(_render(_read_svg(file), FACE_W * 2))
            continue
        picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
        if picture is None:
            raise ArtError(f"{file}: not a picture that can be read")
        if picture.ndim == 2:
            picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        if picture.shape[2] == 3:
            picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        found[key] = _fit(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA), np.uint8))
    return found


def _complete(name: str, found: Mapping[str, Pixels]) -> Deck:
    """Draw in its style what a source lacks: jokers that cannot be told apart by an index, and the back.

    :raises ArtError: when suited faces are missing.
    """
    from datasets.drawn import back_for, jokers_for

    missing = [card for card in FACES if card not in found and card not in (LITTLE_JOKER, BIG_JOKER)]
    if missing:
        raise ArtError(f"{name}: no picture of {' '.join(missing)}; expected one for each of the 52 suited cards")
    faces: dict[Card, Pixels] = {}
    for card in FACES:
        if card in found:
            faces[card] = rounded(found[card])
    indices = {}
    if name in JOKERS_ALIKE or not {LITTLE_JOKER, BIG_JOKER} <= set(faces):
        for card, (face, box) in jokers_for(name, faces).items():
            faces[card] = rounded(face)
            if box is not None:
                indices[card] = box
    back = rounded(found["back"] if "back" in found else back_for(name))
    return Deck(name, {card: faces[card] for card in FACES}, back, frozenset(indices), indices=indices)


JOKERS_ALIKE: Final = frozenset({"dondorf", "tango"})
"""Decks whose own jokers cannot be told apart by their corners; they get drawn ones."""
