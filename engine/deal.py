"""One deal as a fold of facts: declare, take the bottom, bury, the tricks, dig, score, level, next declarer.

Every action comes in three: ``verify_x`` raises :class:`Illegal` with the reason, ``can_x`` asks, ``x`` does it; ``x`` never refuses, because on a
real table an illegal play *was* played: it is recorded and becomes a fault. :func:`apply` takes the events that are facts of a deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from typing import Any, Final

from engine import audit as audits
from engine import declare as declares
from engine.cards import SEATS, UNKNOWN, Card, Rank, Seat, Team, Trump, parse_trump, points_of, seats_from
from engine.declare import DeclareState
from engine.dig import DigResult
from engine.events import (
    BottomCorrected,
    BottomShown,
    BottomTaken,
    Buried,
    CardsPlayed,
    Corrected,
    Declared,
    Event,
    ScoreSet,
    TakenBack,
    TrumpFixed,
)
from engine.kit import Breach, Kit
from engine.rulebook import Rulebook
from engine.rulebook_terms import NextDeclarer, Since
from engine.score import ScoreResult


@unique
class Phase(StrEnum):
    """Where a deal stands."""

    DEALING = "dealing"
    DECLARING = "declaring"
    BURYING = "burying"
    TRICK = "trick"
    BOTTOM = "bottom"
    ENDED = "ended"


class Illegal(ValueError):  # noqa: N818
    """An action that the rules do not allow; ``breach`` has the kind, the reason in both languages and the clause."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach.en)
        self.breach = breach


@dataclass(frozen=True, slots=True)
class Bid:
    """A declaration and whether it stands by the rules."""

    seat: Seat
    cards: tuple[Card, ...]
    accepted: bool
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """What a seat laid to a trick, with the time (s) and the evidence of its event."""

    seat: Seat
    cards: tuple[Card, ...]
    t: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: its number from 1, the leader, the plays in order, and once it is closed the winner and the points."""

    number: int
    leader: Seat
    plays: tuple[Play, ...] = ()
    winner: Seat | None = None
    points: int = 0

    def play_of(self, seat: Seat) -> Play | None:
        """The play of a seat, if it has played."""
        return next((play for play in self.plays if play.seat is seat), None)


@dataclass(frozen=True, slots=True)
class Fault:
    """An offence seen in the deal: kind, seat, trick (0 = before the first), the trick that proves it, and why."""

    seat: Seat
    trick: int
    proved_by: int
    breach: Breach
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The end of a deal: attackers' points in all and their parts, the result, levels after by team, and the next declarer (None: a race)."""

    points: int
    trick_points: int
    dig_points: int
    fines: int
    multiplier: int
    bottom: tuple[Card, ...]
    scored: ScoreResult
    levels: Mapping[str, str]
    next_declarer: Seat | None


