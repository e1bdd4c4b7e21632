"""The log: append-only rows in a chain, and settings beside them."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "1"
down_revision: Final = None

_STATEMENTS: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE log (
        seq INTEGER PRIMARY KEY CHECK (seq > 0), at TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
    )""",
    "CREATE TRIGGER log_is_append_only_u BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER log_is_append_only_d BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "PRAGMA user_version = 1",
)


def upgrade() -> None:
    """Make the tables of a new log."""
    for statement in _STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
