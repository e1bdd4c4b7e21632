"""How well a film was followed: what the pipeline told against the film's truth."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.cards import Card, Seat
from engine.events import BottomShown, CardsPlayed, Corrected, DealEnded, DealStarted, Event, EventError, Ruled, TrickClosed, from_json
from vision.refereed import final_plays


class TruthError(ValueError):
    """A truth that cannot be read; the message names the file and line."""


@dataclass(frozen=True, slots=True)
class FilmReport:
    """What came right. Counts are of the truth's cards.

    ``raw``: each card as it was read when it was first read, before the pack was asked; ``told``: as a play was first told, with what was missing
    from it then; ``fused``: at the end. A latency lasts until a play is told with all its cards.
    """

    cards: int
    cards_raw: int
    cards_told: int
    cards_fused: int
    plays: int
    plays_right: int
    plays_extra: int
    tricks: int
    tricks_right: int
    points_right: bool | None
    bottom_right: bool | None
    levels_right: bool | None
    offences: int
    offences_found: int
    offences_at_proof: int
    offences_missed: tuple[str, ...]
    offences_false: tuple[str, ...]
    latency_median_ms: float | None
    latency_p95_ms: float | None
    speed: float
    wrong: tuple[str, ...]
    latencies_ms: tuple[float, ...] = ()

    @property
    def perfect(self) -> bool:
        """Everything is right and no alert false."""
        right = self.cards_fused == self.cards and self.plays_right == self.plays and self.tricks_right == self.tricks and not self.plays_extra
        score = self.points_right is not False and self.bottom_right is not False and self.levels_right is not False
        return right and score and not self.offences_missed and not self.offences_false

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {**asdict(self), "perfect": self.perfect}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FilmReport:
        """The report of :meth:`to_json`.

        :raises TypeError: when fields are missing or unknown.
        """
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key != "perfect"}
        return cls(**fields)

    def text(self) -> str:
        """The report in words, one figure a line."""
        yes = {True: "right", False: "WRONG", None: "not told"}
        lines = [
            f"cards   raw {self.cards_raw}/{self.cards}  told {self.cards_told}/{self.cards}  fused {self.cards_fused}/{self.cards}",
            f"plays   {self.plays_right}/{self.plays}  extra {self.plays_extra}",
            f"tricks  {self.tricks_right}/{self.tricks}",
            f"final   points {yes[self.points_right]}, bottom {yes[self.bottom_right]}, levels {yes[self.levels_right]}",
            f"offences found {self.offences_found}/{self.offences} (at the proving trick {self.offences_at_proof})",
            f"offences missed {list(self.offences_missed)}, false {list(self.offences_false)}",
            f"latency median {_ms(self.latency_median_ms)}, p95 {_ms(self.latency_p95_ms)}; speed {self.speed:.2f}x real time",
        ]
        return "\n".join([*lines, *(f"  wrong: {text}" for text in self.wrong)])


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"


def read_events(path: Path) -> list[Event]:
    """Read a log of events, one JSON object a line.

    :raises TruthError: naming the line that is no event.
    """
    out = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise TruthError(f"无法读取 {path} / cannot read {path}: {error.strerror or error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                out.append(from_json(json.loads(line)))
            except (ValueError, EventError) as error:
                raise TruthError(f"{path}, line {number}: {error}") from None
    return out


def _common(a: Sequence[Card], b: Sequence[Card]) -> int:
    """How many cards two plays have in common."""
    return sum((Counter(a) & Counter(b)).values())


def compare(truth: Sequence[Event], told: Sequence[Event], speed: float = 0.0, follow: Collection[tuple[str, Seat, int]] = ()) -> FilmReport:
    """Compare what was told with the truth.

    :param speed: film seconds a second.
    :param follow: rulings (kind, seat, trick) that follow from the truth without being planted: a card taken back where the rulebook forbids it.
    """
    want, got = final_plays(truth), final_plays(told)
    first = _first_told(told)
    raw = _raw(told)
    bad = [key for key, cards in want.items() if Counter(cards) != Counter(got.get(key, ()))]
    wrong = [f"{_key(k)}: {' '.join(want[k])} -> {' '.join(got.get(k, ())) or 'nothing'}" for k in bad]
    extra = [key for key in got if key not in want]
    wrong += [f"{_key(key)}: nothing -> {' '.join(got[key])}" for key in extra]
    tricks = {e.trick: e.winner for e in truth if isinstance(e, TrickClosed)}
    won = {e.trick: e.winner for e in told if isinstance(e, TrickClosed)}
    wrong += [f"trick {n}: won by {w} -> {won.get(n)}" for n, w in tricks.items() if won.get(n) != w]
    points, bottom, levels = _final(truth, told)
    planted = {(e.kind, e.seat, e.trick): e.proved_by for e in truth if isinstance(e, Ruled)}
    ruled = {(e.kind, e.seat, e.trick): e.proved_by for e in told if isinstance(e, Ruled)}
    late = _latencies(truth, told)
    return FilmReport(
        cards=sum(len(v) for v in want.values()),
        cards_raw=sum(_common(v, raw.get(k, ())) for k, v in want.items()),
        cards_told=sum(_common(v, first.get(k, ())) for k, v in want.items()),
        cards_fused=sum(_common(v, got.get(k, ())) for k, v in want.items()),
        plays=len(want),
        plays_right=sum(Counter(v) == Counter(got.get(k, ())) for k, v in want.items()),
        plays_extra=len(extra),
        tricks=len(tricks),
        tricks_right=sum(won.get(n) == w for n, w in tricks.items()),
        points_right=points,
        bottom_right=bottom,
        levels_right=levels,
        offences=len(planted),
        offences_found=sum(key in ruled for key in planted),
        offences_at_proof=sum(ruled.get(key) == by for key, by in planted.items()),
        offences_missed=tuple(_offence(key) for key in planted if key not in ruled),
        offences_false=tuple(_offence(key) for key in ruled if key not in planted and key not in follow),
        latency_median_ms=statistics.median(late) if late else None,
        latency_p95_ms=sorted(late)[min(len(late) - 1, int(len(late) * 0.95))] if late else None,
        speed=round(speed, 3),
        wrong=tuple(wrong),
        latencies_ms=tuple(round(ms, 1) for ms in late),
    )


def _key(key: tuple[int, int, Seat]) -> str:
    return f"deal {key[0]} trick {key[1]} {key[2].value}"


def _offence(key: tuple[str, Seat, int]) -> str:
    return f"{key[0]} {key[1].value} trick {key[2]}"


def _numbered(events: Sequence[Event]) -> list[tuple[int, CardsPlayed | Corrected]]:
    """The plays and their corrections with the number of their deal."""
    deal = 0
    out: list[tuple[int, CardsPlayed | Corrected]] = []
    for event in events:
        deal = event.deal if isinstance(event, DealStarted) else deal
        if isinstance(event, CardsPlayed | Corrected):
            out.append((deal, event))
    return out


def _first_told(events: Sequence[Event]) -> dict[tuple[int, int, Seat], tuple[Card, ...]]:
    out: dict[tuple[int, int, Seat], tuple[Card, ...]] = {}
    for deal, event in _numbered(events):
        out.setdefault((deal, event.trick, event.seat), event.cards)
    return out


def _raw(events: Sequence[Event]) -> dict[tuple[int, int, Seat], tuple[Card, ...]]:
    """The single readings, before the pack was asked; cards that came to a play later, or were found in it later, as they were read then."""
    out: dict[tuple[int, int, Seat], tuple[Card, ...]] = {}
    for deal, event in _numbered(events):
        key, read = (deal, event.trick, event.seat), event.evidence.get("raw")
        raw = tuple(Card(str(c)) for c in read) if isinstance(read, list) else event.cards
        if isinstance(event, CardsPlayed):
            out.setdefault(key, raw)
        elif event.by == "camera" and key in out and not event.evidence.get("guessed"):
            out[key] += raw[len(out[key]) :]
    return out


def _final(truth: Sequence[Event], told: Sequence[Event]) -> tuple[bool | None, bool | None, bool | None]:
    """Points, bottom and levels at the end; None where the truth has none or nothing was told."""
    end = next((e for e in reversed(truth) if isinstance(e, DealEnded)), None)
    mine = next((e for e in reversed(told) if isinstance(e, DealEnded)), None)
    shown = next((e for e in reversed(truth) if isinstance(e, BottomShown)), None)
    seen = next((e for e in reversed(told) if isinstance(e, BottomShown)), None)
    bottom = Counter(mine.bottom if mine is not None and mine.bottom else seen.cards if seen is not None else ())
    right = None if shown is None else Counter(shown.cards) == bottom
    if end is None or mine is None:
        return (None if end is None else False), right, (None if end is None else False)
    return end.points == mine.points, right, _levels(end.levels) == _levels(mine.levels)


def _levels(levels: Mapping[str, str]) -> dict[str, str]:
    return {str(k): str(v) for k, v in levels.items()}


def _latencies(truth: Sequence[Event], told: Sequence[Event]) -> list[float]:
    """From a play lying still to its event, in ms of a camera's time, with the work that lay behind."""
    still: dict[tuple[int, int, Seat], list[tuple[float, int]]] = {}
    for deal, event in _numbered(truth):
        still.setdefault((deal, event.trick, event.seat), []).append((event.t, len(event.cards)))
    late: dict[tuple[int, int, Seat, float], float] = {}
    for deal, event in _numbered(told):
        key = (deal, event.trick, event.seat)
        if still.get(key):
            at, count = still[key][0]
            late[*key, at] = max(0.0, (event.t + float(event.evidence.get("behind_s", 0.0)) - at) * 1000)
            if len(event.cards) >= count:
                still[key].pop(0)
    return list(late.values())
