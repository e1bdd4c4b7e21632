"""What a refusal names: whether a pair, a tractor or another shape was withheld, on printed ladders and without."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards, parse_trump
from engine.follow import FollowError, verify_follow
from tests.engine.deals import preset

STAFF = "staff-4deck-to4"
FIVE_OF_TWO_RUNS = "S3 S3 S4 S4 S5 S5 S9 S9 S10 S10 SJ SJ SK"
FIVE = "S5 S5 S6 S6 S7 S7 S8 S8 S9 S9"


@pytest.mark.parametrize(
    ("name", "trump", "lead", "hand", "play", "kind"),
    [
        (STAFF, "10/H", "S8 S8 S9 S9", "S5 S5 S6 S6 SK SQ", "S5 S5 SK SQ", "tractor"),
        (STAFF, "10/H", "S8 S8 S9 S9", "S2 S2 S4 S4 S6 SK", "S2 S2 S6 SK", "pair"),
        (STAFF, "10/H", "S8 S8 S9 S9", "S2 S2 S4 S6 SK", "S2 S4 S6 SK", "pair"),
        (STAFF, "10/H", "S8 S8 S8", "S4 S4 S4 S9", "S4 S4 S9", "shape"),
        (STAFF, "10/H", "S8 S8 S8", "S4 S4 S9 SK", "S4 S9 SK", "pair"),
        ("elimination-4deck-2toA", "A/H", FIVE, "S2 S2 S3 S3 S4 S4 S10 S10 SJ SJ SK SK", "S2 S2 S3 S3 S4 S4 S10 S10 SK SK", "tractor"),
        ("reverse-dig-4deck-bombs", "7/H", "S3 S3 S4 S4 S5 S5 S6 S6 S8 S8", FIVE_OF_TWO_RUNS, "S3 S3 S4 S4 S5 S5 S9 S9 SJ SJ", "tractor"),
        ("official-2deck-shengji", "2/H", FIVE, FIVE_OF_TWO_RUNS, "S3 S3 S4 S4 S5 S5 S9 S9 SJ SK", "tractor"),
        ("union-3deck-3toK", "5/H", "S8 S8 S9 S9", "S4 S4 S7 S7 SJ SJ SJ SA", "SJ SJ SJ SA", "pair"),
        ("official-2deck-shengji", "2/H", "S8 S8", "S5 S5 SK", "S5 SK", "pair"),
        ("official-2deck-shengji", "2/H", "S8 S8 S9 S9", "S4 S4 S5 S5 SK SK", "S4 S4 SK SK", "tractor"),
    ],
)
def test_a_refusal_names_the_kind_that_was_withheld(name, trump, lead, hand, play, kind):
    with pytest.raises(FollowError) as caught:
        verify_follow(preset(name), parse_trump(trump), parse_cards(lead), parse_cards(hand), parse_cards(play))
    assert caught.value.kind == kind
