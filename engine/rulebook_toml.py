"""Reads rulebooks from TOML: ``version``, ``inherits``, one table a dimension, a ``clause`` beside each value.

A file sets what its sheet says and inherits the rest::

    version = 1
    name = "our-club"
    inherits = "official-2deck-shengji"
    [throws]
    fine = 20
    clause.fine = "甩牌失败扣20分"

Faults are collected, and each names the key, its line and what was expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Final, cast, get_type_hints

from engine.rulebook import SCHEMA_VERSION, Penalty, Rulebook, Words
from engine.rulebook_check import contradictions
from engine.rulebook_offences import OFFENCES
from engine.rulebook_values import BadValueError, expected, read_value, unknown_key
from engine.toml_lines import key_lines

PRESETS: Final = Path(__file__).with_name("rulebooks")
"""Where the presets lie; files that begin with ``_`` say what silence means and are no presets themselves."""

SECTIONS: Final[tuple[str, ...]] = tuple(f.name for f in fields(Rulebook) if is_dataclass(get_type_hints(Rulebook)[f.name]) and f.name != "title")
"""The tables of a rulebook but for ``penalties``."""

SILENT: Final = "silent"
_HEAD: Final = ("version", "name", "inherits", "title", "source", "notes", "assumed", "refused")
_QUOTE_LIMIT: Final = 12
_BIGGEST: Final = 2**20
"""Bytes of the longest rulebook; a printed sheet has a few thousand."""
_FATAL: Final = frozenset({"TOML", "version", "name", "inherits", "refused"})
"""Faults after which nothing sensible can be said of the rest."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a rulebook: the dotted key, its line (0 when it stands nowhere), and in both languages what was expected."""

    key: str
    line: int
    zh: str
    en: str
    path: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.key}: {self.zh} / {self.en}" if where else f"{self.key}: {self.zh} / {self.en}"


class RulebookError(ValueError):
    """A rulebook that cannot be used; ``faults`` holds every reason."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in faults))


class RulebookRefusedError(RulebookError):
    """A sheet that is listed but is no rulebook of this game; ``reason`` says why."""

    def __init__(self, name: str, reason: Words) -> None:
        self.reason = reason
        super().__init__([Fault(name, 0, reason.zh, reason.en)])


@dataclass(frozen=True, slots=True)
class _Source:
    """A file as read, its parent's values already merged in: per dotted leaf its raw value, and the clauses."""

    values: dict[str, Any]
    clauses: dict[str, tuple[str, ...]]
    lines: Mapping[str, int]
    head: dict[str, Any]


