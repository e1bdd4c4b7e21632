"""Following: the clauses of the sheets, and what holds for every rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, parse_cards, parse_trump
from engine.follow import FollowError, can_follow, legal_follow, monotone, verify_follow
from engine.owed import best_profile, demand_of
from engine.rulebook_policy import depart
from engine.shapes import read
from engine.upsets import upsets
from tests.engine import brute
from tests.engine.deals import preset
from tests.engine.strategies import ALL, ONLINE, Game, clump, games, quick


def legal(rulebook: str, trump: str, lead: str, hand: str, play: str, **policy: object) -> bool:
    rules = depart(preset(rulebook), policy=policy) if policy else preset(rulebook)
    return can_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))


def refusal(rulebook: str, trump: str, lead: str, hand: str, play: str) -> FollowError:
    with pytest.raises(FollowError) as caught:
        verify_follow(preset(rulebook), parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))
    return caught.value


OFFICIAL = "official-2deck-shengji"


@pytest.mark.parametrize(
    ("lead", "hand", "play", "want"),
    [
        ("S8", "S9 D4", "D4", False),
        ("S8", "S2 D4", "D4", True),
        ("H8", "S2 D4", "D4", False),
        ("H8", "LJ D4", "D4", False),
        ("S8 S8", "S9 D4 D4", "D4 D4", False),
        ("S8 S8", "S9 D4 D4", "S9 D4", True),
        ("S8 S8", "S9 S9 SK SQ", "SK SQ", False),
        ("S8 S8", "S9 S9 SK SQ", "S9 S9", True),
    ],
)
def test_the_suit_then_the_pair_is_owed(lead: str, hand: str, play: str, want: bool) -> None:
    assert legal(OFFICIAL, "2/H", lead, hand, play) is want


@pytest.mark.parametrize(
    ("hand", "play", "want"),
    [
        ("S3 S3 S4 S4 S6 S6 SK", "S3 S3 S4 S4", True),
        ("S3 S3 S4 S4 S6 S6 SK", "S3 S3 S6 S6", False),
        ("S3 S3 S6 S6 SK SQ", "S3 S3 S6 S6", True),
        ("S3 S3 S6 S6 SK SQ", "S3 S3 SK SQ", False),
        ("S3 S3 S6 SJ SK", "S3 S3 S6 SJ", True),
        ("S3 S3 S6 SJ SK", "S3 S6 SJ SK", False),
    ],
)
def test_tractors_for_tractors_then_pairs_for_pairs(hand: str, play: str, want: bool) -> None:
    assert legal(OFFICIAL, "2/H", "S8 S8 S9 S9", hand, play) is want


def test_a_shorter_tractor_is_owed_where_the_full_one_is_not_held() -> None:
    hand = "S3 S3 S4 S4 S6 S6 SJ SJ"
    assert legal(OFFICIAL, "2/H", "S8 S8 S9 S9 S10 S10", hand, "S3 S3 S4 S4 SJ SJ")
    assert not legal(OFFICIAL, "2/H", "S8 S8 S9 S9 S10 S10", hand, "S3 S3 S6 S6 SJ SJ")


def test_equal_level_cards_of_two_suits_are_no_pair() -> None:
    assert legal(OFFICIAL, "7/H", "H8 H8", "S7 D7 HQ", "S7 HQ")
    assert not legal(OFFICIAL, "7/H", "H8 H8", "S7 S7 D7 HQ", "S7 D7")


def test_two_off_level_pairs_stand_on_one_rung_of_a_tractor() -> None:
    """S7 S7 and D7 D7 are equal, so they are no tractor with each other but either is one with H7 H7."""
    assert not legal(OFFICIAL, "7/H", "H3 H3 H4 H4", "S7 S7 D7 D7 H7 H7", "S7 S7 D7 D7")
    assert legal(OFFICIAL, "7/H", "H3 H3 H4 H4", "S7 S7 D7 D7 H7 H7", "D7 D7 H7 H7")
    assert legal(OFFICIAL, "7/H", "H3 H3 H4 H4", "S7 S7 D7 D7 HQ", "S7 S7 D7 D7")


def test_pairs_led_apart_owe_no_tractor() -> None:
    assert legal(OFFICIAL, "2/H", "S8 S8 S10 S10", "S3 S3 S4 S4 S6 S6", "S3 S3 S6 S6")


class TestUnionThreePacks:
    """union-3deck-3toK: the ladders of 九、出牌."""

    book = "union-3deck-3toK"

    @pytest.mark.parametrize(
        ("lead", "hand", "play", "want"),
        [
            ("S8 S8 S8", "S4 S4 S9 SK D3", "S4 S9 SK", False),
            ("S8 S8 S8", "S4 S4 S9 SK D3", "S4 S4 SK", True),
            ("S8 S8 S9 S9", "S3 S3 S3 S6 SK", "S3 S3 S6 SK", False),
            ("S8 S8 S9 S9", "S3 S3 S3 S6 SK", "S3 S3 S3 S6", True),
            ("S8 S8 S9 S9", "S3 S3 S3 S6 S6 SK", "S3 S3 S3 SK", False),
            ("S8 S8 S9 S9", "S3 S3 S3 S6 S6 SK", "S3 S3 S6 S6", True),
            ("S7 S7 S8 S8 S9 S9", "S3 S3 S3 S6 S6 S6 SK", "S3 S3 S3 S6 S6 SK", False),
            ("S7 S7 S8 S8 S9 S9", "S3 S3 S3 S6 S6 S6 SK", "S3 S3 S3 S6 S6 S6", True),
        ],
    )
    def test_printed_rungs(self, lead: str, hand: str, play: str, want: bool) -> None:
        assert legal(self.book, "5/H", lead, hand, play) is want

    def test_the_ladder_of_three_pairs_names_no_shorter_tractor(self) -> None:
        """三对拖拉机: 拖拉机/三对/…: any three pairs follow three pairs in a row."""
        assert legal(self.book, "5/H", "S7 S7 S8 S8 S9 S9", "S3 S3 S4 S4 SJ SJ SK SK", "S3 S3 SJ SJ SK SK") is True


class TestStaffFourPacks:
    """staff-4deck-to4: 打牌規則 4 to 8."""

    book = "staff-4deck-to4"

    @pytest.mark.parametrize(
        ("lead", "hand", "play", "want"),
        [
            ("S8 S8 S8", "S4 S4 S4 S4 S9", "S4 S4 S9", False),
            ("S8 S8 S8", "S4 S4 S4 S4 S9", "S4 S4 S4", True),
            ("S8 S8", "S7 S7 S7 S9 SK", "S9 SK", False),
            ("S8 S8", "S7 S7 S7 S9 SK", "S7 S7", True),
            ("S5 S5 S6 S6 S7 S7 S8 S8", "S3 S3 S3 S4 S4 S4 SJ SJ SK SK SQ SQ", "SJ SJ SQ SQ SK SK S3 S3", False),
            ("S5 S5 S6 S6 S7 S7 S8 S8", "S3 S3 S3 S4 S4 S4 SJ SJ SK SK SQ SQ", "S3 S3 S3 S4 S4 S4 SJ SJ", True),
            ("S9 S9 S9 S8 S8 S8", "S3 S3 S3 S5 S5 S5 SJ SJ SQ SQ SK SK", "SJ SJ SQ SQ SK SK", False),
            ("S9 S9 S9 S8 S8 S8", "S3 S3 S3 S5 S5 S5 SJ SJ SQ SQ SK SK", "S3 S3 S3 S5 S5 S5", True),
            ("S9 S9 S9 S8 S8 S8", "S3 S3 S3 S5 S5 SJ SJ SQ SQ SK SK", "SJ SJ SQ SQ SK SK", False),
            ("S9 S9 S9 S8 S8 S8", "S3 S3 S3 S5 S5 SJ SJ SQ SQ SK SK", "S3 S3 S3 SQ SQ SK", True),
        ],
    )
    def test_printed_rungs(self, lead: str, hand: str, play: str, want: bool) -> None:
        assert legal(self.book, "10/H", lead, hand, play) is want

    def test_ranks_around_the_level_rank_are_neighbours(self) -> None:
        """主副牌都可以隔拖."""
        assert not legal(self.book, "10/H", "S2 S2 S3 S3", "SJ SJ S9 S9 S5 S5", "SJ SJ S5 S5")


def test_a_shape_that_beats_the_lead_may_be_played_over_it() -> None:
    """staff-4deck-to4 8: 下家跟999888為大; elimination-4deck-2toA 4: 4条比2连拖大."""
    assert legal("staff-4deck-to4", "10/H", "SA SA SK SK SQ SQ", "S9 S9 S9 S8 S8 S8 S7 S7", "S9 S9 S9 S8 S8 S8")
    assert legal("elimination-4deck-2toA", "A/H", "S7 S7 S8 S8", "S2 S2 S2 S2 S3 S3 S4 S4", "S2 S2 S2 S2")
    assert not legal("elimination-4deck-2toA", "A/H", "S7 S7 S8 S8", "S2 S2 S2 S3 S3 S4 S4", "S2 S2 S2 S3")


class TestFourPacksWithBombs:
    """fourdeck-150min, nanning-4deck-nobottom and reverse-dig-4deck-bombs."""

    def test_a_quad_asks_for_triple_and_single_before_a_tractor(self) -> None:
        """fourdeck-150min 出四张牌时: 没有四张的出三张同花同点另加一张."""
        assert not legal("fourdeck-150min", "7/H", "SA SA SA SA", "S5 S5 S5 S8 S8 S9 S9", "S8 S8 S9 S9")

    def test_a_quad_asks_for_a_tractor_first_in_nanning(self) -> None:
        """nanning-4deck-nobottom 四、2: 四张、拖拉机、对子、散张."""
        assert legal("nanning-4deck-nobottom", "7/H", "SA SA SA SA", "S5 S5 S5 S8 S8 S9 S9", "S8 S8 S9 S9")
        assert not legal("nanning-4deck-nobottom", "7/H", "SA SA SA SA", "S5 S5 S5 S8 S8 S9 S9", "S5 S5 S5 S8")

    def test_a_bomb_is_owed_to_a_tractor(self) -> None:
        """reverse-dig-4deck-bombs 第四章 2: 有连牌或炸弹的必须要跟."""
        assert not legal("reverse-dig-4deck-bombs", "7/H", "S8 S8 S9 S9", "S5 S5 S5 S5 SJ SK", "S5 S5 SJ SK")
        assert legal("reverse-dig-4deck-bombs", "7/H", "S8 S8 S9 S9", "S5 S5 S5 S5 SJ SK", "S5 S5 S5 S5")

    def test_two_aces_and_two_twos_are_the_smallest_tractor(self) -> None:
        """reverse-dig-4deck-bombs 第六章 2: AA22为最小."""
        assert not legal("reverse-dig-4deck-bombs", "7/H", "H8 H8 H9 H9", "HA HA H2 H2 HJ HJ", "HA HA HJ HJ")
        assert legal("reverse-dig-4deck-bombs", "7/H", "H8 H8 H9 H9", "HA HA H2 H2 HJ HJ", "HA HA H2 H2")


class TestPairsOptional:
    """basic-80-10KA: 有对可以不出对."""

    @pytest.mark.parametrize(
        ("lead", "hand", "play", "want"),
        [
            ("S8 S8", "S7 S7 S9 SQ", "S9 SQ", True),
            ("S8 S8", "S7 S7 S9 D4", "S9 D4", False),
            ("S8 S8 S9 S9", "S4 S4 S6 S6 SJ SQ", "S4 S6 SJ SQ", True),
            ("S8 S8 S9 S9", "S4 S4 S5 S5 SJ SQ", "S4 S4 SJ SQ", False),
        ],
    )
    def test_pairs_are_not_owed_but_the_suit_and_tractors_are(self, lead: str, hand: str, play: str, want: bool) -> None:
        assert legal("basic-80-10KA", "K/H", lead, hand, play) is want


class TestPoliciesOfOnlineTables:
    @pytest.mark.parametrize(
        ("policy", "lead", "hand", "play", "want"),
        [
            ("no_protections", "S3 S3", "S2 S2 S2 S3 S5", "S3 S5", False),
            ("longer_protected", "S3 S3", "S2 S2 S2 S3 S5", "S3 S5", True),
            ("longer_protected", "H10 H10 HJ HJ HQ HQ", "HK HK H2 H2 H2 H5 H6 H7 H8", "H2 H2 H2 H5 H6 H7", False),
            ("longer_protected", "S6 S6 S7 S7 S5", "S6 S6 S6 S8 S8", "S6 S6 S6 S8 S8", True),
            ("longer_protected", "S6 S6 S7 S7 S5", "S6 S6 S6 S8 S8 SJ SJ", "S6 S6 S6 S8 S8", False),
            ("no_format_draw", "S3 S3", "S2 S2 S3 S3 S5 S5", "S2 S3", True),
            ("no_protections", "S3 S3 S3 S3", "S5 S5 S6 S6 S8 S8", "S5 S5 S8 S8", False),
            ("tractor_only", "S3 S3 S3 S3", "S5 S5 S6 S6 S8 S8", "S5 S5 S8 S8", True),
        ],
    )
    def test_named_draw(self, policy: str, lead: str, hand: str, play: str, want: bool) -> None:
        assert legal("online-tractor", "4/C", lead, hand, play, draw=policy) is want

    @pytest.mark.parametrize(("bomb", "want"), [("none", False), ("suit_following", False), ("any_suit", True)])
    def test_a_bomb_from_another_suit_while_the_suit_is_held(self, bomb: str, want: bool) -> None:
        assert legal("online-tractor", "4/H", "S8 S8 S9 S9", "D2 D2 D2 D2 S5", "D2 D2 D2 D2", bomb=bomb) is want

    def test_a_trump_bomb_is_a_ruff_while_the_suit_is_held(self) -> None:
        assert legal("online-tractor", "4/H", "S8 S8 S9 S9", "H3 H3 H3 H3 S5", "H3 H3 H3 H3", bomb="suit_following")


class TestReasons:
    def test_the_suit_that_was_held_is_named_with_cards(self) -> None:
        error = refusal(OFFICIAL, "2/H", "S8", "S9 D4", "D4")
        assert (error.kind, error.owed) == ("suit", ("S9",))
        assert "S9" in error.reason["zh"]
        assert "S9" in error.reason["en"]

    def test_the_pair_that_was_owed_is_named(self) -> None:
        error = refusal(OFFICIAL, "2/H", "S8 S8", "S9 S9 SK SQ", "SK SQ")
        assert (error.kind, error.owed) == ("pair", ("S9", "S9"))
        assert "对子（S9 S9）" in error.reason["zh"]
        assert "a pair could be made (S9 S9)" in error.reason["en"]

    def test_the_tractor_that_was_owed_is_named(self) -> None:
        error = refusal(OFFICIAL, "2/H", "S8 S8 S9 S9", "S3 S3 S4 S4 SJ SJ", "S3 S3 SJ SJ")
        assert (error.kind, set(error.owed)) == ("tractor", {"S3", "S4"})

    def test_the_rung_of_a_printed_ladder_is_named(self) -> None:
        error = refusal("staff-4deck-to4", "10/H", "S8 S8 S8", "S4 S4 S4 S4 S9", "S4 S4 S9")
        assert (error.kind, error.owed) == ("shape", ("S4", "S4", "S4"))
        assert "没三张出一对加一个" in error.clause

    @pytest.mark.parametrize(
        ("lead", "hand", "play", "kind"),
        [
            ("S3 S3 S4 S4 S5 S5 S6 S6", "S7 S7 S8 S8 S9 S9 SQ SQ SK", "S7 S7 S8 S8 S9 SQ SQ SK", "tractor"),
            ("S3 S3 S4 S4 S5 S5 S6 S6", "S7 S7 S9 S9 SJ SJ SK SK SA", "S7 S7 S9 S9 SJ SJ SK SA", "pair"),
            ("S3 S3 S4 S4 S5 S5 S6 S6", "S7 S7 S8 S9 S10 SJ SQ SK SA", "S7 S8 S9 S10 SJ SQ SK SA", "pair"),
            ("S3 S3 S4 S4 S5 S5 S6 S6", "S7 S7 S7 S8 S8 S8 SJ SJ SA", "S7 S7 S7 S8 S8 S8 SJ SA", "tractor"),
            ("S3 S3 S3 S4 S4 S4", "S7 S7 S7 S9 S9 S9 SK", "S7 S7 S7 S9 S9 SK", "shape"),
            ("S3 S3 S3 S4 S4 S4", "S7 S7 S8 S8 SJ SK SA", "S7 S7 S8 SJ SK SA", "pair"),
        ],
    )
    def test_what_a_lower_rung_lacks_is_named(self, lead: str, hand: str, play: str, kind: str) -> None:
        """elimination-4deck-2toA: 跟3对连拖加1对, 跟5对, 出完对后以散牌补足."""
        assert refusal("elimination-4deck-2toA", "2/H", lead, hand, play).kind == kind

    def test_of_a_rung_with_two_forms_the_one_that_is_held_is_named(self) -> None:
        """reverse-dig-4deck-bombs 第四章 2: 有连牌（拖拉机）或“炸弹”的必须要跟."""
        error = refusal("reverse-dig-4deck-bombs", "7/H", "S8 S8 S9 S9", "S5 S5 S5 S5 SJ SJ", "S5 S5 SJ SJ")
        assert (error.kind, error.owed) == ("shape", ("S5", "S5", "S5", "S5"))
        assert "四张（S5 S5 S5 S5）" in error.reason["zh"]

    def test_what_is_dear_is_kept_where_the_choice_is_free(self) -> None:
        rules, trump = preset(OFFICIAL), parse_trump("2/H")
        lead, hand = parse_cards("S8"), parse_cards("S3 SK D4")
        assert legal_follow(rules, trump, lead, hand) == ("S3",)
        assert legal_follow(rules, trump, lead, hand, {"S3": 9.0, "SK": 1.0}.__getitem__) == ("SK",)
        assert legal_follow(rules, trump, parse_cards("C8"), parse_cards("H3 SK D4")) == ("D4",)

    def test_a_wrong_count_says_how_many(self) -> None:
        error = refusal(OFFICIAL, "2/H", "S8 S8", "S9 S9", "S9")
        assert error.kind == "count"
        assert "2" in error.reason["en"]


PRINTED = {name: preset(name) for name in ("union-3deck-3toK", "staff-4deck-to4", "fourdeck-150min", "reverse-dig-4deck-bombs")}


@st.composite
def tables(draw: st.DrawFn) -> tuple[Game, list[Card], list[Card]]:
    """A game with a lead of one suit and a hand of that suit and others, at least as long as the lead."""
    game = draw(games({**ALL, **ONLINE}))
    decks = game.rules.pack.decks
    lead = draw(clump(game.faces, decks, most=8))
    suited = draw(clump(game.faces, decks, most=12)) if draw(st.booleans()) else draw(clump(game.faces, decks, most=4))
    others = draw(clump(game.others, decks, least=max(1, len(lead) - len(suited)), most=12))
    return game, lead, [*suited, *others]


@quick
@given(tables())
def test_a_legal_follow_exists_and_is_found(table: tuple[Game, list[Card], list[Card]]) -> None:
    game, lead, hand = table
    play = legal_follow(game.rules, game.trump, lead, hand)
    verify_follow(game.rules, game.trump, lead, hand, play)


@quick
@given(tables(), st.randoms(use_true_random=False))
def test_an_illegal_play_names_cards_of_the_hand_that_a_legal_play_holds(table: tuple[Game, list[Card], list[Card]], chance: Random) -> None:
    game, lead, hand = table
    play = chance.sample(hand, len(lead))
    if can_follow(game.rules, game.trump, lead, hand, play):
        return
    with pytest.raises(FollowError) as caught:
        verify_follow(game.rules, game.trump, lead, hand, play)
    error = caught.value
    assert error.owed
    rest = list(hand)
    for card in error.owed:
        rest.remove(card)
    suited = sorted(rest, key=lambda card: game.order.group[card] != game.group)
    better = [*error.owed, *suited][: len(lead)]
    assert can_follow(game.rules, game.trump, lead, hand, better), error.reason
    assert all(card in error.reason["zh"] and card in error.reason["en"] for card in error.owed)


@quick
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_cards_does_not_matter(table: tuple[Game, list[Card], list[Card]], chance: Random) -> None:
    game, lead, hand = table
    play = chance.sample(hand, len(lead))
    before = can_follow(game.rules, game.trump, lead, hand, play)
    for cards in (lead, hand, play):
        chance.shuffle(cards)
    assert can_follow(game.rules, game.trump, lead, hand, play) is before


@quick
@given(tables(), st.randoms(use_true_random=False))
def test_illegal_on_a_part_of_the_hand_is_illegal_on_the_whole(table: tuple[Game, list[Card], list[Card]], chance: Random) -> None:
    game, lead, hand = table
    if not monotone(game.rules):
        return
    play = chance.sample(hand, len(lead))
    rest = list(hand)
    for card in play:
        rest.remove(card)
    part = [*play, *chance.sample(rest, len(rest) // 2)]
    if not can_follow(game.rules, game.trump, lead, part, play):
        assert not can_follow(game.rules, game.trump, lead, hand, play)


@quick
@given(tables())
def test_cheap_cards_are_given_away_where_nothing_is_owed(table: tuple[Game, list[Card], list[Card]]) -> None:
    game, lead, hand = table
    suited = [card for card in hand if game.order.group[card] == game.group]
    if suited:
        return
    play = legal_follow(game.rules, game.trump, lead, hand, lambda card: float(game.order.place[card]))
    dearest = max(game.order.place[card] for card in play)
    assert all(game.order.place[card] >= dearest or card in play for card in hand)


@quick
@given(games(ONLINE, most_faces=6), st.data())
def test_the_best_profile_is_the_best_of_all_rungs_by_brute_force(game: Game, data: st.DataObject) -> None:
    decks = game.rules.pack.decks
    lead = data.draw(clump(game.faces, decks, least=2, most=6))
    hand = data.draw(clump(game.faces, decks, most=9))
    demand = demand_of(game.order, lead)
    if demand is None:
        return
    following = game.rules.following
    expected = brute.best(game.order, hand, demand.units, following.protect_longer, following.tractor_only_for_tractor)
    assert best_profile(game.order, hand, demand, following.protect_longer) == expected


@quick
@given(games(PRINTED), st.data())
def test_a_play_is_legal_when_no_play_of_the_hand_stands_on_a_higher_rung(game: Game, data: st.DataObject) -> None:
    """Legality by listing every play of a small hand: the best profile among them is the one that a legal play must have."""
    decks = game.rules.pack.decks
    lead = data.draw(clump(game.faces, decks, least=2, most=6))
    hand = data.draw(clump(game.faces, decks, least=len(lead), most=9))
    demand = demand_of(game.order, lead)
    if demand is None or len(hand) < len(lead):
        return
    plays = {tuple(sorted(play)) for play in combinations(hand, len(lead))}
    top = max(best_profile(game.order, play, demand, False) for play in plays)
    for play in plays:
        over = is_one_unit_over(game, lead, play)
        assert can_follow(game.rules, game.trump, lead, hand, play) is (over or best_profile(game.order, play, demand, False) == top)


def is_one_unit_over(game: Game, lead: Sequence[Card], play: Sequence[Card]) -> bool:
    led, units = read(game.rules, game.trump, lead), read(game.rules, game.trump, play)
    return len(led) == len(units) == 1 and upsets(game.rules, units[0].shape, led[0].shape)


def test_without_format_only_the_suit_is_owed_to_any_lead() -> None:
    rules = depart(preset("online-tractor"), policy={"draw": "no_format_draw"})
    hand = parse_cards("S2 S2 S3 S3 S5 S6")
    assert can_follow(rules, parse_trump("4/H"), parse_cards("S8 S8 S9 S9"), hand, parse_cards("S2 S3 S5 S6"))
    assert not can_follow(rules, parse_trump("4/H"), parse_cards("S8 S8 S9 S9"), [*hand, Card("D2")], parse_cards("S2 S3 S5 D2"))


def test_a_lead_that_cannot_be_read_asks_for_the_suit_of_its_first_card() -> None:
    assert legal(OFFICIAL, "2/H", "S8 S8 D9", "S9 S9 SJ SQ SK", "SJ SQ SK")
    assert not legal(OFFICIAL, "2/H", "S8 S8 D9", "S9 S9 SJ SQ D3", "SJ SQ D3")


def test_trumps_of_another_print_follow_trumps() -> None:
    assert not legal(OFFICIAL, "10/H", "H3", "D10 S4", "S4")
    assert legal(OFFICIAL, "10/H", "D3", "D10 S4", "S4")
