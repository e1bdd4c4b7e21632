"""Every lesson: recognised with its clause where the cards show it, and not where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from engine import referee
from engine.lessons import Lesson, habits, lessons_of, results, signals
from engine.lessons import played as known
from engine.lessons.clauses import CLAUSES, RULEBOOK
from engine.lessons.lesson import in_words
from engine.lessons.played import Played
from engine.simulate import play_deal
from tests.engine.lessons.tables import RULES, played

Find = Callable[[Played], Iterator[Lesson]]

CASES: list[tuple[str, Find, str, str, str]] = [
    # kind, finder, the clause's words, cards that show it, cards that do not
    ("points_turned", results.points_turned, "scoring.bands", "1 E: H3 | HA | H4 | HK", "1 E: HA | H3 | H4 | HK"),
    ("points_lost", results.points_lost, "scoring.bands", "1 E: HA | HK | H4 | H3", "1 E: HA | H5 | H10 | H3"),
    ("throw_risky", results.throws, "throws.forced", "1 E: HA HK | H3 H4 | H5 H6 | H7 H8", "1 E: HA HA HK | H3 H4 H6 | H5 H6 H7 | H7 H8 H9"),
    ("throw_failed", results.throws, "throws.forced", "1 E: HA HK | HA H4 | H5 H6 | H7 H8", "1 E: HA HK | H3 H4 | H5 H6 | H7 H8"),
    ("could_take", results.could_take, "beating.throw_ruffs", "1 E: HK | H10 | H3 | H4\n2 E: C3 | HA | C4 | C5",
     "1 E: HK | H10 | H3 | H4\n2 E: C3 | H9 | C4 | C5"),
    ("signal_ace", signals.ace_led, "庄家出A，帮家给8或9，表示有A", "1 E: HA | H3 | H9 | H4\n2 E: H6 | H5 | HA | H7",
     "1 E: HA | H3 | H9 | H4\n2 E: H6 | H5 | HQ | H7"),
    ("signal_unheld", signals.ace_led, "副牌流行89JQ应A信号", "1 E: HA | H3 | H9 | H4\n2 E: H6 | H5 | H3 | H7",
     "1 E: HA | H3 | H9 | H4\n2 E: H6 | H5 | C3 | H7"),
    ("signal_kept", signals.ace_led, "庄家出A，帮家给8或9，表示有A", "1 E: HA | H3 | H4 | H4\n2 E: H6 | H5 | HA | H7\n3 W: H9 | H8 | H10 | H7",
     "1 E: HA | H3 | H4 | H4\n2 E: H6 | H5 | HA | H7\n3 W: H3 | H8 | H10 | H7"),
    ("ace_from_akk", signals.ace_led, "庄家手中有AKK则单出A", "1 E: HA | H3 | H4 | H4\n2 E: HK HK | H5 H6 | H7 H8 | H9 H10",
     "1 E: HA | H3 | H4 | H4\n2 E: HK HQ | H5 H6 | H7 H8 | H9 H10"),
    ("reply_pairs", signals.ace_led, "回2、3、4表示自己有较强的对子", "1 E: HA | H6 | H3 | H4\n2 E: H5 H6 | H7 H8 | HQ HQ | H9 H10",
     "1 E: HA | H6 | H3 | H4\n2 E: H5 H6 | H7 H8 | HQ HJ | H9 H10"),
    ("points_given", signals.ace_led, "此时也可以直接跑分，出5、10、k", "1 E: HA | H6 | H10 | H4", "1 E: HA | H6 | H7 | H4"),
    ("king_from_aces", signals.king_led, "出单K，表示有双A", "1 E: HK | H6 | H7 | H4\n2 E: HA HA | H3 H5 | H8 H9 | H10 HJ",
     "1 E: HK | H6 | H7 | H4\n2 E: HA HQ | H3 H5 | H8 H9 | H10 HJ"),
    ("king_answered", signals.king_led, "庄家出K，帮家给8或9，表示有K", "1 E: HK | H6 | H9 | H4\n2 E: HA HA | H3 H5 | H8 HK | H10 HJ",
     "1 E: HK | H6 | H9 | H4\n2 E: HA HA | H3 H5 | H8 HQ | H10 HJ"),
    ("five_from_aces", signals.five_led, "出单5，表示有双A，要求对家如有K必须出K",
     "1 E: H5 | H6 | HK | H4\n2 W: H3 | H7 | H8 | HA\n3 E: HA HA | H3 H5 | H8 H9 | H10 HJ",
     "1 E: H5 | H6 | HK | H4\n2 W: H3 | H7 | H8 | HA\n3 E: HA HQ | H3 H5 | H8 H9 | H10 HJ"),
    ("level_card_draws", signals.trumps_drawn, "突然用级牌吊主了，这是要求对家不要再出副牌", "1 E: HA | H3 | H4 | H5\n2 E: S2 | S3 | S4 | S5",
     "1 E: S2 | S3 | S4 | S5\n2 E: HA | H3 | H4 | H5"),
    ("draw_high", signals.trumps_drawn, "用9、j、Q代表较高位置", "1 E: S9 | S3 | SA | S4", "1 E: SK | S3 | SA | S4"),
    ("draw_low", signals.trumps_drawn, "用2、3、4代表较低位置", "1 E: S3 | S6 | SA | S4", "1 E: S3 S3 | S6 S7 | SA S8 | S4 S5"),
    ("draw_middle", signals.trumps_drawn, "6、 7、8代表中间位置", "1 E: S7 | S6 | SA | S4", "1 E: H7 | H6 | HA | H4"),
    ("reply_high", signals.trumps_drawn, "用主牌9、j、Q表示自己高花有进手张", "1 E: S6 | S3 | SJ | S4", "1 E: S6 | S3 | HJ | S4"),
    ("reply_low", signals.trumps_drawn, "用主牌2、3、4表示低花有进手张", "1 E: S6 | S8 | S4 | S7", "1 E: S6 | S8 | S2 | S7"),
    ("reply_middle", signals.trumps_drawn, "用主牌6、7、8表示付排不好", "1 E: S6 | S5 | S8 | S7", "1 E: SA | S5 | SK | S7\n2 E: S6 | S5 | S8 | S7"),
    ("declarer_throws", habits.declarer_throws, "一般情况下，坐庄不甩牌", "1 E: HA HK | H3 H4 | H5 H6 | H7 H8\n2 E: C3 | C4 | C5 | C6",
     "1 E: C3 | C4 | C5 | C6\n2 S: HA HK | H3 H4 | H5 H6 | H7 H8"),
    ("void_led", habits.partner_leads, "绝对不可以捅庄家断门", "1 N: D3 | DA | D4 | C3\n2 W: D6 | D7 | C4 | D8",
     "1 N: D3 | DA | D4 | D9\n2 W: D6 | D7 | C4 | D8"),
    ("pair_into_void", habits.partner_leads, "庄家某门副牌已绝，对家切莫乱捅小对", "1 N: D3 | DA | D4 | C3\n2 W: D6 D6 | D7 D8 | C4 C5 | D8 D9",
     "1 N: D3 | DA | D4 | C3\n2 W: DK DK | D7 D8 | C4 C5 | D8 D9"),
    ("trump_pair_early", habits.partner_leads, "开局和中局很忌讳用对掉", "1 W: S4 S4 | S5 S6 | S7 S8 | S9 S10\n2 E: H3 H3 | H4 H5 | H6 H7 | H8 H9",
     "1 W: S4 S5 | S5 S6 | S7 S8 | S9 S10\n2 E: H3 H3 | H4 H5 | H6 H7 | H8 H9"),
    ("trump_pair_led", habits.partner_leads, "对家吊主时不应胡乱出对",
     "1 W: HA HA | H4 H5 | H6 H7 | H8 H9\n2 W: CA | C5 | C7 | C9\n3 W: S4 S4 | S5 S6 | S7 S8 | S9 S10\n4 E: C3 | C4 | C5 | C6",
     "1 W: HA HA | H4 H5 | H6 H7 | H8 H9\n2 W: CA | C5 | C7 | C9\n3 W: S4 S3 | S5 S6 | S7 S8 | S9 S10\n4 E: C3 | C4 | C5 | C6"),
    ("ruff_left", habits.ruff_left, "敌人出你断门，即便庄家能杀，你也要先杀", "1 N: D3 | C3 | D5 | S3\n2 E: HA | H3 | S4 | H4",
     "1 N: D3 | S4 | D5 | S5\n2 E: HA | H3 | S6 | H4"),
    ("pair_passed", habits.pair_passed, "放心打一对主过去", "1 E: S4 S4 | S5 S6 | SA SA | S9 S10", "1 E: S4 S4 | S5 S6 | SA SK | S9 S10"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "find", "words", "shows", "_hides"), CASES, ids=[case[0] for case in CASES])
def test_lesson_is_named_by_its_clause(kind: str, find: Find, words: str, shows: str, _hides: str) -> None:
    found = next(lesson for lesson in find(played(shows)) if lesson.kind == kind)
    assert CLAUSES[kind].zh == words
    if CLAUSES[kind].source == RULEBOOK:
        assert (found.source, found.clause) == (RULES.name, RULES.clause(words))
    else:
        assert (found.source, found.clause) == (CLAUSES[kind].source, words)
    assert found.says == CLAUSES[kind].en
    assert found.zh
    assert found.en
    assert found.seats


@pytest.mark.parametrize(("kind", "find", "_words", "_shows", "hides"), CASES, ids=[case[0] for case in CASES])
def test_lesson_is_not_told_where_the_cards_do_not_show_it(kind: str, find: Find, _words: str, _shows: str, hides: str) -> None:
    assert [lesson for lesson in find(played(hides)) if lesson.kind == kind] == []


def test_what_a_signal_says_is_told_beside_what_the_hand_held() -> None:
    """A reply says what it would mean; whether it was so is a fact of the hand."""
    (false,) = [
        x for x in signals.trumps_drawn(played("1 E: S6 | S3 | SJ | S4\n2 E: HA | H3 | H4 | H5\n3 E: DA | D3 | D4 | D5")) if x.kind == "reply_high"
    ]
    assert "照此信号" in false.zh
    assert "那里并无绝门或双A" in false.zh
    assert "held no two aces" in false.en
    (true,) = [x for x in signals.trumps_drawn(played("1 E: S6 | S3 | SJ | S4\n2 E: DA | D3 | D4 | D5")) if x.kind == "reply_high"]
    assert "那里红桃绝门" in true.zh
    assert "none in hearts" in true.en


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [("甩D10 DA BJ", "甩♦10 ♦A 大王", "甩♦10 ♦A big joker"), ("E leads S5 in H", "E leads ♠5 in H", "E leads ♠5 in H"),
     ("LJ LJ", "小王 小王", "little joker little joker"),
     ("有AKK，先单出A", "有AKK，先单出A", "有AKK，先单出A"), ("HS5 S5x", "HS5 S5x", "HS5 S5x")],
)  # fmt: skip
def test_cards_in_a_sentence_are_written_as_people_write_them(text: str, zh: str, en: str) -> None:
    assert (in_words(text, "大王", "小王"), in_words(text, "big joker", "little joker")) == (zh, en)


def test_every_kind_has_a_case() -> None:
    dug = {"dig_decided", "dig_done", "bottom_held_points", "let_in_double"}
    assert {case[0] for case in CASES} | dug == set(CLAUSES)


LAST = "1 E: HA | H3 | H4 | H5\n2 E: C3 | CA | C4 | C5\n3 N: DA DA | D3 D4 | D5 D6 | D7 D8"


@pytest.fixture
def dug(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the deal be reckoned with so many points dug."""

    def put(points: int) -> None:
        monkeypatch.setattr(results, "reckoning", lambda _: SimpleNamespace(dig_points=points, multiplier=4))

    return put


