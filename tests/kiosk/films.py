"""Small films for tests of recording: a table with coloured cards, drawn quickly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.events import CardsPlayed, Event
from kiosk.recording.recorder import Recorder
from kiosk.store import Row
from kiosk.table import Update
from tests.kiosk import tables
from vision.calibration import Calibration, Image, whole_picture
from vision.camera import Frame, shrink

SIZE = (320, 240)
FPS = 10


def calibration() -> Calibration:
    return whole_picture(SIZE)


def picture(number: int) -> Image:
    """A table on which something lies elsewhere in every picture."""
    image = np.full((SIZE[1], SIZE[0], 3), (60, 90, 60), np.uint8)
    x = 20 + number * 7 % 240
    image[100:160, x : x + 40] = (240, 240, 240)
    image[110:120, x + 5 : x + 15] = (0, 0, 200)
    return image


def frames(begin: float, end: float) -> Iterator[Frame]:
    for number in range(round(begin * FPS), round(end * FPS)):
        image = picture(number)
        yield Frame(image, shrink(image), number / FPS, number)


def told(t: float, events: tuple[dict[str, Any], ...], seq: int = 1) -> Update:
    """A step of a table."""
    rows = tuple(Row(seq + i, "2026-01-01T00:00:00+00:00", "camera", {"v": 1, "t": t, "source": "camera", **body}) for i, body in enumerate(events))
    return Update(seq + len(rows) - 1, rows, {}, {})


def offer(recorder: Recorder, begin: float, end: float) -> None:
    """Give pictures as quickly as they are taken."""
    import time

    for frame in frames(begin, end):
        while recorder.full:
            time.sleep(0.002)
        recorder.frame(frame)


def ready(recorder: Recorder, folder: Path) -> Recorder:
    recorder.start()
    assert recorder._ready.wait(20), folder
    return recorder


def timed(events: tuple[Event, ...], corners: list[list[list[float]]]) -> tuple[Event, ...]:
    """A deal's facts with the evidence that a reading leaves: every card at a place of its own."""
    out: list[Event] = []
    for event in events:
        if isinstance(event, CardsPlayed):
            evidence = {
                "raw": list(event.cards), "frames": [event.t - 0.2, event.t], "corners_mm": corners[: len(event.cards)],
                "n_best": [[[card, 0.98], ["S2", 0.01]] for card in event.cards],
            }  # fmt: skip
            out.append(replace(event, evidence=evidence))
        else:
            out.append(event)
    return tuple(out)


RULEBOOK = tables.RULEBOOK
