"""A deal before its tricks: declaring, taking the bottom, burying it, stirring it."""

from __future__ import annotations

from dataclasses import replace

from engine import declare as declares
from engine.cards import UNKNOWN, Card, Seat
from engine.deal_state import Bid, Deal, Fault, Illegal, Phase, breach_of, rank_of, settled, with_fault, with_kit
from engine.declare import DeclareState
from engine.events import Buried
from engine.kit import Breach


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
        state = replace(state, level=rank_of(deal.levels[seat.team.value]))
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
        return with_fault(deal, Fault(seat, 0, 0, answer, cards))
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
    breach = breach_of(verify_take, deal, seat)
    if breach is not None:
        deal = with_fault(deal, Fault(seat, 0, 0, breach))
    if deal.current is not None or deal.tricks:
        return deal
    declaring = declares.advance(deal.declaring, declares.Phase.TAKEN)
    return settled(replace(deal, taken=(*deal.taken, seat), declarer=deal.declarer or seat, declaring=declaring, buried=None, watch=None))


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
    breach = breach_of(verify_bury, deal, event.seat, event.count)
    if breach is not None:
        deal = with_fault(deal, Fault(event.seat, 0, 0, breach))
    if "nobody_declared" in deal.rules.penalties and not any(bid.accepted for bid in deal.bids):
        breach = Breach("nobody_declared", "无人亮主", "nobody declared", deal.rules.clause("penalties.nobody_declared"))
        deal = with_fault(deal, Fault(deal.declarer or event.seat, 0, 0, breach))
    declaring = declares.advance(deal.declaring, declares.Phase.BURIED)
    return with_kit(replace(deal, buried=event, declarer=deal.declarer or event.seat, declaring=declaring, watch=None))


def can_declare(deal: Deal, seat: Seat, cards: tuple[Card, ...]) -> bool:
    """Whether :func:`verify_declare` passes."""
    return breach_of(verify_declare, deal, seat, cards) is None


def can_take(deal: Deal, seat: Seat) -> bool:
    """Whether :func:`verify_take` passes."""
    return breach_of(verify_take, deal, seat) is None


def can_bury(deal: Deal, seat: Seat, count: int) -> bool:
    """Whether :func:`verify_bury` passes."""
    return breach_of(verify_bury, deal, seat, count) is None