def names() -> tuple[str, ...]:
    """The names of all presets, the refused ones included, sorted."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml") if not path.stem.startswith("_")))


def playable() -> tuple[str, ...]:
    """The names of the presets that can be played: all but the refused ones."""

    def refused(name: str) -> bool:
        try:
            load(name)
        except RulebookRefusedError:
            return True
        return False

    return tuple(name for name in names() if not refused(name))


def find(name_or_path: str | Path) -> Path:
    """The file of a preset's name or of a path.

    :raises RulebookError: when there is no such preset or file.
    """
    preset = PRESETS / f"{name_or_path}.toml"
    if preset.is_file():
        return preset
    path = Path(name_or_path)
    if path.is_file():
        return path
    raise RulebookError([Fault(str(name_or_path), 0, f"没有这个规则，应为文件或{'、'.join(names())}", _no_such(str(name_or_path)))])


def _no_such(name: str) -> str:
    return f"no rulebook {name!r}; expected a file or one of {', '.join(names())}"


def load(name_or_path: str | Path) -> Rulebook:
    """Load a rulebook by its preset name or from a file.

    :raises RulebookRefusedError: for a sheet that is listed as no rulebook of this game.
    :raises RulebookError: with every fault of the file, each naming key, line and what was expected.
    """
    path = find(name_or_path)
    return loads(_text(path), path=path)


def _text(path: Path) -> str:
    """The text of a file.

    :raises RulebookError: when it is too big for a rulebook or not UTF-8, naming the line.
    """
    if path.stat().st_size > _BIGGEST:
        size = f"{path.stat().st_size / 2**20:.1f} MiB"
        raise RulebookError([Fault("TOML", 0, f"文件有{size}，规则文件至多1 MiB", f"has {size}; expected a rulebook of at most 1 MiB", str(path))])
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        zh, en = "不是UTF-8编码；请用编辑器另存为UTF-8", "is not UTF-8; expected a file saved as UTF-8 (in the editor: save as, encoding UTF-8)"
        raise RulebookError([Fault("TOML", line, zh, en, str(path))]) from None


def loads(text: str, path: Path | None = None) -> Rulebook:
    """Load a rulebook from its text; ``path`` is only used for messages and for parents that lie beside it.

    :raises RulebookError: as :func:`load`.
    """
    faults: list[Fault] = []
    source = _read(text.removeprefix("\ufeff"), path, faults, () if path is None else (path.resolve(),))
    rulebook = None if any(fault.key in _FATAL for fault in faults) else _build(source, faults, str(path or ""))
    if rulebook is None:
        raise RulebookError(faults)
    where = str(path or "")
    faults += [Fault(key, _line(source.lines, key), zh, en, where) for key, zh, en in contradictions(rulebook)]
    if faults:
        raise RulebookError(faults)
    return rulebook


def leaves() -> tuple[str, ...]:
    """Every dotted key of the schema that holds a value and can carry a clause, the penalties' offences excluded."""
    hints = get_type_hints(Rulebook)
    return tuple(f"{section}.{f.name}" for section in SECTIONS for f in fields(hints[section]))


