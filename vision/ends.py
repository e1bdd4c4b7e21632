"""Ends: a card read at its two corners is one card, told by geometry in millimetres.

The place of an index on the table is known to about a millimetre, and so is the distance between the two indices of one card. The
far corners that the detector foretells are not so sure. So the indices of a crop are paired anew in millimetres, and a
card's corners are laid out from its indices and the card's known size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.cards import SUIT_OF, Card
from vision.calibration import CARD_MM, Floats

START_INSET_MM: Final = (5.0, 10.5)
"""Middle of an index from the card's corner, across and down, before this deck is known."""
LENGTH_MM: Final = 2.4
TURN_DEG: Final = 5.5
"""Standard deviations of the distance between a card's indices, and of a foretold direction."""
HARDLY_KNOWN_MM: Final = 3.2
UNKNOWN_MM: Final = 5.0
"""The distance's, while the deck has shown few cards of which both ends are read, or none."""
GAIN: Final = 4.0
REVERSED_DEG: Final = 12.0
REVERSED: Final = 5.0
"""An end that was read upside down is seldom; two equal cards that lie exactly so, one across the other, are as well."""
JOKER_MM: Final = (58.0, 92.0)
TWIN_MM: Final = 8.0
WEAK_TWIN_MM: Final = 11.5
WEAK_END: Final = 0.6
"""Cards of one face nearer than this, of which one shows a single end (a weakly read one), are one card."""
ALIKE: Final = 2.0
"""Two ends of one card must agree on a face better than by chance (1): two sure and different readings are two cards."""
INSIDE_MM: Final = 1.5
DOUBLE_MM: Final = 13.0
"""The lower card of a pair shows its index outside the upper one; a mark on the upper one, so near, is its own."""
SAME_INDEX_MM: Final = 5.0
"""Indices of two cards are farther apart than this, or the lower one would be hidden."""
SOME: Final = 2
ENOUGH: Final = 6
NEARER_MM: Final = 16.0
FARTHER_MM: Final = 8.0
"""Decks print their indices so much nearer together, or farther apart, than one begins with; farther still are the outer ends of a pair."""
_KEEP: Final = 120
_FOUR: Final = 2
"""So many readings of cards that show both indices of a short side tell a deck with four."""
_BESIDE_MM: Final = 6.0
_ALONG_MM: Final = 6.0
_LEVEL_DEG: Final = 20.0
"""How far off, across a card, along it and in direction, an index of such a deck may be found."""
_JUST_MM: Final = 3.0
_NEIGHBOUR_MM: Final = 45.0
"""Cards of a fan lie at most so far from each other."""


@dataclass(frozen=True, slots=True)
class End:
    """One index: faces with probabilities, its middle (mm), the direction of the card's upper edge from it (deg), and how surely it is there.

    ``right`` says that the index is printed at the upper right corner (decks with four indices). Ends with the same ``whose`` (0 or more) were found
    to be one card's in the picture: ``faces`` is then what both say together.
    """

    faces: tuple[tuple[Card, float], ...]
    place: tuple[float, float]
    heading: float
    presence: float
    fresh: bool
    right: bool = False
    whose: int = -1


@dataclass(frozen=True, slots=True)
class Joined:
    """A card of one or two ends: faces, corners (mm, clockwise from the first end's), presence, whether an end of it is new, and the ends' places."""

    faces: tuple[tuple[Card, float], ...]
    corners: tuple[tuple[float, float], ...]
    presence: float
    fresh: bool
    ends: int
    places: tuple[tuple[float, float], ...] = ()


