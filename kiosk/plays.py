"""Looking into the shown state: its plays, how sure each card is, and what a page needs of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.cards import UNKNOWN
from engine.deal_state import UNSURE

SURE: Final = 0.90
"""From this calibrated probability on a card is shown as sure; below it as one to check."""
MARGIN: Final = 0.30
"""... and it must lead the second reading by this much."""


def tricks(shown: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The closed tricks of the deal and the one being played, in order, each once."""
    numbers = set()
    for trick in (*(shown.get("tricks") or ()), shown.get("last_trick"), shown.get("trick")):
        if trick and trick["number"] not in numbers:
            numbers.add(trick["number"])
            yield trick


def find_play(shown: Mapping[str, Any], trick: int, seat: str) -> Mapping[str, Any] | None:
    """The play of a seat in a trick, or None."""
    for candidate in tricks(shown):
        if candidate["number"] == trick:
            return next((play for play in candidate["plays"] if play["seat"] == seat), None)
    return None


def count_seen(shown: Mapping[str, Any]) -> Mapping[str, int]:
    """How often each face lies in the plays of this deal and in the shown bottom."""
    seen = Counter(card for trick in tricks(shown) for play in trick["plays"] for card in play["cards"])
    seen.update((shown.get("bottom") or {}).get("cards") or ())
    del seen[UNKNOWN]
    return seen


def readings(play: Mapping[str, Any], index: int) -> Sequence[tuple[str, float]]:
    """The N-best readings of one card of a play, best first; empty where the evidence has none."""
    try:
        found = (play.get("evidence") or {}).get("n_best") or ()
        return [(str(card), float(p)) for card, p in found[index]]
    except (IndexError, KeyError, TypeError, ValueError):
        return ()


def certainty(play: Mapping[str, Any], index: int) -> str:
    """``sure``, ``check`` or ``unknown`` for one card of a play; classes, since 0.83 against 0.85 means nothing."""
    card = play["cards"][index]
    if card == UNKNOWN:
        return "unknown"
    if (play.get("evidence") or {}).get("corrected"):
        return "sure"
    if index in ((play.get("evidence") or {}).get(UNSURE) or ()):
        return "check"
    found = readings(play, index)
    if not found:
        return "sure"
    best = dict(found).get(card, 0.0)
    rest = max((p for other, p in found if other != card), default=0.0)
    return "sure" if best >= SURE and best - rest >= MARGIN else "check"


def public(shown: Mapping[str, Any], times: Mapping[str, tuple[str | None, str | None]] | None = None) -> dict[str, Any]:
    """What pages get: the shown state with a ``sure`` class for each card, and without the evidence, which is asked for when needed.

    :param times: when each ruling was found and decided.
    """

    def slim(trick: Mapping[str, Any] | None) -> dict[str, Any] | None:
        if not trick:
            return None
        plays = []
        for play in trick["plays"]:
            out = {key: value for key, value in play.items() if key != "evidence"}
            out["sure"] = [certainty(play, i) for i in range(len(play["cards"]))]
            plays.append(out)
        return {**trick, "plays": plays}

    known = times or {}
    rulings = [dict(zip(("found_at", "decided_at"), known.get(r["ruling"], (None, None)), strict=True)) | dict(r) for r in shown.get("rulings") or ()]
    return {
        **shown,
        "rulings": rulings,
        "trick": slim(shown.get("trick")),
        "last_trick": slim(shown.get("last_trick")),
        "tricks": [slim(trick) for trick in shown.get("tricks") or ()],
    }
