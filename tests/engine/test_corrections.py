"""Corrections of every deal of a match, plays taken out, the score by hand, and the clocks that a referee stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import clock, referee
from engine.cards import Card, Seat
from engine.events import (
    BottomCorrected,
    CardsPlayed,
    ClocksStarted,
    ClocksStopped,
    Corrected,
    DealEnded,
    DealStarted,
    MatchStarted,
    NamesSet,
    Ruled,
    RulingDecided,
    ScoreSet,
    Source,
    TrickClosed,
    Undone,
    from_json,
    to_json,
)
from engine.view import deal_view, snapshot
from tests.engine.deals import deal, facts, preset
from tests.engine.test_referee import OFFICIAL, opening_facts, play, trick


def ended(number=1, points=None, t=0.0):
    """Two tricks of a deal and its end by hand."""
    opened = [replace(e, deal=number) if isinstance(e, DealStarted) else e for e in opening_facts()]
    start = opened if number == 1 else [e for e in opened if not isinstance(e, MatchStarted)]
    return [*start, *trick(1, "E", "SA|S3|S4|S5"), *trick(2, "E", "S3|SK|S6|S7"), ScoreSet(points=points or 0, trick=25, end=True, t=t)]


def next_deal(state):
    """Confirm the reckoning: the next deal with its levels."""
    reckoning = snapshot(state)["reckoning"]
    return DealStarted(deal=state.deal.number + 1, levels=reckoning["levels"], declarer=Seat(reckoning["next_declarer"]), source=Source.REFEREE)


def test_an_old_log_without_deal_numbers_is_read():
    old = {"v": 1, "event": "Corrected", "t": 1.0, "source": "referee", "seat": "E", "trick": 1, "cards": ["SA"], "by": "R"}
    assert from_json(old) == Corrected(t=1.0, source=Source.REFEREE, seat=Seat.E, trick=1, cards=(Card("SA"),), by="R")
    assert from_json(to_json(replace(from_json(old), deal=3))).deal == 3


def test_a_correction_reaches_a_deal_that_is_closed_and_carries_its_levels_on():
    done = deal(OFFICIAL, 3)
    state, _ = play(facts(done))
    before = snapshot(state)["reckoning"]
    state, _ = referee.step(state, next_deal(state))
    taken = next(t for t in state.closed[0].tricks if t.winner.team is not done.declarer.team and t.points)
    state, told = referee.step(state, BottomCorrected(deal=1, cards=("S5",) * 8))
    assert [e.deal for e in told if isinstance(e, DealEnded)] == [1]
    seat = taken.plays[0].seat
    fixed = Corrected(deal=1, seat=seat, trick=taken.number, cards=tuple(Card("C3") for _ in taken.plays[0].cards))
    after, told = referee.step(state, fixed)
    assert after.closed[0].trick(taken.number).play_of(seat).cards == fixed.cards
    assert [e.deal for e in told if isinstance(e, DealEnded)] == [1]
    shown = snapshot(after)
    assert shown["deals"][0]["points"] != before["points"]
    assert shown["levels"] == shown["deals"][0]["levels_after"]
    undone, _ = referee.step(after, Undone(target=after.facts[-1][0]))
    assert snapshot(undone) == snapshot(state)


def test_levels_that_were_said_by_hand_stay_as_they_were_said():
    state, _ = play(facts(deal(OFFICIAL, 3)))
    said = {"EW": "9", "NS": "7"}
    state, _ = referee.step(state, replace(next_deal(state), levels=said))
    state, told = referee.step(state, BottomCorrected(deal=1, cards=("C3",) * 8))
    assert [e.deal for e in told if isinstance(e, DealEnded)] == [1]
    assert snapshot(state)["levels"] == said


def test_levels_are_counted_anew_and_the_trump_rank_stays_as_it_was_played():
    done = deal(OFFICIAL, 3)
    state, _ = play(facts(done))
    levels = dict(snapshot(state)["reckoning"]["levels"])
    state, _ = referee.step(state, next_deal(state))
    for event in trick(1, state.deal.declarer, "SA|S3|S4|S5"):
        state, _ = referee.step(state, event)
    trump = state.deal.trump
    for number in range(1, len(done.events)):
        shown = state.closed[0].trick(number)
        if shown is None:
            break
        for p in shown.plays:
            if any(card[1:] in ("5", "10", "K") for card in p.cards):
                state, _ = referee.step(state, Corrected(deal=1, seat=p.seat, trick=number, cards=tuple(Card("C3") for _ in p.cards)))
    state, _ = referee.step(state, BottomCorrected(deal=1, cards=("C3",) * 8))
    assert snapshot(state)["deals"][0]["points"] == 0
    assert state.deal.trump == trump
    assert state.deal.levels == levels
    assert snapshot(state)["levels"] == snapshot(state)["deals"][0]["levels_after"] != levels


def test_a_correction_of_a_deal_that_is_not_there_changes_nothing():
    state, _ = play(opening_facts())
    after, told = referee.step(state, Corrected(deal=7, seat=Seat.E, trick=1, cards=(Card("SA"),)))
    assert told == ()
    assert snapshot(after) == snapshot(state)


def test_a_play_is_taken_out_and_put_to_another_seat():
    state, _ = play([*opening_facts(), *trick(1, "E", "SA|S3|S4|S5")])
    assert state.deal.tricks[0].winner is Seat.E
    state, _ = referee.step(state, Corrected(seat=Seat.S, trick=1, cards=()))
    assert state.deal.tricks == ()
    assert [p.seat for p in state.deal.current.plays] == [Seat.E, Seat.N, Seat.W]
    assert referee.expectation(state).seat is Seat.S
    state, told = referee.step(state, Corrected(seat=Seat.S, trick=1, cards=(Card("BJ"),)))
    assert [(e.trick, e.winner) for e in told if isinstance(e, TrickClosed)] == [(1, Seat.S)]


def test_a_play_taken_out_of_an_earlier_trick_leaves_a_hole():
    state, _ = play([*opening_facts(), *trick(1, "E", "S3|S4|S6|S7"), *trick(2, "S", "D3|D4|D6|D7")])
    state, _ = referee.step(state, Corrected(seat=Seat.W, trick=1, cards=()))
    first = state.deal.tricks[0]
    assert first.play_of(Seat.W).cards == (Card("??"),)
    assert first.winner is Seat.S
    assert len(state.deal.tricks) == 2


def test_the_score_by_hand_ends_a_deal_and_the_next_begins_with_its_levels():
    state, told = play(ended(points=120))
    end = [e for e in told if isinstance(e, DealEnded)]
    assert [(e.points, e.stage) for e in end] == [(120, "attackers")]
    assert snapshot(state)["phase"] == "ended"
    again, _ = referee.step(state, ScoreSet(points=45, trick=9, leader=Seat.W))
    shown = snapshot(again)
    assert (shown["phase"], shown["points"], shown["reckoning"]) == ("trick", 45, None)
    assert [(gap["trick"], gap["end"]) for gap in shown["gaps"]] == [(25, True), (9, False)]


@pytest.mark.parametrize("leader", [None, Seat.N])
@pytest.mark.parametrize("number", [2, 3])
def test_a_play_put_in_for_a_trick_before_a_score_by_hand_is_none_of_the_running_trick(number, leader):
    state, _ = play([*opening_facts(), *trick(1, "E", "S5|S4|S6|S7"), ScoreSet(points=45, trick=3, leader=leader)])
    state, _ = referee.step(state, Corrected(seat=Seat.S, trick=number, cards=(Card("C9"),)))
    assert snapshot(state)["points"] == 45
    leads = referee.expectation(state).seat
    order = [*Seat][[*Seat].index(leads) :] + [*Seat][: [*Seat].index(leads)]
    for seat, card in zip(order, ("D3", "D4", "D6", "D7"), strict=True):
        state, _ = referee.step(state, CardsPlayed(seat=seat, trick=4, cards=(Card(card),)))
    assert [p.seat for p in state.deal.trick(4).plays] == order
    assert [r for r in referee.rulings(state) if r.kind == "turn"] == []


def test_after_a_score_by_hand_the_camera_is_told_the_right_trick():
    state, _ = play([*opening_facts(), *trick(1, "E", "S5|S4|S6|S7"), ScoreSet(points=45, trick=9)])
    found = referee.expectation(state)
    assert (found.trick, found.seat) == (10, Seat.S)
    state, _ = referee.step(state, CardsPlayed(seat=Seat.S, trick=10, cards=(Card("D3"),)))
    assert snapshot(state)["trick"]["number"] == 10


def test_a_reported_offence_has_the_sheets_penalty_and_counts_as_the_camera_s_do():
    name = "shuangsheng-2deck-to10"
    talk = Ruled(ruling="1.1.N.talk", kind="talk", seat=Seat.N, trick=1, proved_by=1, reason="说牌", source=Source.REFEREE)
    state, told = play([*opening_facts(name), *trick(1, "E", "SA|S3|S4|S5")[:2], talk], name)
    assert not [e for e in told if isinstance(e, Ruled)]
    shown = snapshot(state)["rulings"][0]
    assert (shown["reported"], shown["note"], shown["reason"]["zh"]) == (True, "说牌", "交谈或暗示")
    assert shown["clause"] == preset(name).clause("penalties.talk")
    assert shown["penalty"]["choices"]
    state, _ = referee.step(state, RulingDecided(ruling="1.1.N.talk", decision="confirmed", by="R"))
    assert snapshot(state)["repeats"] == [{"team": "NS", "kind": "talk", "count": 1}]
    again = replace(talk, ruling="1.1.S.talk", seat=Seat.S)
    state, _ = referee.step(state, again)
    assert [r["penalty"]["count"] for r in snapshot(state)["rulings"]] == [1, 2]


def test_a_claim_window_closes():
    name = "detailed-80-2deck"
    kind, penalty = next((k, p) for k, p in preset(name).penalties.items() if p.claim.value == "end_of_trick")
    found = Ruled(ruling=f"1.1.N.{kind}", kind=kind, seat=Seat.N, trick=1, proved_by=1, source=Source.REFEREE)
    state, _ = play([*opening_facts(name), *trick(1, "E", "SA|S3|S4|S5")[:2], found], name)
    claim = snapshot(state)["rulings"][0]["penalty"]["claim"]
    assert (claim["open"], claim["in_time"]) == (True, True)
    assert (claim["until"], claim["kind"]) == (1, penalty.claim.value)
    for event in (*trick(1, "E", "SA|S3|S4|S5")[2:], *trick(2, "E", "D3|D4|D5|D6")[:1]):
        state, _ = referee.step(state, event)
    late = replace(found, ruling=f"1.1.W.{kind}", seat=Seat.W, proved_by=2)
    state, _ = referee.step(state, late)
    claims = [r["penalty"]["claim"] for r in snapshot(state)["rulings"]]
    assert [(c["open"], c["in_time"]) for c in claims] == [(False, True), (False, False)]


def test_names_can_be_set_and_undone():
    state, _ = play([*opening_facts(), NamesSet(names={"E": "李"})])
    assert snapshot(state)["names"] == {"E": "李"}
    state, _ = referee.step(state, Undone(target=state.place))
    assert snapshot(state)["names"] == {}


def timed(stops=()):
    """E has buried at 10, plays at 14; N's fifteen seconds run, with stops between."""
    name = "stir-2deck-chaodipi"
    opened = [replace(e, t=float(t)) for e, t in zip(opening_facts(name), (0, 0, 1, 5, 10), strict=True)]
    return referee.fold([*opened, CardsPlayed(seat=Seat.E, trick=1, cards=(Card("SA"),), t=14.0), *stops], preset(name))


