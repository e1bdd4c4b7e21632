"""How cards lie while Shengji is played: four seats' plays in their zones, new ones on old ones, pairs and triples, hands held in a fan.

Like :mod:`datasets.layout`, whose values these functions give: positions in card widths, turns in degrees, later cards on earlier ones.
"""

from __future__ import annotations

import math
import random
from typing import Final

from datasets.layout import MM, Kinds, Lying, backs, fan, nothing, picks, plays
from engine.cards import FACES, RANK_OF, SUIT_OF, Card

_SEATS: Final = ((0.0, 250.0, 0.0), (250.0, 0.0, 270.0), (0.0, -250.0, 180.0), (-250.0, 0.0, 90.0))
"""Where the four seats' plays lie on a table of 800 mm (millimetres from its middle) and how their cards are turned."""


def _placed(cards: list[Card], x: float, y: float, turn: float, step: float, rng: random.Random, *, down: bool = False) -> list[Lying]:
    """A play: cards fanned by ``step`` around (x, y); the index of each stays clear when the step is positive."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    loose, bend = rng.choice((0.2, 0.6, 1.5)), rng.choice((0.0, 0.0, rng.uniform(-4, 4)))
    out = []
    for k, card in enumerate(cards):
        off = (k - (len(cards) - 1) / 2) * step
        dx, dy = (0.0, off) if down else (off, 0.0)
        dx, dy = dx + rng.gauss(0, loose * MM), dy + rng.gauss(0, loose * MM)
        out.append(Lying(card, x + c * dx - s * dy, y + s * dx + c * dy, turn + bend * (k - len(cards) / 2) + rng.gauss(0, loose)))
    return out


def _play(rng: random.Random, most: int = 8) -> list[Card]:
    """The cards of one play: a single, a pair, a tractor, a few of one suit."""
    kind = rng.random()
    if kind < 0.38:
        return [rng.choice(FACES)]
    if kind < 0.66:
        return [rng.choice(FACES)] * rng.choice((2, 2, 2, 3))
    if kind < 0.8:
        suit = rng.choice("SHDC")
        pool = [card for card in FACES if SUIT_OF.get(card) == suit]
        at = rng.randrange(len(pool) - 2)
        return [card for card in pool[at : at + rng.choice((2, 2, 3))] for _ in (0, 1)]
    return picks(rng.randint(2, most), rng)


def seats(extent: float, rng: random.Random) -> list[Lying]:
    """What a camera above the table sees of it: up to four seats' plays, one upon the other or side by side, backs in the middle."""
    turn = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 4)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    seat = rng.choice(_SEATS)
    look = (seat[0] + rng.gauss(0, 90), seat[1] + rng.gauss(0, 90)) if rng.random() < 0.75 else (rng.gauss(0, 120), rng.gauss(0, 120))
    habit = rng.choice(("stack", "stack", "turn", "sweep"))

    def at(x: float, y: float) -> tuple[float, float]:
        x, y = (x - look[0]) * MM, (y - look[1]) * MM
        return extent / 2 + c * x - s * y, extent / 2 + s * x + c * y

    out: list[Lying] = []
    if rng.random() < 0.35:
        x, y = at(rng.gauss(0, 25), rng.gauss(0, 25))
        out += [
            Lying(rng.choice(FACES), x + rng.gauss(0, 0.06), y + rng.gauss(0, 0.06), turn + rng.gauss(0, 4), rng.random() < 0.08) for _ in range(8)
        ]
    for sx, sy, face in _SEATS:
        played = rng.randint(1, 6) if habit == "stack" else rng.randint(0, 3) if habit == "turn" else rng.randint(0, 1)
        for k in range(played):
            cards = _play(rng)
            step = rng.uniform(8, 25) if rng.random() < 0.9 else rng.uniform(60, 70)
            along = rng.gauss(0, 14) if habit != "turn" else (k - played / 2) * 75
            mx, my = sx + rng.gauss(0, 10), sy + rng.gauss(0, 10)
            way = math.radians(face)
            x, y = at(mx + math.cos(way) * along, my + math.sin(way) * along)
            step *= MM * (1 if rng.random() < 0.88 else -1)
            out += _placed(cards, x, y, face + turn + rng.gauss(0, rng.choice((2, 5, 12))), step, rng, down=rng.random() < 0.06)
    return out


