"""The corrected log as a film's truth, and what a replay finds different."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import referee
from engine.cards import Card, Seat
from engine.events import (
    BottomCorrected,
    BottomShown,
    CardsPlayed,
    Corrected,
    DealEnded,
    DealStarted,
    Event,
    MatchStarted,
    Ruled,
    RulingDecided,
    Source,
    TrickClosed,
    Undone,
)
from kiosk.errors import NotFoundError
from kiosk.recording.differences import by_camera, compare_plays, compare_rulings, summary
from kiosk.recording.truth import deals_of, recorded
from tests.kiosk import tables

OPENING = (MatchStarted(rulebook=tables.RULEBOOK, names={"E": "王"}), DealStarted(deal=1, levels={"EW": "2", "NS": "2"}, source=Source.REFEREE))


def log(*facts: Event) -> list[Event]:
    """The log that a table writes of these facts."""
    state = referee.start(tables.rulebook(tables.RULEBOOK))
    out: list[Event] = []
    for fact in (*OPENING, *facts):
        state, follows = referee.step(state, fact)
        out += [fact, *follows]
    return out


def misread(facts: tuple[Event, ...], trick: int, seat: Seat, cards: tuple[str, ...]) -> tuple[Event, ...]:
    return tuple(replace(f, cards=tuple(map(Card, cards))) if isinstance(f, CardsPlayed) and (f.trick, f.seat) == (trick, seat) else f for f in facts)


def plays(events: tuple[Event, ...]) -> dict[tuple[int, Seat], tuple[Card, ...]]:
    return {(e.trick, e.seat): e.cards for e in events if isinstance(e, CardsPlayed)}


def test_truth_of_a_log_without_corrections_is_what_was_told() -> None:
    deal = recorded(log(*tables.facts()), 1, tables.rulebook(tables.RULEBOOK))
    assert plays(deal.truth) == plays(tables.truth())
    ends = [e for e in deal.truth if isinstance(e, DealEnded)]
    assert [(e.points, dict(e.levels)) for e in ends] == [(e.points, dict(e.levels)) for e in tables.truth() if isinstance(e, DealEnded)]
    assert {e.source for e in deal.truth} == {Source.TRUTH}
    assert [type(e) for e in deal.truth].count(TrickClosed) == 13
    assert not deal.corrected


def test_correction_is_the_truth_at_the_time_of_the_play() -> None:
    facts = tables.until_trick(3)
    true = plays(facts)[2, Seat.N]
    wrong = (*true[:-1], Card("S2"))
    read = misread(facts, 2, Seat.N, wrong)
    deal = recorded(log(*read, Corrected(t=99.0, seat=Seat.N, trick=2, cards=true, source=Source.REFEREE)), 1, tables.rulebook(tables.RULEBOOK))
    play = next(e for e in deal.truth if isinstance(e, CardsPlayed) and (e.trick, e.seat) == (2, Seat.N))
    assert play.cards == true
    assert play.t < 20
    assert deal.corrected == {(2, Seat.N)}
    (found,) = [d for d in compare_plays(deal, facts) if d.kind != "same"]
    assert (found.kind, found.then, found.truth, found.now) == ("better", wrong, true, true)
    again = [d for d in compare_plays(deal, read) if d.kind != "same"]
    assert [d.kind for d in again] == ["wrong"]


def test_correction_that_was_undone_is_none() -> None:
    facts = tables.until_trick(2)
    entries = log(*facts, Corrected(t=50.0, seat=Seat.E, trick=1, cards=(Card("S2"),), source=Source.REFEREE))
    target = next(i for i, e in enumerate(entries, 1) if isinstance(e, Corrected))
    deal = recorded([*entries, Undone(target=target, source=Source.REFEREE)], 1, tables.rulebook(tables.RULEBOOK))
    assert plays(deal.truth) == plays(facts)
    assert not deal.corrected


def test_play_taken_out_and_play_entered_by_hand() -> None:
    facts = tables.until_trick(2)
    true = plays(facts)[2, Seat.S]
    out = Corrected(t=40.0, seat=Seat.S, trick=2, cards=(), source=Source.REFEREE)
    hand = CardsPlayed(t=41.0, seat=Seat.S, trick=2, cards=true, source=Source.REFEREE)
    assert (2, Seat.S) not in plays(recorded(log(*facts, out), 1, tables.rulebook(tables.RULEBOOK)).truth)
    deal = recorded(log(*facts, out, hand), 1, tables.rulebook(tables.RULEBOOK))
    assert plays(deal.truth)[2, Seat.S] == true
    assert deal.corrected == {(2, Seat.S)}


def test_bottom_put_right_is_the_bottom() -> None:
    facts = tables.facts()
    shown = next(f for f in facts if isinstance(f, BottomShown))
    wrong = tuple(replace(f, cards=(*shown.cards[:-1], Card("??"))) if f is shown else f for f in facts)
    deal = recorded(log(*wrong, BottomCorrected(t=99.0, cards=shown.cards, source=Source.REFEREE)), 1, tables.rulebook(tables.RULEBOOK))
    assert [e.cards for e in deal.truth if isinstance(e, BottomShown)] == [shown.cards]


def test_overruled_ruling_is_not_the_truth_and_a_replay_that_proposes_it_differs() -> None:
    entries = log(*tables.facts())
    ruling = next(e for e in entries if isinstance(e, Ruled))
    deal = recorded(entries, 1, tables.rulebook(tables.RULEBOOK))
    assert [(d.then, d.truth, d.now) for d in compare_rulings(deal, entries)] == [(True, True, True)]
    decided = RulingDecided(ruling=ruling.ruling, decision="overruled", source=Source.REFEREE)
    deal = recorded(log(*tables.facts(), decided), 1, tables.rulebook(tables.RULEBOOK))
    assert [(d.then, d.truth, d.now) for d in compare_rulings(deal, entries)] == [(True, False, True)]
    assert summary(deal, entries)["rulings_differ"] == 1


def test_summary_counts_and_a_missing_play_is_wrong() -> None:
    facts = tables.until_trick(3)
    deal = recorded(log(*facts), 1, tables.rulebook(tables.RULEBOOK))
    counts = summary(deal, facts[:-1])
    assert (counts["plays"], counts["same"], counts["worse"]) == (12, 11, 1)


def test_what_the_camera_put_right_itself_counts_as_told_then_and_now() -> None:
    facts = tables.until_trick(2)
    last = next(f for f in reversed(facts) if isinstance(f, CardsPlayed))
    told = tuple(replace(f, cards=(Card("??"),)) if f is last else f for f in facts)
    seen_better = Corrected(seat=last.seat, trick=last.trick, cards=last.cards, by="camera", t=99.0, source=Source.INFERRED)
    deal = recorded(log(*told, seen_better), 1, tables.rulebook(tables.RULEBOOK))
    assert deal.corrected == frozenset()
    counts = summary(deal, (*told, seen_better))
    assert (counts["plays"], counts["same"]) == (8, 8)
    assert summary(deal, told)["worse"] == 1


def test_play_that_the_camera_took_back_itself_is_none() -> None:
    facts = tables.until_trick(1)
    last = next(f for f in reversed(facts) if isinstance(f, CardsPlayed))
    none = Corrected(seat=last.seat, trick=1, cards=(), by="camera", source=Source.INFERRED)
    assert (1, last.seat) not in by_camera((*facts, none))


def test_deal_that_is_not_there() -> None:
    entries = log(*tables.until_trick(1))
    assert deals_of(entries) == (1,)
    with pytest.raises(NotFoundError, match="no deal 7"):
        recorded(entries, 7, tables.rulebook(tables.RULEBOOK))