def kinds(deal: Played) -> dict[str, Lesson]:
    return {lesson.kind: lesson for lesson in results.dig(deal)}


def test_dig_was_decided_where_the_side_of_the_last_trick_came_in_for_good(dug: Callable[[int], None]) -> None:
    dug(0)
    assert kinds(played(LAST))["dig_decided"].trick == 2
    assert kinds(played("1 E: HA | H3 | H4 | H5\n2 E: CA | C3 | C4 | C5"))["dig_decided"].trick == 1
    assert set(kinds(played(LAST))) == {"dig_decided"}


def test_dig_of_a_bottom_with_points_is_told_with_who_buried_them(dug: Callable[[int], None]) -> None:
    dug(60)
    found = kinds(played(LAST, bottom="S5 SK"))
    assert found["dig_done"].zh == "底牌15分，以♦A ♦A抠底，乘4得60分"
    assert found["bottom_held_points"].clause == "因为埋了分的话保底是庄家的任务"
    assert "bottom_held_points" not in kinds(played(LAST, bottom="S3 S4"))


def test_attackers_let_in_with_an_even_number_left_and_points_in_the_bottom(dug: Callable[[int], None]) -> None:
    dug(60)
    assert kinds(played(LAST, bottom="S5 SK"))["let_in_double"].clause == "底里有分的话最好不要在偶数张时让抓分方上手"
    odd = "1 E: C3 | CA | C4 | C5\n2 N: DA | D3 | D5 | D7"
    assert "let_in_double" not in kinds(played(odd, bottom="S5 SK"))
    own = "1 N: CA | C3 | C4 | C5\n2 N: DA DA | D3 D4 | D5 D6 | D7 D8"
    assert "let_in_double" not in kinds(played(own, bottom="S5 SK"))


