"""A table without a game: every card that lies in the picture, listed as it is, with no rules and no one's turn.

Whole pictures are read now and then; a card is told when two of the last three readings of one scene have it. The picture
may shake, zoom and change its light; where little of it is left of what lay there, a new scene begins.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from engine.cards import Card, Seat
from engine.events import CameraBack, CameraLost, CardsPlayed, Event
from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError, Image
from vision.camera import Back, Frame, Lost, Source
from vision.guard import Guard
from vision.looks import Seen
from vision.zones import OUT, SEAT_ZONES

EVERY_SECONDS: Final = 0.7
READINGS: Final = 3
NEEDED: Final = 2
SAME_SCENE: Final = 0.34
"""Share of the cards read now that the scene has shown before, near the same place; with less it is another scene."""
NEAR: Final = 0.06
"""Share of the picture's width that a card may seem to move between readings (an unsteady stand, a slow zoom)."""
LEAST: Final = 0.4


@dataclass(frozen=True, slots=True)
class _Lying:
    """A card as read: its face, the seat that it lies nearest to, and its middle as a share of the picture's width."""

    card: Card
    seat: Seat
    at: tuple[float, float]

    def was_in(self, readings: Iterable[Sequence[_Lying]]) -> bool:
        """The same face lay near here before."""
        return any(one.card == self.card and math.dist(one.at, self.at) <= NEAR for reading in readings for one in reading)


class StillReader(Protocol):
    """What is needed of a recogniser: cards of a whole picture of unknown scale."""

    def read(self, image: Image, *, scale_hint: float | None = None, vote: bool = True, least: float = LEAST) -> Sequence[Seen]:
        """The cards of a picture (BGR)."""
        ...


class Listing:
    """The list of what lies in the pictures; give it one picture after another."""

    def __init__(self, reader: StillReader, calibration: Calibration | None = None) -> None:
        """
        :param calibration: where the table lies; the middle of the picture is the table's without it.
        """
        self._reader = reader
        self._calibration = calibration
        self._recent: deque[list[_Lying]] = deque(maxlen=READINGS)
        self._told: Counter[Card] = Counter()
        self._read_t = -EVERY_SECONDS

    @property
    def listed(self) -> Counter[Card]:
        """What was told of this scene and is still seen now and then."""
        seen: Counter[Card] = Counter()
        for reading in self._recent:
            seen |= Counter(one.card for one in reading)
        return self._told & seen

    def see(self, image: Image, t: float) -> list[CardsPlayed]:
        """Read a picture (BGR) of a time (s), if it is time to read one; a play to trick 1 of the nearest seat for what is new on the list."""
        if t - self._read_t < EVERY_SECONDS:
            return []
        self._read_t = t
        now, recent = _read(image, self._reader, self._calibration), self._recent
        if now and any(recent) and sum(card.was_in(recent) for card in now) < SAME_SCENE * len(now):
            recent.clear()
            self._told.clear()
        recent.append(now)
        plays = [CardsPlayed(t=t, seat=seat, trick=1, cards=tuple(cards)) for seat, cards in _sure(recent, self._told).items()]
        for play in plays:
            self._told.update(play.cards)
        return plays


def list_cards(source: Source, reader: StillReader, calibration: Calibration | None = None) -> Iterator[Event]:
    """Tell the cards that lie in the pictures, as :class:`Listing` does, and the camera's gaps.

    A picture that cannot be worked out is logged and given up; after several within a minute none is tried for a while.
    """
    listing, guard = Listing(reader, calibration), Guard()
    for signal in source.signals():
        match signal:
            case Lost(t=t, reason=reason):
                yield CameraLost(t=t, reason=reason)
            case Back(t=t, gap=gap):
                yield CameraBack(t=t, gap=round(gap, 3))
            case Frame(image=image, t=t) if not guard.stuck(t):
                try:
                    plays = listing.see(image, t)
                except Exception as error:  # noqa: BLE001 (whatever it is, the next picture may be read)
                    guard.take(error, t)
                else:
                    yield from plays
            case _:
                pass


def _read(image: Image, reader: StillReader, calibration: Calibration | None) -> list[_Lying]:
    """The cards of a picture."""
    size = (image.shape[1], image.shape[0])
    try:
        table = calibration.scaled(size) if calibration is not None else tables.whole_picture(size)
    except CalibrationError:
        table = tables.whole_picture(size)
    out = []
    for card in reader.read(image, least=LEAST):
        corners = np.asarray(card.corners_px, np.float64)
        x, y = table.to_mm(corners).mean(0)
        across, down = corners.mean(0) / size[0]
        zone = max(SEAT_ZONES, key=lambda zone: x * OUT[zone][0] + y * OUT[zone][1])
        out.append(_Lying(card.card, Seat(zone.value), (float(across), float(down))))
    return out


def _sure(recent: Sequence[Sequence[_Lying]], told: Counter[Card]) -> dict[Seat, list[Card]]:
    """Cards that enough readings have and that were not told yet, by seat; two of one face when enough readings have two."""
    counts = [Counter(one.card for one in reading) for reading in recent]
    out: dict[Seat, list[Card]] = {}
    for card in sorted({card for count in counts for card in count}):
        often = sorted((count[card] for count in counts), reverse=True)
        copies = often[NEEDED - 1] if len(often) >= NEEDED else 0
        if copies > told[card]:
            latest = next(reading for reading, count in zip(reversed(recent), reversed(counts), strict=True) if count[card] >= copies)
            for seat in [one.seat for one in latest if one.card == card][told[card] : copies]:
                out.setdefault(seat, []).append(card)
    return out
