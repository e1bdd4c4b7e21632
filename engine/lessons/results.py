"""Where points were won and lost, which throw was risky, who could have taken a trick, and when the dig was decided: by the deal's own rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cards import FACES, Card, Seat, points_of
from engine.deal import reckoning
from engine.kit import Kit
from engine.lessons.lesson import Lesson, lesson, show, side, who
from engine.lessons.played import Played, Trick
from engine.order import TRUMPS

WORTH: Final = 10
"""Points from which a trick or a gift is worth a word."""


def points_turned(deal: Played) -> Iterator[Lesson]:
    """The trick in which the attackers' points reached a line of the result table."""
    lines = [low for low, _, _, _ in deal.kit.bands(200 * deal.kit.rules.pack.decks) if low]
    points = 0
    for trick in deal.tricks:
        if trick.winner.team is not deal.attackers:
            continue
        before, points = points, points + trick.points
        crossed = [line for line in lines if before < line <= points]
        if crossed:
            yield lesson(
                deal, "points_turned", trick.number, (trick.winner,), f"本墩{trick.points}分，闲家由{before}分到{points}分，过了{crossed[-1]}分线",
                f"{trick.points} points in this trick take the attackers from {before} to {points}, past the line of {crossed[-1]}",
            )  # fmt: skip


def points_lost(deal: Played) -> Iterator[Lesson]:
    """A trick to which a side gave ten points or more and that the other side won."""
    for trick in deal.tricks:
        losers = [seat for seat in trick.order if seat.team is not trick.winner.team]
        given = [card for seat in losers for card in trick.plays[seat] if points_of((card,))]
        if points_of(given) >= WORTH:
            yield lesson(
                deal, "points_lost", trick.number, losers, f"{side(losers[0].team)}出了{points_of(given)}分，被{who(trick.winner)}收走",
                f"{losers[0].team} gave {points_of(given)} points, taken by {trick.winner}", given,
            )  # fmt: skip


def throws(deal: Played) -> Iterator[Lesson]:
    """A throw of which a part was beaten, or could have been by cards that its leader had not seen."""
    for trick in deal.tricks:
        if not deal.kit.is_throw(trick.lead):
            continue
        others = [tuple(deal.hand(trick.number, seat).elements()) for seat in trick.order[1:]]
        breach = deal.kit.throw_breach(trick.lead, others)
        if breach is not None:
            yield lesson(deal, "throw_failed", trick.number, (trick.leader,), breach.zh, breach.en, trick.lead)
            continue
        unseen = deal.seen(trick.number) + deal.hand(trick.number, trick.leader)
        if trick.leader is deal.declarer:
            unseen.update(deal.bottom)
        pool = [face for face in FACES for _ in range(deal.kit.rules.pack.decks - unseen[face])]
        chance = deal.kit.throw_breach(trick.lead, [pool])
        if chance is not None:
            yield lesson(
                deal, "throw_risky", trick.number, (trick.leader,), f"甩{show(trick.lead)}成立，但当时尚未见到的牌里有能压住的",
                f"the throw {show(trick.lead)} stood, but cards not yet seen could have beaten a part of it", trick.lead,
            )  # fmt: skip


def could_take(deal: Played) -> Iterator[Lesson]:
    """A trick of ten points or more that somebody of the losing side could have won with a legal play of the hand held then."""
    for trick in deal.tricks:
        if trick.points < WORTH or len(deal.kit.units(trick.lead)) != 1:
            continue
        for seat in trick.order[1:]:
            if seat.team is trick.winner.team:
                continue
            better = _winning(deal.kit, trick, seat, tuple(deal.hand(trick.number, seat).elements()))
            if better:
                yield lesson(
                    deal, "could_take", trick.number, (seat,), f"本墩{trick.points}分，{who(seat)}当时可用{show(better)}赢得",
                    f"{trick.points} points: {seat} could have won this trick with {show(better)}", better,
                )  # fmt: skip
                break


def _winning(kit: Kit, trick: Trick, seat: Seat, hand: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """The cheapest legal play of a seat that would have won the trick against what the others played."""
    shape = kit.units(trick.lead)[0].shape
    place = trick.order.index(seat)
    plays = [trick.plays[s] for s in trick.order]
    for group in dict.fromkeys((kit.group(trick.lead[0]), TRUMPS)):
        for unit in kit.units_of([card for card in hand if kit.group(card) == group], shape):
            tried = [*plays[:place], unit.cards, *plays[place + 1 :]]
            if kit.winner(tried) == place and kit.legal(trick.lead, hand, unit.cards):
                return unit.cards
    return None


def dig(deal: Played) -> Iterator[Lesson]:
    """From which trick on the side that won the last one held the lead to the end, and what was dug."""
    last = deal.tricks[-1]
    first = last.number
    while first > 1 and deal.tricks[first - 2].winner.team is last.winner.team:
        first -= 1
    team = last.winner.team
    yield lesson(
        deal, "dig_decided", first, (deal.tricks[first - 1].winner,), f"从第{first}墩起每墩都归{side(team)}，直到最后一墩",
        f"from trick {first} on {team} won every trick to the last",
    )  # fmt: skip
    found = reckoning(deal.deal)
    if found is not None and found.dig_points:
        held = points_of(deal.bottom)
        yield lesson(
            deal, "dig_done", last.number, (last.winner,),
            f"底牌{held}分，以{show(last.plays[last.winner])}抠底，乘{found.multiplier}得{found.dig_points}分",
            f"{held} points in the bottom, dug with {show(last.plays[last.winner])}: times {found.multiplier} makes {found.dig_points}", deal.bottom,
        )  # fmt: skip
        if held and team is deal.attackers:
            yield lesson(
                deal, "bottom_held_points", 0, (deal.declarer,), f"底里埋了{held}分，最后被抠",
                f"{held} points were buried and dug in the end", deal.bottom,
            )  # fmt: skip
        if held and team is deal.attackers and len(last.lead) % 2 == 0 and last.number > 1 and last.leader.team is team:
            left = len(last.lead)
            before = deal.tricks[-2]
            if before.order[0].team is not team:
                yield lesson(
                    deal, "let_in_double", before.number, (before.leader,), f"剩{left}张（偶数）时闲家上手，底里有{held}分",
                    f"the attackers came in with {left} cards left, an even number, and {held} points in the bottom",
                )  # fmt: skip
