"""Decks with four indices: what stands at a right corner of a card of which both left ends are seen is printed on it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.quads import card_quad, index_of, sure_of
from vision.cards_on_table import assemble
from vision.detector import Detections, Floats
from vision.four import beside_ends, settled
from vision.plane import fit_plane
from vision.reader import REJECT

FACES = ("D6", "C3")
CARDS = (card_quad(150, 150), card_quad(420, 170, 25))
NOTHING = np.eye(REJECT + 1, dtype=np.float32)[REJECT]


def _turned(box: Floats, degrees: float) -> Floats:
    """A quad that the detector gives a right index: it begins at the index, and is turned."""
    x, y = (box[:2] + box[2:]) / 2
    quad = card_quad(0, 0, degrees)
    return np.asarray(quad - quad[0] + [x - 12, y - 12], np.float32)


def _whole(cards: tuple[Floats, ...], right: bool = True) -> Detections:
    """Both left ends of each card, and after them what the detector makes of its two right indices."""
    boxes, quads = [], []
    for card in cards:
        for seen in (card, np.roll(card, 2, 0)):
            boxes.append(index_of(seen))
            quads.append(seen)
    for card in cards if right else ():
        for n, seen in enumerate((card, np.roll(card, 2, 0))):
            boxes.append(index_of(seen, u=0.88))
            quads.append(_turned(boxes[-1], 35 + 180 * n))
    return Detections(np.array(boxes, np.float32), np.array(quads, np.float32), np.full(len(boxes), 0.9, np.float32))


def _read(found: Detections, left: int) -> Floats:
    """The left ends read well; what is cut by the quads of the others shows nothing."""
    read = sure_of(*(face for face in FACES for _ in range(2)))[:left]
    return np.concatenate([read, np.tile(NOTHING, (len(found) - left, 1))])


def test_right_indices_belong_to_the_card_whose_ends_are_seen() -> None:
    found = _whole(CARDS)
    read = _read(found, 4)
    beside = beside_ends(found, read, fit_plane(found, found.scores))
    assert set(beside.at.tolist()) == {4, 5, 6, 7}
    assert beside.sure.all()
    found, read = settled(found, read, beside, read[beside.left])
    cards = assemble(found, read, least=0.3)
    assert sorted((card.card, len(card.indices_px)) for card in cards) == [("C3", 4), ("D6", 4)]


def test_what_reads_otherwise_at_a_right_corner_stays_what_it_was() -> None:
    found = _whole(CARDS)
    read = _read(found, 4)
    beside = beside_ends(found, read, fit_plane(found, found.scores))
    same, readings = settled(found, read, beside, sure_of(*("S9" for _ in beside.at)))
    np.testing.assert_array_equal(same.quads, found.quads)
    np.testing.assert_array_equal(readings, read)


def test_a_right_index_that_was_found_twice_is_told_once() -> None:
    once = _whole(CARDS)
    twice = Detections(once.boxes[-1:] + 3, once.quads[-1:] + 3, np.array([0.1], np.float32))
    found = Detections.join([once, twice])
    read = _read(found, 4)
    beside = beside_ends(found, read, fit_plane(found, found.scores))
    after, _ = settled(found, read, beside, read[beside.left])
    assert len(after) == len(once)


@pytest.mark.parametrize("step", [0.7, 0.76, 0.82])
def test_an_equal_card_that_lies_further_right_hides_the_end_and_stays_a_card(step: float) -> None:
    """Its left index shows where the right one of the first card would; but that card's other end is then covered."""
    under, over = card_quad(150, 150), card_quad(150 + 100 * step, 150)
    seen = [(under, "D6"), (over, "D6"), (np.roll(over, 2, 0), "D6")]
    lower = [(quad + np.array([0, 200], np.float32), "C3") for quad, _ in seen]
    quads = np.array([quad for quad, _ in (*seen, *lower)], np.float32)
    found = Detections(np.array([index_of(quad) for quad in quads]), quads, np.full(len(quads), 0.9, np.float32))
    read = sure_of(*(face for _, face in (*seen, *lower)))
    beside = beside_ends(found, read, fit_plane(found, found.scores))
    assert not len(beside.at)


def test_one_right_index_alone_tells_no_deck() -> None:
    found = _whole(CARDS).take([0, 1, 2, 3, 4])
    read = _read(found, 4)
    assert not len(beside_ends(found, read, fit_plane(found, found.scores)).at)
