"""Following: what a hand owes to a lead, whether a play pays it, and a play that does.

A follow is legal when the suit is followed as far as it goes and no better shape could have been made from it. "Better" is one total
order of profiles: the rungs that a rulebook prints for a led shape (``following.ladders``), else by the number of equal cards, widest first,
each with its longest runs. The best profile of the hand is found by counting and scanning, never by listing plays; a play inside the hand can
only reach it or fall short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, Trump
from engine.order import TRUMPS, Order, order_of
from engine.owed import Demand, Profile, best_profile, demand_of, gather, name_owed
from engine.piles import Cost
from engine.rulebook import Rulebook
from engine.shapes import read_in
from engine.upsets import may_bomb, upsets

_SUIT_ZH: Final = {"S": "黑桃", "H": "红桃", "D": "方块", "C": "梅花", TRUMPS: "主牌"}
_SUIT_EN: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", TRUMPS: "trumps"}


class FollowError(ValueError):
    """An illegal follow: ``kind`` (count, suit, pair, tractor, shape), a sentence in both languages, the clause, and the cards that were owed."""

    def __init__(self, kind: str, zh: str, en: str, clause: str, owed: tuple[Card, ...]) -> None:
        super().__init__(en)
        self.kind = kind
        self.reason = {"zh": zh, "en": en}
        self.clause = clause
        self.owed = owed


@dataclass(frozen=True, slots=True)
class _Shortfall:
    """What a play that falls short has made of the demand; None where the suit was not followed."""

    made: Profile | None


def monotone(rules: Rulebook) -> bool:
    """Whether a play that is illegal for a part of the hand is illegal for any hand that holds that part and the play."""
    return not rules.following.protect_longer


def _shortfall(order: Order, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> _Shortfall | None:
    """What a play of the right number of cards lacks; None when it is legal."""
    group = order.group
    led = group[lead[0]]
    size = len(lead)
    suited = [card for card in play if group[card] == led]
    if len(suited) < size:
        if len(suited) == sum(1 for card in hand if group[card] == led) or may_bomb(order, lead, play):
            return None
        return _Shortfall(None)
    if size == 1 or len(set(lead)) == size:
        return None
    demand = demand_of(order, lead)
    if demand is None:
        return None
    held = [card for card in hand if group[card] == led]
    if len(held) == size:
        return None
    protect = order.rules.following.protect_longer
    best = best_profile(order, held, demand, protect)
    made = best_profile(order, suited, demand, False)
    if made > best or (made == best and not protect) or may_bomb(order, lead, play) or _upsets_lead(order, demand, play):
        return None
    if protect:
        genuine = best_profile(order, suited, demand, True)
        if genuine >= best:
            return None
        made = genuine
    return _Shortfall(made)


def _upsets_lead(order: Order, demand: Demand, play: Sequence[Card]) -> bool:
    """Whether a play is one unit that beats the led unit by its shape: it may be played over it, whatever else is held.

    staff-4deck-to4 8: 首家出AAKKQQ，下家跟999888為大; reverse-dig-4deck-bombs 第六章 3: 推土机可打相同张数的连牌.
    """
    if not order.rules.beating.upsets or len(demand.units) != 1 or demand.units[0][0] * demand.units[0][1] != len(play):
        return False
    units = read_in(order, play)
    return len(units) == 1 and upsets(order.rules, units[0].shape, demand.units[0])


def can_follow(rules: Rulebook, trump: Trump | None, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> bool:
    """Whether a play from a hand (as it was before) is a legal follow."""
    return len(play) == len(lead) and _shortfall(order_of(rules, trump), lead, hand, play) is None


def verify_follow(rules: Rulebook, trump: Trump | None, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> None:
    """Check a follow from a hand (as it was before the play, so that it holds the play).

    :raises FollowError: with kind, reason, clause and the cards owed when the play is illegal.
    """
    order = order_of(rules, trump)
    if len(play) != len(lead):
        raise FollowError(
            "count",
            f"首引{len(lead)}张，须跟{len(lead)}张，实出{len(play)}张",
            f"{len(lead)} cards were led, so {len(lead)} must be played, not {len(play)}",
            rules.clause("penalties.wrong_count"),
            (),
        )
    lack = _shortfall(order, lead, hand, play)
    if lack is not None:
        raise _refusal(order, lead, hand, lack)


def _refusal(order: Order, lead: Sequence[Card], hand: Sequence[Card], lack: _Shortfall) -> FollowError:
    led = order.group[lead[0]]
    held = [card for card in hand if order.group[card] == led]
    if lack.made is None:
        number = min(len(lead), len(held))
        owed = legal_follow_in(order, lead, hand)[:number]
        zh = f"首引{_SUIT_ZH[led]}，手中有{_SUIT_ZH[led]}{len(held)}张，须跟{number}张，例如{' '.join(owed)}"
        en = f"{_SUIT_EN[led]} were led and {len(held)} held: {number} of them must be played, for example {' '.join(owed)}"
        return FollowError("suit", zh, en, order.rules.clause("following.principle"), tuple(owed))
    demand = demand_of(order, lead)
    if demand is None:
        raise AssertionError("a lead that owes no shape was refused")
    protect = order.rules.following.protect_longer
    owed_cards = tuple(gather(order, held, demand, protect, None))
    better, kind = name_owed(order, held, demand, protect, lack.made)
    zh = f"手中{_SUIT_ZH[led]}可跟{better[0]}（{' '.join(owed_cards)}），不得跟更差的牌型"
    en = f"{better[1]} could be made ({' '.join(owed_cards)}), so nothing less may be played"
    clause = order.rules.clause("following.ladders" if demand.printed else "following.principle")
    return FollowError(kind, zh, en, clause, owed_cards)


def legal_follow(rules: Rulebook, trump: Trump | None, lead: Sequence[Card], hand: Sequence[Card], cost: Cost | None = None) -> tuple[Card, ...]:
    """A legal play on a lead from a hand with enough cards; there always is one.

    :param cost: cards with a low cost are given away first; without it the lowest cards.
    """
    return legal_follow_in(order_of(rules, trump), lead, hand, cost)


def legal_follow_in(order: Order, lead: Sequence[Card], hand: Sequence[Card], cost: Cost | None = None) -> tuple[Card, ...]:
    """The same as :func:`legal_follow`, for an order at hand."""
    group, place = order.group, order.place
    led = group[lead[0]]
    price: Cost = cost or (lambda card: float(place[card] + (100 if group[card] == TRUMPS else 0)))
    size = len(lead)
    held = sorted((card for card in hand if group[card] == led), key=price)
    if len(held) <= size:
        others = sorted((card for card in hand if group[card] != led), key=price)
        return (*held, *others[: size - len(held)])
    demand = demand_of(order, lead) if size > 1 else None
    chosen = gather(order, held, demand, order.rules.following.protect_longer, price) if demand else []
    rest = list(held)
    for card in chosen:
        rest.remove(card)
    return (*chosen, *rest[: size - len(chosen)])
