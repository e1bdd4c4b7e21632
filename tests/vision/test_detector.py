import numpy as np

from vision.detector import Detections, Detector, suppress

from .quads import WIDTH, card_quad, index_of, see

MM = WIDTH / 63


class Recorded:
    """A network that returns what it was given: rows as the pose model writes them."""

    name = "recorded"

    def __init__(self, found: Detections) -> None:
        self.found = found
        self.shapes: list[tuple[int, ...]] = []

    def __call__(self, batch: np.ndarray) -> np.ndarray:
        self.shapes.append(batch.shape)
        found = self.found
        centres, sizes = found.centres, found.boxes[:, 2:] - found.boxes[:, :2]
        points = np.concatenate([found.quads, np.ones((len(found), 4, 1))], 2).reshape(len(found), 12)
        one = np.concatenate([centres, sizes, found.scores[:, None], points], 1).T
        return np.repeat(one[None], len(batch), 0).astype(np.float32)


def test_what_the_network_says_is_decoded() -> None:
    truth = see([(card_quad(300, 300, 30), False)])
    network = Recorded(truth)
    found = Detector(network).detect(np.zeros((350, 500, 3), np.uint8))
    assert np.allclose(found.boxes, truth.boxes, atol=1e-3)
    assert np.allclose(found.quads, truth.quads, atol=1e-3)
    assert network.shapes == [(1, 3, 384, 512)]


def test_weak_candidates_are_left_out() -> None:
    weak = see([(card_quad(300, 300), False)])
    faint = Detections(weak.boxes, weak.quads, np.float32([0.02]))
    assert len(Detector(Recorded(faint)).detect(np.zeros((320, 320, 3), np.uint8))) == 0


def test_pictures_of_one_size_run_together() -> None:
    network = Recorded(see([(card_quad(300, 300), False)]))
    results = Detector(network).detect_many([np.zeros((640, 640, 3), np.uint8)] * 3 + [np.zeros((100, 100, 3), np.uint8)])
    assert len(results) == 4
    assert sorted(shape[0] for shape in network.shapes) == [1, 3]


def test_candidates_of_one_index_are_merged() -> None:
    quad = card_quad(300, 300, 10)
    many = Detections.join([see([(quad, False)], error=2, seed=k) for k in range(6)])
    found = suppress(many)
    assert len(found) == 1
    assert np.abs(found.quads[0] - quad).mean() < 2


def test_neighbours_in_a_dense_fan_survive_although_their_boxes_overlap() -> None:
    # 26 cards 6.5 mm apart: neighbouring boxes of 26 mm overlap by three quarters.
    quads = [card_quad(200 + k * 6.5 * MM, 300) for k in range(26)]
    found = suppress(see([(quad, False) for quad in quads], error=0.8))
    assert len(found) == 26


def test_both_indices_of_a_small_overlap_with_opposite_turns_survive() -> None:
    quad = card_quad(300, 300)
    turned = card_quad(300, 300, 180)
    one, other = see([(quad, False)]), see([(turned, False)])
    moved = Detections(one.boxes, other.quads, other.scores)
    assert len(suppress(Detections.join([one, moved]))) == 2


def test_parts_are_moved_to_their_place() -> None:
    quad = card_quad(100, 100)
    moved = see([(quad, False)]).moved(2.0, 10, 20)
    assert np.allclose(moved.quads[0], quad * 2 + [10, 20], atol=1e-3)
    assert np.allclose(moved.boxes[0], index_of(quad) * 2 + [10, 20, 10, 20], atol=1e-3)


def test_a_card_s_width_is_not_shortened_by_foreshortening() -> None:
    squeezed = card_quad(100, 100) * np.float32([0.5, 1])
    found = Detections(np.zeros((1, 4), np.float32), squeezed[None], np.ones(1, np.float32))
    assert abs(float(found.widths[0]) - WIDTH) < 1
