"""Hypothesis strategies: rulebooks, trumps, and cards that clump into pairs and triples."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from engine.cards import FACES, RANKS, Card, Suit, Trump
from engine.order import Order, order_of
from engine.rulebook import Rulebook
from engine.rulebook_policy import depart
from tests.engine.deals import PRESETS, preset

quick = settings(deadline=None, max_examples=int(os.environ.get("TRICKWATCH_EXAMPLES", "60")))
"""How many examples a property is tried on; more by hand with TRICKWATCH_EXAMPLES."""

DRAWS = ("no_protections", "longer_protected", "tractor_only", "longer_protected_and_tractor_only")
ALL = {name: preset(name) for name in PRESETS}
ONLINE = {f"{draw} {decks}": depart(preset("online-tractor"), decks=decks, policy={"draw": draw}) for draw in DRAWS for decks in (2, 3, 4)}
"""The online rules with every named policy of following, for two to four packs."""


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """A rulebook and trump with some cards of one suit group and of others."""

    rules: Rulebook
    trump: Trump
    order: Order
    group: str
    faces: tuple[Card, ...]
    others: tuple[Card, ...]

    def __repr__(self) -> str:
        following = self.rules.following
        policy = f"protect {following.protect_longer}, tractor only {following.tractor_only_for_tractor}"
        return f"Game({self.rules.name}, {self.rules.pack.decks} packs, {policy}, {self.trump}, {self.group}: {self.faces})"


@st.composite
def trumps(draw: st.DrawFn) -> Trump:
    """Any level and trump suit, no-trump too."""
    return Trump(draw(st.sampled_from(RANKS)), draw(st.sampled_from([*Suit, None])))


@st.composite
def games(draw: st.DrawFn, rulebooks: Mapping[str, Rulebook] | None = None, most_faces: int = 8) -> Game:
    """A game under one of the rulebooks (all presets if none are given), with a handful of faces of one group so that shapes are frequent."""
    known = rulebooks if rulebooks is not None else ALL
    rules = known[draw(st.sampled_from(sorted(known)))]
    trump = draw(trumps())
    order = order_of(rules, trump)
    group = draw(st.sampled_from(sorted({order.group[card] for card in FACES})))
    of_group = sorted((card for card in FACES if order.group[card] == group), key=lambda card: order.place[card])
    start = draw(st.integers(0, len(of_group) - 1))
    faces = tuple(of_group[start : start + most_faces]) or tuple(of_group)
    others = tuple(card for card in FACES if order.group[card] != group)
    return Game(rules, trump, order, group, faces, others)


@st.composite
def clump(draw: st.DrawFn, faces: tuple[Card, ...], decks: int, least: int = 1, most: int = 10) -> list[Card]:
    """Cards of the faces, each at most as often as there are packs, with many equal ones."""
    counts = draw(st.lists(st.tuples(st.sampled_from(faces), st.integers(1, decks)), min_size=1, max_size=most))
    held: dict[Card, int] = {}
    for card, count in counts:
        held[card] = min(decks, held.get(card, 0) + count)
    cards = [card for card, count in held.items() for _ in range(count)]
    while len(cards) < least:
        spare = [card for card in faces if cards.count(card) < decks]
        if not spare:
            break
        cards.append(spare[0])
    return cards[:most]
