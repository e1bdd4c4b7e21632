"""Single indices: each can be read where its label says, many decks, in the form of scenes."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from datasets import singles
from datasets.drawn import HELD_OUT_SEEDS
from datasets.shards import read_shard
from engine.cards import FACES
from models.patches import from_shard
from vision.reader import REJECT


@pytest.fixture(autouse=True)
def only_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed decks have to be fetched."""
    monkeypatch.setattr(singles, "_PRINTED", 0.0)


def test_the_same_seed_draws_the_same_singles_and_another_seed_others() -> None:
    first, again, other = (list(itertools.islice(singles.singles(seed), 3)) for seed in (7, 7, 8))
    assert all(np.array_equal(a.jpeg, b.jpeg) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.jpeg, b.jpeg) for a, b in zip(first, other, strict=True))


def test_singles_are_of_decks_that_are_not_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []
    style_of = singles.style_of
    monkeypatch.setattr(singles, "style_of", lambda seed: seeds.append(seed) or style_of(seed))
    list(itertools.islice(singles.singles(3), 12))
    assert len(set(seeds)) >= 2
    assert min(seeds) >= HELD_OUT_SEEDS


def test_a_shard_of_singles_gives_the_reader_a_patch_of_each_face_and_places_without_one(tmp_path: Path) -> None:
    path = tmp_path / "singles-00000.npz"
    singles.write_singles(path, 1, count=12)
    shard = read_shard(path)
    assert len(shard.jpegs) == len(shard.labels) == 12
    patches = from_shard(shard, np.random.default_rng(0), repeats=2, rejects=0.5)
    faces = patches.faces[patches.faces != REJECT]
    assert sorted(faces.tolist()) == sorted([*shard.labels[:, 1].astype(int)] * 2)
    assert all(0 <= face < len(FACES) for face in faces)
    assert (patches.faces == REJECT).any()


def test_an_index_lies_in_its_small_picture() -> None:
    for one in itertools.islice(singles.singles(5), 10):
        x0, y0, x1, y1 = one.index.box
        assert x1 - x0 > 10
        assert y1 - y0 > 10
        assert np.isfinite(one.index.quad).all()
