"""What requests and answers hold; every field that comes from outside is bounded."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.cards import Card, Seat, Team, parse_card

HIGHEST_SEQ = 2**53 - 1
MOST_CARDS = 40


def _card(text: str) -> Card:
    return parse_card(text, unknown=True)


CardText = Annotated[str, Field(max_length=8), AfterValidator(_card)]
Cards = Annotated[list[CardText], Field(max_length=MOST_CARDS)]
Trick = Annotated[int, Field(ge=1, le=60)]
Deal = Annotated[int, Field(ge=1, le=10000)]
TrumpText = Annotated[str, Field(pattern=r"^(?:[2-9]|10|[JQKA])/(?:[SHDC]|NT)$")]
Fraction = Annotated[float, Field(ge=-0.5, le=1.5)]
Name = Annotated[str, Field(max_length=40, pattern=r"^[^\x00-\x1f\x7f<>]*$")]
Level = Annotated[str, Field(pattern=r"^-?(?:[2-9]|10|[JQKA])$")]


class Request(BaseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", str_max_length=500)


class Change(Request):
    """A change of the state; ``expected`` is the place of the state that the person saw, so that nobody overwrites what they have not seen."""

    expected: Annotated[int, Field(ge=0, le=HIGHEST_SEQ)] | None = None


class Pin(Request):
    """Pairing with the referee's PIN."""

    pin: Annotated[str, Field(min_length=1, max_length=64)]


class Correction(Change):
    """Putting a play right; ``was`` are the cards that the person saw: none puts a missed play in, no ``cards`` takes it out."""

    deal: Deal | None = None

    trick: Trick
    seat: Seat
    was: Cards
    cards: Cards


class BottomCorrection(Change):
    """Putting the shown bottom right."""

    deal: Deal | None = None

    was: Cards
    cards: Cards


class MissedPlay(Request):
    """A play that the camera did not see."""

    trick: Trick
    seat: Seat
    cards: Annotated[list[CardText], Field(min_length=1, max_length=MOST_CARDS)]


class Undo(Change):
    """Taking back the entry at a place of the log, or the last one."""

    seq: Annotated[int, Field(ge=1, le=HIGHEST_SEQ)] | None = None


class Decision(Request):
    """A decision on a ruling; ``choice`` is the penalty that was chosen where the rulebook leaves a choice (from 0)."""

    decision: Literal["confirmed", "overruled", "later"]
    why: Annotated[str, Field(max_length=500)] = ""
    choice: Annotated[int, Field(ge=0, le=20)] = 0


class Score(Change):
    """The score by hand: the attackers' points and how many tricks have been played; with ``end`` these are the final points of the deal."""

    points: Annotated[int, Field(ge=-2000, le=2000)]
    trick: Annotated[int, Field(ge=0, le=60)]
    levels: dict[Team, Level] = Field(default_factory=dict)
    leader: Seat | None = None
    declarer: Seat | None = None
    trump: TrumpText | None = None
    end: bool = False


class Report(Request):
    """An offence that a person has seen; without a trick it is the one being played."""

    kind: Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+$")]
    seat: Seat
    trick: Annotated[int, Field(ge=0, le=60)] | None = None
    deal: Deal | None = None
    why: Annotated[str, Field(max_length=500)] = ""


class ClockChange(Request):
    """Stop all clocks, let them run again, or begin the match's clock anew."""

    do: Literal["pause", "resume", "restart"]


class Nothing(Request):
    """A request without any choice."""


class NextDeal(Request):
    """Confirming the reckoning of a deal."""

    deal: Deal


class Sound(Request):
    """The loudspeaker: acknowledge an alert (or all), mute for a while, unmute, a test, or the volume of a kind of message."""

    do: Literal["acknowledge", "mute", "unmute", "test", "volume"]
    ruling: Annotated[str, Field(max_length=200)] | None = None
    kind: Literal["alert", "clock", "result", "score"] | None = None
    value: Annotated[float, Field(ge=0, le=1)] | None = None


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
    """The whole state as a page shows it, at a place of the log; ``acts`` are what undo after undo would take back, ``undo`` the first of them."""

    type: Literal["state"] = "state"
    seq: int
    state: dict[str, Any]
    undo: dict[str, Any] | None = None
    acts: list[dict[str, Any]] = Field(default_factory=list)
    entries: list[Entry] = Field(default_factory=list)


class Status(BaseModel):
    """The thin line at the edge of the screen: camera, log, sound, viewers, and how the table is run."""

    model_config = ConfigDict(extra="allow")

    type: Literal["status"] = "status"
    camera: dict[str, Any] | None
    camera_lost: str | None
    trouble: Words | None
    sound: dict[str, Any] | None
    viewers: int
    restored: dict[str, Any] | None
    mode: Literal["home", "competition"]
    practice: bool
    clock_jump: bool


class Done(BaseModel):
    """A write that is on the disk: the place of its entry, which an undo may name."""

    seq: int


class Reported(Done):
    """A reported offence: its ruling, which can be confirmed or overruled as any other."""

    ruling: str


class Clock(BaseModel):
    """A clock that runs: whose (None: everybody's), since when, its limit and when it warns (s; limit 0: none)."""

    kind: Literal["draw", "overturn", "pause", "bury", "play", "match"]
    seat: Seat | None
    since: float
    limit_s: int
    warn_s: int


class ClockList(BaseModel):
    """The clocks at a time of the table; seconds left are ``since + limit_s - now``. Pauses are worked into ``since``."""

    type: Literal["clocks"] = "clocks"
    now: float
    paused: bool
    running: list[Clock]


class DealList(BaseModel):
    """The deals of the match, the one in hand last."""

    seq: int
    deals: list[dict[str, Any]]


class OneDeal(BaseModel):
    """One deal in the form in which the deal in hand is shown."""

    seq: int
    deal: int
    state: dict[str, Any]


class Words(BaseModel):
    """The same in both languages."""

    zh: str
    en: str


class Offence(BaseModel):
    """An offence that may be reported, with its clause and its price as the rulebook prints them."""

    kind: str
    zh: str
    en: str
    clause: str
    penalty: Words


class Offences(BaseModel):
    """The offences of this match's rulebook, the most usual first."""

    offences: list[Offence]


class Me(BaseModel):
    """The asker's rights at this table."""

    may_write: bool
    author: str | None
    mode: Literal["home", "competition", "practice"]
    has_pin: bool


class Suggestions(BaseModel):
    """What a card may really be, the likeliest first."""

    cards: list[str]


class Problem(BaseModel):
    """Why a request was refused, in both languages; ``state`` is the newest state message where somebody else was first."""

    zh: str
    en: str
    state: dict[str, Any] | None = None


ERRORS: Final[dict[int | str, dict[str, Any]]] = {code: {"model": Problem} for code in (400, 403, 404, 409, 413, 415, 421, 422, 429, 503)}
"""What every route may answer instead of its own answer."""
