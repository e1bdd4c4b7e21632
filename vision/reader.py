"""Which face an index shows: a small network on upright patches, with calibrated probabilities over the 54 faces and *reject*."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, UNKNOWN, Card
from vision.detector import Detections
from vision.patch import Image, PatchGeometry, at_right, cut_many
from vision.processor import compiled
from vision.weights import Weights, WeightsError

Floats = NDArray[np.float32]

REJECT: Final = len(FACES)
"""Column of the probability that a patch shows no index; columns before it follow :data:`engine.cards.FACES`."""

_BATCH: Final = 64
_VARIANTS: Final = ((0.0, 0.0, 1.0), (0.022, 0.018, 0.94), (-0.022, -0.012, 1.07))
"""Small moves of the patch that vote: shift in card widths, in card heights, and scale about the index's corner."""
_MORE: Final = ((0.04, 0.0, 1.0), (-0.04, 0.0, 1.0), (0.0, 0.03, 1.0), (0.0, -0.03, 1.0), (0.02, -0.015, 0.94), (-0.02, 0.015, 1.06))
"""Further ones for what the first say less surely than this:"""
_SURE: Final = 0.9

JOKERS: Final = (FACES.index(LITTLE_JOKER), FACES.index(BIG_JOKER))
"""Columns of the jokers' probabilities."""
_SURE_ALONE: Final = 0.9
_JOKER: Final = 0.02
_NONE: Final = 0.1
"""The second reader is asked where the first is less sure than this, or a joker or no index is likelier than this."""
_SECOND: Final = 0.4
_KIND: Final = 0.8
"""How much the second reader's word counts beside the first's; and of which joker it is, since it sees more of them."""
_STRICT: Final = 0.6
"""Log odds for no index, which the second reader says too seldom."""


class PatchNetwork(Protocol):
    """What runs the reader's network."""

    name: str

    def __call__(self, patches: Floats) -> tuple[Floats, Floats]:
        """Nx3xHxW BGR in 0..1 to logits NxC and features NxF (N x 0 when the network does not give them)."""
        ...


class OpenVinoPatchNetwork:
    """The exported network on a CPU."""

    def __init__(self, model: Path) -> None:
        self._compiled, self.name = compiled(model)
        self._outputs = {name: i for i, output in enumerate(self._compiled.outputs) for name in output.get_names()}

    def __call__(self, patches: Floats) -> tuple[Floats, Floats]:
        """Run patches; see :class:`PatchNetwork`."""
        output = self._compiled(patches)
        logits = np.asarray(output[self._outputs.get("logits", 0)], np.float32)
        if "features" not in self._outputs:
            return logits, np.zeros((len(logits), 0), np.float32)
        return logits, np.asarray(output[self._outputs["features"]], np.float32)


