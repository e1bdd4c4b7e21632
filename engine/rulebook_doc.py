"""The page ``docs/rulebooks.md``, written from the schema and the presets: what a rulebook file may say, and which there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final, get_args, get_origin, get_type_hints

from engine.cards import Rank, Suit
from engine.rulebook import SCHEMA_VERSION, Band, Hook, Penalty, Rulebook, Sanction
from engine.rulebook_offences import OFFENCES
from engine.rulebook_terms import Side, Term
from engine.rulebook_toml import SECTIONS, RulebookRefusedError, leaves, load, names
from engine.rulebook_words import Language, value_words

SILENT: Final = ("_two-packs", "_three-packs", "_four-packs")
"""The files that say what silence means, for two, three and four packs."""

_HEAD: Final = f"""# 规则文件 Rulebooks

> 本页由 `trickwatch rules doc` 写成，请勿手改。 / This page is written by `trickwatch rules doc`; do not edit it.

一份规则就是一个 TOML 文件：每一条规矩一个键，键旁写上原文（至多 12 字）。没写的规矩按通则，列在 `assumed` 里。
换一份规则就是换一个文件，程序不认规则的名字。

A rulebook is a TOML file: a key for each house rule, and beside it its clause (a quote of at most 12 characters). A rule on which
the sheet is silent follows the convention and is listed under `assumed`. Another sheet is another file; the program knows no rulebook by name.

```toml
version = {SCHEMA_VERSION}
name = "our-club"
inherits = "official-2deck-shengji"        # 其余照此 / the rest is as there
title = {{ zh = "本会规则", en = "Our club" }}
notes = ["中文说明 / a note in English"]

[throws]
fine = 20
clause.fine = "甩牌失败扣20分"             # 原文 / the sheet's words

[following.ladders]                        # 首引 -> 跟牌，由好到差 / led -> owed, best first
2x2 = ["2x2 | 4x1", "2x1*2", "2x1"]        # 拖拉机或炸弹，两对，一对 / tractor or bomb, two pairs, a pair

[penalties.revoke]
choices = [{{ effect = "points", amount = 10, per = "card" }}]
clause = "跟错牌每张罚10分"
```

`trickwatch rules list` · `rules show NAME` · `rules check FILE`
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_presets(), *_tables(), *_penalties(), *_records(), *_terms()]).rstrip() + "\n"


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _table(*heads: str) -> Iterator[str]:
    yield _row(*heads)
    yield _row(*("---" for _ in heads))


def change(rules: Rulebook) -> tuple[int, int]:
    """The attackers' points that change the stage, and the points of a level above that (0 where there is only one line)."""
    bands = [band for band in rules.scoring.bands if band.stage is Side.ATTACKERS]
    base = bands[0].low or 0
    step = bands[1].low - base if len(bands) > 1 and bands[1].low is not None else bands[0].every
    return base, step


def _presets() -> Iterator[str]:
    yield "## 现有规则 Presets\n"
    yield from _table("name", "副/底 decks/bottom", "级数 levels", "上台/每级 base/step", "标题 title")
    refused: list[str] = []
    for name in names():
        try:
            rules = load(name)
        except RulebookRefusedError as error:
            refused.append(f"* `{name}`: {error.reason.zh} / {error.reason.en}")
            continue
        base, step = change(rules)
        path = rules.levels.path
        levels = " ".join(path) if len(path) < 4 else f"{path[0]}..{path[-1]}"
        yield _row(f"`{name}`", f"{rules.pack.decks} / {rules.pack.bottom}", levels, f"{base} / {step}", f"{rules.title.zh} / {rules.title.en}")
    yield ""
    yield "拒绝 Refused:\n"
    yield from refused
    yield ""


def _tables() -> Iterator[str]:
    hints = get_type_hints(Rulebook)
    metadata = {f.name: f.metadata for f in fields(Rulebook)}
    silent = [load_silent(name) for name in SILENT]
    for section in SECTIONS:
        cls = hints[section]
        types = get_type_hints(cls)
        yield f"## [{section}] {metadata[section]['zh']} {metadata[section]['en']}\n"
        yield from _table("键 key", "含义 meaning", "值 value", "未写时 when silent (2 · 3 · 4)")
        for f in fields(cls):
            values = [value_words(f.name, getattr(getattr(rules, section), f.name), Language.ZH) for rules in silent]
            default = values[0] if len(set(values)) == 1 else " · ".join(values)
            yield _row(f"`{f.name}`", f"{f.metadata['zh']} / {f.metadata['en']}", _kind(types[f.name]), default)
        yield ""


def load_silent(name: str) -> Rulebook:
    """A file that says what silence means."""
    return load(name)


def _penalties() -> Iterator[str]:
    yield "## [penalties.*] 处罚 penalties\n"
    yield from _table("键 key", "违规 offence")
    for key, words in OFFENCES.items():
        yield _row(f"`{key}`", f"{words.zh} / {words.en}")
    yield ""
    yield from _fields(Penalty)


def _records() -> Iterator[str]:
    for record in (Sanction, Band, Hook):
        yield f"### {record.__name__}\n"
        yield from _fields(record)


def _fields(record: type) -> Iterator[str]:
    types = get_type_hints(record)
    yield from _table("键 key", "含义 meaning", "值 value")
    for f in fields(record):
        optional = "" if f.default is MISSING else "（可省 optional）"
        yield _row(f"`{f.name}`", f"{f.metadata['zh']} / {f.metadata['en']}", _kind(types[f.name]) + optional)
    yield ""


def _kind(kind: Any) -> str:
    """What a value looks like in the file."""
    origin = get_origin(kind)
    if origin is tuple:
        return f"[{_kind(get_args(kind)[0])}, …]"
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return "{ 首引 led = [跟牌 owed, …] }"
    if origin is not None:
        return _kind(get_args(kind)[0])
    names_ = {bool: "true / false", int: "整数 number", str: "文字 text", Rank: "2 … 10 J Q K A", Suit: "S H D C"}
    if kind in names_:
        return names_[kind]
    link = f"[{kind.__name__}](#{kind.__name__.lower()})" if isinstance(kind, type) else str(kind)
    return f"{{ {link} }}" if is_dataclass(kind) else link


def _terms() -> Iterator[str]:
    yield "## 用词 Terms\n"
    for term in _used_terms():
        yield f"### {term.__name__}\n"
        yield f"{(term.__doc__ or '').splitlines()[0]}\n"
        yield from _table("值 value", "含义 meaning")
        for member in term:
            yield _row(f"`{member}`", f"{member.zh} / {member.en}")
        yield ""


def _used_terms() -> list[type[Term]]:
    """Every closed set of words that the schema uses, in the order in which they appear."""
    found: dict[type[Term], None] = {}

    def walk(kind: Any) -> None:
        for arg in get_args(kind):
            walk(arg)
        if isinstance(kind, type) and issubclass(kind, Term):
            found.setdefault(kind)
        elif is_dataclass(kind):
            for inner in get_type_hints(kind).values():
                walk(inner)

    hints = get_type_hints(Rulebook)
    for key in leaves():
        section, _, name = key.partition(".")
        walk(get_type_hints(hints[section])[name])
    walk(Penalty)
    return list(found)