@dataclass(slots=True)
class Inset:
    """Where this deck prints its indices: told by the distance and direction from one index of a card to the other."""

    card_mm: tuple[float, float] = CARD_MM
    _lengths: list[float] = field(default_factory=list)
    _leans: list[float] = field(default_factory=list)
    _fours: int = 0

    @property
    def four(self) -> bool:
        """The deck prints an index in all four corners."""
        return self._fours >= _FOUR

    @property
    def diagonal(self) -> tuple[float, float]:
        """From index to index: the distance (mm) and the direction against the card's upper edge (deg)."""
        if len(self._lengths) < SOME:
            across, down = self.card_mm[0] - 2 * START_INSET_MM[0], self.card_mm[1] - 2 * START_INSET_MM[1]
            return math.hypot(across, down), math.degrees(math.atan2(down, across))
        return float(np.median(self._lengths)), float(np.median(self._leans))

    def off(self, more: float) -> float:
        """How much a distance is ``more`` (mm) than :attr:`diagonal`'s, in standard deviations; more may be the outer ends of a pair."""
        few = HARDLY_KNOWN_MM if len(self._lengths) >= SOME else UNKNOWN_MM
        return more / (LENGTH_MM if more > 0 or len(self._lengths) >= ENOUGH else few)

    @property
    def mm(self) -> tuple[float, float]:
        """Across and down from the corner to the middle of the index (mm)."""
        length, lean = self.diagonal
        across, down = length * math.cos(math.radians(lean)), length * math.sin(math.radians(lean))
        return (self.card_mm[0] - across) / 2, (self.card_mm[1] - down) / 2

    def learn(self, ends: Sequence[End]) -> None:
        """Learn from a crop that shows exactly two clear ends of a face, opposite to each other at about a card's length."""
        owners = {end.whose for end in ends if end.right and end.whose >= 0}
        self._fours += len({end.whose for end in ends if not end.right and end.whose in owners and any(_level(end, o) for o in ends)})
        start = math.hypot(self.card_mm[0] - 2 * START_INSET_MM[0], self.card_mm[1] - 2 * START_INSET_MM[1])
        clear = [end for end in ends if end.fresh and end.faces[0][1] > 0.9 and not end.right and end.faces[0][0] in SUIT_OF]
        for face in {end.faces[0][0] for end in clear}:
            both = [end for end in clear if end.faces[0][0] == face]
            if len(both) != 2 or _apart(both[0].heading, both[1].heading + 180) > 20:
                continue
            a, b = both
            dx, dy = b.place[0] - a.place[0], b.place[1] - a.place[1]
            length, lean = math.hypot(dx, dy), (math.degrees(math.atan2(dy, dx)) - _between(a, b)) % 360
            if -NEARER_MM < length - start < FARTHER_MM and 40 < lean < 65:
                self._lengths.append(length)
                self._leans.append(lean)
        del self._lengths[:-_KEEP], self._leans[:-_KEEP]


def heading_of(corners: Floats) -> float:
    """The direction of a card's upper edge (deg), from all four foretold corners; the nearer ones count more."""
    across = 2 * (corners[1] - corners[0]) + (corners[2] - corners[3])
    down = 2 * (corners[3] - corners[0]) + (corners[2] - corners[1])
    unit = across / max(float(np.hypot(*across)), 1e-6) + np.array([down[1], -down[0]]) / max(float(np.hypot(*down)), 1e-6)
    return math.degrees(math.atan2(unit[1], unit[0])) % 360.0


def _apart(a: float, b: float) -> float:
    """The angle between two directions (deg, 0..180)."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _between(a: End, b: End) -> float:
    """The direction of a card's upper edge as its two ends foretell it on average, seen from the first (deg)."""
    return a.heading + ((b.heading + 180 - a.heading + 180) % 360 - 180) / 2


def _once(ends: Sequence[End]) -> list[End]:
    """Two readings of one place in one direction are one index: the surer is kept."""
    out: list[End] = []
    for end in sorted(ends, key=lambda e: -e.presence):
        if not any(math.dist(end.place, o.place) < SAME_INDEX_MM and _apart(end.heading, o.heading) < 40 for o in out):
            out.append(end)
    return out


