import numpy as np

from vision.detector import Detections
from vision.patch import at_right
from vision.plane import Placed, fit_plane, place
from vision.stacking import stack

from .quads import WIDTH, card_quad, see


def _placed(found: Detections, pairs: list[tuple[int, int]]) -> Placed:
    return place(found, fit_plane(found, found.scores, pairs))


def test_the_fan_is_told_from_the_lowest_to_the_top() -> None:
    quads = [card_quad(300 + 15 / 63 * WIDTH * k, 300) for k in range(3)]
    found = see([(quads[0], False), (quads[1], False), (quads[2], False), (quads[2], True)])
    lying = stack([(0,), (1,), (2, 3)], _placed(found, [(2, 3)]), at_right(found.quads, found.centres))
    assert lying == [(0, ()), (1, (0,)), (2, (0, 1))]


def test_a_card_whose_far_end_does_not_show_is_covered_there() -> None:
    low, high = card_quad(300, 300), card_quad(345, 375, 10)
    found = see([(low, False), (high, True)])
    # No index lies inside the other card's outline; what covers the lower card's far end must be the other one.
    lying = stack([(0,), (1,)], _placed(found, []), at_right(found.quads, found.centres))
    assert lying[1][1] == (0,)


def test_one_card_lies_on_nothing() -> None:
    found = see([(card_quad(300, 300), False)])
    assert stack([(0,)], _placed(found, []), np.zeros(1, bool)) == [(0, ())]
    assert stack([], _placed(found, []), np.zeros(1, bool)) == []
