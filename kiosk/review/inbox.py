"""What a reviewer should look at in a deal: alerts, readings that were unsure, and things to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum, unique
from typing import Any, Final

from engine.deal import Deal
from engine.events import CameraLost, Corrected, Event, ScoreSet, Source, Undone
from kiosk.plays import certainty, tricks
from kiosk.review.logs import Entry


@unique
class Tier(StrEnum):
    """How much it matters."""

    ALERT = "alert"
    UNSURE = "unsure"
    INFO = "info"


_INFO: Final = {Corrected: "corrected", Undone: "undone", ScoreSet: "score", CameraLost: "lost"}


def inbox(deal: Deal, rulings: Sequence[Mapping[str, Any]], own: Sequence[tuple[Entry, Event]], shown: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The items of a deal, each with a name that stays the same, the trick it belongs to and what it is about."""
    out: list[dict[str, Any]] = [
        {"item": f"ruling.{r['ruling']}", "tier": Tier.ALERT.value, "what": r["kind"], "trick": r["trick"], "seat": r["seat"], "state": r["state"],
         "proved_by": r["proved_by"]}
        for r in rulings
    ]  # fmt: skip
    for trick in tricks(shown):
        for play in trick["plays"]:
            doubt = [certainty(play, i) for i in range(len(play["cards"]))]
            if set(doubt) - {"sure"}:
                cards = [card for card, sure in zip(play["cards"], doubt, strict=True) if sure != "sure"]
                what = "unknown" if "unknown" in doubt else "check"
                out.append(
                    {"item": f"play.{deal.number}.{trick['number']}.{play['seat']}", "tier": Tier.UNSURE.value, "what": what,
                     "trick": trick["number"], "seat": play["seat"], "cards": cards}
                )  # fmt: skip
    for extra in shown["conservation"]:
        seat, trick_of = extra["where"][-1]
        out.append(
            {"item": f"pack.{deal.number}.{extra['card']}", "tier": Tier.UNSURE.value, "what": "pack", "trick": trick_of, "seat": seat,
             "cards": [extra["card"]]}
        )  # fmt: skip
    now = 0
    for entry, event in own:
        now = getattr(event, "trick", now) or now
        what_of = _INFO.get(type(event))
        if isinstance(event, Corrected) and event.source is Source.INFERRED:
            what_of = "reread"
        if what_of is not None:
            seat_of = getattr(event, "seat", None)
            out.append(
                {"item": f"log.{entry.seq}", "tier": Tier.INFO.value, "what": what_of, "trick": now, "seat": str(seat_of) if seat_of else None,
                 "seq": entry.seq, "by": entry.author}
            )  # fmt: skip
    return out
