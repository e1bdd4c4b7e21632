"""The terms of the pack, the levels, the trumps and declaring (dimensions 1 to 4 of a rulebook)."""

from __future__ import annotations

from enum import unique

from engine.terms import Term


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
