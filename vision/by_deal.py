"""To which deal of a match each event of a log belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import BottomCorrected, Corrected, DealEnded, DealStarted, Event, Ruled, TrickClosed
from engine.referee import is_derived


def by_deal(events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """Each event of a log with the number of its deal; 0 before the first one.

    A fact that opens a deal stands before the ``DealStarted`` that follows from it, and belongs to the new deal. Where an earlier deal is put right,
    the tricks that follow from that are its own.
    """
    running = about = 0
    for place, event in enumerate(events):
        match event:
            case DealStarted():
                running = about = number = event.deal
            case DealEnded():
                number = event.deal
            case Ruled():
                prefix = event.ruling.partition(".")[0]
                number = int(prefix) if prefix.isdecimal() else about
            case TrickClosed():
                number = about
            case Corrected(deal=int(earlier)) | BottomCorrected(deal=int(earlier)):
                number = about = earlier
            case _:
                about = running
                number = _opened(events, place + 1) or running
        yield number, event


def _opened(events: Sequence[Event], place: int) -> int | None:
    """The number of the deal that the events beginning at a place, which follow from the fact before, open; None when they open none."""
    while place < len(events) and is_derived(events[place]):
        event = events[place]
        if isinstance(event, DealStarted):
            return event.deal
        place += 1
    return None
