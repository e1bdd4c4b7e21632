"""Enrolling a deck: its 54 faces are spread before the camera once, and the reader's last layer is fitted to them.

A spread shows every face at most once, so the faces are assigned to the cards all together: a face that is read surely leaves
the unsure cards fewer choices. Cards that stay unsure are for a person to name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.cards import FACES, Card, parse_card
from vision.assignment import assign
from vision.cards_on_table import SeenCard
from vision.detector import Detections, Floats
from vision.patch import Image, PatchGeometry, at_right, cut_many
from vision.reader import REJECT, Reader
from vision.recogniser import Recogniser

SURE: Final = 0.9
"""A card is taken as read when its face, given all the other cards, has at least this probability."""
_VERSION: Final = 1
_FLOOR: Final = 1e-6
_DOUBT: Final = 0.1
_STEPS: Final = 400
_RATE: Final = 0.02
_HOLD: Final = 2e-3
"""Weight of staying near the original layer, per squared unit of change."""
_COPIES: Final = 10
_SHARE: Final = 0.5
"""How far the layer goes from what it was to what fits the spread best."""


class EnrolError(ValueError):
    """A spread or a deck file that cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One card of a spread: what was seen, its upright patches (N x height x width x 3), the face that it is taken for and how surely."""

    seen: SeenCard
    patches: Image
    face: Card
    probability: float

    @property
    def sure(self) -> bool:
        """Whether no person need be asked."""
        return self.probability >= SURE


@dataclass(frozen=True, slots=True)
class Deck:
    """An enrolled deck: labelled patches, and the last layer (weights 54+ x F, bias) fitted to them for the reader named by ``reader``."""

    faces: tuple[Card, ...]
    patches: Image
    geometry: PatchGeometry
    reader: str
    weights: Floats
    bias: Floats


def collect(recogniser: Recogniser, image: Image, scale_hint: float | None = None) -> list[Sample]:
    """Read a spread in which every face lies at most once.

    :param image: BGR, uint8.
    :param scale_hint: a card's width in pixels, if known.
    :returns: the cards, least sure first.
    """
    cards = recogniser.read(image, scale_hint, least=0.1)
    if not cards:
        return []
    cards = cards[: 2 * len(FACES)]
    chances = np.array([_chances(card) for card in cards], np.float64)
    # Besides the faces each row has a column of its own: nothing of this deck, a false find or a second view.
    nothing = np.full((len(cards), len(cards)), -np.log(_FLOOR))
    np.fill_diagonal(nothing, [-np.log(max(_DOUBT * (1 - _exists(card)), _DOUBT**2)) for card in cards])
    costs = np.concatenate([-np.log(np.maximum(chances * [[_exists(card)] for card in cards], _FLOOR)), nothing], 1)
    faces = assign(costs)
    samples = []
    for k, card in enumerate(cards):
        face = int(faces[k])
        if face >= len(FACES):
            continue
        # A face that another card shows for certain is no rival of this one.
        claimed = np.zeros(len(FACES))
        for other, chosen in enumerate(faces):
            if other != k and chosen < len(FACES):
                claimed[chosen] = max(claimed[chosen], chances[other, chosen])
        left = chances[k] * (1 - claimed * (claimed > SURE))
        found = _as_detections(card)
        patches = cut_many(image, found.quads, recogniser.reader.geometry, at_right(found.quads, found.centres))
        samples.append(Sample(card, patches, FACES[face], float(chances[k, face] / max(left.sum(), chances[k, face], _FLOOR))))
    return sorted(samples, key=lambda sample: sample.probability)


def answer(sample: Sample, face: Card) -> Sample:
    """The same card, named by a person."""
    return replace(sample, face=face, probability=1.0)


def fit(reader: Reader, samples: Sequence[Sample], seed: int = 0) -> Deck:
    """Fit the reader's last layer to the samples, starting from the layer it has.

    :param samples: cards with their right faces; unsure ones are left out.
    :raises EnrolError: when nothing sure is left, or the reader's last layer is not among its weights.
    """
    head = _own_head(reader)
    sure = [sample for sample in samples if sample.sure]
    if not sure:
        raise EnrolError("没有认出任何牌 / no card was recognised surely enough; spread the cards apart, in even light, and try again")
    patches = np.concatenate([sample.patches for sample in sure])
    faces = tuple(face for sample in sure for face in [sample.face] * len(sample.patches))
    weights, bias = _fit_layer(reader, patches, faces, head, np.random.default_rng(seed))
    return Deck(faces, patches, reader.geometry, fingerprint(head), weights, bias)


def _fit_layer(
    reader: Reader, patches: Image, faces: Sequence[Card], head: tuple[Floats, Floats], random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Softmax regression with Adam on varied copies of the patches, held near the layer it starts from."""
    varied = np.concatenate([patches, *[_vary(patches, random) for _ in range(_COPIES)]])
    _, features = reader.run(varied)
    if features.shape[1] == 0:
        raise EnrolError("these weights cannot be fitted to a deck: the reader gives no features; use the weights that come with the program")
    truth = np.array([reader.classes.index(face) for face in faces] * (_COPIES + 1))
    scale = np.float32(max(float(np.sqrt((features**2).mean())), 1e-6))
    x = features / scale
    start_w, start_b = head[0] * scale, head[1]
    w, b = start_w.copy(), start_b.copy()
    # Faces that the spread did not show keep their part of the layer, and do not take part: they would only be pushed away.
    shown = np.zeros(len(b), bool)
    shown[np.unique(truth)] = True
    moments = [np.zeros_like(w), np.zeros_like(w), np.zeros_like(b), np.zeros_like(b)]
    # Each face weighs the same, however many of its patches there are.
    counts = np.bincount(truth, minlength=len(w))[truth]
    share = (1.0 / counts / len(np.unique(truth))).astype(np.float32)
    for step in range(1, _STEPS + 1):
        logits = np.where(shown, x @ w.T + b, np.float32(-1e4))
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        p[np.arange(len(truth)), truth] -= 1
        p *= share[:, None]
        gradients = (p.T @ x + _HOLD * (w - start_w), p.sum(0) + _HOLD * (b - start_b))
        rate = np.float32(_RATE) * np.float32(1 - step / (_STEPS + 1))
        for k, gradient in enumerate(gradients):
            moments[2 * k] += 0.1 * (gradient - moments[2 * k])
            moments[2 * k + 1] += 0.01 * (gradient**2 - moments[2 * k + 1])
        first, second = 1 - 0.9**step, 1 - 0.99**step
        w -= rate * (moments[0] / first) / (np.sqrt(moments[1] / second) + 1e-8)
        b -= rate * (moments[2] / first) / (np.sqrt(moments[3] / second) + 1e-8)
    # Half way: a layer that fits the spread wholly forgets what other light and faces not shown need.
    w, b = start_w + _SHARE * (w - start_w), start_b + _SHARE * (b - start_b)
    return (w / scale).astype(np.float32), b.astype(np.float32)


