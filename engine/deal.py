"""One deal as a fold of facts: declare, take the bottom, bury, the tricks, dig, score, level, next declarer.

Every action comes in three: ``verify_x`` raises :class:`Illegal` with the reason, ``can_x`` asks, ``x`` does it; ``x`` never refuses, because on a
real table an illegal play *was* played: it is recorded and becomes a fault. :func:`apply` takes the events that are facts of a deal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cards import Seat, parse_trump, seats_from
from engine.deal_opening import bury, can_bury, can_declare, can_take, declare, drawn, take, verify_bury, verify_declare, verify_take
from engine.deal_result import by_team, dig, next_declarer, reckoning, result_of, scored_now, show_bottom
from engine.deal_state import EITHER, UNSURE, Bid, Deal, Fault, Illegal, Phase, Play, Reckoning, Trick, start, verify_levels, with_kit
from engine.deal_tricks import can_play, can_take_back, play, take_back, verify_play, verify_take_back
from engine.events import (
    BottomCorrected,
    BottomShown,
    BottomTaken,
    Buried,
    CardsPlayed,
    Corrected,
    Declared,
    Drawn,
    Event,
    ScoreSet,
    Source,
    TakenBack,
    TrumpFixed,
)
from engine.score import ladder


def apply(deal: Deal, event: Event) -> Deal:
    """Take one fact; events that are none of a deal, and plays without cards, change nothing.

    A second ``CardsPlayed`` of a seat in a trick puts the first one right, as a correction does. A correction without cards takes the play out.
    """
    if isinstance(event, CardsPlayed) and not event.cards:
        return deal
    if isinstance(event, Corrected):
        return _put_right(deal, event) if event.cards else _take_out(deal, event.seat, event.trick)
    if isinstance(event, CardsPlayed) and (where := deal.trick(event.trick)) is not None and (lying := where.play_of(event.seat)) is not None:
        same = sorted(lying.cards) == sorted(event.cards)
        return deal if same else _put_right(deal, event)
    if isinstance(event, TrumpFixed) and (deal.tricks or deal.current is not None):
        first = next(i for i, fact in enumerate(deal.facts) if isinstance(fact, CardsPlayed))
        return _refold(deal, (*deal.facts[:first], event, *deal.facts[first:]))
    return _apply(replace(deal, facts=(*deal.facts, event)), event)


def _apply(deal: Deal, event: Event) -> Deal:
    match event:
        case Declared():
            return declare(deal, event.seat, event.cards, face_down=event.face_down, t=_told(event))
        case Drawn():
            return drawn(deal, event.t)
        case TrumpFixed():
            return with_kit(replace(deal, trump=parse_trump(event.trump), declarer=event.declarer, watch=None))
        case BottomTaken():
            return take(deal, event.seat, _told(event))
        case Buried():
            return bury(deal, event)
        case CardsPlayed():
            return play(deal, event)
        case TakenBack():
            return take_back(deal, event)
        case BottomShown() | BottomCorrected():
            return show_bottom(deal, event.cards)
        case ScoreSet():
            return _set_score(deal, event)
        case _:
            return deal


def _told(event: Event) -> float | None:
    """When something happened; what was entered by hand has no time of its own."""
    return None if event.source is Source.REFEREE else event.t


def close(deal: Deal) -> Deal:
    """End the deal without the bottom being shown: it is worked out as the pack minus everything played."""
    return replace(deal, closed=True)


def _set_score(deal: Deal, event: ScoreSet) -> Deal:
    """Put points, trick number, levels and the next leader as the referee says; what is played later adds to it, unless these points are the last."""
    path = ladder(deal.rules.levels)
    said = {team: level for team, level in event.levels.items() if team in deal.levels and level in path}
    levels, counted = {**deal.levels, **said}, None if deal.counted is None else {**deal.counted, **said}
    closed = event.end or (deal.closed and not deal.told)
    deal = replace(deal, levels=levels, counted=counted, base_points=event.points, base_trick=event.trick, current=None, closed=closed)
    deal = with_kit(replace(deal, told=event.end))
    marker = Trick(event.trick, event.leader, (), event.leader) if event.leader is not None and event.trick > 0 else None
    kept = tuple(t for t in deal.tricks if t.number < event.trick) if marker is not None else deal.tricks
    return replace(deal, tricks=(*kept, marker) if marker is not None else kept)


def _take_out(deal: Deal, seat: Seat, trick: int) -> Deal:
    """Take a play out of the facts that there never was, and fold them again."""
    kept = tuple(f for f in deal.facts if not (isinstance(f, (CardsPlayed, TakenBack)) and f.seat is seat and f.trick == trick))
    return deal if len(kept) == len(deal.facts) else _refold(deal, kept)


def _put_right(deal: Deal, event: Corrected | CardsPlayed) -> Deal:
    """Put the cards of a play right (or add one that was not seen) in the facts, and fold them again."""
    seat, trick, cards, evidence = event.seat, event.trick, event.cards, event.evidence
    facts = list(deal.facts)
    places = [i for i, fact in enumerate(facts) if isinstance(fact, CardsPlayed) and fact.trick == trick]
    own = [i for i in places if getattr(facts[i], "seat", None) is seat]
    if own:
        old = facts[own[0]]
        known = {name: value for name, value in old.evidence.items() if name not in (UNSURE, EITHER)}
        facts[own[0]] = replace(old, cards=cards, evidence={**known, **evidence})  # type: ignore[call-arg]
        drop = [i for i, fact in enumerate(facts) if i in own[1:] or (isinstance(fact, TakenBack) and fact.seat is seat and fact.trick == trick)]
        return _refold(deal, tuple(fact for i, fact in enumerate(facts) if i not in drop))
    later = [
        i
        for i, fact in enumerate(facts)
        if (isinstance(fact, CardsPlayed) and fact.trick > trick) or (isinstance(fact, ScoreSet) and fact.trick >= trick)
    ]
    order = seats_from(_due_leader(deal, trick))
    after = [i for i in places if order.index(getattr(facts[i], "seat", seat)) > order.index(seat)]
    where = after[0] if after else places[-1] + 1 if places else later[0] if later else len(facts)
    t = facts[where].t if where < len(facts) else max(event.t, facts[-1].t if facts else 0.0)
    added = CardsPlayed(t=t, source=event.source, seat=seat, trick=trick, cards=cards, evidence=evidence)
    return _refold(deal, (*facts[:where], added, *facts[where:]))


def _due_leader(deal: Deal, trick: int) -> Seat:
    """Who should have led a trick: the winner of the one before, the declarer the first."""
    before = deal.trick(trick - 1)
    where = deal.trick(trick)
    led = where.leader if where is not None else Seat.E
    return (before.winner if before is not None else deal.declarer) or led


def _refold(deal: Deal, facts: tuple[Event, ...]) -> Deal:
    """Fold facts from the deal's beginning."""
    begun = start(deal.rules, deal.number, deal.opening, deal.fixed, deal.last_declarers)
    out = replace(begun, fines=deal.fines, stopped=deal.stopped, counted=deal.counted, follows=deal.follows)
    for fact in facts:
        out = _apply(replace(out, facts=(*out.facts, fact)), fact)
    return replace(out, closed=out.closed or (deal.closed and deal.shown is None))


FACTS: Final = (Declared, Drawn, TrumpFixed, BottomTaken, Buried, CardsPlayed, TakenBack, BottomShown, BottomCorrected, ScoreSet, Corrected)
"""The events that are facts of a deal."""

__all__ = [
    "FACTS", "Bid", "Deal", "Fault", "Illegal", "Phase", "Play", "Reckoning", "Trick", "apply", "bury", "by_team", "can_bury", "can_declare",
    "can_play", "can_take", "can_take_back", "close", "declare", "dig", "drawn", "next_declarer", "play", "reckoning", "result_of", "scored_now",
    "show_bottom", "start", "take", "take_back", "verify_bury", "verify_declare", "verify_levels", "verify_play", "verify_take", "verify_take_back",
]  # fmt: skip
