"""Where indices are: a YOLO pose model that boxes every visible corner index and gives its card's four corners.

The network runs through OpenVINO on a CPU, through PyTorch on a CUDA device or where OpenVINO is missing. Both give the same raw
output, which is decoded here, because ordinary suppression by box overlap would delete neighbours in a dense fan.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patch import Image
from vision.processor import compiled
from vision.weights import WeightsError

Floats = NDArray[np.float32]

_STEP: Final = 64
"""Pictures are filled up to multiples of this many pixels: for each new size the network makes a plan, which takes up to a third of a second."""
_PAD_VALUE: Final = 114
_THRESHOLD: Final = 0.1
_SAME_INDEX: Final = 0.085
"""Two candidates nearer than this many card widths show the same index; identical cards fanned by 8 mm are 0.127 apart."""
_SAME_TURN_DEG: Final = 40.0
_CANDIDATES: Final = 3000


@dataclass(frozen=True, slots=True)
class Detections:
    """N indices: ``boxes`` Nx4 (x0, y0, x1, y1), ``quads`` Nx4x2 card corners as seen from the index, ``scores`` N in 0..1; pixels."""

    boxes: Floats
    quads: Floats
    scores: Floats

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def none(cls) -> Detections:
        """No index at all."""
        return cls(np.zeros((0, 4), np.float32), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    @classmethod
    def join(cls, parts: Sequence[Detections]) -> Detections:
        """Put several together, without suppression."""
        if not parts:
            return cls.none()
        return cls(np.concatenate([p.boxes for p in parts]), np.concatenate([p.quads for p in parts]), np.concatenate([p.scores for p in parts]))

    def take(self, index: Any) -> Detections:
        """Those that a numpy index or mask picks."""
        return Detections(self.boxes[index], self.quads[index], self.scores[index])

    def moved(self, scale: float, dx: float, dy: float) -> Detections:
        """Pixels of a part turned into pixels of the whole: ``p * scale + (dx, dy)``."""
        shift = np.array([dx, dy], np.float32)
        return Detections(self.boxes * np.float32(scale) + np.tile(shift, 2), self.quads * np.float32(scale) + shift, self.scores)

    @property
    def centres(self) -> Floats:
        """Nx2: the middle of each index."""
        return np.asarray((self.boxes[:, :2] + self.boxes[:, 2:]) / 2, np.float32)

    @property
    def widths(self) -> Floats:
        """N: the card's width in pixels, from the four sides (length counts as 88/63 of the width)."""
        return card_widths(self.quads)


