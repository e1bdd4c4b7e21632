"""community-2deck-510K-must."""

from tests.engine.clauses.checks import Clauses, best_of, decks, dig, next_declarer, path, penalty, score, told

CLAUSES: Clauses = {
    "pack.decks": [decks(2)],
    "pack.first_draw": [told("pack.first_draw", "点数最大者")],
    "pack.later_draw": [told("pack.later_draw", "轮换")],
    "pack.shuffles": [told("pack.shuffles", "胜方")],
    "pack.cuts": [told("pack.cuts", "上家")],
    "levels.path": [path("2", "A")],
    "levels.win_after": [score(70, "declarers", 1, declarers="A", won="declarers")],
    "levels.must_play": [
        score(0, "declarers", 8, declarers="2", after=("5", "4")),
        score(0, "declarers", 8, declarers="5", after=("10", "4")),
        score(150, "attackers", 7, attackers="J", after=("5", "K")),
        score(150, "attackers", 7, attackers="K", after=("5", "K")),
    ],
    "levels.next_on_hold": [next_declarer("declarers", "E", "W")],
    "declaring.style": [told("declaring.style", "甩牌定主")],
    "scoring.bands": [score(0, "declarers", 8), score(70, "declarers", 1), score(80, "attackers", 0), score(90, "attackers", 1)],
    "digging.suits": [dig("2/H", ["SA", "S3", "S4", "S6"], 0, 0), dig("2/H", ["HA", "H3", "H4", "H6"], 2, 30)],
    "penalties.talk": [penalty("talk", ("referee", 0))],
    "match.format": [told("match.format", "淘汰赛")],
    "match.best_of": [best_of(3)],
    "match.draw_from": [told("match.draw_from", "85")],
    "match.draw_to": [told("match.draw_to", "115")],
}
