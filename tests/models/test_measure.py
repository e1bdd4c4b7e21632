from dataclasses import replace

import pytest

from engine.cards import Card
from models.measure import (
    Group,
    Judged,
    Label,
    Outcome,
    Stacking,
    Tally,
    Verdict,
    calibration_error,
    groups,
    judge,
    reliability,
    stacking,
    suit_errors,
)
from vision.cards_on_table import SeenCard


def seen(card: str, *boxes: tuple[float, float, float, float], confidence: float = 0.9) -> SeenCard:
    return SeenCard(Card(card), ((0, 0), (1, 0), (1, 1), (0, 1)), boxes, confidence, ((Card(card), confidence),))


AT = (100.0, 100.0, 120.0, 140.0)


def test_an_index_is_found_by_a_card_of_its_face_even_beside_a_wrong_one() -> None:
    judged = judge("x", [Label(Card("SA"), AT)], [seen("CA", AT), seen("SA", (105, 105, 125, 145))])
    assert [v.outcome for v in judged.verdicts] == [Outcome.FOUND]
    assert judged.false == ()


def test_an_index_under_another_face_only_is_misread() -> None:
    judged = judge("x", [Label(Card("SA"), AT)], [seen("CA", AT)])
    assert (judged.verdicts[0].outcome, judged.verdicts[0].read) == (Outcome.MISREAD, "CA")


def test_an_index_without_a_card_is_missed_and_a_card_without_an_index_is_false() -> None:
    judged = judge("x", [Label(Card("SA"), AT)], [seen("SA", (300, 300, 320, 340))])
    assert judged.verdicts[0].outcome is Outcome.MISSED
    assert len(judged.false) == 1
    assert judged.errors == 2


def test_a_box_counts_up_to_half_a_label_beyond_its_edge() -> None:
    assert judge("x", [Label(Card("SA"), AT)], [seen("SA", (118, 100, 140, 140))]).verdicts[0].outcome is Outcome.FOUND
    assert judge("x", [Label(Card("SA"), AT)], [seen("SA", (122, 100, 142, 140))]).verdicts[0].outcome is Outcome.MISSED


def test_what_asks_for_nothing_forgives() -> None:
    judged = judge("x", [Label(None, AT)], [seen("SA", AT)])
    assert judged.verdicts == ()
    assert judged.false == ()


def test_identical_cards_are_counted_by_their_owners() -> None:
    labels = [Label(Card("SA"), AT, 80, 0), Label(Card("SA"), AT, 80, 0), Label(Card("SA"), AT, 90, 1), Label(Card("H2"), AT, 80, 2)]
    assert groups(labels, [seen("SA", AT), seen("SA", AT)]) == (Group(Card("SA"), 2, 2, 85),)
    assert [group.right for group in groups(labels, [seen("SA", AT)])] == [False]


def test_a_face_of_which_one_card_is_half_covered_is_not_counted() -> None:
    labels = [Label(Card("SA"), AT, 80, 0), Label(Card("SA"), AT, 80, 1), Label(None, AT, owner=2, half=Card("SA"))]
    assert groups(labels, []) == ()
    known = [*labels[:2], Label(None, AT, owner=1, half=Card("SA"))]
    assert [group.lying for group in groups(known, [])] == [2]


def test_which_card_lies_on_which_is_compared_where_they_overlap() -> None:
    far = (300.0, 300.0, 320.0, 330.0)
    quads = [((x, 0.0), (x + 63, 0.0), (x + 63, 88.0), (x, 88.0)) for x in (0.0, 20.0, 200.0)]
    labels = [Label(Card("SA"), AT, 63, 0, quads[0]), Label(Card("H2"), far, 63, 1, quads[1]), Label(Card("D3"), far, 63, 2, quads[2])]
    low, high, apart = seen("SA", AT), seen("H2", far), seen("D3", far)
    assert stacking(labels, [low, replace(high, over=(0,)), apart]) == Stacking(right=1)
    assert stacking(labels, [replace(low, over=(1,)), high, apart]) == Stacking(wrong=1)
    assert stacking(labels, [low, high, apart]) == Stacking(unsaid=1)


def test_shares_add_up() -> None:
    verdicts = tuple(Verdict(Label(Card("SA"), AT), outcome, None, 0.5) for outcome in (*[Outcome.FOUND] * 2, Outcome.MISSED, Outcome.MISREAD))
    tally = Tally.of([Judged("x", verdicts, (seen("H2", AT),), 5)])
    assert tally.share(Outcome.FOUND) == pytest.approx(0.5)
    assert sum(tally.share(outcome) for outcome in Outcome) == pytest.approx(1)
    assert tally.on_label == pytest.approx(0.8)


def test_suits_taken_for_others_are_counted() -> None:
    wrong = Verdict(Label(Card("SA"), AT), Outcome.MISREAD, Card("CA"), 0.5)
    rank_only = Verdict(Label(Card("SA"), AT), Outcome.MISREAD, Card("SK"), 0.5)
    assert dict(suit_errors([wrong, rank_only])) == {("S", "C"): 1}


def test_confidence_that_means_what_it_says_has_no_calibration_error() -> None:
    right = Verdict(Label(Card("SA"), AT), Outcome.FOUND, Card("SA"), 0.75)
    wrong = Verdict(Label(Card("SA"), AT), Outcome.MISREAD, Card("CA"), 0.75)
    bins = reliability([Judged("x", (right, right, right, wrong), (), 4)])
    assert bins == [(0.75, 0.75, 4)]
    assert calibration_error(bins) == 0
    assert calibration_error(reliability([Judged("x", (wrong, wrong), (), 2)])) == pytest.approx(0.75)
