"""Beating: which of four plays wins a trick.

A play competes when all its cards are of the led suit or all are trumps and it can be read as the led shape, or as a shape that upsets it, or as a
bomb. Of several readings the best one counts. Of equal plays the first wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card, Trump, points_of
from engine.order import TRUMPS, Order, order_of
from engine.piles import BUDGET, LOWEST, Piles, Shape
from engine.rulebook import Rulebook
from engine.rulebook_terms import RuffAgainst, ThrowRuffs
from engine.shapes import of_one_group, read_in
from engine.upsets import is_bomb, upsets

Tops = tuple[tuple[int, ...], ...]
"""For every kind of unit in a lead, biggest first, the places of the units' top cards from the highest."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a play stands for: its suit group, the shapes it matches (the lead's or one that upsets it), the places of its tops, a bomb or not."""

    group: str
    shapes: tuple[Shape, ...]
    tops: Tops
    bomb: bool = False


def _kinds(shapes: Sequence[Shape]) -> list[tuple[Shape, int]]:
    """The different shapes of a lead, biggest first, with how many of each."""
    out: list[tuple[Shape, int]] = []
    for shape in sorted(shapes, key=lambda s: (s[0] * s[1], s[1] > 1, s[0]), reverse=True):
        if out and out[-1][0] == shape:
            out[-1] = (shape, out[-1][1] + 1)
        else:
            out.append((shape, 1))
    return out


def match(order: Order, cards: Sequence[Card], shapes: Sequence[Shape]) -> Tops | None:
    """Read cards of one group as given shapes so that the biggest unit's top is as high as possible, then the next; None when they cannot be."""
    if all(shape == (1, 1) for shape in shapes):
        return (tuple(sorted((order.place[card] for card in cards), reverse=True)),)
    piles = Piles.of(order, cards)
    if piles.find(shapes) is None:
        return None
    kinds = _kinds(shapes)
    flat = [shape for shape, count in kinds for _ in range(count)]
    steps = [BUDGET]
    tops = _highest(piles, flat, steps)
    if tops is None:
        return None
    out: list[tuple[int, ...]] = []
    for _, count in kinds:
        out.append(tuple(sorted(tops[:count], reverse=True)))
        tops = tops[count:]
    return tuple(out)


def _options(piles: Piles, shape: Shape) -> list[tuple[int, list[Card]]]:
    """The placements of one unit from the highest, with every face that a place offers where only one place is concerned."""
    width, length = shape
    if length > 1:
        return sorted(piles.windows(width, length), key=lambda w: w[0], reverse=True)
    return sorted(((place, [card]) for place in piles.at for card in piles.fitting(place, width)), key=lambda w: w[0], reverse=True)


def _highest(piles: Piles, shapes: list[Shape], steps: list[int]) -> list[int] | None:
    """The tops of units in the given order, greedily the highest that leaves the rest possible; ties are tried within the budget."""
    if not shapes or shapes[0] == (1, 1):
        return sorted((piles.order.place[card] for card in piles.remaining()), reverse=True)
    width = shapes[0][0]
    best: list[int] | None = None
    at = LOWEST
    rest = shapes[1:]
    for top, faces in _options(piles, shapes[0]):
        if best is not None and (top < at or steps[0] <= 0):
            break
        steps[0] -= 1
        for card in faces:
            piles.take(card, width)
        tops = _highest(piles, rest, steps) if piles.find(rest) is not None else None
        for card in faces:
            piles.put(card, width)
        if tops is not None and (best is None or [top, *tops] > best):
            best, at = [top, *tops], top
    return best


def dominates(order: Order, cards: Sequence[Card], shapes: Sequence[Shape], floor: Tops) -> bool:
    """Whether cards can be read as shapes of which every unit is higher than its counterpart in ``floor``."""
    kinds = _kinds(shapes)
    wanted = [(shape, low) for (shape, _), lows in zip(kinds, floor, strict=True) for low in lows]
    return _above(Piles.of(order, cards), wanted, [BUDGET])


def _above(piles: Piles, wanted: list[tuple[Shape, int]], steps: list[int]) -> bool:
    if not wanted:
        return True
    (width, length), low = wanted[0]
    if (width, length) == (1, 1):
        places = sorted((piles.order.place[card] for card in piles.remaining()), reverse=True)
        return all(place > floor for place, (_, floor) in zip(places, wanted, strict=True))
    for top, faces in reversed(_options(piles, (width, length))):
        if top <= low or steps[0] <= 0:
            continue
        steps[0] -= 1
        for card in faces:
            piles.take(card, width)
        done = piles.find([shape for shape, _ in wanted[1:]]) is not None and _above(piles, wanted[1:], steps)
        for card in faces:
            piles.put(card, width)
        if done:
            return True
    return False


