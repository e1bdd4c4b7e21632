"""The rules of one deal: a rulebook and a trump bound together, as the deal, the audit and the players ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.beat import winner_in
from engine.cards import UNKNOWN, Card, Seat, Trump
from engine.dig import DigResult, dig, multiplier
from engine.follow import FollowError, can_follow, legal_follow_in, monotone, verify_follow
from engine.order import TRUMPS, Order, order_of
from engine.piles import Cost, Shape
from engine.rulebook import Rulebook
from engine.score import ScoreResult, hook, score
from engine.shapes import Unit, kind_of, read_in, shapes_name
from engine.throw import is_throw, judge_throw


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

    def faces(self, group: str) -> tuple[Card, ...]:
        """The faces of a group."""
        return tuple(card for card, where in self.order.group.items() if where == group and card != UNKNOWN)

    def units(self, cards: Sequence[Card]) -> tuple[Unit, ...]:
        """Cards of one group as units, biggest first."""
        return read_in(self.order, cards)

    def lead_breach(self, cards: Sequence[Card]) -> Breach | None:
        """Why cards may not be led, or None."""
        groups = {self.group(card) for card in cards}
        if len(groups) > 1:
            return Breach("lead", "首引的牌不是同一花色", "the led cards are not of one suit", self.rules.clause("throws"))
        if not self.rules.throws.allowed and self.is_throw(cards):
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

    def is_throw(self, cards: Sequence[Card]) -> bool:
        """Whether a lead of one suit is a throw."""
        return is_throw(self.rules, self.trump, cards)

    def throw_breach(self, lead: Sequence[Card], others: Sequence[Sequence[Card]]) -> Breach | None:
        """Why a throw does not stand against what is known of three hands (the next seat's first), or None."""
        verdict = judge_throw(self.rules, self.trump, lead, others)
        if verdict.stands or not verdict.stopped:
            return None
        stop = verdict.stopped[0]
        zh = f"甩牌中的{' '.join(stop.part)}被{' '.join(stop.cards)}压住，应出{' '.join(verdict.played)}"
        en = f"{' '.join(stop.part)} of the throw is stopped by {' '.join(stop.cards)}; {' '.join(verdict.played)} should have been led"
        stopped = sum(len(s.part) for s in verdict.stopped)
        clause = self.rules.clause("throws.forced")
        return Breach("throw", zh, en, clause, verdict.played, wrong_cards=len(lead) - len(verdict.played), thrown=len(lead), stopped=stopped)

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
        """The place of the play that wins.

        Whatever was laid has a winner: a play of another number of cards than the lead, or with unknown cards, is a discard, and a lead that cannot
        be read (several suits, unknown cards) is not beaten.
        """
        lead = plays[0]
        if not self.readable(lead):
            return 0
        counted = [i for i, play in enumerate(plays) if len(play) == len(lead)]
        return counted[winner_in(self.order, [plays[i] for i in counted])]

    def readable(self, cards: Sequence[Card]) -> bool:
        """Whether cards are known and of one suit."""
        return bool(cards) and UNKNOWN not in cards and len({self.group(card) for card in cards}) == 1

    def dig(self, declarer: Seat, leader: Seat, plays: Sequence[Sequence[Card]], bottom: Sequence[Card], burier: Seat | None = None) -> DigResult:
        """What a trick (of one to four plays) digs if it is the last; nothing where its lead cannot be read."""
        if not self.readable(plays[0]):
            return DigResult(leader, 0, 0)
        counted = [play if len(play) == len(plays[0]) and UNKNOWN not in play else (UNKNOWN,) * len(plays[0]) for play in plays]
        return dig(self.rules, self.trump, declarer, leader, counted, bottom, burier)

    def multiplier(self, play: Sequence[Card]) -> int:
        """By how much a play that wins the last trick multiplies what it digs; 0 where it does not dig or cannot be read."""
        return multiplier(self.rules, self.trump, play) if self.readable(play) else 0

    def score(self, points: int, levels: Mapping[str, str], hooked: str | None = None) -> ScoreResult:
        """The result of a deal: ``levels`` by ``declarers`` and ``attackers``; points come in fives, what a hand has set between them counts down."""
        return score(self.rules, points - points % 5, levels, hooked)

    def hooked(self, attackers_won: bool, cards: Sequence[Card]) -> str | None:
        """The level that the declarers go back to because of the play that won the last trick."""
        return hook(self.rules, self.trump, attackers_won, cards)

    def bands(self, top: int) -> list[tuple[int | None, int | None, str, int]]:
        """The result table from 0 to ``top`` points: (from, to, stage, steps); the last band's end is open."""
        rows: list[tuple[int | None, int | None, str, int]] = []
        for points in range(0, top + 5, 5):
            band = self.rules.scoring.band(points)
            row = (band.stage.value, band.steps_at(points))
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
