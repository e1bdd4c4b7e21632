"""The chain that ties the rows of a log together."""

from __future__ import annotations

import hashlib
from typing import Final

ROOT: Final = "0" * 64
"""The hash before the first row."""


def chain(previous: str, seq: int, at: str, author: str, body: str) -> str:
    """The hash of a row: SHA-256 over the hash before it and everything that the row says."""
    return hashlib.sha256("\n".join((previous, str(seq), at, author, body)).encode()).hexdigest()
