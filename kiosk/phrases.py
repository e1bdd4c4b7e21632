"""What the loudspeaker says: clip keys with their sentence in Mandarin and in English.

A message is a sequence of keys; each key has a pre-rendered clip in ``clips/<language>/<key>.ogg``. Keys that have no entry
here (a rulebook's own offence, a very high score) are given as :class:`Spoken` with their own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import SEATS, Seat, Team

LANGUAGES: Final = ("zh", "en")

HIGHEST_POINTS: Final = 600
"""Scores up to this have a clip; four packs hold 400 points and a dig adds to them."""
LOWEST_POINTS: Final = -100
"""Fines can take the attackers below nothing."""
MOST_STEPS: Final = 8
MOST_SECONDS: Final = 10
MOST_DEALS: Final = 20
MINUTES: Final = (5, 10, 15, 20, 30)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One piece of speech: its clip key, and its words where there is no clip."""

    key: str
    zh: str
    en: str

    def words(self, lang: str) -> str:
        """The words in a language (``zh`` or ``en``)."""
        return self.zh if lang == "zh" else self.en


_SEATS: Final[Mapping[Seat, tuple[str, str]]] = {
    Seat.E: ("东家", "East"),
    Seat.N: ("北家", "North"),
    Seat.W: ("西家", "West"),
    Seat.S: ("南家", "South"),
}

_TEAMS: Final[Mapping[Team, tuple[str, str]]] = {Team.EW: ("东西", "East West"), Team.NS: ("南北", "North South")}


def seat(who: Seat) -> Spoken:
    """The seat as it is called at the table."""
    zh, en = _SEATS[who]
    return Spoken(f"seat.{who}", f"{zh}，", f"{en}:")


def team(who: Team) -> Spoken:
    """A side, by its seats."""
    zh, en = _TEAMS[who]
    return Spoken(f"team.{who}", f"{zh}，", f"{en}:")


def points(count: int) -> Spoken:
    """The attackers' running points."""
    zh = f"负{-count}" if count < 0 else str(count)
    return Spoken(f"points.{count}", f"闲家{zh}分", f"Attackers, {'minus ' if count < 0 else ''}{abs(count)} points")


def steps(side: str, count: int) -> Spoken:
    """A side (``declarers`` or ``attackers``) goes up levels; no level for the attackers means that they only take over."""
    if side == "attackers":
        if count == 0:
            return Spoken("up.attackers.0", "闲家上台", "Attackers take over")
        return Spoken(f"up.attackers.{count}", f"闲家上台，升{count}级", f"Attackers take over and go up {count}")
    if count == 0:
        return Spoken("up.declarers.0", "庄家不升级", "Declarers stay")
    return Spoken(f"up.declarers.{count}", f"庄家升{count}级", f"Declarers go up {count}")


def deal(number: int) -> Spoken:
    """Which deal is meant, where it is not the one in hand."""
    return Spoken(f"deal.{number}", f"第{number}局，", f"Deal {number}:")


def seconds_left(count: int) -> Spoken:
    """A clock warns before its limit."""
    return Spoken(f"left.{count}", f"还剩{count}秒", f"{count} second{'s' if count != 1 else ''} left")


def minutes_left(count: int) -> Spoken:
    """The match's clock warns before its end."""
    return Spoken(f"match_left.{count}", f"比赛还剩{count}分钟", f"{count} minutes of the match left")


TIME_UP: Final = Spoken("time_up", "时间到", "Time is up")
MATCH_UP: Final = Spoken("match_up", "比赛时间到", "The time of the match is up")
CALL: Final = Spoken("call", "请裁判", "referee please")
DESYNCED: Final = Spoken("desynced", "牌桌和记录对不上，请核对", "Table and record do not agree, please check")
RESYNCED: Final = Spoken("resynced", "已经对上", "In step again")
CORRECTED: Final = Spoken("corrected", "更正，", "Corrected:")
DEAL_OVER: Final = Spoken("deal_over", "本局结束，", "End of the deal.")
CAMERA_LOST: Final = Spoken("camera_lost", "摄像头断开，请人工记分", "Camera lost, please keep score by hand")
CAMERA_BACK: Final = Spoken("camera_back", "摄像头恢复", "Camera is back")
TEST: Final = Spoken("test", "声音测试", "Sound test")
CHECK_CARD: Final = Spoken("check_card", "请看一下这张牌", "Please check this card")

