from itertools import combinations

from engine.cards import Card
from models.evaluate import SetResult, run_set
from models.label_faults import FAULTS, put_right
from models.measure import Example, Judged, Label, Outcome
from models.report import report
from tests.models.reading import FixedRecogniser, seen


def test_a_wrong_label_is_put_right_where_it_stands_and_nowhere_else() -> None:
    wrong = Label(Card("S10"), (321.0, 398.0, 355.0, 460.0))
    right = Label(Card("S10"), (357.0, 396.0, 391.0, 456.0))
    name = "WIN_20240627_17_01_00_Pro_jpg.rf.0e51c7.jpg"
    assert [label.card for label in put_right(name, (wrong, right))] == ["SK", "S10"]
    assert put_right("WIN_20240627_17_01_01_Pro_jpg.rf.0e51c7.jpg", (wrong, right)) == (wrong, right)


def test_no_label_is_meant_twice_and_every_fault_names_two_faces() -> None:
    assert all(fault.says != fault.shows for fault in FAULTS)
    assert not [pair for pair in combinations(FAULTS, 2) if (pair[0].picture, pair[0].at) == (pair[1].picture, pair[1].at)]


def test_a_set_with_wrong_labels_is_told_both_ways() -> None:
    label = Label(Card("S10"), (321.0, 398.0, 355.0, 460.0))
    example = Example("WIN_20240627_17_01_00_Pro_jpg.x.jpg", lambda: (FixedRecogniser.PICTURE, (label,)))
    result = run_set(FixedRecogniser([seen("SK", label.box)]), "table", [example])
    assert [v.outcome for v in result.verdicts] == [Outcome.MISREAD]
    assert result.wrong_labels == 1
    text = report([result], [], None, "x")
    assert "| table | 1 | 1 | 0.00% | 100.00% |" in text
    assert "| table, 1 labels put right | 1 | 1 | 100.00% | 0.00% |" in text


def test_a_set_without_wrong_labels_is_told_once() -> None:
    assert "put right" not in report([SetResult("table", [Judged("one", (), (), 0)])], [], None, "x")
