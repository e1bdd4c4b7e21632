"""Which of a picture's jokers is which: the little and the big one of a deck differ in colour, and by those beside it a joker is told more surely.

One by itself is judged by what most decks print: the big one in red or in colours. But some decks' little joker is brown, some pictures are grey;
then all jokers of the picture look more, or less, like a big one than usual, and the two kinds still differ among themselves.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.detector import Floats
from vision.reader import JOKERS

_BOTH: Final = 0.3
"""Finds less likely to be a joker than this have no say."""
_APART: Final = 2.6
_SPREAD: Final = 2.5
_OFFSET: Final = 1.3
"""Log odds of the big joker: how far a big and a little one are from the middle of their deck, how much one differs from another of its kind in one
picture, and how far that middle is from zero (standard deviations); those of some tried that told the jokers of 280 held-out scenes best."""
_MOST: Final = 7.0
"""More a reader's word does not count (log odds)."""
_ODD: Final = 0.01
"""How often a joker looks like neither."""
_MIDDLES: Final = np.linspace(-6.0, 6.0, 49)


def told_apart(read: Floats) -> Floats:
    """What the reader says of N indices (Nx55) when its jokers are seen beside each other: only how a joker's share is parted changes."""
    little, big = (read[:, column].astype(np.float64) for column in JOKERS)
    joker = np.flatnonzero(little + big > _BOTH)
    if len(joker) < 2:
        return read
    said = np.clip(np.log(np.maximum(big[joker], 1e-6) / np.maximum(little[joker], 1e-6)), -_MOST, _MOST)
    off = said[:, None] - _MIDDLES[None]
    fits = np.stack([-((off + sign * _APART) ** 2) / (2 * _SPREAD**2) for sign in (1, -1)])
    fits = np.logaddexp(fits, np.log(_ODD) - np.log(2 * _MOST))
    either = np.logaddexp(fits[0], fits[1])
    middle = either.sum(0) - _MIDDLES**2 / (2 * _OFFSET**2)
    weight = np.exp(middle - middle.max())
    share = (np.exp(fits[1] - either) * weight).sum(1) / weight.sum()
    out = read.copy()
    both = little[joker] + big[joker]
    out[joker, JOKERS[0]], out[joker, JOKERS[1]] = both * (1 - share), both * share
    return out
