"""What players can learn from a deal that is over: points, throws, the dig, signals and habits, each named by a sheet's own words.

Nothing here judges a play: a lesson says what lay there and which clause speaks of it.
"""

from __future__ import annotations

from typing import Final

from engine.deal import Deal
from engine.lessons import habits, results, signals
from engine.lessons.lesson import Lesson
from engine.lessons.played import Played, played

__all__ = ["Lesson", "Played", "lessons_of", "played"]

_FINDERS: Final = (
    results.points_turned, results.points_lost, results.throws, results.could_take, results.dig,
    signals.ace_led, signals.king_led, signals.five_led, signals.trumps_drawn,
    habits.declarer_throws, habits.partner_leads, habits.ruff_left, habits.pair_passed,
)  # fmt: skip


def lessons_of(deal: Deal) -> tuple[Lesson, ...]:
    """The lessons of a deal in the order of its tricks; none while it is being played, or where a card of it is not known."""
    known = played(deal)
    if known is None:
        return ()
    return tuple(sorted((found for find in _FINDERS for found in find(known)), key=lambda item: item.trick))
