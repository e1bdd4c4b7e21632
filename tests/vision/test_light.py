"""Light that changes is no change of the table: shadows that wander, lamps on one side, dim rooms, decks that are not white."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Card
from tests.vision.toy import CARD_H, CARD_W, CLOTH, ToyTable, toy_calibration
from vision.calibration import Image
from vision.camera import shrink
from vision.cloth import Cloth
from vision.motion import CHANGE_PIXELS, Gate
from vision.table_card import TableCard
from vision.zones import Zone

WOOD = (90, 130, 180)


def shadow(board: Image, at: float, depth: float = 0.42, width: float = 0.13) -> Image:
    """A soft shadow of a person over a board, its middle at a share of the width."""
    x = np.linspace(0, 1, board.shape[1])[None, :, None]
    return np.asarray(board * (1 - depth * np.exp(-(((x - at) / width) ** 2))), np.uint8)


def lit(board: Image, *, dim: float = 1.0, side: float = 0.0, tint: tuple[float, float, float] = (1, 1, 1)) -> Image:
    """A board in dim light, in light that falls off to the right, or in coloured light."""
    x = np.linspace(0, 1, board.shape[1])[None, :, None]
    return np.asarray(np.clip(board * (1 - side * x) * dim * np.array(tint), 0, 255), np.uint8)


def mask_of(card: TableCard, gate: Gate) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    out = np.zeros((gate.size[1], gate.size[0]), bool)
    scale = gate.size[0] / 1100
    (x, y) = card.centre
    cx, cy = (550 + x) * scale, (430 + y) * scale
    out[int(cy - 30 * scale) : int(cy + 30 * scale), int(cx - 25 * scale) : int(cx + 25 * scale)] = True
    return out


def toy_card(face: str, x: float, y: float) -> TableCard:
    w, h = CARD_W / 2, CARD_H / 2
    return TableCard(((Card(face), 0.99),), ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)), ends=2)


def test_shadow_that_wanders_over_the_table_is_neither_a_hand_nor_a_change() -> None:
    table = ToyTable()
    gate = Gate(toy_calibration(), shrink(shadow(table.board, -0.3)))
    states = None
    for k in range(120):
        states = gate.update(shrink(shadow(table.board, -0.3 + 0.01 * k)), k / 15)
        assert all(not state.hand and state.changed < CHANGE_PIXELS for state in states.values()), k
    assert states is not None
    assert all(state.still_since == 0 for state in states.values())


def test_card_laid_in_a_shadow_that_moves_on_is_the_only_change() -> None:
    table = ToyTable()
    gate = Gate(toy_calibration(), shrink(shadow(table.board, 0.2)))
    for k in range(30):
        gate.update(shrink(shadow(table.board, 0.2 + 0.01 * k)), k / 15)
    table.put("SA", 0, 215, "S")
    for k in range(30, 60):
        states = gate.update(shrink(shadow(table.board, 0.2 + 0.01 * k)), k / 15)
    card = int(mask_of(toy_card("SA", 0, 215), gate).sum())
    assert 0.8 * card < states[Zone.S].changed < 2.5 * card
    assert all(states[zone].changed < CHANGE_PIXELS for zone in (Zone.N, Zone.E, Zone.W))
    gate.settle(Zone.S, shrink(shadow(table.board, 0.8)))
    for k in range(60, 120):
        states = gate.update(shrink(shadow(table.board, 0.2 + 0.01 * k)), k / 15)
    assert states[Zone.S].changed < CHANGE_PIXELS


def test_hand_in_a_shadow_that_moves_is_a_hand_and_is_gone_when_it_has_gone() -> None:
    table = ToyTable()
    gate = Gate(toy_calibration(), shrink(shadow(table.board, 0.2)))
    for k in range(10):
        gate.update(shrink(shadow(table.board, 0.2 + 0.01 * k)), k / 15)
    for k in range(10, 40):
        states = gate.update(shrink(shadow(table.with_hand("S", 250), 0.2 + 0.01 * k)), k / 15)
        assert states[Zone.S].hand
    for k in range(40, 44):
        states = gate.update(shrink(shadow(table.board, 0.2 + 0.01 * k)), k / 15)
    assert not states[Zone.S].hand


@pytest.mark.parametrize("cloth", [CLOTH, WOOD, (60, 60, 60)])
@pytest.mark.parametrize("light", [{"dim": 0.4}, {"side": 0.6, "tint": (0.84, 0.97, 1.06)}, {"dim": 0.45, "tint": (0.82, 0.96, 1.05)}])
def test_card_is_white_and_bare_table_is_not_in_dim_and_one_sided_light(cloth: tuple[int, int, int], light: dict[str, object]) -> None:
    table = ToyTable()
    table.board[:] = cloth
    table.put("H9", -215, 0, "W")
    gate = Gate(toy_calibration(), shrink(lit(np.full_like(table.board, cloth), **light)))  # type: ignore[arg-type]
    table.put("SA", 215, 0, "S")
    small = shrink(lit(table.board, **light))  # type: ignore[arg-type]
    gate.update(small, 0)
    paper = Cloth(toy_calibration(), gate.light)
    assert paper.paper(small, mask_of(toy_card("SA", 215, 0), gate)) > 0.4
    assert paper.paper(small, mask_of(toy_card("SA", 0, 250), gate)) < 0.02
    assert not paper.occupied(small)
    assert paper.bare(small, [toy_card("SA", 215, 0), toy_card("C3", 0, 250)]) == (toy_card("C3", 0, 250),)


def test_white_pile_on_grey_cloth_is_no_light() -> None:
    table = ToyTable()
    table.board[:] = (72, 68, 64)
    gate = Gate(toy_calibration(), shrink(table.board))
    gate.update(shrink(table.board), 0)
    cloth = Cloth(toy_calibration(), gate.light)
    for x in (-50, -25, 0, 25, 50):
        table.put("SA", x, 215, "S")
    for k in range(10):
        gate.update(shrink(table.board), 1 + k / 15)
    small = shrink(table.board)
    pile = [toy_card("SA", x, 215) for x in (-50, 0, 50)]
    assert cloth.bare(small, pile) == ()
    assert all(cloth.paper(small, mask_of(card, gate)) > 0.3 for card in pile)
    assert float(np.abs(gate.light.now.level).max()) < 0.1


def test_dark_backs_on_a_dark_table_in_dim_light_are_seen_in_the_middle() -> None:
    table = ToyTable()
    table.board[:] = (40, 60, 90)
    table.put("SA", 300, 0, "E")
    gate = Gate(toy_calibration(), shrink(lit(table.board, dim=0.5)))
    cloth = Cloth(toy_calibration(), gate.light)
    assert not cloth.occupied(shrink(lit(table.board, dim=0.5)))
    picture = np.rot90(np.full((CARD_H, CARD_W, 3), (110, 50, 45), np.uint8))
    table.board[430 - 31 : 430 + 32, 550 - 44 : 550 + 44] = picture
    assert cloth.occupied(shrink(lit(table.board, dim=0.5)))


def test_black_cards_are_faces_once_some_have_been_read() -> None:
    table = ToyTable()
    table.board[:] = WOOD
    gate = Gate(toy_calibration(), shrink(table.board))
    cloth = Cloth(toy_calibration(), gate.light)
    for x in (-60, 60):
        table.board[430 + 200 : 430 + 288, 550 + x - 31 : 550 + x + 32] = (36, 36, 36)
    small = shrink(table.board)
    where = mask_of(toy_card("C7", 60, 244), gate)
    assert cloth.paper(small, where) == 0
    cloth.learn_face(small, [toy_card("C7", -60, 244)])
    assert cloth.paper(small, where) == 0
    cloth.learn_face(small, [toy_card("C8", -60, 244), toy_card("C9", -60, 244)])
    assert cloth.paper(small, where) > 0.9


def test_one_misread_patch_of_the_table_makes_no_deck_of_another_colour() -> None:
    table = ToyTable()
    gate = Gate(toy_calibration(), shrink(table.board))
    cloth = Cloth(toy_calibration(), gate.light)
    table.put("C7", -60, 244, "S")
    small = shrink(table.board)
    cloth.learn_face(small, [toy_card("C9", 100, 244)] * 3)
    assert cloth.paper(small, mask_of(toy_card("C9", 100, 244), gate)) == 0
    cloth.learn_face(small, [toy_card("C7", -60, 244)] * 3)
    assert cloth.paper(small, mask_of(toy_card("C9", 100, 244), gate)) == 0


def test_something_as_large_and_straight_as_a_card_is_a_card_whatever_its_colours_and_a_cup_or_a_back_is_none() -> None:
    table = ToyTable()
    gate = Gate(toy_calibration(), shrink(table.board))
    cloth = Cloth(toy_calibration(), gate.light)
    gate.update(shrink(table.board), 0)
    table.board[430 + 170 : 430 + 258, 550 - 31 : 550 + 32] = (40, 30, 160)
    small = shrink(table.board)
    gate.update(small, 1)
    assert cloth.cards(small, gate.changed(Zone.S, small)) > 4000
    table.board[430 + 165 : 430 + 265, 550 - 100 : 550 + 100] = CLOTH
    yy, xx = np.mgrid[0:860, 0:1100]
    table.board[(yy - 640) ** 2 + (xx - 550) ** 2 < 42**2] = (40, 80, 160)
    small = shrink(table.board)
    gate.update(small, 2)
    assert cloth.cards(small, gate.changed(Zone.S, small)) == 0
