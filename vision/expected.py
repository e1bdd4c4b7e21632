"""What the engine expects next, as far as seeing needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.cards import Seat


class Expected(Protocol):
    """What may come next (:class:`engine.referee.Expectation`): the phase, whose turn, how many cards, the trick's number, what declares."""

    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def seat(self) -> Seat | None: ...  # noqa: D102
    @property
    def count(self) -> int | None: ...  # noqa: D102
    @property
    def trick(self) -> int: ...  # noqa: D102
    @property
    def levels(self) -> frozenset[str]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Anything:
    """No rules: whatever is laid down is told (a table without a game, a folder of pictures)."""

    phase: str = "trick"
    seat: Seat | None = None
    count: int | None = None
    trick: int = 1
    levels: frozenset[str] = frozenset()
