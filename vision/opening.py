"""Before the first trick: declarations while cards are drawn, the bottom taken, the bottom buried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.cards import RANK_OF, SEATS, Card, Seat
from engine.events import BottomTaken, Buried, Declared, Event, Source
from vision.copies import within_pack
from vision.expected import Expected
from vision.looks import Look
from vision.table_card import FIRM, TableCard, best_faces
from vision.told import WhatIf
from vision.zones import SEAT_ZONES, Zone

LED_SECONDS: Final = 4.0
"""A seat's cards lying this long while the bottom is awaited are the first lead."""
BOTTOM: Final = 8
FANNED_MM: Final = 40.0
"""Cards whose middles are nearer than this lie on each other."""
LIKE: Final = 0.1
"""A card that is hardly seen may be of a face that its readings name with so much."""


def evidence(look: Look, cards: Sequence[TableCard]) -> Mapping[str, Any]:
    """What was seen, and how surely: raw reading, N-best, frame times, places."""
    return {
        "raw": [c.card for c in cards],
        "n_best": [best_faces(c.n_best) for c in cards],
        "presence": [round(c.presence, 3) for c in cards],
        "frames": [round(look.still, 3), round(look.t, 3)],
        "corners_mm": [[[round(x, 1), round(y, 1)] for x, y in c.corners_mm] for c in cards],
    }


@dataclass(slots=True)
class Opening:
    """One deal's beginning; ``levels`` are the ranks that may declare (none: not known)."""

    levels: frozenset[str] = frozenset()
    last_hand: Seat | None = None
    declared: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    _pack_seen: bool = False
    _pack_gone: bool = False
    _taken: bool = False
    _led: bool = False

    def declare(self, t: float, expected: Expected, pending: Mapping[Zone, Look]) -> tuple[Event | None, list[Zone]]:
        """Cards laid face up while cards are drawn; the bottom taken when the centre is bare. Gives a fact and the looks dealt with."""
        done: list[Zone] = []
        for zone in SEAT_ZONES:
            look, seat = pending.get(zone), zone.seat
            if look is None or seat is None:
                continue
            cards = laid(look)
            if cards and expected.count == 0 and (self._pack_gone or self._a_lead(cards, seat)):
                # No bottom: with the pack drawn the first trick is led.
                self._pack_gone = True
                return None, done
            if cards and self._a_lead(cards, seat):
                # The first lead lies there, so the bottom was taken and buried unseen.
                self._taken = self._led = True
                return BottomTaken(t=look.still, seat=seat, source=Source.INFERRED), done
            cards = self._declaring(cards)
            faces = tuple(c.card for c in cards)
            if cards and self.declared and not self.declares(faces):
                # It may be a play, if the bottom was buried unseen.
                continue
            done.append(zone)
            if cards and self.declares(faces) and not _part(faces, self.declared.get(seat, ())):
                self.declared.pop(seat, None)
                self.declared[seat] = faces
                return Declared(t=t, seat=seat, cards=faces, evidence=evidence(look, cards)), done
        centre = pending.get(Zone.CENTRE)
        if centre is None:
            return None, done
        done.append(Zone.CENTRE)
        if centre.occupied:
            self._pack_seen, self._pack_gone = True, False
        elif self._pack_seen and expected.count == 0:
            self._pack_gone = True
        elif self._pack_seen and not self._taken:
            seat = expected.seat or next(reversed(self.declared), None) or self.last_hand
            if seat is not None:
                self._taken = True
                return BottomTaken(t=t, seat=seat, evidence={"frames": [round(centre.still, 3), round(centre.t, 3)]}), done
        return None, done

    @property
    def over(self) -> bool:
        """The pack is drawn to its last card, and no bottom belongs to the game: the first trick may be led."""
        return self._pack_gone

    def drawn(self) -> None:
        """The pack lies there, and is being drawn."""
        self._pack_seen = True

    def carry(self, was: Opening, *, taken: bool) -> None:
        """What only the camera knows of the pack is as it was; whether the bottom was ``taken`` is as the record has it."""
        self._pack_seen, self._pack_gone, self._taken = was._pack_seen, was._pack_gone, taken

    def declares(self, faces: Sequence[Card]) -> bool:
        """Equal level cards or jokers; a card that marks the suit or the joker beside them may be shown with them."""
        if not self.levels:
            return len({RANK_OF.get(face, str(face)) for face in faces}) == 1
        levels = [face for face in faces if RANK_OF.get(face) in self.levels] or [face for face in faces if RANK_OF.get(face) == "2"]
        if not levels:
            return all(face not in RANK_OF for face in faces)
        return len(set(levels)) == 1 and len(faces) - len(levels) <= 1

    def _declaring(self, cards: list[TableCard]) -> list[TableCard]:
        """What was laid, without what hardly shows where nothing is declared but for that: an index in a row of cards may be taken for one more."""
        firm = [card for card in cards if card.ends > 1 or card.presence >= FIRM]
        return firm if firm and not self.declares([c.card for c in cards]) and self.declares([c.card for c in firm]) else cards

    def _a_lead(self, cards: Sequence[TableCard], seat: Seat) -> bool:
        """These cards declare nothing, are surely read, and lie before the one who declared last."""
        known = tuple(c.card for c in cards if c.sure >= 0.7)
        plain = [face for face in known if face in RANK_OF and RANK_OF[face] not in self.levels and RANK_OF[face] != "2"]
        several = len(known) > 2 and len(set(known)) > 1
        none = bool(self.levels) and bool(known) and (len(plain) == len(known) or several) and not self.declares(known)
        return none and next(reversed(self.declared), None) is seat

    def bury(self, t: float, expected: Expected, pending: Mapping[Zone, Look]) -> tuple[Event | None, list[Zone]]:
        """The bottom comes back face down. Gives a fact and the looks dealt with."""
        done: list[Zone] = []
        centre = pending.get(Zone.CENTRE)
        seat = expected.seat or self.last_hand
        count = expected.count or BOTTOM
        if centre is not None:
            done.append(Zone.CENTRE)
            if centre.occupied and seat is not None:
                return Buried(t=t, seat=seat, count=count, evidence={"frames": [round(centre.still, 3), round(centre.t, 3)]}), done
        for zone in SEAT_ZONES:
            look = pending.get(zone)
            if look is None:
                continue
            if not look.fresh:
                done.append(zone)
            elif seat is not None and (self._led or t - look.still > LED_SECONDS):
                # The first play lies there, so the bottom was buried unseen.
                return Buried(t=look.still, seat=seat, count=count, source=Source.INFERRED), done
        return None, done


