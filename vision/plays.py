"""From looks at zones to facts of the game: plays, cards taken back, the bottom shown.

The tracker knows what the engine expects (whose turn, how many cards) and uses it to wait and to rank, never to forbid: a
play out of turn is held for a moment, because another zone may still be under a hand, and then is told as it was seen; a
follower's missing card is waited for and then told as ``??``. What the cards mean is the engine's affair.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Card, Seat
from engine.events import BottomShown, Event
from vision.expected import Expected
from vision.looks import Look, mix, place_along
from vision.opening import BOTTOM, Opening, evidence
from vision.table_card import CLEAR, WEAK, TableCard
from vision.told import Told
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
GHOST: Final = 0.6
SHADOW: Final = 0.4
SHADOW_MM: Final = 14.0
"""A faint card so near to a solid one would be hidden by it, or hide it."""
NEAR_MM: Final = 6.0
NUDGE_MM: Final = 12.0
SHIFT_MM: Final = 120.0
"""Cards pushed aside move less than this; identical cards of a pair lie farther apart than a nudge."""
PAPER_MM2: Final = 700.0
PAPER_SHARE: Final = 0.22
"""So much new white, and this share of all that changed, is a card's face even when none can be read (a back has a white rim only)."""


@dataclass(slots=True)
class PlayTracker:
    """Turns looks into facts.

    ``decks`` packs; ``deal`` the number of the running deal; ``levels`` the ranks that may declare (none: not known). ``pending``
    looks wait for their time, ``stale`` ones were disturbed before they were told; ``known`` are the cards that each zone showed when
    it was last settled; zones in ``doubtful`` should be read again, more carefully.
    """

    decks: int = 2
    deal: int = 1
    levels: frozenset[str] = frozenset()
    opening: Opening = field(default_factory=Opening)
    told: Told = field(default_factory=Told)
    pending: dict[Zone, Look] = field(default_factory=dict)
    stale: dict[Zone, Look] = field(default_factory=dict)
    known: dict[Zone, tuple[TableCard, ...]] = field(default_factory=dict)
    settled: set[Zone] = field(default_factory=set)
    doubtful: set[Zone] = field(default_factory=set)
    unsure: bool = False
    _bottom_shown: bool = False
    _trick_of_stale: int = 0
    _swept: float = -60.0
    _phase: str = ""

    def __post_init__(self) -> None:
        self.opening, self.told = Opening(self.levels), Told(self.decks, self.deal)

    # What the pipeline tells.

    def see(self, look: Look) -> None:
        """A zone lies still and shows this."""
        self.pending[look.zone] = self._with_covered(look)
        self.doubtful.discard(look.zone)

    def disturbed(self, zone: Zone) -> None:
        """A zone moves again: what it showed no longer holds."""
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        last_to_play = len(self.told.plays) == 3 and zone.seat is not None and zone.seat not in self.told.plays
        if look is not None and (any(c.sound for c in look.fresh) or (last_to_play and _white(look))):
            self.stale[zone] = look
            self._trick_of_stale = self.told.trick

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
        play = self.told.plays.get(seat)
        return tuple(play.cards) if play is not None else ()

    def owns(self, card: TableCard) -> bool:
        """A card belongs to a play of the running trick."""
        return any(card is mine for play in self.told.plays.values() for mine in play.cards)

    def correct(self, seat: Seat, trick: int, cards: Sequence[Card]) -> None:
        """A person put a play right."""
        self.told.correct(seat, trick, cards)

    def next_deal(self, deal: int) -> None:
        """A new deal begins: all packs are whole again."""
        self.deal = deal
        self.opening, self.told = Opening(self.levels), Told(self.decks, deal)
        self._bottom_shown = False
        self._phase = ""

    # Bookkeeping.

    def _with_covered(self, look: Look) -> Look:
        """A look with what lay there before the hand came again: cards laid one by one cover each other, and read better before."""
        stale = self.stale.get(look.zone)
        if stale is None or not look.fresh or self._trick_of_stale != self.told.trick:
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
        if expected.phase == "trick":
            self.told.turn_to(expected.trick)
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
        if look is None or self._bottom_shown:
            if look is not None:
                self._settle(Zone.CENTRE)
            return self.told.revised(t)
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
        self._bottom_shown = True
        self._settle(Zone.CENTRE)
        return BottomShown(t=t, cards=self.told.bottom(cards, want), evidence=evidence(look, cards))

    # Tricks.

    def _play(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """Plays in the order of turns; what comes out of turn is held for a moment."""
        revised = self.told.revised(t)
        if revised is not None:
            return revised
        if Zone.CENTRE in self.pending:
            self._settle(Zone.CENTRE)
        unread = self._taken_up(t, expected, busy)
        if unread is not None:
            return unread
        order = [Zone(expected.seat.value)] if expected.seat is not None else []
        order += [zone for zone in sorted(self.pending, key=lambda z: self.pending[z].still) if zone not in order]
        for zone in order:
            look, seat = self.pending.get(zone), zone.seat
            if look is None or seat is None:
                continue
            fact = self._again(t, look, seat, busy) if seat in self.told.plays else self._first(t, look, seat, expected, busy)
            if fact is not None:
                return fact
        return None

    def _taken_up(self, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """The last play of a trick lay there, could not be read, and is bare cloth again: the trick was taken up, so it was played."""
        if expected.seat is None or len(self.told.plays) != 3:
            return None
        zone = Zone(expected.seat.value)
        stale = self.stale.get(zone)
        if stale is None or self._trick_of_stale != self.told.trick or zone in self.pending or zone in busy:
            return None
        return self._commit(t, stale, expected.seat, self._new_cards(stale), expected.count or 0)

    def _first(self, t: float, look: Look, seat: Seat, expected: Expected, busy: Collection[Zone]) -> Event | None:
        """A seat's play to the running trick."""
        cards = self._new_cards(look)
        waited = t - look.still
        if expected.seat is None or expected.seat is seat:
            return self._in_turn(t, look, seat, cards, expected)
        if (
            not self.told.plays
            and waited > 0.3
            and (_white(look) or any(c.sound for c in cards))
            and self.told.guess_winner(seat, [c.card for c in cards])
        ):
            return self.told.revised(t)
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
        if not sound and stale is not None and self._trick_of_stale == self.told.trick:
            # It lay there, incomplete, and is gone now: the trick has been taken up.
            return self._commit(t, stale, seat, self._new_cards(stale), expected.count or 0)
        if not sound and not _white(look):
            if t - look.still > 0.5:
                self._settle(look.zone)
            return None
        want = expected.count if self.told.plays else None
        if not want:
            sound = self._within_pack(sound, told=True)
            if sound:
                return self._commit(t, look, seat, sound, len(sound), [c for c in cards if not c.sound])
            self.doubtful.add(look.zone)
            clear = sorted((c for c in cards if c.n_best[0][1] >= CLEAR), key=lambda c: -c.presence)
            return self._commit(t, look, seat, clear[:after], after) if after else None
        if len(cards) > want:
            cards = self._trim(cards, want)
        if len(cards) != want:
            if not after and t - look.still < (MISSING_SECONDS if len(cards) < want else EXCESS_SECONDS):
                self.doubtful.add(look.zone)
                return None
            if sound and self.told.recount(len(cards)):
                return self.told.revised(t)
        return self._commit(t, look, seat, cards, want)

    def _after(self, seat: Seat, t: float) -> int:
        """How many cards the players after this one have laid already; 0 when play has not gone on."""
        following = seat.next
        while following is not seat and following not in self.told.plays:
            look = self.pending.get(Zone(following.value))
            if look is None or t - look.still < AFTER_SECONDS:
                return 0
            count = sum(c.sound for c in self._new_cards(look))
            if count or not _white(look):
                return count
            following = following.next
        return 0

    def _new_cards(self, look: Look) -> list[TableCard]:
        """The fresh cards of a look without those that only moved along with their pile, and without faint doubles of others."""
        gone = [old for old in look.touched if not old.still_in(look.cards)]
        out = []
        for card in look.fresh:
            moved = next((old for old in gone if _moved(old, card, look)), None)
            here = next((old for old in gone if old.card == card.card and card.lies_like(old)), None)
            if here is not None:
                gone.remove(here)
            elif moved is not None and len(look.fresh) > 1:
                gone.remove(moved)
            else:
                out.append(card)
        out = out or list(look.fresh)
        solid = [card for card in out if card.presence >= WEAK]
        clear = [card for card in out if card.presence >= SHADOW or not any(card.distance(other) < SHADOW_MM for other in solid)]
        return self._within_pack(clear)

    def _within_pack(self, cards: Sequence[TableCard], *, told: bool = False) -> list[TableCard]:
        """Of one face no more cards than the packs have, where one shows a single index: a ghost is likelier than a wrong pack.

        With ``told``, cards of this face that were told before in the deal count too.
        """
        out = list(cards)
        for face in {c.card for c in cards}:
            left = self.decks - (self.told.count(face) if told else 0)
            same = sorted((c for c in out if c.card == face), key=lambda c: (c.ends, c.presence * c.share))
            for ghost in same[: max(0, len(same) - max(0, left))]:
                if ghost.ends == 1 and (not told or ghost.presence < GHOST):
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

    def _commit(self, t: float, look: Look, seat: Seat, cards: Sequence[TableCard], want: int, spare: Sequence[TableCard] = ()) -> Event:
        """Tell a play and take its zone for the new ground."""
        self._settle(look.zone)
        self.unsure = len(cards) < want or any(card.n_best[0][1] < 0.7 for card in cards)
        return self.told.play(t, seat, cards, want, spare, evidence(look, cards))

    def _again(self, t: float, look: Look, seat: Seat, busy: Collection[Zone]) -> Event | None:
        """A seat that has played moves its cards, adds to its lead, fills up a play with a hidden card, or takes cards back."""
        play = self.told.plays[seat]
        alone = self.told.last_is(seat)
        gone = [i for i, card in enumerate(play.cards) if card.among(look.bare)]
        away = [old for old in play.cards if old.among(look.touched) and not old.still_in(look.cards)]
        moved = []
        for card in look.fresh:
            old = next((o for o in away if _moved(o, card, look)), None)
            if old is not None:
                away.remove(old)
                moved.append(card)
        extra = self._within_pack([c for c in look.fresh if c not in moved and c.sound], told=True)
        if gone and not alone:
            self._swept = t
        if gone and alone and not extra and len(moved) < len(gone):
            if t - look.still < TAKEN_SECONDS or busy:
                return None
            self._settle(look.zone)
            if t - self._swept < SWEEP_SECONDS:
                return None
            times = {"frames": [round(look.still, 3), round(look.t, 3)]}
            return self.told.take_back(t, seat, gone[: len(gone) - len(moved)], times)
        lead = self.told.lead
        if extra and self.told.unread(seat):
            self.told.fill(seat, extra)
        elif extra and alone and lead is not None and (lead is play or not lead.cards):
            self.told.extend(seat, extra)
        elif t - look.still <= 0.3:
            return None
        self._settle(look.zone)
        return self.told.revised(t)


def _moved(old: TableCard, new: TableCard, look: Look) -> bool:
    """A new card is an old one pushed aside: the same face, and where the old one lay is cloth now, or it went hardly anywhere."""
    return old.card == new.card and old.distance(new) <= (SHIFT_MM if old.among(look.bare) else NUDGE_MM)


def _white(look: Look) -> bool:
    """What is new in a zone looks like the faces of cards."""
    return look.paper_mm2 >= max(PAPER_MM2, PAPER_SHARE * look.changed_mm2)
