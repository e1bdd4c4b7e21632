"""A deal before its tricks: declaring, taking the bottom, burying it, stirring it."""

from __future__ import annotations

from dataclasses import replace

from engine import declare as declares
from engine.cards import UNKNOWN, Card, Seat
from engine.deal_state import Bid, Deal, Fault, Illegal, Phase, breach_of, rank_of, settled, with_fault, with_kit
from engine.declare import DeclareState
from engine.events import Buried
from engine.kit import Breach
from engine.rulebook_terms import Style


def drawn(deal: Deal, t: float) -> Deal:
    """Record that the pack has been drawn; told again, or after the bottom was taken, it changes nothing."""
    if deal.drawn_at is not None or deal.taken or deal.tricks or deal.current is not None:
        return deal
    return replace(deal, declaring=declares.advance(deal.declaring, declares.Phase.DRAWN, t))


def verify_declare(deal: Deal, seat: Seat, cards: tuple[Card, ...], t: float | None = None) -> None:
    """A declaration, reinforcement or overturn; after the bottom was buried, a stir.

    :param t: seconds of the table's clock, where an overturn window is timed.
    :raises Illegal: when the tricks have begun or the rulebook does not accept it.
    """
    answer = _offered(deal, seat, cards, t)
    if isinstance(answer, Breach):
        raise Illegal(answer)


def _offered(deal: Deal, seat: Seat, cards: tuple[Card, ...], t: float | None) -> DeclareState | Breach:
    """The declaring after an offer, or why it is refused."""
    clause = deal.rules.clause("declaring.ladder")
    if deal.current is not None or deal.tricks:
        return Breach("declaration", "出牌后不得再亮主", "the play has begun: too late to declare", deal.rules.clause("declaring.until"))
    state = deal.declaring
    if deal.fixed is None:
        state = replace(state, level=rank_of(deal.levels[seat.team.value]))
    if deal.buried is None and (window := deal.rules.clocks.overturn_s) and t is not None and (end := deal.drawn_at) is not None and t > end + window:
        clause = deal.rules.clause("clocks.overturn_s")
    answer = declares.stir(state, seat, cards) if deal.buried is not None else declares.offer(state, seat, cards, t)
    return answer.state if answer.accepted else Breach("declaration", answer.zh, answer.en, clause, cards)


def declare(deal: Deal, seat: Seat, cards: tuple[Card, ...], *, face_down: bool = False, t: float | None = None) -> Deal:
    """Record a declaration; one that is not accepted changes nothing and is a fault. Face down it stands aside until it is shown."""
    hidden = _hidden(deal) if face_down else None
    if hidden is not None:
        deal = replace(deal, bids=(*deal.bids, Bid(seat, cards, accepted=False, face_down=True)))
        return with_fault(deal, Fault(seat, 0, 0, hidden, cards))
    if face_down or not cards or UNKNOWN in cards:
        return replace(deal, bids=(*deal.bids, Bid(seat, cards, accepted=True, face_down=True)))
    answer = _offered(deal, seat, cards, t)
    if isinstance(answer, Breach):
        deal = replace(deal, bids=(*deal.bids, Bid(seat, cards, accepted=False)))
        return with_fault(deal, Fault(seat, 0, 0, answer, cards))
    bids = (*deal.bids, Bid(seat, cards, accepted=True))
    return replace(deal, bids=bids, declaring=answer, trump=answer.trump, declarer=answer.declarer or deal.declarer)


def _hidden(deal: Deal) -> Breach | None:
    """Why a declaration may not lie face down (rulebook: declaring.style), or None."""
    style = deal.rules.declaring.style
    standing = any(bid.accepted and not bid.face_down for bid in deal.bids)
    if style is Style.FACE_DOWN or (style is Style.HIDDEN_OVERTURN and standing):
        return None
    return Breach("declaration", f"本规则叫牌须{Style.OPEN.zh}", "a declaration must lie face up", deal.rules.clause("declaring.style"))


def verify_take(deal: Deal, seat: Seat, t: float | None = None) -> None:
    """Take the bottom.

    :param t: seconds of the table's clock, where the sheet asks for a pause before.
    :raises Illegal: when there is none, the tricks have begun, another seat is the declarer, or the pause before it is not over.
    """
    if not deal.rules.pack.bottom:
        raise Illegal(Breach("bottom", "本规则没有底牌", "this rulebook has no bottom", deal.rules.clause("pack.bottom")))
    stirred = deal.declaring.stirs[-1].seat if deal.declaring.stirs else None
    if deal.phase is Phase.TRICK and (stirred is not seat or deal.current is not None or deal.tricks):
        raise Illegal(Breach("bottom_touched", "底牌扣下后不得再动", "the buried bottom may not be touched again"))
    if not deal.taken and deal.declarer is not None and deal.declarer is not seat:
        raise Illegal(Breach("wrong_declarer", f"庄家是{deal.declarer}", f"the declarer is {deal.declarer}"))
    pause = deal.rules.clocks.pause_s
    if pause and t is not None and not deal.taken and deal.drawn_at is not None and (waited := t - deal.drawn_at) < pause:
        zh, en = f"抓完牌须停{pause}秒再收底牌，只停了{waited:.1f}秒", f"{pause} s must pass between the draw and the bottom, only {waited:.1f} s did"
        raise Illegal(Breach("too_soon", zh, en, deal.rules.clause("clocks.pause_s")))


def take(deal: Deal, seat: Seat, t: float | None = None) -> Deal:
    """Record who takes the bottom; without a declaration that makes this seat the declarer. Taken again before the tricks, it is buried anew."""
    breach = breach_of(verify_take, deal, seat, t)
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
