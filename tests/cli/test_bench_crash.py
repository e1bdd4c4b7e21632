"""A table that is killed at random moments (`trickwatch bench crash --kills 500` is the long form)."""

from __future__ import annotations

from pathlib import Path

from cli.bench_crash import CrashReport, crash


def test_nothing_shown_is_lost_when_the_table_is_killed(tmp_path: Path) -> None:
    report = crash(tmp_path, kills=25)
    assert report.kills == 25
    assert report.shown > 50
    assert report.sound, report


def test_video_up_to_the_last_segment_plays_when_the_recorder_is_killed(tmp_path: Path) -> None:
    report = crash(tmp_path, kills=3, video=True, pace=0.02)
    assert report.segments >= 1
    assert report.sound, report


def test_loss_would_be_noticed() -> None:
    assert not CrashReport(lost=1).sound
    assert not CrashReport(wrong=1).sound
    assert not CrashReport(unplayable=1).sound
