"""Training: labels become targets at their true places, a run can be left and resumed, the reader learns, weights are listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch

from datasets import shards
from engine.cards import FACES, Card
from models import scene_feed
from models.export import write_list
from models.patches import GEOMETRY, Patches, _astray, from_shard, jitter, matches
from models.scene_feed import UNKNOWN_QUAD, Feed, augment
from models.train_detector import CornerLoss, DetectorTraining, Plan, Progress, new_model, targets, write_checkpoint
from models.train_reader import ReaderNet, load_net, save_reader, temperature, train
from vision import weights
from vision.detector import Detections
from vision.reader import REJECT

SIZE = 96


def _row(scene: int, face: int, x: float, y: float, width: float) -> list[float]:
    quad = [x, y, x + width, y, x + width, y + 1.4 * width, x, y + 1.4 * width]
    return [scene, face, 1.0, x, y, x + 0.42 * width, y + 0.42 * width, *quad]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four small scenes, each with a white card whose corner carries a dark bar."""
    jpegs, rows = [], []
    for i in range(4):
        picture = np.full((SIZE, SIZE, 3), 60, np.uint8)
        x, y = 10 + 4 * i, 8 + 2 * i
        picture[y : y + 60, x : x + 42] = 250
        picture[y + 3 : y + 14, x + 3 : x + 9] = 10
        jpegs.append(np.asarray(cv2.imencode(".jpg", picture)[1], np.uint8).reshape(-1))
        rows.append(_row(i, i, x, y, 42))
    shards.save(tmp_path / "train-00000.npz", jpegs, rows)
    return tmp_path


def _feed(folder: Path) -> Feed:
    return Feed(folder, {"train": 1.0, "photos": 0.2}, np.random.default_rng(3))


def test_a_feed_gives_every_scene_before_any_twice(folder: Path) -> None:
    feed = _feed(folder)
    assert feed.look() == {"train": 4, "photos": 0}
    feed.rng = np.random.default_rng(1)
    pictures, labels = feed.batch(4)
    assert pictures.shape == (4, SIZE, SIZE, 3)
    assert set(labels[:, 0]) <= {0.0, 1.0, 2.0, 3.0}


def test_a_kind_with_few_scenes_gets_a_smaller_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a shard that has just appeared would be seen over and over."""
    (folder / "empty-00000.npz").write_bytes((folder / "train-00000.npz").read_bytes())
    parts = {}
    for enough in (4, 400):
        monkeypatch.setattr(scene_feed, "ENOUGH", enough)
        feed = Feed(folder, {"train": 0.5, "empty": 0.5}, np.random.default_rng(0))
        feed.look()
        monkeypatch.setattr(feed, "_count", lambda kind: 400 if kind == "train" else 4)
        drawn: list[str] = []
        taken = feed._next
        monkeypatch.setattr(feed, "_next", lambda kind, drawn=drawn, taken=taken: (drawn.append(kind), taken(kind))[1])
        feed.batch(60)
        parts[enough] = drawn.count("empty") / len(drawn)
    assert parts[4] > 0.3
    assert parts[400] < 0.15


def test_turning_a_scene_turns_its_labels_with_it() -> None:
    """Whatever the turn and scale, the quad's first corner stays the corner beside the dark bar."""
    rng = np.random.default_rng(0)
    picture = np.full((SIZE, SIZE, 3), 60, np.uint8)
    picture[20:80, 24:66] = 250
    picture[23:34, 27:33] = 10
    label = np.array([_row(0, 0, 24, 20, 42)[3:]], np.float32)
    for _ in range(12):
        turned, moved = augment(picture, label, rng)
        if not len(moved):
            continue
        quad = moved[0, 4:].reshape(4, 2)
        inner = quad[0] + 0.14 * (quad[1] - quad[0]) + 0.14 * (quad[3] - quad[0])
        paper = quad[0] + 0.5 * (quad[1] - quad[0]) + 0.5 * (quad[3] - quad[0])
        spots = [p.round().astype(int) for p in (inner, paper)]
        if all((s >= 0).all() and (s < SIZE).all() for s in spots):
            dark, light = (float(turned[s[1], s[0]].mean()) for s in spots)
            assert dark < light - 60


def test_corners_outside_of_the_picture_stay_there_and_unknown_ones_are_masked() -> None:
    inside, outside = _row(0, 0, 80, 80, 42)[3:], _row(0, 1, 10, 10, 42)[3:]
    labels = np.array([[0, *inside], [1, *outside]], np.float32)
    labels[1, 7:] = UNKNOWN_QUAD
    made = targets(labels, SIZE, "cpu")
    assert float(made["keypoints"][0, 2, 0]) == pytest.approx((80 + 42) / SIZE)
    assert made["keypoints"][0, :, 2].tolist() == [2, 2, 2, 2]
    assert made["keypoints"][1, :, 2].tolist() == [2, 0, 0, 0]
    assert float(made["keypoints"][1].abs().max()) <= 2


