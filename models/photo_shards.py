"""Training scenes out of labelled photographs: the boxes and faces are people's, the card's corners are the detector's own.

Where a detection agrees with a label, its corners are taken; where none does, only the box teaches. What the detector finds surely
and nobody labelled stays in as an index of unknown face, so that half-labelled pictures teach nothing wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene import BOX_ROOM, SIZE, SMALLEST_BOX
from datasets.shards import save
from engine.cards import FACES
from models.measure import Label
from models.patches import GEOMETRY, Patches, jitter
from models.photo_sets import photo_sets
from models.scene_feed import UNKNOWN_QUAD
from vision.clean import remove_dots
from vision.detector import Detections, Detector, suppress
from vision.patch import PatchGeometry, at_right, cut_many

Floats = NDArray[np.float32]

_SURE: Final = 0.5
_INDEX_LENGTH: Final = 0.3
"""An index is about this long, in card widths, when nothing better is known."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A photograph (BGR) and its indices: faces (-1 unknown), boxes as training wants them, the detector's quads, and those to teach."""

    set_name: str
    picture: NDArray[np.uint8]
    faces: NDArray[np.int64]
    boxes: Floats
    quads: Floats
    taught: Floats
    agreed: NDArray[np.bool_]
    card_width: float


def annotate(root: Path, detector: Detector) -> Iterator[Annotated]:
    """Go through the labelled sets of a folder (see :func:`models.photo_sets.photo_sets`)."""
    for name, examples in photo_sets(root).items():
        for example in examples:
            picture, labels = example.load()
            yield _annotated(name, picture, labels, _find(picture, labels, detector))


def _find(picture: NDArray[np.uint8], labels: tuple[Label, ...], detector: Detector) -> Detections:
    """Detect at three scales around the one that the labels' sizes tell."""
    lengths = [max(b[2] - b[0], b[3] - b[1]) for b in (label.box for label in labels if label.card is not None)]
    guess = float(np.median(lengths)) / _INDEX_LENGTH if lengths else 130.0
    clean, parts = remove_dots(picture), []
    for width in (70.0, 100.0, 140.0):
        scale = min(width / guess, 3.0)
        seen = cv2.resize(clean, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        parts.append(detector.detect(np.asarray(seen, np.uint8), 0.2).moved(1 / scale, 0, 0))
    return suppress(Detections.join(parts))


def _annotated(name: str, picture: NDArray[np.uint8], labels: tuple[Label, ...], found: Detections) -> Annotated:
    faces: list[int] = []
    boxes: list[Floats] = []
    quads: list[Floats] = []
    used: set[int] = set()
    centres = found.centres
    cards = [label for label in labels if label.card is not None]
    typical = float(np.median(found.widths[found.scores > _SURE])) if (found.scores > _SURE).any() else 0.0
    if not typical:
        typical = float(np.median([max(b[2] - b[0], b[3] - b[1]) for b in (label.box for label in cards)])) / _INDEX_LENGTH if cards else 100.0
    for label in cards:
        x0, y0, x1, y1 = label.box
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2], np.float32)
        reach = max(x1 - x0, y1 - y0) * 0.6
        apart = np.hypot(*(centres - middle).T) if len(found) else np.zeros(0)
        near = [int(i) for i in np.argsort(apart) if apart[i] < reach and int(i) not in used]
        assert label.card is not None
        faces.append(FACES.index(label.card))
        if near:
            used.add(near[0])
            quads.append(found.quads[near[0]])
            width = float(found.widths[near[0]])
        else:
            quads.append(np.full((4, 2), UNKNOWN_QUAD, np.float32))
            width = typical
        side = max(BOX_ROOM * max(x1 - x0, y1 - y0), SMALLEST_BOX * width) / 2
        boxes.append(np.array([middle[0] - side, middle[1] - side, middle[0] + side, middle[1] + side], np.float32))
    backs = [label.box for label in labels if label.card is None]
    for i in range(len(found)):
        on_back = any(b[0] <= centres[i][0] <= b[2] and b[1] <= centres[i][1] <= b[3] for b in backs)
        if i not in used and found.scores[i] > _SURE and not on_back:
            faces.append(-1)
            quads.append(found.quads[i])
            boxes.append(found.boxes[i])
    agreed = np.array([float(quad[0, 0]) > UNKNOWN_QUAD / 2 for quad in quads], bool)
    held = np.array(quads, np.float32).reshape(-1, 4, 2)
    known = np.array(faces, np.int64)
    return Annotated(name, picture, known, np.array(boxes, np.float32).reshape(-1, 4), held, taught(known, held, agreed), agreed, typical)


