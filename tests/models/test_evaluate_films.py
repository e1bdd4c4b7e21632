"""Figures of film suites, and results that are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.evaluate_films import FilmResult, Kept, find_films, table_text
from vision.compare import FilmReport

PERFECT = FilmReport(
    cards=100, cards_raw=98, cards_told=98, cards_fused=100, plays=72, plays_right=72, plays_extra=0, tricks=18, tricks_right=18,
    points_right=True, bottom_right=True, levels_right=True, offences=1, offences_found=1, offences_at_proof=1, offences_missed=(),
    offences_false=(), latency_median_ms=200.0, latency_p95_ms=400.0, speed=5.0, wrong=(), latencies_ms=(100.0, 200.0, 400.0),
)  # fmt: skip


def film(folder: Path, name: str, content: bytes = b"film") -> Path:
    path = folder / name
    path.mkdir(parents=True)
    (path / "film.mp4").write_bytes(content)
    (path / "truth.jsonl").write_text("", encoding="utf-8")
    return path


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "weights.json").write_text("{}", encoding="utf-8")
    return folder


def test_kept_result_is_found_again_for_the_same_film_and_weights(tmp_path: Path, weights: Path) -> None:
    one = film(tmp_path / "suite", "one")
    kept = Kept(tmp_path / "kept", weights)
    assert kept.get(one) is None
    kept.put(one, FilmResult("one", PERFECT, cpu_s=41.26))
    again = Kept(tmp_path / "kept", weights).get(one)
    assert again is not None
    assert (again.report, again.cpu_s, again.kept) == (PERFECT, 41.3, True)


@pytest.mark.parametrize("change", ["film", "truth", "weights", "habit"])
def test_kept_result_is_not_taken_when_anything_has_changed(tmp_path: Path, weights: Path, change: str) -> None:
    one = film(tmp_path / "suite", "one")
    Kept(tmp_path / "kept", weights, ["auto"]).put(one, FilmResult("one", PERFECT))
    if change == "film":
        (one / "film.mp4").write_bytes(b"another")
    elif change == "truth":
        (one / "truth.jsonl").write_text("{}\n", encoding="utf-8")
    elif change == "weights":
        (weights / "reader.onnx").write_bytes(b"better")
    assert Kept(tmp_path / "kept", weights, ["stack" if change == "habit" else "auto"]).get(one) is None


def test_broken_kept_result_is_followed_anew(tmp_path: Path, weights: Path) -> None:
    one = film(tmp_path / "suite", "one")
    kept = Kept(tmp_path / "kept", weights)
    kept.put(one, FilmResult("one", PERFECT))
    (path,) = (tmp_path / "kept").iterdir()
    path.write_text(json.dumps({"film": "one"}), encoding="utf-8")
    assert kept.get(one) is None


def test_suite_is_every_film_folder_in_a_folder(tmp_path: Path) -> None:
    film(tmp_path, "b")
    film(tmp_path, "a")
    (tmp_path / "notes").mkdir()
    assert [path.name for path in find_films(tmp_path)] == ["a", "b"]
    assert find_films(tmp_path / "a") == [tmp_path / "a"]
    with pytest.raises(FileNotFoundError, match="no film folder"):
        find_films(tmp_path / "notes")


def test_total_row_counts_perfect_films_scores_and_the_latencies_of_all_plays() -> None:
    wrong = replace(PERFECT, cards_fused=97, points_right=False, offences_false=("count S trick 6",), speed=2.5, latencies_ms=(900.0,))
    text = table_text([FilmResult("one", PERFECT, cpu_s=40.0), FilmResult("two", wrong, cpu_s=60.0)])
    total, _, aims = text.splitlines()[-3:]
    assert aims.startswith("✗ raw 98.00 % (≥ 99.3); ✗ fused 98.50 % (≥ 99.95); ✗ scores 1/2 without mishap (all); ✗ false alerts 1 (0)")
    assert aims.endswith("✓ offences at the proving trick 100 % (≥ 95); ✗ p95 900 ms (≤ 700); ✓ slowest 2.50x (≥ 1.5)")
    assert "**1/2 perfect**" in total
    assert "197/200 (98.50 %)" in total
    assert "| 1/2 |" in total
    assert "2 / 0 / 1" in total
    assert "300, 900 ms" in total
    assert "≥ 2.50x" in total
    assert total.rstrip().endswith("| 100 |")


def test_score_of_a_film_with_a_mishap_is_no_aim() -> None:
    wrong = replace(PERFECT, points_right=False)
    assert "✓ scores 1/1 without mishap" in table_text([FilmResult("one", PERFECT), FilmResult("two", wrong, mishap="bump")])
