"""The words a rulebook is written in: one closed set of terms a house rule, each with what it means in Chinese and English.

A term's value is what stands in the TOML file; ``zh`` and ``en`` are what a player reads.
"""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Self


class Term(StrEnum):
    """A value of a rulebook that is one of a closed set; ``zh`` and ``en`` say what it means."""

    zh: str
    en: str

    def __new__(cls, value: str, zh: str, en: str) -> Term:
        """Make a term of its text in the file and its meaning in both languages."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.zh = zh
        term.en = en
        return term

    @classmethod
    def of(cls, text: str) -> Self:
        """The term of that text.

        :raises ValueError: naming the terms there are.
        """
        for term in cls:
            if term == text:
                return term
        raise ValueError(f"is {text!r}; expected one of {', '.join(cls)}")


@unique
class FirstDraw(Term):
    """Who draws the first card."""

    FLIPPED = "flipped", "翻牌点数，从翻牌者起数", "count from the one who flips a card, by its rank"
    HIGHEST = "highest", "各家抽（翻）牌，点数最大者", "the highest card drawn or flipped"
    DECLARER = "declarer", "庄家", "the declarer"
    ROTATION = "rotation", "依次轮换", "each in turn"
    BY_AGREEMENT = "by_agreement", "自定", "as agreed"


@unique
class Shuffler(Term):
    """Who shuffles or cuts."""

    DECLARERS_PARTNER = "declarers_partner", "庄家的同伴", "the declarer's partner"
    DECLARERS_LEFT = "declarers_left", "庄家的上家", "the player before the declarer"
    DECLARER = "declarer", "庄家", "the declarer"
    WINNERS = "winners", "胜方", "the winners of the deal"
    LOSERS = "losers", "负方", "the losers of the deal"
    ATTACKERS = "attackers", "台下方", "the attackers"
    ANYONE = "anyone", "任意一家", "anyone"


@unique
class MustPlay(Term):
    """What a must-play level (必打) asks."""

    STOP = "stop", "不得越过，须停下打该级", "may not be jumped over: the side stops there"
    DEFEND = "defend", "须坐庄打赢才能离开", "is left only by winning a deal there as declarers"


@unique
class Surplus(Term):
    """What becomes of the steps that a must-play level cuts off."""

    LOST = "lost", "多余的级数作废", "the steps left over are lost"
    OTHER_SIDE_DOWN = "other_side_down", "闲家多余的级数改为降对方", "the attackers' steps left over send the other side down"


@unique
class Winning(Term):
    """How the last level is won."""

    HOLD_LAST = "hold_last", "须坐庄打过最后一级", "by winning a deal at the last level as declarers"
    PASS_LAST = "pass_last", "升级超过最后一级", "by stepping past the last level, on either side"


@unique
class HookSide(Term):
    """Whose hooked card (勾) counts."""

    MAIN = "main", "正", "of the trump suit"
    SIDE = "side", "副", "of another suit"
    ANY = "any", "任意", "of any suit"


@unique
class NextDeclarer(Term):
    """Who is declarer in the next deal."""

    PARTNER = "partner", "庄家的对家", "the declarer's partner"
    SAME = "same", "原庄家", "the same declarer"
    RIGHT = "right", "庄家的下家", "the player to the declarer's right"
    ALTERNATE = "alternate", "新庄方两人轮流", "the winning side's players in turn"
    RACE = "race", "重新抢庄", "a new race"


@unique
class Position(Term):
    """A place in the trump order."""

    BIG_JOKER = "big_joker", "大王", "big joker"
    LITTLE_JOKER = "little_joker", "小王", "little joker"
    MAIN_LEVEL = "main_level", "主级牌", "level card of the trump suit"
    SIDE_LEVEL = "side_level", "副级牌", "level card of another suit"
    MAIN_TWO = "main_two", "主2", "2 of the trump suit"
    SIDE_TWO = "side_two", "副2", "2 of another suit"
    SUIT = "suit", "主花色其余各牌", "the rest of the trump suit"


@unique
class Link(Term):
    """Two neighbours in the trump order whose pairs (triples, ...) form a tractor."""

    JOKERS = "little_joker-big_joker", "小王与大王", "little joker and big joker"
    LEVEL_JOKER = "main_level-little_joker", "主级牌与小王", "main level card and little joker"
    SIDE_MAIN_LEVEL = "side_level-main_level", "副级牌与主级牌", "side level card and main level card"
    TOP_LEVEL = "top-side_level", "主A与副级牌", "the top card of the trump suit and a side level card"
    MAIN_TWO_LEVEL = "main_two-side_level", "主2与副级牌", "main 2 and a side level card"
    SIDE_MAIN_TWO = "side_two-main_two", "副2与主2", "side 2 and main 2"
    TOP_TWO = "top-side_two", "主A与副2", "the top card of the trump suit and a side 2"


@unique
class Style(Term):
    """How trump is declared."""

    OPEN = "open", "明亮", "face up"
    FACE_DOWN = "face_down", "暗叫（牌盖住）", "face down"
    HIDDEN_OVERTURN = "hidden_overturn", "抢亮、暗反", "shown face up, overturned face down"
    THROWN = "thrown", "甩牌定主", "by cards thrown down"


@unique
class NamedBy(Term):
    """Which cards name the trump suit."""

    LEVEL = "level", "级牌", "level cards"
    TWO = "two", "2", "twos"
    ANY = "none", "不叫牌", "no cards: nobody declares"


@unique
class Marker(Term):
    """What must lie beside a declaration in the first deal."""

    NONE = "none", "无须带牌", "nothing"
    CARD = "card", "须带指定的牌", "a named card"
    FLIPPED = "flipped", "须带翻开的同花同点牌", "the face that was flipped or drawn"


@unique
class Overturn(Term):
    """Whether and how a declaration may be overturned."""

    NONE = "none", "亮主后不得反主", "not at all"
    STRONGER = "stronger", "须比前一次更大", "by a stronger declaration"
    LATER = "later", "后亮者为准", "by any later declaration"


@unique
class Overturner(Term):
    """Who may overturn before the bottom is taken."""

    ANYONE = "anyone", "任何一家", "anyone"
    DECLARER = "declarer", "仅庄家", "the declarer only"


@unique
class Since(Term):
    """From when declarations are heard."""

    DRAW = "draw", "抓牌过程中", "while the cards are drawn"
    AFTER_DRAW = "after_draw", "抓完牌后", "after the draw"


@unique
class FirstJokers(Term):
    """What joker declarations do in the first deal."""

    FULL = "full", "与以后各局相同", "the same as later"
    TRUMP_ONLY = "trump_only", "可反主，不能抢庄", "they overturn trump but win no race for declarer"
    NONE = "none", "不可用", "nothing"


@unique
class Reinforce(Term):
    """Who may add cards to a standing declaration."""

    NONE = "none", "不得加固", "nobody"
    OWN = "own", "本人未被反前可加固", "its maker, while it stands"
    SIDE = "side", "本方可加固", "its maker and the partner, while it stands"


@unique
class MovesDeclarer(Term):
    """Whether an overturn also takes the declarer's seat (反庄)."""

    NEVER = "never", "反主不反庄", "never"
    FIRST_DEAL = "first_deal", "仅第一局反主反庄", "in the first deal only"


