"""The plays of a trick: when each is told, and of how many cards; what happens to it afterwards is :mod:`vision.afterwards`.

The number of cards that is expected ranks what is seen and says how long to wait, but nothing is read away for it: see :mod:`vision.counts`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Seat
from engine.events import Event
from vision.afterwards import Afterwards
from vision.copies import left_of, new_cards, within_pack
from vision.counts import Shown, stands_alone
from vision.expected import Expected
from vision.laid import shown_by
from vision.looks import Look
from vision.lying import LOOSE_MM2, Lying
from vision.mistaken import left_over, real
from vision.one_suit import of_one_suit
from vision.opening import evidence
from vision.pile import Sorted, beside
from vision.table_card import CLEAR, WEAK, TableCard
from vision.told import Told
from vision.won import guess, renumber, rethink
from vision.zones import Zone

OUT_OF_TURN_SECONDS: Final = 3.2
"""How long a play out of turn is held while nothing happens in the zone whose turn it is: a dropped card is picked up sooner."""
BUSY_SECONDS: Final = 5.0
"""How long it is held while a hand is in that zone."""
MISSING_SECONDS: Final = 2.5
"""How long a follower's missing cards are waited for before they are told as unknown."""
FAINT_SECONDS: Final = 1.5
"""How long a faint card is looked at before it is told as the one that is missing: the real one may still be laid."""
EXCESS_SECONDS: Final = 0.65
"""How long cards too many are doubted before they are told, and a faint card where only one is laid: two careful readings."""
UNCLEAR_SECONDS: Final = 0.5
"""How long a lead that is not clear is looked at before it is told: one careful reading."""
KEPT_SECONDS: Final = 8.0
"""Something white that cannot be read waits so long for its turn."""
BEFORE_SECONDS: Final = 0.4
AFTER_SECONDS: Final = 0.5
"""The next player's cards must lie this long before they hurry the one before him."""
GHOST: Final = 0.6
REVIEWS: Final = 3
PLAINLY: Final = 0.995
"""A card of one index that was read less surely is read once more: what lies around it may have been read with it."""


