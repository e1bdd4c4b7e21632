"""The referee: a match as a fold of facts, with the events that follow from them.

:func:`step` takes one fact (from the camera, the referee or a truth) and gives the new state and what follows: a trick closed, a ruling proposed, a
deal reckoned, a deal begun. :func:`fold` makes the same of a whole log; what follows from facts may stand in the log (it is counted, so that the
places that ``Undone`` names are the log's) but is worked out anew. The same events always give the same state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine import deal as deals
from engine import penalty
from engine.cards import Card, Seat
from engine.deal import Deal, Phase
from engine.deal_state import rank_of
from engine.events import (
    BottomCorrected,
    BottomTaken,
    CameraBack,
    CameraLost,
    CameraMoved,
    CardsPlayed,
    ClocksStarted,
    ClocksStopped,
    Corrected,
    DealEnded,
    DealStarted,
    Declared,
    Desynced,
    Drawn,
    Event,
    MatchStarted,
    NamesSet,
    Resynced,
    Ruled,
    RulingDecided,
    Source,
    TrickClosed,
    TrumpFixed,
    Undone,
)
from engine.overtime import stand
from engine.rulebook import Rulebook
from engine.rulebook_terms import Remedy
from engine.rulebook_toml import RulebookError, load
from engine.rulings import Decision, MatchState, Ruling, confirmed_costs, first_levels, reckon, rulings, winner

WAITING: Final = "waiting"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may come next: the phase, whose turn it is, how many cards, the trick's lead, the trick's number, and the levels that may be declared.

    When a deal has been played out ``seat`` and ``levels`` are those of the next one: its declarer where that is fixed.
    """

    phase: str
    seat: Seat | None = None
    count: int | None = None
    lead: tuple[Card, ...] | None = None
    trick: int = 0
    levels: frozenset[str] = frozenset()


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
        return Expectation(WAITING, levels=_to_declare(first_levels(state.rules), None))
    lead = deal.current.plays[0].cards if deal.current is not None and deal.current.plays else None
    number = deal.current.number if deal.current is not None else deal.next_number
    levels = _to_declare(deal.levels, deal.fixed)
    if deal.phase in (Phase.DEALING, Phase.DECLARING):
        return Expectation(deal.phase.value, deal.fixed, deal.rules.pack.bottom, levels=levels)
    if deal.phase is Phase.BURYING:
        return Expectation(deal.phase.value, deal.taken[-1], deal.rules.pack.bottom, levels=levels)
    if deal.phase is Phase.TRICK:
        return Expectation(deal.phase.value, deal.turn, len(lead) if lead is not None else None, lead, number, levels)
    after, declarer = _next(replace(state, deal=deals.close(deal)) if deal.phase is Phase.BOTTOM else state)
    return Expectation(deal.phase.value, declarer, deal.rules.pack.bottom, levels=_to_declare(after, declarer))


def _next(state: MatchState) -> tuple[Mapping[str, str], Seat | None]:
    """The levels and the declarer, where fixed, of the deal after the one in hand; after a game that is won another begins."""
    if winner(state) is not None:
        return first_levels(state.rules), None
    reckoning = reckon(state, state.deal) if state.deal is not None else None
    return state.levels, reckoning.next_declarer if reckoning is not None else None


def _to_declare(levels: Mapping[str, str], declarer: Seat | None) -> frozenset[str]:
    """The ranks that declare at these levels: the declarer's side's, where it is fixed, else either side's."""
    return frozenset(rank_of(level) for team, level in levels.items() if declarer is None or team == declarer.team.value)


def is_derived(event: Event) -> bool:
    """Whether an event follows from facts, so that a fold works it out itself (a ruling by the referee's own hand is a fact)."""
    if isinstance(event, Ruled):
        return event.source is not Source.REFEREE
    if isinstance(event, DealStarted):
        return event.source is Source.INFERRED
    return isinstance(event, (TrickClosed, DealEnded))


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
            return _begin(_seeing(replace(state, desync=None), event.t), event.deal, event.levels, event.declarer)
        case RulingDecided():
            decision = Decision(event.decision, event.by, event.why, event.choice)
            others = {name: old for name, old in state.decisions.items() if name != event.ruling}
            return _fined(replace(state, decisions={**others, event.ruling: decision}))
        case Ruled():
            return replace(state, manual=(*state.manual, (_deal_of(state, event), event)))
        case NamesSet():
            return replace(state, names={**state.names, **event.names})
        case ClocksStopped():
            return replace(state, stops=(*state.stops, (event.t, None))) if not state.standing else state
        case ClocksStarted():
            stops = (*state.stops[:-1], (state.stops[-1][0], event.t)) if state.standing else state.stops
            return replace(state, stops=stops, clock_from=event.t if event.restart else state.clock_from)
        case CameraLost():
            return _seeing(replace(state, lost=event.reason), event.t)
        case CameraBack():
            return _seeing(replace(state, lost=None), event.t)
        case CameraMoved():
            return state
        case Desynced():
            return _seeing(replace(state, desync=event), event.t)
        case Resynced():
            return _seeing(replace(state, desync=None), event.t)
        case Corrected(deal=int(number)) | BottomCorrected(deal=int(number)) if state.deal is None or number != state.deal.number:
            return _corrected(state, number, event)
        case _:
            return _deal_fact(state, event)


