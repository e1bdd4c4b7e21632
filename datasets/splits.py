"""What is held out of training (``datasets/splits.toml``)."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any, Literal


@functools.cache
def _table() -> dict[str, Any]:
    return tomllib.loads((resources.files("datasets") / "splits.toml").read_text("utf-8"))


def split(part: Literal["train", "held_out"], key: str) -> tuple[str, ...]:
    """The names that belong to a part: of ``decks``, ``court_decks`` or ``photos``."""
    return tuple(str(name) for name in _table()[part][key])


def seeds(part: Literal["train", "held_out"], key: str) -> range:
    """The seeds that belong to a part: of ``drawn_seeds`` or ``film_seeds``."""
    first, end = _table()[part][key]
    return range(first, end)
