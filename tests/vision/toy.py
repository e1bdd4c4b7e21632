"""A toy table for tests: flat cards whose index is a coloured mark that a toy reader decodes exactly, hands as brown bars.

One millimetre is one pixel; the picture is 1100 x 860, the table's centre in its middle. Everything that moves is drawn frame by frame, so
that source, gate, looks and plays are tested on pixels without a network.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.cards import FACES, SEATS, Card, Seat
from vision.calibration import Calibration, Image, from_clicks
from vision.camera import Back, Frame, Lost, Signal, shrink
from vision.zones import OUT, Zone

W, H = 1100, 860
FPS = 15
CLOTH = (70, 110, 60)
CARD_W, CARD_H = 63, 88
TURNS = {"S": 0, "E": 1, "N": 2, "W": 3}
"""Quarter turns counter-clockwise of a card that lies upright for a seat."""


def toy_calibration() -> Calibration:
    cx, cy = W / 2, H / 2
    return from_clicks((W, H), [[cx - 400, cy - 400], [cx + 400, cy - 400], [cx + 400, cy + 400], [cx - 400, cy + 400]])


def card_picture(face: str | None) -> Image:
    """A card upright: white with a mark at two corners that names it; None is a back."""
    if face is None:
        return np.full((CARD_H, CARD_W, 3), (150, 60, 40), np.uint8)
    picture = np.full((CARD_H, CARD_W, 3), 245, np.uint8)
    picture[0, :], picture[-1, :], picture[:, 0], picture[:, -1] = 90, 90, 90, 90
    code = 20 + 4 * FACES.index(Card(face))
    mark = np.zeros((15, 9, 3), np.uint8)
    mark[:] = (code, 7, 201)
    mark[:5, 5:] = (code, 8, 30)
    for bit in range(6):
        row, column = divmod(bit, 3)
        mark[6 + 4 * row : 9 + 4 * row, 1 + 3 * column : 3 + 3 * column] = 250 * (FACES.index(Card(face)) >> bit & 1)
    picture[3:18, 1:10] = mark
    picture[-18:-3, -10:-1] = mark[::-1, ::-1]
    art = np.random.default_rng(FACES.index(Card(face))).integers(0, 250, (5, 6, 3), np.uint8)
    picture[32:56, 18:45] = cv2.resize(art, (27, 24), interpolation=cv2.INTER_NEAREST)
    return picture


@dataclass(frozen=True)
class ToySeen:
    card: Card
    corners_px: tuple[tuple[float, float], ...]
    indices_px: tuple[tuple[float, float, float, float], ...]
    confidence: float
    n_best: tuple[tuple[Card, float], ...]


@dataclass
class ToyReader:
    """Decodes the marks; ``noise`` is the share of readings in which a face is taken for another, ``miss`` of cards not found."""

    noise: float = 0.0
    miss: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(5))
    calls: int = 0

    def read_crop(self, image: Image, *, vote: bool = False, least: float = 0.15) -> list[ToySeen]:
        self.calls += 1
        marks = (image[..., 1] == 7) & (image[..., 2] == 201)
        out: list[ToySeen] = []
        for code in np.unique(image[..., 0][marks]) if marks.any() else ():
            count, _, stats, _ = cv2.connectedComponentsWithStats((marks & (image[..., 0] == code)).astype(np.uint8), connectivity=4)
            for k in range(1, count):
                x, y, w, h, area = stats[k]
                if area < 50:
                    continue
                patch = image[y : y + h, x : x + w]
                notch = (patch[..., 1] == 8) & (patch[..., 2] == 30)
                if not notch.any():
                    continue
                ys, xs = np.nonzero(notch)
                seen = self._card(Card(FACES[(int(code) - 20) // 4]), (x, y, w, h), (float(xs.mean()), float(ys.mean())))
                if seen is not None and all(np.hypot(*np.subtract(np.mean(seen.corners_px, 0), np.mean(o.corners_px, 0))) > 2 for o in out):
                    out.append(seen)
        return [card for card in out if self.rng.random() >= self.miss]

    def _card(self, face: Card, box: tuple[int, int, int, int], notch: tuple[float, float]) -> ToySeen | None:
        x, y, w, h = (int(v) for v in box)
        right, low = notch[0] > w / 2, notch[1] > h / 2
        upright, sideways = (0 if right and not low else 2), (1 if not right and not low else 3)
        turn = upright if h > w else sideways
        corner = {0: (x - 1, y - 3), 2: (x + w + 1, y + h + 3), 1: (x - 3, y + h + 1), 3: (x + w + 3, y - 1)}[turn]
        ax, ay = {0: (1, 0), 1: (0, -1), 2: (-1, 0), 3: (0, 1)}[turn]
        dx, dy = -ay, ax
        quad = tuple(
            (float(corner[0] + ax * u + dx * v), float(corner[1] + ay * u + dy * v)) for u, v in ((0, 0), (CARD_W, 0), (CARD_W, CARD_H), (0, CARD_H))
        )
        if self.rng.random() < self.noise:
            other = self.rng.choice(FACES)
            n_best = ((other, 0.55), (face, 0.45))
        else:
            n_best = ((face, 0.97), (self.rng.choice(FACES), 0.03))
        return ToySeen(n_best[0][0], quad, ((x, y, x + w, y + h),), 0.95 * n_best[0][1], n_best)


def over(board: Image, seat: str, far: float) -> Image:
    """A board with a seat's hand over it, which reaches to ``far`` (mm) from the centre."""
    ox, oy = OUT[Zone(seat)]
    picture = board.copy()
    a = np.array([W / 2, H / 2]) + np.array([ox, oy]) * far
    b = np.array([W / 2, H / 2]) + np.array([ox, oy]) * 620
    cv2.line(picture, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (90, 130, 190), 60)
    return picture


