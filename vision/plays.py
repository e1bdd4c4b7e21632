"""From looks at zones to facts of the game: declarations, the bottom, plays, cards taken back.

The tracker knows what the engine expects (whose turn, how many cards) and uses it to wait and to rank, never to forbid: a
play out of turn is held for a moment, because another zone may still be under a hand, and then is told as it was seen; a
follower's missing card is waited for and then told as ``??``. What the cards mean is the engine's affair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from engine.cards import RANK_OF, Card, Seat
from engine.events import BottomShown, BottomTaken, Buried, CardsPlayed, Corrected, Declared, Event, Source, TakenBack
from vision.fusion import Ledger, NBest
from vision.looks import Look, TableCard
from vision.zones import SEAT_ZONES, Zone

OUT_OF_TURN_SECONDS: Final = 1.2
"""How long a play out of turn is held while nothing happens in the zone whose turn it is."""
BUSY_SECONDS: Final = 4.0
"""How long it is held while a hand is in that zone."""
MISSING_SECONDS: Final = 2.5
"""How long a follower's missing cards are waited for before they are told as unknown."""
EXCESS_SECONDS: Final = 1.5
"""How long cards too many are doubted before they are told."""
WEAK: Final = 0.5
"""A card this sure to be there is a card; below, its face must be clear and every frame must have it."""
FAINT: Final = 0.25
CLEAR: Final = 0.8
SHIFT_MM: Final = 60.0
"""Cards pushed along with a pile move less than this."""


