"""Judging cases from outside: the asks, and cases that cannot be answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.judge import answer_line, differences
from tests.engine.strategies import quick

BASE = {"id": "x", "rulebook": "official-2deck-shengji", "trump": "2/H"}


def judged(**case: Any) -> dict[str, Any]:
    return answer_line(json.dumps({**BASE, **case}))


@pytest.mark.parametrize(
    ("case", "want"),
    [
        ({"ask": "follow", "lead": ["S8"], "hand": ["S9", "D4"], "play": ["S9"]}, {"legal": True, "reason": ""}),
        ({"ask": "follow", "lead": ["S8"], "hand": ["S9", "D4"], "play": ["D4"]}, {"legal": False, "kind": "suit", "owed": ["S9"]}),
        ({"ask": "shapes", "cards": ["S8", "S8", "S9", "S9", "SA"]}, {"units": [["tractor", 2, 2, "S9"], ["single", 1, 1, "SA"]]}),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["H3"], ["SK"]]}, {"winner": 2, "points": 10}),
        ({"ask": "throw", "lead": ["SA", "S9"], "others": [["SK"], ["D3"], ["D4"]]}, {"stands": False, "played": ["S9"], "penalty": 10}),
        (
            {
                "ask": "dig",
                "declarer": "E",
                "leader": "N",
                "last": [["SA"], ["S3"], ["D5"], ["C9"]],
                "bottom": ["S5"] * 2 + ["D3"] * 2 + ["C3"] * 2 + ["C4"] * 2,
            },
            {"winner": "N", "multiplier": 2, "points": 20},
        ),
        (
            {"ask": "score", "points": 120, "levels": {"declarers": "3", "attackers": "2"}},
            {"stage": "attackers", "steps": {"attackers": 1, "declarers": 0}, "levels": {"declarers": "3", "attackers": "3"}},
        ),
        ({"ask": "declare", "deal": 1, "level": "2", "bids": [["E", ["D2"]]]}, {"accepted": [True], "trump": "2/D", "declarer": "E"}),
        ({"ask": "declare", "deal": 2, "level": "2", "bids": [["E", ["D2"]]]}, {"accepted": [True], "trump": "2/D", "declarer": None}),
        (
            {"ask": "audit", "declarer": "E", "leader": "E", "tricks": [[["SA"], ["S3"], ["D4"], ["S5"]], [["SK"], ["S6"], ["S9"], ["S7"]]]},
            {"proven": [{"seat": "W", "trick": 1, "by": 2, "kind": "suit"}]},
        ),
        ({"ask": "adjacent", "cards": ["S8", "S9"]}, {"adjacent": True}),
        ({"ask": "readings", "cards": ["S8", "S8", "S9", "S9"]}, {"readings": [[["S8", "S8", "S9", "S9"]]]}),
    ],
)
def test_each_ask(case: dict[str, Any], want: dict[str, Any]) -> None:
    got = judged(**case)
    assert got["id"] == "x"
    assert {key: got[key] for key in want} == want


def test_the_reason_names_what_was_owed_in_both_languages() -> None:
    got = judged(ask="follow", lead=["S8", "S8"], hand=["S9", "S9", "SK", "SQ"], play=["SK", "SQ"])
    assert "对子（S9 S9）" in got["reason"]
    assert "a pair could be made (S9 S9)" in got["reason"]


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ({}, "ask is missing"),
        ({"ask": "dance"}, "expected one of follow"),
        ({"ask": "follow", "lead": ["S8"], "hand": ["SA"] * 5, "play": ["SA"]}, "hand: SA occurs 5 times; expected at most 2"),
        ({"ask": "follow", "lead": ["SA", "SA"], "hand": ["SA", "S3"], "play": ["SA", "S3"]}, "SA occurs 3 times in all"),
        ({"ask": "follow", "lead": ["S8"], "hand": ["S9"], "play": ["S10"]}, "1 × S10, but the hand holds 0"),
        ({"ask": "follow", "lead": ["S8", "D8"], "hand": ["S9", "S3"], "play": ["S9", "S3"]}, "lead: cards of several suits"),
        ({"ask": "follow", "lead": [], "hand": ["S9"], "play": ["S9"]}, "lead: no cards"),
        ({"ask": "follow", "lead": ["S8", "S8"], "hand": ["S9"], "play": ["S9"]}, "hand: 1 cards; expected at least 2"),
        ({"ask": "follow", "lead": ["X8"], "hand": ["S9"], "play": ["S9"]}, "lead[0]: not a card: 'X8'"),
        ({"ask": "follow", "lead": "S8", "hand": ["S9"], "play": ["S9"]}, "lead: expected a list of cards"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"]]}, "plays: expected 4 lists of cards, found 3"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S4", "S5"]]}, "plays[3]: 2 cards; expected 1"),
        ({"ask": "winner", "plays": [["S8"], ["S8"], ["S8"], ["S5"]]}, "S8 occurs 3 times in all"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "trump": "11/H"}, "trump: not a rank: '11'"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "trump": None}, "trump is missing"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "rulebook": "nothing"}, "nothing"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "rulebook": "labin-not-shengji"}, "refused"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "policy": {"luck": 1}}, "luck"),
        ({"ask": "winner", "plays": [["S8"], ["S9"], ["S3"], ["S5"]], "decks": 0}, "decks: 0"),
        ({"ask": "score", "points": 37, "levels": {"declarers": "2", "attackers": "2"}}, "multiple of 5"),
        ({"ask": "score", "points": 40, "levels": {"declarers": "1", "attackers": "2"}}, "not on the path"),
        ({"ask": "score", "points": "40", "levels": {"declarers": "2", "attackers": "2"}}, "points: expected a whole number"),
        ({"ask": "score", "points": 40, "levels": {"declarers": "2"}}, "levels: expected declarers and attackers"),
        ({"ask": "declare", "deal": 0, "level": "2", "bids": []}, "deal: 0"),
        ({"ask": "declare", "deal": 1, "level": "2", "bids": [["E", ["D2", "D2", "D2"]]]}, "D2 occurs 3 times"),
        ({"ask": "declare", "deal": 1, "level": "2", "bids": [["Q", ["D2"]]]}, "bids[0][0]: not a seat"),
        ({"ask": "dig", "declarer": "E", "leader": "N", "last": [["SA"]] * 3, "bottom": []}, "last: expected 4"),
        ({"ask": "dig", "declarer": "E", "leader": "N", "last": [["SA"], ["S3"], ["S4"], ["S6"]], "bottom": ["C3"] * 9}, "C3 occurs 9 times"),
        ({"ask": "audit", "declarer": "E", "leader": "E", "tricks": [[["SA"], ["SA"], ["S4"], ["SA"]]]}, "SA is played 3 times by now"),
        ({"ask": "adjacent", "cards": ["SA"]}, "expected two faces"),
        ({"ask": "shapes", "cards": ["SA", "DA"]}, "several suits"),
    ],
)
def test_a_case_that_cannot_be_answered_says_what_and_what_was_expected(case: dict[str, Any], says: str) -> None:
    got = judged(**case)
    assert set(got) == {"id", "error"}
    assert got["id"] == "x"
    assert says in got["error"]


def test_lines_that_are_no_cases() -> None:
    assert answer_line('{"id": "broken", "ask": ') == {"id": "broken", "error": got_error('{"id": "broken", "ask": ')}
    assert "expected a JSON object" in answer_line("[1]")["error"]


def test_a_level_may_be_written_small() -> None:
    got = judged(ask="score", points=75, levels={"declarers": " q", "attackers": "a"})
    assert got["levels"] == {"declarers": "K", "attackers": "A"}


def test_a_game_without_a_bottom_needs_none_named() -> None:
    last = {"declarer": "E", "leader": "N", "last": [["SA"], ["SK"], ["S3"], ["S4"]], "trump": "7/H", "ask": "dig"}
    assert judged(**last, rulebook="reverse-dig-4deck-bombs")["points"] == 10
    assert "bottom" in judged(**last)["error"]


def got_error(line: str) -> str:
    error = answer_line(line)["error"]
    assert "not JSON" in error
    return str(error)


def test_named_policies_depart_from_the_preset() -> None:
    case = {"rulebook": "online-tractor", "ask": "follow", "decks": 3, "lead": ["S3", "S3"]}
    case |= {"hand": ["S4", "S4", "S4", "S6", "S7"], "play": ["S6", "S7"]}
    assert judged(**case)["legal"] is False
    assert judged(**case, policy={"draw": "longer_protected"})["legal"] is True


def test_differences_ignore_the_order_of_readings_and_proofs() -> None:
    assert not differences({"readings": [[["S2"], ["S3"]]]}, {"readings": [[["S3"], ["S2"]]]})
    assert not differences({"proven": [{"seat": "E"}, {"seat": "W"}]}, {"proven": [{"seat": "W"}, {"seat": "E"}]})
    assert differences({"legal": True}, {"legal": False, "reason": ""}) == [("legal", True, False)]
    assert not differences({"error": "three"}, {"error": "three plays"})
    assert differences({"error": "four"}, {"error": "three plays"})


WORDS = st.sampled_from(["SA", "E", "2/H", "2", "follow"])
JSON = st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | WORDS, lambda x: st.lists(x, max_size=4))
KEYS = ("lead", "hand", "play", "cards", "plays", "others", "declarer", "leader", "last", "bottom", "points", "levels", "deal", "level", "bids")
ASKS = ("follow", "shapes", "winner", "throw", "dig", "score", "declare", "audit", "adjacent", "readings")


@quick
@given(st.sampled_from(ASKS), st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_json_is_answered_or_refused(ask: str, case: dict[str, Any]) -> None:
    got = judged(**case, ask=ask)
    assert "error" in got or len(got) > 1