@dataclass(frozen=True, slots=True)
class Deal:
    """The state of a deal; ``facts`` are the events it was folded from, corrections worked in.

    ``fines`` (points to the attackers) and ``stopped`` come from confirmed rulings.
    """

    rules: Rulebook
    number: int
    levels: Mapping[str, str]
    declaring: DeclareState
    fixed: Seat | None = None
    last_declarers: Mapping[str, Seat] = field(default_factory=dict)
    facts: tuple[Event, ...] = ()
    bids: tuple[Bid, ...] = ()
    declarer: Seat | None = None
    trump: Trump | None = None
    taken: tuple[Seat, ...] = ()
    buried: Buried | None = None
    tricks: tuple[Trick, ...] = ()
    current: Trick | None = None
    watch: audits.Watch | None = None
    faults: tuple[Fault, ...] = ()
    shown: tuple[Card, ...] | None = None
    opening: Mapping[str, str] = field(default_factory=dict)
    base_points: int = 0
    base_trick: int = 0
    closed: bool = False
    fines: int = 0
    stopped: bool = False

    @property
    def phase(self) -> Phase:
        """Where the deal stands."""
        if self.closed or self.stopped:
            return Phase.ENDED
        if self.played_out:
            return Phase.BOTTOM if self.rules.pack.bottom else Phase.ENDED
        if self.current is not None or self.tricks or self.buried is not None:
            return Phase.TRICK
        if self.taken:
            return Phase.BURYING
        return Phase.DECLARING if self.bids else Phase.DEALING

    @property
    def played_out(self) -> bool:
        """Whether every card in the hands has been played and the last trick is closed."""
        return self.current is None and self.watch is not None and self.watch.complete

    @property
    def kit(self) -> Kit | None:
        """The rules with this deal's trump, once it is known."""
        return self.watch.kit if self.watch is not None else None

    @property
    def attackers(self) -> Team | None:
        """The attacking side, once the declarer is known."""
        return self.declarer.team.other if self.declarer is not None else None

    @property
    def leader(self) -> Seat | None:
        """Who leads the next trick."""
        if self.tricks:
            return self.tricks[-1].winner
        return self.declarer

    @property
    def turn(self) -> Seat | None:
        """Whose play is due, or None."""
        if self.phase is not Phase.TRICK:
            return None
        if self.current is None:
            return self.leader
        return next((seat for seat in seats_from(self.current.leader) if self.current.play_of(seat) is None), None)

    @property
    def trick_points(self) -> int:
        """The attackers' points from closed tricks (and from a score that was set by hand)."""
        won = sum(t.points for t in self.tricks if t.number > self.base_trick and t.winner is not None and t.winner.team is self.attackers)
        return self.base_points + won

    @property
    def points(self) -> int:
        """The attackers' points so far: closed tricks and confirmed fines."""
        return self.trick_points + self.fines

    @property
    def bottom(self) -> tuple[Card, ...] | None:
        """The buried cards: as shown when they agree with the pack or nothing is worked out, else the pack minus everything played."""
        worked_out = self.watch.bottom if self.watch is not None else None
        readable = self.shown is not None and UNKNOWN not in self.shown and len(self.shown) == self.rules.pack.bottom
        if self.shown is not None and readable:
            return self.shown
        return worked_out if worked_out is not None else self.shown

    def trick(self, number: int) -> Trick | None:
        """A trick by its number, closed or current."""
        if self.current is not None and self.current.number == number:
            return self.current
        return next((t for t in self.tricks if t.number == number), None)


def start(rules: Rulebook, number: int, levels: Mapping[str, str], declarer: Seat | None = None, last: Mapping[str, Seat] | None = None) -> Deal:
    """A new deal: number from 1, level by team, the declarer where fixed before the deal, and each side's last declarer."""
    level = _rank(levels[(declarer or Seat.E).team.value])
    declaring = declares.begin(rules, 1 if declarer is None else max(number, 2), level, declarer)
    if rules.declaring.since is Since.AFTER_DRAW:
        declaring = declares.advance(declaring, declares.Phase.DRAWN)
    return Deal(rules, number, dict(levels), declaring, declarer, dict(last or {}), declarer=declarer, opening=dict(levels))


def _rank(level: str) -> Rank:
    """The rank of the level cards; a level below the start (-A) is played with that rank."""
    return Rank(level.removeprefix("-"))


# --- before the tricks ------------------------------------------------------------------------------------------------------------------------


def verify_declare(deal: Deal, seat: Seat, cards: tuple[Card, ...]) -> None:
    """A declaration, reinforcement or overturn; after the bottom was buried, a stir.

    :raises Illegal: when the tricks have begun or the rulebook does not accept it.
    """
    answer = _offered(deal, seat, cards)
    if isinstance(answer, Breach):
        raise Illegal(answer)


def _offered(deal: Deal, seat: Seat, cards: tuple[Card, ...]) -> DeclareState | Breach:
    """The declaring after an offer, or why it is refused."""
    clause = deal.rules.clause("declaring.ladder")
    if deal.current is not None or deal.tricks:
        return Breach("declaration", "出牌后不得再亮主", "the play has begun: too late to declare", deal.rules.clause("declaring.until"))
    state = deal.declaring
    if deal.fixed is None:
        state = replace(state, level=_rank(deal.levels[seat.team.value]))
    offered = declares.stir if deal.buried is not None else declares.offer
    answer = offered(state, seat, cards)
    return answer.state if answer.accepted else Breach("declaration", answer.zh, answer.en, clause, cards)


