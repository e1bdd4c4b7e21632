"""What is new on a pile: cards that came, against cards that lay there before and only look different now.

A card keeps its identity by the place of its indices, which is known to a millimetre or two. A new card lies on top, so it
shows both its indices unless another new card hides one; an old one may show any part of itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import RANK_OF, SUIT_OF
from vision.calibration import PLAY_AREA_MM
from vision.looks import Look
from vision.table_card import FIRM, WEAK, TableCard

RED: Final = frozenset("HD")
SAME_PLACE_MM: Final = 4.5
SAME_TURN_DEG: Final = 15.0
NAMED: Final = 0.15
HINTED: Final = 0.02
"""An old card's face that a new reading names with at least this probability is, or may be, what was read."""
PLAIN: Final = 0.9
RANKED: Final = 0.95
"""All faces of a card's rank together are likely enough for its rank to be read plainly."""
LIKELY_THERE: Final = 0.75
CERTAIN: Final = 0.97
"""A card less surely there is sure when its face is, and another new card hides its other end."""
COLOURED: Final = 0.995
"""A card is of the other colour than the old one at its place when its face is read so surely; the sign of a neighbour may be taken for its own."""
SHADOW: Final = 0.4
SHADOW_MM: Final = 14.0
"""A faint card so near to a solid one would be hidden by it, or hide it;"""
BESIDE_MM: Final = 8.0
"""but its equal, laid with it, shows its own index this far from the solid one's."""
NUDGE_MM: Final = 12.0
SHIFT_MM: Final = 120.0
"""Cards pushed aside move less than this; identical cards of a pair lie farther apart than a nudge."""
TOGETHER_MM: Final = 8.0
INSIDE_MM: Final = 1.5
ROW_DEG: Final = 4.0
ROW_MM: Final = 3.0
STEP_MM: Final = (6.0, 45.0)
"""Cards laid together lie in a row: turned alike, their indices at one height, so far from each other."""
REACH_MM: Final = 8.0
"""A card hides nothing of an index that is farther than this from it (a lone index tells its card's place to about 6 mm)."""
PEEP_MM: Final = 10.0
"""What shows of a half hidden index is found so near to where the whole one was."""
COVERED_MM: Final = -3.0
"""An index is hidden by a card when its middle is this far inside it (negative: outside, but its edge is hidden)."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The new cards of a look: those that surely lie there, those that may, and faint ones that are asked for only when a card is missing."""

    sure: tuple[TableCard, ...]
    doubtful: tuple[TableCard, ...]
    faint: tuple[TableCard, ...]

    @property
    def sound(self) -> tuple[TableCard, ...]:
        """Sure and doubtful ones."""
        return (*self.sure, *self.doubtful)

    @property
    def all(self) -> tuple[TableCard, ...]:
        """All of them."""
        return (*self.sure, *self.doubtful, *self.faint)

    def only(self, kept: Sequence[TableCard]) -> Sorted:
        """Those that are kept."""
        return Sorted(*(tuple(c for c in part if c.among(kept)) for part in (self.sure, self.doubtful, self.faint)))


def came(look: Look, under: Sequence[TableCard] = ()) -> list[TableCard]:
    """The fresh cards of a look without those that only moved along with their pile, looked out from under it, or doubled others faintly.

    :param under: cards of the pile that were covered when it was last looked at.
    """
    gone = [old for old in look.touched if not old.still_in(look.cards)]
    out = []
    pushed = pushed_together(gone, look.fresh)
    for card in look.fresh:
        if card.among(pushed):
            continue
        if any(was(old, card) and names(old, card) for old in (*gone, *under)) or (card.ends == 1 and card.card_of(look.cards)) or is_old(card, look):
            continue
        if gone and any(_uncovered(old, card) for old in under):
            continue
        shifted = next((old for old in gone if moved(old, card, look)), None)
        here = next((old for old in gone if old.card == card.card and card.lies_like(old)), None)
        if here is not None:
            gone.remove(here)
        elif shifted is not None and len(look.fresh) > 1:
            gone.remove(shifted)
        else:
            out.append(card)
    if not pushed and not any(card.presence >= WEAK for card in out):
        # Something has come: a card that lies where its equal lay is new.
        out = [*(card for card in look.fresh if card.ends > 1 and not card.among(out) and not is_old(card, look)), *out]
    solid = [card for card in out if card.presence >= WEAK]
    return [card for card in out if card.presence >= SHADOW or not any(_doubles(card, other) for other in solid)]


def _uncovered(old: TableCard, card: TableCard) -> bool:
    """What is read whole is an old card that was covered: its face, and every index that is known of it where it was."""
    if card.ends < 2 or old.card != card.card or not old.places or not card.lies_like(old):
        return False
    return all(min(math.dist(place, here) for here in card.places) <= SAME_PLACE_MM for place in old.places)


