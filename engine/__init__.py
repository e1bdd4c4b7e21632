"""The rules of Shengji: pure, typed, without clock, camera or database."""

from typing import Final

__version__: Final = "0.1.0"
"""The version of the whole program; every room may name it."""
