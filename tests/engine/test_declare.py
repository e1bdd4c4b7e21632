"""Declaring, sheet by sheet."""

from __future__ import annotations

import pytest

from engine.cards import Card, Rank, Seat, Suit, Trump, parse_cards
from engine.declare import DeclareState, Phase, advance, bar, begin, finish, first_heard, offer, stir
from engine.rulebook_terms import Nobody, Since
from tests.engine.deals import preset


def declared(rulebook: str, deal: int, level: str, *bids: str, declarer: Seat | None = None) -> tuple[list[bool], str | None, Seat | None]:
    """What becomes of bids like ``E S3`` in order: accepted or not, the trump, the declarer."""
    state = begin(preset(rulebook), deal, Rank(level), declarer)
    if preset(rulebook).declaring.since is Since.AFTER_DRAW:
        state = advance(state, Phase.DRAWN)
    accepted = []
    for bid in bids:
        seat, _, cards = bid.partition(" ")
        came = offer(state, Seat(seat), parse_cards(cards))
        assert came.accepted or (came.zh and came.en)
        state = came.state
        accepted.append(came.accepted)
    outcome = finish(state)
    return accepted, str(outcome.trump) if outcome.trump else None, outcome.declarer


def test_two_equal_cards_overturn_one_and_suits_rank_among_pairs() -> None:
    """official-2deck-shengji 第二条: 用两张相同花色的超抢，可以按照黑>红>梅>方的顺序超抢."""
    bids = ("E D2", "N H2 H2", "W S2 S2", "S C2 C2")
    assert declared("official-2deck-shengji", 1, "2", *bids) == ([True, True, True, False], "2/S", Seat.W)
    assert declared("official-2deck-shengji", 1, "2", "E D2", "N S2") == ([True, False], "2/D", Seat.E)


def test_the_first_deal_must_carry_the_heart_two() -> None:
    """union-3deck-3toK 六: 第一盘打3点叫牌必须带红心2."""
    assert declared("union-3deck-3toK", 1, "3", "E S3", "N D3 H2") == ([False, True], "3/D", Seat.N)
    assert declared("union-3deck-3toK", 2, "5", "E S5", "N D5 D5") == ([True, True], "5/D", None)


def test_the_first_deal_must_carry_exactly_one_little_joker() -> None:
    """reverse-dig-4deck-bombs 第二章 1: 必须带一张（且只一张）小王."""
    assert declared("reverse-dig-4deck-bombs", 1, "3", "E S3", "N LJ LJ S3", "W LJ S3")[0] == [False, False, True]


def test_one_does_not_overturn_oneself_but_comes_back_after_an_overturn() -> None:
    """swiss-3deck 三: 多盖少; 不得自反; 只有三连张时才可以."""
    bids = ("E D2", "N H2 H2", "E D2 D2", "E D2 D2 D2")
    assert declared("swiss-3deck", 1, "2", *bids) == ([True, True, False, True], "2/D", Seat.E)
    assert declared("swiss-3deck", 1, "2", "E D2", "E S2 S2") == ([True, False], "2/D", Seat.E)


def test_pairs_of_jokers_overturn_at_the_top() -> None:
    """twodeck-jokers-declare 5: 一对2可以反，一对小王可以反，一对大王也可以反."""
    bids = ("E D5", "N H5 H5", "E LJ LJ", "S BJ BJ")
    assert declared("twodeck-jokers-declare", 2, "5", *bids) == ([True] * 4, "5/NT", None)
    assert declared("twodeck-jokers-declare", 1, "2", "E S2", "N C2 C2", "E S2 S2")[0] == [True, True, False]


def test_no_overturn_at_all() -> None:
    """basic-80-10KA: 一旦有人亮主就无法反主了; 以抓到方片2并亮牌者为庄家."""
    assert declared("basic-80-10KA", 2, "10", "E S10", "N D10 D10") == ([True, False], "10/S", None)
    assert declared("basic-80-10KA", 1, "10", "E S10", "N D2") == ([True, True], "10/S", Seat.N)


