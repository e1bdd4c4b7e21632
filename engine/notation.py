"""The text notation: a play, a trick, and a whole deal on one page; what is printed parses back.

A play is its cards, ``SA SA SK``. A trick is a line: its number, the leader, and the plays in playing order::

    1 E: CJ CJ CQ CQ | C3 CK C7 C6 | C8 C3 C10 DK | C9 C9 C6 C7

A play out of that order names its seat, ``N= C3``; cards taken back are ``~E SA SA``; a trick that is not over ends in ``...``. A deal is a page::

    rulebook: official-2deck-shengji
    names: E=Ann, N=Bo, W=Cy, S=Di
    deal: 1
    levels: EW=2 NS=2
    declarer: -
    bid: E H2
    trump: 2/H E
    taken: E
    buried: E 8: D6 D7 S7 D8 S8 D3 D3 D9
    hand E: CJ CJ ...
    1 E: ...
    bottom: D6 D7 S7 D8 S8 D3 D3 D9

Lines may end in a remark after ``;``. ``bid*`` is a face-down declaration; ``trump`` stands only where the referee has fixed it; ``hand`` lines are
optional and the plays are then checked against them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import (
    SEATS,
    UNKNOWN,
    Card,
    NotationError,
    Seat,
    format_cards,
    parse_cards,
    parse_rank,
    parse_seat,
    parse_trump,
    seats_from,
)
from engine.deal import Deal, Trick
from engine.events import (
    BottomShown,
    BottomTaken,
    Buried,
    CardsPlayed,
    DealStarted,
    Declared,
    Drawn,
    Event,
    MatchStarted,
    Source,
    TakenBack,
    TrumpFixed,
)
from engine.rulebook import Rulebook
from engine.rulebook_toml import RulebookError, load

_LINES: Final = "rulebook, names, deal, levels, declarer, bid, drawn, trump, taken, buried, hand, bottom"
_SHAPE_OF_A_TRICK: Final = "expected 'NUMBER LEADER: cards | cards | cards | cards'"


@dataclass(frozen=True, slots=True)
class DealText:
    """A deal that was read: the events without their times, and the hands where the page has them."""

    events: tuple[Event, ...]
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)


def format_trick(number: int, leader: Seat, acts: Sequence[CardsPlayed | TakenBack], remark: str = "") -> str:
    """Print a trick from what was done in it, in order of time."""
    out: list[str] = []
    played: set[Seat] = set()
    for act in acts:
        if isinstance(act, TakenBack):
            out.append(f"~{act.seat} {format_cards(act.cards)}")
            if _left(acts, act) == 0:
                played.discard(act.seat)
            continue
        expected = next((s for s in seats_from(leader) if s not in played), None)
        out.append(format_cards(act.cards) if act.seat is expected else f"{act.seat}= {format_cards(act.cards)}")
        played.add(act.seat)
    if len(played) < len(SEATS):
        out.append("...")
    return f"{number} {leader}: {' | '.join(out)}{f' ; {remark}' if remark else ''}"


def _left(acts: Sequence[CardsPlayed | TakenBack], until: TakenBack) -> int:
    """How many cards of a seat still lie after it took some back."""
    left: Counter[Card] = Counter()
    for act in acts:
        if act.seat is until.seat:
            if isinstance(act, TakenBack):
                left.subtract(act.cards)
            else:
                left.update(act.cards)
        if act is until:
            break
    return (+left).total()


def parse_trick(text: str) -> tuple[int, Seat, tuple[CardsPlayed | TakenBack, ...]]:
    """Read a trick: its number, the leader, and what was done in it.

    :raises NotationError: when the form is wrong, a seat plays twice, or plays are missing without ``...``.
    """
    head, colon, body = text.partition(";")[0].partition(":")
    parts = head.split()
    if not colon or len(parts) != 2 or not parts[0].isdigit() or not int(parts[0]):
        raise NotationError(f"not a trick: {text.strip()!r}; {_SHAPE_OF_A_TRICK}")
    number, leader = int(parts[0]), parse_seat(parts[1])
    acts: list[CardsPlayed | TakenBack] = []
    lying: dict[Seat, Counter[Card]] = {}
    unfinished = False
    for piece in (piece.strip() for piece in body.split("|")):
        if unfinished:
            raise NotationError(f"trick {number}: something follows '...'; expected it at the end")
        if piece == "...":
            unfinished = True
        elif piece.startswith("~"):
            seat, cards = _seat_and_cards(piece[1:], f"trick {number}")
            if Counter(cards) - lying.get(seat, Counter()):
                raise NotationError(f"trick {number}: {seat} takes back {format_cards(cards)}, which do not lie there")
            lying[seat] = lying[seat] - Counter(cards)
            if not lying[seat]:
                del lying[seat]
            acts.append(TakenBack(seat=seat, trick=number, cards=cards, source=Source.TRUTH))
        else:
            name, equals, rest = piece.partition("=")
            due = parse_seat(name) if equals else next((s for s in seats_from(leader) if s not in lying), None)
            if due is None or due in lying:
                raise NotationError(f"trick {number}: a play too many ({piece!r}); expected one of each seat")
            cards = parse_cards(rest if equals else piece, unknown=True)
            if not cards:
                raise NotationError(f"trick {number}: a play without cards; {_SHAPE_OF_A_TRICK}")
            lying[due] = Counter(cards)
            acts.append(CardsPlayed(seat=due, trick=number, cards=cards, source=Source.TRUTH))
    if len(lying) < len(SEATS) and not unfinished:
        raise NotationError(f"trick {number}: {len(lying)} plays; expected 4 (a trick that is not over ends in '...')")
    return number, leader, tuple(acts)


def format_events(events: Iterable[Event], hands: Mapping[Seat, Sequence[Card]] | None = None, remarks: Mapping[int, str] | None = None) -> str:
    """Print the facts of one deal; what follows from them is left out.

    :param remarks: a remark for a trick by its number.
    """
    lines: list[str] = []
    tricks: dict[int, list[CardsPlayed | TakenBack]] = {}
    end: list[str] = []
    for event in events:
        match event:
            case MatchStarted():
                lines.append(f"rulebook: {event.rulebook}")
                if event.names:
                    lines.append("names: " + ", ".join(f"{seat}={_plain(name)}" for seat, name in event.names.items()))
            case DealStarted():
                lines.append(f"deal: {event.deal}")
                lines.append("levels: " + " ".join(f"{team}={level}" for team, level in event.levels.items()))
                lines.append(f"declarer: {event.declarer or '-'}")
            case Declared():
                lines.append(f"bid{'*' if event.face_down else ''}: {event.seat} {format_cards(event.cards)}".rstrip())
            case Drawn():
                lines.append("drawn:")
            case TrumpFixed():
                lines.append(f"trump: {event.trump} {event.declarer}")
            case BottomTaken():
                lines.append(f"taken: {event.seat}")
            case Buried():
                lines.append(f"buried: {event.seat} {event.count}" + (f": {format_cards(event.cards)}" if event.cards else ""))
            case CardsPlayed() | TakenBack():
                tricks.setdefault(event.trick, []).append(event)
            case BottomShown():
                end.append(f"bottom: {format_cards(event.cards)}")
            case _:
                pass
    lines += [f"hand {seat}: {format_cards(cards)}" for seat, cards in (hands or {}).items()]
    for number, acts in sorted(tricks.items()):
        lines.append(format_trick(number, acts[0].seat, acts, (remarks or {}).get(number, "")))
    return "\n".join([*lines, *end]) + "\n"


def format_deal(deal: Deal, names: Mapping[str, str] | None = None) -> str:
    """Print a deal on one page, corrections worked in, with the winner and the points of each trick as a remark."""
    head = (
        MatchStarted(rulebook=deal.rules.name, names=names or {}),
        DealStarted(deal=deal.number, levels=deal.levels, declarer=deal.fixed),
    )
    return format_events((*head, *deal.facts), remarks={t.number: _remark(t) for t in deal.tricks})


def _remark(trick: Trick) -> str:
    return f"{trick.winner} {trick.points}"


def parse_deal(text: str, rulebook: Rulebook | None = None) -> DealText:
    """Read a deal.

    :param rulebook: instead of the one that the page names.
    :raises NotationError: naming the line, what was read and what was expected: a form that is wrong, a trick of three plays, a face more often than
        the packs have it, a play of cards that are not in the hand.
    """
    events: list[Event] = []
    hands: dict[Seat, tuple[Card, ...]] = {}
    page = _Page(rulebook)
    for number, line in enumerate(text.splitlines(), 1):
        body = line.partition(";")[0].strip()
        if not body:
            continue
        try:
            events += page.read(body, hands)
        except NotationError as error:
            raise NotationError(f"line {number}: {error}") from None
    if not page.head:
        raise NotationError("the page names no deal; expected a line 'deal: 1' and a line 'levels: EW=2 NS=2'")
    return DealText(tuple(events), hands)


class _Page:
    """What has been read of a page so far."""

    def __init__(self, rules: Rulebook | None) -> None:
        self.rules = rules
        self.name: str | None = None
        self.head: list[DealStarted] = []
        self._names: dict[str, str] = {}
        self._deal: int | None = None
        self._levels: dict[str, str] | None = None
        self._seen: Counter[Card] = Counter()
        self._left: dict[Seat, Counter[Card]] = {}
        self._tricks = 0
        self._bottom: tuple[Card, ...] = ()

    def read(self, body: str, hands: dict[Seat, tuple[Card, ...]]) -> Iterator[Event]:
        """The events of a line."""
        if body[0].isdigit():
            number, _, acts = parse_trick(body)
            if number != self._tricks + 1:
                raise NotationError(f"trick {number} follows trick {self._tricks}; expected {self._tricks + 1}")
            self._tricks = number
            for act in acts:
                self._count(act)
                yield act
            return
        key, colon, value = body.partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            raise NotationError(f"not a line of a deal: {body!r}; expected 'key: value' or a trick")
        yield from self._head_line(key, value, hands)

    def _head_line(self, key: str, value: str, hands: dict[Seat, tuple[Card, ...]]) -> Iterator[Event]:
        match key.split():
            case ["rulebook"]:
                self.name = value
                if self.rules is None:
                    try:
                        self.rules = load(value)
                    except (RulebookError, OSError) as error:
                        raise NotationError(f"rulebook {value!r} cannot be read: {error}") from None
            case ["names"]:
                self._names = _pairs(value.split(","), {s.value for s in SEATS}, "names: E=Ann, N=Bo")
            case ["deal"]:
                if not value.isdigit():
                    raise NotationError(f"not a deal's number: {value!r}; expected 'deal: 1'")
                self._deal = int(value)
                if self.name is not None:
                    yield MatchStarted(rulebook=self.name, names=self._names, source=Source.TRUTH)
            case ["levels"]:
                self._levels = _pairs(value.split(), {"EW", "NS"}, "levels: EW=2 NS=2")
                for level in self._levels.values():
                    parse_rank(level.removeprefix("-"))
            case ["declarer"]:
                if self._deal is None or self._levels is None:
                    raise NotationError("'declarer' before 'deal' and 'levels'; expected it after them")
                fixed = None if value == "-" else parse_seat(value)
                self.head.append(DealStarted(deal=self._deal, levels=self._levels, declarer=fixed, source=Source.TRUTH))
                yield self.head[-1]
            case ["bid" | "bid*" as bid]:
                seat, _, cards = value.partition(" ")
                yield Declared(seat=parse_seat(seat), cards=parse_cards(cards, unknown=True), face_down=bid == "bid*", source=Source.TRUTH)
            case ["drawn"]:
                yield Drawn(source=Source.TRUTH)
            case ["trump"]:
                trump, _, seat = value.partition(" ")
                yield TrumpFixed(trump=str(parse_trump(trump)), declarer=parse_seat(seat), source=Source.TRUTH)
            case ["taken"]:
                yield BottomTaken(seat=parse_seat(value), source=Source.TRUTH)
            case ["buried"]:
                yield self._buried(value)
            case ["bottom"]:
                yield BottomShown(cards=parse_cards(value, unknown=True), source=Source.TRUTH)
            case ["hand", name]:
                seat_of = parse_seat(name)
                hands[seat_of] = parse_cards(value)
                self._left[seat_of] = Counter(hands[seat_of])
            case _:
                raise NotationError(f"unknown line {key!r}; expected {_LINES} or a trick")

    def _buried(self, value: str) -> Buried:
        head, _, cards = value.partition(":")
        seat, _, count = head.partition(" ")
        if not count.strip().isdigit():
            raise NotationError(f"not a burial: {value!r}; expected 'buried: E 8' or 'buried: E 8: S3 ...'")
        known = parse_cards(cards)
        if known and len(known) != int(count):
            raise NotationError(f"{len(known)} cards are listed as buried; expected {count.strip()}")
        self._seen.subtract(self._bottom)
        self._bottom = known
        self._add(known)
        return Buried(seat=parse_seat(seat), count=int(count), cards=known, source=Source.TRUTH)

    def _count(self, act: CardsPlayed | TakenBack) -> None:
        hand = self._left.get(act.seat)
        if isinstance(act, TakenBack):
            self._seen.subtract(act.cards)
            if hand is not None:
                hand.update(act.cards)
            return
        self._add(act.cards)
        if hand is not None:
            missing = Counter(c for c in act.cards if c != UNKNOWN) - hand
            if missing:
                raise NotationError(f"trick {act.trick}: {act.seat} plays {format_cards(missing.elements())}, which the hand does not hold")
            hand.subtract(act.cards)

    def _add(self, cards: Iterable[Card]) -> None:
        self._seen.update(c for c in cards if c != UNKNOWN)
        if self.rules is not None:
            for card, count in self._seen.items():
                if count > self.rules.pack.decks:
                    raise NotationError(f"{count} of {card}; expected at most {self.rules.pack.decks} ({self.rules.name})")


def _seat_and_cards(text: str, where: str) -> tuple[Seat, tuple[Card, ...]]:
    seat, _, cards = text.strip().partition(" ")
    found = parse_cards(cards, unknown=True)
    if not found:
        raise NotationError(f"{where}: no cards are named; expected a seat and cards")
    return parse_seat(seat), found


def _plain(name: str) -> str:
    """A name without what would end it on the page."""
    return name.replace(",", "，").replace(";", "；").strip()


def _pairs(parts: Sequence[str], keys: set[str], example: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.strip().partition("=")
        if not equals or key not in keys:
            raise NotationError(f"not one of {'/'.join(sorted(keys))} with a value: {part!r}; expected '{example}'")
        out[key] = value.strip()
    if set(out) != keys and keys == {"EW", "NS"}:
        raise NotationError(f"{' '.join(parts)!r} leaves a side out; expected '{example}'")
    return out
