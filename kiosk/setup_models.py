"""What requests and answers of setting a table up hold; every field that comes from outside is bounded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from engine.cards import Seat, Team
from kiosk.models import CardText, Fraction, Level, Name, Request, Words


class Names(Request):
    """Who sits where."""

    names: Annotated[dict[Seat, Name], Field(max_length=4)]


class NewMatch(Request):
    """Another match; the log of the last one is kept aside. ``give_up`` begins it although a deal is being played."""

    rulebook: Annotated[str, Field(max_length=80, pattern=r"^[\w.-]+$")]
    names: Annotated[dict[Seat, Name], Field(max_length=4)] = Field(default_factory=dict)
    levels: dict[Team, Level] = Field(default_factory=dict)
    declarer: Seat | None = None
    give_up: bool = False


class Corners(Request):
    """The corners of the playing square, NW NE SE SW, as fractions of the picture."""

    square: Annotated[list[tuple[Fraction, Fraction]], Field(min_length=4, max_length=4)]


class DeckAct(Request):
    """A step of enrolling the deck in use: begin, look at what lies spread out, keep what was learnt, give it up, or forget an enrolled deck."""

    do: Literal["start", "look", "keep", "cancel", "forget"]


class DeckAnswer(Request):
    """What an unsure card of the spread is; no face: nothing of this deck."""

    number: Annotated[int, Field(ge=1, le=9999)]
    face: CardText | None = None


class NewPin(Request):
    """A new PIN for the referee; earlier pairings end."""

    pin: Annotated[str, Field(min_length=4, max_length=64)]


class EndPairing(Request):
    """Ending a pairing by its name; without one, all of them."""

    id: Annotated[str, Field(max_length=40)] | None = None


class Setup(BaseModel):
    """How the table is set up: camera, calibration and checks (places are fractions of the picture), and the match."""

    camera: dict[str, Any]
    calibration: dict[str, Any]
    checks: list[dict[str, Any]]
    rulebook: str | None
    names: dict[str, str]
    levels: dict[str, str]
    started: bool
    deal: int
    trick: int
    deck: dict[str, Any] | None = None
    addresses: list[str]


class Pairing(BaseModel):
    """A pairing code as a path for a QR code; it may be used once."""

    path: str
    expires_s: int


class Paired(BaseModel):
    """A browser that is paired as the referee's: its name, its address, since when (s, wall clock), and whether it is the asker's own."""

    id: str
    address: str
    since: float
    mine: bool


class Pairings(BaseModel):
    """The pairings that hold, the oldest first."""

    pairings: list[Paired]


class RulebookName(BaseModel):
    """A rulebook that can be chosen."""

    name: str
    title: Words
    decks: int


class RulebookList(BaseModel):
    """The rulebooks that can be chosen."""

    rulebooks: list[RulebookName]


class RulebookPart(BaseModel):
    """One rule in words, with the quotes that it stands on."""

    key: str
    label: Words
    value: Words
    clauses: list[str]
    assumed: bool


class RulebookText(BaseModel):
    """A rulebook in words."""

    name: str
    title: Words
    source: str
    parts: list[RulebookPart]
