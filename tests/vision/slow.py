"""A processor that takes its time, without a clock, and a deal on the toy table for it to follow.

Every picture and every reading costs so many seconds of the film, and what comes meanwhile passes unseen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.cards import Card, Seat
from engine.events import BottomTaken, Buried, CardsPlayed, Declared, Event, Ruled, TrickClosed
from engine.rulebook_toml import load
from engine.simulate import play_deal
from tests.vision.toy import FPS, ToyReader, ToySeen, ToySource, ToyTable, over, toy_calibration
from vision.calibration import Image
from vision.camera import Frame, Signal, shrink
from vision.pipeline import Pipeline
from vision.refereed import Table, final_plays

RULEBOOK = "official-2deck-shengji"
PICTURE_SECONDS = 0.009
READING_SECONDS = 0.085
"""What a picture and a reading take on one core of a machine of 2020 (s)."""


@dataclass
class SlowReader:
    """A toy reader that counts what its work takes (s, of a processor that is fast enough)."""

    reader: ToyReader = field(default_factory=ToyReader)
    spent: float = 0.0

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> list[ToySeen]:
        self.spent += READING_SECONDS
        return self.reader.read_crop(image, vote=vote, least=least)


@dataclass(frozen=True)
class Shot:
    """A moment of the toy table, drawn only when somebody looks at it."""

    board: Image
    hand: tuple[str, float] | None
    t: float
    index: int

    def draw(self) -> Frame:
        if self.hand is None:
            return Frame(self.board, _shrunk(self.board), self.t, self.index)
        picture = over(self.board, *self.hand)
        return Frame(picture, shrink(picture), self.t, self.index)


_SHRUNK: dict[int, tuple[Image, Image]] = {}


def _shrunk(board: Image) -> Image:
    """The small picture of a board that is looked at again and again."""
    kept = _SHRUNK.get(id(board))
    if kept is None or kept[0] is not board:
        _SHRUNK.clear()
        kept = _SHRUNK[id(board)] = (board, shrink(board))
    return kept[1]


@dataclass
class SlowSource(ToySource):
    """The newest picture each time the processor has done with the one before.

    :param times: how many times slower than a fast one it is. :param stalls: from when on (s) it does nothing, and for how long.
    """

    shots: Sequence[Shot] = ()
    reader: SlowReader = field(default_factory=SlowReader)
    times: float = 1.0
    stalls: Sequence[tuple[float, float]] = ()

    def signals(self) -> Iterator[Signal]:
        free, stalls = 0.0, list(self.stalls)
        for shot, following in zip(self.shots, [*self.shots[1:], None], strict=True):
            if following is not None and following.t <= free:
                self.dropped += 1
                continue
            self.reader.spent = 0.0
            yield shot.draw()
            free = max(free, shot.t) + self.times * (PICTURE_SECONDS + self.reader.spent)
            while stalls and stalls[0][0] <= free:
                start, seconds = stalls.pop(0)
                free = max(free, start + seconds)


class FilmedTable(ToyTable):
    """A toy table whose pictures are drawn one at a time, so that a whole deal fits into memory."""

    def __init__(self) -> None:
        super().__init__()
        self.shots: list[Shot] = []
        self._reach: tuple[str, float] | None = None
        self._board: Image | None = None

    def show(self, board: Image | None = None, frames: int = 1) -> None:
        if self._board is None or (self._board != self.board).any():
            self._board = self.board.copy()
        for _ in range(frames):
            self.shots.append(Shot(self._board, self._reach if board is not None else None, self.t, len(self.shots)))
            self.t += 1 / FPS

    def with_hand(self, seat: str, far: float) -> Image:
        self._reach = (seat, far)
        return self.board


@dataclass
class Film:
    """A deal of so many tricks, played at ordinary pace: a play every ``pace`` (s) or so, the trick taken up or left lying."""

    seed: int
    tricks: int = 6
    habit: str = "sweep"
    pace: float = 2.0
    table: FilmedTable = field(default_factory=FilmedTable)
    plays: dict[tuple[int, Seat], tuple[Card, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        self.table.put(None, 0, 0, "S")
        self.table.wait(1.5)
        lying: list[Seat] = []
        for event in play_deal(RULEBOOK, self.seed).events:
            if isinstance(event, CardsPlayed) and event.trick > self.tricks:
                break
            self._act(event, rng, lying)
        self.table.wait(4.0)

    def _act(self, event: Event, rng: random.Random, lying: list[Seat]) -> None:
        table = self.table
        match event:
            case Declared(seat=seat, cards=cards):
                table.lay(seat.value, [str(c) for c in cards])
                table.wait(1.5)
                self._take(seat)
            case BottomTaken(seat=seat):
                table.hand(seat.value, 30, 10)
                table.wipe(0, 0)
                table.hand(seat.value, 60, 8)
                table.wait(3.0)
            case Buried(seat=seat):
                table.hand(seat.value, 30, 10)
                table.put(None, 0, 0, "S")
                table.hand(seat.value, 60, 8)
                table.wait(2.0)
            case CardsPlayed(seat=seat, cards=cards, trick=trick):
                shift = 3 * ((trick * 7) % 5 - 2) if self.habit == "stack" else 0
                table.lay(seat.value, [str(c) for c in cards], along=shift, near=215 + shift)
                table.wait(self.pace * rng.uniform(0.5, 1.5))
                self.plays[trick, seat] = cards
                lying.append(seat)
            case TrickClosed(winner=winner):
                table.wait(1.0)
                if self.habit == "sweep":
                    table.hand(winner.value, 100, 5)
                    for seat in lying:
                        self._wipe(seat)
                    table.hand(winner.value, 100, 8)
                lying.clear()
                table.wait(self.pace * rng.uniform(0.5, 1.0))
            case _:
                pass

    def _take(self, seat: Seat) -> None:
        self.table.hand(seat.value, 215, 5)
        self._wipe(seat)
        self.table.hand(seat.value, 300, 6)
        self.table.wait(0.8)

    def _wipe(self, seat: Seat) -> None:
        for along in (-160, -80, 0, 80, 160):
            self.table.wipe(*self.table.at(seat.value, along, 215))


@dataclass(frozen=True)
class Followed:
    """What a slow processor made of a film: ``false`` rulings, ever proposed; plays told ``right``, ``wrong`` ones, and what was not told."""

    events: tuple[Event, ...]
    false: tuple[Ruled, ...]
    right: int
    wrong: dict[tuple[int, Seat], tuple[Card, ...]]
    unseen: tuple[tuple[int, Seat], ...]
    dropped: int


def follow(film: Film, *, times: float = 1.0, stalls: Sequence[tuple[float, float]] = (), habit: str = "auto") -> Followed:
    """Follow a film as a processor would that is so many times slower."""
    reader = SlowReader()
    source = SlowSource((), shots=film.table.shots, reader=reader, times=times, stalls=stalls)
    pipeline = Pipeline(source, toy_calibration(), reader, habit=habit)
    events = tuple(Table(pipeline, load(RULEBOOK), {"deal": 1, "levels": {"EW": "2", "NS": "2"}}).events())
    told = {(trick, seat): cards for (_, trick, seat), cards in final_plays(events).items()}
    right = sum(Counter(told.get(key, ())) == Counter(cards) for key, cards in film.plays.items())
    wrong = {key: cards for key, cards in told.items() if Counter(cards) - Counter(film.plays.get(key, ())) - Counter({Card("??"): len(cards)})}
    unseen = tuple(key for key, cards in film.plays.items() if Counter(told.get(key, ())) != Counter(cards) and key not in wrong)
    return Followed(events, tuple(e for e in events if isinstance(e, Ruled)), right, wrong, unseen, source.dropped)
