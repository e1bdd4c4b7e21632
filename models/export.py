"""From a trained network to the folder that the program loads: OpenVINO, checkpoint, reader, and their list ``weights.json``."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.cards import FACES, UNKNOWN
from models.patches import GEOMETRY
from vision.patch import PatchGeometry
from vision.weights import LIST_NAME

OPENVINO: Final = "detector_openvino_model"


def export_detector(checkpoint: Path, folder: Path) -> None:
    """Put a checkpoint and its OpenVINO form (any picture size, weights of 16 bits, one-to-many head) into a weights folder."""
    from ultralytics import YOLO

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "detector.pt"
        shutil.copyfile(checkpoint, copy)
        model: Any = YOLO(str(copy), task="pose")
        made = Path(str(model.export(format="openvino", dynamic=True, half=True, imgsz=640, device="cpu", verbose=False)))
        target = folder / OPENVINO
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        for file in made.iterdir():
            if file.suffix in (".xml", ".bin"):
                shutil.copyfile(file, target / f"detector{file.suffix}")
        (folder / "detector.pt").unlink(missing_ok=True)
        shutil.copyfile(copy, folder / "detector.pt")


def write_list(
    folder: Path,
    trained_on: Sequence[str],
    note: str,
    temperature: float,
    card_width_px: tuple[int, int] = (55, 150),
    geometry: PatchGeometry = GEOMETRY,
) -> None:
    """Write ``weights.json`` with the sums of the files that are there."""
    detector = ["detector.pt", *(f"{OPENVINO}/detector{suffix}" for suffix in (".xml", ".bin"))]
    reader = ["reader.pt", "reader.onnx", "reader_head.npz"]
    data = {
        "v": 1,
        "detector": {
            "file": "detector.pt",
            "openvino": OPENVINO,
            "sha256": _sums(folder, detector),
            "classes": ["index"],
            "imgsz": 640,
            "card_width_px": list(card_width_px),
        },
        "reader": {
            "file": "reader.pt",
            "onnx": "reader.onnx",
            "head": "reader_head.npz",
            "sha256": _sums(folder, reader),
            "classes": [*FACES, UNKNOWN],
            "temperature": round(temperature, 4),
            "patch": geometry.to_json(),
        },
        "trained_on": list(trained_on),
        "note": note,
    }
    (folder / LIST_NAME).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def list_network(folder: Path, list_name: str, model_name: str, geometry: PatchGeometry, **more: float) -> None:
    """Write the list of a network that has its own: the file, its sum, its patch, and what else it is read with."""
    digest = hashlib.sha256((folder / model_name).read_bytes()).hexdigest()
    listed = {"v": 1, "file": model_name, "sha256": digest, "patch": geometry.to_json(), **more}
    (folder / list_name).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _sums(folder: Path, names: Sequence[str]) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names if (folder / name).is_file()}