def test_augmenting_leaves_unknown_corners_unknown() -> None:
    label = np.array([_row(0, 0, 24, 20, 42)[3:]], np.float32)
    label[0, 6:] = UNKNOWN_QUAD
    for seed in range(6):
        _, moved = augment(np.zeros((SIZE, SIZE, 3), np.uint8), label, np.random.default_rng(seed))
        assert (moved[:, 6:] == UNKNOWN_QUAD).all()
        assert (moved[:, 4:6] > 0).all()


def test_the_corner_loss_pulls_near_corners_too_and_ignores_unknown_ones() -> None:
    wanted, area = torch.zeros(1, 4, 2), torch.full((1, 1), 100.0)
    known = torch.tensor([[True, True, False, False]])
    found = torch.zeros(1, 4, 3)
    found[0, 2:, :2] = 1e6
    loss = CornerLoss()
    assert float(loss(found, wanted, known, area)) < 1e-2
    near, far = found.clone(), found.clone()
    near[0, 0, 0], far[0, 0, 0] = 1.0, 20.0
    assert float(loss(found, wanted, known, area)) < float(loss(near, wanted, known, area)) < float(loss(far, wanted, known, area))
    near.requires_grad_(True)
    loss(near, wanted, known, area).backward()
    assert float(near.grad[0, 0, 0]) > 0.01
    assert float(near.grad[0, 2:].abs().max()) == 0


