"""Pictures and clips of a recorded match, as the recorder left them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kiosk.errors import KioskError
from kiosk.export.bundle import Kept, Question

KINDS: Final = ("clip", "still", "play", "thumb")


def kept(log: Path) -> list[Kept]:
    """The pictures and clips that lie beside a log, in the order of the table's clock."""
    from kiosk.recording import folder_of
    from kiosk.recording.library import Library

    folder = folder_of(log)
    if not folder.is_dir():
        return []
    found = Library.open(folder)
    out = []
    for medium in found.media():
        if medium.kind in KINDS:
            try:
                path = found.path(medium.name)
            except KioskError:
                continue
            out.append(Kept(path, medium.kind, medium.deal, medium.trick, medium.seat, medium.t0, medium.t1))
    return sorted(out, key=lambda item: (item.t0 or 0.0, item.path.name))


def protect(log: Path, question: Question) -> int:
    """Let retention never take the video of what an appeal is about; gives how many files are kept for it."""
    from kiosk.recording import folder_of
    from kiosk.recording.library import Library

    folder = folder_of(log)
    times = [(item.t0, item.t1) for item in kept(log) if item.deal == question.deal and (not question.tricks or item.trick in question.tricks)]
    found = [(t0, t1) for t0, t1 in times if t0 is not None and t1 is not None]
    return Library.open(folder).protect(min(t0 for t0, _ in found), max(t1 for _, t1 in found)) if found else 0