class Reader:
    """Reads patches; ``head`` (weights C x F, bias C) replaces the network's last layer ``own_head`` for an enrolled deck."""

    def __init__(self, network: PatchNetwork, classes: tuple[Card, ...], geometry: PatchGeometry, temperature: float = 1.0) -> None:
        self.network = network
        self.geometry = geometry
        self._temperature = temperature
        self.classes = classes
        self._columns = np.array([REJECT if card == UNKNOWN else FACES.index(card) for card in classes])
        self.head: tuple[Floats, Floats] | None = None
        self.own_head: tuple[Floats, Floats] | None = None
        self.second: Reader | None = None
        """Another reader that is asked too where this one is not sure."""

    def read(self, image: Image, found: Detections, *, vote: bool = True) -> Floats:
        """Probabilities for N indices.

        :param image: BGR, in the resolution that the patches shall be cut from.
        :param found: the indices, in pixels of that picture.
        :param vote: look three times, slightly moved, and six times more where that is not sure; without it once. The second reader, if there is one,
            is asked in the same way.
        :returns: Nx55, rows sum to 1, columns as :data:`engine.cards.FACES` and *reject* last.
        """
        if len(found) == 0:
            return np.zeros((0, REJECT + 1), np.float32)
        seen = self._seen(image, found, _VARIANTS if vote else _VARIANTS[:1])
        out = _mean(seen)
        unsure = np.flatnonzero(out.max(1) < _SURE)
        if vote and len(unsure):
            out[unsure] = _mean(np.concatenate([seen[:, unsure], self._seen(image, found.take(unsure), _MORE)]))
        if self.second is not None:
            asked = np.flatnonzero((out.max(1) < _SURE_ALONE) | (out[:, JOKERS].sum(1) > _JOKER) | (out[:, REJECT] > _NONE))
            out[asked] = _pooled(out[asked], self.second.read(image, found.take(asked), vote=vote))
        return out

    def _seen(self, image: Image, found: Detections, variants: tuple[tuple[float, float, float], ...]) -> Floats:
        """Probabilities of N indices, each patch moved in V ways: VxNx55."""
        moved = np.concatenate([move(found.quads, *variant) for variant in variants])
        right = np.tile(at_right(found.quads, found.centres), len(variants))
        logits, _ = self.run(cut_many(image, moved, self.geometry, right))
        return np.asarray(self.probabilities(logits).reshape(len(variants), len(found), -1), np.float32)

    def run(self, patches: Image) -> tuple[Floats, Floats]:
        """Logits Nx55 (columns as in :meth:`read`) and features NxF of uint8 patches N x height x width x 3."""
        parts, features = [], []
        for start in range(0, len(patches), _BATCH):
            batch = patches[start : start + _BATCH].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            logits, deep = self.network(batch)
            head = self.head  # taken once: a running table's may be exchanged at any time
            if head is not None:
                logits = deep @ head[0].T + head[1]
            parts.append(logits)
            features.append(deep)
        raw = np.concatenate(parts) if parts else np.zeros((0, len(self._columns)), np.float32)
        full = np.full((len(raw), REJECT + 1), -30.0, np.float32)
        full[:, self._columns] = raw
        return full, np.concatenate(features) if features else np.zeros((0, 0), np.float32)

    def probabilities(self, logits: Floats) -> Floats:
        """Calibrated probabilities of logits, row by row."""
        scaled = logits / np.float32(self._temperature)
        scaled = np.exp(scaled - scaled.max(1, keepdims=True))
        return np.asarray(scaled / scaled.sum(1, keepdims=True), np.float32)


def _mean(seen: Floats) -> Floats:
    """The mean of V looks (VxNx55) by their logarithms: a face that any look rules out is none, which a mean of probabilities would let stand."""
    logs = np.log(np.maximum(seen, 1e-5)).mean(0)
    out = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(out / out.sum(1, keepdims=True), np.float32)


def _pooled(first: Floats, second: Floats) -> Floats:
    """What two readers say together (Nx55 each): a mean of their logarithms, in which the jokers count as one face that is then parted."""
    jokers = list(JOKERS)
    one, two = (np.log(np.maximum(said, 1e-5)) for said in (first, second))
    logs = (1 - _SECOND) * one + _SECOND * two
    logs[:, REJECT] += _STRICT
    either, other = (np.log(np.maximum(said[:, jokers].sum(1, keepdims=True), 1e-5)) for said in (first, second))
    kind = (1 - _KIND) * one[:, jokers] + _KIND * two[:, jokers]
    kind -= np.logaddexp(kind[:, :1], kind[:, 1:])
    logs[:, jokers] = (1 - _SECOND) * either + _SECOND * other + kind
    out = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(out / out.sum(1, keepdims=True), np.float32)


def move(quads: Floats, dx: float, dy: float, scale: float) -> Floats:
    """Shift quads along the card (card widths, card heights) and scale them about the index's corner."""
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    origin = quads[:, :1]
    shift = (across * np.float32(dx) + down * np.float32(dy))[:, None]
    return np.asarray(origin + (quads - origin) * np.float32(scale) + shift, np.float32)


def open_reader(weights: Weights) -> Reader:
    """Open the reader of a weights folder.

    :raises WeightsError: when it cannot be loaded.
    """
    if weights.reader_onnx is None:
        raise WeightsError(f"no reader network in {weights.folder}; train one with `trickwatch train`")
    try:
        network: PatchNetwork = OpenVinoPatchNetwork(weights.reader_onnx)
    except (ImportError, RuntimeError) as error:
        raise WeightsError(f"the reader cannot be loaded from {weights.reader_onnx}: {error}") from error
    reader = Reader(network, weights.reader_classes, weights.patch, weights.temperature)
    if weights.reader_head is not None:
        try:
            with np.load(weights.reader_head, allow_pickle=False) as data:
                reader.own_head = np.asarray(data["weight"], np.float32), np.asarray(data["bias"], np.float32)
        except (OSError, ValueError, KeyError) as error:
            raise WeightsError(f"not the last layer of a reader: {weights.reader_head} ({error})") from error
    return reader
