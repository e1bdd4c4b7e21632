"""What requests and answers hold; every field that comes from outside is bounded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.cards import Card, Seat, Team, parse_card

HIGHEST_SEQ = 2**53 - 1
MOST_CARDS = 40


def _card(text: str) -> Card:
    return parse_card(text, unknown=True)


CardText = Annotated[str, Field(max_length=8), AfterValidator(_card)]
Cards = Annotated[list[CardText], Field(max_length=MOST_CARDS)]
Trick = Annotated[int, Field(ge=1, le=60)]
Level = Annotated[str, Field(pattern=r"^-?(?:[2-9]|10|[JQKA])$")]


class Request(BaseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", str_max_length=500)


class Pin(Request):
    """Pairing with the referee's PIN."""

    pin: Annotated[str, Field(min_length=1, max_length=64)]


class Correction(Request):
    """Putting a play right; ``was`` are the cards that the person saw."""

    trick: Trick
    seat: Seat
    was: Cards
    cards: Cards


class BottomCorrection(Request):
    """Putting the shown bottom right."""

    was: Cards
    cards: Cards


class MissedPlay(Request):
    """A play that the camera did not see."""

    trick: Trick
    seat: Seat
    cards: Annotated[list[CardText], Field(min_length=1, max_length=MOST_CARDS)]


class Undo(Request):
    """Taking back the entry at a place of the log, or the last one."""

    seq: Annotated[int, Field(ge=1, le=HIGHEST_SEQ)] | None = None


class Decision(Request):
    """A decision on a ruling; ``choice`` is the penalty that was chosen where the rulebook leaves a choice (from 0)."""

    decision: Literal["confirmed", "overruled", "later"]
    why: Annotated[str, Field(max_length=500)] = ""
    choice: Annotated[int, Field(ge=0, le=20)] = 0


class Score(Request):
    """The score by hand."""

    points: Annotated[int, Field(ge=-2000, le=2000)]
    trick: Trick
    levels: dict[Team, Level] = Field(default_factory=dict)
    leader: Seat | None = None


class NextDeal(Request):
    """Confirming the reckoning of a deal."""

    deal: Annotated[int, Field(ge=1, le=10000)]


class Sound(Request):
    """The loudspeaker: acknowledge an alert (or all), mute for a while, unmute, or a test."""

    do: Literal["acknowledge", "mute", "unmute", "test"]
    ruling: Annotated[str, Field(max_length=200)] | None = None


class Entry(BaseModel):
    """One entry of the log."""

    seq: int
    at: str
    author: str
    body: dict[str, Any]


class Entries(BaseModel):
    """Entries behind a place; ``seq`` is the log's last place."""

    seq: int
    entries: list[Entry]


class State(BaseModel):
    """The whole state as a page shows it, at a place of the log; ``undo`` is the entry that an undo would take back."""

    type: Literal["state"] = "state"
    seq: int
    state: dict[str, Any]
    undo: dict[str, Any] | None = None
    entries: list[Entry] = Field(default_factory=list)


class Done(BaseModel):
    """A write that is on the disk: the place of its entry, which an undo may name."""

    seq: int


class Me(BaseModel):
    """The asker's rights at this table."""

    may_write: bool
    author: str | None
    mode: Literal["home", "competition"]
    has_pin: bool


class Suggestions(BaseModel):
    """What a card may really be, the likeliest first."""

    cards: list[str]


class Problem(BaseModel):
    """Why a request was refused, in both languages."""

    zh: str
    en: str
