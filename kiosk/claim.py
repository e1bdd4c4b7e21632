"""A table's log belongs to one running program: the second is told so at its start, not when its first entry is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiosk.errors import StoreError


@contextmanager
def claim(log: Path) -> Iterator[None]:
    """Hold a log for this process; the system lets go of it however the process ends.

    Where nothing can be written it is left to the log itself to say so.

    :raises StoreError: when another program runs with it.
    """
    try:
        import fcntl
    except ImportError:  # Windows: there the log's own check of its writer remains
        yield
        return
    place = log.with_name(log.name + ".running")
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(place, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            other = os.read(file, 20).decode("ascii", "replace").strip() or "?"
            raise StoreError(
                f"{log} 已由另一个 trickwatch 使用（进程 {other}）；请先结束它，或用 --db 指定另一个文件",
                f"another trickwatch is running with {log} (process {other}); end it first, or name another file with --db",
            ) from None
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        yield
        os.ftruncate(file, 0)
    finally:
        os.close(file)
