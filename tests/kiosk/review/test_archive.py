"""The index over the logs: in step with them, made anew, and nothing in it that they do not say."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from engine import referee
from engine.cards import Card, Seat
from engine.events import CardsPlayed, DealStarted, Declared, MatchStarted, NamesSet, Source, Undone, to_json
from kiosk.errors import NotFoundError, StoreError
from kiosk.export.bundle import Kept
from kiosk.review.archive import Archive
from kiosk.review.digest import Memo, digest, gaps_of
from kiosk.review.library import Library
from kiosk.review.logs import Log, named, read_log, verify_chain
from kiosk.review.media import unrecorded
from kiosk.review.steps import taken_back
from kiosk.store import Store
from tests.kiosk.recorded import match_file, match_log


def test_index_follows_the_logs_and_forgets_what_is_gone(tmp_path: Path) -> None:
    library = Library.open(tmp_path)
    assert library.refresh() == []
    file = match_file(tmp_path / "matches" / "a.db")
    library.refresh()
    assert [match.path for match in library.archive.matches()] == ["matches/a.db"]
    with Store.open(file) as store:
        store.append([to_json(DealStarted(deal=2, levels={"EW": "3", "NS": "2"}, source=Source.REFEREE))], "local")
    library.refresh()
    assert library.archive.matches()[0].deals == 2
    file.unlink()
    library.refresh()
    assert library.archive.matches() == ()
    library.close()


def test_file_that_is_no_log_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    match_file(tmp_path / "good.db")
    (tmp_path / "bad.db").write_bytes(b"not a database at all, but long enough to look at" * 20)
    with Store.open(tmp_path / "empty.db"):
        pass
    library = Library.open(tmp_path)
    problems = library.refresh()
    assert [problem.split(":")[0] for problem in problems] == ["bad.db"], "a log in which nothing stands yet is no problem"
    assert len(library.archive.matches()) == 1
    library.close()


def test_many_logs_are_taken_in_the_newest_first_and_the_others_by_and_by(tmp_path: Path) -> None:
    for number in range(4):
        file = match_file(tmp_path / f"{number}.db", seed=1 + number % 2)
        os.utime(file, ns=(number * 10**9, number * 10**9))
    with Library.open(tmp_path) as library:
        taken: list[str] = []
        plain = library._take
        library._take = lambda path, name, stamp: (taken.append(name), plain(path, name, stamp))[1]  # type: ignore[method-assign, func-returns-value]
        library.refresh(most=1)
        waiting = library._catching_up
        assert waiting is not None
        waiting.join(60)
        assert taken == ["3.db", "2.db", "1.db", "0.db"]
        assert library.behind == 0
        assert library.refresh() == []
        assert len(taken) == 4


def test_index_that_is_closed_meanwhile_takes_in_no_more(tmp_path: Path) -> None:
    for number in range(3):
        match_file(tmp_path / f"{number}.db")
    library = Library.open(tmp_path)
    library.refresh(most=1)
    library.close()
    assert library._catching_up is not None
    assert not library._catching_up.is_alive()


def test_index_of_another_form_is_made_anew_and_what_people_wrote_stays(tmp_path: Path) -> None:
    match_file(tmp_path / "a.db")
    library = Library.open(tmp_path)
    library.refresh()
    library.archive.tell("INSERT INTO consent VALUES ('王芳', '2026-03-07')")
    library.close()
    with sqlite3.connect(tmp_path / "review.db") as db:
        db.execute("PRAGMA user_version = 999")
    library = Library.open(tmp_path)
    assert library.archive.matches() == ()
    library.refresh()
    assert len(library.archive.matches()) == 1
    assert library.archive.ask("SELECT name FROM consent")[0]["name"] == "王芳"
    library.close()


def test_index_that_is_damaged_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "review.db").write_bytes(b"nonsense" * 500)
    with pytest.raises(StoreError, match="made anew from the logs"):
        Archive.open(tmp_path / "review.db")


def test_match_is_found_by_the_beginning_of_its_name_if_there_is_one(tmp_path: Path) -> None:
    match_file(tmp_path / "a.db")
    match_file(tmp_path / "b.db", deals=2, seed=2)
    library = Library.open(tmp_path)
    library.refresh()
    one = library.archive.matches()[0]
    assert library.archive.match(one.match[:7]) == one
    for name in ("", "zz", "%"):
        with pytest.raises(NotFoundError):
            library.archive.match(name)
    assert library.find(str(tmp_path / "a.db")) == tmp_path / "a.db"
    assert library.find("last") in (tmp_path / "a.db", tmp_path / "b.db")
    library.close()


def test_log_that_was_changed_is_found_by_its_chain(tmp_path: Path) -> None:
    entries = list(match_log().entries)
    verify_chain(entries)
    for wrong in (entries[1:], [entries[1], entries[0], *entries[2:]], [*entries[:5], *entries[6:]]):
        with pytest.raises(StoreError, match="does not fit"):
            verify_chain(wrong)


def test_deals_that_have_not_changed_are_not_worked_out_again() -> None:
    log = match_log(2)
    state = referee.fold(log.events)
    memo: Memo = {}
    first = digest(log, state=state, memo=memo)
    again = digest(log, state=state, memo=memo)
    assert [a is b for a, b in zip(first.deals, again.deals, strict=True)] == [True, True]
    ruling = referee.rulings(state, state.closed[0])[0].ruling
    from engine.events import RulingDecided

    decided = referee.step(state, RulingDecided(ruling=ruling, decision="confirmed"))[0]
    later = digest(log, state=decided, memo=memo)
    assert later.deals[0].view["rulings"][0]["state"] == "confirmed"
    assert first.deals[0].view["rulings"][0]["state"] == "proposed"


def test_deal_that_its_first_fact_has_opened_begins_with_that_fact() -> None:
    """The referee puts DealStarted behind the fact that opened the deal; review counts the fact to the new deal."""
    events = list(match_log().events)
    state = referee.fold(events)
    fact = Declared(seat=Seat.E, cards=(Card("H3"),), t=999.0)
    _, follows = referee.step(state, fact)
    assert type(follows[0]).__name__ == "DealStarted"
    from kiosk.review.logs import Entry

    entries = [*match_log().entries]
    for event in (fact, *follows):
        import json

        entries.append(Entry(len(entries) + 1, entries[-1].at, "camera", json.dumps(to_json(event), separators=(",", ":")), "0"))
    made = digest(Log(tuple(entries), match_log().people))
    assert made.deals[1].view["steps"][0]["step"] == "declared"
    assert all(step["step"] != "declared" or step["t"] < 900 for step in made.deals[0].view["steps"])


def test_undone_undo_counts_again() -> None:
    log = match_log()
    placed = log.placed()[:8]
    play = next(i for i, (_, event) in enumerate(placed) if isinstance(event, CardsPlayed))
    entry = placed[0][0]
    once = [*placed, (entry, Undone(target=play + 1))]
    assert taken_back(once) == {placed[play][0].seq}
    assert placed[play][0].seq not in taken_back([*once, (entry, Undone(target=len(once)))])


def test_gap_without_an_end_is_open() -> None:
    from engine.events import CameraBack, CameraLost

    assert gaps_of([CameraLost(reason="x", t=5), CameraBack(gap=3, t=8), CameraLost(reason="y", t=20)]) == [(5, 8), (20, float("inf"))]
    assert gaps_of([CameraBack(gap=3, t=8)]) == [(5, 8)]


def test_token_whose_name_was_deleted_is_nobody() -> None:
    assert named({"E": "#0123abcd", "N": "#ffffffff", "W": "老张"}, {"#0123abcd": "王芳"}) == {"E": "王芳", "W": "老张"}
    assert read_log(match_log().path or Path()).names == match_log().names


def film(kind: str, t0: float, t1: float) -> Kept:
    return Kept(Path("x"), kind, 1 if kind == "clip" else None, 1, None, t0, t1)


@pytest.mark.parametrize(
    ("media", "open_end", "gaps"),
    [
        ([], False, []),
        ([film("clip", 10, 20)], False, []),
        ([film("segment", 0, 50), film("segment", 51, 100)], False, []),
        ([film("segment", 0, 40), film("segment", 47, 100)], False, [(40, 47)]),
        ([film("segment", 0, 40), film("clip", 39, 60), film("segment", 61, 100)], False, []),
        ([film("segment", 20, 60)], False, [(0, 20), (60, 100)]),
        ([film("segment", 20, 60)], True, [(0, 20)]),
        ([film("segment", 0, 90), film("segment", 10, 20), film("segment", 120, 130)], False, [(90, 100)]),
    ],
)
def test_times_that_no_video_shows_are_gaps(media: list[Kept], open_end: bool, gaps: list[tuple[float, float]]) -> None:
    assert unrecorded(media, 0, 100, open_end=open_end) == gaps


def test_deleted_name_is_gone_also_where_its_player_was_replaced_and_where_the_match_cannot_be_shown(tmp_path: Path) -> None:
    replaced = match_file(tmp_path / "replaced.db")
    with Store.open(replaced) as store:
        store.append([to_json(NamesSet(names={"E": "赵六"}, by="local"))], "local")
    unknown = tmp_path / "unknown.db"
    with Store.open(unknown) as store:
        store.append([to_json(MatchStarted(rulebook="gone.toml", names={"E": "王芳"}))], "local")
    with Library.open(tmp_path) as library:
        assert len(library.refresh()) == 1
        assert library.archive.matches()[0].names["E"] == "赵六"
        assert library.forget("王芳") == 2
        assert library.forget("王芳") == 0
    for file in tmp_path.glob("*.db*"):
        assert "王芳".encode() not in file.read_bytes(), file.name
    verify_chain(read_log(replaced).entries)
