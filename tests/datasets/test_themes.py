"""Themes of scenes: what lies in them, what is labelled in them, and what must not be."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from datasets import drawn, game_layout, jokers, layout, lens, scene, things
from datasets.art import Deck
from datasets.indices import index_boxes
from datasets.prints import PRINTS
from datasets.splits import split
from datasets.themes import CLEAR, EMPTY, GAME, JOKERS, MIXED, THEMES, Theme
from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, Card


@pytest.fixture
def one_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """One drawn deck for all scenes keeps these tests quick."""
    monkeypatch.setattr(scene, "choose_deck", lambda part, rng, extra=(), rich=False: "drawn/1001")


def _bare_seed() -> int:
    return next(seed for seed in range(3000, 3200) if drawn.style_of(seed).joker == "none")


@pytest.mark.usefixtures("one_deck")
def test_an_empty_scene_shows_something_and_has_no_label() -> None:
    for seed in range(3):
        made = scene.render(seed, theme=EMPTY)
        assert made.indices == made.covered == ()
        assert made.picture.std() > 1


@pytest.mark.usefixtures("one_deck")
def test_a_theme_is_drawn_by_its_own_seeds_and_the_same_seed_gives_the_same_scene() -> None:
    first, again, other = scene.render(3, theme=GAME), scene.render(3, theme=GAME), scene.render(3, theme=MIXED)
    assert np.array_equal(first.picture, again.picture)
    assert not np.array_equal(first.picture, other.picture)


@pytest.mark.usefixtures("one_deck")
def test_a_card_behind_the_camera_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is larger than a picture; seen aslant, what lies beyond the horizon projects back into it, turned over and endless."""
    monkeypatch.setattr(scene, "_camera", lambda size, rng, tilts: np.array([[1.0, 0, 0], [0, 1, 0], [0, -0.9 / size, 1]]))

    def column(extent: float, _rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(Card("S8"), extent / 2, extent * k / 2, 0) for k in range(8)]

    labels = scene.render(2, kind=column, card_width=80).indices
    assert labels
    for label in labels:
        assert np.abs(label.quad).max() < 4 * scene.SIZE


@pytest.mark.parametrize(("theme", "part", "decks"), [(JOKERS, "train", 10), (MIXED, "train", 2), (JOKERS, "held_out", 2)])
def test_neighbouring_scenes_share_a_deck_but_jokers_for_training_come_from_many(
    monkeypatch: pytest.MonkeyPatch, theme: Theme, part: str, decks: int
) -> None:
    asked: list[float] = []

    def choose(part: str, rng: random.Random, extra: tuple[str, ...] = (), *, rich: bool = False) -> str:
        asked.append(rng.random())
        return "drawn/1001"

    monkeypatch.setattr(scene, "choose_deck", choose)
    for seed in range(20):
        scene.render(seed, part, theme=theme, size=64)
    assert len(set(asked)) == decks


def test_themes_have_shards_of_their_own() -> None:
    names = [name for theme in THEMES for name in (theme.name, theme.held_name)]
    assert len(set(names)) == len(names)
    assert not any(f"{a}-".startswith(f"{b}-") for a in names for b in names if a != b)


def test_plays_lie_turned_to_the_four_seats() -> None:
    """A camera above the table sees cards in four directions, a few degrees off."""
    for seed in range(20):
        cards = game_layout.seats(6, random.Random(seed))
        turns = np.array([card.angle for card in cards])
        spread = np.angle(np.exp(1j * np.radians(turns * 4))) / 4
        middle = np.angle(np.mean(np.exp(4j * np.radians(turns)))) / 4
        off = np.degrees(np.angle(np.exp(4j * (spread - middle))) / 4)
        assert np.median(np.abs(off)) < 15


def test_identical_cards_lie_at_least_seven_millimetres_apart() -> None:
    steps = []
    for seed in range(40):
        cards = game_layout.alike(5, random.Random(seed))
        steps += [math.hypot(a.x - b.x, a.y - b.y) * 63 for a, b in itertools.pairwise(cards) if a.card == b.card]
    near = [step for step in steps if step < 40]
    assert len(near) > 40
    assert np.percentile(near, 5) > 5
    assert np.percentile(near, 50) < 24


def test_plays_are_what_a_seat_may_play() -> None:
    plays = [game_layout._play(random.Random(seed)) for seed in range(300)]
    assert {len(play) for play in plays} >= {1, 2, 3, 4, 6}
    tractors = [play for play in plays if len(play) == 4 and play[0] == play[1] != play[2] == play[3]]
    assert tractors
    assert any(play[0][0] == play[2][0] for play in tractors)


def test_a_pile_lies_on_one_place() -> None:
    for seed in range(10):
        cards = game_layout.pile(3, random.Random(seed))
        assert len(cards) >= 4
        assert all(-1.5 < card.x < 4.5 and -1.5 < card.y < 4.5 for card in cards)


def test_a_scene_of_jokers_is_mostly_jokers() -> None:
    cards = [card for seed in range(20) for card in game_layout.jokers(5, random.Random(seed))]
    share = sum(card.card in (LITTLE_JOKER, BIG_JOKER) for card in cards) / len(cards)
    assert 0.4 < share < 0.75


def test_only_backs_lie_face_down() -> None:
    assert not any(card.face_up for seed in range(10) for card in game_layout.only_backs(4, random.Random(seed)))


