import numpy as np
import pytest

from vision.detector import Detections, Floats
from vision.plane import Plane, fit_plane, known_plane, once, place, replaced

from .quads import WIDTH, card_quad, index_of, see

VIEW = np.array([[0.9, 0.12, 10.0], [-0.05, 1.1, 20.0], [0.0002, 0.0004, 1.0]])


def _seen(quads: Floats, view: np.ndarray = VIEW) -> Floats:
    flat = quads @ view[:2, :2].T + view[:2, 2]
    return np.asarray(flat / (quads @ view[2, :2] + 1)[..., None], np.float32)


def _finds(quads: Floats) -> Detections:
    return Detections(np.array([index_of(quad) for quad in quads], np.float32), quads, np.full(len(quads), 0.9, np.float32))


def _table(random: np.random.Generator, count: int = 24) -> Floats:
    return np.array([card_quad(*random.uniform(100, 900, 2), random.uniform(0, 360)) for _ in range(count)], np.float32)


def test_cards_seen_aslant_are_of_one_size_in_the_plane() -> None:
    quads = _seen(_table(np.random.default_rng(1)))
    plane = fit_plane(_finds(quads), np.ones(len(quads), np.float32))
    flat = plane.to_plane(quads)
    wide, high = np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1), np.linalg.norm(flat[:, 3] - flat[:, 0], axis=1)
    assert wide == pytest.approx(1, abs=0.01)
    assert high == pytest.approx(plane.aspect, abs=0.01)
    assert plane.aspect == pytest.approx(88 / 63, abs=0.01)


def test_sizes_that_err_by_five_percent_are_put_right_by_the_others() -> None:
    random = np.random.default_rng(2)
    true = _seen(_table(random, 40))
    wrong = true[:, :1] + (true - true[:, :1]) * random.normal(1, 0.06, (len(true), 1, 1)).astype(np.float32)
    finds = _finds(wrong)
    better = replaced(finds, fit_plane(finds, finds.scores)).quads
    before, after = (np.linalg.norm(quads[:, 2] - true[:, 2], axis=1).mean() for quads in (wrong, better))
    assert after < before / 2.5


def test_the_two_ends_of_cards_tell_the_size_that_all_indices_misjudge() -> None:
    quads = [card_quad(200 + 200 * (k % 3), 250 + 300 * (k // 3), 20.0 * k) for k in range(6)]
    found = see([(quad, lower) for quad in quads for lower in (False, True)])
    shrunk = Detections(found.boxes, found.quads[:, :1] + (found.quads - found.quads[:, :1]) * np.float32(0.92), found.scores)
    pairs = [(2 * k, 2 * k + 1) for k in range(6)]
    alone, together = fit_plane(shrunk, shrunk.scores), fit_plane(shrunk, shrunk.scores, pairs)
    sizes = [float(np.linalg.norm(np.diff(replaced(shrunk, plane).quads[0, :2], axis=0))) for plane in (alone, together)]
    assert sizes[0] == pytest.approx(0.92 * WIDTH, rel=0.02)
    assert sizes[1] == pytest.approx(WIDTH, rel=0.02)


def test_a_card_held_up_keeps_its_own_size() -> None:
    quads = _table(np.random.default_rng(3), 12)
    quads[0] = quads[0, :1] + (quads[0] - quads[0, :1]) * np.float32(1.6)
    finds = _finds(quads)
    placed = place(finds, fit_plane(finds, finds.scores))
    assert placed.sizes[0] == pytest.approx(1.6, rel=0.1)
    assert (placed.sizes[1:] == 1).all()


def test_a_calibrated_table_gives_the_size() -> None:
    quad = card_quad(300, 300, 30)
    plane = known_plane(np.diag([0.63, 0.63, 1.0]), 63.0)
    small = _finds((quad[None, :1] + (quad[None] - quad[None, :1]) * np.float32(0.9)).astype(np.float32))
    assert np.abs(replaced(small, plane).quads[0] - quad).max() < 0.1
    assert fit_plane(small, small.scores, known=plane).to_plane(quad[:2])[1] == pytest.approx(plane.to_plane(quad[:2])[1], abs=0.2)


def test_a_plane_of_a_part_is_that_of_the_whole_moved() -> None:
    plane = Plane(np.array([[0.01, 0, 0], [0, 0.01, 0], [1e-5, 0, 1]]), 1.4)
    whole = plane.moved(2.0, 30.0, -10.0)
    part = np.array([[12.0, 40.0]])
    assert whole.to_plane(part * 2 + [30.0, -10.0]) == pytest.approx(plane.to_plane(part))


def test_two_finds_of_one_corner_are_one_and_cards_eight_millimetres_apart_two() -> None:
    quad, beside = card_quad(300, 300), card_quad(300 + 8 / 63 * WIDTH, 300)
    found = see([(quad, False), (quad, False), (beside, False), (quad, True)], error=0.8)
    plane = fit_plane(found, found.scores)
    assert len(once(found, plane)) == 3
