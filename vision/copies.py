"""No more cards of a face than the packs have: of what is seen beyond that, some is no card."""

from __future__ import annotations

from collections.abc import Sequence

from vision.looks import Look
from vision.lying import Lying
from vision.pile import Sorted
from vision.table_card import TableCard
from vision.told import Told


def new_cards(told: Told, lying: Lying, look: Look) -> Sorted:
    """The new cards of a look, sorted, without copies that the packs do not have."""
    seen = lying.new(look)
    faces = {c.card for c in seen.all}
    kept = within_pack(seen.all, dict.fromkeys(faces, told.decks))
    return seen.only([c for c in kept if told.count(c.card) < told.decks or not lying.lay(look.zone, c)])


def left_of(told: Told, cards: Sequence[TableCard]) -> dict[str, int]:
    """How many cards of their faces the packs have left."""
    return {c.card: told.decks - told.count(c.card) for c in cards}


def within_pack(cards: Sequence[TableCard], left: dict[str, int], weaker: float = 2.0) -> list[TableCard]:
    """Of one face no more cards than ``left``, where one shows a single index and is less present than ``weaker``.

    A ghost is likelier than a wrong pack.
    """
    out = list(cards)
    for face in {c.card for c in cards}:
        same = sorted((c for c in out if c.card == face), key=lambda c: (c.ends, c.presence * c.share))
        for ghost in same[: max(0, len(same) - max(0, left.get(face, 0)))]:
            if ghost.ends == 1 and ghost.presence < weaker:
                out.remove(ghost)
    return out


def surest(told: Told, cards: Sequence[TableCard], want: int) -> list[TableCard]:
    """The ``want`` surest of cards that lie open at a deal's end: of more than belong there, copies that the packs do not have left are none."""
    whole: dict[str, int] = {c.card: told.decks for c in cards}
    kept = [within_pack(cards, left) for left in (left_of(told, cards), whole)]
    enough = next((some for some in kept if len(some) >= want), cards)
    return sorted(enough, key=lambda c: -c.presence * c.share)[:want]