def declare(deal: Deal, seat: Seat, cards: tuple[Card, ...], *, face_down: bool = False) -> Deal:
    """Record a declaration; one that is not accepted changes nothing and is a fault. Face down it stands aside until it is shown."""
    if face_down or not cards or UNKNOWN in cards:
        return replace(deal, bids=(*deal.bids, Bid(seat, cards, accepted=True, face_down=True)))
    answer = _offered(deal, seat, cards)
    if isinstance(answer, Breach):
        deal = replace(deal, bids=(*deal.bids, Bid(seat, cards, accepted=False)))
        return _fault(deal, Fault(seat, 0, 0, answer, cards))
    bids = (*deal.bids, Bid(seat, cards, accepted=True))
    return replace(deal, bids=bids, declaring=answer, trump=answer.trump, declarer=answer.declarer or deal.declarer)


def verify_take(deal: Deal, seat: Seat) -> None:
    """Take the bottom.

    :raises Illegal: when there is none, the tricks have begun, or another seat is the declarer.
    """
    if not deal.rules.pack.bottom:
        raise Illegal(Breach("bottom", "本规则没有底牌", "this rulebook has no bottom", deal.rules.clause("pack.bottom")))
    stirred = deal.declaring.stirs[-1].seat if deal.declaring.stirs else None
    if deal.phase is Phase.TRICK and (stirred is not seat or deal.current is not None or deal.tricks):
        raise Illegal(Breach("bottom_touched", "底牌扣下后不得再动", "the buried bottom may not be touched again"))
    if not deal.taken and deal.declarer is not None and deal.declarer is not seat:
        raise Illegal(Breach("wrong_declarer", f"庄家是{deal.declarer}", f"the declarer is {deal.declarer}"))


def take(deal: Deal, seat: Seat) -> Deal:
    """Record who takes the bottom; without a declaration that makes this seat the declarer. Taken again before the tricks, it is buried anew."""
    breach = _breach(verify_take, deal, seat)
    if breach is not None:
        deal = _fault(deal, Fault(seat, 0, 0, breach))
    if deal.current is not None or deal.tricks:
        return deal
    declaring = declares.advance(deal.declaring, declares.Phase.TAKEN)
    return _settled(replace(deal, taken=(*deal.taken, seat), declarer=deal.declarer or seat, declaring=declaring, buried=None, watch=None))


def _settled(deal: Deal) -> Deal:
    """The deal with the trump that holds although nobody declared, where the rulebook names one without turning cards."""
    if deal.trump is not None:
        return deal
    return replace(deal, trump=declares.finish(deal.declaring).trump)


def verify_bury(deal: Deal, seat: Seat, count: int) -> None:
    """Lay the bottom back.

    :raises Illegal: when the seat has not taken it or the number of cards is wrong.
    """
    if count != deal.rules.pack.bottom:
        size = deal.rules.pack.bottom
        raise Illegal(Breach("bottom_miscount", f"应扣{size}张，实扣{count}张", f"{size} cards belong in the bottom, {count} were buried"))
    if deal.taken and deal.taken[-1] is not seat:
        raise Illegal(Breach("wrong_declarer", f"拿底牌的是{deal.taken[-1]}", f"the bottom was taken by {deal.taken[-1]}"))


def bury(deal: Deal, event: Buried) -> Deal:
    """Record that the bottom was buried."""
    breach = _breach(verify_bury, deal, event.seat, event.count)
    if breach is not None:
        deal = _fault(deal, Fault(event.seat, 0, 0, breach))
    declaring = declares.advance(deal.declaring, declares.Phase.BURIED)
    return _with_kit(replace(deal, buried=event, declarer=deal.declarer or event.seat, declaring=declaring, watch=None))


# --- the tricks -------------------------------------------------------------------------------------------------------------------------------


