"""The state of a deal: its values, and what every action on it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from typing import Any, Final

from engine import audit as audits
from engine import declare as declares
from engine.cards import UNKNOWN, Card, Rank, Seat, Team, Trump, seats_from
from engine.declare import DeclareState
from engine.events import Buried, Event
from engine.kit import Breach, Kit
from engine.rulebook import Rulebook
from engine.rulebook_terms import Since
from engine.score import ScoreResult, ladder

UNSURE: Final = "unsure"
"""In a play's evidence: the places of cards that nobody has surely read; their faces are a weak reading, or what the pack leaves."""
EITHER: Final = "either"
"""In a play's evidence: of those cards, by place, the faces one of which each surely has."""


@unique
class Phase(StrEnum):
    """Where a deal stands."""

    DEALING = "dealing"
    DECLARING = "declaring"
    BURYING = "burying"
    TRICK = "trick"
    BOTTOM = "bottom"
    ENDED = "ended"


class Illegal(ValueError):  # noqa: N818
    """An action that the rules do not allow; ``breach`` has the kind, the reason in both languages and the clause."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach.en)
        self.breach = breach


@dataclass(frozen=True, slots=True)
class Bid:
    """A declaration and whether it stands by the rules."""

    seat: Seat
    cards: tuple[Card, ...]
    accepted: bool
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """What a seat laid to a trick, with the time (s) and the evidence of its event."""

    seat: Seat
    cards: tuple[Card, ...]
    t: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def witnessed(self) -> tuple[Card, ...]:
        """The cards that somebody surely saw: unknown where a face was hardly read, or filled in because the pack leaves no other.

        Points and winners go by ``cards``; nobody is accused by a card that was not surely seen.
        """
        unsure = self.evidence.get(UNSURE) or ()
        return tuple(UNKNOWN if i in unsure else card for i, card in enumerate(self.cards)) if unsure else self.cards

    def suited(self, kit: Kit) -> tuple[Card, ...]:
        """The cards whose suit somebody surely saw: the witnessed ones, and those that have one of several faces of one suit."""
        either = self.evidence.get(EITHER) or {}

        def known(i: int, seen: Card) -> Card:
            faces = {self.cards[i], *either.get(str(i), ())}
            return self.cards[i] if str(i) in either and UNKNOWN not in faces and len({kit.group(face) for face in faces}) == 1 else seen

        return tuple(known(i, seen) for i, seen in enumerate(self.witnessed))


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: its number from 1, the leader, the plays in order, and once it is closed the winner and the points."""

    number: int
    leader: Seat
    plays: tuple[Play, ...] = ()
    winner: Seat | None = None
    points: int = 0

    def play_of(self, seat: Seat) -> Play | None:
        """The play of a seat, if it has played."""
        return next((play for play in self.plays if play.seat is seat), None)


@dataclass(frozen=True, slots=True)
class Fault:
    """An offence seen in the deal: kind, seat, trick (0 = before the first), the trick that proves it, and why."""

    seat: Seat
    trick: int
    proved_by: int
    breach: Breach
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The end of a deal: attackers' points in all and their parts, the result, levels after by team, and the next declarer (None: a race)."""

    points: int
    trick_points: int
    dig_points: int
    fines: int
    multiplier: int
    bottom: tuple[Card, ...]
    scored: ScoreResult
    levels: Mapping[str, str]
    next_declarer: Seat | None


