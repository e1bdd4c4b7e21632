from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli import markers, watch
from cli.texts import describe
from engine.cards import Card, Seat
from engine.events import CardsPlayed, Ruled


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    watch.register(made)
    markers.register(made)
    return made


@pytest.mark.parametrize(
    ("make", "says"),
    [("missing", "no such file"), ("text", "cannot read"), ("empty folder", "neither pictures nor")],
)
def test_source_that_cannot_be_watched_is_a_sentence_and_exit_2(app: typer.Typer, tmp_path: Path, make: str, says: str) -> None:
    path = tmp_path / "x.mp4"
    if make == "text":
        path.write_text("no film")
    if make == "empty folder":
        path.mkdir()
    result = CliRunner().invoke(app, ["watch", str(path)])
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output


def test_unknown_rulebook_and_habit_are_sentences_and_exit_2(app: typer.Typer, tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_text("no film")
    for arguments, says in ((["--rulebook", "nonesuch"], "nonesuch"), (["--habit", "juggle"], "stack")):
        result = CliRunner().invoke(app, ["watch", str(tmp_path / "x.mp4"), *arguments])
        assert result.exit_code == 2
        assert says in result.output


def test_markers_are_found_again_in_the_printed_sheet(app: typer.Typer, tmp_path: Path) -> None:
    import cv2
    import numpy as np

    from vision.calibration import find_markers

    out = tmp_path / "sheet.png"
    assert CliRunner().invoke(app, ["markers", "--out", str(out)]).exit_code == 0
    page = cv2.imread(str(out), cv2.IMREAD_GRAYSCALE)
    seen = find_markers(cv2.resize(page, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA))
    assert sorted(seen) == [0, 1, 2, 3]
    side = np.linalg.norm(seen[0][1] - seen[0][0])
    assert side / page.shape[1] / 0.4 * 210 == pytest.approx(50, abs=0.6)


@pytest.mark.parametrize("arguments", [["--out", "x.doc"], ["--spacing", "wide"], ["--spacing", "10x10"]])
def test_markers_with_a_wrong_wish_say_what_is_expected(app: typer.Typer, arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["markers", *arguments])
    assert result.exit_code == 2
    assert "expected" in result.output


def test_readable_line_names_seat_trick_and_cards_in_both_languages() -> None:
    line = describe(CardsPlayed(t=12.4, seat=Seat.E, trick=3, cards=(Card("SA"), Card("??"))))
    assert "第 3 墩 trick 3" in line
    assert "东 E" in line
    assert line.endswith("SA ??")
    assert "疑似违规" in describe(Ruled(ruling="1.3.W.suit", kind="suit", seat=Seat.W, trick=3, proved_by=7))
