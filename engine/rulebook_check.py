"""What contradicts itself in a rulebook: each check yields a dotted key and what was expected there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.cards import RANK_INDEX, NotationError, parse_card
from engine.rulebook import Band, Rulebook
from engine.rulebook_terms import DigBy, Digs, FirstDeclarer, Link, Marker, Overturn, Position, Side, Stir
from engine.shape_notation import ShapeNotationError, parse_rung, parse_unit, parse_upset

PACK: Final = 54
SEATS: Final = 4
POINT_STEP: Final = 5
"""Every card with points has 5 or 10."""

Problem = tuple[str, str]

_RUNG: Final = re.compile(r"^(level|LJ|BJ)\*(\d+)$")
_TWO_LINKS: Final = frozenset({Link.MAIN_TWO_LEVEL, Link.SIDE_MAIN_TWO, Link.TOP_TWO})


def parse_bid(text: str) -> tuple[str, int]:
    """Read a rung of a declaring ladder: ``level*2`` gives ``("level", 2)``.

    :raises ValueError: when it is none.
    """
    found = _RUNG.match(text)
    if not found or found.group(2) == "0":
        raise ValueError(f"not a declaration: {text!r}; expected level*N, LJ*N or BJ*N")
    return found.group(1), int(found.group(2))


def contradictions(rules: Rulebook) -> Iterator[Problem]:
    """Every contradiction of a rulebook as (dotted key, what is wrong and what was expected)."""
    yield from _pack(rules)
    yield from _levels(rules)
    yield from _trumps(rules)
    yield from _declaring(rules)
    yield from _shapes(rules)
    yield from _following(rules)
    yield from _bands(rules.scoring.bands)
    yield from _digging(rules)
    yield from _rest(rules)


def _pack(rules: Rulebook) -> Iterator[Problem]:
    pack = rules.pack
    if pack.decks < 1:
        yield "pack.decks", f"is {pack.decks}; expected at least 1"
        return
    cards = pack.decks * PACK
    if pack.bottom + SEATS * pack.hand != cards:
        rest = cards - pack.bottom
        even = rest >= 0 and rest % SEATS == 0
        hint = f"{rest // SEATS} a hand" if even else f"a bottom that leaves a multiple of 4, like {cards % SEATS or SEATS}"
        dealt = pack.bottom + SEATS * pack.hand
        yield "pack.hand", f"{pack.decks} packs have {cards} cards; a bottom of {pack.bottom} and 4 hands of {pack.hand} make {dealt}; expected {hint}"


def _levels(rules: Rulebook) -> Iterator[Problem]:
    levels = rules.levels
    if not levels.path:
        yield "levels.path", "is empty; expected at least one level"
        return
    shown = " ".join(levels.path)
    if any(RANK_INDEX[a] >= RANK_INDEX[b] for a, b in zip(levels.path, levels.path[1:], strict=False)):
        yield "levels.path", f"{shown}: expected levels that rise, each once"
    for i, level in enumerate(levels.must_play):
        if level not in levels.path:
            yield f"levels.must_play[{i}]", f"{level} is not on the path {shown}"
    if levels.win_after not in levels.path:
        yield "levels.win_after", f"{levels.win_after} is not on the path {shown}"
    for name, hooks in (("hooks", levels.hooks), ("hooks_no_trump", levels.hooks_no_trump)):
        for i, hook in enumerate(hooks):
            if hook.level not in levels.path:
                yield f"levels.{name}[{i}].level", f"{hook.level} is not on the path {shown}"
            if hook.to not in (*levels.path, *levels.below):
                yield f"levels.{name}[{i}].to", f"{hook.to} is not on the path {shown}"
    for i, below in enumerate(levels.below):
        if below[:1] != "-" or below[1:] not in RANK_INDEX:
            yield f"levels.below[{i}]", f"is {below!r}; expected a rank with a minus like -A"


def _trumps(rules: Rulebook) -> Iterator[Problem]:
    wanted = {p for p in Position if rules.trumps.constant_two or p not in (Position.MAIN_TWO, Position.SIDE_TWO)}
    if sorted(rules.trumps.order) != sorted(wanted):
        two = "with" if rules.trumps.constant_two else "without"
        yield "trumps.order", f"expected each of {', '.join(sorted(wanted))} once ({two} a constant 2)"
    for i, link in enumerate(rules.shapes.links):
        if link in _TWO_LINKS and not rules.trumps.constant_two:
            yield f"shapes.links[{i}]", f"{link} needs trumps.constant_two = true"
        if Link.TOP_LEVEL in rules.shapes.links and link is Link.TOP_TWO:
            yield f"shapes.links[{i}]", f"{link} and {Link.TOP_LEVEL} cannot both hold"
    if rules.shapes.lowest_ace_two and not rules.trumps.constant_two:
        yield "shapes.lowest_ace_two", "needs trumps.constant_two = true"


def _declaring(rules: Rulebook) -> Iterator[Problem]:
    declaring = rules.declaring
    for name, ladder in (("ladder", declaring.ladder), ("stir_ladder", declaring.stir_ladder)):
        for i, rung in enumerate(ladder):
            try:
                _, count = parse_bid(rung)
            except ValueError as error:
                yield f"declaring.{name}[{i}]", str(error)
                continue
            if count > rules.pack.decks:
                yield f"declaring.{name}[{i}]", f"{rung} needs {count} equal cards, but there are {rules.pack.decks} packs"
        if len(set(ladder)) != len(ladder):
            yield f"declaring.{name}", "names a declaration twice"
    if declaring.suit_order and len(set(declaring.suit_order)) != 4:
        yield "declaring.suit_order", "expected all four suits, highest first, or none"
    if declaring.marker is Marker.CARD:
        try:
            parse_card(declaring.marker_card)
        except NotationError as error:
            yield "declaring.marker_card", f"{error} (declaring.marker is {Marker.CARD})"
    if declaring.first_declarer is FirstDeclarer.CARD_HOLDER:
        try:
            parse_card(declaring.first_declarer_card)
        except NotationError as error:
            yield "declaring.first_declarer_card", f"{error} (declaring.first_declarer is {FirstDeclarer.CARD_HOLDER})"
    if declaring.overturn is Overturn.NONE and declaring.self_overturn:
        yield "declaring.self_overturn", f"is true, but declaring.overturn is {Overturn.NONE}"
    if declaring.stir is not Stir.NONE and not declaring.stir_ladder:
        yield "declaring.stir_ladder", f"is empty, but declaring.stir is {declaring.stir}"
    if declaring.stir is not Stir.NONE and not rules.pack.bottom:
        yield "declaring.stir", "there is no bottom to stir (pack.bottom = 0)"


def _shapes(rules: Rulebook) -> Iterator[Problem]:
    shapes = rules.shapes
    if shapes.max_width > rules.pack.decks:
        yield "shapes.max_width", f"is {shapes.max_width}, but {rules.pack.decks} packs have only {rules.pack.decks} of a face"
    if shapes.min_width < 1 or shapes.min_length < 2:
        yield "shapes.min_width", "expected a width of at least 1 and a length of at least 2"
    for i, text in enumerate(rules.beating.upsets):
        try:
            upset = parse_upset(text)
        except ShapeNotationError as error:
            yield f"beating.upsets[{i}]", str(error)
            continue
        if upset.winner.length and upset.loser.length and upset.winner.size != upset.loser.size:
            yield f"beating.upsets[{i}]", f"{text}: {upset.winner.size} cards against {upset.loser.size}; expected the same number"


def _following(rules: Rulebook) -> Iterator[Problem]:
    for shape, rungs in rules.following.ladders.items():
        key = f"following.ladders.{shape}"
        try:
            led = parse_unit(shape)
        except ShapeNotationError as error:
            yield key, str(error)
            continue
        for i, rung in enumerate(rungs):
            try:
                size = max(sum(unit.size for unit in form) for form in parse_rung(rung))
            except ShapeNotationError as error:
                yield f"{key}[{i}]", str(error)
                continue
            if size > led.size:
                yield f"{key}[{i}]", f"{rung} has {size} cards, more than the {led.size} of {shape}"
        if len(set(rungs)) != len(rungs):
            yield key, "names a rung twice"


def _bands(bands: tuple[Band, ...]) -> Iterator[Problem]:
    """The result table covers every number of points once, and rises."""
    if not bands:
        yield "scoring.bands", "is empty; expected the result table"
        return
    for i, band in enumerate(bands):
        key = f"scoring.bands[{i}]"
        first, last = i == 0, i == len(bands) - 1
        if first != (band.low is None):
            yield key, "expected no low in the first band and a low in every other"
        if last != (band.high is None):
            yield key, "expected no high in the last band and a high in every other"
        for name, value in (("low", band.low), ("high", band.high)):
            if value is not None and value % POINT_STEP:
                yield key, f"{name} = {value}; expected a multiple of 5, as points come in fives"
        if band.low is not None and band.high is not None and band.low > band.high:
            yield key, f"runs from {band.low} to {band.high}; expected low <= high"
        if band.every and not (first or last):
            yield key, "every belongs to the open first or last band"
        if not first:
            before = bands[i - 1]
            if before.high is not None and band.low is not None and band.low != before.high + POINT_STEP:
                what = "leaves a gap" if band.low > before.high + POINT_STEP else "overlaps"
                yield key, f"begins at {band.low} after a band that ends at {before.high}: {what}; expected low = {before.high + POINT_STEP}"
            if before.stage is Side.ATTACKERS and band.stage is Side.DECLARERS:
                yield key, "gives the stage back to the declarers for more points"
    if bands[-1].stage is not Side.ATTACKERS:
        yield "scoring.bands", "never gives the stage to the attackers"


def _digging(rules: Rulebook) -> Iterator[Problem]:
    digging = rules.digging
    if digging.digs is Digs.BOTTOM and not rules.pack.bottom:
        yield "digging.digs", f"is {Digs.BOTTOM}, but there is none (pack.bottom = 0)"
    if digging.digs is not Digs.NOTHING:
        wanted = {DigBy.COUNT: ("per_card", digging.per_card), DigBy.FIXED: ("fixed", digging.fixed), DigBy.SHAPE: ("single", digging.single)}
        name, value = wanted[digging.by]
        if value < 1:
            yield f"digging.{name}", f"is {value}; expected at least 1, as digging.by is {digging.by}"


def _rest(rules: Rulebook) -> Iterator[Problem]:
    for offence, penalty in rules.penalties.items():
        key = f"penalties.{offence}"
        if not penalty.choices:
            yield f"{key}.choices", "is empty; expected at least one sanction"
        if bool(penalty.repeat) != (penalty.on_repeat is not None):
            yield f"{key}.repeat", "expected repeat and on_repeat together"
    if rules.match.best_of < 1 or rules.match.best_of % 2 == 0:
        yield "match.best_of", f"is {rules.match.best_of}; expected an odd number"
    if rules.clocks.warning_min and rules.clocks.match_min and rules.clocks.warning_min >= rules.clocks.match_min:
        yield "clocks.warning_min", f"is {rules.clocks.warning_min}; expected less than clocks.match_min = {rules.clocks.match_min}"
