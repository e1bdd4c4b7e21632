"""twodeck-jokers-declare."""

from tests.engine.clauses.checks import Clauses, bids, dealt, decks, dig, hidden, no_bid_from_the_bottom, order, path, trumps

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "pack.bottom": [dealt(25, 8)],
    "pack.hand": [dealt(25, 8)],
    "levels.path": [path("2", "A")],
    "trumps.order": [trumps("5/H", "S5 D5 C5 H5"), order("5/H", "BJ LJ H5 S5 HA")],
    "declaring.style": [hidden(False, False)],
    "declaring.named_by": [bids("5", [("E", "S6"), ("E", "S5"), ("N", "D5 D5")], "011", "5/D", deal=2, fixed="E")],
    "declaring.ladder": [
        bids("5", [("E", "D5"), ("N", "H5 H5"), ("E", "LJ LJ"), ("S", "BJ BJ"), ("N", "LJ LJ")], "11110", "5/NT", deal=2, fixed="E"),
    ],
    "declaring.suit_order": [bids("2", [("E", "S2"), ("N", "C2 C2"), ("E", "S2 S2")], "110", "2/C", "N")],
    "declaring.marker": [bids("2", [("E", "S2")], "1", "2/S", "E")],
    "declaring.overturn_first_deal": [bids("2", [("E", "S2"), ("N", "C2 C2")], "11", "2/C", "N")],
    "declaring.overturn": [bids("5", [("E", "S5"), ("N", "C5")], "10", "5/S", deal=2, fixed="E")],
    "declaring.self_overturn": [bids("5", [("E", "S5"), ("E", "C5 C5")], "10", "5/S", deal=2, fixed="E")],
    "declaring.reinforce": [bids("5", [("E", "S5"), ("E", "S5 S5"), ("N", "C5 C5")], "110", "5/S", deal=2, fixed="E")],
    "declaring.first_declarer": [bids("2", [("W", "S2")], "1", "2/S", "W")],
    "declaring.since": [bids("5", [("E", "S5")], "1", phase="drawing", deal=2, fixed="E")],
    "declaring.until": [bids("5", [("E", "LJ LJ")], "0", phase="taken", deal=2, fixed="E")],
    "declaring.bottom_cards_count": [no_bid_from_the_bottom("5", "D5 D5")],
    "digging.who": [dig("5/H", ["SA", "S3", "S4", "S6"], 0, 0, leader="E"), dig("5/H", ["SA", "S3", "S4", "S6"], 2, 30)],
}
