import numpy as np
import pytest

from engine.cards import FACES
from vision.detector import Detections, Floats
from vision.joining import join

from .quads import WIDTH, card_quad, see, sure_of

MM = WIDTH / 63


def _faces(*names: str) -> Floats:
    said = sure_of(*names)[:, : len(FACES)]
    return np.asarray(said / said.sum(1, keepdims=True), np.float32)


def _groups(found: Detections, *names: str, sure: float = 0.97, likeness: np.ndarray | None = None) -> list[tuple[int, ...]]:
    joined = join(found, _faces(*names), np.full(len(found), sure, np.float32), likeness=likeness)
    return sorted(tuple(sorted(group)) for group in joined.groups)


def _fan(step_mm: float, degrees: float, count: int = 3) -> list[Floats]:
    way = np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))]) * step_mm * MM
    return [card_quad(300 + k * way[0], 300 + k * way[1], degrees) for k in range(count)]


@pytest.mark.parametrize("scale", [0.93, 1.0, 1.07])
@pytest.mark.parametrize("step_mm", [8, 10, 12, 16])
def test_the_far_end_belongs_to_the_card_on_top_whatever_size_the_corners_foretell(step_mm: float, scale: float) -> None:
    quads = _fan(step_mm, 25)
    found = see([(quads[0], False), (quads[1], False), (quads[2], False), (quads[2], True)], error=0.8)
    # All foretold sizes err alike: by the size alone the far end could be the middle card's.
    found = Detections(found.boxes, found.quads[:, :1] + (found.quads - found.quads[:, :1]) * np.float32(scale), found.scores)
    assert _groups(found, "SA", "SA", "SA", "SA") == [(0,), (1,), (2, 3)]


def test_in_a_fan_the_other_way_round_the_lower_cards_show_their_far_ends() -> None:
    quads = _fan(-10, 0)
    found = see([(quads[0], True), (quads[1], True), (quads[2], False), (quads[2], True)], error=0.8)
    assert _groups(found, "C7", "C7", "C7", "C7") == [(0,), (1,), (2, 3)]


def test_a_weak_find_beside_a_sure_one_that_looks_unlike_it_is_its_second() -> None:
    quads = _fan(16, 0, 2)
    between = card_quad(300 + 8 * MM, 300)
    found = see([(quads[0], False), (quads[1], False), (between, False)])
    found = Detections(found.boxes, found.quads, np.array([0.75, 0.74, 0.2], np.float32))
    like = np.full((3, 3), np.nan)
    like[1, 0] = 0.93
    like[2, :2] = 0.3
    assert _groups(found, "DA", "DA", "DA", likeness=like) == [(0,), (1,)]
    like[2, :2] = 0.93
    assert _groups(found, "DA", "DA", "DA", likeness=like) == [(0,), (1,), (2,)]


def test_a_doubtful_find_that_would_lie_on_and_under_a_card_at_once_is_none() -> None:
    quad = card_quad(300, 300)
    askew = card_quad(294, 304, 2)
    found = see([(quad, False), (quad, True), (askew, True)])
    joined = join(found, _faces("H9", "H9", "HJ"), np.array([0.98, 0.97, 0.2], np.float32))
    assert [tuple(sorted(group)) for group in joined.groups] == [(0, 1)]


def test_cards_far_from_each_other_are_not_compared() -> None:
    found = see([(card_quad(200 + 200 * k, 300, 40.0 * k), lower) for k in range(4) for lower in (False, True)], error=1)
    assert _groups(found, *["S2"] * 8) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_the_two_ends_of_a_bent_card_are_one_card() -> None:
    quad = card_quad(300, 300, 25)
    found = see([(quad, False), (quad, True)])
    across = (quad[1] - quad[0]) / np.linalg.norm(quad[1] - quad[0])
    bent = found.quads.copy()
    bent[1] += across * 0.16 * WIDTH  # the far end lies a sixth of a card beside the place that the near one foretells
    assert _groups(Detections(found.boxes, bent, found.scores), "HJ", "HJ") == [(0, 1)]
    assert _groups(Detections(found.boxes, bent, found.scores), "HJ", "C4") == [(0,), (1,)]


