"""Names of persons, kept apart from what is chained.

A row of the log says ``"names": {"E": "#3fa9c2d1"}``; which name the token stands for lies in a table of its own, so that a name
can be changed or deleted and the chain stays whole.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

_TOKEN: Final = re.compile(r"#[0-9a-f]{8}")
_FIELD: Final = "names"
_NESTED: Final = "fact"
"""An entry about a fact that was not taken carries the fact."""


def pack(body: Mapping[str, Any]) -> str:
    """The text of a body as it is chained."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def is_token(text: object) -> bool:
    """Whether a text is a token."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


class Names:
    """Tokens of a log and what they stand for; ``new`` are those given out since it was made."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self._names = dict(known or {})
        self._tokens = {name: token for token, name in self._names.items()}
        self.new: dict[str, str] = {}

    @property
    def known(self) -> Mapping[str, str]:
        """Names by token."""
        return self._names

    def token(self, name: str) -> str:
        """The token of a name, a new one where it has none; one person has one in a log."""
        found = self._tokens.get(name)
        while found is None:
            candidate = f"#{secrets.token_hex(4)}"
            if candidate not in self._names:
                found = candidate
                self._names[found] = name
                self._tokens[name] = found
                self.new[found] = name
        return found

    def name(self, token: str) -> str | None:
        """What a token stands for; None when the name was deleted."""
        return self._names.get(token)

    def close(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A body with tokens in the place of names."""
        return _mapped(body, self.token)

    def open(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A body with names in the place of tokens; a deleted name is left out."""
        return _mapped(body, lambda text: self.name(text) if is_token(text) else text)


def _mapped(body: Mapping[str, Any], change: Callable[[str], str | None]) -> dict[str, Any]:
    out = dict(body)
    names = out.get(_FIELD)
    if isinstance(names, Mapping):
        changed = {seat: change(text) if isinstance(text, str) and text else text for seat, text in names.items()}
        out[_FIELD] = {seat: text for seat, text in changed.items() if text is not None}
    nested = out.get(_NESTED)
    if isinstance(nested, Mapping):
        out[_NESTED] = _mapped(nested, change)
    return out
