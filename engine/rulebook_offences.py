"""The offences that a rulebook may price: the keys of its table ``penalties``, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rulebook import Words

OFFENCES: Final[Mapping[str, Words]] = {
    "wrong_count": Words(zh="出牌张数不对", en="wrong number of cards"),
    "revoke": Words(zh="有花色不跟（出错牌）", en="the led suit was held and not followed"),
    "pair_not_followed": Words(zh="有对不跟对", en="a pair was owed and not played"),
    "shape_not_followed": Words(zh="有牌型不跟", en="a tractor or other shape was owed and not played"),
    "out_of_turn": Words(zh="越序出牌", en="out of turn"),
    "taken_back": Words(zh="悔牌", en="a card taken back"),
    "wrong_ruff": Words(zh="违例将吃", en="a ruff while the led suit was held"),
    "wrong_declaration": Words(zh="报错牌", en="a wrong declaration"),
    "exposed_declaration": Words(zh="暗叫亮出", en="a face-down declaration was shown"),
    "nobody_declared": Words(zh="无人亮主", en="nobody declared"),
    "draw_miscount": Words(zh="抓牌后底牌张数不符", en="after the draw the bottom has the wrong number of cards"),
    "bottom_miscount": Words(zh="底牌张数不对", en="the bottom has the wrong number of cards"),
    "bottom_touched": Words(zh="再动底牌", en="the buried bottom was touched again"),
    "pack_miscount": Words(zh="多牌少牌", en="too many or too few cards in a hand"),
    "looked_back": Words(zh="翻看已出的牌", en="looked at an earlier trick"),
    "talk": Words(zh="交谈或暗示", en="talk or signals"),
    "wrong_declarer": Words(zh="坐庄顺序错误", en="the wrong player was declarer"),
    "overtime": Words(zh="超时", en="out of time"),
    "bottom_too_soon": Words(zh="未停够就收底牌", en="the bottom was taken too soon"),
    "forfeit": Words(zh="弃权", en="a forfeit"),
}
