"""What is kept and for how long: continuous video goes first, tricks later, evidence and the log never."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kiosk.recording.folder import SUFFIX
from kiosk.recording.index import EVIDENCE, TRICK, VIDEO, Index, Medium

GB: Final = 1_000_000_000
HOUR: Final = 3600.0
_UNITS: Final = {"h": HOUR, "d": 24 * HOUR, "w": 7 * 24 * HOUR}
_SIZES: Final = {"MB": GB // 1000, "GB": GB, "TB": GB * 1000}
_PART: Final = re.compile(r"(video|tricks)=(\d+(?:\.\d+)?)(h|d|w)|(disk|free)=(\d+(?:\.\d+)?)(MB|GB|TB)")


class KeepError(ValueError):
    """A text that says nothing about what to keep; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Keep:
    """How long continuous video and tricks are kept (s), the most that all video may take, and what must stay free on the disk (bytes).

    Below half of ``free`` video stops, so that the log always has room.
    """

    video: float = 72 * HOUR
    tricks: float = 90 * 24 * HOUR
    disk: int | None = None
    free: int = 2 * GB


def parse_keep(text: str) -> Keep:
    """Read ``video=3d,tricks=90d,disk=200GB,free=2GB``; each part may be left out.

    :raises KeepError: naming the part that is not understood.
    """
    keep = Keep()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        found = _PART.fullmatch(part)
        if found is None:
            raise KeepError(f"{part!r}: expected video=3d, tricks=90d (h, d, w), disk=200GB or free=2GB (MB, GB, TB)")
        if found[1]:
            seconds = float(found[2]) * _UNITS[found[3]]
            keep = replace(keep, video=seconds) if found[1] == "video" else replace(keep, tricks=seconds)
        else:
            size = round(float(found[5]) * _SIZES[found[6]])
            keep = replace(keep, disk=size) if found[4] == "disk" else replace(keep, free=size)
    return keep


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that retention looks at: where it lies, and whether it belongs to the match that is running."""

    folder: Path
    medium: Medium
    running: bool


def surplus(files: Sequence[Kept], keep: Keep, now: float, free: int) -> list[Kept]:
    """What has to go, in this order; pure.

    The running match loses nothing by age, so that a clock that jumps takes nothing from it; only for want of room.

    :param now: s since 1970. :param free: bytes free on the disk now.
    """
    gone: list[Kept] = []
    total = sum(file.medium.size for file in files)
    for tier, age in ((VIDEO, keep.video), (TRICK, keep.tricks)):
        mine = sorted((file for file in files if file.medium.tier == tier), key=lambda file: (file.running, file.medium.at, file.medium.t0))
        for file in mine:
            old = not file.running and now - file.medium.at > age
            short = free < keep.free or (keep.disk is not None and total > keep.disk)
            if old or short:
                gone.append(file)
                total -= file.medium.size
                free += file.medium.size
    return gone


class Keeper:
    """Applies retention to a running match's folder and those of earlier matches beside it."""

    def __init__(self, index: Index, keep: Keep, *, free: Callable[[Path], int] | None = None) -> None:
        self._index = index
        self.keep = keep
        self._free = free or (lambda folder: shutil.disk_usage(folder).free)

    def free(self) -> int:
        """Bytes free on the disk that the video lies on."""
        return self._free(self._index.folder)

    def room(self) -> bool:
        """Whether video may be written."""
        return self.free() >= self.keep.free // 2

    def apply(self, now: float) -> list[str]:
        """Delete what has to go; gives the names. A folder or file that cannot be looked at is left."""
        files = [Kept(self._index.folder, medium, running=True) for medium in self._index.media()]
        others = dict(self._others())
        try:
            for folder, index in others.items():
                files += [Kept(folder, medium, running=False) for medium in index.media()]
            gone = []
            for file in surplus([file for file in files if file.medium.tier != EVIDENCE], self._rest(files), now, self.free()):
                try:
                    (file.folder / file.medium.name).unlink(missing_ok=True)
                except OSError:
                    continue
                others.get(file.folder, self._index).remove([file.medium.name])
                gone.append(file.medium.name)
            return gone
        finally:
            for index in others.values():
                index.close()

    def _rest(self, files: Iterable[Kept]) -> Keep:
        """What the budget leaves for files that may go: evidence counts against it."""
        if self.keep.disk is None:
            return self.keep
        evidence = sum(file.medium.size for file in files if file.medium.tier == EVIDENCE)
        return replace(self.keep, disk=max(0, self.keep.disk - evidence))

    def _others(self) -> Iterable[tuple[Path, Index]]:
        import sqlite3

        for folder in sorted(self._index.folder.parent.glob(f"*{SUFFIX}")):
            if folder.is_dir() and folder != self._index.folder:
                try:
                    yield folder, Index.open(folder)
                except (OSError, sqlite3.Error):
                    continue
