"""A match worked out for review: each deal with its tricks, steps, curve, inbox, hands and lessons, as pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import referee
from engine.cards import SEATS
from engine.deal import Deal, Phase
from engine.events import CameraBack, CameraLost, DealEnded, DealStarted, Event, MatchStarted, Source
from engine.lessons import lessons_of
from engine.lessons.tempo import medians, thinking
from engine.referee import MatchState
from engine.rulebook import Rulebook
from engine.view import snapshot
from kiosk.plays import public
from kiosk.review.inbox import inbox
from kiosk.review.logs import Entry, Log
from kiosk.review.steps import steps, taken_back

_KEPT: Final = (
    "phase", "deal", "levels", "declarer", "declarers", "trump", "points", "ladder", "trick", "tricks", "bottom", "reckoning", "conservation", "bids",
)  # fmt: skip
"""What a deal's view takes from the snapshot."""


@dataclass(frozen=True)
class DealDigest:
    """One deal for review: the figures that lists and statistics use, from when to when it was played (s of the table's clock), the page's view,
    and the thinking times, which are for the referee only."""

    deal: int
    over: bool
    started: str
    t0: float
    t1: float
    declarer: str | None
    trump: str | None
    points: int
    stage: str | None
    steps: Mapping[str, int]
    alerts: int
    view: Mapping[str, Any]
    tempo: Mapping[str, Any]
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class MatchDigest:
    """A match for review: its name, times (ISO 8601, UTC), rulebook, the tokens of its players by seat, and its deals."""

    match: str
    started: str
    ended: str
    rulebook: str
    tokens: Mapping[str, str]
    names: Mapping[str, str]
    entries: int
    head: str
    winner: str | None
    deals: tuple[DealDigest, ...]


Memo = dict[int, tuple[Deal, int, Mapping[str, Any], "DealDigest"]]
"""By its place in the match: a deal, how many entries it had, what was decided, and what was made of it."""


def digest(log: Log, rules: Rulebook | None = None, state: MatchState | None = None, memo: Memo | None = None) -> MatchDigest:
    """Work a match out.

    :param rules: the rulebook, where the log names one by a file that is not here.
    :param state: the match's state where somebody has it already folded.
    :param memo: what was made of it the last time; deals that have not changed since are taken from there.
    :raises StoreError: when the log holds something that is no event.
    :raises ValueError: when its rulebook is not known.
    """
    placed = log.placed()
    state = state or referee.fold((event for _, event in placed), rules)
    started = next((event.rulebook for _, event in placed if isinstance(event, MatchStarted)), state.rulebook)
    winner = referee.winner(state)
    return MatchDigest(
        match=log.match, started=log.entries[0].at, ended=log.entries[-1].at, rulebook=started, tokens=log.tokens, names=log.names,
        entries=len(log.entries), head=log.head, winner=str(winner) if winner else None,
        deals=_deals(state, placed, memo if memo is not None else {}),
    )  # fmt: skip


def _deals(state: MatchState, placed: Sequence[tuple[Entry, Event]], memo: Memo) -> tuple[DealDigest, ...]:
    gone = taken_back(placed)
    out = []
    for place, own in enumerate(by_deal(state, placed)):
        deal = state.deals[place]
        known = memo.get(place)
        if known is None or known[0] is not deal or known[1:3] != (len(own), state.decisions):
            known = memo[place] = (deal, len(own), dict(state.decisions), _deal(state, place, own, gone))
        out.append(known[3])
    return tuple(out)


def by_deal(state: MatchState, placed: Sequence[tuple[Entry, Event]]) -> list[list[tuple[Entry, Event]]]:
    """The entries of each deal of a match, in the order of its deals."""
    out: list[list[tuple[Entry, Event]]] = [[] for _ in state.deals]
    at = {deal.number: i for i, deal in enumerate(state.deals)}
    now = 0
    for entry, event in placed:
        if isinstance(event, DealStarted) and event.source is not Source.INFERRED:
            now = at.get(event.deal, now)
        elif isinstance(event, DealStarted):  # stands behind the fact that opened the deal
            before, now = now, at.get(event.deal, now)
            if now != before and out[before] and out[before][-1][0].seq == entry.seq - 1:
                out[now].append(out[before].pop())
        if out:
            out[now].append((entry, event))
    return out


def gaps_of(events: Sequence[Event]) -> list[tuple[float, float]]:
    """Times (s of the table's clock) from and to which the camera did not see the table; an open end is infinite."""
    out: list[tuple[float, float]] = []
    lost: float | None = None
    for event in events:
        if isinstance(event, CameraLost) and lost is None:
            lost = event.t
        elif isinstance(event, CameraBack):
            out.append((lost if lost is not None else max(event.t - event.gap, 0.0), event.t))
            lost = None
    if lost is not None:
        out.append((lost, float("inf")))
    return out


