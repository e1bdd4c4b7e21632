from pathlib import Path

import numpy as np
import pytest
import torch

from models import train_wide
from models.patches import Patches
from models.train_reader import ReaderNet, save_reader
from vision import wide


def test_the_wide_reader_begins_with_what_the_reader_sees() -> None:
    torch.manual_seed(0)
    reader = ReaderNet().eval()
    net = train_wide.begun_from(reader).eval()
    x = torch.rand(1, 3, 84, 48)
    assert torch.equal(net.body(x), reader.body(x))
    assert torch.equal(net.head.weight, reader.head.weight)


def _patches(count: int = 64) -> Patches:
    rng = np.random.default_rng(0)
    faces = np.arange(count) % 2 + 52
    width, height = wide.GEOMETRY.size
    pictures = np.asarray(rng.integers(0, 60, (count, height, width, 3)) + ((faces == 53) * 180)[:, None, None, None], np.uint8)
    return Patches(pictures, faces, np.ones(count, np.float32))


def test_it_is_trained_and_written_and_the_one_before_stays_when_it_reads_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    save_reader(ReaderNet(), tmp_path)
    told: list[str] = []
    train_wide.run(_patches(), _patches(), tmp_path / "reader.pt", tmp_path, 10, told.append)
    reader = wide.load(tmp_path)
    assert reader is not None
    logits, _ = reader.run(_patches(8).pictures)
    assert logits.argmax(1).tolist() == [52, 53] * 4
    first = (tmp_path / "wide.pt").read_bytes()
    untaught = train_wide.judged(ReaderNet(wide.GEOMETRY.size).eval(), _patches())
    monkeypatch.setattr(train_wide, "train", lambda *_, **__: untaught)
    train_wide.run(_patches(), _patches(), tmp_path / "reader.pt", tmp_path, 0.01, told.append)
    assert "stays" in told[-1]
    assert (tmp_path / "wide.pt").read_bytes() == first
