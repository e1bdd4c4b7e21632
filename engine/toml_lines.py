"""On which line of a TOML text each key stands: the standard reader does not say, and an error should."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

_HEADER: Final = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY: Final = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART: Final = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+)\s*""")


def _parts(dotted: str) -> list[str]:
    """The parts of a dotted key, without quotes."""
    return [part.strip("\"'") for part in _PART.findall(dotted)]


class _Value:
    """Follows brackets and strings through the text of one value, to know where it ends and where its elements begin."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.depth = 0
        self.quote = ""
        self.element = -1
        self.fresh = False

    def feed(self, text: str, number: int, lines: dict[str, int]) -> bool:
        """Read on; true when the value goes on in the next line."""
        i = 0
        while i < len(text):
            char = text[i]
            if self.quote:
                if char == "\\" and self.quote[0] == '"':
                    i += 2
                    continue
                if text.startswith(self.quote, i):
                    i += len(self.quote)
                    self.quote = ""
                    continue
                i += 1
                continue
            if char == "#":
                break
            if self.fresh and self.depth == 1 and not char.isspace() and char not in ",]":
                self.element += 1
                self.fresh = False
                lines.setdefault(f"{self.key}[{self.element}]", number)
            if char in "\"'":
                self.quote = char * 3 if text.startswith(char * 3, i) else char
                i += len(self.quote)
                continue
            if char in "[{":
                self.depth += 1
                self.fresh = self.depth == 1 and char == "["
            elif char in "]}":
                self.depth -= 1
            elif char == "," and self.depth == 1:
                self.fresh = True
            i += 1
        return self.depth > 0 or len(self.quote) == 3


def key_lines(text: str) -> Mapping[str, int]:
    """Map each dotted key and table to its line, from 1; ``key[i]`` is the i-th element of an array."""
    lines: dict[str, int] = {}
    table: list[str] = []
    value: _Value | None = None
    repeated: Counter[str] = Counter()
    for number, line in enumerate(text.splitlines(), 1):
        if value is not None:
            if not value.feed(line, number, lines):
                value = None
            continue
        if header := _HEADER.match(line):
            table = _parts(header.group(1))
            name = ".".join(table)
            lines.setdefault(name, number)
            if line.lstrip().startswith("[["):
                repeated[name] += 1
                table[-1] = f"{table[-1]}[{repeated[name] - 1}]"
                lines.setdefault(".".join(table), number)
        elif found := _KEY.match(line):
            parts = table + _parts(found.group(1))
            for end in range(1, len(parts) + 1):
                lines.setdefault(".".join(parts[:end]), number)
            value = _Value(".".join(parts))
            if not value.feed(line[found.end() :], number, lines):
                value = None
    return lines
