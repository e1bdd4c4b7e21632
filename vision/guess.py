"""Guesses: what the unread cards of a play are, where who leads next tells that it has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final

from engine.cards import RANK_OF, SUIT_OF, Card
from vision.fusion import NBest
from vision.laid import Slot

BIG, LITTLE = Card("BJ"), Card("LJ")
LIKELIER: Final = 0.5
"""A guess is no reading: so much is given to it, and nearly as much to the other joker."""
OTHER: Final = 0.4


def ways(
    own: Sequence[Slot], first: Sequence[Slot], beside: Iterable[Card], left: Callable[[Card], int], leads: Collection[Card]
) -> list[dict[Slot, NBest]]:
    """What the unread cards may be, the likeliest first.

    :param own: those of the play that has won: the highest jokers of which the pack has enough copies ``left``. :param first: those of the lead,
        where something else than jokers is ``beside`` them: like that. :param leads: what is led now; it is guessed last.
    """
    jokers = sorted(((BIG, LITTLE), (LITTLE, BIG)), key=lambda pair: pair[0] in leads)
    out: list[dict[Slot, NBest]] = [
        dict.fromkeys(own, ((face, LIKELIER), (other, OTHER))) for face, other in jokers if own and left(face) >= len(own)
    ]
    pairs: list[dict[Slot, NBest]] = [dict.fromkeys(first, ((face, LIKELIER),)) for face in beside if first]
    return [*out, *({**way, **pair} for way in (*out, {}) for pair in pairs)]


def anew(slots: Sequence[Slot], faces: Mapping[Hashable, Card], decks: int) -> NBest:
    """The joker of which the pack has enough for all these cards, or nothing."""
    rest = Counter(face for slot, face in faces.items() if slot not in slots)
    return next((((face, LIKELIER),) for face in (BIG, LITTLE) if rest[face] + len(slots) <= decks), ())


def upside_down(face: Card) -> Card | None:
    """What a six or a nine looks like when it is read from the other side."""
    other = {"6": "9", "9": "6"}.get(RANK_OF.get(face, ""))
    return Card(SUIT_OF[face] + other) if other is not None else None
