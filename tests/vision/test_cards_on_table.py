import numpy as np
import pytest

from engine.cards import FACES, Card
from vision.cards_on_table import assemble, in_company, index_confidence
from vision.detector import Detections
from vision.reader import REJECT

from .quads import WIDTH, card_quad, index_of, see, sure_of

MM = WIDTH / 63


def test_both_indices_of_a_card_are_one_card() -> None:
    quad = card_quad(300, 300, 25)
    cards = assemble(see([(quad, False), (quad, True)], error=1.5), sure_of("H10", "H10"))
    assert [card.card for card in cards] == ["H10"]
    assert len(cards[0].indices_px) == 2
    assert np.abs(np.array(cards[0].corners_px) - quad).max() < 5


@pytest.mark.parametrize("step_mm", [8, 10, 14, 22])
@pytest.mark.parametrize("degrees", [0, 37, 180, 261])
def test_identical_cards_fanned_stay_as_many_as_they_are(step_mm: float, degrees: float) -> None:
    across = np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))]) * step_mm * MM
    quads = [card_quad(300 + k * across[0], 300 + k * across[1], degrees) for k in range(3)]
    # All upper left indices show; the lower right one only on the top card.
    found = see([(quads[0], False), (quads[1], False), (quads[2], False), (quads[2], True)], error=1.2)
    cards = assemble(found, sure_of("SA", "SA", "SA", "SA"))
    assert [card.card for card in cards] == ["SA"] * 3
    assert sorted(len(card.indices_px) for card in cards) == [1, 1, 2]


def test_two_identical_cards_of_which_opposite_ends_show_are_two() -> None:
    low, high = card_quad(300, 300), card_quad(300 + 12 * MM, 300)
    assert len(assemble(see([(low, False), (high, True)]), sure_of("C7", "C7"))) == 2


def test_two_faces_at_one_place_are_two_cards() -> None:
    low, high = card_quad(300, 300), card_quad(303, 300)
    cards = assemble(see([(low, False), (high, True)]), sure_of("C7", "DQ"))
    assert sorted(card.card for card in cards) == ["C7", "DQ"]


def test_the_surer_index_decides_and_the_other_is_kept_in_n_best() -> None:
    quad = card_quad(300, 300)
    unsure = sure_of("S8", "C8")
    unsure[1] = sure_of("C8", p=0.5)[0]
    unsure[1, FACES.index(Card("S8"))] = 0.45
    cards = assemble(see([(quad, False), (quad, True)]), unsure)
    assert [card.card for card in cards] == ["S8"]
    assert cards[0].n_best[1][0] == "C8"


def test_a_deck_with_four_indices_gives_one_card() -> None:
    quad = card_quad(300, 300, 12)
    left, right = see([(quad, False), (quad, True)], error=1), see([(quad, False), (quad, True)], error=1, seed=1, u=0.88)
    found = type(left).join([left, right])
    cards = assemble(found, sure_of("D5", "D5", "D5", "D5"))
    assert [(card.card, len(card.indices_px)) for card in cards] == [("D5", 4)]


def test_what_the_reader_rejects_is_no_card() -> None:
    rejected = np.zeros((1, REJECT + 1), np.float32)
    rejected[0, REJECT] = 0.97
    rejected[0, 0] = 0.03
    assert assemble(see([(card_quad(300, 300), False)]), rejected) == []


def test_a_card_on_another_is_over_it() -> None:
    low, high = card_quad(300, 300), card_quad(300 + 20 * MM, 300 + 4 * MM)
    found = see([(low, False), (high, False), (high, True)])
    cards = assemble(found, sure_of("S2", "HK", "HK"))
    by_face = {card.card: (k, card) for k, card in enumerate(cards)}
    assert by_face["HK"][1].over == (by_face["S2"][0],)
    assert (by_face["S2"][1].layer, by_face["HK"][1].layer) == (0, 1)


def test_cards_beside_each_other_lie_on_none() -> None:
    found = see([(card_quad(200, 300), False), (card_quad(320, 300), False)])
    assert [card.over for card in assemble(found, sure_of("S2", "HK"))] == [(), ()]


def test_index_boxes_are_those_of_the_card() -> None:
    quad = card_quad(300, 300)
    cards = assemble(see([(quad, True)]), sure_of("S2"))
    assert np.allclose(cards[0].indices_px[0], index_of(np.roll(quad, 2, 0)))