def verify_play(deal: Deal, seat: Seat, cards: tuple[Card, ...], hand: tuple[Card, ...] | None = None) -> None:
    """A play to the current trick; with the hand known, following is checked too.

    :raises Illegal: out of turn, a wrong count, a lead of two suits, a throw where none is allowed, a face too many, or a wrong follow.
    """
    if not cards:
        raise Illegal(Breach("count", "没有出牌", "no cards were played"))
    if deal.phase in (Phase.BOTTOM, Phase.ENDED):
        raise Illegal(Breach("count", "本副牌已打完", "the deal has been played out"))
    if deal.phase is Phase.BURYING:
        raise Illegal(Breach("turn", "底牌尚未扣下", "the bottom has not been buried yet"))
    if deal.turn is not None and seat is not deal.turn:
        raise Illegal(Breach("turn", f"应由{deal.turn}出牌", f"it is {deal.turn}'s turn"))
    ready = _with_kit(deal)
    kit = ready.kit
    if kit is None or ready.watch is None:
        return
    lead = ready.current.plays[0].cards if ready.current is not None and ready.current.plays else None
    if lead is None:
        breach = kit.lead_breach(cards) if UNKNOWN not in cards else None
    elif len(cards) != len(lead):
        breach = Breach("count", f"应出{len(lead)}张，实出{len(cards)}张", f"{len(cards)} cards were played, {len(lead)} were led")
    elif hand is not None and UNKNOWN not in lead and UNKNOWN not in cards and kit.lead_breach(lead) is None:
        breach = kit.breach(lead, hand, cards)
    else:
        breach = None
    if breach is not None:
        raise Illegal(breach)
    after = Counter(ready.watch.seen)
    after.update(cards)
    for card in cards:
        if card != UNKNOWN and after[card] > deal.rules.pack.decks:
            raise Illegal(Breach("pack", f"{card}超过{deal.rules.pack.decks}张", f"more than {deal.rules.pack.decks} of {card} were shown"))


def play(deal: Deal, event: CardsPlayed) -> Deal:
    """Record a play.

    A second one of the same seat in the same trick puts the first right; a play to the next trick closes a trick that has plays missing.
    """
    deal = _with_kit(replace(deal, declarer=deal.declarer or event.seat))
    earlier = deal.trick(event.trick)
    if earlier is not None and earlier.play_of(event.seat) is not None:
        return _put_right(deal, event.seat, event.trick, event.cards, event.evidence)
    current = deal.current
    if current is not None and event.trick > current.number and current.plays:
        deal = _close_with_holes(deal, event.seat)
        current = None
    if current is None:
        due = deal.leader
        number = max(deal.tricks[-1].number + 1 if deal.tricks else 1, deal.base_trick + 1, event.trick)
        current = Trick(number, event.seat)
        if due is not None and due is not event.seat:
            breach = Breach("turn", f"应由{due}首引", f"it was {due}'s lead")
            deal = _fault(deal, Fault(event.seat, number, number, breach, event.cards))
    else:
        due = deal.turn
        if due is not event.seat:
            breach = Breach("turn", f"应由{due}出牌", f"it was {due}'s turn")
            deal = _fault(deal, Fault(event.seat, current.number, current.number, breach, event.cards))
    new = Play(event.seat, event.cards, event.t, event.evidence)
    if current.plays and event.seat is current.leader:
        return _rebuilt(deal, current.number, (new, *current.plays))
    lead = current.plays[0].cards if current.plays else None
    current = replace(current, plays=(*current.plays, new))
    deal = replace(deal, current=current, watch=audits.observe(_watch(deal), current.number, event.seat, event.cards, lead))
    return _close(deal) if len(current.plays) == len(SEATS) else deal


def verify_take_back(deal: Deal, seat: Seat, trick: int, cards: tuple[Card, ...]) -> None:
    """Take cards back that lie played.

    :raises Illegal: when they do not lie there, or because a card once played stays (a failed throw is taken back without this offence).
    """
    where = deal.trick(trick)
    lying = where.play_of(seat) if where is not None else None
    if lying is None or Counter(cards) - Counter(lying.cards):
        raise Illegal(Breach("taken_back", "没有这些牌可收回", "these cards do not lie there"))
    clause = deal.rules.clause("penalties.taken_back")
    raise Illegal(Breach("taken_back", "出牌后不得收回", "a card once played stays", clause, cards, wrong_cards=len(cards)))


