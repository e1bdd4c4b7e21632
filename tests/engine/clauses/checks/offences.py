"""Clauses on offences and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.kit import Breach
from engine.penalty import propose
from engine.rulebook import Rulebook
from engine.rulebook_terms import Offender
from tests.engine.clauses.checks.base import Check


def penalty(
    kind: str,
    *costs: tuple[str, int],
    also: Sequence[tuple[str, int]] = (),
    remedy: str = "",
    in_time: bool = True,
    later: int = 0,
    count: int = 1,
    offender: str = "any",
    **breach: Any,
) -> Check:
    """What is proposed for an offence in trick 3 that is found so many tricks later: alternatives, what comes on top, the remedy."""

    def check(rules: Rulebook) -> None:
        found = propose(rules, Breach(kind, "", "", **breach), trick=3, found_in=3 + later, count=count, offender=Offender.of(offender))
        assert [(cost.effect.value, cost.amount) for cost in found.costs] == list(costs)
        assert [(cost.effect.value, cost.amount) for cost in found.also] == list(also)
        assert found.in_time is in_time
        if remedy:
            assert found.remedy.value == remedy
        assert found.clause

    return check
