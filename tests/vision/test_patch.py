import cv2
import numpy as np
import pytest

from vision.patch import PATCH, PatchGeometry, at_right, cut, cut_many, is_sane

from .quads import card_quad


def checkered_card(scale: int = 10) -> np.ndarray:
    """A card of 63 x 88 mm whose colour tells the place: blue grows to the right, green downwards."""
    y, x = np.mgrid[0 : 88 * scale, 0 : 63 * scale]
    return np.stack([x * 250 / (63 * scale), y * 250 / (88 * scale), np.full(x.shape, 40)], 2).astype(np.uint8)


def picture_of(quad: np.ndarray, size: int = 700) -> np.ndarray:
    card = checkered_card()
    height, width = card.shape[:2]
    matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [width, 0], [width, height], [0, height]]), np.float32(quad))
    return cv2.warpPerspective(card, matrix, (size, size), flags=cv2.INTER_AREA)


@pytest.mark.parametrize("degrees", [0, 33, 90, 180, 301])
@pytest.mark.parametrize("width", [60, 100, 340])
def test_a_patch_is_upright_whatever_the_card_s_turn_and_size(degrees: float, width: float) -> None:
    quad = card_quad(350, 350, degrees, width)
    patch = cut(picture_of(quad), quad)
    height, columns = patch.shape[:2]
    for u, v in ((0.3, 0.3), (0.8, 0.5), (0.5, 0.85)):
        blue, green = (int(value) for value in patch[int(v * height), int(u * columns)][:2])
        assert abs(blue - 250 * (PATCH.x[0] + u * (PATCH.x[1] - PATCH.x[0]))) < 10
        assert abs(green - 250 * (PATCH.y[0] + v * (PATCH.y[1] - PATCH.y[0]))) < 10


def test_a_large_card_is_averaged_when_it_shrinks() -> None:
    stripes = np.zeros((1400, 1400, 3), np.uint8)
    stripes[:, ::2] = 255
    patch = cut(stripes, card_quad(700, 700, 0, 800))
    assert patch.std() < 30


def test_a_collapsed_quad_is_cut_as_a_parallelogram() -> None:
    mirrored = card_quad(300, 300)[[1, 0, 3, 2]]
    assert not is_sane(mirrored)
    assert cut(np.zeros((600, 600, 3), np.uint8), mirrored).shape == (112, 64, 3)
    flat = np.float32([[10, 10], [10, 10], [10, 10], [10, 10]])
    assert cut(np.zeros((600, 600, 3), np.uint8), flat).shape == (112, 64, 3)


def test_the_right_index_of_a_four_index_deck_is_cut_at_the_right_edge() -> None:
    quad = card_quad(350, 350)
    picture = picture_of(quad)
    quads = np.stack([quad, quad])
    centres = np.stack([quad[0] + 0.1 * (quad[1] - quad[0]), quad[0] + 0.9 * (quad[1] - quad[0])])
    right = at_right(quads, centres)
    assert right.tolist() == [False, True]
    left_patch, right_patch = cut_many(picture, quads, right=right)
    assert left_patch[50, 32, 0] < 60
    assert right_patch[50, 32, 0] > 190


def test_a_geometry_reads_what_it_writes() -> None:
    assert PatchGeometry.from_json(PATCH.to_json()) == PATCH


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"size": [64, 112], "x": [0.3, 0.1], "y": [0, 1]},
        {"size": [4, 4], "x": [0, 1], "y": [0, 1]},
        {"size": 3, "x": 1, "y": 2},
    ],
)
def test_a_geometry_without_area_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="geometry"):
        PatchGeometry.from_json(broken)