def take_back(deal: Deal, event: TakenBack) -> Deal:
    """Record that cards were taken back: a leader's, before anybody followed and with some left, is a failed throw.

    What is taken back from a trick that others have followed since stays as it was played: only the offence is recorded.
    """
    where = deal.trick(event.trick)
    lying = where.play_of(event.seat) if where is not None else None
    if where is None or lying is None:
        return deal
    left = tuple((Counter(lying.cards) - Counter(event.cards)).elements())
    failed_throw = where.plays == (lying,) and bool(left)
    if failed_throw:
        breach = Breach("throw", f"甩牌失败，收回{len(event.cards)}张", f"the throw failed: {len(event.cards)} cards were taken back",
                        deal.rules.clause("throws.fine"), wrong_cards=len(event.cards), thrown=len(lying.cards), stopped=len(left))  # fmt: skip
    else:
        breach = _breach(verify_take_back, deal, event.seat, event.trick, event.cards) or Breach("taken_back", "悔牌", "taken back")
    deal = _fault(deal, Fault(event.seat, where.number, where.number, breach, event.cards))
    if any(t.number > where.number for t in (*deal.tricks, *((deal.current,) if deal.current is not None else ()))):
        return deal
    plays = tuple(replace(p, cards=left) if p is lying else p for p in where.plays if p is not lying or left)
    return _rebuilt(deal, where.number, plays)


def _close(deal: Deal, winner: Seat | None = None) -> Deal:
    """Close the current trick: who wins, and its points."""
    trick = deal.current
    if trick is None:
        return deal
    kit = _watch(deal).kit
    points = sum(points_of(p.cards) for p in trick.plays)
    if winner is None:
        ordered = [p for seat in seats_from(trick.leader) if (p := trick.play_of(seat)) is not None]
        known = [p for p in ordered if UNKNOWN not in p.cards]
        winner = known[kit.winner([p.cards for p in known])].seat if known and known[0].seat is trick.leader else trick.leader
    return replace(deal, tricks=(*deal.tricks, replace(trick, winner=winner, points=points)), current=None)


def _close_with_holes(deal: Deal, leads_next: Seat) -> Deal:
    """Close a trick of which not every play was seen: unknown cards stand for the missing ones, and who leads next has won it."""
    trick = deal.current
    if trick is None:
        return deal
    size = len(trick.plays[0].cards)
    watch = _watch(deal)
    plays = list(trick.plays)
    for seat in seats_from(trick.leader):
        if trick.play_of(seat) is None:
            hidden = (UNKNOWN,) * size
            plays.append(Play(seat, hidden))
            watch = audits.observe(watch, trick.number, seat, hidden, trick.plays[0].cards)
    return _close(replace(deal, current=replace(trick, plays=tuple(plays)), watch=watch), leads_next)


# --- after the tricks -------------------------------------------------------------------------------------------------------------------------


def show_bottom(deal: Deal, cards: tuple[Card, ...]) -> Deal:
    """Record the bottom as it is turned face up; near the end of the hands that ends the deal, though a play may not have been seen."""
    most = deal.watch is not None and sum(deal.watch.counts.values()) >= 3 * deal.rules.pack.hand
    return replace(deal, shown=cards, closed=deal.closed or deal.played_out or most)


def reckoning(deal: Deal) -> Reckoning | None:
    """The deal's result, once it is closed (or played out, without a bottom) and the declarer is known."""
    if deal.phase is not Phase.ENDED or deal.declarer is None or not deal.tricks:
        return None
    if deal.stopped:
        return result_of(deal, deal.points)
    last = deal.tricks[-1]
    dug = dig(deal, last, deal.bottom or ())
    points = deal.points + dug.points
    won = last.play_of(dug.winner)
    hooked = _watch(deal).kit.hooked(dug.winner.team is not deal.declarer.team, won.cards) if won is not None else None
    return replace(result_of(deal, points, hooked), dig_points=dug.points, multiplier=dug.multiplier)


def result_of(deal: Deal, points: int, hooked: str | None = None) -> Reckoning:
    """The result if the attackers have so many points in all; ``hooked`` is the level that the last trick sends the declarers back to."""
    scored = _scored(deal, points, hooked)
    declarers = (deal.declarer or Seat.E).team
    levels = by_team(scored.levels, declarers)
    after = next_declarer(deal, scored.stage)
    return Reckoning(points, deal.trick_points, 0, deal.fines, 0, deal.bottom or (), scored, levels, after)


def by_team(by_side: Mapping[str, str], declarers: Team) -> dict[str, str]:
    """Levels by ``declarers`` and ``attackers`` as levels by team."""
    return {team.value: str(by_side["declarers" if team is declarers else "attackers"]) for team in Team}


