import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cli import enroll
from engine.cards import FACES, Card
from vision import enrol
from vision.cards_on_table import SeenCard
from vision.detector import Detector
from vision.patch import PATCH
from vision.reader import REJECT, Reader
from vision.recogniser import Recogniser

CLASSES = (*FACES, Card("??"))


class Colours:
    """A network for made-up cards whose colour is the face."""

    name = "colours"

    def __call__(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = patches.mean((2, 3))
        centres = np.array([[(k % 4) / 3, (k // 4 % 4) / 3, (k // 16) / 3] for k in range(54)], np.float32)
        return np.zeros((len(patches), REJECT + 1), np.float32), np.exp(-((mean[:, None] - centres[None]) ** 2).sum(2) / 0.02).astype(np.float32)


class Nothing:
    """A detector's network that finds nothing; what lies on the pictures is given by the test."""

    name = "nothing"

    def __call__(self, batch: np.ndarray) -> np.ndarray:
        return np.zeros((len(batch), 17, 1), np.float32)


def _sample(k: int, probability: float = 1.0, face: int | None = None) -> enrol.Sample:
    colour = (85 * (k % 4), 85 * (k // 4 % 4), 85 * (k // 16))
    patches = np.full((1, PATCH.size[1], PATCH.size[0], 3), colour, np.uint8)
    name = FACES[k if face is None else face]
    return enrol.Sample(SeenCard(name, ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0, 1, 1),), 0.5, ((name, 0.5),)), patches, name, probability)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    reader = Reader(Colours(), CLASSES, PATCH)
    reader.own_head = np.zeros((REJECT + 1, 54), np.float32), np.zeros(REJECT + 1, np.float32)
    monkeypatch.setattr(Recogniser, "load", classmethod(lambda cls, folder=None: cls(Detector(Nothing()), reader)))
    made = typer.Typer()
    made.callback()(lambda: None)
    enroll.register(made)
    return made


@pytest.fixture
def spreads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """Pictures of spreads: each is written as a file, its cards are given."""
    given: dict[int, list[enrol.Sample]] = {}
    monkeypatch.setattr(enrol, "collect", lambda recogniser, image, hint=None: given[int(image[0, 0, 0])])

    def lay(*pictures: list[enrol.Sample]) -> list[str]:
        names = []
        for n, samples in enumerate(pictures):
            given[n] = samples
            path = tmp_path / f"spread{n}.png"
            path.write_bytes(cv2.imencode(".png", np.full((60, 80, 3), n, np.uint8))[1].tobytes())
            names.append(str(path))
        return names

    return lay


def _run(app: typer.Typer, deck: Path, *rest: str) -> tuple[int, dict[str, object]]:
    result = CliRunner().invoke(app, ["enroll", str(deck), *rest, "--json"])
    return result.exit_code, json.loads(result.stdout) if result.exit_code == 0 else {"error": result.stderr}


def test_the_faces_may_lie_in_any_order_on_any_number_of_pictures(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    order = np.random.default_rng(3).permutation(54).tolist()
    code, said = _run(app, tmp_path / "my.deck", *spreads([_sample(k) for k in order[:30]], [_sample(k) for k in order[30:]]))
    assert code == 0
    assert (said["learnt"], said["missing"], said["unsure"]) == (list(FACES), [], [])
    assert set(enrol.load(tmp_path / "my.deck").faces) == set(FACES)


def test_faces_that_were_not_seen_are_named(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    _, said = _run(app, tmp_path / "my.deck", *spreads([_sample(k) for k in range(54) if k not in (4, 53)]))
    assert said["missing"] == [FACES[4], FACES[53]]


def test_unsure_cards_are_asked_about_by_number_and_shown(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    pictures = spreads([_sample(0, 0.4, face=7), *[_sample(k) for k in range(1, 54)]])
    _, said = _run(app, tmp_path / "my.deck", *pictures)
    assert said["missing"] == [FACES[0]]
    assert [(doubt["number"], doubt["guess"]) for doubt in said["unsure"]] == [(1, FACES[7])]  # type: ignore[attr-defined]
    assert cv2.imread(str(tmp_path / "my.unsure.png")) is not None
    _, said = _run(app, tmp_path / "my.deck", *pictures, "--answer", f"1={FACES[0]}")
    assert (said["missing"], said["unsure"]) == ([], [])


def test_an_unsure_card_can_be_left_out(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    pictures = spreads([_sample(0, 0.4), *[_sample(k) for k in range(1, 54)]])
    _, said = _run(app, tmp_path / "my.deck", *pictures, "--answer", "1=-")
    assert (said["missing"], said["unsure"]) == ([FACES[0]], [])


@pytest.mark.parametrize("answer", ["1=H11", "x=H10", "H10"])
def test_an_answer_that_means_nothing_is_said(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path, answer: str) -> None:
    code, said = _run(app, tmp_path / "my.deck", *spreads([_sample(0, 0.4)]), "--answer", answer)
    assert code == 2
    assert "NUMBER=CARD" in str(said["error"])


def test_a_picture_of_something_else_makes_no_deck(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    code, said = _run(app, tmp_path / "my.deck", *spreads([]))
    assert code == 2
    assert "no card was recognised" in str(said["error"])
    assert not (tmp_path / "my.deck").exists()


def test_a_file_that_is_no_picture_is_said(app: typer.Typer, tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_text("no picture")
    code, said = _run(app, tmp_path / "my.deck", str(tmp_path / "notes.png"))
    assert code == 2
    assert "not a picture" in str(said["error"])


def test_without_pictures_it_says_what_to_give(app: typer.Typer, tmp_path: Path) -> None:
    code, said = _run(app, tmp_path / "my.deck")
    assert code == 2
    assert "--camera" in str(said["error"])


def test_a_deck_that_cannot_be_written_is_said(app: typer.Typer, spreads: Callable[..., list[str]], tmp_path: Path) -> None:
    code, said = _run(app, tmp_path / "none" / "my.deck", *spreads([_sample(k) for k in range(54)]))
    assert code == 2
    assert "cannot be written" in str(said["error"])
