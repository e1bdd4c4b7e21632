"""Events: what happened at the table, frozen, versioned and append-only.

A deal is a fold over events (:mod:`engine.deal`). Every event carries its time ``t`` (s, the table's clock), its ``source``
and its ``evidence`` (free form: frame times, raw reading, N-best), and has a JSON form of one line:
``{"v": 1, "event": "CardsPlayed", "t": 12.4, "source": "camera", "seat": "E", "trick": 1, "cards": ["SA"]}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum, unique
from typing import Any, Final, get_type_hints

from engine.cards import Card, Seat, parse_cards

VERSION: Final = 1


@unique
class Source(StrEnum):
    """Who says so."""

    CAMERA = "camera"
    REFEREE = "referee"
    INFERRED = "inferred"
    TRUTH = "truth"


class EventError(ValueError):
    """A line that is no event; the message says which field was wrong and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event carries: time in seconds of the table's clock, source, and a pointer to the evidence."""

    t: float = 0.0
    source: Source = Source.CAMERA
    evidence: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Event):
    """A match begins under a rulebook (preset name or file) with the names of the players by seat."""

    rulebook: str
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealStarted(Event):
    """A deal begins: its number from 1, the level of each team, and the declarer where fixed before the deal."""

    deal: int
    levels: Mapping[str, str]
    declarer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    """A seat lays cards that declare, reinforce or overturn the trump; ``face_down`` when they are not shown yet."""

    seat: Seat
    cards: tuple[Card, ...]
    face_down: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Event):
    """The pack has been drawn: what lies on the table now is the bottom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpFixed(Event):
    """Trump (``10/H``, ``2/NT``) and declarer are settled, by the declarations or by the referee."""

    trump: str
    declarer: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomTaken(Event):
    """A seat takes the bottom into the hand."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Buried(Event):
    """A seat lays the bottom back face down; ``cards`` are known only to a dealt (simulated) game or once shown."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPlayed(Event):
    """A seat's play to a trick, as read; ``trick`` counts from 1."""

    seat: Seat
    trick: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack(Event):
    """A seat takes cards back that lay played."""

    seat: Seat
    trick: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickClosed(Event):
    """Four plays are in: who won the trick and its points."""

    trick: int
    winner: Seat
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomShown(Event):
    """The buried cards are turned face up."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEnded(Event):
    """The reckoning of a deal: attackers' points in all, the dig's part of them, level steps, levels after, next declarer (None: a race)."""

    deal: int
    points: int
    dig_points: int
    multiplier: int
    bottom: tuple[Card, ...]
    stage: str
    steps: Mapping[str, int]
    levels: Mapping[str, str]
    next_declarer: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Event):
    """A ruling is proposed: an offence of a seat in a trick, the trick that proved it, the clause and the penalty."""

    ruling: str
    kind: str
    seat: Seat
    trick: int
    proved_by: int
    clause: str = ""
    reason: str = ""
    penalty: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingDecided(Event):
    """The referee confirms, overrules or puts off a proposed ruling (``decision``: confirmed, overruled, later).

    ``choice`` is the place (from 0) of the sanction that the other side chose, where the rulebook gives it a choice.
    """

    ruling: str
    decision: str
    by: str = ""
    why: str = ""
    choice: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Event):
    """The cards of an earlier play are put right (no cards: there was no such play); everything after it is recomputed.

    ``deal`` is the number of the deal, None for the one in hand.
    """

    seat: Seat
    trick: int
    cards: tuple[Card, ...]
    by: str = ""
    deal: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomCorrected(Event):
    """The cards of the shown bottom are put right; ``deal`` is the number of the deal, None for the one in hand."""

    cards: tuple[Card, ...]
    by: str = ""
    deal: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """An earlier event, named by its place in the log (from 1), no longer counts."""

    target: int
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSet(Event):
    """The score is set by hand: attackers' points and trick number, levels, and who leads next.

    With ``end`` these are the points of the whole deal, the dig included, and the deal is over.
    """

    points: int
    trick: int
    levels: Mapping[str, str] = field(default_factory=dict)
    leader: Seat | None = None
    by: str = ""
    end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClocksStopped(Event):
    """The referee stops all clocks."""

    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClocksStarted(Event):
    """The clocks run again; with ``restart`` the match's clock begins anew."""

    by: str = ""
    restart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesSet(Event):
    """The players by seat; seats that are not named keep their player."""

    names: Mapping[str, str]
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLost(Event):
    """The table is not seen from here on; ``reason`` in words."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraBack(Event):
    """The table is seen again; ``gap`` in seconds."""

    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraMoved(Event):
    """The camera stands elsewhere than before, as the markers tell: how far (mm on the table), and whether it was measured anew."""

    moved_mm: float
    registered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Desynced(Event):
    """Table and model do not fit, so nothing is read on until they do: why, and in one line what to do."""

    reason: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resynced(Event):
    """Table and model fit again."""


KINDS: Final[Mapping[str, type[Event]]] = {
    cls.__name__: cls
    for cls in (
        MatchStarted, DealStarted, Declared, Drawn, TrumpFixed, BottomTaken, Buried, CardsPlayed, TakenBack, TrickClosed, BottomShown,
        DealEnded, Ruled, RulingDecided, Corrected, BottomCorrected, Undone, ScoreSet, ClocksStopped,
        ClocksStarted, NamesSet, CameraLost, CameraBack, CameraMoved, Desynced, Resynced,
    )
}  # fmt: skip

_SEAT_FIELDS: Final = frozenset({"seat", "declarer", "winner", "next_declarer", "leader"})
_CARD_FIELDS: Final = frozenset({"cards", "bottom"})


def to_json(event: Event) -> dict[str, Any]:
    """The JSON form of an event; :func:`from_json` reads it back."""
    out: dict[str, Any] = {"v": VERSION, "event": type(event).__name__, "t": round(event.t, 3), "source": event.source.value}
    for f in fields(event):
        if f.name in ("t", "source", "evidence"):
            continue
        value = getattr(event, f.name)
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        out[f.name] = value
    if event.evidence:
        out["evidence"] = dict(event.evidence)
    return out


_FORMS: Final[Mapping[Any, tuple[tuple[type, ...], str]]] = {
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    str: ((str,), "a text"),
    bool: ((bool,), "true or false"),
}
"""What a JSON value of a field must be, by the field's type."""