def _doubles(card: TableCard, other: TableCard) -> bool:
    """A faint card is another one, found a second time beside its place."""
    equal = card.card == other.card and all(math.dist(a, b) > BESIDE_MM for a in card.places for b in other.places)
    return card.distance(other) < SHADOW_MM and not equal


def is_old(card: TableCard, look: Look) -> bool:
    """An end of it is one that lay there before: what uncovers the other end (a hand that rested on it, and goes) makes it no new card.

    A new card would hide the end of its equal on which it lies.
    """
    same = (old for old in look.cards if not old.fresh and old.card == card.card and old.lies_like(card))
    ends = [place for old in same for place in old.places]
    return any(inside(end, card, INSIDE_MM) or any(math.dist(end, place) <= SAME_PLACE_MM for place in card.places) for end in ends)


def pushed_together(gone: Sequence[TableCard], fresh: Sequence[TableCard]) -> list[TableCard]:
    """New cards that are old ones of a pile that was pushed: at least two went the same way."""
    ways = [
        (old, card, card.centre[0] - old.centre[0], card.centre[1] - old.centre[1])
        for card in fresh
        for old in gone
        if old.card == card.card and old.distance(card) <= SHIFT_MM
    ]
    best: list[TableCard] = []
    for _, _, x, y in ways:
        along = [(old, card) for old, card, u, v in ways if math.hypot(u - x, v - y) <= TOGETHER_MM]
        cards = [card for k, (old, card) in enumerate(along) if not any(old is o or card is c for o, c in along[:k])]
        if len(cards) >= 2 and len(cards) > len(best):
            best = cards
    return best


def was(old: TableCard, card: TableCard) -> bool:
    """What is read as a new card of one index may be an old one: the index stands where the old card has one."""
    if card.ends > 1 or not card.places or not old.places:
        return False
    turn = abs(old.angle - card.angle) % 180.0
    return min(turn, 180.0 - turn) <= SAME_TURN_DEG and min(math.dist(card.places[0], place) for place in old.places) <= SAME_PLACE_MM


def names(old: TableCard, card: TableCard) -> bool:
    """What is read is the old card's face, or one of the readings names the other clearly."""
    return old.card == card.card or dict(card.n_best).get(old.card, 0.0) >= NAMED or dict(old.n_best).get(card.card, 0.0) >= NAMED


def _may_be(old: TableCard, card: TableCard) -> bool:
    """What is read may be the old card, half hidden: it is not clear, or has its rank (the sign of the suit hides first), or hints at it.

    The colour shows at the rank too: one surely read in the other colour is another card.
    """
    p, other = card.n_best[0][1], (SUIT_OF.get(old.card, "") in RED) != (SUIT_OF.get(card.card, "") in RED)
    clear = p >= PLAIN or (rank_read(card) and card.presence >= FIRM)
    if not clear or (RANK_OF.get(old.card, "-") == RANK_OF.get(card.card, "+") and not (other and p >= COLOURED and card.presence >= FIRM)):
        return True
    return dict(card.n_best).get(old.card, 0.0) >= HINTED or dict(old.n_best).get(card.card, 0.0) >= HINTED


def rank_read(card: TableCard) -> bool:
    """The rank of a card was plainly read, whether its suit was or not."""
    return sum(p for face, p in card.n_best if RANK_OF.get(face) == RANK_OF.get(card.card, "-")) >= RANKED


def moved(old: TableCard, new: TableCard, look: Look) -> bool:
    """A new card is an old one pushed aside: the same face, and where the old one lay is cloth now, or it went hardly anywhere."""
    return old.card == new.card and old.distance(new) <= (SHIFT_MM if old.among(look.bare) else NUDGE_MM)


def sort(cards: Sequence[TableCard], *, on_pile: bool, old: Sequence[TableCard] = ()) -> Sorted:
    """Sort new cards by how surely they lie there.

    An index that stands where an old card has one may be that one, however it is read (half hidden, it takes the sign of a new card beside it),
    unless the whole new card beside it is its equal. Where it is read beyond doubt and stands in one row with a whole new card, as the old one
    does not, or where no other new card comes near enough to hide a part of the old one (its equal's reading need not be beyond doubt), it is no
    fainter than doubtful.

    :param on_pile: other cards lie beneath, whose indices may be taken for new ones. :param old: those of them that are known.
    """
    sure, doubtful, faint = [], [], []
    for card in cards:
        here = [one for one in old if was(one, card)]
        others = [other for other in cards if other is not card and other.sound]
        lone = not any(other.card == card.card and other.ends > 1 for other in others)
        same = [one for one in here if _may_be(one, card)]
        plain = card.presence >= FIRM and card.n_best[0][1] >= COLOURED
        plain = plain or (not lone and card.presence >= LIKELY_THERE and card.n_best[0][1] >= PLAIN)
        is_one = bool(same) and not _belongs(card, here, others) and (not plain or _reached(same, card, others))
        if not card.sound or is_one or _peeps(card, old, others):
            faint.append(card)
        elif card.ends > 1 or (not (here and lone) and _plain(card, others, on_pile=on_pile)):
            sure.append(card)
        else:
            doubtful.append(card)
    return Sorted(tuple(sure), tuple(doubtful), tuple(faint))