def _part(faces: Sequence[Card], before: Sequence[Card]) -> bool:
    """Only a part of what a seat declared before shows: some of it is hidden, and nobody declares less than stands already."""
    now, then = Counter(faces), Counter(before)
    return now != then and now <= then


def completed(declared: Declared, look: Look, what_if: WhatIf | None) -> Declared:
    """A declaration that would be an offence, with one card more of its face if with it there is none.

    A pair lies closely, and one of it hardly shows; and where equal cards lie fanned, one between them that was not found is likelier than that
    somebody declares less than stands already.
    """
    if what_if is None or what_if((declared,))[1] <= what_if(())[1]:
        return declared
    face = declared.cards[0]
    faint = any(not card.sound and any(named == face and p >= LIKE for named, p in card.n_best) for card in look.fresh)
    fan = [card for card in laid(look) if card.card == face]
    fanned = any(card.distance(other) < FANNED_MM for i, card in enumerate(fan) for other in fan[:i])
    more = replace(declared, cards=(*declared.cards, face))
    return more if (faint or fanned) and what_if((more,))[1] <= what_if(())[1] else declared


def within(declared: Declared, look: Look, decks: int) -> Declared:
    """A declaration without copies that ``decks`` packs do not have, where they show a single index: a joker's picture is taken for one more."""
    seen = [card for card in laid(look) if card.card in declared.cards]
    kept = within_pack(seen, dict.fromkeys(declared.cards, decks))
    if len(kept) == len(seen):
        return declared
    return replace(declared, cards=tuple(c.card for c in kept), evidence=evidence(look, kept))


def taker(taken: BottomTaken, last_hand: Seat | None, what_if: WhatIf | None) -> BottomTaken:
    """Who took the bottom is not seen but concluded, so it is nobody who must not."""
    if what_if is None:
        return taken
    seats = [taken.seat, *([last_hand] if last_hand else []), *SEATS]
    _, before = what_if(())
    return next((fact for fact in (replace(taken, seat=seat) for seat in seats) if what_if((fact,))[1] <= before), taken)


def laid(look: Look) -> list[TableCard]:
    """The sound new cards of a look without one that was only pushed."""
    gone = [old for old in look.touched if not old.still_in(look.cards)]
    return [c for c in look.fresh if c.sound and not any(old.card == c.card for old in gone)]
