"""Named departures from a rulebook: another number of packs, and the policies by which online tables vary their game.

A departure never looks at the rulebook's name; it only replaces values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.rulebook import Band, Rulebook, Scoring
from engine.rulebook_check import POINT_STEP, contradictions
from engine.rulebook_terms import Bombs, Principle, Side, ThrowRuffs

_PACK: Final = 54
_SEATS: Final = 4
_SMALL_BOTTOM: Final = 6
_LARGE_BOTTOM: Final = 8

DRAWS: Final[Mapping[str, tuple[Principle, bool, bool]]] = {
    "no_protections": (Principle.SHAPE, False, False),
    "longer_protected": (Principle.SHAPE, True, False),
    "tractor_only": (Principle.SHAPE, False, True),
    "longer_protected_and_tractor_only": (Principle.SHAPE, True, True),
    "no_format_draw": (Principle.SUIT, False, False),
}
"""What a follow owes, by name: the principle, whether wider units are protected, whether only tractors are owed to tractors."""


class PolicyError(ValueError):
    """A departure that is not known or has a wrong value; the message says which and what was expected."""


def depart(rules: Rulebook, *, decks: int | None = None, policy: Mapping[str, Any] | None = None) -> Rulebook:
    """The rulebook with another number of packs and with named policies (``draw``, ``throw_eval``, ``bomb``, ``tractor``, ``scoring``).

    :raises PolicyError: when a policy or its value is not known, or the result contradicts itself.
    """
    if decks is not None and decks != rules.pack.decks:
        rules = with_decks(rules, decks)
    for name, value in (policy or {}).items():
        change = _CHANGES.get(name)
        if change is None:
            raise PolicyError(f"policy {name!r} is not known; expected one of {', '.join(_CHANGES)}")
        rules = change(rules, value)
    for key, _, problem in contradictions(rules):
        raise PolicyError(f"the departure contradicts itself: {key}: {problem}")
    return rules


def with_decks(rules: Rulebook, decks: int) -> Rulebook:
    """The same rules with another number of packs: the bottom makes the hands even, and the result table grows with the points.

    :raises PolicyError: when ``decks`` is not positive.
    """
    if type(decks) is not int or decks < 1:
        raise PolicyError(f"decks is {decks!r}; expected a whole number from 1")
    cards = decks * _PACK
    bottom = rules.pack.bottom
    if (cards - bottom) % _SEATS:
        bottom = _SMALL_BOTTOM if (cards - _SMALL_BOTTOM) % _SEATS == 0 else _LARGE_BOTTOM
    pack = replace(rules.pack, decks=decks, bottom=bottom, hand=(cards - bottom) // _SEATS)
    old = rules.pack.decks
    counts = [rung for rung in rules.declaring.ladder if int(rung.rpartition("*")[2]) <= decks]
    for count in range(old + 1, decks + 1):
        at = 1 + max((i for i, rung in enumerate(counts) if rung.startswith("level*")), default=-1)
        counts.insert(at, f"level*{count}")
    stirs = tuple(rung for rung in rules.declaring.stir_ladder if int(rung.rpartition("*")[2]) <= decks)
    return replace(
        rules,
        pack=pack,
        declaring=replace(rules.declaring, ladder=tuple(counts), stir_ladder=stirs),
        shapes=replace(rules.shapes, max_width=decks),
        scoring=Scoring(bands=tuple(_scaled(rules.scoring.bands, old, decks))),
    )


def _scaled(bands: tuple[Band, ...], old: int, new: int) -> list[Band]:
    """A result table whose thresholds grow with the number of packs."""

    def threshold(points: int) -> int:
        return round(points * new / old / POINT_STEP) * POINT_STEP

    out: list[Band] = []
    for i, band in enumerate(bands):
        above = bands[i + 1].low if i + 1 < len(bands) else None
        low = None if band.low is None else band.low if band.low == POINT_STEP else threshold(band.low)
        high = None if above is None else (above if above == POINT_STEP else threshold(above)) - POINT_STEP
        start = None if band.start is None else threshold(band.start)
        out.append(replace(band, low=low, high=high, every=threshold(band.every), start=start))
    return out


def _draw(rules: Rulebook, value: Any) -> Rulebook:
    if value not in DRAWS:
        raise PolicyError(f"draw is {value!r}; expected one of {', '.join(DRAWS)}")
    principle, protect, only = DRAWS[value]
    return replace(rules, following=replace(rules.following, principle=principle, protect_longer=protect, tractor_only_for_tractor=only))


def _throw_eval(rules: Rulebook, value: Any) -> Rulebook:
    try:
        return replace(rules, beating=replace(rules.beating, throw_ruffs=ThrowRuffs.of(value)))
    except ValueError as error:
        raise PolicyError(f"throw_eval {error}") from None


def _bomb(rules: Rulebook, value: Any) -> Rulebook:
    try:
        return replace(rules, beating=replace(rules.beating, bombs=Bombs.of(value)))
    except ValueError as error:
        raise PolicyError(f"bomb {error}") from None


def _tractor(rules: Rulebook, value: Any) -> Rulebook:
    width, length = _numbers("tractor", value, min_width=rules.shapes.min_width, min_length=rules.shapes.min_length)
    return replace(rules, shapes=replace(rules.shapes, min_width=width, min_length=length))


def _scoring(rules: Rulebook, value: Any) -> Rulebook:
    """The result table from a step a pack: ``steps_to_turnover`` steps up to the change, ``deadzone_steps`` after it without a level."""
    special = bool(value.get("zero_special", True)) if isinstance(value, Mapping) else True
    rest = {key: item for key, item in value.items() if key != "zero_special"} if isinstance(value, Mapping) else value
    step_per_deck, turnover, dead = _numbers("scoring", rest, step_per_deck=20, steps_to_turnover=2, deadzone_steps=1)
    step = step_per_deck * rules.pack.decks
    if step < 2 * POINT_STEP or step % POINT_STEP or turnover < 1:
        raise PolicyError(f"scoring: a step of {step} points to {turnover} steps; expected a multiple of 5 from 10 and at least one step")
    if special:
        bands = [Band(high=0, stage=Side.DECLARERS, steps=turnover + 1, every=step, start=0)]
    else:
        bands = [Band(high=-POINT_STEP, stage=Side.DECLARERS, steps=turnover + 1, every=step)]
    least = POINT_STEP if special else 0
    bands += [Band(low=max(least, i * step), high=(i + 1) * step - POINT_STEP, stage=Side.DECLARERS, steps=turnover - i) for i in range(turnover)]
    change = turnover * step
    if dead:
        bands.append(Band(low=change, high=change + dead * step - POINT_STEP, stage=Side.ATTACKERS, steps=0))
    bands.append(Band(low=change + dead * step, stage=Side.ATTACKERS, steps=1, every=step))
    return replace(rules, scoring=Scoring(bands=tuple(bands)))


def _numbers(policy: str, value: Any, **defaults: int) -> tuple[int, ...]:
    """The numbers of a policy by name, each with its default."""
    if not isinstance(value, Mapping):
        raise PolicyError(f"{policy} is {value!r}; expected {{{', '.join(defaults)}}}")
    for key, number in value.items():
        if key not in defaults:
            raise PolicyError(f"{policy}.{key} is not known; expected one of {', '.join(defaults)}")
        if type(number) is not int or number < 0:
            raise PolicyError(f"{policy}.{key} is {number!r}; expected a whole number")
    return tuple(value.get(key, default) for key, default in defaults.items())


_CHANGES: Final[Mapping[str, Callable[[Rulebook, Any], Rulebook]]] = {
    "draw": _draw,
    "throw_eval": _throw_eval,
    "bomb": _bomb,
    "tractor": _tractor,
    "scoring": _scoring,
}
