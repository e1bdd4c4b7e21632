"""Pictures and clips of a recorded match, as the recorder left them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kiosk.export.bundle import Kept, Question

if TYPE_CHECKING:
    from kiosk.recording.index import Medium
    from kiosk.recording.library import Library as Recordings

KINDS: Final = ("clip", "still", "play", "thumb")
GAP_S: Final = 2.0
"""Shorter times without video are none to speak of: a new segment begins, or nothing moved."""


def kept(log: Path, deal: int | None = None) -> list[Kept]:
    """The pictures and clips that lie beside a log (of one deal), in the order of the table's clock."""
    found = _library(log)
    media = found.media(deal=deal) if found is not None else ()
    return [_kept(found, medium) for medium in media if found is not None and medium.kind in KINDS]


def films(log: Path, t0: float, t1: float) -> list[Kept]:
    """The continuous video beside a log that shows some of a time (s of the table's clock), in order."""
    found = _library(log)
    return [_kept(found, medium) for medium in found.media("segment") if medium.t1 > t0 and medium.t0 < t1] if found is not None else []


def unrecorded(media: Sequence[Kept], t0: float, t1: float, *, open_end: bool = False) -> list[tuple[float, float]]:
    """From when to when (s) no continuous video shows a time; none where there is no continuous video at all.

    :param open_end: the end is being recorded: a segment is only there once it is closed.
    """
    shown = sorted((item.t0, item.t1) for item in media if item.kind in ("segment", "clip") and item.t0 is not None and item.t1 is not None)
    if not any(item.kind == "segment" for item in media):
        return []
    out: list[tuple[float, float]] = []
    last = t0
    for begin, end in [*shown, *(() if open_end else ((t1, t1),))]:
        if min(begin, t1) - last > GAP_S:
            out.append((round(last, 2), round(min(begin, t1), 2)))
        last = max(last, end)
    return out


def one(log: Path, file: str) -> Kept | None:
    """A file beside a log by its name, or None."""
    found = _library(log)
    medium = next((medium for medium in found.media(name=file)), None) if found is not None else None
    return _kept(found, medium) if found is not None and medium is not None else None


def _library(log: Path) -> Recordings | None:
    from kiosk.recording import folder_of
    from kiosk.recording.library import Library as Found

    folder = folder_of(log)
    return Found.open(folder) if folder.is_dir() else None


def _kept(found: Recordings, medium: Medium) -> Kept:
    return Kept(found.folder / medium.name, medium.kind, medium.deal or None, medium.trick, medium.seat, medium.t0, medium.t1)


def protect(log: Path, question: Question) -> int:
    """Let retention never take the video of what an appeal is about; gives how many files are kept for it."""
    from kiosk.recording import folder_of
    from kiosk.recording.library import Library

    folder = folder_of(log)
    times = [(item.t0, item.t1) for item in kept(log) if item.deal == question.deal and (not question.tricks or item.trick in question.tricks)]
    found = [(t0, t1) for t0, t1 in times if t0 is not None and t1 is not None]
    return Library.open(folder).protect(min(t0 for t0, _ in found), max(t1 for _, t1 in found)) if found else 0
