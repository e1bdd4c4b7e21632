"""Labelled photographs: folders of pictures with YOLO text labels, one box per visible corner index, or darknet JSON beside them."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, Card, NotationError, parse_card
from models.measure import Example, Label, Picture
from vision.stills import load

CLASSES: Final = (
    tuple(f"{rank}{suit}" for rank in ("10", *"23456789") for suit in "CDHS")
    + tuple(f"A{suit}" for suit in "CDHS")
    + ("BACK", "BLACK JOKER")
    + tuple(f"{rank}{suit}" for rank in "JKQ" for suit in "CDHS")
    + ("RED JOKER",)
)
"""Class names of the sets, in the order of their numbers, where no ``classes.yaml`` says otherwise."""

_PICTURES: Final = {".jpg", ".jpeg", ".png", ".webp"}


class PhotoSetError(ValueError):
    """A folder or label that cannot be used; the message names it."""


def face_of(name: str) -> Card | None:
    """The face that a class name means: ``10C``, ``AS``, ``BLACK JOKER``; None for a back.

    :raises PhotoSetError: when it means none.
    """
    text = name.strip().upper()
    if text == "BACK":
        return None
    if "JOKER" in text:
        return LITTLE_JOKER if "BLACK" in text else BIG_JOKER
    try:
        return parse_card(text[-1:] + text[:-1])
    except NotationError as error:
        raise PhotoSetError(f"not a class of cards: {name!r}; expected names like 10C, AS, BLACK JOKER, BACK") from error


def yolo_labels(text: str, classes: Sequence[str], width: int, height: int) -> tuple[Label, ...]:
    """Read YOLO text: a class number and a box (centre, size) or a polygon, as shares of the picture.

    :raises PhotoSetError: when a line is none.
    """
    labels = []
    for line in text.splitlines():
        parts = line.split()
        if len(parts) < 5:
            continue
        try:
            face, values = face_of(classes[int(parts[0])]), [float(v) for v in parts[1:]]
        except (ValueError, IndexError) as error:
            raise PhotoSetError(f"not a YOLO label: {line!r}") from error
        if len(values) == 4:
            x, y, w, h = values
            box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        else:
            box = (min(values[::2]), min(values[1::2]), max(values[::2]), max(values[1::2]))
        labels.append(Label(face, (box[0] * width, box[1] * height, box[2] * width, box[3] * height)))
    return tuple(labels)


def darknet_labels(data: Any, width: int, height: int) -> tuple[Label, ...]:
    """Read darknet's JSON: objects with a name and relative coordinates.

    :raises PhotoSetError: when it is none.
    """
    try:
        first = data[0] if isinstance(data, list) and data and "objects" in data[0] else data
        labels = []
        for entry in first["objects"] if isinstance(first, dict) else first:
            at = entry["relative_coordinates"]
            x, y, w, h = at["center_x"] * width, at["center_y"] * height, at["width"] * width, at["height"] * height
            labels.append(Label(face_of(entry["name"]), (x - w / 2, y - h / 2, x + w / 2, y + h / 2)))
    except (KeyError, TypeError, IndexError) as error:
        raise PhotoSetError(f"not darknet labels: {error!r} is missing") from error
    return tuple(labels)


def photo_sets(root: Path) -> dict[str, tuple[Example, ...]]:
    """The labelled sets below a folder: each subfolder with ``images`` and ``labels``, or with JSON labels beside its pictures.

    :raises PhotoSetError: when there is no such folder or no set in it.
    """
    if not root.is_dir():
        raise PhotoSetError(f"没有这个文件夹 / no such folder: {root}")
    classes = _classes(root)
    sets: dict[str, tuple[Example, ...]] = {}
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        examples = tuple(_examples(folder, classes))
        if examples:
            sets[folder.name] = examples
    if not sets:
        raise PhotoSetError(f"没有带标注的照片 / no labelled photographs in {root}; expected SET/images with SET/labels, or JSON labels beside them")
    return sets


def _examples(folder: Path, classes: Sequence[str]) -> list[Example]:
    out = []
    images = folder / "images" if (folder / "images").is_dir() else folder
    for path in sorted(images.iterdir()):
        if path.suffix.lower() not in _PICTURES:
            continue
        text = folder / "labels" / f"{path.stem}.txt"
        beside = sorted(path.parent.glob(f"{path.stem}*.json"))
        if text.is_file():
            out.append(Example(path.name, functools.partial(_load_yolo, path, text, classes)))
        elif beside:
            out.append(Example(path.name, functools.partial(_load_darknet, path, beside[0])))
    return out


def _load_yolo(path: Path, text: Path, classes: Sequence[str]) -> tuple[Picture, tuple[Label, ...]]:
    image = load(path)
    return image, yolo_labels(text.read_text(encoding="utf-8"), classes, image.shape[1], image.shape[0])


def _load_darknet(path: Path, label: Path) -> tuple[Picture, tuple[Label, ...]]:
    image = load(path)
    return image, darknet_labels(json.loads(label.read_text(encoding="utf-8")), image.shape[1], image.shape[0])


def _classes(root: Path) -> tuple[str, ...]:
    """The class names of a ``classes.yaml`` in the folder or the one above it."""
    for path in (root / "classes.yaml", root.parent / "classes.yaml"):
        if path.is_file():
            found = re.search(r"names:\s*\[(.*?)\]", path.read_text(encoding="utf-8"), re.DOTALL)
            if found:
                return tuple(name.strip().strip("'\"") for name in found.group(1).split(","))
    return CLASSES
