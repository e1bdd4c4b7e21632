"""A rulebook in words: what a player reads, in Chinese or English, with the clause quoted for each value and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum, unique
from typing import Any, Final

from engine.cards import Suit
from engine.rulebook import Band, Hook, Penalty, Rulebook, Sanction
from engine.rulebook_check import parse_bid
from engine.rulebook_offences import OFFENCES
from engine.rulebook_terms import (
    Claim,
    DigBy,
    Diggers,
    Digs,
    Effect,
    FinePer,
    Growth,
    NamedBy,
    Offender,
    Remedy,
    ScoreBy,
    Side,
    Stir,
    Term,
)
from engine.rulebook_toml import SECTIONS, walk
from engine.shape_notation import Unit, parse_rung, parse_unit, parse_upset


@unique
class Language(StrEnum):
    """Chinese or English."""

    ZH = "zh"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Line:
    """One rule in words: its dotted key, what it is about, its value, the quotes, and whether it was assumed."""

    key: str
    label: str
    value: str
    clause: tuple[str, ...]

    @property
    def assumed(self) -> bool:
        """Whether the sheet is silent on it."""
        return not self.clause


SUITS: Final[Mapping[Suit, tuple[str, str]]] = {
    Suit.SPADES: ("黑桃", "spades"),
    Suit.HEARTS: ("红心", "hearts"),
    Suit.DIAMONDS: ("方块", "diamonds"),
    Suit.CLUBS: ("梅花", "clubs"),
}

_NO_SUCH_RULE: Final = frozenset(
    {
        "clocks.draw_s", "clocks.play_s", "clocks.bury_s", "clocks.overturn_s", "clocks.pause_s", "clocks.match_min", "clocks.final_min",
        "clocks.warning_min", "clocks.late_min", "match.deals", "match.rounds", "match.draw_from", "match.draw_to", "levels.below", "levels.hooks",
        "levels.hooks_no_trump", "levels.must_play", "declaring.marker_card", "declaring.first_declarer_card", "declaring.stir_ladder",
        "following.ladders", "beating.upsets", "match.tie_breaks",
    }
)  # fmt: skip
"""Values of which nothing, or 0, means that the sheet has no such rule."""

_WIDTHS: Final[Mapping[int, tuple[str, str]]] = {1: ("单张", "single"), 2: ("对子", "pair"), 3: ("三张", "triple"), 4: ("四张", "quad")}


def _pick(language: Language, zh: str, en: str) -> str:
    return zh if language is Language.ZH else en


def sections(rules: Rulebook, language: Language) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """The rulebook's tables in order: their names and their rules in words."""
    lines = list(lines_of(rules, language))
    names = {f.name: f.metadata[language.value] for f in fields(Rulebook)}
    for section in (*SECTIONS, "penalties"):
        mine = tuple(line for line in lines if line.key.startswith(f"{section}.") and applies(rules, line.key))
        if mine:
            yield names[section], mine


def lines_of(rules: Rulebook, language: Language) -> Iterator[Line]:
    """Every rule in words."""
    for key, schema, value in walk(rules):
        clause = rules.clauses.get(key, ())
        if schema is None:
            offence = OFFENCES[key.partition(".")[2]]
            yield Line(key, getattr(offence, language.value), penalty_words(value, language), clause)
        else:
            text = value_words(schema.name, value, language)
            if key == "declaring.ladder":
                text = _ladder(value, language, rules.declaring.named_by)
            yield Line(key, schema.metadata[language.value], text, clause)


