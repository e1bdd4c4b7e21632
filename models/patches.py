"""Index patches for the reader: cut from rendered scenes and from labelled photographs, upright, as the detector would give them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.shards import Shard
from models.scene_feed import UNKNOWN_QUAD
from vision.corners import Corrector
from vision.detector import Detections, Detector
from vision.patch import PatchGeometry, at_right, cut_many
from vision.reader import REJECT

Floats = NDArray[np.float32]

GEOMETRY: Final = PatchGeometry((48, 84))
"""The patches that the shipped reader reads: 2.2 pixels a millimetre, about what the detector's scale of a card gives."""


_FAINT: Final = 0.12
"""Detections of lower scores are not asked for."""
_FAINTEST: Final = 0.04


@dataclass(frozen=True, slots=True)
class Patches:
    """N patches (N x height x width x 3, BGR), their faces (0..53, or ``REJECT``) and how much each counts."""

    pictures: NDArray[np.uint8]
    faces: NDArray[np.int64]
    weights: Floats

    def __len__(self) -> int:
        return len(self.faces)

    @classmethod
    def join(cls, parts: Iterable[Patches]) -> Patches:
        """Put several together."""
        given = [part for part in parts if len(part)]
        return cls(
            np.concatenate([part.pictures for part in given]),
            np.concatenate([part.faces for part in given]),
            np.concatenate([part.weights for part in given]),
        )


def jitter(quads: Floats, rng: np.random.Generator) -> Floats:
    """Move corners as a detector errs: the near one by 2 % of the card's width, the far ones more, all of them in common a little."""
    width = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None, None]
    n = len(quads)
    near = np.array([0.018, 0.045, 0.06, 0.045], np.float32)[None, :, None]
    amount = rng.choice(np.array([0.4, 1.0, 1.8], np.float32), (n, 1, 1))
    own = rng.normal(0, 1, (n, 4, 2)) * near * amount
    common = rng.normal(0, 0.015, (n, 1, 2)) * amount
    scale = 1 + rng.normal(0, 0.05, (n, 1, 1)) * amount
    angle = rng.normal(0, 0.025, n)[:, None] * amount[:, :, 0]
    origin = quads[:, :1]
    spokes = (quads - origin) * scale
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack([spokes[..., 0] * c - spokes[..., 1] * s, spokes[..., 0] * s + spokes[..., 1] * c], 2)
    return np.asarray(origin + turned + (own + common) * width, np.float32)


def _astray(quads: Floats, rng: np.random.Generator) -> Floats:
    """Quads at places of the same cards where no index stands: turned by a quarter, in the middle, at the wrong end or beside."""
    out = []
    for quad in quads:
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        kind = rng.integers(5)
        if kind == 0:
            new = np.roll(quad, int(rng.choice([-1, 1])), 0)
        elif kind == 1:
            new = quad + across * rng.uniform(0.3, 0.55) + down * rng.uniform(0.1, 0.5)
        elif kind == 2:
            new = quad + across * rng.uniform(-0.1, 0.1) + down * rng.uniform(0.42, 0.75)
        elif kind == 3:
            new = quad - across * rng.uniform(0.25, 0.6) + down * rng.uniform(-0.3, 0.4)
        else:
            new = quad + down * rng.uniform(-0.5, -0.28) + across * rng.uniform(-0.3, 0.5)
        out.append(new)
    return np.asarray(out, np.float32).reshape(-1, 4, 2)


def busy_places(picture: NDArray[np.uint8], rng: np.random.Generator, count: int = 6, tries: int = 24) -> Floats:
    """Quads of cards that are not there, turned anyhow, where a picture shows most: at writing, at things, at edges."""
    size = picture.shape[0]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    detail = cv2.blur(np.asarray(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), np.float32), (25, 25))
    at = rng.uniform(0.05, 0.95, (tries, 2)) * size
    seen = detail[at[:, 1].astype(int), at[:, 0].astype(int)]
    best = at[np.argsort(-seen)[:count]]
    width = np.exp(rng.uniform(np.log(50), np.log(170), (len(best), 1, 1)))
    angle = np.where(rng.random(len(best)) < 0.5, rng.integers(0, 4, len(best)) * np.pi / 2, rng.uniform(0, 2 * np.pi, len(best)))
    c, s = np.cos(angle), np.sin(angle)
    shape = (np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]]) - [0.12, 0.2]) * width
    turned = np.stack([shape[..., 0] * c[:, None] - shape[..., 1] * s[:, None], shape[..., 0] * s[:, None] + shape[..., 1] * c[:, None]], 2)
    return np.asarray(turned + best[:, None], np.float32)