def test_the_card_that_makes_the_declarer_may_lie_beside_a_level_card() -> None:
    """basic-80-10KA: 以抓到方片2并亮牌者为庄家; 第一次亮出本轮级牌的花色."""
    assert declared("basic-80-10KA", 1, "10", "E D2 S10", "N H10") == ([True, False], "10/S", Seat.E)


def test_the_marker_may_be_laid_again_when_a_declaration_is_reinforced() -> None:
    """reverse-dig-4deck-bombs 第二章 1: 叫牌必须带一张（且只一张）小王; 加固方法：1加1、加2."""
    assert declared("reverse-dig-4deck-bombs", 1, "3", "E S3 LJ", "E S3 S3 LJ", "N D3 D3 LJ") == ([True, True, False], "3/S", Seat.E)
    assert declared("reverse-dig-4deck-bombs", 1, "3", "E S3 LJ", "E S3 S3", "N D3 D3 LJ") == ([True, True, False], "3/S", Seat.E)


def test_an_overturn_changes_trump_but_not_the_declarer() -> None:
    """elimination-4deck-2toA 三、1: 第一个先翻的先做庄，反主不反庄."""
    assert declared("elimination-4deck-2toA", 1, "2", "E D2", "N H2 H2") == ([True, True], "2/H", Seat.E)


def test_the_partner_may_not_reinforce_but_overturn_with_more() -> None:
    """elimination-4deck-2toA 三、2: 其队友不能再放一张同样的主牌表示加固，则必须放2张以上."""
    assert declared("elimination-4deck-2toA", 2, "5", "E D5", "W D5") == ([True, False], "5/D", None)
    assert declared("elimination-4deck-2toA", 2, "5", "E D5", "W D5 D5")[0] == [True, True]


def test_either_partner_reinforces() -> None:
    """reverse-dig-4deck-bombs 第二章: 加固方法1加1，双方均可自由加固."""
    assert declared("reverse-dig-4deck-bombs", 2, "5", "E D5", "W D5", "N S5 S5")[0] == [True, True, False]
    assert declared("reverse-dig-4deck-bombs", 2, "5", "E D5", "N S5 S5")[0] == [True, True]


def test_the_first_declaration_of_a_race_without_overturn() -> None:
    """detailed-80-2deck 1: 第一盘为抢庄，不能造反."""
    assert declared("detailed-80-2deck", 1, "2", "E D2", "N S2 S2") == ([True, False], "2/D", Seat.E)


def test_a_pair_of_jokers_wins_no_race() -> None:
    """campus-2deck-2toA 三: 一对大王或小王可反无主，但首轮不能抢庄."""
    assert declared("campus-2deck-2toA", 1, "2", "E S2", "N LJ LJ") == ([True, True], "2/NT", Seat.E)


def test_suits_rank_among_single_cards_too() -> None:
    """shuangsheng-2deck-to10 八: 可用本方主牌依黑、红、方、梅次序反对方主牌."""
    assert declared("shuangsheng-2deck-to10", 1, "2", "E D2", "N C2", "N H2") == ([True, False, True], "2/H", Seat.N)


def test_the_last_shown_level_card_sets_trump() -> None:
    """cmec-2deck-510k: 最后亮出的级牌花色即为主花色; 第一局的庄家由第一个亮2的玩家担任."""
    assert declared("cmec-2deck-510k", 1, "2", "E D2", "N C2") == ([True, True], "2/C", Seat.E)


def test_twos_name_the_suit_beside_the_flipped_face() -> None:
    """fourdeck-150min 2: 用所翻开的同花同点牌1张加2叫花色; 其余各局均采用2叫花色."""
    assert declared("fourdeck-150min", 1, "3", "E H2", "N D8 S2") == ([False, True], "3/S", Seat.N)
    assert declared("fourdeck-150min", 2, "5", "E H2", "N S5") == ([True, False], "5/H", None)


