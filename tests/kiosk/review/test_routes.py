"""The API of recorded matches: what it gives, to whom, and what it keeps to itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kiosk.access import Mode
from kiosk.review.logs import read_log, verify_chain
from kiosk.web import create_app
from tests.kiosk.recorded import match_file
from tests.kiosk.tables import Fixture, Maker, until_trick

LOCAL = {"host": "localhost"}
FAR = {"host": "localhost", "x-forwarded-for": "10.0.0.5"}


class Asking:
    """A browser of the table."""

    def __init__(self, made: Fixture, headers: dict[str, str]) -> None:
        self.client = TestClient(create_app(made.kiosk), base_url="http://localhost", headers=headers, client=("127.0.0.1", 50000))

    def get(self, path: str, status: int = 200, **query: str) -> Any:
        answer = self.client.get(f"/api/review/{path}", params=query)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else answer

    def post(self, path: str, body: dict[str, Any], status: int = 200) -> Any:
        answer = self.client.post(f"/api/review/{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture
def made(make_table: Maker, tmp_path: Path) -> Fixture:
    match_file(tmp_path / "old.db", lively=True)
    match_file(tmp_path / "older.db", deals=2, seed=2)
    return make_table(until_trick(5))


@pytest.fixture
def home(made: Fixture) -> Asking:
    return Asking(made, LOCAL)


def recorded(asking: Asking, player: str = "王芳") -> str:
    found = asking.get("matches", player=player)["matches"]
    return str(next(match["match"] for match in found if match["deals"] == 1))


def test_matches_of_the_folder_and_the_running_one_are_listed(home: Asking) -> None:
    found = home.get("matches")
    assert sorted(match["deals"] for match in found["matches"]) == [1, 1, 2]
    assert [book["name"] for book in found["rulebooks"]] == ["official-2deck-shengji"]
    assert found["rulebooks"][0]["zh"] != found["rulebooks"][0]["en"]
    assert found["running"] == found["matches"][0]["match"]
    assert found["behind"] == 0
    assert found["problems"] == []


@pytest.mark.parametrize(
    ("query", "count"),
    [({"player": "张"}, 2), ({"player": "%"}, 0), ({"rulebook": "school-2deck-2J-must"}, 0), ({"since": "2026-03-07", "until": "2026-03-07"}, 2),
     ({"until": "2026-03-06"}, 0), ({"player": "张敏", "until": "2026-03-07"}, 2)],
)  # fmt: skip
def test_matches_are_found_by_player_rulebook_and_day(home: Asking, query: dict[str, str], count: int) -> None:
    assert len(home.get("matches", **query)["matches"]) == count


def test_deal_that_is_over_shows_hands_curve_inbox_and_lessons(home: Asking) -> None:
    match = recorded(home)
    deal = home.get(f"matches/{match}/deals/0")
    assert {seat: len(cards) for seat, cards in deal["hands"].items()} == dict.fromkeys("ENWS", 25)
    assert deal["curve"][-1][1] == deal["reckoning"]["trick_points"]
    assert {item["tier"] for item in deal["inbox"]} == {"alert", "unsure", "info"}
    assert [round(end - start) for start, end in deal["gaps"]] == [20]
    assert any(step["step"] == "corrected" for step in deal["steps"])
    assert all(lesson["clause"] and lesson["source"] for lesson in deal["lessons"])


def test_deal_that_is_being_played_never_shows_a_hand_or_the_bottom(home: Asking, made: Fixture) -> None:
    running = next(match for match in home.get("matches")["matches"] if match["names"].get("E") == "东")["match"]
    answer = home.client.get(f"/api/review/matches/{running}/deals/0")
    deal = answer.json()
    assert deal["over"] is False
    assert (deal["hands"], deal["bottom"]["cards"], deal["lessons"]) == (None, None, [])
    played = {card for trick in deal["tricks"] for play in trick["plays"] for card in play["cards"]}
    buried = next(e for e in until_trick(5) if type(e).__name__ == "Buried")
    assert [card for card in getattr(buried, "cards", ()) if card not in played and f'"{card}"' in json.dumps(deal["steps"])] == []


def test_thinking_times_are_for_the_referee_only(made: Fixture, home: Asking) -> None:
    match = recorded(home)
    tempo = home.get(f"matches/{match}/deals/0")["tempo"]
    assert set(tempo["median"]) == set("ENWS")
    assert all(play["seconds"] > 0 for play in tempo["plays"])
    assert Asking(made, FAR).get(f"matches/{match}/deals/0")["tempo"] is None


def test_in_a_competition_only_the_referee_reads(make_table: Maker, tmp_path: Path) -> None:
    match_file(tmp_path / "old.db")
    made = make_table(until_trick(5), mode=Mode.COMPETITION, pin="4711")
    far, near = Asking(made, FAR), Asking(made, LOCAL)
    match = recorded(near)
    paths = ["matches", f"matches/{match}", f"matches/{match}/deals/0", f"matches/{match}/inbox", f"matches/{match}/export/jsonl", "statistics"]
    for path in paths:
        far.get(path, 403)
    far.post(f"matches/{match}/comments", {"deal": 0, "text": "x"}, 403)
    assert far.client.post("/api/login", json={"pin": "4711"}).status_code == 200
    for path in paths:
        far.get(path)


def test_items_are_flagged_as_reviewed_and_the_flag_taken_off(home: Asking) -> None:
    match = recorded(home)
    item = home.get(f"matches/{match}/inbox")["items"][0]
    assert item["reviewed"] is None
    home.post(f"matches/{match}/reviewed", {"item": item["item"]})
    assert home.get(f"matches/{match}/inbox")["items"][0]["reviewed"]["by"] == "local"
    home.post(f"matches/{match}/reviewed", {"item": item["item"], "reviewed": False})
    assert home.get(f"matches/{match}/inbox")["items"][0]["reviewed"] is None


def test_comments_are_kept_and_deleted_by_whoever_wrote_them(made: Fixture, home: Asking) -> None:
    match = recorded(home)
    far = Asking(made, FAR)
    home.post(f"matches/{match}/comments", {"deal": 0, "trick": 3, "seat": "E", "text": "好牌 <b>"})
    far.post(f"matches/{match}/comments", {"deal": 0, "text": "second"})
    first, second = home.get(f"matches/{match}")["comments"]
    assert (first["text"], first["trick"], first["seat"], first["by"]) == ("好牌 <b>", 3, "E", "local")
    far.post(f"matches/{match}/comments/{first['id']}/delete", {}, 403)
    home.post(f"matches/{match}/comments/{second['id']}/delete", {})
    assert [c["id"] for c in home.get(f"matches/{match}")["comments"]] == [first["id"]]
    home.post(f"matches/{match}/comments/999/delete", {}, 404)
    home.post(f"matches/{match}/comments", {"deal": 99, "text": "x"}, 404)


@pytest.mark.parametrize("path", ["matches/0123456789abcdef", "matches/0123456789abcdef/deals/0", "matches/0123456789abcdef/inbox"])
def test_match_that_is_not_there(home: Asking, path: str) -> None:
    assert "no match" in home.get(path, 404)["en"]


@pytest.mark.parametrize(
    "path", ["matches/..%2f..%2fetc", "matches/xyz", "matches/0123456789abcdef/deals/-1", "matches/0123456789abcdef/media/..%2fx"]
)
def test_path_that_leads_elsewhere_is_refused(home: Asking, path: str) -> None:
    assert home.client.get(f"/api/review/{path}").status_code in (404, 422)


@pytest.mark.parametrize("form", ["jsonl", "txt", "deals.csv", "tricks.csv", "twbundle"])
def test_match_is_had_as_a_file(home: Asking, form: str) -> None:
    answer = home.get(f"matches/{recorded(home)}/export/{form}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert len(answer.content) > 100
    home.get(f"matches/{recorded(home)}/export/exe", 404)


def test_statistics_count_only_who_agreed(home: Asking) -> None:
    before = home.get("statistics")
    assert (before["players"], before["pairs"]) == ([], [])
    assert {"王芳", "李伟"} <= set(before["names"])
    home.post("consent", {"name": "王芳", "agreed": True})
    found = home.get("statistics")
    assert [row["name"] for row in found["players"]] == ["王芳"]
    assert (found["players"][0]["deals"], found["players"][0]["matches"], found["pairs"]) == (3, 2, [])
    assert "李伟" not in json.dumps(found["players"], ensure_ascii=False)
    home.post("consent", {"name": "张敏", "agreed": True})
    assert [row["names"] for row in home.get("statistics")["pairs"]] == [["张敏", "王芳"]]
    home.post("consent", {"name": "王芳", "agreed": False})
    assert [row["name"] for row in home.get("statistics")["players"]] == ["张敏"]
    home.post("consent", {"name": "nobody", "agreed": True}, 404)


def test_deleted_name_is_nowhere_and_the_chains_stay_whole(made: Fixture, home: Asking, tmp_path: Path) -> None:
    home.post("consent", {"name": "王芳", "agreed": True})
    Asking(made, FAR).post("forget", {"name": "王芳"}, 403)
    assert home.post("forget", {"name": "王芳"}) == {"logs": 2}
    assert home.get("matches", player="王芳")["matches"] == []
    assert home.get("statistics")["agreed"] == []
    for name in ("old.db", "older.db"):
        log = read_log(tmp_path / name)
        verify_chain(log.entries)
        assert set(log.names.values()) == {"李伟", "张敏", "刘洋"}
    for file in tmp_path.glob("*.db*"):
        assert "王芳".encode() not in file.read_bytes(), file.name
