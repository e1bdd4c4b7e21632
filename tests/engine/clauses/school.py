"""school-2deck-2J-must."""

from tests.engine.clauses.checks import Clauses, at_time, best_of, bids, decks, dig, hooked, hooked_levels, match_lasts, nobody, path, score, stirs

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "levels.path": [path("2", "A")],
    "levels.below": [
        score(140, "attackers", 3, declarers="2", attackers="9", after=("-A", "J")),
        score(140, "attackers", 3, declarers="2", attackers="10", after=("-A", "J"), won="attackers"),
        score(140, "attackers", 3, declarers="-A", attackers="J", after=("-A", "J"), won="attackers"),
        score(60, "declarers", 1, declarers="-A", attackers="4", after=("2", "4")),
    ],
    "levels.win_after": [score(60, "declarers", 1, declarers="A", won="declarers")],
    "levels.must_play": [
        score(0, "declarers", 4, declarers="9", after=("J", "4")),
        score(60, "declarers", 1, declarers="2", after=("3", "4")),
    ],
    "levels.must_play_rule": [score(100, "attackers", 1, declarers="5", attackers="2", after=("4", "2"))],
    "levels.surplus": [
        score(160, "attackers", 4, declarers="8", attackers="9", after=("6", "J")),
        score(0, "declarers", 4, declarers="9", attackers="8", after=("J", "8")),
    ],
    "levels.hooks": [
        hooked("J/H", "HJ", "2"),
        hooked("J/H", "SJ", "8"),
        hooked("J/H", "SA", None),
        hooked("10/H", "H10", None),
        hooked_levels(80, "2", "J", "2"),
        hooked_levels(75, "2", "J", "J"),
    ],
    "levels.hooks_no_trump": [hooked("J/NT", "SJ", "2"), hooked("J/NT", "HJ", "2")],
    "declaring.ladder": [
        bids("5", [("E", "S5 S5"), ("N", "LJ LJ"), ("W", "BJ BJ")], "111", "5/NT", deal=2, fixed="E"),
        bids("5", [("E", "LJ"), ("N", "LJ BJ")], "00", deal=2, fixed="E"),
    ],
    "declaring.nobody_first_deal": [nobody("S9", "2/NT", "no_trump", deal=1, level="2")],
    "declaring.nobody_later": [nobody("S9 S5", "5/NT", "no_trump")],
    "declaring.stir": [stirs("5", ("E", "H5"), [("N", "BJ BJ")], "1", "5/NT")],
    "declaring.stir_ladder": [stirs("5", None, [("N", "LJ LJ"), ("W", "BJ BJ")], "11", "5/NT"), stirs("5", None, [("N", "LJ")], "0")],
    "scoring.bands": [
        score(0, "declarers", 4),
        score(60, "declarers", 1),
        score(80, "attackers", 0),
        score(95, "attackers", 0),
        score(100, "attackers", 1),
        score(140, "attackers", 3),
    ],
    "digging.who": [
        dig("5/H", ["SA", "S3", "S4", "S6"], 2, 30),
        dig("5/H", ["SA", "S3", "S4", "S6"], 0, 0, leader="E"),
        dig("5/H", ["SA", "S3", "S4", "S6"], 2, -30, leader="E", burier="N"),
        dig("5/H", ["SA", "S3", "S4", "S6"], 0, 0, leader="N", burier="N"),
    ],
    "digging.by": [dig("5/H", ["SA SA SK SK SQ SQ SJ SJ", "S3 S4 S6 S7 S8 S9 S2 D2", "D3 D4 D6 D7 D8 D9 DJ DQ", "C3 C4 C6 C7 C8 C9 CJ CQ"], 16, 240)],
    "digging.single": [dig("5/H", ["SA", "S3", "S4", "S6"], 2, 30)],
    "digging.pair": [dig("5/H", ["SA SA", "S3 S4", "S6 S7", "S8 S9"], 4, 60)],
    "digging.tractor": [dig("5/H", ["SA SA SK SK", "S3 S4 S6 S7", "D3 D4 D6 D7", "C3 C4 C6 C7"], 8, 120)],
    "digging.growth": [dig("5/H", ["SA SA SK SK SQ SQ", "S3 S4 S6 S7 S8 S9", "D3 D4 D6 D7 D8 D9", "C3 C4 C6 C7 C8 C9"], 12, 180)],
    "digging.growth_add": [dig("5/H", ["SA SA SK SK SQ SQ", "S3 S4 S6 S7 S8 S9", "D3 D4 D6 D7 D8 D9", "C3 C4 C6 C7 C8 C9"], 12, 60, bottom="H5")],
    "clocks.match_min": [match_lasts(60)],
    "clocks.at_time": [at_time(True, True)],
    "match.best_of": [best_of(1)],
}
