"""Whether the cards can be read at all: too small, too dim or too blurred, and every second one is a guess, from which nothing may be concluded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.events import CardsPlayed, Event
from vision.laid import SURELY
from vision.looks import Look
from vision.zones import Zone

LATEST: Final = 12
LOST: Final = 0.5
"""So few of the latest cards surely read: where cards can be read at all, no dozen in a row has had less than two thirds."""
FOUND: Final = 0.75


@dataclass(slots=True)
class Legible:
    """How surely the latest cards were read: those of the plays that were ``told``, and while nothing is told those that were ``seen``."""

    told: list[bool] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)
    _looks: set[tuple[Zone, float]] = field(default_factory=set)

    def took(self, fact: Event | None) -> None:
        """A play is told, with its cards as they were read at first."""
        if not isinstance(fact, CardsPlayed) or "n_best" not in fact.evidence:
            return
        rows = fact.evidence["n_best"]
        self.told += [i < len(rows) and _surely(rows[i]) for i in range(len(fact.cards))]
        del self.told[:-LATEST]

    @property
    def lost(self) -> bool:
        """The cards can not be read."""
        return len(self.told) >= LATEST and sum(self.told) <= LOST * len(self.told)

    @property
    def found(self) -> bool:
        """They are read again, since they could not be."""
        return len(self.seen) >= LATEST and sum(self.seen) >= FOUND * len(self.seen)

    def look(self, looks: Collection[Look]) -> None:
        """What lies there while nothing is told."""
        for look in looks:
            cards = [card for card in look.fresh if card.sound]
            if cards and (look.zone, look.still) not in self._looks:
                self._looks.add((look.zone, look.still))
                self.seen += [_surely(card.n_best) for card in cards]
        del self.seen[:-LATEST]


def _surely(reading: Sequence[Any]) -> bool:
    """The likeliest of some faces with their probabilities is likely enough."""
    return bool(reading) and float(reading[0][1]) >= SURELY