@unique
class FirstDeclarer(Term):
    """Who is declarer in the first deal."""

    LAST_BID = "last_bid", "最后定主成功者", "whose declaration stands at the end"
    FIRST_BID = "first_bid", "最先亮牌者", "who declared first"
    CARD_HOLDER = "card_holder", "亮出指定牌者", "who shows the named card"


@unique
class Until(Term):
    """The last moment to declare or overturn."""

    BOTTOM_TAKEN = "bottom_taken", "庄家拿底牌之前", "before the declarer takes the bottom"
    BOTTOM_TURNED = "bottom_turned", "翻底牌之前", "before the bottom is turned"
    DRAW_ENDS = "draw_ends", "抓牌结束之前", "before the draw is over"


@unique
class Nobody(Term):
    """What happens when nobody declares."""

    REDEAL = "redeal", "重新洗牌抓牌", "the cards are shuffled and drawn again"
    FLIP_FIRST = "flip_first", "底牌第一张花色牌定主", "the first suited card of the bottom names trump"
    FLIP_LEVEL_FIRST = "flip_level_first", "翻底牌，先见级牌，否则第一张花色牌", "the bottom's first level card, else its first suited card"
    FLIP_LEVEL_HIGHEST = "flip_level_highest", "翻底牌，先见级牌，否则最大且最先的牌", "the bottom's first level card, else its highest"
    LOTS = "lots", "裁判抽签定主", "the referee draws lots"
    NO_TRUMP = "no_trump", "打无主", "the deal is played at no-trump"
    STEPS_DOWN = "steps_down", "庄家下庄", "the declarers step down"
    CHOKED = "choked", "憋死：对方按本方级数重新起牌", "choked: the other side deals anew at its own level"


@unique
class Simultaneous(Term):
    """Who comes first when two declare at the same time."""

    TABLE_ORDER = "table_order", "以上家（先抓牌者）为准", "the earlier in playing order"
    LOTS = "lots", "裁判抽签", "the referee draws lots"


@unique
class Stir(Term):
    """Whether the bottom may be taken again and re-buried after it was buried (炒地皮)."""

    NONE = "none", "不可炒底", "no"
    STRONGER = "stronger", "按大小依次炒", "by a stronger pair"
    SEAT_ORDER = "seat_order", "按座次，不分大小", "in seat order, any pair"


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
    LONGEST_UNIT = "unit_length", "依次比最大牌型、次大牌型……的最大牌", "by the top cards of the units, from the longest on"
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