def dig(deal: Deal, trick: Trick, bottom: tuple[Card, ...]) -> DigResult:
    """What a trick digs as it lies (of its known plays)."""
    kit = _watch(deal).kit
    plays = [p.cards for seat in seats_from(trick.leader) if (p := trick.play_of(seat)) is not None]
    declarer = deal.declarer or trick.leader
    if any(UNKNOWN in cards for cards in plays):
        return DigResult(trick.winner or trick.leader, 0, 0)
    burier = deal.buried.seat if deal.buried is not None else None
    return kit.dig(declarer, trick.leader, plays, tuple(c for c in bottom if c != UNKNOWN), burier)


def _scored(deal: Deal, points: int, hooked: str | None = None) -> ScoreResult:
    declarers = (deal.declarer or Seat.E).team
    levels = {"declarers": deal.levels[declarers.value], "attackers": deal.levels[declarers.other.value]}
    return _watch(deal).kit.score(points, levels, hooked)


def scored_now(deal: Deal) -> ScoreResult | None:
    """The result if the deal ended with the points it has now, or None before the tricks."""
    return _scored(deal, deal.points) if deal.watch is not None and deal.declarer is not None else None


def next_declarer(deal: Deal, stage: str) -> Seat | None:
    """Who is declarer next (rulebook: levels.next_on_hold, levels.next_on_change); None when there is a new race."""
    declarer = deal.declarer
    if declarer is None:
        return None
    held = stage == "declarers"
    how = deal.rules.levels.next_on_hold if held else deal.rules.levels.next_on_change
    if how is NextDeclarer.ALTERNATE:
        if held:
            return declarer.partner
        last = deal.last_declarers.get(declarer.team.other.value)
        return last.partner if last is not None else declarer.next
    return {NextDeclarer.PARTNER: declarer.partner, NextDeclarer.SAME: declarer, NextDeclarer.RIGHT: declarer.next}.get(how)


# --- the fold ---------------------------------------------------------------------------------------------------------------------------------


def apply(deal: Deal, event: Event) -> Deal:
    """Take one fact; events that are none of a deal change nothing."""
    if isinstance(event, Corrected):
        return _put_right(deal, event.seat, event.trick, event.cards, event.evidence)
    if isinstance(event, TrumpFixed) and (deal.tricks or deal.current is not None):
        first = next(i for i, fact in enumerate(deal.facts) if isinstance(fact, CardsPlayed))
        return _refold(deal, (*deal.facts[:first], event, *deal.facts[first:]))
    return _apply(replace(deal, facts=(*deal.facts, event)), event)


def _apply(deal: Deal, event: Event) -> Deal:
    match event:
        case Declared():
            return declare(deal, event.seat, event.cards, face_down=event.face_down)
        case TrumpFixed():
            return _with_kit(replace(deal, trump=parse_trump(event.trump), declarer=event.declarer, watch=None))
        case BottomTaken():
            return take(deal, event.seat)
        case Buried():
            return bury(deal, event)
        case CardsPlayed():
            return play(deal, event)
        case TakenBack():
            return take_back(deal, event)
        case BottomShown() | BottomCorrected():
            return show_bottom(deal, event.cards)
        case ScoreSet():
            return _set_score(deal, event)
        case _:
            return deal


def close(deal: Deal) -> Deal:
    """End the deal without the bottom being shown: it is worked out as the pack minus everything played."""
    return replace(deal, closed=True)


def _set_score(deal: Deal, event: ScoreSet) -> Deal:
    """Put points, trick number, levels and the next leader as the referee says; what is played later adds to it."""
    levels = {**deal.levels, **event.levels}
    deal = _with_kit(replace(deal, levels=levels, base_points=event.points, base_trick=event.trick, current=None))
    marker = Trick(event.trick, event.leader, (), event.leader) if event.leader is not None and event.trick > 0 else None
    kept = tuple(t for t in deal.tricks if t.number < event.trick) if marker is not None else deal.tricks
    return replace(deal, tricks=(*kept, marker) if marker is not None else kept)


