import hashlib
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import FACES
from vision import wide
from vision.corners import Corrector
from vision.recogniser import Recogniser
from vision.weights import WeightsError, default_folder, load


def test_the_shipped_weights_are_those_that_are_listed() -> None:
    folder = default_folder()
    listed = json.loads((folder / "weights.json").read_text())
    sums = {**listed["detector"]["sha256"], **listed["reader"]["sha256"]}
    assert sums
    for name, expected in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected, name
    for name in ("corners", "wide"):
        own = json.loads((folder / f"{name}.json").read_text())
        assert hashlib.sha256((folder / own["file"]).read_bytes()).hexdigest() == own["sha256"]
    assert Corrector.load(folder) is not None
    assert wide.load(folder) is not None


def test_the_shipped_reader_knows_every_face() -> None:
    weights = load()
    assert set(FACES) <= set(weights.reader_classes)
    assert weights.detector_openvino is not None
    assert weights.temperature > 0


def test_a_table_without_cards_shows_none() -> None:
    picture = (np.random.default_rng(2).normal(0, 8, (480, 640, 3)) + np.array([60, 120, 50])).clip(0, 255).astype(np.uint8)
    cv2.circle(picture, (300, 200), 60, (200, 210, 220), -1)
    recogniser = Recogniser.load()
    assert recogniser.read(picture, least=0.3) == []
    assert recogniser.read_crop(picture, least=0.3) == []


@pytest.mark.parametrize(
    ("content", "said"), [(None, "missing"), ("{", "cannot be read"), ('{"v": 2}', "not a list of weights"), ('{"v": 1, "reader": {}}', "not a list")]
)
def test_a_folder_that_is_none_is_refused(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / "weights.json").write_text(content)
    with pytest.raises(WeightsError, match=said):
        load(tmp_path)
