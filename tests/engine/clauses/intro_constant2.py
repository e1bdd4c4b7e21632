"""intro-2deck-constant2."""

from tests.engine.clauses.checks import Clauses, order, path, trumps
from tests.engine.clauses.intro import CLAUSES as INTRO

CLAUSES: Clauses = {
    **INTRO,
    "levels.path": [path("3", "A", "2")],
    "trumps.constant_two": [trumps("10/H", "BJ LJ H10 S10 H2 S2 D2", "S3")],
    "trumps.order": [order("10/H", "BJ LJ H10 S10 H2 S2 HA HK HQ HJ H9 H8 H7 H6 H5 H4 H3")],
}
