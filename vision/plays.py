"""From looks at zones to facts of the game: plays, cards taken back, the bottom shown.

The tracker knows what the engine expects (whose turn, how many cards) and uses it to wait and to rank, never to forbid: a
play out of turn is held for a moment, because another zone may still be under a hand, and then is told as it was seen; a
follower's missing card is waited for and then told as ``??``. What the cards mean is the engine's affair.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.cards import Card, Seat
from engine.events import BottomShown, CardsPlayed, Corrected, Event, Source, TakenBack
from vision.expected import Expected
from vision.fusion import Ledger, NBest
from vision.looks import Look, mix, place_along
from vision.opening import BOTTOM, Opening, evidence
from vision.table_card import TableCard, best_faces
from vision.zones import SEAT_ZONES, Zone

OUT_OF_TURN_SECONDS: Final = 1.2
"""How long a play out of turn is held while nothing happens in the zone whose turn it is."""
BUSY_SECONDS: Final = 4.0
"""How long it is held while a hand is in that zone."""
MISSING_SECONDS: Final = 2.5
"""How long a follower's missing cards are waited for before they are told as unknown."""
EXCESS_SECONDS: Final = 1.2
"""How long cards too many are doubted before they are told."""
KEPT_SECONDS: Final = 8.0
"""Something white that cannot be read waits so long for its turn."""
AFTER_SECONDS: Final = 0.5
"""The next player's cards must lie this long before they hurry the one before him."""
TAKEN_SECONDS: Final = 1.5
SWEEP_SECONDS: Final = 6.0
"""Cards gone so long from one zone alone were taken back; in a sweep other zones are emptied too, within so long."""
DUBIOUS: Final = 0.6
"""A lead's card with one index and less than this may be none, when the followers play fewer."""
NEAR_MM: Final = 6.0
SHIFT_MM: Final = 60.0
"""Cards pushed along with a pile move less than this."""
PAPER_MM2: Final = 700.0
PAPER_SHARE: Final = 0.22
"""So much new white, and this share of all that changed, is a card's face even when none can be read (a back has a white rim only)."""

Slot = tuple[Any, ...]


@dataclass(slots=True)
class _Play:
    """A play of the running trick: its slots in the ledger, its cards on the table, and new ones that were too weak to tell."""

    slots: list[Slot]
    cards: list[TableCard]
    spare: list[TableCard]
    t: float