def test_a_joker_without_an_index_has_no_box_and_no_label(monkeypatch: pytest.MonkeyPatch) -> None:
    """A blank corner must not be taught as a joker."""
    name = f"drawn/{_bare_seed()}"
    deck = drawn.draw_deck(_bare_seed())
    assert deck.bare == {LITTLE_JOKER, BIG_JOKER}
    assert set(index_boxes(deck)) == set(FACES[:52])
    monkeypatch.setattr(scene, "choose_deck", lambda part, rng, extra=(), rich=False: name)

    def both(extent: float, _rng: random.Random) -> list[layout.Lying]:
        return [layout.Lying(card, extent * x, extent / 2, 0) for card, x in ((BIG_JOKER, 0.3), (Card("S8"), 0.7))]

    monkeypatch.setattr(scene.backgrounds, "hand", lambda *args: None)
    assert {index.card for index in scene.render(1, kind=both, card_width=100).indices} <= {Card("S8")}


@pytest.mark.parametrize("kind", [name for name, _ in jokers.RICH if name != "none"])
def test_every_habit_prints_the_big_joker_in_another_ink_than_the_little_one(kind: str) -> None:
    font = drawn.style_of(3000).joker_font
    inks = ((10, 10, 10), (200, 20, 20))
    made = [jokers.joker_index(kind, 3000, font, 30, inks, (255, 255, 255), big=big) for big in (False, True)]
    reds = []
    for picture in made:
        assert picture is not None
        pixels = np.asarray(picture, float)
        solid = pixels[..., 3] > 200
        assert solid.sum() > 30
        reds.append(float((pixels[solid][:, 0] - pixels[solid][:, 1]).mean()))
    assert abs(reds[0]) < 5
    assert reds[1] > 20


def test_a_little_joker_is_pictured_in_greys() -> None:
    little, big = (np.asarray(jokers.jester(7, 120, 200, (255, 255, 255), big=big), int)[..., :3] for big in (False, True))
    assert np.ptp(little, axis=2).max() == 0
    assert np.ptp(big, axis=2).max() > 60


def test_rich_decks_keep_to_their_part() -> None:
    rng = random.Random(0)
    held = {int(scene.choose_deck("held_out", rng, rich=True).removeprefix("drawn/")) for _ in range(200)}
    trained = {int(scene.choose_deck("train", rng, rich=True).removeprefix("drawn/")) for _ in range(200)}
    assert max(held) < drawn.HELD_OUT_SEEDS <= min(trained)
    assert all(drawn.is_rich(seed) for seed in held | trained)
    low, high = split("train", "drawn_seeds")
    assert int(low) <= min(trained)
    assert max(trained) < int(high)


def test_the_first_drawn_decks_keep_their_habits() -> None:
    """Evaluation draws with seeds below 60; its pictures stay comparable."""
    assert {drawn.style_of(seed).joker for seed in range(60)} <= {name for name, _ in jokers.PLAIN}


@pytest.mark.parametrize("make", [*things.THINGS, *PRINTS], ids=lambda make: make.__name__)
def test_every_thing_can_be_drawn_small_and_large(make: things.Maker) -> None:
    for seed, unit in enumerate((45.0, 90.0, 300.0)):
        picture = make(unit, random.Random(seed))
        assert picture.mode == "RGBA"
        assert max(picture.size) < 7 * unit + 20
        assert np.asarray(picture)[..., 3].max() == 255


def test_no_paper_says_joker() -> None:
    rng = random.Random(0)
    assert not any("JOKER" in things.words(rng, 8).upper().split() for _ in range(500))
    found = iter(("J", "O", "K", "E", "R"))

    class Spelling(random.Random):
        """Spells the word on a joker."""

        def random(self) -> float:
            return 0.4

        def randint(self, a: int, b: int) -> int:
            return 5

        def choice(self, seq: object) -> str:  # type: ignore[override]
            return next(found)

    assert things.words(Spelling(), 1) == "-"


def test_a_poor_picture_is_darker_or_softer_than_a_good_one() -> None:
    board = (np.indices((64, 64)).sum(0) // 8 % 2 * 255)[..., None].repeat(3, 2).astype(np.float32)
    changed = 0
    for seed in range(12):
        out = lens.poor(board.copy(), 80, random.Random(seed), np.random.default_rng(seed))
        assert out.shape == board.shape
        changed += bool(out.mean() < 0.95 * board.mean() or np.abs(np.diff(out[..., 0], axis=1)).max() < 200)
    assert changed >= 6


def test_a_deck_says_which_faces_are_bare() -> None:
    assert Deck("x", {}, np.zeros((1, 1, 4), np.uint8)).bare == frozenset()


@pytest.mark.usefixtures("one_deck")
def test_a_clear_scene_asks_for_no_index_that_is_partly_covered() -> None:
    def beside(step: float) -> scene.Layout:
        return lambda extent, _: [layout.Lying(Card("S8"), extent / 2, extent / 2, 0.0), layout.Lying(Card("H9"), extent / 2 + step, extent / 2, 0.0)]

    # The second card hides less than a fifth of the first one's index, then none of it.
    for step, mixed, clear in ((0.135, {"S8", "H9"}, {"H9"}), (0.17, {"S8", "H9"}, {"S8", "H9"})):
        drawn_as = [scene.render(5, kind=beside(step), card_width=110, theme=theme) for theme in (MIXED, CLEAR)]
        assert [{i.card for i in made.indices} for made in drawn_as] == [mixed, clear]


def test_a_plain_picture_is_lit_evenly_and_in_focus() -> None:
    stripes = np.zeros((128, 128, 3), np.float32)
    stripes[:, ::8] = stripes[:, 1::8] = stripes[:, 2::8] = stripes[:, 3::8] = 220
    for seed in range(5):
        shown = lens.plain(stripes.copy(), random.Random(seed), np.random.default_rng(seed)).astype(float)
        light, dark = shown[:, 1::8].mean(), shown[:, 5::8].mean()
        assert light - dark > 140
        assert abs(shown[:64].mean() - shown[64:].mean()) < 20