def test_ends_that_miss_each_other_in_a_still_are_one_card_where_a_camera_above_the_table_sees_two() -> None:
    near, far = card_quad(300, 300), card_quad(300 + 12 * MM, 300)
    found, faces = see([(near, False), (far, True)]), sure_of("C7", "C7")
    assert (len(assemble(found, faces)), len(assemble(found, faces, still=True))) == (2, 1)


def test_opposite_ends_of_cards_far_from_each_other_are_two_in_a_still_too() -> None:
    low, high = card_quad(300, 300), card_quad(300 + 22 * MM, 300)
    assert len(assemble(see([(low, False), (high, True)]), sure_of("C7", "C7"), still=True)) == 2


def test_a_still_says_no_other_order_and_no_more_of_what_is_unsure() -> None:
    found = see([(card_quad(200 + 150 * k, 300), False) for k in range(5)])
    faces = sure_of("C7", "DQ", "S2", "H9", "SA")
    for row, sure in enumerate((0.99, 0.8, 0.6, 0.4, 0.25)):
        faces[row] = sure_of(("C7", "DQ", "S2", "H9", "SA")[row], p=sure)[0] * 0.9
        faces[row, REJECT] = 0.1
    plain, still = ({card.card: card.confidence for card in assemble(found, faces, 0.01, still=way)} for way in (False, True))
    assert list(plain) == list(still)
    assert all(still[face] == pytest.approx(said) for face, said in plain.items() if said < 0.55)
    assert any(still[face] > said + 0.02 for face, said in plain.items())


def test_ends_that_name_different_faces_are_surely_neither() -> None:
    """An old joker's index beside a card that was laid on it was joined with that card's far end, and the joker was told for sure."""
    quad = card_quad(300, 300)
    torn = sure_of("LJ", "SK")
    torn[1] = sure_of("SK", p=0.66)[0]
    torn[1, FACES.index(Card("LJ"))] = 0.2
    cards = assemble(see([(quad, False), (quad, True)]), torn)
    assert [card.card for card in cards] == ["LJ"]
    assert cards[0].n_best[0][1] < 0.8
    assert dict(cards[0].n_best)["SK"] > 0.1


def _jokers(count: int) -> tuple[Detections, np.ndarray]:
    """A sure ace, and indices beside each other, found half surely, and read as little jokers, as big ones hardly, and rejected now and then."""
    found = see([(card_quad(200 + 160 * k, 300), False) for k in range(count + 1)])
    read = sure_of("SA", *["LJ"] * count, p=0.8)
    read[1:, [FACES.index(Card("BJ")), REJECT]] = 0.13, 0.06
    read[0] = sure_of("SA")[0]
    scores = np.array([0.9, *[0.5] * count], np.float32)
    return Detections(found.boxes, found.quads, scores), read / read.sum(1, keepdims=True)


def test_doubtful_jokers_make_each_other_likelier_in_a_still_and_one_alone_is_doubted() -> None:
    together, table = (sorted(c.confidence for c in assemble(*_jokers(3), least=0, still=still) if c.card == "LJ") for still in (True, False))
    (alone,) = (c.confidence for c in assemble(*_jokers(1), least=0, still=True) if c.card == "LJ")
    assert len(together) == len(table) == 3
    assert together[0] > table[-1] > 0.3
    assert alone < 0.1


def test_other_faces_are_judged_without_company() -> None:
    found, read = _jokers(3)
    sure = index_confidence(found.scores, read)
    judged = in_company(sure, found.scores, read)
    assert judged[0] == pytest.approx(sure[0])
    assert (judged[1:] > sure[1:]).all()


def test_a_doubtful_card_is_told_beside_a_sure_one_and_doubted_where_none_is_sure() -> None:
    found = see([(card_quad(200 + 250 * k, 300), False) for k in range(2)])
    read = sure_of("H4", "C9", p=0.5)
    read[:, REJECT] = 0.2
    read = read / read.sum(1, keepdims=True)
    doubtful = assemble(found, read, least=0, still=True)[0].confidence
    read[1] = sure_of("C9")[0]
    beside = {card.card: card.confidence for card in assemble(found, read, least=0, still=True)}
    assert beside["C9"] > 0.9
    assert beside["H4"] > 0.3
    assert doubtful == pytest.approx(beside["H4"] / 2, rel=0.02)
