"""The recogniser: a picture in, the cards on it out.

:meth:`Recogniser.read_crop` is for a camera that is calibrated: one crop at its own resolution. :meth:`Recogniser.read` is for any still
picture: it finds out how large the cards are, brings them to a size that the detector knows, and works in overlapping tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision import weights as weights_list
from vision import wide
from vision.cards_on_table import SeenCard, assemble, index_confidence
from vision.clean import remove_dots
from vision.corners import Corrector
from vision.detector import Detections, Detector, open_network, suppress
from vision.four import beside_ends, prints_four, settled
from vision.jokers import told_apart
from vision.patch import Image
from vision.plane import Plane, fit_plane, once, place, replaced
from vision.reader import REJECT, Reader, open_reader
from vision.slipped import moved_back, slipped
from vision.twins import likenesses, looks, repeats, shared

TILE: Final = 960
"""Longest side of what the detector gets at once, pixels."""
LEAST: Final = 0.15
_LADDER: Final = (192, 320, 640, 1280, 2560)
"""Longest sides to which a still of unknown scale is brought one after the other."""
_LARGE: Final = 2000
"""Of pictures with a longer side the scale that suits the cards is chosen as soon as they are seen at all, since each scale costs."""
_ENLARGE: Final = 3.0
_SURE: Final = 0.3
_LEAST_INDEX: Final = 0.02
_MAY_BE: Final = 0.1
"""Where an index shows again the reader must think its face at least so likely."""
_BIGGEST: Final = 16_000_000
"""Pictures of more pixels than this are first reduced."""


class Recogniser:
    """Finds and reads cards in pictures; holds the compiled networks, so make one and keep it."""

    def __init__(
        self, detector: Detector, reader: Reader, card_width_px: tuple[float, float] = (60.0, 140.0), corrector: Corrector | None = None
    ) -> None:
        self.detector = detector
        self.reader = reader
        self.corrector = corrector
        self._widths = card_width_px

    @classmethod
    def load(cls, folder: Path | None = None) -> Recogniser:
        """Load the weights of a folder, or those that come with the program.

        :raises vision.weights.WeightsError: when they are missing or broken.
        """
        weights = weights_list.load(folder)
        network = open_network(weights.detector_openvino, weights.detector_checkpoint)
        reader = open_reader(weights)
        reader.second = wide.load(weights.folder)
        return cls(Detector(network, len(weights.detector_classes)), reader, weights.card_width_px, Corrector.load(weights.folder))

    def read_crop(self, image: Image, *, vote: bool = False, least: float = LEAST, plane: Plane | None = None) -> list[SeenCard]:
        """Read one crop at its own resolution, without looking for the scale.

        :param image: BGR, uint8; cards 50 to 150 pixels wide.
        :param vote: read each index three times, slightly moved; slower and surer.
        :param least: leave out cards less sure than this.
        :param plane: the plane of a calibrated table, in pixels of the crop; None to find it from the cards.
        :returns: cards, surest first, in pixels of the crop.
        """
        return self._read(image, self._tiles(image) if max(image.shape[:2]) > TILE else self.detector.detect(image), vote, least, plane)

    def read(
        self, image: Image, scale_hint: float | None = None, *, vote: bool = True, least: float = LEAST, plane: Plane | None = None
    ) -> list[SeenCard]:
        """Read a still picture with cards of any size.

        :param image: BGR, uint8.
        :param scale_hint: about how wide a card is, in pixels of this picture; None to find out.
        :param vote: read each index three times, slightly moved.
        :param least: leave out cards less sure than this.
        :param plane: the plane of a calibrated table; None to find it from the cards.
        :returns: cards, surest first, in pixels of the picture.
        """
        factor = min(1.0, (_BIGGEST / (image.shape[0] * image.shape[1])) ** 0.5)
        small = remove_dots(_resized(image, factor))
        known = None if plane is None or factor == 1 else plane.moved(factor, 0, 0)
        found = self.detect(small, None if scale_hint is None else scale_hint * factor)
        cards = self._read(small, found, vote, least, known or plane, still=True)
        return cards if factor == 1 else [_scaled(card, 1 / factor) for card in cards]

    def detect(self, image: Image, scale_hint: float | None = None) -> Detections:
        """Find the indices of a still picture at the scales that suit its cards; arguments as :meth:`read`."""
        return self._at_width(image, scale_hint) if scale_hint else self._search(image)

    def _read(self, image: Image, found: Detections, vote: bool, least: float, known: Plane | None, *, still: bool = False) -> list[SeenCard]:
        """Correct the corners, read the indices, look for identical neighbours, and put all together to cards."""
        if len(found) == 0:
            return []
        found = self._corrected(image, found, known)
        plane = known or fit_plane(found, found.scores)
        found = replaced(once(found, plane), plane)
        read = self.reader.read(image, found, vote=vote)
        rows, moved = slipped(found, read, plane)
        found, read = moved_back(found, read, rows, moved, self.reader.read(image, moved, vote=vote))
        beside = beside_ends(found, read, plane)
        found, read = settled(found, read, beside, self.reader.read(image, beside.found, vote=vote))
        kept = index_confidence(found.scores, read) > _LEAST_INDEX
        found, read = found.take(kept), read[kept]
        if len(found) == 0:
            return []
        look = looks(image)
        again = repeats(look, found, place(found, plane), index_confidence(found.scores, read))
        # Of a deck with four indices what shows again beside may be a right one.
        if len(again.of) and not prints_four(found, read[:, :REJECT]):
            more = replaced(self._corrected(image, again.more, plane), plane)
            said = self.reader.read(image, more, vote=vote)
            agree = said[np.arange(len(said)), read[again.of, :REJECT].argmax(1)] > _MAY_BE
            found, read = Detections.join([found, more.take(agree)]), np.concatenate([read, said[agree]])
        likeness = likenesses(look, place(found, plane))
        read = told_apart(shared(read, likeness))
        return assemble(found, read, least, (image.shape[1], image.shape[0]), known, likeness, still)

    def _corrected(self, image: Image, found: Detections, known: Plane | None) -> Detections:
        """Better corners: looked at twice, the second time at the size that all cards have in common."""
        if self.corrector is None:
            return found
        once_more = self.corrector.correct(image, found)
        plane = known or fit_plane(once_more, once_more.scores)
        return self.corrector.correct(image, replaced(once_more, plane))

    def _search(self, image: Image) -> Detections:
        """Detect at growing scales until the cards are large enough, then once more at the scale that their own size asks for."""
        longest = max(image.shape[:2])
        wanted = float(np.sqrt(self._widths[0] * self._widths[1]))
        runs: dict[float, Detections] = {}
        for side in (*(side for side in _LADDER if side < longest * 0.8), longest):
            scale = side / longest
            runs[scale] = self._at_scale(image, scale)
            width = self._typical_width(runs)
            if width is not None and width * scale > (0.8 if longest < _LARGE else 0.28) * wanted:
                break
        if width is not None:
            best = min(wanted / width, _ENLARGE, _LADDER[-1] / longest if longest < _LADDER[-1] else 1.0)
            near = min(runs, key=lambda scale: abs(np.log(scale / best)))
            if abs(np.log(near / best)) > np.log(1.2):
                runs[best] = self._at_scale(image, best)
        return suppress(Detections.join([self._fitting(run, scale) for scale, run in runs.items()]))

    def _typical_width(self, runs: Mapping[float, Detections]) -> float | None:
        """The cards' width in pixels of the picture, by what was found so far; None when that is next to nothing."""
        joined = suppress(Detections.join([self._fitting(run, scale) for scale, run in runs.items()]))
        sure = joined.take(joined.scores > _SURE)
        return _weighted_median(sure.widths, sure.scores) if len(sure) else None

    def _fitting(self, found: Detections, scale: float) -> Detections:
        """Trust a run less for cards that it saw smaller or larger than the detector was trained for."""
        seen = np.maximum(found.widths * scale, 1.0)
        outside = np.maximum(np.maximum(np.log(self._widths[0] / seen), np.log(seen / self._widths[1])), 0)
        return Detections(found.boxes, found.quads, (found.scores * np.exp(-1.5 * outside)).astype(np.float32))

    def _at_width(self, image: Image, width: float) -> Detections:
        wanted = float(np.sqrt(self._widths[0] * self._widths[1]))
        inside = self._widths[0] <= width <= self._widths[1]
        return self._at_scale(image, 1.0 if inside else wanted / width)

    def _at_scale(self, image: Image, scale: float) -> Detections:
        """Detect at a scale, in pixels of the picture."""
        return self._tiles(_resized(image, scale)).moved(1 / scale, 0, 0)

    def _tiles(self, image: Image) -> Detections:
        """Detect in tiles that overlap by a card's length, so that each card is whole in one of them."""
        overlap = int(self._widths[1] * 1.4)
        rows, columns = _spans(image.shape[0], overlap), _spans(image.shape[1], overlap)
        places = [(x, y) for y, _ in rows for x, _ in columns]
        tiles = [image[y : y + height, x : x + width] for y, height in rows for x, width in columns]
        parts = []
        for (x, y), tile, found in zip(places, tiles, self.detector.detect_many(tiles), strict=True):
            x0, y0, x1, y1 = found.boxes.T
            height, width = tile.shape[:2]
            # A box cut by an inner border of a tile is whole in the neighbour.
            cut = ((x0 < 3) & (x > 0)) | ((y0 < 3) & (y > 0))
            cut |= ((x1 > width - 3) & (x + width < image.shape[1])) | ((y1 > height - 3) & (y + height < image.shape[0]))
            parts.append(found.take(~cut).moved(1, x, y))
        return parts[0] if len(parts) == 1 else suppress(Detections.join(parts))


def _spans(length: int, overlap: int) -> list[tuple[int, int]]:
    """Cut a length into (start, length) pieces of equal length, at most ``TILE``, that overlap."""
    if length <= TILE:
        return [(0, length)]
    count = int(np.ceil((length - overlap) / (TILE - overlap)))
    piece = min(TILE, int(np.ceil((length + (count - 1) * overlap) / count / 32)) * 32)
    return [(round(i * (length - piece) / (count - 1)), piece) for i in range(count)]


def _resized(image: Image, scale: float) -> Image:
    if abs(scale - 1) < 1e-3:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8)


def _weighted_median(values: np.ndarray[tuple[int], np.dtype[np.float32]], weights: np.ndarray[tuple[int], np.dtype[np.float32]]) -> float:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _scaled(card: SeenCard, factor: float) -> SeenCard:
    return SeenCard(
        card.card,
        tuple((x * factor, y * factor) for x, y in card.corners_px),
        tuple((a * factor, b * factor, c * factor, d * factor) for a, b, c, d in card.indices_px),
        card.confidence,
        card.n_best,
        card.layer,
        card.over,
    )
