"""The actions of a deal: what each is refused for, and that a refused one is recorded all the same."""

from __future__ import annotations

import pytest

from engine import deal as deals
from engine.cards import Seat, parse_cards
from engine.deal import Illegal, Phase
from engine.events import BottomShown, BottomTaken, Buried, CardsPlayed, Declared, TakenBack
from engine.rulebook_terms import NextDeclarer
from tests.engine.deals import preset

OFFICIAL = "official-2deck-shengji"


def begun(*events, name=OFFICIAL, number=1, declarer=None, levels=("2", "2")):
    deal = deals.start(preset(name), number, dict(zip(("EW", "NS"), levels, strict=True)), declarer)
    for event in events:
        deal = deals.apply(deal, event)
    return deal


def declared():
    return begun(Declared(seat=Seat.E, cards=parse_cards("H2")))


def buried():
    return begun(Declared(seat=Seat.E, cards=parse_cards("H2")), BottomTaken(seat=Seat.E), Buried(seat=Seat.E, count=8))


def played(*texts):
    deal = buried()
    for i, text in enumerate(texts):
        seat = (Seat.E, Seat.N, Seat.W, Seat.S)[i % 4]
        deal = deals.apply(deal, CardsPlayed(seat=seat, trick=i // 4 + 1, cards=parse_cards(text)))
    return deal


def refused(verify, *args):
    with pytest.raises(Illegal) as error:
        verify(*args)
    assert error.value.breach.zh
    assert str(error.value)
    return error.value.breach.kind


def test_phases_follow_the_facts():
    assert begun().phase is Phase.DEALING
    assert declared().phase is Phase.DECLARING
    assert deals.apply(declared(), BottomTaken(seat=Seat.E)).phase is Phase.BURYING
    assert buried().phase is Phase.TRICK


def test_the_first_shown_level_card_makes_trump_and_declarer():
    assert (str(declared().trump), declared().declarer) == ("2/H", Seat.E)


def test_a_pair_overturns_a_single_and_takes_the_seat_in_the_first_deal():
    deal = deals.declare(declared(), Seat.N, parse_cards("S2 S2"))
    assert (str(deal.trump), deal.declarer) == ("2/S", Seat.N)


def test_a_declaration_that_is_not_accepted_changes_nothing_and_is_a_fault():
    assert not deals.can_declare(declared(), Seat.N, parse_cards("S2"))
    deal = deals.declare(declared(), Seat.N, parse_cards("S2"))
    assert (str(deal.trump), deal.declarer) == ("2/H", Seat.E)
    assert [(f.seat, f.breach.kind) for f in deal.faults] == [(Seat.N, "declaration")]
    assert [b.accepted for b in deal.bids] == [True, False]


def test_nobody_declares_once_a_card_has_been_played():
    assert refused(deals.verify_declare, played("SA"), Seat.N, parse_cards("S2 S2")) == "declaration"


def test_a_face_down_declaration_stands_aside_until_it_is_shown():
    deal = begun(Declared(seat=Seat.E, cards=(), face_down=True), name="nanning-4deck-nobottom", levels=("3", "3"))
    assert deal.trump is None
    assert deal.faults == ()
    assert [(bid.face_down, bid.accepted) for bid in deal.bids] == [(True, True)]


def test_a_face_down_declaration_is_a_fault_where_the_sheet_wants_it_face_up():
    deal = begun(Declared(seat=Seat.E, cards=(), face_down=True))
    assert [(f.seat, f.breach.kind, f.breach.clause) for f in deal.faults] == [(Seat.E, "declaration", deal.rules.clause("declaring.style"))]
    assert [bid.accepted for bid in deal.bids] == [False]


def test_only_the_declarer_takes_the_bottom():
    assert deals.can_take(declared(), Seat.E)
    assert refused(deals.verify_take, declared(), Seat.W) == "wrong_declarer"


def test_the_buried_bottom_is_not_touched_again():
    assert refused(deals.verify_take, buried(), Seat.E) == "bottom_touched"
    deal = deals.take(played("SA"), Seat.E)
    assert [f.breach.kind for f in deal.faults] == ["bottom_touched"]
    assert deal.current is not None


def test_a_bottomless_game_has_no_bottom_to_take():
    deal = begun(name="nanning-4deck-nobottom", number=2, declarer=Seat.E, levels=("5", "5"))
    assert refused(deals.verify_take, deal, Seat.E) == "bottom"


@pytest.mark.parametrize(("count", "legal"), [(7, False), (8, True), (9, False)])
def test_eight_cards_are_buried(count, legal):
    deal = deals.apply(declared(), BottomTaken(seat=Seat.E))
    assert deals.can_bury(deal, Seat.E, count) is legal
    assert [f.breach.kind for f in deals.bury(deal, Buried(seat=Seat.E, count=count)).faults] == ([] if legal else ["bottom_miscount"])


def test_who_took_the_bottom_buries_it():
    deal = deals.apply(declared(), BottomTaken(seat=Seat.E))
    assert refused(deals.verify_bury, deal, Seat.W, 8) == "wrong_declarer"


def test_a_play_out_of_turn_is_refused_and_recorded():
    assert deals.can_play(buried(), Seat.E, parse_cards("SA"))
    assert refused(deals.verify_play, buried(), Seat.N, parse_cards("SA")) == "turn"
    deal = deals.apply(buried(), CardsPlayed(seat=Seat.N, trick=1, cards=parse_cards("SA")))
    assert deal.current.plays[0].seat is Seat.N
    assert [f.breach.kind for f in deal.faults] == ["turn"]


@pytest.mark.parametrize(
    ("lead", "play", "hand", "kind"),
    [
        ("SA SA", "S3", None, "count"),
        (None, "SA D3", None, "lead"),
        ("SA", "D3", "D3 S4", "suit"),
        ("SA SA", "S3 S4", "S3 S4 S5 S5", "pair"),
        ("SA SA", "SA D3", None, "pack"),
        (None, "", None, "count"),
    ],
)
def test_a_play_is_refused_for_its_reason(lead, play, hand, kind):
    deal = played(lead) if lead else buried()
    seat = Seat.N if lead else Seat.E
    assert refused(deals.verify_play, deal, seat, parse_cards(play), parse_cards(hand) if hand else None) == kind


def test_a_play_that_follows_is_allowed():
    assert deals.can_play(played("SA SA"), Seat.N, parse_cards("S5 S5"), parse_cards("S3 S5 S5"))


def test_nothing_is_played_before_the_bottom_is_buried():
    deal = deals.apply(declared(), BottomTaken(seat=Seat.E))
    assert refused(deals.verify_play, deal, Seat.E, parse_cards("SA")) == "turn"


def test_a_card_once_played_stays():
    deal = played("SA", "S3")
    assert refused(deals.verify_take_back, deal, Seat.N, 1, parse_cards("S3")) == "taken_back"
    assert refused(deals.verify_take_back, deal, Seat.W, 1, parse_cards("S3")) == "taken_back"
    assert not deals.can_take_back(deal, Seat.N, 1, parse_cards("S3"))


def test_what_is_taken_back_from_an_old_trick_stays_played():
    deal = played("SA", "S3", "S4", "S5", "SK", "S6", "S7", "S8")
    after = deals.apply(deal, TakenBack(seat=Seat.N, trick=1, cards=parse_cards("S3")))
    assert after.tricks == deal.tricks
    assert [f.breach.kind for f in after.faults] == ["taken_back"]


def test_the_bottom_shown_early_does_not_end_the_deal():
    deal = deals.apply(played("SA", "S3"), BottomShown(cards=parse_cards("D3 D4 D5 D6 D7 D8 D9 D10")))
    assert deal.phase is Phase.TRICK


def test_without_a_declaration_the_level_is_played_at_no_trump():
    deal = begun(BottomTaken(seat=Seat.W), Buried(seat=Seat.W, count=8))
    assert (str(deal.trump), deal.declarer) == ("2/NT", Seat.W)


@pytest.mark.parametrize(
    ("how", "stage", "expected"),
    [
        (NextDeclarer.PARTNER, "declarers", Seat.W),
        (NextDeclarer.SAME, "declarers", Seat.E),
        (NextDeclarer.RIGHT, "attackers", Seat.N),
        (NextDeclarer.RACE, "attackers", None),
        (NextDeclarer.ALTERNATE, "declarers", Seat.W),
        (NextDeclarer.ALTERNATE, "attackers", Seat.N),
    ],
)
def test_the_next_declarer_is_the_one_that_the_sheet_names(how, stage, expected):
    from dataclasses import replace

    rules = preset(OFFICIAL)
    levels = replace(rules.levels, next_on_hold=how, next_on_change=how)
    deal = replace(buried(), rules=replace(rules, levels=levels), last_declarers={"NS": Seat.S})
    assert deals.next_declarer(deal, stage) is expected


def test_a_stirred_bottom_is_buried_anew_under_the_new_trump():
    name = "school-2deck-2J-must"
    deal = begun(BottomTaken(seat=Seat.E), Buried(seat=Seat.E, count=8), name=name)
    assert str(deal.trump) == "2/NT"
    deal = deals.apply(deal, Declared(seat=Seat.N, cards=parse_cards("BJ BJ")))
    assert not deal.faults
    deal = deals.apply(deal, BottomTaken(seat=Seat.N))
    assert deal.phase is Phase.BURYING
    deal = deals.apply(deal, Buried(seat=Seat.N, count=8))
    assert (deal.phase, deal.declarer, deal.buried.seat) == (Phase.TRICK, Seat.E, Seat.N)
