"""Another match at the same table: nothing of the old one is lost, the PIN stays, pages begin anew."""

from __future__ import annotations

from kiosk.access import Mode
from kiosk.matches import Matches
from kiosk.store import Store
from tests.kiosk.tables import RULEBOOK, Fixture, Maker, facts, rulebook, until_trick
from tests.kiosk.test_web import client


def with_matches(made: Fixture) -> tuple[Matches, list[str]]:
    said: list[str] = []
    matches = Matches(made.kiosk, made.store, rulebook, stop=lambda: said.append("stop"), go=lambda: said.append("go"))
    made.kiosk.begin_match = matches.begin
    return matches, said


def test_another_match_begins_and_the_old_log_is_whole(make_table: Maker) -> None:
    made = make_table(facts(), mode=Mode.COMPETITION, pin="4711")
    matches, said = with_matches(made)
    made.store.remember("volume.alert", "0.5")
    old, path = made.table.seq, made.store.path
    with client(made) as found:
        body = {"rulebook": RULEBOOK, "names": {"E": "李"}, "levels": {"EW": "5"}}
        assert found.post("/api/setup/match", json=body).status_code == 200
        shown = found.get("/api/state").json()
        assert (shown["seq"], shown["state"]["deal"], shown["state"]["names"]) == (2, 1, {"E": "李"})
        assert shown["state"]["levels"] == {"EW": "5", "NS": "2"}
        assert found.get("/api/me").json()["has_pin"] is True
    assert said == ["stop", "go"]
    kept = [p for p in path.parent.rglob("*.db") if p != path]
    assert len(kept) == 1
    with Store.open(kept[0]) as aside:
        assert aside.seq == old
    assert matches.store.setting("volume.alert") == "0.5"
    made.feed(facts()[:3])
    assert made.table.seq > 2
    matches.close()


def test_a_deal_in_hand_is_given_up_only_when_that_is_said(make_table: Maker) -> None:
    made = make_table(until_trick(4))
    matches, said = with_matches(made)
    with client(made) as found:
        refused = found.post("/api/setup/match", json={"rulebook": RULEBOOK})
        assert refused.status_code == 409
        assert refused.json()["state"]["state"]["deal"] == 1
        assert found.post("/api/setup/match", json={"rulebook": "no-such-sheet", "give_up": True}).status_code == 422
        assert found.post("/api/setup/match", json={"rulebook": RULEBOOK, "levels": {"EW": "-A"}, "give_up": True}).status_code == 422
        assert said == []
        assert found.post("/api/setup/match", json={"rulebook": RULEBOOK, "give_up": True}).status_code == 200
    matches.close()


def test_the_tables_clock_goes_on_over_a_new_match(make_table: Maker) -> None:
    made = make_table(facts())
    matches, _ = with_matches(made)
    before = made.table.now()
    with client(made) as found:
        assert found.post("/api/setup/match", json={"rulebook": RULEBOOK}).status_code == 200
    assert made.table.now() >= before
    matches.close()
