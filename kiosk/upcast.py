"""Rows of older forms, brought to the present one a step at a time.

The form of a log's rows is its ``PRAGMA user_version``: 1 held names in the rows, 2 holds tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kiosk.names import Names

FORM: Final = 2


def _names_to_tokens(body: Mapping[str, Any], names: Names) -> dict[str, Any]:
    return names.close(body)


UPCASTERS: Final[Mapping[int, Callable[[Mapping[str, Any], Names], dict[str, Any]]]] = {1: _names_to_tokens}
"""By the form that a step takes; it gives the next."""


def lift(body: Mapping[str, Any], form: int, names: Names) -> dict[str, Any]:
    """Bring a row's body to :data:`FORM`.

    :param names: takes the names that leave the body.
    :raises ValueError: when the form is newer than this program's.
    """
    if form > FORM:
        raise ValueError(f"a row of form {form}; this program knows forms up to {FORM}")
    out = dict(body)
    for step in range(form, FORM):
        out = UPCASTERS[step](out, names)
    return out
