"""Corrections of any deal, plays put in and taken out, decisions on a state that has changed, offences by hand, clocks, names."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card, Seat
from engine.events import CameraLost, DealStarted
from kiosk.errors import ConflictError, NotFoundError, RefusedError
from tests.kiosk.tables import Fixture, Maker, facts, until_trick
from tests.kiosk.test_web import client


@pytest.fixture
def second(make_table: Maker) -> Fixture:
    """A table in its second deal."""
    made = make_table(facts())
    made.table.next_deal(1, "local")
    return made


def a_play(made: Fixture, trick: int = 1, place: int = 0) -> dict[str, Any]:
    play: dict[str, Any] = made.table.deal(1)[1]["tricks"][trick - 1]["plays"][place]
    return play


def test_any_trick_of_an_earlier_deal_is_corrected_and_the_rest_follows(second: Fixture) -> None:
    with client(second) as found:
        play = a_play(second, 3)
        before = found.get("/api/deals").json()["deals"]
        suggested = found.get("/api/suggestions", params={"deal": 1, "trick": 3, "seat": play["seat"]}).json()["cards"]
        assert suggested
        body = {"deal": 1, "trick": 3, "seat": play["seat"], "was": play["cards"], "cards": [suggested[0], *play["cards"][1:]]}
        answer = found.post("/api/correct", json=body)
        assert answer.status_code == 200
        shown = found.get("/api/deals/1").json()
        assert shown["state"]["tricks"][2]["plays"][0]["cards"] == body["cards"]
        assert shown["state"]["tricks"][2]["plays"][0]["sure"][0] == "sure"
        assert found.get("/api/state").json()["state"]["deal"] == 2
        assert found.post("/api/undo", json={"seq": answer.json()["seq"]}).status_code == 200
        assert found.get("/api/deals").json()["deals"] == before


def test_a_deal_that_is_not_there_is_said(second: Fixture) -> None:
    with client(second) as found:
        assert found.get("/api/deals/9").status_code == 404
        assert found.post("/api/correct", json={"deal": 9, "trick": 1, "seat": "E", "was": [], "cards": ["SA"]}).status_code == 404
        assert found.get("/api/suggestions", params={"deal": 9, "trick": 1, "seat": "E"}).status_code == 404


def test_a_play_is_taken_out_and_put_in_again(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    play = made.table.shown()[1]["tricks"][2]["plays"][3]
    made.table.correct(3, Seat(play["seat"]), play["cards"], [], "local")
    assert [t["number"] for t in made.table.shown()[1]["tricks"]] == [1, 2]
    with pytest.raises(NotFoundError):
        made.table.correct(3, Seat(play["seat"]), play["cards"], ["S3"], "local")
    update = made.table.correct(3, Seat(play["seat"]), [], play["cards"], "local")
    assert [t["number"] for t in update.state["tricks"]] == [1, 2, 3]
    with pytest.raises(ConflictError):
        made.table.correct(3, Seat(play["seat"]), [], play["cards"], "local")
    with pytest.raises(NotFoundError):
        made.table.correct(9, Seat.E, [], play["cards"], "local")


def test_of_two_corrections_decided_on_the_same_state_the_second_is_shown_the_new_one(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    play = made.table.shown()[1]["tricks"][0]["plays"]
    seq = made.table.seq
    with client(made) as found:

        def correct(i: int, card: str, trick: int = 1) -> Any:
            plays = made.table.shown()[1]["tricks"][trick - 1]["plays"]
            body = {"trick": trick, "seat": plays[i]["seat"], "was": plays[i]["cards"], "cards": [card] * len(plays[i]["cards"]), "expected": seq}
            return found.post("/api/correct", json=body)

        assert correct(0, "C3").status_code == 200
        second = correct(1, "C4")
        assert second.status_code == 409
        assert second.json()["state"]["seq"] == made.table.seq
        assert second.json()["state"]["state"]["tricks"][0]["plays"][0]["cards"][0] == "C3"
        assert made.table.shown()[1]["tricks"][0]["plays"][1]["cards"] == play[1]["cards"]
        assert correct(0, "C5", trick=2).status_code == 200, "another trick is nobody's business"


def test_an_undo_of_the_last_act_means_the_one_that_was_seen(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    seq = made.table.seq
    made.table.set_score(40, 3, {}, None, "referee@a")
    with pytest.raises(ConflictError):
        made.table.undo(None, "referee@b", expected=seq)
    assert made.table.undo(None, "referee@b", expected=made.table.seq).state["points"] != 40


def test_undo_after_undo_goes_back_step_by_step(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    steps = [made.table.shown()[1]["points"]]
    steps += [made.table.set_score(points, 3, {}, None, "local").state["points"] for points in (10, 20, 30)]
    assert [act["points"] for act in made.table.acts(3)] == [30, 20, 10]
    back = [made.table.undo(None, "local").state["points"] for _ in range(3)]
    assert back == steps[2::-1]


def test_what_was_there_before_goes_with_the_correction(make_table: Maker) -> None:
    made = make_table(until_trick(2))
    play = made.table.shown()[1]["tricks"][0]["plays"][0]
    made.table.correct(1, Seat(play["seat"]), play["cards"], [Card("C3")] * len(play["cards"]), "referee@a")
    act = made.table.acts(1)[0]
    assert (act["was"], act["author"], act["event"]) == (play["cards"], "referee@a", "Corrected")


def test_an_offence_that_no_camera_sees_becomes_a_ruling_with_the_sheets_price(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    with client(made) as found:
        sheet = {o["kind"]: o for o in found.get("/api/offences").json()["offences"]}
        assert next(iter(sheet)) == "talk"
        assert "other" in sheet
        answer = found.post("/api/rulings", json={"kind": "talk", "seat": "N", "why": "说了一句"})
        name = answer.json()["ruling"]
        ruling = next(r for r in found.get("/api/state").json()["state"]["rulings"] if r["ruling"] == name)
        assert (ruling["state"], ruling["seat"], ruling["clause"], ruling["note"]) == ("proposed", "N", sheet["talk"]["clause"], "说了一句")
        assert ruling["found_at"] is not None
        assert ruling["decided_at"] is None
        assert found.post(f"/api/rulings/{name}", json={"decision": "confirmed", "why": "听到"}).status_code == 200
        ruling = next(r for r in found.get("/api/state").json()["state"]["rulings"] if r["ruling"] == name)
        assert (ruling["state"], ruling["by"], ruling["why"]) == ("confirmed", "local", "听到")
        assert ruling["decided_at"] is not None
        twice = found.post("/api/rulings", json={"kind": "talk", "seat": "N"}).json()["ruling"]
        assert twice != name
        assert found.post("/api/rulings", json={"kind": "sneezing", "seat": "N"}).status_code == 422
        assert found.post("/api/rulings", json={"kind": "talk", "seat": "N", "trick": 20}).status_code == 404


def test_a_choice_that_the_sheet_does_not_give_is_refused(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    _, name = made.table.report("talk", Seat.N, "local")
    with pytest.raises(RefusedError):
        made.table.decide(name, "confirmed", "local", choice=7)


def test_the_final_points_by_hand_bring_the_reckoning(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    with client(made) as found:
        assert found.post("/api/score", json={"points": 120, "trick": 13, "end": True}).status_code == 200
        shown = found.get("/api/state").json()["state"]
        assert (shown["phase"], shown["reckoning"]["points"]) == ("ended", 120)
        assert shown["gaps"] == [{"deal": 1, "trick": 13, "t": shown["gaps"][0]["t"], "by": "local", "end": True}]
        assert found.post("/api/next-deal", json={"deal": 1}).status_code == 200


def test_a_score_by_hand_without_a_declarer_asks_for_one(make_table: Maker) -> None:
    made = make_table([event for event in facts()[:1] if isinstance(event, DealStarted)])
    body = {"points": 80, "trick": 13, "end": True}
    with client(made) as found:
        assert found.post("/api/score", json=body).status_code == 422
        assert found.post("/api/score", json={**body, "declarer": "E"}).status_code == 422
        assert found.post("/api/score", json={**body, "levels": {"EW": "-A"}}).status_code == 422
        assert found.post("/api/score", json={**body, "declarer": "E", "trump": "2/H"}).status_code == 200
        assert found.get("/api/state").json()["state"]["reckoning"]["points"] == 80


def test_after_a_gap_the_camera_goes_on_where_the_score_was_set(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    made.table.record(CameraLost(reason="unplugged"))
    leader = Seat(made.table.shown()[1]["turn"])
    made.table.set_score(25, 9, {}, leader, "local")
    assert made.table.expectation().trick == 10
    later = [f for f in facts() if getattr(f, "trick", 0) == 10]
    made.feed(later)
    assert [t["number"] for t in made.table.shown()[1]["tricks"]] == [1, 2, 3, 10]
    assert made.table.shown()[1]["points"] >= 25


def test_clocks_are_stopped_and_run_again(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    with client(made) as found:
        assert found.get("/api/clocks").json()["paused"] is False
        assert [(c["kind"], c["limit_s"]) for c in found.get("/api/clocks").json()["running"]] == [("play", 0)]
        assert found.post("/api/clocks", json={"do": "resume"}).status_code == 422
        assert found.post("/api/clocks", json={"do": "pause"}).status_code == 200
        assert found.post("/api/clocks", json={"do": "pause"}).status_code == 422
        began = found.get("/api/clocks").json()["running"][0]["since"]
        made.clock.now += 100
        found.post("/api/clocks", json={"do": "resume"})
        assert found.get("/api/clocks").json()["running"][0]["since"] == pytest.approx(began + 100)
        assert found.post("/api/clocks", json={"do": "restart"}).status_code == 200


def test_names_are_set_while_a_match_runs(make_table: Maker) -> None:
    made = make_table(until_trick(1))
    with client(made) as found:
        assert found.post("/api/setup/names", json={"names": {"E": "李娜"}}).status_code == 200
        assert found.get("/api/state").json()["state"]["names"] == {"E": "李娜", "N": "北", "W": "西", "S": "南"}
        assert found.post("/api/setup/names", json={"names": {}}).status_code == 422
        assert found.post("/api/setup/names", json={"names": {"E": "<b>"}}).status_code == 422


def test_rulebooks_are_listed_and_read(make_table: Maker) -> None:
    made = make_table()
    with client(made) as found:
        listed = {r["name"]: r for r in found.get("/api/rulebooks").json()["rulebooks"]}
        assert listed["official-2deck-shengji"]["decks"] == 2
        text = found.get("/api/rulebooks/official-2deck-shengji").json()
        assert any(part["clauses"] for part in text["parts"])
        assert found.get("/api/rulebooks/nothing").status_code == 404
        assert found.get("/api/rulebooks/..%2Fpyproject").status_code in (404, 422)


def test_the_referee_says_that_the_pack_is_drawn_and_can_take_it_back(make_table: Maker) -> None:
    made = make_table()
    made.feed(facts()[:1])
    assert made.table.shown()[1]["phase"] in ("dealing", "declaring")
    update = made.table.drawn("local")
    assert update.rows[0].body["event"] == "Drawn"
    made.table.undo(update.rows[0].seq, "local")
    late = make_table(until_trick(2), name="late.db")
    with pytest.raises(RefusedError, match="no cards are being drawn"):
        late.table.drawn("local")


def test_a_game_that_is_won_is_told_and_the_next_begins_at_the_first_level(make_table: Maker) -> None:
    made = make_table(until_trick(3))
    made.table.set_score(0, 13, {"EW": "A", "NS": "9"}, None, "local", declarer=Seat.E, trump="A/H", end=True)
    assert made.table.shown()[1]["winner"] == "EW"
    made.table.next_deal(1, "local")
    shown = made.table.shown()[1]
    assert (shown["deal"], shown["levels"], shown["declarer"], shown["winner"]) == (2, {"EW": "2", "NS": "2"}, None, None)
