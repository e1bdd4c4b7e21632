"""Shapes that beat others whatever their rank: bombs, and the upsets that a rulebook prints (a bulldozer over a longer tractor)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import Card
from engine.order import TRUMPS, Order
from engine.piles import Shape
from engine.rulebook import Rulebook
from engine.rulebook_terms import Bombs
from engine.shape_notation import Upset, parse_upset

LEAST_BOMB: Final = 4
"""So many equal cards make a bomb."""
_MOST: Final = 256
_UPSETS: Final[dict[int, tuple[Rulebook, tuple[Upset, ...]]]] = {}


def _printed(rules: Rulebook) -> tuple[Upset, ...]:
    known = _UPSETS.get(id(rules))
    if known is None or known[0] is not rules:
        if len(_UPSETS) > _MOST:
            _UPSETS.clear()
        known = _UPSETS[id(rules)] = (rules, tuple(parse_upset(text) for text in rules.beating.upsets))
    return known[1]


def upsets(rules: Rulebook, winner: Shape, loser: Shape) -> bool:
    """Whether a shape beats another one of the same number of cards whatever their rank (elimination-4deck-2toA: 4条比2连拖大)."""
    if not rules.beating.upsets or winner[0] * winner[1] != loser[0] * loser[1]:
        return False
    return any(
        winner[0] == upset.winner.width
        and loser[0] == upset.loser.width
        and upset.winner.length in (0, winner[1])
        and upset.loser.length in (0, loser[1])
        for upset in _printed(rules)
    )


def is_bomb(order: Order, play: Sequence[Card]) -> bool:
    """Whether a play is a bomb once it lies there: equal cards, enough of them, where the rulebook has bombs."""
    return order.rules.beating.bombs is not Bombs.NONE and len(play) >= LEAST_BOMB and len(set(play)) == 1


def may_bomb(order: Order, lead: Sequence[Card], play: Sequence[Card]) -> bool:
    """Whether a play is a bomb that may be laid whatever else is held of the led suit.

    Where the suit must be followed these are bombs of the led suit and of trumps; from another side suit a bomb comes from a hand that is void.
    """
    if not is_bomb(order, play):
        return False
    return order.rules.beating.bombs is Bombs.ANY_SUIT or order.group[play[0]] in (order.group[lead[0]], TRUMPS)