def _line(lines: Mapping[str, int], key: str) -> int:
    """The line of a key, or of the nearest key above it."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition("[")[0] if key.endswith("]") else key.rpartition(".")[0]
    return 0


def _read(text: str, path: Path | None, faults: list[Fault], seen: tuple[str | Path, ...]) -> _Source:
    """Read a file and its parents into leaves; faults of form are appended.

    :param seen: the names and files that led here.
    """
    where = str(path or "")
    lines = key_lines(text)

    def fault(key: str, zh: str, en: str) -> None:
        faults.append(Fault(key, _line(lines, key), zh, en, where))

    empty = _Source({}, {}, lines, {})
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        faults.append(Fault("TOML", int(at[1]) if at else 0, "不是TOML格式", f"{error}; expected TOML", where))
        return empty
    if data.get("version") != SCHEMA_VERSION:
        zh, en = _is(data, "version")
        fault("version", f"{zh}，应为{SCHEMA_VERSION}", f"{en}; expected {SCHEMA_VERSION}")
    if not isinstance(data.get("name"), str):
        zh, en = _is(data, "name")
        fault("name", f"{zh}，应为加引号的名称", f"{en}; expected a name in quotes")
        return empty
    if "refused" in data:
        try:
            raise RulebookRefusedError(data["name"], read_value(Words, data["refused"], "refused"))
        except BadValueError as error:
            fault(error.key, error.zh, error.en)
            return empty
    values: dict[str, Any] = {}
    clauses: dict[str, tuple[str, ...]] = {}
    head: dict[str, Any] = {}
    if (parent := data.get("inherits")) is not None:
        if parent in seen or parent == data["name"]:
            fault("inherits", f"{parent!r}继承自己", f"{parent!r} inherits from itself; expected another rulebook")
        else:
            try:
                above = _parent(str(parent), path)
                if above.resolve() in seen:
                    fault("inherits", f"{parent!r}继承自己", f"{parent!r} inherits from itself; expected another rulebook")
                else:
                    inherited = _read(_text(above), above, faults, (*seen, data["name"], above.resolve()))
                    values.update(inherited.values)
                    clauses.update(inherited.clauses)
                    head.update(inherited.head)
            except RulebookRefusedError as error:
                fault("inherits", f"{parent!r}是被拒绝的规则：{error.reason.zh}", f"{parent!r} is refused: {error.reason.en}")
            except RulebookError as error:
                if error.faults[0].path:
                    faults.extend(error.faults)
                else:
                    fault("inherits", f"没有规则{parent!r}，应为{'、'.join(names())}", _no_such(str(parent)))
    head.pop("assumed", None)
    head.pop("notes", None)
    head.update({key: data[key] for key in _HEAD if key in data})
    hints = get_type_hints(Rulebook)
    for section, table in data.items():
        if section in _HEAD:
            continue
        if section == "penalties":
            _read_penalties(table, values, clauses, fault)
        elif section in SECTIONS:
            _read_section(section, table, {f.name for f in fields(hints[section])}, values, clauses, fault)
        else:
            fault(section, *unknown_key((*_HEAD, *SECTIONS, "penalties")))
    return _Source(values, clauses, lines, head)


def _is(data: Mapping[str, Any], key: str) -> tuple[str, str]:
    """What a key holds, in both languages."""
    return (f"为{data[key]!r}", f"is {data[key]!r}") if key in data else ("没有写", "is missing")


def _parent(parent: str, path: Path | None) -> Path:
    """The file of a rulebook that another one inherits from: one that lies beside it, else a preset or a file.

    :raises RulebookError: when there is none.
    """
    beside = [path.with_name(f"{parent}.toml"), path.parent / parent] if path else []
    return next((file for file in beside if file.is_file()), None) or find(parent)


def _read_section(section: str, table: Any, known: set[str], values: dict[str, Any], clauses: dict[str, tuple[str, ...]], fault: Any) -> None:
    """Take over a table's values and clauses."""
    if not isinstance(table, dict):
        fault(section, f"为{table!r}，应为表[{section}]", f"is {table!r}; expected a table [{section}]")
        return
    quotes = table.get("clause", {})
    for key, value in table.items():
        if key == "clause":
            continue
        if key not in known:
            fault(f"{section}.{key}", *unknown_key(sorted(known)))
            continue
        values[f"{section}.{key}"] = value
        clauses.pop(f"{section}.{key}", None)
    if not isinstance(quotes, dict):
        fault(f"{section}.clause", '应写作 clause.键 = "原文"', "expected clause.KEY = a short quote for each value")
        return
    for key, quote in quotes.items():
        if key not in known:
            fault(f"{section}.clause.{key}", *unknown_key(sorted(known)))
            continue
        _read_quote(f"{section}.{key}", f"{section}.clause.{key}", quote, clauses, fault)


def _read_penalties(table: Any, values: dict[str, Any], clauses: dict[str, tuple[str, ...]], fault: Any) -> None:
    """Take over the penalties, each with its clause."""
    if not isinstance(table, dict):
        fault("penalties", "每种违规应写作表[penalties.违规]", "expected a table [penalties.OFFENCE] for each offence")
        return
    for offence, penalty in table.items():
        key = f"penalties.{offence}"
        if offence not in OFFENCES:
            fault(key, *unknown_key(OFFENCES))
        elif not isinstance(penalty, dict):
            fault(key, f"为{penalty!r}，应为表[{key}]", f"is {penalty!r}; expected a table [{key}]")
        else:
            clauses.pop(key, None)
            values[key] = {name: value for name, value in penalty.items() if name != "clause"}
            if "clause" in penalty:
                _read_quote(key, f"{key}.clause", penalty["clause"], clauses, fault)


def _read_quote(key: str, at: str, quote: Any, clauses: dict[str, tuple[str, ...]], fault: Any) -> None:
    """Take over the quotes of one value."""
    quotes = quote if isinstance(quote, list) else [quote]
    for text in quotes:
        if not isinstance(text, str) or not text.strip():
            fault(at, f'为{text!r}，应为加引号的原文或"{SILENT}"', f'is {text!r}; expected a quote in quotes, or "{SILENT}"')
            return
        if len(text) > _QUOTE_LIMIT:
            long = f"{text!r} has {len(text)} characters; expected at most {_QUOTE_LIMIT}"
            fault(at, f"{text!r}有{len(text)}字，至多{_QUOTE_LIMIT}字", long)
    said = tuple(text for text in quotes if text != SILENT)
    clauses.pop(key, None)
    if said:
        clauses[key] = said


