"""How the networks count on a processor: as fast as it can, as long as they read the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.drawn import draw_with_index, style_of
from engine.cards import Card
from vision import processor
from vision.cards_on_table import SeenCard
from vision.processor import precision
from vision.recogniser import Recogniser

CARDS = tuple(Card(face) for face in ("SA", "H10", "D7", "CQ"))


@pytest.mark.parametrize(
    ("capabilities", "way"),
    [(("FP32", "FP16", "BF16", "INT8"), "bf16"), (("FP32", "FP16"), "f32"), (("FP32",), "f32")],
)
def test_half_precision_is_never_used_because_it_is_slower_than_single(capabilities: tuple[str, ...], way: str) -> None:
    assert precision(capabilities) == way


def _table() -> np.ndarray:
    """Four cards side by side on a cloth."""
    table = (np.random.default_rng(3).normal(0, 5, (320, 640, 3)) + np.array([60, 105, 50])).clip(0, 255)
    style = style_of(5)
    for place, card in enumerate(CARDS):
        face = cv2.resize(draw_with_index(style, card)[0], (100, 140), interpolation=cv2.INTER_AREA).astype(np.float64)
        spot = table[90:230, 60 + place * 140 : 160 + place * 140]
        spot[:] = spot * (1 - face[..., 3:] / 255) + face[..., 2::-1] * face[..., 3:] / 255
    return table.astype(np.uint8)


def test_rounding_moves_no_card_and_changes_no_face(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(way: str) -> list[SeenCard]:
        monkeypatch.setattr(processor, "precision", lambda _: way)
        recogniser = Recogniser.load()
        assert recogniser.detector.network.name == f"OpenVINO {way}"
        return sorted(recogniser.read_crop(_table(), least=0.3), key=lambda card: card.corners_px[0])

    exact, rounded = read("f32"), read("bf16")
    assert [card.card for card in rounded] == [card.card for card in exact] == list(CARDS)
    for one, other in zip(exact, rounded, strict=True):
        assert np.abs(np.array(one.corners_px) - np.array(other.corners_px)).max() < 2
        assert abs(one.confidence - other.confidence) < 0.05
