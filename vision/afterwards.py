"""What happens to a play after it was told: its cards are moved, added to, filled up with a hidden one, or taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Seat
from engine.events import Event
from vision.copies import left_of, new_cards, within_pack
from vision.looks import Look
from vision.lying import Lying
from vision.mistaken import may_lead, mistaken
from vision.pile import SHIFT_MM, Sorted, taken_from
from vision.table_card import TableCard, askew
from vision.told import Told
from vision.zones import Zone

TAKEN_SECONDS: Final = 1.5
BACK_MM2: Final = 2200.0
"""A card's back, as far as it does not lie where the card lay."""
SWEEP_SECONDS: Final = 6.0
"""Cards gone so long from one zone alone were taken back; in a sweep other zones are emptied too, within so long."""
LED_SECONDS: Final = 0.5
LEADS_SECONDS: Final = 1.0
"""The next trick's lead must lie so long before nothing more is waited for in this one; and before it is said that a play of this one is missing."""
GROWS_SECONDS: Final = 1.6
"""Cards that come later than this to a play which had as many as the lead are another play."""
DROPPED_SECONDS: Final = 5.0
"""A card that lay askew for a shorter time was dropped and picked up, not played."""
FRAMES: Final = 3
"""A card that is missed is looked for once more than in so many frames."""


@dataclass(slots=True)
class Afterwards:
    """The plays of the running trick, after each was told.

    ``cleared``: seats whose plays lie there no more; ``gone_on``: one that has played leads the next trick, though a play of this one was
    not seen.
    """

    told: Told
    lying: Lying
    cleared: set[Seat] = field(default_factory=set)
    gone_on: bool = False
    _swept: float = -60.0

    def see(self, t: float, look: Look, seat: Seat, busy: Collection[Zone]) -> Event | None:
        """A seat that has played moves its cards, adds to its play, fills it up with a hidden card, or takes cards back."""
        play = self.told.plays[seat]
        alone = self.told.last_is(seat)
        gone = [i for i, card in enumerate(play.cards) if look.reverted or card.among(look.bare)]
        instead = play.lifted and look.fresh and not look.reverted and alone
        if instead and not any(play.cards[i].still_in(look.cards) for i in play.lifted if i < len(play.cards)):
            # It was taken up, and what lies there now was laid instead.
            return self._taken_back(t, look, seat, play.lifted)
        if alone and play.cards and any(c.ends > 1 for c in look.fresh) and all(taken_from(old, look) for old in play.cards):
            if look.frames <= FRAMES and t - look.still < TAKEN_SECONDS:
                self.lying.doubtful.add(look.zone)
                if look.reverted:
                    play.lifted = list(range(len(play.cards)))
                return None
            return self._taken_back(t, look, seat, range(len(play.cards)))
        away = [old for old in play.cards if old.among(look.touched) and not old.still_in(look.cards)]
        shifted = []
        for card in look.fresh:
            old = next((o for o in away if o.card == card.card and o.distance(card) <= SHIFT_MM), None)
            if old is not None:
                away.remove(old)
                shifted.append(card)
        seen = new_cards(self.told, self.lying, look)
        fresh = [c for c in seen.sound if c not in shifted]
        extra = [] if look.reverted else within_pack(fresh, left_of(self.told, fresh))
        if gone and not alone:
            self._swept = t
        if play.cards and not extra and max(len(gone), len(away)) >= len(play.cards):
            self.cleared.add(seat)
        if gone and alone and not extra and not look.reverted and play.area_mm2 and look.changed_mm2 > play.area_mm2 + BACK_MM2:
            # More has changed than the cards covered: they lie there turned over, beside where they lay, and stay played.
            self.lying.settle(look.zone)
            return None
        if gone and alone and not extra and len(shifted) < len(gone):
            swept = t - self._swept < SWEEP_SECONDS
            play.lifted = [] if swept else gone[: len(gone) - len(shifted)]
            if t - look.still < TAKEN_SECONDS or busy:
                return None
            self.lying.settle(look.zone)
            return None if swept else self._taken_back(t, look, seat, play.lifted)
        new = [c for c in extra if c.among(seen.sure)]
        if alone and mistaken(self.told, seat, look, new):
            if t - look.still < LEADS_SECONDS:
                return None
            self.told.instead(seat, new)
            self.lying.settle(look.zone)
            return self.told.revised(t)
        if self._leads_next(t, look, seat, new):
            self.gone_on = t - look.still >= LEADS_SECONDS and not busy and may_lead(self.told, seat)
            return None
        if extra and alone and not gone:
            self._grow(seat, seen.only(extra), look.changed_mm2)
        elif extra and self.told.unread(seat):
            self.told.add(seat, extra[: len(self.told.unread(seat))])
        elif t - look.still <= 0.3:
            return None
        self.lying.settle(look.zone)
        return self.told.revised(t)

    def next_led(self, t: float) -> bool:
        """One that has played, and may have won, has led the next trick, and its lead has lain there a moment."""
        return any(self._has_led(t, look, look.zone.seat) for look in self.lying.pending.values())

    def _has_led(self, t: float, look: Look, seat: Seat | None) -> bool:
        if seat is None or seat not in self.told.plays or t - look.still < LED_SECONDS:
            return False
        seen, own = new_cards(self.told, self.lying, look), self.told.plays[seat].cards
        new = [c for c in seen.sure if not any(o.card == c.card and o.distance(c) <= SHIFT_MM for o in own)]
        new = within_pack(new, left_of(self.told, new))
        return self._leads_next(t, look, seat, new) and may_lead(self.told, seat)

    def _taken_back(self, t: float, look: Look, seat: Seat, cards: Sequence[int]) -> Event:
        play = self.told.plays[seat]
        dropped = len(play.cards) == 1 and askew(play.cards[0], look.zone) and t - play.t < DROPPED_SECONDS
        taken = self.told.take_back(t, seat, cards, {"frames": [round(look.still, 3), round(look.t, 3)]})
        return self.told.put_right(taken) if self.lying.hurried or dropped else taken

    def _leads_next(self, t: float, look: Look, seat: Seat, new: Sequence[TableCard]) -> bool:
        """Cards that cannot belong to a seat's play any more: the trick is over for the players, and this is the next one's lead."""
        play = self.told.plays[seat]
        if not any(c.ends > 1 for c in new) or look.reverted or self.told.unread(seat):
            return False
        return len(self.told.plays) > 1 and t - play.t > GROWS_SECONDS and (play is not self.told.lead or not self.told.last_is(seat))

    def _grow(self, seat: Seat, extra: Sorted, more_mm2: float) -> None:
        """More cards come to the latest play: a lead is longer, a follower's are as many as the lead is, or speak for a longer lead."""
        play, lead = self.told.plays[seat], self.told.lead
        play.sure += extra.sure
        play.doubtful += extra.doubtful
        play.area_mm2 += more_mm2
        hidden = len(self.told.unread(seat))
        if play is lead or (lead is not None and not lead.cards):
            self.told.add(seat, extra.sound)
        elif hidden:
            self.told.add(seat, extra.sound[:hidden])
        else:
            self.told.replace_doubtful(seat, extra.sure)
            self.told.recount()