def applies(rules: Rulebook, key: str) -> bool:
    """Whether a value matters to a player of this rulebook: not what another value switches off, nor a rule that the sheet does not have."""
    table, _, name = key.partition(".")
    if key in rules.clauses:
        return True
    if key in _NO_SUCH_RULE:
        return bool(getattr(getattr(rules, table), name))
    declaring, digging = rules.declaring, rules.digging
    if table == "digging" and name != "digs" and digging.digs is Digs.NOTHING:
        return False
    if table == "throws" and name != "allowed" and not rules.throws.allowed:
        return False
    shape = digging.by is DigBy.SHAPE
    needs = {
        "levels.must_play_rule": bool(rules.levels.must_play),
        "levels.surplus": bool(rules.levels.must_play),
        "declaring.suit_order_from": bool(declaring.suit_order),
        "declaring.jokers_first_deal": any("J" in rung for rung in declaring.ladder),
        "declaring.stir_needs_early_trump": declaring.stir is not Stir.NONE,
        "declaring.bottom_cards_count": rules.pack.bottom > 0,
        "shapes.lowest_ace_two": rules.shapes.lowest_ace_two,
        "following.protect_longer": rules.pack.decks > 2,
        "following.tractor_only_for_tractor": rules.following.tractor_only_for_tractor,
        "digging.single": shape,
        "digging.pair": shape,
        "digging.triple": shape and rules.shapes.max_width > 2,
        "digging.quad": shape and rules.shapes.max_width > 3,
        "digging.tractor": shape,
        "digging.growth": shape,
        "digging.growth_add": shape and digging.growth is Growth.ADD,
        "digging.per_card": digging.by is DigBy.COUNT,
        "digging.fixed": digging.by is DigBy.FIXED,
        "clocks.bury_from": rules.clocks.bury_s > 0,
        "digging.declarers_from": digging.who is not Diggers.ATTACKERS,
        "match.win": rules.match.score_by is ScoreBy.RESULT,
        "match.draw": rules.match.score_by is ScoreBy.RESULT,
        "match.loss": rules.match.score_by is ScoreBy.RESULT,
    }
    return needs.get(key, True)


def value_words(name: str, value: Any, language: Language) -> str:
    """A value in words; ``name`` is its key in the table."""
    none, semicolon = _pick(language, "无", "none"), _pick(language, "；", "; ")
    if isinstance(value, Term):
        return value.zh if language is Language.ZH else value.en
    if isinstance(value, bool):
        return _pick(language, "是", "yes") if value else _pick(language, "否", "no")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value or none
    if isinstance(value, Mapping):
        return semicolon.join(ladder_words(shape, rungs, language) for shape, rungs in value.items()) or none
    if name == "bands":
        return semicolon.join(band_words(band, language) for band in value)
    if name in ("ladder", "stir_ladder"):
        return _ladder(value, language, NamedBy.LEVEL) or none
    if name == "suit_order":
        return " > ".join(SUITS[suit][language is Language.EN] for suit in value) or _pick(language, "不分大小", "suits are equal")
    if name == "upsets":
        return semicolon.join(_upset(text, language) for text in value) or none
    return _listed(name, value, language) or none


def _listed(name: str, value: Sequence[Any], language: Language) -> str:
    """A list of levels, terms or hooks in words."""
    if value and isinstance(value[0], Hook):
        return _pick(language, "；", "; ").join(_hook(hook, language) for hook in value)
    sign = " > " if name == "order" else _pick(language, "、", ", ")
    return sign.join(value_words(name, item, language) for item in value)


def _hook(hook: Hook, language: Language) -> str:
    zh = f"打{hook.level}时被{hook.card.zh}{hook.level}勾底，退回{hook.to}"
    return _pick(language, zh, f"at {hook.level}, a {hook.level} {hook.card.en} in the last trick sends the declarers back to {hook.to}")


def _ladder(rungs: Sequence[str], language: Language, named_by: NamedBy) -> str:
    return " < ".join(bid_words(rung, language, named_by) for rung in rungs)


def bid_words(rung: str, language: Language, named_by: NamedBy = NamedBy.LEVEL) -> str:
    """A rung of a declaring ladder in words, with the cards that name the suit."""
    kind, count = parse_bid(rung)
    zh = {"level": "张2" if named_by is NamedBy.TWO else "张级牌", "LJ": "张小王", "BJ": "张大王"}[kind]
    en = {"level": "two" if named_by is NamedBy.TWO else "level card", "LJ": "little joker", "BJ": "big joker"}[kind]
    return _pick(language, f"{count}{zh}", f"{count} {en}{'s' if count > 1 else ''}")


