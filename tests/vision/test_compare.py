from __future__ import annotations

from pathlib import Path

import pytest

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Corrected, DealStarted, Event, Ruled, TakenBack, TrickClosed
from vision.compare import TruthError, compare, read_events
from vision.refereed import final_plays


def play(seat: str, cards: str, t: float = 0.0, trick: int = 1, **evidence: object) -> CardsPlayed:
    return CardsPlayed(t=t, seat=Seat(seat), trick=trick, cards=tuple(Card(c) for c in cards.split()), evidence=evidence)


START = DealStarted(deal=1, levels={})
TRUTH: list[Event] = [START, play("E", "HA HA", 1.0), play("N", "H4 H6", 3.0), TrickClosed(trick=1, winner=Seat.E, points=0),
                      Ruled(ruling="1.1.N.suit", kind="suit", seat=Seat.N, trick=1, proved_by=2)]  # fmt: skip


def test_perfect_watch_is_perfect() -> None:
    report = compare(TRUTH, TRUTH)
    assert report.perfect
    assert (report.cards, report.cards_fused, report.offences_at_proof) == (4, 4, 1)


def test_misread_corrected_later_counts_raw_and_fused_apart() -> None:
    told: list[Event] = [START, play("E", "HA SA", 1.2, raw=["HA", "SA"]), play("N", "H6 H4", 3.4),
                         Corrected(seat=Seat.E, trick=1, cards=(Card("HA"), Card("HA")))]  # fmt: skip
    report = compare(TRUTH, told)
    assert (report.cards_raw, report.cards_told, report.cards_fused, report.plays_right) == (3, 3, 4, 2)
    assert report.latency_median_ms == pytest.approx(300, abs=1)


def test_missed_and_false_offences_and_extra_plays_are_named() -> None:
    told: list[Event] = [*TRUTH[:3], play("W", "D3"), Ruled(ruling="1.1.E.pair", kind="pair", seat=Seat.E, trick=1, proved_by=1)]
    report = compare(TRUTH, told)
    assert report.offences_missed == ("suit N trick 1",)
    assert report.offences_false == ("pair E trick 1",)
    assert report.plays_extra == 1
    assert not report.perfect


def test_cards_taken_back_are_no_longer_played() -> None:
    events = [START, play("E", "HA HK"), TakenBack(seat=Seat.E, trick=1, cards=(Card("HK"),))]
    assert final_plays(events) == {(1, 1, Seat.E): ("HA",)}


def test_broken_truth_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text('{"v": 1, "event": "BottomTaken", "seat": "E"}\n{"v": 1, "event": "Nonsense"}\n')
    with pytest.raises(TruthError, match="line 2"):
        read_events(tmp_path / "truth.jsonl")
    with pytest.raises(TruthError, match="cannot read"):
        read_events(tmp_path / "none.jsonl")
