"""How cards lie on a table: single plays, rows, fans up to a whole hand, heaps, piles of identical cards, backs, close-ups."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.cards import FACES, RANK_OF, SUIT_OF, Card


@dataclass(frozen=True, slots=True)
class Lying:
    """One card on the table: its centre (card widths), its turn (degrees), and its face; later cards lie on earlier ones."""

    card: Card
    x: float
    y: float
    angle: float
    face_up: bool = True


MM: Final = 1 / 63
"""A millimetre in card widths."""

Kinds = tuple[tuple[Callable[[float, random.Random], list[Lying]], float, tuple[float, float]], ...]
"""Ways to lie, how often, and the widths of a card in pixels that each is shown at."""


def picks(count: int, rng: random.Random) -> list[Card]:
    """Cards as a game shows them: repeats, pairs, runs of one suit, or anything."""
    kind = rng.random()
    if kind < 0.3:
        out: list[Card] = []
        while len(out) < count:
            out += [rng.choice(FACES)] * rng.choice((1, 2, 2, 3))
        return out[:count]
    if kind < 0.5:
        suit = rng.choice("SHDC")
        pool = [card for card in FACES if SUIT_OF.get(card) == suit] + [Card("LJ"), Card("BJ")]
        return sorted((rng.choice(pool) for _ in range(count)), key=FACES.index)
    if kind < 0.6:
        rank = rng.choice(list(RANK_OF.values()))
        return [rng.choice([card for card in FACES if RANK_OF.get(card) == rank]) for _ in range(count)]
    if kind < 0.68:
        return [rng.choice((Card("LJ"), Card("BJ"))) for _ in range(count)]
    return [rng.choice(FACES) for _ in range(count)]


def _row(centre: tuple[float, float], count: int, step: float, turn: float, rng: random.Random, *, sideways: bool = False) -> list[Lying]:
    cards = picks(count, rng)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    fan = rng.choice((0.0, 0.0, rng.uniform(-7, 7)))
    face_up = rng.random() > 0.06
    loose = rng.choice((0.3, 1.0, 2.5))
    out = []
    for i, card in enumerate(cards):
        off = (i - (count - 1) / 2) * step
        dx, dy = (0.0, off) if sideways else (off, 0.0)
        x = centre[0] + c * dx - s * dy + rng.gauss(0, loose * MM)
        y = centre[1] + s * dx + c * dy + rng.gauss(0, loose * MM)
        out.append(Lying(card, x, y, turn + fan * (i - count / 2) + rng.gauss(0, loose), face_up))
    return out


def plays(extent: float, rng: random.Random) -> list[Lying]:
    """Several small plays here and there: singles, pairs, tractors; neighbours 8 to 30 mm apart, or beside each other."""
    out: list[Lying] = []
    for _ in range(max(1, round(rng.uniform(0.35, 1.0) * extent * extent / 2.6))):
        centre = (rng.uniform(0, extent), rng.uniform(0, extent))
        count = rng.choice((1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 8))
        step = rng.uniform(8, 30) * MM if rng.random() < 0.8 else rng.uniform(0.95, 1.15)
        turn = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 8) if rng.random() < 0.5 else rng.uniform(0, 360)
        out += _row(centre, count, step if rng.random() < 0.8 else -step, turn, rng, sideways=rng.random() < 0.12)
    return out


def fan(extent: float, rng: random.Random) -> list[Lying]:
    """One or two hands of 5 to 26 cards, fanned around a pivot or laid in a row."""
    out: list[Lying] = []
    for _ in range(rng.choice((1, 1, 2))):
        count = rng.randint(5, 26)
        turn = rng.uniform(0, 360)
        centre = (rng.uniform(0.2, 0.8) * extent, rng.uniform(0.2, 0.8) * extent)
        step = rng.uniform(6, 24) * MM
        if rng.random() < 0.35:
            out += _row(centre, count, step if rng.random() < 0.8 else -step, turn, rng)
            continue
        radius = rng.uniform(1.5, 6)
        arc = math.degrees(step / radius)
        way = 1 if rng.random() < 0.8 else -1
        cards = picks(count, rng)
        if rng.random() < 0.5:
            cards.sort(key=FACES.index)
        base = math.radians(turn)
        pivot = (centre[0] - math.sin(base) * radius, centre[1] + math.cos(base) * radius)
        for i, card in enumerate(cards):
            angle = turn + way * arc * (i - (count - 1) / 2) + rng.gauss(0, 0.8)
            r = radius + rng.gauss(0, 1.2 * MM)
            out.append(Lying(card, pivot[0] + math.sin(math.radians(angle)) * r, pivot[1] - math.cos(math.radians(angle)) * r, angle))
    return out


def heap(extent: float, rng: random.Random) -> list[Lying]:
    """Cards thrown on each other, turned as they fell, some face down."""
    centre = (rng.uniform(0.3, 0.7) * extent, rng.uniform(0.3, 0.7) * extent)
    spread = rng.uniform(0.25, 1.1)
    backs = rng.choice((0.0, 0.1, 0.3))
    turn = rng.uniform(0, 360)
    wild = rng.choice((12.0, 180.0))
    return [
        Lying(
            rng.choice(FACES),
            centre[0] + rng.gauss(0, spread),
            centre[1] + rng.gauss(0, spread),
            turn + rng.uniform(-wild, wild),
            rng.random() >= backs,
        )
        for _ in range(rng.randint(4, 22))
    ]


def spread(extent: float, rng: random.Random) -> list[Lying]:
    """A deck laid out in rows, as for enrolling it, or a solitaire-like table."""
    turn = rng.choice((0, 0, 90, 180)) + rng.gauss(0, 4)
    across, down = rng.uniform(1.05, 1.25), rng.choice((rng.uniform(1.45, 1.6), rng.uniform(0.4, 0.9)))
    cards = list(FACES)
    rng.shuffle(cards)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    out = []
    n = math.ceil(extent * 1.5)
    for row in range(n):
        for col in range(n):
            x, y = (col - n / 2) * across, (row - n / 2) * down
            if cards and rng.random() < 0.85:
                out.append(Lying(cards.pop(), extent / 2 + c * x - s * y, extent / 2 + s * x + c * y, turn + rng.gauss(0, 2)))
    return out


def close_up(extent: float, rng: random.Random) -> list[Lying]:
    """One to three cards that fill the picture."""
    turn = rng.gauss(0, 25) if rng.random() < 0.6 else rng.uniform(0, 360)
    centre = (extent / 2 + rng.gauss(0, 0.3), extent / 2 + rng.gauss(0, 0.3))
    return _row(centre, rng.choice((1, 1, 2, 3)), rng.choice((rng.uniform(0.2, 0.5), rng.uniform(0.9, 1.1))), turn, rng)


def backs(extent: float, rng: random.Random) -> list[Lying]:
    """A pile of backs, perhaps with a face or two beside it."""
    x, y, turn = rng.uniform(0.2, 0.8) * extent, rng.uniform(0.2, 0.8) * extent, rng.uniform(0, 360)
    out = [
        Lying(rng.choice(FACES), x + rng.gauss(0, 0.1), y + rng.gauss(0, 0.1), turn + rng.gauss(0, 6), face_up=False)
        for _ in range(rng.randint(1, 9))
    ]
    return out + [Lying(rng.choice(FACES), rng.uniform(0, extent), rng.uniform(0, extent), rng.uniform(0, 360)) for _ in range(rng.randint(0, 3))]


def nothing(_extent: float, _rng: random.Random) -> list[Lying]:
    """No card at all."""
    return []


KINDS: Final[Kinds] = (
    (plays, 0.38, (46, 160)),
    (fan, 0.22, (48, 150)),
    (heap, 0.1, (50, 160)),
    (spread, 0.06, (44, 120)),
    (close_up, 0.12, (130, 260)),
    (backs, 0.05, (50, 150)),
    (nothing, 0.07, (50, 200)),
)
