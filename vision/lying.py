"""What lies where: the looks that wait for their time, and the cards that each zone is known to show or to hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from vision.looks import Look, mix, place_along
from vision.pile import INSIDE_MM, SHIFT_MM, Sorted, came, inside, is_old, sort
from vision.table_card import FAINT, FIRM, TableCard
from vision.zones import Zone

NEAR_MM: Final = 6.0
TWIN_MM: Final = 20.0
NEARBY_MM: Final = 110.0
PAPER_MM2: Final = 700.0
PAPER_SHARE: Final = 0.22
"""So much new white, and this share of all that changed, is a card's face even when none can be read (a back has a white rim only)."""
COVERED_MM2: Final = 2000.0
LOOSE_MM2: Final = 260.0
"""So much new white beside the new cards is part of another card (a step of 5 mm along a card's side shows 440)."""
REMEMBERED: Final = 60


@dataclass(slots=True)
class Lying:
    """The looks of all zones.

    ``pending`` looks wait for their time, ``stale`` ones were disturbed before they were told; ``known`` are the cards that each
    zone showed when it was last settled, ``under`` those that were covered since; zones in ``doubtful`` should be read again, more
    carefully, and zones in ``review`` once more although they are settled. ``piles``: cards of earlier tricks may stay where they lie. What was
    ``stale`` in zones of ``lifted`` was seen to be gone. ``unread`` zones lie still and look different, and were not read yet; ``hurried``:
    the reading is behind the camera.
    """

    pending: dict[Zone, Look] = field(default_factory=dict)
    stale: dict[Zone, Look] = field(default_factory=dict)
    known: dict[Zone, tuple[TableCard, ...]] = field(default_factory=dict)
    under: dict[Zone, tuple[TableCard, ...]] = field(default_factory=dict)
    settled: set[Zone] = field(default_factory=set)
    doubtful: set[Zone] = field(default_factory=set)
    review: set[Zone] = field(default_factory=set)
    unread: set[Zone] = field(default_factory=set)
    lifted: set[Zone] = field(default_factory=set)
    stale_trick: int = 0
    piles: bool = True
    hurried: bool = False

    def see(self, look: Look, trick: int) -> None:
        """A zone lies still and shows this."""
        stale = self.stale.get(look.zone)
        if stale is not None and all(card.among(look.bare) for card in stale.fresh if card.sound):
            self.lifted.add(look.zone)
        self.pending[look.zone] = self._with_covered(self._renewed(look), trick)
        self.doubtful.discard(look.zone)

    def disturbed(self, zone: Zone, trick: int, *, last_to_play: bool) -> None:
        """A zone moves again: what it showed no longer holds."""
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        if look is not None and not look.reverted and (any(c.sound for c in look.fresh) or (last_to_play and white(look))):
            self.stale[zone] = look
            self.stale_trick = trick
            self.lifted.discard(zone)

    def stale_of(self, zone: Zone, trick: int) -> Look | None:
        """What lay in a zone during this trick, untold, before it was disturbed."""
        return self.stale.get(zone) if self.stale_trick == trick else None

    def watched(self, zone: Zone) -> tuple[TableCard, ...]:
        """The cards whose places in a zone matter: known ones, and those laid but not told yet."""
        stale = self.stale.get(zone)
        return (*self.known.get(zone, ()), *(c for c in (stale.fresh if stale is not None else ()) if c.sound))

    def settle(self, zone: Zone) -> None:
        """A zone's look is dealt with: it is the new ground."""
        look = self.pending.pop(zone, None)
        self.doubtful.discard(zone)
        self.stale.pop(zone, None)
        self.lifted.discard(zone)
        if look is not None:
            known = self.known.get(zone, ())
            lost = [c for c in known if c.among(look.touched) and not c.still_in(look.cards)]
            rest = [c for c in known if not c.among(look.touched) and not c.still_in(look.cards)]
            covered = [c for c in lost if not c.among(look.bare)]
            self.known[zone] = (*look.cards, *rest)
            # Bare cloth where cards lay: the pile has been taken up.
            below = () if len(covered) < len(lost) else self.under.get(zone, ())
            self.under[zone] = (*below, *covered)[-REMEMBERED:] if self.piles else ()
        self.settled.add(zone)

    def again(self, look: Look, own: Sequence[TableCard]) -> Sorted:
        """What a settled zone shows beside a play's ``own`` cards when it is read again; what may be an old card is faint."""
        old = [c for c in (*self.known.get(look.zone, ()), *self.under.get(look.zone, ())) if not c.among(own)]
        return sort(came(look, old), on_pile=bool(old), old=old)

    def new(self, look: Look) -> Sorted:
        """The cards that came, sorted by how surely they lie there."""
        under = self.under.get(look.zone, ())
        pile = bool(under) or any(c.lies_like(k, 60.0) or k.distance(c) < 75.0 for c in look.fresh for k in self.known.get(look.zone, ()))
        old = [*under, *(c for c in look.touched if not c.still_in(look.cards))]
        new = came(look, under)
        parts = sort(new, on_pile=pile, old=old)
        # A card laid exactly on its equal looks like that one pushed a little.
        over = [c for c in look.fresh if c.ends > 1 and not c.among(new) and not is_old(c, look)]
        equal = [c for c in over if any(o.card == c.card and c.lies_like(o) for o in look.touched)]
        return Sorted(parts.sure, parts.doubtful, (*parts.faint, *equal))

    def lay(self, zone: Zone, card: TableCard) -> bool:
        """An equal card lay at a card's place when the zone was last settled, or below what it showed."""
        return any(old.card == card.card and old.lies_like(card) for old in (*self.known.get(zone, ()), *self.under.get(zone, ())))

    def face(self, look: Look) -> bool:
        """A card's face has come, read or not: much new white; or, on a pile, much that changed and is not cloth (a joker may be dark all over)."""
        return white(look) or (self.piles and look.changed_mm2 >= COVERED_MM2 and bool(look.touched) and not look.bare) or self._covers(look)

    def _covers(self, look: Look) -> bool:
        """The uppermost card of a pile that still lies there shows neither of its indices: on black cards a black one changes little."""
        top = [old for old in look.touched if old.ends > 1 and old.presence >= FIRM and not old.among(look.bare)]
        hidden = [old for old in top if not any(card.lies_like(old) for card in look.cards if not card.fresh or card.card == old.card)]
        return self.piles and any(not c.fresh and c.presence >= FAINT and c.distance(old) < NEARBY_MM for old in hidden for c in look.cards)

    def hides(self, look: Look) -> bool:
        """Something known on a pile is seen no more and no cloth shows there: a card may lie on it, though none was made out."""
        return self.piles and not look.reverted and not look.bare and any(not old.still_in(look.cards) for old in look.touched)

    def on_pile(self, look: Look) -> bool:
        """Other cards lie near the new ones, so that what is old may be taken for new."""
        near = (k.distance(c) < NEARBY_MM for c in look.fresh for k in (*self.known.get(look.zone, ()), *self.under.get(look.zone, ())))
        return any(near)

    def _renewed(self, look: Look) -> Look:
        """A look in which a card with one new end and one that seems old is new, where no such card lay before: it lies on one that looks like it."""
        before = (*self.known.get(look.zone, ()), *self.under.get(look.zone, ()))
        cards = list(look.cards)
        for card in (c for c in look.fresh if c.ends == 1 and c.places):
            twin = next((c for c in cards if not c.fresh and c.ends == 1 and c.places and c.card == card.card and c.lies_like(card)), None)
            if card not in cards or twin is None or any(old.card == card.card and old.distance(card) < TWIN_MM for old in before):
                continue
            presence = 1 - (1 - card.presence) * (1 - twin.presence)
            whole = replace(card, presence=presence, ends=2, places=(*card.places, *twin.places))
            cards[cards.index(card)] = whole
            cards.remove(twin)
            # A third index on it is its own: the deck prints four.
            cards = [c for c in cards if c.ends > 1 or c.card != whole.card or not (c.places and inside(c.places[0], whole, INSIDE_MM))]
        return look if len(cards) == len(look.cards) else replace(look, cards=tuple(cards))

    def _with_covered(self, look: Look, trick: int) -> Look:
        """A look with what lay there before the hand came again: cards laid one by one cover each other, and read better before."""
        stale = self.stale.get(look.zone)
        if stale is None or not look.fresh or self.stale_trick != trick or look.zone in self.lifted:
            return look
        cards = list(look.cards)
        for old in (c for c in stale.fresh if c.sound):
            same = next((c for c in cards if c.fresh and c.card == old.card and c.lies_like(old)), None)
            same = same or next((c for c in cards if c.fresh and c.lies_like(old, NEAR_MM)), None)
            if same is not None:
                merged = mix([dict(same.n_best), dict(old.n_best)])
                ends, places = max(same.ends, old.ends), (same.places if same.ends >= old.ends else old.places)
                cards[cards.index(same)] = replace(same, n_best=merged, presence=max(same.presence, old.presence), ends=ends, places=places)
            elif old.firm and not old.among(look.bare) and not any(c.fresh and c.card == old.card and c.distance(old) < SHIFT_MM for c in cards):
                cards.append(old)
        return replace(look, cards=tuple(sorted(cards, key=lambda c: place_along(c, look.zone))))


def white(look: Look) -> bool:
    """What is new in a zone looks like the faces of cards."""
    return look.paper_mm2 >= max(PAPER_MM2, PAPER_SHARE * look.changed_mm2)
