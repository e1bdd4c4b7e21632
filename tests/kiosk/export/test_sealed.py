"""Sealed files: a byte changed anywhere is found and said where; a file that was made to do harm is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import KioskError
from kiosk.export import sealed
from kiosk.export.sealed import SealError

MEMBERS = {"record.jsonl": b"one\ntwo\n" * 9, "media/d01-t07-E.jpg": bytes(range(256)), "match.txt": "牌".encode(), "empty.txt": b""}


def made(folder: Path) -> Path:
    target = folder / "match.twbundle"
    sealed.write(target, {"form": "test"}, MEMBERS)
    return target


def test_sealed_file_gives_back_what_was_put_in(tmp_path: Path) -> None:
    seal = sealed.write(tmp_path / "a", {"form": "test"}, MEMBERS)
    found = sealed.verify(tmp_path / "a")
    assert (found.seal, found.manifest["form"]) == (seal, "test")
    assert {name: found.read(name) for name in found.names} == MEMBERS


def test_same_content_makes_the_same_file(tmp_path: Path) -> None:
    content = tmp_path / "picture"
    content.write_bytes(MEMBERS["media/d01-t07-E.jpg"])
    sealed.write(tmp_path / "a", {"form": "test"}, MEMBERS)
    sealed.write(tmp_path / "b", {"form": "test"}, {**MEMBERS, "media/d01-t07-E.jpg": content})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_single_byte_that_is_changed_is_found(tmp_path: Path) -> None:
    target = made(tmp_path)
    whole = target.read_bytes()
    for place in range(len(whole)):
        target.write_bytes(bytes([*whole[:place], whole[place] ^ (1 << place % 8), *whole[place + 1 :]]))
        with pytest.raises(SealError) as caught:
            sealed.verify(target)
        for name, content in MEMBERS.items():
            start = whole.find(content) if len(content) > 8 else -1
            if 0 <= start <= place < start + len(content):
                assert caught.value.where == name, place
    target.write_bytes(whole)
    sealed.verify(target)


@settings(max_examples=60)
@given(cut=st.integers(0, 10_000), more=st.binary(min_size=1, max_size=40))
def test_cut_off_or_longer_file_is_found(tmp_path_factory: pytest.TempPathFactory, cut: int, more: bytes) -> None:
    target = made(tmp_path_factory.mktemp("sealed"))
    whole = target.read_bytes()
    for wrong in (whole[: cut % len(whole)], whole + more, more + whole):
        target.write_bytes(wrong)
        with pytest.raises(SealError):
            sealed.verify(target)


def test_member_that_was_exchanged_is_named(tmp_path: Path) -> None:
    target = made(tmp_path)
    other = tmp_path / "other"
    sealed.write(other, {"form": "test"}, {**MEMBERS, "match.txt": b"another text"})
    with zipfile.ZipFile(target) as found, zipfile.ZipFile(other) as false:
        parts = {info.filename: (false if info.filename == "match.txt" else found).read(info.filename) for info in found.infolist()}
        comment = found.comment
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as out:
        out.comment = comment
        for name, content in parts.items():
            out.writestr(name, content)
    with pytest.raises(SealError, match=r"match\.txt was changed"):
        sealed.verify(target)


@pytest.mark.parametrize("name", ["../up", "/etc/passwd", "a/../../b", "C:\\x", ".hidden", "a//b", "", "x" * 200, "manifest.json"])
def test_member_with_a_way_out_is_neither_written_nor_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        sealed.write(tmp_path / "a", {}, {name: b""})
    manifest = b'{"files": {}}'
    with zipfile.ZipFile(tmp_path / "b", "w") as out:
        out.writestr("manifest.json", manifest)
        if name:
            out.writestr(name, b"evil")
    with pytest.raises(SealError):
        sealed.verify(tmp_path / "b")


def test_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("manifest.json", b" " * 50_000_000)
    with pytest.raises(SealError, match="more content than bytes"):
        sealed.verify(tmp_path / "bomb")


def test_members_that_lie_over_each_other_are_refused(tmp_path: Path) -> None:
    """A bomb of stored members whose directory entries all point at the same bytes."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_STORED) as out:
        out.writestr("manifest.json", b"x" * 3000)
    raw = inner.getvalue()
    start = raw.index(b"PK\x01\x02")
    end = raw.index(b"PK\x05\x06")
    entry = raw[start:end]
    many = b"".join(entry.replace(b"manifest.json", b"manifest.%04d" % i) if i else entry for i in range(9))
    tail = bytearray(raw[end:])
    tail[8:10] = tail[10:12] = (9).to_bytes(2, "little")
    tail[12:16] = len(many).to_bytes(4, "little")
    (tmp_path / "bomb").write_bytes(raw[:start] + many + bytes(tail))
    with pytest.raises(SealError):
        sealed.verify(tmp_path / "bomb")


def test_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(KioskError, match="cannot be read"):
        sealed.verify(tmp_path / "none")


@given(st.binary(max_size=400))
def test_garbage_is_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    target = tmp_path_factory.mktemp("garbage") / "x"
    target.write_bytes(content)
    with pytest.raises(SealError):
        sealed.verify(target)
