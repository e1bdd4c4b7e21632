"""From looks at zones to facts of the game: plays, cards taken back, the bottom shown.

The tracker knows what the engine expects (whose turn, how many cards) and uses it to wait and to rank, never to forbid: a
play out of turn is held for a moment, because another zone may still be under a hand, and then is told as it was seen; a
follower's missing card is waited for and then told as ``??``. What the cards mean is the engine's affair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import SEATS, Card, Seat
from engine.events import BottomShown, BottomTaken, CardsPlayed, Declared, Event, TakenBack
from vision.copies import surest
from vision.desync import Desync, Reason, hand_laid_down, taken_up
from vision.expected import Anything, Expected
from vision.joined import Joined
from vision.legible import Legible
from vision.looks import Look
from vision.lying import Lying
from vision.opening import BOTTOM, Opening, completed, evidence, laid, taker, within
from vision.pause import LONG_SECONDS, OPENING, Pause, look_on, plays_laid, words
from vision.recall import Record, opening_of, told_of
from vision.renewed import Renewed
from vision.stir import Stir
from vision.table_card import TableCard
from vision.told import Told
from vision.trick import MISSING_SECONDS, Trick
from vision.zones import SEAT_ZONES, Zone

ENDING: Final = ("bottom", "ended")
LAID_SECONDS: Final = 1.0
"""A hand laid down must lie this long."""
FAR_MM: Final = 300.0
"""Played cards lie nearer to the centre than this; beyond it lie tricks that are over."""


@dataclass(slots=True)
class PlayTracker:
    """Turns looks into facts.

    ``decks`` packs; ``deal`` the number of the running deal; ``levels`` the ranks that may declare (none: not known); ``piles``: played
    cards may stay where they lie, under later ones. ``lying`` is what lies where, ``told`` what has been told, ``desync`` whether the
    two fit, ``paused`` that nothing is told till they do; ``record`` gives the referee's deal, if there is a referee.
    """

    decks: int = 2
    deal: int = 1
    levels: frozenset[str] = frozenset()
    piles: bool = True
    opening: Opening = field(default_factory=Opening)
    told: Told = field(default_factory=Told)
    lying: Lying = field(default_factory=Lying)
    desync: Desync = field(default_factory=Desync)
    stir: Stir = field(default_factory=Stir)
    joined: Joined = field(default_factory=Joined)
    legible: Legible = field(default_factory=Legible)
    record: Record | None = None
    trick: Trick = field(init=False)
    renewed: Renewed = field(default_factory=Renewed)
    paused: Pause | None = None
    _next_drawn: bool = False
    _bottom_shown: bool = False
    _ahead: int = 0
    _phase: str = ""

    def __post_init__(self) -> None:
        self.opening, self.told = Opening(self.levels), Told(self.decks, self.deal)
        self.lying.piles = self.piles
        self.trick = Trick(self.told, self.lying)

    # What the pipeline tells.

    def see(self, look: Look) -> None:
        """A zone lies still and shows this."""
        self.lying.see(look, self.told.trick)

    def disturbed(self, zone: Zone) -> None:
        """A zone moves again: what it showed no longer holds."""
        last_to_play = len(self.told.plays) == 3 and zone.seat is not None and zone.seat not in self.told.plays
        self.lying.disturbed(zone, self.told.trick, last_to_play=last_to_play)

    def review(self, look: Look) -> None:
        """A settled zone was read once more."""
        self.trick.review(look)

    def hand(self, zone: Zone) -> None:
        """A hand reaches in from a seat."""
        self.opening.last_hand = zone.seat or self.opening.last_hand
        if zone.seat is not None:
            self.renewed.hand(zone.seat)

    # What the pipeline asks.

    @property
    def doubtful(self) -> set[Zone]:
        """Zones that should be read again, more carefully."""
        return self.lying.doubtful

    @property
    def to_review(self) -> set[Zone]:
        """Settled zones that should be read once more."""
        return self.lying.review

    @property
    def unsure(self) -> bool:
        """Something is not known well, or a play shows more or fewer cards than were told."""
        return self.trick.unsure or self.desync.reason is not None

    def phase(self, expected: Expected) -> str:
        """The phase that the table is in; it may have begun the next deal, of which nothing is told yet."""
        return "dealing" if self._next_drawn and expected.phase in ENDING else expected.phase

    def watched(self, zone: Zone) -> tuple[TableCard, ...]:
        """The cards whose places in a zone matter."""
        return self.lying.watched(zone)

    def knows(self, zone: Zone) -> tuple[TableCard, ...]:
        """The cards that a zone showed when it was last settled."""
        return self.lying.known.get(zone, ())

    def was_disturbed(self, zone: Zone) -> bool:
        """Cards lay in a zone that were not told before it was disturbed."""
        return zone in self.lying.stale

    def facts(self, t: float, expected: Expected, busy: Collection[Zone] = ()) -> Event | None:
        """The next fact at ``t`` (s), if there is one; ask again until there is none, with the expectation after each.

        :param busy: zones that move, are under a hand or are being read.
        """
        self._enter(expected)
        if self.paused is not None:
            return look_on(self, t, expected, busy)
        match self.phase(expected):
            case phase if phase in OPENING:
                if self.joined.shown(t, self.lying.pending, self.opening):
                    self.pause(t, Reason.JOINED, expected, blind=True, why={})
                    return self.desync.event(t)
                self.joined.drawing(t, moves=Zone.CENTRE in busy)
                held = self.joined.held(t, self.lying.pending, self.opening, self.told.what_if)
                fact, done = self.opening.declare(t, expected, {z: look for z, look in self.lying.pending.items() if z not in held})
                if isinstance(fact, BottomTaken):
                    fact = taker(fact, self.opening.last_hand, self.told.what_if)
                elif isinstance(fact, Declared):
                    shown = self.lying.pending[Zone(fact.seat.value)]
                    fact = completed(within(fact, shown, self.decks), shown, self.told.what_if)
                    self.opening.declared[fact.seat] = fact.cards
                if self.opening.over and fact is None:
                    self._ahead = 1
                    self.told.turn_to(1)
                    return self.trick.play(t, Anything(trick=1), busy)
            case "burying":
                fact, done = self.opening.bury(t, expected, self.lying.pending)
            case "trick":
                return self._play(t, expected, busy)
            case _:
                return self._show(t, expected)
        for zone in done:
            self.lying.settle(zone)
        return fact if fact is not None else self.desync.event(t)

    def take_settled(self) -> set[Zone]:
        """The zones whose looks are dealt with since the last call: their pictures are the new ground."""
        done, self.lying.settled = self.lying.settled, set()
        return done

    def cards_of(self, seat: Seat) -> tuple[TableCard, ...]:
        """Where the cards of a seat's play to the running trick lie."""
        play = self.told.plays.get(seat)
        return tuple(play.cards) if play is not None else ()

    def owns(self, card: TableCard) -> bool:
        """A card belongs to a play of the running trick."""
        return any(card is mine for play in self.told.plays.values() for mine in play.cards)

    def correct(self, seat: Seat, trick: int, cards: Sequence[Card]) -> None:
        """A person put a play right, or put one in that was not told."""
        if self._next_drawn:
            return  # a play of the deal before
        if self.record is not None and cards and not self.told.knows(seat, trick):
            self.recall()
        else:
            self.told.correct(seat, trick, cards)

    def unseen(self, t: float, seconds: float) -> None:
        """Nothing was seen for so long (s) before ``t``: nothing is told until all that lies there is read and follows from the record."""
        if self._phase == "trick" and self.paused is None and self.desync.reason is None and self.told.trick:
            self.paused = Pause(t, long=seconds >= LONG_SECONDS, unseen=True)

    # What was told is replaced by what the record says.

    def recall(self) -> None:
        """The record was changed by hand, or the pictures begin: what was played is what the record says."""
        deal = self.record() if self.record is not None else None
        if deal is None:
            return
        was = self.told.plays if self.told.deal == deal.number else {}
        self.deal, self._ahead, self._bottom_shown = deal.number, 0, deal.shown is not None
        self.told = told_of(deal, self.decks, self.told.what_if, self.lying.known)
        self.opening = opening_of(deal, self.levels, self.opening)
        self.trick, self.stir = Trick(self.told, self.lying), Stir(bare=self.stir.bare)
        self.desync.cleared.clear()
        for seat, play in self.told.plays.items():
            look = self.lying.pending.get(Zone(seat.value))
            if look is not None and seat not in was:
                # What lies there is what was entered by hand.
                play.cards = list(self.trick.new(look).sound)[: len(play.slots)]
                self.lying.settle(look.zone)

    def pause(self, t: float, reason: Reason, expected: Expected | None, *, blind: bool, many: bool = False, why: Mapping[str, Any]) -> None:
        """Nothing is told until table and record fit.

        :param blind: what lies there can not be read. :param many: there were too many faults. :param why: what the log keeps of it.
        """
        self.paused = Pause(t, blind, many)
        zh, en = words(reason, expected, list(self.told.plays), blind=blind, many=many)
        if self.desync.reason is not reason or self.desync.zh != zh:
            self.desync.instead(reason, zh, en, expected, why)

    def renew(self, known: Mapping[Zone, tuple[TableCard, ...]], under: Mapping[Zone, tuple[TableCard, ...]]) -> None:
        """After a fault: what lies there is read again.

        :param known: the cards that the zones were known to show before it, and ``under`` those below them.
        """
        self.lying = Lying(known=dict(known), under=dict(under), piles=self.piles)
        self.told = Told(self.decks, self.deal, self.told.trick, what_if=self.told.what_if)
        self.trick = Trick(self.told, self.lying)
        self.recall()

    def open_anew(self) -> None:
        """The next deal's pack is drawn, after one of which nothing was known."""
        self.opening = Opening(self.levels, self.opening.last_hand)
        self.opening.drawn()
        self.paused, self.joined, self.renewed = None, Joined(), Renewed()

    def next_deal(self, deal: int) -> None:
        """A new deal begins: all packs are whole again."""
        self.deal = deal
        self.opening, self.told = Opening(self.levels), Told(self.decks, deal, what_if=self.told.what_if)
        self.trick, self.stir = Trick(self.told, self.lying), Stir()
        self.desync.clear()
        self.paused, self.joined = None, Joined(first=False)
        self._bottom_shown = self._next_drawn = False
        self.renewed = Renewed()
        self._phase = ""

    def restart(self) -> None:
        """A new match begins."""
        self.lying = Lying(piles=self.piles)
        self.next_deal(1)

    # Bookkeeping.

    def _enter(self, expected: Expected) -> None:
        if expected.levels and expected.levels != self.levels:
            self.levels = self.opening.levels = expected.levels
        if expected.phase in OPENING and self._phase in ("trick", *ENDING) and not self._next_drawn:
            self.next_deal(self.deal + 1)
        if expected.phase not in ENDING:
            self._next_drawn = False
        if expected.trick >= self._ahead or expected.phase != "trick":
            self._ahead = 0
        if expected.phase == "trick" and expected.trick != self.told.trick and not self._ahead:
            self.told.turn_to(expected.trick)
            self.desync.cleared.clear()
        if expected.phase != self._phase:
            self._phase = expected.phase
            for zone in [z for z, look in self.lying.pending.items() if not look.fresh]:
                if zone is not Zone.CENTRE or expected.phase not in ENDING:
                    self.lying.settle(zone)

    # The end.

    def _show(self, t: float, expected: Expected) -> Event | None:
        """The bottom is turned face up after the last trick; then the next deal begins."""
        self.renewed.bare |= expected.count == 0
        if self.renewed.begun(t, self.lying.pending):
            self.next_deal(self.deal + 1)
            self.opening.drawn()
            self._next_drawn = True
            return None
        if self.desync.reason is not None:
            self.desync.clear()
        ended = self.desync.event(t)
        if ended is not None:
            return ended
        for zone in SEAT_ZONES:
            if zone in self.lying.pending and not self._may_declare(self.lying.pending[zone]):
                self.lying.settle(zone)
        look = self.lying.pending.get(Zone.CENTRE)
        if look is None or self._bottom_shown:
            if look is not None:
                self.lying.settle(Zone.CENTRE)
            return self.told.revised(t)
        want = expected.count or BOTTOM
        # Point cards that were laid beside the bottom before lie there still.
        cards = [c for c in look.fresh if c.share > 0.5]
        if len(cards) < want and t - look.still < MISSING_SECONDS:
            if cards:
                self.lying.doubtful.add(Zone.CENTRE)
            return None
        if len(cards) * 2 < want or expected.phase == "ended":
            self.lying.settle(Zone.CENTRE)
            return None
        cards = sorted(surest(self.told, cards, want), key=look.cards.index)
        self._bottom_shown = True
        self.lying.settle(Zone.CENTRE)
        return BottomShown(t=t, cards=self.told.bottom(cards, want), evidence=evidence(look, cards))

    def _may_declare(self, look: Look) -> bool:
        """Level cards that were laid before the drawing was noticed."""
        cards = [c.card for c in laid(look)] if self.renewed.bare else []
        return bool(cards) and self.opening.declares(cards)

    # Tricks.

    def _play(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """Plays as long as table and model fit."""
        if expected.trick == 1 and not self.trick.held:
            stirred, zone = self.stir.shown(t, expected, self.lying.pending, self.told, self.opening)
            if zone is not None:
                self.lying.settle(zone)
            if stirred is not None:
                return stirred
        if Zone.CENTRE in self.lying.pending:
            self.lying.settle(Zone.CENTRE)
        self._fit(t, expected, busy)
        told = self.desync.event(t)
        if told is not None:
            return told
        if self.desync.reason is not None:
            return self.told.revised(t)
        if self.trick.after.gone_on:
            zh = f"第{expected.trick}墩有一家的牌没看清，下一墩已经首引：请补录"
            en = f"a play of trick {expected.trick} was not read and the next trick is led already: enter it"
            self.desync.arise(Reason.MISSING, zh, en, expected)
            self.trick.after.gone_on = False
            return self.desync.event(t)
        if self.trick.astray:
            self.trick.astray = False
            self.pause(t, Reason.UNSEEN, expected, blind=False, why={})
            return self.desync.event(t)
        fact = self.trick.play(t, Anything(trick=self._ahead) if self._ahead else expected, busy)
        self.legible.took(fact)
        if self.legible.lost and self.record is not None:
            self.legible = Legible()
            self.pause(t, Reason.UNREADABLE, expected, blind=True, why={})
        if isinstance(fact, TakenBack):
            instead = self.stir.taken_up(fact, self.told, self.opening)
            self.trick.held += instead[1:]
            fact = instead[0] if instead else fact
        for seat in self.trick.after.cleared:
            self.desync.cleared.setdefault(seat, t)
        self.trick.after.cleared.clear()
        if isinstance(fact, CardsPlayed):
            self.desync.cleared.pop(fact.seat, None)  # what was taken back before was no trick that was taken up
        return fact

    def _fit(self, t: float, expected: Expected, busy: Collection[Zone]) -> None:
        """Do table and model fit? What lies there that cannot be a play is kept from being told as one."""
        if self.desync.reason is not None and self.desync.settled_by_hand(expected):
            # Somebody has entered what was missing; what lies there now is known.
            for zone in SEAT_ZONES:
                if zone in self.lying.pending and self.desync.reason is Reason.HANDS:
                    self.lying.settle(zone)
            self.desync.clear()
        laid = [zone for zone in SEAT_ZONES if zone in self.lying.pending]
        for zone in laid:
            self._shown_again(zone)
        match self.desync.reason:
            case Reason.HANDS:
                if not any(self._hand_lies(t, zone, expected) for zone in laid) and not busy:
                    self.desync.clear()
            case Reason.MISSING:
                lead = next((z for z in laid if self.trick.new(self.lying.pending[z]).sound), None)
                if lead is not None:
                    # The next trick is led: the one before stays with holes.
                    self._ahead = self.told.trick + 1
                    self.told.turn_to(self._ahead)
                    self.desync.clear()
                    self.desync.cleared.clear()
            case None:
                if any(self._hand_lies(t, zone, expected) for zone in laid):
                    zh = f"第{expected.trick}墩有人摊牌：请裁判登记余下的得分，或请其收回"
                    en = f"a hand is laid down in trick {expected.trick}: enter the rest of the score, or have it taken up again"
                    self.desync.arise(Reason.HANDS, zh, en, expected)
                elif not laid and not busy:
                    self.desync.missing(t, list(self.told.plays), SEATS, expected)
                elif self.lying.hurried and self.desync.laid_after(self.told.plays, plays_laid(self.trick)):
                    absent = [seat for seat in SEATS if seat not in self.told.plays]
                    self.desync.arise(Reason.MISSING, *taken_up(expected, absent), expected)

    def _hand_lies(self, t: float, zone: Zone, expected: Expected) -> bool:
        """The rest of a hand is laid down there."""
        look = self.lying.pending.get(zone)
        if look is None or t - look.still < LAID_SECONDS:
            return False
        return hand_laid_down(self.trick.new(look), expected.count if self.told.plays else None, self.levels)

    def _shown_again(self, zone: Zone) -> None:
        """Cards of an earlier trick are turned up again for somebody to see: no play."""
        look, seat = self.lying.pending[zone], zone.seat
        if seat is None or seat in self.told.plays:
            return
        seen = self.trick.new(look)
        new = seen.sure
        if not new or seen.doubtful or self.lying.on_pile(look) or not self.told.played_before(seat, [c.card for c in new]):
            return
        far = all(max(abs(c.centre[0]), abs(c.centre[1])) > FAR_MM for c in new)
        if far or any(self.told.count(c.card) >= self.decks for c in new):
            self.lying.settle(zone)
