"""What has been told of a deal: the plays and the cards they are taken for, and what must be put right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import UNKNOWN, Card, Seat
from engine.events import CardsPlayed, Corrected, Event, Source, TakenBack
from vision.fusion import Ledger, NBest
from vision.table_card import TableCard, best_faces

DUBIOUS: Final = 0.6
"""A lead's card with one index and less than this may be none, when the followers play fewer."""

Slot = tuple[Any, ...]
BIG, LITTLE = Card("BJ"), Card("LJ")


@dataclass(slots=True)
class Play:
    """A play of the running trick: its slots in the ledger, its cards on the table, and new ones that were too weak to tell."""

    slots: list[Slot]
    cards: list[TableCard]
    spare: list[TableCard]


def _weakest_first(card: TableCard) -> float:
    return card.presence * card.share


@dataclass(slots=True)
class Told:
    """One deal of ``decks`` packs; ``plays`` are those of the running ``trick`` in the order in which they were told."""

    decks: int = 2
    deal: int = 1
    trick: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    plays: dict[Seat, Play] = field(default_factory=dict)
    _before: dict[Seat, Play] = field(default_factory=dict)
    _slots: dict[tuple[int, Seat], list[Slot]] = field(default_factory=dict)
    _faces: dict[tuple[int, Seat], tuple[Card, ...]] = field(default_factory=dict)
    _guessed: set[tuple[int, Seat]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.decks)

    @property
    def lead(self) -> Play | None:
        """The first play of the running trick."""
        return next(iter(self.plays.values()), None)

    def count(self, face: Card) -> int:
        """How many cards of a face were told in this deal."""
        return sum(told == face for told in self.ledger.faces.values())

    def last_is(self, seat: Seat) -> bool:
        """The latest play of the running trick is this seat's."""
        return bool(self.plays) and next(reversed(self.plays)) is seat

    def turn_to(self, trick: int) -> None:
        """Another trick begins."""
        if trick != self.trick:
            self.trick = trick
            self._before, self.plays = self.plays, {}

    def play(self, t: float, seat: Seat, cards: Sequence[TableCard], want: int, spare: Sequence[TableCard], evidence: Mapping[str, Any]) -> Event:
        """Tell a play; cards that are missing to ``want`` are unknown."""
        readings: list[NBest] = [c.n_best for c in cards] + [()] * max(0, want - len(cards))
        slots: list[Slot] = [(self.deal, self.trick, seat, i) for i in range(len(readings))]
        self.ledger.put(dict(zip(slots, readings, strict=True)))
        self.plays[seat] = Play(slots, list(cards), list(spare))
        self._slots[self.trick, seat] = slots
        faces = self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in slots)
        return CardsPlayed(t=t, seat=seat, trick=self.trick, cards=faces, evidence=evidence)

    def unread(self, seat: Seat) -> list[Slot]:
        """The cards of a seat's play that could not be read."""
        return [slot for slot in self.plays[seat].slots if not self.ledger.readings.get(slot)]

    def fill(self, seat: Seat, cards: Sequence[TableCard]) -> None:
        """Cards that were hidden in a play are seen now."""
        hidden = self.unread(seat)
        for slot, card in zip(hidden, cards, strict=False):
            self.ledger.put({slot: card.n_best})
        self.plays[seat].cards += cards[: len(hidden)]

    def extend(self, seat: Seat, cards: Sequence[TableCard]) -> None:
        """More cards belong to a play; a lead that could not be read is as long as the play that follows it."""
        play = self.plays[seat]
        slots = self._more_slots(seat, len(cards))
        self.ledger.put({slot: card.n_best for slot, card in zip(slots, cards, strict=True)})
        play.slots += slots
        play.cards += cards
        play.spare = [c for c in play.spare if c not in cards]
        leader, lead = next(iter(self.plays.items()))
        if lead is not play and not lead.cards and len(lead.slots) < len(play.slots):
            self._lengthen(leader, len(play.slots) - len(lead.slots))

    def _more_slots(self, seat: Seat, count: int) -> list[Slot]:
        start = max((int(slot[3]) for slot in self.plays[seat].slots), default=-1) + 1
        return [(self.deal, self.trick, seat, start + i) for i in range(count)]

    def _lengthen(self, seat: Seat, more: int) -> None:
        """A play has more cards that cannot be read."""
        slots = self._more_slots(seat, more)
        self.ledger.put(dict.fromkeys(slots, ()))
        self.plays[seat].slots += slots

    def recount(self, count: int) -> bool:
        """A follower surely plays another number of cards than the lead was taken for: is the lead's number doubtful?

        A lead loses its weakest cards, unless a follower has shown as many as it, and gains those that were too weak to tell.
        """
        (leader, lead), *rest = self.plays.items()
        more = count - len(lead.slots)
        weak = sorted((c for c in lead.cards if c.ends == 1 and c.presence < DUBIOUS), key=_weakest_first)
        unread = {seat: self.unread(seat) for seat, _ in rest}
        if -len(weak) <= more < 0 and len(lead.cards) == len(lead.slots) and all(len(slots) >= -more for slots in unread.values()):
            for card in weak[:-more]:
                self.ledger.drop([lead.slots.pop(lead.cards.index(card))])
                lead.cards.remove(card)
                lead.spare.append(card)
            for seat, play in rest:
                gone = unread[seat][:-more]
                self.ledger.drop(gone)
                play.slots[:] = [slot for slot in play.slots if slot not in gone]
        elif more > 0 and not lead.cards:
            self._lengthen(leader, more)
        elif 0 < more <= len(lead.spare) and not rest:
            self.extend(leader, sorted(lead.spare, key=_weakest_first, reverse=True)[:more])
        else:
            return False
        return True

    def guess_winner(self, seat: Seat, leads: Collection[Card] = ()) -> bool:
        """A seat leads although another was thought to have won: where its last play could not be read, that play has won.

        Its unread cards are taken for the highest that the pack has left, which is a guess and is told as one; a play that was read
        is never changed for this, so a lead out of turn stays one. What the seat ``leads`` now is guessed last: two equal jokers of one
        hand would look like a pair that was withheld.
        """
        last, key = self._before.get(seat), (self.trick - 1, seat)
        unread = [slot for slot in last.slots if self.ledger.faces.get(slot) == UNKNOWN] if last is not None else []
        if not unread or key in self._guessed:
            return False
        self._guessed.add(key)
        for face, other in sorted(((BIG, LITTLE), (LITTLE, BIG)), key=lambda pair: pair[0] in leads):
            if self.count(face) + len(unread) <= self.decks:
                self.ledger.put(dict.fromkeys(unread, ((face, 0.5), (other, 0.4))))
                return True
        return False

    def take_back(self, t: float, seat: Seat, gone: Sequence[int], evidence: Mapping[str, Any]) -> Event:
        """Cards of a play (by their place in it) are in the hand again."""
        play = self.plays[seat]
        slots = [play.slots[i] for i in gone]
        faces = tuple(self.ledger.faces[s] for s in slots)
        self.ledger.drop(slots)
        play.slots[:] = [s for s in play.slots if s not in slots]
        play.cards = [c for i, c in enumerate(play.cards) if i not in gone]
        self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in play.slots)
        if not play.slots:
            del self.plays[seat]
        return TakenBack(t=t, seat=seat, trick=self.trick, cards=faces, evidence=evidence)

    def bottom(self, cards: Sequence[TableCard], want: int) -> tuple[Card, ...]:
        """The bottom is shown: with it the whole pack is on the table, and all cards are assigned anew."""
        slots: list[Slot] = [(self.deal, "bottom", i) for i in range(want)]
        readings: list[NBest] = [c.n_best for c in cards] + [()] * (want - len(cards))
        self.ledger.put(dict(zip(slots, readings, strict=True)))
        self.ledger.solve(fill=len(self.ledger.readings) >= 54 * self.decks)
        return tuple(self.ledger.faces[s] for s in slots)

    def correct(self, seat: Seat, trick: int, cards: Sequence[Card]) -> None:
        """A person put a play right: its cards keep these faces, and no copy of them is left for others."""
        slots = self._slots.setdefault((trick, seat), [])
        if len(slots) != len(cards):
            self.ledger.drop(slots)
            slots[:] = [(self.deal, trick, seat, i) for i in range(len(cards))]
            self.ledger.put({slot: ((card, 1.0),) for slot, card in zip(slots, cards, strict=True)})
        for slot, card in zip(slots, cards, strict=True):
            self.ledger.fix(slot, card)
        self._faces[trick, seat] = tuple(cards)

    def revised(self, t: float) -> Event | None:
        """A play told earlier that reads differently now."""
        for key, slots in self._slots.items():
            faces, was = tuple(self.ledger.faces[s] for s in slots), self._faces.get(key, ())
            if faces and faces != was:
                self._faces[key] = faces
                readings = [self.ledger.readings[s] for s in slots]
                seen = {"was": list(was), "raw": [r[0][0] for r in readings if r], "n_best": [best_faces(r) for r in readings]}
                evidence = {**seen, "guessed": True} if key in self._guessed else seen
                return Corrected(t=t, source=Source.INFERRED, seat=key[1], trick=key[0], cards=faces, by="camera", evidence=evidence)
        return None
