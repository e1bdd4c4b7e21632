from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from engine.cards import FACES, Card
from models.evaluate import SHIPPED, SetResult, WorstPictures, write_card
from models.measure import Group, Judged, Label, Outcome, Stacking, Verdict
from models.report import report
from vision.cards_on_table import SeenCard
from vision.recogniser import LEAST

AT = (10.0, 10.0, 30.0, 50.0)


def result(name: str, *outcomes: Outcome) -> SetResult:
    verdicts = tuple(
        Verdict(Label(Card("SA"), AT, 70.0), outcome, None if outcome is Outcome.MISSED else Card("SA" if outcome is Outcome.FOUND else "CA"), 0.9)
        for outcome in outcomes
    )
    return SetResult(name, [Judged("one", verdicts, (), len(verdicts))])


def test_the_card_keeps_what_people_wrote_around_the_figures(tmp_path: Path) -> None:
    card = tmp_path / "CARD.md"
    card.write_text("# About\n\nwritten by hand\n<!-- figures -->\nold\n<!-- /figures -->\nthe end\n")
    results = [result("photos", Outcome.FOUND, Outcome.FOUND, Outcome.MISREAD, Outcome.MISSED)]
    write_card(card, report(results, [], None, "trickwatch evaluate"), results)
    text = card.read_text()
    assert "written by hand" in text
    assert "the end" in text
    assert "old" not in text
    assert "| photos | 1 | 4 | 50.00% | 25.00% | 25.00% |" in text
    assert "S as C: 1" in text
    assert cv2.imread(str(tmp_path / "figures" / "confusion.png")) is not None
    assert cv2.imread(str(tmp_path / "figures" / "reliability.png")) is not None


def test_widths_and_groups_are_told_for_rendered_sets() -> None:
    rendered = result("fans, 8 mm", Outcome.FOUND, Outcome.MISSED)
    groups = tuple(Group(Card("SA"), 2, read, 70) for read in (2, 2, 2, 1))
    rendered.judged = [replace(rendered.judged[0], groups=groups, stacking=Stacking(8, 1, 1))]
    text = report([], [rendered], None, "x")
    assert "| fans, 8 mm | 4 | 75.00% | 75.0% of 4 |" in text
    assert "10 pairs: said right 80.00%, wrong 10.00%, not said 10.00%" in text
    assert "| 60 to 90 px | 2 | 50.00% | 0.00% | 50.00% |" in text


def test_cards_read_where_none_lie_are_told() -> None:
    false = SeenCard(Card("BJ"), ((0, 0), (1, 0), (1, 1), (0, 1)), (AT,), 0.62, ((Card("BJ"), 0.62),))
    empty = SetResult("no cards", [Judged("one", (), (false, false), 2), Judged("two", (), (), 0)])
    assert "`no cards`: 2 pictures without a face, 2 false cards in 1 of them, the surest with 0.62." in report([], [empty], None, "x")


def test_the_worst_photographs_are_shown_beside_the_card(tmp_path: Path) -> None:
    keeper = WorstPictures(3)
    wrong = result("photos", Outcome.MISSED)
    keeper(np.full((60, 80, 3), 200, np.uint8), [], wrong.judged[0])
    write_card(tmp_path / "CARD.md", "text", [wrong], keeper)
    assert cv2.imread(str(tmp_path / "figures" / "worst.jpg")).shape[1] == 5 * 406


def test_the_worst_pictures_are_kept_in_order(tmp_path: Path) -> None:
    keeper = WorstPictures(2)
    picture = np.full((60, 60, 3), 200, np.uint8)
    for outcomes in ((Outcome.MISSED,), (Outcome.FOUND,), (Outcome.MISSED,) * 3, (Outcome.MISREAD,) * 2):
        keeper(picture, [], result("x", *outcomes).judged[0])
    assert [path.name[:10] for path in keeper.write(tmp_path)] == ["00-3-error", "01-2-error"]


def test_what_is_shipped_is_what_is_measured() -> None:
    from inspect import signature

    from cli.read import read

    assert signature(read).parameters["least"].default == SHIPPED >= LEAST
    assert len(FACES) == 54
