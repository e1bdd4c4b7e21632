from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from engine.cards import Card
from vision.ends import End, Inset, Joined, join

W, H = 63.0, 88.0


def ends_of(
    face: str, x: float, y: float, turn: float, *, which: str = "both", noise: float = 0.0, p: float = 0.95,
    rng: random.Random | None = None, inset: tuple[float, float] = (5.0, 10.5),
) -> list[End]:  # fmt: skip
    """The two indices of a card centred at x, y, as seen with an error of ``noise`` mm and four times that in degrees."""
    rng = rng or random.Random(3)
    out = []
    for k, sign in enumerate((1, -1)):
        if (which, k) in (("first", 1), ("second", 0)):
            continue
        u, v = -sign * (W / 2 - inset[0]), -sign * (H / 2 - inset[1])
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        place = (x + u * c - v * s + rng.gauss(0, noise), y + u * s + v * c + rng.gauss(0, noise))
        heading = turn + 180 * k + rng.gauss(0, 4 * noise)
        out.append(End(((Card(face), p), (Card("C9"), 1 - p)), place, heading, 0.6, fresh=True))
    return out


@pytest.mark.parametrize("turn", [0, 7, 90, 183, 271])
def test_both_indices_of_a_card_are_one_card_at_its_place(turn: float) -> None:
    (card,) = join(ends_of("HA", 20, -210, turn), Inset())
    centre = [sum(p[i] for p in card.corners) / 4 for i in (0, 1)]
    assert card.ends == 2
    assert centre == pytest.approx([20, -210], abs=0.5)
    assert math.dist(card.corners[0], card.corners[1]) == pytest.approx(W, abs=0.01)


@pytest.mark.parametrize("offset", [10, 15, 24])
def test_identical_cards_of_a_pair_stay_two(offset: float) -> None:
    rng = random.Random(1)
    for turn in (0, 93, 178):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        lower = ends_of("HA", 0, 0, turn, which="first", noise=0.8, rng=rng)
        upper = ends_of("HA", offset * c, offset * s, turn, noise=0.8, rng=rng)
        assert len(join([*lower, *upper], Inset())) == 2


@pytest.mark.parametrize("wrong", [0, 1])
@pytest.mark.parametrize("turn", [0, 93, 178])
def test_end_that_was_read_upside_down_is_its_cards(wrong: int, turn: float) -> None:
    ends = ends_of("HA", 20, -210, turn)
    ends[wrong] = replace(ends[wrong], heading=ends[wrong].heading + 180)
    (card,) = join(ends, Inset())
    centre = [sum(p[i] for p in card.corners) / 4 for i in (0, 1)]
    assert card.ends == 2
    assert centre == pytest.approx([20, -210], abs=0.5)


@pytest.mark.parametrize("turn", [0, 93, 178])
def test_deck_whose_indices_stand_far_in_has_one_card_where_two_would_hide_each_others_ends(turn: float) -> None:
    (card,) = join(ends_of("HQ", 20, -210, turn, inset=(10.0, 13.0)), Inset())
    assert card.ends == 2
    assert len(card.places) == 2


@pytest.mark.parametrize("turn", [0, 90, 178])
def test_lower_card_of_a_pair_whose_second_index_is_half_covered_is_a_card(turn: float) -> None:
    inset, printed = Inset(), (5.5, 11.5)
    for _ in range(6):
        join(ends_of("D7", 300, 0, turn, inset=printed), inset)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    upper = ends_of("S9", 18 * c + 8 * s, 18 * s - 8 * c, turn, inset=printed)
    first, second = ends_of("S9", 0, 0, turn, inset=printed)
    # The middle of what shows of it is nearer to the card's border than the middle of the whole index.
    shown = (second.place[0] - 3 * s, second.place[1] + 3 * c)
    cards = join([*upper, first, replace(second, place=shown, presence=0.5)], inset)
    assert [card.ends for card in cards] == [2, 2]


