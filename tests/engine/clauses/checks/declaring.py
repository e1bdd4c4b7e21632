"""Clauses on declaring: what declares, when, over what, and what happens when nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import deal as deals
from engine import declare as declares
from engine.cards import Seat, parse_card, parse_cards
from engine.events import Declared
from engine.rulebook import Rulebook
from tests.engine.clauses.checks.base import Check


def bids(
    level: str,
    offers: Sequence[tuple[str, str]],
    accepted: str,
    trump: str | None = None,
    declarer: str | None = None,
    *,
    deal: int = 1,
    fixed: str | None = None,
    flipped: str | None = None,
    phase: str = "",
    t: float | None = None,
) -> Check:
    """Which declarations are accepted (``101``), and the trump and declarer that stand."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, deal, level, Seat(fixed) if fixed else None, parse_card(flipped) if flipped else None)  # type: ignore[arg-type]
        if phase:
            state = declares.advance(state, declares.Phase(phase), 0.0)
        told_ = ""
        for seat, cards in offers:
            came = declares.offer(state, Seat(seat), parse_cards(cards), t)
            state = came.state
            told_ += "1" if came.accepted else "0"
        assert told_ == accepted
        outcome = declares.finish(state)
        if trump is not None:
            assert str(outcome.trump) == trump
        if declarer is not None:
            assert outcome.declarer == Seat(declarer)

    return check


def nobody(bottom: str, trump: str | None, how: str, *, deal: int = 2, level: str = "5") -> Check:
    """What happens when nobody declares."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, deal, level, Seat.E if deal > 1 else None)  # type: ignore[arg-type]
        outcome = declares.finish(state, parse_cards(bottom))
        assert outcome.nobody is not None
        assert outcome.nobody.value == how
        assert (str(outcome.trump) if outcome.trump else None) == trump

    return check


def stirs(level: str, bid: tuple[str, str] | None, offers: Sequence[tuple[str, str]], accepted: str, trump: str | None = None) -> Check:
    """Which stirs of the buried bottom are accepted, and the trump after them; E is declarer."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, 2, level, Seat.E)  # type: ignore[arg-type]
        if bid is not None:
            state = declares.offer(state, Seat(bid[0]), parse_cards(bid[1])).state
            assert state.bids
        state = declares.advance(state, declares.Phase.BURIED)
        said = ""
        for seat, cards in offers:
            came = declares.stir(state, Seat(seat), parse_cards(cards))
            state = came.state
            said += "1" if came.accepted else "0"
        assert said == accepted
        if trump is not None:
            assert str(state.trump) == trump

    return check


def hidden(first: bool, overturn: bool) -> Check:
    """Whether the first declaration may lie face down, and whether one that overturns it may; what may not is a fault under this clause."""

    def check(rules: Rulebook) -> None:
        level = str(rules.levels.path[0])
        opening = deals.start(rules, 2, {"EW": level, "NS": level}, Seat.E)
        face_down = Declared(seat=Seat.N, cards=(), face_down=True)
        shown = replace(opening, bids=(deals.Bid(Seat.E, parse_cards(f"S{level}"), accepted=True),))
        for before, allowed in ((opening, first), (shown, overturn)):
            after = deals.apply(before, face_down)
            assert (after.bids[-1].accepted, after.bids[-1].face_down) == (allowed, True)
            assert [fault.breach.clause for fault in after.faults] == ([] if allowed else [rules.clause("declaring.style")])

    return check


def heard_first(drawer: str, seats: str, wanted: str | None) -> Check:
    """Whose declaration counts when these seats declare at the same time; None: the referee draws lots."""

    def check(rules: Rulebook) -> None:
        found = declares.first_heard(rules, [Seat(seat) for seat in seats], Seat(drawer))
        assert found == (Seat(wanted) if wanted else None)

    return check


def no_bid_from_the_bottom(level: str, cards: str) -> Check:
    """The declarer may not overturn with the bottom in hand; where the rule were the other way, this very declaration would count."""

    def check(rules: Rulebook) -> None:
        for allowed in (False, True):
            sheet = replace(rules, declaring=replace(rules.declaring, bottom_cards_count=allowed)) if allowed else rules
            state = declares.begin(sheet, 2, level, Seat.E)  # type: ignore[arg-type]
            state = declares.offer(state, Seat.N, parse_cards(f"S{level}")).state
            state = declares.advance(declares.advance(state, declares.Phase.DRAWN), declares.Phase.TAKEN)
            assert declares.offer(state, Seat.E, parse_cards(cards)).accepted is allowed

    return check
