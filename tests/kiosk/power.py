"""A disk that can lose its power: every write and sync that SQLite makes is noted, and what a power cut may leave is made from that.

Under a power cut a file holds everything up to its last sync; of what was written since, any sectors may have reached the disk and
any may not.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECTOR = 512
_NAME = b"power-cut"
_P = ctypes.c_void_p
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int)
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_char_p, ctypes.c_int)
_OPEN = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _P, ctypes.c_int, ctypes.POINTER(ctypes.c_int))


class _Methods(ctypes.Structure):
    """``sqlite3_io_methods``, version 3."""

    _fields_ = (("iVersion", ctypes.c_int), ("xClose", _P), ("xRead", _P), ("xWrite", _P), ("xTruncate", _P), ("xSync", _P),
                *((name, _P) for name in ("xFileSize", "xLock", "xUnlock", "xCheckReservedLock", "xFileControl", "xSectorSize", "xDevice", "xShmMap",
                                          "xShmLock", "xShmBarrier", "xShmUnmap", "xFetch", "xUnfetch")))  # fmt: skip


class _File(ctypes.Structure):
    _fields_ = (("pMethods", ctypes.POINTER(_Methods)),)


class _Vfs(ctypes.Structure):
    """``sqlite3_vfs``, version 3."""

    _fields_ = (("iVersion", ctypes.c_int), ("szOsFile", ctypes.c_int), ("mxPathname", ctypes.c_int), ("pNext", _P), ("zName", ctypes.c_char_p),
                ("pAppData", _P), ("xOpen", _P),
                *((name, _P) for name in ("xDelete", "xAccess", "xFullPathname", "xDlOpen", "xDlError", "xDlSym", "xDlClose", "xRandomness", "xSleep",
                                          "xCurrentTime", "xGetLastError", "xCurrentTimeInt64", "xSetSystemCall", "xGetSystemCall",
                                          "xNextSystemCall")))  # fmt: skip


@dataclass
class Disk:
    """What was done to the files, in order: ``("write", file, offset, data)``, ``("truncate", file, size)``, ``("sync", file)``,
    ``("delete", file)``, and marks."""

    done: list[tuple[Any, ...]] = field(default_factory=list)

    def mark(self, what: object) -> None:
        """Note that something happened in the world, for example that a screen showed an entry."""
        self.done.append(("mark", what))

    def after_a_cut(self, at: int, chance: random.Random) -> dict[str, bytes]:
        """The files as a cut before the step ``at`` may leave them."""
        files: dict[str, bytearray] = {}
        pending: dict[str, list[tuple[Any, ...]]] = {}
        for step in self.done[:at]:
            if step[0] == "delete":
                files.pop(step[1], None)
                pending.pop(step[1], None)
            elif step[0] == "sync":
                for late in pending.pop(step[1], []):
                    _apply(files, late)
            elif step[0] != "mark":
                pending.setdefault(step[1], []).append(step)
        for steps in pending.values():
            for late in steps:
                for piece in _sectors(late):
                    if chance.random() < 0.5:
                        _apply(files, piece)
        return {name: bytes(data) for name, data in files.items()}


def _apply(files: dict[str, bytearray], step: tuple[Any, ...]) -> None:
    data = files.setdefault(step[1], bytearray())
    if step[0] == "truncate":
        del data[step[2] :]
        return
    offset, new = step[2], step[3]
    if len(data) < offset:
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(new)] = new


def _sectors(step: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """A write in pieces that reach the disk whole or not at all."""
    if step[0] != "write":
        yield step
        return
    _, name, offset, data = step
    start = 0
    while start < len(data):
        size = min(len(data) - start, SECTOR - (offset + start) % SECTOR)
        yield "write", name, offset + start, data[start : start + size]
        start += size


@contextmanager
def noted_disk() -> Iterator[Disk]:
    """Make SQLite's files go through a :class:`Disk`; connections must be opened and closed inside.

    :raises RuntimeError: when Python's sqlite3 does not use the machine's libsqlite3.
    """
    library = ctypes.CDLL(ctypes.util.find_library("sqlite3") or "libsqlite3.so.0")
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    disk = Disk()
    names: dict[int, str] = {}
    plain = library.sqlite3_vfs_find(None)
    own = _Vfs.from_buffer_copy(plain.contents)
    own.zName = _NAME
    plain_open = _OPEN(plain.contents.xOpen)
    tables: dict[int, _Methods] = {}
    keep: list[Any] = []

    def table_for(methods: Any) -> _Methods:
        address = ctypes.addressof(methods.contents)
        if address not in tables:
            plain_write, plain_truncate, plain_sync = (
                _WRITE(methods.contents.xWrite), _TRUNCATE(methods.contents.xTruncate), _SYNC(methods.contents.xSync),
            )  # fmt: skip

            def write(file: int, data: int, size: int, offset: int) -> int:
                disk.done.append(("write", names[file], offset, ctypes.string_at(data, size)))
                return plain_write(file, data, size, offset)

            def truncate(file: int, size: int) -> int:
                disk.done.append(("truncate", names[file], size))
                return plain_truncate(file, size)

            def sync(file: int, flags: int) -> int:
                code = plain_sync(file, flags)
                disk.done.append(("sync", names[file]))
                return code

            table = _Methods.from_buffer_copy(methods.contents)
            callbacks = (_WRITE(write), _TRUNCATE(truncate), _SYNC(sync))
            keep.extend((*callbacks, plain_write, plain_truncate, plain_sync))
            table.xWrite, table.xTruncate, table.xSync = (ctypes.cast(callback, _P).value for callback in callbacks)
            table.xFetch = table.xUnfetch = None
            table.iVersion = 2
            tables[address] = table
        return tables[address]

    def opened(vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        # SQLite keeps the very pointer of the name, so it is passed on as it came.
        code = plain_open(vfs, name, file, flags, out)
        handle = _File.from_address(file)
        if code == 0 and handle.pMethods and name is not None:
            names[file] = Path(ctypes.string_at(name).decode()).name
            handle.pMethods = ctypes.pointer(table_for(handle.pMethods))
        return code

    plain_delete = _DELETE(plain.contents.xDelete)

    def deleted(vfs: int, name: bytes, sync_folder: int) -> int:
        code = plain_delete(vfs, name, sync_folder)
        if code == 0:
            disk.done.append(("delete", Path(name.decode()).name))
        return code

    opener, deleter = _OPEN(opened), _DELETE(deleted)
    own.xDelete = ctypes.cast(deleter, _P).value
    own.xOpen = ctypes.cast(opener, _P).value
    if library.sqlite3_vfs_register(ctypes.byref(own), 1) != 0:
        raise RuntimeError("the noted disk could not be registered")
    try:
        yield disk
    finally:
        library.sqlite3_vfs_register(plain, 1)
        library.sqlite3_vfs_unregister(ctypes.byref(own))
    if not disk.done:
        raise RuntimeError("Python's sqlite3 does not use the machine's libsqlite3; no write was noted")