@dataclass(slots=True)
class PlayTracker:
    """Turns looks into facts.

    ``decks`` packs; ``deal`` the number of the running deal; ``levels`` the ranks that may declare (none: not known). ``pending``
    looks wait for their time; ``known`` are the cards that each zone showed when it was last settled; zones in ``doubtful`` should be
    read again, more carefully.
    """

    decks: int = 2
    deal: int = 1
    levels: frozenset[str] = frozenset()
    ledger: Ledger = field(default_factory=Ledger)
    opening: Opening = field(default_factory=Opening)
    pending: dict[Zone, Look] = field(default_factory=dict)
    known: dict[Zone, tuple[TableCard, ...]] = field(default_factory=dict)
    trick: int = 0
    settled: set[Zone] = field(default_factory=set)
    unsure: bool = False
    doubtful: set[Zone] = field(default_factory=set)
    _plays: dict[Seat, _Play] = field(default_factory=dict)
    _before: dict[Seat, _Play] = field(default_factory=dict)
    _told: dict[tuple[int, Seat], list[Slot]] = field(default_factory=dict)
    _faces: dict[tuple[int, Seat], tuple[Card, ...]] = field(default_factory=dict)
    _bottom: list[Slot] = field(default_factory=list)
    _guessed: set[tuple[int, Seat]] = field(default_factory=set)
    stale: dict[Zone, Look] = field(default_factory=dict)
    _trick_of_stale: int = 0
    _swept: float = -60.0
    _phase: str = ""

    def __post_init__(self) -> None:
        self.ledger, self.opening = Ledger(self.decks), Opening(self.levels)

    # What the pipeline tells.

    def see(self, look: Look) -> None:
        """A zone lies still and shows this."""
        self.pending[look.zone] = self._with_covered(look)
        self.doubtful.discard(look.zone)

    def disturbed(self, zone: Zone) -> None:
        """A zone moves again: what it showed no longer holds."""
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        if look is not None and any(c.sound for c in look.fresh):
            self.stale[zone] = look
            self._trick_of_stale = self.trick

    def watched(self, zone: Zone) -> tuple[TableCard, ...]:
        """The cards whose places in a zone matter: known ones, and those laid but not told yet."""
        stale = self.stale.get(zone)
        return (*self.known.get(zone, ()), *(c for c in (stale.fresh if stale is not None else ()) if c.sound))

    def hand(self, zone: Zone) -> None:
        """A hand reaches in from a seat."""
        self.opening.last_hand = zone.seat or self.opening.last_hand

    # What the pipeline asks.

    def facts(self, t: float, expected: Expected, busy: Collection[Zone] = ()) -> Event | None:
        """The next fact at ``t`` (s), if there is one; ask again until there is none, with the expectation after each.

        :param busy: zones that move, are under a hand or are being read.
        """
        self._enter(expected)
        match expected.phase:
            case "waiting" | "dealing" | "declaring":
                fact, done = self.opening.declare(t, expected, self.pending)
            case "burying":
                fact, done = self.opening.bury(t, expected, self.pending)
            case "trick":
                return self._play(t, expected, busy)
            case _:
                return self._show(t, expected)
        for zone in done:
            self._settle(zone)
        return fact

    def take_settled(self) -> set[Zone]:
        """The zones whose looks are dealt with since the last call: their pictures are the new ground."""
        done, self.settled = self.settled, set()
        return done

    def cards_of(self, seat: Seat) -> tuple[TableCard, ...]:
        """Where the cards of a seat's play to the running trick lie."""
        play = self._plays.get(seat)
        return tuple(play.cards) if play is not None else ()

    def owns(self, card: TableCard) -> bool:
        """A card belongs to a play of the running trick."""
        return any(card is mine for play in self._plays.values() for mine in play.cards)

    def correct(self, seat: Seat, trick: int, cards: Sequence[Card]) -> None:
        """A person put a play right: its cards keep these faces, and no copy of them is left for others."""
        slots = self._told.get((trick, seat), [])
        if len(slots) != len(cards):
            self.ledger.drop(slots)
            slots = [(self.deal, trick, seat, i) for i in range(len(cards))]
            self._told[trick, seat] = slots
            self.ledger.put({slot: ((card, 1.0),) for slot, card in zip(slots, cards, strict=True)})
            if trick == self.trick and seat in self._plays:
                self._plays[seat].slots = slots
        for slot, card in zip(slots, cards, strict=True):
            self.ledger.fix(slot, card)
        self._faces[trick, seat] = tuple(cards)

    def next_deal(self, deal: int) -> None:
        """A new deal begins: all packs are whole again."""
        self.deal = deal
        self.ledger, self.opening = Ledger(self.decks), Opening(self.levels)
        self._plays, self._before, self._told, self._faces, self._bottom, self._guessed = {}, {}, {}, {}, [], set()
        self.trick = 0
        self._phase = ""

    # Bookkeeping.

    def _with_covered(self, look: Look) -> Look:
        """A look with what lay there before the hand came again: cards laid one by one cover each other, and read better before."""
        stale = self.stale.get(look.zone)
        if stale is None or not look.fresh or self._trick_of_stale != self.trick:
            return look
        cards = list(look.cards)
        for old in (c for c in stale.fresh if c.sound):
            same = next((c for c in cards if c.fresh and c.card == old.card and c.lies_like(old)), None)
            same = same or next((c for c in cards if c.fresh and c.lies_like(old, NEAR_MM)), None)
            if same is not None:
                merged = mix([dict(same.n_best), dict(old.n_best)])
                cards[cards.index(same)] = replace(same, n_best=merged, presence=max(same.presence, old.presence), ends=max(same.ends, old.ends))
            elif old.firm and not old.among(look.bare) and not any(c.fresh and c.card == old.card and c.distance(old) < SHIFT_MM for c in cards):
                cards.append(old)
        return replace(look, cards=tuple(sorted(cards, key=lambda c: place_along(c, look.zone))))

    def _enter(self, expected: Expected) -> None:
        if expected.phase in ("waiting", "dealing") and self._phase in ("trick", "bottom", "ended"):
            self.next_deal(self.deal + 1)
        if expected.phase == "trick" and expected.trick != self.trick:
            self.trick = expected.trick
            self._before, self._plays = self._plays, {}
        if expected.phase != self._phase:
            self._phase = expected.phase
            for zone in [z for z in self.pending if not self.pending[z].fresh]:
                self._settle(zone)

    def _settle(self, zone: Zone) -> None:
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        self.stale.pop(zone, None)
        if look is not None:
            rest = (c for c in self.known.get(zone, ()) if not c.among(look.touched) and not c.still_in(look.cards))
            self.known[zone] = (*look.cards, *rest)
        self.settled.add(zone)

    # The end.

    def _show(self, t: float, expected: Expected) -> Event | None:
        """The bottom is turned face up after the last trick."""
        for zone in SEAT_ZONES:
            if zone in self.pending:
                self._settle(zone)
        look = self.pending.get(Zone.CENTRE)
        if look is None or self._bottom:
            if look is not None:
                self._settle(Zone.CENTRE)
            return self._revised(t)
        want = expected.count or BOTTOM
        cards = [c for c in look.cards if c.share > 0.5]
        if len(cards) < want and t - look.still < MISSING_SECONDS:
            if cards:
                self.doubtful.add(Zone.CENTRE)
            return None
        if len(cards) * 2 < want or expected.phase == "ended":
            self._settle(Zone.CENTRE)
            return None
        cards = sorted(sorted(cards, key=lambda c: -c.presence * c.share)[:want], key=look.cards.index)
        self._bottom = [(self.deal, "bottom", i) for i in range(want)]
        readings: list[NBest] = [c.n_best for c in cards] + [()] * (want - len(cards))
        self.ledger.put(dict(zip(self._bottom, readings, strict=True)))
        self.ledger.solve(fill=len(self.ledger.readings) >= 54 * self.decks)
        self._settle(Zone.CENTRE)
        return BottomShown(t=t, cards=tuple(self.ledger.faces[s] for s in self._bottom), evidence=evidence(look, cards))

    # Tricks.

    def _play(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """Plays in the order of turns; what comes out of turn is held for a moment."""
        revised = self._revised(t)
        if revised is not None:
            return revised
        if Zone.CENTRE in self.pending:
            self._settle(Zone.CENTRE)
        order = [Zone(expected.seat.value)] if expected.seat is not None else []
        order += [zone for zone in sorted(self.pending, key=lambda z: self.pending[z].still) if zone not in order]
        for zone in order:
            look, seat = self.pending.get(zone), zone.seat
            if look is None or seat is None:
                continue
            fact = self._again(t, look, seat, busy) if seat in self._plays else self._first(t, look, seat, expected, busy)
            if fact is not None:
                return fact
        return None

    def _first(self, t: float, look: Look, seat: Seat, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """A seat's play to the running trick."""
        cards = self._new_cards(look)
        waited = t - look.still
        if expected.seat is None or expected.seat is seat:
            return self._in_turn(t, look, seat, cards, expected)
        if not self._plays and waited > 0.3 and (_white(look) or any(c.sound for c in cards)) and self._won_unread(seat):
            return self._revised(t)
        if not any(c.sound for c in cards):
            if waited > (KEPT_SECONDS if _white(look) else 0.5):
                self._settle(look.zone)
            return None
        other = Zone(expected.seat.value)
        if waited < (BUSY_SECONDS if other in busy or other in self.pending else OUT_OF_TURN_SECONDS):
            return None
        return self._in_turn(t, look, seat, cards, expected)

    def _in_turn(self, t: float, look: Look, seat: Seat, cards: Sequence[TableCard], expected: Expected) -> Event | None:
        """A play whose time has come: told when it is complete, or when nothing more is to be waited for."""
        sound = [c for c in cards if c.sound]
        after = self._after(seat, t)
        stale = self.stale.get(look.zone)
        if not sound and stale is not None and self._trick_of_stale == self.trick:
            # It lay there, incomplete, and is gone now: the trick has been taken up.
            return self._commit(t, stale, seat, self._new_cards(stale), expected.count or 0)
        if not sound and not _white(look):
            if t - look.still > 0.5:
                self._settle(look.zone)
            return None
        want = expected.count if self._plays else None
        if not want:
            if sound:
                return self._commit(t, look, seat, sound, len(sound), [c for c in cards if not c.sound])
            self.doubtful.add(look.zone)
            return self._commit(t, look, seat, [], after) if after else None
        if len(cards) > want:
            cards = self._trim(cards, want)
        if len(cards) != want:
            if not after and t - look.still < (MISSING_SECONDS if len(cards) < want else EXCESS_SECONDS):
                self.doubtful.add(look.zone)
                return None
            recounted = self._recount(t, len(cards)) if sound else None
            if recounted is not None:
                return recounted
        return self._commit(t, look, seat, cards, want)

    def _after(self, seat: Seat, t: float) -> int:
        """How many cards the players after this one have laid already; 0 when play has not gone on."""
        following = seat.next
        while following is not seat and following not in self._plays:
            look = self.pending.get(Zone(following.value))
            if look is None or t - look.still < AFTER_SECONDS:
                return 0
            count = sum(c.sound for c in self._new_cards(look))
            if count or not _white(look):
                return count
            following = following.next
        return 0

    def _new_cards(self, look: Look) -> list[TableCard]:
        """The fresh cards of a look without those that only moved along with their pile."""
        gone = [old for old in look.touched if not old.still_in(look.cards)]
        out = []
        for card in look.fresh:
            moved = next((old for old in gone if old.card == card.card and old.distance(card) <= SHIFT_MM), None)
            here = next((old for old in gone if old.card == card.card and card.lies_like(old)), None)
            if here is not None:
                gone.remove(here)
            elif moved is not None and len(look.fresh) > 1:
                gone.remove(moved)
            else:
                out.append(card)
        return self._within_pack(out or list(look.fresh))

    def _within_pack(self, cards: Sequence[TableCard]) -> list[TableCard]:
        """Of one face no more cards than the packs have, unless all of them are firm: a ghost is likelier than a wrong pack."""
        out = list(cards)
        for face in {c.card for c in cards}:
            same = sorted((c for c in out if c.card == face), key=lambda c: (c.firm, c.presence * c.share))
            for ghost in same[: max(0, len(same) - self.decks)]:
                if not ghost.firm:
                    out.remove(ghost)
        return out

    @staticmethod
    def _trim(cards: Sequence[TableCard], want: int) -> list[TableCard]:
        """Leave out what is hardly a card until the count is the lead's; what is surely a card stays."""
        out = list(cards)
        for card in sorted(cards, key=lambda c: (c.ends, c.presence * c.share)):
            if len(out) <= want or card.firm:
                break
            out.remove(card)
        return out

    def _recount(self, t: float, count: int) -> Event | None:
        """A follower surely plays another number of cards than the lead was taken for: look at the lead again."""
        lead = next(iter(self._plays.values()))
        more = count - len(lead.slots)
        weak = sorted((c for c in lead.cards if c.ends == 1 and c.presence < DUBIOUS), key=lambda c: c.presence * c.share)
        followers = list(self._plays.values())[1:]
        unread = [[slot for slot in play.slots if not self.ledger.readings.get(slot)] for play in followers]
        if -len(weak) <= more < 0 and len(lead.cards) == len(lead.slots) and all(len(slots) >= -more for slots in unread):
            for card in weak[:-more]:
                self.ledger.drop([lead.slots.pop(lead.cards.index(card))])
                lead.cards.remove(card)
                lead.spare.append(card)
            for play, slots in zip(followers, unread, strict=True):
                self.ledger.drop(slots[:-more])
                play.slots[:] = [slot for slot in play.slots if slot not in slots[:-more]]
        elif more > 0 and not lead.cards:
            self._lengthen(next(iter(self._plays)), lead, more)
        elif 0 < more <= len(lead.spare) and not followers:
            self._extend(next(iter(self._plays)), lead, sorted(lead.spare, key=lambda c: -c.presence * c.share)[:more])
        else:
            return None
        return self._revised(t)

    def _lengthen(self, seat: Seat, play: _Play, more: int) -> None:
        """A play has more cards that cannot be read."""
        slots: list[Slot] = [(self.deal, self.trick, seat, len(play.slots) + i) for i in range(more)]
        self.ledger.put(dict.fromkeys(slots, ()))
        play.slots += slots

    def _extend(self, seat: Seat, play: _Play, cards: Sequence[TableCard]) -> None:
        """More cards belong to a play."""
        start = max((int(slot[3]) for slot in play.slots), default=-1) + 1
        slots: list[Slot] = [(self.deal, self.trick, seat, start + i) for i in range(len(cards))]
        self.ledger.put({slot: card.n_best for slot, card in zip(slots, cards, strict=True)})
        play.slots += slots
        play.cards += cards
        play.spare = [c for c in play.spare if c not in cards]

    def _won_unread(self, seat: Seat) -> bool:
        """This seat leads although another was thought to have won: where its last play could not be read, that play has won.

        Its unread cards are taken for the highest that the pack has left, which is a guess and is told as one; a play that was read
        is never changed for this, so a lead out of turn stays one.
        """
        last = self._before.get(seat)
        key = (self.trick - 1, seat)
        if last is None or key in self._guessed:
            return False
        unread = [slot for slot in last.slots if not self.ledger.readings.get(slot)]
        if not unread:
            return False
        self._guessed.add(key)
        for face in (Card("BJ"), Card("LJ")):
            if sum(f == face for f in self.ledger.faces.values()) + len(unread) <= self.decks:
                other = Card("LJ") if face == "BJ" else Card("BJ")
                self.ledger.put(dict.fromkeys(unread, ((face, 0.5), (other, 0.4))))
                return True
        return False

    def _commit(self, t: float, look: Look, seat: Seat, cards: Sequence[TableCard], want: int, spare: Sequence[TableCard] = ()) -> Event:
        """Tell a play; cards that are missing to ``want`` are unknown."""
        readings: list[NBest] = [c.n_best for c in cards] + [()] * max(0, want - len(cards))
        slots: list[Slot] = [(self.deal, self.trick, seat, i) for i in range(len(readings))]
        self.ledger.put(dict(zip(slots, readings, strict=True)))
        self._plays[seat] = _Play(slots, list(cards), list(spare), t)
        self._told[self.trick, seat] = slots
        self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in slots)
        self._settle(look.zone)
        self.unsure = any(not reading or reading[0][1] < 0.7 for reading in readings)
        return CardsPlayed(t=t, seat=seat, trick=self.trick, cards=self._faces[self.trick, seat], evidence=evidence(look, cards))

    def _again(self, t: float, look: Look, seat: Seat, busy: Collection[Zone]) -> Event | None:
        """A seat that has played moves its cards, adds to its lead, fills up a play with a hidden card, or takes cards back."""
        play = self._plays[seat]
        alone = next(reversed(self._plays)) is seat
        gone = [i for i, card in enumerate(play.cards) if card.among(look.bare)]
        away = [old for old in play.cards if old.among(look.touched) and not old.still_in(look.cards)]
        moved = []
        for card in look.fresh:
            old = next((o for o in away if o.card == card.card and card.distance(o) <= SHIFT_MM * 2), None)
            if old is not None:
                away.remove(old)
                moved.append(card)
        extra = [c for c in look.fresh if c not in moved and c.sound]
        hidden = [slot for slot in play.slots if not self.ledger.readings.get(slot)]
        if gone and not alone:
            self._swept = t
        if gone and alone and not extra and len(moved) < len(gone):
            if t - look.still < TAKEN_SECONDS or busy:
                return None
            if t - self._swept < SWEEP_SECONDS:
                self._settle(look.zone)
                return None
            return self._take_back(t, look, seat, play, gone[: len(gone) - len(moved)])
        if hidden and extra:
            for slot, card in zip(hidden, extra, strict=False):
                self.ledger.put({slot: card.n_best})
            play.cards += extra[: len(hidden)]
            self._settle(look.zone)
            return self._revised(t)
        leader, lead = next(iter(self._plays.items()))
        if extra and alone and (lead is play or not lead.cards):
            self._extend(seat, play, extra)
            if lead is not play:
                self._lengthen(leader, lead, len(play.slots) - len(lead.slots))
            self._settle(look.zone)
            return self._revised(t)
        if t - look.still > 0.3:
            self._settle(look.zone)
        return None

    def _take_back(self, t: float, look: Look, seat: Seat, play: _Play, gone: Sequence[int]) -> Event:
        """Cards that lay played are in the hand again."""
        slots = [play.slots[i] for i in gone]
        faces = tuple(self.ledger.faces[s] for s in slots)
        self.ledger.drop(slots)
        play.slots = [s for s in play.slots if s not in slots]
        play.cards = [c for i, c in enumerate(play.cards) if i not in gone]
        self._faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in play.slots)
        self._told[self.trick, seat] = play.slots
        if not play.slots:
            del self._plays[seat]
        self._settle(look.zone)
        return TakenBack(t=t, seat=seat, trick=self.trick, cards=faces, evidence={"frames": [round(look.still, 3), round(look.t, 3)]})

    def _revised(self, t: float) -> Event | None:
        """A play told earlier that the whole deal now reads differently."""
        for (trick, seat), slots in self._told.items():
            faces = tuple(self.ledger.faces[s] for s in slots)
            was = self._faces.get((trick, seat))
            if faces and faces != was:
                self._faces[trick, seat] = faces
                readings = [self.ledger.readings[s] for s in slots]
                seen: dict[str, Any] = {"was": list(was or ()), "raw": [r[0][0] for r in readings if r], "n_best": [best_faces(r) for r in readings]}
                if (trick, seat) in self._guessed:
                    seen["guessed"] = True
                return Corrected(t=t, source=Source.INFERRED, seat=seat, trick=trick, cards=faces, by="camera", evidence=seen)
        return None


def _white(look: Look) -> bool:
    """What is new in a zone looks like the faces of cards."""
    return look.paper_mm2 >= max(PAPER_MM2, PAPER_SHARE * look.changed_mm2)
