"""What the verbs on recorded matches share: where they lie, and errors in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from engine.referee import MatchState
    from kiosk.export.bundle import Kept
    from kiosk.review.library import Library
    from kiosk.review.logs import Log

Match = Annotated[str, typer.Argument(help="A match: its name or the beginning of it, `last`, or a log file (.db). 比赛")]
Folder = Annotated[Path | None, typer.Option("--in", help="The folder of the logs (default: the user's data directory). 记录所在的文件夹")]


@contextmanager
def library(folder: Path | None, *, make: bool = False) -> Iterator[Library]:
    """The matches of a folder.

    :param make: where there is no such folder, make it.
    :raises kiosk.errors.NotFoundError: when a folder was named that is not there.
    """
    from kiosk.errors import NotFoundError
    from kiosk.paths import data_dir
    from kiosk.review.library import Library

    if folder is not None and not make and not folder.is_dir():
        raise NotFoundError(f"没有文件夹 {folder}", f"there is no folder {folder}")
    found = Library.open(folder or data_dir())
    try:
        yield found
    finally:
        found.close()


CANNOT: Final = 2
"""Exit status of what cannot be done: there is no such match, file or folder, or it cannot be read or written."""


def guarded(action: Callable[[], None]) -> None:
    """Run, turning what the user must know into one sentence and exit status 2."""
    from engine.rulebook_toml import RulebookError
    from kiosk.errors import KioskError

    try:
        action()
    except FileNotFoundError as error:
        typer.echo(f"没有文件 {error.filename}  /  there is no file {error.filename}", err=True)
        raise typer.Exit(CANNOT) from error
    except (KioskError, RulebookError, OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(CANNOT) from error


def opened(folder: Path | None, match: str) -> tuple[Log, MatchState, Path]:
    """The log of a match, its state and its file.

    :raises KioskError: when there is none.
    """
    from engine import referee
    from kiosk.review.logs import read_log
    from kiosk.rulebooks import rulebook_of

    if match.endswith(".db") and Path(match).is_file():
        path = Path(match)
    else:
        with library(folder) as found:
            path = found.find(match)
    log = read_log(path)
    if not log.entries:
        from kiosk.errors import NotFoundError

        raise NotFoundError(f"{path} 里没有比赛", f"there is no match in {path}")
    return log, referee.fold(log.events, rulebook_of(path, log.rulebook)), path


def kept(path: Path) -> list[Kept]:
    """The pictures and clips of a log."""
    from kiosk.review.media import kept as found

    return found(path)