def test_only_the_declarer_overturns_before_the_bottom_is_taken() -> None:
    """stir-2deck-chaodipi 三、1: 庄家未拿底牌前非庄家不得正主，而庄家可."""
    assert declared("stir-2deck-chaodipi", 2, "5", "N D5", "W S5 S5", declarer=Seat.E)[0] == [True, False]
    assert declared("stir-2deck-chaodipi", 2, "5", "N D5", "E LJ LJ", declarer=Seat.E) == ([True, True], "5/NT", Seat.E)


def test_declarations_are_heard_only_after_the_draw() -> None:
    """cmec-2deck-510k 2: 发牌结束后，每方都可以根据牌情亮级牌."""
    state = begin(preset("cmec-2deck-510k"), 1, Rank("2"))
    assert not offer(state, Seat.E, parse_cards("D2")).accepted
    assert offer(advance(state, Phase.DRAWN), Seat.E, parse_cards("D2")).accepted


def test_declarations_at_the_same_time() -> None:
    """threedeck-to6 八、2: 两人同时翻出，以上家为准; staff-4deck-to4 亮牌 3: 两人同时亮牌，由裁判抽签."""
    assert first_heard(preset("threedeck-to6"), {Seat.S, Seat.W}, Seat.N) is Seat.W
    assert first_heard(preset("threedeck-to6"), {Seat.S, Seat.E}, Seat.W) is Seat.S
    assert first_heard(preset("staff-4deck-to4"), {Seat.S, Seat.E}, Seat.W) is None


def test_cards_that_declare_nothing_are_refused() -> None:
    assert declared("official-2deck-shengji", 1, "2", "E D3", "N D2 S2", "W LJ") == ([False] * 3, None, None)


def in_phase(rulebook: str, phase: Phase, t: float | None = None) -> DeclareState:
    state = offer(begin(preset(rulebook), 2, Rank("5"), Seat.E), Seat.E, parse_cards("D5")).state
    return advance(state, phase, t)


def test_nobody_declares_once_the_bottom_is_taken() -> None:
    state = in_phase("official-2deck-shengji", Phase.TAKEN)
    assert not offer(state, Seat.N, parse_cards("S5 S5")).accepted
    assert offer(in_phase("official-2deck-shengji", Phase.DRAWN), Seat.N, parse_cards("S5 S5")).accepted


def test_the_overturn_window_closes() -> None:
    """elimination-4deck-2toA 三、3: 牌全部上手后10秒钟内为反主考虑时间."""
    state = in_phase("elimination-4deck-2toA", Phase.DRAWN, 100.0)
    assert offer(state, Seat.N, parse_cards("S5 S5"), 109.0).accepted
    assert not offer(state, Seat.N, parse_cards("S5 S5"), 111.0).accepted


def test_a_side_that_lost_its_right_is_not_heard() -> None:
    """reverse-dig-4deck-bombs 第八章 1: 不慎形成明叫则失误一方失去叫牌权."""
    state = bar(begin(preset("reverse-dig-4deck-bombs"), 2, Rank("5")), Seat.E)
    assert not offer(state, Seat.W, parse_cards("D5")).accepted
    assert offer(state, Seat.N, parse_cards("D5")).accepted


@pytest.mark.parametrize(
    ("rulebook", "deal", "bottom", "suit"),
    [
        ("threedeck-to6", 2, "LJ D9 S5 S2", Suit.DIAMONDS),
        ("threedeck-2start-6bottom", 2, "D9 BJ S5 HK", Suit.SPADES),
        ("threedeck-2start-6bottom", 2, "BJ D9 SK HK", Suit.DIAMONDS),
        ("stir-2deck-chaodipi", 2, "D9 SK BJ HK", Suit.SPADES),
        ("stir-2deck-chaodipi", 2, "D9 SK C5 H5", Suit.CLUBS),
    ],
)
def test_the_bottom_names_trump_when_nobody_declared(rulebook: str, deal: int, bottom: str, suit: Suit) -> None:
    outcome = finish(begin(preset(rulebook), deal, Rank("5"), Seat.E), parse_cards(bottom))
    assert outcome.trump == Trump(Rank("5"), suit)
    assert outcome.declarer is Seat.E


