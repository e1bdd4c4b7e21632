"""The snapshot that every page shows."""

from __future__ import annotations

import pytest

from engine import referee
from engine.cards import Card, Seat
from engine.events import CardsPlayed
from engine.view import snapshot
from tests.engine.deals import deal, facts, preset
from tests.engine.test_referee import opening_facts, trick

OFFICIAL = "official-2deck-shengji"


def shown(*events, name=OFFICIAL):
    return snapshot(referee.fold([*opening_facts(name), *events], preset(name)))


def test_before_anything_the_table_waits():
    view = snapshot(referee.start(preset(OFFICIAL)))
    assert (view["phase"], view["deal"], view["trick"], view["levels"]) == ("waiting", 0, None, {"EW": "2", "NS": "2"})


def test_the_opening_shows_declarer_trump_bids_and_whose_turn_it_is():
    view = shown()
    assert (view["phase"], view["declarer"], view["declarers"], view["trump"], view["turn"]) == ("trick", "E", "EW", "2/H", "E")
    assert view["bids"] == [{"seat": "E", "cards": ["H2"], "accepted": True, "face_down": False}]
    assert view["trick"] == {"number": 1, "leader": "E", "turn": "E", "plays": [], "winner": None, "points": 0}


def test_a_trick_in_progress_shows_its_winner_so_far_its_points_and_shapes():
    view = shown(*trick(1, "E", "SK SK|SA SA|S5 S10|S3 S3")[:3])
    now = view["trick"]
    assert (now["winner"], now["points"], now["turn"]) == ("N", 35, "S")
    assert [p["shape"]["zh"] for p in now["plays"]] == ["对子", "对子", "散张"]
    assert [p["verdict"] for p in now["plays"]] == ["legal", "legal", "undecided"]


@pytest.mark.parametrize(
    ("lead", "multiplier"), [("SA", 2), ("SA SA", 4), ("SK SK SA SA", 8), ("SQ SQ SK SK SA SA", 16), ("SA SA SK", 4), ("SA D3", None)]
)
def test_the_multiplier_is_that_of_the_trick_as_it_lies_whoever_wins_it(lead, multiplier):
    play = CardsPlayed(seat=Seat.E, trick=1, cards=tuple(map(Card, lead.split())))
    assert shown(play)["bottom"]["multiplier"] == multiplier


def test_where_only_trumps_dig_a_side_suit_has_no_multiplier():
    assert shown(*trick(1, "E", "SA|S3|S4|S5")[:1], name="staff-4deck-to4")["bottom"]["multiplier"] is None


def test_points_so_far_and_the_distance_to_the_next_threshold():
    view = shown(*trick(1, "E", "S5|S10|S6|SA"), *trick(2, "S", "DA|DK|DK|D10"))
    assert (view["points"], view["next_threshold"], view["points_to_next"]) == (45, 80, 35)
    assert view["if_ended_now"]["stage"] == "declarers"
    assert view["if_ended_now"]["steps"] == {"declarers": 1, "attackers": 0}
    assert view["if_ended_now"]["levels"] == {"EW": "3", "NS": "2"}


def test_the_ladder_of_the_sheet():
    rows = shown()["ladder"]
    assert rows[:5] == [
        {"from": 0, "to": 0, "stage": "declarers", "steps": 3},
        {"from": 5, "to": 35, "stage": "declarers", "steps": 2},
        {"from": 40, "to": 75, "stage": "declarers", "steps": 1},
        {"from": 80, "to": 115, "stage": "attackers", "steps": 0},
        {"from": 120, "to": 155, "stage": "attackers", "steps": 1},
    ]
    assert rows[-1]["to"] is None


def test_the_end_of_a_deal_shows_the_full_reckoning():
    done = deal(OFFICIAL, 3)
    view = snapshot(referee.fold(facts(done), preset(OFFICIAL)))
    ended = done.events[-1]
    told = view["reckoning"]
    assert (view["phase"], view["winner"]) == ("ended", None)
    assert (told["points"], told["dig_points"], told["multiplier"]) == (ended.points, ended.dig_points, ended.multiplier)
    assert (told["stage"], told["steps"], told["levels"], told["next_declarer"]) == (ended.stage, ended.steps, ended.levels, ended.next_declarer)
    assert sorted(told["bottom"]) == sorted(done.bottom)
    assert sorted(view["bottom"]["cards"]) == sorted(done.bottom)
    assert len(view["tricks"]) == view["last_trick"]["number"]
