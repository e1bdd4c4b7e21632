"""Declaring as a state machine: who lays what, when, and which declaration stands.

A state is frozen; :func:`offer` gives the next one and says whether the cards were accepted, and if not, why. Time is told
to it (seconds of the table's clock), never asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, RANK_INDEX, RANK_OF, SUIT_OF, Card, Rank, Seat, Suit, Trump, format_cards, seats_from
from engine.order import order_of
from engine.rulebook import Declaring, Rulebook
from engine.rulebook_check import parse_bid
from engine.rulebook_terms import (
    FirstDeclarer,
    FirstJokers,
    Marker,
    MovesDeclarer,
    NamedBy,
    Nobody,
    Overturn,
    Overturner,
    Reinforce,
    Simultaneous,
    Since,
    Stir,
    Until,
)

TWO: Final = Rank("2")


@unique
class Phase(StrEnum):
    """How far the deal has come."""

    DRAWING = "drawing"
    DRAWN = "drawn"
    TAKEN = "taken"
    BURIED = "buried"


@dataclass(frozen=True, slots=True)
class Bid:
    """A declaration that stands or stood: who made it, the suit (None: no-trump), its rung on the ladder, how many cards."""

    seat: Seat
    suit: Suit | None
    rung: int
    count: int


@dataclass(frozen=True, slots=True)
class DeclareState:
    """The declaring of one deal: what stands, who is declarer by it, and what is needed to judge the next offer."""

    rules: Rulebook
    deal: int
    level: Rank
    phase: Phase = Phase.DRAWING
    drawn_at: float | None = None
    bids: tuple[Bid, ...] = ()
    declarer: Seat | None = None
    fixed: Seat | None = None
    shown: frozenset[Seat] = frozenset()
    flipped: Card | None = None
    barred: frozenset[Seat] = frozenset()
    stirs: tuple[Bid, ...] = ()

    @property
    def standing(self) -> Bid | None:
        """The declaration that stands now."""
        return self.bids[-1] if self.bids else None

    @property
    def trump(self) -> Trump | None:
        """The trump as it stands now; None while nobody has declared."""
        last = self.stirs[-1] if self.stirs else self.standing
        return Trump(self.level, last.suit) if last else None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an offer: the state after it, whether it was accepted, and the reason if not, in both languages."""

    state: DeclareState
    accepted: bool
    zh: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How declaring ended: the trump and declarer, or what the rulebook asks for when nobody declared."""

    trump: Trump | None
    declarer: Seat | None
    nobody: Nobody | None = None


def begin(rules: Rulebook, deal: int, level: Rank, declarer: Seat | None = None, flipped: Card | None = None) -> DeclareState:
    """The state before anybody has declared.

    :param declarer: the declarer where it is fixed before the deal.
    :param flipped: the face that was flipped, where the first deal's declarations must carry it.
    """
    return DeclareState(rules, deal, level, fixed=declarer, declarer=declarer, flipped=flipped)


def advance(state: DeclareState, phase: Phase, t: float | None = None) -> DeclareState:
    """Tell the state that the draw is over, or that the bottom was taken or buried."""
    return replace(state, phase=phase, drawn_at=t if phase is Phase.DRAWN else state.drawn_at)


def _read(state: DeclareState, seat: Seat, cards: Sequence[Card]) -> tuple[Bid, Card | None] | tuple[str, str]:
    """Read the cards of an offer as a declaration and the marker beside it, or say in both languages why they are none."""
    rules = state.rules.declaring
    rest = list(cards)
    marker: Card | None = None
    if state.deal == 1 and rules.marker is not Marker.NONE:
        wanted = Card(rules.marker_card) if rules.marker is Marker.CARD else state.flipped
        if wanted is None:
            named = state.level if rules.named_by is NamedBy.LEVEL else TWO
            odd = [card for card in rest if RANK_OF.get(card) != named]
            wanted = odd[0] if len(odd) == 1 else None
        if wanted is not None and wanted in rest:
            rest.remove(wanted)
            marker = wanted
        elif seat not in state.shown:
            what = wanted or "…"
            return f"第一局叫牌须带{what}", f"in the first deal a declaration must carry {what}"
    bid = _bid(state, seat, rest)
    if bid is None:
        return (f"{format_cards(cards)}不是叫牌", f"{format_cards(cards)} is not a declaration at level {state.level}")
    return bid, marker


def _bid(state: DeclareState, seat: Seat, cards: Sequence[Card]) -> Bid | None:
    """Equal cards that declare: level cards (or twos), or jokers for no-trump, on a rung of the ladder."""
    rules = state.rules.declaring
    if not cards or len(set(cards)) != 1 or rules.named_by is NamedBy.ANY:
        return None
    card, count = cards[0], len(cards)
    if card in (LITTLE_JOKER, BIG_JOKER):
        kind = "LJ" if card == LITTLE_JOKER else "BJ"
        suit = None
    else:
        if RANK_OF.get(card) != (state.level if rules.named_by is NamedBy.LEVEL else TWO):
            return None
        kind, suit = "level", SUIT_OF[card]
    rung = _rung(rules.ladder, kind, count)
    return None if rung is None else Bid(seat, suit, rung, count)


def _rung(ladder: Sequence[str], kind: str, count: int) -> int | None:
    for i, text in enumerate(ladder):
        if parse_bid(text) == (kind, count):
            return i
    return None


def _refused(state: DeclareState, zh: str, en: str) -> Answer:
    return Answer(state, accepted=False, zh=zh, en=en)


def _timely(state: DeclareState, t: float | None) -> tuple[str, str] | None:
    """Why it is too early or too late to declare; None when it is in time."""
    rules = state.rules
    if state.phase is Phase.DRAWING and rules.declaring.since is Since.AFTER_DRAW:
        return "抓完牌后才能叫牌", "declarations are heard only after the draw"
    ended = {Until.DRAW_ENDS: Phase.DRAWN, Until.BOTTOM_TURNED: Phase.TAKEN, Until.BOTTOM_TAKEN: Phase.TAKEN}[rules.declaring.until]
    order = list(Phase)
    if order.index(state.phase) >= order.index(ended):
        if state.phase is Phase.TAKEN and rules.declaring.bottom_cards_count:
            return None
        return "叫牌已截止", "declaring is over"
    window = rules.clocks.overturn_s
    if window and t is not None and state.drawn_at is not None and t > state.drawn_at + window:
        return f"抓完牌{window}秒后不得再反主", f"more than {window} s after the draw"
    return None


def offer(state: DeclareState, seat: Seat, cards: Sequence[Card], t: float | None = None) -> Answer:
    """A seat lays cards to declare, reinforce or overturn.

    :param cards: all the cards of the declaration, with the marker where the first deal asks for one.
    :param t: seconds of the table's clock, where an overturn window is timed.
    """
    rules = state.rules.declaring
    late = _timely(state, t)
    if late:
        return _refused(state, *late)
    if seat in state.barred:
        return _refused(state, "该方已失去叫牌权", "this side may not declare any more")
    holder = state.deal == 1 and rules.first_declarer is FirstDeclarer.CARD_HOLDER and rules.first_declarer_card in cards
    if holder and state.declarer is None:
        state = replace(state, declarer=seat)
        beside = [card for card in cards if card != rules.first_declarer_card]
        if not beside and _bid(state, seat, cards) is None:
            return Answer(state, accepted=True)
        cards = beside or cards
    read = _read(state, seat, cards)
    if isinstance(read[0], str):
        return _refused(state, read[0], str(read[1]))
    bid = read[0]
    if state.deal == 1 and bid.suit is None and rules.jokers_first_deal is FirstJokers.NONE:
        return _refused(state, "第一局不可用王", "jokers may not declare in the first deal")
    standing = state.standing
    reinforced = _reinforced(state, bid)
    if reinforced is not None:
        return _accept(state, reinforced, seat, cards)
    if standing is not None:
        why = _cannot_overturn(state, standing, bid)
        if why:
            return _refused(state, *why)
    return _accept(state, bid, seat, cards)


def _reinforced(state: DeclareState, bid: Bid) -> Bid | None:
    """The standing declaration with more equal cards on it, where its maker (or the partner) may add them."""
    standing = state.standing
    rules = state.rules.declaring
    if standing is None or bid.suit is not standing.suit or rules.reinforce is Reinforce.NONE:
        return None
    own = bid.seat is standing.seat
    if not own and not (rules.reinforce is Reinforce.SIDE and bid.seat is standing.seat.partner):
        return None
    count = bid.count if own and bid.count > standing.count else standing.count + bid.count
    rung = _rung(rules.ladder, "level", count) if bid.suit is not None else bid.rung if bid.rung > standing.rung else None
    return None if rung is None else Bid(standing.seat, standing.suit, rung, count)


def _cannot_overturn(state: DeclareState, standing: Bid, bid: Bid) -> tuple[str, str] | None:
    """Why a declaration does not overturn the standing one; None when it does."""
    rules = state.rules.declaring
    how = rules.overturn_first_deal if state.deal == 1 else rules.overturn
    if how is Overturn.NONE:
        return "亮主后不得反主", "a declaration may not be overturned"
    if state.deal > 1 and rules.overturner is Overturner.DECLARER and state.fixed is not None and bid.seat is not state.fixed:
        return "只有庄家可以反主", "only the declarer may overturn"
    if bid.seat is standing.seat and (not rules.self_overturn or bid.suit is standing.suit):
        return "不得自己反自己", "one may not overturn oneself"
    if bid.seat is not standing.seat and bid.seat.team is standing.seat.team and bid.suit is standing.suit and bid.rung <= standing.rung:
        return "同门须更多张才能反", "the same suit needs more cards"
    if how is Overturn.LATER or _stronger(rules, standing, bid):
        return None
    return "须比前一次更大才能反主", "an overturn must be stronger than what stands"


def _stronger(rules: Declaring, standing: Bid, bid: Bid) -> bool:
    """Whether a declaration ranks above another: a higher rung, or on one rung the higher suit where suits rank."""
    if bid.rung != standing.rung:
        return bid.rung > standing.rung
    if not rules.suit_order or bid.count < rules.suit_order_from or bid.suit is None or standing.suit is None:
        return False
    return rules.suit_order.index(bid.suit) < rules.suit_order.index(standing.suit)


def _accept(state: DeclareState, bid: Bid, seat: Seat, cards: Sequence[Card]) -> Answer:
    """The state once a declaration stands; in the first deal it may make or move the declarer."""
    rules = state.rules.declaring
    declarer = state.declarer
    flipped = state.flipped
    if state.deal == 1 and state.fixed is None and rules.first_declarer is not FirstDeclarer.CARD_HOLDER:
        races = bid.suit is not None or rules.jokers_first_deal is FirstJokers.FULL
        moves = rules.first_declarer is FirstDeclarer.LAST_BID and rules.moves_declarer is MovesDeclarer.FIRST_DEAL
        if races and (declarer is None or moves):
            declarer = bid.seat
    if state.deal == 1 and rules.marker is Marker.FLIPPED and flipped is None:
        named = state.level if rules.named_by is NamedBy.LEVEL else TWO
        flipped = next((card for card in cards if RANK_OF.get(card) != named), None)
    after = replace(state, bids=(*state.bids, bid), declarer=declarer, flipped=flipped, shown=state.shown | {seat})
    return Answer(after, accepted=True)


def first_heard(rules: Rulebook, seats: Collection[Seat], drawer: Seat) -> Seat | None:
    """Whose declaration counts first when several are laid at the same time; None when the referee draws lots.

    :param drawer: who drew first in this deal; the earlier in playing order counts first (threedeck-to6 八、2: 以上家为准).
    """
    if rules.declaring.simultaneous is Simultaneous.LOTS:
        return None
    return next(seat for seat in seats_from(drawer) if seat in seats)


def bar(state: DeclareState, seat: Seat) -> DeclareState:
    """Take a side's right to declare away (a face-down declaration that was shown)."""
    return replace(state, barred=state.barred | {seat, seat.partner})


