"""Plays laid before a tracker, one look each."""

from __future__ import annotations

from engine.events import Event
from tests.vision.test_plays import ask, card, look, turn
from vision.plays import PlayTracker


def lead(tracker: PlayTracker, *faces: str, seat: str = "E", trick: int = 1, still: float = 0.0) -> Event | None:
    step = 24.0
    tracker.see(look(seat, *(card(f, seat, step * (k - (len(faces) - 1) / 2)) for k, f in enumerate(faces)), still=still))
    return ask(tracker, still + 0.4, turn(seat, None, trick))


def follow(tracker: PlayTracker, seat: str, *faces: str, count: int, still: float, trick: int = 1) -> Event | None:
    tracker.see(look(seat, *(card(f, seat, 24.0 * k) for k, f in enumerate(faces)), still=still))
    return ask(tracker, still + 0.4, turn(seat, count, trick))