def join(ends: Sequence[End], inset: Inset) -> list[Joined]:
    """Pair the ends of one frame's crop: those that fit best first, each once. An old end and a new one are no card."""
    ends = _once(ends)
    inset.learn(ends)
    want, lean = inset.diagonal
    gains: list[tuple[float, int, int]] = []
    for i, a in enumerate(ends):
        for j in range(i + 1, len(ends)):
            b = ends[j]
            turned = _apart(a.heading, b.heading + 180)
            if a.right or b.right or a.fresh != b.fresh or 40 < turned < 180 - REVERSED_DEG:
                continue
            dx, dy = b.place[0] - a.place[0], b.place[1] - a.place[1]
            length, way = math.hypot(dx, dy), math.degrees(math.atan2(dy, dx))
            turn = _apart(way, _between(a, b) + lean)
            if turned > 40:
                # One end was read upside down: the other one's direction alone says where the card lies.
                turn = min(_apart(way, a.heading + lean), _apart(way + 180, b.heading + lean))
            if a.faces[0][0] in SUIT_OF or b.faces[0][0] in SUIT_OF:
                off, turn = inset.off(length - want), turn / TURN_DEG
            else:
                # A joker's index is a word or a picture of any length; of several partners the nearest is its own.
                off = max(0.0, JOKER_MM[0] - length, length - JOKER_MM[1]) / LENGTH_MM + max(0.0, length - JOKER_MM[0]) / 30
                turn = max(0.0, turn - 14.0) / TURN_DEG
            other = dict(b.faces)
            same = 54 * sum(p * other.get(face, 0.0) for face, p in a.faces)
            gain = GAIN + math.log(max(same, 1e-3)) - (off * off + turn * turn) / 2 - (REVERSED if turned > 40 else 0.0)
            if gain > 0 and same >= ALIKE:
                gains.append((gain, i, j))
    free = set(range(len(ends)))
    out = []
    for _, i, j in sorted(gains, reverse=True):
        if i in free and j in free:
            free -= {i, j}
            out.append(_pair(ends[i], ends[j], inset, lean))
    whole = _possible(out, inset)
    out = [*whole, *_sides(ends, free, whole, inset)] if inset.four else list(whole)
    for end in (ends[k] for k in sorted(free, key=lambda k: (ends[k].right, k))):
        own = next((k for k, card in enumerate(out) if _owns(card, end, ends)), None)
        if own is not None:
            out[own] = _with(out[own], end)
            continue
        card = _alone(end, inset)
        if any(card.faces[0][0] == other.faces[0][0] and _hidden(end, card, other, inset) for other in whole):
            continue
        alike = (k for k, o in enumerate(out) if o.faces[0][0] == card.faces[0][0] and o.fresh == card.fresh)
        twin = next((k for k in alike if _near(out[k], card, end, inset)), None)
        if twin is None:
            out.append(card)
        else:
            out[twin] = _with(out[twin], end)
    return out


def _with(card: Joined, end: End) -> Joined:
    """The card with one more of its indices."""
    return replace(card, presence=1 - (1 - card.presence) * (1 - end.presence), ends=2, places=(*card.places, end.place)[:2])


def _level(a: End, b: End) -> bool:
    """The indices of one card's short side."""
    return b.right and not a.right and a.whose == b.whose and _apart(a.heading, b.heading) < _LEVEL_DEG


def _owns(card: Joined, end: End, ends: Sequence[End]) -> bool:
    """A right index was found to be of a card whose left one is the card's."""
    return end.right and any(o.whose == end.whose >= 0 and not o.right and o.place in card.places for o in ends)


