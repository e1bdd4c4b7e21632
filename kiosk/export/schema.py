"""The JSON schema of a match record, made from the events themselves, so that it cannot say anything else."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from engine.cards import Seat
from engine.events import KINDS, VERSION, Event, Source
from kiosk.export import record

_CARD: Final = {"type": "string", "pattern": r"^(?:[SHDC](?:[2-9]|10|[JQKA])|LJ|BJ|\?\?)$"}
_HASH: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def schema() -> dict[str, Any]:
    """The schema that every line of a record fits."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a trickwatch match record",
        "description": (
            "JSON Lines: the first line is a head, every other one an entry of the log. An entry's hash is SHA-256 over the hash before it "
            "(64 zeros for the first), seq, at, author and the event's text (JSON without blanks, keys in their order), joined by line feeds."
        ),
        "oneOf": [{"$ref": "#/$defs/head"}, {"$ref": "#/$defs/entry"}],
        "$defs": {
            "head": {
                "type": "object", "additionalProperties": False, "required": ["form", "v", "match", "entries", "head", "names"],
                "properties": {
                    "form": {"const": record.FORM}, "v": {"const": record.VERSION}, "match": {"type": "string", "pattern": "^[0-9a-f]{0,16}$"},
                    "entries": {"type": "integer", "minimum": 0}, "head": _HASH,
                    "names": {"type": "object", "additionalProperties": {"type": "string"}, "description": "the names that tokens stand for"},
                },
            },
            "entry": {
                "type": "object", "additionalProperties": False, "required": ["seq", "at", "author", "hash", "event"],
                "properties": {
                    "seq": {"type": "integer", "minimum": 1}, "at": {"type": "string", "description": "wall-clock time, ISO 8601, UTC"},
                    "author": {"type": "string"}, "hash": _HASH,
                    "text": {"type": "string", "description": "the chained text, where it is not the usual form"},
                    "event": {"oneOf": [*({"$ref": f"#/$defs/{name}"} for name in KINDS), {"$ref": "#/$defs/note"}]},
                },
            },
            "note": {
                "type": "object", "required": ["v", "event"],
                "properties": {"v": {"const": VERSION}, "event": {"type": "string", "pattern": "^kiosk\\."}},
                "description": "what the kiosk notes for itself; the state of the match does not depend on it",
            },
            **{name: _event(cls) for name, cls in KINDS.items()},
        },
    }  # fmt: skip


def _event(cls: type[Event]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    properties: dict[str, Any] = {"v": {"const": VERSION}, "event": {"const": cls.__name__}}
    required = ["v", "event"]
    for field in fields(cls):
        properties[field.name] = _type(field.name, hints[field.name])
        if field.default is MISSING and field.default_factory is MISSING:
            required.append(field.name)
    properties["t"]["description"] = "seconds of the table's clock"
    doc = " ".join((cls.__doc__ or "").split())
    return {"type": "object", "description": doc, "additionalProperties": False, "required": required, "properties": properties}


def _type(name: str, hint: Any) -> dict[str, Any]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        parts = typing.get_args(hint)
        kept = [_type(name, part) for part in parts if part is not type(None)]
        return {"anyOf": [*kept, {"type": "null"}]} if len(kept) < len(parts) else {"anyOf": kept}
    if hint is Seat:
        return {"enum": [seat.value for seat in Seat]}
    if hint is Source:
        return {"enum": [source.value for source in Source]}
    origin = typing.get_origin(hint)
    if origin is tuple:
        return {"type": "array", "items": _CARD}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object"}
    simple = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return {"type": simple[hint]} if hint in simple else {"type": "string"}
