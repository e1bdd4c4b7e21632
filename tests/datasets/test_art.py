"""Card art: names of faces, folders of pictures, decks without jokers, drawn decks."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.art import FACE_H, FACE_W, ArtError, Deck, Pixels, known_decks, load_deck, parse_face
from datasets.drawn import draw_deck
from datasets.indices import index_boxes
from datasets.splits import seeds, split
from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, RANKS, Suit


@pytest.mark.parametrize(
    ("stem", "face"),
    [
        ("SA", "SA"), ("AS", "SA"), ("10c", "C10"), ("tc", "C10"), ("H10", "H10"), ("ace_of_spades", "SA"), ("queen-of-hearts", "HQ"),
        ("1d", "DA"), ("12h", "HQ"), ("hearts_king", "HK"), ("2_clubs", "C2"), ("black_joker", LITTLE_JOKER), ("red_joker", BIG_JOKER),
        ("joker_red", BIG_JOKER), ("LJ", LITTLE_JOKER), ("BJ", BIG_JOKER), ("back", "back"), ("card-back", "back"), ("readme", None), ("99h", None),
    ],
)  # fmt: skip
def test_a_file_name_says_which_face_it_shows(stem: str, face: str | None) -> None:
    assert parse_face(stem) == face


def _write_folder(folder: Path, leave_out: str = "") -> None:
    for number, name in enumerate(f"{suit}{rank}" for suit in Suit for rank in RANKS):
        if name != leave_out:
            picture = np.full((176, 126, 3), 250, np.uint8)
            picture[8:40, 8:22] = (number * 4, 20, 200 - number)
            cv2.imwrite(str(folder / f"{name}.png"), picture)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    folder = tmp_path_factory.mktemp("faces")
    _write_folder(folder)
    return load_deck(folder)


def test_a_folder_of_52_pictures_gets_its_jokers_and_back_drawn(plain: Deck) -> None:
    assert tuple(plain.faces) == FACES
    assert plain.drawn == {LITTLE_JOKER, BIG_JOKER}
    assert all(face.shape == (FACE_H, FACE_W, 4) and face.dtype == np.uint8 for face in (*plain.faces.values(), plain.back))
    assert not np.array_equal(plain.faces[LITTLE_JOKER], plain.faces[BIG_JOKER])


def test_faces_have_the_round_corners_of_a_card(plain: Deck) -> None:
    alpha = plain.faces[FACES[0]][..., 3]
    assert alpha[0, 0] == 0
    assert alpha[-1, -1] == 0
    assert alpha[FACE_H // 2, 0] == 255


def test_a_folder_that_lacks_a_face_names_it(tmp_path: Path) -> None:
    _write_folder(tmp_path, leave_out="HQ")
    with pytest.raises(ArtError, match="HQ"):
        load_deck(tmp_path)


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "SA.png").write_bytes(b"not a picture")
    with pytest.raises(ArtError, match=r"SA\.png"):
        load_deck(tmp_path)


def test_an_unknown_deck_lists_what_there_is() -> None:
    with pytest.raises(ArtError, match="anglo_poker"):
        load_deck("no-such-deck")


def test_no_deck_font_seed_or_photograph_is_in_both_parts() -> None:
    for key in ("decks", "court_decks", "photos"):
        assert not set(split("train", key)) & set(split("held_out", key))
    for key in ("drawn_seeds", "film_seeds"):
        assert not set(seeds("train", key)) & set(seeds("held_out", key))
    assert set(split("train", "decks")) | set(split("held_out", "decks")) <= set(known_decks())
    assert set(split("train", "court_decks")) <= set(split("train", "decks"))
    assert set(split("held_out", "court_decks")) <= set(split("held_out", "decks"))


def test_index_boxes_hold_the_ink_of_the_corner(plain: Deck) -> None:
    boxes = index_boxes(plain)
    x0, y0, x1, y1 = boxes[FACES[0]]
    assert x0 <= 8 * FACE_W / 126 + 2
    assert x1 >= 22 * FACE_W / 126 - 2
    assert y0 <= 8 * FACE_H / 176 + 2
    assert y1 >= 40 * FACE_H / 176 - 2
    assert x1 - x0 < 0.2 * FACE_W


def test_a_line_around_the_card_is_no_part_of_its_index(tmp_path: Path) -> None:
    _write_folder(tmp_path)
    for path in tmp_path.glob("*.png"):
        picture = cv2.imread(str(path))
        assert picture is not None
        cv2.rectangle(picture, (0, 0), (125, 175), (0, 0, 0), 3)
        cv2.imwrite(str(path), picture)
    x0, y0, x1, y1 = index_boxes(load_deck(tmp_path))[FACES[0]]
    assert np.abs(np.array([x0 / FACE_W * 126, y0 / FACE_H * 176, x1 / FACE_W * 126, y1 / FACE_H * 176]) - [8, 8, 22, 40]).max() < 2


def _face(*boxes: tuple[int, int, int, int]) -> Pixels:
    """A white face with black boxes (x0, y0, x1, y1) in hundredths of its width."""
    face = np.full((FACE_H, FACE_W, 4), 255, np.uint8)
    for box in boxes:
        x0, y0, x1, y1 = (round(v * FACE_W / 100) for v in box)
        face[y0:y1, x0:x1, :3] = 0
    return face


FIGURE, SUIT = (5, 5, 13, 17), (5, 19, 13, 28)


def _boxes(**faces: Pixels) -> dict[str, list[int]]:
    """The index boxes of the faces given, in hundredths of the width; all others show a plain index."""
    deck = Deck("x", {card: faces.get(card, _face(FIGURE, SUIT)) for card in FACES}, _face())
    return {card: [round(v * 100 / FACE_W) for v in box] for card, box in index_boxes(deck).items() if card in faces}


def test_a_pip_or_a_picture_beside_the_index_is_no_part_of_it() -> None:
    pip, picture = (20, 12, 40, 30), (18, 30, 90, 110)
    assert _boxes(SK=_face(FIGURE, SUIT, pip, picture), D5=_face(FIGURE, SUIT, pip)) == {"SK": [5, 5, 13, 28], "D5": [5, 5, 13, 28]}


def test_both_figures_of_a_ten_are_its_index() -> None:
    assert _boxes(H10=_face((4, 5, 7, 17), (9, 5, 15, 17), SUIT)) == {"H10": [4, 5, 15, 28]}


def test_a_word_downwards_is_an_index_as_far_as_a_corner_reaches() -> None:
    letters = [(8 if k else 9, 6 + 12 * k, 16 if k else 13, 15 + 12 * k) for k in range(5)]
    assert _boxes(BJ=_face(*letters)) == {"BJ": [8, 6, 16, round(37 * FACE_H / FACE_W)]}


def test_of_a_word_across_the_part_counts_that_a_fan_leaves_free() -> None:
    letters = [(4 + 9 * k, 5, 11 + 9 * k, 16) for k in range(5)]
    jester = (10, 25, 95, 120)
    assert _boxes(LJ=_face(*letters, jester)) == {"LJ": [4, 5, 26, 16]}


def test_an_emblem_alone_is_an_index_and_the_picture_beneath_is_not() -> None:
    assert _boxes(LJ=_face((6, 6, 20, 20), (15, 40, 90, 130))) == {"LJ": [6, 6, 20, 20]}


def test_a_suit_that_a_thin_line_joins_to_the_frame_is_found() -> None:
    assert _boxes(S4=_face(FIGURE, SUIT, (8, 27, 10, 120)))["S4"][3] in (28, 29, 30)


def test_a_drawn_deck_knows_where_its_indices_stand() -> None:
    deck = draw_deck(1001)
    assert set(deck.indices) == set(FACES) - deck.bare
    assert all(index_boxes(deck)[card][:2] == box[:2] for card, box in deck.indices.items())
