"""A running table: what is shown is a fold of the log, and nothing that was shown is lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine import referee, view
from engine.cards import Card, Seat
from engine.events import CameraLost, CardsPlayed, DealEnded, Declared, Source, TakenBack, from_json
from kiosk.errors import ConflictError, NotFoundError, RefusedError, StoreError
from kiosk.service import Update
from kiosk.store import Store
from tests.kiosk.tables import Maker, facts, planted, rulebook, truth, until_trick


def test_whole_deal_is_reckoned_as_simulated(make_table: Maker) -> None:
    made = make_table(facts())
    _, shown = made.table.shown()
    ended = next(e for e in truth() if isinstance(e, DealEnded))
    assert shown["phase"] == "ended"
    assert shown["reckoning"]["points"] == ended.points
    assert shown["reckoning"]["levels"] == dict(ended.levels)
    offences = {(r["seat"], r["trick"], r["proved_by"]) for r in shown["rulings"]}
    assert offences == {(planted().seat.value, planted().trick, planted().proved_by)}


def test_state_is_a_fold_of_the_log(make_table: Maker) -> None:
    made = make_table(until_trick(6))
    events = [from_json(row.body) for row in made.store.read()]
    assert view.snapshot(referee.fold(events, rulebook("official-2deck-shengji"))) == made.table.shown()[1]


def test_entry_is_on_the_disk_before_anybody_is_told(make_table: Maker, tmp_path: Path) -> None:
    made = make_table()
    found: list[int] = []

    def look(update: Update) -> None:
        with Store.open(tmp_path / "table.db") as other:
            found.append(other.seq - update.seq)

    made.table.listen(look)
    made.feed(until_trick(2))
    assert found
    assert set(found) == {0}


def test_match_is_taken_up_after_a_restart(make_table: Maker) -> None:
    one = make_table(until_trick(5))
    play = one.table.shown()[1]["tricks"][1]["plays"][2]
    one.table.correct(2, Seat(play["seat"]), play["cards"], ["S3"] * len(play["cards"]), "local")
    shown = one.table.shown()
    one.store.close()
    two = make_table()
    assert two.table.shown() == shown
    rest = [f for f in facts() if isinstance(f, CardsPlayed) and f.trick > 5]
    two.feed(rest)
    assert two.table.shown()[1]["phase"] in ("bottom", "ended")


def test_correction_changes_points_and_keeps_the_first_reading_in_the_log(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    before = made.table.shown()[1]
    trick = before["tricks"][-1]
    play = trick["plays"][-1]
    cards = [Card("S10") if c != "S10" else Card("S3") for c in play["cards"]]
    update = made.table.correct(trick["number"], Seat(play["seat"]), play["cards"], cards, "home@1.2.3.4")
    now = next(t for t in update.state["tricks"] if t["number"] == trick["number"])
    assert now["plays"][-1]["cards"] == cards
    assert now["points"] != trick["points"]
    kinds = [row.body["event"] for row in made.store.read()]
    assert kinds.count("CardsPlayed") == 16
    assert made.store.read(after=update.rows[0].seq - 1)[0].author == "home@1.2.3.4"


def test_correction_of_a_play_that_does_not_exist(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    seq = made.store.seq
    with pytest.raises(NotFoundError, match="trick 20"):
        made.table.correct(20, Seat.E, [Card("SA")], [Card("SK")], "local")
    assert made.store.seq == seq


def test_second_of_two_corrections_is_refused(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    play = made.table.shown()[1]["tricks"][0]["plays"][0]
    was = play["cards"]
    results: list[object] = []

    def correct(card: str) -> None:
        try:
            made.table.correct(1, Seat(play["seat"]), was, [Card(card)] * len(was), "local")
            results.append(card)
        except ConflictError as error:
            results.append(error)

    threads = [threading.Thread(target=correct, args=(card,)) for card in ("S3", "S4")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [r for r in results if isinstance(r, str)]
    assert len(winners) == 1
    assert made.table.shown()[1]["tricks"][0]["plays"][0]["cards"] == winners * len(was)


def test_idle_correction_is_refused(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    play = made.table.shown()[1]["tricks"][0]["plays"][0]
    with pytest.raises(RefusedError):
        made.table.correct(1, Seat(play["seat"]), play["cards"], play["cards"], "local")


def test_undo_and_undo_of_the_undo(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    play = made.table.shown()[1]["tricks"][0]["plays"][0]
    before = made.table.shown()[1]
    correction = made.table.correct(1, Seat(play["seat"]), play["cards"], [Card("S3")] * len(play["cards"]), "local")
    corrected = correction.state
    undone = made.table.undo(correction.rows[0].seq, "local")
    assert undone.state["tricks"] == before["tricks"]
    with pytest.raises(ConflictError):
        made.table.undo(correction.rows[0].seq, "local")
    again = made.table.undo(undone.rows[0].seq, "local")
    assert again.state["tricks"] == corrected["tricks"]


def test_undo_of_the_last_act_twice_takes_back_two(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    (last,) = made.table.acts(1)
    assert last["event"] == "CardsPlayed"
    made.table.undo(None, "local")
    (second,) = made.table.acts(1)
    assert second["seq"] < last["seq"]
    made.table.undo(None, "local")
    assert len(made.table.shown()[1]["trick"]["plays"]) == 2


def test_match_start_cannot_be_undone(make_table: Maker) -> None:
    made = make_table()
    assert made.table.undoable() is None
    for seq in (None, 1, 2, 99):
        with pytest.raises(NotFoundError):
            made.table.undo(seq, "local")


def test_ruling_is_decided_once_and_keeps_who_and_why(make_table: Maker) -> None:
    made = make_table(facts())
    name = made.table.shown()[1]["rulings"][0]["ruling"]
    made.table.decide(name, "later", "referee@10.0.0.9")
    update = made.table.decide(name, "overruled", "referee@10.0.0.9", "看错了")
    ruling = update.state["rulings"][0]
    assert (ruling["state"], ruling["by"], ruling["why"]) == ("overruled", "referee@10.0.0.9", "看错了")
    with pytest.raises(ConflictError):
        made.table.decide(name, "confirmed", "local")
    with pytest.raises(NotFoundError):
        made.table.decide("9.9.E.suit", "confirmed", "local")


def test_score_by_hand_then_play_goes_on(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    update = made.table.set_score(65, 12, {"EW": "5", "NS": "K"}, Seat.N, "local")
    assert update.state["points"] == 65
    assert update.state["levels"] == {"EW": "5", "NS": "K"}
    made.table.record(CardsPlayed(seat=Seat.N, trick=13, cards=(Card("SA"),), t=99))
    assert made.table.shown()[1]["trick"]["number"] == 13


def test_play_by_hand_where_the_camera_saw_none(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    trick = made.table.shown()[1]["trick"]
    seat = Seat(trick["turn"])
    update = made.table.play(trick["number"], seat, [Card("SA")], "local")
    assert update.state["trick"]["plays"][0]["cards"] == ["SA"]
    with pytest.raises(RefusedError, match="correct"):
        made.table.play(trick["number"], seat, [Card("SK")], "local")
    with pytest.raises(NotFoundError):
        made.table.play(trick["number"] + 3, seat.next, [Card("SK")], "local")


def test_confirmed_reckoning_starts_the_next_deal_with_its_levels(make_table: Maker) -> None:
    made = make_table(facts())
    reckoning = made.table.shown()[1]["reckoning"]
    update = made.table.next_deal(1, "local")
    assert update.state["deal"] == 2
    assert update.state["levels"] == reckoning["levels"]
    with pytest.raises(ConflictError):
        made.table.next_deal(1, "local")
    with pytest.raises(RefusedError):
        made.table.next_deal(2, "local")


def test_confirming_a_deal_can_be_undone(make_table: Maker) -> None:
    made = make_table(facts())
    before = made.table.shown()[1]
    update = made.table.next_deal(1, "local")
    back = made.table.undo(update.rows[0].seq, "local")
    assert back.state["deal"] == 1
    assert back.state["reckoning"] == before["reckoning"]


def test_while_the_disk_is_full_facts_wait_and_then_come_in_order(make_table: Maker) -> None:
    made = make_table(until_trick(1))
    seq, _ = made.table.shown()
    made.store._db.execute(f"PRAGMA max_page_count = {made.store._db.execute('PRAGMA page_count').fetchone()[0]}")
    later = [f for f in until_trick(12) if isinstance(f, CardsPlayed) and f.trick > 1]
    made.feed(later)
    trouble = made.table.trouble()
    assert trouble is not None
    assert "disk is full" in trouble.en
    assert made.table.seq >= seq
    stuck = made.table.shown()
    assert stuck[0] == made.store.seq, "the screen shows no more than the disk holds"
    with pytest.raises(StoreError):
        made.table.set_score(5, 2, {}, None, "local")
    made.store._db.execute("PRAGMA max_page_count = 1000000")
    assert made.table.retry()
    assert made.table.trouble() is None
    plays = [row.body for row in made.store.read() if row.body["event"] == "CardsPlayed"]
    assert [(p["trick"], p["seat"]) for p in plays] == [(f.trick, f.seat.value) for f in until_trick(12) if isinstance(f, CardsPlayed)]


def test_facts_that_make_no_sense_do_not_stop_the_table(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    for fact in (
        Declared(seat=Seat.E, cards=(Card("H2"),), t=50),
        TakenBack(seat=Seat.S, trick=77, cards=(Card("SA"),), t=51),
        CardsPlayed(seat=Seat.S, trick=2, cards=(Card("??"),), t=52, source=Source.INFERRED),
        CameraLost(reason="unplugged", t=53),
    ):
        made.table.record(fact)
    assert made.table.camera_lost() == "unplugged"
    made.store.close()
    again = make_table()
    assert again.table.camera_lost() == "unplugged"
    assert again.table.shown()[0] == made.table.shown()[0]
