"""How a log of an older form is brought to the present one: one step a file in ``versions``, run by alembic in one transaction."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

HEAD: Final = 2
"""The form that this program writes; ``PRAGMA user_version`` of a log says which it has."""

_ADOPT: Final = (
    "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))",
    "INSERT INTO alembic_version SELECT '1' WHERE NOT EXISTS (SELECT 1 FROM alembic_version)",
)
"""Logs of the first form were written before alembic kept count."""


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring a log to :data:`HEAD`: everything or nothing.

    :param connection: in autocommit mode (``isolation_level=None``), without an open transaction.
    :raises sqlite3.Error: when the file cannot be written; then it is as it was.
    """
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import StaticPool

    try:
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        with engine.connect() as borrowed:
            connection.execute("BEGIN IMMEDIATE")  # only now: to connect rolls back what is open
            if int(connection.execute("PRAGMA user_version").fetchone()[0]) == 1:
                for statement in _ADOPT:
                    connection.execute(statement)
            config.attributes["connection"] = borrowed
            command.upgrade(config, "head")
        if connection.in_transaction:
            connection.execute("COMMIT")
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):
            raise error.orig from error
        raise
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
