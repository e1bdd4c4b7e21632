"""A lead is of one suit: what that tells of cards in it that are there beyond doubt, and whose rank was read, but which are torn between suits.

Decks that print all four suits in one colour, or black ones, leave the sign of a suit unclear where the rank beside it is clear.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cards import RANK_OF, SUIT_OF
from vision.laid import SURELY
from vision.pile import INSIDE_MM, Sorted, inside, rank_read
from vision.table_card import FIRM, TableCard

OF_SUIT: Final = 0.1
"""The suit of the sure cards must be named with at least this probability."""
TAKEN: Final = 0.75
"""How likely the card of that suit is then: it counts, and accuses nobody."""


def of_one_suit(seen: Sorted) -> Sorted:
    """The cards of a lead, in which torn ones that surely lie there are taken for the suit of those that were surely read."""
    read = [card for card in seen.sure if card.n_best[0][1] >= SURELY]
    suits = {SUIT_OF.get(card.card) for card in read}
    suit = suits.pop() if len(suits) == 1 else None
    if suit is None:
        return seen
    printed = [card for card in seen.sure if card.ends > 1]

    def turned(card: TableCard) -> TableCard | None:
        faces = [(face, p) for face, p in card.n_best if RANK_OF.get(face) == RANK_OF.get(card.card) and SUIT_OF.get(face) == suit and p >= OF_SUIT]
        there = card.presence >= FIRM and card.share > 0.6 and rank_read(card) and card.n_best[0][1] < TAKEN
        if not faces or not there or any(card.places and inside(card.places[0], other, INSIDE_MM) for other in printed):
            return None
        face, p = faces[0]
        rest = tuple((f, round(q * (1 - TAKEN) / (1 - p), 5)) for f, q in card.n_best if f != face)
        return replace(card, n_best=((face, TAKEN), *rest))

    torn = [(card, turned(card)) for card in seen.doubtful]
    return Sorted((*seen.sure, *(new for _, new in torn if new is not None)), tuple(card for card, new in torn if new is None), seen.faint)