def _deal(state: MatchState, place: int, own: Sequence[tuple[Entry, Event]], gone: frozenset[int]) -> DealDigest:
    deal = state.deals[place]
    then = replace(state, closed=state.deals[:place], deal=deal, lost=None)
    shown = snapshot(then)
    rulings = [ruling for ruling in shown["rulings"] if ruling["deal"] == deal.number]
    over = deal.phase is Phase.ENDED
    lost = gaps_of([event for _, event in own])
    seen = public({**shown, "tricks": [_timed(deal, trick) for trick in shown["tricks"]], "trick": _timed(deal, shown["trick"])})
    view = {
        **{key: seen[key] for key in _KEPT},
        "over": over,
        "opening": dict(deal.opening),
        "rulings": rulings,
        "steps": steps(own, gone),
        "curve": _curve(deal),
        "gaps": [[start, end if end != float("inf") else None] for start, end in lost],
        "inbox": inbox(deal, rulings, own, shown),
        "hands": _hands(deal) if over else None,
        "lessons": [lesson.to_json() for lesson in lessons_of(deal)],
    }  # fmt: skip
    if not over and view["bottom"].get("cards"):
        view["bottom"] = {**view["bottom"], "cards": None, "points_if_dug": None}
    thoughts = thinking(deal, lost)
    tempo = {
        "plays": [{"trick": t.trick, "seat": str(t.seat), "seconds": t.seconds, "led": t.led} for t in thoughts],
        "median": {str(seat): value for seat, value in medians(thoughts).items()},
    }
    reckoning = shown["reckoning"]
    last = next((i for i in range(len(own) - 1, -1, -1) if over and isinstance(own[i][1], DealEnded)), len(own))
    times = [event.t for _, event in own[: last + 1] if event.source is not Source.REFEREE or isinstance(event, DealStarted)] or [0.0]
    return DealDigest(
        deal=deal.number, over=over, started=own[0][0].at if own else "", t0=times[0], t1=max(times), declarer=shown["declarer"],
        trump=shown["trump"], points=reckoning["points"] if reckoning else shown["points"], stage=reckoning["stage"] if reckoning else None,
        steps=reckoning["steps"] if reckoning else {}, alerts=len(rulings), view=view, tempo=tempo, figures=_figures(deal, rulings, reckoning),
    )  # fmt: skip


def _timed(deal: Deal, trick: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A trick of the snapshot with the time of each play."""
    found = deal.trick(trick["number"]) if trick else None
    if trick is None or found is None:
        return dict(trick) if trick else None
    times = {str(play.seat): round(play.t, 2) for play in found.plays}
    return {**trick, "plays": [{**play, "t": times.get(play["seat"])} for play in trick["plays"]]}


def _curve(deal: Deal) -> list[list[int]]:
    """The attackers' points after each trick, from 0: [trick, points]."""
    points, out = 0, [[0, 0]]
    if deal.base_trick:
        points, out = deal.base_points, [[deal.base_trick, deal.base_points]]
    for trick in deal.tricks:
        if trick.number > deal.base_trick and trick.winner is not None:
            points += trick.points if trick.winner.team is deal.attackers else 0
            out.append([trick.number, points])
    return out


def _hands(deal: Deal) -> dict[str, list[str]]:
    """What each seat held before the first trick, as far as it was played; in the order of the trump group and the suits."""
    order = deal.kit.order if deal.kit is not None else None
    out: dict[str, list[str]] = {}
    for seat in SEATS:
        cards = [
            card for trick in (*deal.tricks, *((deal.current,) if deal.current else ())) for p in trick.plays if p.seat is seat for card in p.cards
        ]
        if order is not None:
            suits = ["T", "S", "H", "C", "D"]
            cards.sort(key=lambda c: (suits.index(order.group[c]) if order.group[c] in suits else 9, -order.place[c], c))
        out[str(seat)] = list(cards)
    return out


def _figures(deal: Deal, rulings: Sequence[Mapping[str, Any]], reckoning: Mapping[str, Any] | None) -> dict[str, Any]:
    """What statistics count of a deal that is over."""
    if reckoning is None or deal.declarer is None:
        return {}
    won = {str(seat): [0, 0] for seat in SEATS}
    throws = {str(seat): 0 for seat in SEATS}
    for trick in deal.tricks:
        if trick.winner is not None and trick.plays:
            won[str(trick.winner)][0] += 1
            won[str(trick.winner)][1] += trick.points
            if deal.kit is not None and deal.kit.readable(trick.plays[0].cards) and deal.kit.is_throw(trick.plays[0].cards):
                throws[str(trick.plays[0].seat)] += 1
    offences = {str(seat): 0 for seat in SEATS}
    for ruling in rulings:
        if ruling["state"] == "confirmed":
            offences[ruling["seat"]] += 1
    return {
        "declarer": str(deal.declarer), "attackers": reckoning["stage"] == "attackers", "points": reckoning["points"],
        "steps": dict(reckoning["steps"]), "dug": reckoning["dig_points"], "tricks": {seat: n for seat, (n, _) in won.items()},
        "collected": {seat: points for seat, (_, points) in won.items()}, "throws": throws, "offences": offences,
    }  # fmt: skip
