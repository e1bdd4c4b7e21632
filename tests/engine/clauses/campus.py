"""campus-2deck-2toA."""

from tests.engine.clauses.checks import Clauses, best_of, bids, dig, neighbours, path, penalty, score, stirs, throw, told, trick, units

WRONG = ("points", 20)
LATE = [("points", 80)]

CLAUSES: Clauses = {
    "levels.path": [path("2", "A")],
    "levels.win_after": [score(75, "declarers", 1, declarers="A", won="declarers")],
    "levels.winning": [score(160, "attackers", 2, attackers="K", won="attackers"), score(0, "declarers", 3, declarers="Q", won="declarers")],
    "levels.must_play": [score(0, "declarers", 3, declarers="10", after=("K", "4"))],
    "declaring.style": [told("declaring.style", "明亮")],
    "declaring.ladder": [bids("5", [("E", "S5 S5"), ("N", "LJ LJ"), ("W", "BJ BJ")], "111", "5/NT", deal=2, fixed="E")],
    "declaring.suit_order": [bids("2", [("E", "D2 D2"), ("N", "C2 C2"), ("W", "H2 H2"), ("S", "S2 S2"), ("E", "H2 H2")], "11110", "2/S", "S")],
    "declaring.suit_order_from": [bids("2", [("E", "H2"), ("N", "S2")], "10"), bids("2", [("E", "H2 H2"), ("N", "S2 S2")], "11")],
    "declaring.jokers_first_deal": [bids("2", [("E", "S2"), ("N", "LJ LJ")], "11", "2/NT", "E")],
    "declaring.moves_declarer": [bids("2", [("E", "S2"), ("N", "D2 D2")], "11", "2/D", "N")],
    "declaring.first_declarer": [bids("2", [("E", "S2")], "1", "2/S", "E")],
    "declaring.stir": [stirs("5", ("E", "H5 H5"), [("N", "LJ LJ"), ("W", "BJ BJ")], "11", "5/NT")],
    "declaring.stir_ladder": [stirs("5", ("E", "H5"), [("N", "S5 S5")], "0", "5/H")],
    "shapes.min_width": [units("9/H", "S5 S5 S6 S6", ("tractor", 2, 2, "S6"))],
    "shapes.min_length": [units("9/H", "S5 S5", ("pair", 2, 1, "S5"))],
    "shapes.skip_level": [
        units("3/H", "S2 S2 S4 S4", ("tractor", 2, 2, "S4")),
        units("3/H", "SA SA S2 S2", ("pair", 2, 1, "SA"), ("pair", 2, 1, "S2")),
    ],
    "shapes.links": [
        neighbours("3/H", "HA", "S3"),
        neighbours("3/H", "S3", "H3"),
        neighbours("3/H", "H3", "LJ"),
        neighbours("3/H", "HA", "H2", False),
    ],
    "beating.ruff_against": [
        trick("2/H", ["SA SA SK", "H3 H4 H5", "S3 S4 S5", "S6 S7 S8"], 0),
        trick("2/H", ["SA SA", "H3 H3", "S3 S4", "S6 S7"], 1),
    ],
    "beating.throw_ruffs": [
        trick("2/H", ["SA SK", "HA H3", "HK HQ", "S6 S7"], 1),
        trick("2/H", ["SA SA SK", "H3 H3 HA", "H4 H4 H5", "S6 S7 S8"], 2),
    ],
    "throws.allowed": [throw("2/H", "SA SK SK", ["SQ SQ S3", "SJ D3 D4", "C3 C4 C5"])],
    "throws.forced": [throw("2/H", "SQ SQ SA", ["SK SK D3", "S3 D4 D5", "C3 C4 C5"], "SQ SQ", 20)],
    "throws.fine": [throw("2/H", "SA SQ", ["SK D3", "S3 D4", "C3 C4"], "SQ", 10)],
    "throws.fine_per": [
        throw("2/H", "SA SQ SJ", ["SK S10 D3", "S3 D4 D5", "C3 C4 C5"], "SJ", 20),
        throw("2/H", "SQ SQ SA", ["SK S3 S4", "S5 D4 D5", "C3 C4 C5"]),
        throw("2/H", "SQ SA", ["SK SK D3", "S3 D4 D5", "C3 C4 C5"], "SQ", 10),
    ],
    "scoring.bands": [
        score(0, "declarers", 3),
        score(-10, "declarers", 3),
        score(35, "declarers", 2),
        score(40, "declarers", 1),
        score(75, "declarers", 1),
        score(80, "attackers", 0),
        score(115, "attackers", 0),
        score(120, "attackers", 1),
        score(200, "attackers", 3),
    ],
    "digging.who": [dig("2/H", ["SA", "S3", "S4", "S6"], 2, 30), dig("2/H", ["SA", "S3", "S4", "S6"], 0, 0, leader="E")],
    "digging.suits": [dig("2/H", ["SA", "S3", "S4", "S6"], 2, 30), dig("2/H", ["HA", "H3", "H4", "H6"], 2, 30)],
    "digging.basis": [dig("2/H", ["SA SA SK SK SJ", "S3 S4 S6 S7 S8", "D3 D4 D6 D7 D8", "C3 C4 C6 C7 C8"], 8, 120)],
    "digging.by": [dig("2/H", ["SA SA SQ", "S3 S4 S6", "D3 D4 D6", "C3 C4 C6"], 4, 60)],
    "digging.single": [dig("2/H", ["SA SK", "S3 S4", "S6 S7", "S8 S9"], 2, 30)],
    "digging.pair": [dig("2/H", ["SA SA", "S3 S4", "S6 S7", "S8 S9"], 4, 60)],
    "digging.tractor": [dig("2/H", ["S8 S8 S9 S9", "S3 S4 S6 S7", "D3 D4 D6 D7", "C8 C8 CJ CJ"], 8, 120)],
    "digging.growth": [dig("2/H", ["SA SA SK SK SQ SQ", "S3 S4 S6 S7 S8 S9", "D3 D4 D6 D7 D8 D9", "C3 C4 C6 C7 C8 C9"], 12, 180)],
    "digging.growth_add": [
        dig("2/H", ["SA SA SK SK SQ SQ SJ SJ", "S3 S4 S6 S7 S8 S9 S10 D2", "D3 D4 D6 D7 D8 D9 DJ DQ", "C3 C4 C6 C7 C8 C9 CJ CQ"], 16, 80, bottom="H5")
    ],
    "penalties.revoke": [penalty("suit", WRONG, wrong_cards=2, remedy="take_back"), penalty("suit", WRONG, also=LATE, later=1, wrong_cards=2)],
    "penalties.pair_not_followed": [penalty("pair", WRONG, wrong_cards=2), penalty("pair", WRONG, also=LATE, later=3, wrong_cards=2)],
    "penalties.shape_not_followed": [penalty("tractor", WRONG, wrong_cards=2), penalty("shape", WRONG, also=LATE, later=1, wrong_cards=2)],
    "penalties.taken_back": [penalty("taken_back", ("referee", 0))],
    "penalties.bottom_touched": [penalty("bottom_touched", ("referee", 0))],
    "penalties.bottom_miscount": [penalty("bottom_miscount", ("points", 80))],
    "penalties.pack_miscount": [penalty("pack", ("points", 80))],
    "penalties.talk": [penalty("talk", ("match_lost", 0))],
    "match.format": [told("match.format", "淘汰赛")],
    "match.best_of": [best_of(1)],
}