def card_widths(quads: Floats) -> Floats:
    """N: each card's width in pixels; the larger of what its ends and its sides say, so that foreshortening does not shrink it."""
    sides = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2)
    return np.asarray(np.maximum((sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2 * (63 / 88)), np.float32)


class Network(Protocol):
    """What runs the pose model."""

    name: str

    def __call__(self, batch: Floats) -> Floats:
        """Bx3xHxW RGB in 0..1, H and W multiples of 32, to the raw output Bx(4 + classes + 12)xN."""
        ...


class OpenVinoNetwork:
    """The exported model on a CPU, in bfloat16 where the processor has it."""

    def __init__(self, model: Path) -> None:
        # Coordinates come out in single precision; only the convolutions are rounded (a pixel at most on keypoints).
        self._compiled, self.name = compiled(model)

    def __call__(self, batch: Floats) -> Floats:
        """Run a batch; see :class:`Network`."""
        return np.asarray(self._compiled(batch)[0], np.float32)


class TorchNetwork:
    """The ultralytics checkpoint through PyTorch, on CUDA where there is one."""

    def __init__(self, checkpoint: Path) -> None:
        import torch
        from ultralytics import YOLO

        self._torch: Any = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        yolo: Any = YOLO(str(checkpoint), task="pose")
        self._model: Any = yolo.model.to(self._device).float().eval()
        self._model.fuse(verbose=False)
        self.name = f"PyTorch {self._device}"

    def __call__(self, batch: Floats) -> Floats:
        """Run a batch; see :class:`Network`."""
        with self._torch.inference_mode():
            output: Any = self._model(self._torch.from_numpy(batch).to(self._device))
        while isinstance(output, tuple | list):
            output = output[0]
        return np.asarray(output.float().cpu().numpy(), np.float32)


def open_network(openvino_model: Path | None, checkpoint: Path | None) -> Network:
    """Choose what runs the detector: CUDA if there is one, else OpenVINO, else PyTorch.

    :raises WeightsError: when neither can be loaded.
    """
    if checkpoint is not None and checkpoint.is_file() and _cuda():
        return TorchNetwork(checkpoint)
    why = "no exported model"
    if openvino_model is not None and openvino_model.is_file():
        try:
            return OpenVinoNetwork(openvino_model)
        except (ImportError, RuntimeError) as error:
            why = str(error)
    if checkpoint is not None and checkpoint.is_file():
        return TorchNetwork(checkpoint)
    raise WeightsError(f"the detector cannot be loaded: OpenVINO says {why!r} and there is no checkpoint at {checkpoint}")


def _cuda() -> bool:
    """Ask for a CUDA device without loading PyTorch where no driver is."""
    if not Path("/proc/driver/nvidia").exists() and os.name == "posix":
        return False
    import torch

    return bool(torch.cuda.is_available())


class Detector:
    """Finds indices in pictures of any size; ``classes`` is the number of classes before the keypoints, of which the first is *index*."""

    def __init__(self, network: Network, classes: int = 1) -> None:
        self.network = network
        self._classes = classes

    def detect(self, image: Image, threshold: float = _THRESHOLD) -> Detections:
        """Find indices in one BGR picture, at the resolution given."""
        return self.detect_many([image], threshold)[0]

    def detect_many(self, images: Sequence[Image], threshold: float = _THRESHOLD) -> list[Detections]:
        """Find indices in several BGR pictures; pictures of one size run together."""
        results: list[Detections] = [Detections.none()] * len(images)
        by_shape: dict[tuple[int, int], list[int]] = {}
        for i, image in enumerate(images):
            by_shape.setdefault((_padded(image.shape[0]), _padded(image.shape[1])), []).append(i)
        for (height, width), members in by_shape.items():
            for start in range(0, len(members), 4):
                part = members[start : start + 4]
                batch = np.full((len(part), height, width, 3), _PAD_VALUE, np.uint8)
                for row, i in enumerate(part):
                    batch[row, : images[i].shape[0], : images[i].shape[1]] = images[i]
                blob = cv2.dnn.blobFromImages(list(batch), 1 / 255, swapRB=True)
                for i, raw in zip(part, self.network(np.asarray(blob, np.float32)), strict=True):
                    results[i] = suppress(self._decode(raw, threshold))
        return results

    def _decode(self, raw: Floats, threshold: float) -> Detections:
        scores = raw[4]
        picked = np.flatnonzero(scores >= threshold)
        if len(picked) > _CANDIDATES:
            picked = picked[np.argsort(scores[picked])[-_CANDIDATES:]]
        rows = raw[:, picked]
        half = rows[2:4] / 2
        boxes = np.concatenate([rows[:2] - half, rows[:2] + half]).T
        first = 4 + self._classes
        quads = np.stack([rows[first : first + 12 : 3], rows[first + 1 : first + 12 : 3]], 2).transpose(1, 0, 2)
        return Detections(boxes.astype(np.float32), quads.astype(np.float32), scores[picked].astype(np.float32))


def suppress(found: Detections, same: float = _SAME_INDEX) -> Detections:
    """Merge candidates of one index: near in card widths and turned alike, whatever their boxes overlap.

    Those merged are averaged with their scores as weights, which steadies the corners.
    """
    if len(found) == 0:
        return found
    order = np.argsort(-found.scores, kind="stable")
    centres, quads, scores = found.centres[order], found.quads[order], found.scores[order]
    boxes, widths = found.boxes[order], np.maximum(found.widths[order], 1.0)
    across = quads[:, 1] - quads[:, 0]
    turn = np.arctan2(across[:, 1], across[:, 0])
    free = np.ones(len(order), bool)
    out_boxes, out_quads, out_scores = [], [], []
    for i in range(len(order)):
        if not free[i]:
            continue
        apart = np.hypot(*(centres - centres[i]).T) / widths[i]
        turned = np.abs((turn - turn[i] + np.pi) % (2 * np.pi) - np.pi)
        near = free & (apart < same) & (turned < np.deg2rad(_SAME_TURN_DEG))
        near[i] = True
        free &= ~near
        weights = (scores * near)[near] ** 2
        weights = weights / weights.sum()
        out_boxes.append((boxes[near] * weights[:, None]).sum(0))
        out_quads.append((quads[near] * weights[:, None, None]).sum(0))
        out_scores.append(scores[i])
    return Detections(np.array(out_boxes, np.float32), np.array(out_quads, np.float32), np.array(out_scores, np.float32))


def _padded(length: int) -> int:
    """The length that the network gets, of few that differ."""
    return max(_STEP, (length + _STEP - 1) // _STEP * _STEP)
