"""cmec-2deck-510k."""

from tests.engine.clauses.checks import Clauses, bids, dealt, decks, drawn_anew, order, path

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "pack.bottom": [dealt(25, 8)],
    "pack.hand": [dealt(25, 8)],
    "levels.path": [path("2", "A")],
    "trumps.order": [order("9/H", "BJ LJ H9 S9 HA HK H2")],
    "declaring.named_by": [bids("9", [("E", "S8"), ("E", "S9")], "01", "9/S", deal=2, fixed="E", phase="drawn")],
    "declaring.overturn_first_deal": [bids("2", [("E", "S2"), ("N", "D2"), ("W", "H2")], "111", "2/H", phase="drawn")],
    "declaring.overturn": [bids("9", [("E", "S9"), ("N", "D9")], "11", "9/D", deal=2, fixed="E", phase="drawn")],
    "declaring.self_overturn": [bids("9", [("E", "S9"), ("E", "D9")], "11", "9/D", deal=2, fixed="E", phase="drawn")],
    "declaring.moves_declarer": [bids("2", [("E", "S2"), ("N", "D2")], "11", "2/D", "E", phase="drawn")],
    "declaring.first_declarer": [bids("2", [("W", "S2"), ("N", "D2 D2")], "11", "2/D", "W", phase="drawn")],
    "declaring.since": [bids("2", [("E", "S2")], "0", phase="drawing"), bids("2", [("E", "S2")], "1", phase="drawn")],
    "match.format": [drawn_anew()],
}