def test_clocks_stand_while_they_are_stopped_and_go_on_where_they_stood():
    standing = timed([ClocksStopped(t=18.0, by="R")])
    shown = next(c for c in snapshot(standing)["clocks"] if c["limit"] == "play")
    assert (shown["seat"], shown["stopped"], shown["left"]) == ("N", True, 11.0)
    assert snapshot(standing)["clocks_stopped"]
    again = timed([ClocksStarted(t=60.0, restart=True)])
    assert next(c["since"] for c in snapshot(again)["clocks"] if c["limit"] == "match") == 60.0
    going = timed([ClocksStopped(t=18.0), ClocksStopped(t=19.0), ClocksStarted(t=48.0), ClocksStarted(t=50.0)])
    shown = next(c for c in snapshot(going)["clocks"] if c["limit"] == "play")
    assert (shown["stopped"], shown["left"], shown["until"]) == (False, None, 14 + 15 + 30)
    assert clock.now(going, 50.0)[0].left(50.0) == 9
    late = timed([ClocksStopped(t=18.0), ClocksStarted(t=48.0), CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S3"),), t=58.0)])
    assert snapshot(late)["overtimes"] == []
    assert snapshot(late)["trick"]["plays"][1]["thought_s"] == 14.0


def test_what_the_referee_decides_does_not_give_a_player_time():
    state = timed([RulingDecided(ruling="1.1.E.suit", decision="later", t=25.0)])
    assert [c.left(26.0) for c in clock.now(state, 26.0) if c.seat] == [3.0]


def test_thinking_is_the_time_since_the_play_before_and_unknown_where_a_hand_entered_it():
    by_hand = CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S3"),), t=40.0, source=Source.REFEREE)
    state = timed(
        [by_hand, CardsPlayed(seat=Seat.W, trick=1, cards=(Card("S4"),), t=43.0), CardsPlayed(seat=Seat.S, trick=1, cards=(Card("S5"),), t=45.5)]
    )
    assert [p["thought_s"] for p in snapshot(state)["tricks"][0]["plays"]] == [4.0, None, None, 2.5]
    assert snapshot(state)["overtimes"] == []


@pytest.mark.parametrize("number", [1, 2])
def test_one_deal_is_shown_as_the_deal_in_hand_is(number):
    state, _ = play(facts(deal(OFFICIAL, 3)))
    state, _ = referee.step(state, next_deal(state))
    found = deal_view(state, state.deals[number - 1])
    assert found["deal"] == number
    assert set(found) <= set(snapshot(state))
    assert (found["reckoning"] is not None) == (number == 1)
