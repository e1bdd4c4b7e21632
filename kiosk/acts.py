"""Looking into a log: which entries still count, which an undo may name, and when rulings were found and decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import referee
from engine.events import (
    CameraBack,
    CameraLost,
    CameraMoved,
    Corrected,
    DealStarted,
    Desynced,
    Event,
    MatchStarted,
    Resynced,
    Ruled,
    RulingDecided,
    Undone,
    to_json,
)

_CAMERA: Final = (CameraLost, CameraBack, CameraMoved, Desynced, Resynced)
_FIRST: Final = (MatchStarted, DealStarted)


@dataclass(frozen=True, slots=True)
class Logged:
    """An event with its place in the log, the wall-clock time (ISO 8601, UTC) and the author of its entry."""

    event: Event
    seq: int
    at: str
    author: str


def is_act(event: Event) -> bool:
    """Whether an entry can be taken back: what follows from others, or says how the camera is, cannot."""
    return not (referee.is_derived(event) or isinstance(event, _CAMERA))


def is_beginning(log: Sequence[Logged], index: int) -> bool:
    """Whether an entry is the match's beginning or its first deal's, which stay."""
    return isinstance(log[index].event, _FIRST) and not any(isinstance(entry.event, DealStarted) for entry in log[:index])


def undone(log: Sequence[Logged]) -> set[int]:
    """Indices of entries that no longer count: a later undo that still counts itself names them."""
    gone: set[int] = set()
    for i in range(len(log) - 1, -1, -1):
        event = log[i].event
        if isinstance(event, Undone) and i not in gone:
            gone.add(event.target - 1)
    return gone


def undoable(log: Sequence[Logged]) -> Iterator[int]:
    """Indices of the entries that an undo would take back one after the other, the newest first."""
    gone = undone(log)
    for i in range(len(log) - 1, -1, -1):
        event = log[i].event
        if i in gone or not is_act(event) or isinstance(event, Undone):
            continue
        if is_beginning(log, i):
            return
        yield i


def act(entry: Logged) -> dict[str, Any]:
    """An entry that an undo may name, for a page: without its evidence, a correction with the cards that lay there before."""
    body = to_json(entry.event)
    evidence = body.pop("evidence", {})
    if isinstance(entry.event, Corrected):
        body["was"] = list(evidence.get("was") or ())
    return {"seq": entry.seq, "at": entry.at, "author": entry.author, **body}


def ruling_times(log: Sequence[Logged]) -> Mapping[str, tuple[str | None, str | None]]:
    """When each ruling was first found and last decided (wall clock)."""
    gone = undone(log)
    out: dict[str, tuple[str | None, str | None]] = {}
    for i, entry in enumerate(log):
        if isinstance(entry.event, Ruled):
            found = out.get(entry.event.ruling, (None, None))
            out[entry.event.ruling] = (found[0] or entry.at, found[1])
        elif isinstance(entry.event, RulingDecided) and i not in gone:
            out[entry.event.ruling] = (out.get(entry.event.ruling, (None, None))[0], entry.at)
    return out
