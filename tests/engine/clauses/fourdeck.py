"""fourdeck-150min."""

from tests.engine.clauses.checks import (
    Clauses,
    bids,
    dig,
    follow,
    match_lasts,
    neighbours,
    no_bottom,
    nobody,
    path,
    tie,
    told,
    trick,
    trumps,
    units,
)

FOUR = "S7 S7 S8 S8 S9 S9 S10 S10"

CLAUSES: Clauses = {
    "pack.bottom": [no_bottom()],
    "pack.first_draw": [told("pack.first_draw", "翻牌")],
    "pack.shuffles": [told("pack.shuffles", "负方")],
    "pack.cuts": [told("pack.cuts", "庄家")],
    "levels.path": [path("3", "A", "2")],
    "trumps.constant_two": [trumps("5/H", "H2 S2 D2 C2", "S3")],
    "declaring.style": [told("declaring.style", "暗叫")],
    "declaring.named_by": [bids("5", [("E", "S5"), ("E", "S2")], "01", "5/S", deal=2, fixed="N")],
    "declaring.ladder": [bids("5", [("E", "S2"), ("N", "D2 D2"), ("W", "C2 C2 C2"), ("S", "H2 H2 H2")], "1110", "5/C", deal=2, fixed="E")],
    "declaring.marker": [bids("3", [("E", "S2"), ("N", "S2 D8"), ("N", "S2 H9")], "001", "3/S", "N", flipped="H9")],
    "declaring.overturn_first_deal": [bids("3", [("E", "S2 D8"), ("N", "C2 C2 D8")], "11", "3/C", "N", flipped="D8")],
    "declaring.overturn": [bids("5", [("E", "S2"), ("N", "D2 D2")], "11", "5/D", deal=2, fixed="E")],
    "declaring.moves_declarer": [bids("5", [("E", "S2"), ("N", "D2 D2")], "11", "5/D", "E", deal=2, fixed="E")],
    "declaring.nobody_first_deal": [nobody("", None, "redeal", deal=1, level="3")],
    "shapes.min_width": [units("5/H", "S3 S3 S4 S4", ("tractor", 2, 2, "S4"))],
    "shapes.min_length": [units("5/H", "SA SA SK SK", ("tractor", 2, 2, "SA"))],
    "shapes.skip_level": [neighbours("4/H", "S3", "S5", False), neighbours("4/H", "H3", "H5", False), neighbours("5/H", "S3", "S4")],
    "shapes.links": [neighbours("5/H", "S2", "H2", False), neighbours("5/H", "LJ", "BJ"), neighbours("5/H", "H5", "LJ")],
    "following.principle": [
        follow("4/H", "S8 S8", "S5 S5 SK", S5SK=False, S5S5=True),
        follow("4/H", "S7 S7 S8 S8 S9 S9", "S5 S5 S6 S6 SJ SJ SK SK", S5S5SJSJSKSK=False, S5S5S6S6SJSJ=True),
        follow("4/H", "S8 S8 S9 S9", "S5 S5 SJ SJ SK", S5S5SJSK=False, S5S5SJSJ=True),
    ],
    "following.ladders": [
        follow("4/H", "S8 S8 S9 S9", "S5 S5 S5 S5 S6 S6 S7 S7", S5S5S5S5=True, S6S6S7S7=True, S5S5S7S7=False),
        follow("4/H", FOUR, "S2 S3 S3 S3 S5 S6 SJ SJ SJ SQ SQ SQ SK SK", SJSJSJSQSQSQSKSK=True, SJSJSQSQSKSKS3S3=True, SJSJSQSQS3S3S5S6=False),
        follow("4/H", FOUR, "S5 S5 S6 S6 SJ SJ SQ SQ S3", S5S5S6S6SJSJSQSQ=True, S5S5S6S6SJSJSQS3=False),
        follow("4/H", FOUR, "S5 S5 S6 S6 SQ SQ SQ SQ SA SA", S5S5S6S6SQSQSQSQ=True, S5S5S6S6SQSQSASA=False),
        follow("4/H", FOUR, "S3 S3 S5 S5 SJ SJ SK SK SA", S3S3S5S5SJSJSKSK=True, S3S3S5S5SJSJSKSA=False),
        follow("7/H", "SA SA SA SA", "S5 S5 S5 S8 S8 S9 S9", S8S8S9S9=False, S5S5S5S8=True),
        follow("7/H", "SA SA SA SA", "S8 S8 S9 S9 SJ SJ", S8S8SJSJ=False, S8S8S9S9=True),
        follow("7/H", "SA SA SA SA", "S8 S8 SJ SJ SK SQ", S8S8SKSQ=False, S8S8SJSJ=True),
        follow("7/H", "SA SA SA SA", "S8 S8 SJ S9 SK SQ", S8SJSKSQ=True),
    ],
    "beating.upsets": [
        trick("7/H", ["SA SA SK SK SQ SQ SJ SJ", "S3 S3 S3 S3 S4 S4 S4 S4", "D3 D4 D5 D6 D8 D9 D10 DJ", "C3 C4 C5 C6 C8 C9 C10 CJ"], 1),
        trick("7/H", ["S3 S3 S3 S3 S4 S4 S4 S4", "SA SA SK SK SQ SQ SJ SJ", "D3 D4 D5 D6 D8 D9 D10 DJ", "C3 C4 C5 C6 C8 C9 C10 CJ"], 0),
    ],
    "beating.equal_first": [
        trick("7/H", ["SK SK SQ SQ", "SK SK SQ SQ", "D3 D4 D5 D6", "C3 C4 C5 C6"], 0),
        trick("7/H", ["SK SK SQ SQ", "SA SA SK SK", "D3 D4 D5 D6", "C3 C4 C5 C6"], 1),
    ],
    "digging.digs": [dig("7/H", ["HA", "H5", "D5", "CK"], 0, 0)],
    "clocks.match_min": [match_lasts(150)],
    "match.tie": [tie(None, "extra_deal")],
}
