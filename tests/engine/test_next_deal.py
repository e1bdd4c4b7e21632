"""From one deal to the next: what the camera is told to expect, and a deal that begins by its first fact."""

from __future__ import annotations

import pytest

from engine.cards import Seat
from engine.events import BottomTaken, DealStarted, Declared, Source
from engine.referee import MatchState, expectation, reckon, start, step
from engine.simulate import play_deal

OFFICIAL = "official-2deck-shengji"


def played(rulebook: str, seed: int) -> MatchState:
    """A match after its first deal."""
    state = start(rulebook)
    for event in play_deal(rulebook, seed).events:
        state, _ = step(state, event)
    return state


def test_before_the_first_deal_the_first_level_declares() -> None:
    assert expectation(start(OFFICIAL)).levels == {"2"}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_a_deal_the_level_of_the_next_declarers_side_declares(seed: int) -> None:
    state = played(OFFICIAL, seed)
    assert state.deal is not None
    after = reckon(state, state.deal)
    assert after is not None
    assert after.next_declarer is not None
    due = expectation(state)
    assert due.seat is after.next_declarer
    assert due.levels == {after.levels[after.next_declarer.team.value]}


def test_in_a_deal_without_a_fixed_declarer_the_levels_of_both_sides_declare() -> None:
    state, _ = step(start(OFFICIAL), DealStarted(deal=1, levels={"EW": "5", "NS": "7"}, source=Source.REFEREE))
    assert expectation(state).levels == {"5", "7"}
    state, _ = step(state, DealStarted(deal=1, levels={"EW": "5", "NS": "7"}, declarer=Seat.N, source=Source.REFEREE))
    assert expectation(state).levels == {"7"}


def test_the_next_deal_begins_with_its_first_fact_at_the_levels_that_were_reckoned() -> None:
    state = played(OFFICIAL, 1)
    assert state.deal is not None
    after, due = reckon(state, state.deal), expectation(state)
    assert after is not None
    assert due.seat is not None
    level = next(iter(due.levels))
    state, follows = step(state, Declared(seat=due.seat, cards=(f"H{level}",)))  # type: ignore[arg-type]
    started = next(e for e in follows if isinstance(e, DealStarted))
    assert (started.deal, dict(started.levels), started.declarer) == (2, dict(after.levels), after.next_declarer)
    assert expectation(state).phase == "declaring"
    state, _ = step(state, BottomTaken(seat=due.seat))
    assert expectation(state).seat is due.seat
