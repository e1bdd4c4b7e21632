"""How many cards a trick's plays have: what every seat shows, weighed against each other.

A lead says how many cards the others play, but a lead can be misread as well as a follow: the second of two equal cards hides
under the first, an old card of a pile looks like a new one. So the number is the one that is least surprising for all plays of the trick
together, and a play of another number is told as one (an offence) only when nothing but the play itself speaks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

NO_CARD: Final = 5.0
"""Surprise (natural logarithm of the odds) when a card that was surely seen is none."""
DOUBT: Final = 0.4
"""A doubtful card is one, or none: nearly alike."""
HIDDEN: Final = 3.0
"""A card that lies there was not seen at all."""
HIDDEN_LOOSE: Final = 1.2
"""The same where something white lies that no card explains."""
HIDDEN_CLEAR: Final = 7.0
"""The same where every card shows both its indices and nothing else has changed."""
ENOUGH: Final = 1.5
"""Another number is taken when it is less surprising by this."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a play shows: cards that surely lie there, doubtful ones, whether something white is left over, and whether all of it is clear.

    Of the sure ones, ``weak`` were not surely read.
    """

    sure: int
    doubtful: int = 0
    loose: bool = False
    clear: bool = False
    weak: int = 0

    def surprise(self, count: int) -> float:
        """How surprising this is for a play of ``count`` cards (0 = as expected)."""
        if count < self.sure:
            return NO_CARD * (self.sure - count) + DOUBT * self.doubtful
        taken = min(self.doubtful, count - self.sure)
        hidden = count - self.sure - taken
        each = HIDDEN_LOOSE if self.loose else HIDDEN_CLEAR if self.clear else HIDDEN
        return DOUBT * self.doubtful + each * hidden


def surprise(shown: Iterable[Shown], count: int) -> float:
    """How surprising a number of cards is for all plays together."""
    return sum(play.surprise(count) for play in shown)


def likeliest(shown: Sequence[Shown], now: int) -> int:
    """The number of cards that a trick's plays have; ``now`` (what is believed) unless another is clearly less surprising."""
    numbers = {now, *(n for play in shown for n in range(max(1, play.sure), play.sure + play.doubtful + 1))}
    best = min(numbers, key=lambda n: (surprise(shown, n), abs(n - now), n))
    return best if surprise(shown, now) - surprise(shown, best) >= ENOUGH else now


def stands_alone(play: Shown, others: Sequence[Shown], count: int) -> bool:
    """A play surely has another number of cards than the trick: all three others speak for ``count``, or two that lie there so clearly that no card
    can be hidden, and none against it. A card that was not surely read is none too many, and who surely shows none speaks for no number."""
    if play.sure in (0, count) or (play.sure < count and (not play.clear or play.doubtful)) or play.sure - play.weak <= count < play.sure:
        return False
    speak = [other for other in others if other.sure and other.surprise(count) < other.surprise(play.sure)]
    enough = len(speak) > 2 or sum(other.clear for other in speak) > 1
    return enough and all(other.surprise(count) <= other.surprise(play.sure) for other in others)
