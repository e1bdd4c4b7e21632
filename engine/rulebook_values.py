"""Turns what the TOML reader gives into the values of the schema, or says what was expected instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from engine.cards import RANKS, Rank
from engine.rulebook_terms import Term


def unknown_key(known: Iterable[str]) -> tuple[str, str]:
    """That a key is not known and which are, in Chinese and English."""
    names = ", ".join(known)
    return f"没有这个键，应为{names}", f"unknown key; expected one of {names}"


class BadValueError(ValueError):
    """A value of the wrong form; ``key`` is its dotted key with the place in an array, ``zh`` and ``en`` what was expected."""

    def __init__(self, key: str, zh: str, en: str) -> None:
        self.key = key
        self.zh = zh
        self.en = en
        super().__init__(en)


def expected(kind: Any) -> str:
    """What a value of this type looks like in the file."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return expected(next(arg for arg in get_args(kind) if arg is not NoneType))
    if origin is tuple:
        return f"a list of: {expected(get_args(kind)[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a table of: {expected(get_args(kind)[1])}"
    if kind is Rank:
        return f"one of {' '.join(RANKS)}"
    if isinstance(kind, type):
        if issubclass(kind, Term):
            return f"one of {', '.join(str(term) for term in kind)}"
        if is_dataclass(kind):
            return f"{{ {', '.join(f.name for f in fields(kind))} }}"
        if issubclass(kind, bool):
            return "true or false"
        if issubclass(kind, int):
            return "a whole number"
        if issubclass(kind, StrEnum):
            return f"one of {', '.join(str(term) for term in kind)}"
    return "a text in quotes"


def read_value(kind: Any, raw: Any, key: str) -> Any:
    """Turn a raw value into one of the type.

    :raises BadValueError: when it is of another form.
    """
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return read_value(next(arg for arg in get_args(kind) if arg is not NoneType), raw, key)
    if origin is tuple:
        if not isinstance(raw, list):
            raise _wrong(kind, raw, key)
        return tuple(read_value(get_args(kind)[0], item, f"{key}[{i}]") for i, item in enumerate(raw))
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(raw, dict):
            raise _wrong(kind, raw, key)
        return {name: read_value(get_args(kind)[1], item, f"{key}.{name}") for name, item in raw.items()}
    if is_dataclass(kind):
        return _record(cast("type", kind), raw, key)
    return _scalar(kind, raw, key)


def _wrong(kind: Any, raw: Any, key: str) -> BadValueError:
    wanted = expected(kind)
    return BadValueError(key, f"为{raw!r}，应为{wanted}", f"is {raw!r}; expected {wanted}")


def _record(kind: type, raw: Any, key: str) -> Any:
    """Build a nested record from an inline table."""
    if not isinstance(raw, dict):
        raise _wrong(kind, raw, key)
    types = get_type_hints(kind)
    known: dict[str, Field[Any]] = {f.name: f for f in fields(kind)}
    for name in raw:
        if name not in known:
            raise BadValueError(f"{key}.{name}", *unknown_key(known))
    for name, f in known.items():
        if name not in raw and f.default is MISSING:
            wanted = expected(types[name])
            raise BadValueError(key, f"缺{name}，应为{wanted}", f"{name} is missing; expected {wanted}")
    return kind(**{name: read_value(types[name], item, f"{key}.{name}") for name, item in raw.items()})


def _scalar(kind: Any, raw: Any, key: str) -> Any:
    """Read a number, a word, a rank or a term."""
    wrong = _wrong(kind, raw, key)
    if kind is Rank:
        if raw not in RANKS:
            raise wrong
        return Rank(raw)
    if kind is bool or kind is int:
        if type(raw) is not kind:
            raise wrong
        return raw
    if not isinstance(raw, str):
        raise wrong
    if kind is str:
        return raw
    try:
        return kind(raw)
    except ValueError:
        raise wrong from None