def _vary(patches: Image, random: np.random.Generator) -> Image:
    """Copies as another photograph would show them: moved a little, lighter or darker, tinted, blurred, noisy."""
    import cv2

    out = np.empty_like(patches)
    for k, patch in enumerate(patches):
        height, width = patch.shape[:2]
        turn, grow = random.normal(0, 3), random.uniform(0.9, 1.1)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, grow)
        matrix[:, 2] += random.normal(0, 1.8, 2)
        image = cv2.warpAffine(patch, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        if random.random() < 0.6:
            image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.3, 1.6))
        image = (image - 128) * random.uniform(0.7, 1.15) + 128 + random.normal(0, 14)
        image = image * random.uniform(0.93, 1.07, 3) + random.normal(0, random.uniform(1, 7), image.shape)
        out[k] = np.clip(image, 0, 255)
    return out


def save(deck: Deck, path: Path) -> None:
    """Write a deck file.

    :raises EnrolError: when it cannot be written.
    """
    try:
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                version=np.int64(_VERSION),
                faces=np.array(deck.faces),
                patches=deck.patches,
                size=np.array(deck.geometry.size),
                window=np.array([*deck.geometry.x, *deck.geometry.y]),
                reader=np.array(deck.reader),
                weights=deck.weights,
                bias=deck.bias,
            )
    except OSError as error:
        raise EnrolError(f"无法写入牌样文件 / the deck file cannot be written: {path}: {error.strerror or error}") from error


