"""swiss-3deck."""

from engine.competition import Result
from tests.engine.clauses.checks import (
    Clauses,
    bids,
    by_standing,
    decks,
    first_in,
    late_forfeits,
    match_lasts,
    one_more_deal,
    penalty,
    points_for,
    so_many_rounds,
    tie,
)

EVEN = [
    Result(1, "a", "b", ("8", "2"), "a"),
    Result(1, "c", "d", ("6", "3"), "c"),
    Result(2, "a", "c", ("5", "5"), None),
    Result(2, "b", "d", ("5", "5"), None),
]
LAST = [
    Result(1, "a", "b", ("8", "6"), "a"),
    Result(1, "c", "d", ("5", "3"), "c"),
    Result(2, "a", "d", ("4", "4"), None),
    Result(2, "c", "b", ("7", "7"), None),
]

CLAUSES: Clauses = {
    "pack.decks": [decks(3)],
    "declaring.named_by": [bids("5", [("E", "S6"), ("E", "S5")], "01", "5/S", deal=2, fixed="E")],
    "declaring.ladder": [
        bids("5", [("E", "S5"), ("N", "D5 D5"), ("W", "C5 C5 C5")], "111", "5/C", deal=2, fixed="E"),
        bids("5", [("E", "S5 D5")], "0"),
    ],
    "declaring.suit_order": [bids("5", [("E", "D5 D5"), ("N", "S5 S5")], "10", "5/D", deal=2, fixed="E")],
    "declaring.overturn_first_deal": [bids("2", [("E", "D2"), ("N", "H2 H2"), ("E", "D2 D2"), ("E", "D2 D2 D2")], "1101", "2/D", "E")],
    "declaring.overturn": [bids("5", [("E", "D5"), ("N", "H5 H5")], "11", "5/H", deal=2, fixed="E")],
    "declaring.self_overturn": [bids("2", [("E", "D2"), ("E", "H2 H2")], "10", "2/D", "E")],
    "declaring.moves_declarer": [bids("5", [("E", "D5"), ("N", "H5 H5")], "11", "5/H", "E", deal=2, fixed="E")],
    "declaring.first_declarer": [bids("2", [("E", "D2"), ("N", "H2 H2")], "11", "2/H", "N")],
    "penalties.forfeit": [penalty("forfeit", ("match_lost", 0))],
    "clocks.match_min": [match_lasts(60)],
    "clocks.warning_min": [match_lasts(60, warning=10)],
    "clocks.late_min": [late_forfeits(10)],
    "clocks.at_time": [one_more_deal()],
    "match.format": [by_standing()],
    "match.rounds": [so_many_rounds(4)],
    "match.win": [points_for("win", 2)],
    "match.draw": [points_for("draw", 1)],
    "match.loss": [points_for("loss", 0)],
    "match.forfeit": [points_for("forfeit", 2)],
    "match.tie": [tie(None, "draw")],
    "match.tie_breaks": [first_in(["a", "c", "d", "b"], EVEN), first_in(["c", "a", "b", "d"], LAST)],
}