def taught(faces: NDArray[np.int64], quads: Floats, agreed: NDArray[np.bool_]) -> Floats:
    """The corners that are good enough to teach: each index's own, and the opposite one where that index is seen too."""
    out = np.full_like(quads, UNKNOWN_QUAD)
    out[agreed, 0] = quads[agreed, 0]
    for i in np.flatnonzero(agreed):
        width = max(float(np.linalg.norm(quads[i, 1] - quads[i, 0])), 1.0)
        for j in np.flatnonzero(agreed & (faces == faces[i])):
            apart = np.linalg.norm(quads[i] - np.roll(quads[j], 2, 0), axis=1)
            if i != j and faces[i] >= 0 and float(apart.mean()) < 0.45 * width:
                out[i, 2] = quads[j, 0]
    return out


def write_photo_shards(root: Path, detector: Detector, folder: Path, rng: np.random.Generator, tiles: int = 3) -> tuple[int, float]:
    """Cut ``tiles`` scenes out of each photograph (more where more cards lie), at various scales; gives their number and the share agreed on."""
    jpegs: list[NDArray[np.uint8]] = []
    rows: list[list[float]] = []
    agreed = total = number = 0
    for photo in annotate(root, detector):
        agreed, total = agreed + int((photo.agreed & (photo.faces >= 0)).sum()), total + int((photo.faces >= 0).sum())
        for _ in range(tiles * (3 if len(photo.faces) > 6 else 1)):
            picture, faces, boxes, quads = _tile(photo, rng)
            scene = len(jpegs)
            code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])[1]
            jpegs.append(np.asarray(code, np.uint8).reshape(-1))
            rows += [[scene, float(f), 1.0, *map(float, b), *map(float, q.reshape(-1))] for f, b, q in zip(faces, boxes, quads, strict=True)]
        if len(jpegs) >= 100:
            save(folder / f"photos-{number:05d}.npz", jpegs, rows)
            jpegs, rows, number = [], [], number + 1
    if jpegs:
        save(folder / f"photos-{number:05d}.npz", jpegs, rows)
    return number * 100 + len(jpegs), agreed / max(1, total)


def _tile(photo: Annotated, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int64], Floats, Floats]:
    wanted = float(np.exp(rng.uniform(np.log(55), np.log(190))))
    scale = wanted / max(photo.card_width, 8.0)
    picture = cv2.resize(photo.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    height, width = picture.shape[:2]
    boxes, quads = photo.boxes * np.float32(scale), photo.taught.copy()
    known = quads[..., :1] > UNKNOWN_QUAD / 2
    quads = np.where(known, quads * np.float32(scale), quads)
    if len(boxes):
        chosen = boxes[rng.integers(len(boxes))]
        centre = (chosen[:2] + chosen[2:]) / 2 + rng.uniform(-0.4, 0.4, 2) * SIZE
    else:
        centre = rng.uniform(0, 1, 2) * [width, height]
    x = round(float(np.clip(centre[0] - SIZE / 2, 0, max(0, width - SIZE))))
    y = round(float(np.clip(centre[1] - SIZE / 2, 0, max(0, height - SIZE))))
    out = np.full((SIZE, SIZE, 3), 114, np.uint8)
    part = picture[y : y + SIZE, x : x + SIZE]
    out[: part.shape[0], : part.shape[1]] = part
    boxes = boxes - np.array([x, y, x, y], np.float32)
    quads = np.where(known, quads - np.array([x, y], np.float32), quads).astype(np.float32)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = ((middle > 6) & (middle < [part.shape[1] - 6, part.shape[0] - 6])).all(1)
    return out, photo.faces[inside], np.clip(boxes[inside], 0, SIZE), quads[inside]


def photo_patches(
    root: Path, detector: Detector, rng: np.random.Generator, weight: float = 4.0, repeats: int = 3, geometry: PatchGeometry = GEOMETRY
) -> Patches:
    """Index patches out of labelled photographs, each as the detector saw it and ``repeats`` times with jitter."""
    parts: list[Patches] = []
    for photo in annotate(root, detector):
        keep = photo.agreed & (photo.faces >= 0)
        if not keep.any():
            continue
        quads, boxes = photo.quads[keep], photo.boxes[keep]
        right = at_right(quads, np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, np.float32))
        for i in range(repeats + 1):
            cut = cut_many(photo.picture, jitter(quads, rng) if i else quads, geometry, right)
            parts.append(Patches(cut, photo.faces[keep], np.full(int(keep.sum()), weight, np.float32)))
    return Patches.join(parts)


__all__ = ["Annotated", "annotate", "photo_patches", "write_photo_shards"]
