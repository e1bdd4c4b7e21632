"""Where cards lie: indices stay visible, plays stay in their zones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.film.layout import Habit, Place, bottom_row, in_order, packet, row_of_play
from datasets.film.sprites import CARD_H, CARD_W, Pose
from engine.cards import FACES, SEATS, Card, Seat

untimed = settings(deadline=None)  # a busy machine is no fault
INDEX = (9.0, 17.0)  # millimetres of a corner index of an ordinary deck, with its rim


def _index_corner(pose: Pose) -> tuple[float, float]:
    """The middle of the upper left index, on the table."""
    a, b = INDEX[0] / 2 + 1.5 - CARD_W / 2, INDEX[1] / 2 + 2 - CARD_H / 2
    c, s = np.cos(pose.turn), np.sin(pose.turn)
    return float(pose.x + c * a - s * b), float(pose.y + s * a + c * b)


def _covers(pose: Pose, point: tuple[float, float]) -> bool:
    c, s = np.cos(pose.turn), np.sin(pose.turn)
    dx, dy = point[0] - pose.x, point[1] - pose.y
    return abs(c * dx + s * dy) < CARD_W / 2 and abs(-s * dx + c * dy) < CARD_H / 2


@untimed
@given(
    cards=st.lists(st.sampled_from(FACES), min_size=1, max_size=24),
    seat=st.sampled_from(SEATS),
    habit=st.sampled_from(Habit),
    seed=st.integers(0, 9999),
)
def test_every_card_of_a_play_shows_its_upper_left_index(cards: list[Card], seat: Seat, habit: Habit, seed: int) -> None:
    poses = row_of_play(in_order(cards), Place(seat), 0.0, habit, np.random.default_rng(seed))
    for i, pose in enumerate(poses):
        assert not any(_covers(over, _index_corner(pose)) for over in poses[i + 1 :])


@untimed
@given(n=st.integers(1, 12), seat=st.sampled_from(SEATS), habit=st.sampled_from(Habit), seed=st.integers(0, 9999))
def test_a_play_lies_in_the_zone_of_its_seat(n: int, seat: Seat, habit: Habit, seed: int) -> None:
    for pose in row_of_play(list(FACES[:n]), Place(seat), 0.0, habit, np.random.default_rng(seed)):
        out = {Seat.N: -pose.y, Seat.S: pose.y, Seat.W: -pose.x, Seat.E: pose.x}[seat]
        across = abs(pose.x) if seat in (Seat.N, Seat.S) else abs(pose.y)
        assert 130 < out < 330
        assert across < out


@untimed
@given(n=st.integers(2, 12), seed=st.integers(0, 999))
def test_cards_of_a_play_are_never_quite_parallel(n: int, seed: int) -> None:
    turns = [pose.turn for pose in row_of_play(list(FACES[:n]), Place(Seat.S), 0.0, Habit.STACK, np.random.default_rng(seed))]
    assert len(set(turns)) == n


@pytest.mark.parametrize("seat", SEATS)
def test_cards_lie_with_their_lower_edge_towards_the_player(seat: Seat) -> None:
    pose = Place(seat).pose(0.0, 215.0)
    lower = pose.corners()[2:, :2].mean(axis=0)
    upper = pose.corners()[:2, :2].mean(axis=0)
    assert np.hypot(*lower) > np.hypot(*upper) + 80


def test_the_next_player_sits_to_the_right() -> None:
    for seat in SEATS:
        right = np.array(Place(seat).xy(1.0, 0.0))
        towards_next = np.array(Place(seat.next).xy(0.0, 1.0))
        assert right @ towards_next == pytest.approx(1.0)


@untimed
@given(count=st.integers(2, 9), seat=st.sampled_from(SEATS), seed=st.integers(0, 999))
def test_the_bottom_turned_up_fits_between_the_zones(count: int, seat: Seat, seed: int) -> None:
    poses = bottom_row(Place(seat), count, np.random.default_rng(seed))
    assert max(max(abs(p.x), abs(p.y)) for p in poses) < 130
    for i, pose in enumerate(poses):
        assert not any(_covers(over, _index_corner(pose)) for over in poses[i + 1 :])


def test_a_packet_rises_by_the_thickness_of_its_cards() -> None:
    poses = packet(Place(Seat.N), 0.0, 0.0, 10, np.random.default_rng(1), height=3.0)
    assert [p.z for p in poses] == pytest.approx([3.0 + 0.3 * (i + 1) for i in range(10)])
