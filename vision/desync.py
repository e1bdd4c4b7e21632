"""Desync: table and model do not fit, so nothing is told until they do; why, and what to do, in one line of Chinese and English."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Any, Final

from engine.cards import RANK_OF, SUIT_OF, Seat
from engine.events import Desynced, Event, Resynced, Source
from vision.expected import Expected
from vision.looks import Look
from vision.pile import Sorted

CLEARED_SECONDS: Final = 3.0
"""A trick is taken up when its plays have been gone so long."""
MANY: Final = 4
"""So many cards more than the lead's are no play but a hand laid down."""
HAND: Final = 6
"""A lead of so many cards of three suits is a hand laid down."""


SEAT_ZH: Final = {Seat.E: "东", Seat.N: "北", Seat.W: "西", Seat.S: "南"}


@unique
class Reason(StrEnum):
    """Why table and model do not fit."""

    MISSING = "missing"  # the trick was taken up before all its plays were seen
    HANDS = "hands"  # somebody lays down the rest of the hand
    FAULT = "fault"  # the reading itself has failed
    BEGUN = "begun"  # the pictures begin in the middle of a trick that the record knows
    UNREADABLE = "unreadable"  # most of the cards can not be read
    JOINED = "joined"  # the pictures begin in the middle of a deal that nobody has recorded
    UNSEEN = "unseen"  # pictures passed unseen, and what lies there does not follow from the record


def hand_laid_down(seen: Sorted, want: int | None, levels: Collection[str]) -> bool:
    """So many cards surely lie there that they cannot be a play: a hand is laid down."""
    if want is not None:
        return len(seen.sure) >= want + MANY
    plain = [c.card for c in seen.sure if c.card in SUIT_OF and RANK_OF[c.card] not in levels and c.n_best[0][1] > 0.9]
    return len(plain) >= HAND and len({SUIT_OF[card] for card in plain}) >= 3


def taken_up(expected: Expected, absent: Sequence[Seat]) -> tuple[str, str]:
    """The line for a trick that was taken up before all its plays were seen."""
    names = " ".join(seat.value for seat in absent)
    who = "、".join(f"{SEAT_ZH[seat]}家" for seat in absent)
    return (
        f"第{expected.trick}墩已收起，但没看到{who}的牌：请补录，或直接首引下一墩",
        f"trick {expected.trick} was taken up, but the play of {names} was not seen: enter it, or go on with the next lead",
    )


@dataclass(slots=True)
class Desync:
    """The present misfit, if any: its :class:`Reason`, and what was expected when it arose."""

    reason: Reason | None = None
    zh: str = ""
    en: str = ""
    _at: tuple[str, int, Seat | None, int | None] | None = None
    _told: bool = False
    cleared: dict[Seat, float] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def arise(self, reason: Reason, zh: str, en: str, expected: Expected) -> None:
        """They do not fit from now on."""
        if self.reason is None:
            self.reason, self.zh, self.en, self._at, self._told, self.evidence = reason, zh, en, _place(expected), False, {}

    def instead(self, reason: Reason, zh: str, en: str, expected: Expected | None, evidence: Mapping[str, Any]) -> None:
        """Another misfit, or other words for it, whatever there was before."""
        self.reason, self.zh, self.en, self._told, self.evidence = reason, zh, en, False, evidence
        self._at = _place(expected) if expected is not None else None

    def clear(self) -> None:
        """They fit again."""
        self.reason, self._at = None, None

    def settled_by_hand(self, expected: Expected) -> bool:
        """Something else is expected than when the misfit arose: somebody has put it right."""
        return self._at is not None and _place(expected) != self._at

    def event(self, t: float) -> Event | None:
        """What the stream must still be told."""
        if self.reason is not None and not self._told:
            self._told = True
            return Desynced(t=t, source=Source.INFERRED, reason=self.reason.value, zh=self.zh, en=self.en, evidence=self.evidence)
        if self.reason is None and self._told:
            self._told = False
            return Resynced(t=t, source=Source.INFERRED)
        return None

    def missing(self, t: float, played: Collection[Seat], order: Sequence[Seat], expected: Expected) -> None:
        """Whether the trick was taken up although not all have played: two plays at least have gone, and none is left lying."""
        gone = [seat for seat in played if seat in self.cleared]
        if len(gone) < 2 or len(gone) < len(played) or t - max(self.cleared[seat] for seat in gone) < CLEARED_SECONDS:
            return
        self.arise(Reason.MISSING, *taken_up(expected, [seat for seat in order if seat not in played]), expected)

    def laid_after(self, played: Collection[Seat], looks: Collection[Look]) -> bool:
        """Whether all that was played, two plays at least, had gone before the first of these was laid: it leads the next trick."""
        if len(played) < 2 or not looks or any(seat not in self.cleared for seat in played):
            return False
        return min(look.still for look in looks) > max(self.cleared[seat] for seat in played)

    def to_json(self) -> dict[str, str] | None:
        """For the status: reason and what to do; None when all is well."""
        return None if self.reason is None else {"reason": self.reason.value, "zh": self.zh, "en": self.en}


def _place(expected: Expected) -> tuple[str, int, Seat | None, int | None]:
    return str(expected.phase), expected.trick, expected.seat, expected.count