def test_what_happens_when_nobody_declares() -> None:
    def nobody(rulebook: str, deal: int) -> Nobody | None:
        return finish(begin(preset(rulebook), deal, Rank("5"))).nobody

    assert nobody("union-3deck-3toK", 1) is Nobody.REDEAL
    assert nobody("union-3deck-3toK", 2) is Nobody.CHOKED
    assert nobody("staff-4deck-to4", 2) is Nobody.LOTS
    assert nobody("detailed-80-2deck", 2) is Nobody.STEPS_DOWN
    assert finish(begin(preset("school-2deck-2J-must"), 2, Rank("5"))).trump == Trump(Rank("5"), None)


class TestStirring:
    def test_in_seat_order_any_pair_stirs(self) -> None:
        """stir-2deck-chaodipi 三、3: 按逆时针顺序，不分花色大小，后面的可以炒前面的."""
        state = in_phase("stir-2deck-chaodipi", Phase.BURIED)
        came = stir(state, Seat.N, parse_cards("BJ BJ"))
        assert came.accepted
        came = stir(came.state, Seat.W, parse_cards("C5 C5"))
        assert came.accepted
        assert came.state.trump == Trump(Rank("5"), Suit.CLUBS)
        assert not stir(came.state, Seat.W, parse_cards("S5 S5")).accepted
        assert not stir(state, Seat.N, parse_cards("C5")).accepted

    def test_only_stronger_pairs_stir_where_they_rank(self) -> None:
        """shuangsheng-2deck-to10 四: 从大到小顺序为大王、小王、黑、红、方、梅."""
        state = in_phase("shuangsheng-2deck-to10", Phase.BURIED)
        came = stir(state, Seat.N, parse_cards("H5 H5"))
        assert came.accepted
        assert not stir(came.state, Seat.E, parse_cards("C5 C5")).accepted
        assert stir(came.state, Seat.E, parse_cards("S5 S5")).accepted
        assert stir(came.state, Seat.E, parse_cards("LJ LJ")).accepted

    def test_the_pair_that_stands_as_no_trump_is_no_stronger_than_itself(self) -> None:
        """campus-2deck-2toA 大王”或“小王”可反无主: what stands counts on the ladder of stirs too."""
        declared = offer(begin(preset("campus-2deck-2toA"), 2, Rank("5"), Seat.E), Seat.E, parse_cards("LJ LJ"))
        assert declared.accepted
        state = advance(declared.state, Phase.BURIED)
        assert not stir(state, Seat.E, parse_cards("LJ LJ")).accepted
        assert stir(state, Seat.N, parse_cards("BJ BJ")).accepted

    def test_not_before_the_bottom_is_buried_nor_where_it_is_not_played(self) -> None:
        assert not stir(in_phase("stir-2deck-chaodipi", Phase.TAKEN), Seat.N, parse_cards("C5 C5")).accepted
        assert not stir(in_phase("official-2deck-shengji", Phase.BURIED), Seat.N, parse_cards("C5 C5")).accepted

    def test_not_when_the_bottom_named_trump(self) -> None:
        """shuangsheng-2deck-to10 四: 若主是在翻底牌时确认的则不允许炒地皮."""
        state = advance(begin(preset("shuangsheng-2deck-to10"), 2, Rank("5"), Seat.E), Phase.BURIED)
        assert not stir(state, Seat.N, parse_cards("C5 C5")).accepted


def test_a_flipped_face_that_is_known_must_be_the_one_shown() -> None:
    state = begin(preset("nanning-4deck-nobottom"), 1, Rank("3"), flipped=Card("D8"))
    assert not offer(state, Seat.E, parse_cards("C8 S3")).accepted
    assert offer(state, Seat.E, parse_cards("D8 S3")).accepted
