from pathlib import Path

import numpy as np
import pytest
import torch

from models import train_wide
from models.patches import Patches
from models.train_reader import ReaderNet, Result, load_net, predict, save_reader
from vision import wide


def test_the_wide_reader_begins_with_what_the_reader_sees() -> None:
    torch.manual_seed(0)
    reader = ReaderNet().eval()
    net = train_wide.begun_from(reader).eval()
    x = torch.rand(1, 3, 84, 48)
    assert torch.equal(net.body(x), reader.body(x))
    assert torch.equal(net.head.weight, reader.head.weight)


def _patches(count: int = 16) -> Patches:
    width, height = wide.GEOMETRY.size
    pictures = np.random.default_rng(0).integers(0, 255, (count, height, width, 3), np.uint8)
    return Patches(pictures, np.arange(count) % 2 + 52, np.ones(count, np.float32))


def test_what_was_trained_is_what_is_written_and_read(tmp_path: Path) -> None:
    save_reader(ReaderNet(), tmp_path)
    told: list[str] = []
    result = train_wide.run(_patches(), _patches(), tmp_path / "reader.pt", tmp_path, 10, told.append)
    reader = wide.load(tmp_path)
    assert reader is not None
    logits, _ = reader.run(_patches().pictures)
    assert np.abs(logits - predict(result.net, _patches())).max() < 0.1
    assert not (tmp_path / "wide_head.npz").exists()
    assert "unseen indices right" in told[-1]


@pytest.mark.parametrize("better", [False, True])
def test_the_one_before_stays_only_where_it_reads_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, better: bool) -> None:
    first, second = ReaderNet(wide.GEOMETRY.size).eval(), ReaderNet(wide.GEOMETRY.size).eval()
    train_wide.save(Result(first, 1.0, 0.5, 0.5), tmp_path)
    share = 0.9 if better else 0.1
    monkeypatch.setattr(train_wide, "judged", lambda net, test: Result(net, 1.0, 0.5, 0.5))
    monkeypatch.setattr(train_wide, "train", lambda *_, **__: Result(second, 1.0, share, share))
    told: list[str] = []
    train_wide.run(_patches(), _patches(), tmp_path / "reader.pt", tmp_path, 1, told.append)
    kept = second if better else first
    assert torch.allclose(load_net(tmp_path / "wide.pt").head.weight, kept.head.weight, atol=1e-3)
    assert ("stays" in told[-1]) is not better
