"""Rulings and results of a match: what the facts prove, what the referee reported and decided, and what that does to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine import deal as deals
from engine import penalty
from engine.audit import FOLLOW_KINDS
from engine.cards import Seat, Team
from engine.deal import Deal, Reckoning
from engine.events import Desynced, Event, Ruled
from engine.kit import Breach
from engine.match import after_penalties, winner_of
from engine.overtime import Limit, Overtime, Stops, overtimes, stand
from engine.rulebook import Rulebook, Words
from engine.rulebook_offences import OFFENCES
from engine.rulebook_terms import Offender

_OTHER: Final = Words(zh="其他违规", en="another offence")

_CLAUSES: Final = {Limit.BURY: "clocks.bury_s", Limit.PLAY: "clocks.play_s"}
"""What sets a limit that a player may pass."""

_FOLLOWS: Final = frozenset(penalty.OFFENCE_OF[kind] for kind in FOLLOW_KINDS)
"""Wrong follows of every kind count together."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the referee decided on a ruling: ``confirmed``, ``overruled`` or ``later``; ``choice`` is the other side's where it had one."""

    decision: str
    by: str = ""
    why: str = ""
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling with its proposal and, once there is one, its decision; ``over`` is the limit that was passed, where that is the offence."""

    ruling: str
    deal: int
    seat: Seat
    trick: int
    proved_by: int
    breach: Breach
    proposal: penalty.Proposal
    decision: Decision | None = None
    reported: bool = False
    note: str = ""
    over: Overtime | None = None

    @property
    def kind(self) -> str:
        """The kind of the offence."""
        return self.breach.kind

    @property
    def state(self) -> str:
        """``proposed``, ``confirmed``, ``overruled`` or ``later``."""
        return self.decision.decision if self.decision is not None else "proposed"


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match so far: closed deals, the deal in hand, decisions on rulings, and (not compared) the log it was folded from.

    ``stops`` are the times of stopped clocks, ``blind`` those at which the table was not read, and ``clock_from`` is when the match's clock was
    begun anew (s).
    """

    rules: Rulebook
    names: Mapping[str, str] = field(default_factory=dict)
    closed: tuple[Deal, ...] = ()
    deal: Deal | None = None
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    manual: tuple[tuple[int, Ruled], ...] = ()
    lost: str | None = None
    desync: Desynced | None = None
    stops: Stops = ()
    blind: Stops = ()
    clock_from: float | None = None
    facts: tuple[tuple[int, Event], ...] = field(default=(), compare=False)
    place: int = field(default=0, compare=False)
    checkpoints: tuple[MatchState, ...] = field(default=(), compare=False, repr=False)

    @property
    def rulebook(self) -> str:
        """The rulebook's name."""
        return self.rules.name

    @property
    def standing(self) -> bool:
        """Whether the clocks stand still."""
        return stand(self.stops)

    @property
    def deals(self) -> tuple[Deal, ...]:
        """All deals, the one in hand last."""
        return self.closed if self.deal is None else (*self.closed, self.deal)

    @property
    def levels(self) -> Mapping[str, str]:
        """The level of each team: of the deal in hand, or as the last one left it."""
        if self.deal is None:
            return first_levels(self.rules)
        reckoning = reckon(self, self.deal)
        return reckoning.levels if reckoning is not None else self.deal.standing


