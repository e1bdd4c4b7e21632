"""Decks whose suits are all of one colour: a lead of which cards are torn between suits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from tests.vision.test_pile import lying
from vision.one_suit import of_one_suit
from vision.pile import Sorted, sort
from vision.table_card import TableCard


def torn(x: float, *faces: tuple[str, float], presence: float = 0.95) -> TableCard:
    return replace(lying("DQ", x, end=0, presence=presence), n_best=tuple((Card(face), p) for face, p in faces))


QUEEN = (("DQ", 0.61), ("SQ", 0.25), ("CQ", 0.09), ("D6", 0.03))


def test_torn_queens_that_are_led_with_two_kings_on_black_cards_are_of_the_kings_suit_and_accuse_nobody() -> None:
    kings = (lying("SK", 40, p=0.998), lying("SK", 15, end=0, p=0.996))
    led = of_one_suit(Sorted(kings, (torn(-35, *QUEEN), torn(-10, ("SQ", 0.71), ("CQ", 0.15), ("DQ", 0.12))), ()))
    assert [card.card for card in led.sure] == ["SK", "SK", "SQ", "SQ"]
    assert [card.n_best[0][1] for card in led.sure[2:]] == [0.75, 0.75]
    assert not led.doubtful


@pytest.mark.parametrize(
    "card",
    [
        torn(-35, *QUEEN, presence=0.8),
        torn(-35, ("DQ", 0.95), ("SQ", 0.04)),
        torn(-35, ("DQ", 0.5), ("S6", 0.3), ("SQ", 0.2)),
        torn(-35, ("DQ", 0.6), ("HQ", 0.4)),
        torn(50, *QUEEN),
    ],
)
def test_card_that_is_not_surely_there_or_not_of_a_sure_rank_is_not_taken_for_the_suit_that_is_led(card: TableCard) -> None:
    led = of_one_suit(Sorted((lying("SK", 40, p=0.998),), (card,), ()))
    assert led.doubtful == (card,)


def test_torn_queen_where_an_old_five_had_its_index_is_not_that_five() -> None:
    queen = torn(-10, ("SQ", 0.71), ("CQ", 0.15), ("DQ", 0.12))
    old = replace(lying("C5", -10, 217, end=0, p=0.98), fresh=False)
    sorted_ = sort([queen, lying("SK", 15)], on_pile=True, old=[old])
    assert [card.card for card in sorted_.doubtful] == ["SQ"]
    unclear = torn(-10, ("SQ", 0.5), ("C5", 0.3), ("S7", 0.2))
    assert [card.card for card in sort([unclear, lying("SK", 15)], on_pile=True, old=[old]).faint] == ["SQ"]