def test_a_find_between_two_identical_cards_that_looks_like_neither_is_no_third() -> None:
    quads = [*_fan(16, 0, 2), card_quad(300 + 8 * MM, 300)]
    found = see([(quad, False) for quad in quads])
    found = Detections(found.boxes, found.quads, np.array([0.75, 0.74, 0.41], np.float32))
    like = np.full((3, 3), np.nan)
    like[1, 0], like[2, :2] = 0.9, 0.44
    joined = join(found, _faces("S9", "S9", "S9"), np.array([0.98, 0.97, 0.91], np.float32), likeness=like)
    assert sorted(tuple(sorted(group)) for group in joined.groups) == [(0,), (1,)]


def _right_as_left(quad: Floats) -> Floats:
    """The quad that the detector gives an index at the right corner: as if a card began there."""
    return np.asarray(quad + (quad[1] - quad[0]) * 0.85, np.float32)


def test_the_right_index_of_a_deck_with_four_is_no_card_of_its_own() -> None:
    cards = [card_quad(200, 200, 10), card_quad(420, 240, -15), card_quad(640, 220, 40)]
    quads = [quad for card in cards for quad in (card, _right_as_left(card))]
    found = see([(quad, False) for quad in quads])
    assert _groups(found, "H5", "H5", "CK", "CK", "S2", "S2") == [(0, 1), (2, 3), (4, 5)]


def test_identical_cards_side_by_side_are_not_taken_for_a_deck_with_four_indices() -> None:
    quads = [card_quad(200, 200), card_quad(200 + 1.02 * WIDTH, 200), card_quad(200, 500), card_quad(200 + 1.05 * WIDTH, 500)]
    assert len(_groups(see([(quad, False) for quad in quads]), "H5", "H5", "CK", "CK")) == 4


@pytest.mark.parametrize("high", [0.9, 1.0])
def test_in_a_deck_with_four_indices_the_far_right_index_belongs_to_the_card_that_another_covers(high: float) -> None:
    apart = [card_quad(200, 200, 10), card_quad(420, 240, -15)]
    under, over = card_quad(640, 420), card_quad(640 + 10 * MM, 420)
    quads = [quad for card in (*apart, over) for quad in (card, _right_as_left(card))]
    quads += [under, _right_as_left(np.roll(under, 2, 0)), np.roll(over, 2, 0), _right_as_left(np.roll(over, 2, 0))]
    found = see([(quad, False) for quad in quads])
    # Before pairs have told it, a card's height is foretold by looks, of all cards too short alike.
    short = found.quads.copy()
    short[:, 2:] += (found.quads[:, [1, 0]] - found.quads[:, 2:]) * np.float32(1 - high)
    found = Detections(found.boxes, short, found.scores)
    groups = _groups(found, "H5", "H5", "CK", "CK", *["S2"] * 6)
    assert sorted(groups) == [(0, 1), (2, 3), (4, 5, 8, 9), (6, 7)]


def test_right_indices_that_are_settled_tell_the_deck_of_a_card_that_shows_its_left_side_alone() -> None:
    under, over = card_quad(640, 420), card_quad(640 + 10 * MM, 420)
    whole = [card_quad(200, 200, 10), card_quad(420, 240, -15), over, np.roll(over, 2, 0)]
    quads = [quad for card in whole for quad in (card, _right_as_left(card))]
    found = see([(quad, False) for quad in (*quads, under, _right_as_left(np.roll(under, 2, 0)))])
    settled = found.quads.copy()
    settled[1:8:2] = found.quads[0:8:2]
    groups = _groups(Detections(found.boxes, settled, found.scores), "H5", "H5", "CK", "CK", *["S2"] * 6)
    assert sorted(tuple(sorted(group)) for group in groups) == [(0, 1), (2, 3), (4, 5, 6, 7), (8, 9)]