def beside(seen: Sorted, *, on_pile: bool) -> Sorted:
    """What plainly lies on bare cloth beside sure cards, and is torn between two faces, is a doubtful card: half hidden, not faint."""
    if on_pile:
        return seen
    torn = [c for c in seen.faint if c.presence >= FIRM and c.share > 0.6 and sum(p for _, p in c.n_best[:2]) >= PLAIN]
    torn = [c for c in torn if seen.sure and not any(other.ends > 1 and c.places and inside(c.places[0], other, INSIDE_MM) for other in seen.sure)]
    return Sorted(seen.sure, (*seen.doubtful, *torn), tuple(c for c in seen.faint if not any(c is one for one in torn)))


def _reached(here: Sequence[TableCard], card: TableCard, others: Sequence[TableCard], within: float = SAME_PLACE_MM) -> bool:
    """An index of old cards, near that of ``card``, may be half hidden by another new card."""
    places = [place for one in here for place in one.places if math.dist(place, card.places[0]) <= within]
    return any(inside(place, other, -REACH_MM) for place in places for other in others)


def _peeps(card: TableCard, old: Sequence[TableCard], others: Sequence[TableCard]) -> bool:
    """What is not firmly there may be what shows of an old index that another new card half hides: it is found beside where the whole one was."""
    if card.ends > 1 or not card.places or card.presence >= FIRM:
        return False
    alike = [one for one in old if min((turn := abs(one.angle - card.angle) % 180.0), 180.0 - turn) <= SAME_TURN_DEG]
    return _reached(alike, card, [other for other in others if other.ends > 1], PEEP_MM)


def _belongs(card: TableCard, here: Sequence[TableCard], others: Sequence[TableCard]) -> bool:
    """A card of one index that is read beyond doubt lies in a row with a whole new card, and none of the old ones ``here`` does."""
    if card.presence < FIRM or card.n_best[0][1] < COLOURED:
        return False
    return any(other.ends > 1 and _in_row(card, other) and not any(_in_row(old, other) for old in here) for other in others)


def _in_row(card: TableCard, other: TableCard) -> bool:
    turn = abs(card.angle - other.angle) % 180.0
    if min(turn, 180.0 - turn) > ROW_DEG:
        return False
    across = math.radians(other.angle)
    c, s = math.cos(across), math.sin(across)
    steps = [(x - u, y - v) for x, y in card.places for u, v in other.places]
    return any(abs(y * c - x * s) <= ROW_MM and STEP_MM[0] <= abs(x * c + y * s) <= STEP_MM[1] for x, y in steps)


def _plain(card: TableCard, others: Sequence[TableCard], *, on_pile: bool) -> bool:
    """A card of one index that is surely there: read well, not printed on another card, and on a pile with a reason why the other end is hidden."""
    if card.presence < LIKELY_THERE or card.n_best[0][1] < PLAIN:
        return False
    if not card.places:
        return not on_pile
    if any(other.ends > 1 and inside(card.places[0], other, INSIDE_MM) for other in others):
        return False
    (x, y), (cx, cy) = card.places[0], card.centre
    far = (2 * cx - x, 2 * cy - y)
    hidden = any(inside(far, other, COVERED_MM) for other in others)
    if card.presence < FIRM:
        return hidden and card.n_best[0][1] >= CERTAIN
    return hidden or max(abs(far[0]), abs(far[1])) > PLAY_AREA_MM or not on_pile


def inside(place: tuple[float, float], card: TableCard, margin: float) -> bool:
    """A place is on a card, at least ``margin`` (mm) inside its border."""
    (ax, ay), (bx, by), _, (dx, dy) = card.corners_mm
    width, height = math.hypot(bx - ax, by - ay), math.hypot(dx - ax, dy - ay)
    x, y = place[0] - ax, place[1] - ay
    u = (x * (bx - ax) + y * (by - ay)) / max(width, 1e-6)
    v = (x * (dx - ax) + y * (dy - ay)) / max(height, 1e-6)
    return margin < u < width - margin and margin < v < height - margin


def taken_from(old: TableCard, look: Look) -> bool:
    """A card is gone from under those that lie there now: an index of it that none of them covers is not read any more."""
    if not old.among(look.touched) or old.ends < 2 or any(c.card == old.card and c.distance(old) <= SHIFT_MM for c in look.cards):
        return False
    return any(not any(inside(place, card, COVERED_MM) for card in look.fresh) for place in old.places)