OFFENCES: Final[Mapping[str, tuple[str, str]]] = {
    "revoke": ("可能跟错花色", "possible wrong suit"),
    "pair_not_followed": ("可能漏跟对子", "possible pair not followed"),
    "tractor_not_followed": ("可能漏跟拖拉机", "possible tractor not followed"),
    "shape_not_followed": ("可能漏跟牌型", "possible shape not followed"),
    "failed_throw": ("甩牌可能失败", "the throw may have failed"),
    "out_of_turn": ("可能越序出牌", "possible play out of turn"),
    "wrong_count": ("出牌张数可能不对", "the number of cards may be wrong"),
    "third_copy": ("同样的牌可能多了一张", "there may be one card too many of a kind"),
    "taken_back": ("可能收回了已出的牌", "a played card may have been taken back"),
    "wrong_ruff": ("可能违例将吃", "possible wrong ruff"),
    "wrong_declaration": ("可能报错牌", "possible wrong declaration"),
    "bottom_miscount": ("底牌张数可能不对", "the bottom may have the wrong number of cards"),
    "bottom_touched": ("可能动了底牌", "the bottom may have been touched"),
    "bottom_too_soon": ("可能收底太早", "the bottom may have been taken too soon"),
    "wrong_declarer": ("可能坐庄错误", "possibly the wrong declarer"),
    "nobody_declared": ("无人亮主", "nobody declared"),
    "lead": ("可能首引了不同花色", "the lead may be of two suits"),
    "overtime": ("可能超时", "possibly out of time"),
    "other": ("可能违规", "possible offence"),
}
"""Offences that have a clip; any other kind is spoken as ``other``."""

_ALIASES: Final[Mapping[str, str]] = {  # the referee's kinds of breach
    "suit": "revoke",
    "pair": "pair_not_followed",
    "tractor": "tractor_not_followed",
    "shape": "shape_not_followed",
    "pack": "third_copy",
    "count": "wrong_count",
    "turn": "out_of_turn",
    "throw": "failed_throw",
    "declaration": "wrong_declaration",
    "bottom": "bottom_touched",
    "too_soon": "bottom_too_soon",
}


def offence(kind: str) -> Spoken:
    """The spoken name of an offence."""
    name = _ALIASES.get(kind, kind)
    known = name if name in OFFENCES else "other"
    zh, en = OFFENCES[known]
    return Spoken(f"offence.{known}", f"{zh}，", f"{en},")


def alert(kind: str, who: Seat) -> tuple[Spoken, ...]:
    """The alert for a proposed ruling: who, what is possible, and the call for the referee."""
    return seat(who), offence(kind), CALL


def everything() -> tuple[Spoken, ...]:
    """Every piece that gets a clip."""
    return (
        *(seat(who) for who in SEATS),
        *(team(who) for who in Team),
        *(points(count) for count in range(LOWEST_POINTS, HIGHEST_POINTS + 1, 5)),
        *(steps(side, count) for side in ("declarers", "attackers") for count in range(MOST_STEPS + 1)),
        *(seconds_left(count) for count in range(1, MOST_SECONDS + 1)),
        *(minutes_left(count) for count in MINUTES),
        *(offence(kind) for kind in OFFENCES),
        *(deal(number) for number in range(1, MOST_DEALS + 1)),
        DESYNCED, RESYNCED, TIME_UP, MATCH_UP, CALL, CORRECTED, DEAL_OVER, CAMERA_LOST, CAMERA_BACK, TEST, CHECK_CARD,
    )  # fmt: skip
