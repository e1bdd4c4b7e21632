"""Bundles: whole, for another machine to go on with; evidence, for an appeal."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from engine import referee
from engine.events import DealStarted, Source
from engine.rulebook_toml import find, load
from kiosk.errors import ConflictError, KioskError, NotFoundError
from kiosk.export import bundle, record, sealed
from kiosk.export.bundle import Kept, Machine, Question
from kiosk.export.sealed import SealError
from kiosk.recording import set_aside
from kiosk.review.library import Library
from kiosk.review.logs import Log, read_log, verify_chain
from kiosk.rulebooks import files_of, rulebook_of, rulebooks_of
from kiosk.service import RunningTable
from kiosk.store import Store
from tests.kiosk.recorded import RULES, match_file, match_log
from tests.kiosk.tables import facts, until_trick


def pictures(folder: Path) -> list[Kept]:
    folder.mkdir(exist_ok=True)
    out = []
    for trick in (1, 2, 3):
        for kind, ending in (("clip", ".mp4"), ("still", "-E.jpg")):
            path = folder / f"d01-t{trick:02}{ending}"
            path.write_bytes(f"{kind} {trick}".encode() * 20)
            out.append(Kept(path, kind, 1, trick, "E", 10.0 * trick, 10.0 * trick + 5))
    return out


def write(target: Path, log: Log | None = None, **options: object) -> str:
    found = log or match_log()
    return bundle.write(target, found, referee.fold(found.events), **options)  # type: ignore[arg-type]


def test_bundle_holds_the_record_the_text_and_the_rulebook_with_those_it_inherits_from(tmp_path: Path) -> None:
    seal = write(tmp_path / "m.twbundle")
    checked = bundle.verify(tmp_path / "m.twbundle", seal)
    assert checked.log.entries == match_log().entries
    assert checked.file.manifest["head"] == match_log().head
    assert checked.file.read(f"rulebook/own-{RULES}.toml") == find(RULES).read_bytes()
    assert any(name.startswith("rulebook/inherited-") for name in checked.file.names)


def test_bundle_that_was_made_anew_has_another_seal(tmp_path: Path) -> None:
    seal = write(tmp_path / "a", names=False)
    write(tmp_path / "b")
    with pytest.raises(SealError, match="the seal differs"):
        bundle.verify(tmp_path / "b", seal)


def test_another_machine_imports_and_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "m.twbundle")
    brought = bundle.bring(tmp_path / "m.twbundle", tmp_path / "there")
    assert (brought.how, brought.match, brought.own_rulebook) == ("new", match_log().match, False)
    with Store.open(brought.path) as store:
        table = RunningTable(store, rulebooks=load)
        assert table.shown()[1]["reckoning"] is not None
        assert set(table.shown()[1]["names"].values()) == {"王芳", "李伟", "张敏", "刘洋"}
        table.next_deal(1, "local")
        assert table.shown()[1]["deal"] == 2
    longer = read_log(brought.path)
    verify_chain(longer.entries)
    assert longer.entries[: len(match_log().entries)] == match_log().entries


def test_import_takes_up_what_went_on_elsewhere_and_nothing_twice(tmp_path: Path) -> None:
    write(tmp_path / "short.twbundle")
    first = bundle.bring(tmp_path / "short.twbundle", tmp_path / "there")
    assert bundle.bring(tmp_path / "short.twbundle", tmp_path / "there").how == "same"
    file = match_file(tmp_path / "here.db")
    with Store.open(file) as store:
        RunningTable(store, rulebooks=load).next_deal(1, "local")
    write(tmp_path / "long.twbundle", read_log(file))
    assert bundle.bring(tmp_path / "long.twbundle", tmp_path / "there").how == "longer"
    assert read_log(first.path).head == read_log(file).head
    with pytest.raises(ConflictError, match="more than"):
        bundle.bring(tmp_path / "short.twbundle", tmp_path / "there")


def test_import_of_a_match_that_went_on_differently_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "m.twbundle")
    here = bundle.bring(tmp_path / "m.twbundle", tmp_path / "there").path
    files = []
    for name in ("one", "two"):
        file = match_file(tmp_path / f"{name}.db")
        with Store.open(file) as store:
            table = RunningTable(store, rulebooks=load)
            table.record(DealStarted(deal=2, levels={"EW": "2", "NS": "2"}, t=999.0 if name == "one" else 888.0, source=Source.REFEREE), name)
        write(tmp_path / f"{name}.twbundle", read_log(file))
        files.append(tmp_path / f"{name}.twbundle")
    bundle.bring(files[0], tmp_path / "there")
    before = read_log(here).entries
    with pytest.raises(ConflictError, match="differently"):
        bundle.bring(files[1], tmp_path / "there")
    assert read_log(here).entries == before


def test_record_alone_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("".join(record.lines(match_log())), "utf-8")
    brought = bundle.bring(tmp_path / "m.jsonl", tmp_path / "there")
    assert read_log(brought.path).head == match_log().head


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match that was played by a rulebook file, which inherits from another file beside it; both are gone by now."""
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    Path("俱乐部.toml").write_text(f'version = 1\nname = "club"\ninherits = "{RULES}"\n', "utf-8")
    Path("ours.toml").write_text('version = 1\nname = "ours"\ninherits = "俱乐部"\n[throws]\nfine = 20\n', "utf-8")
    log = tmp_path / "home" / "table.db"
    with Store.open(log) as store:
        table = RunningTable(store, rulebooks=rulebooks_of(log))
        table.begin("ours.toml", {"E": "王芳"}, {"EW": "2", "NS": "2"})
        assert table.rules.throws.fine == 20
        for fact in until_trick(2):
            table.record(fact)
    for file in ("俱乐部.toml", "ours.toml"):
        Path(file).unlink()
    return log


