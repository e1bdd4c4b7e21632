"""The rules of one deal: a rulebook and a trump bound together, as the deal, the audit and the players ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.beat import winner_in
from engine.cards import RANK_INDEX, RANKS, SUIT_OF, Card, Rank, Seat, Trump, points_of, seats_from
from engine.follow import FollowError, can_follow, legal_follow_in, monotone, verify_follow
from engine.order import TRUMPS, Order, order_of
from engine.piles import Cost, Shape
from engine.rulebook import Rulebook
from engine.shapes import Unit, kind_of, read_in, shapes_name


@dataclass(frozen=True, slots=True)
class Breach:
    """Why a play is not allowed: the kind, a sentence in both languages, the rulebook's clause and the cards that were owed.

    What a fine may be counted by: cards and pairs that were wrong, whether a trump was put on a side suit, the cards of a throw and those stopped.
    """

    kind: str
    zh: str
    en: str
    clause: str = ""
    owed: tuple[Card, ...] = ()
    wrong_cards: int = 1
    wrong_pairs: int = 1
    ruffed: bool = False
    thrown: int = 0
    stopped: int = 0


@dataclass(frozen=True, slots=True)
class Dug:
    """What the last trick digs: the winner, the multiplier (0 = nothing) and the points for the attackers (may be negative)."""

    winner: Seat
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The result of a deal: who has the stage next, steps and levels by ``declarers`` and ``attackers``."""

    stage: str
    steps: Mapping[str, int]
    levels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Kit:
    """The rules of one deal."""

    rules: Rulebook
    trump: Trump
    order: Order = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", order_of(self.rules, self.trump))

    def group(self, card: Card) -> str:
        """``T`` for trumps, else the suit letter."""
        return self.order.group[card]

    def strength(self, card: Card) -> int:
        """The place of a face in its group."""
        return self.order.place[card]

    def units(self, cards: Sequence[Card]) -> tuple[Unit, ...]:
        """Cards of one group as units, biggest first."""
        return read_in(self.order, cards)

    def lead_breach(self, cards: Sequence[Card]) -> Breach | None:
        """Why cards may not be led, or None."""
        groups = {self.group(card) for card in cards}
        if len(groups) > 1:
            return Breach("lead", "首引的牌不是同一花色", "the led cards are not of one suit", self.rules.clause("throws"))
        if not self.rules.throws.allowed and len(cards) > 1 and len(self.units(cards)) > 1:
            return Breach("lead", "本规则不允许甩牌", "throws are not allowed", self.rules.clause("throws.allowed"))
        return None

    def legal(self, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> bool:
        """Whether a follow is legal for a hand (the play included)."""
        return can_follow(self.rules, self.trump, lead, hand, play)

    def legal_follow(self, lead: Sequence[Card], hand: Sequence[Card], cost: Cost) -> tuple[Card, ...]:
        """A legal play that takes the cheapest cards where it may choose."""
        return legal_follow_in(self.order, lead, hand, cost)

    def breach(self, lead: Sequence[Card], hand: Sequence[Card], play: Sequence[Card]) -> Breach | None:
        """Why a follow is not legal for a hand (the play included), or None."""
        if can_follow(self.rules, self.trump, lead, hand, play):
            return None
        try:
            verify_follow(self.rules, self.trump, lead, hand, play)
        except FollowError as error:
            missing = Counter(error.owed) - Counter(play)
            pairs = sum(n // 2 for n in Counter(error.owed).values()) - sum(n // 2 for n in Counter(play).values())
            led = self.group(lead[0])
            ruffed = error.kind == "suit" and led != TRUMPS and any(self.group(card) == TRUMPS for card in play)
            if error.kind == "suit":
                held = min(len(lead), sum(self.group(card) == led for card in hand))
                wrong = held - sum(self.group(card) == led for card in play)
            else:
                wrong = missing.total()
            zh, en = error.reason["zh"], error.reason["en"]
            return Breach(error.kind, zh, en, error.clause, error.owed, wrong_cards=max(wrong, 1), wrong_pairs=max(pairs, 1), ruffed=ruffed)
        return None

    def throw_breach(self, lead: Sequence[Card], others: Sequence[Sequence[Card]]) -> Breach | None:
        """Why a throw does not stand against three hands, or None."""
        group = self.group(lead[0])
        for unit in self.units(lead):
            for hand in others:
                suit = [c for c in hand if self.group(c) == group]
                if any(self.strength(u.top) > self.strength(unit.top) for u in self.units_of(suit, unit.shape)):
                    return Breach("throw", "甩牌被压住", "a part of the throw is beaten")
        return None

    def units_of(self, cards: Sequence[Card], shape: Shape) -> list[Unit]:
        """Every unit of one shape in cards of one group, the lowest first."""
        width, length = shape
        at: dict[int, Card] = {}
        for card, count in Counter(cards).items():
            if count >= width and (self.strength(card) not in at or card < at[self.strength(card)]):
                at[self.strength(card)] = card
        out: list[Unit] = []
        for low in sorted(at):
            faces = [at[place] for place in range(low, low + length) if place in at]
            if len(faces) == length:
                out.append(Unit(kind_of(shape), width, length, faces[-1], tuple(c for face in faces for c in (face,) * width)))
        return out

    def winner(self, plays: Sequence[Sequence[Card]]) -> int:
        """The place of the play that wins."""
        return winner_in(self.order, plays)

    def dig(self, declarer: Seat, leader: Seat, plays: Sequence[Sequence[Card]], bottom: Sequence[Card]) -> Dug:
        """What a trick would dig if it were the last."""
        best = self.winner(plays)
        winner = seats_from(leader)[best]
        if winner.team is declarer.team:
            return Dug(winner, 0, 0)
        unit = self.units(plays[best])[0]
        multiplier = 2 if unit.width == 1 else int(2 ** (unit.length + 1))
        return Dug(winner, multiplier, multiplier * points_of(bottom))

    def score(self, points: int, levels: Mapping[str, str]) -> Scored:
        """The result of a deal: ``levels`` by ``declarers`` and ``attackers``."""
        if points >= 80:
            stage, up = "attackers", (points - 80) // 40
        else:
            stage, up = "declarers", 3 if points <= 0 else 2 if points < 40 else 1
        after = dict(levels)
        after[stage] = RANKS[min(RANK_INDEX[Rank(levels[stage])] + up, 12)]
        return Scored(stage, {side: up if side == stage else 0 for side in ("declarers", "attackers")}, after)

    def bands(self, top: int) -> list[tuple[int | None, int | None, str, int]]:
        """The result table from 0 to ``top`` points: (from, to, stage, steps); the last band's end is open."""
        rows: list[tuple[int | None, int | None, str, int]] = []
        levels = {"declarers": "2", "attackers": "2"}
        for points in range(0, top + 5, 5):
            scored = self.score(points, levels)
            row = (scored.stage, scored.steps[scored.stage])
            if rows and rows[-1][2:] == row:
                rows[-1] = (rows[-1][0], points, *row)
            else:
                rows.append((points, points, *row))
        rows[-1] = (rows[-1][0], None, *rows[-1][2:])
        return rows

    def shape_words(self, cards: Sequence[Card]) -> dict[str, str]:
        """The shape of cards of one group in words."""
        units = self.units(cards)
        zh, en = shapes_name([unit.shape for unit in units])
        return {"zh": zh, "en": en} if len(units) == 1 else {"zh": f"甩牌：{zh}", "en": f"a throw of {len(cards)}: {en}"}

    def monotone(self) -> bool:
        """Whether an offence against a part of the hand is one against the whole hand."""
        return monotone(self.rules)


@dataclass(frozen=True, slots=True)
class Settled:
    """Declarations settled: which were accepted, why not, and the trump and declarer that stand (None: not yet)."""

    accepted: tuple[bool, ...]
    reasons: tuple[tuple[str, str], ...]
    trump: Trump | None
    declarer: Seat | None


def settle_bids(
    rules: Rulebook,  # noqa: ARG001
    deal: int,  # noqa: ARG001
    levels: Mapping[str, str],
    fixed: Seat | None,
    bids: Sequence[tuple[Seat, tuple[Card, ...]]],
) -> Settled:
    """Run declarations through the rulebook, in order of time; ``fixed`` is a declarer who was known before the deal."""
    if not bids:
        return Settled((), (), None, fixed)
    seat, cards = bids[-1]
    holder = fixed or seat
    return Settled((True,) * len(bids), (("", ""),) * len(bids), Trump(Rank(levels[holder.team.value]), SUIT_OF.get(cards[0])), holder)
