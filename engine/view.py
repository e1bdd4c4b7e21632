"""What every page shows: one JSON snapshot of a match."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import clock, referee
from engine import deal as deals
from engine.audit import Verdict
from engine.cards import POINTS, UNKNOWN, Card, Seat, Team, points_of, seats_from
from engine.deal import Deal, Phase, Trick
from engine.duties import duties
from engine.events import ScoreSet
from engine.kit import Kit
from engine.referee import MatchState, Ruling
from engine.rulebook_terms import Claim
from engine.score import ScoreResult


def snapshot(state: MatchState) -> dict[str, Any]:
    """The state of a match as pure JSON; the keys are the contract of every page."""
    deal = state.deal
    out: dict[str, Any] = {
        "phase": referee.WAITING, "deal": 0, "rulebook": state.rulebook, "names": dict(state.names), "levels": dict(state.levels),
        "declarer": None, "declarers": None, "trump": None, "points": 0, "ladder": [], "next_threshold": None, "points_to_next": None,
        "if_ended_now": None, "trick": None, "last_trick": None, "tricks": [], "bottom": {"size": state.rules.pack.bottom, "multiplier": None,
        "cards": None, "points_if_dug": None}, "rulings": [_ruling(d, r) for d in state.deals for r in referee.rulings(state, d)], "reckoning": None,
        "conservation": [], "bids": [], "turn": None, "camera_lost": state.lost, "winner": _text(referee.winner(state)), "clocks": _clocks(state),
        "duties": _duties(state), "clocks_stopped": state.standing, "overtimes": [], "gaps": [], "repeats": _repeats(state),
        "deals": [_summary(state, d) for d in state.deals],
        "desync": {"reason": state.desync.reason, "zh": state.desync.zh, "en": state.desync.en} if state.desync is not None else None,
    }  # fmt: skip
    if deal is None:
        return out
    out.update(deal_view(state, deal))
    return out


def deal_view(state: MatchState, deal: Deal) -> dict[str, Any]:
    """One deal of a match as pure JSON, in the form in which :func:`snapshot` gives the deal in hand."""
    out: dict[str, Any] = {
        "ladder": [], "next_threshold": None, "points_to_next": None, "if_ended_now": None, "reckoning": None,
        "bottom": {"size": state.rules.pack.bottom, "multiplier": None, "cards": None, "points_if_dug": None},
    }  # fmt: skip
    took = clock.thinking(deal, state.stops)
    tricks = [_trick(deal, t, took) for t in deal.tricks if t.plays]
    reckoning = referee.reckon(state, deal)
    out.update(
        phase=deal.phase.value, deal=deal.number, levels=dict(deal.standing), declarer=_text(deal.declarer), trump=_text(deal.trump),
        points=deal.points, declarers=deal.declarer.team.value if deal.declarer is not None else None, turn=_text(deal.turn), tricks=tricks,
        trick=_trick(deal, deal.current, took) if deal.current is not None else _next_trick(deal), last_trick=tricks[-1] if tricks else None,
        conservation=_conservation(deal), bids=[_bid(bid) for bid in deal.bids], gaps=_gaps(deal),
        overtimes=[_overtime(o) for o in clock.overtimes(deal, state.stops, state.blind)],
    )  # fmt: skip
    if deal.declarer is not None and deal.kit is not None:
        out["ladder"] = ladder = _ladder(deal, deal.kit)
        step = next((rung["from"] for rung in ladder if rung["from"] is not None and rung["from"] > deal.points), None)
        out["next_threshold"], out["points_to_next"] = step, None if step is None else step - deal.points
        now = deals.scored_now(deal)
        out["if_ended_now"] = None if now is None else _scored(deal, now)
        out["bottom"] = _bottom(deal)
    if reckoning is not None:
        out["reckoning"] = {
            "points": reckoning.points, "trick_points": reckoning.trick_points, "dig_points": reckoning.dig_points, "fines": reckoning.fines,
            "multiplier": reckoning.multiplier, "bottom": list(reckoning.bottom), "stage": reckoning.scored.stage,
            "steps": dict(reckoning.scored.steps), "levels": dict(reckoning.levels), "next_declarer": _text(reckoning.next_declarer),
        }  # fmt: skip
    return out


def _clocks(state: MatchState) -> list[dict[str, Any]]:
    """The clocks that run: ``until`` on the table's clock, or, while they stand, the seconds ``left``."""
    out = []
    for running in clock.now(state, math.inf):
        zh, en = clock.NAMES[running.limit]
        stopped_at = running.stops[-1][0] if running.standing else None
        past = sum(end - max(begin, running.since) for begin, end in running.stops if end is not None and end > running.since)
        out.append({
            "limit": running.limit.value, "seat": _text(running.seat), "seconds": running.seconds, "since": running.since, "warn_s": running.warn,
            "until": running.since + running.seconds + past, "stopped": running.standing, "words": {"zh": zh, "en": en},
            "left": None if stopped_at is None else running.left(max(stopped_at, running.since)),
        })  # fmt: skip
    return out


