"""What people write beside a match: comments, and which items of the inbox were reviewed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kiosk.errors import NotFoundError
from kiosk.review.archive import Archive


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def mark(archive: Archive, match: str, item: str, by: str, *, reviewed: bool) -> None:
    """Say that an item was reviewed, or take that back."""
    if reviewed:
        archive.tell("INSERT OR REPLACE INTO reviewed VALUES (?, ?, ?, ?)", (match, item, by, _now()))
    else:
        archive.tell("DELETE FROM reviewed WHERE match = ? AND item = ?", (match, item))


def reviewed(archive: Archive, match: str) -> dict[str, dict[str, str]]:
    """The reviewed items of a match, with who and when."""
    return {row["item"]: {"by": row["by"], "at": row["at"]} for row in archive.ask("SELECT * FROM reviewed WHERE match = ?", (match,))}


def comment(archive: Archive, match: str, place: int, text: str, by: str, *, trick: int | None = None, seat: str | None = None) -> None:
    """Write a comment on a deal (its place in the match from 0), or on a trick or a play of it."""
    archive.tell(
        "INSERT INTO comment (match, deal, trick, seat, by, at, text) VALUES (?, ?, ?, ?, ?, ?, ?)", (match, place, trick, seat, by, _now(), text)
    )


def comments(archive: Archive, match: str) -> list[dict[str, Any]]:
    """The comments on a match, the oldest first."""
    found = archive.ask("SELECT id, deal AS place, trick, seat, by, at, text FROM comment WHERE match = ? ORDER BY id", (match,))
    return [dict(row) for row in found]


def remove(archive: Archive, match: str, number: int) -> None:
    """Delete a comment.

    :raises NotFoundError: when there is none.
    """
    if not archive.tell("DELETE FROM comment WHERE match = ? AND id = ?", (match, number)):
        raise NotFoundError("没有这条评论", "there is no such comment")
