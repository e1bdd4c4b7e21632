"""A sealed file: a zip of stored members in one fixed form, with a manifest of their SHA-256 and the manifest's own in the zip's comment.

The form is fixed to the byte (no compression, no times, one order), so that a byte changed anywhere is found: in a member by its hash, elsewhere
by building the file again from its members. Reading is bounded: what is not stored, too large, or strangely named is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from kiosk.errors import ChangedError, KioskError

MANIFEST: Final = "manifest.json"
MOST_FILES: Final = 20_000
LARGEST_MANIFEST: Final = 16 * 1024 * 1024
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}){0,3}")
_SEAL: Final = "sha256:"
_CHUNK: Final = 1 << 20


class SealError(ChangedError):
    """A sealed file that is not what it was when it was made; ``where`` is the member, or empty for the file's own frame."""

    def __init__(self, where: str, zh: str, en: str) -> None:
        super().__init__(zh, en)
        self.where = where


def is_name(name: str) -> bool:
    """Whether a member may be called so: no absolute path, no way upwards, nothing hidden."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def write(target: Path, about: Mapping[str, Any], members: Mapping[str, bytes | Path]) -> str:
    """Write a sealed file; gives its seal (the SHA-256 of its manifest, hex).

    :param about: what the manifest says beside the files.
    :raises ValueError: when a member may not be called so.
    :raises KioskError: when it cannot be written.
    """
    for name in members:
        if not is_name(name) or name == MANIFEST:
            raise ValueError(f"{name!r} is no name for a member of a sealed file")
    files = {name: {"size": _size(content), "sha256": _hash(content)} for name, content in sorted(members.items())}
    manifest = json.dumps({**about, "files": files}, ensure_ascii=False, indent=1, sort_keys=True).encode()
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as out:
            _build(out, manifest, members)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise KioskError(f"无法写入 {target}：{error}", f"{target} cannot be written: {error}") from error
    return hashlib.sha256(manifest).hexdigest()


def _build(out: IO[bytes], manifest: bytes, members: Mapping[str, Any]) -> None:
    """The file in its one form."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=True) as made:
        made.comment = f"{_SEAL}{hashlib.sha256(manifest).hexdigest()}".encode()
        for name, content in ((MANIFEST, manifest), *sorted(members.items())):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            info.file_size = _size(content)
            with made.open(info, "w") as stream:
                if isinstance(content, bytes):
                    stream.write(content)
                else:
                    with content.open("rb") as source:
                        while chunk := source.read(_CHUNK):
                            stream.write(chunk)


def _size(content: Any) -> int:
    return len(content) if isinstance(content, bytes) else int(content.stat().st_size)


def _hash(content: Any) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256()
    with content.open("rb") as source:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


class Sealed:
    """A sealed file that was verified; its members can be read."""

    def __init__(self, path: Path, manifest: Mapping[str, Any], seal: str) -> None:
        self.path = path
        self.manifest = manifest
        self.seal = seal

    @property
    def names(self) -> tuple[str, ...]:
        """The members."""
        return tuple(self.manifest["files"])

    def read(self, name: str) -> bytes:
        """The bytes of a member, checked again against its hash.

        :raises SealError: when there is none, or it was changed since the file was verified.
        """
        known = self.manifest["files"].get(name)
        if known is None:
            raise SealError(name, f"文件里没有 {name}", f"there is no {name} in the file")
        with zipfile.ZipFile(self.path) as found:
            content = found.read(name)
        if hashlib.sha256(content).hexdigest() != known["sha256"]:
            raise _changed(name)
        return content


def _changed(name: str) -> SealError:
    return SealError(name, f"{name} 被改动过：与清单里的校验码不符", f"{name} was changed: it does not fit its check value in the manifest")


def _frame(why: str) -> SealError:
    return SealError("", f"文件的框架被改动过或不完整：{why}", f"the frame of the file was changed, or it is not whole: {why}")


def verify(path: Path) -> Sealed:
    """Check a sealed file from its first byte to its last.

    :raises SealError: naming the member that was changed, or saying that the frame was.
    :raises KioskError: when the file cannot be read.
    """
    try:
        size = path.stat().st_size
        with zipfile.ZipFile(path) as found:
            return _verified(path, size, found)
    except SealError:
        raise
    except OSError as error:
        raise KioskError(f"无法读取 {path}：{error}", f"{path} cannot be read: {error}") from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError, KeyError, TypeError, EOFError, RuntimeError, OverflowError, RecursionError) as error:
        raise _frame(str(error) or type(error).__name__) from error


def _verified(path: Path, size: int, found: zipfile.ZipFile) -> Sealed:
    infos = found.infolist()
    if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > size:
        raise _frame("more content than bytes")
    if any(info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size or info.flag_bits & 1 for info in infos):
        raise _frame("a member is compressed or encrypted")
    names = [info.filename for info in infos]
    if len(set(names)) != len(names) or not all(map(is_name, names)) or names[:1] != [MANIFEST]:
        raise _frame("the members' names are not those of a sealed file")
    if infos[0].file_size > LARGEST_MANIFEST:
        raise _frame("the manifest is too large")
    manifest = _member(found, infos[0])
    seal = hashlib.sha256(manifest).hexdigest()
    if found.comment != f"{_SEAL}{seal}".encode():
        raise SealError(MANIFEST, f"{MANIFEST} 或封条被改动过", f"{MANIFEST} or the seal was changed")
    about = json.loads(manifest)
    files = about["files"]
    if names[1:] != sorted(files):
        missing = sorted(set(files) ^ set(names[1:]))
        raise SealError(missing[0] if missing else "", f"清单与内容不符：{missing}", f"the manifest and the members differ: {missing}")
    with tempfile.SpooledTemporaryFile(max_size=64 * _CHUNK) as again:
        contents: dict[str, Any] = {}
        for info in infos[1:]:
            content = _member(found, info)
            if len(content) != files[info.filename]["size"] or hashlib.sha256(content).hexdigest() != files[info.filename]["sha256"]:
                raise _changed(info.filename)
            contents[info.filename] = _Lazy(found, info)
        _build(again, manifest, contents)
        _same(path, size, again, infos)
    return Sealed(path, about, seal)


def _member(found: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return found.read(info)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise SealError(info.filename, f"{info.filename} 被改动过：{error}", f"{info.filename} was changed: {error}") from error


class _Lazy:
    """A member as a thing that can be opened and measured, as a path can."""

    def __init__(self, found: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._found, self._info = found, info
        self.st_size = info.file_size

    def stat(self) -> _Lazy:
        return self

    def open(self, mode: str) -> Any:
        del mode
        return self._found.open(self._info)


def _same(path: Path, size: int, again: IO[bytes], infos: list[zipfile.ZipInfo]) -> None:
    """The file must be what is built of its members; names the member in whose frame it is not."""
    length = again.seek(0, 2)
    again.seek(0)
    place = 0
    with path.open("rb") as file:
        while True:
            one, other = file.read(_CHUNK), again.read(_CHUNK)
            if one != other:
                at = place + next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
                near = [info.filename for info in infos if info.header_offset <= at]
                raise _frame(f"byte {at} (near {near[-1] if near else MANIFEST}; {size} bytes, expected {length})")
            if not one:
                return
            place += len(one)
