"""The check of ``trickwatch bench notation``: the text of a deal parses back to the same state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.simulate_check import simulate
from engine import referee
from engine.cards import NotationError
from engine.deal import Deal
from engine.events import DealStarted, Event, MatchStarted, Source
from engine.rulebook import Rulebook
from kiosk.export.text import deal_text, parse_match


def check(rules: Rulebook, seed: int, *, spoil: Callable[[str], str] = str) -> str | None:
    """Print a simulated deal, parse it and fold it again; gives what differs, or None.

    :param spoil: changes the page in between (to see that the check sees it).
    """
    played = simulate(rules, seed, 1)
    state = referee.fold([e for e in played.events if not referee.is_derived(e)], rules)
    if state.deal is None:
        return f"{rules.name} seed {seed}: no deal"
    try:
        page = spoil(deal_text(state.deal, state.names))
        (back,) = parse_match(page, rules)
    except NotationError as error:
        return f"{rules.name} seed {seed}: {error}"
    again = referee.fold(back.events, rules)
    if again.names != state.names or again.deal is None or bare(again.deal) != bare(state.deal):
        return f"{rules.name} seed {seed}: the state differs"
    return None


def bare(deal: Deal) -> Deal:
    """A deal without what a page does not hold: times, sources and evidence."""
    state = referee.fold([MatchStarted(rulebook=deal.rules.name), _start(deal), *_facts(deal)], deal.rules)
    assert state.deal is not None
    return state.deal


def _start(deal: Deal) -> DealStarted:
    return DealStarted(deal=deal.number, levels=deal.opening, declarer=deal.fixed)


def _facts(deal: Deal) -> list[Event]:
    return [replace(fact, t=0.0, source=Source.TRUTH, evidence={}) for fact in deal.facts]
