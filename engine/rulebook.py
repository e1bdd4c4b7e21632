"""A rulebook: the frozen tree of a sheet's house rules, one number, word or list a rule.

The tree is built from TOML by :mod:`engine.rulebook_toml`; the closed sets of words are in :mod:`engine.rulebook_terms`. Every field
carries its meaning in Chinese and English, from which ``docs/rulebooks.md`` and ``rules show`` are written. Nothing in the engine asks
for a rulebook's name: a new sheet is a new file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Rank, Suit
from engine.rulebook_terms import (
    AtTime,
    Bombs,
    BuryFrom,
    Claim,
    DigBasis,
    DigBy,
    Diggers,
    Digs,
    DigSuits,
    Effect,
    FinePer,
    FirstDeclarer,
    FirstDraw,
    FirstJokers,
    Forced,
    Format,
    Growth,
    HookSide,
    Link,
    Marker,
    MovesDeclarer,
    MustPlay,
    NamedBy,
    NextDeclarer,
    Nobody,
    Offender,
    Overturn,
    Overturner,
    Parts,
    Position,
    Principle,
    Reading,
    Reinforce,
    Remedy,
    RuffAgainst,
    ScoreBy,
    Shuffler,
    Side,
    Simultaneous,
    Since,
    Stir,
    Style,
    Surplus,
    ThrowRuffs,
    Tie,
    TieBreak,
    Until,
    Winning,
)  # fmt: skip

SCHEMA_VERSION: Final = 1
"""The version of the schema that this engine reads; a file says ``version = 1``."""


def _says(zh: str, en: str) -> Mapping[str, str]:
    """What a field means in both languages, as its metadata."""
    return {"zh": zh, "en": en}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text in Chinese and English."""

    zh: str = field(metadata=_says("中文", "Chinese"))
    en: str = field(metadata=_says("英文", "English"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Dimension 1: the cards. ``decks * 54 == bottom + 4 * hand``."""

    decks: int = field(metadata=_says("副数", "packs of 54"))
    bottom: int = field(metadata=_says("底牌张数", "cards in the bottom"))
    hand: int = field(metadata=_says("每家张数", "cards in a hand"))
    first_draw: FirstDraw = field(metadata=_says("第一局谁先抓牌", "who draws first in the first deal"))
    later_draw: FirstDraw = field(metadata=_says("以后谁先抓牌", "who draws first later"))
    shuffles: Shuffler = field(metadata=_says("谁洗牌", "who shuffles"))
    cuts: Shuffler = field(metadata=_says("谁切牌（倒牌）", "who cuts"))
    bad_hand_redeals: bool = field(metadata=_says("无主或无分可以重来（造反）", "a hand without trumps or points is dealt again"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A level card winning the last trick sets the declarers back (勾到)."""

    level: Rank = field(metadata=_says("打哪一级时", "at which level"))
    card: HookSide = field(metadata=_says("哪种级牌", "which level card"))
    to: str = field(metadata=_says("退回到", "goes back to"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Dimension 2: the levels and how they are climbed."""

    path: tuple[Rank, ...] = field(metadata=_says("级数（从小到大）", "the levels in order"))
    below: tuple[str, ...] = field(metadata=_says("起始级以下的级（由近到远）", "levels below the start, nearest first"))
    win_after: Rank = field(metadata=_says("打过哪一级获胜", "passing which level wins"))
    winning: Winning = field(metadata=_says("如何打过", "how it is passed"))
    must_play: tuple[Rank, ...] = field(metadata=_says("必打级", "must-play levels"))
    must_play_rule: MustPlay = field(metadata=_says("必打的含义", "what must-play means"))
    surplus: Surplus = field(metadata=_says("被必打级截住的级数", "steps cut off by a must-play level"))
    hooks: tuple[Hook, ...] = field(metadata=_says("勾级", "set back by a level card in the last trick"))
    hooks_no_trump: tuple[Hook, ...] = field(metadata=_says("无主时勾级", "the same at no-trump"))
    next_on_hold: NextDeclarer = field(metadata=_says("庄家方获胜，下一庄", "next declarer when the declarers hold"))
    next_on_change: NextDeclarer = field(metadata=_says("换庄时，下一庄", "next declarer when the side changes"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trumps:
    """Dimension 3: the trump group and its order, highest first."""

    constant_two: bool = field(metadata=_says("2为常主", "2 is constant trump"))
    order: tuple[Position, ...] = field(metadata=_says("主牌从大到小", "the trump order, highest first"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaring:
    """Dimension 4: declaring, overturning, reinforcing and stirring.

    ``ladder`` lists the declarations from weakest to strongest: ``level*1`` (one card that names the suit), ``level*2`` (two equal ones),
    ``LJ*2`` (two little jokers) and so on; jokers mean no-trump. Two declarations of one rung rank by ``suit_order`` (highest first) if
    that is not empty and the rung has at least ``suit_order_from`` cards; otherwise the later one does not overturn.
    """

    style: Style = field(metadata=_says("叫牌方式", "how trump is declared"))
    named_by: NamedBy = field(metadata=_says("用什么叫花色", "what names the suit"))
    ladder: tuple[str, ...] = field(metadata=_says("叫牌由小到大", "declarations from weakest to strongest"))
    suit_order: tuple[Suit, ...] = field(metadata=_says("同级按花色由大到小", "suits of equal declarations, highest first"))
    suit_order_from: int = field(metadata=_says("几张起分花色大小", "from how many cards on the suits rank"))
    jokers_first_deal: FirstJokers = field(metadata=_says("第一局用王", "joker declarations in the first deal"))
    marker: Marker = field(metadata=_says("第一局叫牌须带", "what must lie beside a declaration in the first deal"))
    marker_card: str = field(metadata=_says("须带的牌", "that card"))
    overturn_first_deal: Overturn = field(metadata=_says("第一局反主", "overturning in the first deal"))
    overturn: Overturn = field(metadata=_says("以后反主", "overturning later"))
    overturner: Overturner = field(metadata=_says("以后谁可反主", "who may overturn later"))
    self_overturn: bool = field(metadata=_says("可以自己反自己", "one may overturn oneself"))
    reinforce: Reinforce = field(metadata=_says("加固", "reinforcing"))
    moves_declarer: MovesDeclarer = field(metadata=_says("反主是否反庄", "whether an overturn moves the declarer"))
    first_declarer: FirstDeclarer = field(metadata=_says("第一局的庄家", "the declarer of the first deal"))
    first_declarer_card: str = field(metadata=_says("定首庄的牌", "the card that makes the first declarer"))
    since: Since = field(metadata=_says("何时开始亮主", "from when"))
    until: Until = field(metadata=_says("亮主反主截止", "until when"))
    bottom_cards_count: bool = field(metadata=_says("底牌可凑成反主", "cards from the bottom may complete an overturn"))
    nobody_first_deal: Nobody = field(metadata=_says("第一局无人叫主", "nobody declares in the first deal"))
    nobody_later: Nobody = field(metadata=_says("以后无人叫主", "nobody declares later"))
    simultaneous: Simultaneous = field(metadata=_says("同时亮牌", "two declare at the same time"))
    stir: Stir = field(metadata=_says("炒地皮", "stirring the bottom"))
    stir_ladder: tuple[str, ...] = field(metadata=_says("炒底可用的牌，由小到大", "what stirs, weakest first"))
    stir_needs_early_trump: bool = field(metadata=_says("主在翻底前已定才可炒", "only if trump was fixed before the bottom was turned"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """Dimension 5: shapes and adjacency."""

    min_width: int = field(metadata=_says("拖拉机最少几张相同", "least width of a tractor"))
    min_length: int = field(metadata=_says("拖拉机最少几连", "least length of a tractor"))
    max_width: int = field(metadata=_says("最多几张相同成一组", "most equal cards that form a unit"))
    skip_level: bool = field(metadata=_says("级牌点两侧相邻（隔拖）", "the ranks around the level rank are neighbours"))
    links: tuple[Link, ...] = field(metadata=_says("主牌中相邻的牌", "neighbours among the trumps"))
    reading: Reading = field(metadata=_says("有多种读法的首引", "how a lead that can be read in several ways is read"))
    lowest_ace_two: bool = field(metadata=_says("主AA22为最小的拖拉机", "A A 2 2 of trumps is the smallest tractor, by itself only"))
    full_house: bool = field(metadata=_says("有俘虏（三带二）", "full houses (triple and pair)"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Dimension 6: what a follow owes.

    ``ladders`` maps a led unit to its rungs, best first. A unit is ``WxL`` (width and length: ``1x1`` single, ``2x1`` pair, ``2x3`` a tractor of
    three pairs, ``3x2`` a bulldozer); a rung joins units by ``+``, with ``*n`` for n of them: ``2x2+2x1``, ``2x1*3``; forms joined by ``|`` are of
    equal worth. The rest is filled up with any cards of the suit, and below the last rung any cards of the suit will do: an empty ladder owes only
    the suit. Shapes that are not listed follow ``principle``.
    """

    principle: Principle = field(metadata=_says("跟牌原则", "what is owed"))
    ladders: Mapping[str, tuple[str, ...]] = field(metadata=_says("印出的跟牌顺序", "printed ladders"))
    protect_longer: bool = field(metadata=_says("较宽的组可以不拆", "wider units need not be broken"))
    tractor_only_for_tractor: bool = field(metadata=_says("只有拖拉机才须跟拖拉机", "only tractors are owed to a tractor, none to equal cards"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beating:
    """Dimension 7: which play is higher.

    ``upsets``: shapes that beat another shape of the same number of cards whatever their rank, as ``3xN > 2xN``, ``4x1 > 2x2``; ``N`` is any length.
    """

    upsets: tuple[str, ...] = field(metadata=_says("同张数的牌型压制", "shapes that beat others of the same size"))
    bombs: Bombs = field(metadata=_says("炸弹", "bombs"))
    ruff_against: RuffAgainst = field(metadata=_says("将吃须相配", "what a ruff must match"))
    throw_ruffs: ThrowRuffs = field(metadata=_says("两家将吃甩牌", "two ruffs of a throw"))
    equal_first: bool = field(metadata=_says("同等大小先出为大", "of equal plays the first wins"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Throws:
    """Dimension 8: throws."""

    allowed: bool = field(metadata=_says("允许甩牌", "throws are allowed"))
    parts: Parts = field(metadata=_says("甩牌的各部分", "the parts of a throw"))
    forced: Forced = field(metadata=_says("甩牌失败须出", "what is led when a throw fails"))
    fine: int = field(metadata=_says("甩牌失败罚分", "fine for a failed throw"))
    fine_per: FinePer = field(metadata=_says("罚分按", "counted by"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A line of the result table, both ends included; points come in fives.

    The lowest band has no ``low``, the highest no ``high``. With ``every``, an open band adds one step for every so many points beyond its closed
    end, or beyond ``start`` where that is given.
    """

    low: int | None = field(metadata=_says("自", "from"), default=None)
    high: int | None = field(metadata=_says("至", "to"), default=None)
    stage: Side = field(metadata=_says("谁坐庄", "who has the stage next"))
    steps: int = field(metadata=_says("升几级", "levels up"))
    every: int = field(metadata=_says("每再差多少分多一级", "one more level for every so many points"), default=0)
    start: int | None = field(metadata=_says("从多少分起计", "counted from"), default=None)

    def holds(self, points: int) -> bool:
        """Whether this line is the one for so many points."""
        return (self.low is None or points >= self.low) and (self.high is None or points <= self.high)

    def steps_at(self, points: int) -> int:
        """The levels that so many points give on this line."""
        if not self.every:
            return self.steps
        if self.low is not None:
            return self.steps + max(0, points - (self.low if self.start is None else self.start)) // self.every
        return self.steps + max(0, ((self.high or 0) if self.start is None else self.start) - points) // self.every


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Dimension 9: from the attackers' points to levels."""

    bands: tuple[Band, ...] = field(metadata=_says("得分升级表", "the result table"))

    def band(self, points: int) -> Band:
        """The line of the table for the attackers' points, all included (they may be negative)."""
        return next(band for band in self.bands if band.holds(points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Digging:
    """Dimension 10: the last trick."""

    digs: Digs = field(metadata=_says("抠什么", "what is dug"))
    who: Diggers = field(metadata=_says("谁抠底", "who digs"))
    suits: DigSuits = field(metadata=_says("何种花色", "in which suits"))
    basis: DigBasis = field(metadata=_says("按哪些牌计倍", "which cards set the multiplier"))
    by: DigBy = field(metadata=_says("倍数如何定", "how the multiplier is found"))
    single: int = field(metadata=_says("单张倍数", "multiplier of a single"))
    pair: int = field(metadata=_says("对子倍数", "multiplier of a pair"))
    triple: int = field(metadata=_says("三张倍数", "multiplier of a triple"))
    quad: int = field(metadata=_says("四张倍数", "multiplier of a quad"))
    tractor: int = field(metadata=_says("二连对倍数", "multiplier of a two-pair tractor"))
    growth: Growth = field(metadata=_says("更长的拖拉机", "longer tractors"))
    growth_add: int = field(metadata=_says("每多一对加", "added a further pair"))
    per_card: int = field(metadata=_says("按张数时每张倍数", "multiplier a card, when it goes by count"))
    fixed: int = field(metadata=_says("固定倍数", "the fixed multiplier"))
    declarers_from: int = field(metadata=_says("庄家方几张起才扣减", "from how many cards on the declarers deduct"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanction:
    """One thing a penalty does: ``amount`` of points or levels, counted by ``per``; ``offender`` says whose offence it is for."""

    effect: Effect = field(metadata=_says("处罚", "what it does"))
    amount: int = field(metadata=_says("数量", "how much"), default=0)
    per: FinePer = field(metadata=_says("按", "counted by"), default=FinePer.FLAT)
    offender: Offender = field(metadata=_says("何方违规", "for an offence of"), default=Offender.ANY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """What one offence costs.

    Of ``choices`` those count whose ``offender`` fits; more than one means that the other side chooses. ``also`` comes on top. Found in a later
    trick, ``late`` comes on top, and ``late_choices`` and ``late_remedy`` stand in for ``choices`` and ``remedy``.
    """

    choices: tuple[Sanction, ...] = field(metadata=_says("处罚（多于一项由对方选择）", "the sanction; of several the other side chooses"))
    also: tuple[Sanction, ...] = field(metadata=_says("并且", "on top"), default=())
    remedy: Remedy = field(metadata=_says("牌的处理", "what happens to the cards"), default=Remedy.NONE)
    repeat: int = field(metadata=_says("累计几次加重（0为不计）", "the how-manieth time is worse (0: never)"), default=0)
    on_repeat: Sanction | None = field(metadata=_says("累计后的处罚", "what that costs"), default=None)
    late: Sanction | None = field(metadata=_says("一墩以后发现，另罚", "on top, when found in a later trick"), default=None)
    late_choices: tuple[Sanction, ...] = field(metadata=_says("一墩以后发现，改罚", "instead, when found in a later trick"), default=())
    late_remedy: Remedy | None = field(metadata=_says("一墩以后发现，牌的处理", "what happens to the cards then"), default=None)
    claim: Claim = field(metadata=_says("追究时限", "until when it may be claimed"), default=Claim.NO_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Dimension 12: time limits; 0 means no limit."""

    draw_s: int = field(metadata=_says("抓一张牌（秒）", "drawing a card (s)"))
    play_s: int = field(metadata=_says("出一次牌（秒）", "a play (s)"))
    bury_s: int = field(metadata=_says("扣底（秒）", "burying the bottom (s)"))
    bury_from: BuryFrom = field(metadata=_says("扣底从何时计", "from when burying is timed"))
    overturn_s: int = field(metadata=_says("抓完牌后反主（秒）", "overturning after the draw (s)"))
    pause_s: int = field(metadata=_says("收底前停顿（秒）", "pause before the bottom is taken (s)"))
    match_min: int = field(metadata=_says("一场比赛（分钟）", "a match (min)"))
    final_min: int = field(metadata=_says("半决赛、决赛（分钟）", "a semi-final or final (min)"))
    warning_min: int = field(metadata=_says("结束前提醒（分钟）", "warning before the end (min)"))
    late_min: int = field(metadata=_says("迟到弃权（分钟）", "late by so much forfeits (min)"))
    at_time: AtTime = field(metadata=_says("时间到", "at time"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Dimension 13: the competition."""

    format: Format = field(metadata=_says("赛制", "format"))
    best_of: int = field(metadata=_says("几局定胜负", "games in a match"))
    deals: int = field(metadata=_says("固定局数（0为不限）", "exactly so many deals (0: no limit)"))
    rounds: int = field(metadata=_says("轮数（0为不定）", "rounds (0: open)"))
    score_by: ScoreBy = field(metadata=_says("积分方法", "what counts for the standing"))
    draw_from: int = field(metadata=_says("算平局的得分，自（0为无）", "a game is a draw from so many points (0: no such rule)"))
    draw_to: int = field(metadata=_says("算平局的得分，至", "a game is a draw up to so many points"))
    tie: Tie = field(metadata=_says("时间到级数相同", "equal levels at time"))
    win: int = field(metadata=_says("胜积分", "match points for a win"))
    draw: int = field(metadata=_says("平积分", "for a draw"))
    loss: int = field(metadata=_says("负积分", "for a loss"))
    forfeit: int = field(metadata=_says("对手弃权积分", "for the opponents' forfeit"))
    tie_breaks: tuple[TieBreak, ...] = field(metadata=_says("积分相同比较", "tie-breaks"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """A sheet on the wall as data: thirteen dimensions, the clause of each value, and what was assumed.

    ``clauses`` maps a dotted key (``scoring.bands``, ``penalties.revoke``) to quotes of at most 12 characters; ``assumed`` holds the dotted keys
    (or whole tables) on which the sheet is silent or cut off.
    """

    name: str = field(metadata=_says("名称", "name"))
    title: Words = field(metadata=_says("标题", "title"))
    source: str = field(metadata=_says("出处", "source"))
    notes: tuple[str, ...] = field(metadata=_says("说明", "notes"))
    pack: Pack = field(metadata=_says("牌", "the pack"))
    levels: Levels = field(metadata=_says("级数", "levels"))
    trumps: Trumps = field(metadata=_says("主牌", "trumps"))
    declaring: Declaring = field(metadata=_says("亮主", "declaring"))
    shapes: Shapes = field(metadata=_says("牌型", "shapes"))
    following: Following = field(metadata=_says("跟牌", "following"))
    beating: Beating = field(metadata=_says("大小", "beating"))
    throws: Throws = field(metadata=_says("甩牌", "throws"))
    scoring: Scoring = field(metadata=_says("计分", "scoring"))
    digging: Digging = field(metadata=_says("抠底", "digging"))
    penalties: Mapping[str, Penalty] = field(metadata=_says("处罚", "penalties"))
    clocks: Clocks = field(metadata=_says("时限", "clocks"))
    match: Match = field(metadata=_says("赛制", "the match"))
    clauses: Mapping[str, tuple[str, ...]] = field(metadata=_says("条款", "clauses"))
    assumed: tuple[str, ...] = field(metadata=_says("推定", "assumed"))

    def clause(self, key: str) -> str:
        """The quotes for a dotted key joined by ``；``, or ``silent`` when the sheet does not say."""
        return "；".join(self.clauses.get(key, ())) or "silent"
