"""Enrolling the deck in use while the table runs: its faces are spread before the camera, some at a time or all at once, and a person is asked about
those that are not sure; then the reader's last layer is fitted to them, put into the running reader, and kept for the next start.

Pictures are read by a reader of its own, so that the table's goes on undisturbed.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import FACES, UNKNOWN, Card
from kiosk.errors import NotFoundError, RefusedError
from vision import enrol
from vision.enrol import Deck, EnrolError, Sample

Image = npt.NDArray[np.uint8]

LEAST: Final = 10
"""With fewer faces than this the reader is not fitted: it would only be drawn away from what it knows."""
CHOICES: Final = 6
_TALLEST: Final = 300
_MARGIN: Final = 0.15
_LIKELY: Final = 0.02


@dataclass(frozen=True, slots=True)
class Question:
    """A card that is not sure: its sample, what it may be, and its picture as a data URL."""

    sample: Sample
    choices: tuple[Card, ...]
    picture: str


class Enrolment:
    """The steps of enrolling one deck; every method may be called from any thread.

    :param load: gives a recogniser with the reader as it was trained.
    :param file: where the deck is kept for the next start.
    """

    def __init__(self, load: Callable[[], Any], file: Path) -> None:
        self.file = file
        self._load = load
        self._lock = threading.RLock()
        self._recogniser: Any = None
        self._state = "idle"
        self._known: dict[Card, Sample] = {}
        self._asked: dict[int, Question] = {}
        self._number = 0

    def describe(self) -> dict[str, Any]:
        """Where it stands, as a page shows it: the faces not seen yet, and the questions."""
        with self._lock:
            return {
                "state": self._state,
                "found": len(self._known),
                "of": len(FACES),
                "least": LEAST,
                "missing": [face for face in FACES if face not in self._known],
                "unsure": [
                    {"number": number, "guess": one.sample.face, "choices": list(one.choices), "picture": one.picture}
                    for number, one in self._asked.items()
                ],
                "kept": self.file.is_file(),
            }

    def start(self) -> None:
        """Begin; what was learnt in an earlier attempt is forgotten."""
        with self._lock:
            self._known, self._asked, self._number, self._state = {}, {}, 0, "looking"

    def cancel(self) -> None:
        """Give it up; an enrolled deck stays as it is."""
        with self._lock:
            self._known, self._asked, self._state, self._recogniser = {}, {}, "idle", None

    def look(self, frames: Sequence[Image]) -> None:
        """Read the spread that lies there now: sure faces are learnt, the others are asked for. Faces learnt before are not asked for again.

        :param frames: some pictures of the table at rest; the sharpest is read.
        :raises RefusedError: when no card is seen.
        """
        with self._lock:
            self._expect_looking()
            image = max(frames, key=sharpness)
            try:
                if self._recogniser is None:
                    self._recogniser = self._load()
                samples = enrol.collect(self._recogniser, image)
            except EnrolError as error:
                raise _refused(error) from error
            if not samples:
                raise RefusedError(
                    "没有看到牌：请把牌正面朝上摊开，不要互相遮住角标，光线要均匀",
                    "no card is seen: spread the cards face up, with their corners free, in even light",
                )
            for sample in samples:
                if sample.sure and (sample.face not in self._known or self._known[sample.face].probability < sample.probability):
                    self._known[sample.face] = sample
            self._asked = {}
            for sample in samples:
                if not sample.sure and sample.face not in self._known:
                    self._number += 1
                    self._asked[self._number] = Question(sample, self._choices(sample), _picture(image, sample))

    def answer(self, number: int, face: Card | None) -> None:
        """What an unsure card is; None: nothing of this deck.

        :raises NotFoundError: when there is no such question (any more).
        """
        with self._lock:
            self._expect_looking()
            question = self._asked.get(number)
            if question is None:
                raise NotFoundError("没有这个问题，可能已经回答过", "there is no such question; it may have been answered already")
            if face == UNKNOWN:
                raise RefusedError("请选一张牌面", "choose a face")
            del self._asked[number]
            if face is not None:
                self._known[face] = enrol.answer(question.sample, face)
                self._asked = {n: one for n, one in self._asked.items() if one.sample.face != face}

    def keep(self, running: Any) -> None:
        """Fit the reader to what was learnt, use it at once, and keep it for the next start.

        :param running: the table's recogniser, or None where there is none.
        :raises RefusedError: when too few faces were learnt, or the file cannot be written.
        """
        with self._lock:
            self._expect_looking()
            if len(self._known) < LEAST:
                found = len(self._known)
                raise RefusedError(f"只认出 {found} 张，至少要 {LEAST} 张", f"only {found} faces were learnt, at least {LEAST} are needed")
            if self._recogniser is None:
                self._recogniser = self._load()
            try:
                made: Deck = enrol.fit(self._recogniser.reader, list(self._known.values()))
                enrol.save(made, self.file)
            except EnrolError as error:
                raise _refused(error) from error
            if running is not None:
                enrol.apply(running, made)
            self._state, self._asked, self._recogniser = "done", {}, None

    def forget(self, running: Any) -> None:
        """Read any deck again, as before the enrolment.

        :param running: the table's recogniser, or None where there is none.
        """
        with self._lock:
            self.cancel()
            self.file.unlink(missing_ok=True)
            if running is not None:
                running.reader.head = None

    def _expect_looking(self) -> None:
        if self._state != "looking":
            raise RefusedError("请先开始登记", "begin the enrolment first")

    def _choices(self, sample: Sample) -> tuple[Card, ...]:
        """What an unsure card may be: its likely readings, then faces not seen yet that look like them."""
        read = [face for face, p in sample.seen.n_best if p >= _LIKELY and face not in self._known]
        like = [face for face in FACES if face not in self._known and any(face[0] == other[0] or face[1:] == other[1:] for other in read)]
        return tuple(dict.fromkeys((sample.face, *read, *like)))[:CHOICES]


def sharpness(image: Image) -> float:
    """How sharp a picture is: the variance of its Laplacian."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def _picture(image: Image, sample: Sample) -> str:
    """The card with a little of what lies around it, as a data URL."""
    corners = np.asarray(sample.seen.corners_px, np.float64).reshape(-1, 2)
    low, high = corners.min(0), corners.max(0)
    edge = _MARGIN * (high - low).max()
    x0, y0 = np.maximum(np.floor(low - edge), 0).astype(int)
    x1, y1 = np.ceil(high + edge).astype(int)
    cut = image[y0:y1, x0:x1]
    if not cut.size:
        return ""
    if cut.shape[0] > _TALLEST:
        cut = np.asarray(cv2.resize(cut, (max(1, round(cut.shape[1] * _TALLEST / cut.shape[0])), _TALLEST), interpolation=cv2.INTER_AREA), np.uint8)
    return "data:image/jpeg;base64," + base64.b64encode(cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()).decode()


def _refused(error: EnrolError) -> RefusedError:
    """What the library says, by its two languages."""
    zh, _, en = str(error).partition(" / ")
    return RefusedError(zh, en or zh)