def finish(state: DeclareState, bottom: Sequence[Card] = ()) -> Outcome:
    """End the declaring.

    :param bottom: the bottom's cards in the order in which they are turned, where the rulebook turns them when nobody declared.
    """
    trump = state.trump
    if trump is not None:
        return Outcome(trump, state.declarer)
    rules = state.rules.declaring
    nobody = rules.nobody_first_deal if state.deal == 1 else rules.nobody_later
    if nobody is Nobody.NO_TRUMP:
        return Outcome(Trump(state.level, None), state.declarer, nobody)
    suit = _turned(state, nobody, bottom)
    return Outcome(Trump(state.level, suit) if suit else None, state.declarer, nobody)


def _turned(state: DeclareState, nobody: Nobody, bottom: Sequence[Card]) -> Suit | None:
    """The suit that the turned bottom names."""
    suited = [card for card in bottom if card in SUIT_OF]
    if not suited:
        return None
    level_cards = [card for card in suited if RANK_OF[card] == state.level]
    match nobody:
        case Nobody.FLIP_FIRST:
            return SUIT_OF[suited[0]]
        case Nobody.FLIP_LEVEL_FIRST:
            return SUIT_OF[(level_cards or suited)[0]]
        case Nobody.FLIP_LEVEL_HIGHEST:
            if level_cards:
                return SUIT_OF[level_cards[0]]
            places = order_of(state.rules, None).place
            return SUIT_OF[max(suited, key=lambda card: places.get(card, RANK_INDEX[RANK_OF[card]]))]
        case _:
            return None


