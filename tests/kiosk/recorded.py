"""Recorded matches for tests: simulated deals as a table's log, made once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from cli.simulated_match import simulated, write
from engine.events import CameraBack, CameraLost, CardsPlayed, Corrected, Event, Source
from engine.rulebook_toml import load
from kiosk.review.logs import Log, read_log

RULES = "official-2deck-shengji"
BEGAN = datetime(2026, 3, 7, 12, 30, tzinfo=UTC)


@cache
def _made(deals: int, seed: int, lively: bool) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="trickwatch-test-"))
    return write(folder / "table.db", simulated(load(RULES), deals, seed, change=with_incidents if lively else list), BEGAN)


def match_file(target: Path, deals: int = 1, seed: int = 1, *, lively: bool = False) -> Path:
    """Put the log of a match at a place; ``lively``: a misread card put right, an unsure card, a gap in which the camera saw nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(_made(deals, seed, lively), target)
    return target


@cache
def match_log(deals: int = 1, seed: int = 1) -> Log:
    return read_log(_made(deals, seed, False))


def with_incidents(facts: Sequence[Event]) -> list[Event]:
    """Trick 2: the second play is misread and put right; trick 3: a card is unsure; trick 4: the camera is lost for twenty seconds."""
    out: list[Event] = []
    later = 0.0
    for fact in facts:
        event = replace(fact, t=fact.t + later)
        if isinstance(event, CardsPlayed) and event.trick == 2 and sum(isinstance(e, CardsPlayed) and e.trick == 2 for e in out) == 1:
            wrong = ("??", *event.cards[1:])
            out.append(replace(event, cards=wrong, evidence={"n_best": [[["??", 0.4]]] * len(wrong)}))
            put_right = Corrected(
                seat=event.seat, trick=2, cards=event.cards, by="local", t=event.t + 1, source=Source.REFEREE, evidence={"corrected": True}
            )
            out.append(put_right)
            continue
        if isinstance(event, CardsPlayed) and event.trick == 3 and out and not any(isinstance(e, CardsPlayed) and e.trick == 3 for e in out):
            event = replace(event, evidence={"n_best": [[[card, 0.55], ["S2", 0.4]] for card in event.cards]})
        if isinstance(event, CardsPlayed) and event.trick == 4 and not any(isinstance(e, CameraLost) for e in out):
            out += [CameraLost(reason="test", t=event.t - 1), CameraBack(gap=20.0, t=event.t + 19)]
            later += 20.0
            event = replace(event, t=event.t + 20)
        out.append(event)
    return out


__all__ = ["BEGAN", "RULES", "match_file", "match_log", "with_incidents"]