def test_declarer_who_shows_the_high_suits_is_told_what_is_there() -> None:
    void = next(lesson for lesson in signals.trumps_drawn(played("1 E: S9 | S3 | SA | S4\n2 W: D3 | D4 | D5 | D6")) if lesson.kind == "draw_high")
    assert "红桃绝门" in void.zh
    aces = next(
        lesson for lesson in signals.trumps_drawn(played("1 E: S9 | S3 | SA | S4\n2 W: H3 H4 | H5 H6 | HA HA | H7 H8")) if lesson.kind == "draw_high"
    )
    assert "红桃双A" in aces.zh


def test_deal_that_is_played_has_no_lessons() -> None:
    whole = play_deal("official-2deck-shengji", 1)
    half = [e for e in whole.events if getattr(e, "trick", 0) <= 9 and type(e).__name__ not in ("BottomShown", "DealEnded")]
    state = referee.fold(half)
    assert state.deal is not None
    assert (known(state.deal), lessons_of(state.deal)) == (None, ())


def test_lessons_of_a_whole_deal_stand_in_the_order_of_its_tricks_and_always_the_same() -> None:
    state = referee.fold(play_deal("official-2deck-shengji", 1).events)
    assert state.deal is not None
    found = lessons_of(state.deal)
    assert found == lessons_of(state.deal)
    assert [lesson.trick for lesson in found] == sorted(lesson.trick for lesson in found)
    assert {lesson.kind for lesson in found} >= {"dig_decided", "points_lost"}