def test_two_readings_of_one_index_are_one() -> None:
    ends = ends_of("HA", 0, 0, 0)
    assert len(join([*ends, End(ends[0].faces, (ends[0].place[0] + 2, ends[0].place[1]), 4.0, 0.3, fresh=True)], Inset())) == 1


def test_ends_of_different_faces_are_no_card() -> None:
    assert len(join([*ends_of("HA", 0, 0, 0, which="first"), *ends_of("S4", 0, 0, 0, which="second")], Inset())) == 2


def test_new_end_and_an_old_one_are_no_card() -> None:
    first, second = ends_of("HA", 0, 0, 0)
    old = End(second.faces, second.place, second.heading, second.presence, fresh=False)
    assert len(join([first, old], Inset())) == 2


def test_weak_reading_of_one_end_is_carried_by_the_other() -> None:
    first, second = ends_of("HA", 0, 0, 0, p=0.55)
    (card,) = join([first, second], Inset())
    assert card.faces[0][0] == "HA"
    assert card.faces[0][1] > 0.55


def test_what_both_ends_say_together_is_said_once() -> None:
    """The picture's own joining has weighed both indices already; a face that is likely must not become certain by being weighed again."""
    first, second = ends_of("LJ", 0, 0, 0)
    faces = ((Card("LJ"), 0.92), (Card("SK"), 0.06))
    together = [replace(end, faces=faces, whose=3) for end in (first, second)]
    assert join(together, Inset())[0].faces == faces
    apart = [replace(end, faces=faces, whose=k) for k, end in enumerate((first, second))]
    assert join(apart, Inset())[0].faces[0][1] > 0.99


def test_ends_that_name_different_faces_are_surely_neither() -> None:
    first, second = ends_of("LJ", 0, 0, 0)
    torn = [replace(first, faces=((Card("LJ"), 0.9), (Card("SK"), 0.05))), replace(second, faces=((Card("SK"), 0.6), (Card("LJ"), 0.3)))]
    faces = dict(join(torn, Inset())[0].faces)
    assert 0.5 < faces[Card("LJ")] < 0.8
    assert faces[Card("SK")] > 0.15


def test_inset_of_a_deck_is_learnt_from_clear_cards() -> None:
    inset = Inset()
    assert inset.mm == pytest.approx((5.0, 10.5), abs=0.01)
    rng = random.Random(2)
    for k in range(24):
        join(ends_of("HA", 5 * k, -200, 3 * k, noise=0.2, rng=rng, inset=(7.0, 13.0)), inset)
    assert inset.mm == pytest.approx((7.0, 13.0), abs=0.6)


def test_one_card_of_a_deck_is_enough_to_tell_whose_end_is_whose_in_a_pair() -> None:
    inset = Inset()
    for _ in range(2):
        join(ends_of("H2", 160, 235, 0, inset=(6.7, 16.3)), inset)
    lower = ends_of("HJ", 28, 217, 0, which="first", inset=(10.0, 15.3))
    upper = ends_of("HJ", 52, 217, 2, inset=(10.0, 15.3))
    whole = next(card for card in join([*lower, *upper], inset) if card.ends == 2)
    centre = [sum(p[i] for p in whole.corners) / 4 for i in (0, 1)]
    assert centre == pytest.approx([52, 217], abs=2)


def test_outer_ends_of_a_pair_teach_nothing_of_how_the_deck_is_printed() -> None:
    inset = Inset()
    for _ in range(2):
        join([*ends_of("HA", 0, 0, 0, which="first"), *ends_of("HA", 24, 0, 0, which="second")], inset)
    assert inset.mm == pytest.approx((5.0, 10.5), abs=0.01)


FOUR_AT = (7.5, 12.0)