def _build(source: _Source, faults: list[Fault], path: str) -> Rulebook | None:
    """Make the tree from the leaves, or note what is wrong."""
    hints = get_type_hints(Rulebook)

    def fault(key: str, zh: str, en: str) -> None:
        faults.append(Fault(key, _line(source.lines, key), zh, en, path))

    tree: dict[str, Any] = {}
    for section in SECTIONS:
        cls = hints[section]
        types = get_type_hints(cls)
        made: dict[str, Any] = {}
        for f in fields(cls):
            key = f"{section}.{f.name}"
            if key not in source.values:
                if f.default is MISSING and f.default_factory is MISSING:
                    wanted = expected(types[f.name])
                    fault(key, f"没有写，应为{wanted}，或用inherits继承", f"is missing; expected {wanted}, or inherits = a rulebook that has it")
                continue
            try:
                made[f.name] = read_value(types[f.name], source.values[key], key)
            except BadValueError as error:
                fault(error.key, error.zh, error.en)
        if not faults:
            tree[section] = cls(**made)
    penalties: dict[str, Penalty] = {}
    for key, value in source.values.items():
        if key.startswith("penalties."):
            try:
                penalties[key.partition(".")[2]] = cast("Penalty", read_value(Penalty, value, key))
            except BadValueError as error:
                fault(error.key, error.zh, error.en)
    head = source.head
    texts: dict[str, Any] = {}
    for name, kind, fallback in (("title", Words, None), ("source", str, ""), ("notes", tuple[str, ...], [])):
        try:
            texts[name] = read_value(kind, head.get(name, fallback), name)
        except BadValueError as error:
            fault(error.key, error.zh, error.en)
    assumed = _assumed(source, penalties, fault)
    if faults:
        return None
    return Rulebook(name=head["name"], penalties=penalties, clauses=source.clauses, assumed=assumed, **texts, **tree)


def _assumed(source: _Source, penalties: Mapping[str, Penalty], fault: Any) -> tuple[str, ...]:
    """The keys on which the sheet is silent: as the file lists them, and those that it does not list."""
    every = (*leaves(), *(f"penalties.{offence}" for offence in penalties))
    uncited = [key for key in every if key not in source.clauses]
    listed = source.head.get("assumed")
    if listed is None:
        return tuple(uncited)
    if not isinstance(listed, list) or not all(isinstance(key, str) for key in listed):
        fault("assumed", "应为键或表的列表", "expected a list of dotted keys or tables")
        return ()
    for i, key in enumerate(listed):
        if not any(_under(leaf, key) for leaf in every):
            fault(f"assumed[{i}]", f"{key!r}不是规则的键或表", f"{key!r} is no key or table; expected one like scoring.bands")
        elif not any(_under(leaf, key) for leaf in uncited):
            fault(f"assumed[{i}]", f"{key!r}已引原文，不是推定", f"{key!r} is quoted, so it is not assumed; expected it not to be listed")
    return (*listed, *(leaf for leaf in uncited if not any(_under(leaf, key) for key in listed)))


def _under(leaf: str, key: str) -> bool:
    """Whether a leaf is the key or lies in the table of that name."""
    return leaf == key or leaf.startswith(f"{key}.")


def walk(rulebook: Rulebook) -> Iterator[tuple[str, Any, Any]]:
    """Every leaf of a rulebook: dotted key, its field of the schema, its value; the penalties last (their field is None)."""
    for section in SECTIONS:
        table = getattr(rulebook, section)
        for f in fields(table):
            yield f"{section}.{f.name}", f, getattr(table, f.name)
    for offence, penalty in rulebook.penalties.items():
        yield f"penalties.{offence}", None, penalty
