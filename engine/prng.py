"""A small seeded generator (splitmix64): the same seed gives the same deal on every machine and every Python."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final, TypeVar

_MASK: Final = (1 << 64) - 1
T = TypeVar("T")


class SplitMix64:
    """A stream of 64-bit numbers from a seed; not for secrets."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next64(self) -> int:
        """The next number, 0 .. 2**64 - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """A number in [0, 1)."""
        return (self.next64() >> 11) / (1 << 53)

    def randrange(self, stop: int) -> int:
        """A whole number in [0, stop).

        :raises ValueError: when ``stop`` is not positive.
        """
        if stop <= 0:
            raise ValueError(f"randrange needs a positive stop, got {stop}")
        limit = (1 << 64) - (1 << 64) % stop
        while True:
            number = self.next64()
            if number < limit:
                return number % stop

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.randrange(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in a random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.randrange(i + 1)
            items[i], items[j] = items[j], items[i]

    def fork(self, label: int) -> SplitMix64:
        """A second stream that does not depend on how much of this one is used later."""
        return SplitMix64(self.next64() ^ (label * 0xD1342543DE82EF95 & _MASK))
