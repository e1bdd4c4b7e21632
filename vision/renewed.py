"""From one deal to the next without a tap: the middle is cleared, a pack is laid there, and the players draw in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Seat
from vision.looks import Look
from vision.zones import Zone

DRAWERS: Final = 3
"""So many seats must have reached in since the pack was laid: one alone only looks at the bottom."""
ROUNDS: Final = 4
"""So often they must have, one after another, where the pack itself was not seen: hands were over it all the time."""


@dataclass(slots=True)
class Renewed:
    """Watches a table whose deal is over.

    ``bare``: nothing lies in the middle, or did not before the ``pack``: a pile of backs.
    """

    bare: bool = False
    pack: bool = False
    _now: set[Seat] = field(default_factory=set)
    _before: set[Seat] = field(default_factory=set)
    _draws: Counter[Seat] = field(default_factory=Counter)
    _t: float = -1.0

    def hand(self, seat: Seat) -> None:
        """A hand reaches in from a seat, in the present picture."""
        self._now.add(seat)

    def begun(self, t: float, pending: Mapping[Zone, Look]) -> bool:
        """Whether the next deal is being drawn at ``t`` (s)."""
        if t <= self._t:
            return False
        self._t = t
        came, self._before, self._now = self._now - self._before, self._now, set()
        self._middle(pending.get(Zone.CENTRE))
        self._draws.update(came)
        if self.pack:
            return len(self._draws) >= DRAWERS
        return sum(count >= ROUNDS for count in self._draws.values()) >= DRAWERS

    def _middle(self, look: Look | None) -> None:
        if look is None:
            return
        faces = any(card.sound for card in look.cards)
        pack = self.bare and look.occupied and not faces
        if pack != self.pack or faces:
            self._draws.clear()
        self.pack = pack
        self.bare = pack or not (look.occupied or faces)
