"""The clauses by which lessons are named: the words of the sheets, quoted.

``rulebook`` stands for the rulebook that the deal is played by; the others are texts on what players mean by their cards and how they play:
``signals-1`` and ``signals-2`` (what a card tells the partner), ``technique-80`` and ``technique-4deck`` (habits).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Clause:
    """A sheet, its words, and what they say in English."""

    source: str
    zh: str
    en: str


RULEBOOK: Final = "rulebook"

CLAUSES: Final[Mapping[str, Clause]] = {
    # by the rulebook of the deal
    "points_turned": Clause(RULEBOOK, "scoring.bands", "the result table: the trick in which the attackers reached a line"),
    "points_lost": Clause(RULEBOOK, "scoring.bands", "cards that count, given to a trick that the other side won"),
    "throw_risky": Clause(RULEBOOK, "throws.forced", "a throw fails when another hand holds a higher part"),
    "throw_failed": Clause(RULEBOOK, "throws.forced", "a throw fails when another hand holds a higher part"),
    "could_take": Clause(RULEBOOK, "beating.throw_ruffs", "a play that was legal for this hand would have won the trick"),
    "dig_decided": Clause(RULEBOOK, "digging.who", "who wins the last trick digs"),
    "dig_done": Clause(RULEBOOK, "digging.by", "the points of the bottom, multiplied by the play that won the last trick"),
    # signals-1
    "signal_ace": Clause("signals-1", "庄家出A，帮家给8或9，表示有A", "8, 9, J or Q on the declarer's ace: the partner holds the other one"),
    "signal_unheld": Clause("signals-1", "副牌流行89JQ应A信号", "8, 9, J or Q on the declarer's ace says: I hold the other one"),
    "signal_kept": Clause("signals-1", "庄家出A，帮家给8或9，表示有A", "8, 9, J or Q on the declarer's ace: the partner holds the other one"),
    "king_from_aces": Clause("signals-1", "出单K，表示有双A", "a single king says: I hold both aces"),
    "king_answered": Clause("signals-1", "庄家出K，帮家给8或9，表示有K", "8 or 9 on the declarer's king: the partner holds the other one"),
    "five_from_aces": Clause("signals-1", "出单5，表示有双A，要求对家如有K必须出K", "a single 5: I hold both aces, play the king if held"),
    "ace_from_akk": Clause("signals-1", "庄家手中有AKK则单出A", "with A K K the ace alone is led, to see the partner's signal"),
    "level_card_draws": Clause("signals-1", "突然用级牌吊主了，这是要求对家不要再出副牌", "a level card draws trumps: lead no more side suits"),
    "pair_into_void": Clause("signals-1", "庄家某门副牌已绝，对家切莫乱捅小对", "no small pairs into the suit that the declarer is out of"),
    "trump_pair_led": Clause("signals-1", "对家吊主时不应胡乱出对", "the partner should not draw trumps with pairs"),
    "let_in_double": Clause("signals-1", "底里有分的话最好不要在偶数张时让抓分方上手", "points buried: keep the attackers out at an even number"),
    # signals-2
    "draw_high": Clause("signals-2", "用9、j、Q代表较高位置", "a single 9, J or Q of trumps: the way in is by the high suits (spades, hearts)"),
    "draw_low": Clause("signals-2", "用2、3、4代表较低位置", "a single 2, 3 or 4 of trumps: the way in is by the low suits (diamonds, clubs)"),
    "draw_middle": Clause("signals-2", "6、 7、8代表中间位置", "a single 6, 7 or 8 of trumps: the place between, which names no suit"),
    "reply_high": Clause("signals-2", "用主牌9、j、Q表示自己高花有进手张", "9, J or Q on the first drawn trump: I can get in by a high suit"),
    "reply_low": Clause("signals-2", "用主牌2、3、4表示低花有进手张", "2, 3 or 4 on the first drawn trump: I can get in by a low suit"),
    "reply_middle": Clause("signals-2", "用主牌6、7、8表示付排不好", "6, 7 or 8 on the first drawn trump: my side suits are not good"),
    "reply_pairs": Clause("signals-2", "回2、3、4表示自己有较强的对子", "2, 3 or 4 on the declarer's ace: I hold strong pairs"),
    "points_given": Clause("signals-2", "此时也可以直接跑分，出5、10、k", "with nothing to say, points may be given on the declarer's ace"),
    # technique-80
    "declarer_throws": Clause("technique-80", "一般情况下，坐庄不甩牌", "in general the declarer does not throw"),
    "void_led": Clause("technique-80", "绝对不可以捅庄家断门", "never lead the suit that your declarer is out of"),
    "ruff_left": Clause("technique-80", "敌人出你断门，即便庄家能杀，你也要先杀", "your void is led: ruff, even if the declarer could"),
    "trump_pair_early": Clause("technique-80", "开局和中局很忌讳用对掉", "in the opening and the middle game trumps are not drawn with a pair"),
    # technique-4deck
    "bottom_held_points": Clause("technique-4deck", "因为埋了分的话保底是庄家的任务", "who buries points must guard the bottom"),
    "pair_passed": Clause("technique-4deck", "放心打一对主过去", "a pair of trumps passes the lead to the partner"),
}
"""Every kind of lesson with the clause that names it."""
