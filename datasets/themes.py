"""Themes of scenes: which ways to lie, seen how, with what around; each theme for training has its own shards, so that they can be weighed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from datasets import game_layout, layout


@dataclass(frozen=True, slots=True)
class Theme:
    """A kind of scenes.

    :ivar name: first part of the shards' names for training.
    :ivar held_name: the same for the shards that training never sees.
    :ivar kinds: ways to lie.
    :ivar tilts: how often the camera looks straight down, leans (to 32 degrees), looks from the side (to 58 degrees).
    :ivar clutter: how often things lie about, and how many at most.
    :ivar hands: how often hands reach in.
    :ivar poor: how often the picture is taken in poor light, or badly focused.
    :ivar rich: how often the deck is a drawn one with any habit of jokers.
    :ivar same_deck: how many neighbouring scenes for training share a deck.
    :ivar clear: taken in focus and in ordinary light; an index is labelled only when all of it is seen.
    """

    name: str
    held_name: str
    kinds: layout.Kinds
    tilts: tuple[float, float, float] = (0.5, 0.33, 0.17)
    clutter: tuple[float, int] = (0.3, 5)
    hands: float = 0.25
    poor: float = 0.0
    rich: float = 0.0
    same_deck: int = 10
    clear: bool = False


MIXED: Final = Theme("train", "held_out", layout.KINDS)
"""Anything: plays, fans, heaps, spreads, close-ups."""
GAME: Final = Theme("game", "held_out_game", game_layout.GAME, tilts=(0.78, 0.2, 0.02), clutter=(0.35, 4), poor=0.3)
"""A game as the camera above the table sees it."""
JOKERS: Final = Theme("jokers", "held_out_jokers", game_layout.JOKERS, clutter=(0.2, 3), poor=0.15, rich=0.8, same_deck=2)
"""Jokers of all styles, of many decks."""
EMPTY: Final = Theme("empty", "held_out_empty", game_layout.EMPTY, clutter=(1.0, 14), hands=0.35, poor=0.1)
"""No face at all: writing, other games' cards, things, hands, backs."""
CLEAR: Final = Theme("clear", "held_out_clear", layout.KINDS, tilts=(0.65, 0.35, 0.0), clear=True)
"""Anything, so that a person reads it at once; for measuring only."""
THEMES: Final = (MIXED, GAME, JOKERS, EMPTY)