def pile(extent: float, rng: random.Random) -> list[Lying]:
    """One seat's pile of 4 to 14 cards, new plays on old ones, whose edges and corners look out."""
    out: list[Lying] = []
    for _ in range(max(1, round(extent * extent / 14))):
        x, y = (rng.uniform(0.8, max(0.9, extent - 0.8)) for _ in "xy")
        turn = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 8)
        loose, total = rng.choice((4, 9, 20)) * MM, rng.randint(4, 14)
        count = 0
        while count < total:
            cards = _play(rng, 5)
            count += len(cards)
            at = (x + rng.gauss(0, loose), y + rng.gauss(0, loose))
            out += _placed(cards, *at, turn + rng.gauss(0, rng.choice((1, 4, 10))), rng.uniform(8, 24) * MM, rng)
    return out


def alike(extent: float, rng: random.Random) -> list[Lying]:
    """Two to four cards of one face beside each other, 7 to 24 mm apart, alone or amid a play."""
    out: list[Lying] = []
    for _ in range(max(1, round(extent * extent / rng.uniform(4, 9)))):
        face, turn = rng.choice(FACES), rng.choice((0, 90, 180, 270)) + rng.gauss(0, 6) if rng.random() < 0.5 else rng.uniform(0, 360)
        cards = [face] * rng.choice((2, 2, 2, 3, 3, 4))
        if rng.random() < 0.3:
            cards = [*picks(rng.randint(0, 2), rng), *cards, *picks(rng.randint(0, 2), rng)]
        step, down = rng.uniform(7, 24) * MM, rng.random() < 0.2
        way = 1 if rng.random() < 0.85 else -1
        out += _placed(cards, rng.uniform(0, extent), rng.uniform(0, extent), turn, way * step * (1.4 if down else 1), rng, down=down)
    return out


def held(extent: float, rng: random.Random) -> list[Lying]:
    """A hand of 8 to 26 sorted cards in a dense fan, as it is held: pivot near the lower edge of the cards."""
    count = rng.randint(8, 26)
    cards = sorted(picks(count, rng), key=FACES.index) if rng.random() < 0.6 else [rng.choice(FACES) for _ in range(count)]
    turn, radius = rng.uniform(0, 360), rng.uniform(0.9, 2.6)
    step = rng.uniform(5, 13) * MM
    arc = math.degrees(step / (radius + 0.7))
    x, y = rng.uniform(0.3, 0.7) * extent, rng.uniform(0.3, 0.7) * extent
    base = math.radians(turn)
    pivot = (x - math.sin(base) * radius, y + math.cos(base) * radius)
    out = []
    for k, card in enumerate(cards):
        angle = turn + arc * (k - (count - 1) / 2) + rng.gauss(0, 0.7)
        r = radius + rng.gauss(0, 1.5 * MM)
        out.append(Lying(card, pivot[0] + math.sin(math.radians(angle)) * r, pivot[1] - math.cos(math.radians(angle)) * r, angle))
    return out


def jokers(extent: float, rng: random.Random) -> list[Lying]:
    """Plays and fans in which every second card is a joker."""
    cards = plays(extent, rng) if rng.random() < 0.75 else fan(extent, rng)
    return [Lying(rng.choice(FACES[-2:]), card.x, card.y, card.angle, card.face_up) if rng.random() < 0.55 else card for card in cards]


def hard_ones(extent: float, rng: random.Random) -> list[Lying]:
    """Plays of the faces that are most often taken for each other: clubs and spades, jacks, queens and aces, threes, fours, fives and sixes."""
    pool = [card for card in FACES if SUIT_OF.get(card) in ("S", "C") or RANK_OF.get(card) in ("3", "4", "5", "6", "J", "Q", "A")]
    return [Lying(rng.choice(pool), card.x, card.y, card.angle, card.face_up) if rng.random() < 0.7 else card for card in plays(extent, rng)]


def only_backs(extent: float, rng: random.Random) -> list[Lying]:
    """Backs and nothing else."""
    return [Lying(card.card, card.x, card.y, card.angle, face_up=False) for card in backs(extent, rng)]


GAME: Final[Kinds] = (
    (seats, 0.4, (52, 115)),
    (pile, 0.17, (52, 120)),
    (alike, 0.21, (50, 130)),
    (held, 0.09, (60, 150)),
    (hard_ones, 0.13, (44, 110)),
)
JOKERS: Final[Kinds] = ((jokers, 1.0, (48, 150)),)
EMPTY: Final[Kinds] = ((nothing, 0.85, (45, 200)), (only_backs, 0.15, (50, 150)))
