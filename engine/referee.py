"""The referee: a match as a fold of facts, with the events that follow from them.

:func:`step` takes one fact (from the camera, the referee or a truth) and gives the new state and what follows: a trick closed, a ruling proposed, a
deal reckoned, a deal begun. :func:`fold` makes the same of a whole log; what follows from facts may stand in the log (it is counted, so that the
places that ``Undone`` names are the log's) but is worked out anew. The same events always give the same state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine import deal as deals
from engine import penalty
from engine.audit import FOLLOW_KINDS
from engine.cards import Card, Seat, Team
from engine.deal import Deal, Phase, Reckoning
from engine.events import (
    BottomTaken,
    CameraBack,
    CameraLost,
    CardsPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Event,
    MatchStarted,
    Ruled,
    RulingDecided,
    Source,
    TrickClosed,
    TrumpFixed,
    Undone,
)
from engine.kit import Breach
from engine.match import after_penalties, winner_of
from engine.rulebook import Rulebook
from engine.rulebook_terms import Offender, Remedy
from engine.rulebook_toml import RulebookError, load

WAITING: Final = "waiting"


@dataclass(frozen=True, slots=True)
class Decision:
    """What the referee decided on a ruling: ``confirmed``, ``overruled`` or ``later``; ``choice`` is the other side's where it had one."""

    decision: str
    by: str = ""
    why: str = ""
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling with its proposal and, once there is one, its decision."""

    ruling: str
    deal: int
    seat: Seat
    trick: int
    proved_by: int
    breach: Breach
    proposal: penalty.Proposal
    decision: Decision | None = None

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
    """A match so far: closed deals, the deal in hand, decisions on rulings, and (not compared) the log it was folded from."""

    rules: Rulebook
    names: Mapping[str, str] = field(default_factory=dict)
    closed: tuple[Deal, ...] = ()
    deal: Deal | None = None
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    manual: tuple[tuple[int, Ruled], ...] = ()
    lost: str | None = None
    facts: tuple[tuple[int, Event], ...] = field(default=(), compare=False)
    place: int = field(default=0, compare=False)
    checkpoints: tuple[MatchState, ...] = field(default=(), compare=False, repr=False)

    @property
    def rulebook(self) -> str:
        """The rulebook's name."""
        return self.rules.name

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
        return reckoning.levels if reckoning is not None else self.deal.levels


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may come next: the phase, whose turn it is, how many cards, the trick's lead, and the trick's number."""

    phase: str
    seat: Seat | None = None
    count: int | None = None
    lead: tuple[Card, ...] | None = None
    trick: int = 0


def start(rulebook: Rulebook | str) -> MatchState:
    """A match that has not begun.

    :raises engine.rulebook_toml.RulebookError: when the name is no rulebook.
    """
    return MatchState(load(rulebook) if isinstance(rulebook, str) else rulebook)


def step(state: MatchState, event: Event) -> tuple[MatchState, tuple[Event, ...]]:
    """Take one event and give the new state and the events that follow from it, in the order in which they belong into the log."""
    after = _take(state, state.place + 1, event)
    follows = _follows(state, after, event)
    return replace(after, place=after.place + len(follows)), follows


def fold(events: Iterable[Event], rulebook: Rulebook | str | None = None) -> MatchState:
    """The state after a whole log; places are counted over all of it.

    :param rulebook: for a log that does not begin with ``MatchStarted`` (or one whose rulebook file is not here).
    :raises ValueError: when neither the log nor the caller names a rulebook.
    """
    state = start(rulebook) if rulebook is not None else None
    for place, event in enumerate(events, 1):
        if state is None:
            if not isinstance(event, MatchStarted):
                raise ValueError(f"the log begins with {type(event).__name__}; expected MatchStarted, or a rulebook given beside it")
            state = start(event.rulebook)
        state = _take(state, place, event)
    if state is None:
        raise ValueError("the log is empty; expected MatchStarted, or a rulebook given beside it")
    return state


def expectation(state: MatchState) -> Expectation:
    """What may come next, to rank readings by (never to erase one)."""
    deal = state.deal
    if deal is None:
        return Expectation(WAITING)
    lead = deal.current.plays[0].cards if deal.current is not None and deal.current.plays else None
    number = deal.current.number if deal.current is not None else len(deal.tricks) + 1
    if deal.phase is Phase.BURYING:
        return Expectation(deal.phase.value, deal.taken[-1], deal.rules.pack.bottom)
    if deal.phase is Phase.TRICK:
        return Expectation(deal.phase.value, deal.turn, len(lead) if lead is not None else None, lead, number)
    if deal.phase is Phase.BOTTOM:
        return Expectation(deal.phase.value, None, deal.rules.pack.bottom)
    return Expectation(deal.phase.value)


def is_derived(event: Event) -> bool:
    """Whether an event follows from facts, so that a fold works it out itself (a ruling by the referee's own hand is a fact)."""
    if isinstance(event, Ruled):
        return event.source is not Source.REFEREE
    if isinstance(event, DealStarted):
        return event.source is Source.INFERRED
    return isinstance(event, (TrickClosed, DealEnded))


# --- rulings ----------------------------------------------------------------------------------------------------------------------------------


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
    named: dict[str, str] = {}
    for number, ruled in state.manual:
        if number == deal.number:
            named[ruled.ruling] = str(ruled.penalty.get("offender", ""))
            breach = Breach(ruled.kind, ruled.reason, ruled.reason, ruled.clause)
            found.setdefault(ruled.ruling, (ruled.seat, ruled.trick, ruled.proved_by, breach))
    out: list[Ruling] = []
    for name, (seat, trick, proved_by, breach) in sorted(found.items(), key=lambda item: item[1][2]):
        count = 1 + _confirmed_before(state, deal.number, name, seat.team, breach.kind)
        whose = _offender(deal, seat, named.get(name))
        proposal = penalty.propose(deal.rules, breach, trick=trick, found_in=proved_by, count=count, offender=whose)
        out.append(Ruling(name, deal.number, seat, trick, proved_by, breach, proposal, state.decisions.get(name)))
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
    kinds = FOLLOW_KINDS if kind in FOLLOW_KINDS else {kind}
    count = 0
    for other, decision in state.decisions.items():
        if other == name:
            break
        deal, _, seat, what = (*other.split("."), "", "", "", "")[:4]
        if decision.decision == "confirmed" and what in kinds and seat in Seat.__members__ and Seat(seat).team is team and int(deal) <= number:
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


def winner(state: MatchState) -> Team | None:
    """The side that has won the game with the deal in hand, or None."""
    reckoning = reckon(state, state.deal) if state.deal is not None else None
    return None if state.deal is None or reckoning is None else winner_of(state.deal, reckoning, confirmed_costs(state, state.deal))


def first_levels(rules: Rulebook) -> dict[str, str]:
    """Both sides at the first level."""
    return dict.fromkeys((t.value for t in Team), str(rules.levels.path[0]))


# --- the fold ---------------------------------------------------------------------------------------------------------------------------------


def _take(state: MatchState, place: int, event: Event) -> MatchState:
    """Take the event that stands at a place of the log."""
    if is_derived(event):
        return replace(state, place=place)
    facts = (*state.facts, (place, event))
    if isinstance(event, Undone):
        return replace(_without(state, facts), facts=facts, place=place)
    before = state
    state = replace(_fact(state, event), facts=facts, place=place)
    if len(state.deals) > len(before.deals) or state.closed != before.closed:
        state = replace(state, checkpoints=(*before.checkpoints, replace(before, checkpoints=())))
    return state


def _dead(facts: Iterable[tuple[int, Event]]) -> frozenset[int]:
    """The places that no longer count: an ``Undone`` that is itself undone undoes nothing."""
    dead: set[int] = set()
    for place, event in reversed(tuple(facts)):
        if isinstance(event, Undone) and place not in dead and event.target < place:
            dead.add(event.target)
    return frozenset(dead)


def _without(state: MatchState, facts: tuple[tuple[int, Event], ...]) -> MatchState:
    """The state of the facts that still count, folded from the last deal's beginning that the change does not touch."""
    dead, was = _dead(facts), _dead(state.facts)
    changed = dead ^ was
    if not changed:
        return state
    first = min(changed)
    kept = [point for point in state.checkpoints if point.place < first]
    out = replace(kept[-1], checkpoints=tuple(kept[:-1])) if kept else MatchState(state.rules)
    begun = out.place
    for place, event in facts:
        if place > begun and place not in dead and not isinstance(event, Undone):
            out = _take(out, place, event)
    return out


def _fact(state: MatchState, event: Event) -> MatchState:
    match event:
        case MatchStarted():
            return replace(state, names=dict(event.names), rules=_rules_of(state, event))
        case DealStarted():
            return _begin(state, event.deal, event.levels, event.declarer)
        case RulingDecided():
            decision = Decision(event.decision, event.by, event.why, event.choice)
            others = {name: old for name, old in state.decisions.items() if name != event.ruling}
            return _fined(replace(state, decisions={**others, event.ruling: decision}))
        case Ruled():
            return replace(state, manual=(*state.manual, (state.deal.number if state.deal is not None else 0, event)))
        case CameraLost():
            return replace(state, lost=event.reason)
        case CameraBack():
            return replace(state, lost=None)
        case _:
            return _deal_fact(state, event)


def _rules_of(state: MatchState, event: MatchStarted) -> Rulebook:
    """The rulebook of a match; once a deal has begun, or when its file is not here, the one that is known stays."""
    if event.rulebook == state.rules.name or state.deal is not None:
        return state.rules
    try:
        return load(event.rulebook)
    except (RulebookError, OSError):
        return state.rules


def _begin(state: MatchState, number: int, levels: Mapping[str, str], declarer: Seat | None) -> MatchState:
    """Begin a deal; one in hand that was played to its end is closed, any other is given up."""
    closed = state.closed
    if state.deal is not None and (state.deal.number != number or deals.reckoning(state.deal) is not None):
        closed = (*closed, deals.close(state.deal) if state.deal.played_out else state.deal)
    last = {d.declarer.team.value: d.declarer for d in closed if d.declarer is not None}
    return replace(state, closed=closed, deal=deals.start(state.rules, number, levels, declarer, last))


def _deal_fact(state: MatchState, event: Event) -> MatchState:
    """Take a fact of a deal, beginning the next one where it is the first of it."""
    deal = state.deal
    opens = isinstance(event, (Declared, BottomTaken, TrumpFixed)) or (isinstance(event, CardsPlayed) and event.trick == 1)
    if deal is None or (opens and deal.phase in (Phase.BOTTOM, Phase.ENDED)):
        if deal is not None and deal.phase is Phase.BOTTOM:
            state = replace(state, deal=deals.close(deal))
        reckoning = reckon(state, state.deal) if state.deal is not None else None
        number = deal.number + 1 if deal is not None else 1
        if winner(state) is not None:
            state = _begin(state, number, first_levels(state.rules), None)
        else:
            state = _begin(state, number, state.levels, reckoning.next_declarer if reckoning is not None else None)
    if state.deal is None:
        return state
    return _fined(replace(state, deal=deals.apply(state.deal, event)))


def _fined(state: MatchState) -> MatchState:
    """The state with the confirmed fines counted into its deals' points."""
    if not state.decisions:
        return state

    def fined(deal: Deal) -> Deal:
        if deal.attackers is None:
            return deal
        costs = confirmed_costs(state, deal)
        stopped = any(r.state == "confirmed" and r.proposal.in_time and r.proposal.remedy is Remedy.DEAL_STOPS for r in rulings(state, deal))
        fines = sum(penalty.points_to_attackers((cost,), team, deal.attackers) for team, cost in costs)
        return deal if (fines, stopped) == (deal.fines, deal.stopped) else replace(deal, fines=fines, stopped=stopped)

    return replace(state, closed=tuple(map(fined, state.closed)), deal=fined(state.deal) if state.deal is not None else None)


# --- what follows -----------------------------------------------------------------------------------------------------------------------------


def _follows(before: MatchState, after: MatchState, cause: Event) -> tuple[Event, ...]:
    """The events that a change brought: those whose content is new."""
    known = {deal.number: deal for deal in before.deals}
    judged = before.decisions != after.decisions or before.manual != after.manual
    out: list[Event] = []
    for deal in after.deals:
        old = known.get(deal.number)
        if old is deal and not judged:
            continue
        if old is None and not isinstance(cause, DealStarted):
            levels = dict(deal.levels)
            out.append(DealStarted(t=cause.t, source=Source.INFERRED, deal=deal.number, levels=levels, declarer=deal.fixed))
        told = _derived(before, old, cause.t) if old is not None else {}
        out += [event for name, event in _derived(after, deal, cause.t).items() if told.get(name) != event]
    return tuple(out)


def _derived(state: MatchState, deal: Deal, t: float) -> dict[str, Event]:
    """Everything that follows from a deal's facts, by name."""
    out: dict[str, Event] = {}
    own = {ruled.ruling for _, ruled in state.manual}
    for ruling in rulings(state, deal):
        if ruling.ruling in own:
            continue
        out[f"ruling {ruling.ruling}"] = Ruled(
            t=t, source=Source.INFERRED, ruling=ruling.ruling, kind=ruling.kind, seat=ruling.seat, trick=ruling.trick, proved_by=ruling.proved_by,
            clause=ruling.proposal.clause, reason=f"{ruling.breach.zh}（{ruling.breach.en}）", penalty=ruling.proposal.to_json(),
        )  # fmt: skip
    for trick in deal.tricks:
        if trick.winner is not None and trick.plays:
            out[f"trick {trick.number}"] = TrickClosed(t=t, source=Source.INFERRED, trick=trick.number, winner=trick.winner, points=trick.points)
    reckoning = reckon(state, deal)
    if reckoning is not None:
        out["end"] = DealEnded(
            t=t, source=Source.INFERRED, deal=deal.number, points=reckoning.points, dig_points=reckoning.dig_points,
            multiplier=reckoning.multiplier, bottom=reckoning.bottom, stage=reckoning.scored.stage, steps=dict(reckoning.scored.steps),
            levels=dict(reckoning.levels), next_declarer=reckoning.next_declarer,
        )  # fmt: skip
    return out