def corners_of(face: str, x: float, y: float, turn: float, *, shown: str = "ABCD", whose: int = -1) -> list[End]:
    """Indices of a card of a deck with four, each as a left one of a card of its own (``whose`` -1) or as found to be of one card."""
    u, v = W / 2 - FOUR_AT[0], H / 2 - FOUR_AT[1]
    at = {"A": (-u, -v, 0, False), "B": (u, -v, 0, True), "C": (u, v, 180, False), "D": (-u, v, 180, True)}
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [
        End(
            ((Card(face), 0.98),),
            (x + p * c - q * s, y + p * s + q * c),
            (turn + half) % 360,
            0.9,
            fresh=True,
            right=right and whose >= 0,
            whose=whose,
        )
        for p, q, half, right in (at[name] for name in shown)
    ]


def four_indices() -> Inset:
    inset = Inset()
    for _ in range(2):
        inset.learn(corners_of("S2", 0, 0, 0, whose=0))
    return inset


@pytest.mark.parametrize("turn", [0, 93, 178])
@pytest.mark.parametrize("visible", ["AD", "BC"])
def test_lone_indices_of_one_long_side_are_one_card_of_a_deck_with_four(turn: float, visible: str) -> None:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    way = 15 if visible == "AD" else -15
    faces = ("H2", "H2", "S2", "SA")
    fan = [(face, way * k * c, way * k * s) for k, face in enumerate(faces)]
    ends = [end for face, x, y in fan[:-1] for end in corners_of(face, x, y, turn, shown=visible)]
    ends += corners_of(*fan[-1], turn, whose=7)
    cards = join(ends, four_indices())
    assert sorted(card.faces[0][0] for card in cards) == sorted(faces)
    for face, x, y in fan:
        assert any(card.faces[0][0] == face and math.dist(middle(card), (x, y)) < 4 for card in cards)


@pytest.mark.parametrize(("off", "cards"), [(1.5, ["C7", "CJ"]), (5.0, ["C5", "C7", "CJ"])])
def test_lone_index_just_where_another_card_prints_its_own_is_that_cards_however_it_is_read(off: float, cards: list[str]) -> None:
    """In a fan of a deck with four indices one end of the undermost C7 is read in the corner of its neighbour."""
    upper, lower = corners_of("C7", 0, 0, 0, shown="AD")
    misread = replace(lower, faces=((Card("C5"), 0.98), (Card("C7"), 0.02)), place=(lower.place[0] + off, lower.place[1]))
    found = join([upper, misread, *corners_of("CJ", 15, 0, 0, whose=7)], four_indices())
    assert sorted(card.faces[0][0] for card in found) == cards
    if len(cards) == 2:
        assert max(p for card in found if card.faces[0][0] == "C7" for _, p in card.faces) < 0.8


@pytest.mark.parametrize("turned", [0, 6.5, 12])
def test_index_of_the_undermost_card_of_a_fan_that_was_read_askew_in_its_neighbours_corner_is_no_further_card(turned: float) -> None:
    """Its quad has slipped to the neighbour's corner, so it is turned otherwise and has the neighbour's face; the other index tells the card."""
    upper, lower = corners_of("C5", 0, 0, 0, shown="AD")
    slipped = replace(lower, faces=((Card("C7"), 0.99),), heading=lower.heading + turned)
    fan = [*corners_of("C7", 26, 0, 0, shown="AD", whose=4), *corners_of("CJ", 52, 0, 0, whose=7)]
    found = join([upper, slipped, *fan], four_indices())
    assert sorted(card.faces[0][0] for card in found) == ["C5", "C7", "CJ"]
    assert [card.faces[0][1] for card in found if card.faces[0][0] == "C5"] == [0.98]


def test_right_index_that_was_found_to_be_of_a_card_is_none_beside_it() -> None:
    a, b = corners_of("S8", 0, 0, 90, shown="AB", whose=3)
    slipped = replace(b, place=(b.place[0] + 14, b.place[1]))
    assert len(join([a, slipped], Inset())) == 1


def middle(card: Joined) -> tuple[float, float]:
    return sum(p[0] for p in card.corners) / 4, sum(p[1] for p in card.corners) / 4