def stir(state: DeclareState, seat: Seat, cards: Sequence[Card]) -> Answer:
    """A seat takes up the buried bottom with a pair (炒地皮): it names a new trump and will bury anew; the declarer stays."""
    rules = state.rules.declaring
    if rules.stir is Stir.NONE:
        return _refused(state, "不可炒底", "the bottom may not be stirred")
    if state.phase is not Phase.BURIED:
        return _refused(state, "扣底之后才能炒底", "the bottom is stirred only after it was buried")
    if rules.stir_needs_early_trump and not state.bids:
        return _refused(state, "翻底牌定主的不可炒底", "trump was named by the turned bottom, so it may not be stirred")
    if not cards or len(set(cards)) != 1:
        return _refused(state, f"{format_cards(cards)}不能炒底", f"{format_cards(cards)} does not stir")
    card = cards[0]
    joker = card in (LITTLE_JOKER, BIG_JOKER)
    kind = str(card) if joker else "level"
    rung = _rung(rules.stir_ladder, kind, len(cards))
    if rung is None or not (joker or RANK_OF.get(card) == state.level):
        return _refused(state, f"{format_cards(cards)}不能炒底", f"{format_cards(cards)} does not stir at level {state.level}")
    bid = Bid(seat, None if joker else SUIT_OF[card], rung, len(cards))
    last = state.stirs[-1] if state.stirs else None
    if last is not None and last.seat is seat:
        return _refused(state, "不得接着炒自己", "one may not stir again right after oneself")
    if rules.stir is Stir.STRONGER:
        floor = last or _as_stir(state)
        if floor is not None and not _stronger(rules, floor, bid):
            return _refused(state, "须更大才能炒底", "a stir must be stronger than the one before")
    return Answer(replace(state, stirs=(*state.stirs, bid)), accepted=True)


def _as_stir(state: DeclareState) -> Bid | None:
    """The standing declaration on the stirring ladder; None where it has no rung there, so that any stir is above it."""
    standing, rules = state.standing, state.rules.declaring
    if standing is None:
        return None
    rung = _rung(rules.stir_ladder, *parse_bid(rules.ladder[standing.rung]))
    return None if rung is None else replace(standing, rung=rung)
