from pathlib import Path

import cv2
import numpy as np

from engine.cards import FACES, Card
from models.evaluate import SHIPPED, SetResult, WorstPictures, report, write_card
from models.measure import Judged, Label, Outcome, Verdict
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
    rendered = result("mixed", Outcome.FOUND, Outcome.MISSED)
    rendered.groups, rendered.groups_right = 4, 3
    text = report([], [rendered], None, "x")
    assert "3 of 4 (75.00%)" in text
    assert "| 60 to 90 px | 2 | 50.00% | 0.00% | 50.00% |" in text


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
