"""The steps of a deal as they stand in its log: what a timeline shows and jumps to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.events import Event, Undone, to_json
from kiosk.review.logs import Entry

_KINDS: Final = {
    "Declared": "declared", "TrumpFixed": "trump", "BottomTaken": "taken", "Buried": "buried", "CardsPlayed": "play", "TakenBack": "back",
    "TrickClosed": "closed", "BottomShown": "bottom", "DealEnded": "ended", "Ruled": "ruled", "RulingDecided": "decided", "Corrected": "corrected",
    "BottomCorrected": "corrected", "Undone": "undone", "ScoreSet": "score", "CameraLost": "lost", "CameraBack": "seen",
    "ClocksStopped": "stopped", "ClocksStarted": "started",
}  # fmt: skip
_KEEP: Final = (
    "seat",
    "trick",
    "cards",
    "by",
    "kind",
    "ruling",
    "decision",
    "winner",
    "points",
    "reason",
    "gap",
    "target",
    "trump",
    "proved_by",
    "why",
)
_HIDDEN: Final = frozenset({"buried"})
"""Cards that lie face down are not part of a step."""


def taken_back(placed: Sequence[tuple[Entry, Event]]) -> frozenset[int]:
    """The places in the log (``seq``) of what no longer counts: a later undo that still counts itself names it by its number among the events."""
    gone: set[int] = set()
    for i in range(len(placed) - 1, -1, -1):
        event = placed[i][1]
        if isinstance(event, Undone) and i not in gone:
            gone.add(event.target - 1)
    return frozenset(placed[i][0].seq for i in gone if i < len(placed))


def steps(own: Sequence[tuple[Entry, Event]], gone: frozenset[int]) -> list[dict[str, Any]]:
    """The steps of a deal in the order of its log; one whose entry is among the ``gone`` says that it was undone."""
    out: list[dict[str, Any]] = []
    for entry, event in own:
        name = type(event).__name__
        kind = _KINDS.get(name)
        if kind is None:
            continue
        body = to_json(event)
        step = {"seq": entry.seq, "t": body["t"], "at": entry.at, "step": kind, "who": entry.author}
        step.update({key: body[key] for key in _KEEP if body.get(key) not in (None, "", [])})
        if kind in _HIDDEN:
            step.pop("cards", None)
        if entry.seq in gone:
            step["undone"] = True
        out.append(step)
    return out
