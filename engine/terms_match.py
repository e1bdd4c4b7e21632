"""The terms of penalties, clocks and the competition (dimensions 11 to 13)."""

from __future__ import annotations

from enum import unique

from engine.terms import Term


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
