"""A recorded deal as a film folder (``film.mp4``, ``table.json``, ``truth.jsonl``), as ``watch`` and ``evaluate films`` take it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.events import Event, MatchStarted, to_json
from kiosk.errors import NotFoundError
from kiosk.recording.library import Library
from kiosk.recording.probe import Cut, copy
from kiosk.recording.truth import Recorded

BEFORE_S: Final = 1.0
AFTER_S: Final = 3.0


def write_film(library: Library, deal: Recorded, out: Path) -> Path:
    """Write a deal's film folder. The video is copied, not coded anew.

    :raises NotFoundError: when no video of the deal is left.
    :raises OSError: when it cannot be written.
    """
    begin = deal.start.t - BEFORE_S
    end = deal.end + AFTER_S
    segments = [medium for medium in library.media("segment") if medium.t1 >= begin and medium.t0 <= end]
    session = library.session(segments[0].t1) if segments else None
    if not segments or session is None:
        number = deal.start.deal
        raise NotFoundError(f"第 {number} 局的录像已经没有了", f"no video of deal {number} is left (it was not recorded, or retention took it)")
    out.mkdir(parents=True, exist_ok=True)
    found = copy([Cut(library.folder / medium.name, medium.t0) for medium in segments], out / "film.mp4", begin, end)
    if found is None:
        raise NotFoundError("录像无法读取", f"the video in {library.folder} cannot be read")
    start = deal.start
    match = {
        "rulebook": deal.match.rulebook,
        "deal": start.deal,
        "levels": {str(team): str(level) for team, level in start.levels.items()},
        "declarer": start.declarer.value if start.declarer else None,
    }
    (out / "table.json").write_text(json.dumps({**session.calibration, "match": match}, ensure_ascii=False, indent=1), "utf-8")
    lines = (json.dumps(to_json(event), ensure_ascii=False) for event in shifted(deal.truth, -found[0]))
    (out / "truth.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return out


def shifted(events: Sequence[Event], by: float) -> list[Event]:
    """The events at other times, none before 0, and nobody's name in them."""
    out = []
    for event in events:
        moved = replace(event, t=max(0.0, round(event.t + by, 3)))
        out.append(replace(moved, names={}) if isinstance(moved, MatchStarted) else moved)
    return out
