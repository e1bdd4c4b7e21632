from pathlib import Path

import numpy as np
import pytest

from engine.cards import FACES, Card
from vision import enrol
from vision.cards_on_table import SeenCard
from vision.detector import Detections, Detector
from vision.patch import PATCH
from vision.reader import REJECT, Reader
from vision.recogniser import Recogniser

from .quads import card_quad, see
from .test_detector import Recorded

CLASSES = (*FACES, Card("??"))


class Colours:
    """A network for made-up cards whose colour is the face; its last layer knows nothing of them."""

    name = "colours"

    def __call__(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = patches.mean((2, 3))
        centres = np.array([[(k % 4) / 3, (k // 4 % 4) / 3, (k // 16) / 3] for k in range(54)], np.float32)
        features = np.exp(-((mean[:, None] - centres[None]) ** 2).sum(2) / 0.02).astype(np.float32)
        return np.zeros((len(patches), REJECT + 1), np.float32), features


def colour_of(k: int) -> tuple[int, int, int]:
    return 85 * (k % 4), 85 * (k // 4 % 4), 85 * (k // 16)


def make_reader() -> Reader:
    reader = Reader(Colours(), CLASSES, PATCH)
    reader.own_head = np.zeros((REJECT + 1, 54), np.float32), np.zeros(REJECT + 1, np.float32)
    return reader


def sample(k: int, probability: float = 1.0) -> enrol.Sample:
    patches = np.full((2, PATCH.size[1], PATCH.size[0], 3), colour_of(k), np.uint8)
    seen = SeenCard(FACES[k], ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0, 1, 1),), 0.5, ((FACES[k], 0.5),))
    return enrol.Sample(seen, patches, FACES[k], probability)


def test_an_enrolled_deck_is_read(tmp_path: Path) -> None:
    reader = make_reader()
    deck = enrol.fit(reader, [sample(k) for k in range(54)])
    enrol.save(deck, tmp_path / "my.deck")
    recogniser = Recogniser(Detector(Recorded(Detections.none())), reader)
    enrol.use_deck(recogniser, tmp_path / "my.deck")
    patches = np.concatenate([sample(k).patches[:1] for k in range(54)])
    logits, _ = reader.run(patches)
    assert logits.argmax(1).tolist() == list(range(54))


def test_a_deck_made_with_other_weights_is_fitted_anew(tmp_path: Path) -> None:
    reader = make_reader()
    enrol.save(enrol.fit(reader, [sample(k) for k in range(54)]), tmp_path / "my.deck")
    newer = make_reader()
    newer.own_head = np.zeros((REJECT + 1, 54), np.float32), np.full(REJECT + 1, 0.5, np.float32)
    deck = enrol.use_deck(Recogniser(Detector(Recorded(Detections.none())), newer), tmp_path / "my.deck")
    assert deck.reader == enrol.fingerprint(newer.own_head)
    assert newer.run(sample(9).patches)[0].argmax(1).tolist() == [9, 9]


def test_unsure_cards_are_not_learnt_until_they_are_named() -> None:
    unsure = sample(3, probability=0.4)
    with pytest.raises(enrol.EnrolError, match="no card"):
        enrol.fit(make_reader(), [unsure])
    deck = enrol.fit(make_reader(), [enrol.answer(unsure, Card("SA"))])
    assert set(deck.faces) == {"SA"}


class Hesitant:
    """A network that is sure of one card and torn between two faces on the other."""

    name = "hesitant"

    def __call__(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits = np.full((len(patches), REJECT + 1), -9.0, np.float32)
        dark = patches.mean((1, 2, 3)) < 0.5
        logits[:, FACES.index(Card("S8"))] = np.where(dark, 2.0, 2.1)
        logits[:, FACES.index(Card("C8"))] = np.where(dark, -9.0, 2.0)
        return logits, np.zeros((len(patches), 0), np.float32)


def test_a_face_that_another_card_shows_surely_is_taken() -> None:
    sure, torn = card_quad(150, 200), card_quad(400, 200)
    picture = np.full((600, 600, 3), 200, np.uint8)
    picture[:, :280] = 40
    network = Recorded(see([(sure, False), (torn, False)]))
    recogniser = Recogniser(Detector(network), Reader(Hesitant(), CLASSES, PATCH), (60, 150))
    samples = enrol.collect(recogniser, picture, 100.0)
    assert sorted(s.face for s in samples) == ["C8", "S8"]
    assert all(s.sure for s in samples)


def test_a_file_that_is_no_deck_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.deck"
    with pytest.raises(enrol.EnrolError, match="no such deck"):
        enrol.load(path)
    path.write_bytes(b"PK nonsense")
    with pytest.raises(enrol.EnrolError, match="not a deck file"):
        enrol.load(path)


def test_weights_without_a_last_layer_cannot_be_fitted() -> None:
    reader = make_reader()
    reader.own_head = None
    with pytest.raises(enrol.EnrolError, match="last layer"):
        enrol.fit(reader, [sample(1)])