_HINTS: Final = {name: get_type_hints(cls) for name, cls in KINDS.items()}
"""The types of every kind's fields."""


def _verify_form(hint: Any, value: Any) -> None:
    """Check that a JSON value fits a plain field.

    :raises TypeError: naming what was expected.
    """
    arms = getattr(hint, "__args__", ())
    if type(None) in arms:
        if value is None:
            return
        plain = [arm for arm in arms if arm is not type(None)]
        hint = plain[0] if len(plain) == 1 else None
    wanted, words = _FORMS.get(hint, ((), ""))
    if wanted and (not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted)):
        raise TypeError(f"expected {words}")
    if getattr(hint, "__origin__", None) is Mapping and not isinstance(value, Mapping):
        raise TypeError("expected a table")


def _read_field(key: str, value: Any) -> Any:
    """Turn a JSON value into the value that the field holds."""
    if key == "source":
        return Source(value)
    if key in _SEAT_FIELDS and value is not None:
        return Seat(value)
    if key in _CARD_FIELDS:
        return parse_cards(value, unknown=True)
    return value


def from_json(data: Mapping[str, Any]) -> Event:
    """Read the JSON form of an event.

    :raises EventError: when the version or kind is unknown, or a field is missing, of the wrong form or not known.
    """
    if data.get("v") != VERSION:
        raise EventError(f"event version {data.get('v')!r} is not known; expected {VERSION}")
    name = data.get("event")
    cls = KINDS.get(str(name))
    if cls is None:
        raise EventError(f"unknown event {name!r}; expected one of {', '.join(KINDS)}")
    known = {f.name for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key in ("v", "event"):
            continue
        if key not in known:
            raise EventError(f"{name}: unknown field {key!r}; expected {', '.join(sorted(known))}")
        try:
            _verify_form(_HINTS[cls.__name__][key], value)
            values[key] = _read_field(key, value)
        except (ValueError, TypeError) as error:
            raise EventError(f"{name}: field {key!r} is wrong: {value!r} ({error})") from None
    try:
        return cls(**values)
    except TypeError as error:
        raise EventError(f"{name}: {error}") from None
