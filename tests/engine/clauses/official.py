"""official-2deck-shengji."""

from tests.engine.clauses.checks import Clauses, bids, dealt, decks, neighbours, next_declarer, order, path, penalty, score, told, trumps

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "pack.bottom": [dealt(25, 8)],
    "pack.first_draw": [told("pack.first_draw", "翻牌")],
    "pack.later_draw": [told("pack.later_draw", "庄家")],
    "pack.shuffles": [told("pack.shuffles", "庄家的同伴")],
    "pack.cuts": [told("pack.cuts", "庄家的上家")],
    "levels.path": [path("2", "A"), score(0, "declarers", 3, declarers="J", after=("A", "4"))],
    "levels.next_on_hold": [next_declarer("declarers", "E", "W")],
    "levels.next_on_change": [next_declarer("attackers", "E", "N")],
    "trumps.constant_two": [trumps("5/H", "BJ LJ H5 S5 H3", "S2 S3")],
    "trumps.order": [order("5/H", "BJ LJ H5 S5 HA HK H2"), neighbours("5/H", "HA", "S5")],
    "declaring.style": [told("declaring.style", "明亮")],
    "declaring.named_by": [bids("2", [("E", "S3"), ("E", "S2")], "01", "2/S", "E")],
    "declaring.ladder": [bids("2", [("E", "S2"), ("N", "D2 D2")], "11", "2/D", "N"), bids("2", [("E", "LJ LJ")], "0")],
    "declaring.suit_order": [
        bids("2", [("E", "D2 D2"), ("N", "C2 C2"), ("W", "H2 H2"), ("N", "S2 S2"), ("E", "H2 H2")], "11110", "2/S", "N"),
        bids("2", [("E", "C2 C2"), ("N", "D2 D2")], "10"),
    ],
    "declaring.suit_order_from": [bids("2", [("E", "D2"), ("N", "S2")], "10", "2/D", "E")],
    "declaring.overturn_first_deal": [bids("2", [("E", "S2"), ("N", "D2 D2")], "11", "2/D")],
    "declaring.self_overturn": [bids("2", [("E", "S2"), ("E", "D2 D2")], "10", "2/S")],
    "declaring.moves_declarer": [bids("2", [("E", "S2"), ("N", "D2 D2"), ("W", "C2 C2")], "111", None, "W")],
    "declaring.first_declarer": [bids("2", [("W", "S2")], "1", "2/S", "W")],
    "declaring.since": [bids("2", [("E", "S2")], "1", phase="drawing")],
    "penalties.draw_miscount": [penalty("draw_miscount", ("redeal", 0))],
}
