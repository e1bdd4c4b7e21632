"""The film that comes with the program, so that the demonstration starts at once: a whole quick deal with a planted revoke."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from datasets.film.layout import Habit
from datasets.film.make import FilmOrder

DEMO: Final = FilmOrder(
    seed=86,
    art="npm/younestouati",
    habit=Habit.TURN,
    offences=1,
    pace=0.75,
    per_reach=4,
    quality=30,
    preset="veryfast",
)
"""How it was rendered."""


def demo_folder() -> Path:
    """The folder of the film that comes with the program, for ``trickwatch watch``."""
    return Path(str(files("datasets") / "demo"))