def lead_shapes(order: Order, lead: Sequence[Card]) -> tuple[Shape, ...]:
    """The shapes that a lead asks to be matched."""
    if len(set(lead)) == len(lead):
        return ((1, 1),) * len(lead)
    return tuple(unit.shape for unit in read_in(order, lead))


def claim(order: Order, lead: Sequence[Card], shapes: tuple[Shape, ...], play: Sequence[Card]) -> Claim | None:
    """What a play stands for against a lead of the given shapes; None for a discard."""
    groups = {order.group[card] for card in play}
    if len(groups) != 1:
        return None
    group = groups.pop()
    if is_bomb(order, play):
        return Claim(group, ((len(play), 1),), ((order.place[play[0]],),), bomb=True)
    if group not in (order.group[lead[0]], TRUMPS):
        return None
    tops = match(order, play, shapes)
    if tops is not None:
        return Claim(group, shapes, tops)
    if len(shapes) == 1:
        units = read_in(order, play)
        if len(units) == 1 and upsets(order.rules, units[0].shape, shapes[0]):
            return Claim(group, (units[0].shape,), ((order.place[units[0].top],),))
    return None


def _above_in_group(order: Order, shapes: tuple[Shape, ...], cards: Sequence[Card], new: Claim, old: Claim) -> bool:
    """Compare two plays of one group and the same shapes."""
    if len(shapes) == 1:
        return new.tops > old.tops
    match order.rules.beating.throw_ruffs:
        case ThrowRuffs.LONGEST_TOP:
            return new.tops[0][0] > old.tops[0][0]
        case ThrowRuffs.HIGHEST:
            return max(max(t) for t in new.tops) > max(max(t) for t in old.tops)
        case ThrowRuffs.LONGEST_UNIT:
            wide = sum(1 for shape in set(shapes) if shape != (1, 1)) or 1
            return new.tops[:wide] > old.tops[:wide]
        case ThrowRuffs.UNIT_BY_UNIT:
            return new.tops > old.tops
        case ThrowRuffs.ALL:
            return dominates(order, cards, shapes, old.tops)


def beats(order: Order, shapes: tuple[Shape, ...], cards: Sequence[Card], new: Claim, old: Claim) -> bool:
    """Whether a later play (``cards``, standing for ``new``) is higher than the best so far."""
    if new.bomb or old.bomb:
        if new.bomb != old.bomb:
            return new.bomb
        return (new.group == TRUMPS, new.tops) > (old.group == TRUMPS, old.tops)
    rules = order.rules
    ruffs = new.group == TRUMPS != old.group
    if new.shapes != old.shapes:
        if upsets(rules, new.shapes[0], old.shapes[0]):
            return ruffs or new.group == old.group
        return ruffs and rules.beating.ruff_against is RuffAgainst.LEAD
    if new.group != old.group:
        return ruffs
    return _above_in_group(order, shapes, cards, new, old)


def winner_in(order: Order, plays: Sequence[Sequence[Card]]) -> int:
    """The same as :func:`winner`, for an order at hand."""
    lead = plays[0]
    if len(lead) == 1:
        return _single_winner(order, plays)
    if not of_one_group(order, lead):
        return 0
    shapes = lead_shapes(order, lead)
    best, at = claim(order, lead, shapes, lead), 0
    for i, play in enumerate(plays[1:], start=1):
        new = claim(order, lead, shapes, play)
        if new is not None and (best is None or beats(order, shapes, play, new, best)):
            best, at = new, i
    return at


def _single_winner(order: Order, plays: Sequence[Sequence[Card]]) -> int:
    group, place = order.group, order.place
    at, best_group, best_place = 0, group[plays[0][0]], place[plays[0][0]]
    for i, play in enumerate(plays[1:], start=1):
        card = play[0]
        suit = group[card]
        if suit == best_group:
            if place[card] > best_place:
                at, best_place = i, place[card]
        elif suit == TRUMPS:
            at, best_group, best_place = i, suit, place[card]
    return at


def winner(rules: Rulebook, trump: Trump | None, plays: Sequence[Sequence[Card]]) -> int:
    """Which of the plays of a trick, the lead first, wins it (0 for the lead).

    An unknown card makes its play a discard. A lead of several suits or with unknown cards cannot be compared: it is left the winner.
    """
    return winner_in(order_of(rules, trump), plays)


def trick_points(plays: Sequence[Sequence[Card]]) -> int:
    """The points of all cards of a trick."""
    return sum(points_of(play) for play in plays)
