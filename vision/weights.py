"""The folder of weights and its list, ``weights.json``: which files, which classes, which patch geometry, which temperature."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from engine.cards import FACES, UNKNOWN, Card, NotationError, parse_card
from vision.patch import PatchGeometry

LIST_NAME: Final = "weights.json"


class WeightsError(ValueError):
    """Weights that are missing, broken or of another version; the message names the file and what to do."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a weights folder holds; paths are absolute, ``None`` where a form is not shipped."""

    folder: Path
    detector_checkpoint: Path | None
    detector_openvino: Path | None
    detector_classes: tuple[str, ...]
    card_width_px: tuple[float, float]
    reader_checkpoint: Path | None
    reader_onnx: Path | None
    reader_head: Path | None
    reader_classes: tuple[Card, ...]
    temperature: float
    patch: PatchGeometry


def default_folder() -> Path:
    """The weights that come with the program."""
    return Path(str(files("models"))) / "weights"


def load(folder: Path | None = None) -> Weights:
    """Read a weights folder's list.

    :param folder: None for the weights that come with the program.
    :raises WeightsError: when the list is missing or does not make sense.
    """
    folder = (folder or default_folder()).resolve()
    path = folder / LIST_NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WeightsError(f"no weights in {folder}: {LIST_NAME} is missing; train some with `trickwatch train`") from None
    except (OSError, ValueError) as error:
        raise WeightsError(f"{path} cannot be read: {error}") from error
    try:
        return _from_json(folder, data)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise WeightsError(f"{path} is not a list of weights: {error!r}") from error


def _from_json(folder: Path, data: Mapping[str, Any]) -> Weights:
    if data["v"] != 1:
        raise ValueError(f"version {data['v']}, expected 1")
    detector, reader = data["detector"], data["reader"]
    widths = detector.get("card_width_px", [60, 140])
    return Weights(
        folder=folder,
        detector_checkpoint=_file(folder, detector.get("file")),
        detector_openvino=_model(folder, detector.get("openvino")),
        detector_classes=tuple(str(name) for name in detector.get("classes", ["index"])),
        card_width_px=(float(widths[0]), float(widths[1])),
        reader_checkpoint=_file(folder, reader.get("file")),
        reader_onnx=_file(folder, reader.get("onnx")),
        reader_head=_file(folder, reader.get("head")),
        reader_classes=_classes(reader["classes"]),
        temperature=float(reader.get("temperature", 1.0)),
        patch=PatchGeometry.from_json(reader["patch"]),
    )


def _classes(names: list[str]) -> tuple[Card, ...]:
    try:
        classes = tuple(parse_card(name, unknown=True) for name in names)
    except NotationError as error:
        raise ValueError(str(error)) from error
    if set(classes) - {UNKNOWN} != set(FACES):
        raise ValueError("the reader's classes are not the 54 faces and at most ??")
    return classes


def _file(folder: Path, name: str | None) -> Path | None:
    path = folder / name if name else None
    return path if path is not None and path.is_file() else None


def _model(folder: Path, name: str | None) -> Path | None:
    """The ``.xml`` in an exported OpenVINO folder."""
    found = sorted((folder / name).glob("*.xml")) if name else []
    return found[0] if found else None
