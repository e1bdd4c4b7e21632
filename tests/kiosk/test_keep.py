"""What is kept: continuous video goes first, tricks later, evidence and the log never."""

from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.recording.folder import clip_name, segment_name
from kiosk.recording.index import EVIDENCE, TRICK, VIDEO, Index, Medium
from kiosk.recording.keep import GB, HOUR, Keep, Keeper, KeepError, Kept, parse_keep, surplus
from kiosk.store import Store

NOW = 1_000_000_000.0
DAY = 24 * HOUR


def kept(name: str, tier: str, days_old: float, size: int = GB, *, running: bool = False) -> Kept:
    return Kept(Path("f"), Medium(name, "x", size=size, tier=tier, at=NOW - days_old * DAY), running)


def names(files: list[Kept]) -> list[str]:
    return [file.medium.name for file in files]


FILES = [
    kept("new video", VIDEO, 1), kept("old video", VIDEO, 4), kept("older video", VIDEO, 5), kept("trick", TRICK, 30), kept("old trick", TRICK, 100),
    kept("evidence", EVIDENCE, 4000),
]  # fmt: skip


def test_each_tier_goes_at_its_age_oldest_first_and_evidence_never() -> None:
    assert names(surplus(FILES, Keep(), NOW, 100 * GB)) == ["older video", "old video", "old trick"]


def test_short_disk_takes_video_first_then_tricks_then_nothing() -> None:
    assert names(surplus(FILES, Keep(video=999 * DAY, tricks=999 * DAY, free=3 * GB), NOW, GB)) == ["older video", "old video"]
    everything = names(surplus(FILES, Keep(free=100 * GB), NOW, 0))
    assert everything == ["older video", "old video", "new video", "old trick", "trick"]


def test_budget_for_all_video_is_held() -> None:
    keep = Keep(video=999 * DAY, tricks=999 * DAY, disk=4 * GB)
    assert names(surplus(FILES, keep, NOW, 100 * GB)) == ["older video", "old video"]


def test_clock_that_jumps_ahead_takes_nothing_from_the_running_match() -> None:
    files = [kept("mine", VIDEO, 0, running=True), kept("mine too", TRICK, 0, running=True), kept("yesterday's", VIDEO, 1)]
    assert names(surplus(files, Keep(), NOW + 3650 * DAY, 100 * GB)) == ["yesterday's"]


def test_clock_that_jumps_a_day_back_takes_nothing() -> None:
    assert names(surplus(FILES[:1], Keep(), NOW - DAY - 5, 100 * GB)) == []


def test_running_match_gives_up_its_video_last() -> None:
    files = [kept("mine", VIDEO, 9, running=True), kept("yesterday's", VIDEO, 1)]
    assert names(surplus(files, Keep(free=2 * GB), NOW, GB)) == ["yesterday's"]


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("", Keep()),
        ("video=12h", Keep(video=12 * HOUR)),
        ("video=2d, tricks=8w,disk=1.5TB,free=500MB", Keep(2 * DAY, 56 * DAY, 1500 * GB, GB // 2)),
    ],
)
def test_what_to_keep_is_read_from_a_text(text: str, keep: Keep) -> None:
    assert parse_keep(text) == keep


@pytest.mark.parametrize("text", ["video", "video=3", "log=3d", "free=3d", "video=-1d"])
def test_other_texts_are_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(KeepError, match="expected video=3d"):
        parse_keep(text)


def test_files_of_earlier_matches_go_and_their_logs_stay(tmp_path: Path) -> None:
    Store.open(tmp_path / "old.db").close()
    for match in ("old", "table"):
        index = Index.open(tmp_path / f"{match}.video")
        for name, kind, tier in ((segment_name(0), "segment", VIDEO), (clip_name(1, 1), "clip", TRICK), (clip_name(1, 2), "clip", EVIDENCE)):
            (tmp_path / f"{match}.video" / name).write_bytes(bytes(1000))
            index.add(Medium(name, kind, size=1000, tier=tier, at=NOW - (200 if match == "old" else 0) * DAY))
        index.close()
    index = Index.open(tmp_path / "table.video")
    gone = Keeper(index, Keep(), free=lambda _: 100 * GB).apply(NOW)
    assert gone == [segment_name(0), clip_name(1, 1)]
    assert (tmp_path / "old.db").is_file()
    assert sorted(path.name for path in (tmp_path / "old.video").glob("*.mp4")) == [clip_name(1, 2)]
    assert len(list((tmp_path / "table.video").glob("*.mp4"))) == 3
    index.close()