def unit_words(unit: Unit, language: Language) -> str:
    """A unit in words: pair, triple, tractor of so many pairs, bulldozer."""
    if unit.length == 1:
        zh, en = _WIDTHS.get(unit.width, (f"{unit.width}张相同", f"{unit.width} of a kind"))
        return _pick(language, zh, en)
    many = _pick(language, str(unit.length) if unit.length else "任意", str(unit.length) if unit.length else "any number of")
    if unit.width == 2:
        return _pick(language, f"{many}连对", f"tractor of {many} pairs")
    name = _WIDTHS.get(unit.width, (f"{unit.width}张", f"{unit.width} of a kind"))
    return _pick(language, f"{many}连{name[0]}（推土机）", f"bulldozer of {many} {name[1]}s")


def rung_words(rung: str, size: int, language: Language) -> str:
    """A rung of a following ladder in words, with the loose cards that fill it up."""
    forms = []
    for units in parse_rung(rung):
        counts = {unit: units.count(unit) for unit in units}
        told = [f"{count} × {unit_words(unit, language)}" if count > 1 else unit_words(unit, language) for unit, count in counts.items()]
        loose = size - sum(unit.size for unit in units)
        if loose:
            told.append(_pick(language, f"{loose}张散牌", f"{loose} other{'s' if loose > 1 else ''}"))
        forms.append(_pick(language, "加", " and ").join(told))
    return _pick(language, "或", " or ").join(forms)


def ladder_words(shape: str, rungs: Sequence[str], language: Language) -> str:
    """A following ladder in words, best first."""
    led = parse_unit(shape)
    rest = _pick(language, "同花任意牌", "any cards of the suit")
    steps = " → ".join([*(rung_words(rung, led.size, language) for rung in rungs), rest])
    return _pick(language, f"首引{unit_words(led, language)}：{steps}", f"to a led {unit_words(led, language)}: {steps}")


def _upset(text: str, language: Language) -> str:
    upset = parse_upset(text)
    winner, loser = unit_words(upset.winner, language), unit_words(upset.loser, language)
    return _pick(language, f"{winner}大于同张数的{loser}", f"{winner} beats {loser} of as many cards")


def band_words(band: Band, language: Language) -> str:
    """A line of the result table in words."""
    if band.low is None:
        span = _pick(language, f"{band.high}分及以下", f"{band.high} or less")
    elif band.high is None:
        span = _pick(language, f"{band.low}分及以上", f"{band.low} or more")
    else:
        span = _pick(language, f"{band.low}–{band.high}分", f"{band.low}-{band.high}")
    levels = "level" if band.steps == 1 else "levels"
    if band.stage is Side.DECLARERS:
        zh = f"庄家方升{band.steps}级" if band.steps else "庄家方连庄，不升级"
        en = f"declarers up {band.steps} {levels}" if band.steps else "declarers keep the stage, no level"
    else:
        zh = f"换庄，闲家升{band.steps}级" if band.steps else "换庄，不升级"
        en = f"the attackers take the stage, up {band.steps} {levels}" if band.steps else "the attackers take the stage, no level"
    if band.every:
        fewer = band.low is None
        start = (band.high if fewer else band.low) if band.start is None else band.start
        zh += f"，比{start}分每{'少' if fewer else '多'}{band.every}分再升1级"
        en += f", and one more for every {band.every} {'below' if fewer else 'above'} {start}"
    return f"{span}{_pick(language, '：', ': ')}{_pick(language, zh, en)}"


