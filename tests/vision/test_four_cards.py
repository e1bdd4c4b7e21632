import numpy as np
import pytest

from engine.cards import FACES, Card
from vision.detector import Detections, Floats
from vision.four import prints_four
from vision.four_cards import whole_cards
from vision.joining import join
from vision.patch import at_right
from vision.plane import fit_plane

from .quads import WIDTH, card_quad, index_of

MM = WIDTH / 63
U = 0.12


def _found(views: list[tuple[Floats, int]], *, known: bool = False, error: float = 0.6) -> Detections:
    """Indices of four-index cards by their spot (upper left, upper right, and those of the other end); right ones are found as the detector finds
    them, as left ones of a card further on, unless they are ``known``."""
    random = np.random.default_rng(1)
    quads, boxes = [], []
    for card, spot in views:
        seen = np.roll(card, 2, 0) if spot > 1 else card
        right = spot in (1, 3)
        boxes.append(index_of(seen, 1 - U if right else U))
        shift = (seen[1] - seen[0]) * (1 - 2 * U) if right and not known else 0
        quads.append(seen + shift + random.normal(0, error, (4, 2)))
    return Detections(np.array(boxes, np.float32), np.array(quads, np.float32), np.full(len(views), 0.8, np.float32))


def _faces(*names: str) -> Floats:
    out = np.full((len(names), len(FACES)), 0.02 / 53, np.float32)
    for row, name in zip(out, names, strict=True):
        row[FACES.index(Card(name))] = 0.98
    return out


def _cards(found: Detections, faces: Floats, sure: float = 0.95) -> list[tuple[int, ...]]:
    level = np.full(len(found), sure, np.float32)
    _, groups, _ = whole_cards(found, faces, level, fit_plane(found, level), (1000, 1000))
    return sorted(tuple(sorted(group)) for group in groups)


APART = [(card_quad(150, 150, 10), spot) for spot in range(4)]
"""A card by itself, which shows all four."""


def _with_apart(views: list[tuple[Floats, int]], face: str = "S2", *, known: bool = False) -> list[tuple[int, ...]]:
    """The cards among the views, numbered from nought, beside one that lies apart."""
    found = _found([*APART, *views], known=known)
    groups = _cards(found, _faces(*["H5"] * 4, *[face] * len(views)))
    assert (0, 1, 2, 3) in groups
    return sorted(tuple(k - 4 for k in group) for group in groups if group != (0, 1, 2, 3))


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("step", [8, 10, 16])
def test_in_a_fan_of_like_cards_the_lower_ones_show_their_left_sides(step: float, known: bool) -> None:
    low, middle, top = (card_quad(500 + k * step * MM, 500, 30) for k in range(3))
    views = [(low, 0), (low, 3), (middle, 0), (middle, 3), *((top, spot) for spot in range(4))]
    assert _with_apart(views, known=known) == [(0, 1), (2, 3), (4, 5, 6, 7)]


def test_in_a_fan_the_other_way_round_the_lower_card_shows_its_right_side() -> None:
    low, top = card_quad(516, 500), card_quad(500, 500)
    assert _with_apart([(low, 1), (low, 2), *((top, spot) for spot in range(4))]) == [(0, 1), (2, 3, 4, 5)]


def test_a_card_of_which_a_hand_leaves_one_index_is_a_card() -> None:
    assert _with_apart([(card_quad(500, 500, 70), 0)]) == [(0,)]


def test_two_cards_side_by_side_are_two() -> None:
    left, right = card_quad(450, 500), card_quad(450 + 66 * MM, 500)
    views = [(card, spot) for card in (left, right) for spot in range(4)]
    assert _with_apart(views) == [(0, 1, 2, 3), (4, 5, 6, 7)]


def test_a_second_find_of_an_index_is_no_card() -> None:
    card = card_quad(500, 500)
    aside = card + np.array([6 * MM, 2 * MM], np.float32)
    assert _with_apart([*((card, spot) for spot in range(4)), (aside, 0)]) in ([(0, 1, 2, 3)], [(1, 2, 3, 4)])


def test_indices_of_other_faces_are_never_one_cards() -> None:
    card = card_quad(500, 500)
    found = _found([*APART, (card, 0), (card, 2)])
    assert (4, 5) not in _cards(found, _faces(*["H5"] * 4, "S2", "C9"))


def test_an_index_at_the_right_gets_the_quad_of_its_card() -> None:
    found = _found(APART)
    level = np.full(4, 0.95, np.float32)
    placed, _, _ = whole_cards(found, _faces(*["H5"] * 4), level, fit_plane(found, level), (1000, 1000))
    assert at_right(placed.quads, placed.centres).tolist() == [False, True, False, True]
    assert np.abs(placed.quads[1] - APART[0][0]).max() < 0.05 * WIDTH


def _still(*faces: str, apart: int = 3) -> list[tuple[int, ...]]:
    """Two like cards in a fan and a joker, beside cards that lie apart and show right indices, in a still."""
    low, top, joker = card_quad(500, 500), card_quad(500 + 10 * MM, 500), card_quad(800, 250, 20)
    alone = [(card_quad(150 + 250 * k, 850, 12 * k), spot) for k in range(apart) for spot in (0, 1, 2, 3)]
    views = [(low, 0), (low, 3), *((top, spot) for spot in range(4)), (joker, 0), (joker, 2), *alone]
    names = [*["S2"] * 6, "BJ", "BJ", *(face for face in faces for _ in range(4))]
    joined = join(_found(views, known=True), _faces(*names), np.full(len(names), 0.95, np.float32), (1000, 1000), still=True)
    return sorted(tuple(sorted(group)) for group in joined.groups)


def test_in_a_still_a_deck_with_four_indices_is_joined_so_and_its_jokers_have_two() -> None:
    assert _still("H5", "CK", "D9") == [(0, 1), (2, 3, 4, 5), (6, 7), (8, 9, 10, 11), (12, 13, 14, 15), (16, 17, 18, 19)]


def test_right_indices_of_fewer_than_three_faces_or_of_jokers_do_not_tell_the_deck() -> None:
    found = _found([(card_quad(150 + 250 * k, 200), 1) for k in range(4)], known=True)
    assert not prints_four(found, _faces("H5", "CK", "H5", "CK"))
    assert not prints_four(found, _faces("H5", "CK", "LJ", "BJ"))
    assert prints_four(found, _faces("H5", "CK", "D9", "CK"))
    assert not prints_four(found.take([0, 1]), _faces("H5", "CK"))
