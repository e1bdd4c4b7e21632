"""Fusion: the likeliest faces for all cards seen, given that each face exists as often as there are packs.

A :class:`Ledger` holds one slot for each card played (and for the bottom's once shown), with the probabilities as read. When a
face would be there more often than the pack has it, the assignment of faces to slots is solved over the whole deal (least
total cost, costs are negative logarithms), not greedily. Only the pack is asked, never the rules of play: a reading that
is an offence stays one. A face may be assigned once too often at a price, because a pack with three aces of spades
happens too, and then is a fault that must be seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from engine.cards import FACES, UNKNOWN, Card
from vision.assignment import assign
from vision.calibration import Floats

_INDEX: Final[Mapping[Card, int]] = {face: i for i, face in enumerate(FACES)}
_LEAST: Final = 1e-6
"""Probability (cost 13.8) of a face that a reading does not name: dearer than a surplus copy, so no face is taken out of thin air."""
_GUESSED: Final = 5.0
"""Price at most of any face for a card that nobody read and something was guessed for: a guess takes no face from a card that was read."""
SURPLUS_COST: Final = 12.5
"""Price of a copy that the pack does not have: a misread with odds of e^12.5 to 1 is rarer than a wrong pack."""

NBest = tuple[tuple[Card, float], ...]

SWAPS: Final = 28
LEAST_NAMED = 0.002
"""A face that a reading hardly names is not told for it although the pack leaves no other: the card is unknown then."""
LEAST_TOLD = 0.4
"""A card whose best reading is less likely than this is told as unknown: a guess would be ruled on as if it had been seen."""


def is_weak(n_best: NBest) -> bool:
    """Whether a reading is too unsure to be told."""
    return not n_best or n_best[0][1] < LEAST_TOLD


def alike(readings: Sequence[NBest], odds: float = 15.0) -> list[NBest]:
    """A lead's readings, ranked by the fact that cards led together are mostly equal: a doubtful one is what a sure one beside it is.

    :param odds: how much likelier a pair is than two different cards thrown together, by which a reading that names the other's face rises.
    """
    out: list[NBest] = []
    for i, reading in enumerate(readings):
        sure = {other[0][0] for j, other in enumerate(readings) if j != i and other and other[0][1] > 0.95}
        if not reading or reading[0][0] in sure or not any(face in sure for face, _ in reading):
            out.append(reading)
            continue
        raised = [(face, p * odds if face in sure else p) for face, p in reading]
        total = max(1.0, sum(p for _, p in raised))
        out.append(tuple(sorted(((face, round(p / total, 5)) for face, p in raised), key=lambda item: (-item[1], item[0]))))
    return out


def cost_row(n_best: Sequence[tuple[Card, float]]) -> Floats:
    """The costs of all 54 faces for a reading; an unknown card costs the same for each."""
    known = [(face, p) for face, p in n_best if face in _INDEX]
    p = np.full(len(FACES), 1.0 / len(FACES))
    if known:
        total = sum(q for _, q in known)
        p = np.full(len(FACES), _LEAST)
        for face, q in known:
            p[_INDEX[face]] = q / max(total, 1.0)
    return np.asarray(-np.log(np.maximum(p, _LEAST)), np.float64)


@dataclass(slots=True)
class Ledger:
    """The cards of one deal: what was read where, and what it is taken for.

    ``decks`` packs. ``readings`` by slot (any hashable name, in order of entry), ``faces`` the present assignment; ``dear`` faces of slots
    cost so much more, as what would follow from them is improbable, or for the ``sake`` of another face of that slot; ``hints`` say what unread
    cards might be, when all must be filled; what slots would only be ``barred`` for leaves them unknown till then; of ``proven`` ones the pack
    itself says what they are; ``guessed`` ones were not read.
    """

    decks: int = 2
    readings: dict[Hashable, NBest] = field(default_factory=dict)
    faces: dict[Hashable, Card] = field(default_factory=dict)
    fixed: set[Hashable] = field(default_factory=set)
    dear: dict[tuple[Hashable, Card], float] = field(default_factory=dict)
    sake: dict[tuple[Hashable, Card], Card] = field(default_factory=dict)
    hints: dict[Hashable, NBest] = field(default_factory=dict)
    barred: set[tuple[Hashable, Card]] = field(default_factory=set)
    proven: set[Hashable] = field(default_factory=set)
    guessed: set[Hashable] = field(default_factory=set)

    def put(self, slots: Mapping[Hashable, NBest], *, guessed: bool = False) -> dict[Hashable, tuple[Card, Card]]:
        """Enter readings (or guesses); returns the *earlier* slots whose face changed by it, with the faces before and after."""
        before = dict(self.faces)
        self.guessed = self.guessed | slots.keys() if guessed else self.guessed - slots.keys()
        for slot, n_best in slots.items():
            self.readings[slot] = n_best
            self.faces[slot] = UNKNOWN if is_weak(n_best) else n_best[0][0]
        if self.surplus() or any(face == UNKNOWN for face in before.values()):
            self.solve()
        return {slot: (face, self.faces[slot]) for slot, face in before.items() if slot not in slots and self.faces[slot] != face}

    def drop(self, slots: Sequence[Hashable]) -> None:
        """Forget slots (cards taken back)."""
        for slot in slots:
            self.readings.pop(slot, None)
            self.faces.pop(slot, None)
            self.fixed.discard(slot)
            self.hints.pop(slot, None)
            self.guessed.discard(slot)

    def rather(self, slot: Hashable, face: Card, more: float) -> None:
        """A slot's present face costs ``more`` as long as the pack may leave it another ``face``; all are assigned anew."""
        key = slot, self.faces[slot]
        self.dear[key], self.sake[key] = more, face
        self.solve()

    def fix(self, slot: Hashable, face: Card) -> None:
        """A person said what a card is: it keeps that face; where nobody knows, it is as one that was not read."""
        if slot in self.readings and face == UNKNOWN:
            self.readings[slot], self.faces[slot] = (), UNKNOWN
            self.fixed.discard(slot)
        elif slot in self.readings:
            self.readings[slot] = ((face, 1.0),)
            self.faces[slot] = face
            self.fixed.add(slot)

    def surplus(self) -> list[Card]:
        """Faces that are there more often than the pack has them."""
        counts = Counter(face for face in self.faces.values() if face != UNKNOWN)
        return [face for face, n in counts.items() if n > self.decks]

    def solve(self, *, fill: bool = False) -> None:
        """Assign all slots anew; with ``fill`` unknown cards get faces too (when the whole pack is on the table)."""
        slots = [slot for slot in self.readings if fill or slot in self.fixed or not is_weak(self.readings[slot])]
        if not slots:
            return
        base = np.stack([self._row(slot) for slot in slots])
        for row, slot in enumerate(slots):
            if slot in self.fixed:
                base[row] = np.where(np.arange(len(FACES)) == _INDEX.get(self.faces[slot], -1), 0.0, 1e6)
        copies = [base] * self.decks + [base + SURPLUS_COST * (k + 1) for k in range(max(1, self.decks))]
        costs = np.concatenate(copies, 1)
        while costs.shape[1] < len(slots):
            costs = np.concatenate([costs, base + SURPLUS_COST * 10], 1)
        for slot, column in zip(slots, assign(costs), strict=True):
            face = FACES[int(column) % len(FACES)]
            named = dict(self.readings[slot]).get(face, 0.0) >= LEAST_NAMED and (slot, face) not in self.barred
            known = fill or slot in self.fixed or named
            self.faces[slot] = face if known else UNKNOWN
        vain = [(slot, face) for (slot, face), other in self.sake.items() if self.faces.get(slot, other) not in (face, other)]
        if vain:
            # The pack leaves the face for whose sake the other was dear to none: it is not dear any more.
            for key in vain:
                del self.sake[key], self.dear[key]
            self.solve(fill=fill)

    def _row(self, slot: Hashable) -> Floats:
        """A slot's costs of all faces."""
        reading, hint = self.readings[slot], dict(self.hints.get(slot, ()))
        row = cost_row(reading)
        if is_weak(reading) and hint:
            row = np.asarray(-np.log(np.exp(-row) + np.array([hint.get(face, 0.0) for face in FACES])), np.float64)
        if slot in self.guessed:
            row = np.minimum(row, _GUESSED)
        for (other, face), more in self.dear.items():
            if other == slot:
                row[_INDEX[face]] += more
        return row

    def alternatives(self, least: float) -> list[tuple[float, Hashable, Card]]:
        """Other faces that readings name with at least this probability and of which the pack has a copy left, the likeliest first."""
        found = [
            (p, slot, face)
            for slot, reading in self.readings.items()
            for face, p in reading[1:4]
            if p >= least and slot not in self.fixed and face != self.faces[slot] and self.count(face) < self.decks
        ]
        return sorted(found, key=lambda other: -other[0])

    def names(self, slot: Hashable) -> bool:
        """Whether the reading of a card names the face that it is taken for."""
        return dict(self.readings[slot]).get(self.faces[slot], 0.0) >= LEAST_NAMED

    def count(self, face: Card) -> int:
        """How many cards are taken for a face."""
        return sum(told == face for told in self.faces.values())

    def cost(self, slot: Hashable) -> float:
        """How unlikely a slot's face is by its own reading, in natural logarithms (0 = certain)."""
        face = self.faces.get(slot, UNKNOWN)
        return float(cost_row(self.readings[slot])[_INDEX[face]]) if face in _INDEX else math.inf


def share_out(faces: dict[Hashable, Card], slots: Sequence[Hashable], offences: Callable[[], int]) -> None:
    """Cards that nobody could read are what the pack leaves over: of the ways to share it out, one that makes fewest offenders.

    :param faces: is changed. :param offences: how many there are with the faces as they are.
    """
    least = offences()
    for a, b in list(combinations(slots, 2))[:SWAPS]:
        if faces[a] == faces[b]:
            continue
        faces[a], faces[b] = faces[b], faces[a]
        now = offences()
        if now < least:
            least = now
        else:
            faces[a], faces[b] = faces[b], faces[a]