def _seeing(state: MatchState, t: float) -> MatchState:
    """The state with the times written down at which the table was not seen, or was not as the record has it."""
    blind = state.lost is not None or state.desync is not None
    if blind == stand(state.blind):
        return state
    return replace(state, blind=(*state.blind, (t, None)) if blind else (*state.blind[:-1], (state.blind[-1][0], t)))


def _deal_of(state: MatchState, ruled: Ruled) -> int:
    """The deal of a ruling by hand: as its name says (``deal.trick.seat.kind``), else the one in hand."""
    number = ruled.ruling.partition(".")[0]
    if number.isdecimal() and any(deal.number == int(number) for deal in state.deals):
        return int(number)
    return state.deal.number if state.deal is not None else 0


def _corrected(state: MatchState, number: int, event: Corrected | BottomCorrected) -> MatchState:
    """Put an earlier deal right, and what followed from it; a deal that is not there changes nothing."""
    at = next((i for i in reversed(range(len(state.closed))) if state.closed[i].number == number), None)
    if at is None:
        return state
    fixed = deals.apply(state.closed[at], event)
    return _carried(_fined(replace(state, closed=(*state.closed[:at], fixed, *state.closed[at + 1 :]))), at)


def _carried(state: MatchState, at: int) -> MatchState:
    """Carry the levels that a closed deal now gives on to those after it, up to one whose levels were set by hand.

    Where cards lie already they were played at the old level, and only the count goes on from the new one.
    """
    chain = list(state.deals)
    for i in range(at + 1, len(chain)):
        reckoning, deal = reckon(state, chain[i - 1]), chain[i]
        if reckoning is None or not deal.follows:
            break
        over = winner(state, chain[i - 1]) is not None
        levels = first_levels(state.rules) if over else dict(reckoning.levels)
        if deal.facts:
            chain[i] = replace(deal, counted=None if levels == dict(deal.levels) else levels)
        else:
            declarer = None if over else reckoning.next_declarer
            chain[i] = replace(deals.start(state.rules, deal.number, levels, declarer, _last_declarers(chain[:i])), follows=True)
    closed = len(state.closed)
    return replace(state, closed=tuple(chain[:closed]), deal=chain[closed] if len(chain) > closed else None)


def _last_declarers(closed: Iterable[Deal]) -> dict[str, Seat]:
    """Each side's last declarer."""
    return {d.declarer.team.value: d.declarer for d in closed if d.declarer is not None}


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
    before = reckon(state, closed[-1]) if closed else None
    over = before is not None and winner(state, closed[-1]) is not None
    due = first_levels(state.rules) if over else before.levels if before is not None else None
    deal = replace(deals.start(state.rules, number, levels, declarer, _last_declarers(closed)), follows=due is not None and dict(due) == dict(levels))
    return replace(state, closed=closed, deal=deal)


def _deal_fact(state: MatchState, event: Event) -> MatchState:
    """Take a fact of a deal, beginning the next one where it is the first of it."""
    deal = state.deal
    opens = isinstance(event, (Declared, Drawn, BottomTaken, TrumpFixed)) or (isinstance(event, CardsPlayed) and event.trick == 1)
    if deal is None or (opens and deal.phase in (Phase.BOTTOM, Phase.ENDED)):
        if deal is not None and deal.phase is Phase.BOTTOM:
            state = replace(state, deal=deals.close(deal))
        state = _begin(state, deal.number + 1 if deal is not None else 1, *_next(state))
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


__all__ = [
    "WAITING", "Decision", "Expectation", "MatchState", "Ruling", "confirmed_costs", "expectation", "first_levels", "fold", "is_derived", "reckon",
    "rulings", "start", "step", "winner",
]  # fmt: skip
