"""What has been told of a deal: the plays and the cards they are taken for, and what must be put right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import UNKNOWN, Card, Seat
from engine.deal_state import EITHER, UNSURE
from engine.events import CardsPlayed, Corrected, Event, Source, TakenBack
from vision.counts import Shown, likeliest, stands_alone
from vision.expected import Expected
from vision.fusion import Ledger, NBest, alike, share_out
from vision.guess import anew
from vision.laid import Play, Slot, concluded_of, either_of, hint, proven, unsure, weakness
from vision.looks import mix
from vision.one_suit import of_one_suit
from vision.pile import Sorted
from vision.table_card import TableCard, best_faces

RETHINKS: Final = 3
OFFENCE: Final = 5.0
"""How much dearer a correction is for each offence that would follow from it."""
MISREAD: Final = 0.003
"""An offence is doubted where a reading of at least this probability would leave none."""
ALTERNATIVES: Final = 24
KEPT: Final = 2
"""The plays of so many tricks before the running one are kept."""
LED: Final = 0.75
"""A reading of at least this probability is taken, with that one, when it alone explains who leads."""

WhatIf = Callable[[Sequence[Event]], tuple[Expected, int]]
"""What would be expected next if some events came, and how many offences the deal would have then."""


@dataclass(slots=True)
class Told:
    """One deal of ``decks`` packs; ``plays`` are those of the running ``trick`` in the order in which they were told, ``before`` the latest trick's.

    ``guessed`` are the cards of plays that nobody could read, where :mod:`vision.won` has concluded what they are.
    """

    decks: int = 2
    deal: int = 1
    trick: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    plays: dict[Seat, Play] = field(default_factory=dict)
    before: dict[Seat, Play] = field(default_factory=dict)
    _of: dict[int, dict[Seat, Play]] = field(default_factory=dict)
    _slots: dict[tuple[int, Seat], list[Slot]] = field(default_factory=dict)
    _faces: dict[tuple[int, Seat], tuple[Card, ...]] = field(default_factory=dict)
    guessed: dict[tuple[int, Seat], list[Slot]] = field(default_factory=dict)
    _own: dict[Hashable, Card] = field(default_factory=dict)
    _open: set[tuple[int, Seat]] = field(default_factory=set)
    what_if: WhatIf | None = None

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.decks)

    def enter(self, slot: Slot, face: Card, reading: NBest, *, fixed: bool) -> None:
        """A card is taken for a face, as the record has it, whatever follows from the others; ``fixed``: a person has said so."""
        self.ledger.readings[slot], self.ledger.faces[slot] = reading, face
        if reading:
            self._own[slot] = reading[0][0]
        if fixed:
            self.ledger.fix(slot, face)

    def note(self, trick: int, seat: Seat, slots: list[Slot], cards: Sequence[Card]) -> None:
        """A play of these cards is in the record."""
        self._slots[trick, seat], self._faces[trick, seat] = slots, tuple(cards)

    def knows(self, seat: Seat, trick: int) -> bool:
        """A play of a seat was told, or is in the record."""
        return bool(self._slots.get((trick, seat)))

    @property
    def lead(self) -> Play | None:
        """The first play of the running trick."""
        return next(iter(self.plays.values()), None)

    def count(self, face: Card) -> int:
        """How many cards of a face were told in this deal."""
        return self.ledger.count(face)

    def played_before(self, seat: Seat, cards: Sequence[Card]) -> bool:
        """These cards are the latest trick's play of a seat, or some of it (one may hide another)."""
        return bool(cards) and not Counter(cards) - Counter(self._faces.get((self.trick - 1, seat), ()))

    def last_is(self, seat: Seat) -> bool:
        """The latest play of the running trick is this seat's."""
        return next(reversed(self.plays), None) is seat

    def turn_to(self, trick: int) -> None:
        """Another trick begins, or an earlier one is open again for as long as it is told anew: then its plays are those told of it."""
        if trick != self.trick:
            kept = {number: plays for number, plays in self._of.items() if number >= trick - KEPT}
            self._of = kept | {self.trick - 1: self.before, self.trick: self.plays}
            self.trick = trick
            self.before, self.plays = self._of.get(trick - 1, {}), self._of.get(trick, {})

    def play(
        self, t: float, seat: Seat, cards: Sequence[TableCard], want: int, seen: Sorted, evidence: Mapping[str, Any], *,
        loose: bool = False, plain: bool = True,
    ) -> Event:  # fmt: skip
        """Tell a play; cards that are missing to ``want`` are unknown.

        :param seen: all that lay there. :param loose: something white there is no card's. :param plain: nothing old lay there.
        """
        readings: list[NBest] = [c.n_best for c in cards] + [()] * max(0, want - len(cards))
        slots: list[Slot] = [(self.deal, self.trick, seat, i) for i in range(len(readings))]
        self._put(dict(zip(slots, readings if self.plays else alike(readings), strict=True)))
        for slot in slots[len(cards) :]:
            self.ledger.hints[slot] = hint(cards, [card for card in seen.all if not card.among(cards)])
        self.plays[seat] = Play(slots, list(cards), list(seen.sure), list(seen.doubtful), loose, plain, t)
        self.plays[seat].note(seen.faint)
        self._slots[self.trick, seat] = slots
        if self.what_if is not None and self._doubted(t, seat, slots):
            evidence = {**evidence, "doubted": True}
        faces = self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in slots)
        self._mark((self.trick, seat), slots)
        return CardsPlayed(t=t, seat=seat, trick=self.trick, cards=faces, evidence=self._seen_as(slots, evidence))

    def offends(self, t: float, seat: Seat, cards: Sequence[TableCard]) -> bool:
        """Whether a play of these cards, as they were read, would be an offence at once."""
        event = CardsPlayed(t=t, seat=seat, trick=self.trick, cards=tuple(card.card for card in cards))
        return self.what_if is not None and self.what_if((event,))[1] > self.what_if(())[1]

    def _doubted(self, t: float, seat: Seat, slots: Sequence[Slot]) -> bool:
        """A play that would make somebody an offender, though a card may have been misread: the other reading is taken.

        Only what the recogniser itself held for possible is taken, and only where no offence follows from it; of misread cards and offences the
        first are far commoner, and an alert that is wrong does harm. The raw reading stays in the event, and the state is unsure.
        """
        if self.what_if is None:
            return False

        def offences(changed: Mapping[Hashable, Card]) -> int:
            faces: dict[Hashable, Card] = {**self.ledger.faces, **changed}
            events: list[Event] = []
            for (trick, other), theirs in self._slots.items():
                if theirs is not slots and any(slot in changed for slot in theirs):
                    cards = tuple(faces[s] for s in theirs)
                    events.append(Corrected(source=Source.INFERRED, seat=other, trick=trick, cards=cards, by="camera"))
            events.append(CardsPlayed(t=t, seat=seat, trick=self.trick, cards=tuple(faces[s] for s in slots)))
            return self.what_if(events)[1] if self.what_if is not None else 0

        before = self.what_if(())[1]
        if offences({}) <= before:
            return False
        for p, slot, face in self.ledger.alternatives(MISREAD)[:ALTERNATIVES]:
            if offences({slot: face}) <= before:
                self.prefer(slot, face, p)
                return True
        return False

    def prefer(self, slot: Hashable, face: Card, p: float) -> None:
        """Of a card's readings one that was thought less likely is taken."""
        rest = [(f, round(q * (1 - LED) / max(1e-6, 1 - p), 5)) for f, q in self.ledger.readings[slot] if f != face]
        self.ledger.put({slot: ((face, LED), *rest)})

    def unread(self, seat: Seat) -> list[Slot]:
        """The cards of a seat's play that could not be read."""
        return [slot for slot in self.plays[seat].slots if not self.ledger.readings.get(slot)]

    def too_many(self, slot: Slot) -> bool:
        """More cards than the pack has were read as what this one was read as."""
        return [face for one, face in self._own.items() if one in self.ledger.faces].count(self._own.get(slot, UNKNOWN)) > self.decks

    def instead(self, seat: Seat, cards: Sequence[TableCard]) -> None:
        """Other cards are a seat's latest play than those that were taken for it."""
        play = self.plays.get(seat) or self.before[seat]
        play.cards, play.sure, play.doubtful, play.again, play.reviews = list(cards), list(cards), [], [], 0
        self._put({slot: card.n_best for slot, card in zip(play.slots, cards, strict=True)})

    def add(self, seat: Seat, cards: Sequence[TableCard]) -> None:
        """Cards belong to a play as well: unread ones are read now, and further ones make it longer."""
        play = self.plays[seat]
        self._add(play, cards)
        lead = self.lead
        if lead is not None and lead is not play and not lead.cards and len(lead.slots) < len(play.slots):
            self._lengthen(lead, len(play.slots) - len(lead.slots))

    def _add(self, play: Play, cards: Sequence[TableCard]) -> None:
        for card in cards:
            if len(play.cards) >= len(play.slots):
                self._lengthen(play, 1)
            play.cards.append(card)
            readings: list[NBest] = [c.n_best for c in play.cards]
            self._put({play.slots[len(play.cards) - 1]: (alike(readings) if play is self.lead else readings)[-1]})

    def _lengthen(self, play: Play, more: int) -> None:
        """A play has more cards that cannot be read."""
        deal, trick, seat, _ = play.slots[0]
        start = max(int(slot[3]) for slot in play.slots) + 1
        slots: list[Slot] = [(deal, trick, seat, start + i) for i in range(more)]
        self.ledger.put(dict.fromkeys(slots, ()))
        play.slots += slots

    def resize(self, play: Play, count: int) -> None:
        """A play has another number of cards than was told: the least sure ones are none, or those that were doubted are cards."""
        while len(play.slots) > max(1, count):
            if len(play.cards) < len(play.slots):
                self.ledger.drop([play.slots.pop()])
                continue
            sure = [any(card is one for one in play.sure) for card in play.cards]
            last = max(range(len(play.cards)), key=lambda i: (not sure[i], -play.cards[i].ends, weakness(play.cards[i])))
            self.ledger.drop([play.slots.pop(last)])
            play.cards.pop(last)
        if len(play.slots) < count:
            self._add(play, [*play.spare, *(card for card in play.dim if not card.among(play.cards))][: count - len(play.cards)])
            if len(play.slots) < count:
                self._lengthen(play, count - len(play.slots))

    def replace_doubtful(self, seat: Seat, cards: Sequence[TableCard]) -> None:
        """Cards that surely lie there take the places of those of the play that were only taken for cards."""
        play = self.plays[seat]
        weak = [i for i, card in enumerate(play.cards) if not card.among(play.sure)]
        for i, card in zip(sorted(weak, key=lambda i: -weakness(play.cards[i])), cards, strict=False):
            play.doubtful = [one for one in play.doubtful if one is not play.cards[i]]
            play.cards[i] = card
            self._put({play.slots[i]: card.n_best})

    def recount(self, seen: Shown | None = None) -> bool:
        """Put the trick's number of cards right where all plays, and one not told yet, say that the lead was misread; whether it was done."""
        lead = self.lead
        if lead is None:
            return False
        now = len(lead.slots)
        best = likeliest([play.shown for play in self.plays.values()] + ([seen] if seen is not None else []), now)
        if best == now:
            return False
        for play in self.plays.values():
            if play is lead or len(play.slots) == now:
                self.resize(play, best)
        return True

    def offend(self) -> bool:
        """Whether a play surely has another number of cards than its trick's lead and was told with the lead's: it is told as it lies."""
        changed = False
        for plays in (self.before, self.plays):
            lead = next(iter(plays.values()), None)
            for play in plays.values():
                others = [other.shown for other in plays.values() if other is not play]
                if lead is None or play is lead or not play.sure or len(play.slots) == len(play.sure):
                    continue
                if stands_alone(play.shown, others, len(lead.slots)):
                    self.resize(play, len(play.sure))
                    changed = True
        return changed

    def review(self, seat: Seat, seen: Sorted, *, loose: bool) -> None:
        """A play that lies there still was read again: its readings vote once more, and cards that were hidden may be found."""
        play = self.plays[seat]
        seen = of_one_suit(seen) if play is self.lead else seen
        play.reviews += 1
        play.loose, play.faint = play.loose and loose, play.faint or bool(seen.faint)
        play.look_for(seen.all)
        play.note(seen.faint)
        rest = list(seen.sound)
        for i, card in enumerate(list(play.cards)):
            again = next((c for c in rest if c.lies_like(card)), None)
            if again is None:
                continue
            rest.remove(again)
            slot = play.slots[i]
            if slot not in self.ledger.fixed:
                self._put({slot: mix([dict(self.ledger.readings[slot]), dict(again.n_best)])})
        new = [card for card in play.further(rest) if card.ends > 1 or self.count(card.card) < self.decks]
        play.sure += [card for card in new if card.among(seen.sure)]
        play.doubtful += [card for card in new if not card.among(seen.sure)]
        hidden = len(play.slots) - len(play.cards)
        if hidden > 0 and new:
            self.add(seat, new[:hidden])

    def _put(self, readings: Mapping[Slot, NBest]) -> None:
        """Enter readings; where earlier cards change by it, a change that would make somebody an offender is taken last."""
        was = dict(self.ledger.faces)
        self._own |= {slot: reading[0][0] for slot, reading in readings.items() if reading}
        self.ledger.put(dict(readings))
        if self.what_if is None:
            return
        self._guess_again()
        _, before = self.what_if(())
        for _ in range(RETHINKS):
            changed = [(s, f) for s, f in self.ledger.faces.items() if s in was and s not in readings and UNKNOWN not in (was[s], f) and was[s] != f]
            flips = [flip for flip in changed if flip not in self.ledger.dear]
            if not flips:
                return
            _, after = self.what_if(self._corrections())
            if after <= before:
                return
            for flip in flips:
                self.ledger.dear[flip] = OFFENCE * (after - before) / len(flips)
            self.ledger.solve()

    def _corrections(self) -> list[Event]:
        """What would put right all plays whose cards are taken for others now."""
        out: list[Event] = []
        for (trick, seat), slots in self._slots.items():
            faces = tuple(self.ledger.faces[s] for s in slots)
            if faces and faces != self._faces.get((trick, seat), ()):
                out.append(Corrected(source=Source.INFERRED, seat=seat, trick=trick, cards=faces, by="camera"))
        return out

    def _guess_again(self) -> None:
        """Where the pack leaves too few copies of a face that was guessed for several cards, all are the other joker, or unknown again."""
        for slots in self.guessed.values():
            if len({self.ledger.faces.get(slot) for slot in slots}) < 2:
                continue
            self.ledger.put(dict.fromkeys(slots, anew(slots, self.ledger.faces, self.decks)), guessed=True)

    def take_back(self, t: float, seat: Seat, gone: Sequence[int], evidence: Mapping[str, Any]) -> TakenBack:
        """Cards of a play (by their place in it) are in the hand again."""
        play = self.plays[seat]
        slots = [play.slots[i] for i in gone]
        faces = tuple(self.ledger.faces[s] for s in slots)
        self.ledger.drop(slots)
        play.slots[:] = [s for s in play.slots if s not in slots]
        play.lifted = []
        play.forget([play.cards[i] for i in gone if i < len(play.cards)])
        play.cards = [c for i, c in enumerate(play.cards) if i not in gone]
        self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in play.slots)
        if not play.slots:
            del self.plays[seat]
        return TakenBack(t=t, seat=seat, trick=self.trick, cards=faces, evidence=evidence)

    def put_right(self, taken: TakenBack) -> Corrected:
        """Cards that do not lie there any more were never played, as far as was seen: what was told is put right, and nobody has taken any back."""
        left = self._faces[taken.trick, taken.seat]
        return Corrected(t=taken.t, source=Source.INFERRED, seat=taken.seat, trick=taken.trick, cards=left, by="camera", evidence=taken.evidence)

    def bottom(self, cards: Sequence[TableCard], want: int) -> tuple[Card, ...]:
        """The bottom is shown: with it the whole pack is on the table, and all cards are assigned anew."""
        slots: list[Slot] = [(self.deal, "bottom", i) for i in range(want)]
        readings: list[NBest] = [c.n_best for c in cards] + [()] * (want - len(cards))
        self.ledger.put(dict(zip(slots, readings, strict=True)))
        unknown = [slot for slot, face in self.ledger.faces.items() if face == UNKNOWN]
        self.ledger.solve(fill=len(self.ledger.readings) >= 54 * self.decks)
        if self.what_if is not None:
            what_if, filled = self.what_if, [s for s in unknown if self.ledger.faces[s] != UNKNOWN and not self.ledger.names(s)]
            share_out(self.ledger.faces, filled, lambda: what_if(self._corrections())[1])
        self.ledger.proven = proven(self.ledger, self._own)
        return tuple(self.ledger.faces[s] for s in slots)

    def correct(self, seat: Seat, trick: int, cards: Sequence[Card]) -> None:
        """A person put a play right: its cards keep these faces, and no copy of them is left for others; without cards it is none."""
        slots = self._slots.setdefault((trick, seat), [])
        for plays in (self.before, self.plays):
            play = plays.get(seat)
            if play is not None and play.slots is slots:
                play.cards = play.cards[: len(cards)]
                if not cards:
                    del plays[seat]
        if len(slots) != len(cards):
            self.ledger.drop(slots)
            slots[:] = [(self.deal, trick, seat, i) for i in range(len(cards))]
            self.ledger.put({slot: ((card, 1.0),) for slot, card in zip(slots, cards, strict=True)})
        for slot, card in zip(slots, cards, strict=True):
            self.ledger.fix(slot, card)
        self._faces[trick, seat] = tuple(cards)
        self._open.discard((trick, seat))

    def _mark(self, key: tuple[int, Seat], slots: Sequence[Slot]) -> None:
        """A play is told, with cards that are not surely read or without: once they are, that is told as well."""
        self._open = self._open | {key} if unsure(slots, self.ledger, self._own) else self._open - {key}

    def _after_lead(self, lead: tuple[int, Seat], count: int) -> tuple[int, Seat] | None:
        """The last play told after a lead that is about to get another number of cards, where one of them has another number than that."""
        keys = [key for key in self._slots if key[0] == lead[0]]
        told = [key for key in keys[1:] if self._faces.get(key)]
        return told[-1] if keys[0] == lead and any(len(self._faces[key]) != count for key in told) else None

    def _seen_as(self, slots: Sequence[Slot], evidence: Mapping[str, Any]) -> dict[str, Any]:
        """Evidence that says which cards of a play nobody has surely read."""
        places = unsure(slots, self.ledger, self._own)
        either = {str(i): faces for i in places if (faces := either_of(self.ledger.readings[slots[i]]))}
        return {**evidence, **({UNSURE: places} if places else {}), **({EITHER: either} if either else {})}

    def _unfounded(self, t: float, key: tuple[int, Seat], slots: Sequence[Slot]) -> bool:
        """An offence would follow from cards that were not read so but concluded: they are unknown, for nobody is accused by a conclusion."""
        faces = self.ledger.faces
        concluded = concluded_of(slots, self.ledger, self._own)
        if self.what_if is None or not concluded or (self.deal, "bottom", 0) in faces:
            return False
        event = Corrected(t=t, source=Source.INFERRED, seat=key[1], trick=key[0], cards=tuple(faces[s] for s in slots), by="camera")
        if self.what_if((event,))[1] <= self.what_if(())[1]:
            return False
        self.ledger.barred |= {(s, faces[s]) for s in concluded}
        faces.update(dict.fromkeys(concluded, UNKNOWN))
        return True

    def revised(self, t: float) -> Event | None:
        """A play told earlier that reads differently now."""
        for key, slots in self._slots.items():
            faces, was = tuple(self.ledger.faces[s] for s in slots), self._faces.get(key, ())
            if faces and faces != was and self._unfounded(t, key, slots):
                faces = tuple(self.ledger.faces[s] for s in slots)
            if faces and (faces != was or (key in self._open and not unsure(slots, self.ledger, self._own))):
                last = self._after_lead(key, len(faces)) if len(faces) != len(was) else None
                if last is not None:
                    # All are told again, with the new number, after the lead: none may look like one of a wrong number, or out of turn, in between.
                    self._faces[last] = ()
                    return Corrected(t=t, source=Source.INFERRED, seat=last[1], trick=last[0], cards=(), by="camera")
                self._faces[key] = faces
                self._mark(key, slots)
                readings = [self.ledger.readings[s] for s in slots]
                seen = {"was": list(was), "raw": [r[0][0] for r in readings if r], "n_best": [best_faces(r) for r in readings]}
                evidence = self._seen_as(slots, {**seen, "guessed": True} if key in self.guessed else seen)
                return Corrected(t=t, source=Source.INFERRED, seat=key[1], trick=key[0], cards=faces, by="camera", evidence=evidence)
        return None
