"""Figures over matches, of those players only who agreed to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from kiosk.errors import NotFoundError
from kiosk.review.archive import Archive

_PAIRS: Final = (("E", "W"), ("S", "N"))


@dataclass
class Figures:
    """What is counted of a player or of a pair."""

    deals: int = 0
    won: int = 0
    declared: int = 0
    held: int = 0
    steps: int = 0
    tricks: int = 0
    points: int = 0
    throws: int = 0
    offences: int = 0
    matches: set[str] = field(default_factory=set)

    def to_json(self) -> dict[str, Any]:
        """The JSON form; rates are from 0 to 1, or null where nothing was counted."""
        return {
            "matches": len(self.matches), "deals": self.deals, "won": self.won, "declared": self.declared, "held": self.held, "steps": self.steps,
            "tricks": self.tricks, "points": self.points, "throws": self.throws, "offences": self.offences,
            "won_rate": round(self.won / self.deals, 3) if self.deals else None,
            "points_per_deal": round(self.points / self.deals, 1) if self.deals else None,
        }  # fmt: skip


def agree(archive: Archive, name: str, agreed: bool) -> None:
    """Remember that a player agrees to be counted, or no longer does; then what was counted is gone, since nothing of it is kept.

    :raises NotFoundError: when no match has a player of this name.
    """
    if not agreed:
        archive.tell("DELETE FROM consent WHERE name = ?", (name,))
        return
    if not archive.ask("SELECT 1 FROM seat WHERE name = ? LIMIT 1", (name,)):
        raise NotFoundError(f"没有名叫 {name} 的牌手", f"no match has a player called {name}")
    archive.tell("INSERT OR REPLACE INTO consent VALUES (?, ?)", (name, datetime.now(UTC).isoformat(timespec="seconds")))


def agreed(archive: Archive) -> list[str]:
    """The players who agreed to be counted."""
    return [row["name"] for row in archive.ask("SELECT name FROM consent ORDER BY name")]


def statistics(archive: Archive) -> dict[str, Any]:
    """Figures by player and by pair; only of players who agreed, and of pairs of whom both did."""
    allowed = set(agreed(archive))
    players: dict[str, Figures] = {}
    pairs: dict[tuple[str, str], Figures] = {}
    if allowed:
        seats: dict[str, dict[str, str]] = {}
        for row in archive.ask("SELECT match, seat, name FROM seat WHERE match IN (SELECT match FROM seat WHERE name IN (SELECT name FROM consent))"):
            if row["name"] in allowed:
                seats.setdefault(row["match"], {})[row["seat"]] = row["name"]
        for row in archive.ask(
            "SELECT match, figures FROM deal WHERE over AND match IN (SELECT match FROM seat WHERE name IN (SELECT name FROM consent))"
        ):
            _count(row["match"], json.loads(row["figures"]), seats.get(row["match"], {}), players, pairs)
    return {
        "players": [{"name": name, **found.to_json()} for name, found in sorted(players.items())],
        "pairs": [{"names": list(names), **found.to_json()} for names, found in sorted(pairs.items())],
        "agreed": sorted(allowed),
    }


def _count(
    match: str, figures: Mapping[str, Any], seats: Mapping[str, str], players: dict[str, Figures], pairs: dict[tuple[str, str], Figures]
) -> None:
    if not figures:
        return
    for seat, name in seats.items():
        _add(players.setdefault(name, Figures()), match, figures, (seat,))
    for one, other in _PAIRS:
        if one in seats and other in seats:
            names = (min(seats[one], seats[other]), max(seats[one], seats[other]))
            _add(pairs.setdefault(names, Figures()), match, figures, (one, other))


def _add(to: Figures, match: str, figures: Mapping[str, Any], seats: Iterable[str]) -> None:
    own = tuple(seats)
    declaring = _side(figures["declarer"]) == _side(own[0])
    won = declaring != bool(figures["attackers"])
    to.matches.add(match)
    to.deals += 1
    to.won += won
    if figures["declarer"] in own:
        to.declared += 1
        to.held += won
    to.steps += int(figures["steps"].get("declarers" if declaring else "attackers", 0))
    to.tricks += sum(figures["tricks"][seat] for seat in own)
    to.points += sum(figures["collected"][seat] for seat in own)
    to.throws += sum(figures["throws"][seat] for seat in own)
    to.offences += sum(figures["offences"][seat] for seat in own)


def _side(seat: str) -> str:
    return "EW" if seat in "EW" else "NS"
