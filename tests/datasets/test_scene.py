"""Rendered scenes: labels lie where the indices are, the same seed gives the same scene, the parts keep to their decks."""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import drawn, fonts, layout, scene
from datasets.art import ArtError
from datasets.shards import COLUMNS, read_shard, write_shard
from datasets.splits import split


@pytest.fixture(scope="module", autouse=True)
def _art() -> None:
    try:
        fonts.text_fonts()
    except ArtError as error:  # the machine cannot fetch card art at all
        pytest.fail(str(error))


@pytest.fixture(autouse=True)
def _one_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """One drawn deck for all scenes keeps these tests quick."""
    monkeypatch.setattr(scene, "choose_deck", lambda part, rng, extra=(): "drawn/1001")


def _one(extent: float, _rng: random.Random) -> list[layout.Lying]:
    return [layout.Lying(scene.Card("S8"), extent / 2, extent / 2, 20.0)]


def test_the_same_seed_gives_the_same_scene_and_another_seed_another() -> None:
    first, again, other = scene.render(12), scene.render(12), scene.render(13)
    assert np.array_equal(first.picture, again.picture)
    assert [i.box for i in first.indices] == [i.box for i in again.indices]
    assert not np.array_equal(first.picture, other.picture)


def test_a_lone_card_has_two_labels_whose_quads_are_the_same_card() -> None:
    both = scene.render(5, kind=_one, card_width=110).indices
    assert [i.card for i in both] == ["S8", "S8"]
    assert np.abs(both[0].quad - np.roll(both[1].quad, 2, 0)).max() < 0.1


def test_a_quad_goes_around_clockwise_from_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = scene.render(5, kind=_one, card_width=110).indices
    assert labels
    for label in labels:
        edges = np.roll(label.quad, -1, 0) - label.quad
        turns = edges[:, 0] * np.roll(edges, -1, 0)[:, 1] - edges[:, 1] * np.roll(edges, -1, 0)[:, 0]
        assert (turns > 0).all()
        middle = np.array([(label.box[0] + label.box[2]) / 2, (label.box[1] + label.box[3]) / 2])
        assert int(np.linalg.norm(label.quad - middle, axis=1).argmin()) == 0


def test_a_label_lies_on_the_ink_of_its_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without camera faults, the label's box is darker inside than its paper, and the card's middle edge is not."""
    monkeypatch.setattr(scene.lens, "light", lambda picture, rng, nrng: None)
    monkeypatch.setattr(scene.lens, "expose", lambda picture, width, rng, nrng: np.clip(picture, 0, 255).astype(np.uint8)[..., ::-1])
    monkeypatch.setattr(scene.backgrounds, "hand", lambda *args: None)
    monkeypatch.setattr(scene.backgrounds, "clutter", lambda *args: None)
    made = scene.render(5, kind=_one, card_width=120)
    assert made.indices
    for label in made.indices:
        square = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32)
        face = cv2.warpPerspective(made.picture, cv2.getPerspectiveTransform(label.quad, square), (126, 176))
        ink = face.max(2) < 120
        x0, y0, x1, y1 = (np.array(scene._pack("drawn/1001").boxes[label.card]) * 126 / scene.FACE_W).round().astype(int)
        assert ink[y0:y1, x0:x1].mean() > 0.12
        assert ink[2:y1, x1 + 2 : x1 + 6].mean() < 0.5 * ink[y0:y1, x0:x1].mean()


def test_a_covered_index_has_no_label() -> None:
    def stack(extent: float, rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(scene.Card(card), extent / 2, extent / 2, 20.0) for card in ("S8", "H9")]

    assert {i.card for i in scene.render(5, kind=stack, card_width=110).indices} == {"H9"}


def test_backs_and_bare_tables_have_no_labels() -> None:
    def back(extent: float, rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(scene.Card("S8"), extent / 2, extent / 2, 20.0, face_up=False)]

    assert scene.render(5, kind=back).indices == ()
    assert scene.render(5, kind=layout.nothing).indices == ()


def test_corners_keep_their_places_outside_of_the_picture() -> None:
    def half_out(extent: float, rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(scene.Card("S8"), extent - 0.2, extent / 2, 0.0)]

    quads = [i.quad for i in scene.render(40, kind=half_out, card_width=120).indices]
    assert quads
    assert max(float(q[:, 0].max()) for q in quads) > scene.SIZE + 5


def test_two_identical_cards_ten_millimetres_apart_keep_their_own_labels() -> None:
    def pair(extent: float, rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(scene.Card("D3"), extent / 2 + i * 10 / 63, extent / 2, 0.0) for i in range(2)]

    lefts = sorted(float(i.quad[0, 0]) for i in scene.render(41, kind=pair, card_width=120).indices if i.quad[0, 1] < i.quad[3, 1])
    assert len(lefts) == 2
    assert 10 < lefts[1] - lefts[0] < 30


def test_a_shard_gives_back_what_was_drawn(tmp_path: Path) -> None:
    path = tmp_path / "train-00000.npz"
    write_shard(path, 60, "train", count=2)
    shard = read_shard(path)
    assert shard.labels.shape[1] == COLUMNS
    assert shard.picture(0).shape == (scene.SIZE, scene.SIZE, 3)
    drawn_labels = scene.render(60).indices
    rows = shard.rows(0)
    assert [int(v) for v in rows[rows[:, 2] > 0][:, 1]] == [list(scene.layout.FACES).index(i.card) for i in drawn_labels]


class TestParts:
    """The art split: what evaluation draws with is never drawn with in training."""

    @pytest.fixture(autouse=True)
    def _one_deck(self) -> None:
        """Undo the one deck of the tests above."""

    @pytest.mark.parametrize("part", ["train", "held_out"])
    def test_a_part_uses_only_its_decks(self, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()
        other = "held_out" if part == "train" else "train"
        rng = random.Random(1)
        names = {scene.choose_deck(part, rng) for _ in range(400)}
        assert not names & set(split(other, "decks"))  # type: ignore[arg-type]
        numbers = [int(name.removeprefix("drawn/")) for name in names if name.startswith("drawn/")]
        assert numbers
        assert all((number < drawn.HELD_OUT_SEEDS) == (part == "held_out") for number in numbers)

    @pytest.mark.parametrize("seed", [0, 7, 1000, 1007, 1013])
    def test_a_drawn_deck_uses_only_fonts_and_courts_of_its_part(self, seed: int) -> None:
        style = drawn.style_of(seed)
        held = seed < drawn.HELD_OUT_SEEDS
        assert fonts.held_out(style.font) == held
        assert fonts.held_out(style.joker_font) == held
        assert style.court in split("held_out" if held else "train", "court_decks")

    def test_pip_fonts_draw_each_suit_as_what_it_is(self) -> None:
        """Some old fonts have spades and clubs swapped; such a deck would teach the wrong suits."""
        pattern = next(file for file in fonts.text_fonts() if file.stem == "DejaVuSans")
        for file in fonts.pip_fonts():
            shapes = {sign: fonts._shape(file, sign) for sign in fonts.SUIT_SIGNS}
            for sign, shape in shapes.items():
                likeness = {other: float((shape * fonts._shape(pattern, other)).sum()) for other in fonts.SUIT_SIGNS}
                assert max(likeness, key=likeness.__getitem__) == sign, file.name