class Expected(Protocol):
    """What the engine expects next (:class:`engine.referee.Expectation`)."""

    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def seat(self) -> Seat | None: ...  # noqa: D102
    @property
    def count(self) -> int | None: ...  # noqa: D102
    @property
    def trick(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Anything:
    """No rules: whatever is laid down is told (a table without a game, a folder of pictures)."""

    phase: str = "trick"
    seat: Seat | None = None
    count: int | None = None
    trick: int = 1


@dataclass(slots=True)
class _Play:
    """A play of the running trick: its slots in the ledger and its cards on the table."""

    slots: list[tuple[Any, ...]]
    cards: list[TableCard]


@dataclass(slots=True)
class PlayTracker:
    """Turns looks into facts.

    ``decks`` packs; ``deal`` the number of the running deal; ``levels`` the ranks that may declare (none: not known). ``pending``
    looks wait for their time; ``known`` are the cards that each zone showed when it was last settled.
    """

    decks: int = 2
    deal: int = 1
    levels: frozenset[str] = frozenset()
    ledger: Ledger = field(default_factory=Ledger)
    pending: dict[Zone, Look] = field(default_factory=dict)
    known: dict[Zone, tuple[TableCard, ...]] = field(default_factory=dict)
    trick: int = 0
    settled: set[Zone] = field(default_factory=set)
    unsure: bool = False
    doubtful: set[Zone] = field(default_factory=set)
    _plays: dict[Seat, _Play] = field(default_factory=dict)
    _told: dict[tuple[int, Seat], list[tuple[Any, ...]]] = field(default_factory=dict)
    _told_faces: dict[tuple[int, Seat], tuple[Card, ...]] = field(default_factory=dict)
    _declared: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    _blind: dict[Seat, Look] = field(default_factory=dict)
    _led: bool = False
    _pack_seen: bool = False
    _taken: bool = False
    _bottom: list[tuple[Any, ...]] = field(default_factory=list)
    _phase: str = ""
    _last_hand: Seat | None = None

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.decks)

    # What the pipeline tells.

    def see(self, look: Look) -> None:
        """A zone lies still and shows this."""
        self.pending[look.zone] = look
        self.doubtful.discard(look.zone)

    def disturbed(self, zone: Zone) -> None:
        """A zone moves again: what it showed no longer holds."""
        self.pending.pop(zone, None)

    def hand(self, zone: Zone) -> None:
        """A hand reaches in from a seat."""
        self._last_hand = zone.seat or self._last_hand

    # What the pipeline asks.

    def facts(self, t: float, expected: Expected, busy: Collection[Zone] = ()) -> Event | None:
        """The next fact at ``t`` (s), if there is one; ask again until there is none, with the expectation after each.

        :param busy: zones that move, are under a hand or are being read.
        """
        self._enter(expected)
        match expected.phase:
            case "waiting" | "dealing" | "declaring":
                return self._declare(t, expected)
            case "burying":
                return self._bury(t, expected)
            case "trick":
                return self._play(t, expected, busy)
            case "bottom" | "ended":
                return self._show(t, expected)
            case _:
                return None

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

    def next_deal(self, deal: int) -> None:
        """A new deal begins: all packs are whole again."""
        self.deal = deal
        self.ledger = Ledger(self.decks)
        self._plays, self._told, self._told_faces, self._declared, self._blind, self._bottom = {}, {}, {}, {}, {}, []
        self._pack_seen = self._taken = self._led = False
        self.trick = 0
        self._phase = ""

    # Phases.

    def _enter(self, expected: Expected) -> None:
        if expected.phase in ("waiting", "dealing") and self._phase in ("trick", "bottom", "ended"):
            self.next_deal(self.deal + 1)
        if expected.phase == "trick" and expected.trick != self.trick:
            self.trick = expected.trick
            self._plays, self._blind = {}, {}
        if expected.phase != self._phase:
            self._phase = expected.phase
            for zone in [z for z in self.pending if not self.pending[z].fresh]:
                self._settle(zone)

    def _settle(self, zone: Zone) -> None:
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        if look is not None:
            self.known[zone] = (*look.cards, *(c for c in self.known.get(zone, ()) if not _in(c, look.touched) and not _seen(c, look.cards)))
        self.settled.add(zone)

    def _declare(self, t: float, expected: Expected) -> Event | None:
        """Level cards and jokers laid face up while cards are drawn; the bottom taken when the centre is bare."""
        for zone in SEAT_ZONES:
            look = self.pending.get(zone)
            if look is None:
                continue
            cards = [c for c in look.fresh if _sound(c)]
            seat = zone.seat
            if cards and seat is not None and self._a_lead(cards, seat):
                # The first lead lies there, so the bottom was taken and buried unseen.
                self._taken = self._led = True
                return BottomTaken(t=look.still, seat=seat, source=Source.INFERRED)
            self._settle(zone)
            if not cards or seat is None:
                continue
            kept = [c for c in look.cards if not c.fresh and c.card in self._declared.get(seat, ())]
            faces = tuple(c.card for c in (*kept, *cards))
            if self._declared.get(seat) == faces:
                continue
            if len({RANK_OF.get(face, face) for face in faces}) > 1:
                self.unsure = True
                continue
            self._declared[seat] = faces
            return Declared(t=t, seat=seat, cards=faces, evidence=self._evidence(look, [*kept, *cards]))
        centre = self.pending.get(Zone.CENTRE)
        if centre is None:
            return None
        self._settle(Zone.CENTRE)
        if centre.occupied:
            self._pack_seen = True
        elif self._pack_seen and not self._taken:
            seat = expected.seat or next(reversed(self._declared), None) or self._last_hand
            if seat is not None:
                self._taken = True
                return BottomTaken(t=t, seat=seat, evidence={"frames": [round(centre.still, 3), round(centre.t, 3)]})
        return None

    def _a_lead(self, cards: Sequence[TableCard], seat: Seat) -> bool:
        """These cards declare nothing (no level card, no joker), are surely read, and lie before the one who declared last."""
        known = [face for face, _ in (c.n_best[0] for c in cards if c.sure >= 0.7)]
        declares = any(face not in RANK_OF or not self.levels or RANK_OF[face] in self.levels for face in known)
        return bool(known) and not declares and next(reversed(self._declared), None) is seat

    def _bury(self, t: float, expected: Expected) -> Event | None:
        """The bottom comes back face down."""
        centre = self.pending.get(Zone.CENTRE)
        seat = expected.seat or self._last_hand
        if centre is not None:
            self._settle(Zone.CENTRE)
            if centre.occupied and seat is not None:
                return Buried(t=t, seat=seat, count=expected.count or 8, evidence={"frames": [round(centre.still, 3), round(centre.t, 3)]})
        for zone in SEAT_ZONES:
            look = self.pending.get(zone)
            if look is None:
                continue
            if not look.fresh:
                self._settle(zone)
            elif seat is not None and (self._led or t - look.still > BUSY_SECONDS):
                # The first play lies there, so the bottom was buried unseen.
                return Buried(t=look.still, seat=seat, count=expected.count or 8, source=Source.INFERRED)
        return None

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
        want = expected.count or 8
        cards = [c for c in look.cards if c.share > 0.5]
        if not cards or (expected.phase == "ended" and len(cards) < want):
            if t - look.still > MISSING_SECONDS:
                self._settle(Zone.CENTRE)
            return None
        if len(cards) < want and t - look.still < MISSING_SECONDS:
            return None
        cards = sorted(sorted(cards, key=lambda c: -c.presence * c.share)[:want], key=look.cards.index)
        self._bottom = [(self.deal, "bottom", i) for i in range(max(want, len(cards)))]
        readings: list[NBest] = [c.n_best for c in cards] + [()] * (want - len(cards))
        self.ledger.put(dict(zip(self._bottom, readings, strict=True)))
        self.ledger.solve(fill=len(self.ledger.readings) >= 54 * self.decks)
        self._settle(Zone.CENTRE)
        return BottomShown(t=t, cards=tuple(self.ledger.faces[s] for s in self._bottom), evidence=self._evidence(look, cards))

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
            fact = self._again(t, look, seat) if seat in self._plays else self._first(t, look, seat, expected, busy)
            if fact is not None:
                return fact
        return None

    def _first(self, t: float, look: Look, seat: Seat, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """A seat's play to the running trick."""
        cards = self._new_cards(look)
        if not any(_sound(c) for c in cards):
            if expected.seat is seat and self._plays and look.changed_mm2 > 2000:
                self._blind[seat] = look
            if t - look.still > 0.6 or not look.changed_mm2:
                self._settle(look.zone)
            return None
        turn = expected.seat is None or expected.seat is seat
        if not turn and expected.seat is not None:
            waited = Zone(expected.seat.value)
            if t - look.still < (BUSY_SECONDS if waited in busy or waited in self.pending else OUT_OF_TURN_SECONDS):
                return None
            blind = self._blind.pop(expected.seat, None)
            if blind is not None and expected.count:
                return self._commit(t, blind, expected.seat, [], expected.count)
        want = expected.count if self._plays and expected.count else None
        if want is None:
            cards = [c for c in cards if _sound(c)]
            return self._commit(t, look, seat, cards, len(cards)) if cards else None
        if len(cards) > want:
            cards = self._trim(cards, want)
        if len(cards) != want and t - look.still < (MISSING_SECONDS if len(cards) < want else EXCESS_SECONDS):
            self.doubtful.add(look.zone)
            return None
        return self._commit(t, look, seat, cards, want)

    def _new_cards(self, look: Look) -> list[TableCard]:
        """The fresh cards of a look without those that only moved along with their pile."""
        gone = [old for old in look.touched if not _seen(old, look.cards)]
        out = []
        for card in look.fresh:
            moved = next((old for old in gone if old.card == card.card and _distance(old, card) <= SHIFT_MM), None)
            here = next((old for old in gone if old.card == card.card and card.lies_like(old)), None)
            if here is not None:
                gone.remove(here)
            elif moved is not None and len(look.fresh) > 1:
                gone.remove(moved)
            else:
                out.append(card)
        return out or list(look.fresh)

    @staticmethod
    def _trim(cards: Sequence[TableCard], want: int) -> list[TableCard]:
        """Leave out what is hardly a card until the count is the lead's; what is surely a card stays."""
        out = list(cards)
        for card in sorted(cards, key=lambda c: c.presence * c.share):
            if len(out) <= want or _sound(card):
                break
            out.remove(card)
        return out

    def _commit(self, t: float, look: Look, seat: Seat, cards: Sequence[TableCard], want: int) -> Event:
        """Tell a play; cards that are missing to ``want`` are unknown."""
        readings: list[NBest] = [c.n_best for c in cards] + [()] * max(0, want - len(cards))
        slots: list[tuple[Any, ...]] = [(self.deal, self.trick, seat, i) for i in range(len(readings))]
        self.ledger.put(dict(zip(slots, readings, strict=True)))
        self._plays[seat] = _Play(slots, list(cards))
        self._told[self.trick, seat] = slots
        self._told_faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in slots)
        self._settle(look.zone)
        self.unsure = any(not reading or reading[0][1] < 0.7 for reading in readings)
        return CardsPlayed(
            t=t, seat=seat, trick=self.trick, cards=self._told_faces[self.trick, seat], evidence=self._evidence(look, cards)
        )

    def _again(self, t: float, look: Look, seat: Seat) -> Event | None:
        """A seat that has played moves its cards, adds to its lead, fills up a play with a hidden card, or takes cards back."""
        play = self._plays[seat]
        alone = next(reversed(self._plays)) is seat
        gone = [i for i, card in enumerate(play.cards) if _in(card, look.bare)]
        away = [old for old in play.cards if _in(old, look.touched) and not _seen(old, look.cards)]
        moved = []
        for card in look.fresh:
            old = next((o for o in away if o.card == card.card and _distance(card, o) <= SHIFT_MM * 2), None)
            if old is not None:
                away.remove(old)
                moved.append(card)
        extra = [c for c in look.fresh if c not in moved and _sound(c)]
        hidden = [slot for slot in play.slots if not self.ledger.readings.get(slot)]
        if gone and alone and not extra and len(moved) < len(gone):
            return self._take_back(t, look, seat, play, gone[: len(gone) - len(moved)])
        if hidden and extra:
            for slot, card in zip(hidden, extra, strict=False):
                self.ledger.put({slot: card.n_best})
            play.cards += extra[: len(hidden)]
            self._settle(look.zone)
            return self._revised(t)
        if extra and alone and len(self._plays) == 1:
            slots: list[tuple[Any, ...]] = [(self.deal, self.trick, seat, len(play.slots) + i) for i in range(len(extra))]
            self.ledger.put(dict(zip(slots, [c.n_best for c in extra], strict=True)))
            play.slots += slots
            play.cards += extra
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
        self._told_faces[self.trick, seat] = tuple(self.ledger.faces[s] for s in play.slots)
        self._told[self.trick, seat] = play.slots
        if not play.slots:
            del self._plays[seat]
        self._settle(look.zone)
        return TakenBack(t=t, seat=seat, trick=self.trick, cards=faces, evidence={"frames": [round(look.still, 3), round(look.t, 3)]})

    def _revised(self, t: float) -> Event | None:
        """A play told earlier that the whole deal now reads differently."""
        for (trick, seat), slots in self._told.items():
            faces = tuple(self.ledger.faces[s] for s in slots)
            if faces and faces != self._told_faces.get((trick, seat)):
                raw = [list(self.ledger.readings[s][0][:1]) for s in slots if self.ledger.readings[s]]
                was = list(self._told_faces.get((trick, seat), ()))
                self._told_faces[trick, seat] = faces
                return Corrected(
                    t=t, source=Source.INFERRED, seat=seat, trick=trick, cards=faces, by="camera",
                    evidence={"was": was, "raw": [r[0] for r in raw], "n_best": [_n_best(self.ledger.readings[s]) for s in slots]},
                )  # fmt: skip
        return None

    def _evidence(self, look: Look, cards: Sequence[TableCard]) -> Mapping[str, Any]:
        """What was seen, and how surely: raw reading, N-best, frame times, places."""
        return {
            "raw": [c.card for c in cards],
            "n_best": [_n_best(c.n_best) for c in cards],
            "presence": [round(c.presence, 3) for c in cards],
            "frames": [round(look.still, 3), round(look.t, 3)],
            "corners_mm": [[[round(x, 1), round(y, 1)] for x, y in c.corners_mm] for c in cards],
        }


def _sound(card: TableCard) -> bool:
    """Enough was seen of a card to take it for one without anything being expected."""
    if card.presence >= WEAK:
        return card.share > 0.6
    return card.presence >= FAINT and card.share >= 0.99 and card.n_best[0][1] >= CLEAR


def _in(card: TableCard, cards: Sequence[TableCard]) -> bool:
    """A card is one of these (the same reading of it)."""
    return any(card is other or (card.corners_mm == other.corners_mm and card.n_best == other.n_best) for other in cards)


def _seen(old: TableCard, cards: Sequence[TableCard]) -> bool:
    """A card of before still lies there unchanged."""
    return any(not c.fresh and c.card == old.card and c.lies_like(old) for c in cards)


def _n_best(reading: NBest) -> list[list[Any]]:
    return [[face, round(p, 4)] for face, p in reading[:5]]


def _distance(a: TableCard, b: TableCard) -> float:
    return float(((a.centre[0] - b.centre[0]) ** 2 + (a.centre[1] - b.centre[1]) ** 2) ** 0.5)
