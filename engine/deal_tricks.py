"""A deal's tricks: plays, cards taken back, plays that were not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine import audit as audits
from engine.cards import SEATS, UNKNOWN, Card, Seat, points_of, seats_from
from engine.deal_state import Deal, Fault, Illegal, Phase, Play, Trick, breach_of, watch_of, with_fault, with_kit
from engine.events import CardsPlayed, TakenBack
from engine.kit import Breach


def verify_play(deal: Deal, seat: Seat, cards: tuple[Card, ...], hand: tuple[Card, ...] | None = None) -> None:
    """A play to the current trick; with the hand known, following is checked too.

    :raises Illegal: out of turn, a wrong count, a lead of two suits, a throw where none is allowed, a face too many, or a wrong follow.
    """
    if not cards:
        raise Illegal(Breach("count", "没有出牌", "no cards were played"))
    if deal.phase in (Phase.BOTTOM, Phase.ENDED):
        raise Illegal(Breach("count", "本局已打完", "the deal has been played out"))
    if deal.phase is Phase.BURYING:
        raise Illegal(Breach("turn", "底牌尚未扣下", "the bottom has not been buried yet"))
    if deal.turn is not None and seat is not deal.turn:
        raise Illegal(Breach("turn", f"应由{deal.turn}出牌", f"it is {deal.turn}'s turn"))
    ready = with_kit(deal)
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
    """Record a play; one to the next trick closes a trick that has plays missing."""
    deal = with_kit(replace(deal, declarer=deal.declarer or event.seat))
    current = deal.current
    if current is not None and event.trick > current.number and current.plays:
        deal = _close_with_holes(deal, event.seat)
        current = None
    if current is None:
        due = deal.leader
        number = max(deal.next_number, event.trick)
        current = Trick(number, event.seat)
        if due is not None and due is not event.seat:
            if _may_have_won(deal, event.seat):
                deal = _won_by(deal, event.seat)
            else:
                breach = Breach("turn", f"应由{due}首引", f"it was {due}'s lead")
                deal = with_fault(deal, Fault(event.seat, number, number, breach, event.cards))
    else:
        due = deal.turn
        if due is not event.seat:
            breach = Breach("turn", f"应由{due}出牌", f"it was {due}'s turn")
            deal = with_fault(deal, Fault(event.seat, current.number, current.number, breach, event.cards))
    new = Play(event.seat, event.cards, event.t, event.evidence)
    if current.plays and event.seat is current.leader:
        return rebuilt(deal, current.number, (new, *current.plays))
    lead = current.plays[0].witnessed if current.plays else None
    current = replace(current, plays=(*current.plays, new))
    watch = watch_of(deal)
    first = current.plays[0]
    known = (first.cards, first.suited(watch.kit)) if current.plays[1:] else ((), ())
    deal = replace(deal, current=current, watch=audits.observe(watch, current.number, event.seat, new.witnessed, lead, *known))
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
        breach = breach_of(verify_take_back, deal, event.seat, event.trick, event.cards) or Breach("taken_back", "悔牌", "taken back")
    deal = with_fault(deal, Fault(event.seat, where.number, where.number, breach, event.cards))
    if any(t.number > where.number for t in (*deal.tricks, *((deal.current,) if deal.current is not None else ()))):
        return deal
    plays = tuple(replace(p, cards=left) if p is lying else p for p in where.plays if p is not lying or left)
    return rebuilt(deal, where.number, plays)


def _close(deal: Deal, winner: Seat | None = None) -> Deal:
    """Close the current trick: who wins, and its points."""
    trick = deal.current
    if trick is None:
        return deal
    kit = watch_of(deal).kit
    points = sum(points_of(p.cards) for p in trick.plays)
    if winner is None:
        ordered = [p for seat in seats_from(trick.leader) if (p := trick.play_of(seat)) is not None]
        winner = ordered[kit.winner([p.cards for p in ordered])].seat
    return replace(deal, tricks=(*deal.tricks, replace(trick, winner=winner, points=points)), current=None)


def _may_have_won(deal: Deal, seat: Seat) -> bool:
    """Whether a seat that leads may have won the trick before: its play there, what was led, or what is thought to have won was not seen whole."""
    last = deal.tricks[-1] if deal.tricks else None
    if last is None or not last.plays or last.winner is None:
        return False
    return any(UNKNOWN in p.witnessed for p in (last.plays[0], last.play_of(seat), last.play_of(last.winner)) if p is not None)


def _won_by(deal: Deal, seat: Seat) -> Deal:
    """The deal whose last trick this seat has won, as its lead tells."""
    return replace(deal, tricks=(*deal.tricks[:-1], replace(deal.tricks[-1], winner=seat)))


def _close_with_holes(deal: Deal, leads_next: Seat) -> Deal:
    """Close a trick of which not every play was seen: unknown cards stand for the missing ones, and who leads next has won it."""
    trick = deal.current
    if trick is None:
        return deal
    size = len(trick.plays[0].cards)
    watch = watch_of(deal)
    plays = list(trick.plays)
    for seat in seats_from(trick.leader):
        if trick.play_of(seat) is None:
            hidden = (UNKNOWN,) * size
            plays.append(Play(seat, hidden))
            watch = audits.observe(watch, trick.number, seat, hidden, trick.plays[0].witnessed)
    return _close(replace(deal, current=replace(trick, plays=tuple(plays)), watch=watch), leads_next)


def rebuilt(deal: Deal, number: int, plays: tuple[Play, ...]) -> Deal:
    """The deal with other plays in one trick, the audit made anew."""
    watch = audits.Watch(watch_of(deal).kit)
    done: list[Trick] = []
    last: Trick | None = None
    for trick in (*deal.tricks, *((deal.current,) if deal.current is not None else ())):
        new = replace(trick, plays=plays, winner=None) if trick.number == number else trick
        for p in new.plays:
            first = new.plays[0]
            lead = first.witnessed if p is not first else None
            watch = audits.observe(watch, new.number, p.seat, p.witnessed, lead, first.cards, first.suited(watch.kit))
        if new.winner is None:
            last = new
        else:
            done.append(new)
    out = replace(deal, tricks=tuple(done), current=last if last is not None and last.plays else None, watch=watch)
    return _close(out) if last is not None and len(last.plays) == len(SEATS) else out


def can_play(deal: Deal, seat: Seat, cards: tuple[Card, ...], hand: tuple[Card, ...] | None = None) -> bool:
    """Whether :func:`verify_play` passes."""
    return breach_of(verify_play, deal, seat, cards, hand) is None


def can_take_back(deal: Deal, seat: Seat, trick: int, cards: tuple[Card, ...]) -> bool:
    """Whether :func:`verify_take_back` passes."""
    return breach_of(verify_take_back, deal, seat, trick, cards) is None
