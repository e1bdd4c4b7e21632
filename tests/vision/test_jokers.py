import numpy as np
import pytest

from engine.cards import FACES, Card
from vision.detector import Floats
from vision.jokers import told_apart
from vision.reader import JOKERS, REJECT


def _read(*big: float, joker: float = 0.95) -> Floats:
    """Finds that are surely jokers, the big one by so many log odds."""
    share = 1 / (1 + np.exp(-np.array(big)))
    out = np.full((len(big), REJECT + 1), (1 - joker) / (REJECT - 1), np.float32)
    out[:, JOKERS[0]], out[:, JOKERS[1]] = joker * (1 - share), joker * share
    return out


def _big(read: Floats) -> list[bool]:
    return [bool(row[JOKERS[1]] > row[JOKERS[0]]) for row in read]


def test_a_joker_by_itself_is_what_it_looks_like() -> None:
    for said in (-0.3, 0.3):
        read = _read(said)
        assert np.array_equal(told_apart(read), read)


@pytest.mark.parametrize("off", [-3.0, 3.0])
def test_where_all_look_alike_too_red_or_too_black_the_two_kinds_are_told_by_their_difference(off: float) -> None:
    read = _read(off - 2.4, off - 2.6, off + 2.5, off + 2.7)
    assert _big(told_apart(read)) == [False, False, True, True]


def test_jokers_of_one_kind_stay_of_one_kind() -> None:
    assert _big(told_apart(_read(3.0, 2.5, 2.2))) == [True] * 3
    assert _big(told_apart(_read(-3.0, -2.5, -2.2))) == [False] * 3


def test_a_doubtful_joker_beside_blacker_ones_is_rather_the_big_one() -> None:
    together = told_apart(_read(0.4, -4.0, -4.2))
    assert together[0, JOKERS[1]] > _read(0.4)[0, JOKERS[1]]


def test_only_the_jokers_share_is_parted_anew() -> None:
    read = _read(2.0, -2.0, 1.0, joker=0.7)
    read[2] = 0.001
    read[2, FACES.index(Card("SA"))] = 1
    told = told_apart(read)
    assert np.allclose(told.sum(1), read.sum(1), atol=1e-5)
    assert np.allclose(np.delete(told, JOKERS, 1), np.delete(read, JOKERS, 1))
    assert np.array_equal(told[2], read[2])


def test_a_single_odd_look_does_not_turn_the_others_round() -> None:
    told = told_apart(_read(-4.0, -4.2, 4.1, 3.9, 9.0))
    assert _big(told) == [False, False, True, True, True]
