"""The terms of shapes, following, beating, throws, the result and digging (dimensions 5 to 10)."""

from __future__ import annotations

from enum import unique

from engine.terms import Term


@unique
class Reading(Term):
    """How a lead that can be read in several ways is read."""

    LONGEST = "longest", "先取最长的牌型", "the longest unit first"
    WIDEST = "widest", "先取最宽的牌型", "the widest unit first"


@unique
class Principle(Term):
    """How a follow is ordered where no ladder is printed for the led shape."""

    SHAPE = "shape", "有拖跟拖、有对跟对，尽量同形", "tractors for tractors, then pairs: the best shape that the suit makes"
    PAIRS_OPTIONAL = "pairs_optional", "有对可以不出对，有拖拉机仍须跟", "pairs are optional; a tractor still follows a tractor"
    SUIT = "suit", "只须同花", "only the suit is owed"


@unique
class ThrowRuffs(Term):
    """How two ruffs of a throw compare."""

    LONGEST_TOP = "longest_top", "只比最大牌型中最大的牌，相同先出为大", "by the top card of the longest unit only; equal, the first wins"
    LONGEST_UNIT = "unit_length", "依次比各牌型最大牌，有对子则不比单张", "by the tops of the units, longest first, singles only alone"
    UNIT_BY_UNIT = "unit_by_unit", "依次比各牌型最大牌，直到单张", "by the tops of the units, longest first, singles last"
    ALL = "all", "每一部分都须更大", "every unit must be higher"
    HIGHEST = "highest", "只比最大一张", "by the highest card"


@unique
class RuffAgainst(Term):
    """What a ruff must match."""

    LEAD = "lead", "须与首引牌型相同", "the led shape"
    BEST = "best", "须与本轮最大的牌型相配", "the shape that is best so far"


@unique
class Bombs(Term):
    """Four or more equal cards against any play of that size."""

    NONE = "none", "无", "none"
    ANY_SUIT = "any_suit", "任何花色随时可炸", "from any suit, whenever"
    SUIT_FOLLOWING = "suit_following", "须同花或将吃", "only from the led suit or as a ruff"


@unique
class Forced(Term):
    """What must be led when a throw fails."""

    SMALLEST_BEATEN = "smallest_beaten", "被压住的最小部分", "the smallest part that is stopped"
    SMALLEST_OF_WIDEST = "smallest_of_widest", "被压住的最宽牌型中最小的", "the smallest of the widest parts that are stopped"
    SMALLEST_CARD = "smallest_card", "最小的一张牌", "the smallest card"


@unique
class Parts(Term):
    """What the parts of a throw are, each of which must not be beaten."""

    UNITS = "units", "各牌型（拖拉机为一整体）", "its units; a tractor is one"
    TUPLES = "tuples", "逐对逐张（拖拉机拆成对子）", "single cards and pairs; a tractor counts pair by pair"


@unique
class FinePer(Term):
    """What a fine is counted by."""

    FLAT = "flat", "每次", "each time"
    CARD = "card", "每张", "a card"
    PAIR = "pair", "每对", "a pair"
    THROW_CARD = "throw_card", "所甩的每张牌", "a card of the throw"
    TAKEN_BACK = "taken_back", "收回的每张牌", "a card taken back"
    STOPPED_CARD = "stopped_card", "被压住的每张牌", "a card that is stopped"


@unique
class Side(Term):
    """A side of the deal."""

    DECLARERS = "declarers", "庄家方", "the declarers"
    ATTACKERS = "attackers", "闲家", "the attackers"


@unique
class Offender(Term):
    """Whose offence a sanction is for."""

    ANY = "any", "任何一方", "either side"
    DECLARERS = "declarers", "庄家方", "the declarers"
    ATTACKERS = "attackers", "闲家", "the attackers"
    BOTH_SIDES = "both_sides", "双方均有", "both sides at once"
    SAME_SIDE = "same_side", "两名牌手为同家", "two players of one side"


@unique
class Digs(Term):
    """What the last trick digs."""

    BOTTOM = "bottom", "底牌", "the bottom"
    LAST_TRICK = "last_trick", "最后一墩的牌（反抠）", "the last trick's own points (reverse dig)"
    NOTHING = "nothing", "无抠底", "nothing"


@unique
class Diggers(Term):
    """Who may dig."""

    ATTACKERS = "attackers", "仅闲家抠底", "the attackers only"
    BOTH = "both", "双方：庄家方扣减", "both sides: the declarers deduct"
    AGAINST_BURIER = "against_burier", "最后扣底一方的对方", "the side against whoever buried last"


@unique
class DigSuits(Term):
    """In which suits the last trick digs."""

    ANY = "any", "主副牌均可", "any suit"
    TRUMP = "trump", "只有主牌才能抠底", "trumps only"


@unique
class DigBasis(Term):
    """Which cards of the winner's last play set the multiplier."""

    LARGEST_UNIT = "largest_unit", "其中最大的牌型", "its largest unit"
    WHOLE_PLAY = "whole_play", "整手牌的张数", "the number of cards of the whole play"


@unique
class DigBy(Term):
    """How the multiplier grows."""

    SHAPE = "shape", "按牌型", "by shape"
    COUNT = "count", "按张数", "by the number of cards"
    FIXED = "fixed", "固定", "fixed"


@unique
class Growth(Term):
    """How a longer tractor's multiplier grows with each further pair."""

    DOUBLE = "double", "每多一对翻一倍", "doubles with each further pair"
    ADD = "add", "每多一对加固定数", "adds a fixed number with each further pair"
