"""community-2deck-510K-must."""

from tests.engine.clauses.checks import (
    Clauses,
    best_of,
    cut_by,
    decks,
    dig,
    first_draw_goes_round,
    games_by_points,
    hidden,
    highest_card_draws_first,
    losers_are_out,
    next_declarer,
    path,
    penalty,
    score,
    shuffled_by,
)

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "pack.first_draw": [highest_card_draws_first()],
    "pack.later_draw": [first_draw_goes_round()],
    "pack.shuffles": [shuffled_by("EW")],
    "pack.cuts": [cut_by("S")],
    "levels.path": [path("2", "A")],
    "levels.win_after": [score(70, "declarers", 1, declarers="A", won="declarers")],
    "levels.must_play": [
        score(0, "declarers", 8, declarers="2", after=("5", "4")),
        score(0, "declarers", 8, declarers="5", after=("10", "4")),
        score(150, "attackers", 7, attackers="J", after=("5", "K")),
        score(150, "attackers", 7, attackers="K", after=("5", "K")),
    ],
    "levels.next_on_hold": [next_declarer("declarers", "E", "W")],
    "declaring.style": [hidden(False, False)],
    "scoring.bands": [score(0, "declarers", 8), score(70, "declarers", 1), score(80, "attackers", 0), score(90, "attackers", 1)],
    "digging.suits": [dig("2/H", ["SA", "S3", "S4", "S6"], 0, 0), dig("2/H", ["HA", "H3", "H4", "H6"], 2, 30)],
    "penalties.talk": [penalty("talk", ("referee", 0))],
    "match.format": [losers_are_out()],
    "match.best_of": [best_of(3)],
    "match.draw_from": [games_by_points(p80="loss", p85="draw")],
    "match.draw_to": [games_by_points(p115="draw", p120="win")],
}
