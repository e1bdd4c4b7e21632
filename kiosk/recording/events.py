"""What the log's rows ask of the recorder: a picture of a play, a clip of a trick, evidence that must stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

LEAD_S: Final = 4.0
"""A clip begins this long before its first play is told (the hand that laid it came before), but not before the last trick's end."""
AFTER_S: Final = 1.0
BESIDE_MM: Final = 40.0
"""A card that the camera found later lies at most so far beside those that it saw first."""


@dataclass(frozen=True, slots=True)
class Still:
    """Keep a picture: of a seat's play to a trick, or of the bottom (trick 0); read from pictures between ``t0`` and ``t1``."""

    deal: int
    trick: int
    seat: str
    seq: int
    t0: float
    t1: float
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clip:
    """Keep a film of a trick."""

    deal: int
    trick: int
    seq: int
    t0: float
    t1: float


@dataclass(frozen=True, slots=True)
class Guard:
    """These tricks are evidence."""

    deal: int
    tricks: tuple[int, ...]


Wish = Still | Clip | Guard


class Wishes:
    """Follows the rows of a log and says what is to be kept."""

    def __init__(self, deal: int = 1, shift: float = 0.0) -> None:
        self.deal = deal
        self.shift = shift
        self._first: dict[int, float] = {}
        self._closed = float("-inf")
        self._corners: dict[tuple[int, str], list[Any]] = {}

    def take(self, seq: int, body: Mapping[str, Any]) -> Iterator[Wish]:
        """What a row asks for. ``shift`` turns the source's own times (in the evidence) into the table's."""
        t = float(body.get("t", 0.0))
        trick = int(body.get("trick") or 0)
        match body.get("event"):
            case "DealStarted":
                self.deal = int(body.get("deal") or self.deal)
                self._first.clear()
                self._corners.clear()
            case "CardsPlayed":
                self._first.setdefault(trick, t)
                if body.get("source") == "camera":
                    seat = str(body.get("seat") or "")
                    self._corners[trick, seat] = list((body.get("evidence") or {}).get("corners_mm") or ())
                    yield self._still(seq, trick, seat, t, body)
            case "BottomShown":
                yield self._still(seq, 0, "", t, body)
            case "TrickClosed":
                begin = max(self._first.get(trick, t) - LEAD_S, self._closed)
                self._closed = t
                yield Clip(self.deal, trick, seq, begin, t + AFTER_S)
            case "Ruled":
                tricks = {trick, int(body.get("proved_by") or trick)}
                yield Guard(int(body.get("deal") or self.deal), tuple(sorted(tricks - {0})))
            case "Corrected":
                yield Guard(int(body.get("deal") or self.deal), (trick,))
                if body.get("source") == "inferred" and body.get("cards"):  # the camera has seen more: a picture that shows it
                    yield self._again(seq, trick, str(body.get("seat") or ""), t, body)
            case _:
                return

    def _again(self, seq: int, trick: int, seat: str, t: float, body: Mapping[str, Any]) -> Still:
        """The picture of a play that the camera itself has put right."""
        evidence = dict(body.get("evidence") or {})
        if not evidence.get("corners_mm"):
            around = ((-BESIDE_MM, -BESIDE_MM), (BESIDE_MM, BESIDE_MM))
            evidence["corners_mm"] = [[[x + dx, y + dy] for x, y in quad] for quad in self._corners.get((trick, seat), ()) for dx, dy in around]
        return self._still(seq, trick, seat, t, {"evidence": evidence})

    def _still(self, seq: int, trick: int, seat: str, t: float, body: Mapping[str, Any]) -> Still:
        evidence = body.get("evidence") or {}
        t0 = t1 = t
        frames = evidence.get("frames")
        if isinstance(frames, Sequence) and frames:
            try:
                t0, t1 = float(frames[0]) + self.shift, float(frames[-1]) + self.shift
            except (TypeError, ValueError):
                t0 = t1 = t
        return Still(self.deal, trick, seat, seq, t0, t1, evidence)
