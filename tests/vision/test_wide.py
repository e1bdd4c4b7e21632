import json
from pathlib import Path

import numpy as np
import pytest

from engine.cards import FACES
from vision import wide
from vision.detector import Floats
from vision.patch import PatchGeometry
from vision.reader import REJECT, Reader
from vision.weights import WeightsError

from .quads import card_quad, see
from .test_reader import CLASSES, Counts, says

GEOMETRY = PatchGeometry((16, 28))


def _read(first: Floats, second: Floats) -> tuple[Counts, Floats]:
    network = Counts(second)
    reader = Reader(Counts(first), CLASSES, GEOMETRY)
    reader.second = Reader(network, CLASSES, GEOMETRY)
    return network, reader.read(np.zeros((400, 400, 3), np.uint8), see([(card_quad(200, 200), False)]), vote=False)[0]


def test_the_wide_reader_is_not_asked_about_a_sure_face() -> None:
    network, read = _read(says(S7=0.97, C7=0.02), says(C7=0.9))
    assert network.patches == 0
    assert FACES[read[:REJECT].argmax()] == "S7"


@pytest.mark.parametrize("first", [{"S7": 0.6, "C7": 0.3}, {"BJ": 0.97, "LJ": 0.02}, {"S7": 0.8, "??": 0.15}])
def test_the_wide_reader_is_asked_about_doubtful_faces_about_jokers_and_where_perhaps_no_index_is(first: dict[str, float]) -> None:
    network, _ = _read(says(**first), says(S7=0.9))
    assert network.patches == 1


def test_of_two_readers_the_surer_one_prevails() -> None:
    _, read = _read(says(LJ=0.6, BJ=0.4), says(BJ=0.98, LJ=0.01))
    assert FACES[read[:REJECT].argmax()] == "BJ"
    _, read = _read(says(LJ=0.98, BJ=0.01), says(BJ=0.6, LJ=0.4))
    assert FACES[read[:REJECT].argmax()] == "LJ"
    assert read.sum() == pytest.approx(1, abs=1e-5)


def test_a_folder_without_the_wide_reader_does_without_and_a_broken_one_is_said(tmp_path: Path) -> None:
    assert wide.load(tmp_path) is None
    (tmp_path / wide.MODEL_NAME).write_bytes(b"nothing")
    (tmp_path / wide.LIST_NAME).write_text(json.dumps({"v": 1}))
    with pytest.raises(WeightsError, match="wide reader"):
        wide.load(tmp_path)
