"""Names of persons leave the chained rows: rows carry tokens, names lie in a table of their own.

A row that carried a name gets another text, so it and all rows behind it are chained anew. What the chain ended with before is
kept as the setting ``resealed``, so that a copy of the old file can still be recognised.
"""

from __future__ import annotations

import json
from typing import Any, Final

from alembic import op

from kiosk.chain import ROOT, chain
from kiosk.names import Names, pack
from kiosk.upcast import lift

revision: Final = "2"
down_revision: Final = "1"

_REFUSE_UPDATE: Final = "CREATE TRIGGER log_is_append_only_u BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"


def upgrade() -> None:
    """Move the names out and chain anew from the first row that held one."""
    run = op.get_bind().exec_driver_sql
    run("CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID")
    run("DROP TRIGGER log_is_append_only_u")
    names = Names()
    last, before, changed = ROOT, ROOT, False
    for seq, at, author, text, found in run("SELECT seq, at, author, body, hash FROM log ORDER BY seq").fetchall():
        before = found
        body: dict[str, Any] = json.loads(text)
        lifted = lift(body, 1, names)
        changed = changed or lifted != body
        if lifted != body:
            text = pack(lifted)  # noqa: PLW2901
        last = chain(last, seq, at, author, text)
        if changed:
            run("UPDATE log SET body = ?, hash = ? WHERE seq = ?", (text, last, seq))
    for token, name in names.new.items():
        run("INSERT INTO names VALUES (?, ?)", (token, name))
    if changed:
        run(
            "INSERT INTO meta VALUES ('resealed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (json.dumps({"was": before, "now": last}),),
        )
    run(_REFUSE_UPDATE)
    run("PRAGMA user_version = 2")
