"""Penalties as the rulebook prints them: what an offence costs, its clause, repeats, the claim window and the other side's choices.

Everything here is a proposal; nothing changes a score until a ruling is confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Team
from engine.kit import Breach
from engine.rulebook import Penalty, Rulebook, Sanction
from engine.rulebook_terms import Claim, Effect, FinePer, Offender, Remedy

OFFENCE_OF: Final[Mapping[str, str]] = {
    "suit": "revoke",
    "pair": "pair_not_followed",
    "tractor": "shape_not_followed",
    "shape": "shape_not_followed",
    "count": "wrong_count",
    "turn": "out_of_turn",
    "taken_back": "taken_back",
    "declaration": "wrong_declaration",
    "bottom_miscount": "bottom_miscount",
    "bottom_touched": "bottom_touched",
    "bottom": "bottom_touched",
    "wrong_declarer": "wrong_declarer",
    "pack": "pack_miscount",
    "lead": "wrong_count",
    "overtime": "overtime",
    "too_soon": "bottom_too_soon",
}
"""The rulebook's offence for a kind of breach; ``throw`` has its own table (``throws``)."""

_DECIDES: Final = Penalty(choices=(Sanction(effect=Effect.REFEREE),))


@dataclass(frozen=True, slots=True)
class Cost:
    """One sanction reckoned for an offence: the effect, how much, and both languages' words."""

    effect: Effect
    amount: int
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for an offence.

    ``costs`` holds alternatives: of more than one the other side chooses. ``also`` comes on top, whatever is chosen. ``in_time`` is false when the
    claim window had closed before the offence was found: then the sheet asks for nothing.
    """

    offence: str
    clause: str
    costs: tuple[Cost, ...]
    also: tuple[Cost, ...]
    remedy: Remedy
    claim: Claim
    in_time: bool
    count: int
    repeat: int

    def applied(self, choice: int = 0) -> tuple[Cost, ...]:
        """The costs once the proposal is confirmed with a choice.

        :raises IndexError: when there is no such choice.
        """
        if not self.in_time:
            return ()
        return (*((self.costs[choice],) if self.costs else ()), *self.also)

    def to_json(self) -> dict[str, Any]:
        """The proposal as JSON."""
        return {
            "offence": self.offence,
            "choices": [_cost_json(cost) for cost in self.costs],
            "also": [_cost_json(cost) for cost in self.also],
            "remedy": {"kind": str(self.remedy), "zh": self.remedy.zh, "en": self.remedy.en},
            "claim": {"kind": str(self.claim), "zh": self.claim.zh, "en": self.claim.en, "in_time": self.in_time},
            "count": self.count,
            "repeat": self.repeat,
        }


def propose(rules: Rulebook, breach: Breach, *, trick: int, found_in: int, count: int = 1, offender: Offender = Offender.ANY) -> Proposal:
    """What the rulebook asks for an offence, under the clause that prices it, else the one that was broken.

    :param trick: when it happened.
    :param found_in: the trick in which it was found or proven.
    :param count: how many times this side has now committed it in this match, this time included.
    :param offender: whose offence it is; sanctions for another side are left out (with ``ANY`` none are).
    """
    if breach.kind == "throw":
        return _failed_throw(rules, breach, count)
    offence = OFFENCE_OF.get(breach.kind, breach.kind)
    if breach.kind == "suit" and breach.ruffed and "wrong_ruff" in rules.penalties:
        offence = "wrong_ruff"
    penalty = rules.penalties.get(offence, _DECIDES)
    late = found_in > trick
    choices: Sequence[Sanction] = penalty.late_choices if late and penalty.late_choices else penalty.choices
    if penalty.on_repeat is not None and penalty.repeat > 0 and count >= penalty.repeat:
        choices = (penalty.on_repeat,)
    also = (*penalty.also, *((penalty.late,) if late and penalty.late is not None else ()))
    limit = {Claim.END_OF_TRICK: trick, Claim.NEXT_TRICK: trick + 1}.get(penalty.claim)

    def fits(sanction: Sanction) -> bool:
        return Offender.ANY in (offender, sanction.offender) or sanction.offender is offender

    return Proposal(
        offence=offence,
        clause=rules.clause(priced) if (priced := f"penalties.{offence}") in rules.clauses else breach.clause or "silent",
        costs=tuple(_cost(s, breach) for s in choices if fits(s)),
        also=tuple(_cost(s, breach) for s in also if fits(s)),
        remedy=penalty.late_remedy if late and penalty.late_remedy is not None else penalty.remedy,
        claim=penalty.claim,
        in_time=limit is None or found_in <= limit,
        count=count,
        repeat=penalty.repeat,
    )


def _failed_throw(rules: Rulebook, breach: Breach, count: int) -> Proposal:
    throws = rules.throws
    fine = Sanction(effect=Effect.POINTS if throws.fine else Effect.NONE, amount=throws.fine, per=throws.fine_per)
    return Proposal("failed_throw", rules.clause("throws.fine"), (_cost(fine, breach),), (), Remedy.TAKE_BACK, Claim.NO_LIMIT, True, count, 0)


def _cost(sanction: Sanction, breach: Breach) -> Cost:
    factor = {
        FinePer.CARD: breach.wrong_cards,
        FinePer.PAIR: breach.wrong_pairs,
        FinePer.THROW_CARD: breach.thrown,
        FinePer.TAKEN_BACK: breach.wrong_cards,
        FinePer.STOPPED_CARD: breach.stopped,
    }.get(sanction.per, 1)
    amount = sanction.amount * factor
    zh, en = sanction.effect.zh, sanction.effect.en
    if sanction.effect is Effect.POINTS:
        zh, en = f"罚{amount}分给对方", f"{amount} points to the other side"
    elif sanction.effect is Effect.LEVELS:
        zh, en = f"降{amount}级", f"down {amount} level{'s' if amount != 1 else ''}"
    elif sanction.effect is Effect.LEVELS_TO_OTHER:
        zh, en = f"对方升{amount}级", f"the other side up {amount} level{'s' if amount != 1 else ''}"
    elif sanction.effect is Effect.REFEREE and sanction.per is FinePer.CARD:
        zh, en = f"{factor}张，由裁判裁定", f"{factor} card{'s' if factor != 1 else ''}: the referee decides"
    return Cost(sanction.effect, amount, zh, en)


def _cost_json(cost: Cost) -> dict[str, Any]:
    return {"effect": str(cost.effect), "amount": cost.amount, "zh": cost.zh, "en": cost.en}


def points_to_attackers(costs: Sequence[Cost], offender: Team, attackers: Team) -> int:
    """What confirmed costs change in the attackers' points: an attacker's fine is taken from them, a declarer's is given to them."""
    fine = sum(cost.amount for cost in costs if cost.effect is Effect.POINTS)
    return -fine if offender is attackers else fine
