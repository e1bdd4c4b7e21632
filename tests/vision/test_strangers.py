"""What does not belong to the game: a cat on the table, a fifth player who lays cards at a corner."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tests.vision.test_pipeline import plays, run, trick
from tests.vision.toy import H, ToyReferee, ToyTable, W
from vision.calibration import Image
from vision.zones import OUT, SEAT_ZONES, zone_at

LENGTH, BREADTH = 430, 170
"""A cat from above, in mm, without its tail."""


def _cat(rng: np.random.Generator) -> tuple[Image, Image]:
    """Its picture and how much of it covers what lies below (0..255): stripes, fur that frays, a white back, a tail."""
    height, width = BREADTH + 120, LENGTH + 260
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y -= height / 2

    def blob(cx: float, cy: float, a: float, b: float) -> np.ndarray:
        return np.asarray(((x - cx) / a) ** 2 + ((y - cy) / b) ** 2)

    shape = np.minimum.reduce([blob(270, 0, 190, BREADTH / 2), blob(70, 0, 65, 55), blob(40, -50, 18, 26), blob(40, 50, 18, 26)])
    tail = np.minimum.reduce([blob(440 + 5 * k, 45 * np.sin(k / 12), 14, 13) for k in range(44)])
    fray = cv2.GaussianBlur(rng.normal(0, 1, shape.shape).astype(np.float32), (0, 0), 1.5)
    cover = np.clip((1 - np.minimum(shape, tail) + 0.3 * fray) * 6, 0, 1)
    fur = cv2.GaussianBlur(rng.normal(0, 60, shape.shape).astype(np.float32), (0, 0), sigmaX=6, sigmaY=1)
    stripes = 60 * (0.5 + 0.5 * np.sin(x / 15 + np.sin(y / 20)))
    colour = np.stack([base + fur + stripes for base in (60, 85, 110)], -1)
    colour[blob(300, 0, 150, 16) < 1] = 238
    return np.clip(colour, 0, 255).astype(np.uint8), (cover * 255).astype(np.uint8)


def _with_cat(board: Image, cat: tuple[Image, Image], x: float, y: float, turn: float) -> Image:
    """The board with the cat's middle at a place (mm), turned by degrees."""
    picture, cover = cat
    h, w = cover.shape
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 1.0)
    matrix[:, 2] += (W / 2 + x - w / 2, H / 2 + y - h / 2)
    share = cv2.warpAffine(cover, matrix, (W, H))[..., None].astype(np.float32) / 255
    return np.asarray(board * (1 - share) + cv2.warpAffine(picture, matrix, (W, H)) * share, np.uint8)


def _walk(table: ToyTable, stops: Sequence[tuple[float, float, float]]) -> None:
    """The cat comes in from the right, stops at places (mm, mm, seconds), where it washes itself, and goes on to the left."""
    cat = _cat(np.random.default_rng(4))
    here = (820.0, 60.0)
    for x, y, seconds in (*stops, (-900.0, -40.0, 0.0)):
        steps = max(2, int(np.hypot(x - here[0], y - here[1]) / 28))
        for k in range(1, steps + 1):
            at = (here[0] + (x - here[0]) * k / steps, here[1] + (y - here[1]) * k / steps)
            table.show(_with_cat(table.board, cat, *at, 5 * np.sin(k)))
        for k in range(round(seconds * 15)):
            table.show(_with_cat(table.board, cat, x, y, 4 * np.sin(k / 4)))
        here = (x, y)


def test_a_cat_that_walks_over_the_cards_and_sits_on_them_plays_nothing() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6", jitter=3)
    table.lay("E", ["SA"], along=9)
    table.wait(0.8)
    table.lay("N", ["S4"], along=9)
    table.wait(0.8)
    _walk(table, [(215, 0, 3.0), (0, 0, 1.5)])
    table.wait(1.0)
    table.lay("W", ["SK"], along=9)
    table.wait(0.8)
    table.lay("S", ["S6"], along=9)
    table.wait(1.0)
    trick(table, "DA", "D4", "DK", "D6", jitter=-3)
    events = run(table, ToyReferee("EEE"))
    wanted = [("E", 1, "HA"), ("N", 1, "H4"), ("W", 1, "HK"), ("S", 1, "H6"), ("E", 2, "SA"), ("N", 2, "S4"), ("W", 2, "SK"), ("S", 2, "S6")]
    assert plays(events)[:8] == [(seat, number, (card,)) for seat, number, card in wanted]
    assert [cards for _, number, cards in plays(events) if number == 3] == [("DA",), ("D4",), ("DK",), ("D6",)]
    assert [e for e in events if type(e).__name__ in ("TakenBack", "Corrected", "Desynced")] == []


def test_a_cat_that_lies_down_and_sleeps_on_the_table_is_waited_for() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6")
    cat = _cat(np.random.default_rng(4))
    _walk(table, [])
    for _ in range(90):
        table.show(_with_cat(table.board, cat, 150, 150, 30))
    table.wait(1.0)
    for seat, face in zip("ENWS", ("SA", "S4", "SK", "S6"), strict=True):
        table.lay(seat, [face], along=9)
        table.wait(0.8)
    events = run(table, ToyReferee("EE"))
    assert [cards for _, number, cards in plays(events) if number == 2] == [("SA",), ("S4",), ("SK",), ("S6",)]
    assert len(plays(events)) == 8


def _corner(table: ToyTable, cards: Sequence[str]) -> None:
    """Somebody at the south-eastern corner reaches in and lays cards there."""

    def hand(far: float) -> Image:
        picture = table.board.copy()
        a, b = np.array([W / 2, H / 2]) + far, np.array([W / 2, H / 2]) + 620
        cv2.line(picture, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (70, 90, 150), 60)
        return picture

    for far in (400, 340, 280):
        table.show(hand(far))
    for k, face in enumerate(cards):
        table.put(face, 250 + 26 * k, 262 - 26 * k, "S")
    for far in (280, 340, 400, 460, 520):
        table.show(hand(far))
    table.wait(1.0)


def test_a_fifth_player_who_lays_cards_at_a_corner_plays_nothing_and_stops_nobody() -> None:
    table = ToyTable()
    table.wait(0.5)
    trick(table, "HA", "H4", "HK", "H6")
    for seat, face in zip("EN", ("SA", "S4"), strict=True):
        table.lay(seat, [face], along=6)
        table.wait(0.8)
    _corner(table, ["C7"])
    for seat, face in zip("WS", ("SK", "S6"), strict=True):
        table.lay(seat, [face], along=6)
        table.wait(0.8)
    _corner(table, ["C8", "C9"])
    trick(table, "DA", "D4", "DK", "D6", jitter=-3)
    events = run(table, ToyReferee("EEE"))
    assert [cards[0] for _, _, cards in plays(events)] == ["HA", "H4", "HK", "H6", "SA", "S4", "SK", "S6", "DA", "D4", "DK", "D6"]
    assert [seat for seat, _, _ in plays(events)] == list("ENWS" * 3)
    assert {type(event).__name__ for event in events} == {"CardsPlayed"}


def test_a_play_of_a_dozen_cards_in_a_row_keeps_clear_of_the_corners() -> None:
    for seat in SEAT_ZONES:
        ox, oy = OUT[seat]
        for along in (-165, 165):
            assert zone_at(215 * ox + along * oy, 215 * oy - along * ox) is seat
    assert {zone_at(x, y) for x in (-230, 230) for y in (-230, 230)} == {None}
