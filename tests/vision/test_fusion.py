import random

from engine.cards import FACES, UNKNOWN, Card
from vision.fusion import Ledger


def sure(face: str, p: float = 0.97, other: str = "D9") -> tuple[tuple[Card, float], ...]:
    return (Card(face), p), (Card(other), 1 - p)


def test_third_ace_of_spades_reopens_the_weakest_of_the_three() -> None:
    ledger = Ledger(2)
    ledger.put({1: sure("SA"), 2: sure("SA", 0.6, "S4")})
    changed = ledger.put({3: sure("SA", 0.95)})
    assert changed == {2: ("SA", "S4")}
    assert ledger.faces[3] == "SA"


def test_chain_of_misreads_is_solved_over_the_whole_deal_not_greedily() -> None:
    ledger = Ledger(1)
    ledger.put({1: ((Card("SK"), 0.5), (Card("SA"), 0.49)), 2: ((Card("SA"), 0.5), (Card("S4"), 0.49))})
    ledger.put({3: sure("SK", 0.99)})
    assert [ledger.faces[i] for i in (1, 2, 3)] == ["SA", "S4", "SK"]


def test_three_certain_aces_stay_three_because_a_wrong_pack_must_be_seen() -> None:
    ledger = Ledger(2)
    certain = ((Card("SA"), 1.0),)
    ledger.put(dict.fromkeys(range(3), certain))
    assert [ledger.faces[i] for i in range(3)] == ["SA"] * 3
    assert ledger.surplus() == ["SA"]


def test_unknown_card_is_the_one_that_is_missing_when_all_others_are_known() -> None:
    ledger = Ledger(2)
    pack = [*FACES, *FACES]
    random.Random(1).shuffle(pack)
    ledger.put({i: (((face, 0.98), (Card("H3"), 0.02)) if i != 17 else ()) for i, face in enumerate(pack)})
    assert ledger.faces[17] == UNKNOWN
    ledger.solve(fill=True)
    assert [ledger.faces[i] for i in range(108)] == pack


def test_fixed_card_keeps_the_face_that_a_person_gave_it() -> None:
    ledger = Ledger(2)
    ledger.put({1: sure("SA"), 2: sure("SA")})
    ledger.fix(1, Card("S4"))
    ledger.put({3: sure("SA", 0.6, "S4")})
    assert ledger.faces == {1: "S4", 2: "SA", 3: "SA"}


def test_cards_taken_back_leave_their_faces_to_others() -> None:
    ledger = Ledger(1)
    ledger.put({1: sure("SA")})
    ledger.drop([1])
    assert ledger.put({2: sure("SA")}) == {}
    assert ledger.faces == {2: "SA"}


def test_weak_reading_is_told_as_unknown_until_the_whole_pack_is_known() -> None:
    ledger = Ledger(1)
    ledger.put({"a": (("DA", 0.2), ("DQ", 0.18))})
    assert ledger.faces["a"] == "??"
    ledger.put({"b": sure("DA")})
    assert ledger.faces["a"] == "??"
    ledger.solve(fill=True)
    assert ledger.faces["a"] == "DQ"


def test_guess_takes_no_face_from_a_card_that_was_read() -> None:
    """One pack: a card that nobody read was guessed to be a joker; then both jokers are seen, the little one with a trace of a queen."""
    ledger = Ledger(1)
    ledger.put({"guess": ((Card("BJ"), 0.5), (Card("LJ"), 0.4))}, guessed=True)
    ledger.put({"big": ((Card("BJ"), 0.9991), (Card("C6"), 0.0001))})
    ledger.put({"little": ((Card("LJ"), 0.9993), (Card("DQ"), 0.0001))})
    assert ledger.faces == {"guess": UNKNOWN, "big": "BJ", "little": "LJ"}
    ledger.put({face: ((face, 1.0),) for face in FACES if face not in ("BJ", "LJ", "DQ")})
    ledger.solve(fill=True)
    assert (ledger.faces["guess"], ledger.faces["big"], ledger.faces["little"]) == ("DQ", "BJ", "LJ")


def test_card_that_is_read_after_all_is_no_guess_any_more() -> None:
    ledger = Ledger(1)
    ledger.put({"card": ((Card("BJ"), 0.5), (Card("LJ"), 0.4))}, guessed=True)
    ledger.put({"card": ((Card("BJ"), 0.95), (Card("LJ"), 0.05))})
    ledger.put({"other": ((Card("BJ"), 0.7), (Card("HK"), 0.3))})
    assert ledger.faces == {"card": "BJ", "other": "HK"}
    assert not ledger.guessed


def test_face_that_was_dear_for_anothers_sake_is_so_no_more_when_the_pack_leaves_none_of_that() -> None:
    """A king that would not have won was to be a joker; the jokers are seen elsewhere, so it is a king, and takes none from a card that was read."""
    ledger = Ledger(1)
    ledger.put({"king": ((Card("CK"), 0.47), (Card("SK"), 0.37), (Card("LJ"), 0.1)), "other": ((Card("SK"), 0.9986), (Card("CK"), 0.0006))})
    ledger.rather("king", Card("LJ"), 8.0)
    assert ledger.faces == {"king": "LJ", "other": "SK"}
    ledger.put({"joker": ((Card("LJ"), 1.0),)})
    assert ledger.faces == {"king": "CK", "other": "SK", "joker": "LJ"}
    assert not ledger.dear
