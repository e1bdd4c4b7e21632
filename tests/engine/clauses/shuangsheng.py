"""shuangsheng-2deck-to10."""

from tests.engine.clauses.checks import Clauses, bids, dig, follow, match_lasts, path, penalty, score, stirs, throw, tie

DOWN = ("levels", 1)
LOST = ("match_lost", 0)

CLAUSES: Clauses = {
    "levels.path": [path("2", "10", "J")],
    "levels.win_after": [score(75, "declarers", 1, declarers="10", won="declarers"), score(75, "declarers", 1, declarers="9", after=("10", "4"))],
    "levels.must_play": [
        score(0, "declarers", 4, declarers="8", after=("10", "4")),
        score(160, "attackers", 4, attackers="8", after=("5", "10")),
        score(160, "attackers", 4, attackers="10", after=("5", "10")),
        score(100, "attackers", 1, attackers="2", after=("5", "3")),
    ],
    "declaring.suit_order": [bids("2", [("E", "C2"), ("N", "D2"), ("W", "H2"), ("S", "S2"), ("E", "H2")], "11110", "2/S", "S")],
    "declaring.suit_order_from": [bids("2", [("E", "H2"), ("N", "S2")], "11", "2/S", "N"), bids("2", [("E", "S2"), ("N", "H2")], "10")],
    "declaring.first_declarer": [bids("2", [("E", "H2"), ("N", "S2 S2")], "11", "2/S", "N")],
    "declaring.until": [bids("2", [("E", "H2")], "1", phase="drawn"), bids("2", [("E", "H2")], "0", phase="taken")],
    "declaring.stir": [stirs("5", ("E", "H5"), [("N", "D5 D5"), ("W", "S5 S5"), ("S", "C5 C5")], "110", "5/S")],
    "declaring.stir_ladder": [
        stirs("5", ("E", "H5"), [("N", "C5 C5"), ("W", "D5 D5"), ("S", "H5 H5"), ("E", "S5 S5"), ("N", "LJ LJ"), ("W", "BJ BJ")], "111111", "5/NT"),
        stirs("5", ("E", "H5"), [("N", "LJ LJ"), ("W", "S5 S5")], "10"),
        stirs("5", ("E", "H5"), [("N", "S5")], "0"),
    ],
    "declaring.stir_needs_early_trump": [stirs("5", None, [("N", "S5 S5")], "0")],
    "following.principle": [follow("2/H", "S8 S8", "S5 S5 SK D3", S5SK=False, S5S5=True)],
    "throws.fine": [throw("2/H", "SA SA S9", ["SK D3 D4", "S3 D5 D6", "C3 C4 C5"], "S9", 30)],
    "throws.fine_per": [throw("2/H", "SA S9", ["SK D3", "S3 D5", "C3 C4"], "S9", 20)],
    "scoring.bands": [
        score(0, "declarers", 4),
        score(5, "declarers", 3),
        score(25, "declarers", 3),
        score(30, "declarers", 2),
        score(50, "declarers", 2),
        score(55, "declarers", 1),
        score(75, "declarers", 1),
        score(80, "attackers", 0),
        score(95, "attackers", 0),
        score(100, "attackers", 1),
        score(115, "attackers", 1),
        score(120, "attackers", 2),
        score(135, "attackers", 2),
        score(140, "attackers", 3),
    ],
    "digging.who": [dig("2/H", ["SA", "S3", "S4", "S5"], 0, 0, leader="E"), dig("2/H", ["SA", "S3", "S4", "S6"], 2, 30)],
    "digging.by": [dig("2/H", ["S8 S8 S9 S9 S10 S10", "S3 S4 S6 S7 SJ SQ", "D3 D4 D6 D7 D8 D9", "C3 C4 C6 C7 C8 C9"], 16, 240)],
    "digging.single": [dig("2/H", ["SA", "S3", "S4", "S6"], 2, 30)],
    "digging.pair": [dig("2/H", ["SA SA", "S3 S4", "S6 S7", "S8 S9"], 4, 60)],
    "digging.tractor": [dig("2/H", ["SA SA SK SK", "S3 S4 S6 S7", "D3 D4 D6 D7", "C3 C4 C6 C7"], 8, 120)],
    "digging.growth": [
        dig("2/H", ["S7 S7 S8 S8 S9 S9 S10 S10", "S3 S4 S5 S6 SJ SQ SK SA", "D3 D4 D5 D6 D7 D8 D9 DA", "C3 C4 C5 C6 C7 C8 C9 CA"], 32, 480)
    ],
    "penalties.revoke": [penalty("suit", DOWN), penalty("suit", DOWN, count=2), penalty("suit", LOST, count=3)],
    "penalties.pair_not_followed": [penalty("pair", DOWN), penalty("pair", LOST, count=3)],
    "penalties.shape_not_followed": [penalty("tractor", DOWN), penalty("shape", LOST, count=4)],
    "penalties.taken_back": [penalty("taken_back", DOWN), penalty("taken_back", LOST, count=3)],
    "penalties.pack_miscount": [
        penalty("pack_miscount", ("stage_lost", 0), also=[("levels_to_other", 1)], offender="declarers"),
        penalty("pack_miscount", ("levels_to_other", 1), offender="attackers"),
        penalty("pack_miscount", ("race", 0), offender="both_sides"),
    ],
    "penalties.forfeit": [penalty("forfeit", LOST)],
    "clocks.match_min": [match_lasts(60)],
    "match.tie": [tie("EW", "stage")],
}
