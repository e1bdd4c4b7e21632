"""Simulated dealing: shuffle, draw card by card, declare and overturn by the rulebook, bury, stir."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine import declare, players
from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER, SEATS, SUIT_OF, Card, Seat, Suit, Team, Trump, seats_from
from engine.deal_state import rank_of
from engine.declare import DeclareState
from engine.events import BottomTaken, Buried, Declared, Event, Source, TrumpFixed
from engine.kit import Kit
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.rulebook_check import parse_bid
from engine.rulebook_terms import FirstDeclarer, Marker, NamedBy, Nobody, Since, Stir


@dataclass(slots=True)
class Dealt:
    """A deal that is ready to be played: hands, bottom, what was said and done, the declarer and the trump."""

    hands: dict[Seat, list[Card]]
    bottom: list[Card]
    declarer: Seat
    trump: Trump
    events: list[Event] = field(default_factory=list)


def deal_out(rules: Rulebook, rng: SplitMix64, number: int, levels: Mapping[Team, str], fixed: Seat | None) -> Dealt:
    """Draw and declare until a trump and a declarer stand; a deal in which nobody can declare is drawn again where the rulebook says so."""
    while True:
        dealt = _draw(rules, rng, number, levels, fixed)
        if dealt is not None:
            break
    if rules.pack.bottom:
        _bury(rules, dealt, dealt.declarer)
        _stir(rules, rng, dealt, number, levels, fixed)
    return dealt


def _draw(rules: Rulebook, rng: SplitMix64, number: int, levels: Mapping[Team, str], fixed: Seat | None) -> Dealt | None:
    pack = list(FACES) * rules.pack.decks
    rng.shuffle(pack)
    first = fixed or rng.choice(SEATS)
    hands: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
    drawn = len(pack) - rules.pack.bottom
    talk = _Talk(rules, rng, number, levels, fixed)
    order = seats_from(first)
    for i in range(drawn):
        seat = order[i % 4]
        hands[seat].append(pack[i])
        if rules.declaring.since is not Since.AFTER_DRAW:
            talk.speak(seat, hands[seat], last=i >= drawn - 4)
    talk.state = declare.advance(talk.state, declare.Phase.DRAWN)
    for seat in order:
        if not talk.state.bids:
            talk.speak(seat, hands[seat], last=True)
    bottom = pack[drawn:]
    return talk.end(hands, bottom, first)


class _Talk:
    """The declaring of a deal that is being drawn."""

    def __init__(self, rules: Rulebook, rng: SplitMix64, number: int, levels: Mapping[Team, str], fixed: Seat | None) -> None:
        self.rules, self.rng, self.levels, self.fixed = rules, rng, levels, fixed
        self.state: DeclareState = declare.begin(rules, 1 if fixed is None else max(number, 2), rank_of(levels[(fixed or Seat.E).team]), fixed)
        self.events: list[Event] = []

    def speak(self, seat: Seat, hand: Sequence[Card], *, last: bool) -> None:
        """Let a player declare or overturn, if the hand is good for it (in the last round, if it can)."""
        state = self.state
        if self.fixed is None:
            state = replace(state, level=rank_of(self.levels[seat.team]))
        for suit, cards in _offers(self.rules, state, hand):
            standing = state.standing
            if standing is not None and standing.seat.team is seat.team and self.rng.random() < 0.9:
                continue
            if standing is not None and standing.seat is seat and standing.suit is suit and len(cards) <= standing.count:
                continue
            likes = players.likes_to_declare(self.rules, hand, state.level, suit, len(hand), self.fixed is None, self.rng)
            if not (likes or (last and standing is None)):
                continue
            answer = declare.offer(state, seat, cards)
            if answer.accepted:
                self.state = answer.state
                self.events.append(Declared(seat=seat, cards=cards, source=Source.TRUTH))
                return

    def end(self, hands: dict[Seat, list[Card]], bottom: list[Card], first: Seat) -> Dealt | None:
        """The deal once the draw is over, or None when it must be drawn again."""
        outcome = declare.finish(self.state, bottom)
        declarer = outcome.declarer or self.fixed
        if outcome.nobody in (Nobody.REDEAL, Nobody.CHOKED, Nobody.STEPS_DOWN):
            return None
        trump = outcome.trump
        if trump is None or declarer is None:
            suit = self.rng.choice(tuple(Suit)) if outcome.nobody is Nobody.LOTS else None
            declarer = declarer or first
            trump = trump or Trump(rank_of(self.levels[declarer.team]), suit)
        if outcome.nobody is not None or outcome.declarer is None:
            trump = Trump(rank_of(self.levels[declarer.team]), trump.suit)
            self.events.append(TrumpFixed(trump=str(trump), declarer=declarer, source=Source.TRUTH))
        return Dealt(hands, bottom, declarer, trump, self.events)


def _offers(rules: Rulebook, state: DeclareState, hand: Sequence[Card]) -> Iterator[tuple[Suit | None, tuple[Card, ...]]]:
    """What a hand could lay down, the best suit first, with the marker where the first deal asks for one."""
    how = rules.declaring
    opens = state.deal == 1 and how.first_declarer is FirstDeclarer.CARD_HOLDER and state.declarer is None
    if opens and Card(how.first_declarer_card) in hand:
        yield None, (Card(how.first_declarer_card),)
    if how.named_by is NamedBy.ANY:
        return
    marker: tuple[Card, ...] = ()
    if state.deal == 1 and how.marker is Marker.CARD:
        if Card(how.marker_card) not in hand:
            return
        marker = (Card(how.marker_card),)
    elif state.deal == 1 and how.marker is Marker.FLIPPED:
        wanted = state.flipped or next((c for c in hand if SUIT_OF.get(c) is not None and not c.endswith(state.level) and not c.endswith("2")), None)
        if wanted is None or wanted not in hand:
            return
        marker = (wanted,)
    named = state.level if how.named_by is NamedBy.LEVEL else declare.TWO
    wish = sorted(Suit, key=lambda s: (-players.trump_wish(rules, hand, state.level, s), s))
    for suit in wish:
        card = Card(suit + named)
        held = hand.count(card) - marker.count(card)
        rungs = [count for kind, count in map(parse_bid, how.ladder) if kind == "level" and count <= held]
        for count in sorted(rungs, reverse=state.standing is not None):
            yield suit, (*(card,) * count, *marker)
    for joker, kind in ((BIG_JOKER, "BJ"), (LITTLE_JOKER, "LJ")):
        for name, count in map(parse_bid, how.ladder):
            if name == kind and count <= hand.count(joker):
                yield None, (*(joker,) * count, *marker)


def _bury(rules: Rulebook, dealt: Dealt, seat: Seat) -> None:
    """A seat takes the bottom and buries as many cards."""
    own = dealt.hands[seat]
    own += dealt.bottom
    table = players.Table(Kit(rules, dealt.trump), rules.pack.decks)
    dealt.bottom = list(players.bury(table, own, rules.pack.bottom))
    for card in dealt.bottom:
        own.remove(card)
    dealt.events += [
        BottomTaken(seat=seat, source=Source.TRUTH),
        Buried(seat=seat, count=len(dealt.bottom), cards=tuple(dealt.bottom), source=Source.TRUTH),
    ]


def _stir(rules: Rulebook, rng: SplitMix64, dealt: Dealt, number: int, levels: Mapping[Team, str], fixed: Seat | None) -> None:
    """Let the players stir the bottom where the rulebook has that, each taking it and burying anew."""
    if rules.declaring.stir is Stir.NONE:
        return
    state = declare.begin(rules, 1 if fixed is None else max(number, 2), rank_of(levels[dealt.declarer.team]), fixed)
    for event in dealt.events:
        if isinstance(event, Declared):
            answer = declare.offer(state, event.seat, event.cards)
            state = answer.state
    state = declare.advance(state, declare.Phase.BURIED)
    for seat in seats_from(dealt.declarer.next):
        hand = dealt.hands[seat]
        for kind, count in map(parse_bid, rules.declaring.stir_ladder):
            cards = [LITTLE_JOKER] if kind == "LJ" else [BIG_JOKER] if kind == "BJ" else [Card(s + state.level) for s in Suit]
            held = next((c for c in cards if hand.count(c) >= count), None)
            if held is None or rng.random() < 0.5:
                continue
            answer = declare.stir(state, seat, (held,) * count)
            if answer.accepted:
                state = answer.state
                trump = state.trump
                dealt.trump = trump if trump is not None else dealt.trump
                dealt.events.append(Declared(seat=seat, cards=(held,) * count, source=Source.TRUTH))
                _bury(rules, dealt, seat)
                break