@dataclass(frozen=True, slots=True)
class Deal:
    """The state of a deal; ``facts`` are the events it was folded from, corrections worked in.

    ``fines`` (points to the attackers) and ``stopped`` come from confirmed rulings. ``levels`` are those that were played; ``counted`` are those
    to count from where a correction of an earlier deal has changed them since. ``follows`` says that the deal began with what the one before it gave,
    ``told`` that its final points were set by hand.
    """

    rules: Rulebook
    number: int
    levels: Mapping[str, str]
    declaring: DeclareState
    fixed: Seat | None = None
    last_declarers: Mapping[str, Seat] = field(default_factory=dict)
    facts: tuple[Event, ...] = ()
    bids: tuple[Bid, ...] = ()
    declarer: Seat | None = None
    trump: Trump | None = None
    taken: tuple[Seat, ...] = ()
    buried: Buried | None = None
    tricks: tuple[Trick, ...] = ()
    current: Trick | None = None
    watch: audits.Watch | None = None
    faults: tuple[Fault, ...] = ()
    shown: tuple[Card, ...] | None = None
    opening: Mapping[str, str] = field(default_factory=dict)
    base_points: int = 0
    base_trick: int = 0
    closed: bool = False
    fines: int = 0
    stopped: bool = False
    counted: Mapping[str, str] | None = None
    follows: bool = False
    told: bool = False

    @property
    def standing(self) -> Mapping[str, str]:
        """The level of each team that the result is counted from."""
        return self.levels if self.counted is None else self.counted

    @property
    def phase(self) -> Phase:
        """Where the deal stands."""
        if self.closed or self.stopped:
            return Phase.ENDED
        if self.played_out:
            return Phase.BOTTOM if self.rules.pack.bottom else Phase.ENDED
        if self.current is not None or self.tricks or self.buried is not None:
            return Phase.TRICK
        if self.taken:
            return Phase.BURYING
        return Phase.DECLARING if self.bids or self.drawn_at is not None else Phase.DEALING

    @property
    def drawn_at(self) -> float | None:
        """When the pack was drawn (s), where that was told."""
        return self.declaring.drawn_at

    @property
    def played_out(self) -> bool:
        """Whether every card in the hands has been played and the last trick is closed."""
        return self.current is None and self.watch is not None and self.watch.complete

    @property
    def kit(self) -> Kit | None:
        """The rules with this deal's trump, once it is known."""
        return self.watch.kit if self.watch is not None else None

    @property
    def attackers(self) -> Team | None:
        """The attacking side, once the declarer is known."""
        return self.declarer.team.other if self.declarer is not None else None

    @property
    def next_number(self) -> int:
        """The number of the trick that is led next."""
        return max(self.tricks[-1].number + 1 if self.tricks else 1, self.base_trick + 1)

    @property
    def leader(self) -> Seat | None:
        """Who leads the next trick."""
        if self.tricks:
            return self.tricks[-1].winner
        return self.declarer

    @property
    def turn(self) -> Seat | None:
        """Whose play is due, or None."""
        if self.phase is not Phase.TRICK:
            return None
        if self.current is None:
            return self.leader
        return next((seat for seat in seats_from(self.current.leader) if self.current.play_of(seat) is None), None)

    @property
    def trick_points(self) -> int:
        """The attackers' points from closed tricks (and from a score that was set by hand)."""
        won = sum(t.points for t in self.tricks if t.number > self.base_trick and t.winner is not None and t.winner.team is self.attackers)
        return self.base_points + won

    @property
    def points(self) -> int:
        """The attackers' points so far: closed tricks and confirmed fines."""
        return self.trick_points + self.fines

    @property
    def bottom(self) -> tuple[Card, ...] | None:
        """The buried cards: as shown when they agree with the pack or nothing is worked out, else the pack minus everything played."""
        worked_out = self.watch.bottom if self.watch is not None else None
        readable = self.shown is not None and UNKNOWN not in self.shown and len(self.shown) == self.rules.pack.bottom
        if self.shown is not None and readable:
            return self.shown
        return worked_out if worked_out is not None else self.shown

    def trick(self, number: int) -> Trick | None:
        """A trick by its number, closed or current."""
        if self.current is not None and self.current.number == number:
            return self.current
        return next((t for t in self.tricks if t.number == number), None)


def start(rules: Rulebook, number: int, levels: Mapping[str, str], declarer: Seat | None = None, last: Mapping[str, Seat] | None = None) -> Deal:
    """A new deal: number from 1, level by team, the declarer where fixed before the deal, and each side's last declarer.

    A level that is not on the rulebook's path is taken for the first one (:func:`verify_levels` says what is wrong with it).
    """
    levels = {team.value: levels[team.value] if levels.get(team.value) in ladder(rules.levels) else str(rules.levels.path[0]) for team in Team}
    level = rank_of(levels[(declarer or Seat.E).team.value])
    declaring = declares.begin(rules, 1 if declarer is None else max(number, 2), level, declarer)
    if rules.declaring.since is Since.AFTER_DRAW:
        declaring = declares.advance(declaring, declares.Phase.DRAWN)
    return Deal(rules, number, dict(levels), declaring, declarer, dict(last or {}), declarer=declarer, opening=dict(levels))


def verify_levels(rules: Rulebook, levels: Mapping[str, str]) -> None:
    """Check the levels that a deal shall begin with or that a referee sets.

    :raises ValueError: naming a team that is missing or unknown, or a level that is not on the path.
    """
    path = ladder(rules.levels)
    for team, level in levels.items():
        if team not in Team.__members__:
            raise ValueError(f"no such side: {team!r}; expected EW or NS")
        if level not in path:
            raise ValueError(f"level {level!r} of {team} is not on the path of {rules.name}; expected one of {' '.join(path)}")


def rank_of(level: str) -> Rank:
    """The rank of the level cards; a level below the start (-A) is played with that rank."""
    return Rank(level.removeprefix("-"))


def settled(deal: Deal) -> Deal:
    """The deal with the trump that holds although nobody declared, where the rulebook names one without turning cards."""
    if deal.trump is not None:
        return deal
    return replace(deal, trump=declares.finish(deal.declaring).trump)


def with_kit(deal: Deal) -> Deal:
    """The deal with its trump settled and the audit begun; without any declaration the level is played at no-trump."""
    if deal.watch is not None:
        return deal
    trump = settled(deal).trump or Trump(rank_of(deal.levels[(deal.declarer or Seat.E).team.value]), None)
    return replace(deal, trump=trump, watch=audits.Watch(Kit(deal.rules, trump)))


def watch_of(deal: Deal) -> audits.Watch:
    """The audit of a deal, begun with the trump that holds."""
    watch = with_kit(deal).watch
    assert watch is not None
    return watch


def with_fault(deal: Deal, fault: Fault) -> Deal:
    """The deal with one more offence."""
    return replace(deal, faults=(*deal.faults, fault))


def breach_of(verify: Callable[..., None], *args: Any) -> Breach | None:
    """The breach for which an action is refused, or None."""
    try:
        verify(*args)
    except Illegal as error:
        return error.breach
    return None
