"""Better corners: a small network looks at a wide upright patch around an index and corrects the card's turn, size and place.

The detector sees a card at 50 to 150 pixels and errs by some degrees. Upright and at one size, the same card's edges, and the edges of its
neighbours, tell its turn much more finely. Two identical cards 8 mm apart can only be told by good corners.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np

from vision.detector import Detections, Floats
from vision.patch import Image, PatchGeometry, at_right, cut_many
from vision.reader import OpenVinoPatchNetwork, PatchNetwork
from vision.weights import WeightsError

LIST_NAME: Final = "corners.json"
MODEL_NAME: Final = "corners.onnx"
WIDE: Final = PatchGeometry((64, 96), (-0.22, 0.58), (-0.16, 0.70))
"""The upper left part of a card with what lies beside it, about 1.3 pixels a millimetre."""
SCALES: Final = np.array([0.05, 0.05, 0.1, 0.1, 0.1, 0.1], np.float32)
"""The network's outputs count in these: shift along both sides of the card, then the four numbers of the linear change."""
_MOST: Final = 0.45
"""Larger corrections than this are not believed."""
_BATCH: Final = 64


class Corrector:
    """Corrects quads; see :func:`apply_change` for what the network says."""

    def __init__(self, network: PatchNetwork, geometry: PatchGeometry = WIDE) -> None:
        self._network = network
        self._geometry = geometry

    @classmethod
    def load(cls, folder: Path) -> Corrector | None:
        """The corrector of a weights folder, or None where it has none.

        :raises WeightsError: when its files are broken.
        """
        model, listed = folder / MODEL_NAME, folder / LIST_NAME
        if not model.is_file() or not listed.is_file():
            return None
        try:
            geometry = PatchGeometry.from_json(json.loads(listed.read_text(encoding="utf-8"))["patch"])
            return cls(OpenVinoPatchNetwork(model), geometry)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise WeightsError(f"the corner network in {folder} cannot be loaded: {error}") from error

    def correct(self, image: Image, found: Detections) -> Detections:
        """Correct the quads of N indices.

        :param image: BGR, uint8, in whose pixels the indices are.
        """
        if len(found) == 0:
            return found
        quads = found.quads.copy()
        # The network knows indices at the left; a second index at the right end shares its card's quad anyway.
        rows = np.flatnonzero(~at_right(found.quads, found.centres))
        patches = cut_many(image, found.quads[rows], self._geometry)
        for start in range(0, len(rows), _BATCH):
            part = rows[start : start + _BATCH]
            batch = patches[start : start + _BATCH].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            change = self._network(batch)[0] * SCALES
            believed = np.abs(change).max(1) < _MOST
            quads[part[believed]] = apply_change(found.quads[part[believed]], change[believed])
        return Detections(found.boxes, quads, found.scores)


def apply_change(quads: Floats, change: Floats) -> Floats:
    """Move quads by changes in their own coordinates.

    :param quads: Nx4x2.
    :param change: Nx6: shift along the upper and the left side (in their lengths), then the linear map's difference from one, row by row.
    """
    sides = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], 2)
    linear = change[:, 2:].reshape(-1, 2, 2) + np.eye(2, dtype=np.float32)
    origin = quads[:, 0] + np.einsum("nij,nj->ni", sides, change[:, :2])
    # In coordinates of the old sides every corner, the far one too, is mapped alike; so perspective stays as it was.
    local = np.linalg.solve(sides[:, None], (quads - quads[:, :1])[..., None])[..., 0]
    moved = np.einsum("nij,njk,nck->nci", sides, linear, local)
    return np.asarray(origin[:, None] + moved, np.float32)


def change_between(seen: Floats, true: Floats) -> Floats:
    """The change (Nx6) that brings the seen quads' index corner and sides onto the true ones; the inverse of :func:`apply_change`."""
    sides = np.stack([seen[:, 1] - seen[:, 0], seen[:, 3] - seen[:, 0]], 2)
    wanted = np.stack([true[:, 1] - true[:, 0], true[:, 3] - true[:, 0]], 2)
    linear = np.linalg.solve(sides, wanted) - np.eye(2, dtype=np.float32)
    shift = np.linalg.solve(sides, (true[:, 0] - seen[:, 0])[..., None])[..., 0]
    return np.asarray(np.concatenate([shift, linear.reshape(-1, 4)], 1), np.float32)