def _without_index(stray: Floats, labelled: Floats) -> Floats:
    """Leave out stray quads that happen to stand at another card's index, as in a fan."""
    if not len(labelled):
        return stray
    width = np.maximum(np.linalg.norm(stray[:, 1] - stray[:, 0], axis=1), 1)[:, None]
    apart = np.linalg.norm(stray[:, None, 0] - labelled[None, :, 0], axis=2) / width
    turned = np.linalg.norm((stray[:, 1] - stray[:, 0])[:, None] - (labelled[:, 1] - labelled[:, 0])[None], axis=2) / width
    return np.asarray(stray[~((apart < 0.22) & (turned < 0.8)).any(1)], np.float32)


def from_shard(shard: Shard, rng: np.random.Generator, geometry: PatchGeometry = GEOMETRY, repeats: int = 2, rejects: float = 0.12) -> Patches:
    """Cut every visible index of a shard's scenes ``repeats`` times, with jitter, and some places without an index."""
    pictures: list[NDArray[np.uint8]] = []
    faces: list[NDArray[np.int64]] = []
    for i in range(len(shard.jpegs)):
        rows = shard.rows(i)
        rows = rows[(rows[:, 2] > 0) & (rows[:, 7:].min(1) > UNKNOWN_QUAD / 2) & (rows[:, 1] >= 0)]
        picture = shard.picture(i)
        if len(rows):
            quads = rows[:, 7:].reshape(-1, 4, 2)
            right = at_right(quads, (rows[:, 3:5] + rows[:, 5:7]) / 2)
            for _ in range(repeats):
                pictures.append(cut_many(picture, jitter(quads, rng), geometry, right))
                faces.append(rows[:, 1].astype(np.int64))
            stray = quads[rng.random(len(quads)) < rejects * repeats]
        else:
            stray = busy_places(picture, rng)
        if len(rows) and len(stray):
            stray = _without_index(_astray(stray, rng), shard.rows(i)[:, 7:].reshape(-1, 4, 2))
        if len(stray):
            pictures.append(cut_many(picture, stray, geometry))
            faces.append(np.full(len(stray), REJECT, np.int64))
    known = np.concatenate(faces) if faces else np.zeros(0, np.int64)
    return Patches(
        np.concatenate(pictures) if pictures else _none(geometry),
        known,
        np.ones(len(known), np.float32),
    )


def from_detector(
    shard: Shard, detector: Detector, geometry: PatchGeometry = GEOMETRY, weight: float = 1.0, corrector: Corrector | None = None
) -> Patches:
    """Cut what the detector itself finds in a shard's scenes; what is no index becomes *reject*, half-hidden ones are left out.

    In scenes without any label everything is asked for that might be taken for an index.

    :param corrector: the corner network, through which the reader gets its patches when it is used.
    """
    pictures: list[NDArray[np.uint8]] = []
    faces: list[NDArray[np.int64]] = []
    for i in range(len(shard.jpegs)):
        picture, rows = shard.picture(i), shard.rows(i)
        found = detector.detect(picture, _FAINT if len(rows) else _FAINTEST)
        if not len(found):
            continue
        if corrector is not None:
            found = corrector.correct(picture, found)
        face = matches(found, rows[:, 3:7], rows[:, 1].astype(np.int64), rows[:, 7:].reshape(-1, 4, 2))
        hidden = rows[rows[:, 2] == 0]
        if len(hidden):
            face[matches(found, hidden[:, 3:7], np.zeros(len(hidden), np.int64), hidden[:, 7:].reshape(-1, 4, 2)) == 0] = -1
        keep = face >= 0
        pictures.append(cut_many(picture, found.quads[keep], geometry, at_right(found.quads, found.centres)[keep]))
        faces.append(face[keep])
    known = np.concatenate(faces) if faces else np.zeros(0, np.int64)
    cut = np.concatenate(pictures) if pictures else _none(geometry)
    return Patches(cut, known, np.full(len(known), weight, np.float32))


def _none(geometry: PatchGeometry) -> NDArray[np.uint8]:
    return cut_many(np.zeros((8, 8, 3), np.uint8), np.zeros((0, 4, 2), np.float32), geometry)


def matches(found: Detections, boxes: Floats, faces: NDArray[np.int64], quads: Floats) -> NDArray[np.int64]:
    """The face that each detection shows, by the nearest label: ``REJECT`` where there is none, -1 where it is in doubt."""
    out = np.full(len(found), REJECT, np.int64)
    if not len(boxes) or not len(found):
        return out
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.linalg.norm(found.centres[:, None] - centres[None], axis=2)
    nearest = apart.argmin(1)
    width = np.maximum(found.widths, 1)
    distance = apart[np.arange(len(found)), nearest] / width
    turn = np.linalg.norm((found.quads[:, 1] - found.quads[:, 0]) - (quads[nearest, 1] - quads[nearest, 0]), axis=1) / width
    out[distance < 0.35] = -1
    right = (distance < 0.09) & (turn < 0.35)
    out[right] = faces[nearest[right]]
    return out
