"""intro-1deck."""

from tests.engine.clauses.checks import Clauses, dealt, decks, score
from tests.engine.clauses.intro import CLAUSES as INTRO

CLAUSES: Clauses = {
    **{key: checks for key, checks in INTRO.items() if key != "digging.pair"},
    "pack.decks": [decks(1), dealt(12, 6)],
    "scoring.bands": [score(35, "declarers", 1), score(40, "attackers", 0), score(60, "attackers", 1)],
    "digging.pair": [score(0, "declarers", 3)],
}
