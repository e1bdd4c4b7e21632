"""A table whose cards can not be read: nothing is concluded from guesses, and it is said what to do."""

from __future__ import annotations

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Corrected, Desynced, Event, Resynced, ScoreSet
from tests.vision.refereed import Refereed
from tests.vision.test_no_false_alert import begun
from tests.vision.test_plays import card, look
from vision.legible import Legible

TRICKS = (("CA", "C3", "C4", "C5"), ("CK", "C6", "C7", "C8"), ("CQ", "C9", "C10", "CJ"), ("DA", "D3", "D4", "D5"), ("DK", "D6", "D7", "D8"))


def played(p: float, tricks: range, table: Refereed | None = None) -> tuple[Refereed, list[Event]]:
    """E leads and wins these tricks, with cards that are read with this probability."""
    if table is None:
        table = begun()
        table.tracker.record = lambda: table.state.deal
    out: list[Event] = []
    for k in tricks:
        for i, seat in enumerate("ENWS"):
            # Each trick's cards lie beside the earlier ones.
            still = 10.0 + 12 * k + 3 * i
            out += table.see(look(seat, card(TRICKS[k][i], seat, 70.0 * (k % 3 - 1), p=p, other="H9"), still=still), still + 1.8)
    return table, out


def test_cards_that_can_not_be_read_pause_the_following_with_one_line_and_accuse_nobody() -> None:
    table, told = played(0.85, range(4))
    paused = [event for event in told if isinstance(event, Desynced)]
    assert [event.reason for event in paused] == ["unreadable"]
    assert "认不出" in paused[0].zh
    assert "score by hand" in paused[0].en
    assert sum(isinstance(event, CardsPlayed) for event in told) == 12
    assert not table.alerts
    assert table.tracker.unsure


def test_cards_that_are_surely_read_never_pause_it() -> None:
    _, told = played(0.98, range(5))
    assert not any(isinstance(event, Desynced) for event in told)
    assert sum(isinstance(event, CardsPlayed) for event in told) == 20


def test_when_the_cards_can_be_read_again_it_goes_on_once_what_was_missed_is_entered() -> None:
    table, _ = played(0.85, range(3))
    _, told = played(0.99, range(3), table)
    assert [event.en.split(":")[0] for event in told if isinstance(event, Desynced)] == ["the cards can be read again"]
    assert not any(isinstance(event, CardsPlayed) for event in told)
    for seat, face in zip("ENWS", TRICKS[3], strict=True):
        table.take(CardsPlayed(seat=Seat(seat), trick=4, cards=(Card(face),)))
        table.tracker.recall()
    assert any(isinstance(event, Resynced) for event in table.told(100.0))
    _, told = played(0.99, range(4, 5), table)
    assert [event.cards for event in told if isinstance(event, CardsPlayed)] == [(Card(face),) for face in TRICKS[4]]


def test_a_score_entered_by_hand_ends_the_pause_for_the_next_deal() -> None:
    table, _ = played(0.85, range(3))
    table.take(ScoreSet(points=80, trick=3, end=True))
    assert any(isinstance(event, Resynced) for event in table.told(60.0))


def test_a_correction_is_no_reading() -> None:
    legible = Legible()
    for _ in range(20):
        legible.took(Corrected(seat=Seat.E, trick=1, cards=(Card("CA"),), evidence={"n_best": [[["CA", 0.5]]]}))
    assert not legible.lost
