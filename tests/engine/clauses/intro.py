"""intro-2deck."""

from tests.engine.clauses.checks import Clauses, decks, dig, order, score, trumps

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "trumps.constant_two": [trumps("10/H", "BJ LJ H10 S10 H2", "S2")],
    "trumps.order": [order("10/H", "BJ LJ H10 S10 HA HK HQ HJ H9 H8 H7 H6 H5 H4 H3 H2")],
    "scoring.bands": [score(75, "declarers", 1), score(80, "attackers", 0)],
    "digging.pair": [dig("10/H", ["SA SA", "S3 S4", "S6 S7", "S8 S9"], 4, 60), dig("10/H", ["SA", "S3", "S6", "S8"], 2, 30)],
}