def _put_right(deal: Deal, seat: Seat, trick: int, cards: tuple[Card, ...], evidence: Mapping[str, Any]) -> Deal:
    """Put the cards of a play right (or add one that was not seen) in the facts, and fold them again."""
    facts = list(deal.facts)
    places = [i for i, fact in enumerate(facts) if isinstance(fact, CardsPlayed) and fact.trick == trick]
    own = [i for i in places if getattr(facts[i], "seat", None) is seat]
    if own:
        old = facts[own[0]]
        facts[own[0]] = replace(old, cards=cards, evidence={**old.evidence, **evidence})  # type: ignore[call-arg]
        drop = [i for i, fact in enumerate(facts) if i in own[1:] or (isinstance(fact, TakenBack) and fact.seat is seat and fact.trick == trick)]
        return _refold(deal, tuple(fact for i, fact in enumerate(facts) if i not in drop))
    t = facts[places[-1]].t if places else (facts[-1].t if facts else 0.0)
    added = CardsPlayed(t=t, seat=seat, trick=trick, cards=cards, evidence=evidence)
    later = [i for i, fact in enumerate(facts) if isinstance(fact, CardsPlayed) and fact.trick > trick]
    where = places[-1] + 1 if places else later[0] if later else len(facts)
    return _refold(deal, (*facts[:where], added, *facts[where:]))


def _refold(deal: Deal, facts: tuple[Event, ...]) -> Deal:
    """Fold facts from the deal's beginning."""
    out = replace(start(deal.rules, deal.number, deal.opening, deal.fixed, deal.last_declarers), fines=deal.fines, stopped=deal.stopped)
    for fact in facts:
        out = _apply(replace(out, facts=(*out.facts, fact)), fact)
    return replace(out, closed=out.closed or (deal.closed and deal.shown is None))


def _rebuilt(deal: Deal, number: int, plays: tuple[Play, ...]) -> Deal:
    """The deal with other plays in one trick, the audit made anew."""
    watch = audits.Watch(_watch(deal).kit)
    done: list[Trick] = []
    last: Trick | None = None
    for trick in (*deal.tricks, *((deal.current,) if deal.current is not None else ())):
        new = replace(trick, plays=plays, winner=None) if trick.number == number else trick
        for p in new.plays:
            watch = audits.observe(watch, new.number, p.seat, p.cards, new.plays[0].cards if p is not new.plays[0] else None)
        if new.winner is None:
            last = new
        else:
            done.append(new)
    out = replace(deal, tricks=tuple(done), current=last if last is not None and last.plays else None, watch=watch)
    return _close(out) if last is not None and len(last.plays) == len(SEATS) else out


def _with_kit(deal: Deal) -> Deal:
    """The deal with its trump settled and the audit begun; without any declaration the level is played at no-trump."""
    if deal.watch is not None:
        return deal
    trump = _settled(deal).trump or Trump(_rank(deal.levels[(deal.declarer or Seat.E).team.value]), None)
    return replace(deal, trump=trump, watch=audits.Watch(Kit(deal.rules, trump)))


def _watch(deal: Deal) -> audits.Watch:
    watch = _with_kit(deal).watch
    assert watch is not None
    return watch


def _fault(deal: Deal, fault: Fault) -> Deal:
    return replace(deal, faults=(*deal.faults, fault))


def _breach(verify: Callable[..., None], *args: Any) -> Breach | None:
    """The breach for which an action is refused, or None."""
    try:
        verify(*args)
    except Illegal as error:
        return error.breach
    return None


def can_declare(deal: Deal, seat: Seat, cards: tuple[Card, ...]) -> bool:
    """Whether :func:`verify_declare` passes."""
    return _breach(verify_declare, deal, seat, cards) is None


def can_take(deal: Deal, seat: Seat) -> bool:
    """Whether :func:`verify_take` passes."""
    return _breach(verify_take, deal, seat) is None


def can_bury(deal: Deal, seat: Seat, count: int) -> bool:
    """Whether :func:`verify_bury` passes."""
    return _breach(verify_bury, deal, seat, count) is None


def can_play(deal: Deal, seat: Seat, cards: tuple[Card, ...], hand: tuple[Card, ...] | None = None) -> bool:
    """Whether :func:`verify_play` passes."""
    return _breach(verify_play, deal, seat, cards, hand) is None


def can_take_back(deal: Deal, seat: Seat, trick: int, cards: tuple[Card, ...]) -> bool:
    """Whether :func:`verify_take_back` passes."""
    return _breach(verify_take_back, deal, seat, trick, cards) is None


FACTS: Final = (Declared, TrumpFixed, BottomTaken, Buried, CardsPlayed, TakenBack, BottomShown, BottomCorrected, ScoreSet, Corrected)
"""The events that are facts of a deal."""