def test_match_goes_on_by_the_rulebook_that_it_was_begun_by(club: Path) -> None:
    with Store.open(club) as store:
        table = RunningTable(store, rulebooks=rulebooks_of(club))
        assert table.rules.throws.fine == 20
        assert table.shown()[1]["trick"]["number"] == 3


def test_rulebook_goes_with_a_log_that_is_put_aside_and_not_to_the_next_match(club: Path) -> None:
    aside = set_aside(club)
    assert aside is not None
    assert rulebook_of(aside, "ours.toml").throws.fine == 20
    with Store.open(club) as store:
        table = RunningTable(store, rulebooks=rulebooks_of(club))
        table.begin(RULES, {}, {"EW": "2", "NS": "2"})
        assert table.rules.name == RULES


def test_rulebook_of_another_match_that_lies_there_is_not_taken(club: Path) -> None:
    club.unlink()
    with Store.open(club) as store:
        table = RunningTable(store, rulebooks=rulebooks_of(club))
        table.begin(RULES, {}, {"EW": "2", "NS": "2"})
        assert table.rules.throws.fine != 20


def test_another_machine_goes_on_by_the_rulebook_that_came_along(club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = read_log(club)
    state = referee.fold(log.events, rulebook_of(club, log.rulebook))
    bundle.write(tmp_path / "m.twbundle", log, state, rulebook=files_of(club, log.rulebook))
    shutil.rmtree(tmp_path / "home")
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    brought = bundle.bring(tmp_path / "m.twbundle", tmp_path / "there")
    assert brought.own_rulebook
    with Library.open(tmp_path / "there") as library:
        assert library.refresh() == []
        assert library.archive.match(log.match).deals == 1
    with Store.open(brought.path) as store:
        table = RunningTable(store, rulebooks=rulebooks_of(brought.path))
        assert table.rules.throws.fine == 20
        for fact in facts()[len(until_trick(2)) :]:
            table.record(fact)
        assert table.shown()[1]["reckoning"] is not None


def test_rulebook_that_cannot_be_used_here_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    found = match_log()
    broken = {"ours.toml": b'version = 1\nname = "ours"\ninherits = "elsewhere"\n'}
    bundle.write(tmp_path / "m.twbundle", found, referee.fold(found.events), rulebook=broken)
    with pytest.raises(KioskError, match="the bundle's rulebook cannot be used"):
        bundle.bring(tmp_path / "m.twbundle", tmp_path / "there")
    assert not (tmp_path / "there" / "matches").exists()


@pytest.mark.parametrize("names", [{"rulebook/own-ours.toml": name} for name in ("..", "", "../up.toml", "a\0b", "x" * 300)] + [["ours.toml"]])
def test_rulebook_whose_file_name_leads_elsewhere_is_refused(tmp_path: Path, names: object) -> None:
    found = match_log()
    ours = {"ours.toml": b'version = 1\nname = "ours"\ninherits = "official-2deck-shengji"\n'}
    bundle.write(tmp_path / "good", found, referee.fold(found.events), rulebook=ours)
    good = sealed.verify(tmp_path / "good")
    about = {key: value for key, value in good.manifest.items() if key != "files"} | {"rulebook_files": names}
    sealed.write(tmp_path / "evil.twbundle", about, {name: good.read(name) for name in good.names})
    with pytest.raises(KioskError, match="file names"):
        bundle.bring(tmp_path / "evil.twbundle", tmp_path / "there")
    assert not (tmp_path / "there" / "matches").exists()


def test_evidence_holds_the_clips_and_pictures_of_what_is_asked_and_no_others(tmp_path: Path) -> None:
    question = Question(1, (1, 3))
    weights = tmp_path / "reader.onnx"
    weights.write_bytes(b"weights")
    write(tmp_path / "e.zip", question=question, media=pictures(tmp_path / "media"), machine=Machine({"reader.onnx": weights}, {"table.json": b"{}"}))
    manifest = bundle.verify(tmp_path / "e.zip").file.manifest
    assert {item["trick"] for item in manifest["media"]} == {1, 3}
    assert sorted(name for name in manifest["files"] if name.startswith("media/")) == sorted(item["file"] for item in manifest["media"])
    assert manifest["models"]["reader.onnx"] == hashlib.sha256(b"weights").hexdigest()
    assert "configuration/table.json" in manifest["files"]
    assert (manifest["kind"], manifest["question"]["tricks"]) == ("evidence", [1, 3])


def test_evidence_for_a_ruling_is_its_trick_and_the_one_that_proves_it() -> None:
    state = referee.fold(match_log().events)
    ruling = referee.rulings(state)[0]
    asked = bundle.ask(state, ruling.ruling)
    assert asked == Question(1, tuple(sorted({ruling.trick, ruling.proved_by})), ruling.ruling)
    with pytest.raises(NotFoundError):
        bundle.ask(state, "1.9.X.none")


@pytest.mark.parametrize("question", [Question(7), Question(1, (99,))])
def test_evidence_for_what_was_not_played_is_refused(tmp_path: Path, question: Question) -> None:
    with pytest.raises(NotFoundError):
        write(tmp_path / "e.zip", question=question)


def test_changed_clip_is_named(tmp_path: Path) -> None:
    write(tmp_path / "e.zip", question=Question(1), media=pictures(tmp_path / "media"))
    whole = bytearray((tmp_path / "e.zip").read_bytes())
    whole[whole.index(b"clip 2clip 2") + 3] ^= 4
    (tmp_path / "e.zip").write_bytes(whole)
    with pytest.raises(SealError, match=r"d01-t02\.mp4 was changed"):
        bundle.verify(tmp_path / "e.zip")


def test_what_is_no_bundle_is_said_so(tmp_path: Path) -> None:
    from kiosk.export import sealed

    sealed.write(tmp_path / "x", {"form": "something else", "v": 1}, {"a.txt": b"a"})
    with pytest.raises(KioskError, match="no bundle that this program knows"):
        bundle.bring(tmp_path / "x", tmp_path)
    (tmp_path / "y.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(KioskError, match="cannot be read"):
        bundle.bring(tmp_path / "y.jsonl", tmp_path)
