"""The end of a deal: the bottom, the dig, the result by the table, and who is declarer next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.cards import UNKNOWN, Card, Seat, Team, seats_from
from engine.deal_state import Deal, Phase, Reckoning, Trick, watch_of
from engine.dig import DigResult
from engine.rulebook_terms import NextDeclarer
from engine.score import ScoreResult


def show_bottom(deal: Deal, cards: tuple[Card, ...]) -> Deal:
    """Record the bottom as it is turned face up.

    Near the end of the hands, or after a score set by hand, that ends the deal, though plays may not have been seen.
    """
    most = deal.base_trick > 0 or (deal.watch is not None and sum(deal.watch.counts.values()) >= 3 * deal.rules.pack.hand)
    return replace(deal, shown=cards, closed=deal.closed or deal.played_out or most)


def reckoning(deal: Deal) -> Reckoning | None:
    """The deal's result, once it is closed (or played out, without a bottom) and the declarer is known."""
    if deal.phase is not Phase.ENDED or deal.declarer is None or not (deal.tricks or deal.told):
        return None
    if deal.stopped or deal.told:
        return result_of(deal, deal.points)
    last = deal.tricks[-1]
    dug = dig(deal, last, deal.bottom or ())
    points = deal.points + dug.points
    won = last.play_of(dug.winner)
    hooked = watch_of(deal).kit.hooked(dug.winner.team is not deal.declarer.team, won.cards) if won is not None else None
    return replace(result_of(deal, points, hooked), dig_points=dug.points, multiplier=dug.multiplier)


def result_of(deal: Deal, points: int, hooked: str | None = None) -> Reckoning:
    """The result if the attackers have so many points in all; ``hooked`` is the level that the last trick sends the declarers back to."""
    scored = _scored(deal, points, hooked)
    declarers = (deal.declarer or Seat.E).team
    levels = by_team(scored.levels, declarers)
    after = next_declarer(deal, scored.stage)
    return Reckoning(points, deal.trick_points, 0, deal.fines, 0, deal.bottom or (), scored, levels, after)


def by_team(by_side: Mapping[str, str], declarers: Team) -> dict[str, str]:
    """Levels by ``declarers`` and ``attackers`` as levels by team."""
    return {team.value: str(by_side["declarers" if team is declarers else "attackers"]) for team in Team}


def dig(deal: Deal, trick: Trick, bottom: tuple[Card, ...]) -> DigResult:
    """What a trick digs as it lies (of its known plays)."""
    kit = watch_of(deal).kit
    plays = [p.cards for seat in seats_from(trick.leader) if (p := trick.play_of(seat)) is not None]
    declarer = deal.declarer or trick.leader
    if not plays or trick.play_of(trick.leader) is None or (trick.winner is not None and UNKNOWN in plays[0]):
        return DigResult(trick.winner or trick.leader, 0, 0)
    burier = deal.buried.seat if deal.buried is not None else None
    return kit.dig(declarer, trick.leader, plays, tuple(c for c in bottom if c != UNKNOWN), burier)


def _scored(deal: Deal, points: int, hooked: str | None = None) -> ScoreResult:
    declarers = (deal.declarer or Seat.E).team
    levels = {"declarers": deal.standing[declarers.value], "attackers": deal.standing[declarers.other.value]}
    return watch_of(deal).kit.score(points, levels, hooked)


def scored_now(deal: Deal) -> ScoreResult | None:
    """The result if the deal ended with the points it has now, or None before the tricks."""
    return _scored(deal, deal.points) if deal.watch is not None and deal.declarer is not None else None


def next_declarer(deal: Deal, stage: str) -> Seat | None:
    """Who is declarer next (rulebook: levels.next_on_hold, levels.next_on_change); None when there is a new race."""
    declarer = deal.declarer
    if declarer is None:
        return None
    held = stage == "declarers"
    how = deal.rules.levels.next_on_hold if held else deal.rules.levels.next_on_change
    if how is NextDeclarer.ALTERNATE:
        if held:
            return declarer.partner
        last = deal.last_declarers.get(declarer.team.other.value)
        return last.partner if last is not None else declarer.next
    return {NextDeclarer.PARTNER: declarer.partner, NextDeclarer.SAME: declarer, NextDeclarer.RIGHT: declarer.next}.get(how)
