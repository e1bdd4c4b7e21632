"""The API's description as it is checked in: ``python -m kiosk.openapi`` writes ``docs/openapi.json`` anew."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

from kiosk.access import Access, Mode
from kiosk.service import RunningTable
from kiosk.store import Store
from kiosk.web import Kiosk, create_app

TARGET: Final = Path(__file__).parents[1] / "docs" / "openapi.json"


def describe() -> dict[str, Any]:
    """The OpenAPI document of a table's API."""
    from engine.rulebook_toml import load

    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "table.db") as store:
        table = RunningTable(store, rulebooks=load)
        document: dict[str, Any] = create_app(Kiosk(table, Access(store, Mode.HOME))).openapi()
    return document


def text(document: dict[str, Any]) -> str:
    """The document as it lies in the file."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(describe()), "utf-8")
    print(TARGET)
