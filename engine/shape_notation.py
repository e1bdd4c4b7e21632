"""The short notation of shapes in a rulebook: units ``WxL``, rungs ``2x2+2x1*2 | 3x1*2``, upsets ``3xN > 2xN``."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_UNIT: Final = re.compile(r"^(\d{1,3})x(\d{1,3}|N)(?:\*(\d{1,3}))?$")

ANY_LENGTH: Final = 0
"""The length of a pattern's unit that stands for any length (``N``)."""


class Unit(NamedTuple):
    """So many equal cards (``width``), so many neighbours in a row (``length``); ``length`` 0 in a pattern is any."""

    width: int
    length: int

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.width * self.length

    def __str__(self) -> str:
        return f"{self.width}x{self.length or 'N'}"


class Upset(NamedTuple):
    """A shape that beats another one of the same number of cards."""

    winner: Unit
    loser: Unit


class ShapeNotationError(ValueError):
    """A text that is no unit, rung or upset; the message says what was expected."""


def parse_units(text: str, *, pattern: bool = False) -> tuple[Unit, ...]:
    """Read a rung: units joined by ``+``, each perhaps several times (``2x1*3``).

    :param pattern: admit ``N`` for any length.
    :raises ShapeNotationError: when a part is no unit.
    """
    units: list[Unit] = []
    for part in text.replace(" ", "").split("+"):
        found = _UNIT.match(part)
        if not found or (found.group(2) == "N" and not pattern) or "0" in (found.group(1), found.group(2), found.group(3)):
            raise ShapeNotationError(f"not a shape: {part!r}; expected WIDTHxLENGTH like 2x1 (pair) or 3x2, perhaps *TIMES, joined by +")
        length = ANY_LENGTH if found.group(2) == "N" else int(found.group(2))
        units += [Unit(int(found.group(1)), length)] * int(found.group(3) or 1)
    return tuple(units)


def parse_rung(text: str) -> tuple[tuple[Unit, ...], ...]:
    """Read a rung of a ladder: one form, or several of equal worth joined by ``|``.

    :raises ShapeNotationError: when a part is no unit.
    """
    return tuple(parse_units(form) for form in text.split("|"))


def parse_unit(text: str, *, pattern: bool = False) -> Unit:
    """Read one unit.

    :raises ShapeNotationError: when it is none.
    """
    units = parse_units(text, pattern=pattern)
    if len(units) != 1:
        raise ShapeNotationError(f"not one shape: {text!r}; expected WIDTHxLENGTH like 2x2")
    return units[0]


def parse_upset(text: str) -> Upset:
    """Read ``3xN > 2xN`` or ``4x1 > 2x2``.

    :raises ShapeNotationError: when it is none.
    """
    winner, sign, loser = text.partition(">")
    if not sign:
        raise ShapeNotationError(f"not an upset: {text!r}; expected WINNER > LOSER like 3xN > 2xN")
    return Upset(parse_unit(winner.strip(), pattern=True), parse_unit(loser.strip(), pattern=True))
