"""A suite of films described as data: which films there are, which of them are whole, and making those that are not."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from datasets.film.camera import Model
from datasets.film.layout import Habit
from datasets.film.light import Light
from datasets.film.make import FilmOrder, make_film
from datasets.film.style import Mishap, Quirk
from engine.cards import Seat
from engine.offences import Offence


class SuiteError(ValueError):
    """A suite's description that cannot be used; the message names the file, the film and the key."""


@dataclass(frozen=True, slots=True)
class SuiteFilm:
    """One film of a suite: its name (a folder's) and what it is."""

    name: str
    order: FilmOrder


def suite_file() -> Path:
    """The description of the suite that comes with the program."""
    return Path(str(files("datasets") / "film" / "suite.toml"))


_ONE: Mapping[str, type[Any]] = {"habit": Habit, "light": Light, "camera": Model, "mishap": Mishap}
_MANY: Mapping[str, type[Any]] = {"quirks": Quirk, "kinds": Offence}


def order_from(data: Mapping[str, Any], where: str) -> FilmOrder:
    """Read an order from plain values (a TOML table or ``table.json``'s ``film``).

    :raises SuiteError: naming the key that is unknown or wrong.
    """
    known = {f.name for f in fields(FilmOrder)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            raise SuiteError(f"{where}: unknown key {key!r}; expected one of {', '.join(sorted(known))}")
        try:
            if key in _ONE:
                values[key] = _ONE[key](value)
            elif key in _MANY:
                values[key] = tuple(_MANY[key](v) for v in value)
            elif key == "levels":
                values[key] = {str(team): str(level) for team, level in dict(value).items()}
            elif key == "declarer":
                values[key] = Seat(value) if value is not None else None
            else:
                values[key] = tuple(value) if isinstance(value, list) else value
        except ValueError as error:
            raise SuiteError(f"{where}: {key} = {value!r}: {error}") from None
    try:
        return FilmOrder(**values)
    except ValueError as error:
        raise SuiteError(f"{where}: {error}") from None


def load_suite(path: Path | None = None) -> tuple[SuiteFilm, ...]:
    """Read a suite's description: a table ``[defaults]`` and one table ``[film.NAME]`` a film, in the order in which they are made.

    :raises SuiteError: when it cannot be read or a film is described wrongly.
    """
    source = path if path is not None else suite_file()
    try:
        data = tomllib.loads(source.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SuiteError(f"{source}: {error}") from None
    defaults, films = data.get("defaults", {}), data.get("film", {})
    if not films:
        raise SuiteError(f"{source}: no films; expected tables [film.NAME]")
    return tuple(SuiteFilm(name, order_from({**defaults, **film}, f"{source}, film {name}")) for name, film in films.items())


def is_whole(film: SuiteFilm, folder: Path) -> bool:
    """Whether a film lies in its folder as it is ordered now."""
    table = folder / film.name / "table.json"
    try:
        made = order_from(json.loads(table.read_text(encoding="utf-8"))["film"], str(table))
    except (OSError, ValueError, KeyError):
        return False
    return made == film.order and (folder / film.name / "film.mp4").is_file()


def make_suite(
    suite: Collection[SuiteFilm], folder: Path, begin: Callable[[SuiteFilm, bool], Callable[[int, int], None] | None] | None = None
) -> None:
    """Render the films of a suite that are not whole yet, each into its own folder.

    :param begin: called with each film and whether it is whole already; gives what is told the frames done and in all.
    :raises datasets.art.ArtError: when card art cannot be had. :raises OSError: when a folder cannot be written.
    """
    for film in suite:
        whole = is_whole(film, folder)
        progress = begin(film, whole) if begin is not None else None
        if not whole:
            make_film(film.order, folder / film.name, progress)