class ToyTable:
    """Draws a table and acts on it; every act adds frames."""

    def __init__(self, *, noise: float = 0.0, seed: int = 1) -> None:
        self.board: Image = np.full((H, W, 3), CLOTH, np.uint8)
        self.signals: list[Signal] = []
        self.rng = np.random.default_rng(seed)
        self.noise = noise
        self.t = 0.0
        self.truth: list[tuple[float, str, tuple[str, ...]]] = []

    def show(self, board: Image | None = None, frames: int = 1) -> None:
        for _ in range(frames):
            picture = (self.board if board is None else board).copy()
            self.signals.append(Frame(picture, shrink(picture), self.t, len(self.signals)))
            self.t += 1 / FPS

    def wait(self, seconds: float) -> None:
        self.show(frames=round(seconds * FPS))

    def put(self, face: str | None, x: float, y: float, seat: str) -> None:
        """Draw a card centred at x, y (mm), upright for a seat."""
        picture = np.rot90(card_picture(face), TURNS[seat])
        h, w = picture.shape[:2]
        left, top = round(W / 2 + x - w / 2), round(H / 2 + y - h / 2)
        self.board[top : top + h, left : left + w] = picture

    def wipe(self, x: float, y: float, half: float = 80) -> None:
        """Bare cloth again."""
        cx, cy = W / 2 + x, H / 2 + y
        self.board[int(cy - half) : int(cy + half), int(cx - half) : int(cx + half)] = CLOTH

    def hand(self, seat: str, reach: float, frames: int) -> None:
        """A hand reaches in to ``reach`` mm from the centre and goes, with the board as it is now behind it."""
        for k in range(frames):
            far = 430 - (430 - reach) * np.sin(np.pi * (k + 0.5) / frames)
            self.show(self.with_hand(seat, float(far)))

    def with_hand(self, seat: str, far: float) -> Image:
        return over(self.board, seat, far)

    def at(self, seat: str, along: float, near: float = 215) -> tuple[float, float]:
        """A place in a seat's own frame: along to the player's right, near from the centre (mm)."""
        ox, oy = OUT[Zone(seat)]
        return near * ox + along * oy, near * oy - along * ox

    def lay(self, seat: str, cards: Sequence[str], *, along: float = 0.0, near: float = 215, gap: float = 24, one_by_one: bool = False) -> None:
        """A seat plays cards in a row, the hand over them till they lie."""
        for k, face in enumerate(cards):
            x, y = self.at(seat, along + (k - (len(cards) - 1) / 2) * gap, near)
            if one_by_one or k == 0:
                for far in (420, 340, 260):
                    self.show(self.with_hand(seat, far))
            self.put(face, x, y, seat)
            if one_by_one or k == len(cards) - 1:
                for far in (260, 320, 380, 440, 520):
                    self.show(self.with_hand(seat, far))
        self.truth.append((self.t, seat, tuple(cards)))

    def declare_and_bury(self) -> None:
        """While the pack lies there S declares with S2, then takes the bottom and buries."""
        self.put(None, 0, 0, "S")
        self.wait(1.0)
        self.lay("S", ["S2"])
        self.wait(1.0)
        self.hand("S", 215, 8)
        self.wipe(*self.at("S", 0))
        self.hand("S", 300, 6)
        self.wait(0.6)
        self.hand("S", 30, 10)
        self.wipe(0, 0)
        self.hand("S", 60, 8)
        self.wait(1.0)
        self.hand("S", 30, 10)
        self.put(None, 0, 0, "S")
        self.hand("S", 60, 8)
        self.wait(1.0)


@dataclass
class ToySource:
    """A source of prepared signals."""

    signals_: Iterable[Frame | Lost | Back]
    size: tuple[int, int] = (W, H)
    fps: float = FPS
    dropped: int = 0
    live: bool = False
    closed: bool = False

    def signals(self) -> Iterator[Frame | Lost | Back]:
        for signal in self.signals_:
            if self.closed:
                return
            yield signal

    def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class ToyExpected:
    phase: str = "trick"
    seat: Seat | None = None
    count: int | None = None
    trick: int = 1
    levels: frozenset[str] = frozenset()


class ToyReferee:
    """Just enough of a referee for tests: whose turn it is when the winner of a trick is told beforehand."""

    def __init__(self, leaders: Sequence[str], *, phase: str = "trick") -> None:
        self.leaders = [Seat(s) for s in leaders]
        self.phase = phase
        self.trick = 1
        self.played: list[tuple[Seat, int]] = []

    def expect(self) -> ToyExpected:
        if self.phase != "trick":
            return ToyExpected(self.phase, self.leaders[0], 8)
        leader = self.leaders[min(self.trick, len(self.leaders)) - 1]
        order = [SEATS[(SEATS.index(leader) + k) % 4] for k in range(4)]
        seats = [seat for seat, _ in self.played]
        turn = next(seat for seat in order if seat not in seats)
        return ToyExpected("trick", turn, self.played[0][1] if self.played else None, self.trick)

    def take(self, event: object) -> None:
        name = type(event).__name__
        if name == "CardsPlayed":
            self.played.append((event.seat, len(event.cards)))  # type: ignore[attr-defined]
            if len(self.played) == 4:
                self.played = []
                self.trick += 1
        elif name == "Corrected" and self.played and self.played[0][0] == event.seat and event.trick == self.trick:  # type: ignore[attr-defined]
            self.played[0] = (event.seat, len(event.cards))  # type: ignore[attr-defined]
        elif name == "BottomTaken":
            self.phase = "burying"
        elif name == "Buried":
            self.phase = "trick"
