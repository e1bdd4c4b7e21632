"""Penalties as the sheets print them: the amount, the clause, repeats, claim windows and the other side's choice."""

from __future__ import annotations

import json

import pytest

from engine import penalty
from engine.cards import Team
from engine.kit import Breach
from engine.rulebook_offences import OFFENCES
from engine.rulebook_terms import Claim, Effect, Offender, Remedy
from tests.engine.deals import PRESETS, preset


def proposal(name, kind, *, trick=3, found_in=3, count=1, offender=Offender.ANY, **counts):
    return penalty.propose(preset(name), Breach(kind, "…", "...", **counts), trick=trick, found_in=found_in, count=count, offender=offender)


def costs(found):
    return [(str(c.effect), c.amount) for c in found.costs]


def test_detailed_a_wrong_follow_costs_ten_a_card_and_a_pair_twenty():
    assert costs(proposal("detailed-80-2deck", "suit", wrong_cards=3)) == [("points", 30)]
    assert costs(proposal("detailed-80-2deck", "pair", wrong_pairs=2)) == [("points", 40)]


def test_detailed_claims_end_with_the_trick():
    late = proposal("detailed-80-2deck", "suit", trick=3, found_in=4)
    assert late.claim is Claim.END_OF_TRICK
    assert not late.in_time
    assert late.applied() == ()
    assert proposal("detailed-80-2deck", "suit", trick=3, found_in=3).in_time


def test_detailed_a_wrong_ruff_repeated_loses_the_deal():
    first = proposal("detailed-80-2deck", "suit", ruffed=True)
    assert (first.offence, first.remedy) == ("wrong_ruff", Remedy.SMALLEST)
    assert costs(proposal("detailed-80-2deck", "suit", ruffed=True, count=2)) == [("deal_lost", 0)]


def test_a_sheet_that_does_not_price_wrong_ruffs_calls_them_revokes():
    assert proposal("campus-2deck-2toA", "suit", ruffed=True).offence == "revoke"


def test_campus_found_after_a_trick_eighty_come_on_top():
    now = proposal("campus-2deck-2toA", "pair", wrong_cards=2)
    later = proposal("campus-2deck-2toA", "pair", trick=3, found_in=5, wrong_cards=2)
    assert [c.amount for c in now.applied()] == [20]
    assert [c.amount for c in later.applied()] == [20, 80]
    assert now.remedy is Remedy.TAKE_BACK


@pytest.mark.parametrize("kind", ["suit", "pair", "taken_back"])
def test_shuangsheng_one_level_down_and_the_third_time_loses_the_match(kind):
    assert costs(proposal("shuangsheng-2deck-to10", kind)) == [("levels", 1)]
    assert costs(proposal("shuangsheng-2deck-to10", kind, count=2)) == [("levels", 1)]
    assert costs(proposal("shuangsheng-2deck-to10", kind, count=3)) == [("match_lost", 0)]


def test_shuangsheng_a_miscount_depends_on_whose_it_is():
    rules = "shuangsheng-2deck-to10"
    declarers = proposal(rules, "pack", offender=Offender.DECLARERS)
    assert costs(declarers) == [("stage_lost", 0)]
    assert [(str(c.effect), c.amount) for c in declarers.also] == [("levels_to_other", 1)]
    assert costs(proposal(rules, "pack", offender=Offender.ATTACKERS)) == [("levels_to_other", 1)]
    assert costs(proposal(rules, "pack", offender=Offender.BOTH_SIDES)) == [("race", 0)]


def test_reverse_dig_the_other_side_chooses_two_levels_or_160():
    late = proposal("reverse-dig-4deck-bombs", "suit", trick=2, found_in=3)
    assert costs(late) == [("levels_to_other", 2), ("points", 160)]
    assert late.remedy is Remedy.DEAL_STOPS
    assert [c.amount for c in late.applied(1)] == [160]
    with pytest.raises(IndexError):
        late.applied(2)


def test_stir_the_bottom_touched_is_a_warning_and_then_eighty():
    assert costs(proposal("stir-2deck-chaodipi", "bottom_touched")) == [("warning", 0)]
    assert costs(proposal("stir-2deck-chaodipi", "bottom_touched", count=2)) == [("points", 80)]


def test_where_the_sheet_is_silent_the_referee_decides():
    silent = proposal("official-2deck-shengji", "suit", wrong_cards=2)
    assert costs(silent) == [("referee", 0)]
    assert silent.costs[0].zh == "2张，由裁判裁定"


@pytest.mark.parametrize(
    ("name", "fine"), [("shuangsheng-2deck-to10", 30), ("staff-4deck-to4", 20), ("campus-2deck-2toA", 10), ("official-2deck-shengji", 20)]
)
def test_a_failed_throw_is_fined_as_its_sheet_counts(name, fine):
    found = proposal(name, "throw", wrong_cards=2, thrown=3, stopped=1)
    assert costs(found) == [("points", fine)]
    assert found.clause == preset(name).clause("throws.fine")


def test_a_fine_moves_the_attackers_points_by_whose_it_is():
    ten = proposal("detailed-80-2deck", "turn").applied()
    assert penalty.points_to_attackers(ten, Team.EW, Team.NS) == 10
    assert penalty.points_to_attackers(ten, Team.NS, Team.NS) == -10


def test_every_proposal_is_json_with_words_in_both_languages():
    for name in PRESETS:
        for kind in (*penalty.OFFENCE_OF, "throw", *OFFENCES):
            shown = proposal(name, kind, found_in=4, thrown=3, stopped=1).to_json()
            assert json.loads(json.dumps(shown)) == shown
            assert all(cost["zh"] and cost["en"] for cost in shown["choices"])
            assert Effect.POINTS not in {c["effect"] for c in shown["choices"] if not c["amount"]}
