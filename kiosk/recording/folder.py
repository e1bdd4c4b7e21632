"""Where a log's video lies, and how its files are named.

Beside ``table.db`` lies ``table.video/``: ``seg-000012345.mp4`` (continuous, from 12.345 s of the table's clock), ``d01-t07.mp4`` (a
trick), ``d01-t07-E.jpg`` (a play: the playing area), ``d01-t07-E.play.jpg`` (only its cards), ``d01-t07-E.thumb.jpg``, ``d01-bottom.jpg``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

SUFFIX: Final = ".video"
PART: Final = ".part"
"""A segment that is still being written."""
_PLACE: Final = ".place"

_NAMES: Final = re.compile(
    r"seg-(?P<ms>\d{9,12})\.mp4|d(?P<deal>\d{2,5})-(?:t(?P<trick>\d{2,3})(?:-(?P<seat>[ENWS]))?|(?P<bottom>bottom))(?:\.(?P<form>play|thumb))?\.(?P<end>mp4|jpg)"
)


@dataclass(frozen=True, slots=True)
class Name:
    """What a file's name says; a segment has only ``t0`` (s)."""

    kind: str
    deal: int = 0
    trick: int = 0
    seat: str = ""
    t0: float = 0.0


def parse_name(name: str) -> Name | None:
    """What the name of a media file says, or None when it is none."""
    found = _NAMES.fullmatch(name)
    if found is None:
        return None
    if found["ms"]:
        return Name("segment", t0=int(found["ms"]) / 1000)
    kind = "clip" if found["end"] == "mp4" else found["form"] or "still"
    if (kind == "clip") != (found["trick"] is not None and found["seat"] is None):
        return None
    return Name(kind, int(found["deal"]), int(found["trick"] or 0), found["seat"] or "")


def segment_name(t0: float) -> str:
    """The file of the segment that begins at ``t0`` (s)."""
    return f"seg-{max(0, round(t0 * 1000)):09d}.mp4"


def clip_name(deal: int, trick: int) -> str:
    """The file of a trick's clip."""
    return f"d{deal:02d}-t{trick:02d}.mp4"


def still_name(deal: int, trick: int, seat: str, form: str = "") -> str:
    """The file of a play's picture, or of the bottom's (trick 0); ``form`` is empty, ``play`` or ``thumb``."""
    what = f"t{trick:02d}-{seat}" if trick else "bottom"
    return f"d{deal:02d}-{what}{'.' + form if form else ''}.jpg"


def folder_of(db: Path) -> Path:
    """The folder with a log's video: beside it, or where ``--video`` put it. It need not exist."""
    note = db.with_suffix(_PLACE)
    try:
        return Path(json.loads(note.read_text("utf-8"))["video"])
    except (OSError, ValueError, KeyError, TypeError):
        return db.with_suffix(SUFFIX)


def place(db: Path, base: Path | None) -> Path:
    """Choose where a log's video goes: into a folder of its own below ``base`` (remembered beside the log), or beside the log."""
    note = db.with_suffix(_PLACE)
    if base is None:
        return folder_of(db)
    folder = (base / db.with_suffix(SUFFIX).name).absolute()
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps({"video": str(folder)}), "utf-8")
    return folder


def set_aside(db: Path) -> Path | None:
    """Move a log, its video and its rulebook aside under the log's time, so that another match can begin; gives the log's new place.

    The log must be closed. None when there is no log.

    :raises OSError: when it cannot be moved.
    :raises kiosk.errors.StoreError: when the log cannot be opened.
    """
    if not db.exists():
        return None
    from kiosk import rulebooks
    from kiosk.store import Store

    Store.open(db).close()  # folds the journal into the file
    stem = f"{db.stem}-{datetime.fromtimestamp(db.stat().st_mtime).astimezone():%Y%m%d-%H%M%S}"
    kept, number = db.with_name(f"{stem}{db.suffix}"), 1
    while kept.exists():
        number += 1
        kept = db.with_name(f"{stem}-{number}{db.suffix}")
    video = folder_of(db)
    note = db.with_suffix(_PLACE)
    db.rename(kept)
    rulebooks.move(db, kept)
    if video.is_dir():
        moved = video.with_name(kept.with_suffix(SUFFIX).name)
        video.rename(moved)
        if note.exists():
            note.unlink()
            kept.with_suffix(_PLACE).write_text(json.dumps({"video": str(moved)}), "utf-8")
    return kept
