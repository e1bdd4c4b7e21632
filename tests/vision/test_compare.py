from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Card, Seat
from engine.events import BottomShown, CardsPlayed, Corrected, DealEnded, DealStarted, Event, Ruled, Source, TakenBack, TrickClosed
from vision.by_deal import by_deal
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
    assert report.offences_missed == ("suit N deal 1 trick 1",)
    assert report.offences_false == ("pair E deal 1 trick 1",)
    assert report.plays_extra == 1
    assert not report.perfect


def test_cards_taken_back_are_no_longer_played() -> None:
    events = [START, play("E", "HA HK"), TakenBack(seat=Seat.E, trick=1, cards=(Card("HK"),))]
    assert final_plays(events) == {(1, 1, Seat.E): ("HA",)}


@pytest.mark.parametrize(("instead", "right"), [("H4 H6", 4), ("H5 H6", 3)])
def test_cards_taken_back_are_no_misread_ones_of_the_play_that_stays(instead: str, right: int) -> None:
    back = TakenBack(seat=Seat.N, trick=1, cards=(Card("D9"), Card("SQ")))
    told: list[Event] = [*TRUTH[:2], play("N", "D9 SQ", 2.0, raw=["D9", "CQ"]), back, play("N", instead, 3.0, raw=instead.split())]
    report = compare(TRUTH, told)
    assert (report.cards_raw, report.cards_told) == (right, right)


def test_of_a_play_some_of_whose_cards_were_taken_back_the_rest_was_read() -> None:
    back = TakenBack(seat=Seat.N, trick=1, cards=(Card("D9"),))
    again = Corrected(seat=Seat.N, trick=1, cards=(Card("H4"), Card("H6")), by="camera", evidence={"raw": ["H4", "H6"]})
    report = compare(TRUTH, [*TRUTH[:2], play("N", "H4 D9", 2.0, raw=["H4", "D9"]), back, again])
    assert report.cards_raw == report.cards


def end(deal: int, points: int, level: str, bottom: str = "S3", nxt: Seat | None = Seat.N) -> DealEnded:
    return DealEnded(deal=deal, points=points, dig_points=0, multiplier=0, bottom=(Card(bottom),), stage="declarers",
                     steps={"declarers": 1}, levels={"EW": "2", "NS": level}, next_declarer=nxt)  # fmt: skip


def won(seat: str, trick: int = 1) -> TrickClosed:
    return TrickClosed(trick=trick, winner=Seat(seat), points=0)


def ruled(deal: int, kind: str = "suit", by: int = 3) -> Ruled:
    return Ruled(ruling=f"{deal}.1.N.{kind}", kind=kind, seat=Seat.N, trick=1, proved_by=by)


def deal_of(number: int, cards: str, winner: str, points: int, level: str, bottom: str) -> list[Event]:
    start = DealStarted(deal=number, levels={})
    return [
        start,
        play("E", cards, 10.0 * number),
        won(winner),
        ruled(number),
        BottomShown(cards=(Card(bottom),)),
        end(number, points, level, bottom),
    ]


MATCH = [*deal_of(1, "HA HA", "E", 40, "3", "S3"), *deal_of(2, "D4 D4", "N", 90, "5", "C9")]


def test_two_deals_told_as_they_were_are_perfect() -> None:
    report = compare(MATCH, MATCH)
    assert report.perfect
    assert (report.cards, report.plays, report.tricks, report.offences, report.deals, report.deals_right) == (4, 2, 2, 2, 2, 2)


@pytest.mark.parametrize(
    ("place", "instead", "words"),
    [
        (5, end(1, 45, "3"), "deal 1: points 40 -> 45"),
        (5, end(1, 40, "2"), "deal 1: levels"),
        (5, end(1, 40, "3", nxt=Seat.S), "deal 1: next declarer N -> S"),
        (5, end(1, 40, "3", "S4"), "deal 1: bottom S3 -> S4"),
        (2, won("W"), "deal 1 trick 1: won by E -> W"),
        (1, play("E", "D4 D4"), "deal 1 trick 1 E: HA HA -> D4 D4"),
    ],
)
def test_what_is_wrong_in_a_deal_that_is_not_the_last_is_wrong(place: int, instead: Event, words: str) -> None:
    told = [*MATCH[:place], instead, *MATCH[place + 1 :]]
    report = compare(MATCH, told)
    assert not report.perfect
    assert any(words in text for text in report.wrong), report.wrong
    if place == 5:
        assert report.deals_right == 1
        assert False in (report.points_right, report.bottom_right, report.levels_right)


def test_a_deal_that_was_never_told_has_nothing_right() -> None:
    report = compare(MATCH, MATCH[:6])
    assert (report.points_right, report.bottom_right, report.levels_right, report.deals_right) == (False, False, False, 1)
    assert (report.plays_right, report.tricks_right, report.offences_found) == (1, 1, 1)
    assert report.offences_missed == ("suit N deal 2 trick 1",)


def test_an_offence_of_one_deal_is_no_excuse_for_an_alert_in_another() -> None:
    truth = [event for event in MATCH if event != MATCH[9]]
    report = compare(truth, MATCH)
    assert report.offences_found == 1
    assert report.offences_false == ("suit N deal 2 trick 1",)
    assert compare(truth, MATCH, follow={(1, "suit", Seat.N, 1)}).offences_false == ("suit N deal 2 trick 1",)
    assert compare(truth, MATCH, follow={(2, "suit", Seat.N, 1)}).offences_false == ()


def test_a_play_is_as_late_as_in_its_own_deal() -> None:
    told = [replace(event, t=event.t + 0.3) if isinstance(event, CardsPlayed) else event for event in MATCH]
    assert compare(MATCH, told).latencies_ms == (300.0, 300.0)


def test_a_film_that_stops_in_its_last_deal_is_measured_by_those_that_end() -> None:
    report = compare(MATCH[:9], MATCH[:9])
    assert report.perfect
    assert (report.plays, report.deals, report.points_right) == (2, 1, True)


def test_a_fact_that_opens_a_deal_belongs_to_it() -> None:
    opened = DealStarted(deal=2, levels={}, source=Source.INFERRED)
    log = [*MATCH[:5], play("E", "D4 D4"), MATCH[5], opened, won("N")]
    assert [deal for deal, _ in by_deal(log)] == [1, 1, 1, 1, 1, 2, 1, 2, 2]


def test_what_follows_from_an_earlier_deal_put_right_is_its_own() -> None:
    fixed = Corrected(seat=Seat.E, trick=1, cards=(Card("HA"),) * 2, deal=1)
    late = [*MATCH[:1], play("E", "HA SA"), won("W"), *MATCH[3:9], fixed, won("E"), *MATCH[9:]]
    report = compare(MATCH, late)
    assert report.perfect, report.wrong
    assert final_plays(late) == {(1, 1, Seat.E): ("HA", "HA"), (2, 1, Seat.E): ("D4", "D4")}


def test_broken_truth_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text('{"v": 1, "event": "BottomTaken", "seat": "E"}\n{"v": 1, "event": "Nonsense"}\n')
    with pytest.raises(TruthError, match="line 2"):
        read_events(tmp_path / "truth.jsonl")
    with pytest.raises(TruthError, match="cannot read"):
        read_events(tmp_path / "none.jsonl")