def _duties(state: MatchState) -> dict[str, Any] | None:
    """Who shuffles, cuts and draws first before the next deal; None while cards are in play."""
    if state.deal is not None and state.deal.facts and state.deal.phase is not Phase.ENDED:
        return None
    found = duties(state)
    return {"shuffle": [str(s) for s in found.shuffle], "cut": [str(s) for s in found.cut], "first_draw": _text(found.first)}


def _gaps(deal: Deal) -> list[dict[str, Any]]:
    """Where the score was set by hand: what was played before is not all known."""
    return [{"deal": deal.number, "trick": f.trick, "t": f.t, "by": f.by, "end": f.end} for f in deal.facts if isinstance(f, ScoreSet)]


def _overtime(over: clock.Overtime) -> dict[str, Any]:
    return {"limit": over.limit.value, "seat": str(over.seat), "trick": over.trick, "took": round(over.took, 1), "seconds": over.seconds}


def _over(over: clock.Overtime) -> dict[str, Any]:
    return {"limit": over.limit.value, "seconds": round(over.took, 1), "allowed": over.seconds}


def _repeats(state: MatchState) -> list[dict[str, Any]]:
    """How often each side was found guilty of each offence in this match."""
    found = Counter((r.seat.team.value, r.proposal.offence) for d in state.deals for r in referee.rulings(state, d) if r.state == "confirmed")
    return [{"team": team, "kind": kind, "count": count} for (team, kind), count in sorted(found.items())]


def _summary(state: MatchState, deal: Deal) -> dict[str, Any]:
    """A deal of the match in one line."""
    reckoning = referee.reckon(state, deal)
    return {
        "deal": deal.number, "declarer": _text(deal.declarer), "trump": _text(deal.trump), "ended": reckoning is not None,
        "levels": dict(deal.standing), "points": reckoning.points if reckoning is not None else deal.points,
        "stage": reckoning.scored.stage if reckoning is not None else None, "steps": dict(reckoning.scored.steps) if reckoning is not None else None,
        "levels_after": dict(reckoning.levels) if reckoning is not None else None, "tricks": sum(bool(t.plays) for t in deal.tricks),
        "gap": bool(_gaps(deal)), "open_rulings": sum(r.state in ("proposed", "later") for r in referee.rulings(state, deal)),
    }  # fmt: skip


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _bid(bid: deals.Bid) -> dict[str, Any]:
    return {"seat": str(bid.seat), "cards": list(bid.cards), "accepted": bid.accepted, "face_down": bid.face_down}


def _trick(deal: Deal, trick: Trick, took: Mapping[tuple[int, Seat], float]) -> dict[str, Any]:
    """A trick with a verdict for every play and, while it lies, who is winning it so far."""
    winner = trick.winner if trick.winner is not None else _winning(deal, trick)
    return {
        "number": trick.number,
        "leader": str(trick.leader),
        "turn": _text(deal.turn) if trick is deal.current else None,
        "plays": [
            {"seat": str(p.seat), "cards": list(p.cards), "shape": _shape(deal, p.cards, led=p is trick.plays[0]),
             "verdict": _verdict(deal, trick.number, p.seat), "evidence": dict(p.evidence),
             "thought_s": None if (s := took.get((trick.number, p.seat))) is None else round(s, 1)}
            for p in trick.plays
        ],
        "winner": _text(winner),
        "points": sum(points_of(p.cards) for p in trick.plays) if trick.plays else trick.points,
    }  # fmt: skip


def _next_trick(deal: Deal) -> dict[str, Any] | None:
    """The trick that is about to be led, or None."""
    if deal.phase is not Phase.TRICK or deal.leader is None:
        return None
    return {"number": deal.next_number, "leader": str(deal.leader), "turn": _text(deal.turn), "plays": [], "winner": None, "points": 0}


def _winning(deal: Deal, trick: Trick) -> Seat | None:
    plays = [(seat, p.cards) for seat in seats_from(trick.leader) if (p := trick.play_of(seat)) is not None]
    if deal.kit is None or not plays or plays[0][0] is not trick.leader or UNKNOWN in plays[0][1]:
        return None
    return plays[deal.kit.winner([cards for _, cards in plays])][0]


def _verdict(deal: Deal, trick: int, seat: Seat) -> str:
    verdicts = deal.watch.verdicts if deal.watch is not None else {}
    return verdicts.get((trick, seat), Verdict.UNDECIDED).value