def test_training_can_be_left_and_goes_on_where_it_was(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, told = tmp_path / "state.pt", []
    plan = Plan(minutes=1, batch=2, rate=1e-3)
    first = DetectorTraining(_feed(folder), state, None, plan)
    before = {name: value.clone() for name, value in first.model.state_dict().items()}
    kept: list[Any] = []
    first.run(told.append, keep=kept.append, steps=2)
    assert [p.seen for p in told if isinstance(p, Progress)][-1] == 4
    assert kept
    assert any(not torch.equal(before[name].cpu(), value.cpu()) for name, value in first.model.state_dict().items() if "conv.weight" in name)
    again = DetectorTraining(_feed(folder), state, None, plan)
    assert again.seen == 4
    for name, value in first.model.state_dict().items():
        assert torch.equal(value.cpu(), again.model.state_dict()[name].cpu()), name
    again.run(told.append, steps=1)
    assert again.seen == 6


def test_a_worse_candidate_is_not_kept(folder: Path, tmp_path: Path) -> None:
    merits = iter((0.5, 0.4))
    kept: list[Any] = []
    training = DetectorTraining(_feed(folder), tmp_path / "state.pt", None, Plan(minutes=1, batch=2))
    for _ in range(2):
        training.run(lambda _: None, judge=lambda _: next(merits), keep=kept.append, steps=1)
    assert len(kept) == 1
    assert DetectorTraining(_feed(folder), tmp_path / "state.pt", None, Plan(minutes=1)).best == 0.5


def test_a_best_merit_of_another_measure_is_forgotten(folder: Path, tmp_path: Path) -> None:
    """Else nothing would be kept any more once harder scenes are judged on."""
    plan = Plan(minutes=1, batch=2)
    training = DetectorTraining(_feed(folder), tmp_path / "state.pt", None, plan, "easy scenes")
    training.run(lambda _: None, judge=lambda _: 0.9, steps=1)
    assert DetectorTraining(_feed(folder), tmp_path / "state.pt", None, plan, "easy scenes").best == 0.9
    assert DetectorTraining(_feed(folder), tmp_path / "state.pt", None, plan, "hard scenes").best < 0


def test_a_checkpoint_opens_as_an_ultralytics_model(tmp_path: Path) -> None:
    from ultralytics import YOLO

    write_checkpoint(new_model(None), tmp_path / "detector.pt")
    model = YOLO(str(tmp_path / "detector.pt"), task="pose").model
    assert list(model.kpt_shape) == [4, 3]


def test_jitter_moves_the_near_corner_least() -> None:
    quads = np.tile(np.array([[[0, 0], [100, 0], [100, 140], [0, 140]]], np.float32), (400, 1, 1))
    off = np.linalg.norm(jitter(quads, np.random.default_rng(0)) - quads, axis=2).mean(0)
    assert off[0] < off[1]
    assert off[0] < off[3]
    assert off[2] == off.max()
    assert 1 < off[0] < 6


def test_stray_patches_are_not_at_the_index() -> None:
    quads = np.tile(np.array([[[0, 0], [100, 0], [100, 140], [0, 140]]], np.float32), (60, 1, 1))
    strays = _astray(quads, np.random.default_rng(0))
    assert len(strays) == len(quads)
    for quad in strays:
        same_place = np.linalg.norm(quad[0]) < 15
        same_turn = abs(np.arctan2(*(quad[1] - quad[0])[::-1])) < 0.3
        assert not (same_place and same_turn)


def test_patches_carry_the_faces_of_their_labels(folder: Path) -> None:
    patches = from_shard(shards.read_shard(folder / "train-00000.npz"), np.random.default_rng(0), repeats=1, rejects=0)
    assert patches.faces.tolist() == [0, 1, 2, 3]
    assert patches.pictures.shape[1:] == (GEOMETRY.size[1], GEOMETRY.size[0], 3)


def test_a_detection_takes_the_face_of_the_label_it_lies_on_and_rejects_elsewhere() -> None:
    quad = np.array([[10, 10], [52, 10], [52, 70], [10, 70]], np.float32)
    label = np.array([[10, 10, 28, 28]], np.float32)

    def found(dx: float, turn: int) -> Detections:
        box = label + np.array([dx, 0, dx, 0], np.float32)
        return Detections(box, np.roll(quad + np.array([dx, 0], np.float32), turn, 0)[None], np.ones(1, np.float32))

    faces = np.array([FACES.index(Card("H5"))])
    assert matches(found(0, 0), label, faces, quad[None]).tolist() == [FACES.index(Card("H5"))]
    assert matches(found(0, 2), label, faces, quad[None]).tolist() == [-1]
    assert matches(found(9, 0), label, faces, quad[None]).tolist() == [-1]
    assert matches(found(40, 0), label, faces, quad[None]).tolist() == [REJECT]


def _bars(count: int, seed: int) -> Patches:
    """Patches of three classes, told apart by the place of a dark bar; the third is *reject*: none."""
    rng = np.random.default_rng(seed)
    pictures = rng.integers(200, 255, (count, GEOMETRY.size[1], GEOMETRY.size[0], 3)).astype(np.uint8)
    faces = rng.integers(0, 3, count)
    pictures[faces == 0, 8:30, 6:18] = 20
    pictures[faces == 1, 45:75, 22:42] = 20
    return Patches(pictures, np.where(faces == 2, REJECT, faces).astype(np.int64), np.ones(count, np.float32))


def test_the_reader_learns_and_its_files_read_alike(tmp_path: Path) -> None:
    torch.manual_seed(0)
    result = train(_bars(96, 0), _bars(48, 1), 12, lambda _: None, batch=16)
    assert result.right > 0.85
    assert result.rejected > 0.6
    save_reader(result.net, tmp_path)
    x = torch.from_numpy(_bars(5, 2).pictures).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        wanted = result.net(x)[0].numpy()
        read_back = load_net(tmp_path / "reader.pt").eval()(x)[0].numpy()
    assert np.abs(wanted - read_back).max() < 0.05 * max(1.0, float(np.abs(wanted).max()))
    import openvino as ov

    compiled = ov.Core().compile_model(str(tmp_path / "reader.onnx"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    outputs = {name: compiled(x.numpy())[output] for output in compiled.outputs for name in output.get_names()}
    assert np.abs(outputs["logits"] - wanted).max() < 1e-2
    with np.load(tmp_path / "reader_head.npz") as head:
        assert np.abs(outputs["features"] @ head["weight"].T + head["bias"] - wanted).max() < 1e-2


def test_the_temperature_cools_an_overconfident_network() -> None:
    rng = np.random.default_rng(0)
    faces = rng.integers(0, 5, 400)
    logits = rng.normal(0, 1, (400, 5)).astype(np.float32)
    logits[np.arange(400), faces] += 1.5
    assert temperature(logits * 3, faces.astype(np.int64)) > 1.8
    assert temperature(logits, faces.astype(np.int64)) == pytest.approx(1, abs=0.35)


def test_the_list_of_weights_is_read_back_by_the_program(tmp_path: Path) -> None:
    for name in ("detector.pt", "reader.pt", "reader.onnx", "reader_head.npz"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "detector_openvino_model").mkdir()
    (tmp_path / "detector_openvino_model" / "detector.xml").write_text("<net/>")
    write_list(tmp_path, ["nothing"], "a test", 0.8)
    read = weights.load(tmp_path)
    assert read.temperature == 0.8
    assert read.reader_classes[:54] == FACES
    assert read.detector_openvino is not None
    assert json.loads((tmp_path / "weights.json").read_text())["detector"]["sha256"]["detector.pt"]


def test_net_and_geometry_fit() -> None:
    logits, features = ReaderNet().eval()(torch.zeros(2, 3, GEOMETRY.size[1], GEOMETRY.size[0]))
    assert logits.shape == (2, REJECT + 1)
    assert features.shape[1] == 256
    assert scene_feed.UNKNOWN_QUAD < -1000
