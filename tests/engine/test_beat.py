"""Beating: who wins a trick."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.beat import dominates, lead_shapes, match, trick_points, winner
from engine.cards import Card, parse_cards, parse_trump
from engine.follow import legal_follow
from engine.order import Order, order_of
from engine.rulebook_policy import depart
from engine.upsets import upsets
from tests.engine.deals import preset
from tests.engine.strategies import ONLINE, Game, clump, games, quick


def wins(rulebook: str, trump: str, *plays: str, decks: int | None = None, **policy: object) -> int:
    rules = depart(preset(rulebook), decks=decks, policy=policy)
    return winner(rules, parse_trump(trump), [parse_cards(play) for play in plays])


OFFICIAL = "official-2deck-shengji"


@pytest.mark.parametrize(
    ("trump", "plays", "want"),
    [
        ("10/H", ("D10", "C10", "HA", "H5"), 0),
        ("10/H", ("HA", "C10", "D10", "H10"), 3),
        ("2/NT", ("S2", "D2", "LJ", "BJ"), 3),
        ("2/H", ("S8", "S9", "D9", "SJ"), 3),
        ("2/H", ("S8", "S9", "H3", "SA"), 2),
        ("2/H", ("S8", "DA", "CA", "S3"), 0),
        ("2/H", ("S8 S8", "HA HK", "SA SK", "S3 S3"), 0),
        ("2/H", ("S8 S8", "H3 H3", "H4 H4", "SA SA"), 2),
        ("2/H", ("S8 S8 S9 S9", "H3 H3 H5 H5", "H3 H3 H4 H4", "SA SA SK SK"), 2),
    ],
)
def test_official_tricks(trump: str, plays: tuple[str, ...], want: int) -> None:
    assert wins(OFFICIAL, trump, *plays) == want


def test_points_are_of_the_whole_trick() -> None:
    assert trick_points([parse_cards(p) for p in ("S8 S8", "HA HK", "SA SK", "S5 S10")]) == 35


def test_a_bulldozer_beats_a_tractor_whoever_played_first() -> None:
    """staff-4deck-to4 8 注: 首家出AAKKQQ，下家跟999888，999888為大."""
    lead, other = "SA SA SK SK SQ SQ", "S9 S9 S9 S8 S8 S8"
    rest = ("S2 S3 S4 S5 S6 S7", "D2 D3 D4 D5 D6 D7")
    assert wins("staff-4deck-to4", "10/H", lead, other, *rest) == 1
    assert wins("staff-4deck-to4", "10/H", other, lead, *rest) == 0


def test_a_ruff_of_the_led_shape_beats_a_side_bulldozer() -> None:
    """staff-4deck-to4 3: 斃牌須是數目相同的拖拉機."""
    plays = ("SA SA SK SK SQ SQ", "S9 S9 S9 S8 S8 S8", "H3 H3 H4 H4 H5 H5", "D2 D3 D4 D5 D6 D7")
    assert wins("staff-4deck-to4", "10/H", *plays) == 2


@pytest.mark.parametrize(
    ("lead", "over"),
    [
        ("S6 S6 S7 S7 S8 S8 S9 S9", "S2 S2 S2 S2 S3 S3 S3 S3"),
        ("S6 S6 S7 S7 S8 S8", "S2 S2 S2 S3 S3 S3"),
        ("S7 S7 S8 S8", "S2 S2 S2 S2"),
    ],
)
def test_wide_shapes_upset_tractors(lead: str, over: str) -> None:
    """elimination-4deck-2toA 三、4: 两个4条相连比4连拖大, 两个3条相连比3连拖大, 4条比2连拖大."""
    size = len(lead.split())
    rest = " ".join(["D3", "D4", "D5", "D6", "D7", "D8", "D9", "DJ"][:size]), " ".join(["C3", "C4", "C5", "C6", "C7", "C8", "C9", "CJ"][:size])
    assert wins("elimination-4deck-2toA", "A/H", lead, over, *rest) == 1


class TestRuffAgainstTheBest:
    """reverse-dig-4deck-bombs 第六章 5: 枪毙副牌必须枪毙同一轮中出的最大的副牌."""

    book = "reverse-dig-4deck-bombs"

    def test_a_bomb_beats_a_tractor(self) -> None:
        assert wins(self.book, "7/H", "SA SA SK SK", "S6 S6 S6 S6", "D3 D4 D5 D6", "C3 C4 C5 C6") == 1

    def test_only_a_trump_bomb_ruffs_a_bomb(self) -> None:
        assert wins(self.book, "7/C", "HA HA HK HK", "H8 H8 H8 H8", "C4 C4 C5 C5", "D3 D4 D5 D6") == 1
        assert wins(self.book, "7/C", "HA HA HK HK", "H8 H8 H8 H8", "C4 C4 C4 C4", "D3 D4 D5 D6") == 2

    def test_a_side_bomb_comes_too_late_for_a_ruff(self) -> None:
        assert wins(self.book, "7/C", "HA HA HK HK", "C4 C4 C5 C5", "H8 H8 H8 H8", "D3 D4 D5 D6") == 1

    def test_the_smallest_tractor_is_ace_two(self) -> None:
        assert wins(self.book, "7/C", "HA HA HK HK", "C2 C2 CA CA", "C3 C3 C4 C4", "D3 D4 D5 D6") == 2
        assert wins(self.book, "7/C", "HA HA HK HK", "D3 D4 D5 D6", "D8 D9 DJ DQ", "C2 C2 CA CA") == 3


class TestThrows:
    def test_a_pair_of_trumps_ruffs_two_singles(self) -> None:
        assert wins(OFFICIAL, "2/H", "SA SK", "H3 H3", "S4 S5", "S6 S7") == 1

    def test_singles_do_not_ruff_a_throw_with_a_pair(self) -> None:
        """basic-80-10KA: 对牌的数目也不得少于首家出的牌中的对牌的数目，否则被视为垫牌."""
        assert wins("basic-80-10KA", "10/H", "SA SA SK", "HA HK HQ", "S4 S5 S6", "S7 S8 S9") == 0
        assert wins("basic-80-10KA", "10/H", "SA SA SK", "H3 H3 HQ", "S4 S5 S6", "S7 S8 S9") == 1

    def test_two_ruffs_of_singles_compare_by_the_highest_card(self) -> None:
        """campus-2deck-2toA 二: 单副牌甩牌，主牌毙牌以其中最大的一张为准."""
        assert wins("campus-2deck-2toA", "2/H", "SA SK", "H3 HK", "H4 HQ", "H5 HA") == 3

    def test_two_ruffs_of_a_throw_with_pairs_compare_by_the_highest_pair(self) -> None:
        """campus-2deck-2toA 二: 甩牌中含一对或多对时，以其中最大的一对为准."""
        assert wins("campus-2deck-2toA", "2/H", "SA SA SK", "H3 H3 HA", "H4 H4 H5", "S3 S4 S5") == 2

    def test_equal_tops_of_two_ruffs_leave_the_first_winning(self) -> None:
        """campus-2deck-2toA 二: 以其中最大的一张为准; equal cards: first played wins."""
        assert wins("campus-2deck-2toA", "2/H", "SA SK", "H3 HA", "H9 HA", "S5 S6") == 1

    def test_units_are_compared_one_after_another(self) -> None:
        """fivedeals-4deck-from3 7: 毙牌时按拖拉机、三条、对、单的顺序计算大小."""
        assert wins("fivedeals-4deck-from3", "4/H", "SA SA SK", "HA HA H5", "HA HA H9", "S5 S6 S7") == 2

    def test_by_the_longest_unit_singles_count_only_among_themselves(self) -> None:
        assert wins("online-tractor", "4/H", "SA SA SK", "H9 H9 H5", "H9 H9 HJ", "S5 S6 S7", decks=4, throw_eval="unit_length") == 1
        assert wins("online-tractor", "4/H", "SA SK", "H9 H5", "H9 HJ", "S5 S6", decks=4, throw_eval="unit_length") == 2

    def test_same_suit_cards_do_not_beat_a_throw_of_singles_by_being_a_pair(self) -> None:
        """detailed-80-2deck 6: 散张大牌甩牌时，跟牌的对子小于散张大牌."""
        assert wins("detailed-80-2deck", "2/H", "SA SK", "S3 S3", "S4 S5", "S6 S7") == 0

    @pytest.mark.parametrize(("policy", "want"), [("all", 1), ("highest", 3), ("unit_length", 2)])
    def test_three_policies_three_winners(self, policy: str, want: int) -> None:
        plays = ("HA HK HK HK H9 H9", "S5 S5 S5 SQ SQ SA", "S5 S5 S5 SA SA S4", "S4 S4 S4 S3 S3 BJ")
        assert wins("online-tractor", "2/S", *plays, decks=6, throw_eval=policy) == want

    @pytest.mark.parametrize(
        ("lead", "first", "second", "over"),
        [
            ("SA SA SK", "H5 H5 H9", "H6 H6 H10", True),
            ("SA SA SK", "H5 H5 H9", "H6 H6 H9", False),
            ("SA SA SK", "H5 H5 H9", "H5 H5 HJ", False),
            ("SA SA SK", "H5 H5 H9", "HA HA H8", False),
            ("SA SA S9 S9", "H10 H10 H3 H3", "HJ HJ H4 H4", True),
            ("SA SA S9 S9", "H10 H10 H3 H3", "HJ HJ H3 H3", False),
            ("SA SA S9 S9", "H10 H10 H3 H3", "H10 H10 H4 H4", False),
            ("S5 S5 S6 S6 SK", "H3 H3 H4 H4 H9", "H5 H5 H6 H6 HJ", True),
            ("S5 S5 S6 S6 SK", "H3 H3 H4 H4 H9", "H5 H5 H6 H6 H8", False),
            ("S5 S5 S6 S6 SK", "H5 H5 H6 H6 H9", "H3 H3 H4 H4 HJ", False),
        ],
    )
    def test_where_every_unit_must_be_higher_an_equal_one_is_not(self, lead: str, first: str, second: str, over: bool) -> None:
        least = " ".join(["D3", "D4", "D6", "D7", "D8"][: len(lead.split())])
        assert wins("online-tractor", "2/H", lead, first, second, least, throw_eval="all") == (2 if over else 1)

    @pytest.mark.parametrize("policy", ["all", "highest", "unit_length"])
    def test_the_best_of_several_readings_counts(self, policy: str) -> None:
        plays = ("D8 D8 DJ DQ", "C5 C5 CA S2", "S3 S3 C7 C8", "C6 C6 C2 C2")
        assert wins("online-tractor", "2/C", *plays, throw_eval=policy) == 3


class TestBombs:
    @pytest.mark.parametrize(("bomb", "want"), [("none", 0), ("any_suit", 1), ("suit_following", 1)])
    def test_from_another_suit_by_a_hand_that_is_void(self, bomb: str, want: int) -> None:
        assert wins("online-tractor", "4/H", "S8 S8 S9 S9", "D3 D3 D3 D3", "S3 S5 S6 S7", "C3 C5 C6 C7", decks=4, bomb=bomb) == want

    def test_the_higher_bomb_and_trump_bombs(self) -> None:
        plays = ("C2 C2 C2 C2", "CJ CJ CJ CJ", "H3 H3 H3 H3", "SA SA SA SA")
        assert wins("online-tractor", "4/H", *plays, decks=4, bomb="any_suit") == 2

    def test_three_equal_cards_are_no_bomb(self) -> None:
        assert wins("online-tractor", "4/S", "HA HK HQ", "D2 D2 D2", "H3 H5 H6", "H7 H8 H9", decks=4, bomb="any_suit") == 0


def test_an_unknown_card_makes_a_discard() -> None:
    plays = [[Card("S8")], [Card("??")], [Card("S3")], [Card("S9")]]
    assert winner(preset(OFFICIAL), parse_trump("2/H"), plays) == 3


def test_a_lead_that_cannot_be_read_is_left_the_winner() -> None:
    rules, trump = preset(OFFICIAL), parse_trump("2/H")
    plays = [parse_cards("SA SA D3"), parse_cards("H3 H3 H4"), parse_cards("S3 S4 S5"), parse_cards("S6 S7 S8")]
    assert winner(rules, trump, plays) == 0
    assert winner(rules, trump, [[Card("SA"), Card("SA"), Card("??")], *plays[1:]]) == 0


def test_upsets_need_the_same_number_of_cards() -> None:
    assert upsets(preset("staff-4deck-to4"), (3, 2), (2, 3))
    assert not upsets(preset("staff-4deck-to4"), (3, 2), (2, 2))
    assert not upsets(preset(OFFICIAL), (3, 2), (2, 3))


@st.composite
def tricks(draw: st.DrawFn) -> tuple[Game, list[list[Card]]]:
    """A trick of a lead and three legal follows, often ruffs."""
    game = draw(games())
    decks = game.rules.pack.decks
    lead = draw(clump(game.faces, decks, most=6))
    trumps = tuple(card for card in game.order.group if game.order.group[card] == "T")
    plays = [lead]
    for _ in range(3):
        pool = draw(st.sampled_from([game.faces, trumps, game.others]))
        hand = draw(clump(pool, decks, least=len(lead), most=10))
        while len(hand) < len(lead):
            hand.append(game.others[len(hand)])
        plays.append(list(legal_follow(game.rules, game.trump, lead, hand)))
    return game, plays


@quick
@given(tricks(), st.randoms(use_true_random=False))
def test_the_winner_does_not_depend_on_the_order_of_cards_in_a_play(trick: tuple[Game, list[list[Card]]], chance: Random) -> None:
    game, plays = trick
    before = winner(game.rules, game.trump, plays)
    for play in plays:
        chance.shuffle(play)
    assert winner(game.rules, game.trump, plays) == before


@quick
@given(tricks())
def test_a_discard_of_other_side_suits_never_wins(trick: tuple[Game, list[list[Card]]]) -> None:
    game, plays = trick
    won = plays[winner(game.rules, game.trump, plays)]
    assert {game.order.group[card] for card in won} <= {game.group, "T"}


@quick
@given(tricks())
def test_dropping_a_play_that_lost_does_not_change_the_winner(trick: tuple[Game, list[list[Card]]]) -> None:
    game, plays = trick
    at = winner(game.rules, game.trump, plays)
    for i in (1, 2, 3):
        if i > at:
            shorter = plays[:i] + plays[i + 1 :]
            assert shorter[winner(game.rules, game.trump, shorter)] == plays[at]


def brute_tops(order: Order, cards: list[Card], shapes: list[tuple[int, int]]) -> list[tuple[tuple[int, ...], ...]]:
    """Every way to read cards as the given shapes, by trying all orders of the cards: the tops of each kind of shape, biggest first."""
    kinds = sorted(set(shapes), key=lambda s: (s[0] * s[1], s[1] > 1, s[0]), reverse=True)
    flat = [shape for kind in kinds for shape in shapes if shape == kind]
    out = []
    for row in set(permutations(cards)):
        tops: dict[tuple[int, int], list[int]] = {kind: [] for kind in kinds}
        at = 0
        for width, length in flat:
            faces = [row[at + i * width : at + (i + 1) * width] for i in range(length)]
            at += width * length
            places = [order.place[face[0]] for face in faces]
            if any(len(set(face)) != 1 for face in faces) or any(b - a != 1 for a, b in pairwise(places)):
                break
            tops[width, length].append(places[-1])
        else:
            out.append(tuple(tuple(sorted(tops[kind], reverse=True)) for kind in kinds))
    return out


SHAPES = st.sampled_from([[(2, 1), (1, 1), (1, 1)], [(2, 2), (1, 1)], [(2, 1), (2, 1)], [(3, 1), (2, 1)], [(2, 2), (2, 1)], [(3, 1), (1, 1), (1, 1)]])


@quick
@given(games(ONLINE, most_faces=4), SHAPES, st.data())
def test_the_best_reading_by_brute_force(game: Game, shapes: list[tuple[int, int]], data: st.DataObject) -> None:
    size = sum(width * length for width, length in shapes)
    cards = data.draw(clump(game.faces, game.rules.pack.decks, least=size, most=size))
    if len(cards) != size:
        return
    every = brute_tops(game.order, cards, shapes)
    assert match(game.order, cards, shapes) == (max(every) if every else None)
    for floor in every[:3]:
        lower = tuple(tuple(top - 1 for top in tops) for tops in floor)
        expected = any(all(a > b for kind, low in zip(tops, lower, strict=True) for a, b in zip(kind, low, strict=True)) for tops in every)
        assert dominates(game.order, cards, shapes, lower) is expected


def test_a_lead_of_different_cards_asks_for_singles() -> None:
    order = order_of(preset(OFFICIAL), parse_trump("2/H"))
    assert lead_shapes(order, parse_cards("S3 S4")) == ((1, 1), (1, 1))