@dataclass(slots=True)
class Trick:
    """The running trick: what has been told of it, and what lies there.

    ``unsure``: the latest play has a card that is not known well, or shows more or fewer cards than were told; ``held``: a play that is
    told after a correction; ``astray``: what lies there would be an offence, were all that happened seen; ``passed``: what changed in a zone
    whose turn it was, in which trick, and was taken for nothing; ``after``: what became of the plays told.
    """

    told: Told
    lying: Lying
    unsure: bool = False
    astray: bool = False
    held: list[Event] = field(default_factory=list)
    passed: dict[Zone, tuple[int, Look]] = field(default_factory=dict)
    _latest: float = -60.0
    _reviewed: dict[Zone, float] = field(default_factory=dict)
    after: Afterwards = field(init=False)

    def __post_init__(self) -> None:
        self.after = Afterwards(self.told, self.lying)

    def play(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """Plays in the order of turns; what comes out of turn is held for a moment."""
        if self.held:
            return self.told.revised(t) or self.held.pop(0)
        if self.told.offend():
            self.unsure = True
        revised = self.told.revised(t)
        if revised is not None:
            return revised
        unread = self._taken_up(t, expected, busy)
        if unread is not None:
            return unread
        order = [Zone(expected.seat.value)] if expected.seat is not None else []
        pending = self.lying.pending
        order += [zone for zone in sorted(pending, key=lambda z: pending[z].still) if zone not in order]
        for zone in order:
            look, seat = pending.get(zone), zone.seat
            if look is None or seat is None:
                continue
            fact = self.after.see(t, look, seat, busy) if seat in self.told.plays else self._first(t, look, seat, expected, busy)
            if fact is not None:
                return fact
        self._ask_again(t)
        return None

    def review(self, look: Look) -> None:
        """A settled zone was read once more."""
        self.lying.review.discard(look.zone)
        seat = look.zone.seat
        if seat is not None and seat in self.told.plays:
            play = self.told.plays[seat]
            seen = self.lying.again(look, [*play.cards, *play.sure, *play.doubtful])
            self.told.review(seat, seen, loose=look.loose_mm2 >= LOOSE_MM2)
            if len(play.sure) > len(play.slots):
                # More cards lie there than were seen at first.
                self.told.recount()

    def new(self, look: Look) -> Sorted:
        """The new cards of a look, sorted, without copies that the packs do not have."""
        return new_cards(self.told, self.lying, look)

    def _ask_again(self, t: float) -> None:
        """Plays that are not known well are read again while they lie there."""
        for seat, play in self.told.plays.items():
            zone = Zone(seat.value)
            due = t - self._reviewed.get(zone, -9.0) > 0.6 * (play.reviews + 1)
            often = REVIEWS if play.weak(self.told.ledger) else 1 if play.weak(self.told.ledger, PLAINLY, ends=1) else 0
            if due and play.reviews < often and zone not in (*self.lying.pending, *self.lying.review):
                self._reviewed[zone] = t
                self.lying.review.add(zone)

    def _taken_up(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """The last play of a trick lay there, could not be read, and is bare cloth again: the trick was taken up, so it was played."""
        if expected.seat is None or len(self.told.plays) != 3:
            return None
        zone = Zone(expected.seat.value)
        stale = self.lying.stale_of(zone, self.told.trick)
        if stale is None or zone in self.lying.pending or zone in busy:
            return None
        return self._as_it_lay(t, stale, expected.seat, expected.count)

    def _first(self, t: float, look: Look, seat: Seat, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """A seat's play to the running trick; what looks as it did before the latest play there is none."""
        if look.reverted:
            if t - look.still > 0.5:
                self.lying.settle(look.zone)
            return None
        seen = self.new(look)
        waited = t - look.still
        if expected.seat is None or expected.seat is seat:
            over = expected.seat is seat and bool(self.told.plays) and self._left_over(look, seat, seen)
            return self.told.revised(t) if over else self._in_turn(t, look, seat, seen, expected)
        if not self.told.plays and waited > 0.3 and (self.lying.face(look) or seen.sound) and guess(self.told, seat, [c.card for c in seen.all]):
            return self.told.revised(t)
        gone_on = waited > AFTER_SECONDS and bool(seen.sound) and self._after(seat, t) > 0
        if gone_on and not self.told.plays and (rethink(self.told, seat, followed=True) or renumber(self.told, seat)):
            return self.told.revised(t)
        if not seen.sound:
            if waited > (KEPT_SECONDS if self.lying.face(look) else 0.5):
                self.lying.settle(look.zone)
            return None
        other = Zone(expected.seat.value)
        if other in self.lying.unread:
            return None
        held = BUSY_SECONDS if other in busy or other in self.lying.pending else OUT_OF_TURN_SECONDS
        if waited < held and not (gone_on and other not in busy and other not in self.lying.pending):
            return None
        if (not self.told.plays and (rethink(self.told, seat) or renumber(self.told, seat))) or self._left_over(look, seat, seen):
            return self.told.revised(t)
        trick, passed = self.passed.get(other, (0, look))
        if trick == self.told.trick and gone_on:
            # The others play as if it had played, and something came to lie there.
            return self._commit(t, passed, expected.seat, Sorted((), (), ()), expected.count or len(seen.sound))
        if self.lying.hurried or trick == self.told.trick:
            # Whose turn it was may have been taken unseen.
            self.astray = True
            return None
        return self._in_turn(t, look, seat, seen, expected)

    def _in_turn(self, t: float, look: Look, seat: Seat, seen: Sorted, expected: Expected) -> Event | None:
        """A play whose time has come: told when it is complete, or when nothing more is to be waited for."""
        after = self._after(seat, t)
        if self._follows_another(look, seat, seen):
            if rethink(self.told, seat.previous, followed=True) or renumber(self.told, seat.previous):
                return self.told.revised(t)
            led = self.new(first := self.lying.pending[Zone(seat.previous.value)])
            if not self.told.offends(t, seat.previous, led.sound):
                # Who has won is not surely known, and who follows whom is seen.
                return self._lead(t, first, seat.previous, led, len(led.sound))
        stale = self.lying.stale_of(look.zone, self.told.trick)
        if not seen.sound and stale is not None and self.told.plays:
            # Never a lead, which is only being straightened.
            return self._as_it_lay(t, stale, seat, expected.count)
        if not seen.sound and not self.lying.face(look):
            if t - look.still > 0.5:
                if self.lying.hides(look):
                    self.passed[look.zone] = self.told.trick, look
                self.lying.settle(look.zone)
            return None
        want = expected.count if self.told.plays else None
        return self._follow(t, look, seat, seen, want, after) if want else self._lead(t, look, seat, seen, after)

    def _as_it_lay(self, t: float, stale: Look, seat: Seat, count: int | None) -> Event | None:
        """A play that lay there, incomplete, and is gone now: the trick has been taken up. What it showed speaks for the trick's number of cards.

        However clear it was, a further card may have come when it was disturbed.
        """
        seen = self.new(stale)
        if seen.sound and self.told.recount(replace(self._shown(stale, seen), clear=False)):
            return self.told.revised(t)
        return self._commit(t, stale, seat, seen, count or len(seen.sound))

    def _follows_another(self, look: Look, seat: Seat, seen: Sorted) -> bool:
        """The seat that should lead has waited for the one before it, which has laid as many cards."""
        first = self.lying.pending.get(Zone(seat.previous.value))
        if self.told.plays or first is None or not seen.sound or look.still - first.still < BEFORE_SECONDS:
            return False
        return len(self.new(first).sound) == len(seen.sound)

    def _lead(self, t: float, look: Look, seat: Seat, seen: Sorted, after: int) -> Event | None:
        """A play that no number is known of."""
        sound = within_pack(seen.sound, left_of(self.told, seen.sound), GHOST)
        seen = of_one_suit(beside(seen.only([*sound, *seen.faint]), on_pile=self.lying.on_pile(look)))
        unclear = bool(seen.doubtful) or look.loose_mm2 >= LOOSE_MM2 or not sound
        if unclear and not after and t - look.still < UNCLEAR_SECONDS:
            self.lying.doubtful.add(look.zone)
            return None
        if seen.sound:
            kept = [c for c in seen.sound if c.among(seen.sure) or c.n_best[0][1] >= CLEAR] or list(seen.sound)
            none = self._no_lead(t, seat, kept)
            kept = [c for c in kept if c is not none]
            return self._commit(t, look, seat, seen.only([c for c in seen.all if c is not none]), len(kept), kept)
        self.lying.doubtful.add(look.zone)
        clear = sorted((c for c in seen.faint if c.n_best[0][1] >= CLEAR), key=lambda c: -c.presence)
        return self._commit(t, look, seat, seen, after, clear[:after]) if after else None

    def _no_lead(self, t: float, seat: Seat, cards: Sequence[TableCard]) -> TableCard | None:
        """Of cards that may not be led together, one of a single index without which the others may: it is an old one, or none at all.

        Equal cards may be led: an offence that comes with them is one of an earlier trick, which they prove.
        """
        if len(cards) < 2 or not self.told.offends(t, seat, cards):
            return None
        single = [c for c in cards if c.ends == 1 and not any(c.card == other.card for other in cards if other is not c)]
        single.sort(key=lambda c: c.presence * c.share)
        return next((one for one in single if not self.told.offends(t, seat, [c for c in cards if c is not one])), None)

    def _follow(self, t: float, look: Look, seat: Seat, seen: Sorted, want: int, after: int) -> Event | None:
        """A play of as many cards as the lead has, if the lead was read right."""
        well = [c for c in seen.doubtful if c.presence >= WEAK]
        fits = len(seen.sure) <= want <= len(seen.sure) + len(well)
        if not fits:
            # Something unreadable may lie there since before it was this seat's turn.
            waited = t - max(look.still, self._latest)
            patience = MISSING_SECONDS if len(seen.all) < want else EXCESS_SECONDS if len(seen.sure) > want or want == 1 else FAINT_SECONDS
            shown = self._shown(look, seen)
            alone = stands_alone(shown, [play.shown for play in self.told.plays.values()], want)
            # Nobody is said to have played another number of cards before his time is over.
            gone_on = after or (len(self.told.plays) == 3 and not alone and self.after.next_led(t))
            if not gone_on and waited < patience:
                self.lying.doubtful.add(look.zone)
                self._look_at_lead(t)
                return None
            if not len(seen.sure) <= want <= len(seen.all) and seen.sound and self.told.recount(shown):
                return self.told.revised(t)
            if alone:
                return self._commit(t, look, seat, seen, len(seen.sure), seen.sure)
        return self._commit(t, look, seat, seen, want)

    def _look_at_lead(self, t: float) -> None:
        """The lead is read again: it may have been taken for too few or too many cards."""
        leader = next(iter(self.told.plays), None)
        if leader is not None and self.told.plays[leader].reviews < REVIEWS:
            zone = Zone(leader.value)
            if zone not in self.lying.pending and t - self._reviewed.get(zone, -9.0) > 0.4:
                self._reviewed[zone] = t
                self.lying.review.add(zone)

    def _shown(self, look: Look, seen: Sorted) -> Shown:
        loose = look.loose_mm2 >= LOOSE_MM2
        plain = not seen.faint and not self.lying.on_pile(look)
        return shown_by(seen.sure, seen.doubtful, loose=loose, plain=plain, hurried=self.lying.hurried)

    def _after(self, seat: Seat, t: float) -> int:
        """How many cards the players after this one have laid already; 0 when play has not gone on."""
        following = seat.next
        while following is not seat and following not in self.told.plays:
            look = self.lying.pending.get(Zone(following.value))
            if look is None or t - look.still < AFTER_SECONDS:
                return 0
            count = len(self.new(look).sound)
            if count or not self.lying.face(look):
                return count
            following = following.next
        return 0

    def _commit(self, t: float, look: Look, seat: Seat, seen: Sorted, want: int, cards: Sequence[TableCard] | None = None) -> Event:
        """Tell a play and take its zone for the new ground.

        :param cards: which of the cards seen are told; the surest ``want`` when left out.
        """
        plain = not self.lying.on_pile(look)
        if cards is None:
            rest = sorted((*seen.doubtful, *seen.faint), key=lambda c: (not c.sound, -c.ends, -c.presence * c.share))
            best = [*sorted(seen.sure, key=lambda c: (-c.ends, -c.presence * c.share)), *rest][:want]
            cards = [c for c in look.cards if c.among(best)] or best
        cards = [c for c in cards if c.sound] + [c for c in cards if not c.sound]
        again, self._latest = [c for c in cards if self.lying.lay(look.zone, c)], t
        self.lying.settle(look.zone)
        shown = self._shown(look, seen)
        self.unsure = len(cards) < want or shown.sure > want or any(card.n_best[0][1] < 0.7 for card in cards)
        loose = look.loose_mm2 >= LOOSE_MM2
        event = self.told.play(t, seat, cards, want, seen, evidence(look, cards), loose=loose, plain=plain)
        play = self.told.plays[seat]
        play.area_mm2, play.again, play.began, play.faint = look.changed_mm2, again, look.began, bool(seen.faint)
        play.hurried = self.lying.hurried
        if event.evidence.get("doubted"):
            self.unsure = True
            first = self.told.revised(t)
            if first is not None:
                # An earlier card is put right before the play that would make it an offence.
                self.held.append(event)
                return first
        return event

    def _left_over(self, look: Look, seat: Seat, seen: Sorted) -> bool:
        """What lies there is of the trick before; it may be the play that was not seen then."""
        if not seen.sound or not left_over(self.told, seat, look):
            return False
        if real(self.told, seat, seen.sure):
            self.told.instead(seat, seen.sure)
        self.lying.settle(look.zone)
        return True
