"""What contradicts itself in a rulebook: each check yields a dotted key and, in Chinese and English, what is wrong and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from engine.cards import RANK_INDEX, NotationError, parse_card
from engine.rulebook import Band, Rulebook
from engine.rulebook_terms import DigBy, Digs, FirstDeclarer, Link, Marker, Overturn, Position, Side, Stir
from engine.shape_notation import ShapeNotationError, parse_rung, parse_unit, parse_upset

PACK: Final = 54
SEATS: Final = 4
POINT_STEP: Final = 5
"""Every card with points has 5 or 10."""

Problem = tuple[str, str, str]
"""The dotted key, what is wrong in Chinese, and in English."""

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
    """Every contradiction of a rulebook: the dotted key, then what is wrong and what was expected in Chinese and English."""
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
        yield "pack.decks", f"为{pack.decks}，至少应为1", f"is {pack.decks}; expected at least 1"
        return
    cards = pack.decks * PACK
    if pack.bottom + SEATS * pack.hand != cards:
        rest = cards - pack.bottom
        even = rest >= 0 and rest % SEATS == 0
        near = max(pack.bottom - (pack.bottom - cards + 1) % SEATS + 1, cards % SEATS)
        hint = f"{rest // SEATS} a hand" if even else f"a bottom that leaves a multiple of 4, like {near}"
        hint_zh = f"每家应为{rest // SEATS}张" if even else f"底牌应使余牌为4的倍数，如{near}张"
        dealt = pack.bottom + SEATS * pack.hand
        yield (
            "pack.hand",
            f"{pack.decks}副牌共{cards}张，底牌{pack.bottom}张加四家各{pack.hand}张为{dealt}张，分不匀；{hint_zh}",
            f"{pack.decks} packs have {cards} cards; a bottom of {pack.bottom} and 4 hands of {pack.hand} make {dealt}; expected {hint}",
        )


def _levels(rules: Rulebook) -> Iterator[Problem]:
    levels = rules.levels
    if not levels.path:
        yield "levels.path", "为空，至少应有一级", "is empty; expected at least one level"
        return
    shown = " ".join(levels.path)
    if any(RANK_INDEX[a] >= RANK_INDEX[b] for a, b in zip(levels.path, levels.path[1:], strict=False)):
        yield "levels.path", f"{shown}：级数应由小到大，各一次", f"{shown}: expected levels that rise, each once"
    for i, level in enumerate(levels.must_play):
        if level not in levels.path:
            yield f"levels.must_play[{i}]", *_off_path(level, shown)
    if levels.win_after not in levels.path:
        yield "levels.win_after", *_off_path(levels.win_after, shown)
    for name, hooks in (("hooks", levels.hooks), ("hooks_no_trump", levels.hooks_no_trump)):
        for i, hook in enumerate(hooks):
            if hook.level not in levels.path:
                yield f"levels.{name}[{i}].level", *_off_path(hook.level, shown)
            if hook.to not in (*levels.path, *levels.below):
                yield f"levels.{name}[{i}].to", *_off_path(hook.to, shown)
    for i, below in enumerate(levels.below):
        if below[:1] != "-" or below[1:] not in RANK_INDEX:
            yield f"levels.below[{i}]", f"为{below!r}，应为负级如-A", f"is {below!r}; expected a rank with a minus like -A"


def _off_path(level: str, shown: str) -> tuple[str, str]:
    return f"{level}不在级数{shown}之中", f"{level} is not on the path {shown}; expected one of these"


def _trumps(rules: Rulebook) -> Iterator[Problem]:
    wanted = {p for p in Position if rules.trumps.constant_two or p not in (Position.MAIN_TWO, Position.SIDE_TWO)}
    if sorted(rules.trumps.order) != sorted(wanted):
        names = ", ".join(sorted(wanted))
        two = ("有", "with") if rules.trumps.constant_two else ("无", "without")
        yield "trumps.order", f"应各列一次：{names}（{two[0]}常主2）", f"expected each of {names} once ({two[1]} a constant 2)"
    for i, link in enumerate(rules.shapes.links):
        if link in _TWO_LINKS and not rules.trumps.constant_two:
            yield f"shapes.links[{i}]", f"{link}须trumps.constant_two = true", f"{link} needs trumps.constant_two = true"
        if Link.TOP_LEVEL in rules.shapes.links and link is Link.TOP_TWO:
            yield f"shapes.links[{i}]", f"{link}与{Link.TOP_LEVEL}不能并存", f"{link} and {Link.TOP_LEVEL} cannot both hold; expected one of them"
    if rules.shapes.lowest_ace_two and not rules.trumps.constant_two:
        yield "shapes.lowest_ace_two", "须trumps.constant_two = true", "needs trumps.constant_two = true"


def _declaring(rules: Rulebook) -> Iterator[Problem]:
    declaring = rules.declaring
    for name, ladder in (("ladder", declaring.ladder), ("stir_ladder", declaring.stir_ladder)):
        for i, rung in enumerate(ladder):
            try:
                _, count = parse_bid(rung)
            except ValueError as error:
                yield f"declaring.{name}[{i}]", f"{rung!r}不是叫牌，应为level*N、LJ*N或BJ*N", str(error)
                continue
            if count > rules.pack.decks:
                decks = rules.pack.decks
                text = f"{rung} needs {count} equal cards, but there are {decks} packs; expected at most {decks}"
                yield f"declaring.{name}[{i}]", f"{rung}须{count}张相同的牌，而只有{decks}副牌", text
        if len(set(ladder)) != len(ladder):
            yield f"declaring.{name}", "有重复", "names a declaration twice; expected each once"
    if declaring.suit_order and len(set(declaring.suit_order)) != 4:
        yield "declaring.suit_order", "应列全四种花色（由大到小）或不列", "expected all four suits, highest first, or none"
    if declaring.marker is Marker.CARD:
        try:
            parse_card(declaring.marker_card)
        except NotationError as error:
            yield "declaring.marker_card", f"declaring.marker为{Marker.CARD}，应写一张牌如H2", f"{error} (declaring.marker is {Marker.CARD})"
    if declaring.first_declarer is FirstDeclarer.CARD_HOLDER:
        try:
            parse_card(declaring.first_declarer_card)
        except NotationError as error:
            holder = FirstDeclarer.CARD_HOLDER
            zh = f"declaring.first_declarer为{holder}，应写一张牌如D2"
            yield "declaring.first_declarer_card", zh, f"{error} (declaring.first_declarer is {holder})"
    if declaring.overturn is Overturn.NONE and declaring.self_overturn:
        zh = f"为true，而declaring.overturn为{Overturn.NONE}；应为false"
        yield "declaring.self_overturn", zh, f"is true, but declaring.overturn is {Overturn.NONE}; expected false"
    if declaring.stir is not Stir.NONE and not declaring.stir_ladder:
        zh = f"为空，而declaring.stir为{declaring.stir}；应列出可炒底的牌"
        yield "declaring.stir_ladder", zh, f"is empty, but declaring.stir is {declaring.stir}; expected what stirs"
    if declaring.stir is not Stir.NONE and not rules.pack.bottom:
        yield "declaring.stir", "没有底牌可炒（pack.bottom = 0），应为none", "there is no bottom to stir (pack.bottom = 0); expected none"


def _shapes(rules: Rulebook) -> Iterator[Problem]:
    shapes = rules.shapes
    if shapes.max_width > rules.pack.decks:
        decks = rules.pack.decks
        text = f"is {shapes.max_width}, but {decks} packs have only {decks} of a face; expected at most {decks}"
        yield "shapes.max_width", f"为{shapes.max_width}，而{decks}副牌每种只有{decks}张", text
    if shapes.min_width < 1 or shapes.min_length < 2:
        text = "expected a width of at least 1 and a length of at least 2"
        yield "shapes.min_width", "拖拉机宽至少1张，长至少2连", text
    for i, text in enumerate(rules.beating.upsets):
        try:
            upset = parse_upset(text)
        except ShapeNotationError as error:
            yield f"beating.upsets[{i}]", f"{text!r}应写作“胜者 > 败者”，如3xN > 2xN", str(error)
            continue
        if upset.winner.length and upset.loser.length and upset.winner.size != upset.loser.size:
            sizes = upset.winner.size, upset.loser.size
            en = f"{text}: {sizes[0]} cards against {sizes[1]}; expected the same number"
            yield f"beating.upsets[{i}]", f"{text}：{sizes[0]}张对{sizes[1]}张，张数应相同", en


def _following(rules: Rulebook) -> Iterator[Problem]:
    for shape, rungs in rules.following.ladders.items():
        key = f"following.ladders.{shape}"
        try:
            led = parse_unit(shape)
        except ShapeNotationError as error:
            yield key, f"{shape!r}不是牌型，应为“宽x长”，如2x2", str(error)
            continue
        for i, rung in enumerate(rungs):
            try:
                size = max(sum(unit.size for unit in form) for form in parse_rung(rung))
            except ShapeNotationError as error:
                yield f"{key}[{i}]", f"{rung!r}不是牌型，应如2x2+2x1*2", str(error)
                continue
            if size > led.size:
                en = f"{rung} has {size} cards; expected at most the {led.size} of {shape}"
                yield f"{key}[{i}]", f"{rung}有{size}张，多于{shape}的{led.size}张", en
        if len(set(rungs)) != len(rungs):
            yield key, "有重复", "names a rung twice; expected each once"


def _bands(bands: tuple[Band, ...]) -> Iterator[Problem]:
    """The result table covers every number of points once, and rises."""
    if not bands:
        yield "scoring.bands", "为空，应写得分升级表", "is empty; expected the result table"
        return
    for i, band in enumerate(bands):
        key = f"scoring.bands[{i}]"
        yield from _ends(band, key, first=i == 0, last=i == len(bands) - 1)
        if i:
            yield from _joint(bands[i - 1], band, key)
    if bands[-1].stage is not Side.ATTACKERS:
        yield "scoring.bands", "没有换庄的一档", "never gives the stage to the attackers; expected a last band that does"


def _ends(band: Band, key: str, *, first: bool, last: bool) -> Iterator[Problem]:
    """A band is open exactly at the ends of the table, and its points come in fives."""
    if first != (band.low is None):
        yield key, "只有第一档无low，其余各档须有low", "expected no low in the first band and a low in every other"
    if last != (band.high is None):
        yield key, "只有最后一档无high，其余各档须有high", "expected no high in the last band and a high in every other"
    for name, value in (("low", band.low), ("high", band.high)):
        if value is not None and value % POINT_STEP:
            yield key, f"{name} = {value}，应为5的倍数", f"{name} = {value}; expected a multiple of 5, as points come in fives"
    if band.low is not None and band.high is not None and band.low > band.high:
        yield key, f"自{band.low}至{band.high}，应low <= high", f"runs from {band.low} to {band.high}; expected low <= high"
    for name, number in (("steps", band.steps), ("every", band.every)):
        if number < 0:
            yield key, f"{name} = {number}，不应为负", f"{name} = {number}; expected at least 0"
    if band.every and not (first or last):
        yield key, "every只用于第一档或最后一档", "has every; expected it only in the open first or last band"


def _joint(before: Band, band: Band, key: str) -> Iterator[Problem]:
    """A band begins where the one before it ends, and more points never give the stage back."""
    if before.high is not None and band.low is not None and band.low != before.high + POINT_STEP:
        what = ("有空隙", "leaves a gap") if band.low > before.high + POINT_STEP else ("有重叠", "overlaps")
        yield (
            key,
            f"自{band.low}起，而上一档止于{before.high}：{what[0]}；应为low = {before.high + POINT_STEP}",
            f"begins at {band.low} after a band that ends at {before.high}: {what[1]}; expected low = {before.high + POINT_STEP}",
        )
    if before.stage is Side.ATTACKERS and band.stage is Side.DECLARERS:
        yield key, "得分更多反而庄家连庄", "gives the stage back to the declarers for more points; expected attackers"


def _digging(rules: Rulebook) -> Iterator[Problem]:
    digging = rules.digging
    if digging.digs is Digs.BOTTOM and not rules.pack.bottom:
        en = f"is {Digs.BOTTOM}, but there is none (pack.bottom = 0); expected {Digs.NOTHING} or {Digs.LAST_TRICK}"
        yield "digging.digs", f"为{Digs.BOTTOM}，而没有底牌（pack.bottom = 0）", en
    if digging.digs is not Digs.NOTHING:
        wanted = {DigBy.COUNT: ("per_card", digging.per_card), DigBy.FIXED: ("fixed", digging.fixed), DigBy.SHAPE: ("single", digging.single)}
        name, value = wanted[digging.by]
        if value < 1:
            en = f"is {value}; expected at least 1, as digging.by is {digging.by}"
            yield f"digging.{name}", f"为{value}，而digging.by为{digging.by}，至少应为1", en


def _rest(rules: Rulebook) -> Iterator[Problem]:
    for name in ("pack", "declaring", "shapes", "throws", "digging", "clocks", "match"):
        table = getattr(rules, name)
        for f in fields(table):
            value = getattr(table, f.name)
            if isinstance(value, int) and value < 0:
                yield f"{name}.{f.name}", f"为{value}，不应为负", f"is {value}; expected at least 0"
    for offence, penalty in rules.penalties.items():
        key = f"penalties.{offence}"
        if not penalty.choices:
            yield f"{key}.choices", "为空，至少应有一项处罚", "is empty; expected at least one sanction"
        if bool(penalty.repeat) != (penalty.on_repeat is not None):
            yield f"{key}.repeat", "repeat与on_repeat应同时写出", "expected repeat and on_repeat together"
    if rules.match.best_of < 1 or rules.match.best_of % 2 == 0:
        yield "match.best_of", f"为{rules.match.best_of}，应为奇数", f"is {rules.match.best_of}; expected an odd number"
    clocks = rules.clocks
    if clocks.warning_min and clocks.match_min and clocks.warning_min >= clocks.match_min:
        en = f"is {clocks.warning_min}; expected less than clocks.match_min = {clocks.match_min}"
        yield "clocks.warning_min", f"为{clocks.warning_min}，应小于clocks.match_min = {clocks.match_min}", en
