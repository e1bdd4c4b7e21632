"""What a check is."""

from __future__ import annotations

from collections.abc import Callable

from engine.rulebook import Rulebook

Check = Callable[[Rulebook], None]
Clauses = dict[str, list[Check]]
