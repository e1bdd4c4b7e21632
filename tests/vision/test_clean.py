import numpy as np

from vision.clean import remove_dots


def table(seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    picture = np.full((400, 500, 3), 120, np.float64) + random.normal(0, 3, (400, 500, 3))
    picture[100:220, 100:104] = 20  # the stem of an index
    picture[150:250, 200:320] = 240
    return picture.clip(0, 255).astype(np.uint8)


def strewn(picture: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(1)
    out = picture.copy()
    for value in (0, 255):
        y, x = random.integers(0, picture.shape[0], 700), random.integers(0, picture.shape[1], 700)
        out[y, x] = value
    return out


def test_strewn_dots_go_and_strokes_stay() -> None:
    clean = table()
    dotted = strewn(clean)
    cleaned = remove_dots(dotted)
    before, after = np.abs(dotted.astype(int) - clean).mean(), np.abs(cleaned.astype(int) - clean).mean()
    assert after < before / 4
    assert cleaned[120:200, 100:104].mean() < 45


def test_a_picture_without_dots_is_left_as_it_is() -> None:
    picture = table()
    assert remove_dots(picture) is picture


def test_dots_of_one_colour_are_a_pattern_and_stay() -> None:
    picture = table()
    picture[::9, ::9] = 255
    assert remove_dots(picture) is picture
