import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, UNKNOWN, Card
from vision.patch import PatchGeometry
from vision.reader import Reader

from .quads import card_quad, see

Floats = NDArray[np.float32]
CLASSES = (*FACES, UNKNOWN)


class _ByLight:
    """Says SA of a bright patch, surely, and of a dark one in turn what it was told; counts the patches of both."""

    name = "by light"

    def __init__(self, dark: list[Floats]) -> None:
        self.dark, self.bright, self.asked = dark, 0, 0

    def __call__(self, patches: Floats) -> tuple[Floats, Floats]:
        out = np.zeros((len(patches), len(CLASSES)), np.float32)
        for row, patch in zip(out, patches, strict=True):
            if patch.mean() > 0.5:
                self.bright += 1
                row[FACES.index(Card("SA"))] = 12
            else:
                row[:] = np.log(self.dark[self.asked % len(self.dark)])
                self.asked += 1
        return out, np.zeros((len(patches), 0), np.float32)


class Counts:
    """Says one thing of every patch, and counts them."""

    name = "counts"

    def __init__(self, said: Floats) -> None:
        self.said, self.patches = np.log(said), 0

    def __call__(self, patches: Floats) -> tuple[Floats, Floats]:
        self.patches += len(patches)
        return np.tile(self.said, (len(patches), 1)), np.zeros((len(patches), 0), np.float32)


def says(**faces: float) -> Floats:
    """Probabilities of the classes, those not named very small."""
    out = np.full(len(CLASSES), 1e-4, np.float32)
    for face, p in faces.items():
        out[CLASSES.index(Card(face))] = p
    return out / out.sum()


def _read(dark: list[Floats], *, vote: bool = True) -> tuple[_ByLight, Floats]:
    """Two cards, a bright and a dark one, read."""
    image = np.zeros((400, 800, 3), np.uint8)
    image[:, :400] = 255
    network = _ByLight(dark)
    found = see([(card_quad(200, 200), False), (card_quad(600, 200), False)])
    return network, Reader(network, CLASSES, PatchGeometry((16, 28))).read(image, found, vote=vote)


def test_only_what_is_unsure_is_looked_at_again() -> None:
    network, _ = _read([says(S7=0.6, C7=0.4)])
    assert (network.bright, network.asked) == (3, 9)
    network, _ = _read([says(S7=0.6, C7=0.4)], vote=False)
    assert (network.bright, network.asked) == (1, 1)


def test_a_face_that_most_looks_rule_out_is_not_the_one_however_sure_a_single_look_is() -> None:
    sure, other = says(C7=0.99), says(S7=0.55, S8=0.44)
    _, read = _read([sure, other, other, other, other, other, other, other, other])
    assert FACES[read[1, :-1].argmax()] == "S7"
    assert read[1, FACES.index(Card("C7"))] < 0.02