def _shape(deal: Deal, cards: tuple[Card, ...], *, led: bool) -> dict[str, str]:
    """A play in words; what does not form one unit is a throw when led, and loose cards otherwise."""
    if deal.kit is None or UNKNOWN in cards or not cards:
        return {"zh": "", "en": ""}
    if len({deal.kit.group(card) for card in cards}) > 1:
        return {"zh": "杂牌", "en": "mixed"}
    if not led and len(deal.kit.units(cards)) > 1:
        return {"zh": "散张", "en": "loose cards"}
    return deal.kit.shape_words(cards)


def _ladder(deal: Deal, kit: Kit) -> list[dict[str, Any]]:
    """The result table of this deal: bands of points with the side that gains and by how many levels."""
    top = 2 * deal.rules.pack.decks * sum(POINTS.values())
    return [{"from": low, "to": high, "stage": stage, "steps": steps} for low, high, stage, steps in kit.bands(top)]


def _scored(deal: Deal, scored: ScoreResult) -> dict[str, Any]:
    declarers = deal.declarer.team if deal.declarer is not None else Team.EW
    return {"stage": scored.stage, "steps": dict(scored.steps), "levels": deals.by_team(scored.levels, declarers)}


def _bottom(deal: Deal) -> dict[str, Any]:
    """The bottom: its size, by how much the trick as it lies would multiply it if the attackers won, and the cards once they are known.

    Once the hands are played out it is what the last trick has dug.
    """
    cards = deal.bottom
    multiplier: int | None = None
    points: int | None = None
    if deal.current is not None and (best := _winning(deal, deal.current)) is not None and (play := deal.current.play_of(best)) is not None:
        multiplier = deal.kit.multiplier(play.cards) if deal.kit is not None else None
        points = multiplier * points_of(cards) if cards and multiplier is not None else None
    elif deal.current is None and deal.turn is None and deal.tricks and deal.tricks[-1].plays:
        dug = deals.dig(deal, deal.tricks[-1], cards or ())
        multiplier, points = dug.multiplier, dug.points if cards else None
    return {"size": deal.rules.pack.bottom, "multiplier": multiplier or None, "cards": list(cards) if cards else None, "points_if_dug": points}


def _conservation(deal: Deal) -> list[dict[str, Any]]:
    """Faces of which more copies were seen than the pack has, and where they lie (trick 0: the bottom)."""
    where: dict[Card, list[list[Any]]] = {}
    for trick in (*deal.tricks, *((deal.current,) if deal.current is not None else ())):
        for p in trick.plays:
            for card in p.cards:
                where.setdefault(card, []).append([str(p.seat), trick.number])
    for card in deal.shown or ():
        where.setdefault(card, []).append([None, 0])
    allowed = deal.rules.pack.decks
    counts = Counter({card: len(places) for card, places in where.items() if card != UNKNOWN})
    return [{"card": c, "seen": n, "allowed": allowed, "where": where[c]} for c, n in sorted(counts.items()) if n > allowed]


def _claim(deal: Deal, ruling: Ruling) -> dict[str, Any]:
    """The claim window: until which trick (None: no trick ends it), and whether it is open still."""
    kind = ruling.proposal.claim
    until = {Claim.END_OF_TRICK: ruling.trick, Claim.NEXT_TRICK: ruling.trick + 1}.get(kind)
    number = deal.current.number if deal.current is not None else deal.next_number
    ended = deal.phase in (Phase.BOTTOM, Phase.ENDED) if until is not None else deal.phase is Phase.ENDED
    return {"until": until, "open": kind is Claim.NO_LIMIT or not (ended or (until is not None and number > until))}


def _ruling(deal: Deal, ruling: Ruling) -> dict[str, Any]:
    decision = ruling.decision
    penalty = ruling.proposal.to_json()
    penalty["claim"].update(_claim(deal, ruling))
    return {
        "ruling": ruling.ruling, "deal": ruling.deal, "kind": ruling.kind, "seat": str(ruling.seat), "trick": ruling.trick,
        "proved_by": ruling.proved_by, "clause": ruling.proposal.clause, "reason": {"zh": ruling.breach.zh, "en": ruling.breach.en},
        "penalty": penalty, "state": ruling.state, "by": decision.by if decision is not None else "",
        "why": decision.why if decision is not None else "", "choice": decision.choice if decision is not None else None,
        "over": None if ruling.over is None else _over(ruling.over), "reported": ruling.reported, "note": ruling.note,
        "chooser": ruling.seat.team.other.value if len(ruling.proposal.costs) > 1 else None,
    }  # fmt: skip