def _sides(ends: Sequence[End], free: set[int], whole: Sequence[Joined], inset: Inset) -> list[Joined]:
    """Of a deck with four indices: two lone ends that stand as at one long side of a card are one card; they are taken from ``free``.

    Both ends of a long side look like left ones, of a card to the right of them or to the left; it is the one on the whole cards' side.
    """
    lone = [k for k in sorted(free) if not ends[k].right]
    fits = []
    for i, a in enumerate(lone):
        for b in lone[i + 1 :]:
            off = _off_side(ends[a], ends[b], inset, ends)
            if off is not None:
                fits.append((off, a, b))
    out: list[Joined] = []
    for _, a, b in sorted(fits):
        if a in free and b in free:
            free -= {a, b}
            cards = [_alone(ends[k], inset) for k in (a, b)]
            far = [sum(math.dist(_middle(card), _middle(other)) for other in whole) for card in cards]
            card, other = (cards[0], ends[b]) if far[0] <= far[1] else (cards[1], ends[a])
            faces = _together(ends[a], ends[b])
            if ends[a].faces[0][0] != ends[b].faces[0][0]:
                own = [end for end in (ends[a], ends[b]) if not _in_corner(end, ends)]
                faces = own[0].faces if len(own) == 1 else faces
            out.append(replace(_with(card, other), faces=faces))
    return out


def _off_side(a: End, b: End, inset: Inset, ends: Sequence[End]) -> float | None:
    """How far two ends are off from where one card prints them at a long side (mm); None when they are not of one.

    Where they stand just so, one that is read as another card was read in the neighbour's corner (two cards would hide each other's ends there), and
    is turned anyhow: where a neighbour has the face that it was read as, the other end alone tells how their card lies.

    :param ends: all of them.
    """
    other, level = dict(b.faces), _apart(a.heading, b.heading + 180)
    if a.fresh != b.fresh or level > _LEVEL_DEG:
        return None
    want = inset.card_mm[1] - 2 * inset.mm[1]

    def off(heading: float) -> float | None:
        across, along = _turned(b.place[0] - a.place[0], b.place[1] - a.place[1], heading)
        lengthwise = abs(abs(along) - want) if a.faces[0][0] in SUIT_OF else 0.0
        fits = abs(across) < _BESIDE_MM and lengthwise < _ALONG_MM and abs(along) > SAME_INDEX_MM
        return math.hypot(across, lengthwise) if fits else None

    if 54 * sum(p * other.get(face, 0.0) for face, p in a.faces) >= ALIKE:
        return off(_between(a, b))
    ways = [_between(a, b)] if level < _LEVEL_DEG / 2 else []
    ways += [end.heading for end, slipped in ((a, b), (b, a)) if _in_corner(slipped, ends)]
    just = [mm for mm in map(off, ways) if mm is not None and mm < _JUST_MM]
    return min(just, default=None)


def _in_corner(end: End, ends: Sequence[End]) -> bool:
    """An end was read as the card beside it that shows several indices."""
    alike = [o for o in ends if o.whose >= 0 and o.whose != end.whose and o.faces[0][0] == end.faces[0][0]]
    return any(math.dist(end.place, o.place) < _NEIGHBOUR_MM and sum(o.whose == p.whose for p in alike) > 1 for o in alike)


def _turned(dx: float, dy: float, heading: float) -> tuple[float, float]:
    """A way (mm) across and along a card of that heading."""
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return dx * c + dy * s, dy * c - dx * s


def _middle(card: Joined) -> tuple[float, float]:
    return sum(p[0] for p in card.corners) / 4, sum(p[1] for p in card.corners) / 4


def _possible(cards: Sequence[Joined], inset: Inset) -> list[Joined]:
    """Of cards that show both ends, those that can: where each of two would hide an end of the other, the surer one is there.

    An end is where it was read: of a half covered index that is the middle of what shows.
    """
    out: list[Joined] = []
    for card in sorted(cards, key=lambda c: -c.presence * c.faces[0][1]):
        if not any(any(_inside(p, o, inset) for p in card.places) and any(_inside(p, card, inset) for p in o.places) for o in out):
            out.append(card)
    return out


def _hidden(end: End, card: Joined, other: Joined, inset: Inset) -> bool:
    """A card of one end contradicts one of its face that shows both: each would hide an end of the other, so it is a mark of the other's picture."""
    return _inside(end.place, other, inset) and any(_inside(place, card, inset) for place in _places(other, inset))


