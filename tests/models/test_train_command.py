"""``trickwatch train``: parts, shares, the order of drawing, progress in words, the better network stays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

from cli import enroll
from cli import train as train_verb
from datasets import shards, singles
from datasets.themes import EMPTY, GAME, JOKERS, MIXED, THEMES
from models import train as training
from models import train_corners
from models.merit import held_out, merit_of
from models.patches import GEOMETRY, Patches, busy_places, from_detector, from_shard
from models.progress import of_detector, of_patches, span
from models.scene_feed import Ahead, Feed
from models.train import DRAWN, Part, Settings, TrainingError, to_draw
from models.train_detector import Progress
from models.train_reader import ReaderNet, disturb, judged, strict_as
from vision.corners import Corrector
from vision.detector import Detections, Detector
from vision.patch import Image
from vision.reader import REJECT

SIZE = 96


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    train_verb.register(made)
    enroll.register(made)
    return made


def _shard(path: Path, faces: list[int], *, writing: bool = False) -> None:
    """Scenes with one white card each (none for a face below 0)."""
    jpegs, rows = [], []
    for i, face in enumerate(faces):
        picture = np.full((SIZE, SIZE, 3), 60, np.uint8)
        if face >= 0:
            picture[8:68, 10:52] = 250
            picture[11:22, 13:19] = 10
            rows.append([i, face, 1.0, 10, 8, 28, 26, 10, 8, 52, 8, 52, 67, 10, 67])
        elif writing:
            cv2.putText(picture, "K8", (50, 80), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 2)
        jpegs.append(np.asarray(cv2.imencode(".jpg", picture)[1], np.uint8).reshape(-1))
    shards.save(path, jpegs, rows)


class Everywhere:
    """A network that finds one index at the same place in every picture, with a low score."""

    name = "everywhere"

    def __init__(self, score: float) -> None:
        self.score = score

    def __call__(self, batch: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        one = np.zeros((17, 1), np.float32)
        one[:5, 0] = [19, 17, 18, 18, self.score]
        one[5:, 0] = [10, 8, 1, 52, 8, 1, 52, 67, 1, 10, 67, 1]
        return np.tile(one[None], (len(batch), 1, 1))


def test_any_beginning_of_the_drawing_holds_every_theme() -> None:
    order = list(to_draw(8000))
    assert len(order) == len(set(order)) == 200
    assert {theme for theme, _ in order[:12]} == set(THEMES)
    for theme, part in DRAWN.items():
        assert sum(one is theme for one, _ in order[:100]) == pytest.approx(100 * part, abs=3)


def test_the_minutes_are_shared_out_among_the_parts_that_run(tmp_path: Path) -> None:
    everything, one = Settings(tmp_path, 100), Settings(tmp_path, 100, parts=frozenset({Part.READER}))
    total = sum(everything.minutes_for(part) for part in Part if part is not Part.SCENES)
    assert 80 < total < 100
    assert one.minutes_for(Part.READER) == pytest.approx(total)
    assert everything.minutes_for(Part.DETECTOR) > everything.minutes_for(Part.READER) > everything.minutes_for(Part.CORNERS)


def test_without_scenes_and_without_drawing_them_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="--part scenes"):
        training.run(Settings(tmp_path, 1, parts=frozenset({Part.READER})), lambda _: None)


def test_without_a_detector_the_reader_says_what_to_do(tmp_path: Path) -> None:
    for theme in (MIXED.name, MIXED.held_name):
        _shard(shards.path_of(tmp_path / "scenes", theme, 0), [3])
    with pytest.raises(TrainingError, match="--part detector"):
        training.run(Settings(tmp_path, 1, parts=frozenset({Part.READER})), lambda _: None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--part", "eyes"], "scenes, detector, corners, reader, wide"),
        (["--share", "game"], "NAME=PART"),
        (["--share", "game=2"], "NAME=PART"),
        (["--share", "cats=0.5"], "train, game, jokers, empty, photos"),
    ],
)
def test_wrong_words_are_named_with_what_was_expected(app: typer.Typer, words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["train", *words], env={"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"})
    assert done.exit_code == 2
    assert said in done.output


def test_the_command_passes_parts_and_shares_on(app: typer.Typer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    got: list[Settings] = []
    monkeypatch.setattr(training, "run", lambda settings, tell: got.append(settings) or tmp_path)
    done = CliRunner().invoke(
        app,
        ["train", "--work", str(tmp_path), "--part", "reader", "--part", "corners", "--share", "game=0.7", "--batch", "8", "--reader-rate", "0.0005"],
    )
    assert done.exit_code == 0, done.output
    assert got[0].parts == {Part.READER, Part.CORNERS}
    assert got[0].shares["game"] == 0.7
    assert got[0].shares["train"] == training.SHARES["train"]
    assert got[0].batch == 8
    assert got[0].reader_rate == 0.0005


def test_the_command_passes_on_what_is_to_be_drawn(app: typer.Typer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    got: list[Settings] = []
    monkeypatch.setattr(training, "run", lambda settings, tell: got.append(settings) or tmp_path)
    words = ["--draw", "empty=0", "--draw", "jokers=0.4", "--singles", "500"]
    done = CliRunner().invoke(app, ["train", "--work", str(tmp_path), *words])
    assert done.exit_code == 0, done.output
    assert EMPTY not in got[0].drawn
    assert got[0].drawn[JOKERS] == 0.4
    assert got[0].singles == 500
    drawn = [theme for theme, _ in to_draw(1000, got[0].drawn)]
    assert drawn.count(JOKERS) == pytest.approx(25 * 0.4 / 1.1, abs=1)
    assert EMPTY not in drawn


def test_single_indices_are_drawn_among_the_scenes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    order: list[str] = []
    monkeypatch.setattr(shards, "write_shard", lambda path, *_, **__: order.append(path.stem))
    monkeypatch.setattr(singles, "write_singles", lambda path, *_: order.append(path.stem))
    training.draw_scenes(tmp_path, 800, (), alone=3000)
    places = [n for n, name in enumerate(order) if name.startswith("singles")]
    assert [order[n] for n in places] == ["singles-00000", "singles-00001", "singles-00002"]
    assert 2 < places[0] < places[1] < places[2] < len(order) - 1


def test_progress_says_how_long_it_still_takes() -> None:
    line = of_detector(Progress(4096, 600, 12.5, 1.25, 2.5, 0.75), 40)
    assert "25%" in line
    assert "12.5/s" in line
    assert "30 min left" in line
    assert "20 min left" in of_patches("reader", 1 / 3, 600, 900, 0.5)
    assert [span(s) for s in (None, 40, 400, 7500)] == ["?", "40 s", "7 min", "2 h 05 min"]


def test_a_false_find_on_an_empty_scene_costs_merit(tmp_path: Path) -> None:
    _shard(shards.path_of(tmp_path, MIXED.held_name, 0), [5, 6])
    alone = merit_of(Detector(Everywhere(0.5)), tmp_path)
    _shard(shards.path_of(tmp_path, EMPTY.held_name, 0), [-1, -1])
    assert alone > 0.95
    assert merit_of(Detector(Everywhere(0.5)), tmp_path) < 0.6 * alone


def test_every_theme_is_judged_on(tmp_path: Path) -> None:
    for theme in THEMES:
        for number in range(4):
            _shard(shards.path_of(tmp_path, theme.held_name, number), [1])
            _shard(shards.path_of(tmp_path, theme.name, number), [1])
    names = [path.stem.rpartition("-")[0] for path in held_out(tmp_path)]
    assert set(names) == {theme.held_name for theme in THEMES}
    assert names.count(MIXED.held_name) == 2


def test_what_is_faintly_found_on_empty_scenes_becomes_reject(tmp_path: Path) -> None:
    """There even the faintest find is a mistake to learn from; among cards it may be an index that nobody labelled."""
    _shard(tmp_path / "empty-00000.npz", [-1, -1])
    _shard(tmp_path / "train-00000.npz", [7, -1])
    faint = Detector(Everywhere(0.06))
    empty = from_detector(shards.read_shard(tmp_path / "empty-00000.npz"), faint, weight=2.0)
    assert empty.faces.tolist() == [REJECT, REJECT]
    assert empty.weights.tolist() == [2.0, 2.0]
    assert from_detector(shards.read_shard(tmp_path / "train-00000.npz"), faint).faces.tolist() == [REJECT]
    assert from_detector(shards.read_shard(tmp_path / "train-00000.npz"), Detector(Everywhere(0.3))).faces.tolist() == [7, REJECT]
    assert len(from_detector(shards.read_shard(tmp_path / "empty-00000.npz"), Detector(Everywhere(0.01)))) == 0


def test_the_reader_learns_from_patches_as_the_corner_network_leaves_them(tmp_path: Path) -> None:
    _shard(tmp_path / "train-00000.npz", [7])

    class Aside(Corrector):
        """Moves every card by a fifth of its width."""

        def __init__(self) -> None:
            pass

        def correct(self, image: Image, found: Detections) -> Detections:
            return Detections(found.boxes, found.quads + np.float32(8), found.scores)

    shard, detector = shards.read_shard(tmp_path / "train-00000.npz"), Detector(Everywhere(0.5))
    plain, moved = from_detector(shard, detector), from_detector(shard, detector, corrector=Aside())
    assert plain.faces.tolist() == moved.faces.tolist() == [7]
    assert np.abs(plain.pictures.astype(int) - moved.pictures.astype(int)).mean() > 10


def test_rejects_are_looked_for_where_something_is(tmp_path: Path) -> None:
    picture = np.full((400, 400, 3), 90, np.uint8)
    for x in range(250, 400, 24):
        for y in range(250, 400, 24):
            cv2.putText(picture, "Q7", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2)
    quads = busy_places(picture, np.random.default_rng(0), count=3)
    assert quads.shape == (3, 4, 2)
    near = quads[:, 0] + 0.12 * (quads[:, 1] - quads[:, 0]) + 0.143 * (quads[:, 3] - quads[:, 0])
    assert (near > 220).all()
    _shard(tmp_path / "empty-00000.npz", [-1], writing=True)
    patches = from_shard(shards.read_shard(tmp_path / "empty-00000.npz"), np.random.default_rng(0))
    assert (patches.faces == REJECT).all()
    assert len(patches) == 6


def test_batches_made_ahead_hold_the_same_scenes(tmp_path: Path) -> None:
    _shard(tmp_path / "train-00000.npz", list(range(12)))
    for threads in (0, 3):
        feed = Feed(tmp_path, {"train": 1.0}, np.random.default_rng(0))
        feed.look()
        with Ahead(feed, 4, threads) as ahead:
            shapes = [ahead.take()[0].shape for _ in range(5)]
        assert set(shapes) == {(4, SIZE, SIZE, 3)}


def test_disturbed_patches_are_sometimes_dim_and_keep_their_shape() -> None:
    torch.manual_seed(0)
    x = torch.full((64, 3, GEOMETRY.size[1], GEOMETRY.size[0]), 0.8)
    out = torch.cat([disturb(x) for _ in range(4)])
    assert out.shape[1:] == x.shape[1:]
    means = out.mean((1, 2, 3))
    assert 0.03 < float((means < 0.45).float().mean()) < 0.3


def test_a_reader_is_judged_on_faces_and_rejects_apart() -> None:
    pictures = np.zeros((4, GEOMETRY.size[1], GEOMETRY.size[0], 3), np.uint8)
    net = ReaderNet().eval()
    with torch.no_grad():
        net.head.weight.zero_()
        net.head.bias.zero_()
        net.head.bias[REJECT] = 9
    result = judged(net, Patches(pictures, np.array([1, 2, REJECT, REJECT]), np.ones(4, np.float32)))
    assert (result.right, result.rejected) == (0.0, 1.0)
    assert result.merit == 1.0


def test_the_corner_network_is_trained_on_and_the_former_one_stays_when_it_errs_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for theme in (MIXED, GAME):
        _shard(shards.path_of(tmp_path, theme.name, 0), [1, 2, 3, 4])
        _shard(shards.path_of(tmp_path, theme.held_name, 0), [5, 6])
    told: list[str] = []
    train_corners.run(tmp_path, tmp_path / "out", 0.005, told.append)
    first = (tmp_path / "out" / "corners.pt").read_bytes()
    assert train_corners.load(tmp_path / "out") is not None
    worse = iter((np.zeros((2, 6), np.float32), np.ones((2, 6), np.float32)))
    monkeypatch.setattr(train_corners, "test", lambda net, patches, changes: next(worse))
    train_corners.run(tmp_path, tmp_path / "out", 0.005, told.append)
    assert "stays" in told[-1]
    assert (tmp_path / "out" / "corners.pt").read_bytes() == first


def test_readers_are_compared_at_like_strictness() -> None:
    rng = np.random.default_rng(0)
    size = GEOMETRY.size
    test = Patches(rng.integers(0, 255, (60, size[1], size[0], 3), dtype=np.uint8), np.repeat([0, REJECT], 30), np.ones(60, np.float32))
    torch.manual_seed(1)
    net = ReaderNet().eval()
    with torch.no_grad():
        net.head.weight *= 1000
        net.head.bias[REJECT] -= 5000
    lax = judged(net, test)
    assert lax.rejected < 0.1
    strict = strict_as(lax, test, 0.9)
    assert 0.9 <= strict.rejected < 1
    assert strict_as(strict, test, 0.5) is strict
