"""The match as a fold of facts: what follows from them, corrections, undo, rulings and the next deal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import referee
from engine.cards import SEATS, Card, Seat, Team, points_of
from engine.deal import Phase
from engine.events import (
    BottomShown,
    BottomTaken,
    Buried,
    CameraBack,
    CameraLost,
    CardsPlayed,
    Corrected,
    DealEnded,
    DealStarted,
    Declared,
    MatchStarted,
    Ruled,
    RulingDecided,
    ScoreSet,
    Source,
    TakenBack,
    TrickClosed,
    TrumpFixed,
    Undone,
    from_json,
    to_json,
)
from engine.simulate import Style
from engine.view import snapshot
from tests.engine.deals import PRESETS, deal, facts, pack_count, preset

OFFICIAL = "official-2deck-shengji"


def play(events, name=OFFICIAL):
    """Step through facts; the state and everything that followed."""
    state, out = referee.start(preset(name)), []
    for event in events:
        state, follows = referee.step(state, event)
        out += follows
    return state, out


def essence(event):
    if isinstance(event, Ruled):
        return "ruled", event.kind, event.seat, event.trick, event.proved_by
    if isinstance(event, TrickClosed):
        return "trick", event.trick, event.winner, event.points
    data = to_json(event)
    return tuple((key, json.dumps(value)) for key, value in data.items() if key not in ("source", "t", "bottom")), sorted(event.bottom)


@pytest.mark.parametrize("name", PRESETS)
def test_the_referee_tells_what_a_deals_truth_holds(name):
    for seed in (1, 2, 3):
        done = deal(name, seed, 2)
        _, told = play(facts(done), name)
        truth = [event for event in done.events if referee.is_derived(event)]
        assert sorted(map(str, map(essence, told))) == sorted(map(str, map(essence, truth)))


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 300))
@settings(max_examples=3, deadline=None)
def test_the_same_events_give_the_same_state(name, seed):
    done = deal(name, seed, 1)
    stepped, _ = play(facts(done), name)
    assert referee.fold(facts(done), preset(name)) == stepped
    assert referee.fold(done.events, preset(name)) == stepped


@pytest.mark.parametrize("name", PRESETS)
@given(seed=st.integers(0, 300))
@settings(max_examples=3, deadline=None)
def test_cards_and_points_are_conserved(name, seed):
    done = deal(name, seed)
    rules = preset(name)
    assert set(pack_count(done).values()) == {rules.pack.decks}
    assert len(pack_count(done)) == 54
    state, _ = play(facts(done), name)
    closed = state.deal.tricks
    won = {team: sum(t.points for t in closed if t.winner.team is team) for team in Team}
    assert sum(won.values()) + points_of(state.deal.bottom or ()) == 100 * rules.pack.decks
    assert state.deal.trick_points == won[done.declarer.team.other]


def test_step_and_a_logged_fold_count_the_same_places():
    done = deal(OFFICIAL, 5, 2)
    state, log = referee.start(preset(OFFICIAL)), []
    for event in facts(done):
        state, follows = referee.step(state, event)
        log += [event, *follows]
        assert state.place == len(log)
    assert referee.fold(log).facts == state.facts


@given(seed=st.integers(0, 60), data=st.data())
@settings(max_examples=20, deadline=None)
def test_undo_is_exact(seed, data):
    events = facts(deal(OFFICIAL, seed, 1))
    cut = data.draw(st.integers(4, len(events)))
    target = data.draw(st.integers(2, cut))
    log = [*events[:cut], Undone(target=target), *events[cut : cut + 3]]
    without = [*events[: target - 1], *events[target:cut], *events[cut : cut + 3]]
    folded = referee.fold(log, preset(OFFICIAL))
    assert folded == referee.fold(without, preset(OFFICIAL))
    assert snapshot(folded) == snapshot(referee.fold(without, preset(OFFICIAL)))


@given(seed=st.integers(0, 60), data=st.data())
@settings(max_examples=10, deadline=None)
def test_an_undo_that_is_undone_leaves_everything_as_it_was(seed, data):
    events = facts(deal(OFFICIAL, seed))
    target = data.draw(st.integers(2, len(events)))
    log = [*events, Undone(target=target), Undone(target=len(events) + 1)]
    assert referee.fold(log, preset(OFFICIAL)) == referee.fold(events, preset(OFFICIAL))


@given(seed=st.integers(0, 60), data=st.data())
@settings(max_examples=20, deadline=None)
def test_a_correction_recomputes_all_later_tricks(seed, data):
    events = facts(deal(OFFICIAL, seed))
    places = [i for i, e in enumerate(events) if isinstance(e, CardsPlayed)]
    at = data.draw(st.sampled_from(places))
    wrong = replace(events[at], cards=tuple(Card("C3") for _ in events[at].cards))
    misread = [*events[:at], wrong, *events[at + 1 :]]
    fixed = Corrected(seat=events[at].seat, trick=events[at].trick, cards=events[at].cards, by="referee")
    corrected, right = referee.fold([*misread, fixed], preset(OFFICIAL)), referee.fold(events, preset(OFFICIAL))
    assert corrected.deal == right.deal
    assert snapshot(corrected) == snapshot(right)


def three_deals():
    """The facts of three deals in a row, the last one unfinished, with a decision between."""
    first, second, third = (facts(deal(OFFICIAL, seed, 1)) for seed in (3, 4, 5))
    between = RulingDecided(ruling="1.3.N.suit", decision="overruled", by="R")
    return [*first, between, *second[1:], *third[1:-20]]


@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_undo_reaches_back_over_deals(data):
    events = three_deals()
    targets = data.draw(st.lists(st.integers(2, len(events)), min_size=1, max_size=2, unique=True))
    undone = referee.fold([*events, *(Undone(target=t) for t in targets)], preset(OFFICIAL))
    without = referee.fold([e for place, e in enumerate(events, 1) if place not in targets], preset(OFFICIAL))
    assert undone == without
    assert snapshot(undone) == snapshot(without)


def test_a_deal_number_that_comes_again_replaces_the_deal_in_hand():
    events = opening_facts()
    state, _ = play([*events, *trick(1, "E", "SA|S3|S4|S5"), events[1]])
    assert state.closed == ()
    assert (snapshot(state)["phase"], snapshot(state)["trick"]) == ("dealing", None)


def test_where_nobody_declares_the_attackers_are_proposed_twenty():
    name = "threedeck-to6"
    begun = [MatchStarted(rulebook=name), DealStarted(deal=2, levels={"EW": "3", "NS": "3"}, declarer=Seat.E)]
    events = [*begun, TrumpFixed(trump="3/S", declarer=Seat.E), BottomTaken(seat=Seat.E), Buried(seat=Seat.E, count=6)]
    state, told = play(events, name)
    ruled = [e for e in told if isinstance(e, Ruled)]
    assert [(r.kind, r.seat, r.penalty["choices"][0]["amount"]) for r in ruled] == [("nobody_declared", Seat.E, 20)]
    state, _ = referee.step(state, RulingDecided(ruling=ruled[0].ruling, decision="confirmed"))
    assert state.deal.points == 20


def test_a_corrected_trick_is_told_again_with_its_new_winner():
    opening = opening_facts()
    plays = [("E", "S3"), ("N", "S4"), ("W", "S6"), ("S", "S7")]
    state, _ = play([*opening, *(CardsPlayed(seat=Seat(s), trick=1, cards=(Card(c),)) for s, c in plays)])
    assert state.deal.tricks[0].winner is Seat.S
    state, told = referee.step(state, Corrected(seat=Seat.E, trick=1, cards=(Card("SA"),)))
    assert state.deal.tricks[0].winner is Seat.E
    assert [(e.trick, e.winner) for e in told if isinstance(e, TrickClosed)] == [(1, Seat.E)]


def opening_facts(name=OFFICIAL):
    return [
        MatchStarted(rulebook=name),
        DealStarted(deal=1, levels={"EW": "2", "NS": "2"}),
        Declared(seat=Seat.E, cards=(Card("H2"),)),
        BottomTaken(seat=Seat.E),
        Buried(seat=Seat.E, count=8),
    ]


def trick(number, leader, cards):
    seats = SEATS[SEATS.index(Seat(leader)) :] + SEATS[: SEATS.index(Seat(leader))]
    return [CardsPlayed(seat=s, trick=number, cards=tuple(map(Card, c.split()))) for s, c in zip(seats, cards.split("|"), strict=True)]


def ruling(kind="pair"):
    """A deal in which N is proven not to have followed a pair."""
    return [*opening_facts(), *trick(1, "E", "SA SA|S3 S4|S6 S7|S5 S8"), *trick(2, "E", "DA DA|S9 S9|D4 D5|D6 D7")]


def test_a_ruling_is_proposed_once_with_both_tricks_and_a_fixed_name():
    state, told = play(ruling())
    ruled = [e for e in told if isinstance(e, Ruled)]
    assert [(r.ruling, r.kind, r.trick, r.proved_by) for r in ruled] == [("1.1.N.pair", "pair", 1, 2)]
    assert ruled[0].penalty["offence"] == "pair_not_followed"
    assert [r["state"] for r in snapshot(state)["rulings"]] == ["proposed"]


def test_the_ruling_comes_with_the_play_that_proves_it():
    events = ruling()
    state = referee.fold(events[:-3], preset(OFFICIAL))
    assert not referee.rulings(state)
    _, told = referee.step(state, events[-3])
    assert [type(e) for e in told] == [Ruled]


def test_nothing_changes_the_score_until_a_ruling_is_confirmed():
    name = "detailed-80-2deck"
    plays = [CardsPlayed(seat=seat, trick=1, cards=(Card(card),)) for seat, card in ((Seat.E, "S3"), (Seat.W, "S4"))]
    wrong_turn = [*opening_facts(name), *plays]
    state, told = play(wrong_turn, name)
    assert [e.kind for e in told if isinstance(e, Ruled)] == ["turn"]
    assert state.deal.points == 0
    confirmed, _ = referee.step(state, RulingDecided(ruling="1.1.W.turn", decision="confirmed", by="R"))
    assert confirmed.deal.points == 10
    overruled, _ = referee.step(confirmed, RulingDecided(ruling="1.1.W.turn", decision="overruled", by="R", why="misread"))
    assert overruled.deal.points == 0
    shown = snapshot(overruled)["rulings"][0]
    assert (shown["state"], shown["by"], shown["why"]) == ("overruled", "R", "misread")


def test_a_failed_throw_is_taken_back_and_fined():
    name = "shuangsheng-2deck-to10"
    events = [
        *opening_facts(name),
        CardsPlayed(seat=Seat.E, trick=1, cards=tuple(map(Card, ("SA", "SA", "S9")))),
        TakenBack(seat=Seat.E, trick=1, cards=(Card("SA"), Card("SA"))),
        *trick(1, "E", "S9|SK|S3|C3")[1:],
    ]
    state, told = play(events, name)
    ruled = [e for e in told if isinstance(e, Ruled)]
    assert [(r.kind, r.penalty["choices"][0]["amount"]) for r in ruled] == [("throw", 30)]
    assert state.deal.tricks[0].winner is Seat.N
    assert state.deal.tricks[0].plays[0].cards == (Card("S9"),)
    confirmed, _ = referee.step(state, RulingDecided(ruling=ruled[0].ruling, decision="confirmed"))
    assert confirmed.deal.points == 10 + 30


def test_a_card_taken_back_and_replaced_is_an_offence():
    events = [
        *opening_facts(),
        *trick(1, "E", "SA|S3|S4|S5")[:2],
        TakenBack(seat=Seat.N, trick=1, cards=(Card("S3"),)),
        CardsPlayed(seat=Seat.N, trick=1, cards=(Card("S6"),)),
        *trick(1, "E", "SA|S3|S4|S5")[2:],
    ]
    state, told = play(events)
    assert [e.kind for e in told if isinstance(e, Ruled)] == ["taken_back"]
    assert state.deal.tricks[0].play_of(Seat.N).cards == (Card("S6"),)


def test_the_leader_may_replace_the_whole_lead_after_others_followed():
    events = [
        *opening_facts(),
        *trick(1, "E", "SA|S3|S4|S5")[:2],
        TakenBack(seat=Seat.E, trick=1, cards=(Card("SA"),)),
        CardsPlayed(seat=Seat.E, trick=1, cards=(Card("SK"),)),
        *trick(1, "E", "SA|S3|S4|SA")[2:],
    ]
    state, _ = play(events)
    assert [p.seat for p in state.deal.tricks[0].plays] == [Seat.E, Seat.N, Seat.W, Seat.S]
    assert state.deal.tricks[0].winner is Seat.S


def test_a_lead_out_of_turn_is_ruled_and_leads():
    events = [*opening_facts(), *trick(1, "E", "SA|S3|S4|S5"), *trick(2, "N", "D3|D4|D5|D6")]
    state, told = play(events)
    assert [(e.kind, e.seat, e.trick) for e in told if isinstance(e, Ruled)] == [("turn", Seat.N, 2)]
    assert state.deal.tricks[1].leader is Seat.N


def test_a_play_that_was_not_seen_is_unknown_and_who_leads_next_has_won():
    events = [*opening_facts(), *trick(1, "E", "S3|S4|S6|S7")[:3], CardsPlayed(seat=Seat.S, trick=2, cards=(Card("D3"),))]
    state, _ = play(events)
    first = state.deal.tricks[0]
    assert first.play_of(Seat.S).cards == (Card("??"),)
    assert first.winner is Seat.S
    late, _ = referee.step(state, Corrected(seat=Seat.S, trick=1, cards=(Card("S7"),)))
    assert late.deal.tricks[0].play_of(Seat.S).cards == (Card("S7"),)
    assert late.deal.tricks[0].winner is Seat.S


def test_a_lead_that_was_not_seen_is_put_in_front_of_the_follows():
    events = [*opening_facts(), *trick(1, "E", "SA|S3|S4|S5")[1:]]
    state, _ = play(events)
    assert [r.kind for r in referee.rulings(state)] == ["turn"]
    state, _ = referee.step(state, Corrected(seat=Seat.E, trick=1, cards=(Card("SA"),)))
    assert [p.seat for p in state.deal.tricks[0].plays] == [Seat.E, Seat.N, Seat.W, Seat.S]
    assert state.deal.tricks[0].winner is Seat.E
    assert referee.rulings(state) == ()


def test_a_second_reading_of_a_play_puts_the_first_right():
    events = [*opening_facts(), *trick(1, "E", "S3|S4|S6|S7"), CardsPlayed(seat=Seat.W, trick=1, cards=(Card("SA"),))]
    state, told = play(events)
    assert state.deal.tricks[0].winner is Seat.W
    assert [e.winner for e in told if isinstance(e, TrickClosed)] == [Seat.S, Seat.W]


def test_a_third_copy_is_shown_and_not_ruled():
    events = [*opening_facts(), *trick(1, "E", "SA SA|S3 S4|S6 S7|S5 S8"), *trick(2, "E", "CA|C3|C4|SA")]
    state, told = play(events)
    assert snapshot(state)["conservation"] == [{"card": "SA", "seen": 3, "allowed": 2, "where": [["E", 1], ["E", 1], ["S", 2]]}]
    assert not [e for e in told if isinstance(e, Ruled)]


def test_levels_and_the_declarer_go_on_to_the_next_deal():
    done = deal(OFFICIAL, 3)
    state, told = play(facts(done))
    ended = next(e for e in told if isinstance(e, DealEnded))
    state, told = referee.step(state, BottomTaken(seat=ended.next_declarer, t=99.0))
    begun = next(e for e in told if isinstance(e, DealStarted))
    assert (begun.deal, begun.declarer, dict(begun.levels), begun.source) == (2, ended.next_declarer, dict(ended.levels), Source.INFERRED)
    assert snapshot(state)["phase"] == "burying"
    assert state.closed[0].phase is Phase.ENDED


def test_a_deal_whose_bottom_was_not_shown_ends_when_the_next_begins():
    events = [e for e in facts(deal(OFFICIAL, 3)) if not isinstance(e, BottomShown)]
    state, told = play(events)
    assert snapshot(state)["phase"] == "bottom"
    assert not [e for e in told if isinstance(e, DealEnded)]
    state, told = referee.step(state, Declared(seat=Seat.E, cards=(Card("H3"),)))
    assert [e.deal for e in told if isinstance(e, DealEnded)] == [1]


def test_the_score_can_be_set_by_hand():
    events = [*opening_facts(), *trick(1, "E", "S5|S4|S6|S7"), ScoreSet(points=45, trick=9, levels={"EW": "5"}, leader=Seat.W, by="R")]
    state, _ = play(events)
    shown = snapshot(state)
    assert (shown["points"], shown["levels"]["EW"], shown["turn"], shown["trick"]["number"]) == (45, "5", "W", 10)
    state, _ = referee.step(state, trick(10, "W", "D10|D3|DA|D4")[0])
    for event in trick(10, "W", "D10|D3|DA|D4")[1:]:
        state, _ = referee.step(state, event)
    assert snapshot(state)["points"] == 45
    at = next(place for place, event in state.facts if isinstance(event, ScoreSet))
    undone, _ = referee.step(state, Undone(target=at))
    assert undone.deal.levels["EW"] == "2"
    assert undone.deal.trick_points == 5


def test_a_trump_fixed_late_judges_the_tricks_again():
    events = [*opening_facts()[:2], BottomTaken(seat=Seat.E), Buried(seat=Seat.E, count=8), *trick(1, "E", "SA|S3|D3|S4")]
    state, _ = play(events)
    assert state.deal.tricks[0].winner is Seat.E
    state, told = referee.step(state, TrumpFixed(trump="2/D", declarer=Seat.E))
    assert state.deal.tricks[0].winner is Seat.W
    assert [e.winner for e in told if isinstance(e, TrickClosed)] == [Seat.W]


def test_a_ruling_of_the_referees_own_hand_is_a_fact():
    hand = Ruled(ruling="hand-1", kind="bottom_touched", seat=Seat.E, trick=0, proved_by=0, source=Source.REFEREE)
    events = [*opening_facts("stir-2deck-chaodipi"), hand]
    state, told = play(events, "stir-2deck-chaodipi")
    assert [r["ruling"] for r in snapshot(state)["rulings"]] == ["hand-1"]
    assert "hand-1" not in [e.ruling for e in told if isinstance(e, Ruled)], "a fact is not told again as derived"


def test_the_third_wrong_follow_loses_the_match():
    name = "shuangsheng-2deck-to10"
    rules = preset(name)
    state = referee.fold([*opening_facts(name), *ruling()[5:]], rules)
    for other in ("1.0.N.suit", "1.0.N.tractor"):
        state, _ = referee.step(state, RulingDecided(ruling=other, decision="confirmed"))
    found = referee.rulings(state)
    assert [c.effect for c in found[0].proposal.costs] == ["match_lost"]
    state, _ = referee.step(state, RulingDecided(ruling=found[0].ruling, decision="confirmed"))
    assert found[0].proposal.count == 3


def test_where_the_deal_stops_the_other_side_chooses_levels_or_points():
    name = "reverse-dig-4deck-bombs"
    begun = DealStarted(deal=2, levels={"EW": "5", "NS": "5"}, declarer=Seat.E)
    start = [MatchStarted(rulebook=name), begun, TrumpFixed(trump="5/H", declarer=Seat.E)]
    plays = [*trick(1, "E", "SA|D3|S4|S6"), *trick(2, "E", "CA|S3|C4|C6")]
    state = referee.fold([*start, *plays], preset(name))
    found = referee.rulings(state)[0]
    assert [(str(c.effect), c.amount) for c in found.proposal.costs] == [("levels_to_other", 2), ("points", 160)]
    levels, _ = referee.step(state, RulingDecided(ruling=found.ruling, decision="confirmed", choice=0))
    assert snapshot(levels)["phase"] == "ended"
    assert snapshot(levels)["reckoning"]["levels"] == {"EW": "7", "NS": "5"}
    points, _ = referee.step(state, RulingDecided(ruling=found.ruling, decision="confirmed", choice=1))
    assert snapshot(points)["reckoning"]["points"] == -160


def test_the_camera_lost_and_back_is_shown():
    state, _ = play([*opening_facts(), CameraLost(reason="unplugged")])
    assert snapshot(state)["camera_lost"] == "unplugged"
    state, _ = referee.step(state, CameraBack(gap=3.0))
    assert snapshot(state)["camera_lost"] is None


def test_a_log_without_a_rulebook_is_refused():
    with pytest.raises(ValueError, match="expected MatchStarted"):
        referee.fold(opening_facts()[1:])
    with pytest.raises(ValueError, match="empty"):
        referee.fold([])


def test_expectation_names_the_seat_the_count_and_the_lead():
    state, _ = play(opening_facts())
    first = referee.expectation(state)
    assert (first.phase, first.seat, first.count, first.lead, first.trick) == ("trick", Seat.E, None, None, 1)
    state, _ = referee.step(state, trick(1, "E", "SA SA|S3 S4|S6 S7|S5 S8")[0])
    second = referee.expectation(state)
    assert (second.seat, second.count, second.lead) == (Seat.N, 2, (Card("SA"), Card("SA")))
    assert referee.expectation(referee.start(preset(OFFICIAL))).phase == "waiting"


def test_events_survive_their_json():
    done = deal(OFFICIAL, 5, 1, Style.SENSIBLE)
    lines = [json.loads(json.dumps(to_json(event))) for event in done.events]
    assert [from_json(line) for line in lines] == list(done.events)


@pytest.mark.parametrize("name", PRESETS)
def test_the_snapshot_is_pure_json_at_every_step(name):
    state = referee.start(preset(name))
    for event in facts(deal(name, 2, 1)):
        state, _ = referee.step(state, event)
        shown = snapshot(state)
        assert json.loads(json.dumps(shown)) == shown
    assert shown["phase"] == "ended"
    assert shown["reckoning"]["points"] == shown["reckoning"]["trick_points"] + shown["reckoning"]["dig_points"]