def load(path: Path) -> Deck:
    """Read a deck file.

    :raises EnrolError: when it is missing or is none.
    """
    try:
        with np.load(path, allow_pickle=False) as data:
            return _from_arrays(data)
    except FileNotFoundError:
        raise EnrolError(f"没有这个牌样文件 / no such deck file: {path}; make one with `trickwatch enroll`") from None
    except (OSError, ValueError, KeyError) as error:
        raise EnrolError(f"不是牌样文件 / not a deck file: {path} ({error}); make one with `trickwatch enroll`") from error


def _from_arrays(data: Mapping[str, Any]) -> Deck:
    if int(data["version"]) != _VERSION:
        raise ValueError(f"version {int(data['version'])}, expected {_VERSION}")
    x0, x1, y0, y1 = (float(v) for v in data["window"])
    width, height = (int(v) for v in data["size"])
    faces = tuple(parse_card(str(name)) for name in data["faces"])
    patches = np.asarray(data["patches"], np.uint8)
    if patches.shape != (len(faces), height, width, 3):
        raise ValueError("its pictures do not fit its faces")
    weights, bias = np.asarray(data["weights"], np.float32), np.asarray(data["bias"], np.float32)
    return Deck(faces, patches, PatchGeometry((width, height), (x0, x1), (y0, y1)), str(data["reader"]), weights, bias)


def use_deck(recogniser: Recogniser, path: Path) -> Deck:
    """Make a recogniser read an enrolled deck; one that was made with other weights is fitted anew.

    :raises EnrolError: when the file is no deck or was cut differently.
    """
    deck = load(path)
    reader = recogniser.reader
    head = _own_head(reader)
    if deck.geometry != reader.geometry:
        raise EnrolError(f"{path} was made with an older program that cut the cards differently; enrol the deck again")
    if deck.reader != fingerprint(head):
        weights, bias = _fit_layer(reader, deck.patches, deck.faces, head, np.random.default_rng(0))
        deck = replace(deck, weights=weights, bias=bias, reader=fingerprint(head))
    apply(recogniser, deck)
    return deck


def apply(recogniser: Recogniser, deck: Deck) -> None:
    """Make a recogniser read a deck that was fitted to its reader, from the next picture on; from any thread, as one reference is exchanged."""
    recogniser.reader.head = (deck.weights, deck.bias)


def _own_head(reader: Reader) -> tuple[Floats, Floats]:
    """The reader's last layer as it was trained."""
    if reader.own_head is None:
        raise EnrolError("these weights cannot be fitted to a deck: the reader's last layer (reader_head.npz) is missing")
    return reader.own_head


def fingerprint(head: tuple[Floats, Floats]) -> str:
    """Which reader a deck was fitted for."""
    return hashlib.sha256(head[0].tobytes() + head[1].tobytes()).hexdigest()[:16]


def _chances(card: SeenCard) -> Floats:
    """A card's probabilities over all 54 faces; those below its N best share what is left."""
    chances = np.zeros(REJECT, np.float32)
    for face, p in card.n_best:
        chances[FACES.index(face)] = p
    rest = max(1 - float(chances.sum()), 1e-5)
    chances[chances == 0] = rest / max(int((chances == 0).sum()), 1)
    return chances


def _exists(card: SeenCard) -> float:
    """How sure it is that a card is there, whichever."""
    return min(card.confidence / max(card.n_best[0][1], 1e-3), 1.0)


def _as_detections(card: SeenCard) -> Detections:
    """A card's indices with the quad seen from each."""
    quad = np.array(card.corners_px, np.float32)
    boxes = np.array(card.indices_px, np.float32)
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    upper = np.linalg.norm(centres - (quad[0] + quad[1]) / 2, axis=1) <= np.linalg.norm(centres - (quad[2] + quad[3]) / 2, axis=1)
    quads = np.stack([quad if near else np.roll(quad, 2, 0) for near in upper])
    return Detections(boxes, quads, np.ones(len(boxes), np.float32))
