"""At most six suggestions, ranked, none that the pack no longer allows."""

from __future__ import annotations

from engine.cards import FACES, Card
from kiosk.plays import certainty, readings
from kiosk.suggest import MOST, suggest


def test_what_the_reader_thought_comes_first() -> None:
    found = suggest(Card("HQ"), [("HQ", 0.6), ("HK", 0.3), ("DQ", 0.1)], {}, 2)
    assert found[:2] == ("HK", "DQ")


def test_usual_confusions_follow_without_evidence() -> None:
    assert suggest(Card("S6"), [], {}, 2)[:3] == ("C6", "S9", "S8")
    assert suggest(Card("LJ"), [], {}, 2) == ("BJ",)


def test_faces_that_have_all_been_seen_are_left_out() -> None:
    assert "C6" not in suggest(Card("S6"), [("C6", 0.4)], {"C6": 2}, 2)
    assert "C6" in suggest(Card("S6"), [("C6", 0.4)], {"C6": 2}, 3)


def test_never_more_than_six_and_never_the_card_itself() -> None:
    for face in FACES:
        found = suggest(face, [(other, 0.01) for other in FACES], {}, 2)
        assert len(found) == MOST
        assert face not in found
        assert len(set(found)) == len(found)


def test_unknown_card_offers_the_readings() -> None:
    assert suggest(Card("??"), [("SA", 0.3), ("S4", 0.2), ("??", 0.1)], {}, 2) == ("SA", "S4")


def test_classes_of_certainty() -> None:
    play = {"cards": ["SA", "SK", "??"], "evidence": {"n_best": [[["SA", 0.99], ["S4", 0.01]], [["SK", 0.55], ["SQ", 0.44]], []]}}
    assert [certainty(play, i) for i in range(3)] == ["sure", "check", "unknown"]


def test_rule_chosen_against_the_best_reading_is_to_be_checked() -> None:
    assert certainty({"cards": ["S4"], "evidence": {"n_best": [[["SA", 0.95], ["S4", 0.05]]]}}, 0) == "check"


def test_corrected_card_is_sure() -> None:
    assert certainty({"cards": ["S4"], "evidence": {"corrected": True, "n_best": [[["SA", 0.95]]]}}, 0) == "sure"


def test_odd_evidence_is_no_evidence() -> None:
    for evidence in ({}, {"n_best": None}, {"n_best": "x"}, {"n_best": [["SA"]]}, {"n_best": [[["SA", "high"]]]}):
        assert list(readings({"cards": ["SA"], "evidence": evidence}, 0)) == []
