"""elimination-4deck-2toA."""

from tests.engine.clauses.checks import (
    Clauses,
    at_time,
    bids,
    bury_within,
    counted_from_the_flipped_card,
    decks,
    follow,
    losers_are_out,
    match_lasts,
    nobody,
    path,
    penalty,
    score,
    tie,
    trick,
)

FIVE = "S5 S5 S6 S6 S7 S7 S8 S8 S9 S9"

CLAUSES: Clauses = {
    "pack.decks": [decks(4)],
    "pack.first_draw": [counted_from_the_flipped_card()],
    "levels.path": [path("2", "A")],
    "levels.win_after": [score(5, "declarers", 1, declarers="A", won="declarers")],
    "declaring.ladder": [
        bids("5", [("E", "S5"), ("N", "D5"), ("N", "D5 D5"), ("E", "S5 S5"), ("E", "S5 S5 S5")], "10101", "5/S", deal=2, fixed="E"),
        bids("5", [("E", "S5"), ("N", "BJ BJ BJ BJ")], "10", deal=2, fixed="E"),
    ],
    "declaring.overturn_first_deal": [bids("2", [("E", "S2"), ("N", "D2 D2")], "11", "2/D", "E")],
    "declaring.overturn": [bids("5", [("E", "S5 S5"), ("N", "D5 D5"), ("N", "D5 D5 D5")], "101", "5/D", deal=2, fixed="E")],
    "declaring.reinforce": [
        bids("5", [("E", "S5"), ("W", "S5")], "10", "5/S", deal=2, fixed="E"),
        bids("5", [("E", "S5"), ("W", "S5 S5")], "11", "5/S", deal=2, fixed="E"),
    ],
    "declaring.moves_declarer": [bids("2", [("W", "S2"), ("N", "D2 D2")], "11", "2/D", "W")],
    "declaring.first_declarer": [bids("2", [("W", "S2"), ("N", "D2 D2")], "11", "2/D", "W")],
    "declaring.until": [
        bids("5", [("N", "S5")], "1", phase="drawn", t=10.0, deal=2, fixed="E"),
        bids("5", [("N", "S5")], "0", phase="drawn", t=10.5, deal=2, fixed="E"),
    ],
    "declaring.nobody_first_deal": [nobody("D9 S2", "2/D", "flip_first", deal=1, level="2")],
    "declaring.nobody_later": [nobody("D9 S5", "5/D", "flip_first")],
    "following.ladders": [
        follow("A/H", FIVE, "S2 S2 S3 S3 S4 S4 S10 S10 SJ SJ SK SK SQ SQ", S10S10SJSJSQSQSKSKS2S2=True, S2S2S3S3S4S4S10S10SJSJ=False),
        follow("A/H", FIVE, "S2 S2 S3 S3 S4 S4 S10 S10 SJ SJ SK", S2S2S3S3S4S4S10S10SJSJ=True, S2S2S3S3S4S4S10S10SJSK=False),
        follow("A/H", FIVE, "S2 S2 S3 S3 S10 S10 SQ SQ SK SK SJ", S2S2S3S3S10S10SQSQSKSK=True, S2S2S3S3S10S10SQSQSKSJ=False),
        follow("A/H", FIVE, "S2 S2 S4 S4 S10 S10 SQ SQ SK SJ S3", S2S2S4S4S10S10SQSQSKSJ=True, S2S2S4S4S10S10SQSKSJS3=False),
    ],
    "following.protect_longer": [follow("A/H", FIVE, "S2 S2 S2 S4 S6 S10 SJ SQ SK S3 S8", S2S4S6S10SJSQSKS3S8S2=True, S4S6S10SJSQSKS3S8S2S2=True)],
    "beating.upsets": [
        trick("A/H", ["S6 S6 S7 S7 S8 S8 S9 S9", "S2 S2 S2 S2 S3 S3 S3 S3", "D2 D3 D4 D5 D6 D7 D8 D9", "C2 C3 C4 C5 C6 C7 C8 C9"], 1),
        trick("A/H", ["S6 S6 S7 S7 S8 S8", "S2 S2 S2 S3 S3 S3", "D2 D3 D4 D5 D6 D7", "C2 C3 C4 C5 C6 C7"], 1),
        trick("A/H", ["S7 S7 S8 S8", "S2 S2 S2 S2", "D2 D3 D4 D5", "C2 C3 C4 C5"], 1),
        trick("A/H", ["S2 S2 S2 S2", "S7 S7 S8 S8", "D2 D3 D4 D5", "C2 C3 C4 C5"], 0),
    ],
    "penalties.bottom_miscount": [penalty("bottom_miscount", ("points", 160), remedy="adjust_bottom")],
    "clocks.bury_s": [bury_within(150)],
    "clocks.overturn_s": [bids("5", [("N", "S5")], "0", phase="drawn", t=11.0, deal=2, fixed="E")],
    "clocks.match_min": [match_lasts(360)],
    "clocks.at_time": [at_time(False, True)],
    "match.format": [losers_are_out()],
    "match.tie": [tie(None, "race")],
}
