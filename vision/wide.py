"""The wide reader, which is asked where the reader is not sure: it sees more of the card, at jokers the whole word and a part of the picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from engine.cards import FACES, UNKNOWN
from vision.patch import PatchGeometry
from vision.reader import OpenVinoPatchNetwork, Reader
from vision.weights import WeightsError

NAME: Final = "wide"
LIST_NAME: Final = f"{NAME}.json"
MODEL_NAME: Final = f"{NAME}.onnx"
GEOMETRY: Final = PatchGeometry((64, 104), (-0.03, 0.424), (-0.03, 0.49))
"""The reader's scale, a third wider and a quarter longer."""


def load(folder: Path) -> Reader | None:
    """The wide reader of a weights folder, or None where it has none.

    :raises WeightsError: when its files are broken.
    """
    model, listed = folder / MODEL_NAME, folder / LIST_NAME
    if not model.is_file() or not listed.is_file():
        return None
    try:
        data = json.loads(listed.read_text(encoding="utf-8"))
        geometry = PatchGeometry.from_json(data["patch"])
        return Reader(OpenVinoPatchNetwork(model), (*FACES, UNKNOWN), geometry, float(data["temperature"]))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise WeightsError(f"the wide reader in {folder} cannot be loaded: {error}") from error