@unique
class Effect(Term):
    """What a penalty does."""

    POINTS = "points", "罚分给对方", "points to the other side"
    LEVELS = "levels", "降级", "the offender's side goes down"
    LEVELS_TO_OTHER = "levels_to_other", "对方升级", "the other side goes up"
    STAGE_LOST = "stage_lost", "下台（失去庄位）", "the side loses the stage"
    DEAL_LOST = "deal_lost", "本局得0分（违规方为庄则对方得200分）", "the deal scores 0 for the offenders (200 to the attackers if they declare)"
    MATCH_LOST = "match_lost", "判负", "the match is lost"
    WARNING = "warning", "警告", "a warning"
    REDEAL = "redeal", "换牌重洗重抓", "the deal is dealt again"
    RACE = "race", "双方不升降级，下一副抢庄", "no levels move, and the next deal is a new race"
    OTHER_NAMES_SUIT = "other_names_suit", "由对方指定主花色", "the other side names the trump suit"
    LOSES_BID = "loses_bid", "失去叫牌权", "the side may not declare any more"
    REFEREE = "referee", "由裁判裁定", "the referee decides"
    NONE = "none", "不罚", "no fine"


@unique
class Remedy(Term):
    """What is done with the cards besides the fine."""

    NONE = "none", "牌面不变", "the cards stay"
    TAKE_BACK = "take_back", "收回重出", "the play is taken back and made right"
    SMALLEST = "smallest", "改出最小张", "the smallest card is played instead"
    COUNTS_AS_DISCARD = "counts_as_discard", "只作垫牌", "the play counts as a discard"
    ADJUST_BOTTOM = "adjust_bottom", "调整底牌张数", "the bottom is set right"
    DRAW_FROM_SURPLUS = "draw_from_surplus", "少牌方向多牌方抽取", "the short hand draws from the long one"
    DEAL_STOPS = "deal_stops", "本盘结束", "the deal stops"


@unique
class Claim(Term):
    """Until when the other side may claim an offence."""

    END_OF_TRICK = "end_of_trick", "本轮结束前", "the end of the trick"
    NEXT_TRICK = "next_trick", "下一墩结束前", "the end of the next trick"
    END_OF_DEAL = "end_of_deal", "本局结束前", "the end of the deal"
    NO_LIMIT = "no_limit", "不限", "no limit"


@unique
class BuryFrom(Term):
    """From when the time to bury the bottom runs; a bottom that is buried again is always timed from when it was taken."""

    TAKEN = "taken", "拿起底牌时", "from taking the bottom"
    DRAWN = "drawn", "抓完牌时", "from the end of the draw"


@unique
class AtTime(Term):
    """What happens to the deal in hand when the match's time is up."""

    FINISH_DEAL = "finish_deal", "已抓牌则打完该副", "a deal whose cards are drawn is played out"
    FINISH_IF_DRAWN = "finish_if_drawn", "未摸完牌即结束，已摸完则打完", "a deal still being drawn ends, one that is drawn is played out"
    ONE_MORE_DEAL = "one_more_deal", "提醒后再打一副", "one more deal after the warning"
    REFEREE_LAST_DEAL = "referee_last_deal", "裁判宣布最后一副", "the referee announces the last deal"
    STOP = "stop", "立即结束", "play stops"


@unique
class Tie(Term):
    """Who wins when the levels are equal at time."""

    DECLARERS = "declarers", "台上方胜", "the side on the stage"
    EXTRA_DEAL = "extra_deal", "加赛一副", "an extra deal"
    RACE_FOR_LAST = "race_for_last", "争打A", "a race for A"
    DRAW = "draw", "平局", "a draw"
    REFEREE = "referee", "裁判裁定", "the referee decides"


@unique
class Format(Term):
    """How a competition pairs its tables."""

    KNOCKOUT = "knockout", "淘汰赛", "single elimination"
    ROUND_ROBIN = "round_robin", "循环赛", "round robin"
    SWISS = "swiss", "积分编排（瑞士制）", "Swiss: by standing"
    GROUPS = "groups", "分组抽签", "groups by draw"
    TEAM_OF_PAIRS = "team_of_pairs", "团体（多对）循环", "teams of pairs"
    SINGLE = "single", "单场", "a single match"


@unique
class ScoreBy(Term):
    """What a match or round gives to the standing."""

    RESULT = "result", "胜负积分", "points for a win, a draw, a loss"
    LEVEL_DIFFERENCE = "level_difference", "级差积分", "the difference of levels"


@unique
class TieBreak(Term):
    """How equal match points are parted."""

    LEVEL_DIFFERENCE = "level_difference", "总级差", "the sum of level differences"
    LAST_LEVEL = "last_level", "当轮打分高者", "the level reached in the last round"
    SMALL_POINTS = "small_points", "小分", "small points"
