"""How well a film was followed, deal by deal: what the pipeline told against the film's truth."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from engine.cards import Card, Seat
from engine.events import BottomShown, CardsPlayed, Corrected, DealEnded, Event, EventError, Ruled, TakenBack, TrickClosed, from_json
from vision.by_deal import by_deal
from vision.refereed import final_plays

Play: TypeAlias = tuple[int, int, Seat]
"""A play: its deal, its trick, who made it."""
Offence: TypeAlias = tuple[int, str, Seat, int]
"""An offence: its deal, its kind, whose it is, its trick."""


class TruthError(ValueError):
    """A truth that cannot be read; the message names the file and line."""


@dataclass(frozen=True, slots=True)
class FilmReport:
    """What came right. Counts are of the truth's cards.

    ``raw``: each card as it was read when it was first read, before the pack was asked; ``told``: as a play was first told, with what was missing
    from it then; ``fused``: at the end. A latency lasts until a play is told with all its cards. ``points_right``, ``bottom_right`` and
    ``levels_right`` (levels and next declarer) hold for every deal that the truth ends, of which ``deals_right`` have all three right; None where the
    truth has none.
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
    deals: int = 0
    deals_right: int = 0

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
            f"deals   {self.deals_right}/{self.deals}",
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


def compare(truth: Sequence[Event], told: Sequence[Event], speed: float = 0.0, follow: Collection[Offence] = ()) -> FilmReport:
    """Compare what was told with the truth.

    :param speed: film seconds a second.
    :param follow: rulings (deal, kind, seat, trick) that follow from the truth unplanted: a card taken back where the rulebook forbids it.
    """
    want, got = final_plays(truth), final_plays(told)
    first = _first_told(told)
    raw = _raw(told)
    bad = [key for key, cards in want.items() if Counter(cards) != Counter(got.get(key, ()))]
    wrong = [f"{_key(k)}: {' '.join(want[k])} -> {' '.join(got.get(k, ())) or 'nothing'}" for k in bad]
    extra = [key for key in got if key not in want]
    wrong += [f"{_key(key)}: nothing -> {' '.join(got[key])}" for key in extra]
    tricks = {(deal, e.trick): e.winner for deal, e in by_deal(truth) if isinstance(e, TrickClosed)}
    won = {(deal, e.trick): e.winner for deal, e in by_deal(told) if isinstance(e, TrickClosed)}
    wrong += [f"deal {key[0]} trick {key[1]}: won by {w} -> {won.get(key)}" for key, w in tricks.items() if won.get(key) != w]
    results = _results(truth, told)
    wrong += [text for result in results for text in result.wrong]
    planted, ruled = _ruled(truth), _ruled(told)
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
        tricks_right=sum(won.get(key) == w for key, w in tricks.items()),
        points_right=_every([r.points for r in results]),
        bottom_right=_every([r.bottom for r in results]),
        levels_right=_every([r.levels for r in results]),
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
        deals=len(results),
        deals_right=sum(not r.wrong for r in results),
    )


def _key(key: Play) -> str:
    return f"deal {key[0]} trick {key[1]} {key[2].value}"


def _offence(key: Offence) -> str:
    return f"{key[1]} {key[2].value} deal {key[0]} trick {key[3]}"


def _ruled(events: Sequence[Event]) -> dict[Offence, int]:
    """The trick that proved each offence."""
    return {(deal, e.kind, e.seat, e.trick): e.proved_by for deal, e in by_deal(events) if isinstance(e, Ruled)}


def _numbered(events: Sequence[Event]) -> list[tuple[int, CardsPlayed | Corrected | TakenBack]]:
    """The plays, their corrections and what was taken back, with the number of their deal."""
    return [(deal, event) for deal, event in by_deal(events) if isinstance(event, CardsPlayed | Corrected | TakenBack)]


def _take_back(out: dict[Play, tuple[Card, ...]], key: Play, cards: Sequence[Card]) -> None:
    """What was taken back is no card of the play that stays; those that were read as others are taken from its end."""
    left = list(out.pop(key, ()))
    for card in cards[: len(left)]:
        left.remove(card if card in left else left[-1])
    if left:
        out[key] = tuple(left)


def _first_told(events: Sequence[Event]) -> dict[Play, tuple[Card, ...]]:
    out: dict[Play, tuple[Card, ...]] = {}
    for deal, event in _numbered(events):
        key = (deal, event.trick, event.seat)
        if isinstance(event, TakenBack):
            _take_back(out, key, event.cards)
        else:
            out.setdefault(key, event.cards)
    return out


def _raw(events: Sequence[Event]) -> dict[Play, tuple[Card, ...]]:
    """The single readings, before the pack was asked; cards that came to a play later, or were found in it later, as they were read then."""
    out: dict[Play, tuple[Card, ...]] = {}
    for deal, event in _numbered(events):
        key, read = (deal, event.trick, event.seat), event.evidence.get("raw")
        if isinstance(event, TakenBack):
            _take_back(out, key, event.cards)
            continue
        raw = tuple(Card(str(c)) for c in read) if isinstance(read, list) else event.cards
        if isinstance(event, CardsPlayed):
            out.setdefault(key, raw)
        elif event.by == "camera" and key in out and not event.evidence.get("guessed"):
            out[key] += raw[len(out[key]) :]
    return out


@dataclass(frozen=True, slots=True)
class _Result:
    """A deal's end: whether points, bottom and levels are right (None where the truth has none), and what is wrong in words."""

    points: bool | None
    bottom: bool | None
    levels: bool | None
    wrong: tuple[str, ...]


def _results(truth: Sequence[Event], told: Sequence[Event]) -> list[_Result]:
    """The end of every deal that the truth ends, or whose bottom it shows."""
    want, mine = ({deal: e for deal, e in by_deal(log) if isinstance(e, DealEnded)} for log in (truth, told))
    shown, seen = ({deal: e.cards for deal, e in by_deal(log) if isinstance(e, BottomShown)} for log in (truth, told))
    return [_result(n, want.get(n), mine.get(n), shown.get(n), seen.get(n, ())) for n in sorted({*want, *shown})]


def _result(number: int, end: DealEnded | None, mine: DealEnded | None, shown: Sequence[Card] | None, seen: Sequence[Card]) -> _Result:
    wrong: list[str] = []

    def right(what: str, true: object, got: object) -> bool:
        if true != got:
            wrong.append(f"deal {number}: {what} {true} -> {got}")
        return true == got

    points = levels = None
    if end is not None:
        points = right("points", end.points, mine.points if mine is not None else None)
        levels = right("levels", _levels(end.levels), _levels(mine.levels) if mine is not None else None)
        levels &= right("next declarer", end.next_declarer, mine.next_declarer if mine is not None else None)
    own = mine.bottom if mine is not None and mine.bottom else seen
    bottom = None if shown is None else right("bottom", " ".join(sorted(shown)), " ".join(sorted(own)))
    return _Result(points, bottom, levels, tuple(wrong))


def _every(right: Sequence[bool | None]) -> bool | None:
    """Whether all are right, None where there is none to be right."""
    known = [each for each in right if each is not None]
    return all(known) if known else None


def _levels(levels: Mapping[str, str]) -> dict[str, str]:
    return {str(k): str(v) for k, v in levels.items()}


def _latencies(truth: Sequence[Event], told: Sequence[Event]) -> list[float]:
    """From a play lying still to its event, in ms of a camera's time, with the work that lay behind."""
    still: dict[Play, list[tuple[float, int]]] = {}
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
