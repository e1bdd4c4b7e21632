"""A play of the running trick as it lies on the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import FACES, UNKNOWN, Card
from vision.counts import Shown
from vision.fusion import Ledger, NBest
from vision.pile import SAME_PLACE_MM
from vision.table_card import FIRM, TableCard

Slot = tuple[Any, ...]

READ: Final = 0.8
"""A card that was read less surely counts, and accuses nobody."""
SURELY: Final = 0.97
"""Of cards that were read more surely one in a thousand is another; of those below, one in eight."""
RULED_OUT: Final = 0.002
"""A face that a reading names with less is none that the card may have (probability)."""


@dataclass(slots=True)
class Play:
    """A play of the running trick.

    Its ``slots`` in the ledger and its ``cards`` on the table, which are those of the first slots (the rest could not be read); all cards
    that lie there ``sure``ly or ``doubtful``ly, told or not; whether something white is ``loose`` there, and whether the place was bare
    cloth (``plain``), so that nothing old can be taken for new; ``faint``: something beside it may be a further card;
    ``dim`` ones on bare cloth are it where one is missing. ``reviews`` counts later
    readings; ``lifted`` are the cards (by their place in it) that were seen to be gone, before it is known for good; ``missed`` those of one index
    that a later reading has not found. ``area_mm2`` of the zone changed when it was laid, not before ``began`` (-1: not known); where those of
    ``again`` lie, an equal card lay before. ``hurried``: the reading was behind the camera.
    """

    slots: list[Slot]
    cards: list[TableCard]
    sure: list[TableCard] = field(default_factory=list)
    doubtful: list[TableCard] = field(default_factory=list)
    loose: bool = False
    plain: bool = True
    t: float = 0.0
    faint: bool = False
    began: float = -1.0
    reviews: int = 0
    lifted: list[int] = field(default_factory=list)
    missed: list[TableCard] = field(default_factory=list)
    area_mm2: float = 0.0
    again: list[TableCard] = field(default_factory=list)
    hurried: bool = False
    dim: list[TableCard] = field(default_factory=list)

    @property
    def shown(self) -> Shown:
        """What it shows, for the number of cards."""
        return shown_by(self.sure, self.doubtful, loose=self.loose, plain=self.plain and not self.faint, hurried=self.hurried)

    @property
    def spare(self) -> list[TableCard]:
        """What lies there and was not told, the surest first."""
        return [card for card in (*self.sure, *sorted(self.doubtful, key=weakness)) if not card.among(self.cards)]

    def weak(self, ledger: Ledger, least: float = 0.9, ends: int = 2) -> bool:
        """Some card of it is unread, or was read with less than this, by no more than so many indices."""
        readings = [ledger.readings.get(slot) for i, slot in enumerate(self.slots) if i >= len(self.cards) or self.cards[i].ends <= ends]
        return any(not reading or reading[0][1] < least for reading in readings)

    def look_for(self, found: Sequence[TableCard]) -> None:
        """It was read again and shows these: a card of one index that is missed more than once may be none."""
        for card in [c for c in self.sure if c.ends == 1 and not any(other.lies_like(c) and other.card == c.card for other in found)]:
            if card.among(self.missed):
                self.sure = [one for one in self.sure if one is not card]
                self.doubtful.append(card)
            else:
                self.missed.append(card)

    def further(self, found: Sequence[TableCard]) -> list[TableCard]:
        """Cards of a later reading that are none of those known; one with an index of each of two known ones is both of them taken for one."""
        known = (*self.sure, *self.doubtful)
        new = [card for card in found if not any(card.lies_like(old) for old in known)]
        return [card for card in new if not (card.places and all(_is_index(place, card.card, known) for place in card.places))]

    def note(self, faint: Sequence[TableCard]) -> None:
        """Cards seen faintly on bare cloth, and torn between faces, are kept for the case that the play is longer."""
        if self.plain and faint:
            self.dim = [card for card in faint if card.share > 0.6 and card.n_best[0][1] < READ]

    def forget(self, cards: Sequence[TableCard]) -> None:
        """Cards lie there no more."""
        self.sure = [card for card in self.sure if not card.among(cards)]
        self.doubtful = [card for card in self.doubtful if not card.among(cards)]


def _is_index(place: tuple[float, float], face: Card, known: Sequence[TableCard]) -> bool:
    """One of some cards of a face has an index there."""
    return any(old.card == face and any(math.dist(place, other) <= SAME_PLACE_MM for other in old.places) for old in known)


def hint(cards: Sequence[TableCard], rest: Sequence[TableCard]) -> NBest:
    """What a card of a play that was not read might be: what was read too faintly, or another of the cards beside it."""
    faces: dict[Card, float] = {card.card: 0.05 for card in cards}
    for card in rest:
        for face, p in card.n_best[:3]:
            faces[face] = max(faces.get(face, 0.0), p * max(card.presence, 0.1))
    return tuple(faces.items())


def concluded_of(slots: Sequence[Slot], ledger: Ledger, own: Mapping[Hashable, Card]) -> list[Slot]:
    """Those of some cards that were not read so: the pack, or who leads, leaves no other face for them.

    :param own: what each was read as.
    """
    return [s for s in slots if ledger.faces[s] not in (UNKNOWN, own.get(s)) and s not in ledger.fixed]


def unsure(slots: Sequence[Slot], ledger: Ledger, own: Mapping[Hashable, Card]) -> list[int]:
    """The places of cards of a play that were not surely read: concluded ones, and weak readings."""
    known = [s for s in slots if s not in ledger.fixed and ledger.faces[s] != UNKNOWN]
    weak = [s for s in known if max((p for _, p in ledger.readings[s]), default=0.0) < READ and _left(s, ledger) < SURELY]
    return [i for i, slot in enumerate(slots) if slot not in ledger.proven and (slot in concluded_of(slots, ledger, own) or slot in weak)]


def either_of(reading: NBest) -> list[Card]:
    """The faces one of which a card surely has, though which one was not surely read; none where it may be any."""
    faces = [(face, p) for face, p in reading if p >= RULED_OUT]
    return [face for face, _ in faces] if sum(p for _, p in faces) >= SURELY else []


def _left(slot: Slot, ledger: Ledger) -> float:
    """How likely a card is what it is taken for, when it is none of the faces whose every copy was surely read elsewhere."""
    reading, faces = dict(ledger.readings[slot]), ledger.faces
    others = {s: faces[s] for s in ledger.readings if s != slot}
    sure = Counter(face for s, face in others.items() if s in ledger.fixed or dict(ledger.readings[s]).get(face, 0.0) >= SURELY)
    spent = sum(p for face, p in reading.items() if face != faces[slot] and sure[face] >= ledger.decks)
    return reading.get(faces[slot], 0.0) / max(1.0 - spent, 1e-6)


def proven(ledger: Ledger, own: Mapping[Hashable, Card]) -> set[Hashable]:
    """The one card of a whole deal that was not surely read, where the pack leaves a single face for it and all others were: no guess, but a proof.

    Were another of them misread, the pack would not come out; two cards that were not read could be exchanged, so they prove nothing.
    """
    faces, readings = ledger.faces, ledger.readings
    sure = {s for s, reading in readings.items() if reading and reading[0][1] >= SURELY and faces[s] == own.get(s, reading[0][0]) == reading[0][0]}
    rest = readings.keys() - sure - ledger.fixed
    pack = dict.fromkeys(FACES, ledger.decks)
    return set(rest) if len(rest) == 1 and Counter(faces.values()) == pack else set()


def shown_by(sure: Sequence[TableCard], doubtful: Sequence[TableCard], *, loose: bool, plain: bool, hurried: bool) -> Shown:
    """What the cards of a play show, for their number; of what was read in haste nothing is clear, and no card surely read.

    :param plain: nothing old or faint lies beside them.
    """
    clear = plain and not (loose or hurried) and all(card.ends > 1 for card in sure)
    return Shown(len(sure), len(doubtful), loose, clear, len(sure) if hurried else _weakly_read(sure))


def _weakly_read(cards: Sequence[TableCard]) -> int:
    """How many cards were not surely read, or are not surely there."""
    return sum(card.n_best[0][1] < SURELY or (card.ends < 2 and card.presence < FIRM) for card in cards)


def weakness(card: TableCard) -> float:
    """How unsure it is that a card lies there: greater is weaker."""
    return -card.presence * card.share
