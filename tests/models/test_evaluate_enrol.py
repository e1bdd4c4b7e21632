"""What enrolling gains is measured on every face, and unsure cards are named as a person would."""

from __future__ import annotations

import random

import numpy as np

from engine.cards import FACES, Card
from models.evaluate_enrol import _answered, spread_out
from models.measure import Label
from vision.cards_on_table import SeenCard
from vision.enrol import Sample


def test_a_spread_shows_every_face_once_and_none_on_another() -> None:
    lying = spread_out(10.4, random.Random(1))
    assert sorted(card.card for card in lying) == sorted(FACES)
    for a in lying:
        assert all(abs(a.x - b.x) > 1 or abs(a.y - b.y) > 1.4 for b in lying if b is not a)


def _sample(face: str, x: float, probability: float) -> Sample:
    box = (x, 10.0, x + 20.0, 30.0)
    seen = SeenCard(Card(face), ((x, 5.0), (x + 60, 5.0), (x + 60, 90.0), (x, 90.0)), (box,), 0.9, ((Card(face), 0.9),))
    return Sample(seen, np.zeros((1, 8, 8, 3), np.uint8), Card(face), probability)


def test_an_unsure_card_gets_its_true_face_and_what_is_no_card_is_left_out() -> None:
    labels = [Label(Card("H5"), (0, 10, 20, 30)), Label(Card("C4"), (200, 10, 220, 30))]
    samples = [_sample("D5", 0, 0.5), _sample("C4", 200, 0.99), _sample("SA", 400, 0.3)]
    named, asked = _answered(samples, labels)
    assert asked == 2
    assert {(one.face, one.probability) for one in named} == {(Card("H5"), 1.0), (Card("C4"), 0.99)}
