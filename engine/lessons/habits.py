"""Habits of play that the sheets speak of: throws of the declarer, the partner's leads, trump pairs, ruffs left to the declarer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cards import RANK_OF
from engine.lessons.lesson import Lesson, lesson, show, who
from engine.lessons.played import Played
from engine.order import TRUMPS

_BIG: Final = ("J", "Q", "K", "A")
"""A pair of these is no small one."""


def declarer_throws(deal: Played) -> Iterator[Lesson]:
    """The declarer throws while others can still hold cards of the suit or ruff."""
    for trick in deal.tricks:
        if trick.leader is deal.declarer and deal.kit.is_throw(trick.lead) and trick.number < len(deal.tricks):
            yield lesson(
                deal,
                "declarer_throws",
                trick.number,
                (deal.declarer,),
                f"庄家甩牌{show(trick.lead)}",
                f"the declarer throws {show(trick.lead)}",
                trick.lead,
            )


def partner_leads(deal: Played) -> Iterator[Lesson]:
    """The declarer's partner leads a suit that the declarer has shown to be out of, singly or with a pair; or draws trumps with a pair."""
    half = len(deal.hands[deal.declarer]) / 2
    gone = 0
    for trick in deal.tricks:
        led = deal.kit.group(trick.lead[0])
        pair = len(trick.lead) == 2 and len(set(trick.lead)) == 1
        if trick.leader is deal.partner:
            if led != TRUMPS and led in deal.void(trick.number, deal.declarer):
                kind = "pair_into_void" if pair and RANK_OF[trick.lead[0]] not in _BIG else "void_led"
                zh, en = ("小对", "the small pair ") if kind == "pair_into_void" else ("", "")
                yield lesson(
                    deal, kind, trick.number, (deal.partner, deal.declarer), f"{who(deal.partner)}往庄家的绝门出{zh}{show(trick.lead)}",
                    f"{deal.partner} leads {en}{show(trick.lead)} in the suit that the declarer is out of", trick.lead,
                )  # fmt: skip
            elif led == TRUMPS and pair and trick.number < len(deal.tricks):
                kind = "trump_pair_early" if gone < half else "trump_pair_led"
                yield lesson(
                    deal, kind, trick.number, (deal.partner,), f"{who(deal.partner)}用对子{show(trick.lead)}吊主",
                    f"{deal.partner} draws trumps with the pair {show(trick.lead)}", trick.lead,
                )  # fmt: skip
        gone += len(trick.lead)


def ruff_left(deal: Played) -> Iterator[Lesson]:
    """An opponent leads a suit that the partner is out of; the partner discards, and the declarer behind it has to ruff."""
    for trick in deal.tricks:
        led = deal.kit.group(trick.lead[0])
        if trick.leader.team is not deal.attackers or led == TRUMPS or trick.order.index(deal.partner) > trick.order.index(deal.declarer):
            continue
        partner, declarer = trick.plays[deal.partner], trick.plays[deal.declarer]
        trumps = sum(1 for card in deal.hand(trick.number, deal.partner).elements() if deal.kit.group(card) == TRUMPS)
        discarded = all(deal.kit.group(card) not in (led, TRUMPS) for card in partner)
        if discarded and trumps >= len(partner) == 1 and all(deal.kit.group(card) == TRUMPS for card in declarer) and trick.winner is deal.declarer:
            yield lesson(
                deal, "ruff_left", trick.number, (deal.partner, deal.declarer),
                f"{who(deal.partner)}绝门有主没有杀，垫{show(partner)}，由庄家用{show(declarer)}杀",
                f"{deal.partner}, out of the suit and with trumps, discards {show(partner)}; the declarer ruffs with {show(declarer)}", partner,
            )  # fmt: skip


def pair_passed(deal: Played) -> Iterator[Lesson]:
    """The declarer leads a pair of trumps and the partner takes it with a higher one."""
    for trick in deal.tricks:
        lead = trick.lead
        if trick.leader is deal.declarer and len(lead) == 2 and len(set(lead)) == 1 and not deal.plain(lead[0]) and trick.winner is deal.partner:
            taken = trick.plays[deal.partner]
            yield lesson(
                deal, "pair_passed", trick.number, (deal.declarer, deal.partner),
                f"庄家出一对主{show(lead)}，{who(deal.partner)}用{show(taken)}接过去",
                f"the declarer leads the trump pair {show(lead)} and {deal.partner} takes it with {show(taken)}", (*lead, *taken),
            )  # fmt: skip
