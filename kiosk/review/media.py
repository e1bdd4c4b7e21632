"""Pictures and clips of a recorded match, as the recorder left them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kiosk.errors import KioskError
from kiosk.export.bundle import Kept

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
