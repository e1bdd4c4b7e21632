"""The rulebook of a log: a preset by its name, or files that lie beside the log.

A match that was begun by a rulebook file, or came from elsewhere with one, has a folder beside its log (``table.rules/`` beside
``table.db``) with that file and those that it inherits from, so that the same events give the same state later and on every machine,
whatever becomes of the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from engine.rulebook import Rulebook
from engine.rulebook_toml import PRESETS, find, load
from kiosk.errors import StoreError

SUFFIX: Final = ".rules"
_NOTE: Final = "rulebook.json"
_MOST: Final = 8


def folder_of(log: Path) -> Path:
    """The folder with the rulebook of a log; it need not exist."""
    return log.with_suffix(SUFFIX)


def files(name_or_path: str | Path) -> dict[str, bytes]:
    """A rulebook's file and those that it inherits from by their names, the rulebook's own first.

    :raises engine.rulebook_toml.RulebookError: when one of them is not here.
    """
    out: dict[str, bytes] = {}
    path = find(name_or_path)
    while path.name not in out and len(out) < _MOST:
        out[path.name] = path.read_bytes()
        try:
            parent = tomllib.loads(out[path.name].decode()).get("inherits")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):  # what is wrong with it is said by who loads it
            return out
        if not isinstance(parent, str):
            return out
        beside = path.with_name(f"{parent}.toml")
        path = beside if beside.is_file() else find(parent)
    return out


def digest_of(found: Mapping[str, bytes]) -> str:
    """One check value for several files."""
    return hashlib.sha256(b"".join(hashlib.sha256(found[name]).digest() for name in sorted(found))).hexdigest()


def keep(log: Path, name: str, found: Mapping[str, bytes]) -> None:
    """Put a rulebook's files (its own first) beside a log whose match names it so.

    :raises OSError: when they cannot be written.
    """
    folder = folder_of(log)
    if folder.is_dir():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for file, content in found.items():
        (folder / file).write_bytes(content)
    (folder / _NOTE).write_text(json.dumps({"rulebook": name, "file": next(iter(found))}, ensure_ascii=False), "utf-8")


def kept(log: Path, name: str) -> Path | None:
    """The file beside a log of the rulebook that its match names so; None where none lies there."""
    folder = folder_of(log)
    try:
        note = json.loads((folder / _NOTE).read_text("utf-8"))
        path = folder / Path(str(note["file"])).name
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return path if note["rulebook"] == name and path.is_file() else None


def files_of(log: Path, name: str) -> dict[str, bytes]:
    """The files of a log's rulebook, own first: those beside it, else this machine's.

    :raises engine.rulebook_toml.RulebookError: when there are none.
    """
    return files(kept(log, name) or name)


def rulebook_of(log: Path, name: str) -> Rulebook:
    """The rulebook that the match of a log names so: the one beside the log, else this machine's.

    :raises engine.rulebook_toml.RulebookError: when there is none, or it cannot be used.
    """
    return load(kept(log, name) or name)


def rulebooks_of(log: Path) -> Callable[[str], Rulebook]:
    """Rulebooks for a table that writes this log; a file that is none of the presets is kept beside the log when it is first played by.

    :raises StoreError: (the given function) when it cannot be kept there.
    """

    def rulebook(name: str) -> Rulebook:
        found = rulebook_of(log, name)
        if kept(log, name) is None and find(name).parent != PRESETS:
            try:
                keep(log, name, files(name))
            except OSError as error:
                folder = folder_of(log)
                raise StoreError(f"无法把规则存到 {folder}（{error}）", f"the rulebook cannot be kept in {folder} ({error})") from error
        return found

    return rulebook


def move(log: Path, to: Path) -> None:
    """Take a log's rulebook along when the log is moved; one that is not there is no fault.

    :raises OSError: when it cannot be moved.
    """
    with contextlib.suppress(FileNotFoundError):
        folder_of(log).rename(folder_of(to))