def sanction_words(sanction: Sanction, language: Language) -> str:
    """One sanction in words."""
    per = "" if sanction.per is FinePer.FLAT else _pick(language, sanction.per.zh, f" {sanction.per.en}")
    match sanction.effect:
        case Effect.POINTS:
            text = _pick(language, f"{per}罚{sanction.amount}分给对方", f"{sanction.amount} points{per} to the other side")
        case Effect.LEVELS:
            text = _pick(language, f"违规方降{sanction.amount}级", f"the offender's side goes down {sanction.amount}")
        case Effect.LEVELS_TO_OTHER:
            text = _pick(language, f"对方升{sanction.amount}级", f"the other side goes up {sanction.amount}")
        case _:
            text = value_words("effect", sanction.effect, language)
    if sanction.offender is not Offender.ANY:
        text += _pick(language, f"（{sanction.offender.zh}违规时）", f" (offence of {sanction.offender.en})")
    return text


def penalty_words(penalty: Penalty, language: Language) -> str:
    """What an offence costs, in one sentence."""
    either = len({s.offender for s in penalty.choices}) < len(penalty.choices)
    sign = _pick(language, "，或由对方选择：", ", or as the other side chooses: ") if either else _pick(language, "；", "; ")
    parts = [sign.join(sanction_words(s, language) for s in penalty.choices)]
    parts += [_pick(language, "并且", "and ") + sanction_words(s, language) for s in penalty.also]
    if penalty.remedy is not Remedy.NONE:
        parts.append(value_words("remedy", penalty.remedy, language))
    if penalty.late is not None:
        parts.append(_pick(language, "一墩以后发现另加", "found in a later trick, on top: ") + sanction_words(penalty.late, language))
    if penalty.late_choices:
        instead = _pick(language, "，或", ", or ").join(sanction_words(s, language) for s in penalty.late_choices)
        parts.append(_pick(language, "一墩以后发现改为（对方选择）", "found in a later trick instead (the other side chooses): ") + instead)
    if penalty.late_remedy is not None:
        parts.append(value_words("late_remedy", penalty.late_remedy, language))
    if penalty.on_repeat is not None:
        parts.append(_pick(language, f"第{penalty.repeat}次：", f"time {penalty.repeat}: ") + sanction_words(penalty.on_repeat, language))
    if penalty.claim is not Claim.NO_LIMIT:
        parts.append(_pick(language, f"追究时限：{penalty.claim.zh}", f"to be claimed by {penalty.claim.en}"))
    return _pick(language, "；", "; ").join(parts)


def render(rules: Rulebook, language: Language) -> str:
    """The whole rulebook as a text for a player."""
    out = [f"{getattr(rules.title, language.value)}  [{rules.name}]", _pick(language, f"出处：{rules.source}", f"source: {rules.source}"), ""]
    for name, lines in sections(rules, language):
        out.append(f"■ {name}")
        for line in lines:
            said = _pick(language, "（推定）", "(assumed)") if line.assumed else "「" + "」「".join(line.clause) + "」"
            out.append(f"  {line.label}{_pick(language, '：', ': ')}{line.value}  {said}")
        out.append("")
    if rules.notes:
        out += [f"■ {_pick(language, '说明', 'Notes')}", *(f"  · {note_words(note, language)}" for note in rules.notes), ""]
    if rules.assumed:
        labels = {line.key: line.label for line in lines_of(rules, language)}
        tables = {f.name: f.metadata[language.value] for f in fields(Rulebook)}
        known = [key for key in rules.assumed if key not in labels or applies(rules, key)]
        told = _pick(language, "；", "; ").join(labels.get(key) or tables.get(key, key) for key in known)
        out += [f"■ {_pick(language, '原文未写或中断，按通则推定', 'Silent or cut off, so assumed')}", f"  {told}", ""]
    return "\n".join(out)


def note_words(note: str, language: Language) -> str:
    """A note's half in one language; notes are written ``中文 / English``."""
    zh, sign, en = note.partition(" / ")
    return (zh if language is Language.ZH or not sign else en).strip()