def rulings(state: MatchState, deal: Deal | None = None) -> tuple[Ruling, ...]:
    """The rulings of a deal (the one in hand), in the order in which they were found, each once."""
    deal = deal if deal is not None else state.deal
    if deal is None:
        return ()
    found: dict[str, tuple[Seat, int, int, Breach]] = {}
    for fault in deal.faults:
        found.setdefault(f"{deal.number}.{fault.trick}.{fault.seat}.{fault.breach.kind}", (fault.seat, fault.trick, fault.proved_by, fault.breach))
    for proven in deal.watch.proven if deal.watch is not None else ():
        if proven.kind != "pack":
            found.setdefault(f"{deal.number}.{proven.trick}.{proven.seat}.{proven.kind}", (proven.seat, proven.trick, proven.by, proven.breach))
    late: dict[str, Overtime] = {}
    for over in overtimes(deal, state.stops, state.blind):
        name = f"{deal.number}.{over.trick}.{over.seat}.overtime"
        if name not in late:
            late[name] = over
            found[name] = (over.seat, over.trick, over.trick, over.breach(deal.rules.clause(_CLAUSES[over.limit])))
    named: dict[str, str] = {}
    notes: dict[str, str] = {}
    for number, ruled in state.manual:
        if number == deal.number:
            notes[ruled.ruling] = ruled.reason
            named[ruled.ruling] = str(ruled.penalty.get("offender", ""))
            words = OFFENCES.get(ruled.kind, _OTHER)
            breach = Breach(ruled.kind, words.zh, words.en, ruled.clause)
            found.setdefault(ruled.ruling, (ruled.seat, ruled.trick, ruled.proved_by, breach))
    out: list[Ruling] = []
    for name, (seat, trick, proved_by, breach) in sorted(found.items(), key=lambda item: item[1][2]):
        count = 1 + _confirmed_before(state, deal.number, name, seat.team, breach.kind)
        whose = _offender(deal, seat, named.get(name))
        proposal = penalty.propose(deal.rules, breach, trick=trick, found_in=proved_by, count=count, offender=whose)
        decision, note = state.decisions.get(name), notes.get(name, "")
        out.append(Ruling(name, deal.number, seat, trick, proved_by, breach, proposal, decision, name in notes, note, late.get(name)))
    return tuple(out)


def _offender(deal: Deal, seat: Seat, named: str | None) -> Offender:
    """Whose offence it is: as the referee has named it, else by the seat's side."""
    if named:
        return next((who for who in Offender if who == named), Offender.ANY)
    if deal.declarer is None:
        return Offender.ANY
    return Offender.DECLARERS if seat.team is deal.declarer.team else Offender.ATTACKERS


def _confirmed_before(state: MatchState, number: int, name: str, team: Team, kind: str) -> int:
    """How often a side was found guilty of a kind before, by the decisions' order; wrong follows of every kind count together."""
    offence = penalty.OFFENCE_OF.get(kind, kind)
    kinds = _FOLLOWS if offence in _FOLLOWS else {offence}
    count = 0
    for other, decision in state.decisions.items():
        if other == name:
            break
        deal, _, seat, what = (*other.split("."), "", "", "", "")[:4]
        same = penalty.OFFENCE_OF.get(what, what) in kinds and seat in Seat.__members__ and Seat(seat).team is team
        if decision.decision == "confirmed" and same and int(deal) <= number:
            count += 1
    return count


def confirmed_costs(state: MatchState, deal: Deal) -> tuple[tuple[Team, penalty.Cost], ...]:
    """The costs of a deal's confirmed rulings, with the side that bears them."""
    out: list[tuple[Team, penalty.Cost]] = []
    for ruling in rulings(state, deal):
        if ruling.decision is not None and ruling.state == "confirmed":
            choice = min(ruling.decision.choice, max(len(ruling.proposal.costs) - 1, 0))
            out += [(ruling.seat.team, cost) for cost in ruling.proposal.applied(choice)]
    return tuple(out)


def reckon(state: MatchState, deal: Deal) -> Reckoning | None:
    """The reckoning of a deal with its confirmed penalties, or None while it is not ended."""
    plain = deals.reckoning(deal)
    return plain if plain is None else after_penalties(deal, plain, confirmed_costs(state, deal))


def winner(state: MatchState, deal: Deal | None = None) -> Team | None:
    """The side that has won the game with a deal (the one in hand), or None."""
    deal = deal if deal is not None else state.deal
    reckoning = reckon(state, deal) if deal is not None else None
    return None if deal is None or reckoning is None else winner_of(deal, reckoning, confirmed_costs(state, deal))


def first_levels(rules: Rulebook) -> dict[str, str]:
    """Both sides at the first level."""
    return dict.fromkeys((t.value for t in Team), str(rules.levels.path[0]))
