"""Where a table's files live when nobody says otherwise."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_dir() -> Path:
    """The user's data directory of this program; it is not created."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "trickwatch"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "trickwatch"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "trickwatch"


def default_database() -> Path:
    """The log of the one table of this machine."""
    return data_dir() / "table.db"