def _places(card: Joined, inset: Inset) -> list[tuple[float, float]]:
    """Where a card's two indices are."""
    across, down = inset.mm
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = card.corners
    u, v = across / inset.card_mm[0], down / inset.card_mm[1]
    first = (ax + (bx - ax) * u + (dx - ax) * v, ay + (by - ay) * u + (dy - ay) * v)
    second = (cx + (dx - cx) * u + (bx - cx) * v, cy + (dy - cy) * u + (by - cy) * v)
    return [first, second]


def _inside(place: tuple[float, float], card: Joined, inset: Inset, margin: float = 1.0) -> bool:
    """A place is on a card, at least ``margin`` (mm) inside."""
    (ax, ay), (bx, by), _, (dx, dy) = card.corners
    width, height = inset.card_mm
    x, y = place[0] - ax, place[1] - ay
    u = (x * (bx - ax) + y * (by - ay)) / width
    v = (x * (dx - ax) + y * (dy - ay)) / height
    return margin < u < width - margin and margin < v < height - margin


def _near(a: Joined, b: Joined, end: End, inset: Inset) -> bool:
    """A second reading ``b`` of one face, by one ``end``, is the same card: nearer than cards of a pair are laid, or on top of its picture."""
    apart = math.dist(_middle(a), _middle(b))
    if apart < WEAK_TWIN_MM and b.presence < WEAK_END:
        return True
    if a.ends > 1:
        # Both its indices are read, so a third one beside it is another card's, however near its box was drawn to them.
        return apart < DOUBLE_MM and _inside(end.place, a, inset, -INSIDE_MM)
    # Where two cards lay, the upper one would hide the lower one's end.
    across = _inside(end.place, a, inset) and _inside(a.places[0], b, inset)
    return apart < TWIN_MM or (apart < DOUBLE_MM and across)


def _lay_out(centre: tuple[float, float], heading: float, inset: Inset) -> tuple[tuple[float, float], ...]:
    width, height = inset.card_mm
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return tuple(
        (centre[0] + u * c - v * s, centre[1] + u * s + v * c)
        for u, v in ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    )


def _pair(a: End, b: End, inset: Inset, lean: float) -> Joined:
    """A card of both its ends: its middle and direction are those between them."""
    first, second = (a, b) if a.presence >= b.presence else (b, a)
    dx, dy = second.place[0] - first.place[0], second.place[1] - first.place[1]
    heading = math.degrees(math.atan2(dy, dx)) - lean
    faces = first.faces if first.whose == second.whose >= 0 else _together(first, second)
    centre = ((first.place[0] + second.place[0]) / 2, (first.place[1] + second.place[1]) / 2)
    presence = 1 - (1 - first.presence) * (1 - second.presence)
    return Joined(faces, _lay_out(centre, heading, inset), presence, first.fresh or second.fresh, 2, (first.place, second.place))


def _together(a: End, b: End) -> tuple[tuple[Card, float], ...]:
    """What two ends of a card say, best first; where they name different faces one of them is another card's, or misread, and nothing is sure."""
    one, other = dict(a.faces), dict(b.faces)
    product = {face: max(one.get(face, 0.0), 1e-4) * max(other.get(face, 0.0), 1e-4) for face in one | other}
    total = sum(product.values())
    said = {face: p / total for face, p in product.items()}
    if a.faces[0][0] != b.faces[0][0]:
        said = {face: (p + (one.get(face, 0.0) + other.get(face, 0.0)) / 2) / 2 for face, p in said.items()}
    return tuple(sorted(said.items(), key=lambda item: (-item[1], item[0])))


def _alone(end: End, inset: Inset) -> Joined:
    """A card of one end: laid out from its index and foretold direction."""
    width, height = inset.card_mm
    across, down = inset.mm
    u, v = width / 2 - across, height / 2 - down
    if end.right:
        u = -u
    c, s = math.cos(math.radians(end.heading)), math.sin(math.radians(end.heading))
    centre = (end.place[0] + u * c - v * s, end.place[1] + u * s + v * c)
    return Joined(end.faces, _lay_out(centre, end.heading, inset), end.presence, end.fresh, 1, (end.place,))
